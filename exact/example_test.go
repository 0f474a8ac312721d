package exact_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// holds is all that a port has to know of a condition: a half-space, all parts, or any part.
func holds(c exact.Condition, p exact.Point) bool {
	switch c.Kind {
	case exact.Half:
		return c.Half.A[0]*p[0]+c.Half.A[1]*p[1]+c.Half.A[2]*p[2] > c.Half.K
	case exact.And, exact.Or:
		for _, part := range c.Parts {
			if holds(part, p) != (c.Kind == exact.And) {
				return c.Kind == exact.Or
			}
		}
		return c.Kind == exact.And
	}
	return c.Kind == exact.True
}

// A port of boxrules in some twenty lines: the first rule whose condition holds is the verdict.
func Example() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	form, rules := profile.Exact(), profile.Rules()
	check := func(width, depth, height float64) string {
		for _, x := range []float64{width, depth, height} {
			if !(x >= -exact.MaxDimension && x <= exact.MaxDimension) {
				return "not a box"
			}
		}
		box := exact.Point{exact.Grid(width), exact.Grid(depth), exact.Grid(height)}
		for i, condition := range form.Conditions {
			if holds(condition, box) {
				return string(rules[i].Code)
			}
		}
		return "valid"
	}
	fmt.Println(check(120, 60, 180), check(48, 141, 184), check(120, 60.0004, 450.0005), check(1, 2, 3e6))
	// Output: valid BOX_3100 BOX_2105 not a box
}

// A comparison keeps what was written beside what it means.
func ExampleCondition() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	for i, rule := range profile.Rules() {
		if condition := profile.Exact().Conditions[i]; rule.Code == boxrules.BOX_3100 {
			c := condition.Comparison
			fmt.Println(rule.When, "is", condition)
			fmt.Println("of", c.Left.Text, c.Operator, c.Right.Text, "over the axes", c.Axes)
		}
	}
	// Output:
	// depth > width is -1·w+1·d+0·h > 0
	// of depth > width over the axes [1 0]
}

// Lengths are put on the grid once. If a limit file accepts one decimal, its step is 100.
func ExampleGrid() {
	fmt.Println(exact.Grid(48.25), exact.Grid(48.0004), exact.Float64At(48250))
	step := exact.StepOf(1)
	fmt.Println(step, exact.OnStep(48.2, step), exact.OnStep(48.25, step))
	// Output:
	// 48250 48000 48.25
	// 100 true false
}

// The boxes that are valid are those that violate no rule.
func ExampleRegion() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	var allowed []exact.Region
	for _, condition := range profile.Exact().Conditions {
		allowed = append(allowed, exact.Not(condition.Region()))
	}
	valid := exact.AllOf(allowed...)
	fmt.Println(valid.Contains(exact.Point{120_000, 60_000, 180_000}), valid.Contains(exact.Point{48_000, 141_000, 184_000}))

	square := exact.AllOf(exact.AtLeast(exact.Width, 100_000), exact.AtMost(exact.Width, 100_000))
	for h := range square.HalfSpaces() {
		fmt.Println(h, "and the box 99 wide is beyond it by", h.Excess(exact.Point{99_000, 0, 0}))
	}
	// Output:
	// true false
	// 1·w+0·d+0·h > 99999 and the box 99 wide is beyond it by -999
	// -1·w+0·d+0·h > -100001 and the box 99 wide is beyond it by 1001
}

// A blank formula is a value over the dimensions.
func ExampleValue() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	width := profile.Exact().Blank.Width
	fmt.Println(width.At(exact.Point{120_000, 60_000, 180_000}).FloatString(1))

	// In a long list, Ratio is faster. It has no answer only if the numbers are very large.
	for _, box := range []exact.Point{{120_000, 60_000, 180_000}, {48_500, 30_250, 184_000}} {
		if r, ok := width.Ratio(box); ok {
			fmt.Println(float64(r.Num) / float64(r.Den))
		}
	}
	// Output:
	// 375.0
	// 375
	// 172.5
}

// javaScript writes a value as an expression. A value is either linear or a minimum or maximum of parts.
func javaScript(v exact.Value) string {
	coefficients, constant, ok := v.Linear()
	if !ok {
		isMaximum, parts := v.Parts()
		name := "Math.min"
		if isMaximum {
			name = "Math.max"
		}
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = javaScript(part)
		}
		return name + "(" + strings.Join(texts, ", ") + ")"
	}
	terms := []string{constant.RatString()}
	for axis, c := range coefficients {
		if c.Sign() != 0 {
			terms = append(terms, c.RatString()+"*"+exact.AxisNames()[axis])
		}
	}
	return strings.Join(terms, " + ")
}

