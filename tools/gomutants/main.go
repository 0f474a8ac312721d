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
//		default:
//			return a < b
//		}
//	}()
//
// if it is the seventh place and has the mutants 12 and 13. A few places cannot be written this way, such as the ones
// in constants. Each mutant of such a place gets a test binary of its own.
//
// First, each test function runs on its own, without a mutant. This shows which tests reach which places, and how long
// each takes. A mutant is then given only the tests that reach its place: first the quick ones, then the slow ones, and
// at last those of other packages. With CI=true in the environment, random tests draw more.
//
// Each mutant has one outcome:
//
//	killed      a test fails
//	lived       all tests that reach it pass
//	no test     no test reaches it
//	timed out   its tests together take ten times as long as without a mutant, and 20 seconds more
//	no mutant   it does not compile
//
// The report is a line with these counts and with the efficacy, which is killed / (killed + lived + no test). Below it are
// the mutants that lived or that no test reaches, and the tests that fail without a mutant, for instance because the
// code was rewritten. These tests are left out. The exit status is 1 if the efficacy is 95 % or less, or if something
// else failed.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gomutants: ")
	every := flag.Int("every", 1, "try only one mutant of `n`, chosen at random, but the same ones each time")
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

// run tries the mutants of a package, prints the report, and returns whether enough of them were killed. It writes its
// own files only into the folder. The tests run in the folders of their packages, and may write there.
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
	mutants := p.mutants()
	if every > 1 {
		// The mutants of a place follow each other, so every second one might be the same change everywhere.
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:(len(mutants)+every-1)/every]
		slices.SortFunc(mutants, func(a, b *mutant) int { return a.number - b.number })
	}
	if err := tryAll(b, suites, mutants, workers, verbose); err != nil {
		return false, err
	}
	return report(os.Stdout, name, suites, mutants, every), nil
}

// report prints the outcomes and returns whether more than 95 % of the mutants were killed.
func report(out io.Writer, name string, suites []*suite, mutants []*mutant, every int) (passed bool) {
	count := map[outcome]int{}
	for _, m := range mutants {
		count[m.outcome]++
	}
	efficacy := 100.
	if ran := count[killed] + count[lived] + count[noTest]; ran > 0 {
		efficacy = 100 * float64(count[killed]) / float64(ran)
	}
	fmt.Fprintf(out, "%-22s", name)
	for o := killed; o <= noMutant; o++ {
		fmt.Fprintf(out, " %s %d,", outcomeNames[o], count[o])
	}
	fmt.Fprintf(out, " efficacy %.1f %%", efficacy)
	if every > 1 {
		fmt.Fprintf(out, " (1 of %d)", every)
	}
	fmt.Fprintln(out)
	for _, m := range mutants {
		if m.outcome == lived || m.outcome == noTest {
			fmt.Fprintln(out, "   ", m)
		}
	}
	for _, s := range suites {
		for _, t := range s.broken {
			fmt.Fprintf(out, "    left out, fails without a mutant: %s in %s\n", t, s.name)
		}
	}
	return efficacy > 95
}
