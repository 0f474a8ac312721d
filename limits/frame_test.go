package limits_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// leastFrame has what a frame must have.
const leastFrame = `version: 1
unit: mm
materials:
  board: {caliper: 1.50, glue_flap: 0}
articles:
  sleeve: {}
`

func loadFrame(t *testing.T, text string) *limits.Catalogue {
	t.Helper()
	c, err := limits.LoadFrame("frame.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

// TestFrame: a frame lacks what no answer tells, and a limit file is a frame too.
func TestFrame(t *testing.T) {
	least := loadFrame(t, leastFrame)
	if !least.IsFrame() || least.IsIllustrative() || least.Decimals() != 3 || least.Unit() != "mm" || least.Name() != "frame.yaml" {
		t.Errorf("frame %v, illustrative %v, %d decimals, unit %q, name %q",
			least.IsFrame(), least.IsIllustrative(), least.Decimals(), least.Unit(), least.Name())
	}
	sleeve, board := least.Articles()[0], least.Materials()[0]
	if len(least.Sheets()) > 0 || board.Sheet.Code != "" || board.Caliper.String() != "1.50" ||
		sleeve.Blank != nil || len(sleeve.Constraints) > 0 || sleeve.Width != (limits.Range{}) ||
		!slices.Equal(sleeve.Materials, []string{"board"}) {
		t.Errorf("article %+v, material %+v, sheets %v", sleeve, board, least.Sheets())
	}
	if _, err := limits.Load("frame.yaml", []byte(leastFrame)); err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("a frame is no limit file: %v", err)
	}
	for _, text := range []string{small, string(limits.IllustrativeYAML())} {
		whole, err := limits.Load("limits.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		frame := loadFrame(t, text)
		if !frame.IsFrame() || frame.IsIllustrative() || whole.IsFrame() || whole.Decimals() != 3 {
			t.Errorf("frame %v, illustrative %v; the file %v, %d decimals",
				frame.IsFrame(), frame.IsIllustrative(), whole.IsFrame(), whole.Decimals())
		}
		if got, want := articleTexts(frame), articleTexts(whole); got != want {
			t.Errorf("articles %s, want %s", got, want)
		}
	}
	named := loadFrame(t, strings.Replace(leastFrame, "glue_flap: 0", "glue_flap: 0, sheet: any name", 1))
	if s := named.Materials()[0].Sheet; s.Code != "any name" {
		t.Errorf("sheet %+v", s)
	}
}

func articleTexts(c *limits.Catalogue) (texts string) {
	for _, a := range c.Articles() {
		texts += a.Code + " " + a.Title + " " + strings.Join(a.Materials, ",") + "\n"
		if a.Blank != nil {
			texts += a.Blank.Width.String() + " " + a.Blank.Height.String() + "\n"
		}
	}
	return texts
}

// TestFrameEngine: nothing can be checked against a frame, until it is completed.
func TestFrameEngine(t *testing.T) {
	frame := loadFrame(t, leastFrame)
	const want = "frame.yaml is a frame, which has no limits; use package learn to find them"
	if _, err := boxrules.New(boxrules.DefaultRules(), frame); err == nil || err.Error() != want {
		t.Errorf("New = %v, want %s", err, want)
	}
	articles, materials := frame.Articles(), frame.Materials()
	whole := limits.Range{Min: limits.DecimalAt(20_500), Max: limits.DecimalAt(300_000)}
	articles[0].Width, articles[0].Depth, articles[0].Height = whole, whole, whole
	materials[0].Sheet = limits.Sheet{Code: "s", Width: limits.DecimalAt(1), Height: limits.DecimalAt(720_050)}
	completed := frame.Completed(articles, materials)
	if completed.IsFrame() || !frame.IsFrame() || !slices.Equal(completed.Sheets(), []limits.Sheet{materials[0].Sheet}) ||
		len(frame.Sheets()) > 0 {
		t.Errorf("frame %v, sheets %v; of the frame %v, %v", completed.IsFrame(), completed.Sheets(), frame.IsFrame(), frame.Sheets())
	}
	if s := completed.Sheets()[0]; s.Width.String() != "0.001" || s.Height.String() != "720.05" {
		t.Errorf("sheet %s x %s", s.Width, s.Height)
	}
	e, err := boxrules.New(boxrules.DefaultRules(), completed)
	if err != nil {
		t.Fatal(err)
	}
	for width, code := range map[float64]boxrules.Code{20.499: boxrules.BOX_2100, 20.5: "", 300: "", 300.001: boxrules.BOX_2101} {
		v, err := e.Check(boxrules.Box{Article: "sleeve", Material: "board", Dims: boxrules.Dims{Width: width, Depth: 30, Height: 40}})
		if err != nil || v.Code() != code {
			t.Errorf("width %v: %v, %v, want %q", width, v, err, code)
		}
	}
}

// TestDecimals: limit files and frames say how many decimals a dimension may have, and limits may
// have three whatever that is.
func TestDecimals(t *testing.T) {
	for _, text := range []string{"0", "1", "2", "3"} {
		whole, err := limits.Load("limits.yaml", []byte(small+"decimals: "+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*limits.Catalogue{loadFrame(t, leastFrame+"decimals: "+text+"\n"), whole} {
			if got := c.Decimals(); got != int(text[0]-'0') || c.Position("decimals").Line == 0 {
				t.Errorf("decimals: %s is %d, at %v", text, got, c.Position("decimals"))
			}
		}
	}
	if at := loadFrame(t, leastFrame).Position("decimals"); at != (source.Position{}) {
		t.Errorf("decimals that are not said are at %v", at)
	}
	if _, err := limits.Load("limits.yaml", []byte(strings.Replace(small, "400", "400.125", 1)+"decimals: 0\n")); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"4", "10", "-1", "1.5", "2.0", "02", "two", `"2"`, "", "[2]", "3e0"} {
		_, err := limits.LoadFrame("frame.yaml", []byte(leastFrame+"decimals: "+text+"\n"))
		var problems source.Errors
		if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Line != 7 {
			t.Errorf("decimals: %s: %v, want one error on line 7", text, err)
		}
		if _, err := limits.Load("limits.yaml", []byte(small+"decimals: "+text+"\n")); !errors.As(err, &problems) || len(problems) != 1 {
			t.Errorf("decimals: %s: %v, want one error", text, err)
		}
	}
}

// TestFrameErrors: what a frame has must have its form, and what it needs must be there.
func TestFrameErrors(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"no caliper", "caliper: 1.50, ", "", `frame.yaml:4:10: materials.board: missing key: caliper`},
		{"a sheet without a name", "glue_flap: 0", `glue_flap: 0, sheet: " x"`,
			`frame.yaml:4:47: materials.board: " x" is not a code; accepted: `},
	} {
		_, err := limits.LoadFrame("frame.yaml", []byte(strings.Replace(leastFrame, test.from, test.to, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestDecimalAt(t *testing.T) {
	for at, want := range map[int64]string{
		0: "0", 1: "0.001", 10: "0.01", 1500: "1.5", 100_000: "100", 1_000_000_000: "1000000", -500: "-0.5",
	} {
		if got := limits.DecimalAt(at); got.String() != want || got.Float64() != float64(at)/1000 {
			t.Errorf("DecimalAt(%d) = %s, want %s", at, got, want)
		}
	}
}
