package expression

import (
	"math"
	"math/big"

	"example.com/boxrules/exact"
)

// A number is the value of a node, and how far from it a computation of the node in float64 may be.
//
// Take depth > (1 / 3) * width for a box of 60.3 x 20.1. The quotient is rounded to the nearest
// float64, then the product is, and so the right side comes out a little less than 20.1: the
// comparison holds, although the two sides are equal. The right side is off by less than 0.000,000,001
// for any box, so only ties can be decided otherwise, unless large numbers cancel each other.
type number struct {
	exact.Value
	bound float64 // a magnitude, in units, that the value does not pass for any box within exact.MaxDimension
	// rounding is that distance in units, for every such box. It is 0 if the computed number always is
	// the float64 nearest to the value: that is so for a number as it is written, for a dimension, and
	// for twice or half of one. It is infinite or NaN if nothing is known, as after a division by a
	// number that may be computed as 0.
	rounding float64
}

// An operation rounds its result by at most 2^-53 of it. We count twice as much, and that is the room for
// all that the bounds below leave out: the result is computed of rounded operands, a bound is a float64
// itself, and so is what is added up here. Each of these adds at most some 2^-52 of a distance, and an
// expression of 4,096 characters has far fewer operations than would use up the room.
const unit = 0x1p-52

// A result that is less than 2^-1022 may be off by more than the unit. Only products of rounded numbers get
// there, and leastRounding is far more than they are off.
const leastRounding = 0x1p-900

// distance returns how far the computed number may be from its value, also that of the nearest
// float64.
func (n number) distance() float64 {
	if n.rounding == 0 {
		return unit * n.bound
	}
	return n.rounding
}

// apart returns what rounding does to a comparison of a and b.
func apart(a, b number) exact.Rounding {
	return exact.Rounding{Distance: orInfinite(a.distance() + b.distance()), Nearest: a.rounding == 0 && b.rounding == 0}
}

// orInfinite returns x, or infinity for NaN.
func orInfinite(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// extremeRounded returns the least or the greatest of the numbers. It is off by no more than the one that
// is off most. If all are nearest float64s so is it, as the nearest float64 grows with the value.
func extremeRounded(numbers []number, extreme exact.Value) number {
	n, nearest := number{Value: extreme}, true
	for _, operand := range numbers {
		n.bound, n.rounding = max(n.bound, operand.bound), max(n.rounding, operand.distance())
		nearest = nearest && operand.rounding == 0
	}
	if nearest {
		n.rounding = 0
	}
	return n
}

// sumRounded returns the sum, or the difference, of a and b.
func sumRounded(a, b number, sum exact.Value) number {
	bound := a.bound + b.bound
	return number{sum, bound, a.distance() + b.distance() + unit*bound}
}

// productRounded returns v times k, which no dimension changes.
func productRounded(v, k number, product exact.Value) number {
	factor, power := k.magnitude()
	if power && v.rounding == 0 {
		return number{product, v.bound * factor, 0}
	}
	return scaledRounded(v, factor, k.distance(), product)
}

// quotientRounded returns v divided by k, which no dimension changes.
func quotientRounded(v, k number, quotient exact.Value) number {
	divisor, power := k.magnitude()
	distance := k.distance()
	switch {
	case power && v.rounding == 0:
		return number{quotient, v.bound / divisor, 0}
	case distance > divisor/2:
		return number{quotient, v.bound / divisor, math.Inf(1)}
	}
	return scaledRounded(v, 1/divisor, distance/(divisor*(divisor-distance)), quotient)
}

// scaledRounded returns v times a factor of that magnitude, which may be computed with that distance.
func scaledRounded(v number, factor, distance float64, product exact.Value) number {
	bound := v.bound * factor
	rounding := v.distance()*(factor+distance) + v.bound*distance + unit*bound
	return number{product, bound, max(rounding, leastRounding)}
}

// magnitude returns that of k, which no dimension changes. power reports whether k is a power of two and
// computed so, as 2 and 0.5 are: then a product with it changes the exponent of a float64 alone. No product
// here gets near 2^-1022 thereby.
func (k number) magnitude() (magnitude float64, power bool) {
	magnitude = k.Bound()
	if fraction, _ := math.Frexp(magnitude); k.rounding != 0 || fraction != 0.5 {
		return magnitude, false
	}
	constant, _ := k.Constant()
	return magnitude, new(big.Rat).Abs(constant).Cmp(new(big.Rat).SetFloat64(magnitude)) == 0
}
