package limits_test

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// fileOf returns what a catalogue was made of.
func fileOf(c *limits.Catalogue) limits.File {
	f := limits.File{Unit: c.Unit(), Values: c.Values(), Sheets: c.Sheets(), Materials: c.Materials(), Articles: c.Articles()}
	if decimals := c.Decimals(); decimals != 3 {
		f.Decimals = &decimals
	}
	for _, a := range f.Articles {
		if a.Blank != nil {
			width, height := a.Blank.Width.Text, a.Blank.Height.Text
			*a.Blank = limits.Blank{Style: a.Blank.Style, Width: limits.Formula{Text: width}, Height: limits.Formula{Text: height}}
		}
	}
	return f
}

// rows returns small as a database gives it: materials name their sheets.
func rows(t *testing.T) limits.File {
	f := fileOf(load(t))
	for i, m := range f.Materials {
		f.Materials[i].Sheet = limits.Sheet{Code: m.Sheet.Code}
	}
	return f
}

// TestNew: plain structs are the same catalogue as the file with them, and New keeps nothing of
// them.
func TestNew(t *testing.T) {
	want := fileOf(load(t))
	given := rows(t)
	given.Values, want.Values = limits.Values{"tuck": "1"}, limits.Values{"tuck": "1"}
	given.Materials[0].Values, want.Materials[0].Values = limits.Values{"crease": "2"}, limits.Values{"crease": "2"}
	given.Articles[0].Values, want.Articles[0].Values = limits.Values{"lid": "3"}, limits.Values{"lid": "3"}
	given.Articles[0].Title = " Tuck-end \n carton"
	given.Articles[1].Materials = nil // all
	given.Materials[0].Sheet = want.Materials[0].Sheet
	decimals := 2
	given.Decimals, want.Decimals = &decimals, &[]int{2}[0]
	c, err := limits.New("shop", given)
	if err != nil {
		t.Fatal(err)
	}
	decimals = 1
	given.Sheets[0].Code = "x"
	given.Articles[0].Constraints[0] = "x"
	given.Articles[0].Blank.Width = limits.Formula{}
	given.Values["tuck"], given.Materials[0].Values["crease"], given.Articles[0].Values["lid"] = "0", "0", "0"
	if got := fileOf(c); !reflect.DeepEqual(got, want) {
		t.Errorf("New has\n%+v, want\n%+v", got, want)
	}
	if c.Name() != "shop" || c.IsFrame() || c.IsIllustrative() || c.Position("unit") != (source.Position{}) {
		t.Errorf("name %q, frame %v, illustrative %v, unit at %v", c.Name(), c.IsFrame(), c.IsIllustrative(), c.Position("unit"))
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), c)
	if err != nil {
		t.Fatal(err)
	}
	box := boxrules.Box{Article: "tuck-end", Material: "carton", Dims: boxrules.Dims{Width: 401, Depth: 100, Height: 30}}
	if v, err := engine.Check(box); err != nil || v.Code() != boxrules.BOX_2101 {
		t.Errorf("Check = %v, %v, want BOX_2101", v, err)
	}
}

// TestNewErrors changes one thing in a valid File, and wants an error that names the field. The checks
// are those of Load, whose errors are in the root's testdata/err.
func TestNewErrors(t *testing.T) {
	type file = limits.File
	const tuckEnd = "articles.tuck-end."
	for _, test := range []struct {
		change func(*file)
		want   string
	}{
		{func(f *file) { f.Unit = "" }, `unit: "" is not a unit; accepted: mm, cm, m, in, or another word of at most 8 letters`},
		{func(f *file) { f.Decimals = &[]int{4}[0] }, "decimals: 4 is not a number of decimals; accepted: 0, 1, 2 or 3"},
		{func(f *file) { f.Sheets[0].Width = "" }, `sheets.ra106.width: expected a number such as 48.5, not ""`},
		{func(f *file) { f.Sheets[0].Width = "27 1/2" }, `sheets.ra106.width: expected 27.5, not "27 1/2"`},
		{func(f *file) { f.Sheets[0].Width = "1/16" }, `sheets.ra106.width: expected 0.0625, not "1/16"`},
		{func(f *file) { f.Sheets[0].Width = "27 0/2" }, `sheets.ra106.width: expected 27, not "27 0/2"`},
		{func(f *file) { f.Articles[0].Code = "" },
			`articles."": "" is not a code; accepted: at most 64 printable characters, without a space at either end`},
		{func(f *file) { f.Sheets = append(f.Sheets, f.Sheets[0]) }, "sheets.ra106: the code is used twice"},
		{func(f *file) { f.Articles[1].Code = "a\xff" },
			`articles."a\xff": "a\xff" is not a code; accepted: at most 64 printable characters, without a space at either end`},
		{func(f *file) { f.Sheets = []limits.Sheet{{Code: "ra106 ", Width: "1040", Height: "720.5"}} }, // not also: unknown sheet
			`sheets."ra106 ": "ra106 " is not a code; accepted: at most 64 printable characters, without a space at either end`},
		{func(f *file) { f.Materials[1].Sheet.Width = "7" },
			"materials.board.sheet: the size differs from that of sheet ra106; give only the code of the sheet"},
		{func(f *file) { f.Materials[0].MinSheets = -1 },
			"materials.carton.min_sheets: -1 is not a number of sheets; accepted: a whole number from 1 to 1000000000"},
		{func(f *file) { f.Articles[0].Title = "a\u202eb" },
			tuckEnd + "title: invisible character U+202E is not accepted: remove it"},
		{func(f *file) { f.Articles[1].Constraints = nil },
			"articles.sleeve.constraints: missing; accepted: codes of constraint rules, or an empty list for none"},
		{func(f *file) { f.Values = limits.Values{"a b": "1"} },
			`values.a b: "a b" is not a name; accepted: a letter from a to z, then at most 31 letters, digits and _`},
		{func(f *file) { f.Values = limits.Values{"or": "1"} }, `values.or: or is a word of the language; choose another name`},
		{func(f *file) { f.Materials[1].Values = limits.Values{"tuck": ""} },
			`materials.board.values.tuck: expected a number such as 48.5, not ""`},
		{func(f *file) {
			f.Materials[1].Values = limits.Values{"tuck": "2"}
			f.Articles[0].Blank.Width.Text = "2*width + tuck"
		}, tuckEnd + "blank.width: the value tuck is not set for carton; add values: {tuck: ...} to the material, or offer the article only in other materials"},
		{func(f *file) {
			f.Articles[1].Values = limits.Values{"tuck": "2"}
			f.Articles[0].Blank.Height.Text = "tuck"
		}, tuckEnd + "blank.height: the value tuck is not set for this article; add values: {tuck: ...} to it"},
		{func(f *file) {
			f.Values = make(limits.Values)
			for i := range 33 {
				f.Values[fmt.Sprintf("n%02d", i)] = "1"
			}
		}, "values.n32: there are too many different names of values: at most 32"},
		{func(f *file) { f.Articles[0].Blank.Width.Text = "2*" }, tuckEnd + "blank.width: the expression is not complete"},
	} {
		f := rows(t)
		test.change(&f)
		c, err := limits.New("shop", f)
		var problems source.Errors
		if c != nil || !errors.As(err, &problems) || err.Error() != test.want {
			t.Errorf("New = %v, %v, want %s", c, err, test.want)
		}
	}
}

