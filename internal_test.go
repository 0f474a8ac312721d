package boxrules

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/boxrules/internal/linear"
	"example.com/boxrules/limits"
)

// userEngine has the rules, without their first line, and articles, in one material.
func userEngine(t *testing.T, rules, articles string) *Engine {
	t.Helper()
	set, err := LoadRules("rules.yaml", []byte("version: 1\n"+rules))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", []byte("version: 1\nunit: mm\nsheets: {s: {width: 1000, height: 700}}\n"+
		"materials: {m: {caliper: 1, glue_flap: 20, sheet: s}}\narticles:\n"+articles))
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(set, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestShortcutTakes: the shortcut decides all boxes within the limits, and no other.
func TestShortcutTakes(t *testing.T) {
	const bounds = "  - {code: A_0001, when: width < 10 or depth < 5, message: not about one dimension}\n" +
		"  - {code: A_0002, when: width < min_width, message: m}\n  - {code: A_0003, when: 2*width > 2*max_width, message: m}\n" +
		"  - {code: A_0004, when: depth < min_depth, message: m}\n  - {code: A_0005, when: depth > max_depth, message: m}\n" +
		"  - {code: A_0006, when: -height > 0, message: m}\n  - {code: A_0007, when: height > max_height, message: m}\n"
	const article = "  a: {width: {min: 10, max: 90.5}, depth: {min: 7.125, max: 7.125}, height: {min: 1, max: 1000000}, constraints: []}\n"
	p := userEngine(t, "boundary:\n"+bounds, article).ordered[0]
	low, high := linear.Point{10_000, 7_125, 0}, linear.Point{90_500, 7_125, linear.MaxGrid}
	for axis := range linear.Axes {
		for _, at := range []int64{low[axis] - 1, low[axis], (low[axis] + high[axis]) / 2, high[axis], high[axis] + 1} {
			point := low
			point[axis] = at
			// The float64s beside the coordinate lie on it too, but that at an end of what is accepted.
			for _, x := range []float64{units(at), units(at) - 0.0004, units(at) + 0.0004} {
				d := dims(point)
				*[]*float64{&d.Width, &d.Depth, &d.Height}[axis] = x
				_, _, _, ok := p.shortcut.take(d)
				if want := at >= low[axis] && at <= high[axis] && inRange(x); ok != want {
					t.Errorf("take(%+v) is %v, want %v", d, ok, want)
				}
			}
		}
	}
	// The ends are float64s, of which the next one beyond lies on another coordinate, or is none.
	for axis := range linear.Axes {
		first, last := p.shortcut.low[axis], p.shortcut.high[axis]
		for x, want := range map[float64]bool{first: true, last: true, math.Nextafter(first, -1): false, math.Nextafter(last, 2e6): false} {
			d := dims(low)
			*[]*float64{&d.Width, &d.Depth, &d.Height}[axis] = x
			if _, _, _, ok := p.shortcut.take(d); ok != want || ok != (inRange(x) && toGrid(x) >= low[axis] && toGrid(x) <= high[axis]) {
				t.Errorf("take(%+v) is %v, want %v", d, ok, want)
			}
		}
	}
	none := userEngine(t, "constraint:\n  - {code: A_0001, when: depth > width, message: m}\n", strings.Replace(article, "[]", "[A_0001]", 1)).ordered[0]
	for _, x := range []float64{math.Inf(-1), -1, 0, 1, math.Inf(1), math.NaN()} {
		if _, _, _, ok := none.shortcut.take(Dims{x, x, x}); ok {
			t.Errorf("take of %v is true without limits", x)
		}
	}
}

// TestShortcutIsShort: what the limits decide is not asked again, where there are not too many comparisons to see it.
func TestShortcutIsShort(t *testing.T) {
	const article = "  a: {width: {min: 10, max: 90.5}, depth: {min: 7.125, max: 8}, height: {min: 1, max: 100}, constraints: []}\n"
	for count, want := range map[int]int{2: 1, 100: 1, 101: 101} {
		rules := "boundary:\n  - {code: A_0001, when: width < min_width, message: m}\nsize:\n  - {code: B_0001, when: \"depth > width"
		for i := range count - 2 {
			rules += fmt.Sprintf(" || width < 0.%03d", i+1)
		}
		p := userEngine(t, rules+"\", message: m}\n", article).ordered[0]
		if got := len(p.first.tests); got != count {
			t.Fatalf("a program of %d comparisons has %d tests", count, got)
		}
		if got := len(p.shortcut.program.tests); got != want {
			t.Errorf("of %d comparisons the shortcut has %d, want %d", count, got, want)
		}
	}
}

// TestShortcutGoesOn: what an earlier rule excludes is not asked again, be it one comparison or one of several.
func TestShortcutGoesOn(t *testing.T) {
	const article = "  a: {width: {min: 10, max: 90}, depth: {min: 7, max: 80}, height: {min: 1, max: 100}, constraints: [B_0001, B_0002]}\n"
	for first, want := range map[string]int{"width > 50": 2, "width > 50 || height > 60": 3, "width > 50 && height > 60": 4} {
		rules := "boundary:\n  - {code: A_0001, when: width < min_width, message: m}\nconstraint:\n" +
			"  - {code: B_0001, when: \"" + first + "\", message: m}\n  - {code: B_0002, when: width > 70 || depth > 60, message: m}\n"
		p := userEngine(t, rules+"size:\n  - {code: C_0001, when: width < 5, message: m}\n", article).ordered[0]
		if got := len(p.shortcut.program.tests); got != want {
			t.Errorf("behind %s the shortcut has %d tests, want %d", first, got, want)
		}
	}
}

// TestAssemble has conditions of any shape, with constants where package linear would put none.
func TestAssemble(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var draw func(depth int, constants bool) linear.Condition
	draw = func(depth int, constants bool) linear.Condition {
		switch kind := rng.IntN(6); {
		case constants && kind == 0:
			return linear.Condition{Kind: []linear.Kind{linear.False, linear.True}[rng.IntN(2)]}
		case depth == 0 || kind < 3:
			return linear.Condition{Kind: linear.Half, Half: linear.HalfSpace{A: linear.Point{rng.Int64N(5) - 2, rng.Int64N(5) - 2, rng.Int64N(5) - 2}, K: rng.Int64N(9) - 4}}
		}
		parts := make([]linear.Condition, 2+rng.IntN(2))
		for i := range parts {
			parts[i] = draw(depth-1, constants)
		}
		return linear.Condition{Kind: []linear.Kind{linear.And, linear.Or}[rng.IntN(2)], Parts: parts}
	}
	for i := range 2000 {
		conditions := []linear.Condition{draw(4, i%2 == 0), draw(4, i%2 == 0)}
		p := assemble(conditions...)
		if halves := conditions[0].Halves() + conditions[1].Halves(); i%2 == 1 && len(p.tests) != halves {
			t.Fatalf("%v: %d tests, want one for each of %d half-spaces", conditions, len(p.tests), halves)
		}
		for range 50 {
			at := linear.Point{rng.Int64N(9) - 4, rng.Int64N(9) - 4, rng.Int64N(9) - 4}
			want := 0
			for want < len(conditions) && !conditions[want].Holds(at) {
				want++
			}
			if got := p.run(at); got != want {
				t.Fatalf("%v at %v: %d, want %d", conditions, at, got, want)
			}
		}
	}
}

// TestNearestEffort has boxes on a long slope and others near by. Once these are known the slope need not be
// looked at from end to end, whichever comes first.
func TestNearestEffort(t *testing.T) {
	const slope, near = "width + depth >= 20000 && width >= 2 && depth >= 2 && height >= 1", "width >= 60 && depth >= 60 && height >= 1"
	const article = "  a: {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"
	at, want := linear.Point{1000, 1000, 5000}, linear.Point{60_000, 60_000, 5000}
	for _, valid := range []string{slope + " || " + near, near + " || " + slope} {
		p := userEngine(t, "boundary:\n  - {code: A_0001, when: \"!("+valid+")\", message: m}\n", article).ordered[0]
		if best, total, proved := p.nearest(at, 1); best != want || total != 118_000 || !proved {
			t.Errorf("%s: nearest = %v, %d, proved %v, want %v, 118000", valid, best, total, proved, want)
		}
		left, free := 200, [linear.Axes]bool{true, true, false}
		if best, total := p.validCells().nearest(at, free, 1, linear.Point{}, linear.None, &left); best != want || total != 118_000 || left < 0 {
			t.Errorf("%s: nearest = %v, %d, %d left, want the same with an effort of 200", valid, best, total, left)
		}
	}
}

// TestSubsetEffort: sets that cannot get their members any more are not begun. What is allocated tells.
func TestSubsetEffort(t *testing.T) {
	candidates := numbers(0, 12)
	tried := 0
	got := testing.AllocsPerRun(1, func() {
		tried = 0
		trials := 0
		subset(candidates, 10, nil, &trials, func([]int) bool { tried++; return false })
	})
	if tried != 66 || got > 300 {
		t.Errorf("subset tries %d sets, want 66, and allocates %v times, want at most 300", tried, got)
	}
}

// TestNothingUnconfirmed has profiles whose programs do not say what their conditions do. What a search found and
// the programs do not confirm is never said.
func TestNothingUnconfirmed(t *testing.T) {
	const rules = "boundary:\n  - {code: A_0001, when: width < min_width, message: m}\n  - {code: A_0002, when: width > max_width, message: m}\n" +
		"constraint:\n  - {code: B_0001, when: width > 50, message: m}\n  - {code: B_0002, when: width > 60, message: m}\n"
	const article = "  a: {width: {min: 10, max: 90}, depth: {min: 7, max: 8}, height: {min: 1, max: 100}, constraints: [B_0001, B_0002]}\n"
	accepted, none := &none, shortcut{low: [linear.Axes]float64{1, 1, 1}}
	faulty := func(outcome int) *Profile {
		p := userEngine(t, rules, article).ordered[0]
		p.shortcut, p.first = none, program{none: outcome}
		for i := range p.rules {
			p.rules[i].program = program{none: 1} // holds nowhere
		}
		if outcome < len(p.rules) {
			p.rules[outcome].program = program{none: holds} // and here everywhere
		}
		return p
	}
	right := userEngine(t, rules, article).ordered[0]
	for _, outcome := range []int{0, 1, 4} {
		p := faulty(outcome)
		for i, r := range p.rules {
			if d, ok := p.Witness(r.rule.Code); ok && i != outcome {
				t.Errorf("Witness(%s) = %+v, but Check says something else", r.rule.Code, d)
			}
		}
		for _, f := range p.Lint() {
			if f.Kind != Undecided && (outcome < len(p.rules) || f.Kind != UnreachableLimit) { // all boxes are valid to the last one
				t.Errorf("%d: Lint() has %+v, want it undecided", outcome, f)
			}
		}
		for _, c := range append(diff(&Profile{accepted: accepted, rules: right.rules[:2], first: right.first, shortcut: none, article: right.article}, p), diff(p, &Profile{accepted: accepted, rules: right.rules[:2], first: right.first, shortcut: none})...) {
			if c.Kind != UndecidedChange {
				t.Errorf("%d: diff has %+v, want it undecided", outcome, c)
			}
		}
	}
	wrong := userEngine(t, rules, article).ordered[0]
	wrong.shortcut = shortcut{low: [linear.Axes]float64{0, 0, 0}, high: [linear.Axes]float64{1000, 1000, 1000}, program: program{none: 0}}
	var input *InputError
	if s, ok, err := wrong.Nearest(Dims{60, 7, 7}, 1); ok || err == nil || errors.As(err, &input) {
		t.Errorf("Nearest = %+v, %v, %v, want an internal fault", s, ok, err)
	}
}
