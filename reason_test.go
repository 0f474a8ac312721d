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
	"example.com/boxrules/limits"
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

// TestReasonInOtherUnit: a number of a rule in another unit has its unit after it, and the result is in the unit of the
// box. A factor has no unit.
func TestReasonInOtherUnit(t *testing.T) {
	const limitsInInches = "version: 1\nunit: in\nsheets: {s: {width: 40, height: 30}}\n" +
		"materials: {m: {caliper: 0.02, glue_flap: 0.5, sheet: s}}\narticles:\n"
	for when, want := range map[string]string{
		"width + depth > 498.25":                   "width 12 + depth 8 = 20 > 498.25 mm ≈ 19.616",
		"30 / 2 < height":                          "30 mm / 2 ≈ 0.591 < height 7",
		"25.4 < height":                            "25.4 mm = 1 < height 7",
		"depth > (1 / 3) * width":                  "depth 8 > (1 / 3) * width 12 = 4",
		"width > 2 * (depth - 2.54 * 30)":          "width 12 > 2 * (depth 8 - 2.54 * 30 mm) = 10",
		"depth - 7 - 1 > 0":                        "depth 8 - 7 mm - 1 mm ≈ 7.685 > 0",
		"width >= max(height, 254, 3)":             "width 12 >= max(height 7, 254 mm, 3 mm) = 10",
		"width / caliper > 500":                    "width 12 / caliper 0.02 = 600 > 500",
		"caliper * width > 64.516":                 "caliper 0.02 * width 12 = 0.24 > 64.516 mm^2 = 0.1",
		"5.08 / caliper == 10":                     "5.08 mm / caliper 0.02 = 10 == 10",
		"1 < 2 && width > 1 * 25.4":                "1 < 2 and width 12 > 1 * 25.4 mm = 1",
		"width + caliper * width > 25.4":           "width 12 + caliper 0.02 * width 12 = 459.6384 (in mm) > 25.4 mm = 25.4 (in mm)",
		"25.4 < height < width - 2 * 25.4 + width": "25.4 mm = 1 < height 7 and height 7 < width 12 - 2 * 25.4 mm + width 12 = 22",
		"!(width <= depth)":                        "width 12 > depth 8",
	} {
		rules, err := boxrules.LoadRules("rules.yaml", []byte("version: 1\nconstraint:\n  - {code: ODD_0001, when: '"+when+"', message: m}\n"))
		if err != nil {
			t.Fatal(err)
		}
		catalogue, err := limits.Load("limits.yaml", []byte(limitsInInches+articleOf("a", "min: 1, max: 90", "ODD_0001")))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		p, err := engine.Profile("a", "m")
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.AppendReason(nil, boxrules.Dims{Width: 12, Depth: 8, Height: 7})
		if err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, want %q", when, text, err, want)
		}
		// A Reason names the unit of the rule only if the rule contains a number that is a length in this unit.
		unit := ""
		if strings.Contains(want, "mm") {
			unit = "mm"
		}
		if found, err := p.Reasons(boxrules.Dims{Width: 12, Depth: 8, Height: 7}); err != nil || len(found) != 1 || found[0].Unit != unit {
			t.Errorf("%s: %+v, %v; want the unit %q", when, found, err, unit)
		}
	}
	same := must(boxrules.Default().Profile("tuck-end", "carton-300"))
	if found, err := same.Reasons(boxrules.Dims{Width: 48, Depth: 141, Height: 184}); err != nil || len(found) == 0 || found[0].Unit != "" {
		t.Errorf("%+v, %v; want no unit", found, err)
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

// TestFormulas: a reason about the blank shows the formula of each side that it mentions, also that of a style.
func TestFormulas(t *testing.T) {
	const file = `version: 1
unit: in
values: {tuck: 1}
sheets: {s: {width: 40, height: 30}}
materials: {m: {caliper: 0.0625, glue_flap: 1.25, sheet: s, values: {max_fold: 0.5}}}
articles:
  styled: {width: {min: 1, max: 90}, depth: {min: 1, max: 90}, height: {min: 1, max: 90}, constraints: [], blank: {style: fefco-0215}}
  roll: {width: {min: 1, max: 90}, depth: {min: 1, max: 90}, height: {min: 1, max: 90}, constraints: [], blank: {style: fefco-0330}}
  plain:
    width: {min: 1, max: 90}
    depth: {min: 1, max: 90}
    height: {min: 1, max: 90}
    constraints: []
    blank:
      width: min(width, 90) +
        max_fold / 3
      height: height
`
	for _, test := range []struct {
		article string
		d       boxrules.Dims
		want    []string
	}{
		{"styled", boxrules.Dims{Width: 12, Depth: 8, Height: 7}, []string{
			"blank_width of fefco-0215 = 2*width 12 + 2*depth 8 + glue_flap 1.25 + 4*caliper 0.0625 = 41.5"}},
		{"styled", boxrules.Dims{Width: 10, Depth: 4, Height: 40}, []string{
			"blank_height of fefco-0215 = height 40 + 1.7*depth 4 + tuck 1 + 3*caliper 0.0625 = 47.9875"}},
		{"roll", boxrules.Dims{Width: 10, Depth: 4, Height: 8}, []string{
			"blank_width of fefco-0330 = width 10 + 4*height 8 + 10/25.4 ≈ 42.394"}},
		{"plain", boxrules.Dims{Width: 35, Depth: 4, Height: 35}, []string{
			"blank_width = min(width 35, 90) + max_fold 0.5 / 3 ≈ 35.167", "blank_height = height 35"}},
		{"plain", boxrules.Dims{Width: 91, Depth: 4, Height: 4}, nil}, // too wide, which is not about the blank
	} {
		e, err := profileOf(t, profiles.Engine(t, "", file), test.article).Explain(test.d, 1)
		if err != nil || len(e.Violations) == 0 || !slices.Equal(e.Violations[0].Formulas, test.want) {
			t.Errorf("%s: %+v, %v, want %q", test.article, e.Violations, err, test.want)
		}
	}
}
