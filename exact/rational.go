package exact

import (
	"math/big"
)

// nearestFloat64 returns the float64 nearest to r. For small whole numbers it avoids the allocations of
// r.Float64.
func nearestFloat64(r *big.Rat) float64 {
	if r.IsInt() && r.Num().IsInt64() { // this conversion also rounds to the nearest float64
		return float64(r.Num().Int64())
	}
	x, _ := r.Float64()
	return x
}

var zero = new(big.Rat)

// orZero returns r, or 0 if r is nil. The caller must not change the returned number.
func orZero(r *big.Rat) *big.Rat {
	if r == nil {
		return zero
	}
	return r
}

func signRat(r *big.Rat) int {
	if r == nil {
		return 0
	}
	return r.Sign()
}

// mulRat returns a·b. A nil a is zero. Most factors are 1 or -1. For these, mulRat does not call Rat.Mul, which would
// compute a greatest common divisor. The result may be a or b itself, so the caller must not change it.
func mulRat(a, b *big.Rat) *big.Rat {
	switch {
	case a == nil:
		return nil
	case isOneOrMinusOne(a):
		a, b = b, a
	case !isOneOrMinusOne(b):
		return new(big.Rat).Mul(a, b)
	}
	if b.Sign() > 0 {
		return a
	}
	return new(big.Rat).Neg(a)
}

// isOneOrMinusOne reports whether r is 1 or -1.
func isOneOrMinusOne(r *big.Rat) bool { return r.IsInt() && r.Num().BitLen() == 1 }

func addRat(a, b *big.Rat) *big.Rat {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(big.Rat).Add(a, b)
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(new(big.Int).Quo(a, g), b)
}

// floorRat returns r rounded down to an integer.
func floorRat(r *big.Rat) *big.Int {
	// Div rounds down if the divisor is positive, as the denominator of a Rat always is.
	return new(big.Int).Div(r.Num(), r.Denom())
}
