package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// smallLearner returns a learner about limits of 1 to most whole units, for a blank that is the base of the box.
func smallLearner(t *testing.T, most float64) *Learner {
	t.Helper()
	return smallLearnerOf(t, Options{Step: 1, Max: most}, "decimals: 0\n")
}

func smallLearnerOf(t *testing.T, o Options, decimals string) *Learner {
	t.Helper()
	return learnerOfTexts(t, extended, decimals+caseAndPlain, o)
}

// extended is a rule file with the documented rules, to which more can be added.
const extended = "version: 1\nextends: documented\n"

// caseAndPlain is part of a frame: an article with a blank and one without, in one material.
const caseAndPlain = `materials: {board: {caliper: 1, glue_flap: 0}}
articles: {case: {blank: {width: width, height: depth}}, plain: {}}
`

// learnerOfTexts returns a learner under the rules. The frame, in mm, has the given keys.
func learnerOfTexts(t *testing.T, rules, frame string, o Options) *Learner {
	t.Helper()
	set, err := boxrules.LoadRules("own.yaml", []byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(set, frameOf(t, frame), o)
	if err != nil {
		t.Fatal(err)
	}
	l.remainingWork = polytope.NewBudget(maxWork)
	return l
}

// frameOf returns a frame in mm with the given keys.
func frameOf(t *testing.T, text string) *limits.Catalogue {
	t.Helper()
	frame, err := limits.LoadFrame("frame.yaml", []byte("version: 1\nunit: mm\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// bound restricts a limit, as two answers would.
func bound(u *state.Limit, lower, upper int64) {
	u.Smallest[0], u.Largest[0] = lower, upper
}

// TestInformation: the information of a box is the entropy of its answer, if every limit has an independent value.
func TestInformation(t *testing.T) {
	l := smallLearner(t, 40)
	r := rand.New(rand.NewPCG(21, 22))
	for _, p := range l.profiles {
		for range 3 {
			for axis := range exact.Axes {
				low, high := 1+r.Int64N(10), 20+r.Int64N(10)
				bound(p.article.rangeEnds[axis][minimum], low*1000, (low+r.Int64N(10))*1000)
				bound(p.article.rangeEnds[axis][maximum], high*1000, (high+r.Int64N(11))*1000)
			}
			planner := l.newBoxPlanner(p)
			for range 40 {
				at := exact.Point{1000 * (1 + r.Int64N(40)), 1000 * (1 + r.Int64N(40)), 1000 * (1 + r.Int64N(40))}
				if slices.ContainsFunc(p.conditions, func(c *condition) bool { return isTie(c.violated, at) }) {
					continue
				}
				// atLeast is the probability that a limit is at least x.
				atLeast := func(u *state.Limit, x int64) float64 { return l.prior.AtLeast(u, x) }
				bits, rest := 0.0, 1.0
				fail := func(probability float64) {
					if q := rest * probability; q > 0 {
						bits -= q * math.Log2(q)
					}
					rest *= 1 - probability
				}
				for axis, ends := range p.article.rangeEnds {
					fail(atLeast(ends[minimum], at[axis]+1000))
					fail(1 - atLeast(ends[maximum], at[axis]))
				}
				for i, c := range p.conditions {
					if planner.isInformative[i] && c.violated.Contains(at) {
						fail(planner.selectProbability)
					}
				}
				if p.blank != nil {
					fail(1 - plan.NewStaircase(l.prior, p.sheet).Fits(exact.Point{max(at[0], at[1]), min(at[0], at[1])}))
				}
				if rest > 0 {
					bits -= rest * math.Log2(rest)
				}
				if got := planner.information(at, l.informativeComparisons()); math.Abs(got-bits) > 1e-4 {
					t.Errorf("%s %v gives %v bits, want %v", p.article.Code, at, got, bits)
				}
			}
		}
	}
}

// TestPlannedValues: for each quantile, the planner considers the value nearest to the certain ones at which the
// dimension is refused with at least this probability. It also considers values that are certainly allowed.
func TestPlannedValues(t *testing.T) {
	l := smallLearner(t, 400)
	p := l.profiles[0]
	low, high := p.article.rangeEnds[0][minimum], p.article.rangeEnds[0][maximum]
	for _, bounds := range [][4]int64{{20, 50, 200, 400}, {1, 400, 1, 400}, {30, 31, 31, 32}, {7, 7, 90, 90}, {1, 2, 399, 400}, {50, 50, 60, 300}} {
		bound(low, bounds[0]*1000, bounds[1]*1000)
		bound(high, bounds[2]*1000, bounds[3]*1000)
		values := l.plannedValues(p, 0)
		for i, x := range values {
			if x <= 0 || x > 400_000 || x%1000 != 0 || slices.Contains(values[:i], x) {
				t.Errorf("%v: plans %d in %v", bounds, x, values)
			}
		}
		for _, q := range quantiles {
			if low.LowerBound() < low.UpperBound() {
				want := low.UpperBound()
				for want > low.LowerBound() && l.prior.AtLeast(low, want+1000) < q-1e-9 {
					want -= 1000
				}
				if !slices.Contains(values, want) {
					t.Errorf("%v: %d is not planned, at which the minimum refuses with probability %v: %v", bounds, want, q, values)
				}
			}
			if high.LowerBound() < high.UpperBound() {
				want := high.LowerBound()
				for want < high.UpperBound() && 1-l.prior.AtLeast(high, want) < q-1e-9 {
					want += 1000
				}
				if !slices.Contains(values, want) {
					t.Errorf("%v: %d is not planned, at which the maximum refuses with probability %v: %v", bounds, want, q, values)
				}
			}
		}
		// The ends of the values that are certainly allowed are planned too.
		for _, x := range []int64{low.UpperBound(), high.LowerBound()} {
			if !slices.Contains(values, x) {
				t.Errorf("%v: the certain value %d is not planned: %v", bounds, x, values)
			}
		}
	}
}

// TestPlannedValuesOfCoarseBoxes: a box that is asked about has positive dimensions of whole units, even if the limits may be
// smaller than a unit.
func TestPlannedValuesOfCoarseBoxes(t *testing.T) {
	l := smallLearnerOf(t, Options{Step: 0.5, Max: 5.5}, "decimals: 0\n")
	values := l.plannedValues(l.profiles[0], 0)
	for _, x := range values {
		if x < 1000 || x > 6000 || x%1000 != 0 {
			t.Errorf("%d is planned, want whole units from 1 to 6", x)
		}
	}
	if !slices.Contains(values, 1000) || !slices.Contains(values, 6000) {
		t.Errorf("%v are planned, want 1000 and 6000 among them", values)
	}
}

// TestSmallerBlank: planSmallerBlank makes the longer side of a blank as short as possible without lengthening the
// shorter side, and then the shorter side. What it finds is in the regions.
func TestSmallerBlank(t *testing.T) {
	l := smallLearner(t, 9)
	p := l.profiles[0]
	for _, size := range []exact.Point{{5000, 3000}, {8000, 8000}, {4000, 1000}, {9000, 2000}, {1000, 1000}} {
		for _, least := range []int64{1000, 4000, 9000} {
			// The blank must exceed the size, and the width must be at least least.
			regions := []exact.Region{p.oversizeRegion(size), exact.AtLeast(0, least)}
			blanks := func(visit func(box, b exact.Point)) {
				for width := least; width <= 9000; width += 1000 {
					for depth := int64(1000); depth <= 9000; depth += 1000 {
						if b := (exact.Point{max(width, depth), min(width, depth)}); !state.Inside(b, size) {
							visit(exact.Point{width, depth, 1000}, b)
						}
					}
				}
			}
			blanks(func(start, from exact.Point) {
				best := from
				blanks(func(_, b exact.Point) {
					if b[1] <= from[1] && (b[0] < best[0] || b[0] == best[0] && b[1] < best[1]) {
						best = b
					}
				})
				at := l.planSmallerBlank(p, start, regions)
				if got := p.blank.size(at); got != best || at[0] < least {
					t.Errorf("from %v, the smallest blank beyond %v of a width of at least %d is %v, want %v", from, size, least, got, best)
				}
			})
		}
	}
}

// TestConsiderBorderline: of a comparison about which double precision disagrees, and of later ones, next to nothing counts,
// and of earlier ones, half. A disagreement that only makes an answer say a little less decides between boxes that are
// equally informative.
func TestConsiderBorderline(t *testing.T) {
	for _, test := range []struct {
		name      string
		at        exact.Point
		maxWidth  [2]int64
		least     float64 // the least and the greatest share of the information that counts
		greatest  float64
		isLimited bool // whether the share is that of the information about limits
	}{
		{"nothing is borderline", exact.Point{10_000, 9_000, 4_000}, [2]int64{40_000, 40_000}, 1, 1, false},
		{"nothing is borderline, and limits are open", exact.Point{10_000, 9_000, 4_000}, [2]int64{5_000, 40_000}, 1, 1, false},
		{"a blank", exact.Point{10_000, 10_000, 4_000}, [2]int64{40_000, 40_000}, 0.999, 1 - 1e-9, false},
		{"a constraint", exact.Point{10_000, 9_000, 3_000}, [2]int64{40_000, 40_000}, 1e-9, 0.001, false},
		{"a constraint, and limits are open", exact.Point{10_000, 9_000, 3_000}, [2]int64{5_000, 40_000}, 0.5, 0.5, true},
	} {
		l := learnerOfTexts(t, extended+"constraint: [{code: OWN_3000, when: 0.1 * 3 * width > height, message: m}]\n", `decimals: 0
materials: {board: {caliper: 1, glue_flap: 0}}
articles: {case: {blank: {width: width + height, height: 0.1 * 3 * depth}}}
`, Options{Step: 1, Max: 40})
		p := l.profiles[0]
		for axis := range exact.Axes {
			bound(p.article.rangeEnds[axis][minimum], 1000, 1000)
			bound(p.article.rangeEnds[axis][maximum], 40_000, 40_000)
		}
		bound(p.article.rangeEnds[exact.Width][maximum], test.maxWidth[0], test.maxWidth[1])
		for _, c := range p.article.selections[:len(p.article.selections)-1] {
			c.Observe(state.Observation{At: state.Selected, Evidence: state.Evidence{Seq: 1}}, false)
		}
		planner := l.newBoxPlanner(p)
		planner.bestBox, planner.bestInformation = exact.Point{}, 0
		planner.consider(test.at)
		whole := planner.information(test.at, l.informativeComparisons())
		if test.isLimited {
			whole = planner.information(test.at, len(l.limitTests))
		}
		if got := planner.bestInformation / whole; planner.bestBox != test.at || got < test.least-1e-12 || got > test.greatest+1e-12 {
			t.Errorf("%s: %v of the information of %v bits counts, want %v to %v", test.name, got, whole, test.least, test.greatest)
		}
		// A box that is no better does not replace the first one.
		first := exact.Point{1000, 1000, 1000}
		planner.bestBox = first
		if planner.consider(test.at); planner.bestBox != first {
			t.Errorf("%s: %v replaces a box that is equally informative", test.name, test.at)
		}
	}
}

// TestFindAskable: boxes that are skipped do not count, however many they are.
func TestFindAskable(t *testing.T) {
	l := smallLearner(t, 40)
	p := l.profiles[0]
	line := []exact.Region{exact.AtMost(0, 1000), exact.AtMost(1, 1000)}
	const last = 37_000
	for h := int64(1000); h <= 40_000; h += 1000 {
		if h != last {
			l.skipped[p.box(exact.Point{1000, 1000, h})] = true
		}
	}
	at, ok := l.findAskableBox(p, line...)
	if want := (exact.Point{1000, 1000, last}); !ok || at != want {
		t.Errorf("findAskableBox finds %v, %v, want %v, the only one that is not skipped", at, ok, want)
	}
	l.skipped[p.box(at)] = true
	if at, ok := l.findAskableBox(p, line...); ok {
		t.Errorf("findAskableBox finds %v, which is skipped", at)
	}
}

// TestFindBoxGivesUp: a learner remembers that a search has given up, even if a later search finds a box.
func TestFindBoxGivesUp(t *testing.T) {
	l := smallLearner(t, 9)
	for _, test := range []struct {
		work   int
		want   polytope.Answer
		gaveUp bool
	}{
		{maxWork, polytope.Something, false}, {0, polytope.Undecided, true}, {maxWork, polytope.Something, true},
	} {
		l.remainingWork = polytope.NewBudget(test.work)
		if _, answer := l.findBox(l.profiles[0], 1000); answer != test.want || l.gaveUp != test.gaveUp {
			t.Errorf("with work for %d, the answer is %v, and a search has given up: %v; want %v and %v", test.work, answer, l.gaveUp, test.want, test.gaveUp)
		}
	}
}

// roundingLearner returns a learner about an article with a constraint and a blank that double precision computes
// otherwise than they are: 3.0000000000000004 for a width or a depth of 10.
func roundingLearner(t *testing.T) (*Learner, *profile) {
	t.Helper()
	l := learnerOfTexts(t, fmt.Sprintf(`version: 1
boundary:
  - {code: OWN_0001, when: width < min_width, message: m}
  - {code: OWN_0002, when: width > max_width, message: m}
  - {code: OWN_0003, when: depth < min_depth, message: m}
  - {code: OWN_0004, when: depth > max_depth, message: m}
  - {code: OWN_0005, when: height < min_height, message: m}
  - {code: OWN_0006, when: height > max_height, message: m}
constraint:
  - {code: OWN_0007, when: height > 500, message: m}
  - {code: OWN_0008, when: 0.1 * 3 * width > 3, message: m}
  - {code: OWN_0009, when: height > 600, message: m}
size:
  - {code: OWN_0010, when: %q, message: m}
`, sizeCondition()), `decimals: 0
materials: {board: {caliper: 1, glue_flap: 0}}
articles: {case: {blank: {width: width, height: 0.1 * 3 * depth}}}
`, Options{Step: 1, Max: 400})
	return l, l.profiles[0]
}

// sizeCondition returns the condition of the documented size rule.
func sizeCondition() string {
	rules := boxrules.DefaultRules().Rules()
	return rules[len(rules)-1].When
}

// TestAgreedComparisons: the arithmetics agree about all comparisons before that of a constraint that may be selected, or
// of the sheet if it may hold one of the two sizes and not the other. If both answers about the sheet are possible in
// both arithmetics, the comparison with the sheet counts as well.
func TestAgreedComparisons(t *testing.T) {
	type size struct {
		at   exact.Point
		fits bool
	}
	for _, test := range []struct {
		name       string
		box        exact.Point
		selected   bool // whether nothing shows that the constraint is not selected
		known      []size
		n          int
		agreeAbout bool
	}{
		{"a constraint", exact.Point{10_000, 9000, 5000}, true, nil, 7, false},
		{"a constraint and the sheet", exact.Point{10_000, 10_000, 5000}, true, nil, 7, false},
		{"a constraint that is not selected", exact.Point{10_000, 9000, 5000}, false, nil, 10, true},
		{"no constraint", exact.Point{11_000, 9000, 5000}, true, nil, 10, true},
		{"a sheet", exact.Point{11_000, 10_000, 5000}, true, nil, 10, false},
		{"a sheet that holds both", exact.Point{11_000, 10_000, 5000}, true, []size{{exact.Point{11_000, 4000}, true}}, 10, true},
		{"a sheet that holds the smaller", exact.Point{11_000, 10_000, 5000}, true, []size{{exact.Point{11_000, 3000}, true}}, 9, false},
		{"a sheet that does not hold the larger", exact.Point{11_000, 10_000, 5000}, true, []size{{exact.Point{11_000, 4000}, false}}, 9, false},
		{"a sheet of the smaller", exact.Point{11_000, 10_000, 5000}, true, []size{{exact.Point{11_000, 3000}, true}, {exact.Point{11_000, 4000}, false}}, 9, false},
	} {
		l, p := roundingLearner(t)
		if !test.selected {
			p.article.selections[1].Observe(state.Observation{At: state.Selected, Evidence: state.Evidence{Seq: 1}}, false)
		}
		for i, size := range test.known {
			p.sheet.Observe(state.Observation{At: size.at, Evidence: state.Evidence{Seq: 2 + i}}, size.fits)
		}
		if n, all := l.agreedComparisons(p, test.box); n != test.n || all != test.agreeAbout {
			t.Errorf("%s: the arithmetics agree about %d comparisons, and about all: %v; want %d, %v", test.name, n, all, test.n, test.agreeAbout)
		}
	}
}

// TestFindAskableGivesUp: after ten borderline boxes, the search for a box that is not borderline gives up, and returns
// the first of them. Boxes that are skipped are not among the ten.
func TestFindAskableGivesUp(t *testing.T) {
	const skipped = 3
	agreed := exact.Point{11_000, 9000, 1000}
	for borderline, want := range map[int64]exact.Point{
		0: agreed, 1: agreed, maxBorderline - 1: agreed, maxBorderline: {11_000, 10_000, 4000}, maxBorderline + 1: {11_000, 10_000, 4000},
	} {
		l, p := roundingLearner(t)
		column := func(depth, heights int64) exact.Region {
			return exact.AllOf(exact.AtLeast(0, 11_000), exact.AtMost(0, 11_000), exact.AtLeast(1, depth), exact.AtMost(1, depth), exact.AtMost(2, heights*1000))
		}
		for h := range int64(skipped) {
			l.skipped[p.box(exact.Point{11_000, 10_000, 1000 * (h + 1)})] = true
		}
		// The search begins with the first column.
		at, ok := l.findAskableBox(p, exact.AnyOf(column(10_000, skipped+borderline), column(9000, 1)))
		if !ok || at != want {
			t.Errorf("beside %d borderline boxes, findAskableBox finds %v, %v, want %v", borderline, at, ok, want)
		}
	}
}

// TestTie: a box is on the border of width > 100 if its width is 100, or the next that can be written.
func TestTie(t *testing.T) {
	wide := exact.AtLeast(0, 100_001)
	for width, want := range map[int64]bool{99_999: false, 100_000: true, 100_001: true, 100_002: false} {
		if got := isTie(wide, exact.Point{width, 5000, 5000}); got != want {
			t.Errorf("a width of %d is a tie: %v, want %v", width, got, want)
		}
	}
}

// TestMostLikelyAnswer: the code of a check that refuses the box with a probability above one half.
func TestMostLikelyAnswer(t *testing.T) {
	l := smallLearner(t, 400)
	p := l.profiles[0]
	for axis := range exact.Axes {
		bound(p.article.rangeEnds[axis][minimum], 20_000, 20_000)
		bound(p.article.rangeEnds[axis][maximum], 100_000, 200_000)
	}
	for i, size := range []exact.Point{{90_000, 80_000}, {90_000, 81_000}} {
		p.sheet.Observe(state.Observation{At: size, Evidence: state.Evidence{Seq: i + 1}}, i == 0)
	}
	planner := l.newBoxPlanner(p)
	for _, test := range []struct {
		at   exact.Point
		want boxrules.Code
	}{
		{exact.Point{20_000, 20_000, 20_000}, ""},
		{exact.Point{19_000, 20_000, 20_000}, boxrules.BOX_2100},
		{exact.Point{201_000, 20_000, 19_000}, boxrules.BOX_2101}, // the first of two
		{exact.Point{20_000, 20_000, 201_000}, boxrules.BOX_2105},
		{exact.Point{100_000, 20_000, 100_000}, ""},               // a constraint probably is not selected
		{exact.Point{90_000, 80_000, 100_000}, ""},                // just fits
		{exact.Point{90_000, 81_000, 100_000}, boxrules.BOX_4100}, // does not fit
	} {
		if got := planner.mostLikelyAnswer(test.at); got != test.want {
			t.Errorf("the most likely answer to %v is %q, want %q", test.at, got, test.want)
		}
	}
}

// TestUsualDecimals: unless the frame says otherwise, questions can be in eighths of an inch, and in whole millimetres
// that are written in metres.
func TestUsualDecimals(t *testing.T) {
	for unit, want := range map[string]int{"mm": 2, "cm": 2, "in": 3, "m": 3} {
		if got := usualAskDecimals(unit); got != want {
			t.Errorf("%s has %d decimals, want %d", unit, got, want)
		}
	}
}

// TestObservableLimit compares isObservableLimit with a search of all dimensions that an answer can have: one that may
// pass all earlier tests, and both may and may not pass the test of the limit.
func TestObservableLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	seen := make(map[bool]int)
	for _, decimals := range []string{"decimals: 0\n", "decimals: 1\n"} {
		l := smallLearnerOf(t, Options{Step: 0.5, Max: 6}, decimals)
		a, p := l.articles[0], l.profiles[0]
		for range 60 {
			for axis := range exact.Axes {
				for end := range 2 {
					lower := 500 * (1 + r.Int64N(12))
					bound(a.rangeEnds[axis][end], lower, min(6000, lower+500*r.Int64N(4)))
				}
			}
			for k, test := range l.limitTests {
				possible := [exact.Axes]bool{}
				for axis := range exact.Axes {
					for x := l.answerGrid; x <= 7000; x += l.answerGrid {
						at := exact.Point{x, x, x}
						passes := true
						for earlier, other := range l.limitTests[:k] {
							if other.axis == axis {
								c, _ := l.comparison(p, at, earlier)
								may, mayNot := c.possibleOutcomes()
								passes = passes && (c.failsOutside && may || !c.failsOutside && mayNot)
							}
						}
						if test.axis == axis {
							c, _ := l.comparison(p, at, k)
							may, mayNot := c.possibleOutcomes()
							passes = passes && may && mayNot
						}
						possible[axis] = possible[axis] || passes
					}
				}
				want := possible == [exact.Axes]bool{true, true, true}
				seen[want]++
				if got := l.isObservableLimit(a, a.rangeEnds[test.axis][test.end]); got != want {
					t.Fatalf("%s%v can be observed: %v, want %v", decimals, limitName(test.axis, test.end), got, want)
				}
			}
		}
	}
	if seen[true] < 50 || seen[false] < 50 {
		t.Errorf("only %v limits can and cannot be observed", seen)
	}
}

// TestUnmasked: the probability that an answer says something is the share of similar boxes whose answers did.
func TestUnmasked(t *testing.T) {
	at := exact.Point{200_000, 200_000, 200_000}
	half, twice, far := exact.Point{100_000, 200_000, 200_000}, exact.Point{200_000, 200_000, 400_000}, exact.Point{2_000_000, 1000, 200_000}
	nearer := exact.Point{190_000, 200_000, 200_000}
	for _, test := range []struct {
		name           string
		judged, masked []exact.Point
		from, to       float64
	}{
		{"none is masked", []exact.Point{half}, nil, 1, 1},
		{"nothing is known", nil, nil, 1, 1},
		{"all are masked", nil, []exact.Point{far}, 0.01, 0.01},
		{"half as wide is as near as twice as high", []exact.Point{half}, []exact.Point{twice}, 0.5, 0.5},
		{"the same box", []exact.Point{at}, []exact.Point{at}, 0.5, 0.5},
		{"three of four", []exact.Point{half, half, twice}, []exact.Point{twice}, 0.75, 0.75},
		{"near ones are masked", []exact.Point{far}, []exact.Point{half, twice, nearer}, 0.01, 0.05},
		{"a far one is masked", []exact.Point{nearer}, []exact.Point{half, twice, far}, 0.9, 1},
		{"a quarter as wide is twice as far", []exact.Point{half}, []exact.Point{{50_000, 200_000, 200_000}}, 0.94117, 0.94118},
		{"further in two ways", []exact.Point{half}, []exact.Point{{100_000, 400_000, 200_000}}, 0.7, 0.9},
	} {
		p := &profile{judgedBoxes: test.judged, maskedBoxes: test.masked}
		if got := p.unmaskedProbability(at); !(got >= test.from-1e-9 && got <= test.to+1e-9) { // also if it is not a number
			t.Errorf("%s: %v, want %v to %v", test.name, got, test.from, test.to)
		}
	}
}

// TestRecentBoxes: only the latest boxes are kept, the oldest first.
func TestRecentBoxes(t *testing.T) {
	var boxes []exact.Point
	for x := range int64(maxRecent + 2) {
		boxes = appendRecentBox(boxes, exact.Point{x})
		if want := min(int(x)+1, maxRecent); len(boxes) != want || boxes[len(boxes)-1][0] != x || boxes[0][0] != x+1-int64(want) {
			t.Fatalf("%d boxes are kept of %d, from %v to %v", len(boxes), x+1, boxes[0], boxes[len(boxes)-1])
		}
	}
}

// TestSmallestSheet: the smallest sheet is a step long and wide, and the longer side is the first.
func TestSmallestSheet(t *testing.T) {
	b := &blank{step: 500}
	for sides, want := range map[[2]int64]exact.Point{
		{-1000, 0}: {500, 500}, {3000, -500}: {3000, 500}, {1000, 2000}: {2000, 1000}, {2000, 1000}: {2000, 1000}, {500, 500}: {500, 500},
	} {
		if got := b.smallestSheet(sides[0], sides[1]); got != want {
			t.Errorf("the smallest sheet for %v is %v, want %v", sides, got, want)
		}
	}
}

// TestUnknownNames: limits and sheets are to be learned. Dimensions, lengths of the material and values of the user are
// known, whatever their names are.
func TestUnknownNames(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"width", "caliper", "blank_width"}, ""}, {[]string{"max_ratio", "sheet_color"}, ""},
		{[]string{"max_ratio", "max_depth"}, "max_depth"}, {[]string{"sheet_width", "min_width"}, "sheet_width"},
	} {
		if got := firstUnknownName(test.names); got != test.want {
			t.Errorf("the first of %q to be learned is %q, want %q", test.names, got, test.want)
		}
	}
}