// A page shows the size of the blank while the visitor types. Each formula of the limit file is written as
// JavaScript, with the caliper and the glue flap of the material filled in.
func ExampleValue_Linear() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	blank := profile.Exact().Blank
	fmt.Println(javaScript(blank.Width))
	fmt.Println(javaScript(blank.Height))
	// Output:
	// 15 + 2*width + 2*depth
	// Math.min(Math.max(0 + 3*depth + 1*height, 24 + 2*depth + 1*height), 50 + 2*depth + 1*height)
}

// A carrier takes parcels whose longest side and girth are at most 360 together. The girth is twice the sum of
// the other two sides, so the total is 2·(width + depth + height) - max(width, depth, height). That is a Value
// with a piece for each side that can be the longest. AboveZero returns the Region of the boxes that are too large.
func ExampleAboveZero() {
	sides := []exact.Value{exact.Dimension(exact.Width), exact.Dimension(exact.Depth), exact.Dimension(exact.Height)}
	total, err := exact.Extreme(true, sides...).Times(big.NewRat(-1, 1))
	if err != nil {
		panic(err)
	}
	for _, side := range sides {
		double, err := side.Times(big.NewRat(2, 1))
		if err != nil {
			panic(err)
		}
		if total, err = total.Add(double); err != nil {
			panic(err)
		}
	}
	excess, err := total.Add(exact.Constant(big.NewRat(-360, 1)))
	if err != nil {
		panic(err)
	}
	tooLarge, err := exact.AboveZero(excess, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(excess.Pieces(), "pieces:", tooLarge)
	for _, box := range []exact.Point{{120_000, 60_000, 60_000}, {120_000, 60_000, 60_001}} {
		fmt.Println(total.At(box).FloatString(3), tooLarge.Contains(box))
	}
	// Output:
	// 3 pieces: (1·w+2·d+2·h > 360000 and 2·w+1·d+2·h > 360000 and 2·w+2·d+1·h > 360000)
	// 360.000 false
	// 360.002 true
}

// How large would the blank of a mailer be, made of a board that the catalogue does not have? The dimensions are
// the same variables for every board.
func ExampleNewVariables() {
	dimensions := make(map[string]exact.Variable)
	for axis, name := range exact.AxisNames() {
		dimensions[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	articles := boxrules.Default().Catalogue().Articles()
	mailer := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == "mailer" })]
	for _, caliper := range []int64{1, 2} {
		board := map[string]exact.Variable{"caliper": {Value: exact.Constant(big.NewRat(caliper, 1))}}
		width, err := mailer.Blank.Width.Value(exact.NewVariables(dimensions, board))
		if err != nil {
			panic(err)
		}
		fmt.Println("caliper", caliper, "width", width.Value.At(exact.Point{300_000, 200_000, 80_000}).FloatString(2))
	}
	// Output:
	// caliper 1 width 634.33
	// caliper 2 width 648.67
}

// A check of your own, depth > width / 3, that another program computes in float64. The width, the depth and the
// quotient are each rounded by at most 2^-53 of their magnitude. Together that is less than 2^-52 of the bound,
// which is 4/3 of a million.
func ExampleAboveZeroRounded() {
	third, err := exact.Dimension(exact.Width).Times(big.NewRat(-1, 3))
	if err != nil {
		panic(err)
	}
	difference, err := exact.Dimension(exact.Depth).Add(third)
	if err != nil {
		panic(err)
	}
	rounding := exact.Rounding{Distance: difference.Bound() * 0x1p-52}
	condition, err := exact.AboveZeroRounded(difference, false, rounding)
	if err != nil {
		panic(err)
	}
	if condition.HasEdge() {
		for _, depth := range []float64{20.1, 20.101} {
			box := exact.Point{exact.Grid(60.3), exact.Grid(depth)}
			fmt.Println("depth", depth, "holds:", condition.Holds(box), "may differ:", condition.OnEdge(box))
		}
	}
	// Output:
	// depth 20.1 holds: false may differ: true
	// depth 20.101 holds: true may differ: false
}

// A slider that moves in steps of 0.5 begins at the first multiple of 0.5 within the limits and ends at the last.
func ExampleCeilDiv() {
	low, high, step := exact.Grid(15.25), exact.Grid(98.9), exact.Grid(0.5)
	first, last := exact.CeilDiv(low, step)*step, exact.FloorDiv(high, step)*step
	fmt.Println("from", exact.Float64At(first), "to", exact.Float64At(last))
	// Output: from 15.5 to 98.5
}

