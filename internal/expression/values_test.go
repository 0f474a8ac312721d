package expression_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
)

var degrees = expression.Degrees{
	"crease": expression.Length, "lid": expression.Length, "ratio": expression.Plain, "count": expression.Plain,
	"sum": expression.Length, "filter": expression.Plain, // names that expr has functions for
}

// TestDegrees: with user-defined values in a condition, only numbers of the same degree are added or compared. The message
// is at the operator, or at the name of min or max.
func TestDegrees(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"depth < 3 * crease", ""},
		{"depth < crease * ratio", ""},
		{"height > ratio * depth + 30", ""},
		{"height > ratio * (depth + 30)", ""},
		{"min(depth, crease, 30) < -lid / count", ""},
		{"width / crease > ratio", ""},
		{"4 < width / (crease * 2) <= ratio + count", ""},
		{"ratio > 4", ""},
		{"ratio * count != 4 / ratio", ""},
		{"crease > 0 && ratio > 0 || depth > 0", ""},
		{"width * crease > caliper * caliper", ""},
		{"width * crease > 400", ""},
		{"30 / crease < ratio", ""},
		{"filter * sum > height", ""},
		{"depth + width * caliper > 3 && depth > crease", ""}, // the first comparison mentions no value
		{"depth < ratio", `6: "depth" is a length and "ratio" a number: they cannot be compared; ratio is declared as a number`},
		{"depth < 3 * ratio", `6: "depth" is a length and "3 * ratio" a number: they cannot be compared; ratio is declared as a number`},
		{"depth < 3 / ratio", `6: "depth" is a length and "3 / ratio" a number: they cannot be compared; ratio is declared as a number`},
		{"ratio >= 2 * depth", `6: "ratio" is a number and "2 * depth" a length: they cannot be compared; ratio is declared as a number`},
		{"depth + ratio > 3", `6: "depth" is a length and "ratio" a number: they cannot be added or subtracted; ratio is declared as a number`},
		{"3 < depth - 2 - ratio", `14: "depth - 2" is a length and "ratio" a number: they cannot be added or subtracted; ratio is declared as a number`},
		{"width > 1 && 7 > max(2, crease, ratio)",
			`17: "crease" is a length and "ratio" a number: they cannot be compared; crease is declared as a length; ratio is declared as a number`},
		{"width * crease > depth", `15: "width * crease" is an area and "depth" a length: they cannot be compared; crease is declared as a length`},
		{"1 / crease > ratio + width", `19: "ratio" is a number and "width" a length: they cannot be added or subtracted; ratio is declared as a number`},
		{"width / crease / crease > ratio", `24: "width / crease / crease" is a length to the power of -1 and "ratio" a number: ` +
			"they cannot be compared; crease is declared as a length; crease is declared as a length; ratio is declared as a number"},
		{"(depth + ratio) * 2 > width", `7: "depth" is a length and "ratio" a number: they cannot be added or subtracted; ratio is declared as a number`},
		{"2 * (depth + ratio) > width", `11: "depth" is a length and "ratio" a number: they cannot be added or subtracted; ratio is declared as a number`},
		{"depth < crease < ratio", `15: "crease" is a length and "ratio" a number: they cannot be compared; crease is declared as a length; ratio is declared as a number`},
		{"!(depth > ratio)", `8: "depth" is a length and "ratio" a number: they cannot be compared; ratio is declared as a number`},
		{"depth > creese", `8: unknown name "creese"; accepted: ` + strings.Replace(conditionNames, "caliper, depth, glue_flap, height, max",
			"caliper, count, crease, depth, filter, glue_flap, height, lid, max", 1) + ` (did you mean "crease"?)`},
		{"width * depth > ratio", `6: the product of "width" and "depth" is not linear: both change with the box`},
		{"ratio", "0: a condition is expected, not a number: compare it, as in depth > width"},
	} {
		e, problems := expression.ConditionWith(degrees, test.text)
		want := strings.Replace(test.want, "min_width, sheet_height, sheet_width, width", "min_width, ratio, sheet_height, sheet_width, sum, width", 1)
		if got := lines(problems); got != want || (e == nil) != (want != "") {
			t.Errorf("%q: problems\n%s\nwant\n%s", test.text, got, want)
		}
	}
}

