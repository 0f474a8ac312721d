package gen

import (
	"math/big"
)

// formBounds holds bounds on the linear forms of a number: the number of forms, a common denominator of their
// coefficients, and the greatest magnitude of any coefficient and of any constant. For example, the number min(width,
// 2*depth + 3) has two linear forms, width and 2*depth + 3.
type formBounds struct {
	pieces, denominator int64
	coefficient, offset float64
}

// fits reports whether the engine is guaranteed to accept these forms, even as one side of a comparison.
func (b formBounds) fits() bool {
	return b.pieces <= 64 && b.denominator < 1e6 && float64(b.denominator)*(3e9*b.coefficient+1e3*b.offset) < 1<<51
}

func (b formBounds) plus(s formBounds) formBounds {
	return formBounds{b.pieces * s.pieces, leastCommonMultiple(b.denominator, s.denominator), b.coefficient + s.coefficient, b.offset + s.offset}
}

// minMax returns bounds for a number that is equal to one of two other numbers, whose bounds are b and s. Which of the
// two it is depends on the box, as for min(a, b). pieces is the number of linear forms of the result.
func (b formBounds) minMax(s formBounds, pieces int64) formBounds {
	return formBounds{pieces, leastCommonMultiple(b.denominator, s.denominator), max(b.coefficient, s.coefficient), max(b.offset, s.offset)}
}

func (b formBounds) times(constants []*big.Rat) formBounds {
	largest, denominator := 0.0, int64(1)
	for _, k := range constants {
		largest = max(largest, numberMagnitude(k))
		// Stop before the product of the denominators overflows.
		if !k.Denom().IsInt64() || k.Denom().Int64() > 1e6 || denominator > 1e6 {
			return formBounds{b.pieces, 1e6, b.coefficient, b.offset} // fits returns false for these bounds
		}
		denominator = leastCommonMultiple(denominator, k.Denom().Int64())
	}
	if denominator > 1e6 {
		return formBounds{b.pieces, 1e6, b.coefficient, b.offset}
	}
	return formBounds{b.pieces, b.denominator * denominator, b.coefficient * largest, b.offset * largest}
}

func numberMagnitude(k *big.Rat) float64 {
	m, _ := new(big.Rat).Abs(k).Float64()
	return m
}
