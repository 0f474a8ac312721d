// Mutate asks whether conformance cases would notice a mistake in a rule file: it makes one small
// change after another to the conditions, and wants every change to be noticed by some case, or
// proved to change nothing.
//
//	go run ./tools/mutate [-v] [-rules FILE] [-cases FOLDER]
//
// Without flags it takes the shipped rules and cases, from the root of the repository.
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
// For a survivor a case is printed that kills it. The cases that count are those of the files in
// FOLDER whose rules are those of FILE, character by character; the others are left out. To begin
// with a file of one's own, write
//
//	{"description": "our rules", "rules": "shop/rules.yaml", "limits": "shop/limits.yaml",
//	 "cases": []}
//
// and add the cases that are printed, each with a look at whether its codes are what is meant.
// Paths in it are seen from the folder in which the tool runs.
//
// The exit status is 0 without survivors, 1 with some, and 2 where the checks could not be made.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(mutate(os.Args[1:], os.Stdout, os.Stderr)) }

func mutate(arguments []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rules := flags.String("rules", "rules/box_rules.yaml", "rule file to mutate")
	cases := flags.String("cases", "conformance/cases", "folder of the cases")
	verbose := flags.Bool("v", false, "print the outcome of every mutant")
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "mutate: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	c, err := load(*rules, *cases)
	if err != nil {
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	}
	mutants, err := c.judgeAll()
	if err != nil {
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	}
	if report(stdout, c, mutants, *verbose) > 0 {
		return 1
	}
	return 0
}
