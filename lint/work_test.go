package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/internal/polytope"
)

// plenty is more work than any search in this file needs.
const plenty = 1_000_000

// boundaryEngine returns an engine for boundary rules with these conditions, whose codes are B_0000, B_0001 and so on,
// and for articles of a limit file.
func boundaryEngine(t *testing.T, articles string, conditions ...string) *boxrules.Engine {
	t.Helper()
	rules := "version: 1\nboundary:\n"
	for i, when := range conditions {
		rules += gen.WorldRule(fmt.Sprintf("B_%04d", i), when)
	}
	return profiles.Engine(t, rules, gen.WorldLimits("", articles))
}

// rangesArticles returns one article for each name, all with the same limits.
func rangesArticles(names string) string {
	var articles strings.Builder
	for _, name := range strings.Fields(names) {
		articles.WriteString(gen.WorldArticle(name, "min: 10, max: 100", ""))
	}
	return articles.String()
}

// workLeft returns how much work the budget has left. It is negative if more was spent than the budget had.
func workLeft(b polytope.Budget) int {
	left := 0
	for ; b.Spent(); left-- {
		b.Spend(-1)
	}
	for ; !b.Spent(); left++ {
		b.Spend(1)
	}
	return left
}

// workOf returns the work that a function takes from a budget with plenty of work.
func workOf(spend func(*polytope.Budget)) int {
	b := polytope.NewBudget(plenty)
	spend(&b)
	return plenty - workLeft(b)
}

// TestSmallestSubsetTrials counts the sets that are tried.
func TestSmallestSubsetTrials(t *testing.T) {
	// The set of all candidates is known to suffice, so it is not tried, not even if nothing else suffices any more.
	for number := range 5 {
		candidates, trials := indexRange(0, number), 0
		got := smallestSubset(candidates, func(set []int) bool {
			if trials++; len(set) == number {
				t.Fatalf("of %v, the set of all is tried", candidates)
			}
			return false
		})
		if want := 1<<number - 1; !slices.Equal(got, candidates) || trials != want {
			t.Errorf("of %v, it is %v after %d trials, want all after %d", candidates, got, trials, want)
		}
	}
	// The sets of at most one of 999 candidates are all that may be tried. Then candidates are removed one by one.
	for _, number := range []int{998, 999, 1000} {
		trials, want := 0, []int{3, 500, 997}
		got := smallestSubset(indexRange(0, number), func(set []int) bool {
			trials++
			return !slices.ContainsFunc(want, func(i int) bool { return !slices.Contains(set, i) })
		})
		if !slices.Equal(got, want) || trials != maxSubsets+number {
			t.Errorf("of %d candidates it is %v after %d trials, want %v after %d", number, got, trials, want, maxSubsets+number)
		}
	}
	// After the last trial, no more sets are made.
	trials, asked := 0, 0
	found := subsetOfSize(2, indexRange(0, 100), nil, &trials, func([]int) bool { asked++; return false })
	if found != nil || asked != maxSubsets || trials != maxSubsets+1 {
		t.Errorf("it is %v, having asked %d times in %d trials, want nothing, %d and one more", found, asked, trials, maxSubsets)
	}
}

// TestFoldingTakesWork: each half-space of the conditions takes the same work, however the space is made.
func TestFoldingTakesWork(t *testing.T) {
	e := boundaryEngine(t, rangesArticles("a"), "width > 5", "width > 6 || depth > 7 || height > 8", "width != 9")
	const halves = 1 + 3 + 2
	for name, fold := range map[string]func(*polytope.Budget){
		"product": func(b *polytope.Budget) { product{"a", "m"}.space(e, b) },
		"profile": func(b *polytope.Budget) { newSpace(e.Profiles()[0], b) },
	} {
		if got, want := workOf(fold), halves*foldingCost; got != want {
			t.Errorf("%s: the space takes %d of work, want %d", name, got, want)
		}
	}
}

