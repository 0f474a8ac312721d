package lint_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

var z3Selections = flag.Int("z3.selections", lab.Draws(40, 200), "random articles that z3 is asked about")

// A prover is a z3 process.
type prover struct {
	in      *bufio.Writer
	out     *bufio.Scanner
	queries map[string]int // by answer
}

// newProver starts a z3 process for a logic of SMT-LIB 2.
func newProver(t *testing.T, logic string) *prover {
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
	z.say("(set-logic "+logic+") (declare-const W Int) (declare-const D Int) (declare-const H Int)",
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
		c := &trial{t, z, name, smtOf(t, article, materials[p.Material()], e.Catalogue().Unit()), findings}
		c.check(form.Low, form.High, flatOf(t, article, materials[p.Material()]))
	}
	t.Logf("%d profiles, findings %v", len(e.Profiles()), kinds)
}

func TestZ3Illustrative(t *testing.T) {
	z := newProver(t, "QF_LIA")
	lintAgainst(t, z, boxrules.Default())
	z.log(t, "the illustrative catalogue")
}

// rulesIn returns the documented rules in another unit, with their lengths converted.
func rulesIn(t *testing.T, unit string) string {
	lengths := regexp.MustCompile(`\b(498\.25|60|35|30)\b`)
	text := strings.Replace(lab.DocumentedRules(t), "unit: mm", "unit: "+unit, 1)
	return lengths.ReplaceAllString(text, "(${1} / "+millimetres[unit].FloatString(1)+")")
}

// inAnyUnits returns an engine with random articles, and with rules and limits in random units. Even when the rules
// are in another unit than mm, they mean what the documented ones do.
func inAnyUnits(t *testing.T, r *rand.Rand, limitsUnit, articles string) *boxrules.Engine {
	rulesUnit := exact.ConvertibleUnits()[r.IntN(4)]
	sheets := "sheets:\n  s: {width: 1000, height: 700}\n"
	return compiled(t, rulesIn(t, rulesUnit), "version: 1\nunit: "+limitsUnit+"\n"+sheets+
		"materials:\n  m: {caliper: 1, glue_flap: 20, sheet: s}\narticles:\n"+articles)
}

// borderArticles returns an article for each length in the documented conditions. A maximum is the last one of the grid
// with which the comparison with that length holds for no box, or with after = 1 the next one. So the findings depend
// on the last decimal of the converted length.
func borderArticles(unit string, after int64) string {
	// atMost and below return the greatest maximum that is not more, or less, than a length and some thousandths.
	atMost := func(length *big.Rat, plus int64) string {
		scaled := new(big.Rat).Quo(new(big.Rat).Mul(length, big.NewRat(1000, 1)), millimetres[unit])
		return big.NewRat(new(big.Int).Div(scaled.Num(), scaled.Denom()).Int64()+plus+after, 1000).FloatString(3)
	}
	below := func(length *big.Rat) string {
		return atMost(new(big.Rat).Sub(length, big.NewRat(1, 1_000_000_000)), 0)
	}
	ranges := func(width, depth, height string) string {
		return fmt.Sprintf("min: 0.001, max: %s; min: 0.001, max: %s; min: 0.001, max: %s", width, depth, height)
	}
	return gen.WorldArticle("deep", ranges("9000", below(big.NewRat(60, 1)), "9000"), "BOX_3102") + // depth >= 60
		gen.WorldArticle("girth", ranges(atMost(big.NewRat(1993, 4), -2), "0.002", "9000"), "BOX_3113") + // width + depth > 498.25
		gen.WorldArticle("tall", ranges("0.001", "9000", atMost(big.NewRat(30, 1), 1)), "BOX_3121") + // height > width + 30
		gen.WorldArticle("wide", ranges(below(big.NewRat(35, 1)), "0.001", "9000"), "BOX_3122") // width >= 35
}

