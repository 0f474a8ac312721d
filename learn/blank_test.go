package learn_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// without is a catalogue whose articles have no blanks.
func without(c *limits.Catalogue) *limits.Catalogue {
	articles := c.Articles()
	for i := range articles {
		articles[i].Blank = nil
	}
	return c.Completed(articles, c.Materials())
}

// TestBlanks: a blank that is not known is found among the shipped ones; where the right one is not
// among them, none is chosen that gives another verdict.
func TestBlanks(t *testing.T) {
	t.Parallel()
	total, most, none, hidden := 0, 0, 0, shipped(5)
	for _, c := range hidden {
		e := engineOf(t, c)
		truth := c.Articles()[0].Blank
		same := func(a limits.Article) bool {
			return a.Blank.Width.String() == truth.Width.String() && a.Blank.Height.String() == truth.Height.String()
		}
		for _, missing := range []bool{false, true} {
			o := options()
			if o.Blanks = limits.Illustrative(); missing {
				o.Blanks = o.Blanks.Completed(slices.DeleteFunc(o.Blanks.Articles(), same), o.Blanks.Materials())
			}
			l := learnerOf(t, without(c), o)
			n := len(interview(t, l, e))
			made, err := l.Catalogue(true)
			if err != nil {
				t.Fatal(err)
			}
			chosen := made.Articles()[0].Blank
			if !missing {
				total, most = total+n, max(most, n)
			} else if chosen == nil {
				none++
			}
			if !missing && chosen == nil {
				t.Errorf("%s: no formula is chosen", c.Articles()[0].Code)
			}
			for change := range lint.Diff(e, engineOf(t, made)) {
				// Without a formula what exceeds the sheet is not refused.
				if chosen != nil && change.Kind != lint.Identical || change.Kind == lint.NewlyRejected {
					t.Errorf("missing %v: %+v", missing, change)
				}
			}
			i := slices.IndexFunc(l.Facts(), func(f learn.Fact) bool { return f.What == "blank" })
			f := l.Facts()[i]
			var file strings.Builder
			if err := l.WriteLimits(&file, true); err != nil {
				t.Fatal(err)
			}
			const comment = "# chosen from several formulas, and confirmed on both sides of its border by row"
			if got := strings.Contains(file.String(), comment); got != (chosen != nil) {
				t.Errorf("the written file says %q: %v, want %v:\n%s", comment, got, chosen != nil, file.String())
			}
			if decided := f.State == learn.Decided && f.Blank != nil && f.Formula != nil && len(f.Rows) > 0 && f.Left == 0; decided != (chosen != nil) {
				t.Errorf("%+v, and chosen is %v", f, chosen)
			}
		}
	}
	mean := float64(total) / float64(len(hidden))
	t.Logf("%d profiles: %.1f questions on average, at most %d; if the right formula is not among those tried, no formula is chosen for %d of the profiles",
		len(hidden), mean, most, none)
	if len(hidden) == 39 && mean > 50.1 || most > 75 {
		t.Errorf("%.1f questions on average and at most %d, want 50.1 and 75", mean, most)
	}
}

// TestBlanksNotTried: no formulas are tried for an article that has a blank, or under rules that do not compare blanks
// with sheets.
func TestBlanksNotTried(t *testing.T) {
	for _, test := range []struct {
		article string
		rules   *boxrules.RuleSet
		tried   bool
	}{
		{"plain", boxrules.DefaultRules(), true},
		{"case", boxrules.DefaultRules(), false},
		{"plain", loadRules(t, limitRules), false},
		{"case", loadRules(t, limitRules), false},
	} {
		o := options()
		o.Blanks, o.Styles = frameOf(t, lineFrame), true
		l, err := learn.New(test.rules, frameOf(t, lineFrame), o)
		if err != nil {
			t.Fatal(err)
		}
		tried := slices.ContainsFunc(l.Facts(), func(f learn.Fact) bool { return f.Article == test.article && f.What == "blank" })
		if tried != test.tried {
			t.Errorf("formulas are tried for %s: %v, want %v", test.article, tried, test.tried)
		}
	}
}

// TestBlanksTraffic: formulas are eliminated and never believed by recorded answers that do not lie
// on both sides of the border.
func TestBlanksTraffic(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	c := gen.Only(limits.Illustrative(), []string{"tuck-end"}, []string{"carton-300"})
	e, o := engineOf(t, c), options()
	o.Blanks = limits.Illustrative()
	l := learnerOf(t, without(c), o)
	for range 2000 {
		b := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: traffic(r)}
		if err := l.Add(ask(t, e, b)); err != nil {
			t.Fatal(err)
		}
	}
	i := slices.IndexFunc(l.Facts(), func(f learn.Fact) bool { return f.What == "blank" })
	if f := l.Facts()[i]; f.State != learn.Open || f.Left == 0 {
		t.Errorf("%+v, want it open", f)
	}
	// A round goes on as if the first had been answered, whatever the blank is.
	if next := l.Next(2); len(next) != 2 || next[0] == next[1] {
		t.Errorf("Next(2) = %v", next)
	}
	lab.OnlyCI(t, "the questions that settle the formula")
	interview(t, l, e)
	identical(t, l, e)
}

// TestBlanksDiagonal: a sheet is halved at each question also while the blank is not known. Here
// depth and height are nearly equal in the largest boxes that fit, so that products of quantiles
// find none of them: 146 questions went along the border, a tenth of a millimetre each.
func TestBlanksDiagonal(t *testing.T) {
	lab.OnlyCI(t, "a blank on a diagonal, in steps of 0.1")
	t.Parallel()
	c := gen.Only(limits.Illustrative(), []string{"roll-over-tray"}, []string{"carton-400"})
	articles, materials := c.Articles(), c.Materials()
	articles[0].Width = limits.Range{Min: "64.5", Max: "639"}
	articles[0].Depth = limits.Range{Min: "50.3", Max: "291.3"}
	articles[0].Height = limits.Range{Min: "11.6", Max: "302.4"}
	articles[0].Constraints = []string{"BOX_3102"}
	materials[0].Sheet.Width, materials[0].Sheet.Height = "1188.1", "818.6"
	c = c.Completed(articles, materials)
	l := learnerOf(t, without(c), learn.Options{Step: 0.1, Max: 2000, Blanks: limits.Illustrative()})
	e := engineOf(t, c)
	if n := len(interview(t, l, e)); n > 90 {
		t.Errorf("%d questions, want at most 90", n)
	}
	identical(t, l, e)
}
