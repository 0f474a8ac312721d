package fuzz

import (
	"flag"
	"fmt"
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

func init() { lab.Checks(10, 100) }

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

// exactly returns the dimensions as text from which the same float64s can be parsed.
func exactly(d boxrules.Dims) string {
	return fmt.Sprintf("Dims{%v, %v, %v}", d.Width, d.Depth, d.Height)
}

func boxOf(p *boxrules.Profile, d boxrules.Dims) boxrules.Box {
	return boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
}

// every is a catalogue with an article for each constraint, named after it, and one article that selects
// all constraints. Their limits are so wide that the constraints decide even about boxes near zero.
func every() *limits.Catalogue { return everyIn("mm") }

// everyIn returns every in another unit, with lengths rounded to thousandths of that unit.
func everyIn(unit string) *limits.Catalogue {
	length := func(millimetres int64) string { return inUnit(millimetres, unit).FloatString(3) }
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nunit: %s\nsheets:\n  s: {width: %s, height: %s}\n"+
		"materials:\n  m: {caliper: 0.4, glue_flap: %s, sheet: s}\narticles:\n", unit, length(1000), length(700), length(15))
	article := func(name string, codes []string) {
		fmt.Fprintf(&b, "  %s:\n    width: {min: 0.001, max: %s}\n    depth: {min: 0.001, max: %s}\n"+
			"    height: {min: 0.001, max: %s}\n    constraints: [%s]\n    blank:\n"+
			"      width: max(width + 2*height, 2*depth + glue_flap)\n"+
			"      height: height + depth - min(max(0.5*depth, %s), %s)\n",
			name, length(2000), length(1501), length(1801), strings.Join(codes, ", "), length(12), length(25))
	}
	for _, code := range oracle.Constraints {
		article(code, []string{code})
	}
	article("all", oracle.Constraints)
	return must(limits.Load("every.yaml", []byte(b.String())))
}

// inUnit converts a number of millimetres to another unit, rounded to thousandths of that unit.
func inUnit(millimetres int64, unit string) *big.Rat {
	exactly := new(big.Rat).Quo(rat(millimetres, 1), oracle.Millimetres[unit])
	rounded, _ := new(big.Rat).SetString(exactly.FloatString(3))
	return rounded
}

// same reports whether the first violation and the list of all violations have the wanted codes.
func same(first boxrules.Verdict, all []boxrules.Violation, want []string) bool {
	if len(want) == 0 {
		return first.OK() && len(all) == 0
	}
	return !first.OK() && string(first.Code()) == want[0] &&
		slices.EqualFunc(all, want, func(v boxrules.Violation, code string) bool { return string(v.Code) == code })
}

// Edges, where conditions turn. If the engine has one in the wrong place, the boxes beside that
// place show it.

// onEdge reports whether the point is on a face: the last point on one side of > or >=, or
// the first on the other.
func onEdge(faces []exact.HalfSpace, p exact.Point) bool {
	return slices.ContainsFunc(faces, func(h exact.HalfSpace) bool {
		level := h.A[0]*p[0] + h.A[1]*p[1] + h.A[2]*p[2]
		return level == h.K || level == h.K+1
	})
}

// boxesAt draws boxes at the faces of the profile, most of them with common sizes.
func boxesAt(draw gen.Draw, p *boxrules.Profile) *gen.Boxes {
	boxes := gen.BoxesOf(p.Exact(), draw)
	for axis := range boxes.High {
		boxes.High[axis] = min(boxes.High[axis], 600_000)
	}
	return boxes
}

// allConstraints has the article of every that selects all constraints.
var allConstraints = sync.OnceValue(func() *boxrules.Profile {
	return must(must(boxrules.New(boxrules.DefaultRules(), every())).Profile("all", "m"))
})

// Many boxes, on all processors.

var (
	insightBoxes = flag.Int("insight.boxes", lab.Draws(1, 4), "boxes per article and material in the comparisons with brute force")
	oracleBoxes  = flag.Int("oracle.boxes", lab.Draws(4_000, 60_000), "boxes that TestOracle checks of either limits")
	oracleSeed   = flag.Uint64("oracle.seed", 1, "seed of the boxes of the oracle tests")
)

// failures holds the number of differences found, and the first few of them.
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

// inChunks draws boxes on all processors. The boxes depend only on the seed, not on the number of
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
