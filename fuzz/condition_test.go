package fuzz

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"

	"example.com/boxrules"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/limits"
)

// variables are those of the article and the material in smallCatalogue; dimensions and blank are
// added.
var variables = map[string]string{
	"min_width": "20", "max_width": "400", "min_depth": "15", "max_depth": "250.5", "min_height": "30", "max_height": "450",
	"caliper": "3", "glue_flap": "35", "sheet_width": "1040", "sheet_height": "720",
}

// puzzles are boxes in thousandths, many of them on the edges of simple conditions.
var puzzles = [][3]int64{
	{0, 0, 0}, {1, 1, 1}, {-1, 0, 1}, {30, 10, 1}, {20_000, 15_000, 30_000}, {400_000, 250_500, 450_000}, {60_000, 60_000, 60_000},
	{90_000, 30_000, 75_000}, {100, 200, 300}, {120_000, 240_000, 360_000}, {249_125, 249_125, 249_125}, {300_000, 198_250, 1},
	{143_000, 50_000, 303_000}, {48_000, 141_000, 184_000}, {5_000, 12_500, 25_000}, {2_500, 1_000, 4_000}, {333_333, 111_111, 999_999},
	{1_000_000_000, -1_000_000_000, 999_999_999}, {7, 11, 13}, {30_001, 30_000, 29_999},
}

// FuzzCondition gives the engine any text as a condition. What it accepts it decides exactly as
// the tree that expr reads is worth, and as expr's own machine does where no rounding can turn a
// comparison. In double precision it means what expr's own machine makes of it.
func FuzzCondition(f *testing.F) {
	for _, r := range boxrules.DefaultRules().Rules() {
		f.Add(r.When)
	}
	for _, text := range []string{
		"10 <= width < 2 * depth <= 300", "not (width == depth) and height != 0", "!(max(width, -depth, 3) / -2.5 >= min(height, 0.1 * width))",
		"-(width - depth) - -height > +1", "1 / 3 * width - depth / 3 == 0", "width * depth > 1", "width > 1 ? 2 : 3", "width in 1..3",
		"true", "((((width))))>0",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // JSON, which quotes the text here, has no way to write it
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		data := fmt.Appendf(nil, "version: 1\nconstraint:\n- code: BOX_0001\n  when: %s\n  message: m\n", quoted)
		rules, err := boxrules.LoadRules("rules.yaml", data)
		if err != nil {
			checkErrors(t, err, file{"rules.yaml", data})
			return
		}
		small := []byte(smallCatalogue([]string{"BOX_0001"}))
		catalogue, err := limits.Load("small.yaml", small)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			checkErrors(t, err, file{"rules.yaml", data}, file{"small.yaml", small})
			return
		}
		decide(t, engine, rules.Rules()[0].When)
	})
}

func decide(t *testing.T, engine *boxrules.Engine, text string) {
	floats := make(map[string]float64)
	environment(puzzles[0], floats)
	asWritten, err := expr.Compile(text, expr.Env(floats), expr.AsBool(), expr.Optimize(false))
	if err != nil {
		t.Fatalf("%q: the engine accepts what expr does not: %v", text, err)
	}
	condition, problems := expression.Condition(text)
	if len(problems) > 0 {
		t.Fatalf("%q: %v", text, problems)
	}
	machine := expression.NewMachine()
	program, err := expr.Compile(text, expr.Env(floats), expr.AsBool(), expr.Optimize(false), expr.Patch(toFloats{}))
	if err != nil {
		t.Fatalf("%q: the engine accepts what expr does not: %v", text, err)
	}
	for _, p := range puzzles {
		values := environment(p, floats)
		verdict, err := engine.Check(boxrules.Box{Article: "a", Material: "thick",
			Dims: boxrules.Dims{Width: floats["width"], Depth: floats["depth"], Height: floats["height"]}})
		if err != nil {
			t.Fatal(err)
		}
		e := evaluator{values: values, sharp: true}
		want := e.condition(asWritten.Node())
		if verdict.OK() == want {
			t.Errorf("%q at %v: %v, want %v", text, p, !verdict.OK(), want)
		}
		for name, value := range floats {
			machine.Set(name, value)
		}
		result, err := expr.Run(program, floats)
		if err != nil || result != condition.Holds(machine) {
			t.Errorf("%q at %v: in double precision %v, expr's machine says %v, %v", text, p, condition.Holds(machine), result, err)
		}
		if e.sharp && result != want {
			t.Errorf("%q at %v: %v, expr's machine says %v", text, p, !verdict.OK(), result)
		}
	}
}

