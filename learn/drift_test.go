package learn_test

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// A claim is what an answer says of limits, on whole units, worked out from the documented order of the checks: ranges of each
// minimum and maximum, constraints that are selected or not, and how long the sides of the sheet are at least, or not.
type claim struct {
	ends          [exact.Axes][2][2]int64 // of the minimum and the maximum: from, to
	selected, not map[string]bool
	fits, exceeds [][2]*big.Rat // longer and shorter sides
}

// most is greater than any limit.
const most = 1 << 40

// claimOf reads an answer.
func claimOf(a learn.Answer, blank *exact.Blank) *claim {
	c := &claim{selected: make(map[string]bool), not: make(map[string]bool)}
	size := []int64{int64(a.Width), int64(a.Depth), int64(a.Height)}
	for axis := range c.ends {
		c.ends[axis] = [2][2]int64{{1, most}, {1, most}}
	}
	for axis, x := range size {
		switch string(a.Code) {
		case []string{"BOX_2100", "BOX_2102", "BOX_2104"}[axis]:
			c.ends[axis][0][0] = x + 1
			return c
		case []string{"BOX_2101", "BOX_2103", "BOX_2105"}[axis]:
			c.ends[axis][0][1], c.ends[axis][1][1] = x, x-1
			return c
		}
		c.ends[axis][0][1], c.ends[axis][1][0] = x, x
	}
	w, d, h := big.NewRat(size[0], 1), big.NewRat(size[1], 1), big.NewRat(size[2], 1)
	for _, code := range oracle.Constraints {
		if code == string(a.Code) {
			c.selected[code] = true
			return c
		}
		if oracle.Constraint(code, w, d, h) {
			c.not[code] = true
		}
	}
	at, _ := a.Grid()
	long, short := blank.Width.At(at), blank.Height.At(at)
	if long.Cmp(short) < 0 {
		long, short = short, long
	}
	if a.Code == "" {
		c.fits = [][2]*big.Rat{{long, short}}
	} else {
		c.exceeds = [][2]*big.Rat{{long, short}}
	}
	return c
}

