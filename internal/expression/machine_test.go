package expression_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/internal/expression"
)

func mustCondition(t testing.TB, text string) *expression.Expression {
	t.Helper()
	e, problems := expression.Condition(text)
	if e == nil {
		t.Fatalf("Condition(%q): problems %v", text, problems)
	}
	return e
}

// A box has the variables of the documented conditions as float64s.
type box struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight float64
	blankWidth, blankHeight, sheetWidth, sheetHeight             float64
}

// documented are the conditions as a service written in Go would compute them. Each product is
// converted to float64, because otherwise Go may fuse it with an addition and round once.
var documented = map[boxrules.Code]func(w, d, h float64, b box) bool{
	"BOX_2100": func(w, d, h float64, b box) bool { return w < b.minWidth },
	"BOX_2101": func(w, d, h float64, b box) bool { return w > b.maxWidth },
	"BOX_2102": func(w, d, h float64, b box) bool { return d < b.minDepth },
	"BOX_2103": func(w, d, h float64, b box) bool { return d > b.maxDepth },
	"BOX_2104": func(w, d, h float64, b box) bool { return h < b.minHeight },
	"BOX_2105": func(w, d, h float64, b box) bool { return h > b.maxHeight },
	"BOX_3100": func(w, d, h float64, _ box) bool { return d > w },
	"BOX_3101": func(w, d, h float64, _ box) bool { return d > float64(w*2) },
	"BOX_3102": func(w, d, h float64, _ box) bool { return h > d && d >= 60 },
	"BOX_3103": func(w, d, h float64, _ box) bool { return w <= float64(d*3)/4 },
	"BOX_3104": func(w, d, h float64, _ box) bool { return h > w },
	"BOX_3105": func(w, d, h float64, _ box) bool { return h > d },
	"BOX_3106": func(w, d, h float64, _ box) bool { return h > w && d > w },
	"BOX_3107": func(w, d, h float64, _ box) bool { return h > w && d > w && d > h },
	"BOX_3108": func(w, d, h float64, _ box) bool { return h > w && d > w && d < h },
	"BOX_3109": func(w, d, h float64, _ box) bool { return w > d },
	"BOX_3110": func(w, d, h float64, _ box) bool { return w >= d && d < h && h > w },
	"BOX_3111": func(w, d, h float64, _ box) bool { return d > h },
	"BOX_3112": func(w, d, h float64, _ box) bool { return d > h/2.5 },
	"BOX_3113": func(w, d, h float64, _ box) bool { return w > d && w+d > 498.25 && w+h < 498.25 },
	"BOX_3114": func(w, d, h float64, _ box) bool { return w > d && w+d > 498.25 && w+h > 498.25 && d+h < 498.25 },
	"BOX_3115": func(w, d, h float64, _ box) bool { return h < float64(2*d) },
	"BOX_3116": func(w, d, h float64, _ box) bool { return h > float64(d*4)/5 },
	"BOX_3117": func(w, d, h float64, _ box) bool { return w < h },
	"BOX_3118": func(w, d, h float64, _ box) bool { return w > float64(2*d) },
	"BOX_3119": func(w, d, h float64, _ box) bool { return d > float64((1.0/3)*w) },
	"BOX_3120": func(w, d, h float64, _ box) bool { return h < w/2 },
	"BOX_3121": func(w, d, h float64, _ box) bool { return (d > w && d >= h && h > w+30) || (d > w && d < h) },
	"BOX_3122": func(w, d, h float64, _ box) bool {
		return (d <= w && w >= h && h > d+30 && d+30 >= 35) || (d <= w && w < h && w >= 35)
	},
	"BOX_4100": func(w, d, h float64, b box) bool {
		return (b.blankWidth > b.sheetWidth || b.blankHeight > b.sheetHeight) &&
			(b.blankWidth > b.sheetHeight || b.blankHeight > b.sheetWidth)
	},
}

