package boxrules

import (
	"fmt"
	"math"

	"example.com/boxrules/internal/linear"
)

// A Suggestion is a valid box near one that is not.
type Suggestion struct {
	Dims
	// Changed names the dimensions that differ from those asked about, in the order width, depth, height.
	Changed []string `json:"changed"`
	// Unproved says that the search was given up before it was sure that no box is nearer. That takes rules that
	// leave hardly a box, such as those on a line askew.
	Unproved bool `json:"unproved,omitempty"`
}

// Nearest suggests a valid box near d: one that changes the fewest dimensions, and among those the least
// in total; of several the smallest. Changed dimensions are multiples of step, in the catalogue's unit, the
// others stay as they are. For a valid box it is the box itself. ok is false where there is none: with that
// step no box of the article is valid. Check confirms every suggestion. The error is that of Check, or names
// the field step where that is no multiple of 0.001 from 0.001 to 1,000.
func (p *Profile) Nearest(d Dims, step float64) (s Suggestion, ok bool, err error) {
	if p.accepted == nil {
		return Suggestion{}, false, errNotMade
	}
	at, isBox := d.grid()
	if !isBox {
		return Suggestion{}, false, d.inputError()
	}
	grid, err := stepGrid(step)
	if err != nil {
		return Suggestion{}, false, err
	}
	best, changes, proved := p.nearest(at, grid)
	if changes == linear.None {
		return Suggestion{Unproved: !proved}, false, nil
	}
	s = Suggestion{Dims: dims(best), Changed: []string{}, Unproved: !proved}
	for axis, name := range axisNames {
		if best[axis] != at[axis] {
			s.Changed = append(s.Changed, name)
		}
	}
	if v, err := p.Check(s.Dims); err != nil || !v.OK() {
		return Suggestion{}, false, fmt.Errorf("boxrules: internal fault: suggested %+v, which is %v, %v", s.Dims, v, err)
	}
	return s, true, nil
}

// maxStep is the greatest step of a suggestion, in units.
const maxStep = 1000

func stepGrid(step float64) (int64, error) {
	if !(step >= 1.0/linear.Scale && step <= maxStep) || math.Abs(step-units(toGrid(step))) > 0 {
		return 0, &InputError{"step", fmt.Sprintf("%v is no step; accepted: a multiple of 0.001 from 0.001 to %d", step, maxStep)}
	}
	return toGrid(step), nil
}

// effort bounds the ranges of boxes that one search for the nearest looks at: some hundredths of a second, where
// the default articles take a hundredth of that.
const effort = 100_000

// nearest is the best box and its changes in total, linear.None where there is none.
func (p *Profile) nearest(at linear.Point, step int64) (best linear.Point, total int64, proved bool) {
	if p.first.run(at) == len(p.rules) {
		return at, 0, true
	}
	if best, total = p.nearestOnLines(at, step); total < linear.None {
		return best, total, true
	}
	cells, left := p.validCells(), effort
	for _, free := range [][linear.Axes]bool{{true, true, false}, {true, false, true}, {false, true, true}} {
		best, total = cells.nearest(at, free, step, best, total, &left)
	}
	if total == linear.None {
		best, total = cells.nearest(at, [linear.Axes]bool{true, true, true}, step, best, total, &left)
	}
	return best, total, cells.whole && left >= 0
}

// nearest looks in all cells for a better box than the best.
func (cells *cells) nearest(at linear.Point, free [linear.Axes]bool, step int64, best linear.Point, total int64, left *int) (linear.Point, int64) {
	for i := range cells.pieces {
		best, total = cells.pieces[i].Nearest(linear.Target{At: at, Free: free, Step: step}, best, total, left)
	}
	return best, total
}

// nearestOnLines looks for the best box that changes a single dimension.
func (p *Profile) nearestOnLines(at linear.Point, step int64) (best linear.Point, total int64) {
	total = linear.None
	for axis := range linear.Axes {
		var buffer [16]piece
		l := p.first.along(at, axis, buffer[:0])
		for i, piece := range l.pieces {
			if piece.outcome != len(p.rules) {
				continue
			}
			// The box itself is not valid, so the interval lies on one side of it.
			end := l.end(i)
			value := -linear.FloorDiv(-piece.from, step) * step
			if piece.from < at[axis] {
				value = linear.FloorDiv(end, step) * step
			}
			if value < piece.from || value > end {
				continue
			}
			candidate, change := at, max(value-at[axis], at[axis]-value)
			candidate[axis] = value
			if change < total || change == total && linear.Better(candidate, best) {
				best, total = candidate, change
			}
		}
	}
	return best, total
}
