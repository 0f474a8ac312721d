package boxrules_test

import (
	"flag"
	"fmt"
	"hash/fnv"
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
	"example.com/boxrules/internal/oracle"
	"example.com/boxrules/limits"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Engines and limit files.

// newEngine makes an engine of the rules and a limit file.
func newEngine(t testing.TB, rules *boxrules.RuleSet, limitFile string) *boxrules.Engine {
	t.Helper()
	catalogue, err := limits.Load("limits.yaml", []byte(limitFile))
	if err != nil {
		t.Fatal(err)
	}
	e, err := boxrules.New(rules, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// engineOf makes an engine of a rule file without its first line, or of the documented rules where that is empty, and
// articles in the words of a limit file.
func engineOf(t testing.TB, rules, articles string) *boxrules.Engine {
	t.Helper()
	set := boxrules.DefaultRules()
	if rules != "" {
		var err error
		if set, err = boxrules.LoadRules("rules.yaml", []byte("version: 1\n"+rules)); err != nil {
			t.Fatal(err)
		}
	}
	return newEngine(t, set, "version: 1\nunit: mm\nsheets:\n  s: {width: 1000, height: 700}\n"+
		"materials:\n  m: {caliper: 1, glue_flap: 20, sheet: s}\narticles:\n"+articles)
}

// articleOf is an article for engineOf, with the same limits for each dimension, such as "min: 1, max: 1000".
func articleOf(name, ranges, codes string) string {
	return fmt.Sprintf("  %s: {width: {%s}, depth: {%[2]s}, height: {%[2]s}, constraints: [%s]}\n", name, ranges, codes)
}

func profileOf(t testing.TB, e *boxrules.Engine, article string) *boxrules.Profile {
	t.Helper()
	p, err := e.Profile(article, "m")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// forProfiles runs the test for every article and material of the illustrative catalogue.
func forProfiles(t *testing.T, test func(*testing.T, *boxrules.Profile)) {
	for _, p := range boxrules.Default().Profiles() {
		t.Run(p.Article()+" "+p.Material(), func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

// head is a limit file up to its articles, with so many materials, from m0 on.
func head(materials int) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 100, height: 100}\nmaterials:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  m%d: {caliper: %d, glue_flap: 1, sheet: s}\n", i, i+1)
	}
	b.WriteString("articles:\n")
	return b.String()
}

// nineCube is the rest of an article behind its name.
const nineCube = "{width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"

// cubes are so many articles, from a0 on.
func cubes(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "  a%d: %s", i, nineCube)
	}
	return b.String()
}

// wide is a catalogue with one article for each rule, limits of 1 to 1000 and a blank of width+1000
// by height, on a sheet of 1500 by 500.
func wide(t testing.TB) *boxrules.Engine {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n  s: {width: 1500, height: 500}\n" +
		"materials:\n  m: {caliper: 1, glue_flap: 1000, sheet: s}\narticles:\n")
	for _, rule := range boxrules.DefaultRules().Rules() {
		codes := ""
		if rule.Stage == boxrules.Constraint {
			codes = string(rule.Code)
		}
		article := articleOf(string(rule.Code), "min: 1, max: 1000", codes)
		if rule.Stage == boxrules.Size {
			article = strings.TrimSuffix(article, "}\n") + ", blank: {width: width + glue_flap, height: height}}\n"
		}
		b.WriteString(article)
	}
	return newEngine(t, boxrules.DefaultRules(), b.String())
}

// every is a catalogue of an article for each constraint, named by it, and one that selects them all.
// Their limits are wide, so that the constraints decide, down to boxes near zero.
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

// Boxes and codes.

var axisNames = exact.AxisNames()

func dimsAt(p exact.Point) boxrules.Dims {
	return boxrules.Dims{Width: exact.Units(p[0]), Depth: exact.Units(p[1]), Height: exact.Units(p[2])}
}

// moved is p with another coordinate along the axis.
func moved(p exact.Point, axis int, to int64) exact.Point {
	p[axis] = to
	return p
}

// exactly prints the dimensions so that they can be typed in again.
func exactly(d boxrules.Dims) string {
	return fmt.Sprintf("Dims{%v, %v, %v}", d.Width, d.Depth, d.Height)
}

func boxOf(p *boxrules.Profile, d boxrules.Dims) boxrules.Box {
	return boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
}

// codeAt is the code that Check reports, empty for a valid box.
func codeAt(t testing.TB, p *boxrules.Profile, at exact.Point) boxrules.Code {
	v, err := p.Check(dimsAt(at))
	if err != nil || v.OK() != (v.Code() == "") {
		t.Fatalf("Check(%+v) = %v, %v", dimsAt(at), v, err)
	}
	return v.Code()
}

func codesOf(rules []boxrules.Rule) []string {
	codes := make([]string, len(rules))
	for i, r := range rules {
		codes[i] = string(r.Code)
	}
	return codes
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

// An edge is a plane a·w + b·d + c·h = k where a comparison of a condition turns, in thousandths.
type edge struct{ a, b, c, k int64 }

// edges are those of the documented constraints, by hand.
var edges = map[string][]edge{
	"BOX_3100": {dw},
	"BOX_3101": {{2, -1, 0, 0}},
	"BOX_3102": {dh, {0, 1, 0, 60_000}},
	"BOX_3103": {{4, -3, 0, 0}},
	"BOX_3104": {hw},
	"BOX_3105": {dh},
	"BOX_3106": {hw, dw},
	"BOX_3107": {hw, dw, dh},
	"BOX_3108": {hw, dw, dh},
	"BOX_3109": {dw},
	"BOX_3110": {dw, dh, hw},
	"BOX_3111": {dh},
	"BOX_3112": {{0, 5, -2, 0}},
	"BOX_3113": {dw, {1, 1, 0, 498_250}, {1, 0, 1, 498_250}},
	"BOX_3114": {dw, {1, 1, 0, 498_250}, {1, 0, 1, 498_250}, {0, 1, 1, 498_250}},
	"BOX_3115": {{0, 2, -1, 0}},
	"BOX_3116": {{0, 4, -5, 0}},
	"BOX_3117": {hw},
	"BOX_3118": {{1, -2, 0, 0}},
	"BOX_3119": {{1, -3, 0, 0}},
	"BOX_3120": {{1, 0, -2, 0}},
	"BOX_3121": {dw, dh, {-1, 0, 1, 30_000}},
	"BOX_3122": {dw, hw, {0, -1, 1, 30_000}, {0, 1, 0, 5_000}, {1, 0, 0, 35_000}},
}

var dw, dh, hw = edge{1, -1, 0, 0}, edge{0, 1, -1, 0}, edge{1, 0, -1, 0}

// everyOracle is the article that selects all constraints, and everyEdges the edges of its other rules.
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
	everyEdges = map[string][]edge{
		"BOX_2100": {{1, 0, 0, 1}}, "BOX_2101": {{1, 0, 0, 2_000_000}},
		"BOX_2102": {{0, 1, 0, 1}}, "BOX_2103": {{0, 1, 0, 1_500_500}},
		"BOX_2104": {{0, 0, 1, 1}}, "BOX_2105": {{0, 0, 1, 1_800_250}},
		"BOX_4100": {
			{1, 0, 2, 1_000_500}, {0, 2, 0, 985_500}, {0, 1, 2, 2_001_000}, {0, 1, 1, 1_012_500}, {0, 1, 1, 1_025_500},
			{1, 0, 2, 700_000}, {0, 2, 0, 685_000}, {0, 1, 2, 1_400_000}, {0, 1, 1, 712_000}, {0, 1, 1, 725_000},
		},
	}
)

func init() { maps.Copy(everyEdges, edges) }

func onEdge(planes []edge, p exact.Point) bool {
	return slices.ContainsFunc(planes, func(e edge) bool { return e.a*p[0]+e.b*p[1]+e.c*p[2] == e.k })
}

func flatten(byCode map[string][]edge) []edge {
	var planes []edge
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		for _, e := range byCode[code] {
			if !slices.Contains(planes, e) {
				planes = append(planes, e)
			}
		}
	}
	return planes
}