// TestDocumentedInDoublePrecision compares each documented condition with the way in which a service most
// likely computes it, for the blank of the illustrative limits. Half of the boxes have round ratios, so
// that many comparisons are ties. Double precision decides some of those differently from exact
// arithmetic.
func TestDocumentedInDoublePrecision(t *testing.T) {
	blankWidth, problems := expression.Formula("2*width + 2*depth + glue_flap")
	if blankWidth == nil {
		t.Fatal(problems)
	}
	blankHeight, problems := expression.Formula("height + 2*depth + 2*min(max(0.5*depth, 12), 25)")
	if blankHeight == nil {
		t.Fatal(problems)
	}
	const glueFlap = 35.1
	b := box{minWidth: 20.1, maxWidth: 400, minDepth: 15.3, maxDepth: 250.7, minHeight: 30.2, maxHeight: 450.9, sheetWidth: 1039.7, sheetHeight: 720.3}
	machine := expression.NewMachine()
	for name, value := range map[string]float64{"min_width": b.minWidth, "max_width": b.maxWidth, "min_depth": b.minDepth,
		"max_depth": b.maxDepth, "min_height": b.minHeight, "max_height": b.maxHeight, "glue_flap": glueFlap,
		"sheet_width": b.sheetWidth, "sheet_height": b.sheetHeight} {
		machine.Set(name, value)
	}
	rules := boxrules.DefaultRules().Rules()
	if len(rules) != len(documented) {
		t.Fatalf("%d rules, %d conditions here", len(rules), len(documented))
	}
	conditions := make([]*expression.Expression, len(rules))
	for i, r := range rules {
		conditions[i] = mustCondition(t, r.When)
	}
	held, failed := make(map[boxrules.Code]bool), make(map[boxrules.Code]bool)
	check := func(w, d, h float64) {
		machine.Set("width", w)
		machine.Set("depth", d)
		machine.Set("height", h)
		b.blankWidth = float64(float64(2*w)+float64(2*d)) + glueFlap
		b.blankHeight = float64(h+float64(2*d)) + float64(2*min(max(float64(0.5*d), 12), 25))
		if got := blankWidth.Float64(machine); got != b.blankWidth {
			t.Fatalf("%v x %v x %v: blank_width %v, want %v", w, d, h, got, b.blankWidth)
		}
		if got := blankHeight.Float64(machine); got != b.blankHeight {
			t.Fatalf("%v x %v x %v: blank_height %v, want %v", w, d, h, got, b.blankHeight)
		}
		machine.Set("blank_width", b.blankWidth)
		machine.Set("blank_height", b.blankHeight)
		for i, r := range rules {
			got := conditions[i].Holds(machine)
			if want := documented[r.Code](w, d, h, b); got != want {
				t.Fatalf("%s at %v x %v x %v: %v, want %v", r.Code, w, d, h, got, want)
			}
			held[r.Code], failed[r.Code] = held[r.Code] || got, failed[r.Code] || !got
		}
	}
	ratios := []float64{1, 2, 3, 4, 5, 1.25, 2.5, 0.75}
	for tenths := 100; tenths < 4600; tenths += 7 {
		for i, ratio := range ratios {
			side := float64(tenths) / 10
			other := math.Round(float64(tenths)/ratio) / 10
			third := 498.25 - side
			if i%2 == 0 {
				third = math.Round(float64(tenths)*ratio) / 10
			}
			check(side, other, third)
			check(other, third, side)
			check(third, side, other)
			check(side, side+30, other)
		}
	}
	for code := range documented {
		if !held[code] || !failed[code] {
			t.Errorf("%s: holds for a box: %v, does not for another: %v", code, held[code], failed[code])
		}
	}
}

