package boxrules_test

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// slowValues computes Reason.Values with plain fractions.
func slowValues(form exact.Form, condition exact.Condition, at exact.Point) string {
	var texts []string
	var walk func(exact.Condition)
	walk = func(tree exact.Condition) {
		if c := tree.Comparison; c != nil {
			text := slowSide(form, c.Left, at) + " " + c.Operator + " " + slowSide(form, c.Right, at)
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			return
		}
		for _, part := range tree.Parts {
			if tree.Kind == exact.And {
				walk(part)
			} else if part.Holds(at) {
				walk(part)
				return
			}
		}
	}
	walk(condition)
	return strings.Join(texts, " and ")
}

func slowSide(form exact.Form, s exact.Side, at exact.Point) string {
	text, from := "", 0
	for _, name := range s.Names {
		v, _ := form.Variables.Get(name.Name)
		text += s.Text[from:name.End] + " " + slowNumber(v.Value.At(at))
		from = name.End
	}
	text += s.Text[from:]
	if !strings.ContainsAny(s.Text, "+-*/(") {
		return text
	}
	result := slowNumber(s.Value.At(at))
	if strings.HasPrefix(result, "≈") {
		return text + " " + result
	}
	return text + " = " + result
}

func slowNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if new(big.Int).Rem(big.NewInt(1_000_000), r.Denom()).Sign() != 0 {
		return "≈ " + r.FloatString(3)
	}
	return strings.TrimRight(r.FloatString(6), "0")
}

// strange has rules with numbers of all sizes. Some of their sums are equal, and others do not fit into
// an int64.
const strange = `constraint:
  - {code: ODD_0001, when: width / 7 - depth / 3 > height * 0.001, message: m}
  - {code: ODD_0002, when: 12.34567 * width < 2 * height - 3 / 7, message: m}
  - {code: ODD_0003, when: "width * 20000 / 20000 <= max(depth, 0.1 * height) - 1 / 3000", message: m}
  - {code: ODD_0004, when: 16385 * width - 16385 * depth == height - height, message: m}
  - {code: ODD_0005, when: width - depth + 1 / 2000 > 100000000.5 / 7 - 100000000 / 7 + height / 16384, message: m}
  - {code: ODD_0006, when: "width > depth && (width > depth || height > 3) && depth - width < -1 / 1999", message: m}
  - {code: ODD_0007, when: "width * 0.33333 + 9 >= 2 * min(depth - 7, height / 9)", message: m}
`

// TestReasonText: the text of a reason is the same as with plain fractions, and AppendReason appends that
// of the first reason.
func TestReasonText(t *testing.T) {
	all := slices.Clone(boxrules.Default().Profiles())
	var articles string
	for _, code := range []string{"ODD_0001", "ODD_0002", "ODD_0003", "ODD_0004", "ODD_0005", "ODD_0006", "ODD_0007"} {
		articles += articleOf("only-"+code, "min: 1, max: 1000", code)
	}
	all = append(all, engineOf(t, strange, articles).Profiles()...)
	kept := "kept "
	for _, p := range all {
		boxes, form, told := profiles.Boxes(p), p.Exact(), 0
		for range 400 {
			d := strangeBox(boxes)
			at, _ := d.Grid()
			reasons, err := p.Reasons(d)
			text, errText := p.AppendReason([]byte(kept), d)
			if err != nil || errText != nil {
				t.Fatalf("%s %+v: %v, %v", p.Article(), d, err, errText)
			}
			first, i := "", 0
			for _, r := range reasons {
				for ; p.Rules()[i].Code != r.Code; i++ {
				}
				want := slowValues(form, form.Conditions[i], at)
				if told++; r.Values != want {
					t.Fatalf("%s %+v: %s: %q, want %q", p.Article(), d, r.Code, r.Values, want)
				}
				if first == "" {
					first = want
				}
			}
			if string(text) != kept+first {
				t.Fatalf("%s: AppendReason of %+v appends %q, want %q", p.Article(), d, text[len(kept):], first)
			}
		}
		if told < 50 {
			t.Errorf("%s in %s: %d reasons were compared", p.Article(), p.Material(), told)
		}
	}
}

// strangeBox returns a box, sometimes a square one or one with huge dimensions.
func strangeBox(boxes *gen.Boxes) boxrules.Dims {
	at := boxes.Next()
	switch boxes.Draw(8) {
	case 0:
		at[exact.Depth] = at[exact.Width]
	case 1:
		at[boxes.Draw(exact.Axes)] = []int64{-exact.MaxGrid, exact.MaxGrid}[boxes.Draw(2)]
	}
	return boxrules.DimsAt(at)
}

func TestAppendReasonErrors(t *testing.T) {
	p := must(boxrules.Default().Profile("tuck-end", "carton-300"))
	var input *boxrules.InputError
	bad := boxrules.Dims{Width: 2e6, Depth: 1, Height: 1}
	if text, err := p.AppendReason([]byte("x"), bad); string(text) != "x" || !errors.As(err, &input) || input.Field != "width" {
		t.Errorf("AppendReason of %+v = %q, %v, want an error for width", bad, text, err)
	}
	if text, err := new(boxrules.Profile).AppendReason([]byte("x"), boxrules.Dims{}); string(text) != "x" || err == nil {
		t.Errorf("AppendReason of a zero Profile = %q, %v", text, err)
	}
	text := make([]byte, 0, 200)
	d := boxrules.Dims{Width: 390, Depth: 240, Height: 440}
	if n := testing.AllocsPerRun(100, func() { text, _ = p.AppendReason(text[:0], d) }); n != 0 {
		t.Errorf("AppendReason of %+v, %s, allocates %v times", d, text, n)
	}
}
