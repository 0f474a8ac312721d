package boxrules_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/drawn"
	"example.com/boxrules/limits"
)

// choices are the numbers that rapid draws, which it makes small where a test fails.
func choices(t *rapid.T) drawn.Draw {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

// engineOfFile makes the engine of files that were drawn.
func engineOfFile(t *rapid.T, f *drawn.File) *boxrules.Engine {
	rules, err := boxrules.LoadRules("rules.yaml", []byte(f.Rules()))
	if err != nil {
		t.Fatalf("LoadRules: %v\n%s", err, f.Rules())
	}
	catalogue, err := limits.Load("limits.yaml", []byte(f.Catalogue()))
	if err != nil {
		t.Fatalf("limits.Load: %v\n%s", err, f.Catalogue())
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		t.Fatalf("New: %v\n%s\n%s", err, f.Rules(), f.Catalogue())
	}
	return engine
}

// TestRandomRuleFiles compares the verdicts of random rule and limit files with what they mean.
func TestRandomRuleFiles(t *testing.T) {
	var boxes, turns, violations int
	rapid.Check(t, func(t *rapid.T) {
		f := drawn.New(choices(t))
		engine := engineOfFile(t, f)
		f.Draw = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "boxes"), 0)).IntN
		for i := range f.Profiles() {
			profile := must(engine.Profile(f.Name(i)))
			for range 24 {
				tested, turned := f.Boxes(i)
				if turned {
					turns += len(tested)
				}
				for _, p := range tested {
					dims := dimsAt(p)
					want := f.Violated(i, p)
					all, err := profile.AppendAll(nil, dims)
					first, errFirst := profile.Check(dims)
					if err != nil || errFirst != nil || !same(first, all, want) {
						t.Fatalf("%s in %s, %s: Check = %v, all %v, want %v (errors %v, %v)\n%s\n%s",
							profile.Article(), profile.Material(), exactly(dims), first, all, want, errFirst, err, f.Rules(), f.Catalogue())
					}
					boxes++
					violations += len(want)
				}
			}
		}
	})
	t.Logf("%d boxes, %d of them on a border, %d violations", boxes, turns, violations)
	if !t.Failed() && (turns < boxes*2/3 || violations < boxes/2) {
		t.Errorf("%d boxes, %d on a border, %d violations: too few", boxes, turns, violations)
	}
}

// TestNearestOfRandomRuleFiles compares the nearest boxes of random rule files whose boxes are few with the best of all
// boxes.
func TestNearestOfRandomRuleFiles(t *testing.T) {
	none, unproved, changes := 0, 0, make(map[int]int)
	rapid.Check(t, func(t *rapid.T) {
		f, step := drawn.Small(choices(t))
		profile := engineOfFile(t, f).Profiles()[0]
		f.Draw = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "boxes"), 0)).IntN
		for range 10 {
			p := f.Box()
			s, ok, err := profile.Nearest(dimsAt(p), exact.Units(step))
			want, found := f.Nearest(p, step)
			switch {
			case err == nil && s.Unproved:
				unproved++
			case err != nil || ok != found || ok && s.Dims != dimsAt(want):
				t.Fatalf("Nearest(%s, %v) = %+v, %v, %v, want %s, %v\n%s\n%s",
					exactly(dimsAt(p)), exact.Units(step), s, ok, err, exactly(dimsAt(want)), found, f.Rules(), f.Catalogue())
			case !ok:
				none++
			default:
				changes[len(s.Changed)]++
			}
		}
	})
	t.Logf("%d answers unproved, %d without a box; the others by changed dimensions: %v", unproved, none, changes)
}
