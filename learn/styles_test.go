package learn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// TestStyles: a blank that is not known is found among the standard styles, or one with the same verdicts. Those whose
// values the frame does not give are named.
func TestStyles(t *testing.T) {
	total, most, found, styles := 0, 0, 0, limits.Styles()
	for i := lab.Draws(31, 0); i < len(styles); i += lab.Draws(len(styles), 5) {
		style := styles[i]
		text := func(rest string) string {
			return fmt.Sprintf(`version: 1
unit: mm
values: {tuck: 25, overlap: 40, flap: 60, lid: 45}
sheets: {large: {width: 980, height: 680}}
materials: {board: {caliper: 1.6, glue_flap: 30, sheet: large}}
articles:
  case:
    width: {min: 60, max: 400}
    depth: {min: 40, max: 250}
    height: {min: 40, max: 450}
    constraints: [BOX_3100]
%s`, rest)
		}
		hidden, err := limits.Load("hidden.yaml", []byte(text("    blank: {style: "+style.Code+"}\n")))
		if err != nil {
			t.Fatal(err)
		}
		service := engineOf(t, hidden)
		o := options()
		o.Styles = true
		l := learnerOf(t, frameOf(t, text("")), o)
		questions := 0
		for boxes := l.Next(1); len(boxes) > 0 && questions < 200; boxes = l.Next(1) {
			questions++
			if err := l.Add(ask(t, service, boxes[0])); err != nil && err != learn.ErrBorderline {
				t.Fatalf("%s: %v", style.Code, err)
			}
		}
		total, most = total+questions, max(most, questions)
		for _, f := range l.Facts() {
			if f.State == learn.Open || f.State == learn.Contradicted {
				t.Errorf("%s: after %d questions %v", style.Code, questions, f)
			}
		}
		learned, err := l.Catalogue(true)
		if err != nil {
			t.Fatal(err)
		}
		if b := learned.Articles()[0].Blank; b == nil {
			t.Logf("%s: the blank cannot be determined by any box", style.Code)
			continue
		}
		found++
		for change := range lint.Diff(service, engineOf(t, learned)) {
			if change.Kind != lint.Identical {
				t.Errorf("%s: learned %s: %v", style.Code, learned.Articles()[0].Blank.Style, change)
			}
		}
	}
	t.Logf("%d blanks found: %d questions, at most %d", found, total, most)
	if found == 0 {
		t.Error("no blank was found")
	}

	o := options()
	o.Styles = true
	warnings := learnerOf(t, frameOf(t, "version: 1\nunit: mm\nvalues: {lid: 30}\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles: {case: {}, tray: {}}\n"), o).Warnings()
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0].Message, "these styles were not tried for the blank, because values that they need are missing: fefco-0202, ") ||
		!strings.HasSuffix(warnings[0].Message, "; to try them, add under values: overlap, flap, tuck") || slices.Contains(strings.Fields(warnings[0].Message), "fefco-0300-lid,") {
		t.Errorf("warnings %v", warnings)
	}
	all := frameOf(t, "version: 1\nunit: mm\nvalues: {tuck: 25, overlap: 40, flap: 60, lid: 30}\nmaterials: {board: {caliper: 1, glue_flap: 0}}\narticles: {case: {}}\n")
	if warnings := learnerOf(t, all, o).Warnings(); len(warnings) > 0 {
		t.Errorf("warnings %v although all styles are tried", warnings)
	}
}
