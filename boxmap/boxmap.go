// Package boxmap draws a slice of the space of boxes: one dimension is held, the other two span
// the picture, and every point is coloured by the code that a box there reports first.
//
// The edges are exact, being those of the rules' half-spaces; nothing is sampled. The picture is
// SVG without script or external parts, the same for the same input byte for byte. It is readable
// in light and dark and without colour: what is valid is solid, what is not is hatched, each code
// at its own angle.
package boxmap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Options say what to draw.
type Options struct {
	// Fixed names the dimension that is held: "width", "depth" or "height".
	Fixed string
	// Value says where it is held, in the catalogue's unit.
	Value float64
	// Mark asks to show a box with its valid ranges and the nearest valid box; nil shows none.
	// The box has to have Value along Fixed.
	Mark *boxrules.Explanation
}

var axisNames = exact.AxisNames()

// SVG returns the picture of the slice. It ends within some seconds. The error is a
// *[boxrules.OptionError] for fixed, a *[boxrules.InputError] for a dimension of the box or of the
// marked box that cannot be drawn, or says that the rules have too many corners and pieces to draw. SVG panics if p is nil.
func SVG(p *boxrules.Profile, o Options) ([]byte, error) {
	m, err := newSlice(p, o)
	if err != nil {
		return nil, err
	}
	return m.draw(), nil
}

// A slice holds what is to be drawn, in units of the catalogue.
type slice struct {
	form   exact.Form
	rules  []boxrules.Rule
	fixed  int // axis
	x, y   int // axes of the picture
	value  float64
	extent [2]float64 // of the picture along x and y: a little more than the limits and what is marked
	layers []layer    // in check order
	valid  layer
	mark   *boxrules.Explanation
}

// A layer shows one rule: where it is violated, whatever other rules say, and where its label
// goes.
type layer struct {
	rule     boxrules.Rule // the zero Rule of valid boxes
	polygons [][][2]float64
	label    *[2]float64 // the middle of the largest piece where it is reported; nil where it is not
	size     [2]float64  // of that piece, along x and y
	area     float64
}

// newSlice returns the slice that the options ask for, or what is wrong with them.
func newSlice(p *boxrules.Profile, o Options) (*slice, error) {
	fixed := slices.Index(axisNames[:], o.Fixed)
	if fixed < 0 {
		return nil, &boxrules.OptionError{Option: "fixed",
			Message: fmt.Sprintf("%q is not a dimension; accepted: width, depth, height", o.Fixed)}
	}
	free := slices.Delete([]int{exact.Width, exact.Depth, exact.Height}, fixed, fixed+1)
	m := &slice{form: p.Exact(), rules: p.Rules(), fixed: fixed, x: free[0], y: free[1], value: o.Value, mark: o.Mark}
	held := boxrules.Dims{}
	*dimension(&held, fixed) = o.Value
	if err := held.Validate(m.form.Step); err != nil {
		return nil, err
	}
	if m.mark != nil {
		if got := *dimension(&m.mark.Dims, fixed); got != o.Value {
			return nil, &boxrules.InputError{Field: o.Fixed,
				Message: fmt.Sprintf("the marked box has %v, and the slice is at %v", got, o.Value)}
		}
	}
	for i, axis := range free {
		most := exact.Units(m.form.High[axis])
		if m.mark != nil {
			most = max(most, *dimension(&m.mark.Dims, axis))
		}
		m.extent[i] = most * 1.12
	}
	return m, m.setLayers()
}

// dimension returns the field of d along the axis.
func dimension(d *boxrules.Dims, axis int) *float64 {
	return [...]*float64{&d.Width, &d.Depth, &d.Height}[axis]
}

// maxWork bounds one picture: some seconds, where that of a default article takes a thousandth of
// it.
const maxWork = 10_000_000

// setLayers makes a layer of each rule. It fails for rules whose regions have too many corners
// and pieces.
func (m *slice) setLayers() error {
	var low, high exact.Point
	low[m.fixed], high[m.fixed] = exact.Grid(m.value), exact.Grid(m.value)
	high[m.x], high[m.y] = exact.Grid(m.extent[0]), exact.Grid(m.extent[1])
	domain, budget := polytope.Cube(low, high), polytope.NewBudget(maxWork)
	search := polytope.Search{Step: 1, Budget: &budget}
	var earlier []exact.Region
	for i, rule := range m.rules {
		condition := m.form.Conditions[i].Region()
		l := layer{rule: rule}
		drawn := search.Cells(domain, []exact.Region{condition}, func(cell polytope.Polytope) bool {
			l.polygons = append(l.polygons, m.polygon(cell))
			return true
		})
		if !drawn || !m.place(&l, domain, search, append(earlier[:len(earlier):len(earlier)], condition)) {
			return fmt.Errorf("%s has too many corners and pieces to draw", rule.Code)
		}
		m.layers = append(m.layers, l)
		earlier = append(earlier, exact.Not(condition))
	}
	if !m.place(&m.valid, domain, search, earlier) {
		return errors.New("the valid boxes have too many corners and pieces to draw")
	}
	return nil
}

// place puts the label of the layer into the largest piece of where the conditions hold. It
// reports whether it could go through all pieces.
func (m *slice) place(l *layer, domain polytope.Polytope, search polytope.Search, conditions []exact.Region) bool {
	return search.Cells(domain, conditions, func(cell polytope.Polytope) bool {
		polygon := m.polygon(cell)
		if len(polygon) < 3 {
			return true
		}
		if middle, area := centroid(polygon); l.label == nil || area > l.area*1.0001 {
			l.label, l.area = &middle, area
			for i := range l.size {
				side := func(a, b [2]float64) int { return cmp.Compare(a[i], b[i]) }
				l.size[i] = slices.MaxFunc(polygon, side)[i] - slices.MinFunc(polygon, side)[i]
			}
		}
		return true
	})
}

// polygon returns the outline of a flat polytope, in units, in order around it.
func (m *slice) polygon(p polytope.Polytope) [][2]float64 {
	var points [][2]float64
	for _, v := range p.Vertices() {
		points = append(points, [2]float64{v[m.x] / exact.Scale, v[m.y] / exact.Scale})
	}
	return hull(points)
}

// hull returns the corners of a convex polygon in order around it, starting with the leftmost. It
// walks along the lower side from left to right and along the upper side back (Andrew's monotone
// chain).
func hull(points [][2]float64) [][2]float64 {
	slices.SortFunc(points, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
	half := func(points [][2]float64) [][2]float64 {
		var chain [][2]float64
		for _, p := range points {
			for len(chain) > 1 && cross(chain[len(chain)-2], chain[len(chain)-1], p) <= 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, p)
		}
		return chain
	}
	lower := half(points)
	slices.Reverse(points)
	upper := half(points)
	if len(lower) < 2 {
		return lower
	}
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

// cross returns twice the area of the triangle a, b, c: positive where the path turns left at b.
func cross(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// centroid returns the middle of a convex polygon, and its area, as the sum of its triangles.
func centroid(polygon [][2]float64) (middle [2]float64, area float64) {
	for i := 2; i < len(polygon); i++ {
		a, b, c := polygon[0], polygon[i-1], polygon[i]
		part := cross(a, b, c) / 2
		area += part
		for axis := range middle {
			middle[axis] += part * (a[axis] + b[axis] + c[axis]) / 3
		}
	}
	for axis := range middle {
		middle[axis] /= area
	}
	return middle, area
}
