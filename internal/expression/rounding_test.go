package expression_test

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
	"pgregory.net/rapid"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/lab/gen"
)

// inFloats makes expr's machine compute in float64 throughout: it reads 1 / 3 * 3 as float64s anyway,
// but would add whole numbers as integers.
type inFloats struct{}

func (inFloats) Visit(n *ast.Node) {
	if i, ok := (*n).(*ast.IntegerNode); ok {
		ast.Patch(n, &ast.FloatNode{Value: float64(i.Value)})
	}
}

// largeWhole matches a whole number that does not fit the int of a machine with 32 bits.
var largeWhole = regexp.MustCompile(`(^|[^0-9.])([0-9]{10,})($|[^0-9.])`)

// compiled returns expr's program of the text. It shares nothing with package expression.
func compiled(text string, environment map[string]float64, result expr.Option) (*vm.Program, error) {
	text = largeWhole.ReplaceAllString(text, "${1}${2}.0${3}")
	return expr.Compile(text, expr.Env(environment), result, expr.Optimize(false), expr.Patch(inFloats{}))
}

// literals begin with plainLiterals numbers as people write them. The others are large numbers that are
// almost equal, very small ones, and numbers that differ from a plain one in the last of 15 digits.
var literals = []string{
	"1", "2", "3", "4", "5", "7", "0.5", "0.1", "0.2", "0.3", "0.4", "0.7", "0.9", "1.1", "2.5", "30", "48.001", "498.25", "8", "16",
	"0", "100000000000000", "999999999999999", "999999999999998", "1000000000", "0.00000000000001", "0.00000000000003",
	"0.333333333333333", "48.0000000000001", "0.100000000000001", "0.500000000000001",
}

const plainLiterals = 20

// A roundingText draws texts of the language.
type roundingText struct {
	*rapid.T
	blank bool // mentions the blank
}

func (t *roundingText) choose(n int) int { return rapid.IntRange(0, n-1).Draw(t.T, "choice") }

// constant draws a number that no dimension changes.
func (t *roundingText) constant(depth int) string {
	if depth == 0 || t.choose(2) == 0 {
		if t.choose(6) == 0 {
			return []string{"caliper", "glue_flap", "sheet_width"}[t.choose(3)]
		}
		// Half of the time a plain number.
		return literals[t.choose([]int{plainLiterals, len(literals)}[t.choose(2)])]
	}
	return t.joined(t.constant(depth-1), t.constant(depth-1))
}

// number draws any number.
func (t *roundingText) number(depth int) string {
	if depth == 0 || t.choose(4) == 0 {
		if t.blank && t.choose(4) == 0 {
			return []string{"blank_width", "blank_height"}[t.choose(2)]
		}
		return exact.AxisNames()[t.choose(exact.Axes)]
	}
	switch a := t.number(depth - 1); t.choose(8) {
	case 0, 1:
		return t.joined(a, t.number(depth-1))
	case 2:
		return t.joined(a, t.constant(2))
	case 3:
		return fmt.Sprintf("(%s) * (%s)", a, t.constant(2))
	case 4:
		return fmt.Sprintf("(%s) * (%s)", t.constant(2), a)
	case 5:
		return fmt.Sprintf("(%s) / (%s)", a, t.constant(2))
	case 6:
		// Add a number and subtract it again.
		k := t.constant(1)
		if t.choose(2) == 0 {
			k = t.number(depth - 1)
		}
		return fmt.Sprintf("((%s) + (%s)) - (%s)", a, k, k)
	default:
		return fmt.Sprintf("-(%s)", a)
	}
}

// joined draws the sum, the difference, the minimum or the maximum of two numbers.
func (t *roundingText) joined(a, b string) string {
	switch t.choose(4) {
	case 0:
		return fmt.Sprintf("(%s) + (%s)", a, b)
	case 1:
		return fmt.Sprintf("(%s) - (%s)", a, b)
	case 2:
		return fmt.Sprintf("min(%s, %s)", a, b)
	}
	return fmt.Sprintf("max(%s, %s)", a, b)
}

