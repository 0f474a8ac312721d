package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
)

// A line is all boxes that differ from one in a single dimension. Along it the outcome of a program
// changes only where one of its tests does, so a few pieces describe it exactly.
type line struct {
	program *program
	at      linear.Point
	axis    int
	pieces  []piece
}

// A piece is a stretch of a line, from a coordinate up to the next piece's, on which the outcome is one.
type piece struct {
	from    int64
	outcome int
}

// along is the line through the point, in pieces from -MaxGrid up. Neighbours have different outcomes.
func (p *program) along(at linear.Point, axis int, pieces []piece) line {
	var buffer [48]int64
	starts := append(buffer[:0], -linear.MaxGrid)
	for i := range p.tests {
		t := &p.tests[i]
		a := t.a[axis]
		if a == 0 {
			continue
		}
		// a·x > rest: among integers this changes between x = start-1 and x = start.
		rest := t.k
		for other := range linear.Axes {
			if other != axis {
				rest -= t.a[other] * at[other]
			}
		}
		start := int64(0)
		if a > 0 {
			start = linear.FloorDiv(rest, a) + 1
		} else {
			start = -linear.FloorDiv(rest, -a)
		}
		if start > -linear.MaxGrid && start <= linear.MaxGrid {
			starts = append(starts, start)
		}
	}
	slices.Sort(starts)
	for i, start := range starts {
		if i > 0 && start == starts[i-1] {
			continue
		}
		at[axis] = start
		if outcome := p.run(at); len(pieces) == 0 || pieces[len(pieces)-1].outcome != outcome {
			pieces = append(pieces, piece{start, outcome})
		}
	}
	return line{p, at, axis, pieces}
}

// end is the last coordinate of the piece.
func (l line) end(i int) int64 {
	if i+1 < len(l.pieces) {
		return l.pieces[i+1].from - 1
	}
	return linear.MaxGrid
}
