package expression_test

import (
	"math/big"
	"slices"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
)

// TestBudget: a condition needs one linear form for each way to choose one of the operands of each min and max in a
// comparison. It fails only if more are needed than remain.
func TestBudget(t *testing.T) {
	for text, needed := range map[string]int{
		"depth > width":                            1,
		"2 < 1":                                    1,
		"depth == width":                           2, // >= and <=
		"depth > width && height > 3":              2,
		"10 < depth < 20":                          2,
		"max(width, depth) > height":               2,
		"max(width, depth) > min(height, 3)":       4,
		"max(width, depth, 3) > min(height, 3, 1)": 9,
	} {
		for spare := range 3 {
			budget := needed + spare
			if _, problem := mustCondition(t, text).Condition(exact.NewVariables(nil, values()), &budget); problem != nil || budget != spare {
				t.Errorf("%s with a budget of %d: %v, and %d remain, want %d", text, needed+spare, problem, budget, spare)
			}
		}
		budget := needed - 1
		_, problem := mustCondition(t, text).Condition(exact.NewVariables(nil, values()), &budget)
		if problem == nil || problem.Message != "too many comparisons" || budget >= 0 {
			t.Errorf("%s with a budget of %d: %v, and %d remain, want a problem and a negative budget", text, needed-1, problem, budget)
		}
	}
}

// TestParts: all conditions that are joined by the same operator become the parts of one condition. Each comparison
// stays one part, with its text, even if it is two half-spaces.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		text  string
		kind  exact.Kind
		parts []string
	}{
		{"depth > 3 && (height > 2 && width > 1)", exact.And, []string{"depth > 3", "height > 2", "width > 1"}},
		{"depth > 3 || height > 2 || width > 1", exact.Or, []string{"depth > 3", "height > 2", "width > 1"}},
		{"!(depth > 3 || (height > 2 || width > 1))", exact.And, []string{"depth > 3", "height > 2", "width > 1"}},
		{"width == 5 && depth > 3", exact.And, []string{"width == 5", "depth > 3"}},
		{"depth > 3 || (width != 5 || height > 2)", exact.Or, []string{"depth > 3", "width != 5", "height > 2"}},
		{"!(width != 5 || depth > 3)", exact.And, []string{"width != 5", "depth > 3"}},
		{"width == 5 || depth > 3", exact.Or, []string{"width == 5", "depth > 3"}},
		{"2 < width < 5", exact.And, []string{"2 < width", "width < 5"}},
		{"max(depth, width) > 3 || height > 2", exact.Or, []string{"max(depth, width) > 3", "height > 2"}},
	} {
		budget := 100
		c, problem := mustCondition(t, test.text).Condition(exact.NewVariables(nil, values()), &budget)
		if problem != nil {
			t.Fatalf("%s: %v", test.text, problem)
		}
		var parts []string
		for _, part := range c.Parts {
			if part.Comparison == nil {
				parts = append(parts, "no comparison: "+part.String())
				continue
			}
			parts = append(parts, test.text[part.Comparison.From:part.Comparison.To])
		}
		if c.Kind != test.kind || !slices.Equal(parts, test.parts) {
			t.Errorf("%s has the parts %q, kind %v, want %q, kind %v", test.text, parts, c.Kind, test.parts, test.kind)
		}
	}
}

// TestSidesInOtherUnits: the values of the sides are in the unit of the box, even if the condition has another. Here the box
// is 10 x 20 x 30 in, the caliper is 1/8 in, and the condition is in mm.
func TestSidesInOtherUnits(t *testing.T) {
	variables := boxVariables()
	variables["caliper"] = exact.Variable{Value: exact.Constant(big.NewRat(1, 8))}
	variables["crease"] = exact.Variable{Value: exact.Constant(big.NewRat(1, 2))}
	variables["ratio"] = exact.Variable{Value: exact.Constant(big.NewRat(4, 1))}
	for _, test := range []struct{ text, left, right string }{
		{"height > width", "30", "10"},
		{"height > 2 * depth + 254", "30", "50"},
		{"127 < crease", "5", "1/2"},
		{"max(width, 762) > -caliper", "30", "-1/8"},
		{"ratio > 25.4", "4", "127/5"}, // plain numbers
		{"width > ratio * crease", "10", "2"},
		{"width / caliper > 2", "80", "2"},
		{"width * caliper > 645.16", "5/4", "1"},                         // square inches
		{"width / caliper / caliper > 1 / caliper", "640", "8"},          // per inch
		{"width / crease / crease / crease > 1 / crease", "80", "254/5"}, // per square inch; 1 is per mm
		// Lengths that are added to areas cannot be converted, so both sides are in mm.
		{"width + width * caliper > 3", "21209/20", "3"}, // 254 + 254 * 3.175
	} {
		e, problems := expression.ConditionWith(degrees, test.text)
		if e == nil {
			t.Fatalf("%q: problems %v", test.text, problems)
		}
		budget := 10
		c, problem := e.ConditionIn("mm", exact.Ratio{Num: 127, Den: 5}, exact.NewVariables(nil, variables), &budget)
		if problem != nil {
			t.Fatalf("%q: %v", test.text, problem)
		}
		at := exact.Point{10_000, 20_000, 30_000}
		left, right := c.Comparison.Left.Value.At(at).RatString(), c.Comparison.Right.Value.At(at).RatString()
		if left != test.left || right != test.right || c.Comparison.Unit != "mm" {
			t.Errorf("%s is %s and %s in %q, want %s and %s", test.text, left, right, c.Comparison.Unit, test.left, test.right)
		}
	}
}