func TestZ3Random(t *testing.T) {
	z := newProver(t, "QF_LIA")
	r := rand.New(rand.NewPCG(5, 6))
	formulas := slices.Sorted(maps.Keys(smtFormulas))
	for done := 0; done < *z3Selections; done += 50 {
		unit := exact.ConvertibleUnits()[done/50%4]
		articles := gen.WorldArticles(r.IntN, min(50, *z3Selections-done), constraints(), formulas)
		lintAgainst(t, z, inAnyUnits(t, r, unit, articles))
	}
	for _, unit := range exact.ConvertibleUnits() {
		lintAgainst(t, z, inAnyUnits(t, r, unit, borderArticles(unit, 0)))
		lintAgainst(t, z, inAnyUnits(t, r, unit, borderArticles(unit, 1)))
	}
	z.log(t, "random articles")
}

// TestZ3Diff asks for each pair of codes whether some box has the one before an edit and the other after it. The edits
// are of the articles, and of the unit of the rules, which changes nothing.
func TestZ3Diff(t *testing.T) {
	z := newProver(t, "QF_LIA")
	r := rand.New(rand.NewPCG(7, 8))
	formulas := slices.Sorted(maps.Keys(smtFormulas))
	kinds := make(map[lint.ChangeKind]int)
	for done := 0; done < *z3Selections/5; done++ {
		unit, codes := exact.ConvertibleUnits()[done%4], constraints()
		r.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
		before := gen.WorldArticles(r.IntN, 1, codes[:4], formulas)
		after := before
		switch r.IntN(3) {
		case 0:
			after = gen.WorldArticles(r.IntN, 1, codes[:4], formulas)
		case 1:
			after = regexp.MustCompile(`constraints: .*`).ReplaceAllString(before, "constraints: ["+codes[0]+"]")
		}
		diffAgainst(t, z, kinds, inAnyUnits(t, r, unit, before), inAnyUnits(t, r, unit, after))
	}
	for _, unit := range exact.ConvertibleUnits() {
		diffAgainst(t, z, kinds, inAnyUnits(t, r, unit, borderArticles(unit, 0)), inAnyUnits(t, r, unit, borderArticles(unit, 1)))
	}
	z.log(t, fmt.Sprintf("random edits %v", kinds))
	for _, kind := range []lint.ChangeKind{lint.Identical, lint.NewlyAccepted, lint.NewlyRejected, lint.CodeChanged} {
		if kinds[kind] == 0 {
			t.Errorf("no change of the kind %s, want some", kind)
		}
	}
}

// diffAgainst compares the changes of all articles with the prover, and counts their kinds.
func diffAgainst(t *testing.T, z *prover, kinds map[lint.ChangeKind]int, before, after *boxrules.Engine) {
	t.Helper()
	type change struct {
		article  string
		from, to boxrules.Code
	}
	changes := slices.Collect(lint.Diff(before, after))
	confirmChanges(t, before, after, changes)
	found := make(map[change]bool)
	for _, c := range changes {
		kinds[c.Kind]++
		if c.Kind != lint.Identical {
			found[change{c.Article, c.From, c.To}] = true
		}
	}
	unit := before.Catalogue().Unit()
	// reported returns the boxes with each code, and the valid ones. They meet the rule, but none before it.
	reported := func(e *boxrules.Engine, article int) map[boxrules.Code][]string {
		rules := smtOf(t, e.Catalogue().Articles()[article], e.Catalogue().Materials()[0], unit)
		boxes := map[boxrules.Code][]string{"": not(rules)}
		for i, rule := range rules {
			boxes[rule.code] = append(not(rules[:i]), rule.smt)
		}
		return boxes
	}
	for i, a := range before.Catalogue().Articles() {
		for from, boxes := range reported(before, i) {
			for to, others := range reported(after, i) {
				changed := from != to && z.possible(t, slices.Concat(boxes, others)...)
				if changed != found[change{a.Code, from, to}] {
					t.Errorf("limits in %s, article %+v: Diff has\n%s\nbut z3 says that a box changes from %q to %q: %v",
						unit, a, words(changes), from, to, changed)
				}
			}
		}
	}
}

// TestZ3Redundant asks for each comparison whether the rule says the same without it of every box
// that has a size.
func TestZ3Redundant(t *testing.T) {
	z := newProver(t, "QF_LIA")
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
