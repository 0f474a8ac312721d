package learn_test

import (
	"math/rand/v2"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// recorded is traffic for all shipped articles and materials, with its answers.
func recorded(t testing.TB, n int) []learn.Answer {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	e := boxrules.Default()
	profiles := e.Profiles()
	answers := make([]learn.Answer, n)
	for i := range answers {
		p := profiles[r.IntN(len(profiles))]
		answers[i] = ask(t, e, boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: traffic(r)})
	}
	return answers
}

func BenchmarkAdd(b *testing.B) {
	answers := recorded(b, 100_000)
	l := learnerOf(b, limits.Illustrative(), options())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := l.Add(answers[i%len(answers)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNext is the time of a question, over whole interviews.
func BenchmarkNext(b *testing.B) {
	c := gen.Only(limits.Illustrative(), []string{"tuck-end"}, []string{"carton-300"})
	e := engineOf(b, c)
	l := learnerOf(b, c, options())
	for b.Loop() {
		next := l.Next(1)
		if len(next) == 0 {
			l = learnerOf(b, c, options())
			continue
		}
		if err := l.Add(ask(b, e, next[0])); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProof(b *testing.B) {
	for b.Loop() {
		if _, err := learn.Proof(boxrules.Default(), options()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAddAllocates little, whatever the row.
func TestAddAllocates(t *testing.T) {
	answers := recorded(t, 3000)
	l := learnerOf(t, limits.Illustrative(), options())
	i := 0
	got := testing.AllocsPerRun(len(answers)-1, func() {
		if err := l.Add(answers[i]); err != nil {
			t.Fatal(err)
		}
		i++
	})
	if got > 2 {
		t.Errorf("Add allocates %v times, want at most 2", got)
	}
}
