package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// float64Service answers as a service does that computes in double precision.
func float64Service(c *limits.Catalogue, b boxrules.Box) learn.Answer {
	articles, materials := c.Articles(), c.Materials()
	a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == b.Article })]
	m := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == b.Material })]
	code := oracle.NewFloat64(a, m).First(b.Width, b.Depth, b.Height)
	return learn.Answer{Box: b, Code: boxrules.Code(code)}
}

// tiedBox returns a box that is likely to be exactly on the limit of a condition, or to have a blank as
// large as the sheet, with dimensions that are multiples of 0.1.
func tiedBox(r *rand.Rand, p *boxrules.Profile) boxrules.Box {
	b := boxrules.Box{Article: p.Article(), Material: p.Material()}
	form := p.Exact()
	var at exact.Point
	for axis := range at {
		low, high := form.Low[axis]/100, form.High[axis]/100
		at[axis] = 100 * (low + r.Int64N(max(high-low, 0)+1))
	}
	tenth := func(x int64) int64 { return x / 100 * 100 }
	switch r.IntN(8) {
	case 0:
		at[1] = tenth(at[1])
		at[0] = 3 * at[1]
	case 1:
		at[1] -= at[1] % 400
		at[0] = at[1] * 3 / 4
	case 2:
		at[1] -= at[1] % 500
		at[2] = at[1] * 4 / 5
	case 3:
		at[2] -= at[2] % 500
		at[1] = at[2] * 2 / 5
	case 4: // 498.25 is no multiple of 0.1, but of 0.01
		at[0] = 498_250 - at[1]
	case 5:
		at[2] = at[1] + 30_000
	default:
		if form.Blank != nil { // move a dimension until a side is that of the sheet
			axis := r.IntN(3)
			side := []exact.Value{form.Blank.Width, form.Blank.Height}[r.IntN(2)]
			sheet := []float64{nearestBlankFloat64(form.SheetWidth.Float64()), nearestBlankFloat64(form.SheetHeight.Float64())}[r.IntN(2)]
			x, _ := side.At(at).Float64()
			further := at
			further[axis] += 1000
			slope, _ := side.At(further).Float64()
			if slope -= x; slope > 0 {
				at[axis] = 10 * int64(math.Round(100*(exact.Float64At(at[axis])+(sheet-x)/slope)))
			}
		}
	}
	b.Dims = boxrules.DimsAt(at)
	return b
}

func nearestBlankFloat64(x float64, _ bool) float64 { return x }

// TestFloat64 learns the limits of services that compute in double precision, by questions and from
// recorded answers, many of which are about borderline boxes. What is learned is never wrong, and there
// is no contradiction. Compared with the true limits, each answer is that of exact arithmetic or that of
// double precision.
func TestFloat64(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	rows, borderline, lessTold, questions, asked, formulas, found := 0, 0, 0, 0, 0, 0, 0
	// The first two services have the most expensive blanks. Outside CI the others have to be enough.
	for run := lab.Draws(2, 0); run < *float64Count; run++ {
		hidden, o := randomFile(r, run/2)
		if run%2 == 0 {
			hidden, o = shippedAt(run, *float64Count), options()
			if run%4 == 0 {
				hidden, o.Step = inTenths(hidden, r), 0.1
			}
		}
		e := engineOf(t, hidden)
		answer := func(l *learn.Learner, b boxrules.Box) {
			t.Helper()
			a := float64Service(hidden, b)
			p, err := e.Profile(b.Article, b.Material)
			if err != nil {
				t.Fatal(err)
			}
			v, err := p.Check(b.Dims)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok, _ := p.Borderline(b.Dims); ok {
				if borderline++; other.Code() != a.Code {
					t.Fatalf("%+v: answered %q, Borderline is %v", b, a.Code, other)
				}
			} else if v.Code() != a.Code {
				t.Fatalf("%+v: answered %q, Check is %v and it is not borderline", b, a.Code, v)
			}
			if possible, err := l.Possible(b); err != nil || !slices.Contains(possible, a.Code) {
				t.Fatalf("Possible(%+v) = %q, %v, and it was answered %q", b, possible, err, a.Code)
			}
			switch err := l.Add(a); {
			case errors.Is(err, learn.ErrBorderline):
				lessTold++
			case err != nil:
				t.Fatalf("%+v: %v", a, err)
			}
		}
		l := learnerOf(t, hidden, o)
		for i := range 400 {
			p := e.Profiles()[r.IntN(len(e.Profiles()))]
			b := tiedBox(r, p)
			for range 200 * (i % 2) { // every other one is borderline, if there are many such boxes
				if _, ok, _ := p.Borderline(b.Dims); ok {
					break
				}
				b = tiedBox(r, p)
			}
			if b.Width > 0 && b.Depth > 0 && b.Height > 0 {
				answer(l, b)
				rows++
			}
		}
		right(t, l, hidden)
		interviewed := func(l *learn.Learner) {
			t.Helper()
			for n := 0; ; n++ {
				next := l.Next(1)
				if len(next) == 0 {
					break
				}
				p, _ := e.Profile(next[0].Article, next[0].Material)
				if _, ok, _ := p.Borderline(next[0].Dims); ok {
					asked++
				}
				answer(l, next[0])
				if questions++; n > 200 {
					t.Fatal("200 questions")
				}
			}
			right(t, l, hidden)
		}
		l = learnerOf(t, hidden, o)
		interviewed(l)
		identical(t, l, e)
		if run%8 < 3 { // the blank is not known, and one of the shipped ones
			o.Blanks = limits.Illustrative()
			l = learnerOf(t, without(hidden), o)
			interviewed(l)
			made, err := l.Catalogue(true)
			if err != nil {
				t.Fatal(err)
			}
			chosen := made.Articles()[0].Blank
			for change := range lint.Diff(e, engineOf(t, made)) {
				if chosen != nil && change.Kind != lint.Identical || change.Kind == lint.NewlyRejected {
					t.Errorf("the blank %v: %+v", chosen, change)
				}
			}
			if formulas++; chosen != nil {
				found++
			}
		}
		if t.Failed() {
			t.Fatalf("run %d, step %v: %+v, %+v", run, o.Step, hidden.Articles(), hidden.Materials())
		}
	}
	t.Logf("%d rows, %d questions; %d answers about borderline boxes, %d of them to questions; less than usual was learned from %d answers; %d of %d formulas were found",
		rows, questions, borderline, asked, lessTold, found, formulas)
	if borderline < rows/50 || lessTold < borderline/10 {
		t.Errorf("%d of %d rows are about borderline boxes, and less than usual was learned from %d: too few", borderline, rows, lessTold)
	}
	if asked > questions/100 {
		t.Errorf("%d of %d questions are about borderline boxes", asked, questions)
	}
}

