package learn_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// documented returns the documented rules with replacements.
func documented(t testing.TB, replacements ...string) *boxrules.RuleSet {
	t.Helper()
	rules, err := boxrules.LoadRules("rules.yaml", []byte(lab.DocumentedRules(t, replacements...)))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestRulesRefused: rules under which some limit cannot be learned are errors with their place and what would
// be accepted.
func TestRulesRefused(t *testing.T) {
	const lead = "limits cannot be learned under "
	const none = "rules.yaml:1:1: " + lead + "these rules: none of them compares width with min_width"
	const mixed = ", so this one must do exactly that, as in width < min_width"
	for _, test := range []struct {
		name string
		edit []string
		code string // where the error is; none if it is empty
		want string
	}{
		{"a bound that is no limit", []string{"when: width < min_width", "when: width < 20"}, "", none},
		{"the limit of another dimension", []string{"when: depth > max_depth", "when: width > max_depth"}, "BOX_2103",
			"BOX_2103: " + lead + "this rule: no other rule compares depth with max_depth" + mixed},
		{"inclusive", []string{"when: height > max_height", "when: height >= max_height"}, "BOX_2105",
			"BOX_2105: " + lead + "this rule: no other rule compares height with max_height" + mixed},
		{"two in one", []string{"when: height > max_height", "when: height > max_height || height < min_height"}, "BOX_2105",
			"BOX_2105: " + lead + "this rule: no other rule compares height with max_height" + mixed},
		{"a constraint mentions the limit", []string{"when: width < min_width", "when: width < 20", "when: depth > width\n", "when: depth > width + min_width\n"}, "", none},
		{"a rule is missing", []string{"  - code: BOX_2100\n    when: width < min_width\n    message: width is smaller than the minimum allowed\n", ""}, "", none},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := documented(t, test.edit...)
			_, err := learn.New(rules, several(), options())
			var problems source.Errors
			if !errors.As(err, &problems) || len(problems) != 1 {
				t.Fatalf("New = %v, want one error", err)
			}
			want := test.want
			if at := rules.Position(boxrules.Code(test.code)); test.code != "" {
				want = at.String() + ": " + want
			}
			if err.Error() != want {
				t.Errorf("New = %v, want %s", err, want)
			}
		})
	}
	// Everything that is wrong is reported.
	rules := documented(t, "when: width < min_width", "when: width < 20", "when: height > max_height", "when: height >= max_height")
	var problems source.Errors
	if _, err := learn.New(rules, several(), options()); !errors.As(err, &problems) || len(problems) != 2 {
		t.Errorf("New = %v, want two errors", err)
	}
	const all = "own.yaml:1:1: " + lead + "these rules: none of them compares a dimension with its limit, as in width < min_width; " +
		"extends: documented adds such rules"
	rules = loadRules(t, "version: 1\nboundary:\n  - {code: OWN_0001, when: width < 5, message: m}\n")
	if _, err := learn.New(rules, several(), options()); err == nil || err.Error() != all {
		t.Errorf("New = %v, want %s", err, all)
	}
	// What is no more than another way to write them is taken.
	for _, edit := range [][]string{
		{"when: width < min_width", "when: min_width  >  width"},
		{"(blank_width > sheet_width || blank_height", "( blank_width>sheet_width||blank_height"},
		{"when: depth > width\n", "when: depth > max(width, caliper) + glue_flap - blank_width\n"},
	} {
		if _, err := learn.New(documented(t, edit...), several(), options()); err != nil {
			t.Errorf("New = %v", err)
		}
	}
}

func TestOptionsRefused(t *testing.T) {
	const step, most = "a number greater than 0 with at most three decimals", "a number from the step to 1000000, and at most 1000000 steps"
	for _, test := range []struct {
		o           learn.Options
		field, want string
	}{
		{learn.Options{}, "step", step},
		{learn.Options{Step: -1, Max: 2000}, "step", step},
		{learn.Options{Step: 0.0001, Max: 2000}, "step", step},
		{learn.Options{Step: 0.0015, Max: 2000}, "step", step},
		{learn.Options{Step: 1.0 / 3, Max: 2000}, "step", step},
		{learn.Options{Step: math.NaN(), Max: 2000}, "step", step},
		{learn.Options{Step: math.Inf(1), Max: 2000}, "step", step},
		{learn.Options{Step: 2_000_000, Max: 2_000_000}, "step", step},
		{learn.Options{Step: 1}, "max", most},
		{learn.Options{Step: 2, Max: 1}, "max", most},
		{learn.Options{Step: 1, Max: math.NaN()}, "max", most},
		{learn.Options{Step: 1, Max: math.Inf(1)}, "max", most},
		{learn.Options{Step: 1, Max: 1_000_001}, "max", most},
		{learn.Options{Step: 0.5, Max: 500_001}, "max", most},
		{learn.Options{Step: 0.001, Max: 1_001}, "max", most},
	} {
		_, err := learn.New(boxrules.DefaultRules(), several(), test.o)
		var option *boxrules.OptionError
		if !errors.As(err, &option) || option.Option != test.field || !strings.HasSuffix(option.Message, "accepted: "+test.want) {
			t.Errorf("New(%+v) = %v, want %s: accepted: %s", test.o, err, test.field, test.want)
		}
	}
	for _, o := range []learn.Options{
		{Step: 0.001, Max: 0.001}, {Step: 1_000_000, Max: 1_000_000}, {Step: 1, Max: 1_000_000}, {Step: 0.1, Max: 7.77},
	} {
		l, err := learn.New(boxrules.DefaultRules(), several(), o)
		if err != nil {
			t.Errorf("New(%+v) = %v", o, err)
			continue
		}
		l.Next(2)
	}
}