// opaqueLearner returns a learner under rules that mention limits, one before the comparison with the sheet and one
// after it, about an article in two materials.
func opaqueLearner(t *testing.T) *Learner {
	t.Helper()
	return learnerOfTexts(t, extended+`constraint: [{code: OWN_3000, when: height > max_height - 30, message: m}]
size: [{code: OWN_4000, when: width > max_width - 5, message: m}]
`, `decimals: 0
materials: {board: {caliper: 1, glue_flap: 0}, card: {caliper: 1, glue_flap: 0}}
articles: {case: {blank: {width: width, height: depth}}}
`, Options{Step: 1, Max: 400})
}

// TestMaskedAnswers: an answer is masked if the service refuses the box by a rule whose condition is not known. It is
// judged if it says something about constraints or the sheet. A masked answer is not asked for again.
func TestMaskedAnswers(t *testing.T) {
	for _, test := range []struct {
		code                    boxrules.Code
		judged, masked, skipped bool
		err                     error
	}{
		{"", true, false, false, nil},
		{boxrules.BOX_2100, false, false, false, nil},
		{boxrules.BOX_2105, false, false, false, nil},
		{boxrules.BOX_3100, true, false, false, nil},
		{boxrules.BOX_4100, true, false, false, nil},
		{"OWN_3000", false, true, true, nil},
		{"OWN_4000", true, false, true, nil}, // the rules before it have been checked
		{"SHOP_0001", false, true, false, ErrUnknownCode},
	} {
		l := opaqueLearner(t)
		p := l.profiles[0]
		at := exact.Point{100_000, 120_000, 80_000} // violates BOX_3100
		if _, agreed := l.agreedComparisons(p, at); !agreed {
			t.Errorf("%v is borderline", at)
		}
		if err := l.Add(Answer{Box: p.box(at), Code: test.code}); err != test.err {
			t.Errorf("Add of %q = %v, want %v", test.code, err, test.err)
		}
		if judged, masked, skipped := len(p.judgedBoxes) > 0, len(p.maskedBoxes) > 0, l.skipped[p.box(at)]; judged != test.judged ||
			masked != test.masked || skipped != test.skipped {
			t.Errorf("%q: judged %v, masked %v, skipped %v; want %v, %v, %v", test.code, judged, masked, skipped, test.judged, test.masked, test.skipped)
		}
	}
}

