package polytope

import (
	"math/big"
	"slices"
	"testing"

	"example.com/boxrules/exact"
)

// integers returns numbers around the borders of small and large ones, with both signs.
func integers() []*big.Int {
	var numbers []*big.Int
	for _, bits := range []uint{0, 3, 30, 31, 32, 61, 62, 63, 64, 90} {
		power := new(big.Int).Lsh(big.NewInt(1), bits)
		for _, offset := range []int64{-1, 0, 1} {
			x := new(big.Int).Add(power, big.NewInt(offset))
			numbers = append(numbers, x, new(big.Int).Neg(x))
		}
	}
	return numbers
}

// isCanonical reports whether i is the only way to store its number.
func isCanonical(i integer) bool {
	return (i.large == nil) == (i.big().BitLen() <= smallBits) && (i.large == nil || i.small == 0)
}

func TestInteger(t *testing.T) {
	for _, x := range integers() {
		i := newInteger(x)
		f, _ := new(big.Float).SetInt(x).Float64()
		if i.big().Cmp(x) != 0 || i.bits() != x.BitLen() || i.sign() != x.Sign() || i.float64() != f || !isCanonical(i) {
			t.Errorf("%v: %v", x, i)
		}
		for _, y := range integers() {
			j := newInteger(y)
			if x.Sign() != 0 || y.Sign() != 0 {
				want := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
				if got := i.gcd(j); got.big().Cmp(want) != 0 || !isCanonical(got) {
					t.Errorf("the greatest common divisor of %v and %v is %v, want %v", x, y, got, want)
				}
			}
			product := new(big.Int).Mul(x, y)
			if y.Sign() != 0 {
				if got := newInteger(product).dividedBy(j); got.big().Cmp(x) != 0 || !isCanonical(got) {
					t.Errorf("%v divided by %v is %v, want %v", product, y, got, x)
				}
			}
			four := new(big.Int).Lsh(product, 2)
			if got := dot([]integer{i, i, i, i}, []integer{j, j, j, j}); got.big().Cmp(four) != 0 || !isCanonical(got) {
				t.Errorf("four times %v·%v is %v, want %v", x, y, got, four)
			}
		}
	}
	if abs(-5) != 5 || abs(5) != 5 || abs(0) != 0 {
		t.Error("abs is wrong")
	}
}

// TestFloorAndCeil divides numbers that are small and large, in all combinations.
func TestFloorAndCeil(t *testing.T) {
	for _, divisor := range integers() {
		if divisor.Sign() <= 0 {
			continue
		}
		for _, floor := range []int64{-7, 0, 48_000} {
			for _, remainder := range []*big.Int{new(big.Int), new(big.Int).Rsh(divisor, 1)} {
				x := new(big.Int).Mul(big.NewInt(floor), divisor)
				x.Add(x, remainder)
				v := vertex{homogeneous: [exact.Axes + 1]integer{newInteger(x), {}, {}, newInteger(divisor)}}
				ceil := floor + int64(remainder.Sign())
				if below, above := v.floorAndCeil(exact.Width); below != floor || above != ceil {
					t.Errorf("%v/%v: %d and %d, want %d and %d", x, divisor, below, above, floor, ceil)
				}
			}
		}
	}
}

func TestFaceSet(t *testing.T) {
	var set faceSet
	for _, n := range []int{0, 63, 64, 130} {
		if set.has(n) {
			t.Errorf("%v has %d", set, n)
		}
		set = set.with(n)
		if !set.has(n) || set.has(n+1) || !set.containsAll(faceSet(nil).with(n)) || set.containsAll(faceSet(nil).with(n+1)) {
			t.Errorf("%v, after %d was added", set, n)
		}
	}
}

// TestSpend checks that nothing remains as soon as all of a budget is spent.
func TestSpend(t *testing.T) {
	b := NewBudget(80)
	if share := b.Share(4); share.remaining != 20 {
		t.Errorf("a quarter of 80 is %d", share.remaining)
	}
	share := b.Share(100)
	if share.remaining != 10 || !share.Spend(9) || share.Spend(1) || !share.Spent() || b.remaining != 70 || b.Spent() {
		t.Errorf("an eighth of 80: %d remain, and %d of the whole", share.remaining, b.remaining)
	}
	if !b.Spend(69) || b.Spend(1) || !b.Spent() {
		t.Errorf("%d remain", b.remaining)
	}
	search := cellSearch{remaining: 5}
	if !search.spend(4) || search.spend(1) || !search.spent() {
		t.Errorf("%d remain of a search", search.remaining)
	}
}