// TestComparingTakesWork: before two conditions are compared, work is taken for each half-space. If it uses up the
// budget, nothing is compared.
func TestComparingTakesWork(t *testing.T) {
	e := boundaryEngine(t, rangesArticles("a"), "width > 50 && width > 60 && depth > 70 && height > 80")
	condition, rule := e.Profiles()[0].Exact().Conditions[0], e.Rules().Rules()[0]
	const halves = 4
	// All conditions are looked at once, also those that are equal to an earlier one.
	b := polytope.NewBudget(2 * halves * foldingCost)
	search := polytope.Search{Step: 1, Budget: &b}
	got := redundantComparisons(rule, []exact.Condition{condition, condition}, search)
	if len(got) != 1 || got[0].Kind != Undecided || got[0].Question != RedundantCondition || got[0].Condition != "" || workLeft(b) != 0 {
		t.Errorf("with work for folding alone there is %+v and %d left, want one that is undecided and nothing left", got, workLeft(b))
	}
	b = polytope.NewBudget(4 * halves * foldingCost)
	if got := findRedundancyCounterexample(0, []exact.Condition{condition}, search); got != polytope.Undecided || workLeft(b) != 0 {
		t.Errorf("without work for a search the answer is %v and %d is left, want undecided and nothing left", got, workLeft(b))
	}
	b = polytope.NewBudget(plenty)
	if got := findRedundancyCounterexample(0, []exact.Condition{condition}, search); got != polytope.Nothing {
		t.Errorf("with plenty of work the answer is %v, want a proof that the comparison is redundant", got)
	}
}

// TestLastProductMayUseTheRest: the second of two articles may use all work that the first has left. So a little more
// than twice the work of one article is enough for both, and half of that leaves something undecided.
func TestLastProductMayUseTheRest(t *testing.T) {
	conditions := []string{"width < min_width", "width > max_width", "width > 60 + depth", "width + depth + height > 200", "height > 90 || depth > 95"}
	before := boundaryEngine(t, rangesArticles("a b"), conditions...)
	conditions[2] = "width > 50 + depth"
	after := boundaryEngine(t, rangesArticles("a b"), conditions...)
	last := product{"b", "m"}
	for _, test := range []struct {
		name string
		// one does the work for one article, and undecided counts what stays undecided about the last one of both.
		one       func(*polytope.Budget)
		undecided func(work int) int
		parts     int // the first article gets this part of the work
	}{
		{"Lint", func(b *polytope.Budget) { lintProfile(last.space(before, b), before.Rules().Rules()) }, func(work int) (n int) {
			for f := range lintWithin(work, before) {
				if f.Kind == Undecided && f.Article == "b" {
					n++
				}
			}
			return n
		}, 3}, // the rules get a part, too
		{"Witnesses", func(b *polytope.Budget) {
			s := last.space(before, b)
			for i := range s.rules {
				s.roundestReporting(i)
			}
		}, func(work int) (n int) {
			for f := range witnessesWithin(work, before) {
				if f.Kind == Undecided && f.Article == "b" {
					n++
				}
			}
			return n
		}, 2},
		{"Diff", func(b *polytope.Budget) { diffSpaces(last.space(before, b), last.space(after, b)) }, func(work int) (n int) {
			for c := range diffWithin(work, before, after) {
				if c.Kind == UndecidedChange && c.Article == "b" {
					n++
				}
			}
			return n
		}, 2},
	} {
		work := workOf(test.one) + 1
		if got := test.undecided(test.parts * work); got != 0 {
			t.Errorf("%s: %d answers about the last article are undecided, want none with %d times %d of work", test.name, got, test.parts, work)
		}
		if test.undecided(test.parts*work/2) == 0 {
			t.Errorf("%s: nothing is undecided with half of the work, so this test shows nothing", test.name)
		}
	}
}

// TestLastRuleMayUseTheRest: the comparisons of the last rule may use all work that the other rules have left.
func TestLastRuleMayUseTheRest(t *testing.T) {
	var parts [2][]string
	for i := range 16 {
		parts[0] = append(parts[0], fmt.Sprintf("width > %d", 150+i))
		parts[1] = append(parts[1], fmt.Sprintf("depth > %d", 150+i))
	}
	e := boundaryEngine(t, rangesArticles("a"), strings.Join(parts[0], " || "), strings.Join(parts[1], " || "))
	rules, conditions := e.Rules().Rules(), e.Profiles()[0].Exact().Conditions
	article := workOf(func(b *polytope.Budget) { lintProfile(product{"a", "m"}.space(e, b), rules) })
	rule := workOf(func(b *polytope.Budget) {
		redundantComparisons(rules[1], conditions[1:], polytope.Search{Step: 1, Budget: b})
	})
	if article > rule {
		t.Fatalf("the article takes %d of work and a rule %d, so the rules may have less than this test needs", article, rule)
	}
	undecided := func(work int) (n int) {
		for f := range lintWithin(work, e) {
			if f.Question == RedundantCondition && f.Codes[0] == "B_0001" {
				n++
			}
		}
		return n
	}
	if got := undecided(article + 2*(rule+1)); got != 0 {
		t.Errorf("%d answers about the last rule are undecided, want none", got)
	}
	if undecided(article+rule+rule/2) == 0 {
		t.Error("nothing is undecided with less work, so this test shows nothing")
	}
}

