// Package boxmap draws a cross-section through the space of all boxes. One dimension is fixed, and the other two are
// the axes of the picture. Every point of the picture represents a box, and has the colour of the code that is reported
// for that box.
//
// The edges of the regions are exact, because they are the borders of the rules' half-spaces: nothing is sampled. The
// picture is an SVG image without scripts or external resources. The same input always produces the same bytes. The
// picture can be read on light and dark backgrounds, and without colours: valid regions are solid, and the others are
// hatched, each code at its own angle.
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

// Options says what to draw.
type Options struct {
	// Fixed is the dimension that is the same everywhere in the picture: "width", "depth" or "height".
	Fixed string
	// Value is the value of that dimension, in the catalogue's unit.
	Value float64
	// Mark is a box to show, together with its valid ranges and the nearest valid box. It may be nil. The box must have
	// the given Value in the dimension Fixed, so that it lies in the cross-section.
	Mark *boxrules.Explanation
}

var axisNames = exact.AxisNames()

// SVG returns the picture of a cross-section. It takes at most a few seconds. The error is a *[boxrules.OptionError] if
// Fixed is not a dimension, or a *[boxrules.InputError] if Value or a dimension of the marked box cannot be drawn. A
// negative dimension of the marked box cannot be drawn along an axis, because the axes begin at 0. Any other error says
// that the regions have too many corners and pieces to draw. SVG panics if p is nil.
func SVG(p *boxrules.Profile, o Options) ([]byte, error) {
	c, err := newCrossSection(p, o)
	if err != nil {
		return nil, err
	}
	return c.draw(), nil
}

// A crossSection holds what to draw. Its lengths are in the catalogue's unit.
type crossSection struct {
	form         exact.Form
	rules        []boxrules.Rule
	fixedAxis    int        // the axis of the dimension that is the same everywhere in the picture
	fixedValue   float64    // the value of that dimension
	xAxis, yAxis int        // the other two axes, across and up the picture
	extent       [2]float64 // the extent of the picture along both axes: a little more than the limits and the marked box
	layers       []layer    // in check order
	validLayer   layer
	markedBox    *boxrules.Explanation
}

// A layer is the part of the picture that belongs to one rule: the region in which the rule is violated, and
// the position of its label. The region includes boxes that also violate an earlier rule.
type layer struct {
	rule          boxrules.Rule // the zero Rule for the layer of valid boxes
	polygons      [][][2]float64
	labelPiece    [][2]float64 // the largest piece in which the rule is reported
	labelPosition *[2]float64  // the middle of that piece, or nil if the rule is not reported
	labelSpace    [2]float64   // the extent of that piece along both axes
	labelArea     float64
}

// newCrossSection returns the cross-section that the options describe. It returns an error if the options are invalid,
// or if there is too much to draw.
func newCrossSection(p *boxrules.Profile, o Options) (*crossSection, error) {
	fixed := slices.Index(axisNames[:], o.Fixed)
	if fixed < 0 {
		return nil, &boxrules.OptionError{Option: "fixed",
			Message: fmt.Sprintf("%q is not a dimension; accepted: width, depth, height", o.Fixed)}
	}
	// The other two dimensions span the picture, in the order width, depth, height.
	free := slices.Delete([]int{exact.Width, exact.Depth, exact.Height}, fixed, fixed+1)
	c := &crossSection{form: p.Exact(), rules: p.Rules(), fixedAxis: fixed, xAxis: free[0], yAxis: free[1], fixedValue: o.Value, markedBox: o.Mark}
	fixedDims := boxrules.Dims{}
	*dimensionField(&fixedDims, fixed) = o.Value
	if err := fixedDims.Validate(c.form.Step); err != nil {
		return nil, err
	}
	if c.markedBox != nil {
		if err := c.markedBox.Dims.Validate(c.form.Step); err != nil {
			return nil, err
		}
		if got := *dimensionField(&c.markedBox.Dims, fixed); got != o.Value {
			return nil, &boxrules.InputError{Field: o.Fixed,
				Message: fmt.Sprintf("the marked box has %v, but the slice is at %v; use the same value", got, o.Value)}
		}
		for _, axis := range free {
			if got := *dimensionField(&c.markedBox.Dims, axis); got < 0 {
				return nil, &boxrules.InputError{Field: axisNames[axis],
					Message: fmt.Sprintf("the marked box has %v, but the picture starts at 0", got)}
			}
		}
	}
	// The picture starts at 0 and ends 12 % beyond the maximum, so that part of the region beyond the maximum
	// is visible.
	for i, axis := range free {
		highest := exact.Float64At(c.form.High[axis])
		if c.markedBox != nil {
			highest = max(highest, *dimensionField(&c.markedBox.Dims, axis))
		}
		c.extent[i] = highest * 1.12
	}
	return c, c.addLayers()
}