// quotient draws a constant, which may be a quotient or product of two.
func (t *roundingText) quotient() string {
	a := t.constant(2)
	if t.choose(3) == 0 {
		return fmt.Sprintf("(%s) / (%s)", a, t.constant(2))
	}
	if t.choose(3) == 0 {
		return fmt.Sprintf("(%s) * (%s)", a, t.constant(2))
	}
	return a
}

// plain draws a comparison of two dimensions with a factor or a number added, as most conditions are.
func (t *roundingText) plain() string {
	axes := exact.AxisNames()
	factor := func() string { return literals[t.choose(plainLiterals)] }
	number := func(axis string) string {
		switch t.choose(4) {
		case 0:
			return fmt.Sprintf("%s / %s * %s", factor(), factor(), axis)
		case 1:
			return fmt.Sprintf("%s * %s", factor(), axis)
		case 2:
			return fmt.Sprintf("%s / %s", axis, factor())
		}
		return fmt.Sprintf("%s + %s", axis, factor())
	}
	a, b := axes[t.choose(3)], axes[t.choose(3)]
	return number(a) + []string{" < ", " <= ", " > ", " >= ", " == ", " != "}[t.choose(6)] + number(b)
}

func (t *roundingText) side() string {
	if t.choose(3) == 0 {
		return t.quotient()
	}
	return t.number(3)
}

// condition draws comparisons and chains of them, joined by and, or and not.
func (t *roundingText) condition(depth int) string {
	if t.choose(2) == 0 {
		return t.plain()
	}
	if depth == 0 || t.choose(2) == 0 {
		text := t.side()
		relation := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t.T, "relation")
		text += " " + relation + " " + t.side()
		if t.choose(4) == 0 && !strings.Contains("==!=", relation) {
			text += " <= " + t.side()
		}
		return text
	}
	switch a := t.condition(depth - 1); t.choose(3) {
	case 0:
		return "!(" + a + ")"
	case 1:
		return fmt.Sprintf("(%s) && (%s)", a, t.condition(depth-1))
	default:
		return fmt.Sprintf("(%s) || (%s)", a, t.condition(depth-1))
	}
}

