package main

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// TestBoundsOfRandomFiles compares the bounds of this package with those of the engine for rules and limits that are drawn.
func TestBoundsOfRandomFiles(t *testing.T) {
	compared, open := 0, 0
	for seed := range lab.Draws(40, 400) {
		f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 21)).IntN)
		files := boxtest.Files{Rules: f.Rules(), Limits: f.Catalogue()}
		if seed%2 > 0 {
			files = boxtest.AnyFiles().Example(seed) // the rules may be in another unit than the limits
		}
		engine := profiles.Engine(t, files.Rules, files.Limits)
		reference, err := boxtest.NewReference(engine.Rules(), engine.Catalogue())
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range engine.Profiles() {
			articles, materials := engine.Catalogue().Articles(), engine.Catalogue().Materials()
			article := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })]
			material := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == p.Material() })]
			b := blamerOrNil(engine.Rules(), engine.Catalogue(), article, material, reference)
			if b == nil {
				continue
			}
			boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 22)).IntN)
			for range 20 {
				box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.DimsAt(boxes.Next())}
				all, err := engine.CheckAll(box)
				if err != nil {
					t.Fatal(err)
				}
				if len(all) == 0 {
					continue
				}
				var codes []string
				for _, v := range all {
					codes = append(codes, string(v.Code))
				}
				found, err := p.Bounds(box.Dims)
				if err != nil {
					t.Fatal(err)
				}
				var got []conformance.Bound
				for _, bound := range found {
					got = append(got, conformance.Bound{Field: bound.Field, Min: (*conformance.Number)(bound.Min), Max: (*conformance.Number)(bound.Max)})
				}
				want := b.bounds(box, codes)
				if compared++; want == nil {
					open++
					continue
				}
				if !reflect.DeepEqual(got, want) {
					gotJSON, _ := json.Marshal(got) // for people
					wantJSON, _ := json.Marshal(want)
					t.Errorf("seed %d, %+v: %s, want %s\n%s%s", seed, box, gotJSON, wantJSON, files.Rules, files.Limits)
					return
				}
			}
		}
	}
	t.Logf("%d boxes, %d left open", compared, open)
	if compared < 200 || open > compared/4 {
		t.Errorf("%d boxes, and %d of them left open", compared, open)
	}
}

// blamerOrNil returns nil if a number is too large for the oracle.
func blamerOrNil(rules *boxrules.RuleSet, catalogue *limits.Catalogue, a limits.Article, m limits.Material, reference *boxtest.Reference) (b *boundFinder) {
	defer func() {
		if problem := recover(); problem != nil && problem != error(errTooLarge) {
			panic(problem)
		}
	}()
	return newBoundFinder(rules, catalogue, a, m, reference)
}
