package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// TestCertain: at random moments of interviews and of recorded traffic, lenient limits refuse only
// what the service refuses, strict ones accept only what it accepts, and what is possible has what
// it says.
func TestCertain(t *testing.T) {
	t.Parallel()
	const moments = 4
	r := rand.New(rand.NewPCG(7, 8))
	boxes, refused, accepted, certain := 0, 0, 0, 0
	for run := range *runCount {
		hidden, o := randomFile(r, run/2)
		if run%2 == 0 {
			profiles := boxrules.Default().Profiles()
			p := profiles[r.IntN(len(profiles))]
			hidden, o = gen.Only(limits.Illustrative(), []string{p.Article()}, []string{p.Material()}), options()
		}
		e, l := engineOf(t, hidden), learnerOf(t, hidden, o)
		interviewed := run%4 < 2
		for range moments {
			for range 1 + r.IntN(14) {
				d := traffic(r)
				p := e.Profiles()[r.IntN(len(e.Profiles()))]
				b := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
				if interviewed {
					next := l.Next(1)
					if len(next) == 0 {
						break
					}
					b = next[0]
				}
				if err := l.Add(ask(t, e, b)); err != nil && err != learn.ErrBorderline {
					t.Fatal(err)
				}
			}
			if !interviewed { // rows cost nothing
				for range 200 {
					p := e.Profiles()[r.IntN(len(e.Profiles()))]
					if err := l.Add(ask(t, e, near(r, p, e))); err != nil && err != learn.ErrBorderline {
						t.Fatal(err)
					}
				}
			}
			known := make(map[bool]*boxrules.Engine)
			for _, lenient := range []bool{true, false} {
				if c, err := l.Catalogue(lenient); err == nil {
					known[lenient] = engineOf(t, c)
				} else if lenient {
					t.Fatal(err)
				}
			}
			for range *boxCount / *runCount / moments {
				p := e.Profiles()[r.IntN(len(e.Profiles()))]
				from := e
				if other := []*boxrules.Engine{e, known[true], known[false]}[r.IntN(3)]; other != nil {
					from = other
				}
				b := near(r, p, from)
				want := ask(t, e, b).Code
				possible, err := l.Possible(b)
				if err != nil || !slices.Contains(possible, want) {
					t.Fatalf("Possible(%+v) = %q, %v, and it is %q", b, possible, err, want)
				}
				boxes++
				if len(possible) == 1 {
					certain++
				}
				if v, err := known[true].Check(b); err != nil || !v.OK() && want == "" {
					t.Fatalf("the lenient limits refuse %+v with %q, %v; it is %q", b, v.Code(), err, want)
				} else if !v.OK() {
					refused++
				}
				if known[false] == nil {
					continue
				}
				if v, err := known[false].Check(b); err == nil && v.OK() && want != "" {
					t.Fatalf("the strict limits accept %+v, which gets %q", b, want)
				} else if err == nil && v.OK() {
					accepted++
				}
			}
		}
	}
	t.Logf("%d runs, %d boxes: the lenient limits refuse %d, the strict ones accept %d, %d answers are certain; none wrong",
		*runCount, boxes, refused, accepted, certain)
	if refused < boxes/10 || accepted < boxes/200 {
		t.Errorf("%d of %d boxes refused, %d accepted: too few", refused, boxes, accepted)
	}
}

// near returns a box for a profile: as customers ask for it, or most often where the verdict of a
// file turns, from which the engine is made.
func near(r *rand.Rand, p *boxrules.Profile, from *boxrules.Engine) boxrules.Box {
	b := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: traffic(r)}
	if own, err := from.Profile(p.Article(), p.Material()); err == nil && r.IntN(4) > 0 {
		b.Dims = boxrules.DimsAt(gen.BoxesOf(own.Exact(), r.IntN).Next())
	}
	return b
}

// traffic returns a box as customers ask for it.
func traffic(r *rand.Rand) boxrules.Dims {
	size := func() float64 { return max(1, math.Round(math.Exp(4.8+0.7*r.NormFloat64()))) }
	return boxrules.Dims{Width: size(), Depth: size(), Height: size()}
}
