package lint_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

var z3Selections = flag.Int("z3.selections", 200, "random articles that z3 is asked about")

// A prover is a z3 process.
type prover struct {
	in      *bufio.Writer
	out     *bufio.Scanner
	queries map[string]int // by answer
}

func newProver(t *testing.T) *prover {
	t.Helper()
	path, err := exec.LookPath("z3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("z3 is not installed: apt-get install z3")
		}
		t.Skip("SKIPPED: z3 is not installed, so nothing proves Lint's findings a second time: apt-get install z3")
	}
	command := exec.Command(path, "-in")
	in, errIn := command.StdinPipe()
	out, errOut := command.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Fatal(errIn, errOut)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := command.Wait(); err != nil {
			t.Error(err)
		}
	})
	z := &prover{bufio.NewWriter(in), bufio.NewScanner(out), make(map[string]int)}
	z.say("(set-logic QF_LIA) (declare-const W Int) (declare-const D Int) (declare-const H Int)",
		"(define-fun least ((a Int) (b Int)) Int (ite (< a b) a b)) (define-fun greatest ((a Int) (b Int)) Int (ite (< a b) b a))")
	for _, axis := range "WDH" {
		z.say(fmt.Sprintf("(assert (<= (- 1000000000) %c 1000000000))", axis))
	}
	return z
}

func (z *prover) say(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(z.in, line)
	}
}

// possible asks z3 whether some box meets all the assertions.
func (z *prover) possible(t testing.TB, assertions ...string) bool {
	t.Helper()
	z.say("(push)")
	for _, a := range assertions {
		z.say("(assert " + a + ")")
	}
	z.say("(check-sat)", "(pop)")
	if err := z.in.Flush(); err != nil {
		t.Fatal(err)
	}
	z.out.Scan()
	answer := z.out.Text()
	z.queries[answer]++
	if answer != "sat" && answer != "unsat" {
		t.Fatalf("z3 answers %q to %q", answer, assertions)
	}
	return answer == "sat"
}

func (z *prover) log(t testing.TB, what string) {
	t.Helper()
	t.Logf("%s: %d queries, %d sat, %d unsat", what, z.queries["sat"]+z.queries["unsat"], z.queries["sat"], z.queries["unsat"])
	clear(z.queries)
}

// A trial compares the findings about one profile with z3's answers.
type trial struct {
	testing.TB
	*prover
	name     string
	rules    []smtRule
	findings []lint.Finding
}

// find removes the finding of this kind about a code, a limit or a condition, and returns it. It
// returns nil if there is none.
func (c *trial) find(kind lint.FindingKind, about string) *lint.Finding {
	for i, f := range c.findings {
		found := f.Limit + f.Condition
		if found == "" && about != "" {
			found = string(f.Codes[0])
		}
		if f.Kind == kind && found == about {
			c.findings = slices.Delete(slices.Clone(c.findings), i, i+1)
			return &f
		}
	}
	return nil
}

// suffices asks z3 whether the rules in the set reject every box that meets the background, whether
// each of them is needed and, for a set of two, whether one of the candidates alone is enough.
func (c *trial) suffices(f *lint.Finding, set []boxrules.Code, candidates []smtRule, background ...string) {
	c.Helper()
	var members []smtRule
	for _, r := range candidates {
		if slices.Contains(set, r.code) {
			members = append(members, r)
		}
	}
	if len(members) != len(set) || c.possible(c, slices.Concat(background, not(members))...) {
		c.Errorf("%s: %+v: z3 finds a box in spite of %v", c.name, *f, set)
	}
	for i := range members {
		if !c.possible(c, slices.Concat(background, not(slices.Delete(slices.Clone(members), i, i+1)))...) {
			c.Errorf("%s: %+v: z3 says that %v can be left out", c.name, *f, members[i].code)
		}
	}
	if len(members) == 2 {
		for _, r := range candidates {
			if !c.possible(c, append(slices.Clone(background), r.not())...) {
				c.Errorf("%s: %+v: z3 says that %v alone is enough", c.name, *f, r.code)
			}
		}
	}
}

