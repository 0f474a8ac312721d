package learn_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
	"example.com/boxrules/source"
)

// TestProof: teaching sets of shipped profiles are small, a learner decides everything from them,
// and whatever is changed in the limits, an answer differs.
func TestProof(t *testing.T) {
	t.Parallel()
	total, most, changed, hidden := 0, 0, 0, shipped(1)
	for _, c := range hidden {
		e := engineOf(t, c)
		answers := proof(t, e, options())
		converged(t, e, c, options(), answers)
		changed += noticed(t, c, options(), answers)
		total, most = total+len(answers), max(most, len(answers))
	}
	fine := options() // blanks are multiples of the step more often
	fine.Step = 0.1
	for _, c := range hidden {
		converged(t, engineOf(t, c), c, fine, proof(t, engineOf(t, c), fine))
	}
	mean := float64(total) / float64(len(hidden))
	t.Logf("%d profiles: %.1f boxes on average, at most %d; %d changed limit files, each noticed", len(hidden), mean, most, changed)
	if mean > 15 || changed < 10*len(hidden) {
		t.Errorf("%.1f boxes on average, want at most 15; %d changes", mean, changed)
	}
}

// TestProofTogether: that of a whole catalogue too.
func TestProofTogether(t *testing.T) {
	t.Parallel()
	e := boxrules.Default()
	answers := proof(t, e, options())
	converged(t, e, limits.Illustrative(), options(), answers)
	t.Logf("%d boxes for %d profiles", len(answers), len(e.Profiles()))
	if n := len(e.Profiles()); len(answers) > 15*n {
		t.Errorf("%d boxes for %d profiles, want at most %d", len(answers), n, 15*n)
	}
}

// TestProofRandom: that of random files.
func TestProofRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	total, most, profiles, changed := 0, 0, 0, 0
	for i := range *fileCount {
		c, o := randomFile(r, i)
		e := engineOf(t, c)
		answers := proof(t, e, o)
		converged(t, e, c, o, answers)
		n := noticed(t, c, o, answers)
		total, most, profiles, changed = total+len(answers), max(most, len(answers)/len(e.Profiles())), profiles+len(e.Profiles()), changed+n
		if t.Failed() {
			t.Fatalf("file %d: %+v, %+v", i, c.Articles(), c.Materials())
		}
	}
	t.Logf("%d files: %d profiles, %.1f boxes on average, at most %d; %d changed limit files, each noticed",
		*fileCount, profiles, float64(total)/float64(profiles), most, changed)
}