// environment are the values of all variables for the box, exactly, and in floats as expr's
// machine has them.
func environment(p [3]int64, floats map[string]float64) map[string]*big.Rat {
	values := make(map[string]*big.Rat)
	for axis, name := range []string{"width", "depth", "height"} {
		values[name] = big.NewRat(p[axis], 1000)
	}
	for name, text := range variables {
		values[name], _ = new(big.Rat).SetString(text)
	}
	flap := new(big.Rat).Mul(values["depth"], big.NewRat(1, 2))
	flap = extreme(flap, big.NewRat(12, 1), 1)
	flap = extreme(flap, big.NewRat(25, 1), -1)
	width := new(big.Rat).Add(values["width"], values["depth"])
	values["blank_width"] = width.Add(width.Add(width, width), values["glue_flap"])
	height := new(big.Rat).Add(values["depth"], flap)
	values["blank_height"] = height.Add(height.Add(height, height), values["height"])
	for name, value := range values {
		floats[name], _ = value.Float64()
	}
	return values
}

// toFloats makes expr's machine compute in float64 throughout, as integers could overflow.
type toFloats struct{}

func (toFloats) Visit(n *ast.Node) {
	if i, ok := (*n).(*ast.IntegerNode); ok {
		ast.Patch(n, &ast.FloatNode{Value: float64(i.Value)})
	}
}

// extreme is the greater of a and b where sign is 1, the smaller where it is -1.
func extreme(a, b *big.Rat, sign int) *big.Rat {
	if a.Cmp(b)*sign < 0 {
		return b
	}
	return a
}

// An evaluator gives an expr tree its exact value, and bounds what float64 arithmetic makes of it.
type evaluator struct {
	values map[string]*big.Rat
	sharp  bool // no comparison so far is so close that rounding could turn it
}

func (e *evaluator) condition(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return !e.condition(n.Node)
	case *ast.BinaryNode:
		switch n.Operator {
		case "&&", "and":
			left, right := e.condition(n.Left), e.condition(n.Right)
			return left && right
		case "||", "or":
			left, right := e.condition(n.Left), e.condition(n.Right)
			return left || right
		}
		left, leftOff := e.number(n.Left)
		right, rightOff := e.number(n.Right)
		apart, _ := new(big.Rat).Sub(left, right).Float64()
		e.sharp = e.sharp && math.Abs(apart) > 2*(leftOff+rightOff)
		order := left.Cmp(right)
		return map[string]bool{">": order > 0, ">=": order >= 0, "<": order < 0, "<=": order <= 0, "==": order == 0, "!=": order != 0}[n.Operator]
	}
	panic(fmt.Sprintf("%T is no condition", n))
}

// number is the exact value of n, and how far off a float64 computation of it can be.
func (e *evaluator) number(n ast.Node) (value *big.Rat, off float64) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return rounded(big.NewRat(int64(n.Value), 1), 0)
	case *ast.FloatNode:
		value, _ = new(big.Rat).SetString(strconv.FormatFloat(n.Value, 'g', -1, 64))
		return rounded(value, 0)
	case *ast.IdentifierNode:
		return rounded(e.values[n.Value], 0)
	case *ast.UnaryNode:
		value, off = e.number(n.Node)
		if n.Operator == "-" {
			value = new(big.Rat).Neg(value)
		}
		return value, off
	case *ast.BuiltinNode:
		sign := map[string]int{"max": 1, "min": -1}[n.Name]
		for i, argument := range n.Arguments {
			v, o := e.number(argument)
			if i == 0 {
				value = v
			}
			value, off = extreme(value, v, sign), max(off, o)
		}
		return value, off
	}
	b := n.(*ast.BinaryNode)
	left, leftOff := e.number(b.Left)
	right, rightOff := e.number(b.Right)
	switch b.Operator {
	case "+":
		return rounded(new(big.Rat).Add(left, right), leftOff+rightOff)
	case "-":
		return rounded(new(big.Rat).Sub(left, right), leftOff+rightOff)
	case "*":
		return rounded(new(big.Rat).Mul(left, right), size(left)*rightOff+size(right)*leftOff+leftOff*rightOff)
	case "/":
		quotient := new(big.Rat).Quo(left, right)
		return rounded(quotient, (leftOff+size(quotient)*rightOff)/max(0, size(right)-rightOff))
	}
	panic(b.Operator + " is no arithmetic")
}

func size(r *big.Rat) float64 {
	f, _ := r.Float64()
	return math.Abs(f)
}

// rounded adds to off what rounding the value once more can.
func rounded(value *big.Rat, off float64) (*big.Rat, float64) {
	return value, off + (size(value)+off)*0x1p-52
}
