package main

import (
	"encoding/json"
	"fmt"
	"io"

	"example.com/boxrules"
)

// report prints a line for every survivor, or for every mutant, and the table, and returns how many survived.
func report(w io.Writer, q *question, mutants []*mutant, verbose bool) (survivors int) {
	for _, m := range mutants {
		if m.fate == survivor {
			survivors++
		}
		if m.fate == survivor || verbose {
			fmt.Fprintf(w, "%s  %s: %s%s\n", m.code, m.how, m.when, m.end())
		}
	}
	counts := make(map[boxrules.Code]*[len(fates)]int)
	var total [len(fates)]int
	for _, m := range mutants {
		if counts[m.code] == nil {
			counts[m.code] = new([len(fates)]int)
		}
		counts[m.code][m.fate]++
		total[m.fate]++
	}
	row := func(name string, cells ...any) {
		fmt.Fprintf(w, "%-12s", name)
		for _, cell := range cells {
			fmt.Fprintf(w, " %10v", cell)
		}
		fmt.Fprintln(w)
	}
	numbers := func(name string, c *[len(fates)]int) {
		all := 0
		for _, n := range c {
			all += n
		}
		row(name, all, c[refused], c[killed], c[equivalent], c[withinLimits], c[survivor])
	}
	row("code", "mutants", "refused", "killed", "equivalent", "in limits", "survivors")
	for _, rule := range q.rules.Rules() {
		if c := counts[rule.Code]; c != nil {
			numbers(string(rule.Code), c)
		}
	}
	numbers("total", &total)
	return survivors
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
	text, err := json.Marshal(m.witness)
	if err != nil {
		panic(err) // a box is always JSON
	}
	return ": survives; this case kills it: " + string(text)
}