func proof(t testing.TB, e *boxrules.Engine, o learn.Options) []learn.Answer {
	t.Helper()
	answers, err := learn.Proof(e, o)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

// converged has a learner learn the answers, which are the engine's, and nothing else.
func converged(t testing.TB, e *boxrules.Engine, frame *limits.Catalogue, o learn.Options, answers []learn.Answer) {
	t.Helper()
	l := learnerOf(t, frame, o)
	for i, a := range answers {
		if want := ask(t, e, a.Box); a.Code != want.Code || a.Row != i+1 {
			t.Errorf("box %d: %+v, want %q", i+1, a, want.Code)
		}
		if d := a.Dims; min(d.Width, d.Depth, d.Height) <= 0 || boxrules.DimsAt(grid(t, a.Box)) != d {
			t.Errorf("%+v is not to be asked", d)
		}
		if err := l.Add(a); err != nil {
			t.Fatal(err)
		}
		if a64 := float64Service(frame, a.Box); a64.Code != a.Code {
			t.Errorf("%+v is borderline: %q in double precision", a, a64.Code)
		}
	}
	identical(t, l, e)
	if next := l.Next(1); len(next) > 0 {
		t.Errorf("after the proof %+v is asked", next)
	}
}

// noticed changes one thing of the limit file at a time: each limit by a step, each selection, each
// side of each sheet by a step. If a box then gets another code, an answer of the teaching set must change, too.
// It counts those files.
func noticed(t testing.TB, c *limits.Catalogue, o learn.Options, answers []learn.Answer) (changed int) {
	t.Helper()
	before := engineOf(t, c)
	try := func(what string, articles []limits.Article, materials []limits.Material) {
		t.Helper()
		after, err := boxrules.New(boxrules.DefaultRules(), c.Completed(articles, materials))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		differ := slices.ContainsFunc(answers, func(a learn.Answer) bool { return ask(t, after, a.Box).Code != a.Code })
		if differ { // which answers say themselves
			changed++
			return
		}
		for change := range lint.Diff(before, after) {
			if change.Kind != lint.Identical {
				t.Errorf("%s: nobody notices %+v", what, change)
				return
			}
		}
	}
	for i, a := range c.Articles() {
		for axis, name := range []string{"width", "depth", "height"} {
			for _, step := range []float64{-o.Step, o.Step} {
				for end, what := range []string{"min_", "max_"} {
					articles := c.Articles()
					r := []*limits.Range{&articles[i].Width, &articles[i].Depth, &articles[i].Height}[axis]
					to := []*limits.Decimal{&r.Min, &r.Max}[end]
					*to = gen.Decimal(to.Float64() + step)
					if r.Min.Float64() > 0 && r.Min.Float64() <= r.Max.Float64() && r.Max.Float64() <= o.Max {
						try(a.Code+" "+what+name, articles, c.Materials())
					}
				}
			}
		}
		for _, rule := range boxrules.DefaultRules().Rules() {
			if rule.Stage != boxrules.Constraint {
				continue
			}
			articles := c.Articles()
			own := &articles[i].Constraints
			if at := slices.Index(*own, string(rule.Code)); at >= 0 {
				*own = slices.Delete(*own, at, at+1)
			} else {
				*own = append(*own, string(rule.Code))
			}
			try(a.Code+" "+string(rule.Code), articles, c.Materials())
		}
	}
	for _, s := range c.Sheets() {
		for _, by := range [][2]float64{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {1, -1}, {100, 0}, {0, 100}} {
			materials := c.Materials()
			resized := limits.Sheet{Code: s.Code}
			resized.Width, resized.Height = gen.Decimal(s.Width.Float64()+by[0]*o.Step), gen.Decimal(s.Height.Float64()+by[1]*o.Step)
			for i := range materials {
				if materials[i].Sheet == s {
					materials[i].Sheet = resized
				}
			}
			if resized.Width.Float64() > 0 && resized.Height.Float64() > 0 {
				try("sheet "+s.Code, c.Articles(), materials)
			}
		}
	}
	return changed
}

// tuckEnd is a shipped article in one material, changed.
func tuckEnd(change func(a *limits.Article, m *limits.Material)) *limits.Catalogue {
	c := gen.Only(limits.Illustrative(), []string{"tuck-end"}, []string{"carton-300"})
	articles, materials := c.Articles(), c.Materials()
	change(&articles[0], &materials[0])
	return c.Completed(articles, materials)
}

// TestProofOffGrid: what is not on the grid of the options is an error with its place, not a proof
// of something else.
func TestProofOffGrid(t *testing.T) {
	for _, test := range []struct {
		name   string
		step   float64
		max    float64
		change func(a *limits.Article, m *limits.Material)
		want   string
	}{
		{"a maximum", 1, 2000, func(a *limits.Article, m *limits.Material) { a.Width.Max = gen.Decimal(371.5) },
			"articles.tuck-end: 371.5 is not valid; accepted: a multiple of 1 that is at most 2000"},
		{"a minimum", 0.5, 2000, func(a *limits.Article, m *limits.Material) { a.Height.Min = gen.Decimal(0.25) },
			"articles.tuck-end: 0.25 is not valid; accepted: a multiple of 0.5 that is at most 2000"},
		{"beyond the greatest", 1, 420, func(a *limits.Article, m *limits.Material) {},
			"articles.tuck-end: 450 is not valid; accepted: a multiple of 1 that is at most 420"},
		{"a sheet", 1, 2000, func(a *limits.Article, m *limits.Material) { m.Sheet.Height = gen.Decimal(720.5) },
			"sheets.ra106: 720.5 is not valid; accepted: a multiple of 1 that is at most 1000000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := engineOf(t, tuckEnd(test.change))
			answers, err := learn.Proof(e, learn.Options{Step: test.step, Max: test.max})
			var problems source.Errors
			if !errors.As(err, &problems) || len(problems) == 0 || len(answers) > 0 {
				t.Fatalf("Proof = %v, %v", answers, err)
			}
			got := problems[0]
			text := got.Rule + ": " + got.Message
			if text != test.want || got.File != "limits/illustrative.yaml" || got.Line == 0 || got.Column == 0 {
				t.Errorf("Proof says %v, want %s", err, test.want)
			}
		})
	}
}