// inTenths returns the limits with sheets that are multiples of 0.1, so that more blanks are tied with the
// sheet, and with at most one constraint.
func inTenths(c *limits.Catalogue, r *rand.Rand) *limits.Catalogue {
	articles, materials := c.Articles(), c.Materials()
	articles[0].Constraints = articles[0].Constraints[:min(1, len(articles[0].Constraints))]
	for i := range materials {
		s := &materials[i].Sheet
		s.Width, s.Height = gen.Decimal(s.Width.Float64()+float64(r.IntN(10))/10), gen.Decimal(s.Height.Float64()+float64(r.IntN(10))/10)
	}
	return c.Completed(articles, materials)
}

// shippedAt returns one of n shipped profiles that are spread over all.
func shippedAt(i, n int) *limits.Catalogue {
	profiles := boxrules.Default().Profiles()
	p := profiles[i*len(profiles)/n]
	return gen.Only(limits.Illustrative(), []string{p.Article()}, []string{p.Material()})
}

// right fails if a fact is not true of the limits.
func right(t testing.TB, l *learn.Learner, c *limits.Catalogue) {
	t.Helper()
	guessed := false
	articles, materials := c.Articles(), c.Materials()
	for _, f := range l.Facts() {
		switch {
		case f.State == learn.Contradicted:
			t.Errorf("%+v", f)
		case f.What == "blank": // with another formula that gives the same verdicts the sheet is another
			guessed = true
		case f.What == "sheet" && guessed:
		case f.What == "sheet":
			m := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == f.Material })]
			width, height := m.Sheet.Width.Float64(), m.Sheet.Height.Float64()
			holds := func(size [2]float64) bool { return size[0] <= max(width, height) && size[1] <= min(width, height) }
			if f.Sheet.Fits != nil && !holds(*f.Fits) || slices.ContainsFunc(f.Exceeds, holds) {
				t.Errorf("%+v of the sheet %v x %v", f, width, height)
			}
		case f.Selection != nil && f.Selected != nil:
			a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == f.Article })]
			if *f.Selected != slices.Contains(a.Constraints, f.What) {
				t.Errorf("%+v, selected are %v", f, a.Constraints)
			}
		case f.Limit != nil:
			a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == f.Article })]
			for axis, name := range exact.AxisNames() {
				span := []limits.Range{a.Width, a.Depth, a.Height}[axis]
				for what, limit := range map[string]limits.Decimal{"min_" + name: span.Min, "max_" + name: span.Max} {
					if f.What == what && (limit.Float64() < f.Least || limit.Float64() > f.Greatest) {
						t.Errorf("%+v, it is %v", f, limit)
					}
				}
			}
		}
	}
}
