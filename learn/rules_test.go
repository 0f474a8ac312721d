package learn_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// ownRules are rules of a shop from which all, some or nothing can be learned.
const ownRules = `version: 1
extends: documented
boundary:
  - {code: SHOP_2000, when: width + depth + height > 900, message: girth}
  - {code: SHOP_2001, when: width + 50 > max_width + min_depth, message: a margin}
constraint:
  - {code: SHOP_3000, when: height > 3 * depth, message: too tall}
  - {code: SHOP_3001, when: height > max_height - 30, message: near the maximum}
size:
  - {code: SHOP_4000, when: "max(blank_width, blank_height) < 250", message: too small for the cutter}
  - {code: SHOP_4001, when: "blank_width + blank_height > sheet_width + sheet_height - 20", message: no margin}
`

func loadRules(t testing.TB, text string) *boxrules.RuleSet {
	t.Helper()
	rules, err := boxrules.LoadRules("own.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestWarnings: a rule that mentions what is to be learned, or comes before a limit, ends nothing. It has a warning
// with its place.
func TestWarnings(t *testing.T) {
	l, err := learn.New(loadRules(t, ownRules), several(), options())
	if err != nil {
		t.Fatal(err)
	}
	const want = "own.yaml:11:30: SHOP_4001: the rule mentions the sheet, which has yet to be learned, so little can be learned from answers with its code"
	if got := l.Warnings().Err(); got == nil || got.Error() != want {
		t.Errorf("warnings %v, want %v", got, want)
	}
	early := documented(t, "boundary:\n", "boundary:\n  - {code: SHOP_1000, when: width > 500, message: early}\n")
	if l, err = learn.New(early, frameOf(t, ownFrame), options()); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(l.Warnings().Err()), "SHOP_1000: the rule comes before the comparison with a limit, so nothing can be learned from answers with its code"; !strings.HasSuffix(got, want) {
		t.Errorf("warning %q, want %q", got, want)
	}
	if err := add(t, l, 1, "case board 600x90x80 SHOP_1000", time.Time{}); !errors.Is(err, learn.ErrUnknownCode) {
		t.Errorf("Add = %v", err)
	}
	for _, f := range l.Facts() {
		if len(f.Rows) > 0 {
			t.Errorf("%v follows from a rule that comes before the limits", f)
		}
	}
}

// ownFrame is what answers cannot show of ownLimits.
const ownFrame = `version: 1
unit: mm
materials: {board: {caliper: 1, glue_flap: 0, sheet: large}}
articles: {case: {blank: {width: 2*width + 2*depth, height: height + depth}}}
`

// ownLimits returns limits with these numbers: the limits by axis, the sheet, and the selected constraints.
func ownLimits(t testing.TB, low, high [3]int, long, short int, constraints ...string) *limits.Catalogue {
	t.Helper()
	c, err := limits.Load("limits.yaml", fmt.Appendf(nil, `version: 1
unit: mm
sheets: {large: {width: %d, height: %d}}
materials: {board: {caliper: 1, glue_flap: 0, sheet: large}}
articles:
  case:
    width: {min: %d, max: %d}
    depth: {min: %d, max: %d}
    height: {min: %d, max: %d}
    constraints: [%s]
    blank: {width: 2*width + 2*depth, height: height + depth}
`, long, short, low[0], high[0], low[1], high[1], low[2], high[2], strings.Join(constraints, ", ")))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOwnRules learns limits from services whose rules mention limits and sheets, and learns all of them. Rules about
// which nothing is learned do no harm: what the service answers is always among what is possible.
func TestOwnRules(t *testing.T) {
	rules := loadRules(t, ownRules)
	for i, c := range []*limits.Catalogue{
		ownLimits(t, [3]int{60, 40, 40}, [3]int{400, 250, 450}, 1040, 720, "BOX_3100", "SHOP_3000", "SHOP_3001"),
		ownLimits(t, [3]int{55, 33, 27}, [3]int{371, 260, 512}, 900, 613, "BOX_3104", "SHOP_3000"),
		ownLimits(t, [3]int{20, 15, 30}, [3]int{400, 300, 450}, 1273, 499),
	}[:lab.Draws(1, 3)] {
		service, err := boxrules.New(rules, c)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learn.New(rules, frameOf(t, ownFrame), options())
		if err != nil {
			t.Fatal(err)
		}
		questions := 0
		for boxes := l.Next(1); len(boxes) > 0 && questions < 150; boxes = l.Next(1) {
			questions++
			a := ask(t, service, boxes[0])
			if possible, err := l.Possible(a.Box); err != nil || !slices.Contains(possible, a.Code) {
				t.Fatalf("%d: %+v is %s, %v, possible is %q", i, a.Box, a.Code, err, possible)
			}
			if err := l.Add(a); err != nil && err != learn.ErrBorderline {
				t.Fatalf("%d: %v", i, err)
			}
		}
		t.Logf("%d: %d questions", i, questions)
		for _, f := range l.Facts() {
			if f.State != learn.Decided && f.State != learn.Unobservable {
				t.Errorf("%d: after %d questions: %v", i, questions, f)
			}
		}
		learned, err := l.Catalogue(true)
		if err != nil {
			t.Fatal(err)
		}
		after, err := boxrules.New(rules, learned)
		if err != nil {
			t.Fatal(err)
		}
		for change := range lint.Diff(service, after) {
			// All sheets that are possible hold the same blanks, but they are not the same for SHOP_4001.
			if change.Kind != lint.Identical && change.From != "SHOP_4001" && change.To != "SHOP_4001" {
				t.Errorf("%d: the learned limits differ: %v", i, change)
			}
		}
	}
}

// TestOwnRulesProof proves limits under such rules, and finds each change of the file by one of the answers.
func TestOwnRulesProof(t *testing.T) {
	rules := loadRules(t, ownRules)
	low, high, sheet, selected := [3]int{60, 40, 40}, [3]int{400, 250, 450}, [2]int{1040, 600}, []string{"BOX_3100", "SHOP_3000"}
	truth, err := boxrules.New(rules, ownLimits(t, low, high, sheet[0], sheet[1], selected...))
	if err != nil {
		t.Fatal(err)
	}
	proof, err := learn.Proof(truth, options())
	if err != nil {
		t.Fatal(err)
	}
	differs := func(name string, c *limits.Catalogue) {
		t.Helper()
		other, err := boxrules.New(rules, c)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(proof, func(a learn.Answer) bool { return ask(t, other, a.Box).Code != a.Code }) {
			t.Errorf("no answer of the %d finds %s", len(proof), name)
		}
	}
	for axis := range low {
		for _, by := range []int{-1, 1} {
			low, high := low, high
			low[axis] += by
			differs("a minimum", ownLimits(t, low, high, sheet[0], sheet[1], selected...))
			low[axis] -= by
			high[axis] += by
			differs("a maximum", ownLimits(t, low, high, sheet[0], sheet[1], selected...))
		}
	}
	differs("a longer sheet", ownLimits(t, low, high, sheet[0]+1, sheet[1], selected...))
	differs("a wider sheet", ownLimits(t, low, high, sheet[0], sheet[1]+1, selected...))
	differs("a missing constraint", ownLimits(t, low, high, sheet[0], sheet[1], "BOX_3100"))
	differs("a constraint that mentions a limit", ownLimits(t, low, high, sheet[0], sheet[1], "BOX_3100", "SHOP_3000", "SHOP_3001"))

	// All blanks fit this sheet and those that are larger, but SHOP_4001 tells them apart.
	truth, err = boxrules.New(rules, ownLimits(t, low, high, 2000, 1500, selected...))
	if err != nil {
		t.Fatal(err)
	}
	const want = "undecided which boxes prove case in board: SHOP_4001 mentions sheet_width, and no box proves its value"
	if _, err := learn.Proof(truth, options()); err == nil || err.Error() != want {
		t.Errorf("Proof = %v, want %s", err, want)
	}
	early := documented(t, "boundary:\n", "boundary:\n  - {code: SHOP_1000, when: width > 500, message: early}\n")
	if truth, err = boxrules.New(early, ownLimits(t, low, high, 2000, 1500)); err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Proof(truth, options()); err == nil || !strings.Contains(err.Error(), "SHOP_1000") {
		t.Errorf("Proof = %v, want an error about SHOP_1000", err)
	}
}

// TestRulesOfLimits learns from random services whose rules mention limits, in every stage. What the service answers
// is always possible, no answers contradict each other, and the limits that are written keep their promise unless a
// comment at their head withdraws it.
func TestRulesOfLimits(t *testing.T) {
	templates := []string{
		"width > max_width - %d", "height < min_height + %d", "depth + height > max_width + %d", "width < max_width / 4 - %d",
		"width > max_depth && height > min_width + %d", "width + depth + height > %d + max_height", "width > 3 * depth + %d",
		"max_width - min_width < %d * 10", "height / 3 > min_depth + %d || depth > 2 * max_height",
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := func(what string, from, to int) int { return rapid.IntRange(from, to).Draw(rt, what) }
		text, codes := "version: 1\nextends: documented\n", []string{}
		for _, stage := range []string{"boundary", "constraint", "size"} {
			count := n(stage, 0, 2)
			if count > 0 {
				text += stage + ":\n"
			}
			for i := range count {
				code := fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i)
				text += fmt.Sprintf("  - {code: %s, when: %q, message: m}\n", code,
					fmt.Sprintf(rapid.SampledFrom(templates).Draw(rt, "condition"), n("number", 0, 120)))
				if stage == "constraint" && n("selected", 0, 1) == 1 {
					codes = append(codes, code)
				}
			}
		}
		rules := loadRules(t, text)
		var low, high [3]int
		for axis := range low {
			low[axis] = n("min", 1, 60)
			high[axis] = n("max", low[axis], 300)
		}
		if n("documented", 0, 1) == 1 {
			codes = append(codes, "BOX_3104")
		}
		service, err := boxrules.New(rules, ownLimits(t, low, high, n("long", 100, 1200), n("short", 50, 600), codes...))
		if err != nil {
			rt.Fatal(err)
		}
		l, err := learn.New(rules, frameOf(t, ownFrame), learn.Options{Step: 1, Max: 300})
		if err != nil {
			rt.Fatal(err)
		}
		box := func() boxrules.Box {
			b := boxrules.Box{Article: "case", Material: "board"}
			for axis, side := range []*float64{&b.Width, &b.Depth, &b.Height} {
				*side = float64(max(1, rapid.SampledFrom([]int{low[axis], high[axis], low[axis] + high[axis]/2}).Draw(rt, "near")+n("off", -40, 40)))
			}
			return b
		}
		for range n("answers", 0, 70) {
			b := box()
			if n("ask", 0, 3) > 0 {
				if boxes := l.Next(1); len(boxes) > 0 {
					b = boxes[0]
				}
			}
			a := ask(t, service, b)
			if possible, err := l.Possible(b); err != nil || !slices.Contains(possible, a.Code) {
				rt.Fatalf("%+v is %q, %v, possible is %q", b, a.Code, err, possible)
			}
			if err := l.Add(a); err != nil && err != learn.ErrBorderline {
				rt.Fatal(err)
			}
		}
		for _, lenient := range []bool{true, false} {
			var file strings.Builder
			if err := l.WriteLimits(&file, lenient); err != nil {
				continue // nothing is certain yet
			}
			c, err := limits.Load("learned.yaml", []byte(file.String()))
			if err != nil {
				rt.Fatal(err)
			}
			learned, err := boxrules.New(rules, c)
			if err != nil {
				rt.Fatal(err)
			}
			for range 30 {
				b := box()
				truth, _ := service.Check(b)
				said, err := learned.Check(b)
				switch {
				case err != nil || strings.Contains(file.String(), "which is not decided: with this rule"):
				case lenient && truth.OK() && !said.OK():
					rt.Fatalf("%+v: the lenient limits say %s, and the service accepts it\n%s", b, said.Code(), file.String())
				case !lenient && said.OK() && !truth.OK():
					rt.Fatalf("%+v: the strict limits accept it, and the service says %s\n%s", b, truth.Code(), file.String())
				}
			}
		}
	})
}

// TestRuleContradicted: an answer that a rule for all articles excludes cannot be true, and names the rule.
func TestRuleContradicted(t *testing.T) {
	l, err := learn.New(loadRules(t, ownRules), frameOf(t, ownFrame), options())
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct{ answer, want string }{
		{"case board 400x300x300 ok", "case SHOP_2000: row 1 cannot be true: the condition holds for the box"},
		{"case board 40x30x50 SHOP_2000", "case SHOP_2000: row 2 cannot be true: the condition does not hold for the box"},
		{"case board 40x30x50 ok", "case SHOP_4000: row 3 cannot be true: the condition holds for the box"},
	} {
		if err := add(t, l, i+1, test.answer, time.Time{}); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.answer, err, test.want)
		}
	}
	var facts []string
	for _, f := range l.Facts() {
		if f.State == learn.Contradicted {
			facts = append(facts, f.What)
		}
	}
	if !slices.Equal(facts, []string{"SHOP_2000", "SHOP_4000"}) {
		t.Errorf("contradictions about %q", facts)
	}
}
