package expression

import (
	"math"
	"math/big"

	"example.com/boxrules/exact"
)

// A roundedValue is the value of a node, and how far from it a computation of the node in float64 may be.
//
// Take depth > (1 / 3) * width for a box of 60.3 x 20.1. The quotient is rounded to the nearest
// float64, then the product is, and so the right side comes out a little less than 20.1: the
// comparison holds, although the two sides are equal. The right side is off by less than 0.000,000,001
// for any box, so only ties can be decided otherwise, unless large numbers cancel each other.
type roundedValue struct {
	exact.Value
	magnitude float64 // a magnitude, in units, that the value does not pass for any box within exact.MaxDimension
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
const epsilon = 0x1p-52

// A result that is less than 2^-1022 may be off by more than the unit. Only products of rounded numbers get
// there, and leastRounding is far more than they are off.
const minRounding = 0x1p-900

// maxError returns how far the computed number may be from its value, also that of the nearest
// float64.
func (n roundedValue) maxError() float64 {
	if n.rounding == 0 {
		return epsilon * n.magnitude
	}
	return n.rounding
}

// comparisonRounding returns what rounding does to a comparison of a and b.
func comparisonRounding(a, b roundedValue) exact.Rounding {
	return exact.Rounding{Distance: orInfinite(a.maxError() + b.maxError()), Nearest: a.rounding == 0 && b.rounding == 0}
}

// orInfinite returns x, or infinity for NaN.
func orInfinite(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// roundedExtreme returns the least or the greatest of the numbers. It is off by no more than the one that
// is off most. If all are nearest float64s so is it, as the nearest float64 grows with the value.
func roundedExtreme(numbers []roundedValue, extreme exact.Value) roundedValue {
	n, nearest := roundedValue{Value: extreme}, true
	for _, operand := range numbers {
		n.magnitude, n.rounding = max(n.magnitude, operand.magnitude), max(n.rounding, operand.maxError())
		nearest = nearest && operand.rounding == 0
	}
	if nearest {
		n.rounding = 0
	}
	return n
}

// roundedSum returns the sum, or the difference, of a and b.
func roundedSum(a, b roundedValue, sum exact.Value) roundedValue {
	bound := a.magnitude + b.magnitude
	return roundedValue{sum, bound, a.maxError() + b.maxError() + epsilon*bound}
}

// roundedProduct returns v times k, which no dimension changes.
func roundedProduct(v, k roundedValue, product exact.Value) roundedValue {
	factor, power := k.constantMagnitude()
	if power && v.rounding == 0 {
		return roundedValue{product, v.magnitude * factor, 0}
	}
	return roundedMultiple(v, factor, k.maxError(), product)
}

// roundedQuotient returns v divided by k, which no dimension changes.
func roundedQuotient(v, k roundedValue, quotient exact.Value) roundedValue {
	divisor, power := k.constantMagnitude()
	distance := k.maxError()
	switch {
	case power && v.rounding == 0:
		return roundedValue{quotient, v.magnitude / divisor, 0}
	case distance > divisor/2:
		return roundedValue{quotient, v.magnitude / divisor, math.Inf(1)}
	}
	return roundedMultiple(v, 1/divisor, distance/(divisor*(divisor-distance)), quotient)
}

// roundedMultiple returns v times a factor of that magnitude, which may be computed with that distance.
func roundedMultiple(v roundedValue, factor, distance float64, product exact.Value) roundedValue {
	bound := v.magnitude * factor
	rounding := v.maxError()*(factor+distance) + v.magnitude*distance + epsilon*bound
	return roundedValue{product, bound, max(rounding, minRounding)}
}

// constantMagnitude returns that of k, which no dimension changes. power reports whether k is a power of two and
// computed so, as 2 and 0.5 are: then a product with it changes the exponent of a float64 alone. No product
// here gets near 2^-1022 thereby.
func (n roundedValue) constantMagnitude() (magnitude float64, power bool) {
	magnitude = n.Bound()
	if fraction, _ := math.Frexp(magnitude); n.rounding != 0 || fraction != 0.5 {
		return magnitude, false
	}
	constant, _ := n.Constant()
	return magnitude, new(big.Rat).Abs(constant).Cmp(new(big.Rat).SetFloat64(magnitude)) == 0
}