// TestFrameRefused: files that do not fit together have the same errors as in boxrules.New.
func TestFrameRefused(t *testing.T) {
	for _, test := range []struct{ name, frame, want string }{
		{"unit", "unit: Zoll\nmaterials:\n  m: {caliper: 1, glue_flap: 2}\narticles:\n  a: {}\n", "unit"},
		{"a blank that grows too large", "unit: mm\nmaterials:\n  m: {caliper: 1, glue_flap: 2}\narticles:\n" +
			"  a:\n    blank: {width: 9000000000*width + depth, height: height}\n", "BOX_4100: the numbers are too large"},
	} {
		frame := frameOf(t, "version: 1\n"+test.frame)
		var problems source.Errors
		_, err := learn.New(boxrules.DefaultRules(), frame, options())
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: New = %v, want %s", test.name, err, test.want)
		}
	}
}

// TestNewNil: neither the rules nor the frame can be left out.
func TestNewNil(t *testing.T) {
	for _, missing := range []struct {
		rules *boxrules.RuleSet
		frame *limits.Catalogue
	}{{nil, several()}, {boxrules.DefaultRules(), nil}, {}} {
		if l, err := learn.New(missing.rules, missing.frame, options()); l != nil || err == nil || err.Error() != "learn.New: rules and a frame are both required" {
			t.Errorf("New = %v, %v", l, err)
		}
	}
}

// TestAddRefused: nothing can be learned from what is no answer about a box of the frame.
func TestAddRefused(t *testing.T) {
	l := learnerOf(t, several(), options())
	box := boxrules.Box{Article: "sleeve", Material: "carton-300", Dims: boxrules.Dims{Width: 100, Depth: 80, Height: 60}}
	with := func(change func(b *boxrules.Box)) boxrules.Box {
		b := box
		change(&b)
		return b
	}
	for _, test := range []struct {
		a     learn.Answer
		field string
	}{
		{learn.Answer{Box: with(func(b *boxrules.Box) { b.Article = "nothing" })}, "article"},
		{learn.Answer{Box: with(func(b *boxrules.Box) { b.Material = "nothing" })}, "material"},
		{learn.Answer{Box: with(func(b *boxrules.Box) { b.Material = "e-flute" })}, "material"},
		{learn.Answer{Box: with(func(b *boxrules.Box) { b.Width = math.NaN() })}, "width"},
		{learn.Answer{Box: with(func(b *boxrules.Box) { b.Height = 1e7 })}, "height"},
		{learn.Answer{Box: box, Code: "BOX_999"}, "code"},
		{learn.Answer{Box: box, Code: "QTT_1114"}, "code"},
		{learn.Answer{Box: box, Code: "ok"}, "code"},
	} {
		before := facts(l)
		var input *boxrules.InputError
		if err := l.Add(test.a); !errors.As(err, &input) || input.Field != test.field || strings.Contains(err.Error(), "\n") {
			t.Errorf("Add(%+v) = %v, want an error about %s", test.a, err, test.field)
		}
		if after := facts(l); strings.Join(before, "\n") != strings.Join(after, "\n") {
			t.Errorf("Add(%+v) changes what is known", test.a)
		}
		if _, err := l.Possible(test.a.Box); (err != nil) != (test.field != "code") {
			t.Errorf("Possible(%+v) = %v", test.a.Box, err)
		}
	}
	// A row that was not learned from is not counted.
	if err := l.Add(learn.Answer{Box: box}); err != nil {
		t.Fatal(err)
	}
	var c *learn.Contradiction
	if err := l.Add(learn.Answer{Box: box, Code: boxrules.BOX_2100}); !errors.As(err, &c) || !slices.Equal(c.Rows, []int{1, 2}) {
		t.Errorf("Add = %v, want rows 1 and 2", err)
	}
}

// TestRuleOfAnyCode: a code that the rules define is about boxes, even if its number is that of a code about a parameter.
func TestRuleOfAnyCode(t *testing.T) {
	l, err := learn.New(loadRules(t, strings.Replace(limitRules, "OWN_0001", "DLN_0001", 1)), frameOf(t, lineFrame), options())
	if err != nil {
		t.Fatal(err)
	}
	if err := add(t, l, 1, "case board 19x9x8 DLN_0001", time.Time{}); err != nil {
		t.Errorf("Add = %v", err)
	}
}

// TestBlankOfLimits: a blank that depends on what is to be learned cannot be known before.
func TestBlankOfLimits(t *testing.T) {
	for _, name := range []string{"max_width", "min_depth", "sheet_height"} {
		frame := frameOf(t, "version: 1\nunit: mm\n"+
			"materials:\n  m: {caliper: 1, glue_flap: 1}\narticles:\n  a:\n    blank: {width: width + depth, height: height + "+name+"}\n")
		_, err := learn.New(boxrules.DefaultRules(), frame, learn.Options{Step: 1, Max: 100})
		want := "frame.yaml:6:3: articles.a: the blank mentions " + name
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("New of a blank with %s: %v, want %s", name, err, want)
		}
	}
}
