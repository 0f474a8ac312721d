package codegen

import (
	"slices"

	"example.com/boxrules"
)

// JSON writes the profiles of the engine as tables for a port to another language;
// conformance/README.md says what is in them. All numbers are whole thousandths below 2^53, so a
// port reaches the verdicts of the engine by comparing sums. The same input gives the same bytes.
// The error is a *[boxrules.InputError] for the field article where articles names an unknown one;
// all are written where it names none.
func JSON(e *boxrules.Engine, articles []string) ([]byte, error) {
	chosen, err := offers(e, articles)
	if err != nil {
		return nil, err
	}
	return execute("tables.json.tmpl", &module{origin: originOf(e), tables: newTables(e, chosen)}), nil
}

// together returns the numbers of all lists in ascending order, which of conditions is the order of
// checks.
func together(lists ...[]int) []int {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return all
}