// TestWorkOfClip checks that a half-space that cuts nothing off costs less.
func TestWorkOfClip(t *testing.T) {
	p := Cuboid(exact.Point{}, exact.Point{10, 10, 10})
	search := cellSearch{Search: Search{Step: 1}, remaining: 1_000}
	search.clip(p, exact.HalfSpace{A: exact.Point{1, 0, 0}, K: -1})
	if spent := 1_000 - search.remaining; spent != p.workToClassify() {
		t.Errorf("cutting nothing off took %d", spent)
	}
	search.remaining = 1_000
	search.clip(p, exact.HalfSpace{A: exact.Point{1, 0, 0}, K: 5})
	if spent := 1_000 - search.remaining; spent <= p.workToCut() {
		t.Errorf("a cut took %d", spent)
	}
}

func TestSteps(t *testing.T) {
	for step, want := range map[int64][]int64{
		1:       {100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1},
		10:      {100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10},
		2_000:   {100_000, 50_000, 10_000, 2_000},
		125:     {100_000, 50_000, 10_000, 5_000, 1_000, 500, 125},
		100_000: {100_000},
	} {
		if got := (Search{Step: step}).steps(); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", step, got, want)
		}
	}
}

// TestAllAndSized checks the ends of All and Sized along each axis.
func TestAllAndSized(t *testing.T) {
	for axis := range exact.Axes {
		for p, smallest := range map[*Polytope]int64{&All: -exact.MaxGrid, &Sized: 1} {
			if low, high := p.latticeRange(axis, 1); low != smallest || high != exact.MaxGrid {
				t.Errorf("axis %d: %d to %d, want %d to %d", axis, low, high, smallest, exact.MaxGrid)
			}
		}
	}
}

// TestMeetsAtACorner checks that touching a polytope at one corner is enough to meet it.
func TestMeetsAtACorner(t *testing.T) {
	p := Cuboid(exact.Point{}, exact.Point{10, 10, 10})
	for k, want := range map[int64]bool{28: true, 29: true, 30: false} {
		if got := p.Meets(exact.HalfSpace{A: exact.Point{1, 1, 1}, K: k}); got != want {
			t.Errorf("w + d + h > %d: %v, want %v", k, got, want)
		}
	}
	if at := (exact.Point{1, 2, 3}); latticePointBefore(at, at) || !latticePointBefore(at, exact.Point{1, 2, 4}) || latticePointBefore(at, exact.Point{1, 1, 4}) {
		t.Error("latticePointBefore is wrong")
	}
}

// TestShortestAxisFirst looks for a point with 2·d + 4·h = 501, which has none, in three slices along the width. Along the depth it
// would take more slices than are allowed.
func TestShortestAxisFirst(t *testing.T) {
	p := Cuboid(exact.Point{100_000, 0, 0}, exact.Point{100_002, 500, 500})
	p = p.cut(face{[exact.Axes]int64{0, 2, 4}, 501}).cut(face{[exact.Axes]int64{0, -2, -4}, -501})
	if _, answer := p.findLatticePoint(nil, 1, 10); answer != Nothing {
		t.Errorf("the answer is %v", answer)
	}
	if _, answer := p.findFirstLatticePoint(nil, 1, 10, [exact.Axes]int{exact.Depth, exact.Height, exact.Width}); answer != Undecided {
		t.Errorf("by depth, the answer is %v", answer)
	}
}

// TestExtremeAlongAStep looks for the farthest multiple of 10 in both directions.
func TestExtremeAlongAStep(t *testing.T) {
	domain := Cuboid(exact.Point{13, 0, 0}, exact.Point{987, 40, 40})
	search := Search{Step: 10}
	for _, test := range []struct {
		direction  int64
		conditions []exact.Region
		want       int64
		answer     Answer
	}{
		{1, nil, 980, Something},
		{-1, nil, 20, Something},
		{1, []exact.Region{exact.HalfSpace{A: exact.Point{-1, -1, 0}, K: -500}.Region()}, 490, Something},
		{-1, []exact.Region{exact.HalfSpace{A: exact.Point{1, 1, 0}, K: 500}.Region()}, 470, Something},
		{1, []exact.Region{exact.HalfSpace{A: exact.Point{-1, 0, 0}, K: -20}.Region()}, 0, Nothing},
		{-1, []exact.Region{exact.HalfSpace{A: exact.Point{1, 0, 0}, K: 980}.Region()}, 0, Nothing},
		{1, []exact.Region{exact.HalfSpace{A: exact.Point{-1, 0, 0}, K: -21}.Region()}, 20, Something},
		{-1, []exact.Region{exact.HalfSpace{A: exact.Point{1, 0, 0}, K: 979}.Region()}, 980, Something},
	} {
		point, answer := search.Extreme(domain, exact.Width, test.direction, test.conditions...)
		if answer != test.answer || point[exact.Width] != test.want {
			t.Errorf("direction %d, %v: %v, %v; want %d, %v", test.direction, test.conditions, point, answer, test.want, test.answer)
		}
	}
}
