package fuzz

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/lint"
)

// TestValuedFiles compares verdicts on random files with values at all three levels, in any two units: those of the
// engine, those of the file, which computes in fractions, and those of boxtest, which parses the texts again. In double
// precision boxtest says which boxes are borderline.
func TestValuedFiles(t *testing.T) {
	var boxes, turns, violations, borderline int
	compare := func(t rapid.TB, v *gen.Valued, draw gen.Draw) {
		e := profiles.Engine(t, v.Rules(), v.Catalogue())
		reference := must(boxtest.NewReference(e.Rules(), e.Catalogue()))
		for _, p := range e.Profiles() {
			faces := gen.Faces(p.Exact().Conditions...)
			points := gen.BoxesOf(p.Exact(), draw)
			for range 30 {
				at := points.Next()
				box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.DimsAt(at)}
				want := v.Violated(p.Article(), p.Material(), at)
				first, all := must(p.Check(box.Dims)), must(p.CheckAll(box.Dims))
				if !same(first, all, want) {
					t.Fatalf("%+v: Check = %v, all %v, want %v\n%s\n%s", box, first, all, want, v.Rules(), v.Catalogue())
				}
				if exact := must(reference.Exact(box)); !slices.EqualFunc(exact, want, func(a boxrules.Code, b string) bool { return string(a) == b }) {
					t.Fatalf("%+v: boxtest has %v, want %v\n%s\n%s", box, exact, want, v.Rules(), v.Catalogue())
				}
				asWritten := boxrules.Code("")
				if codes := must(reference.Float64(box)); len(codes) > 0 {
					asWritten = codes[0]
				}
				other, ok, err := p.Borderline(box.Dims)
				if err != nil || ok != (asWritten != first.Code()) || ok && other.Code() != asWritten {
					t.Fatalf("%+v: Borderline = %v, %v, %v, and double precision says %q\n%s\n%s", box, other, ok, err, asWritten, v.Rules(), v.Catalogue())
				}
				boxes, violations = boxes+1, violations+len(want)
				if onEdge(faces, at) {
					turns++
				}
				if ok {
					borderline++
				}
			}
		}
	}
	for seed := range uint64(lab.Draws(12, 150)) {
		r := rand.New(rand.NewPCG(seed, 21))
		compare(t, gen.NewValued(r.IntN), r.IntN)
	}
	t.Logf("%d boxes, %d on a border, %d violations, %d borderline", boxes, turns, violations, borderline)
	if turns < boxes/4 || violations < boxes/2 || borderline < boxes/200 {
		t.Error("too few are on a border, borderline, or violate anything")
	}
	rapid.Check(t, func(t *rapid.T) { compare(t, gen.NewValued(draw.Choices(t)), draw.Choices(t)) })
}

// TestDiffOfValuedFiles gives a value of each level another number, and tries boxes on everything that lint.Diff says.
func TestDiffOfValuedFiles(t *testing.T) {
	changes, same := 0, 0
	for seed := range uint64(lab.Draws(10, 80)) {
		r := rand.New(rand.NewPCG(seed, 22))
		v := gen.NewValued(r.IntN)
		before := profiles.Engine(t, v.Rules(), v.Catalogue())
		w := v.WithOtherValue(r.IntN)
		after := profiles.Engine(t, w.Rules(), w.Catalogue())
		differs := make(map[[2]string]bool)
		for change := range lint.Diff(before, after) {
			pair := [2]string{change.Article, change.Material}
			if change.Kind == lint.UndecidedChange {
				differs[pair] = true
				continue
			}
			if change.Witness == nil {
				continue
			}
			differs[pair] = true
			changes++
			at, _ := change.Witness.Grid()
			code := func(v *gen.Valued) boxrules.Code {
				codes := v.Violated(change.Article, change.Material, at)
				if len(codes) == 0 {
					return ""
				}
				return boxrules.Code(codes[0])
			}
			if from, to := code(v), code(w); from != change.From || to != change.To {
				t.Fatalf("%+v: by the files %q becomes %q\n%s\n%s\n%s", change, from, to, v.Rules(), v.Catalogue(), w.Catalogue())
			}
		}
		for _, p := range before.Profiles() {
			if differs[[2]string{p.Article(), p.Material()}] {
				continue
			}
			same++
			q := must(after.Profile(p.Article(), p.Material()))
			for _, points := range []*gen.Boxes{gen.BoxesOf(p.Exact(), r.IntN), gen.BoxesOf(q.Exact(), r.IntN)} {
				for range 50 {
					at := points.Next()
					if a, b := v.Violated(p.Article(), p.Material(), at), w.Violated(p.Article(), p.Material(), at); len(a) > 0 != (len(b) > 0) || len(a) > 0 && a[0] != b[0] {
						t.Fatalf("%s in %s: Diff has no change, and %v becomes %v at %v\n%s\n%s\n%s", p.Article(), p.Material(), a, b, at, v.Rules(), v.Catalogue(), w.Catalogue())
					}
				}
			}
		}
	}
	t.Logf("%d changes with a box, %d pairs without a change", changes, same)
	if changes < 60 || same < 20 {
		t.Error("too few changes, or too many")
	}
}
