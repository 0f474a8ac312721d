package main

import (
	"fmt"
	"io"

	"example.com/boxrules"
)

// report prints a line for every survivor, or for every mutant, and the table. It returns how
// many survived.
func report(w io.Writer, rules []boxrules.Rule, mutants []*mutant, verbose bool) int {
	counts := make(map[boxrules.Code][len(outcomes)]int)
	for _, m := range mutants {
		if m.outcome == survivor || verbose {
			fmt.Fprintf(w, "%s  %s: %s%s\n", m.code, m.how, m.when, m.end())
		}
		for _, code := range []boxrules.Code{m.code, "total"} {
			c := counts[code]
			c[m.outcome]++
			counts[code] = c
		}
	}
	const row = "%-12s %10v %10v %10v %10v %10v %10v\n"
	fmt.Fprintf(w, row, "code", "mutants", "refused", "killed", "equivalent", "in limits", "survivors")
	for _, rule := range append(rules, boxrules.Rule{Code: "total"}) {
		if c, mutated := counts[rule.Code]; mutated {
			all := 0
			for _, n := range c {
				all += n
			}
			fmt.Fprintf(w, row, rule.Code, all, c[refused], c[killed], c[equivalent], c[withinLimits], c[survivor])
		}
	}
	return counts["total"][survivor]
}

// end returns how the mutant's line ends.
func (m *mutant) end() string {
	switch m.outcome {
	case killed:
		return ": killed by " + m.by
	case survivor:
		return ": survives; " + m.by
	}
	return ": " + outcomes[m.outcome]
}
