package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

// TestFindingSentences has what findings say that depends on more than their kind. TestFindingKinds has one sentence for
// each kind.
func TestFindingSentences(t *testing.T) {
	one, two := []boxrules.Code{"B_0001"}, []boxrules.Code{"B_0001", "B_0002"}
	box := &boxrules.Dims{Width: 1, Depth: 2.5, Height: 3}
	value, reached := 9.0, 4.0
	const undecided = "undecided whether there is a finding of the kind "
	for _, test := range []struct {
		finding lint.Finding
		want    string
	}{
		{lint.Finding{Kind: lint.Unsatisfiable, Codes: one}, "no box is valid: B_0001 rejects every box that the boundary rules accept"},
		{lint.Finding{Kind: lint.Unsatisfiable, Codes: two}, "no box is valid: B_0001, B_0002 together reject every box that the boundary rules accept"},
		{lint.Finding{Kind: lint.Unreportable, Codes: one}, "B_0001 is never reported: no box within the limits meets its condition"},
		{lint.Finding{Kind: lint.Unreportable, Codes: one, By: []boxrules.Code{"A_0001"}, Witness: box},
			"B_0001 is never reported: for every box within the limits that meets its condition, such as 1 x 2.5 x 3, A_0001 comes first"},
		{lint.Finding{Kind: lint.Unreportable, Codes: one, By: []boxrules.Code{"A_0001", "A_0002"}, Witness: box},
			"B_0001 is never reported: for every box within the limits that meets its condition, such as 1 x 2.5 x 3, one of A_0001, A_0002 comes first"},
		{lint.Finding{Kind: lint.UnreachableLimit, Limit: "max_width", Value: &value, Reachable: &reached, Witness: box},
			"no valid box reaches max_width 9: the nearest value is 4, at 1 x 2.5 x 3"},
		{lint.Finding{Kind: lint.UnreachableLimit, Limit: "max_width", Value: &value, Reachable: &reached, Witness: box, By: one},
			"no valid box reaches max_width 9: the nearest value is 4, at 1 x 2.5 x 3, because of B_0001"},
		{lint.Finding{Kind: lint.RedundantCondition, Codes: one, Condition: "depth >= 60", Unit: "mm"},
			"B_0001: `depth >= 60 (in mm)` could be dropped: no box with dimensions greater than 0 would get a different result"},
		{lint.Finding{Kind: lint.Undecided}, "undecided whether there is anything else to find: the files take too much work"},
		{lint.Finding{Kind: lint.Undecided, Codes: one}, "undecided whether there is anything else to find: the files take too much work"},
		{lint.Finding{Kind: lint.Undecided, Question: lint.Reportable, Codes: two}, "undecided whether any box gets B_0001, B_0002"},
		{lint.Finding{Kind: lint.Undecided, Question: lint.Unsatisfiable}, undecided + "unsatisfiable"},
		{lint.Finding{Kind: lint.Undecided, Question: lint.Unreportable, Codes: one}, undecided + "unreportable for B_0001"},
		{lint.Finding{Kind: lint.Undecided, Question: lint.UnreachableLimit, Codes: one, Limit: "max_width"}, undecided + "unreachable-limit for max_width"},
		{lint.Finding{Kind: lint.Undecided, Question: lint.BlankNotPositive, Condition: "blank_width <= 0"},
			undecided + "blank-not-positive for blank_width <= 0"},
		{lint.Finding{Kind: "another", Codes: two}, "another B_0001, B_0002"},
	} {
		if got := test.finding.String(); got != test.want {
			t.Errorf("String() = %q, want %q", got, test.want)
		}
		// The article, the note and the position come before the sentence.
		f := test.finding
		f.Article, f.Material, f.Note, f.File, f.Line, f.Column = "tray", "board", true, "limits.yaml", 14, 29
		if got, want := f.String(), "limits.yaml:14:29: note: tray in board: "+test.want; got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
	if got, want := (lint.Change{Article: "tray", Material: "board", Kind: "another"}).String(), "tray in board: another"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

// TestFindingPositions has findings with a position that depends on more than their kind. TestFindingPlaces has the usual
// ones.
func TestFindingPositions(t *testing.T) {
	rules := "boundary:\n" + gen.WorldRule("B_0001", "width > 300") + gen.WorldRule("B_0002", "width > 400") +
		"constraint:\n" + gen.WorldRule("C_0001", "width > 500")
	const file = `version: 1
unit: mm
values: {everywhere: 1}
sheets: {s: {width: 1000, height: 700}}
materials:
  m: {caliper: 1, glue_flap: 20, sheet: s, values: {here: 2}}
articles:
  tray:
    materials: [m]
    width: {min: 10, max: 300}
    depth: {min: 10, max: 300}
    height: {min: 10, max: 300}
    constraints: [C_0001]
    values: {overlap: -500, there: 3}
    blank: {style: fefco-0202}
`
	lines := strings.Split(file, "\n")
	want := []string{
		"unreportable B_0002: tray:", // a rule of the boundary stage is not named in the limit file
		"unreportable C_0001: C_0001]",
		"blank-not-positive blank_height <= 0: fefco-0202}",
		"unused-value everywhere: 1}",
		"unused-value here: 2}}",
		"unused-value there: 3}",
	}
	var got []string
	e := compiled(t, rules, file)
	for f := range lint.Lint(e) {
		text := fmt.Sprint(f.Kind, " ", join(f.Codes)+f.Name+f.Condition)
		if f.Kind != lint.Unreportable && f.Kind != lint.BlankNotPositive && f.Kind != lint.UnusedValue {
			continue
		}
		if f.File != "limits.yaml" || f.Line == 0 {
			t.Errorf("%s has the position %s:%d:%d, want one in limits.yaml", text, f.File, f.Line, f.Column)
			continue
		}
		got = append(got, text+": "+strings.Fields(lines[f.Line-1][f.Column-1:])[0])
	}
	if !slices.Equal(got, want) {
		t.Errorf("Lint has %q, want %q", got, want)
	}
	for f := range lint.Witnesses(e, "B_0001") {
		if f.File != "" || f.Line != 0 || f.Column != 0 {
			t.Errorf("Witnesses has %+v, want it without a position", f)
		}
	}
}
