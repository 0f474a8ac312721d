package form_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/form"
	"example.com/boxrules/limits"
)

// What to say at the fields of a German form.
func ExampleCheck() {
	typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: "48,5", Depth: "141", Height: "184"}
	_, issues := form.Check(boxrules.Default(), typed, form.Language("de"))
	for _, issue := range issues {
		fmt.Printf("%s: %s (at most %v)\n", issue.Field, issue.Message, *issue.Max)
	}
	// Output:
	// depth: Die Breite darf höchstens 48,5 mm betragen. (at most 48.5)
}

// A sentence of one's own for a rule, in the language of the customer.
func ExampleLanguage() {
	messages := form.Language("de-AT")
	messages["BOX_3100"] = "Bitte geben Sie die längere Seite zuerst an: höchstens {max} {unit}."
	typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: "48,5", Depth: "141", Height: "184"}
	_, issues := form.Check(boxrules.Default(), typed, messages)
	for _, issue := range issues {
		fmt.Println(issue.Message)
	}
	// Output: Bitte geben Sie die längere Seite zuerst an: höchstens 48,5 mm.
}

// TestMessages: sentences of one's own come first, and what is missing is English.
func TestMessages(t *testing.T) {
	typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: "48", Depth: "141", Height: "184"}
	for want, messages := range map[string]form.Messages{
		"Depth must be at most 48 mm.":             nil,
		"The short side must be at most 48 mm.":    {"depth": "the short side"},
		"Not 141 millimetres, but 48.":             {"BOX_3100": "Not {value} {unit}, but {max}{min}.", "mm": "millimetres"},
		"Die Tiefe darf höchstens 48 mm betragen.": func() form.Messages { m := form.Language("de"); m["depth"] = "Tiefe"; return m }(),
	} {
		_, issues := form.Check(boxrules.Default(), typed, messages)
		if len(issues) != 1 || issues[0].Message != want {
			t.Errorf("got %+v, want %q", issues, want)
		}
	}
	typed.Depth = "48"
	if box, issues := form.Check(boxrules.Default(), typed, nil); len(issues) > 0 || box.Depth != 48 || box.Article != "tuck-end" {
		t.Errorf("a valid box: %+v, %+v", box, issues)
	}
}

// TestFractions reads what a ruler in inches shows, if the unit of the limits is in.
func TestFractions(t *testing.T) {
	for unit, want := range map[string]string{"in": "Width must be at most 15 inches.", "cm": "Width must be a plain number, such as 48 or 48.5."} {
		catalogue, err := limits.Load("limits.yaml", []byte(`version: 1
unit: `+unit+`
sheets: {s: {width: 100, height: 70}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 2, max: 15}, depth: {min: 1, max: 15}, height: {min: 1, max: 15}, constraints: []}}
`))
		if err != nil {
			t.Fatal(err)
		}
		e, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		_, issues := form.Check(e, form.Typed{Article: "a", Material: "m", Width: "15 1/8", Depth: "12", Height: "3"}, nil)
		if len(issues) != 1 || issues[0].Message != want {
			t.Errorf("%s: got %+v, want %q", unit, issues, want)
		}
		number := map[string]string{"in": "Width must be a plain number, such as 48 or 12 3/8.", "cm": want}[unit]
		_, issues = form.Check(e, form.Typed{Article: "a", Material: "m", Width: "wide", Depth: "12", Height: "3"}, nil)
		if len(issues) != 1 || issues[0].Message != number {
			t.Errorf("%s: got %+v, want %q", unit, issues, number)
		}
		box, issues := form.Check(e, form.Typed{Article: "a", Material: "m", Width: "12 3/8", Depth: "12", Height: "3"}, nil)
		if unit == "in" && (len(issues) > 0 || box.Width != 12.375) {
			t.Errorf("12 3/8 is read as %+v, %+v", box, issues)
		}
	}
}

// TestDecimals: a width has at most as many decimals as the limit file says.
func TestDecimals(t *testing.T) {
	for _, test := range []struct {
		decimals    int
		width, want string // the message, or "" if the width is accepted
	}{
		{0, "48", ""},
		{0, "48.5", "Width has too many decimals: at most 0."},
		{1, "48.2", ""},
		{1, "48.20", ""}, // the same number
		{1, "48.25", "Width has too many decimals: at most 1."},
		{2, "48.01", ""},
		{2, "48.011", "Width has too many decimals: at most 2."},
		{3, "48.011", ""},
		{3, "48.0114", ""}, // is rounded
	} {
		catalogue, err := limits.Load("limits.yaml", fmt.Appendf(nil, "%sdecimals: %d\n", limits.IllustrativeYAML(), test.decimals))
		if err != nil {
			t.Fatal(err)
		}
		e, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: test.width, Depth: "40", Height: "184"}
		_, issues := form.Check(e, typed, nil)
		switch {
		case test.want == "" && len(issues) > 0:
			t.Errorf("%d decimals, %s: got %+v, want no issue", test.decimals, test.width, issues)
		case test.want != "" && (len(issues) != 1 || issues[0].Kind != "decimals" || issues[0].Message != test.want):
			t.Errorf("%d decimals, %s: got %+v, want %q", test.decimals, test.width, issues, test.want)
		}
	}
}

// TestLongNumber: a number may have as many characters as for ParseDimension.
func TestLongNumber(t *testing.T) {
	longest := "48." + strings.Repeat("0", boxrules.MaxDimensionLength-3)
	for text, want := range map[string]int{longest: 0, longest + "0": 1} {
		typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: text, Depth: "40", Height: "184"}
		if _, issues := form.Check(boxrules.Default(), typed, nil); len(issues) != want {
			t.Errorf("%d characters: got %+v, want %d issues", len(text), issues, want)
		}
	}
}

// TestMessageOfOwnRule: the issue for a rule of one's own has the message of this rule, and not that of another.
func TestMessageOfOwnRule(t *testing.T) {
	e, err := boxtest.Files{Rules: `version: 1
extends: documented
constraint:
- {code: SHOP_0001, when: height > 3 * width, message: too tall for our gluer}
- {code: SHOP_0002, when: depth > 2 * width, message: too deep for our gluer}
- {code: SHOP_0003, when: height > 3 * depth, message: too slim for our gluer}
`, Limits: `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 10, sheet: s}}
articles:
  a: {width: {min: 5, max: 90}, depth: {min: 5, max: 90}, height: {min: 5, max: 90}, constraints: [SHOP_0001, SHOP_0002, SHOP_0003]}
`}.Engine()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ depth, height, code, want string }{
		{"20", "31", "SHOP_0001", "too tall for our gluer"},
		{"21", "20", "SHOP_0002", "too deep for our gluer"},
		{"6", "19", "SHOP_0003", "too slim for our gluer"},
	} {
		_, issues := form.Check(e, form.Typed{Article: "a", Material: "m", Width: "10", Depth: test.depth, Height: test.height}, nil)
		if len(issues) != 1 || string(issues[0].Code) != test.code || issues[0].Message != test.want {
			t.Errorf("10 x %s x %s: got %+v, want %s with %q", test.depth, test.height, issues, test.code, test.want)
		}
	}
}