// TestValuesInOtherUnits: lengths are converted to the unit of the condition, numbers are not. The limits are in inches,
// and the condition is in mm. The half-space is in thousandths of an inch.
func TestValuesInOtherUnits(t *testing.T) {
	variables := values()
	for name, x := range map[string]*big.Rat{"crease": big.NewRat(1, 8), "ratio": big.NewRat(4, 1), "count": big.NewRat(-5, 2)} {
		variables[name] = exact.Variable{Value: exact.Constant(x)}
	}
	all := exact.NewVariables(nil, variables)
	for text, want := range map[string]string{
		"depth > 3 * crease":       "0·w+1·d+0·h > 375",
		"depth > 254 + crease":     "0·w+1·d+0·h > 10125",
		"height > ratio * depth":   "0·w-4·d+1·h > 0",
		"height > count * depth":   "0·w+5·d+2·h > 0",
		"height / crease > ratio":  "0·w+0·d+1·h > 500",
		"width > ratio * crease":   "1·w+0·d+0·h > 500",
		"width * crease > 3225.8":  "1·w+0·d+0·h > 40000",
		"width * ratio > 101.6":    "1·w+0·d+0·h > 1000",
		"width + crease / count>0": "1·w+0·d+0·h > 50",
	} {
		e, problems := expression.ConditionWith(degrees, text)
		if e == nil {
			t.Fatalf("%q: %v", text, problems)
		}
		budget := 10
		ratio := exact.Ratio{Num: 127, Den: 5}
		c, problem := e.ConditionIn("mm", ratio, all, &budget)
		if problem != nil || c.Half.String() != want {
			t.Errorf("%q: %v, %v, want %s", text, c.Half, problem, want)
		}
		// In double precision a thousandth of an inch on either side decides as the half-space does.
		for _, at := range []exact.Point{{40_000, 400, 1_000}, {1_001, 376, 1_505}, {51, 10_126, 501}, {1_000, 375, 500}, {40_001, 10_125, 40_500}} {
			value := func(name string) float64 {
				if axis := slices.Index([]string{"width", "depth", "height"}, name); axis >= 0 {
					return exact.Float64At(at[axis])
				}
				k, _ := variables[name].Value.Constant()
				x, _ := k.Float64()
				return x
			}
			if !c.OnEdge(at) && e.HoldsInFloat64(ratio, value) != c.Holds(at) {
				t.Errorf("%q at %v: %v in double precision, exactly %v", text, at, !c.Holds(at), c.Holds(at))
			}
		}
	}
}

// TestMissingValue: a condition that is lowered without one of its values fails, and does not take it for 0.
func TestMissingValue(t *testing.T) {
	e, problems := expression.ConditionWith(degrees, "depth > 3 * crease")
	if e == nil {
		t.Fatal(problems)
	}
	budget := 10
	_, problem := e.Condition(exact.NewVariables(nil, values()), &budget)
	if problem == nil || problem.Offset != 12 || problem.Message != "there is no value crease" {
		t.Errorf("without the value: %v", problem)
	}
	if got := e.Values(); !slices.Equal(got, []string{"crease"}) {
		t.Errorf("Values() = %v", got)
	}
}

// TestValueNames: a value may have the name of any function of expr, but not that of a word of the language.
func TestValueNames(t *testing.T) {
	for _, name := range strings.Fields(`all any one none map filter find count sum group reduce len abs ceil floor round trim upper lower
		split repeat join now duration date first last get keys values type int float string mean median concat flatten uniq reverse
		sort bitand env class new x0 a_b elseif import`) {
		if fault := expression.ValueNameFault(name); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
		for _, text := range []string{name + " < depth", "depth > max(" + name + ", 2 * " + name + ")", "not (" + name + " == width)"} {
			if e, problems := expression.ConditionWith(expression.Degrees{name: expression.Length}, text); e == nil {
				t.Errorf("%q: %v", text, problems)
			}
		}
	}
	for _, name := range strings.Fields("width caliper min max and or not in let if else nil true false matches contains article material") {
		if expression.ValueNameFault(name) == "" {
			t.Errorf("%s is accepted", name)
		}
	}
}
