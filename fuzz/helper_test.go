package fuzz

import (
	"flag"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

func init() { lab.FewChecks(20) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Profiles of the shipped limits.

func dims(x [exact.Axes]float64) boxrules.Dims {
	return boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}
}

// exactly prints the dimensions so that they can be typed in again.
func exactly(d boxrules.Dims) string {
	return fmt.Sprintf("Dims{%v, %v, %v}", d.Width, d.Depth, d.Height)
}

func boxOf(p *boxrules.Profile, d boxrules.Dims) boxrules.Box {
	return boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
}

// every is a catalogue of an article for each constraint, named by it, and one that selects them
// all. Their limits are wide, so that the constraints decide, down to boxes near zero.
func every() *limits.Catalogue {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 1000.5, height: 700}\n" +
		"materials:\n  m: {caliper: 0.4, glue_flap: 15, sheet: s}\narticles:\n")
	article := func(name string, codes []string) {
		fmt.Fprintf(&b, "  %s:\n    width: {min: 0.001, max: 2000}\n    depth: {min: 0.001, max: 1500.5}\n"+
			"    height: {min: 0.001, max: 1800.25}\n    constraints: [%s]\n    blank:\n"+
			"      width: max(width + 2*height, 2*depth + glue_flap)\n"+
			"      height: height + depth - min(max(0.5*depth, 12), 25)\n", name, strings.Join(codes, ", "))
	}
	for _, code := range oracle.Constraints {
		article(code, []string{code})
	}
	article("all", oracle.Constraints)
	return must(limits.Load("every.yaml", []byte(b.String())))
}

func setOf(codes []string) map[string]bool {
	set := make(map[string]bool)
	for _, code := range codes {
		set[code] = true
	}
	return set
}

// same reports whether the first violation and all of them are the codes wanted.
func same(first boxrules.Verdict, all []boxrules.Violation, want []string) bool {
	if len(want) == 0 {
		return first.OK() && len(all) == 0
	}
	return !first.OK() && string(first.Code()) == want[0] &&
		slices.EqualFunc(all, want, func(v boxrules.Violation, code string) bool { return string(v.Code) == code })
}

// Edges, where the documented conditions turn.

// at returns the half-space on whose face, w·width + d·depth + h·height = k, a comparison turns,
// in thousandths.
func at(w, d, h, k int64) exact.HalfSpace {
	return exact.HalfSpace{A: [exact.Axes]int64{w, d, h}, K: k}
}

// edges has, for each documented constraint, the faces on which it turns, by hand.
var edges = map[string][]exact.HalfSpace{
	"BOX_3100": {dw},
	"BOX_3101": {at(2, -1, 0, 0)},
	"BOX_3102": {dh, at(0, 1, 0, 60_000)},
	"BOX_3103": {at(4, -3, 0, 0)},
	"BOX_3104": {hw},
	"BOX_3105": {dh},
	"BOX_3106": {hw, dw},
	"BOX_3107": {hw, dw, dh},
	"BOX_3108": {hw, dw, dh},
	"BOX_3109": {dw},
	"BOX_3110": {dw, dh, hw},
	"BOX_3111": {dh},
	"BOX_3112": {at(0, 5, -2, 0)},
	"BOX_3113": {dw, at(1, 1, 0, 498_250), at(1, 0, 1, 498_250)},
	"BOX_3114": {dw, at(1, 1, 0, 498_250), at(1, 0, 1, 498_250), at(0, 1, 1, 498_250)},
	"BOX_3115": {at(0, 2, -1, 0)},
	"BOX_3116": {at(0, 4, -5, 0)},
	"BOX_3117": {hw},
	"BOX_3118": {at(1, -2, 0, 0)},
	"BOX_3119": {at(1, -3, 0, 0)},
	"BOX_3120": {at(1, 0, -2, 0)},
	"BOX_3121": {dw, dh, at(-1, 0, 1, 30_000)},
	"BOX_3122": {dw, hw, at(0, -1, 1, 30_000), at(0, 1, 0, 5_000), at(1, 0, 0, 35_000)},
}

var dw, dh, hw = at(1, -1, 0, 0), at(0, 1, -1, 0), at(1, 0, -1, 0)