// TestUndecidedRules: a written file warns of a rule that mentions a limit that is not decided, if the rule is in the
// file. Lenient limits leave out such a constraint. Strict limits leave out a material in which no box is certain to fit.
func TestUndecidedRules(t *testing.T) {
	l := opaqueLearner(t)
	p := l.profiles[0]
	if err := l.Add(Answer{Box: p.box(exact.Point{100_000, 90_000, 80_000})}); err != nil {
		t.Fatal(err)
	}
	const (
		refuse = "which is not decided: with this rule the limits may refuse what the service accepts."
		accept = "which is not decided: with this rule the limits may accept what the service refuses."
	)
	check := func(lenient bool, warnings, materials []string) {
		t.Helper()
		var file strings.Builder
		if err := l.WriteLimits(&file, lenient); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(file.String()) {
			if strings.Contains(line, "which is not decided") {
				got = append(got, strings.TrimSpace(strings.TrimPrefix(line, "# ")))
			}
		}
		if !slices.Equal(got, warnings) {
			t.Errorf("lenient %v: warnings %q, want %q", lenient, got, warnings)
		}
		c, err := l.Catalogue(lenient)
		if err != nil {
			t.Fatal(err)
		}
		codes := []string{}
		for _, m := range c.Materials() {
			codes = append(codes, m.Code)
		}
		if !slices.Equal(codes, materials) {
			t.Errorf("lenient %v: materials %q, want %q", lenient, codes, materials)
		}
	}
	check(true, []string{"OWN_4000 mentions max_width, " + refuse}, []string{"board", "card"})
	check(false, []string{"OWN_3000 mentions max_height, " + accept, "OWN_4000 mentions max_width, " + accept}, []string{"board"})
	for axis := range exact.Axes {
		bound(p.article.rangeEnds[axis][minimum], 20_000, 20_000)
		bound(p.article.rangeEnds[axis][maximum], 200_000, 200_000)
		for end := range 2 {
			u := p.article.rangeEnds[axis][end]
			u.Contained, u.Excluded = nil, nil
		}
	}
	check(true, nil, []string{"board", "card"})
	check(false, nil, []string{"board"})
}

