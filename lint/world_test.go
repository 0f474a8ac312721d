package lint_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

// oddWorlds have what a random world need not have, one for each kind of finding.
var oddWorlds = map[lint.FindingKind]gen.World{
	lint.Unsatisfiable:    world("", gen.WorldRule("B_0001", "width > 0.003")+gen.WorldRule("B_0002", "width < 0.004"), ""),
	lint.Unreportable:     world("C_0001", gen.WorldRule("B_0001", "width > 0.003")+"constraint:\n"+gen.WorldRule("C_0001", "width > 0.005"), ""),
	lint.UnreachableLimit: world("", gen.WorldRule("B_0001", "width > max_width")+gen.WorldRule("B_0002", "width > 0.004"), ""),
	lint.UnenforcedLimit:  world("", gen.WorldRule("B_0001", "width > max_width + 0.001"), ""),
	lint.BlankNotPositive: world("", gen.WorldRule("B_0001", "width > max_width"), "    blank: {width: width - 2*depth, height: height}\n"),
	lint.SizeUnchecked:    world("", gen.WorldRule("B_0001", "width > max_width")+"size:\n"+gen.WorldRule("S_0001", "blank_width > 0.008"), ""),
}

// world returns a world with limits from 0.002 to 0.006.
func world(codes, rules, blank string) gen.World {
	return gen.World{Rules: gen.WorldBounds() + rules, Article: gen.WorldArticle("a", "min: 0.002, max: 0.006", codes) + blank}
}

// TestLintWorld compares all findings about small files with the verdicts on every box.
func TestLintWorld(t *testing.T) {
	for kind, w := range oddWorlds {
		e := engineOf(t, w.Rules, w.Article)
		if findings := compareWorld(t, e, 1); !slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Kind == kind }) {
			t.Errorf("nothing is %s: %+v, of\n%s\n%s", kind, findings, w.Rules, w.Article)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		w := gen.NewWorld(draw.Choices(t))
		compareWorld(t, engineOf(t, w.Rules, w.Article), 1)
	})
}

// compareWorld compares the findings of a world with what its boxes say, which lie a step apart,
// and returns them.
func compareWorld(t rapid.TB, e *boxrules.Engine, step int64) []lint.Finding {
	p := e.Profiles()[0]
	form := p.Exact()
	reported := map[boxrules.Code]bool{"WORLD_0001": true}
	var valid []exact.Point
	for x := int64(gen.WorldLow); x <= gen.WorldHigh; x++ {
		for y := int64(gen.WorldLow); y <= gen.WorldHigh; y++ {
			for z := int64(gen.WorldLow); z <= gen.WorldHigh; z++ {
				at := exact.Point{x * step, y * step, z * step}
				code := codeAt(t, p, at)
				if reported[code] = true; code == "" {
					valid = append(valid, at)
				}
			}
		}
	}
	some := func(holds func(exact.Point) bool) bool { return slices.ContainsFunc(valid, holds) }

	var want []string
	if len(valid) == 0 {
		want = append(want, "unsatisfiable")
	}
	for _, r := range p.Rules() {
		if !reported[r.Code] {
			want = append(want, "unreportable "+string(r.Code))
		}
	}
	for _, kind := range []string{"unreachable-limit", "unenforced-limit"} {
		for axis, name := range axisNames {
			below := func(at exact.Point) bool { return at[axis] < form.Low[axis] }
			above := func(at exact.Point) bool { return at[axis] > form.High[axis] }
			reachesLow := func(at exact.Point) bool { return at[axis] <= form.Low[axis] }
			reachesHigh := func(at exact.Point) bool { return at[axis] >= form.High[axis] }
			for i, is := range []bool{
				kind == "unenforced-limit" && some(below) || kind == "unreachable-limit" && len(valid) > 0 && !some(reachesLow),
				kind == "unenforced-limit" && some(above) || kind == "unreachable-limit" && len(valid) > 0 && !some(reachesHigh),
			} {
				if is {
					want = append(want, kind+" "+[]string{"min_", "max_"}[i]+name)
				}
			}
		}
	}
	if form.Blank != nil {
		for side, value := range map[string]exact.Value{"blank_width <= 0": form.Blank.Width, "blank_height <= 0": form.Blank.Height} {
			if some(func(at exact.Point) bool { return value.At(at).Sign() <= 0 && min(at[0], at[1], at[2]) > 0 }) {
				want = append(want, "blank-not-positive "+side)
			}
		}
	} else if slices.ContainsFunc(e.Rules().Rules(), func(r boxrules.Rule) bool { return r.Code == "S_0001" }) {
		want = append(want, "size-unchecked S_0001")
	}

	findings := findingsOf(t, p, lintOf(e))
	var got []string
	for _, f := range findings {
		text := string(f.Kind)
		switch {
		case f.Limit != "":
			text += " " + f.Limit
		case f.Condition != "":
			text += " " + f.Condition
		case f.Kind != lint.Unsatisfiable:
			text += " " + join(f.Codes)
		}
		got = append(got, text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("Lint =\n%q, want\n%q, of\n%v\n%+v", got, want, e.Rules().Rules(), e.Catalogue().Articles())
	}
	return findings
}