// everyOracle is the article that selects all constraints, and everyEdges the edges of its other
// rules.
var (
	everyOracle = &oracle.Profile{
		MinWidth: rat(1, 1000), MaxWidth: rat(2000, 1), MinDepth: rat(1, 1000), MaxDepth: rat(3001, 2),
		MinHeight: rat(1, 1000), MaxHeight: rat(7201, 4), SheetWidth: rat(2001, 2), SheetHeight: rat(700, 1),
		Constraints: setOf(oracle.Constraints),
		Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
			return greatest(add(w, mul(h, 2, 1)), add(mul(d, 2, 1), rat(15, 1))),
				sub(add(h, d), least(greatest(mul(d, 1, 2), rat(12, 1)), rat(25, 1)))
		},
	}
	everyEdges = map[string][]exact.HalfSpace{
		"BOX_2100": {at(1, 0, 0, 1)}, "BOX_2101": {at(1, 0, 0, 2_000_000)},
		"BOX_2102": {at(0, 1, 0, 1)}, "BOX_2103": {at(0, 1, 0, 1_500_500)},
		"BOX_2104": {at(0, 0, 1, 1)}, "BOX_2105": {at(0, 0, 1, 1_800_250)},
		"BOX_4100": {
			at(1, 0, 2, 1_000_500), at(0, 2, 0, 985_500), at(0, 1, 2, 2_001_000), at(0, 1, 1, 1_012_500), at(0, 1, 1, 1_025_500),
			at(1, 0, 2, 700_000), at(0, 2, 0, 685_000), at(0, 1, 2, 1_400_000), at(0, 1, 1, 712_000), at(0, 1, 1, 725_000),
		},
	}
)

func init() { maps.Copy(everyEdges, edges) }

func onEdge(planes []exact.HalfSpace, p exact.Point) bool {
	return slices.ContainsFunc(planes, func(e exact.HalfSpace) bool { return e.A[0]*p[0]+e.A[1]*p[1]+e.A[2]*p[2] == e.K })
}

func flatten(byCode map[string][]exact.HalfSpace) []exact.HalfSpace {
	var planes []exact.HalfSpace
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		for _, e := range byCode[code] {
			if !slices.Contains(planes, e) {
				planes = append(planes, e)
			}
		}
	}
	return planes
}

// boxesAt draws boxes at the faces, most of them of common sizes.
func boxesAt(draw gen.Draw, faces []exact.HalfSpace) *gen.Boxes {
	return &gen.Boxes{Draw: draw, Low: exact.Point{1, 1, 1}, High: exact.Point{600_000, 600_000, 600_000}, Faces: faces}
}

// Many boxes, on all processors.

var (
	insightBoxes = flag.Int("insight.boxes", lab.Draws(1, 10), "boxes per article and material in the comparisons with brute force")
	oracleBoxes  = flag.Int("oracle.boxes", lab.Draws(12_000, 120_000), "boxes that TestOracleAllConstraints checks in every article")
	oracleSeed   = flag.Uint64("oracle.seed", 1, "seed of the boxes of the oracle tests")
)

// failures are the differences found: how many, and the first few.
type failures struct {
	mu    sync.Mutex
	count int
	first []string
}

func (f *failures) report(format string, args ...any) (goOn bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if len(f.first) < 8 {
		f.first = append(f.first, fmt.Sprintf(format, args...))
	}
	return f.count < 8
}

func (f *failures) log(t *testing.T) {
	t.Helper()
	for _, message := range f.first {
		t.Errorf("%s (seed %d)", message, *oracleSeed)
	}
}

// inChunks draws boxes on all processors. The seed decides the boxes, whatever the number of
// processors.
func inChunks(boxes int, check func(rng *rand.Rand, boxes int, report func(string, ...any) bool)) *failures {
	const size = 2000
	var f failures
	var group sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				chunk := int(next.Add(1)) - 1
				if chunk*size >= boxes {
					return
				}
				check(rand.New(rand.NewPCG(*oracleSeed, uint64(chunk))), min(size, boxes-chunk*size), f.report)
			}
		})
	}
	group.Wait()
	return &f
}

// Exact arithmetic for the oracles.

func rat(numerator, denominator int64) *big.Rat { return big.NewRat(numerator, denominator) }

func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

func mul(a *big.Rat, numerator, denominator int64) *big.Rat {
	return new(big.Rat).Mul(a, rat(numerator, denominator))
}

func greatest(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}