// TestNewAllErrors: every error is reported, also those that only an engine finds.
func TestNewAllErrors(t *testing.T) {
	f := rows(t)
	f.Unit = "1"
	f.Sheets[0].Height = "0"
	f.Articles[0].Blank.Width.Text = "dept + heigth"
	f.Articles[1].Width.Min = "x"
	_, err := limits.New("shop", f)
	var problems source.Errors
	if !errors.As(err, &problems) || len(problems) != 5 {
		t.Fatalf("New = %v, want five errors", err)
	}
	for i, want := range []string{"unit", "sheets.ra106.height", "articles.tuck-end.blank.width", "articles.tuck-end.blank.width",
		"articles.sleeve.width.min"} {
		if problems[i].Rule != want || problems[i].Position != (source.Position{}) {
			t.Errorf("error %d is at %q, %v, want %s", i, problems[i].Rule, problems[i].Position, want)
		}
	}
	f = rows(t)
	f.Articles[0].Constraints = []string{"BOX_3999", "BOX_2100"}
	f.Articles[0].Blank.Width.Text = "width / (caliper - caliper)"
	f.Articles[0].Blank.Height.Text = "width / (glue_flap - glue_flap)"
	c, err := limits.New("shop", f)
	if err != nil {
		t.Fatal(err)
	}
	_, err = boxrules.New(boxrules.DefaultRules(), c)
	if !errors.As(err, &problems) || len(problems) != 4 {
		t.Fatalf("boxrules.New = %v, want four errors", err)
	}
	for i, want := range []string{
		`^articles\.tuck-end: BOX_3999 is not a documented rule; `,
		`^articles\.tuck-end: BOX_2100 is a boundary rule, `,
		`^articles\.tuck-end\.blank\.width: .*zero.* \(in material board\)$`,
		`^articles\.tuck-end\.blank\.height: .*zero.* \(in material board\)$`,
	} {
		if !regexp.MustCompile(want).MatchString(problems[i].Error()) {
			t.Errorf("error %d is %v, want %s", i, problems[i], want)
		}
	}
	if strings.Contains(err.Error(), ":0:") {
		t.Errorf("places that there are not: %v", err)
	}
}

// TestUnknownNames: materials with unknown sheets, and articles with unknown materials, are reported with work that
// grows with their number and not with its square. Allocated memory measures the work: a copy of the
// known names for each error would show.
func TestUnknownNames(t *testing.T) {
	allocated := func(count int) uint64 {
		var f limits.File
		f.Unit = "mm"
		for i := range count {
			f.Sheets = append(f.Sheets, limits.Sheet{Code: fmt.Sprint("s", i), Width: "1", Height: "1"})
			f.Materials = append(f.Materials, limits.Material{Code: fmt.Sprint("m", i), Caliper: "1", GlueFlap: "1",
				Sheet: limits.Sheet{Code: fmt.Sprint("t", i)}})
		}
		one := limits.Range{Min: "1", Max: "1"}
		a := limits.Article{Code: "a", Width: one, Depth: one, Height: one, Constraints: []string{}}
		for i := range count {
			a.Materials = append(a.Materials, fmt.Sprint("n", i))
		}
		f.Articles = []limits.Article{a}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := limits.New("unknown", f)
		runtime.ReadMemStats(&after)
		var errs source.Errors
		if !errors.As(err, &errs) || len(errs) < 2*count {
			t.Fatalf("%d errors, want %d for sheets and as many for materials", len(errs), count)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, fourTimes := allocated(1000), allocated(4000); fourTimes > 6*once {
		t.Errorf("1,000 unknown names of each kind take %d bytes, and 4,000 of them %d", once, fourTimes)
	}
}