// Find the greatest step that divides every limit.
func ExampleGCD() {
	step := int64(0)
	for _, limit := range []float64{20, 371.5, 450.25} {
		step = exact.GCD(step, exact.Grid(limit))
	}
	fmt.Println(exact.Float64At(step))
	// Output: 0.25
}

// Find the boxes that are valid, but would not be if they were 1 wider. Those boxes are in the Region of the
// invalid boxes after it is moved by -1.
func ExampleRegion_Shift() {
	invalid := exact.AnyOf(exact.AtMost(exact.Width, exact.Grid(19.999)), exact.AtLeast(exact.Width, exact.Grid(400.001)))
	atLimit := exact.AllOf(exact.Not(invalid), invalid.Shift(exact.Width, -exact.Grid(1)))
	for _, width := range []float64{20, 399, 399.001, 400, 400.001} {
		fmt.Println(width, atLimit.Contains(exact.Point{exact.Grid(width)}))
	}
	// Output:
	// 20 false
	// 399 false
	// 399.001 true
	// 400 true
	// 400.001 false
}

// A generator writes a condition once for all materials in which it is the same. A blank of corrugated board
// depends on its caliper, and so does the rule that compares the blank with the sheet.
func ExampleCondition_Equal() {
	engine := boxrules.Default()
	form, rules, err := engine.Exact("mailer", "e-flute")
	if err != nil {
		panic(err)
	}
	other, _, err := engine.Exact("mailer", "b-flute")
	if err != nil {
		panic(err)
	}
	for i, rule := range rules {
		if rule.Stage == boxrules.Boundary {
			continue
		}
		c, d := form.Conditions[i], other.Conditions[i]
		fmt.Println(rule.Code, "same condition:", c.Equal(d), "same boxes:", c.Region().Equal(d.Region()))
	}
	// Output:
	// BOX_3100 same condition: true same boxes: true
	// BOX_3116 same condition: true same boxes: true
	// BOX_4100 same condition: false same boxes: false
}

// A solver of integer programs takes rows of the form A·p <= K. A box is in a half-space if it is not in the
// complement, and the numbers of the complement are such a row.
func ExampleHalfSpace_Complement() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		panic(err)
	}
	within := exact.Everywhere()
	for _, condition := range profile.Exact().Conditions {
		within = exact.AllOf(within, exact.Not(condition.Region()))
	}
	for _, part := range within.Parts() {
		if part.Kind() != exact.Half {
			fmt.Println("binary variables join the", part.Size(), "half-spaces of the size rule")
			continue
		}
		row := part.HalfSpace().Complement()
		fmt.Println(row.A, "<=", row.K)
	}
	// Output:
	// [-1 0 0] <= -20000
	// [1 0 0] <= 400000
	// [0 -1 0] <= -15000
	// [0 1 0] <= 250000
	// [0 0 -1] <= -30000
	// [0 0 1] <= 450000
	// [-1 1 0] <= 0
	// binary variables join the 8 half-spaces of the size rule
}

// A service that computes in floating point may decide a box differently only if it is on the edge of a
// condition. In float64, a third of 60.3 comes out a little less than 20.1.
func ExampleCondition_OnEdge() {
	profile, err := boxrules.Default().Profile("tuck-end-slim", "carton-300")
	if err != nil {
		panic(err)
	}
	for i, rule := range profile.Rules() {
		if condition := profile.Exact().Conditions[i]; rule.Code == boxrules.BOX_3119 {
			box := exact.Point{60_300, 20_100, 200_000}
			fmt.Println(rule.When, "holds exactly:", condition.Holds(box))
			fmt.Println("may hold in float64:", condition.OnEdge(box), condition.WithEdge().Contains(box))
			fmt.Println("a thousandth less is safe:", !condition.OnEdge(exact.Point{60_300, 20_099, 200_000}))
		}
	}
	// Output:
	// depth > (1 / 3) * width holds exactly: false
	// may hold in float64: true true
	// a thousandth less is safe: true
}

// A form for readers in several countries offers every unit in which lengths can be given, and converts what was
// typed to the unit of the limits.
func ExampleUnitRatio() {
	limit := boxrules.Default().Catalogue().Unit()
	for _, unit := range exact.ConvertibleUnits() {
		ratio, ok := exact.UnitRatio(unit, limit)
		if !ok {
			panic("the limits are in " + limit)
		}
		fmt.Println("12.001", unit, "are", ratio.Convert(12.001), limit, "with a factor of", ratio.Rat().RatString())
	}
	// Output:
	// 12.001 mm are 12.001 mm with a factor of 1
	// 12.001 cm are 120.01 mm with a factor of 10
	// 12.001 m are 12001 mm with a factor of 1000
	// 12.001 in are 304.8254 mm with a factor of 127/5
}
