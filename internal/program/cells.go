package program

import (
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A Cell is a convex set of valid boxes: the boxes that are within the limits and inside its faces. Up to
// three inequalities decide whether a box is in it. The set of all valid boxes is usually not convex, so
// several cells are needed to cover it. For the rule "depth > width and height > width", one cell has depth
// <= width, and another one height <= width.
//
// The faces are not in an array, because then Contains would be too large for the compiler to inline it. A face that is
// not needed is the zero cellFace. Every box is inside the zero cellFace.
type Cell struct {
	first, second, third cellFace
	hasThird             bool
}

// maxFaces is the maximum number of faces of a Cell, not counting the limits. Every face takes time, and most valid
// boxes of real articles are in cells with two or three faces.
const maxFaces = 3

// A cellFace is a half-space for dimensions in units. A box is inside it if the sum of its
// dimensions, each multiplied by its factor, is at least bound.
type cellFace struct{ widthFactor, depthFactor, heightFactor, bound float64 }

// Contains reports whether a box within the limits is certainly in the cell. It may return false for a box in the cell
// if the box is very close to a face. It returns false for NaN.
func (c *Cell) Contains(w, d, h float64) bool {
	return c.first.widthFactor*w+c.first.depthFactor*d+c.first.heightFactor*h >= c.first.bound &&
		c.second.widthFactor*w+c.second.depthFactor*d+c.second.heightFactor*h >= c.second.bound &&
		(!c.hasThird || c.third.widthFactor*w+c.third.depthFactor*d+c.third.heightFactor*h >= c.third.bound)
}

// newCellFace turns a half-space into a face for float64s. If a box is inside the face, the grid point of the box
// must be in the half-space. To be sure of that, the face is moved inwards by about a thousandth: w + d > 500000
// becomes w + d >= 500.001002. The half-space must contain some of the boxes within the limits, but not all. Then
// neither the bound nor the sum for a box is greater than the sum of the coefficients times exact.MaxDimension,
// so rounding errors are small.
func newCellFace(h exact.HalfSpace) cellFace {
	f := cellFace{float64(h.A[exact.Width]), float64(h.A[exact.Depth]), float64(h.A[exact.Height]), 0}
	sum := math.Abs(f.widthFactor) + math.Abs(f.depthFactor) + math.Abs(f.heightFactor)
	if sum == 2 && f.widthFactor+f.depthFactor+f.heightFactor == 0 && h.K == -1 {
		// The face says that one dimension is at least another. Rounding to the grid cannot change that.
		return f
	}
	// The grid moves a dimension by at most half a thousandth, hence 0.5. Each rounding of a float64, there
	// and in Contains, is off by at most 2^-53 of 10^9 thousandths. All of them together are far less than
	// the remaining 0.001 of a thousandth.
	f.bound = (float64(h.K) + 0.501*sum) / exact.Scale
	return f
}

// maxCells is the maximum number of cells of a profile.
const maxCells = 6

// newCells returns cells of the domain in which no condition holds. The first cell contains the most boxes of the
// domain. Each further cell contains the most boxes that are not in earlier cells.
func newCells(domain polytope.Polytope, low, high exact.Point, conditions []exact.Region) []Cell {
	// A box is valid if no condition holds. Divide these boxes into convex parts.
	allowed := make([]exact.Region, len(conditions))
	for i, c := range conditions {
		allowed[i] = exact.Not(c)
	}
	s := cellSplitter{remaining: maxSplits}
	s.split(domain, exact.AllOf(allowed...))
	// A part can become a cell if it has few faces. The limits do not count, because Check compares them
	// before it looks for a cell.
	limits := domain.HalfSpaces()
	points := samplePoints(low, high)
	var candidates []cellCandidate
	for _, part := range s.parts {
		halfSpaces := slices.DeleteFunc(part.HalfSpaces(), func(h exact.HalfSpace) bool { return slices.Contains(limits, h) })
		if len(halfSpaces) <= maxFaces {
			c := cellCandidate{halfSpaces: halfSpaces}
			c.samples = slices.DeleteFunc(slices.Clone(points), func(at exact.Point) bool { return !c.contains(at) })
			candidates = append(candidates, c)
		}
	}
	// Parts may overlap. Always take the candidate with the most samples that no cell contains yet, because
	// Check tries the cells in this order and should need as few of them as possible.
	var cells []Cell
	for len(candidates) > 0 && len(cells) < maxCells {
		best := slices.MaxFunc(candidates, func(c, d cellCandidate) int { return len(c.samples) - len(d.samples) })
		if len(best.samples) == 0 {
			break // the cells so far contain every sample of every candidate
		}
		for i := range candidates {
			candidates[i].samples = slices.DeleteFunc(candidates[i].samples, best.contains)
		}
		var faces [maxFaces]cellFace // a zero face is 0 >= 0, and contains every box
		for i, h := range best.halfSpaces {
			faces[i] = newCellFace(h)
		}
		cells = append(cells, Cell{faces[0], faces[1], faces[2], len(best.halfSpaces) == maxFaces})
	}
	return cells
}

// A cellCandidate is a convex set of valid boxes that may become a Cell.
type cellCandidate struct {
	halfSpaces []exact.HalfSpace // the candidate is their intersection within the limits
	samples    []exact.Point     // the sample points in it that no chosen cell contains yet
}

func (c cellCandidate) contains(at exact.Point) bool {
	for i := range c.halfSpaces {
		if !c.halfSpaces[i].Contains(at) {
			return false
		}
	}
	return true
}

// samplePoints returns points spread evenly within the limits. The number of sample points in a cell is a
// measure of its size.
func samplePoints(low, high exact.Point) []exact.Point {
	const n = 6 // along an axis
	// Divide each axis into n equal intervals and take their middles: for n = 2, a quarter and three quarters.
	middle := func(axis, i int) int64 { return low[axis] + (high[axis]-low[axis])*int64(2*i+1)/(2*n) }
	points := make([]exact.Point, 0, n*n*n)
	for i := range n * n * n {
		// The digits of i in base n are the numbers of the intervals along the three axes.
		points = append(points, exact.Point{middle(exact.Width, i/n/n), middle(exact.Depth, i/n%n), middle(exact.Height, i%n)})
	}
	return points
}

// A cellSplitter finds convex parts of a domain in which a condition holds.
type cellSplitter struct {
	parts     []polytope.Polytope
	remaining int // how many more calls of split do anything
}

// maxSplits is the maximum number of calls of split for one profile. After that, the remaining parts are left out. A
// valid box in one of these parts is in no cell, and takes longer to check.
const maxSplits = 64

// split adds convex parts of the domain that together contain all boxes of the domain for which c holds. Parts may
// overlap, because each is made as large as possible: "w > 5 or d > 5" has the parts w > 5 and d > 5, and some boxes
// are in both.
//
// Take "h > 2 and (w > 5 or d > 5)". First the domain is cut down to h > 2. Then each alternative is split separately,
// which gives two parts: "h > 2 and w > 5", and "h > 2 and d > 5".
func (s *cellSplitter) split(domain polytope.Polytope, c exact.Region) {
	if s.remaining--; s.remaining < 0 || domain.Empty() {
		return
	}
	// In a smaller domain, c is often much simpler, or even constant.
	switch c = simplify(domain, c); c.Kind() {
	case exact.True:
		s.parts = append(s.parts, domain)
	case exact.Half:
		s.parts = append(s.parts, domain.Clip(c.HalfSpace()))
	case exact.And:
		// Clip the domain by the half-spaces among the parts. The other parts are alternatives (Or).
		rest := slices.DeleteFunc(slices.Clone(c.Parts()), func(part exact.Region) bool {
			if part.Kind() == exact.Half {
				domain = domain.Clip(part.HalfSpace())
			}
			return part.Kind() == exact.Half
		})
		if len(rest) < len(c.Parts()) {
			// The domain is smaller now, so simplify the rest before going on.
			s.split(domain, exact.AllOf(rest...))
			return
		}
		// (a or b) and c is (a and c) or (b and c).
		for _, part := range rest[0].Parts() {
			s.split(domain, exact.AllOf(append([]exact.Region{part}, rest[1:]...)...))
		}
	case exact.Or:
		for _, part := range c.Parts() {
			s.split(domain, part)
		}
	}
}
