package polytope

import (
	"math/big"
	"math/bits"

	"example.com/boxrules/exact"
)

// An integer has any size. Most are small, which takes no memory and little time; large is nil
// for those.
type integer struct {
	small int64
	large *big.Int
}

// smallBits bounds the length of small integers, so that they can be negated.
const smallBits = 62

func newInteger(x *big.Int) integer {
	if x.BitLen() <= smallBits {
		return integer{small: x.Int64()}
	}
	return integer{large: x}
}

func (n integer) bits() int {
	if n.large != nil {
		return n.large.BitLen()
	}
	return bits.Len64(uint64(abs(n.small)))
}

// big returns n, which must not be changed.
func (n integer) big() *big.Int {
	if n.large != nil {
		return n.large
	}
	return big.NewInt(n.small)
}

func (n integer) sign() int { return n.big().Sign() }

func (n integer) float64() float64 {
	if n.large != nil {
		x, _ := n.large.Float64()
		return x
	}
	return float64(n.small)
}

// over returns n/m, where m divides n.
func (n integer) over(m integer) integer {
	if n.large != nil || m.large != nil {
		return newInteger(new(big.Int).Quo(n.big(), m.big()))
	}
	return integer{small: n.small / m.small}
}

// gcd returns the greatest common divisor of n and m, of which one is not 0.
func (n integer) gcd(m integer) integer {
	if n.large != nil || m.large != nil {
		return newInteger(new(big.Int).GCD(nil, nil, n.absolute(), m.absolute()))
	}
	return integer{small: exact.GCD(abs(n.small), abs(m.small))}
}

func (n integer) absolute() *big.Int { return new(big.Int).Abs(n.big()) }

// dot returns the sum of the products, a[0]·b[0] + a[1]·b[1] and so on, of up to four.
func dot(a, b []integer) integer {
	total := int64(0)
	for i := range a {
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