// contradict reports whether no limits explain all the claims.
func contradict(claims ...*claim) bool {
	var ends [exact.Axes][2][2]int64
	for axis := range ends {
		ends[axis] = [2][2]int64{{1, most}, {1, most}}
	}
	long, short, not := new(big.Rat), new(big.Rat), make(map[string]bool)
	for _, c := range claims {
		for axis := range ends {
			for end := range 2 {
				e := &ends[axis][end]
				*e = [2]int64{max(e[0], c.ends[axis][end][0]), min(e[1], c.ends[axis][end][1])}
			}
		}
		for _, f := range c.fits {
			long, short = larger(long, f[0]), larger(short, f[1])
		}
		for code := range c.not {
			not[code] = true
		}
	}
	for _, c := range claims {
		for code := range c.selected {
			if not[code] {
				return true
			}
		}
	}
	for _, e := range ends { // the least minimum and the greatest maximum are a pair if any is
		if e[0][0] > e[0][1] || e[1][0] > e[1][1] || e[0][0] > e[1][1] {
			return true
		}
	}
	// A sheet is whole units long. The least that holds what fits must not hold what does not.
	for _, c := range claims {
		for _, e := range c.exceeds {
			if e[0].Cmp(ceiling(long)) <= 0 && e[1].Cmp(ceiling(short)) <= 0 {
				return true
			}
		}
	}
	return false
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func ceiling(r *big.Rat) *big.Rat {
	whole, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return new(big.Rat).SetInt(whole)
}

// fewest is the size of a smallest set of claims, with the last among them, that contradict each other; 0 where none do.
func fewest(claims []*claim) int {
	last := claims[len(claims)-1]
	if contradict(last) {
		return 1
	}
	var sized []*claim // only these can be three
	for _, c := range claims[:len(claims)-1] {
		if contradict(c, last) {
			return 2
		}
		if len(c.fits)+len(c.exceeds) > 0 {
			sized = append(sized, c)
		}
	}
	for i, c := range sized {
		for _, d := range sized[:i] {
			if contradict(c, d, last) {
				return 3
			}
		}
	}
	return 0
}

// traffic is a box as customers ask for it.
func traffic(r *rand.Rand) boxrules.Dims {
	size := func() float64 { return max(1, math.Round(math.Exp(4.8+0.7*r.NormFloat64()))) }
	return boxrules.Dims{Width: size(), Depth: size(), Height: size()}
}

// changedFile changes one thing of a limit file: a limit by a tenth, a selection, or a side of the sheet by 50.
func changedFile(r *rand.Rand, c *limits.Catalogue) (after *limits.Catalogue, what string) {
	articles, materials := c.Articles(), c.Materials()
	a := &articles[0]
	switch kind := r.IntN(3); kind {
	case 0:
		i := r.IntN(6)
		d := []*limits.Decimal{&a.Width.Min, &a.Width.Max, &a.Depth.Min, &a.Depth.Max, &a.Height.Min, &a.Height.Max}[i]
		x, by := d.Float64(), []float64{0.9, 1.1}[r.IntN(2)]
		*d = gen.Decimal(math.Round(x * by))
		if what = "a limit is loosened"; (i%2 == 0) == (by > 1) {
			what = "a limit is tightened"
		}
	case 1:
		code := oracle.Constraints[r.IntN(len(oracle.Constraints))]
		if i := slices.Index(a.Constraints, code); i >= 0 {
			a.Constraints = slices.Delete(a.Constraints, i, i+1)
		} else {
			a.Constraints = append(a.Constraints, code)
		}
		what = "a selection"
	case 2:
		s := &materials[0].Sheet
		side := []*limits.Decimal{&s.Width, &s.Height}[r.IntN(2)]
		*side = gen.Decimal(side.Float64() - 50)
		what = "a sheet is shorter"
	}
	return c.Completed(articles, materials), what
}

// TestDrift has services change: a contradiction is told at the very answer that makes one, with the fewest rows.
func TestDrift(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	profiles := boxrules.Default().Profiles()
	told := make(map[int]int)
	after := make(map[string][]int)
	changes := 0
	for range *driftCount {
		p := profiles[r.IntN(len(profiles))]
		hidden := gen.Only(limits.Illustrative(), []string{p.Article()}, []string{p.Material()})
		changed, what := changedFile(r, hidden)
		e, later := engineOf(t, hidden), engineOf(t, changed)
		l := learnerOf(t, hidden, options())
		var claims []*claim
		turn := 20 + r.IntN(400)
		rows := turn + 500
		if what == "a sheet is shorter" {
			rows = turn + 3000
		}
		changes++
		for i := range rows {
			if i == turn {
				e = later
			}
			a := ask(t, e, boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: traffic(r)})
			err := l.Add(a)
			claims = append(claims, claimOf(a, p.Exact().Blank))
			var c *learn.Contradiction
			if errors.As(err, &c) {
				var rows []*claim
				for _, row := range c.Rows {
					rows = append(rows, claims[row-1])
				}
				n := fewest(claims)
				if !contradict(rows...) || len(rows) != n || c.Rows[n-1] != i+1 || i < turn {
					t.Fatalf("%s: %v since row %d; the fewest that contradict each other are %d", what, c, turn+1, n)
				}
				told[n]++
				after[what] = append(after[what], i-turn+1)
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if contradict(claims...) && len(claims) == rows {
			t.Fatalf("%s in %s: %d answers contradict each other, and none was told", what, p.Article(), rows)
		}
	}
	t.Logf("%d changes, of which answers contradict %d: all told at once with the fewest rows, %d times two and %d times three",
		changes, told[1]+told[2]+told[3], told[2], told[3])
	for _, what := range slices.Sorted(maps.Keys(after)) {
		slices.Sort(after[what])
		t.Logf("%s: %d told, the middle one after %d answers", what, len(after[what]), after[what][len(after[what])/2])
	}
	if told[2] < changes/5 {
		t.Errorf("%d of %d changes are told: too few", told[2], changes)
	}
}
