package polytope

import (
	"cmp"
	"slices"

	"example.com/boxrules/exact"
)

// narrow takes from a region what lies beyond its faces, axis by axis: with w + d >= 700 and d <=
// 300 only w >= 400 is left. It reports whether something is left, and effort too.
func (s *nearest) narrow(r *region) bool {
	const rounds = 8 // each takes less than the one before
	for range rounds {
		changed := false
		if !s.spend(len(r.faces)) {
			return false
		}
		for i := range r.faces {
			f := &r.faces[i]
			var least, most exact.Point // of each term of a·p
			for axis, a := range f.a {
				least[axis], most[axis] = min(a*r.low[axis], a*r.high[axis]), max(a*r.low[axis], a*r.high[axis])
			}
			missing := f.b - most[exact.Width] - most[exact.Depth] - most[exact.Height]
			if missing > 0 {
				return false
			}
			for axis, a := range f.a {
				// Even with the other terms at their most, this one has to reach the bound.
				switch bound := missing + most[axis]; {
				case least[axis] >= bound:
					continue
				case a > 0:
					r.low[axis] = ceilTo(exact.CeilDiv(bound, a), s.Step)
				default:
					r.high[axis] = floorTo(exact.FloorDiv(-bound, -a), s.Step)
				}
				if r.low[axis] > r.high[axis] {
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

// empty reports whether the faces are proved to leave no multiple of the step. It adds up pairs
// of faces so that one axis after the other drops out (Fourier-Motzkin elimination), each sum
// rounded up to what multiples of the step can be: w - d >= 1 and d - w >= 1 add up to 0 >= 2,
// which nothing meets. It reports false too where that makes many faces, or numbers that are not
// exact.
func (s *nearest) empty(r *region) bool {
	const many = 200
	defer s.free(s.used())
	from := len(s.faces)
	s.faces = append(s.faces, r.faces...)
	for axis := range exact.Axes {
		var up, down face
		up.a[axis], up.b = 1, r.low[axis]
		down.a[axis], down.b = -1, -r.high[axis]
		s.faces = append(s.faces, up, down)
	}
	for axis := range exact.Axes {
		faces := s.faces[from:]
		if len(faces) > many {
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
				s.spend(16) // divisors take time
				if sum, ok := f.without(g, axis); ok {
					s.faces = append(s.faces, sum.over(s.Step))
				}
			}
		}
		s.faces = s.faces[:from+len(strongest(s.faces[from:]))]
	}
	for _, f := range s.faces[from:] {
		if f.b > 0 { // 0 >= b, which nothing meets
			return true
		}
	}
	return false
}

// strongest sorts the faces and keeps of each direction the one with the greatest bound.
func strongest(faces []face) []face {
	slices.SortFunc(faces, func(f, g face) int { return cmp.Or(slices.Compare(f.a[:], g.a[:]), cmp.Compare(g.b, f.b)) })
	return slices.CompactFunc(faces, func(f, g face) bool { return f.a == g.a })
}

// maxExact bounds the two products in the sum of two faces, so that a float64 holds it:
// form/nearest.js searches alike.
const maxExact = 1 << 52

// without returns a sum of multiples of f and g in which the axis drops out; along it their
// directions are opposite. ok is false where the sum would not be exact.
func (f face) without(g face, axis int) (sum face, ok bool) {
	m, n := -g.a[axis], f.a[axis]
	for _, x := range [...]int64{f.a[exact.Width], f.a[exact.Depth], f.a[exact.Height], f.b,
		g.a[exact.Width], g.a[exact.Depth], g.a[exact.Height], g.b} {
		if abs(x) >= maxExact/max(m, n) {
			return face{}, false
		}
	}
	for i := range exact.Axes {
		sum.a[i] = m*f.a[i] + n*g.a[i]
	}
	sum.b = m*f.b + n*g.b
	return sum, true
}

// over returns the face as it binds points whose coordinates are multiples of the step along the
// axes that it mentions: 2·w + 4·d >= 7 is w + 2·d >= 4, and with step 10 w + 2·d >= 10.
func (f face) over(step int64) face {
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

// HalfSpaces returns the half-spaces that p is the intersection of, without those that are not
// needed, as far as its corners tell. p must not be empty.
func (p Polytope) HalfSpaces() []exact.HalfSpace {
	corners := make([]int, len(p.faces)) // on each face
	for _, v := range p.vertices {
		for i := range p.faces {
			if v.tight.has(i) {
				corners[i]++
			}
		}
	}
	flat := slices.Contains(corners, len(p.vertices))
	var halves []exact.HalfSpace
	for i, f := range p.faces {
		if flat || corners[i] > 2 { // a face that is needed is a polygon
			halves = append(halves, exact.HalfSpace{A: f.a, K: f.b - 1})
		}
	}
	return halves
}
