package bench

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/limits"
)

// The article is a roll-end mailer: six limits, two constraints, and a size rule with max in its
// blank.
const article, material = "mailer", "e-flute"

// A job is what every peer is given: the rules that apply to the article, in check order, its
// limits, and the formulas of its blank.
type job struct {
	rules                   []boxrules.Rule
	limits                  map[string]float64 // the variables of rules and formulas that are fixed
	blankWidth, blankHeight string
}

// A peer is one way to do the job, compiled once. check is the code of the first rule that the
// box violates, or empty; it need not be safe for concurrent use. count is how many of the boxes
// violate one.
type peer struct {
	name  string
	check func(boxrules.Dims) boxrules.Code
	count func([]boxrules.Dims) int
}

// The quickest three have loops of their own, in which calls are direct. To call the others through
// a func makes no difference.
func peers(tb testing.TB) []peer {
	tb.Helper()
	p := profile()
	j := newJob(p)
	hand, exact := newByHand(j), newByHandExact(j)
	all := []peer{
		{"boxrules", func(d boxrules.Dims) boxrules.Code { v, _ := p.Check(d); return v.Code() }, func(boxes []boxrules.Dims) (n int) {
			for _, d := range boxes {
				if v, _ := p.Check(d); v.Code() != "" {
					n++
				}
			}
			return n
		}},
		{"hand", hand.mailer, hand.mailerCount},
		{"exact", exact.mailer, exact.mailerCount},
		{name: "expr-map", check: newExprMap(tb, j).check},
		{name: "expr-one", check: newExprOne(tb, j).check},
		{name: "cel", check: newCEL(tb, j).check},
	}
	for i := range all {
		if all[i].count == nil {
			check := all[i].check
			all[i].count = func(boxes []boxrules.Dims) (n int) {
				for _, d := range boxes {
					if check(d) != "" {
						n++
					}
				}
				return n
			}
		}
	}
	return all
}

var profile = sync.OnceValue(func() *boxrules.Profile {
	p, err := boxrules.Default().Profile(article, material)
	if err != nil {
		panic(err)
	}
	return p
})

func newJob(p *boxrules.Profile) job {
	articles := boxrules.Default().Catalogue().Articles()
	blank := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })].Blank
	j := job{rules: p.Rules(), limits: make(map[string]float64), blankWidth: blank.Width.String(), blankHeight: blank.Height.String()}
	for name, v := range p.Exact().Variables.All() {
		if k, ok := v.Value.Constant(); ok {
			j.limits[name], _ = k.Float64()
		}
	}
	return j
}

var termPattern = regexp.MustCompile(`[a-z_]+|[0-9.]+`)

// adapt puts a condition or a formula into the syntax of a peer, whose words for names and
// numbers differ.
func adapt(text string, name, number func(string) string) string {
	return termPattern.ReplaceAllStringFunc(text, func(t string) string {
		if t[0] <= '9' {
			return number(t)
		}
		return name(t)
	})
}

// float writes a number such that no peer takes it for an integer.
func float(number string) string {
	if strings.Contains(number, ".") {
		return number
	}
	return number + ".0"
}

func same(s string) string { return s }

// Nothing is measured that does not agree: on the first code of every box, and so on which boxes
// are valid.
func TestSameVerdicts(t *testing.T) {
	sets := makeBoxes()
	all := peers(t)
	for i, d := range slices.Concat(sets.valid, sets.invalid) { // mixed is drawn from them
		if i%lab.Draws(20, 1) > 0 {
			continue
		}
		want := all[0].check(d)
		for _, peer := range all[1:] {
			if got := peer.check(d); got != want {
				t.Fatalf("%s: check(%+v) = %q, want %q", peer.name, d, got, want)
			}
		}
	}
}
