package polytope

import (
	"cmp"
	"slices"

	"example.com/boxrules/exact"
)

var (
	// All holds every box that can be checked, Sized those of them whose dimensions are all
	// positive.
	All = Cube(exact.Point{-exact.MaxGrid, -exact.MaxGrid, -exact.MaxGrid},
		exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
	Sized = Cube(exact.Point{1, 1, 1}, exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid})
)

// A Budget bounds what several searches do together: it holds the work that is left, in units of
// about a twentieth of a microsecond. A search for which nothing is left is given up. A nil
// *Budget leaves each search to its own bound, maxWork.
type Budget int

// maxWork bounds one search: some tenths of a second, where the questions about real rules take a
// thousandth of that.
const maxWork = 10_000_000

// Cells calls visit with polytopes in the domain that together hold exactly the grid points at
// which every condition holds and whose coordinates are multiples of finest; of other points they
// may hold some, too. For the condition "w > 5 or d > 5" it visits two: w > 5, and d > 5 with
// w <= 5. It stops when visit returns false or when that takes too much work, and reports whether
// it went to the end.
//
// The search cuts the domain by every half-space that must hold before it branches over the parts
// of a disjunction, and takes up the disjunction with the fewest parts that are still possible.
// It leaves out parts that hold nowhere in what is left, and disjunctions of which a part holds
// everywhere.
func (w *Budget) Cells(finest int64, domain Polytope, conditions []exact.Region, visit func(Polytope) bool) bool {
	s := search{visit: visit, work: maxWork, all: w, finest: finest}
	return s.cells(domain, conditions, nil)
}

// A search is one call of Cells: whom it calls, and what it may still spend.
type search struct {
	visit  func(Polytope) bool
	work   int     // left
	all    *Budget // of this search and others
	finest int64   // what coordinates are multiples of
}

// spend counts work and reports whether any is left.
func (s *search) spend(effort int) bool {
	s.work -= effort
	s.all.Spend(effort)
	return !s.spent()
}

func (s *search) spent() bool { return s.work <= 0 || s.all.Spent() }

// clip returns the part of p in the half-space, as far as multiples of finest go.
func (s *search) clip(p Polytope, h exact.HalfSpace) Polytope {
	s.spend(p.glance())
	cut := p.Clip(s.tight(h))
	if len(cut.faces) > len(p.faces) {
		s.spend(p.effort())
	}
	return cut
}

// glance returns the work of looking on which side of a face the vertices are.
func (p Polytope) glance() int { return 1 + len(p.vertices)/4 }

// effort returns the work of cutting something off the polytope.
func (p Polytope) effort() int { return 2*len(p.vertices)*len(p.vertices) + 128 }

// tight returns the half-space with the same multiples of finest, moved in as far as possible:
// with finest 1000, w > 5300 becomes w > 5999. That is right because the sum a·p of multiples of
// finest is one too.
func (s *search) tight(h exact.HalfSpace) exact.HalfSpace {
	h.K = floorTo(h.K, s.finest) + s.finest - 1
	return h
}

// Share takes the part of one of n jobs from what is left, and returns it: an nth, but no less
// than an eighth, as most jobs take little. Add to w again what the job leaves over.
func (w *Budget) Share(n int) Budget {
	part := *w / Budget(min(n, 8))
	*w -= part
	return part
}

// Spent reports whether nothing is left.
func (w *Budget) Spent() bool { return w != nil && *w <= 0 }

// Spend counts other work, in about the same units, and reports whether any is left.
func (w *Budget) Spend(effort int) bool {
	if w == nil {
		return true
	}
	*w -= Budget(effort)
	return !w.Spent()
}

// cells visits the part of the domain in which every condition holds and, of each disjunction, some
// part. A disjunction is given by its parts.
func (s *search) cells(domain Polytope, conditions []exact.Region, disjunctions [][]exact.Region) bool {
	if domain.Empty() {
		return true
	}
	if !s.spend(len(conditions) + len(disjunctions)) {
		return false
	}
	// First cut the domain by every half-space that has to hold: that is cheap, and settles many
	// disjunctions.
	pending := slices.Clone(conditions)
	var open [][]exact.Region
	for len(pending) > 0 {
		c := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		switch c.Kind() {
		case exact.False:
			return true
		case exact.Half:
			if domain = s.clip(domain, c.HalfSpace()); domain.Empty() {
				return true
			}
			if s.spent() {
				return false
			}
		case exact.And:
			pending = append(pending, c.Parts()...)
		case exact.Or:
			open = append(open, c.Parts())
		}
	}
	for _, parts := range slices.Backward(disjunctions) {
		open = append(open, parts)
	}
	return s.branch(domain, open)
}

