package gen

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/boxrules/exact"
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

// TestSlow: what is made to be slow is of every kind, and no longer than a file may be.
func TestSlow(t *testing.T) {
	kinds := make(map[string]bool)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 12))
		s := NewSlow(r.IntN)
		kinds[s.Kind] = true
		if size := max(len(s.Rules), len(s.Catalogue)); size > 256<<10 {
			t.Errorf("seed %d, %s: a file of %d bytes", seed, s.Kind, size)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("%d kinds were drawn: %v", len(kinds), kinds)
	}
}

// constant makes a File whose boxes are valid where a function says so.
func constant(low, high exact.Point, valid func(exact.Point) bool) *File {
	f := newFile(func(int) int { return 0 }, 1, 1)
	f.low, f.high = low, high
	f.rules = []rule{{"size", "A_0001", &condition{holds: func(q *numberInput) bool {
		var p exact.Point
		for axis, x := range q.dims {
			p[axis] = mustThousandths(x.FloatString(3))
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
