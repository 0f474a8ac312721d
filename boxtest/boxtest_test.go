package boxtest_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

func init() { lab.Checks(15, 100) }

// engines returns the shipped limits with each number of decimals.
func engines(t *testing.T) (all []*boxrules.Engine) {
	t.Helper()
	for _, decimals := range []string{"0", "1", "2", "3"} {
		catalogue, err := limits.Load("limits.yaml", append(limits.IllustrativeYAML(), "\ndecimals: "+decimals+"\n"...))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, engine)
	}
	return all
}

// profileWith returns the profile of an article whose three dimensions have the same minimum and maximum. Its only rule,
// OWN_0001, has the condition when.
func profileWith(t *testing.T, when, minimum, maximum string, decimals int) *boxrules.Profile {
	t.Helper()
	engine := profiles.Engine(t, `
version: 1
size:
- {code: OWN_0001, when: "`+when+`", message: "no"}
`, strings.NewReplacer("MIN", minimum, "MAX", maximum, "DECIMALS", strconv.Itoa(decimals)).Replace(`
version: 1
unit: mm
decimals: DECIMALS
sheets:
  sheet: {width: 1000, height: 1000}
materials:
  board: {caliper: 1, glue_flap: 10, sheet: sheet}
articles:
  box:
    width: {min: MIN, max: MAX}
    depth: {min: MIN, max: MAX}
    height: {min: MIN, max: MAX}
    constraints: []
`))
	return engine.Profiles()[0]
}

// TestBoxes: each box is where its generator says, and on the grid.
func TestBoxes(t *testing.T) {
	all := engines(t)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(rapid.SampledFrom(all).Draw(t, "decimals").Profiles()).Draw(t, "profile")
		form := p.Exact()
		point := func(name string, boxes *rapid.Generator[boxrules.Box]) exact.Point {
			box := boxes.Draw(t, name)
			at, ok := box.Grid()
			if _, err := p.Check(box.Dims); err != nil || !ok || boxrules.DimsAt(at) != box.Dims ||
				box.Article != p.Article() || box.Material != p.Material() {
				t.Fatalf("%s: %+v gets no verdict (%v), or is not on the grid", name, box, err)
			}
			return at
		}
		outside := func(at exact.Point) (most int64) {
			for i, x := range at {
				most = max(most, form.Low[i]-x, x-form.High[i])
			}
			return most
		}
		if at := point("inside", boxtest.Inside(p)); outside(at) > 0 {
			t.Fatalf("%v is not inside", at)
		}
		if at := point("beyond", boxtest.Beyond(p)); outside(at) <= 0 {
			t.Fatalf("%v is not beyond", at)
		}
		if at := point("border", boxtest.Border(p)); outside(at) > form.Step || !slices.ContainsFunc(gen.Faces(form.Conditions...),
			func(h exact.HalfSpace) bool { return beside(h, at, form.Step) }) {
			t.Fatalf("%v is on no border", at)
		}
		point("box", boxtest.Boxes(p))
	})
}

// beside reports whether a box on the other side of h is at most two steps away along each dimension.
func beside(h exact.HalfSpace, at exact.Point, step int64) bool {
	least, greatest := at, at
	for i, a := range h.A {
		towards := 2 * step
		if a < 0 {
			towards = -towards
		}
		least[i], greatest[i] = least[i]-towards, greatest[i]+towards
	}
	return !h.Contains(least) && h.Contains(greatest)
}

// TestInsideIsRound: whatever the minimum, most dimensions are whole or half units. Each whole and half unit within the
// limits is drawn, and so are the limits.
func TestInsideIsRound(t *testing.T) {
	for decimals, want := range [][]float64{
		{21, 22, 23, 24},
		{20.3, 20.5, 21, 21.5, 22, 22.5, 23, 23.5, 24, 24.5, 24.7},
		{20.3, 20.5, 21, 21.5, 22, 22.5, 23, 23.5, 24, 24.5, 24.7},
		{20.3, 20.5, 21, 21.5, 22, 22.5, 23, 23.5, 24, 24.5, 24.7},
	} {
		const n = 300
		inside := boxtest.Inside(profileWith(t, "width > depth", "20.3", "24.7", decimals))
		drawn := make(map[float64]bool)
		round := 0
		for seed := range n {
			for _, x := range inside.Example(seed).ByAxis() {
				drawn[x] = true
				if 2*x == math.Trunc(2*x) {
					round++
				}
			}
		}
		for _, x := range want {
			if !drawn[x] {
				t.Errorf("%d decimals: %v is never drawn", decimals, x)
			}
		}
		if round <= n*exact.Axes/2 {
			t.Errorf("%d decimals: only %d of %d dimensions are whole or half units", decimals, round, n*exact.Axes)
		}
	}
}

