package exact

import (
	"math/big"
)

// A linear is a linear form a·width + b·depth + c·height + k with exact numbers. The dimensions are in units.
// It is immutable. A nil number is zero.
type linear struct {
	coefficients [Axes]*big.Rat
	constant     *big.Rat
}

// maxBits bounds the size of each number in a linear form: the bits of the numerator and the denominator
// together. It keeps formulas from making arithmetic slow. It is far greater than the 53 bits of a
// half-space, because large numbers may cancel out before a half-space is made.
const maxBits = 512

// checked returns l as a Value, or ErrMagnitude if one of its numbers has more than maxBits bits.
func (l *linear) checked() (Value, error) {
	for _, r := range append(l.coefficients[:], l.constant) {
		if r != nil && r.Num().BitLen()+r.Denom().BitLen() > maxBits {
			return Value{}, ErrMagnitude
		}
	}
	return Value{linear: l}, nil
}

// aboveZeroCondition returns the Condition l > 0, or l >= 0 if inclusive is set, as a half-space of grid points.
//
// Take 1/2·w - 1/3·d + 5 > 0, in units. To make the coefficients whole numbers, multiply by the least
// common denominator, 6, and divide by the greatest common divisor, 1. The result is 3·w - 2·d + 30 > 0.
// In thousandths that is 3·w - 2·d > -30000.
//
// If the bound on the right is not a whole number, it can be rounded down, because the left side is always a
// whole number: A·p > 2.5 and A·p >= 2.5 are both the same as A·p > 2. If the bound is whole, >= is replaced
// by >: A·p >= 2 is the same as A·p > 1.
func (l *linear) aboveZeroCondition(inclusive bool, r Rounding) (Condition, error) {
	// Find scale: the least common multiple of the denominators of the coefficients, divided by the greatest
	// common divisor of their numerators. For 1/2 and -1/3 these are 6 and 1.
	divisor, multiple := new(big.Int), big.NewInt(1)
	for _, c := range l.coefficients {
		if signRat(c) != 0 {
			divisor.GCD(nil, nil, divisor, new(big.Int).Abs(c.Num()))
		}
		if c != nil && !c.IsInt() {
			multiple = lcm(multiple, c.Denom())
		}
	}
	if divisor.Sign() == 0 {
		// All coefficients are 0, so l is the same for every box.
		s := signRat(l.constant)
		c := constantCondition(s > 0 || s == 0 && inclusive)
		c.Edge = r.edgeOfConstant(orZero(l.constant))
		return c, nil
	}
	// scale·l > 0 has whole coefficients A. In thousandths, with p = Scale·x, it is A·p >
	// -Scale·scale·constant. This bound is not always a whole number, but K has to be one.
	scale := new(big.Rat).SetFrac(multiple, divisor)
	bound := new(big.Rat).Mul(scale, big.NewRat(-Scale, 1))
	bound.Mul(bound, orZero(l.constant))
	k := floorRat(bound)
	if inclusive && bound.IsInt() { // A·p >= k is A·p > k-1
		k.Sub(k, big.NewInt(1))
	}
	// If k or a coefficient does not fit an int64, h is wrong here. But then largest, which bounds |A·p|
	// + |K| for every box within MaxGrid and is computed without overflow, is too large as well.
	h := HalfSpace{K: k.Int64()}
	largest := new(big.Int).Abs(k)
	for axis, c := range l.coefficients {
		if c != nil {
			// scale·c is a whole number, so the division leaves no remainder.
			a := new(big.Int).Mul(c.Num(), scale.Num())
			a.Quo(a, new(big.Int).Mul(c.Denom(), scale.Denom()))
			h.A[axis] = a.Int64()
			largest.Add(largest, a.Mul(a.Abs(a), big.NewInt(MaxGrid)))
		}
	}
	// Leave room for the K of the complement, whose magnitude may be greater by one.
	if largest.Cmp(big.NewInt(maxExactInteger-1)) > 0 {
		return Condition{}, ErrMagnitude
	}
	return Condition{Kind: Half, Half: h, Edge: r.edge(h.K, bound, scale)}, nil
}

// ratio does what Value.Ratio does for a linear form. It adds the three products and the constant one
// by one, and keeps the sum so far as a fraction.
func (l *linear) ratio(p Point) (r Ratio, ok bool) {
	r.Den = 1
	for axis := range Axes + 1 { // the last iteration adds the constant
		// The term of this iteration is k·multiple/divisor. For an axis that is the coefficient times the
		// dimension in units.
		k, multiple, divisor, maxBits := l.constant, int64(1), int64(1), constantBits
		if axis < Axes {
			k, multiple, divisor, maxBits = l.coefficients[axis], p[axis], Scale, coefficientBits
		}
		if signRat(k) == 0 {
			continue
		}
		if k.Num().BitLen() > maxBits || abs(multiple) > MaxGrid {
			return Ratio{}, false
		}
		if !k.IsInt() { // skip whole numbers, for which Denom allocates
			if k.Denom().BitLen() > denominatorBits {
				return Ratio{}, false
			}
			divisor *= k.Denom().Int64()
		}
		// Bring the sum so far and the term to their least common denominator, and add them. From here on
		// divisor includes the denominator of k, so the numerator of the term is multiple·k.Num.
		newDen := r.Den / GCD(r.Den, divisor) * divisor
		if newDen >= 1<<denominatorBits {
			return Ratio{}, false
		}
		r.Num = r.Num*(newDen/r.Den) + multiple*k.Num().Int64()*(newDen/divisor)
		r.Den = newDen
	}
	common := GCD(abs(r.Num), r.Den) // to reduce the result to lowest terms
	return Ratio{r.Num / common, r.Den / common}, true
}