// branch visits the part of the domain in which, of each disjunction, some part holds.
func (s *search) branch(domain Polytope, open [][]exact.Region) bool {
	var undecided [][]exact.Region // the disjunctions that some boxes of the domain meet and others do not
	fewest := -1                   // the index of the one with the fewest parts
	for i, parts := range open {
		parts, holds := s.possible(domain, parts)
		switch {
		case s.spent():
			return false
		case holds:
			continue
		case len(parts) == 0:
			return true
		case len(parts) == 1:
			// The only part that is left must hold: cut with it, and look at everything again.
			return s.cells(domain, parts, append(undecided, open[i+1:]...))
		}
		undecided = append(undecided, parts)
		if fewest < 0 || len(parts) < len(undecided[fewest]) {
			fewest = len(undecided) - 1
		}
	}
	if fewest < 0 {
		return s.visit(domain)
	}
	parts := undecided[fewest]
	others := append(undecided[:fewest:fewest], undecided[fewest+1:]...)
	var outside []exact.Region // of the parts that have been visited, which the later ones leave out
	for _, part := range parts {
		if !s.cells(domain, append(outside[:len(outside):len(outside)], part), others) {
			return false
		}
		if part.Kind() == exact.Half {
			outside = append(outside, exact.Not(part))
		}
	}
	return true
}

// possible returns the parts that hold somewhere in the domain; holds reports whether one holds
// everywhere. Where the work is spent it stops.
func (s *search) possible(domain Polytope, parts []exact.Region) (left []exact.Region, holds bool) {
	for _, part := range parts {
		if !s.spend(domain.glance()) {
			break
		}
		switch part.Kind() {
		case exact.True:
			return nil, true
		case exact.Half:
			if !domain.Meets(s.tight(part.HalfSpace()).Complement()) {
				return nil, true
			}
			if domain.Meets(s.tight(part.HalfSpace())) {
				left = append(left, part)
			}
		case exact.And:
			cut, whole := domain, true
			for _, inner := range part.Parts() {
				if inner.Kind() != exact.Half {
					whole = false
					continue
				}
				if cut = s.clip(cut, inner.HalfSpace()); cut.Empty() || s.spent() {
					break
				}
			}
			if whole && len(cut.faces) == len(domain.faces) {
				return nil, true
			}
			if !cut.Empty() {
				left = append(left, part)
			}
		}
	}
	return left, false
}

// steps lists how far apart, in thousandths, the grid points lie among which a witness is looked
// for, the roundest first: people understand the box 100 x 50 x 20 better than 97.813 x 50.002 x
// 19.999.
var steps = []int64{100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1}

// An Answer says what is known of a set of grid points.
type Answer uint8

// The answers. Undecided means that the search was given up, not that it failed.
const (
	Undecided Answer = iota
	Nothing          // it is proved that the set has no grid point
	Something        // a grid point of the set is at hand
)

// FindOn returns a point of the domain at which every condition holds and whose coordinates are
// multiples of finest, which is 1 or one of steps.
func (w *Budget) FindOn(finest int64, domain Polytope, conditions ...exact.Region) (exact.Point, Answer) {
	answer := Nothing
	var found exact.Point
	whole := w.Cells(finest, domain, conditions, func(cell Polytope) bool {
		for _, step := range steps {
			if step < finest {
				break
			}
			if point, a := cell.lattice(w, step, quick, upwards); a == Something {
				found, answer = point, Something
				return false
			} else if step == finest && a == Nothing {
				return true
			}
		}
		switch point, a := cell.anyPoint(w, finest, thorough); a {
		case Something:
			found, answer = point, Something
			return false
		case Undecided:
			answer = Undecided
		}
		return true
	})
	if !whole && answer == Nothing {
		answer = Undecided
	}
	return found, answer
}

// RoundestOn returns the grid point of the domain at which every condition holds whose coordinates
// are multiples of the greatest step, and of those the one with the smallest coordinates, as far
// as it can search. All coordinates are multiples of finest, which is 1 or one of steps.
func (w *Budget) RoundestOn(finest int64, domain Polytope, conditions ...exact.Region) (exact.Point, Answer) {
	answer := Nothing
	var best exact.Point
	most := len(steps) // an index of steps: only rounder points, or smaller ones as round, are of interest
	whole := w.Cells(finest, domain, conditions, func(cell Polytope) bool {
		for i, step := range steps {
			if i > most || step < finest {
				break
			}
			point, a := cell.lattice(w, step, quick, upwards)
			if step == finest && a == Undecided {
				point, a = cell.anyPoint(w, finest, thorough)
			}
			if a == Something {
				if i < most || less(point, best) {
					most, best, answer = i, point, Something
				}
				break
			}
			if step == finest && a == Undecided && answer == Nothing {
				answer = Undecided
			}
		}
		return true
	})
	if !whole && answer == Nothing {
		answer = Undecided
	}
	return best, answer
}

