package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/lint"
)

// The world of TestLintWorld, in thousandths: so small that every box in it can be asked for.
const worldLow, worldHigh = -4, 9

// worldRule rejects all boxes outside of the world, before any other rule.
var worldRule = func() string {
	var out []string
	for _, name := range exact.AxisNames() {
		out = append(out, fmt.Sprintf("%s < -0.004 || %[1]s > 0.009", name))
	}
	return ruleOf("WORLD_0001", strings.Join(out, " || "))
}()

// A world is a rule file and an article that Lint can be compared on with all the boxes that there are.
type world struct{ rules, article string }

func drawWorld(t *rapid.T) world {
	draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
	names := exact.AxisNames()
	comparison := func() string {
		text := fmt.Sprintf("%d*width", draw(5)-2)
		for _, name := range names[1:] {
			text += fmt.Sprintf(" + %d*%s", draw(5)-2, name)
		}
		return fmt.Sprintf("%s %s %d/1000", text, []string{"<", "<=", ">", ">=", "=="}[draw(5)], draw(21)-5)
	}
	condition := func() string {
		switch draw(4) {
		case 0:
			return comparison() + " && " + comparison()
		case 1:
			return comparison() + " || " + comparison()
		case 2:
			return fmt.Sprintf("min(%s, %s) < %s", names[draw(3)], names[draw(3)], []string{"min_width", "0.002", "max_height"}[draw(3)])
		}
		return comparison()
	}
	rules, article := "boundary:\n"+worldRule, "  a:\n    materials: [m]\n"
	for axis, name := range names {
		low := 1 + draw(6)
		high := low + draw(8-low)
		article += fmt.Sprintf("    %s: {min: 0.00%d, max: 0.00%d}\n", name, low, high)
		for i, when := range []string{name + " < min_" + name, name + " > max_" + name} {
			switch draw(6) {
			case 0: // nothing
			case 1:
				when += " + 0.001"
				fallthrough
			default:
				rules += ruleOf(fmt.Sprintf("B_%d%03d", axis, i), when)
			}
		}
	}
	rules += "constraint:\n"
	var codes []string
	for i := range draw(4) {
		codes = append(codes, fmt.Sprintf("C_%04d", i))
		rules += ruleOf(codes[i], condition())
	}
	rules = strings.TrimSuffix(rules, "constraint:\n")
	article += "    constraints: [" + strings.Join(codes, ", ") + "]\n"
	if draw(4) > 0 {
		formula := func() string {
			a, b := fmt.Sprintf("%d*%s - %d*%s", 1+draw(3), names[draw(3)], draw(3), names[draw(3)]), fmt.Sprintf("%d/1000", draw(7)-2)
			return []string{a + " + " + b, "max(" + a + ", " + b + ")", "min(" + a + ", " + b + ")"}[draw(3)]
		}
		article += "    blank: {width: '" + formula() + "', height: '" + formula() + "'}\n"
	}
	if draw(2) == 0 {
		rules += "size:\n" + ruleOf("S_0001", "blank_width > 0.008 || blank_height > 0.008")
	}
	return world{rules, article}
}

// TestLintWorld compares everything that Lint says of random files with what every box says.
func TestLintWorld(t *testing.T) {
	found := make(map[lint.FindingKind]int)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		e := engineOf(t, w.rules, w.article)
		p := e.Profiles()[0]
		form := p.Exact()
		reported := map[boxrules.Code]bool{"WORLD_0001": true}
		var valid []exact.Point
		for x := int64(worldLow); x <= worldHigh; x++ {
			for y := int64(worldLow); y <= worldHigh; y++ {
				for z := int64(worldLow); z <= worldHigh; z++ {
					at := exact.Point{x, y, z}
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
		} else if strings.Contains(w.rules, "S_0001") {
			want = append(want, "size-unchecked S_0001")
		}

		var got []string
		for _, f := range findingsOf(t, p, slices.Collect(lint.Lint(e))) {
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
			found[f.Kind]++
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("Lint =\n%q, want\n%q, of\n%s\n%s", got, want, w.rules, w.article)
		}
	})
	t.Logf("findings %v", found)
	for _, kind := range []lint.FindingKind{
		lint.Unsatisfiable, lint.Unreportable, lint.UnreachableLimit, lint.UnenforcedLimit, lint.BlankNotPositive, lint.SizeUnchecked,
	} {
		if !t.Failed() && !testing.Short() && found[kind] == 0 { // few worlds need not have each
			t.Errorf("nothing is %s: %v", kind, found)
		}
	}
}