// boxVariables returns the variables that are dimensions.
func boxVariables() map[string]exact.Variable {
	variables := make(map[string]exact.Variable)
	for axis, name := range exact.AxisNames() {
		variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	return variables
}

// material draws the variables that are constants, and returns them with the dimensions. Each dimension is still 0 in floats.
func (t *roundingText) material() (variables map[string]exact.Variable, floats map[string]float64) {
	variables = boxVariables()
	floats = map[string]float64{"width": 0, "depth": 0, "height": 0, "blank_width": 0, "blank_height": 0}
	for _, name := range []string{"caliper", "glue_flap", "sheet_width"} {
		decimal := rapid.SampledFrom(literals).Draw(t.T, name)
		k, _ := new(big.Rat).SetString(decimal)
		variables[name] = exact.Variable{Value: exact.Constant(k)}
		floats[name], _ = strconv.ParseFloat(decimal, 64)
	}
	return variables, floats
}

// Both constants are 1, but are computed from large numbers. By the documented bound, float64 may be off by 2^-52 times
// the sum of all sizes. For halfOff these are 450359962737049, 1, 450359962737050, 450359962737049 and 900719925474099,
// whose sum is 2^51. So it may be off by exactly a half, and moreOff by slightly more.
const (
	halfOff = "(450359962737049 + 1 - 450359962737049)"
	moreOff = "(450359962737050 + 1 - 450359962737050)"
)

// TestRoundingOfFormulas: each number, sum, product and quotient may be off by 2^-52 times the largest size that it can
// have, for any box within MaxDimension. Nothing is off if float64 always gives the nearest number.
func TestRoundingOfFormulas(t *testing.T) {
	const size = 0x1p-52 * exact.MaxDimension
	for _, test := range []struct {
		formula string
		sizes   []float64 // of what is rounded, in MaxDimensions, times the factors that multiply it later
	}{
		{"width", nil},
		{"0.1", nil},
		{"-width", nil},
		{"2 * width", nil},
		{"0.25 * -width / 8 * 4", nil},
		{"min(0.5 * width, max(0.1, depth))", nil},

		// Two numbers and their sum or difference.
		{"width + depth", []float64{1, 1, 2}},
		{"width - depth", []float64{1, 1, 2}},
		{"width + 1000000", []float64{1, 1, 2}},
		{"-(width + depth)", []float64{1, 1, 2}},
		{"2 * width + depth", []float64{2, 1, 3}},
		{"depth - -4 * width", []float64{1, 4, 5}},
		{"width / 4 + 0.5 * depth", []float64{0.25, 0.5, 0.75}},
		{"width + depth - height", []float64{1, 1, 2, 1, 3}},
		{"max(width, 2 * depth) + height", []float64{2, 1, 3}},
		// A minimum or maximum may be off by as much as any of its operands.
		{"min(width + depth, 4 * height, 7 * height)", []float64{7, 7, 7}},
		{"max(width + depth, height)", []float64{1, 1, 2}},
		// Two numbers and their product or quotient.
		{"7 * width", []float64{7, 7, 7}},
		{"width * 0.1", []float64{0.1, 0.1, 0.1}},
		{"width / 5", []float64{0.2, 0.2, 0.2}},
		{"width / 0.1", []float64{10, 10, 10}},
		{"7 * width + depth", []float64{7, 7, 7, 1, 8}},
		{"width / 5 + depth", []float64{0.2, 0.2, 0.2, 1, 1.2}},
		{"1 / 5 * width", []float64{0.2, 0.2, 0.2, 0.2, 0.2}},
		{"0.3 * (width + depth)", []float64{0.3, 0.3, 0.6, 0.6, 0.6}},
		{"(width + depth) / 4", []float64{0.25, 0.25, 0.5, 0.5, 0.5}},
		{"2 * (width + depth) + height", []float64{2, 2, 4, 4, 4, 1, 5}},
		{"width * 7 / 5", []float64{1.4, 1.4, 1.4, 1.4, 1.4}},
	} {
		want := 0.0
		for _, s := range test.sizes {
			want += size * s
		}
		// The tolerance covers errors of errors.
		if got := formulaRounding(t, test.formula); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s may be off by %v times 2^-52 times MaxDimension, want %v", test.formula, got/size, want/size)
		}
	}
	// These bounds follow from the range in which halfOff may be computed, which is 0.5 to 1.5.
	for formula, want := range map[string]float64{
		"width * " + halfOff:                   0.5,
		"width * " + halfOff + " * " + halfOff: 1.25, // 1.5 * 1.5 is 2.25
		"width / " + halfOff:                   1,    // 1 / 0.5 is 2
		"width / " + halfOff + " / " + halfOff: 3,    // 2 / 0.5 is 4
		"width * " + moreOff:                   0.5,
		"width / " + moreOff:                   math.Inf(1), // no useful bound
		"0 * (width / " + moreOff + ")":        math.Inf(1),
		"min(width, depth / " + moreOff + ")":  math.Inf(1),
		"width / " + moreOff + " + depth":      math.Inf(1),
	} {
		got := formulaRounding(t, formula)
		if want *= exact.MaxDimension; got != want && !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s may be off by %v, want %v", formula, got, want)
		}
	}
}

// formulaRounding returns how far a formula may be off in float64.
func formulaRounding(t *testing.T, text string) float64 {
	t.Helper()
	e, problems := expression.Formula(text)
	if e == nil {
		t.Fatal(text, problems)
	}
	value, problem := e.Value(exact.NewVariables(nil, boxVariables()))
	if problem != nil {
		t.Fatal(text, problem)
	}
	return value.Rounding
}

