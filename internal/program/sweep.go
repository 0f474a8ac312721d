package program

import (
	"slices"

	"example.com/boxrules/exact"
)

// A Piece is an interval on a line of boxes. Program.First returns the same index for all boxes in the
// interval.
type Piece struct {
	From, To int64 // coordinates along the line, both inclusive
	First    int   // the result of Program.First
}

// Sweep divides the line through the point at, parallel to the axis, into Pieces. It appends them to the slice pieces.
// The points of the line are the multiples of the step from -MaxGrid to MaxGrid. -MaxGrid and MaxGrid themselves must
// be multiples of the step.
//
// First can change only at a coordinate where the result of some test changes. Sweep finds all of these coordinates, so
// the pieces are exact, and First returns different indexes for neighbouring pieces. For example, if the width may be
// 20 to 400 mm, there may be three pieces: the condition of BOX_2100 holds up to 19999, no condition holds from 20000
// to 400000, and the condition of BOX_2101 holds from 400001 on.
func (p *Program) Sweep(at exact.Point, axis int, step int64, pieces []Piece) []Piece {
	// First find the coordinates at which a piece may start: those at which the result of some test changes.
	var buffer [48]int64 // usually enough, so that starts is not allocated
	starts := append(buffer[:0], -exact.MaxGrid)
	for i := range p.tests {
		t := &p.tests[i]
		a := t.coefficients[axis]
		if a == 0 {
			continue // the test has the same result along the whole line
		}
		// With the other two coordinates fixed, the test is a·x > rest. Its result changes between x = start-1
		// and x = start: 3·x > 10 holds from 4 on, and -3·x > -10 no longer holds from 4 on.
		rest := t.bound
		for other := range exact.Axes {
			if other != axis {
				rest -= t.coefficients[other] * at[other]
			}
		}
		start := int64(0)
		if a > 0 {
			start = exact.FloorDiv(rest, a) + 1
		} else {
			start = -exact.FloorDiv(rest, -a)
		}
		// Among multiples of the step, the result changes at the first one that is not before start.
		if start = exact.CeilDiv(start, step) * step; start > -exact.MaxGrid && start <= exact.MaxGrid {
			starts = append(starts, start)
		}
	}
	// Then run the program once at each start. If the outcome is the same as before, the piece continues: the
	// test that changed there does not affect the outcome.
	slices.Sort(starts)
	for i, start := range starts {
		if i > 0 && start == starts[i-1] {
			continue
		}
		at[axis] = start
		if first := p.First(at); i == 0 || pieces[len(pieces)-1].First != first {
			if i > 0 {
				pieces[len(pieces)-1].To = start - step
			}
			pieces = append(pieces, Piece{start, exact.MaxGrid, first})
		}
	}
	return pieces
}