// TestSheetsApart: what is known about the sheet of one material says nothing about the sheet of another.
func TestSheetsApart(t *testing.T) {
	l := opaqueLearner(t)
	for i, size := range []exact.Point{{90_000, 80_000}, {91_000, 1000}, {81_000, 81_000}} {
		l.sheets["board"].Observe(state.Observation{At: size, Evidence: state.Evidence{Seq: i + 1, Row: i + 1}}, i == 0)
	}
	states := make(map[string]State)
	for _, f := range l.Facts() {
		if f.What == sheetName {
			states[f.Material] = f.State
		}
	}
	if states["board"] != Decided || states["card"] != Open {
		t.Errorf("the sheets are %v, want that of board decided and that of card open", states)
	}
}

// TestBorderPairs: for each axis along which a blank grows, there are pairs at both ends of the other two axes. The first
// box of a pair just fits the sheet, and the second, a step larger, does not.
func TestBorderPairs(t *testing.T) {
	l := smallLearner(t, 9)
	p := l.profiles[0]
	p.sheet.Observe(state.Observation{At: exact.Point{5000, 5000}, Evidence: state.Evidence{Seq: 1}}, true)
	pairs, gaveUp := l.candidateBorderPairs(p)
	if gaveUp {
		t.Error("the search gave up")
	}
	for _, pair := range pairs {
		grows := exact.Point{pair[1][0] - pair[0][0], pair[1][1] - pair[0][1], pair[1][2] - pair[0][2]}
		if grows != (exact.Point{1000}) && grows != (exact.Point{0, 1000}) {
			t.Errorf("%v: the second box is not a step wider or deeper", pair)
		}
		if max(pair[0][0], pair[0][1]) != 5000 || max(pair[1][0], pair[1][1]) != 6000 {
			t.Errorf("%v are not on both sides of the border", pair)
		}
	}
	for grows, other := range []int{1, 0} {
		for _, end := range []struct {
			axis int
			x    int64
		}{{other, 1000}, {other, 5000}, {2, 1000}, {2, 9000}} {
			if !slices.ContainsFunc(pairs, func(pair [2]exact.Point) bool { return pair[0][grows] < pair[1][grows] && pair[0][end.axis] == end.x }) {
				t.Errorf("no pair that grows along axis %d is at %d on axis %d: %v", grows, end.x, end.axis, pairs)
			}
		}
	}
	l.remainingWork = polytope.NewBudget(0)
	if pairs, gaveUp := l.candidateBorderPairs(p); len(pairs) > 0 || !gaveUp {
		t.Errorf("without work to do, the search finds %v and gave up: %v", pairs, gaveUp)
	}
}