// TestRoundingBounds: float64 is never off by more than the bound, for random formulas and boxes.
func TestRoundingBounds(t *testing.T) {
	bounded, off := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := &roundingText{T: t}
		variables, floats := text.material()
		formulaText := text.number(3)
		formula, _ := expression.Formula(formulaText)
		if formula == nil {
			t.Skip("not a formula")
		}
		value, problem := formula.Value(exact.NewVariables(nil, variables))
		if problem != nil || math.IsInf(value.Rounding, 1) {
			t.Skip("numbers too large, or no bound")
		}
		for range 10 {
			var p exact.Point
			for axis, name := range exact.AxisNames() {
				most := rapid.SampledFrom([]int64{5_000, 500_000, exact.MaxGrid}).Draw(t, "most")
				p[axis] = rapid.Int64Range(-most, most).Draw(t, name)
				floats[name] = exact.Float64At(p[axis])
			}
			computed := formula.ValueInFloat64(func(name string) float64 { return floats[name] })
			want := value.Value.At(p)
			nearest, _ := want.Float64()
			bounded++
			if computed != nearest {
				off++
			}
			if value.Rounding == 0 && computed != nearest {
				t.Fatalf("%s at %v with %v: %v in float64, but %v is nearest to %v", formulaText, p, floats, computed, nearest, want)
			}
			distance, _ := want.Sub(want, new(big.Rat).SetFloat64(computed)).Float64()
			if value.Rounding > 0 && math.Abs(distance) > value.Rounding {
				t.Fatalf("%s at %v with %v: %v in float64 is off by %v, at most %v", formulaText, p, floats, computed, distance, value.Rounding)
			}
		}
	})
	t.Logf("%d values, %d are not the nearest", bounded, off)
	if bounded >= 1000 && off == 0 {
		t.Error("float64 rounds no value")
	}
}

