package bench

import (
	"math/rand/v2"
	"testing"

	"example.com/boxrules"
)

// A question is a box of some article.
type question struct {
	profile *boxrules.Profile
	dims    boxrules.Dims
}

// insights times count on boxes of each article, and of all of them in turn, each in its first
// material.
func insights(b *testing.B, invalid bool, count func([]question) int) {
	b.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	ask := func(p *boxrules.Profile) question {
		for {
			d := anyBox(p, random)
			if v, err := p.Check(d); err != nil {
				b.Fatal(err)
			} else if !invalid || !v.OK() {
				return question{p, d}
			}
		}
	}
	var all []question
	profiles := firstProfiles()
	for range 50 {
		for _, p := range profiles {
			all = append(all, ask(p))
		}
	}
	// What a profile does once, at its first question, is not measured.
	failed += count(all)
	for _, p := range profiles {
		var questions []question
		for range 1000 {
			questions = append(questions, ask(p))
		}
		b.Run("article="+p.Article(), func(b *testing.B) { eachBox(b, questions, count) })
	}
	b.Run("article=all", func(b *testing.B) { eachBox(b, all, count) })
}

func firstProfiles() []*boxrules.Profile {
	var first []*boxrules.Profile
	for _, p := range boxrules.Default().Profiles() {
		if len(first) == 0 || first[len(first)-1].Article() != p.Article() {
			first = append(first, p)
		}
	}
	return first
}

func BenchmarkRanges(b *testing.B) {
	insights(b, false, func(questions []question) (n int) {
		for _, q := range questions {
			r, _ := q.profile.Ranges(q.dims)
			n += len(r.Width) + len(r.Depth) + len(r.Height)
		}
		return n
	})
}

// The step is 1 mm.
func BenchmarkNearest(b *testing.B) {
	insights(b, true, func(questions []question) (n int) {
		for _, q := range questions {
			s, _, _ := q.profile.Nearest(q.dims, 1)
			n += len(s.Changed)
		}
		return n
	})
}

func BenchmarkAdvice(b *testing.B) {
	insights(b, true, func(questions []question) (n int) {
		for _, q := range questions {
			advice, _ := q.profile.Advice(q.dims, 1)
			n += len(advice)
		}
		return n
	})
}

func BenchmarkReasons(b *testing.B) {
	insights(b, true, func(questions []question) (n int) {
		for _, q := range questions {
			reasons, _ := q.profile.Reasons(q.dims)
			n += len(reasons)
		}
		return n
	})
}

func BenchmarkAppendReason(b *testing.B) {
	var text []byte
	insights(b, true, func(questions []question) (n int) {
		for _, q := range questions {
			text, _ = q.profile.AppendReason(text[:0], q.dims)
			n += len(text)
		}
		return n
	})
}