// TestInformativeBlanks: a blank is informative if the sheet may or may not hold it, according to all sizes that the sheet
// can have.
func TestInformativeBlanks(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 12 {
		l := smallLearner(t, 9)
		p := l.profiles[0]
		truth := exact.Point{1000 * (3 + r.Int64N(7)), 1000 * (1 + r.Int64N(7))}
		for seq := range 5 {
			at := exact.Point{1000 * (1 + r.Int64N(9)), 1000 * (1 + r.Int64N(9))}
			p.sheet.Observe(state.Observation{At: at, Evidence: state.Evidence{Seq: seq + 1}}, state.Inside(at, truth))
		}
		regions := p.informativeRegions()
		for width := int64(1000); width <= 10_000; width += 1000 {
			for depth := int64(1000); depth <= 10_000; depth += 1000 {
				may, mayNot := false, false
				for long := int64(1000); long <= 12_000; long += 1000 {
					for short := int64(1000); short <= 12_000; short += 1000 {
						s := exact.Point{long, short}
						if !state.Inside(p.sheet.Corner(), s) || slices.ContainsFunc(p.sheet.Excluded, func(o state.Observation) bool { return state.Inside(o.At, s) }) {
							continue
						}
						if state.Inside(exact.Point{max(width, depth), min(width, depth)}, s) {
							may = true
						} else {
							mayNot = true
						}
					}
				}
				box := exact.Point{width, depth, 1000}
				got := !slices.ContainsFunc(regions, func(region exact.Region) bool { return !region.Contains(box) })
				if got != (may && mayNot) {
					t.Fatalf("a blank of %d x %d is informative: %v; it may fit: %v, and may not: %v", width, depth, got, may, mayNot)
				}
			}
		}
	}
}

