package boxrules_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

var z3Selections = flag.Int("z3.selections", 200, "random articles that z3 is asked about")

// An smtAtom is a comparison of the documented table: as it is written there, and as SMT-LIB 2 text over W, D
// and H, the dimensions in thousandths, without fractions.
type smtAtom struct{ when, smt string }

// smtRules are the constraints of the interface document's table, typed by hand: a rule holds where all atoms
// of one of its clauses do.
var smtRules = []struct {
	code    boxrules.Code
	clauses [][]smtAtom
}{
	{"BOX_3100", [][]smtAtom{{{"depth > width", "(> D W)"}}}},
	{"BOX_3101", [][]smtAtom{{{"depth > width * 2", "(> D (* 2 W))"}}}},
	{"BOX_3102", [][]smtAtom{{{"height > depth", "(> H D)"}, {"depth >= 60", "(>= D 60000)"}}}},
	{"BOX_3103", [][]smtAtom{{{"width <= (depth * 3) / 4", "(<= (* 4 W) (* 3 D))"}}}},
	{"BOX_3104", [][]smtAtom{{{"height > width", "(> H W)"}}}},
	{"BOX_3105", [][]smtAtom{{{"height > depth", "(> H D)"}}}},
	{"BOX_3106", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}}}},
	{"BOX_3107", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}, {"depth > height", "(> D H)"}}}},
	{"BOX_3108", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}, {"depth < height", "(< D H)"}}}},
	{"BOX_3109", [][]smtAtom{{{"width > depth", "(> W D)"}}}},
	{"BOX_3110", [][]smtAtom{{{"width >= depth", "(>= W D)"}, {"depth < height", "(< D H)"}, {"height > width", "(> H W)"}}}},
	{"BOX_3111", [][]smtAtom{{{"depth > height", "(> D H)"}}}},
	{"BOX_3112", [][]smtAtom{{{"depth > height / 2.5", "(> (* 5 D) (* 2 H))"}}}},
	{"BOX_3113", [][]smtAtom{{{"width > depth", "(> W D)"}, {"width + depth > 498.25", "(> (+ W D) 498250)"}, {"width + height < 498.25", "(< (+ W H) 498250)"}}}},
	{"BOX_3114", [][]smtAtom{{{"width > depth", "(> W D)"}, {"width + depth > 498.25", "(> (+ W D) 498250)"},
		{"width + height > 498.25", "(> (+ W H) 498250)"}, {"depth + height < 498.25", "(< (+ D H) 498250)"}}}},
	{"BOX_3115", [][]smtAtom{{{"height < 2 * depth", "(< H (* 2 D))"}}}},
	{"BOX_3116", [][]smtAtom{{{"height > (depth * 4) / 5", "(> (* 5 H) (* 4 D))"}}}},
	{"BOX_3117", [][]smtAtom{{{"width < height", "(< W H)"}}}},
	{"BOX_3118", [][]smtAtom{{{"width > 2 * depth", "(> W (* 2 D))"}}}},
	{"BOX_3119", [][]smtAtom{{{"depth > (1 / 3) * width", "(> (* 3 D) W)"}}}},
	{"BOX_3120", [][]smtAtom{{{"height < width / 2", "(< (* 2 H) W)"}}}},
	{"BOX_3121", [][]smtAtom{
		{{"depth > width", "(> D W)"}, {"depth >= height", "(>= D H)"}, {"height > width + 30", "(> H (+ W 30000))"}},
		{{"depth > width", "(> D W)"}, {"depth < height", "(< D H)"}}}},
	{"BOX_3122", [][]smtAtom{
		{{"depth <= width", "(<= D W)"}, {"width >= height", "(>= W H)"}, {"height > depth + 30", "(> H (+ D 30000))"}, {"depth + 30 >= 35", "(>= (+ D 30000) 35000)"}},
		{{"depth <= width", "(<= D W)"}, {"width < height", "(< W H)"}, {"width >= 35", "(>= W 35000)"}}}},
}

