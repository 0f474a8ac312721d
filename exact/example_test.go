package exact_test

import (
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/exact"
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
	fmt.Println(exact.Grid(48.25), exact.Grid(48.0004), exact.Units(48250))
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
	coefficients, constant, _ := width.Linear()
	fmt.Println(coefficients[exact.Width], coefficients[exact.Depth], coefficients[exact.Height], constant)
	fmt.Println(width.At(exact.Point{120_000, 60_000, 180_000}).FloatString(1))
	// Output:
	// 2/1 2/1 0/1 15/1
	// 375.0
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
