// Gomutants checks whether the tests of a package would notice a mistake in its Go code. It changes one operator at a
// time, such as < to <=, and runs the tests. A change that no test notices survives.
//
//	go run ./tools/gomutants [-every n] [-elsewhere packages] [-args flags] [-workers n] [-v] package
//
// A mutant is the package with one such change. Compiling the tests for each mutant would take hours, so all mutants of
// the package are compiled into a single test binary, and an environment variable selects one of them. For
// instance, a < b becomes
//
//	func() bool {
//		switch mutantAt(7) {
//		case 12:
//			return a <= b
//		case 13:
//			return a >= b
//		}
//		return a < b
//	}()
//
// if it is the seventh place and has the mutants 12 and 13. A few places cannot be written this way, such as the ones
// in constants. Each mutant there is compiled for itself.
//
// The tests run once for each test function without a mutant. This shows which tests reach which places, and how long
// each takes. A mutant is then given only the tests that reach its place: first the quick ones, then the slow ones, and
// at last those of other packages. With CI=true in the environment, random tests draw more.
//
// Each mutant has one outcome:
//
//	killed      a test fails
//	lived       all tests that reach it pass
//	no test     no test reaches it
//	timed out   a test takes ten times as long as without a mutant, and 20 seconds more
//	no mutant   it does not compile
//
// The report is a line with these counts and with the efficacy, which is the part of killed + lived + no test that is
// killed. Below it are the mutants that are neither killed nor timed out, and the tests that fail without a mutant, for
// instance because the code was rewritten; these are left out. The exit status is 1 if the efficacy is
// 95 % or less, or if something else failed.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gomutants: ")
	every := flag.Int("every", 1, "try only every `n`-th mutant")
	elsewhere := flag.String("elsewhere", "", "`packages` whose tests a mutant must pass, too, separated by spaces")
	args := flag.String("args", "", "`flags` for the tests of the package, separated by spaces, such as -test.skip=Prose")
	workers := flag.Int("workers", runtime.NumCPU(), "how many mutants are tested at a time")
	verbose := flag.Bool("v", false, "print every mutant with its outcome, as soon as it is known")
	flag.Parse()
	if flag.NArg() != 1 || *every < 1 || *workers < 1 {
		flag.Usage()
		os.Exit(2)
	}
	folder, err := os.MkdirTemp("", "gomutants")
	if err != nil {
		log.Fatal(err)
	}
	passed, err := run(folder, flag.Arg(0), strings.Fields(*elsewhere), strings.Fields(*args), *every, *workers, *verbose)
	os.RemoveAll(folder)
	if err != nil {
		log.Fatal(err)
	}
	if !passed {
		os.Exit(1)
	}
}

// run tries the mutants of a package, prints the report, and returns whether enough of them were killed. It writes
// only into the folder.
func run(folder, name string, elsewhere, args []string, every, workers int, verbose bool) (passed bool, err error) {
	p, err := load(name)
	if err != nil {
		return false, err
	}
	if err := p.isolate(); err != nil {
		return false, err
	}
	suites := []*suite{{name: name, args: args}}
	for _, other := range elsewhere {
		suites = append(suites, &suite{name: other})
	}
	b := builder{folder: folder, pkg: p}
	for _, s := range suites {
		if err := b.build(s); err != nil {
			return false, err
		}
		if err := s.survey(folder); err != nil {
			return false, err
		}
	}
	var mutants []*mutant
	for i, m := range p.mutants() {
		if (i+1)%every == 0 {
			mutants = append(mutants, m)
		}
	}
	tryAll(b, suites, mutants, workers, verbose)
	return report(name, suites, mutants, every), nil
}

// report prints the outcomes and returns whether more than 95 % of the mutants were killed.
func report(name string, suites []*suite, mutants []*mutant, every int) (passed bool) {
	count := map[outcome]int{}
	for _, m := range mutants {
		count[m.outcome]++
	}
	efficacy := 100.
	if ran := count[killed] + count[lived] + count[noTest]; ran > 0 {
		efficacy = 100 * float64(count[killed]) / float64(ran)
	}
	fmt.Printf("%-22s", name)
	for o, name := range outcomeNames {
		fmt.Printf(" %s %d,", name, count[outcome(o)])
	}
	fmt.Printf(" efficacy %.1f %%", efficacy)
	if every > 1 {
		fmt.Printf(" (1 of %d)", every)
	}
	fmt.Println()
	for _, m := range mutants {
		if m.outcome == lived || m.outcome == noTest {
			fmt.Println("   ", m)
		}
	}
	for _, s := range suites {
		for _, t := range s.broken {
			fmt.Printf("    left out, fails without a mutant: %s in %s\n", t, s.name)
		}
	}
	return efficacy > 95
}