// TestLimitsWithoutRoom: if no accepted dimension is within the limits, Inside draws the next larger one. If the limits
// are the largest dimension there is, all boxes beyond them are too small.
func TestLimitsWithoutRoom(t *testing.T) {
	rounded := profileWith(t, "width > depth", "1.5", "1.5", 0)
	for decimals := range 4 {
		largest := profileWith(t, "width > depth", "1000000", "1000000", decimals)
		for seed := range 20 {
			if box := boxtest.Inside(rounded).Example(seed); box.Dims != (boxrules.Dims{Width: 2, Depth: 2, Height: 2}) {
				t.Fatalf("%+v is drawn between 1.5 and 1.5", box)
			}
			box := boxtest.Beyond(largest).Example(seed)
			least := min(box.Width, box.Depth, box.Height)
			if _, err := largest.Check(box.Dims); err != nil || least >= exact.MaxDimension {
				t.Fatalf("%d decimals: %+v is drawn beyond %d (%v)", decimals, box, exact.MaxDimension, err)
			}
		}
	}
}

// TestMalformed: each box gets an error for a dimension, and each kind of error is drawn.
func TestMalformed(t *testing.T) {
	all := engines(t)
	kinds := make(map[string]bool)
	for decimals, engine := range all {
		for i, p := range engine.Profiles()[:10] {
			for seed := range 20 {
				box := boxtest.Malformed(p).Example(i + 100*seed)
				_, err := p.Check(box.Dims)
				var input *boxrules.InputError
				if !errors.As(err, &input) {
					t.Fatalf("%d decimals: Check(%+v): %v, want an InputError", decimals, box, err)
				}
				x := map[string]float64{"width": box.Width, "depth": box.Depth, "height": box.Height}[input.Field]
				switch {
				case math.IsNaN(x):
					kinds["NaN"] = true
				case math.IsInf(x, 1):
					kinds["+Inf"] = true
				case math.IsInf(x, -1):
					kinds["-Inf"] = true
				case x == math.Nextafter(exact.MaxDimension, math.Inf(1)):
					kinds["just too large"] = true
				case x < -exact.MaxDimension:
					kinds["too small"] = true
				case math.Abs(x) <= exact.MaxDimension:
					kinds["decimals"] = true
				}
			}
		}
	}
	if len(kinds) != 6 {
		t.Errorf("of six kinds %v were drawn", kinds)
	}
}

// TestMalformedDimensions: any of the three dimensions may be the only malformed one, and any two or all of them may be
// malformed.
func TestMalformedDimensions(t *testing.T) {
	p := profileWith(t, "width > depth", "20", "30", 1)
	malformed := boxtest.Malformed(p)
	drawn := make(map[[exact.Axes]bool]int)
	for seed := range 200 {
		var refused [exact.Axes]bool
		for i, x := range malformed.Example(seed).ByAxis() {
			_, err := p.Check(boxrules.Dims{Width: x, Depth: x, Height: x})
			refused[i] = err != nil
		}
		drawn[refused]++
	}
	if len(drawn) != 7 {
		t.Errorf("these dimensions are malformed: %v, want all seven combinations", drawn)
	}
}

