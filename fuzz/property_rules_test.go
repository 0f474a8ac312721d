package fuzz

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// engineOfFile makes the engine of files that were drawn.
func engineOfFile(t rapid.TB, f *gen.File) *boxrules.Engine {
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

// tally counts boxes, those of them on a border, and their violations.
type tally struct{ boxes, turns, violations int }

// TestRandomRuleFiles compares the verdicts of random rule and limit files with the functions that
// were drawn with them. The first files are the same in every run and use the whole language.
func TestRandomRuleFiles(t *testing.T) {
	var n tally
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		n.compare(t, gen.New(r.IntN), func(form exact.Form) (points []exact.Point) {
			boxes := gen.BoxesOf(form, r.IntN)
			for range 80 {
				points = append(points, boxes.Next())
			}
			return points
		})
	}
	t.Logf("%+v", n)
	if n.turns < n.boxes/2 || n.violations < n.boxes/2 {
		t.Errorf("%+v: too few are on a border, or violate anything", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := gen.New(draw.Choices(t))
		n.compare(t, f, func(form exact.Form) (points []exact.Point) {
			for _, p := range rapid.SliceOfN(draw.Points(form), 1, 30).Draw(t, "boxes") {
				points = append(points, draw.Around(p, 1)...)
			}
			return points
		})
	})
	t.Logf("%+v", n)
}

// compare asks about boxes of each profile of the file.
func (n *tally) compare(t rapid.TB, f *gen.File, boxes func(exact.Form) []exact.Point) {
	engine := engineOfFile(t, f)
	for i := range f.Profiles() {
		profile := must(engine.Profile(f.Name(i)))
		faces := gen.Faces(profile.Exact().Conditions...)
		for _, p := range boxes(profile.Exact()) {
			if onEdge(faces, p) {
				n.turns++
			}
			dims := boxrules.DimsAt(p)
			want := f.Violated(i, p)
			all, err := profile.AppendAll(nil, dims)
			first, errFirst := profile.Check(dims)
			if err != nil || errFirst != nil || !same(first, all, want) {
				t.Fatalf("%s in %s, %s: Check = %v, all %v, want %v (errors %v, %v)\n%s\n%s",
					profile.Article(), profile.Material(), exactly(dims), first, all, want, errFirst, err, f.Rules(), f.Catalogue())
			}
			n.boxes++
			n.violations += len(want)
		}
	}
}

// TestNearestOfRandomRuleFiles compares the nearest box with the best of all boxes, or if that is
// borderline with the best that is not, in random files with few boxes.
func TestNearestOfRandomRuleFiles(t *testing.T) {
	none, unproved, borderline, changes := 0, 0, 0, make(map[int]int)
	rapid.Check(t, func(t *rapid.T) {
		f, step := gen.Small(draw.Choices(t))
		engine := engineOfFile(t, f)
		profile := engine.Profiles()[0]
		double := doubleOf(engine, profile)
		for _, p := range rapid.SliceOfN(draw.Points(profile.Exact()), 1, 20).Draw(t, "boxes") {
			s, ok, err := profile.Nearest(boxrules.DimsAt(p), exact.Float64At(step))
			want, found := f.Nearest(p, step)
			if code, _ := double.code(boxrules.DimsAt(want)); found && want != p && code != "" {
				want, found = f.NearestOf(double.isSafe, p, step)
				borderline++
			}
			switch {
			case err == nil && s.Unproved:
				unproved++
			case err != nil || ok != found || ok && s.Dims != boxrules.DimsAt(want):
				t.Fatalf("Nearest(%s, %v) = %+v, %v, %v, want %s, %v\n%s\n%s",
					exactly(boxrules.DimsAt(p)), exact.Float64At(step), s, ok, err, exactly(boxrules.DimsAt(want)), found, f.Rules(), f.Catalogue())
			case !ok:
				none++
			default:
				changes[len(s.Changed)]++
			}
		}
	})
	t.Logf("%d answers unproved, %d without a box, %d other than the nearest because that is borderline; by changed dimensions: %v",
		unproved, none, borderline, changes)
}

var selection = regexp.MustCompile(`constraints: \[(.*)\]`)

// TestExtendsRandom adds random rules to the documented ones. In each stage, a box violates the same
// documented rules and the same random rules as it does without the others.
func TestExtendsRandom(t *testing.T) {
	violations := 0
	rapid.Check(t, func(t *rapid.T) {
		f := gen.New(draw.Choices(t))
		text := f.Rules()
		added := must(boxrules.LoadRules("rules.yaml", []byte(text)))
		extended := must(boxrules.LoadRules("rules.yaml", []byte("extends: documented\n"+text)))
		documented := rapid.SliceOfDistinct(rapid.SampledFrom(oracle.Constraints), rapid.ID[string]).Draw(t, "documented")
		engine := func(rules *boxrules.RuleSet, selected func(own []string) []string) *boxrules.Engine {
			text := selection.ReplaceAllStringFunc(f.Catalogue(), func(line string) string {
				own := strings.FieldsFunc(selection.FindStringSubmatch(line)[1], func(r rune) bool { return r == ',' || r == ' ' })
				return "constraints: [" + strings.Join(selected(own), ", ") + "]"
			})
			return must(boxrules.New(rules, must(limits.Load("limits.yaml", []byte(text)))))
		}
		parts := []*boxrules.Engine{
			engine(boxrules.DefaultRules(), func([]string) []string { return documented }),
			engine(added, func(own []string) []string { return own }),
		}
		both := engine(extended, func(own []string) []string {
			return rapid.Permutation(slices.Concat(own, documented)).Draw(t, "order")
		})
		for _, p := range both.Profiles() {
			for _, at := range rapid.SliceOfN(draw.Points(p.Exact()), 1, 50).Draw(t, "boxes") {
				box := boxOf(p, boxrules.DimsAt(at))
				var want []boxrules.Violation
				for _, part := range parts {
					want = append(want, must(part.CheckAll(box))...)
				}
				slices.SortStableFunc(want, func(a, b boxrules.Violation) int { return int(a.Stage) - int(b.Stage) })
				got := must(both.CheckAll(box))
				if first := must(both.Check(box)); !slices.Equal(got, want) || len(want) > 0 && first.Code() != want[0].Code {
					t.Fatalf("%+v: Check = %v, all %v, want %v\n%s\n%s", box, first, got, want, text, f.Catalogue())
				}
				violations += len(want)
			}
		}
	})
	if t.Logf("%d violations", violations); !t.Failed() && violations == 0 {
		t.Error("no box violates anything")
	}
}