// TestProofDecimals: a teaching set has no more decimals than the service takes, and then as much
// is decided as can be asked.
func TestProofDecimals(t *testing.T) {
	c := tuckEnd(func(a *limits.Article, m *limits.Material) {
		a.Width.Min, a.Width.Max, a.Depth.Max, a.Height.Min = gen.Decimal(20.125), gen.Decimal(399.375), gen.Decimal(249.875), gen.Decimal(30.625)
		m.Sheet.Width = gen.Decimal(1039.625)
	})
	o := learn.Options{Step: 0.125, Max: 500}
	l := learnerOf(t, c, o)
	for _, a := range proof(t, engineOf(t, c), o) {
		if at := grid(t, a.Box); at[0]%10+at[1]%10+at[2]%10 > 0 {
			t.Errorf("%+v has more than two decimals", a.Dims)
		}
		if err := l.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	if next := l.Next(1); len(next) > 0 {
		t.Errorf("after the proof %+v is asked", next)
	}
}

// TestProofOfLimits: each limit has a box just beyond it. The dimensions that are tested earlier are as small as possible
// or, once their minimums are proved, as large as possible. No box proves what is proved already, such as the limits of
// an article in its second material, and none has a dimension that boxes cannot have. If no product is to be proved, no
// box is needed.
func TestProofOfLimits(t *testing.T) {
	boundary, _, _ := strings.Cut(limitRules, "constraint:")
	rules := loadRules(t, boundary)
	for _, test := range []struct {
		limits    string // of width, depth and height
		step      float64
		materials []string // those in which the limits are to be proved
		want      []string
	}{
		{"{min: 20, max: 400}, {min: 10, max: 200}, {min: 5, max: 100}", 1, []string{"thin", "thick"}, []string{
			"19x10x5 OWN_0001", "401x10x5 OWN_0002", "20x9x5 OWN_0003", "400x201x5 OWN_0004", "20x10x4 OWN_0005", "20x200x101 OWN_0006",
			"20x10x5 ", "100x100x100 ",
		}},
		{"{min: 1, max: 400}, {min: 1, max: 200}, {min: 1, max: 100}", 1, []string{"thin", "thick"}, []string{
			"401x1x1 OWN_0002", "1x201x1 OWN_0004", "400x1x101 OWN_0006", "1x200x1 ", "100x100x100 ",
		}},
		{"{min: 1, max: 1}, {min: 1, max: 1}, {min: 1, max: 1}", 1, []string{"thin", "thick"}, []string{
			"2x1x1 OWN_0002", "1x2x1 OWN_0004", "1x1x2 OWN_0006",
		}},
		{"{min: 20.5, max: 400}, {min: 10, max: 200.5}, {min: 5, max: 100}", 0.5, []string{"thin"}, []string{
			"20x10x5 OWN_0001", "401x10x5 OWN_0002", "21x9x5 OWN_0003", "400x201x5 OWN_0004", "21x10x4 OWN_0005", "21x200x101 OWN_0006",
			"25x10x5 ", "100x100x100 ",
		}},
		{"{min: 1, max: 400}, {min: 1, max: 200}, {min: 1, max: 100}", 0.5, []string{"thin"}, []string{
			"401x1x1 OWN_0002", "1x201x1 OWN_0004", "400x1x101 OWN_0006", "1x200x1 ", "100x100x100 ",
		}},
		{"{min: 20, max: 400}, {min: 10, max: 200}, {min: 5, max: 100}", 1, nil, nil},
	} {
		var axes []any
		for ends := range strings.SplitSeq(test.limits, "}, ") {
			axes = append(axes, strings.Trim(ends, "{}"))
		}
		c, err := limits.Load("limits.yaml", fmt.Appendf(nil, `version: 1
unit: mm
decimals: 0
sheets: {large: {width: 1000, height: 1000}}
materials: {thin: {caliper: 1, glue_flap: 0, sheet: large}, thick: {caliper: 2, glue_flap: 0, sheet: large}}
articles: {case: {width: {%s}, depth: {%s}, height: {%s}, constraints: []}}
`, axes...))
		if err != nil {
			t.Fatal(err)
		}
		e, err := boxrules.New(rules, c)
		if err != nil {
			t.Fatal(err)
		}
		isMeant := func(_, material string) bool { return slices.Contains(test.materials, material) }
		var got []string
		for _, a := range proof(t, e, learn.Options{Step: test.step, Max: 500, Only: isMeant}) {
			got = append(got, fmt.Sprintf("%vx%vx%v %s", a.Width, a.Depth, a.Height, a.Code))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s in %v:\n%q\nwant\n%q", test.limits, test.materials, got, test.want)
		}
	}
}
