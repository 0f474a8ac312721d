package state_test

import (
	"slices"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// sheetOf returns a sheet on a grid of 10, after answers in the given order: fits says whether it holds a blank.
func sheetOf(answers ...answer) (s *state.Sheet, lastConflicts [][]int) {
	s = state.NewSheet("s", 2000, 10)
	for i, a := range answers {
		lastConflicts = nil
		e := state.Evidence{Seq: i + 1, Row: i + 1}
		for _, conflict := range s.Observe(state.Observation{At: exact.Point{a.long, a.short}, Evidence: e}, a.fits) {
			var rows []int
			for _, o := range conflict {
				rows = append(rows, o.Row)
			}
			lastConflicts = append(lastConflicts, rows)
		}
	}
	return s, lastConflicts
}

type answer struct {
	long, short int64
	fits        bool
}

// TestConflictOfThree: two blanks that fit can show together that a third one fits. If the service says otherwise, the
// conflict names the newest blank that is long enough, and the newest one that is wide enough.
func TestConflictOfThree(t *testing.T) {
	for name, test := range map[string]struct {
		answers []answer
		want    [][]int
	}{
		"smaller blank is newest": {[]answer{{1000, 300, true}, {400, 700, true}, {300, 200, true}, {900, 600, false}}, [][]int{{1, 2}}},
		"exactly as long":         {[]answer{{900, 300, true}, {400, 700, true}, {900, 600, false}}, [][]int{{1, 2}}},
		"exactly as wide":         {[]answer{{1000, 300, true}, {400, 600, true}, {900, 600, false}}, [][]int{{1, 2}}},
		"not as long":             {[]answer{{890, 300, true}, {400, 700, true}, {900, 600, false}}, nil},
		"a newer one is as long":  {[]answer{{1000, 300, true}, {950, 250, true}, {400, 700, true}, {900, 600, false}}, [][]int{{2, 3}}},
	} {
		_, got := sheetOf(test.answers...)
		if !slices.EqualFunc(got, test.want, slices.Equal) {
			t.Errorf("%s: the conflicts are rows %v, want %v", name, got, test.want)
		}
	}
}

// TestUpperCorner: a sheet that is at least as wide as a blank that does not fit must be shorter than it.
func TestUpperCorner(t *testing.T) {
	for name, test := range map[string]struct {
		answers []answer
		want    exact.Point
	}{
		"nothing is known":  {nil, exact.Point{2000, 2000}},
		"wider":             {[]answer{{900, 600, true}, {1000, 500, false}}, exact.Point{990, 990}},
		"exactly as wide":   {[]answer{{900, 600, true}, {1000, 600, false}}, exact.Point{990, 990}},
		"not as wide":       {[]answer{{900, 590, true}, {1000, 600, false}}, exact.Point{2000, 2000}},
		"exactly as long":   {[]answer{{900, 600, true}, {900, 700, false}}, exact.Point{2000, 690}},
		"only one is left":  {[]answer{{900, 600, true}, {910, 600, false}, {900, 610, false}}, exact.Point{900, 600}},
		"larger both sides": {[]answer{{900, 600, true}, {910, 610, false}}, exact.Point{2000, 2000}},
	} {
		s, _ := sheetOf(test.answers...)
		if got := s.UpperCorner(); got != test.want {
			t.Errorf("%s: the largest sheet is %v, want %v", name, got, test.want)
		}
		if got, want := s.IsKnown(), name == "only one is left"; got != want {
			t.Errorf("%s: IsKnown is %v", name, got)
		}
	}
}

// TestFarthest: the older of two blanks of the same length is the evidence for that length, because it also shows the
// most about the other side.
func TestFarthest(t *testing.T) {
	s, _ := sheetOf(answer{1000, 500, true}, answer{1000, 400, true}, answer{800, 400, true}, answer{600, 600, true})
	if long, short := s.Farthest(state.Long), s.Farthest(state.Short); long.Row != 1 || short.Row != 4 {
		t.Errorf("rows %d and %d are the longest and the widest, want 1 and 4", long.Row, short.Row)
	}
	if none, _ := sheetOf(); none.Farthest(state.Long).Seq != 0 {
		t.Error("a blank is known to fit a sheet about which there is no answer")
	}
}
