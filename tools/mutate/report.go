package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// report prints a line for every survivor, or for every mutant, and the table, and returns how many survived.
func report(w io.Writer, q *question, mutants []*mutant, verbose bool) int {
	counts := make(map[boxrules.Code][len(fates)]int)
	for _, m := range mutants {
		if m.fate == survivor || verbose {
			fmt.Fprintf(w, "%s  %s: %s%s\n", m.code, m.how, m.when, m.end())
		}
		for _, code := range []boxrules.Code{m.code, "total"} {
			c := counts[code]
			c[m.fate]++
			counts[code] = c
		}
	}
	const row = "%-12s %10v %10v %10v %10v %10v %10v\n"
	fmt.Fprintf(w, row, "code", "mutants", "refused", "killed", "equivalent", "in limits", "survivors")
	for _, rule := range append(q.rules.Rules(), boxrules.Rule{Code: "total"}) {
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

// end is how the mutant's line ends.
func (m *mutant) end() string {
	switch {
	case m.fate == killed:
		return ": killed by " + m.killer
	case m.fate != survivor:
		return ": " + fates[m.fate]
	case m.witness == nil:
		return ": survives; " + m.doubt
	}
	return ": survives; this case kills it: " + strings.TrimSpace(string(strictjson.Marshal(m.witness)))
}