// TestSheetCodes: a sheet without a code has that of its material, or the first number that no other sheet has.
func TestSheetCodes(t *testing.T) {
	for codes, want := range map[[2]string]string{
		{"x", "z"}: "m", {"m", "z"}: "sheet-1", {"m", "sheet-1"}: "sheet-2", {"m", "sheet-2"}: "sheet-1", {"x", "sheet-1"}: "m",
	} {
		l := learnerOfTexts(t, extended, "materials:\n  m: {caliper: 1, glue_flap: 0}\n"+
			"  a: {caliper: 1, glue_flap: 0, sheet: "+codes[0]+"}\n  b: {caliper: 1, glue_flap: 0, sheet: "+codes[1]+"}\narticles: {plain: {}}\n",
			Options{Step: 1, Max: 100})
		if got := l.sheets["m"].Code; got != want {
			t.Errorf("the sheet of m is called %s beside %q, want %s", got, codes, want)
		}
	}
}

// learnerUnder returns a learner under the rules in text, about an article with a blank and one without.
func learnerUnder(t *testing.T, text string) *Learner {
	t.Helper()
	return learnerOfTexts(t, text, "decimals: 0\n"+caseAndPlain, Options{Step: 1, Max: 400})
}

// TestSizeRule: only the first rule of the size stage that has the documented condition compares the blank with the sheet.
func TestSizeRule(t *testing.T) {
	documented := boxrules.DefaultRules().Rules()
	condition := documented[len(documented)-1].When
	for _, test := range []struct {
		name, rules string
	}{
		{"the documented rules", extended},
		{"another size rule before it", lab.DocumentedRules(t, "size:\n", "size:\n  - {code: OWN_4000, when: width > 300, message: m}\n")},
		{"another size rule", extended + "size: [{code: OWN_4000, when: width > 300, message: m}]\n"},
		{"a size rule of the same condition", extended + "size: [{code: OWN_4000, when: '" + condition + "', message: m}]\n"},
		{"a constraint of the same condition", extended + "constraint: [{code: OWN_3000, when: '" + condition + "', message: m}]\n"},
	} {
		l := learnerUnder(t, test.rules)
		if code := l.codes[l.sheetComparison()]; !l.hasSizeRule || code != boxrules.BOX_4100 {
			t.Errorf("%s: the rule that compares the blank with the sheet is %q", test.name, code)
		}
		if got, want := len(l.conditionRules), len(l.codes)-len(l.limitTests)-2; got != want {
			t.Errorf("%s: %d condition rules, want %d", test.name, got, want)
		}
	}
}

