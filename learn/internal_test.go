package learn

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

var rowCount = flag.Int("learn.rows", 20_000, "recorded answers of which the kept facts are counted")

// kept is the greatest number of facts that a learner keeps of one unknown.
func (l *Learner) kept() (most int) {
	for _, a := range l.articles {
		for axis := range exact.Axes {
			for end := range 2 {
				for _, bounds := range a.ends[axis][end].bounds {
					most = max(most, len(bounds))
				}
			}
		}
		for _, p := range a.profiles {
			if p.traces != nil {
				most = max(most, len(p.traces.fits), len(p.traces.exceeds))
			}
		}
	}
	for _, s := range l.sheets {
		most = max(most, len(s.fits), len(s.exceeds))
	}
	return most
}

// TestKept: what is kept of random answers grows as their logarithm, also where the service changes.
func TestKept(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	profiles := boxrules.Default().Profiles()
	l, err := New(boxrules.DefaultRules(), limits.Illustrative(), Options{Step: 1, Max: 2000})
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for n := range *rowCount {
		p := profiles[r.IntN(len(profiles))]
		size := func() float64 { return math.Exp(4.8 + 0.7*r.NormFloat64()) }
		d := boxrules.Dims{Width: size(), Depth: size(), Height: size()}
		from := p
		if n > *rowCount/2 { // another article's limits from then on
			from = profiles[(n+1)%len(profiles)]
		}
		v, err := from.Check(d)
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Add(Answer{Box: boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}, Code: v.Code()})
		if n%100 == 99 {
			most = max(most, l.kept())
		}
	}
	t.Logf("%d answers: at most %d facts of one unknown", *rowCount, most)
	if n := math.Log(float64(*rowCount)); most < 3 || float64(most) > n*n/2 {
		t.Errorf("%d facts of one unknown are kept, want at most %.0f", most, n*n/2)
	}
}