// check compares every claim of Lint with z3's answers. flat has, by condition, the SMT text of a
// blank side that is not positive.
func (c *trial) check(low, high exact.Point, flat map[string]string) {
	c.Helper()
	within, boundary := not(c.rules[:6]), c.rules[:6]
	valid := not(c.rules)
	satisfiable := c.possible(c, valid...)
	f := c.find(lint.Unsatisfiable, "")
	switch {
	case satisfiable != (f == nil):
		c.Errorf("%s: unsatisfiable: %+v, z3 says satisfiable %v", c.name, f, satisfiable)
	case f != nil && strings.HasPrefix(string(f.Codes[0]), "BOX_2"):
		c.suffices(f, f.Codes, boundary)
	case f != nil:
		c.suffices(f, f.Codes, c.rules[6:], within...)
	}
	for i, r := range c.rules {
		reported := c.possible(c, append(not(c.rules[:i]), r.smt)...)
		f := c.find(lint.Unreportable, string(r.code))
		if reported != (f == nil) {
			c.Errorf("%s: %s: %+v, z3 says reported %v", c.name, r.code, f, reported)
		}
		if f == nil {
			continue
		}
		background, earlier := []string{r.smt}, c.rules[:i]
		if !r.boundary {
			background, earlier = append(slices.Clone(within), r.smt), c.rules[6:i]
		}
		if holds := c.possible(c, background...); holds != (len(f.By) > 0) || holds != (f.Witness != nil) {
			c.Errorf("%s: %s: %+v, z3 says that the condition holds somewhere: %v", c.name, r.code, f, holds)
		}
		c.suffices(f, f.By, earlier, background...)
	}
	for axis, name := range axisNames {
		for i, limit := range []string{"min_" + name, "max_" + name} {
			compare, end := []string{"<=", ">="}[i], []exact.Point{low, high}[i][axis]
			at := func(x int64) string { return fmt.Sprintf("(%s %c %d)", compare, "WDH"[axis], x) }
			f := c.find(lint.UnreachableLimit, limit)
			if !satisfiable {
				if f != nil {
					c.Errorf("%s: %+v, where no box is valid", c.name, *f)
				}
				continue
			}
			reached := c.possible(c, append(slices.Clone(valid), at(end))...)
			if reached != (f == nil) {
				c.Errorf("%s: %s: %+v, z3 says reached %v", c.name, limit, f, reached)
			}
			if f == nil {
				continue
			}
			c.suffices(f, f.By, c.rules[6:], append(slices.Clone(within), at(end))...)
			x := exact.Grid(*f.Reachable)
			beyond := x + int64(2*i-1)
			if !c.possible(c, append(slices.Clone(valid), at(x))...) || c.possible(c, append(slices.Clone(valid), at(beyond))...) {
				c.Errorf("%s: %+v: z3 says that another value is the farthest", c.name, *f)
			}
		}
	}
	if satisfiable {
		beyond := make(map[string]string) // by limit
		for axis, name := range axisNames {
			beyond["min_"+name] = fmt.Sprintf("(< %c %d)", "WDH"[axis], low[axis])
			beyond["max_"+name] = fmt.Sprintf("(> %c %d)", "WDH"[axis], high[axis])
		}
		for limit, is := range beyond {
			c.exists(lint.UnenforcedLimit, limit, append(slices.Clone(valid), is))
		}
		for condition, is := range flat {
			c.exists(lint.BlankNotPositive, condition, append(slices.Clone(valid), is, "(> W 0)", "(> D 0)", "(> H 0)"))
		}
	}
	if c.find(lint.SizeUnchecked, "BOX_4100"); len(c.findings) > 0 {
		c.Errorf("%s: findings beyond what z3 was asked: %+v", c.name, c.findings)
	}
}

// exists checks that the finding was made if, and only if, z3 finds such a box.
func (c *trial) exists(kind lint.FindingKind, about string, box []string) {
	c.Helper()
	if f, is := c.find(kind, about), c.possible(c, box...); is != (f != nil) {
		c.Errorf("%s: %s %s: %+v, z3 says that there is such a box: %v", c.name, kind, about, f, is)
	}
}

// lintAgainst compares the findings about each profile with the prover.
func lintAgainst(t *testing.T, z *prover, e *boxrules.Engine) {
	articles, materials := make(map[string]limits.Article), make(map[string]limits.Material)
	for _, a := range e.Catalogue().Articles() {
		articles[a.Code] = a
	}
	for _, m := range e.Catalogue().Materials() {
		materials[m.Code] = m
	}
	kinds := make(map[lint.FindingKind]int)
	all := lintOf(e)
	for _, p := range e.Profiles() {
		findings, undecided := findingsOf(t, p, all), kinds[lint.Undecided]
		for _, f := range findings {
			kinds[f.Kind]++
		}
		if kinds[lint.Undecided] > undecided {
			t.Logf("not compared, for something is undecided: %s", lines(t, findings))
			continue
		}
		form, article := p.Exact(), articles[p.Article()]
		name := fmt.Sprintf("%s in %s (%v, %v, %v)", p.Article(), p.Material(), article.Constraints, form.Low, form.High)
		c := &trial{t, z, name, smtOf(t, article, materials[p.Material()]), findings}
		c.check(form.Low, form.High, flatOf(t, article, materials[p.Material()]))
	}
	t.Logf("%d profiles, findings %v", len(e.Profiles()), kinds)
}

func TestZ3Illustrative(t *testing.T) {
	z := newProver(t)
	lintAgainst(t, z, boxrules.Default())
	z.log(t, "the illustrative catalogue")
}

func TestZ3Random(t *testing.T) {
	z := newProver(t)
	r := rand.New(rand.NewPCG(5, 6))
	formulas := slices.Sorted(maps.Keys(smtFormulas))
	for done := 0; done < *z3Selections; done += 200 {
		lintAgainst(t, z, engineOf(t, "", gen.Articles(r.IntN, min(200, *z3Selections-done), constraints(), formulas)))
	}
	z.log(t, "random articles")
}

// TestZ3Redundant asks for each comparison whether the rule says the same without it of every box
// that has a size.
func TestZ3Redundant(t *testing.T) {
	z := newProver(t)
	z.say("(assert (and (> W 0) (> D 0) (> H 0)))")
	var want []string
	droppable := 0
	for _, rule := range smtRules {
		for i, clause := range rule.clauses {
			for j, a := range clause {
				if len(clause) == 1 {
					continue
				}
				droppable++
				less := slices.Clone(rule.clauses)
				less[i] = slices.Delete(slices.Clone(clause), j, j+1)
				if !z.possible(t, "(distinct "+clausesSMT(rule.clauses)+" "+clausesSMT(less)+")") {
					want = append(want, string(rule.code)+" "+a.when)
				}
			}
		}
	}
	var got []string
	for f := range lint.Lint(boxrules.Default()) {
		got = append(got, join(f.Codes)+" "+f.Condition)
	}
	if !slices.Equal(got, want) {
		t.Errorf("Lint() = %q, z3 says %q", got, want)
	}
	z.log(t, fmt.Sprintf("%d comparisons, %d of them redundant", droppable, len(want)))
}