// TestOpaqueRules: a rule that mentions the blank is opaque for an article whose blank is not in the frame.
func TestOpaqueRules(t *testing.T) {
	for condition, want := range map[string][2]bool{ // of the article with a blank, and of the one without
		"width > 300": {false, false}, "blank_width > 300": {false, true}, "width > 300 || blank_height > width": {false, true},
		"blank_width > width + depth": {false, true}, "width > max_width - 5": {true, true},
	} {
		l := learnerUnder(t, extended+"constraint: [{code: OWN_3000, when: '"+condition+"', message: m}]\n")
		for i, a := range l.articles {
			last := len(l.conditionRules) - 1
			if got := l.conditionRules[last].opaqueReason(a) != ""; got != want[i] || a.profiles[0].conditions[last].isOpaque != got {
				t.Errorf("%s: the rule is opaque for %s: %v, want %v", condition, a.Code, got, want[i])
			}
		}
	}
}

// TestKnownLimitsOfRules: a rule that mentions limits is no longer opaque when they are known, unless it also mentions the
// sheet, or a blank that the frame does not have.
func TestKnownLimitsOfRules(t *testing.T) {
	for condition, want := range map[string][2]bool{ // of the article with a blank, and of the one without
		"width > max_width - 5": {false, false}, "width > max_width - min_depth": {true, true},
		"width + max_width > sheet_width": {true, true}, "sheet_width > max_width + width": {true, true},
		"width > sheet_height": {true, true}, "width > sheet_height || width > max_width": {true, true},
		"blank_width > max_width": {false, true},
	} {
		l := learnerUnder(t, extended+"constraint: [{code: OWN_3000, when: '"+condition+"', message: m}]\n")
		for i, a := range l.articles {
			bound(a.rangeEnds[exact.Width][maximum], 100_000, 100_000)
			l.updateRuleConditions(a)
			if got := a.profiles[0].conditions[len(l.conditionRules)-1].isOpaque; got != want[i] {
				t.Errorf("%s: with a known max_width, the rule is opaque for %s: %v, want %v", condition, a.Code, got, want[i])
			}
		}
	}
}

// TestKnownLimitsInAnotherUnit: numbers in a rule that mentions limits are in the unit of the rule.
func TestKnownLimitsInAnotherUnit(t *testing.T) {
	for _, unit := range []string{"mm", "in"} {
		l := learnerUnder(t, extended+"unit: "+unit+"\nconstraint: [{code: OWN_3000, when: width > max_width - 50.8, message: m}]\n")
		a := l.articles[0]
		bound(a.rangeEnds[exact.Width][maximum], 1_390_320, 1_390_320)
		l.updateRuleConditions(a)
		last := map[string]int64{"mm": 1_390_320 - 50_800, "in": 100_000}[unit] // 1390.32 mm are 54 in and 18.72 mm
		violated := a.profiles[0].conditions[len(l.conditionRules)-1].violated
		if violated.Contains(exact.Point{last, 1000, 1000}) || !violated.Contains(exact.Point{last + 1, 1000, 1000}) {
			t.Errorf("in %s, the widest box that the rule allows is not %v mm wide", unit, exact.Float64At(last))
		}
	}
}

