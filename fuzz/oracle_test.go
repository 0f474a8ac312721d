package fuzz

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// TestOracle compares verdicts with the oracle's, for each constraint alone and all of them together
// within wide limits, and for the shipped articles in all their materials.
func TestOracle(t *testing.T) {
	for name, catalogue := range map[string]*limits.Catalogue{"wide limits": every(), "shipped limits": limits.Illustrative()} {
		t.Run(name, func(t *testing.T) { compareWithOracle(t, name, boxrules.DefaultRules(), catalogue, *oracleBoxes) })
	}
}

// TestOracleUnits compares verdicts with the oracle's for limits and rules in any two units. The rules are the
// documented ones with their numbers converted, so they mean the same in every unit. The oracle computes in
// millimetres.
func TestOracleUnits(t *testing.T) {
	lengths := regexp.MustCompile(`\b(498\.25|60|35|30)\b`)
	documented := must(os.ReadFile("../rules/box_rules.yaml"))
	for _, rulesUnit := range exact.ConvertibleUnits() {
		converted := "(${1} / " + oracle.Millimetres[rulesUnit].FloatString(1) + ")"
		text := bytes.Replace(documented, []byte("unit: mm"), []byte("unit: "+rulesUnit), 1)
		rules := must(boxrules.LoadRules("rules.yaml", lengths.ReplaceAll(text, []byte(converted))))
		for _, limitsUnit := range exact.ConvertibleUnits() {
			name := "rules in " + rulesUnit + ", limits in " + limitsUnit
			t.Run(name, func(t *testing.T) { compareWithOracle(t, name, rules, everyIn(limitsUnit), *oracleBoxes/4) })
		}
	}
}

// everyBlank returns the blank of the articles of everyIn, by hand.
func everyBlank(unit string) oracle.Flat {
	shortest, longest := inUnit(12, unit), inUnit(25, unit)
	return func(w, d, h, glue, _ *big.Rat) (width, height *big.Rat) {
		return greatest(add(w, mul(h, 2, 1)), add(mul(d, 2, 1), glue)),
			sub(add(h, d), least(greatest(mul(d, 1, 2), shortest), longest))
	}
}

// A judged profile has the oracle's answers beside it.
type judged struct {
	*boxrules.Profile
	oracle *oracle.Profile
}

// judgedOf returns all articles of the engine in all their materials.
func judgedOf(e *boxrules.Engine) (all []judged) {
	for _, a := range e.Catalogue().Articles() {
		blank := oracle.Blanks[a.Code]
		if blank == nil {
			blank = everyBlank(e.Catalogue().Unit())
		}
		for _, m := range e.Catalogue().Materials() {
			if slices.Contains(a.Materials, m.Code) {
				byHand := oracle.New(a, m, blank)
				byHand.Unit = e.Catalogue().Unit()
				all = append(all, judged{must(e.Profile(a.Code, m.Code)), byHand})
			}
		}
	}
	return all
}

func compareWithOracle(t *testing.T, name string, rules *boxrules.RuleSet, catalogue *limits.Catalogue, boxCount int) {
	engine := must(boxrules.New(rules, catalogue))
	all := judgedOf(engine)
	if got, want := len(all), len(engine.Profiles()); got != want {
		t.Fatalf("%d profiles in this test, %d in the engine", got, want)
	}
	var ties, valid atomic.Int64
	var held [32]atomic.Int64 // how often each code was violated, in the documented order
	documented := profiles.Codes(boxrules.DefaultRules().Rules())
	failures := inChunks(boxCount, func(rng *rand.Rand, n int, report func(string, ...any) bool) {
		var got []boxrules.Violation
		for range n {
			j := all[rng.IntN(len(all))]
			boxes := boxesAt(rng.IntN, j.Profile)
			p := boxes.Next()
			if onEdge(boxes.Faces, p) {
				ties.Add(1)
			}
			d := boxrules.DimsAt(p)
			if rng.IntN(4) == 0 {
				d = dims(boxes.HardToRound(p))
			}
			want := j.oracle.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
			for _, code := range want {
				held[slices.Index(documented, code)].Add(1)
			}
			if len(want) == 0 {
				valid.Add(1)
			}
			var err error
			got, err = j.AppendAll(got[:0], d)
			first, errFirst := engine.Check(boxOf(j.Profile, d))
			if (err != nil || errFirst != nil || !same(first, got, want)) &&
				!report("%s in %s, %s: Check = %v, all %v, want %v (errors %v, %v)",
					j.Article(), j.Material(), exactly(d), first, got, want, errFirst, err) {
				return
			}
		}
	})
	failures.log(t)
	t.Logf("%s: %d boxes in %d profiles, %d differences, %d boxes on an edge, %d valid; seed %d",
		name, boxCount, len(all), failures.count, ties.Load(), valid.Load(), *oracleSeed)
	if int(ties.Load()) < boxCount/2 || int(valid.Load()) < boxCount/150 {
		t.Errorf("%d of %d boxes are on an edge and %d are valid: too few", ties.Load(), boxCount, valid.Load())
	}
	for i, code := range documented {
		if n := int(held[i].Load()); n == 0 || n == boxCount {
			t.Errorf("%s holds for %d of %d boxes: the boxes do not tell it apart", code, n, boxCount)
		}
	}
}
