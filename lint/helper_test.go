package lint_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/lint"
)

// engineOf returns an engine for a rule file, whose version may be missing, and the articles of a
// limit file. If the rules are empty, it uses the documented ones.
func engineOf(t rapid.TB, rules, articles string) *boxrules.Engine {
	t.Helper()
	other := ""
	if strings.Contains(articles, "[m, o]") {
		other = "  o: {caliper: 2, glue_flap: 30, sheet: s}\n"
	}
	return compiled(t, rules, gen.WorldLimits(other, articles))
}

// compiled returns an engine for a rule file, as in engineOf, and a whole limit file.
func compiled(t rapid.TB, rules, file string) *boxrules.Engine {
	t.Helper()
	if rules != "" && !strings.Contains(rules, "version: 1\n") {
		rules = "version: 1\n" + rules
	}
	return profiles.Engine(t, rules, file)
}

// lintOf returns the findings of Lint without UnlikelyUnit, because most limits of these tests are
// low.
func lintOf(e *boxrules.Engine) []lint.Finding {
	isUnit := func(f lint.Finding) bool { return f.Kind == lint.UnlikelyUnit }
	return slices.DeleteFunc(slices.Collect(lint.Lint(e)), isUnit)
}

// constraintsOf returns a constraint stage with the conditions under the codes X_0001, X_0002 and so
// on, and a list of these codes.
func constraintsOf(conditions ...string) (stage, codes string) {
	stage = "constraint:\n"
	var all []string
	for i, when := range conditions {
		all = append(all, fmt.Sprintf("X_%04d", i+1))
		stage += gen.WorldRule(all[i], when)
	}
	return stage, strings.Join(all, ", ")
}

// slottedBlank is the blank of a slotted case. It can be appended to an article.
const slottedBlank = "    blank:\n      width: 2*width + 2*depth + glue_flap\n      height: height + depth\n"

func profileOf(t testing.TB, e *boxrules.Engine, article string) *boxrules.Profile {
	t.Helper()
	p, err := e.Profile(article, "m")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// findingsOf returns the findings about the profile after confirming each of them.
func findingsOf(t rapid.TB, p *boxrules.Profile, all []lint.Finding) []lint.Finding {
	t.Helper()
	var findings []lint.Finding
	for _, f := range all {
		if f.Article == p.Article() && f.Material == p.Material() {
			confirmFinding(t, p, f)
			findings = append(findings, f)
		}
	}
	return findings
}

// constraints returns the documented codes of the constraint stage.
func constraints() []string {
	var codes []string
	for _, rule := range boxrules.DefaultRules().Rules() {
		if rule.Stage == boxrules.Constraint {
			codes = append(codes, string(rule.Code))
		}
	}
	return codes
}

func join(codes []boxrules.Code) string {
	var all []string
	for _, c := range codes {
		all = append(all, string(c))
	}
	return strings.Join(all, " ")
}

// lines returns the findings as lines of JSON.
func lines(t testing.TB, findings []lint.Finding) string {
	t.Helper()
	var all []string
	for _, f := range findings {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(f); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(b.String()))
	}
	return strings.Join(all, "\n")
}

// inWords returns the findings in short, without article and material.
func inWords(findings []lint.Finding) []string {
	var all []string
	for _, f := range findings {
		text := strings.TrimRight(string(f.Kind)+" "+join(f.Codes), " ")
		if len(f.By) > 0 {
			text += " by " + join(f.By)
		}
		if f.Condition != "" {
			text += ", " + f.Condition
		}
		if f.Question != "" {
			text += ", " + string(f.Question) + "?"
		}
		if f.Limit != "" {
			text += ", " + f.Limit
		}
		if f.Value != nil {
			text += fmt.Sprintf(" %v", *f.Value)
		}
		if f.Reachable != nil {
			text += fmt.Sprintf(" reached %v", *f.Reachable)
		}
		if w := f.Witness; w != nil {
			text += ", as " + strings.NewReplacer("-1e+06", "-1000000").Replace(fmt.Sprintf("%v x %v x %v", w.Width, w.Depth, w.Height))
		}
		all = append(all, text)
	}
	return all
}