// Random boxes.

// A boxSource draws boxes on the grid of thousandths, most of them on an edge or right beside one.
type boxSource struct {
	rng    *rand.Rand
	planes []edge
}

// round are values that conditions and limits turn around, or that many small numbers divide.
var round = []int64{0, 1, 5_000, 12_000, 15_000, 30_000, 35_000, 60_000, 120_000, 150_000, 200_000, 240_000, 249_125, 300_000, 498_250}

func (s *boxSource) value() int64 {
	switch s.rng.IntN(8) {
	case 0:
		return s.rng.Int64N(101) - 50
	case 1:
		return round[s.rng.IntN(len(round))]
	case 2:
		return s.rng.Int64N(2_100_000)
	case 3:
		return s.rng.Int64N(2_000) * 250
	case 4:
		if s.rng.IntN(16) == 0 {
			return 1_000_000_000 * (1 - 2*s.rng.Int64N(2))
		}
		return s.rng.Int64N(600) * 1000
	default:
		return s.rng.Int64N(600_000)
	}
}

func (s *boxSource) next() (p exact.Point) {
	p = exact.Point{s.value(), s.value(), s.value()}
	if s.rng.IntN(16) == 0 {
		return p
	}
	for turn := range 1 + s.rng.IntN(3) {
		s.solve(&p, s.planes[s.rng.IntN(len(s.planes))], turn == 0)
	}
	if s.rng.IntN(2) == 0 {
		p[s.rng.IntN(3)] += 2*s.rng.Int64N(2) - 1
	}
	return clamped(p)
}