func less(p, q exact.Point) bool { return slices.Compare(p[:], q[:]) < 0 }

// quick and thorough bound the slices that a search for a grid point looks at. Where no coarse
// point is found at once a finer step finds one; only the last search has to be thorough.
const (
	quick    = 200
	thorough = 5000
)

// upwards is the order of the axes in which the smallest point comes first.
var upwards = [exact.Axes]int{exact.Width, exact.Depth, exact.Height}

// anyPoint returns any point of p whose coordinates are multiples of step. It slices p across its
// shortest extent, which takes the fewest slices.
func (p Polytope) anyPoint(w *Budget, step int64, budget int) (exact.Point, Answer) {
	if p.Empty() {
		return exact.Point{}, Nothing
	}
	var extent [exact.Axes]int64
	for axis := range exact.Axes {
		low, high := p.multiples(axis, 1)
		extent[axis] = high - low
	}
	order := upwards
	slices.SortStableFunc(order[:], func(a, b int) int { return cmp.Compare(extent[a], extent[b]) })
	return p.lattice(w, step, budget, order)
}

// lattice returns the point of p whose coordinates are multiples of step that comes first in the
// order of the axes. It goes through slices along order[0], and in each through lines along
// order[2].
func (p Polytope) lattice(w *Budget, step int64, budget int, order [exact.Axes]int) (exact.Point, Answer) {
	if p.Empty() {
		return exact.Point{}, Nothing
	}
	for axis := range exact.Axes {
		// Where a cell is thinner than a step, most often none lies in it.
		if low, high := p.multiples(axis, step); low > high {
			return exact.Point{}, Nothing
		}
	}
	outer, inner := order[0], order[1]
	low, high := p.multiples(outer, step)
	var at exact.Point
	lines := 100 * budget // of all slices; a line is cheaper than a slice by a factor of a hundred or so
	for at[outer] = low; at[outer] <= high; at[outer] += step {
		if budget--; budget < 0 || !w.Spend(p.effort()) {
			return exact.Point{}, Undecided
		}
		slice := p.Slice(outer, at[outer])
		if slice.Empty() {
			continue
		}
		if low, high := slice.multiples(order[2], step); low > high {
			continue
		}
		low, high := slice.multiples(inner, step)
		for at[inner] = low; at[inner] <= high; at[inner] += step {
			if lines--; lines < 0 || !w.Spend(1+len(p.faces)/4) {
				return exact.Point{}, Undecided
			}
			if x, ok := p.line(at, order[2], step); ok {
				at[order[2]] = x
				return at, Something
			}
		}
	}
	return exact.Point{}, Nothing
}

// line returns the smallest multiple of step along the axis that, with the other two coordinates
// of at, makes a point of p.
func (p Polytope) line(at exact.Point, axis int, step int64) (x int64, ok bool) {
	low, high := int64(-exact.MaxGrid), int64(exact.MaxGrid)
	at[axis] = 0
	for _, f := range p.faces {
		rest := f.b - f.dot(at) // a·x >= rest
		switch a := f.a[axis]; {
		case a > 0:
			low = max(low, exact.CeilDiv(rest, a))
		case a < 0:
			high = min(high, exact.FloorDiv(-rest, -a))
		case rest > 0:
			return 0, false
		}
	}
	x = ceilTo(low, step)
	return x, x <= high
}

// GreatestOn returns such a point whose coordinate along the axis is the greatest; with a negative
// direction, the least. A cell's greatest corner need not be on the grid, so it tries one slice
// after another, from that corner inwards, until one has a grid point; after 100 slices it gives
// up.
func (w *Budget) GreatestOn(finest int64, domain Polytope, axis int, direction int64, conditions ...exact.Region) (exact.Point, Answer) {
	answer := Nothing
	var best exact.Point
	whole := w.Cells(finest, domain, conditions, func(cell Polytope) bool {
		to, from := cell.multiples(axis, finest)
		if direction < 0 {
			from, to = to, from
		}
		for tries := 0; (to-from)*direction <= 0; from -= direction * finest {
			if answer == Something && (from-best[axis])*direction <= 0 {
				break
			}
			if tries++; tries > 100 {
				answer = Undecided
				return false
			}
			point, a := w.FindOn(finest, cell.Slice(axis, from))
			if a == Undecided {
				answer = Undecided
				return false
			}
			if a == Something {
				best, answer = point, Something
				break
			}
		}
		return true
	})
	if !whole {
		answer = Undecided
	}
	return best, answer
}