// Each row is a condition that float64 decides wrongly for some box, each for another reason.
func TestEdge(t *testing.T) {
	for _, test := range []struct {
		condition string
		at        exact.Point
		exactly   bool
	}{
		// Ties.
		{"depth > (1 / 3) * width", exact.Point{60_300, 20_100, 0}, false},
		{"!(depth <= (1 / 3) * width)", exact.Point{60_300, 20_100, 0}, false},
		{"width < 3 * depth", exact.Point{300, 100, 0}, false},
		{"depth + 0.3 == width", exact.Point{-62_199, -62_499, 0}, true},
		{"0.1 + 0.2 > 0.3", exact.Point{}, false},
		{"max(0.1 + 0.2, width) > 0.3", exact.Point{}, false},
		{"min(0.1 + 0.2, width) <= 0.3", exact.Point{1000, 0, 0}, true},
		{"0.1 + 0.2 > 0.3 && width > 0", exact.Point{1, 0, 0}, false},
		{"0.1 + 0.2 == 0.3 || width > 0", exact.Point{}, true},
		// A factor is a power of 2, but is computed as another number.
		{"width >= width * ((0.3 - 0.1) * 5)", exact.Point{-1000, 0, 0}, true},
		{"width * ((0.3 - 0.1) * 5) >= depth", exact.Point{1000, 1000, 0}, true},
		{"width * 0.1 * 2 != depth * 0.2 - 0.1", exact.Point{300, 800, 0}, false},
		{"2 * (0.1 + 0.2) > 0.6", exact.Point{}, false},
		// Subtracting large numbers that are almost equal leaves large errors.
		{"width > 99999999999999.9 - 99999999999999.8", exact.Point{106, 0, 0}, true},
		{"width > 99999999999999.9 - 99999999999999.8", exact.Point{101, 0, 0}, true},
		{"(width + 100000000000000) - 100000000000000 > 0.1", exact.Point{101, 0, 0}, true},
		{"width * (0.1 + 100000000000000 - 100000000000000) > 9.5", exact.Point{100_000, 0, 0}, true},
		{"950 < width / (0.1 + 100000000000000 - 100000000000000)", exact.Point{90_000, 0, 0}, false},
		{"2 * (99999999999999.9 - 99999999999999.8) > 0.21", exact.Point{}, false},
		{"3 * (99999999999999.9 - 99999999999999.8) > 0.31", exact.Point{}, false},
		// A divisor that is computed as 0 makes infinities and NaN.
		{"0 * width / (0.00000000000001 * 0.00000000000001 + 1 - 1) <= 5", exact.Point{1000, 0, 0}, true},
		{"0 * (width / (0.00000000000001 * 0.00000000000001 + 1 - 1)) <= 5", exact.Point{1000, 0, 0}, true},
		{"0 * (width / (0.00000000000001 * 0.00000000000001 + 1 - 1)) + width > 5", exact.Point{6000, 0, 0}, true},
		{"max(0 / (0.00000000000001 * 0.00000000000001 + 1 - 1), 3) <= 5", exact.Point{1000, 0, 0}, true},
		// The sides differ by so little that their nearest float64s are equal.
		{"8 * 9.99999999999986 > 639.999999999991 / 8", exact.Point{}, true},
		{"width / 8 / 8 / 8 / 8 / 8 / 8 > 1.00000093460083", exact.Point{262144_245, 0, 0}, true},
	} {
		condition, problems := expression.Condition(test.condition)
		if len(problems) > 0 {
			t.Fatal(test.condition, problems)
		}
		budget := 100
		tree, problem := condition.Condition(exact.NewVariables(nil, boxVariables()), &budget)
		if problem != nil {
			t.Fatal(test.condition, problem)
		}
		environment := make(map[string]float64)
		for axis, name := range exact.AxisNames() {
			environment[name] = exact.Float64At(test.at[axis])
		}
		program, err := compiled(test.condition, environment, expr.AsBool())
		if err != nil {
			t.Fatal(test.condition, err)
		}
		computed, err := expr.Run(program, environment)
		if tree.Holds(test.at) != test.exactly || computed != !test.exactly || err != nil {
			t.Errorf("%s at %v: %v exactly, %v, %v in float64, want %v and %v", test.condition, test.at, tree.Holds(test.at), computed, err, test.exactly, !test.exactly)
		}
		if !tree.OnEdge(test.at) {
			t.Errorf("%s at %v: on no edge of %v", test.condition, test.at, tree)
		}
		if !tree.WithEdge().Contains(test.at) {
			t.Errorf("%s at %v: false with its edge", test.condition, test.at)
		}
	}
}

// Each row is a condition that float64 decides correctly for every box.
func TestNoEdge(t *testing.T) {
	for _, text := range []string{
		"depth > width", "width != 498.25", "depth > 2 * width", "height < width / 2", "max(width, 0.5 * depth) > min(-height * 4, 0.1)",
		"width > 1000000", "16 * width >= 0.12345678901234", "0.1 == 0.1", "!(2 < width <= 4 * depth) || height > 8 / 16",
	} {
		condition, problems := expression.Condition(text)
		if len(problems) > 0 {
			t.Fatal(text, problems)
		}
		budget := 100
		tree, problem := condition.Condition(exact.NewVariables(nil, boxVariables()), &budget)
		if problem != nil {
			t.Fatal(text, problem)
		}
		if tree.HasEdge() {
			t.Errorf("%s has an edge: %v", text, tree)
		}
	}
}

