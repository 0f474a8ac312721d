package gen

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/limits"
)

// TestLanguage: what is drawn has all words and signs of the language, and constants of many
// digits.
func TestLanguage(t *testing.T) {
	var rules strings.Builder
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 12))
		f, _ := Small(r.IntN)
		rules.WriteString(New(r.IntN).Rules() + f.Rules() + Wide(r.IntN).Rules())
	}
	text := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(rules.String())
	for _, word := range []string{
		"width", "depth", "height", "blank_width", "blank_height", "min_width", "max_width", "min_depth", "max_depth", "min_height",
		"max_height", "caliper", "glue_flap", "sheet_width", "sheet_height", "min(", "max(", "&&", "and", "||", "or", "!(", "! (", "not (",
		"not(", "!!!(", " > ", " >= ", " < ", " <= ", " == ", " != ", " + ", " - ", " * ", " / ", "\n", "\t", " + -", "-width", "+(", ">=-",
		"1.250000000000",
	} {
		if !strings.Contains(text, word) {
			t.Errorf("no rule has %q", word)
		}
	}
}

// constant makes a File whose boxes are valid where a function says so.
func constant(low, high exact.Point, valid func(exact.Point) bool) *File {
	f := newFile(func(int) int { return 0 }, 1, 1)
	f.low, f.high = low, high
	f.rules = []rule{{"size", "A_0001", &condition{holds: func(q *question) bool {
		var p exact.Point
		for axis, x := range q.dims {
			p[axis] = onGrid(x.FloatString(3))
			if p[axis] < low[axis] || p[axis] > high[axis] {
				return true
			}
		}
		return !valid(p)
	}}}}
	return f
}

// TestNearest has the order of boxes that are valid by hand.
func TestNearest(t *testing.T) {
	low, high, at := exact.Point{1, 1, 1}, exact.Point{40, 40, 40}, exact.Point{25, 20, 20}
	ordered := []exact.Point{ // the first is the best
		at,
		{25, 20, 30}, // on the step, and one change
		{40, 20, 20},
		{20, 10, 20}, // two changes
		{20, 30, 20}, // as far, but larger
		{30, 20, 30}, // as large
		{30, 30, 20},
		{25, 10, 10},
		{25, 30, 30},
		{20, 10, 10}, // three changes
		{20, 10, 30},
	}
	for from := range len(ordered) + 1 {
		valid := make(map[exact.Point]bool)
		for _, p := range ordered[from:] {
			valid[p] = true
		}
		// Not on the step, outside the limits, and changes that leave nothing as it is.
		valid[exact.Point{24, 20, 20}], valid[exact.Point{50, 20, 20}] = true, true
		f := constant(low, high, func(p exact.Point) bool { return valid[p] })
		best, ok := f.Nearest(at, 10)
		switch {
		case from == len(ordered):
			if ok {
				t.Errorf("%v is suggested, and no box is valid", best)
			}
		case !ok || best != ordered[from]:
			t.Errorf("%v, %v is suggested, want %v", best, ok, ordered[from])
		case from > 0 && !Better(at, ordered[from-1], best):
			t.Errorf("%v is not better than %v", ordered[from-1], best)
		}
	}
}

// TestSlow: what is made to be slow is of every kind, and no longer than a file may be.
func TestSlow(t *testing.T) {
	kinds := make(map[string]bool)
	for seed := range uint64(lab.Draws(60, 300)) {
		r := rand.New(rand.NewPCG(seed, 12))
		s := NewSlow(r.IntN)
		kinds[s.Kind] = true
		if size := max(len(s.Rules), len(s.Catalogue)); size > 256<<10 {
			t.Errorf("seed %d, %s: a file of %d bytes", seed, s.Kind, size)
		}
	}
	if len(kinds) != 9 {
		t.Errorf("%d kinds were drawn: %v", len(kinds), kinds)
	}
}

// TestWorlds: a world of any draw is a rule file and a limit file that go together, and so are
// articles.
func TestWorlds(t *testing.T) {
	const head = "version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\nmaterials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles:\n"
	engine := func(rules, articles string) *boxrules.Engine {
		set, err := boxrules.LoadRules("rules.yaml", []byte(rules))
		if err != nil {
			t.Fatalf("%v\n%s", err, rules)
		}
		catalogue, err := limits.Load("limits.yaml", []byte(head+articles))
		if err != nil {
			t.Fatalf("%v\n%s", err, articles)
		}
		e, err := boxrules.New(set, catalogue)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, rules, articles)
		}
		return e
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 12))
		w := NewWorld(r.IntN)
		p := engine("version: 1\n"+w.Rules, w.Article).Profiles()[0]
		if v, err := p.Check(boxrules.DimsAt(exact.Point{WorldHigh + 1, 1, 1})); err != nil || v.Code() != "WORLD_0001" {
			t.Errorf("a box outside of the world is %v, %v", v, err)
		}
		d := NewDomain(r.IntN)
		if _, err := boxrules.LoadRules("rules.yaml", []byte(d.Rules())); err != nil {
			t.Errorf("%v\n%s", err, d.Rules())
		}
		if _, err := limits.LoadFrame("frame.yaml", []byte(d.Frame())); err != nil {
			t.Errorf("%v\n%s", err, d.Frame())
		}
		if code := d.Code(d.NewFile(r.IntN), 0, 0, exact.Point{-1, -1, -1}); !strings.HasPrefix(code, "BOX_21") {
			t.Errorf("a box smaller than any limit gets %q", code)
		}
		articles := Articles(r.IntN, 5, []string{"BOX_3100", "BOX_3105", "BOX_3110"}, []string{"width", "2*depth"})
		engine("version: 1\nextends: documented\nsize: [{code: S_0001, when: width > 999999, message: m}]\n", articles)
	}
}

// TestLimits: limits of every kind are what the kind says.
func TestLimits(t *testing.T) {
	for kind := range Kinds {
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, 12))
			c, step, most := Limits(r.IntN, kind)
			articles, sheet := c.Articles(), c.Sheets()[0]
			for _, a := range articles {
				room := a.Width.Max.Float64() - a.Width.Min.Float64()
				if room < 0 || a.Width.Max.Float64() > most || kind == Unconstrained && len(a.Constraints) > 0 {
					t.Errorf("kind %d, seed %d: %+v", kind, seed, a)
				}
				at := a.Width.Min.Float64()
				if kind == Narrow && room > step && at != step && a.Width.Max.Float64() != most {
					t.Errorf("seed %d: %+v has room", seed, a.Width)
				}
			}
			small, large := sheet.Width.Float64() <= 3, sheet.Width.Float64() >= 50_000
			wrong := small != (kind == TinySheets) || large != (kind == HugeSheets) || (step == 0.5) != (kind == HalfSteps)
			if wrong || len(articles) > 1 && kind != TwoArticles {
				t.Errorf("kind %d, seed %d: %d articles, step %v, sheet %+v", kind, seed, len(articles), step, sheet)
			}
		}
	}
}