// TestBorderWithinLimits: from a border within the limits, Border draws boxes on both sides, even if only a single box
// within the limits is on it. Otherwise it draws the same boxes as Inside.
func TestBorderWithinLimits(t *testing.T) {
	for _, test := range []struct {
		when   string // for dimensions from 20 to 30
		within bool
	}{
		{"width >= 20", true},
		{"width >= 19.999", false},
		{"width < 20", true},
		{"width < 19.999", false},
		{"width > 30", true},
		{"width > 30.001", false},
		{"width <= 30", true},
		{"width <= 30.001", false},
		{"depth + height >= 40", true},
		{"depth + height >= 39.999", false},
		{"depth + height > 60", true},
		{"depth + height > 60.001", false},
		{"depth - height > 10", true},
		{"depth - height > 10.001", false},
		{"3*width - 2*height >= 0", true},
		{"3*width - 2*height >= -0.001", false},
		{"3*width - 2*height > 50", true},
		{"3*width - 2*height > 50.001", false},
	} {
		p := profileWith(t, test.when, "20", "30", 3)
		inside, border := boxtest.Inside(p), boxtest.Border(p)
		same := true
		verdicts := make(map[boxrules.Code]int)
		for seed := range 100 {
			box := border.Example(seed)
			same = same && box == inside.Example(seed)
			verdict, err := p.Check(box.Dims)
			if err != nil {
				t.Fatal(err)
			}
			verdicts[verdict.Code()]++
		}
		if same == test.within || test.within && len(verdicts) != 2 {
			t.Errorf("%s: draws the same boxes as Inside: %t, verdicts %v", test.when, same, verdicts)
		}
	}
}

// TestEveryBorder: Border draws boxes on both sides of every border within the limits.
func TestEveryBorder(t *testing.T) {
	for _, p := range boxrules.Default().Profiles() {
		form := p.Exact()
		missing := make(map[exact.HalfSpace]map[int64]bool)
		for _, h := range gen.Faces(form.Conditions...) {
			least, greatest := int64(0), int64(0)
			for i, a := range h.A {
				least += min(a*form.Low[i], a*form.High[i])
				greatest += max(a*form.Low[i], a*form.High[i])
			}
			if least <= h.K && h.K < greatest {
				missing[h] = map[int64]bool{0: true, 1: true} // of A·p - K: the last before it holds, and the first
				if !slices.ContainsFunc(h.A[:], func(a int64) bool { return a*a == 1 }) {
					// No coefficient is 1 or -1, so few boxes are that near. Only a tie is certain to be
					// drawn: dimensions and constants are round.
					tie := int64(0)
					if h.K%10 != 0 {
						tie = 1
					}
					missing[h] = map[int64]bool{tie: true}
				}
			}
		}
		boxes := boxtest.Border(p)
		for seed := range 1000 {
			at, _ := boxes.Example(seed).Grid()
			for h, open := range missing {
				delete(open, h.A[0]*at[0]+h.A[1]*at[1]+h.A[2]*at[2]-h.K)
				if len(open) == 0 {
					delete(missing, h)
				}
			}
		}
		for h, open := range missing {
			t.Errorf("%s in %s: %s: not drawn: %v", p.Article(), p.Material(), h, open)
		}
	}
}

// TestShrinks: if a rule is wrong on its border alone, rapid reports the smallest box there.
func TestShrinks(t *testing.T) {
	rules, err := boxrules.LoadRules("rules.yaml", []byte(lab.DocumentedRules(t, "when: depth > width\n", "when: depth >= width\n")))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(rules, limits.Illustrative())
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := engine.Profile("tuck-end", "carton-300")
	if err != nil {
		t.Fatal(err)
	}
	reference := referenceOf(t, boxrules.DefaultRules(), limits.Illustrative())
	for name, value := range map[string]string{"rapid.checks": "10000", "rapid.seed": "1", "rapid.nofailfile": "true"} {
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		defer flag.Set(name, before)
	}
	failing := recorder{TB: t}
	rapid.Check(&failing, func(t *rapid.T) {
		box := boxtest.Boxes(wrong).Draw(t, "box")
		want, err := reference.Exact(box)
		if err != nil {
			t.Fatal(err)
		}
		if verdict, err := wrong.Check(box.Dims); err != nil || verdict.OK() != (len(want) == 0) {
			t.Fatalf("%v, %v, want %v", verdict, err, want)
		}
	})
	t.Logf("rapid says\n%s", &failing.text)
	if want := "Dims:boxrules.Dims{Width:20, Depth:20, Height:30}"; !strings.Contains(failing.text.String(), want) {
		t.Errorf("rapid says\n%s\nwant %s", &failing.text, want)
	}
}

// A recorder keeps rapid's report on a property that fails.
type recorder struct {
	testing.TB
	text strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.text, format+"\n", args...) }
func (r *recorder) Logf(format string, args ...any)   { fmt.Fprintf(&r.text, format+"\n", args...) }
func (r *recorder) Failed() bool                      { return false }
func (r *recorder) FailNow()                          {}
func (r *recorder) Name() string                      { return "Shrinks" }