// TestOffTheEdge draws conditions and boxes, most of them on a tie, at an end of an edge, or a few
// thousandths away from either. If a box is not on an edge, expr has to agree with the exact condition.
// WithEdge has to contain every box for which either of them holds.
func TestOffTheEdge(t *testing.T) {
	boxes, onEdge, otherwise, constants := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := &roundingText{T: t}
		variables, floats := text.material()
		formulas, err := map[string]*vm.Program{}, error(nil)
		for _, name := range []string{"blank_width", "blank_height"} {
			formulaText := text.number(2)
			formula, problems := expression.Formula(formulaText)
			if len(problems) > 0 {
				t.Skip("not a formula")
			}
			value, problem := formula.Value(exact.NewVariables(nil, variables))
			if problem != nil {
				t.Skip("numbers too large")
			}
			variables[name] = value
			if formulas[name], err = compiled(formulaText, floats, expr.AsFloat64()); err != nil {
				t.Fatal(formulaText, err)
			}
		}
		text.blank = true
		conditionText := text.condition(2)
		condition, problems := expression.Condition(conditionText)
		if len(problems) > 0 {
			t.Skip("not a condition")
		}
		budget := 1000
		// Sometimes the condition is in another unit.
		unit, ratio := "", exact.Ratio{Num: 1, Den: 1}
		if text.choose(4) == 0 {
			unit, ratio = "mm", exact.Ratio{Num: 127, Den: 5}
		}
		tree, problem := condition.ConditionIn(unit, ratio, exact.NewVariables(nil, variables), &budget)
		if problem != nil {
			t.Skip("numbers too large")
		}
		widened, folded := tree.WithEdge(), tree.Region()
		machine, err := compiled(conditionText, floats, expr.AsBool())
		if err != nil {
			t.Fatal(conditionText, err)
		}
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "place") }
		source := gen.Boxes{Draw: draw, Low: exact.Point{}, High: exact.Point{500_000, 500_000, 500_000}, Faces: ends(tree)}
		if len(source.Faces) == 0 {
			constants++
		}
		for range 20 {
			p := source.Next()
			if draw(2) == 0 {
				p = beside(draw, source.Faces)
			}
			for axis, name := range exact.AxisNames() {
				floats[name] = float64(p[axis]) / 1000
			}
			for name, formula := range formulas {
				x, err := expr.Run(formula, floats)
				if err != nil {
					t.Fatal(err)
				}
				floats[name] = x.(float64)
			}
			converted := make(map[string]float64)
			for name, x := range floats {
				converted[name] = ratio.Convert(x)
			}
			result, err := expr.Run(machine, converted)
			if err != nil {
				t.Fatal(err)
			}
			holds := result.(bool)
			boxes++
			if tree.OnEdge(p) {
				onEdge++
				if holds != tree.Holds(p) {
					otherwise++
				}
			} else if holds != tree.Holds(p) {
				t.Fatalf("%s in %q at %v with %v: %v exactly, %v in float64, and on no edge of %v", conditionText, unit, p, converted, tree.Holds(p), holds, tree)
			}
			if (holds || folded.Contains(p)) && !widened.Contains(p) {
				t.Fatalf("%s in %q at %v with %v: %v exactly, %v in float64, and false with its edge", conditionText, unit, p, converted, tree.Holds(p), holds)
			}
		}
	})
	t.Logf("%d boxes, %d on an edge, %d decided otherwise; %d conditions without a dimension", boxes, onEdge, otherwise, constants)
	// A run with few checks, as with -rapid.checks=20, may miss the edges by chance. TestEdge has boxes that
	// are known to be decided otherwise.
	if boxes >= 2000 && (otherwise == 0 || boxes < onEdge*2) {
		t.Error("float64 decided no box otherwise, or most boxes are on an edge")
	}
}

