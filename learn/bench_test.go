package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

func BenchmarkAdd(b *testing.B) {
	e := boxrules.Default()
	profiles := e.Profiles()
	r := rand.New(rand.NewPCG(1, 1))
	answers := make([]learn.Answer, 100_000)
	for i := range answers {
		p := profiles[r.IntN(len(profiles))]
		size := func() float64 { return math.Round(math.Exp(4.8 + 0.7*r.NormFloat64())) }
		d := boxrules.Dims{Width: size(), Depth: size(), Height: size()}
		v, _ := p.Check(d)
		answers[i] = learn.Answer{Box: boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}, Code: v.Code()}
	}
	l := learnerOf(b, limits.Illustrative(), options())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := l.Add(answers[i%len(answers)]); err != nil {
			b.Fatal(err)
		}
	}
}