// smtFormulas are blank formulas of the illustrative catalogue, typed by hand too: multiplied by scale, with
// the glue flap G and the caliper T in thousandths.
var smtFormulas = map[string]struct {
	scale int64
	smt   string
}{
	"2*width + 2*depth + glue_flap":                         {1, "(+ (* 2 W) (* 2 D) G)"},
	"height + 2*depth + 2*min(max(0.5*depth, 12), 25)":      {1, "(+ H (* 2 D) (least (greatest D 24000) 50000))"},
	"height + 0.75*depth + max(14, 0.4*depth) + 0.65*depth": {5, "(+ (* 5 H) (* 7 D) (greatest 70000 (* 2 D)))"},
	"height + 0.5*depth + 1.0*depth":                        {2, "(+ (* 2 H) (* 3 D))"},
	"height + 1.5*depth":                                    {2, "(+ (* 2 H) (* 3 D))"},
	"height":                                                {1, "H"},
	"height + depth":                                        {1, "(+ H D)"},
	"width + depth":                                         {1, "(+ W D)"},
	"width + 2*height":                                      {1, "(+ W (* 2 H))"},
	"depth + 2*height":                                      {1, "(+ D (* 2 H))"},
	"2*height + glue_flap":                                  {1, "(+ (* 2 H) G)"},
	"width + 4*height + 43/3*caliper":                       {3, "(+ (* 3 W) (* 12 H) (* 43 T))"},
	"2*depth + 3*height + 22/3*caliper":                     {3, "(+ (* 6 D) (* 9 H) (* 22 T))"},
	"max(width + 4*height + 43/3*caliper, width + depth + 16/3*caliper)": {3,
		"(greatest (+ (* 3 W) (* 12 H) (* 43 T)) (+ (* 3 W) (* 3 D) (* 16 T)))"},
}

// An smtRule is a rule as it applies to an article in a material.
type smtRule struct {
	code     boxrules.Code
	boundary bool
	smt      string
}

func (r smtRule) not() string { return "(not " + r.smt + ")" }

func not(rules []smtRule) []string {
	var all []string
	for _, r := range rules {
		all = append(all, r.not())
	}
	return all
}

func clausesSMT(clauses [][]smtAtom) string {
	text := "(or false"
	for _, clause := range clauses {
		text += " (and true"
		for _, a := range clause {
			text += " " + a.smt
		}
		text += ")"
	}
	return text + ")"
}

// smtOf are the rules of an article in a material, in the documented order; limits and sheets are the
// catalogue's, as numbers.
func smtOf(t testing.TB, article limits.Article, material limits.Material) []smtRule {
	t.Helper()
	var rules []smtRule
	for axis, r := range []limits.Range{article.Width, article.Depth, article.Height} {
		for i, limit := range []limits.Decimal{r.Min, r.Max} {
			k := new(big.Rat).Mul(limit.Rat(), big.NewRat(1000, 1))
			rules = append(rules, smtRule{boxrules.Code(fmt.Sprintf("BOX_210%d", 2*axis+i)), true,
				fmt.Sprintf("(%s (* %v %c) %v)", []string{"<", ">"}[i], k.Denom(), "WDH"[axis], k.Num())})
		}
	}
	for _, r := range smtRules {
		if slices.Contains(article.Constraints, string(r.code)) {
			rules = append(rules, smtRule{r.code, false, clausesSMT(r.clauses)})
		}
	}
	if article.Blank == nil {
		return rules
	}
	values := strings.NewReplacer("G", fmt.Sprint(wholeThousandths(material.GlueFlap, 1)), "T", fmt.Sprint(wholeThousandths(material.Caliper, 1)))
	longer := func(formula limits.Formula, sheet limits.Decimal) string {
		f, ok := smtFormulas[formula.String()]
		if !ok {
			t.Fatalf("%s: the formula %q has not been typed into this test", article.Code, formula)
		}
		return fmt.Sprintf("(> %s %d)", values.Replace(f.smt), f.scale*wholeThousandths(sheet, 1))
	}
	width, height, sheet := article.Blank.Width, article.Blank.Height, material.Sheet
	return append(rules, smtRule{"BOX_4100", false, "(and (or " + longer(width, sheet.Width) + " " + longer(height, sheet.Height) +
		") (or " + longer(width, sheet.Height) + " " + longer(height, sheet.Width) + "))"})
}

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