// TestEdgeInOtherUnits: the box is in inches, and the condition in mm. A converted length is the nearest float64 if it is a
// dimension or a constant on the grid within MaxDimension. Otherwise converting it may add four times the error of a sum.
func TestEdgeInOtherUnits(t *testing.T) {
	const (
		coefficient = 9_000_000 // of the width in the formula for the blank, so that it has large errors
		size        = 0x1p-52 * coefficient * exact.MaxDimension * exact.Scale
	)
	for _, test := range []struct {
		condition string
		constant  *big.Rat // caliper
		rounding  float64  // of the blank, in thousandths
		distance  float64  // of the edge, in thousandths; 0 if not even ties are on the edge
	}{
		{"width > 254", nil, 0, 0},
		{"width > depth", nil, 0, 0},
		{"2 * width >= depth / 4", nil, 0, 0},
		{"width > caliper", big.NewRat(10, 1), 0, 0},
		{"width > caliper", big.NewRat(12_001, 1000), 0, 0},
		{"width > caliper", big.NewRat(exact.MaxDimension, 1), 0, 0},
		{"caliper >= -4 * width", big.NewRat(-exact.MaxDimension, 1), 0, 0},
		// More decimals than the grid has, or more than MaxDimension. Ties are on the edge.
		{"2 * width > 4 * caliper", big.NewRat(20_001, 2000), 0, 1e-3},
		{"4 * width > caliper", big.NewRat(exact.MaxDimension+1, 1), 0, 1e-3},
		// The blank itself may be off by one rounding, or by more than that, and its conversion by four.
		{"blank_width > depth", nil, 0, 5 * size},
		{"blank_width > depth", nil, 3, 3 + 4*size},
		{"depth <= blank_width", nil, 100, 100 + 4*size},
	} {
		variables := boxVariables()
		variables["caliper"] = exact.Variable{Value: exact.Constant(test.constant)}
		blank, err := exact.Dimension(exact.Width).Times(big.NewRat(coefficient, 1))
		if err != nil {
			t.Fatal(err)
		}
		variables["blank_width"] = exact.Variable{Value: blank, Axes: []int{exact.Width}, Rounding: test.rounding / exact.Scale}
		budget := 10
		c, problem := mustCondition(t, test.condition).ConditionIn("mm", exact.Ratio{Num: 127, Den: 5}, exact.NewVariables(nil, variables), &budget)
		if problem != nil {
			t.Fatal(test.condition, problem)
		}
		// The edge has the tie, and the whole numbers of thousandths within the distance on both sides of it.
		want := int64(0)
		if test.distance > 0 {
			want = 2*int64(test.distance) + 1
		}
		if got := c.Edge.Inside + c.Edge.Outside; got != want {
			t.Errorf("%s with %v, %v: %v has %d numbers on its edge, want %d", test.condition, test.constant, test.rounding, c, got, want)
		}
	}
}

// beside returns a box on one of the faces, if it can, or up to three thousandths away from it. The other
// two dimensions have at most one decimal, like most of what people enter.
func beside(draw gen.Draw, faces []exact.HalfSpace) (p exact.Point) {
	for axis := range p {
		p[axis] = 100 * int64(1+draw(5000))
	}
	if len(faces) == 0 {
		return p
	}
	face, axis := faces[draw(len(faces))], draw(exact.Axes)
	if face.A[axis] == 0 {
		return p
	}
	rest := face.K
	for i := range p {
		if i != axis {
			rest -= face.A[i] * p[i]
		}
	}
	a := face.A[axis]
	if a < 0 {
		a, rest = -a, -rest
	}
	x := exact.FloorDiv(rest, a) + []int64{0, 0, 0, 0, 0, 0, 1, -1, 2, -2, 3, -3}[draw(12)]
	p[axis] = min(max(x, -exact.MaxGrid), exact.MaxGrid)
	return p
}

// ends returns the planes of a tree's half-spaces, and those at the ends of their edges.
func ends(t exact.Condition) (faces []exact.HalfSpace) {
	if t.Kind == exact.Half {
		for _, k := range []int64{0, -t.Edge.Outside, t.Edge.Inside} {
			faces = append(faces, exact.HalfSpace{A: t.Half.A, K: t.Half.K + k})
		}
	}
	for _, part := range t.Parts {
		faces = append(faces, ends(part)...)
	}
	return faces
}