// TestLessWorkProvesNothingElse stops the work on a rule that is never reported at many points. With less work than that
// takes, the finding is the same or undecided.
func TestLessWorkProvesNothingElse(t *testing.T) {
	const rule = 2
	e := boundaryEngine(t, rangesArticles("a"), "width > 40", "width < 45 && depth > 50", "width > 60 && depth > 70")
	check := func(b *polytope.Budget) Finding {
		p := profileLinter{space: product{"a", "m"}.space(e, b)}
		p.checkReportable(rule)
		return p.findings[0]
	}
	enough := polytope.NewBudget(plenty)
	want, whole := check(&enough), workOf(func(b *polytope.Budget) { check(b) })
	if want.Kind != Unreportable || want.Witness == nil {
		t.Fatalf("Lint has %+v, want a rule that another one hides", want)
	}
	for work := 1; work < whole; work += 1 + whole/200 {
		b := polytope.NewBudget(work)
		if got := check(&b); got.Kind != Undecided && (got.Kind != want.Kind || got.Witness == nil) {
			t.Errorf("with %d of %d of work there is %+v, want it undecided", work, whole, got)
		}
	}
}

// TestWitnessesDoHalfTheWork has rules for the sides of a polygon, and rules about the height. Each question about the
// height cuts off all sides again. All questions together take more work than Witnesses may do,
// but less than Lint may.
func TestWitnessesDoHalfTheWork(t *testing.T) {
	var conditions []string
	const middle, radius, most = 500_000, 400_000, 17
	for x := -most; x <= most; x++ {
		for y := -most; y <= most; y++ {
			if max(x, -x, y, -y) == most {
				side := (x+y)*middle + int(radius*math.Hypot(float64(x), float64(y)))
				conditions = append(conditions, fmt.Sprintf("%d * width + %d * depth > %d", x, y, side))
			}
		}
	}
	var heights []boxrules.Code
	for high := 900_000; high > 840_000; high -= 10_000 {
		heights = append(heights, boxrules.Code(fmt.Sprintf("B_%04d", len(conditions))))
		conditions = append(conditions, fmt.Sprintf("height > %d", high))
	}
	e := boundaryEngine(t, rangesArticles("a"), conditions...)
	reported, undecided := 0, 0
	for f := range Witnesses(e, heights...) {
		if f.Kind == Reportable {
			reported++
		} else {
			undecided += len(f.Codes)
		}
	}
	if reported == 0 || undecided == 0 || reported+undecided != len(heights) {
		t.Errorf("Witnesses reports %d codes and leaves %d undecided, want some of both, and %d in all", reported, undecided, len(heights))
	}
}

// TestWitnessesStopWithTheLoop: a loop may also end at what is undecided about the first of two articles.
func TestWitnessesStopWithTheLoop(t *testing.T) {
	e := boundaryEngine(t, rangesArticles("a b"), "width > 5", "depth > 5")
	for f := range witnessesWithin(1, e) {
		if f.Kind != Undecided || f.Article != "a" || len(f.Codes) != 2 {
			t.Errorf("Witnesses begins with %+v, want both codes of a undecided", f)
		}
		break
	}
}

// TestLimitOfDirection: only a positive direction means the maximum.
func TestLimitOfDirection(t *testing.T) {
	p := profileLinter{space: product{"a", "m"}.space(boundaryEngine(t, rangesArticles("a"), "width > 5"), nil)}
	for direction, want := range map[int64]string{-1: "min_depth", 0: "min_depth", 1: "max_depth"} {
		if f, at := p.newLimitFinding(1, direction); f.Limit != want || exact.Float64At(at) != *f.Value {
			t.Errorf("direction %d: %s %v at %v, want %s", direction, f.Limit, *f.Value, exact.Float64At(at), want)
		}
	}
}
