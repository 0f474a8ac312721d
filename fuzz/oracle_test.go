package fuzz

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/lab/profiles"
)

// TestOracleAllConstraints compares every constraint, alone and together, with the oracle.
func TestOracleAllConstraints(t *testing.T) {
	engine := must(boxrules.New(boxrules.DefaultRules(), every()))
	articles := append(slices.Clone(oracle.Constraints), "all")
	planes := flatten(everyEdges)
	var comparisons, ties atomic.Int64
	var held [32]atomic.Int64 // how often each code was violated, in the documented order
	documented := profiles.Codes(boxrules.DefaultRules().Rules())
	failures := inChunks(*oracleBoxes, func(rng *rand.Rand, n int, report func(string, ...any) bool) {
		boxes := boxesAt(rng.IntN, planes)
		var got []boxrules.Violation
		for range n {
			p := boxes.Next()
			d := dims(boxes.Beside(p))
			if onEdge(planes, p) {
				ties.Add(1)
			}
			violated := everyOracle.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
			for _, code := range violated {
				held[slices.Index(documented, code)].Add(1)
			}
			for _, article := range articles {
				want := without(violated, article)
				var err error
				got, err = must(engine.Profile(article, "m")).AppendAll(got[:0], d)
				first, errFirst := engine.Check(boxrules.Box{Article: article, Material: "m", Dims: d})
				comparisons.Add(2)
				if (err != nil || errFirst != nil || !same(first, got, want)) &&
					!report("%s %s: Check = %v, all %v, want %v (errors %v, %v)", article, exactly(d), first, got, want, errFirst, err) {
					return
				}
			}
		}
	})
	failures.log(t)
	t.Logf("%d boxes, %d comparisons, %d differences, %d boxes on an edge; seed %d",
		*oracleBoxes, comparisons.Load(), failures.count, ties.Load(), *oracleSeed)
	if int(ties.Load()) < *oracleBoxes/2 {
		t.Errorf("%d of %d boxes are on an edge, want half of them or more", ties.Load(), *oracleBoxes)
	}
	for i, code := range documented {
		if n := int(held[i].Load()); n == 0 || n == *oracleBoxes {
			t.Errorf("%s holds for %d of %d boxes: the boxes do not tell it apart", code, n, *oracleBoxes)
		}
	}
}

// without are the codes that an article of every reports of those violated.
func without(violated []string, article string) []string {
	if article == "all" {
		return violated
	}
	var codes []string
	for _, code := range violated {
		if code == article || !strings.HasPrefix(code, "BOX_3") {
			codes = append(codes, code)
		}
	}
	return codes
}
