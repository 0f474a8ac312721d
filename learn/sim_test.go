package learn_test

import (
	"flag"
	"fmt"
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

func TestSim(t *testing.T) {
	total, worst := 0, 0
	profiles := boxrules.Default().Profiles()
	for _, p := range profiles {
		hidden := alone(limits.Illustrative(), p.Article(), p.Material())
		e, err := boxrules.New(boxrules.DefaultRules(), hidden)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learn.New(boxrules.DefaultRules(), hidden, learn.Options{Step: 1, Max: 2000, Uniform: *uniform})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			boxes := l.Next(1)
			if len(boxes) == 0 || n > 300 {
				break
			}
			n++
			v, err := e.Check(boxes[0])
			if err != nil {
				t.Fatal(err)
			}
			if *verbose && n > 40 {
				fmt.Println(n, boxes[0], v)
			}
			if err := l.Add(learn.Answer{Box: boxes[0], Code: v.Code()}); err != nil {
				t.Fatal(err)
			}
		}
		total += n
		worst = max(worst, n)
		c, err := l.Catalogue(true)
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := boxrules.New(boxrules.DefaultRules(), c)
		if err != nil {
			t.Error(err)
			continue
		}
		for change := range lint.Diff(e, got) {
			if change.Kind != lint.Identical {
				t.Errorf("%+v", change)
			}
		}
		fmt.Println(p.Article(), p.Material(), n)
	}
	fmt.Printf("mean %.1f worst %d\n", float64(total)/float64(len(profiles)), worst)
}
