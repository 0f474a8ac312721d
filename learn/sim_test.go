package learn_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

var verbose = flag.Bool("learn.v", false, "print each profile")
var uniform = flag.Bool("learn.uniform", false, "")

// alone is a catalogue of one article in one material.
func alone(c *limits.Catalogue, article, material string) *limits.Catalogue {
	articles := slices.DeleteFunc(c.Articles(), func(a limits.Article) bool { return a.Code != article })
	articles[0].Materials = []string{material}
	materials := slices.DeleteFunc(c.Materials(), func(m limits.Material) bool { return m.Code != material })
	return c.Completed(articles, materials)
}

func engineOf(t testing.TB, c *limits.Catalogue) *boxrules.Engine {
	t.Helper()
	e, err := boxrules.New(boxrules.DefaultRules(), c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func learnerOf(t testing.TB, frame *limits.Catalogue, o learn.Options) *learn.Learner {
	t.Helper()
	l, err := learn.New(boxrules.DefaultRules(), frame, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func options() learn.Options { return learn.Options{Step: 1, Max: 2000, Uniform: *uniform} }

// interview asks the engine until nothing is left to ask.
func interview(t testing.TB, l *learn.Learner, e *boxrules.Engine) (questions int) {
	t.Helper()
	for {
		boxes := l.Next(1)
		if len(boxes) == 0 || questions > 3000 {
			return questions
		}
		questions++
		v, err := e.Check(boxes[0])
		if err != nil {
			t.Fatal(err)
		}
		if *verbose && questions > 40 {
			fmt.Println(questions, boxes[0], v)
		}
		if err := l.Add(learn.Answer{Box: boxes[0], Code: v.Code()}); err != nil {
			t.Fatal(err)
		}
	}
}

// identical fails where what was learned gives another verdict for any box.
func identical(t testing.TB, l *learn.Learner, e *boxrules.Engine) {
	t.Helper()
	for _, lenient := range []bool{true, false} {
		c, err := l.Catalogue(lenient)
		if err != nil {
			t.Error(err)
			continue
		}
		for change := range lint.Diff(e, engineOf(t, c)) {
			if change.Kind != lint.Identical {
				t.Errorf("lenient %v: %v %v %v", lenient, change.Article, change.Material, change.Kind)
			}
		}
	}
}

func TestSim(t *testing.T) {
	total, worst := 0, 0
	profiles := boxrules.Default().Profiles()
	for _, p := range profiles {
		hidden := alone(limits.Illustrative(), p.Article(), p.Material())
		e, l := engineOf(t, hidden), learnerOf(t, hidden, options())
		n := interview(t, l, e)
		identical(t, l, e)
		total += n
		worst = max(worst, n)
	}
	fmt.Printf("mean %.1f worst %d\n", float64(total)/float64(len(profiles)), worst)
}

func TestWhole(t *testing.T) {
	l := learnerOf(t, limits.Illustrative(), options())
	n := interview(t, l, boxrules.Default())
	identical(t, l, boxrules.Default())
	for _, f := range l.Facts() {
		if f.State == "open" {
			t.Errorf("%+v", f)
		}
	}
	fmt.Println("whole", n)
}

// randomised is the shipped catalogue with other limits, constraints and sheets.
func randomised(r *rand.Rand, article, material string) *limits.Catalogue {
	c := alone(limits.Illustrative(), article, material)
	articles, materials := c.Articles(), c.Materials()
	a := &articles[0]
	for _, to := range []*limits.Range{&a.Width, &a.Depth, &a.Height} {
		low := 1 + r.Int64N(300)
		to.Min, to.Max = limits.DecimalAt(low*1000), limits.DecimalAt((low+r.Int64N(min(1000, 2001-low)))*1000)
	}
	a.Constraints = nil
	for _, rule := range boxrules.DefaultRules().Rules() {
		if rule.Stage == boxrules.Constraint && r.IntN(8) == 0 {
			a.Constraints = append(a.Constraints, string(rule.Code))
		}
	}
	w, h := 100+r.Int64N(2000), 100+r.Int64N(1500)
	materials[0].Sheet.Width, materials[0].Sheet.Height = limits.DecimalAt(w*1000), limits.DecimalAt(h*1000)
	return c.Completed(articles, materials)
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	profiles := boxrules.Default().Profiles()
	worst, total := 0, 0
	for range 150 {
		p := profiles[r.IntN(len(profiles))]
		hidden := randomised(r, p.Article(), p.Material())
		e, l := engineOf(t, hidden), learnerOf(t, hidden, options())
		n := interview(t, l, e)
		worst = max(worst, n)
		total += n
		c, err := l.Catalogue(true)
		if err != nil {
			t.Fatal(err)
		}
		for change := range lint.Diff(e, engineOf(t, c)) {
			if change.Kind != lint.Identical {
				t.Errorf("%v %v %v %v", change.Kind, p.Article(), p.Material(), change.Witness)
				for _, f := range l.Facts() {
					if f.State == "open" || f.What == "sheet" {
						t.Errorf("%+v", f)
					}
				}
				t.Errorf("%v", hidden.Sheets())
				return
			}
		}
	}
	fmt.Println("random", worst, float64(total)/150)
}

func TestProof(t *testing.T) {
	total, worst := 0, 0
	profiles := boxrules.Default().Profiles()
	for _, p := range profiles {
		hidden := alone(limits.Illustrative(), p.Article(), p.Material())
		e := engineOf(t, hidden)
		answers, err := learn.Proof(e, options())
		if err != nil {
			t.Fatal(err)
		}
		if *verbose {
			fmt.Println(p.Article(), p.Material(), len(answers))
			for _, a := range answers {
				fmt.Println(a)
			}
		}
		l := learnerOf(t, hidden, options())
		for _, a := range answers {
			if err := l.Add(a); err != nil {
				t.Fatal(err)
			}
		}
		identical(t, l, e)
		if next := l.Next(1); len(next) > 0 {
			t.Errorf("%v", next)
		}
		total += len(answers)
		worst = max(worst, len(answers))
	}
	fmt.Printf("proof: mean %.1f worst %d\n", float64(total)/float64(len(profiles)), worst)
}

// without is a frame of a catalogue's articles without their blanks.
func without(c *limits.Catalogue) *limits.Catalogue {
	articles := c.Articles()
	for i := range articles {
		articles[i].Blank = nil
	}
	return c.Completed(articles, c.Materials())
}

func TestBlanks(t *testing.T) {
	total, worst, chosen := 0, 0, 0
	profiles := boxrules.Default().Profiles()
	for _, p := range profiles {
		hidden := alone(limits.Illustrative(), p.Article(), p.Material())
		e := engineOf(t, hidden)
		for _, missing := range []bool{false, true} {
			o := options()
			o.Blanks = limits.Illustrative()
			if missing {
				articles := slices.DeleteFunc(o.Blanks.Articles(), func(a limits.Article) bool {
					return a.Blank.Width.String() == hidden.Articles()[0].Blank.Width.String() && a.Blank.Height.String() == hidden.Articles()[0].Blank.Height.String()
				})
				o.Blanks = o.Blanks.Completed(articles, o.Blanks.Materials())
			}
			l := learnerOf(t, without(hidden), o)
			n := interview(t, l, e)
			if !missing {
				total += n
				worst = max(worst, n)
			}
			c, err := l.Catalogue(true)
			if err != nil {
				t.Error(err)
				continue
			}
			if missing && c.Articles()[0].Blank != nil {
				chosen++
				fmt.Println(p.Article(), p.Material(), "chosen")
			}
			for change := range lint.Diff(e, engineOf(t, c)) {
				if (!missing || c.Articles()[0].Blank != nil) && change.Kind != lint.Identical || change.Kind == lint.NewlyRejected {
					t.Errorf("%v %v %v missing %v %d %v", p.Article(), p.Material(), change.Kind, missing, n, change.Witness)
				}
			}
			fmt.Println(p.Article(), p.Material(), missing, n)
		}
	}
	fmt.Printf("blanks: mean %.1f worst %d; chosen wrongly %d\n", float64(total)/float64(len(profiles)), worst, chosen)
}