// TestTieInDoublePrecision checks a box whose depth is exactly a third of its width. What double
// precision decides depends on how the condition is written.
func TestTieInDoublePrecision(t *testing.T) {
	machine := expression.NewMachine()
	machine.Set("width", 5.1)
	machine.Set("depth", 1.7)
	for text, want := range map[string]bool{
		"depth > (1 / 3) * width": true, "depth > width / 3": false, "3 * depth > width": false,
	} {
		if got := mustCondition(t, text).Holds(machine); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestWholeNumbersInDoublePrecision checks expressions that have another value if whole numbers are ints
// of 64 or 32 bits, and numbers that a machine with 32 bits cannot read as they are written.
func TestWholeNumbersInDoublePrecision(t *testing.T) {
	large, one := 999999999999999.0, 1.0
	for text, want := range map[string]float64{
		"1 / 3":                             one / 3,
		"7 / 2 * 2":                         7,
		"30":                                30,
		"2 - 3 - 4":                         -5,
		"-(2 - 3) * +4":                     4,
		"min(3, 2.5, 4) + max(1, 2)":        4.5,
		"min(7, 9) / 2":                     3.5,
		"100000 * 100000":                   1e10,
		"2147483647 + 1":                    2147483648,
		"12345678901 + 0.5":                 12345678901.5,
		"123456789.0 + 12345678901":         12469135690,
		"999999999999999":                   large,
		"999999999999999 * 999999999999999": large * large,
		"999999999999999 * 10 + 1 - 999999999999999 * 10": float64(float64(large*10)+1) - float64(large*10),
		"1 / 0":       math.Inf(1),
		"-1 / 0":      math.Inf(-1),
		"caliper / 4": 0,
	} {
		e, problems := expression.Formula(text)
		if e == nil {
			t.Fatalf("Formula(%q): problems %v", text, problems)
		}
		if got := e.Float64(expression.NewMachine()); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"1 == 1.0": true, "2 == 1 + 1": true, "2 != 1 + 1": false, "0.1 + 0.2 == 0.3": false, "999999999999999 == 999999999999999": true,
		"1 < 2 < 3": true, "1 < 2 < 2": false, "3 > 2 >= 2 > 1": true, "not (1 < 2) or 2 < 1": false, "0 / 0 == 0 / 0": false,
		"3 * 999999999999999 * 999999999999999 > 2": true,
	} {
		if got := mustCondition(t, text).Holds(expression.NewMachine()); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestSentencesInDoublePrecision compares random conditions with an evaluation of their Nodes in Go.
func TestSentencesInDoublePrecision(t *testing.T) {
	names := strings.Split(conditionNames, ", ")
	machine := expression.NewMachine()
	rapid.Check(t, func(t *rapid.T) {
		text := condition(t, 3)
		if len(text) > expression.MaxLength {
			t.Skip("too long")
		}
		values := make(map[string]float64)
		for _, name := range names {
			values[name] = rapid.Float64().Draw(t, name)
			machine.Set(name, values[name])
		}
		e, problems := expression.Condition(text)
		if e == nil {
			t.Fatalf("Condition(%q): problems %v", text, problems)
		}
		if got, want := e.Holds(machine), holds(e.Root(), values); got != want {
			t.Fatalf("%s with %v: %v, want %v", text, values, got, want)
		}
	})
}

// holds evaluates a condition in Go.
func holds(n *expression.Node, values map[string]float64) bool {
	operand := func(i int) bool { return holds(n.Operands[i], values) }
	switch n.Kind {
	case expression.Negation:
		return !operand(0)
	case expression.Conjunction:
		return operand(0) && operand(1)
	case expression.Disjunction:
		return operand(0) || operand(1)
	}
	left, right := value(n.Operands[0], values), value(n.Operands[1], values)
	return map[string]bool{"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "==": left == right, "!=": left != right}[n.Text]
}

// value evaluates a number in Go.
func value(n *expression.Node, values map[string]float64) float64 {
	switch n.Kind {
	case expression.Number:
		number, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			panic(err)
		}
		return number
	case expression.Variable:
		return values[n.Text]
	}
	operands := make([]float64, len(n.Operands))
	for i, operand := range n.Operands {
		operands[i] = value(operand, values)
	}
	left, right := operands[0], operands[len(operands)-1]
	switch n.Text {
	case "min":
		return slices.MinFunc(operands, order)
	case "max":
		return slices.MaxFunc(operands, order)
	case "*":
		return left * right
	case "/":
		return left / right
	case "+":
		if n.Kind == expression.Sign {
			return left
		}
		return left + right
	}
	if n.Kind == expression.Sign {
		return -left
	}
	return left - right
}

// order leaves NaN where it is, as expr's min and max do.
func order(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestSeveralMachines lets machines share an expression, for the race detector.
func TestSeveralMachines(t *testing.T) {
	e := mustCondition(t, "min(width, 2) + 1 > 2.5 && 1 < width < 3")
	var wait sync.WaitGroup
	for _, width := range []float64{1, 2, 3} {
		wait.Go(func() {
			machine := expression.NewMachine()
			machine.Set("width", width)
			for range 100 {
				if got := e.Holds(machine); got != (width == 2) {
					t.Errorf("width %v: %v", width, got)
					return
				}
			}
		})
	}
	wait.Wait()
}