// possible asks whether some box meets all the assertions.
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

// A trial is one profile's findings before the prover.
type trial struct {
	testing.TB
	*prover
	name     string
	rules    []smtRule
	findings []boxrules.Finding
}

// find is the finding of the kind for the code or the limit, and which it has, if any; each is taken out.
func (c *trial) find(kind boxrules.FindingKind, about string) *boxrules.Finding {
	for i, f := range c.findings {
		if f.Kind == kind && (f.Limit == about && about != "" || f.Limit == "" && (about == "" || string(f.Codes[0]) == about)) {
			c.findings = slices.Delete(slices.Clone(c.findings), i, i+1)
			return &f
		}
	}
	return nil
}

// suffices holds the set of codes to excluding every box that meets the background, with no code too many,
// and as far as there are few enough to try, with no smaller set among the candidates that would do.
func (c *trial) suffices(f *boxrules.Finding, set []boxrules.Code, candidates []smtRule, background ...string) {
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

// check compares every verdict of Lint with z3's.
func (c *trial) check(low, high gridBox) {
	c.Helper()
	within, boundary := not(c.rules[:6]), c.rules[:6]
	valid := not(c.rules)
	satisfiable := c.possible(c, valid...)
	f := c.find(boxrules.Unsatisfiable, "")
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
		f := c.find(boxrules.Unreportable, string(r.code))
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
	for axis, name := range dimensions {
		for i, limit := range []string{"min_" + name, "max_" + name} {
			compare, end := []string{"<=", ">="}[i], []gridBox{low, high}[i][axis]
			at := func(x int64) string { return fmt.Sprintf("(%s %c %d)", compare, "WDH"[axis], x) }
			f := c.find(boxrules.UnreachableLimit, limit)
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
			x := onGrid(*f.Reachable)
			beyond := x + int64(2*i-1)
			if !c.possible(c, append(slices.Clone(valid), at(x))...) || c.possible(c, append(slices.Clone(valid), at(beyond))...) {
				c.Errorf("%s: %+v: z3 says that another value is the farthest", c.name, *f)
			}
		}
	}
	if c.find(boxrules.SizeUnchecked, "BOX_4100"); len(c.findings) > 0 {
		c.Errorf("%s: findings beyond what z3 was asked: %+v", c.name, c.findings)
	}
}

// lintAgainst puts what Lint says of each profile before the prover.
func lintAgainst(t *testing.T, z *prover, e *boxrules.Engine) {
	kinds := make(map[boxrules.FindingKind]int)
	for _, p := range e.Profiles() {
		article, material := p.Entries()
		findings, undecided := p.Lint(), kinds[boxrules.Undecided]
		for _, f := range findings {
			kinds[f.Kind]++
			confirmFinding(t, p, f)
		}
		if kinds[boxrules.Undecided] > undecided {
			t.Logf("not compared, for something is undecided: %s", lines(t, findings))
			continue
		}
		low, high := limitsOf(p)
		name := fmt.Sprintf("%s in %s (%v, %v, %v)", p.Article(), p.Material(), article.Constraints, low.dims(), high.dims())
		c := &trial{t, z, name, smtOf(t, article, material), findings}
		c.check(low, high)
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
	for done := 0; done < *z3Selections; done += 200 {
		lintAgainst(t, z, engineOf(t, "", randomArticles(r, min(200, *z3Selections-done))))
	}
	z.log(t, "random articles")
}

// TestZ3Redundant asks for each comparison whether the rule says the same without it of every box that has a size.
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
	for _, f := range boxrules.Default().Lint() {
		got = append(got, join(f.Codes)+" "+f.Condition)
	}
	if !slices.Equal(got, want) {
		t.Errorf("Lint() = %q, z3 says %q", got, want)
	}
	z.log(t, fmt.Sprintf("%d comparisons, %d of them redundant", droppable, len(want)))
}
