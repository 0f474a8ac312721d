package nearest

import (
	"cmp"
	"slices"

	"example.com/boxrules/exact"
)

// A face bounds a set of points by A·p >= b.
type face struct {
	a [exact.Axes]int64
	b int64
}

// narrowByFaces narrows the range of a node to the points inside its faces, one axis at a time. From
// w + d >= 700 and d <= 300 follows w >= 400. It returns false if nothing is left of the range, or if there
// is no effort left.
func (s *search) narrowByFaces(n *node) bool {
	const rounds = 8 // each narrows the range by less than the one before
	for range rounds {
		changed := false
		if !s.spend(len(n.faces)) {
			return false
		}
		for i := range n.faces {
			f := &n.faces[i]
			var least, most exact.Point // of each term of a·p
			for axis, a := range f.a {
				least[axis], most[axis] = min(a*n.low[axis], a*n.high[axis]), max(a*n.low[axis], a*n.high[axis])
			}
			missing := f.b - most[exact.Width] - most[exact.Depth] - most[exact.Height]
			if missing > 0 {
				return false
			}
			for axis, a := range f.a {
				// This term has to reach the bound even if the other terms are at their maximum.
				switch bound := missing + most[axis]; {
				case least[axis] >= bound:
					continue
				case a > 0:
					n.low[axis] = ceilTo(exact.CeilDiv(bound, a), s.Step)
				default:
					n.high[axis] = floorTo(exact.FloorDiv(-bound, -a), s.Step)
				}
				if n.low[axis] > n.high[axis] {
					return false
				}
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return true
}

// isProvedEmpty reports whether it is proved that no multiple of the step is inside all faces of the node.
// It returns false, too, if the proof would take too many faces or numbers that are not exact.
//
// It eliminates one axis after another (Fourier-Motzkin elimination). Two faces in which an axis has
// opposite signs are added with such factors that the axis drops out: w - d >= 1 and d - w >= 1 add up to
// 0 >= 2, which no point meets. Each sum is rounded up to what multiples of the step can be, which is
// what decides ranges that have points, but none of them on the grid.
func (s *search) isProvedEmpty(n *node) bool {
	const maxFaces = 200
	defer s.release(s.mark())
	from := len(s.faces)
	s.faces = append(s.faces, n.faces...)
	for axis := range exact.Axes {
		var up, down face
		up.a[axis], up.b = 1, n.low[axis]
		down.a[axis], down.b = -1, -n.high[axis]
		s.faces = append(s.faces, up, down)
	}
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
				if sum, ok := f.eliminate(g, axis); ok {
					s.faces = append(s.faces, sum.roundedToStep(s.Step))
				}
			}
		}
		s.faces = s.faces[:from+len(dropWeaker(s.faces[from:]))]
	}
	for _, f := range s.faces[from:] {
		if f.b > 0 { // all axes are eliminated: it says 0 >= b
			return true
		}
	}
	return false
}

// dropWeaker sorts the faces, and of those with the same direction keeps the one with the greatest bound.
func dropWeaker(faces []face) []face {
	slices.SortFunc(faces, func(f, g face) int { return cmp.Or(slices.Compare(f.a[:], g.a[:]), cmp.Compare(g.b, f.b)) })
	return slices.CompactFunc(faces, func(f, g face) bool { return f.a == g.a })
}

// maxProduct bounds the two products in the sum of two faces, so that a float64 holds the sum.
// form/nearest.js, whose numbers are float64s, then gives up at the same faces.
const maxProduct = 1 << 52

// eliminate returns a sum of multiples of f and g in which the axis drops out. f and g have opposite signs
// along the axis. If the sum would not be exact, ok is false.
func (f face) eliminate(g face, axis int) (sum face, ok bool) {
	m, n := -g.a[axis], f.a[axis]
	for _, x := range [...]int64{f.a[exact.Width], f.a[exact.Depth], f.a[exact.Height], f.b,
		g.a[exact.Width], g.a[exact.Depth], g.a[exact.Height], g.b} {
		if abs(x) >= maxProduct/max(m, n) {
			return face{}, false
		}
	}
	for i := range exact.Axes {
		sum.a[i] = m*f.a[i] + n*g.a[i]
	}
	sum.b = m*f.b + n*g.b
	return sum, true
}

// roundedToStep returns the face with the greatest bound that contains the same multiples of the step, with
// coefficients in lowest terms: 2·w + 4·d >= 7 becomes w + 2·d >= 4, and with step 10 w + 2·d >= 10.
func (f face) roundedToStep(step int64) face {
	divisor := max(1, exact.GCD(exact.GCD(abs(f.a[exact.Width]), abs(f.a[exact.Depth])), abs(f.a[exact.Height])))
	if divisor != 1 {
		for axis := range exact.Axes {
			f.a[axis] /= divisor
		}
		f.b = exact.CeilDiv(f.b, divisor)
	}
	f.b = ceilTo(f.b, step)
	return f
}

func (f *face) dot(p exact.Point) int64 {
	return f.a[exact.Width]*p[exact.Width] + f.a[exact.Depth]*p[exact.Depth] + f.a[exact.Height]*p[exact.Height]
}
