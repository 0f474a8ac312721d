package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/expression"
)

// parse reads a condition.
func parse(when string) (*node, error) {
	e, problems := expression.Condition(when)
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Message)
	}
	return e.Root(), nil
}

// TestMutations lists all mutants of small conditions.
func TestMutations(t *testing.T) {
	for _, test := range []struct {
		when string
		want []string
	}{
		{"depth > width * 2", []string{
			"relation: depth >= width * 2", "relation: depth < width * 2", "relation: depth <= width * 2",
			"relation: depth == width * 2", "relation: depth != width * 2",
			"negation: !(depth > width * 2)", "swapped operands: width * 2 > depth",
			"variable: width > width * 2", "variable: height > width * 2",
			"arithmetic: depth > width + 2", "arithmetic: depth > width - 2", "arithmetic: depth > width / 2",
			"dropped operand: depth > 2", "dropped operand: depth > width",
			"variable: depth > depth * 2", "variable: depth > height * 2",
			"constant: depth > width * 2.001", "constant: depth > width * 1.999", "constant: depth > width * 3",
			"constant: depth > width * 1", "constant: depth > width * 0", "constant: depth > width * 4",
		}},
		{"!(max(width, 1, -depth) < 0)", []string{
			"dropped negation: max(width, 1, -depth) < 0",
			"relation: !(max(width, 1, -depth) > 0)", "relation: !(max(width, 1, -depth) >= 0)",
			"relation: !(max(width, 1, -depth) <= 0)", "relation: !(max(width, 1, -depth) == 0)",
			"relation: !(max(width, 1, -depth) != 0)", "negation: !(!(max(width, 1, -depth) < 0))",
			"swapped operands: !(0 < max(width, 1, -depth))", "extreme: !(min(width, 1, -depth) < 0)",
			"dropped operand: !(max(1, -depth) < 0)", "dropped operand: !(max(width, -depth) < 0)", "dropped operand: !(max(width, 1) < 0)",
			"variable: !(max(depth, 1, -depth) < 0)", "variable: !(max(height, 1, -depth) < 0)",
			"constant: !(max(width, 1.001, -depth) < 0)", "constant: !(max(width, 0.999, -depth) < 0)",
			"constant: !(max(width, 2, -depth) < 0)", "constant: !(max(width, 0, -depth) < 0)", "constant: !(max(width, 0.5, -depth) < 0)",
			"dropped sign: !(max(width, 1, depth) < 0)",
			"variable: !(max(width, 1, -width) < 0)", "variable: !(max(width, 1, -height) < 0)",
			"constant: !(max(width, 1, -depth) < 0.001)", "constant: !(max(width, 1, -depth) < -0.001)",
			"constant: !(max(width, 1, -depth) < 1)", "constant: !(max(width, 1, -depth) < -1)",
		}},
		{"caliper == 1 && blank_width - min_width != 3", nil},
	} {
		n, err := parse(test.when)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range mutations(n) {
			got = append(got, m.change+": "+m.root.String())
		}
		if test.want != nil && !slices.Equal(got, test.want) {
			t.Errorf("mutants of %s:\n%s\nwant\n%s", test.when, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		for i, text := range got {
			_, condition, _ := strings.Cut(text, ": ")
			if slices.ContainsFunc(got[:i], func(s string) bool { return strings.HasSuffix(s, ": "+condition) }) {
				t.Errorf("%s comes twice", text)
			}
		}
	}
}
