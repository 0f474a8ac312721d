package learn_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

var (
	profileCount = flag.Int("learn.profiles", lab.Draws(2, 4), "shipped profiles that are learned alone and proved; 39 are all")
	fileCount    = flag.Int("learn.files", lab.Draws(1, 4), "random limit files that are learned and proved")
	drawCount    = flag.Int("learn.draws", lab.Draws(2, 15), "random profiles that are learned alone")
	firstDraw    = flag.Int("learn.first", 0, "the first of them")
	runCount     = flag.Int("learn.runs", lab.Draws(3, 6), "runs in which lenient and strict limits are tried at random moments")
	boxCount     = flag.Int("learn.boxes", lab.Draws(2000, 6000), "boxes that they are tried on, in all runs")
	float64Count = flag.Int("learn.float64", lab.Draws(4, 12), "services that compute in double precision")
	wholeToo     = flag.Bool("learn.whole", false, "learn the whole shipped catalogue too")
)

func init() { lab.Checks(6, 100) }

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

func frameOf(t testing.TB, text string) *limits.Catalogue {
	t.Helper()
	frame, err := limits.LoadFrame("frame.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return frame
}

// options are those of the command: whole units up to 2000.
func options() learn.Options { return learn.Options{Step: 1, Max: 2000} }

// shipped are the shipped profiles, each as a catalogue of its own: one in share of as many as the
// flag says, spread over all.
func shipped(share int) (all []*limits.Catalogue) {
	profiles := boxrules.Default().Profiles()
	n := min(*profileCount, len(profiles))
	if n < len(profiles) {
		n = max(1, n/share)
	}
	for i := range n {
		p := profiles[(2*i+1)*len(profiles)/(2*n)]
		all = append(all, gen.Only(limits.Illustrative(), []string{p.Article()}, []string{p.Material()}))
	}
	return all
}

// randomFile draws some of the shipped articles and materials with other limits.
func randomFile(r *rand.Rand, kind int) (*limits.Catalogue, learn.Options) {
	c, step, most := gen.Catalogue(r.IntN, kind%gen.Kinds)
	return c, learn.Options{Step: step, Max: most}
}

// randomProfile is a [randomFile] of one article in one material, the same for the same number.
func randomProfile(i int) (*limits.Catalogue, learn.Options) {
	kind := i % 8
	if kind == 1 { // two articles
		kind = 0
	}
	return randomFile(rand.New(rand.NewPCG(uint64(i), 7)), kind)
}

func grid(t testing.TB, b boxrules.Box) exact.Point {
	t.Helper()
	at, ok := b.Grid()
	if !ok {
		t.Fatalf("%+v is no box", b)
	}
	return at
}

// ask asks an engine.
func ask(t testing.TB, e *boxrules.Engine, b boxrules.Box) learn.Answer {
	t.Helper()
	v, err := e.Check(b)
	if err != nil {
		t.Fatal(err)
	}
	return learn.Answer{Box: b, Code: v.Code()}
}

// interview asks the engine until nothing is left to ask, and counts the questions.
func interview(t testing.TB, l *learn.Learner, e *boxrules.Engine) (answers []learn.Answer) {
	t.Helper()
	for {
		next := l.Next(1)
		if len(next) == 0 {
			return answers
		}
		a := ask(t, e, next[0])
		if possible, err := l.Possible(a.Box); err != nil || len(possible) < 2 || !slices.Contains(possible, a.Code) {
			t.Fatalf("%+v is asked, for which %q is possible, %v; it is %q", a.Box, possible, err, a.Code)
		}
		if err := l.Add(a); err != nil {
			t.Fatal(err)
		}
		if answers = append(answers, a); len(answers) > 5000 {
			t.Fatal("5000 questions")
		}
	}
}

// identical fails where what was learned gives another verdict for any box, or where something is
// open.
func identical(t testing.TB, l *learn.Learner, e *boxrules.Engine) {
	t.Helper()
	for _, f := range l.Facts() {
		if f.State != learn.Decided && f.State != learn.Unobservable {
			t.Errorf("%+v", f)
		}
	}
	for _, lenient := range []bool{true, false} {
		c, err := l.Catalogue(lenient)
		if err != nil && !lenient {
			for _, p := range e.Profiles() {
				if d, ok := lint.Witness(p, ""); ok {
					t.Errorf("strict: %v, although %s accepts %+v", err, p.Article(), d)
				}
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for change := range lint.Diff(e, engineOf(t, c)) {
			p, err := e.Profile(change.Article, change.Material)
			if err != nil {
				t.Fatal(err)
			}
			if change.Kind == lint.OnlyBefore && !lenient {
				if d, ok := lint.Witness(p, ""); ok {
					t.Errorf("strict: %s in %s is left out, which accepts %+v", change.Article, change.Material, d)
				}
			} else if change.Kind != lint.Identical {
				t.Errorf("lenient %v: %+v", lenient, change)
			}
		}
	}
}
