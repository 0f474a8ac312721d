// Mutate checks whether the conformance cases would notice a mistake in a rule file. It makes many small changes to
// the conditions, one at a time. Each change must be noticed by some case, or be proved to make no difference.
//
//	go run ./tools/mutate [-v]
//
// Run it in the root of the repository. It uses the shipped rules and cases. With -v it prints the
// outcome of every mutant.
//
// A mutant is a rule file in which one condition is changed in one place. These are the possible changes: a
// relation or an arithmetic operator is replaced with another one. && and ||, or min and max, are exchanged. A
// variable is replaced with another one of the same kind. A negation is added or removed. A constant is changed by
// a thousandth or by one, doubled, halved or set to zero. An operand is left out, or the operands of a relation, of
// - or of / are swapped. If two changes lead to the same text, the text is tried only once.
//
// Each mutant has one outcome:
//
//	refused     it does not compile with the limits of a case: it is not linear, or divides by zero
//	killed      some case gets a different first code or a different list of codes
//	equivalent  proved: it gives the same result as the original for every box with dimensions greater
//	            than zero, in every article that has the rule
//	in limits   proved only for the boxes within the limits of each article
//	survivor    none of these: the cases would not notice the mistake
//
// For each survivor, mutate prints a box for which the survivor and the original give different results. A case
// with that box would kill it. Only case files that name the rule file are used.
//
// The exit status is 0 if there are no survivors. It is 1 if there are any, or if the check itself failed.
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

// mutate tries all mutants of the rules and writes a report to out. It returns the number of mutants that survive
// the cases in the folder.
func mutate(out io.Writer, rulesFile, folder string, verbose bool) (survivors int) {
	suites := loadSuites(rulesFile, folder)
	rules := suites[0].engine.Rules().Rules()
	var all []*mutant
	for _, rule := range rules {
		all = append(all, tryMutants(suites, rule)...)
	}
	return report(out, rules, all, verbose)
}

// A suite holds the cases of one file, with an engine for the file's limits and the original rules.
type suite struct {
	name   string
	engine *boxrules.Engine
	cases  []conformance.Case
}

// loadSuites reads the case files in the folder that name the rule file.
func loadSuites(rulesFile, folder string) (suites []suite) {
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
		log.Fatalf("%s: no file in this folder names the rules %s", folder, rulesFile)
	}
	return suites
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// report prints a line for each survivor or, if verbose is true, for each mutant. After these lines it prints a
// table of counts. It returns the number of survivors.
func report(out io.Writer, rules []boxrules.Rule, mutants []*mutant, verbose bool) int {
	counts := make(map[boxrules.Code][len(outcomeNames)]int)
	for _, m := range mutants {
		if m.outcome == survivor || verbose {
			fmt.Fprintf(out, "%s  %s: %s%s\n", m.code, m.change, m.when, m.outcomeText())
		}
		for _, code := range []boxrules.Code{m.code, "total"} {
			c := counts[code]
			c[m.outcome]++
			counts[code] = c
		}
	}
	const row = "%-12s %10v %10v %10v %10v %10v %10v\n"
	fmt.Fprintf(out, row, "code", "mutants", "refused", "killed", "equivalent", "in limits", "survivors")
	for _, rule := range append(rules, boxrules.Rule{Code: "total"}) {
		if c, mutated := counts[rule.Code]; mutated {
			all := 0
			for _, n := range c {
				all += n
			}
			fmt.Fprintf(out, row, rule.Code, all, c[refused], c[killed], c[equivalent], c[equivalentWithinLimits], c[survivor])
		}
	}
	return counts["total"][survivor]
}