var axisNames = exact.AxisNames()

// codeAt returns the code that Check reports, which is empty for a valid box.
func codeAt(t rapid.TB, p *boxrules.Profile, at exact.Point) boxrules.Code {
	v, err := p.Check(boxrules.DimsAt(at))
	if err != nil || v.OK() != (v.Code() == "") {
		t.Fatalf("Check(%+v) = %v, %v", boxrules.DimsAt(at), v, err)
	}
	return v.Code()
}

// confirmFinding checks the finding's witness with the profile.
func confirmFinding(t rapid.TB, p *boxrules.Profile, f lint.Finding) {
	t.Helper()
	if f.Witness == nil {
		witnessed := []lint.FindingKind{lint.UnreachableLimit, lint.UnenforcedLimit, lint.BlankNotPositive}
		if slices.Contains(witnessed, f.Kind) || f.Kind == lint.Unreportable && len(f.By) > 0 {
			t.Errorf("%s: %+v has no witness", p.Article(), f)
		}
		return
	}
	d := *f.Witness
	all, err := p.AppendAll(nil, d)
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]boxrules.Code, len(all))
	for i, v := range all {
		codes[i] = v.Code
	}
	switch f.Kind {
	case lint.Unreportable:
		// The witness violates the rule, but one of the rules in By is reported first.
		shadowed := slices.ContainsFunc(f.By, func(c boxrules.Code) bool { return slices.Contains(codes, c) })
		if !slices.Contains(codes, f.Codes[0]) || codes[0] == f.Codes[0] || !shadowed {
			t.Errorf("%s: %s is never reported for %v, but %+v violates %v", p.Article(), f.Codes, f.By, d, codes)
		}
	case lint.UnenforcedLimit:
		axis, end := slices.Index(axisNames[:], f.Limit[len("min_"):]), exact.Grid(*f.Value)
		low, high := p.Exact().Low, p.Exact().High
		x := exact.Grid(d.ByAxis()[axis])
		beyond := strings.HasPrefix(f.Limit, "min_") && end == low[axis] && x < end ||
			strings.HasPrefix(f.Limit, "max_") && end == high[axis] && x > end
		if !beyond || len(all) > 0 || len(f.Codes) > 0 {
			t.Errorf("%s: %+v: %+v is not beyond %s %v, or violates %v", p.Article(), f, d, f.Limit, *f.Value, codes)
		}
	case lint.BlankNotPositive:
		blank, point := p.Exact().Blank, exact.Point{exact.Grid(d.Width), exact.Grid(d.Depth), exact.Grid(d.Height)}
		side := map[string]exact.Value{"blank_width <= 0": blank.Width, "blank_height <= 0": blank.Height}[f.Condition]
		if side.At(point).Sign() > 0 || min(d.Width, d.Depth, d.Height) <= 0 || len(all) > 0 || len(f.Codes) > 0 {
			t.Errorf("%s: %+v: the blank of %+v is positive, or it violates %v", p.Article(), f, d, codes)
		}
	case lint.UnreachableLimit:
		axis := slices.Index(axisNames[:], f.Limit[len("min_"):])
		toward := int64(1)
		if strings.HasPrefix(f.Limit, "min_") {
			toward = -1
		}
		b := exact.Point{exact.Grid(d.Width), exact.Grid(d.Depth), exact.Grid(d.Height)}
		if len(all) > 0 || b[axis] != exact.Grid(*f.Reachable) || (exact.Grid(*f.Value)-b[axis])*toward <= 0 {
			t.Errorf("%s: %s %v: %v is reached by %+v, which violates %v", p.Article(), f.Limit, *f.Value, *f.Reachable, d, codes)
		}
		b[axis] += toward * p.Exact().Step
		if codeAt(t, p, b) == "" {
			t.Errorf("%s: %s %v: a step beyond %+v a box is valid", p.Article(), f.Limit, *f.Value, d)
		}
	default:
		t.Errorf("%s: %+v has a witness", p.Article(), f)
	}
}
