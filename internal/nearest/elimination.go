package nearest

import (
	"cmp"
	"slices"

	"example.com/boxrules/exact"
)

// An inequality is the half-space A·p >= b. It is also called a face, and the points in it are called the points inside
// the face.
type inequality struct {
	a [exact.Axes]int64
	b int64
}

// isEmptyByElimination reports whether it can prove that no point whose coordinates are multiples of the step is
// inside all faces of the node. It also returns false if the proof would need too many faces, or numbers so
// large that they might not be exact.
//
// It eliminates one axis after another (Fourier-Motzkin elimination). Two faces in which the coefficients of an axis
// have opposite signs are multiplied so that the axis drops out of their sum: w - d >= 1 and d - w >= 1 add up to 0 >=
// 2, which is false for every point. Points inside both faces are also inside the sum, so if a sum is impossible there
// are no points. inequalityOnGrid has rounded all faces to the grid, and isEmptyByElimination does the same with each
// sum. So it can also prove that ranges are empty if all their points are off the grid: 2·w >= 7 is rounded to w >= 4,
// and 2·w <= 7 to w <= 3, and these two add up to 0 >= 1.
func (s *nearestSearch) isEmptyByElimination(n *node) bool {
	const maxFaces = 200
	defer s.release(s.mark())
	from := len(s.faces)
	s.faces = append(s.faces, n.faces...)
	// Treat the ends of the range as faces, too.
	for axis := range exact.Axes {
		var up, down inequality
		up.a[axis], up.b = 1, n.low[axis]
		down.a[axis], down.b = -1, -n.high[axis]
		s.faces = append(s.faces, up, down)
	}
	// Each round replaces the faces with faces without the axis: the faces that never mentioned it, and the sums
	// of all pairs with opposite signs.
	for axis := range exact.Axes {
		faces := s.faces[from:]
		if len(faces) > maxFaces {
			return false
		}
		from = len(s.faces)
		for _, f := range faces {
			if f.a[axis] == 0 {
				s.faces = append(s.faces, f)
			}
			for _, g := range faces {
				if f.a[axis] <= 0 || g.a[axis] >= 0 {
					continue
				}
				s.spend(16) // computing greatest common divisors takes time
				// Leave out a sum that might not be exact. With fewer faces, less can be proved, but nothing
				// that is false.
				if sum, ok := f.eliminate(g, axis); ok {
					s.faces = append(s.faces, sum.roundedToStep(s.Step))
				}
			}
		}
		s.faces = s.faces[:from+len(dropWeakerInequalities(s.faces[from:]))]
	}
	for _, f := range s.faces[from:] {
		if f.b > 0 { // all axes are eliminated: the face says 0 >= b
			return true
		}
	}
	return false
}

// dropWeakerInequalities sorts the faces. If several have the same coefficients, it keeps only the strongest: of the
// faces w + d >= 3 and w + d >= 5, it keeps the second.
func dropWeakerInequalities(faces []inequality) []inequality {
	slices.SortFunc(faces, func(f, g inequality) int { return cmp.Or(slices.Compare(f.a[:], g.a[:]), cmp.Compare(g.b, f.b)) })
	return slices.CompactFunc(faces, func(f, g inequality) bool { return f.a == g.a })
}

// maxProduct bounds the two products whose sum eliminate computes, so that a float64 can hold the sum
// exactly. form/nearest.js computes in float64s. It has the same bound, so both searches leave out the same
// faces.
const maxProduct = 1 << 52

// eliminate returns the sum of f and g, each multiplied by a positive number so that the axis drops out. For
// the width, the sum of 2·w + d >= 4 and -3·w >= -9 is 3·d >= -6. The coefficient of the axis must be
// positive in f and negative in g. ok is false if the sum might not be exact.
func (f inequality) eliminate(g inequality, axis int) (sum inequality, ok bool) {
	m, n := -g.a[axis], f.a[axis]
	for _, x := range [...]int64{f.a[exact.Width], f.a[exact.Depth], f.a[exact.Height], f.b,
		g.a[exact.Width], g.a[exact.Depth], g.a[exact.Height], g.b} {
		if abs(x) >= maxProduct/max(m, n) {
			return inequality{}, false
		}
	}
	for i := range exact.Axes {
		sum.a[i] = m*f.a[i] + n*g.a[i]
	}
	sum.b = m*f.b + n*g.b
	return sum, true
}

// roundedToStep returns a face that contains the same multiples of the step as f, with coefficients in lowest
// terms and the greatest possible bound: 2·w + 4·d >= 7 becomes w + 2·d >= 4, or w + 2·d >= 10 if the step is
// 10.
func (f inequality) roundedToStep(step int64) inequality {
	divisor := max(1, exact.GCD(exact.GCD(abs(f.a[exact.Width]), abs(f.a[exact.Depth])), abs(f.a[exact.Height])))
	if divisor != 1 {
		for axis := range exact.Axes {
			f.a[axis] /= divisor
		}
		f.b = exact.CeilDiv(f.b, divisor)
	}
	f.b = ceilToStep(f.b, step)
	return f
}

func (f *inequality) dot(p exact.Point) int64 {
	return f.a[exact.Width]*p[exact.Width] + f.a[exact.Depth]*p[exact.Depth] + f.a[exact.Height]*p[exact.Height]
}
