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
// The exit status is 0 without survivors, 1 with some, and 2 where the checks could not be made.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	verbose := flag.Bool("v", false, "print the outcome of every mutant")
	flag.Parse()
	survivors, err := mutate(os.Stdout, "rules/box_rules.yaml", "conformance/cases", *verbose)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	case survivors > 0:
		os.Exit(1)
	}
}

// mutate writes what became of the mutants of the rules, and returns how many survived the cases of
// the folder.
func mutate(w io.Writer, rulesFile, folder string, verbose bool) (survivors int, err error) {
	c, err := load(rulesFile, folder)
	if err != nil {
		return 0, err
	}
	mutants, err := c.judgeAll()
	if err != nil {
		return 0, err
	}
	return report(w, c, mutants, verbose), nil
}
