package polytope

import (
	"math/big"
	"math/bits"

	"example.com/boxrules/exact"
)

// An integer is a whole number of any size. Usually the field large is nil and the number is in small. Then
// arithmetic is fast and allocates no memory. Otherwise the number is in large.
type integer struct {
	small int64
	large *big.Int
}

// smallBits is the maximum number of bits of a small integer, not counting the sign. An int64 has 63, so negating a
// small integer cannot overflow.
const smallBits = 62

func newInteger(x *big.Int) integer {
	if x.BitLen() <= smallBits {
		return integer{small: x.Int64()}
	}
	return integer{large: x}
}

func (i integer) bits() int {
	if i.large != nil {
		return i.large.BitLen()
	}
	return bits.Len64(uint64(abs(i.small)))
}

// big returns i as a big.Int. The caller must not change it.
func (i integer) big() *big.Int {
	if i.large != nil {
		return i.large
	}
	return big.NewInt(i.small)
}

func (i integer) sign() int { return i.big().Sign() }

func (i integer) float64() float64 {
	if i.large != nil {
		x, _ := i.large.Float64()
		return x
	}
	return float64(i.small)
}

// dividedBy returns i/m. i must be a multiple of m.
func (i integer) dividedBy(m integer) integer {
	if i.large != nil || m.large != nil {
		return newInteger(new(big.Int).Quo(i.big(), m.big()))
	}
	return integer{small: i.small / m.small}
}

// gcd returns the greatest common divisor of i and m. At least one of them must not be 0.
func (i integer) gcd(m integer) integer {
	if i.large != nil || m.large != nil {
		return newInteger(new(big.Int).GCD(nil, nil, i.big(), m.big()))
	}
	return integer{small: exact.GCD(abs(i.small), abs(m.small))}
}

// dot returns the sum of the products a[0]·b[0] + a[1]·b[1] + … of at most four pairs. It uses int64s if no product has
// more than smallBits-2 bits, because then the sum cannot overflow.
func dot(a, b []integer) integer {
	total := int64(0)
	for i := range a {
		// The product of numbers with m and n bits has at most m+n. Four products of smallBits-2 bits add
		// up to at most smallBits.
		if a[i].bits()+b[i].bits() > smallBits-2 {
			return dotLarge(a, b)
		}
		total += a[i].small * b[i].small
	}
	return integer{small: total}
}

func dotLarge(a, b []integer) integer {
	total := new(big.Int)
	for i := range a {
		total.Add(total, new(big.Int).Mul(a[i].big(), b[i].big()))
	}
	return newInteger(total)
}

func abs(x int64) int64 { return max(x, -x) }
