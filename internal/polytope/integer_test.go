package polytope

import (
	"math/big"
	"testing"

	"example.com/boxrules/exact"
)

// borderIntegers returns numbers of few bits, and numbers next to the powers of 2 at which the arithmetic changes
// from int64s to big.Ints, each with both signs.
func borderIntegers() []*big.Int {
	all := []*big.Int{big.NewInt(0)}
	add := func(x *big.Int) { all = append(all, x, new(big.Int).Neg(x)) }
	for _, x := range []int64{1, 2, 3, 6} {
		add(big.NewInt(x))
	}
	for _, bits := range []uint{30, 31, 58, 60, 61, 62, 63, 64, 124} {
		power := new(big.Int).Lsh(big.NewInt(1), bits)
		add(new(big.Int).Sub(power, big.NewInt(1)))
		add(power)
	}
	return all
}

// isStoredAs reports whether i has the value, and is small if and only if the value has at most smallBits bits.
func (i integer) isStoredAs(value *big.Int) bool {
	return i.big().Cmp(value) == 0 && (i.large == nil) == (value.BitLen() <= smallBits)
}

// TestInteger compares the arithmetic of integers with that of big.Ints.
func TestInteger(t *testing.T) {
	for _, x := range borderIntegers() {
		i := newInteger(x)
		if !i.isStoredAs(x) || i.bits() != x.BitLen() || i.sign() != x.Sign() {
			t.Errorf("%d is stored as %v, with %d bits and the sign %d", x, i, i.bits(), i.sign())
		}
		if want, _ := new(big.Float).SetInt(x).Float64(); i.float64() != want {
			t.Errorf("float64(%d) = %v, want %v", x, i.float64(), want)
		}
		for _, y := range borderIntegers() {
			m, product := newInteger(y), new(big.Int).Mul(x, y)
			for pairs := range int64(4) {
				a, b := []integer{i}, []integer{m}
				for range pairs {
					a, b = append(a, i), append(b, m)
				}
				if got, want := dot(a, b), new(big.Int).Mul(product, big.NewInt(pairs+1)); !got.isStoredAs(want) {
					t.Errorf("the sum of %d products %d * %d is %v, want %d", pairs+1, x, y, got, want)
				}
			}
			if y.Sign() == 0 {
				continue
			}
			if got := newInteger(product).dividedBy(m); !got.isStoredAs(x) {
				t.Errorf("%d / %d = %v, want %d", product, y, got, x)
			}
			want := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
			if got := i.gcd(m); !got.isStoredAs(want) {
				t.Errorf("the greatest common divisor of %d and %d is %v, want %d", x, y, got, want)
			}
		}
	}
}

// TestNoAllocation checks that small products and clear comparisons do not make big.Ints.
func TestNoAllocation(t *testing.T) {
	const most = 1<<30 - 1 // two factors with 30 bits have smallBits-2 in all
	a := []integer{{small: most}, {small: -most}, {small: most}, {small: most}}
	if n := testing.AllocsPerRun(10, func() { dot(a, a) }); n != 0 {
		t.Errorf("dot makes %v allocations, want none", n)
	}
	far := newVertex([...]integer{newInteger(new(big.Int).Lsh(big.NewInt(1), 90)), {small: 1}, {small: 1}, {small: 3}})
	for _, test := range []struct {
		f    face
		want int
	}{
		{face{[...]int64{1, 0, 0}, 5}, 1},
		{face{[...]int64{-1, 0, 0}, 5}, -1},
	} {
		side := 0
		n := testing.AllocsPerRun(10, func() { side = far.side(test.f) })
		if side != test.want || n != 0 {
			t.Errorf("the side of %v is %d, after %v allocations, want %d after none", test.f, side, n, test.want)
		}
	}
}

// TestFloorAndCeil rounds quotients of small and large numbers.
func TestFloorAndCeil(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 64)
	times := func(n int64) *big.Int { return new(big.Int).Mul(large, big.NewInt(n)) }
	plusOne := func(x *big.Int) *big.Int { return new(big.Int).Add(x, big.NewInt(1)) }
	for _, test := range []struct {
		x, divisor   *big.Int
		below, above int64
	}{
		{big.NewInt(7), big.NewInt(2), 3, 4},
		{big.NewInt(-7), big.NewInt(2), -4, -3},
		{big.NewInt(6), big.NewInt(2), 3, 3},
		{big.NewInt(7), large, 0, 1},
		{big.NewInt(-7), large, -1, 0},
		{big.NewInt(0), large, 0, 0},
		{times(7), plusOne(large), 6, 7},
		{times(-7), plusOne(large), -7, -6},
		{times(5), large, 5, 5},
		{times(-5), large, -5, -5},
		{large, big.NewInt(1 << 20), 1 << 44, 1 << 44},
		{plusOne(large), big.NewInt(1 << 20), 1 << 44, 1<<44 + 1},
	} {
		v := vertex{homogeneous: [...]integer{exact.Depth: newInteger(test.x), exact.Axes: newInteger(test.divisor)}}
		if below, above := v.floorAndCeil(exact.Depth); below != test.below || above != test.above {
			t.Errorf("%d/%d is rounded to %d and %d, want %d and %d", test.x, test.divisor, below, above, test.below, test.above)
		}
	}
}

// TestFaceSetHas asks for indexes within the length of a set and beyond it.
func TestFaceSetHas(t *testing.T) {
	for _, test := range []struct {
		set  faceSet
		in   []int
		none []int
	}{
		{nil, nil, []int{0, 63, 64}},
		{faceSet(nil).with(0), []int{0}, []int{1, 63, 64, 128}},
		{faceSet(nil).with(63), []int{63}, []int{0, 64, 127}},
		{faceSet(nil).with(64).with(3), []int{3, 64}, []int{0, 63, 67, 128}},
	} {
		for _, n := range test.in {
			if !test.set.has(n) {
				t.Errorf("%b does not have %d", test.set, n)
			}
		}
		for _, n := range test.none {
			if test.set.has(n) {
				t.Errorf("%b has %d", test.set, n)
			}
		}
	}
}