// dimensionField returns a pointer to the field of d for the axis: Width, Depth or Height.
func dimensionField(d *boxrules.Dims, axis int) *float64 {
	return [...]*float64{&d.Width, &d.Depth, &d.Height}[axis]
}

// maxWork limits the searches for one picture to a few seconds. A picture of an article in the default limit
// file needs about a thousandth of this amount.
const maxWork = 10_000_000

// addLayers adds a layer for each rule. It returns an error if the regions have too many corners and pieces to draw.
func (c *crossSection) addLayers() error {
	// The domain is flat: along the fixed axis it consists of a single value.
	var low, high exact.Point
	low[c.fixedAxis], high[c.fixedAxis] = exact.Grid(c.fixedValue), exact.Grid(c.fixedValue)
	high[c.xAxis], high[c.yAxis] = exact.Grid(c.extent[0]), exact.Grid(c.extent[1])
	domain, budget := polytope.Cuboid(low, high), polytope.NewBudget(maxWork)
	search := polytope.Search{Step: 1, Budget: &budget}
	// earlier has a Region for each rule so far: the boxes that do not violate it. A box in all of these
	// Regions violates none of the rules so far.
	var earlier []exact.Region
	for i, rule := range c.rules {
		condition := c.form.Conditions[i].Region()
		l := layer{rule: rule}
		drawn := search.Cells(domain, []exact.Region{condition}, func(cell polytope.Polytope) bool {
			l.polygons = append(l.polygons, c.polygon(cell))
			return true
		})
		// The polygons show all boxes that violate the rule. The label belongs in the part in which the
		// code of the rule is reported.
		if !drawn || !c.placeLabel(&l, domain, search, append(earlier[:len(earlier):len(earlier)], condition)) {
			return fmt.Errorf("%s has too many corners and pieces to draw", rule.Code)
		}
		c.layers = append(c.layers, l)
		earlier = append(earlier, exact.Not(condition))
	}
	if !c.placeLabel(&c.validLayer, domain, search, earlier) {
		return errors.New("the valid boxes have too many corners and pieces to draw")
	}
	return nil
}

// placeLabel puts the label of the layer into the largest piece of the region in which the conditions hold. It
// returns false if there are too many pieces.
func (c *crossSection) placeLabel(l *layer, domain polytope.Polytope, search polytope.Search, conditions []exact.Region) bool {
	return search.Cells(domain, conditions, func(cell polytope.Polytope) bool {
		polygon := c.polygon(cell)
		if len(polygon) < 3 {
			return true // a line or a point, which has no area
		}
		// If several pieces have almost the same area, take the first one, so that rounding errors cannot
		// change the choice.
		if middle, area := centroid(polygon); l.labelPosition == nil || area > l.labelArea*1.0001 {
			l.labelPiece, l.labelPosition, l.labelArea = polygon, &middle, area
			for i := range l.labelSpace {
				byCoordinate := func(a, b [2]float64) int { return cmp.Compare(a[i], b[i]) }
				l.labelSpace[i] = slices.MaxFunc(polygon, byCoordinate)[i] - slices.MinFunc(polygon, byCoordinate)[i]
			}
		}
		return true
	})
}
