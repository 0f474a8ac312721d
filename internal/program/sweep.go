package program

import (
	"slices"

	"example.com/boxrules/exact"
)

// A Piece is a stretch of a line on which the first condition that holds is the same.
type Piece struct {
	From, To int64 // coordinates along the line, both included
	First    int   // as of Program.First
}

// Sweep appends the pieces of the line through the point along the axis, from -MaxGrid to MaxGrid, of which both are multiples of
// the step. Only multiples of it are looked at. Neighbours have different outcomes. Along a line the outcome changes only where
// one of the tests does, so the pieces describe it exactly.
func (p *Program) Sweep(at exact.Point, axis int, step int64, pieces []Piece) []Piece {
	var buffer [48]int64
	starts := append(buffer[:0], -exact.MaxGrid)
	for i := range p.tests {
		t := &p.tests[i]
		a := t.a[axis]
		if a == 0 {
			continue
		}
		// a·x > rest: among integers this changes between x = start-1 and x = start.
		rest := t.k
		for other := range exact.Axes {
			if other != axis {
				rest -= t.a[other] * at[other]
			}
		}
		start := int64(0)
		if a > 0 {
			start = exact.FloorDiv(rest, a) + 1
		} else {
			start = -exact.FloorDiv(rest, -a)
		}
		if start = exact.CeilDiv(start, step) * step; start > -exact.MaxGrid && start <= exact.MaxGrid {
			starts = append(starts, start)
		}
	}
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