// clamped is p with every coordinate within the input contract.
func clamped(p exact.Point) exact.Point {
	for axis := range p {
		p[axis] = min(max(p[axis], -1_000_000_000), 1_000_000_000)
	}
	return p
}

// solve puts p on the plane by its position along one axis. Where the others may move they do, to where the
// plane meets the grid.
func (s *boxSource) solve(p *exact.Point, e edge, others bool) {
	normal := exact.Point{e.a, e.b, e.c}
	axis := s.rng.IntN(3)
	for normal[axis] == 0 {
		axis = (axis + 1) % 3
	}
	rest := e.k
	for i := range p {
		if i == axis {
			continue
		}
		if others {
			p[i] -= p[i] % normal[axis]
		}
		rest -= normal[i] * p[i]
	}
	p[axis] = rest / normal[axis]
}

// beside are dimensions that stand for p: p itself, or less than half a thousandth beside it.
func (s *boxSource) beside(p exact.Point) boxrules.Dims {
	d := dimsAt(p)
	if s.rng.IntN(4) == 0 && max(p[0], p[1], p[2]) < 1_000_000_000 && min(p[0], p[1], p[2]) > -1_000_000_000 {
		d.Width += (s.rng.Float64() - 0.5) * 0.000_99
		d.Depth += (s.rng.Float64() - 0.5) * 0.000_99
		d.Height += (s.rng.Float64() - 0.5) * 0.000_99
	}
	return d
}

// randomFor is a generator that gives an article in a material the same boxes in every run.
func randomFor(p *boxrules.Profile) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(p.Article() + " " + p.Material()))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// drawBox is a box in or near the limits: on halves or on thousandths, on the limits themselves and of
// proportions that the conditions mention, and now and then one that is far away.
func drawBox(r *rand.Rand, low, high exact.Point) exact.Point {
	var b exact.Point
	for axis := range b {
		side := high[axis] - low[axis]
		b[axis] = low[axis] - side/8 + r.Int64N(side+side/4+1)
	}
	if r.IntN(3) > 0 {
		for axis := range b {
			b[axis] -= b[axis] % 500
		}
	}
	switch r.IntN(7) {
	case 0:
		axis := r.IntN(3)
		b[axis] = []int64{low[axis], high[axis], low[axis] - 1, high[axis] + 1, 0, -b[axis]}[r.IntN(6)]
	case 1, 2:
		axis, other := r.IntN(3), r.IntN(3)
		ratio := [][2]int64{{1, 1}, {2, 1}, {1, 2}, {3, 4}, {4, 3}, {4, 5}, {2, 5}, {5, 2}, {1, 3}, {3, 1}}[r.IntN(10)]
		b[axis] = b[other]*ratio[0]/ratio[1] + r.Int64N(3) - 1
	case 3:
		if axis := r.IntN(3); r.IntN(4) == 0 {
			b[axis] = (r.Int64N(1_800_001) - 900_000) * 1000
		} else {
			b[axis] = 498_250 - b[(axis+1)%3]
		}
	case 4:
		for axis, side := range high {
			if r.IntN(4) > 0 {
				b[axis] = []int64{low[axis] - r.Int64N(20_000), side + r.Int64N(side)}[r.IntN(2)]
			}
		}
	}
	return b
}

// Many boxes, on all processors.

var (
	insightBoxes = flag.Int("insight.boxes", 10, "boxes per article and material in the comparisons with brute force")
	oracleBoxes  = flag.Int("oracle.boxes", 120_000, "boxes that TestOracleAllConstraints checks in every article")
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

// inChunks draws boxes on all processors. The seed decides the boxes, whatever the number of processors.
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
