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