// TestIsProved: a proof is complete if all limits, constraints and sheets that boxes can show are known.
func TestIsProved(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(p *prover)
		want   bool
	}{
		{"everything is known", func(p *prover) {}, true},
		{"a minimum is open", func(p *prover) { bound(p.profile.article.rangeEnds[exact.Depth][minimum], 19_000, 20_000) }, false},
		{"a maximum is open", func(p *prover) { bound(p.profile.article.rangeEnds[exact.Depth][maximum], 99_000, 100_000) }, false},
		{"a constraint is open", func(p *prover) { p.profile.article.selections[3].Excluded = nil }, false},
		{"a constraint is hidden", func(p *prover) {
			p.profile.article.selections[3].Excluded = nil
			p.profile.article.hidden = map[int]bool{3: true}
		}, true},
		{"the sheet is open", func(p *prover) { p.profile.sheet.Excluded = nil }, false},
		{"no box shows more about the sheet", func(p *prover) { p.profile.sheet.Excluded, p.sheetProved = nil, true }, true},
		{"no rule mentions the open sheet", func(p *prover) { p.profile.sheet.Excluded, p.hasSizeRule = nil, false }, true},
		{"an open sheet for no blank", func(p *prover) { p.profile.sheet.Excluded, p.profile.blank = nil, nil }, true},
	} {
		l := smallLearner(t, 400)
		p := &prover{Learner: l, profile: l.profiles[0]}
		for _, ends := range p.profile.article.rangeEnds {
			bound(ends[minimum], 20_000, 20_000)
			bound(ends[maximum], 100_000, 100_000)
		}
		e := state.Evidence{Seq: 1}
		for _, c := range p.profile.article.selections {
			c.Observe(state.Observation{At: state.Selected, Evidence: e}, false)
		}
		for _, size := range []exact.Point{{50_000, 40_000}, {51_000, 40_000}, {50_000, 41_000}} {
			p.profile.sheet.Observe(state.Observation{At: size, Evidence: e}, size == exact.Point{50_000, 40_000})
		}
		test.change(p)
		if got := p.isProved(); got != test.want {
			t.Errorf("%s: the proof is complete: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestOpenLimitsOrFits: nothing is left to learn if all limits are known, and no blank can narrow down the sheet.
func TestOpenLimitsOrFits(t *testing.T) {
	known := func(p *profile) {
		for _, ends := range p.article.rangeEnds {
			bound(ends[minimum], 20_000, 20_000)
			bound(ends[maximum], 100_000, 100_000)
		}
	}
	fits := func(p *profile, long, short int64, fits bool) {
		p.sheet.Observe(state.Observation{At: exact.Point{long, short}, Evidence: state.Evidence{Seq: int(long + short)}}, fits)
	}
	for _, test := range []struct {
		name    string
		article string
		learn   func(l *Learner, p *profile)
		want    bool
	}{
		{"nothing is known", "case", func(l *Learner, p *profile) {}, true},
		{"one limit is open", "case", func(l *Learner, p *profile) {
			known(p)
			fits(p, 100_000, 100_000, true)
			bound(p.article.rangeEnds[exact.Height][maximum], 100_000, 101_000)
		}, true},
		{"all blanks fit", "case", func(l *Learner, p *profile) { known(p); fits(p, 100_000, 100_000, true) }, false},
		{"some blanks may fit", "case", func(l *Learner, p *profile) { known(p); fits(p, 99_000, 99_000, true) }, true},
		{"the sheet is known", "case", func(l *Learner, p *profile) {
			known(p)
			fits(p, 50_000, 40_000, true)
			fits(p, 51_000, 40_000, false)
			fits(p, 50_000, 41_000, false)
		}, false},
		{"no rule compares a blank with the sheet", "case", func(l *Learner, p *profile) { known(p); l.hasSizeRule = false }, false},
		{"no formula is tried", "plain", func(l *Learner, p *profile) { known(p) }, false},
		{"formulas are tried", "plain", func(l *Learner, p *profile) { known(p); p.article.triesFormulas = true }, true},
		{"formulas are tried for nothing", "plain", func(l *Learner, p *profile) {
			known(p)
			p.article.triesFormulas, l.hasSizeRule = true, false
		}, false},
	} {
		l := smallLearner(t, 400)
		p := l.profileByProduct[[2]string{test.article, "board"}]
		test.learn(l, p)
		if got := l.hasOpenLimitsOrFits(p); got != test.want {
			t.Errorf("%s: something is left to learn: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestHidingConstraints: a constraint that is not known to be selected hides nothing, and no constraint hides one that no box
// within the limits violates.
func TestHidingConstraints(t *testing.T) {
	rules, err := boxrules.LoadRules("own.yaml", []byte(`version: 1
extends: documented
constraint:
  - {code: OWN_3000, when: width > 60, message: m}
  - {code: OWN_3001, when: width > 50, message: m}
  - {code: OWN_3002, when: width > 40, message: m}
  - {code: OWN_3003, when: width > 100, message: m}
`))
	if err != nil {
		t.Fatal(err)
	}
	wide, err := New(rules, limits.Illustrative(), Options{Step: 1, Max: 400})
	if err != nil {
		t.Fatal(err)
	}
	wide.remainingWork = polytope.NewBudget(maxWork)
	article := wide.articles[0]
	hidden := len(article.selections) - 1
	for i, contains := range []bool{false, true, true} {
		article.selections[hidden-3+i].Observe(state.Observation{At: state.Selected, Evidence: state.Evidence{Seq: 1}}, contains)
	}
	if got := wide.hidingConstraints(article, hidden); !wide.isHiddenConstraint(article, hidden) || !slices.Equal(got, []int{hidden - 2}) {
		t.Errorf("constraints %v hide the last one, want only %d, the first one that is selected", got, hidden-2)
	}
	l := smallLearner(t, 9)
	a := l.articles[0]
	last := len(a.selections) - 1
	a.selections[0].Observe(state.Observation{At: state.Selected, Evidence: state.Evidence{Seq: 1}}, true)
	for _, p := range a.profiles {
		p.conditions = slices.Clone(p.conditions)
		p.conditions[last] = impossibleCondition
	}
	if got := l.hidingConstraints(a, last); len(got) > 0 || !l.isHiddenConstraint(a, last) {
		t.Errorf("constraints %v hide one that no box violates", got)
	}
}
