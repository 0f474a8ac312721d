package expression

import (
	"math"
	"math/big"

	"example.com/boxrules/exact"
)

// A roundedValue is the exact value of a node, with a bound on the error that a computation in float64 may
// make.
//
// Take depth > (1 / 3) * width, for a box of 60.3 x 20.1. In float64, 1 / 3 is rounded to the nearest
// float64, and the product with 60.3 is rounded again. The right side comes out a little less than
// 20.1, so the comparison holds although the two sides are equal. The error is less than 0.000000001
// for every box. Two sides that are not equal differ by at least a third of a thousandth here, because
// dimensions are whole thousandths. So only ties can be decided the wrong way, unless an expression
// subtracts large numbers that are almost equal.
//
// The functions below follow the textbook way of bounding rounding errors: each operation passes on
// the errors of its operands, and adds one rounding of its own result, of at most epsilon times its
// magnitude.
type roundedValue struct {
	exact.Value
	// magnitude bounds the value, in units, for every box within exact.MaxDimension.
	magnitude float64
	// rounding bounds the error, in units, for every such box. It is 0 if the computed number is always
	// the float64 nearest to the value, as it is for a literal, a dimension, and twice or half of one.
	// It is infinite or NaN if there is no bound, as after a division by a number that may be computed
	// as 0.
	rounding float64
}

// epsilon bounds the rounding of one operation, relative to its result. A float64 has 53 significant bits, so rounding
// to nearest is off by at most 2^-53. Twice that leaves room for effects that the functions below ignore: the operation
// is applied to rounded operands, and the magnitudes and the sums of errors are rounded float64s themselves. Each of
// these effects increases an error by at most about 2^-52 of its size, and an expression of 4,096 characters has far
// too few operations to use up the room.
const epsilon = 0x1p-52

// minRounding is the smallest rounding error that is assumed for a product. The relative bound epsilon does
// not hold for results below 2^-1022, because these have fewer bits. Only a product whose factors were
// themselves rounded can be that small, and minRounding is far more than its error.
const minRounding = 0x1p-900

// maxError returns a bound on how far the computed number may be from the exact value. If the number is the
// float64 nearest to the exact value, the two may still differ by half a unit in the last place.
func (r roundedValue) maxError() float64 {
	if r.rounding == 0 {
		return epsilon * r.magnitude
	}
	return r.rounding
}

// comparisonRounding returns the Rounding of a comparison of a and b. The errors of the two sides add up.
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

// roundedExtreme returns the minimum or the maximum of the operands. Its error is no larger than the largest
// error of any operand. If all operands are computed as nearest float64s, so is the result, because rounding
// to nearest keeps the order of numbers.
func roundedExtreme(operands []roundedValue, extreme exact.Value) roundedValue {
	result, nearest := roundedValue{Value: extreme}, true
	for _, operand := range operands {
		result.magnitude = max(result.magnitude, operand.magnitude)
		// Do not use operand.rounding here. It is 0 for a nearest float64, but even a nearest float64 may be
		// off by one rounding.
		result.rounding = max(result.rounding, operand.maxError())
		nearest = nearest && operand.rounding == 0
	}
	if nearest {
		result.rounding = 0
	}
	return result
}

// roundedSum returns the sum or the difference of a and b. sum is its exact value.
func roundedSum(a, b roundedValue, sum exact.Value) roundedValue {
	magnitude := a.magnitude + b.magnitude
	return roundedValue{sum, magnitude, a.maxError() + b.maxError() + epsilon*magnitude}
}

// roundedProduct returns v times the constant k. product is its exact value.
func roundedProduct(v, k roundedValue, product exact.Value) roundedValue {
	factor, isPowerOfTwo := k.constantMagnitude()
	if isPowerOfTwo && v.rounding == 0 {
		return roundedValue{product, v.magnitude * factor, 0}
	}
	return roundedMultiple(v, factor, k.maxError(), product)
}

// roundedQuotient returns v divided by the constant k. If k may be off by e, its reciprocal is off by at
// most e / (|k| (|k|-e)). If e is more than half of |k|, there is no useful bound.
func roundedQuotient(v, k roundedValue, quotient exact.Value) roundedValue {
	divisor, isPowerOfTwo := k.constantMagnitude()
	divisorError := k.maxError()
	switch {
	case isPowerOfTwo && v.rounding == 0: // width / 4 only changes an exponent
		return roundedValue{quotient, v.magnitude / divisor, 0}
	case divisorError > divisor/2: // the computed divisor may be 0 or very near it
		return roundedValue{quotient, v.magnitude / divisor, math.Inf(1)}
	}
	return roundedMultiple(v, 1/divisor, divisorError/(divisor*(divisor-divisorError)), quotient)
}

// roundedMultiple returns v times a constant. factor is the magnitude of the constant, and factorError bounds
// the error with which the constant is computed.
func roundedMultiple(v roundedValue, factor, factorError float64, product exact.Value) roundedValue {
	// Since (v+e)·(factor+f) - v·factor = e·(factor+f) + v·f, the error has a part for each operand, and one
	// for the rounding of the product.
	magnitude := v.magnitude * factor
	rounding := v.maxError()*(factor+factorError) + v.magnitude*factorError + epsilon*magnitude
	return roundedValue{product, magnitude, max(rounding, minRounding)}
}

// roundedConversion returns the length v after a conversion by [exact.Ratio.Convert]. The result is the
// nearest float64 if v is a dimension, which is on the grid, or a constant with at most three decimals.
// Otherwise Convert rounds the product and the quotient. It may also replace the length by a whole number of
// thousandths before that, if the length is the float64 nearest to that number.
func roundedConversion(v roundedValue, ratio exact.Ratio, converted exact.Value, isDimension bool) roundedValue {
	factor := float64(ratio.Num) / float64(ratio.Den)
	magnitude := v.magnitude * factor
	if v.rounding == 0 {
		constant, ok := v.Constant()
		onGrid := ok && v.magnitude <= exact.MaxDimension && new(big.Rat).Mul(constant, big.NewRat(exact.Scale, 1)).IsInt()
		if isDimension || onGrid {
			return roundedValue{converted, magnitude, 0}
		}
	}
	return roundedValue{converted, magnitude, max(v.maxError()*factor+4*epsilon*magnitude, minRounding)}
}

// constantMagnitude returns the magnitude of a value that is the same for every box. isPowerOfTwo reports
// whether the magnitude is a power of two, such as 2 or 0.5, and is computed exactly. Multiplying by a power
// of two changes only the exponent of a float64, so nothing is rounded. No product here is so small that it
// would lose bits.
func (r roundedValue) constantMagnitude() (magnitude float64, isPowerOfTwo bool) {
	magnitude = r.Bound() // for a constant, Bound is the float64 nearest to its magnitude
	// Frexp splits off a power of two, and leaves a fraction from 0.5 up to 1.
	if fraction, _ := math.Frexp(magnitude); r.rounding != 0 || fraction != 0.5 {
		return magnitude, false
	}
	// The nearest float64 is a power of two, but the constant itself may differ slightly from it.
	constant, _ := r.Constant()
	return magnitude, new(big.Rat).Abs(constant).Cmp(new(big.Rat).SetFloat64(magnitude)) == 0
}
