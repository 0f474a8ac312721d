// Mutate asks whether conformance cases would notice a mistake in a rule file: it makes one small
// change after another to the conditions, and wants every change to be noticed by some case, or
// proved to change nothing.
//
//	go run ./tools/mutate [-v]
//
// It takes the shipped rules and cases, and runs in the root of the repository. With -v it prints
// the outcome of every mutant.
//
// A mutant is a rule file in which one condition is changed at one place: another relation or
// arithmetic operator, && for || and min for max and the other way round, a negation put in or
// taken away, a constant changed by a thousandth or by one, doubled, halved or zero, another
// variable of the same kind, an operand left out, or the operands of an operator swapped that
// means something else then. A text is tried once, whatever led to it.
//
// Each mutant has one outcome:
//
//	refused     it does not compile with the limits of a case: it is not linear, or divides by zero
//	killed      the first code or the list of codes of some case is another
//	equivalent  proved by half-spaces: in no article that has the rule does any box with dimensions
//	            greater than zero tell it from the original
//	in limits   proved likewise, but only for the boxes within the limits of each article
//	survivor    none of these: the cases would not notice
//
// For a survivor a box is printed that tells it from the original: a case with it would kill it.
// The cases that count are those of the files that name the rule file.
//
// The exit status is 0 without survivors, and 1 with some or where the checks could not be made.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

func main() {
	verbose := flag.Bool("v", false, "print the outcome of every mutant")
	flag.Parse()
	if mutate(os.Stdout, "rules/box_rules.yaml", "conformance/cases", *verbose) > 0 {
		os.Exit(1)
	}
}

// mutate writes what became of the mutants of the rules, and returns how many survived the cases of
// the folder.
func mutate(w io.Writer, rulesFile, folder string, verbose bool) (survivors int) {
	suites := load(rulesFile, folder)
	rules := suites[0].engine.Rules().Rules()
	var all []*mutant
	for _, rule := range rules {
		all = append(all, judge(suites, rule)...)
	}
	return report(w, rules, all, verbose)
}

// A suite holds cases, and the engine of the rules as they are with the limits of the cases.
type suite struct {
	name   string
	engine *boxrules.Engine
	cases  []conformance.Case
}

// load reads the files of the folder whose rules are those of the file.
func load(rulesFile, folder string) (suites []suite) {
	for _, f := range must(conformance.Read(folder)) {
		if f.Rules != rulesFile {
			continue
		}
		rules, catalogue, err := f.Load(".")
		if err != nil {
			log.Fatal(err)
		}
		suites = append(suites, suite{f.Name, must(boxrules.New(rules, catalogue)), f.Cases})
	}
	if len(suites) == 0 {
		log.Fatalf("%s: no file there has the rules of %s", folder, rulesFile)
	}
	return suites
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

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
