package exact

import (
	"errors"
	"math"
	"math/big"
)

// ErrMagnitude is the error for a half-space with numbers that are too large: for some box within MaxDimension, a sum
// could exceed 2^53. Larger integers are not always exact in float64, the number type of JavaScript.
var ErrMagnitude = errors.New("the numbers are too large or have too many digits: sums would exceed 2^53")

// ErrComplex is the error for a value with too many pieces. max(a, b) + max(c, d) has four pieces, one for each
// combination, and adding max(e, f) makes eight.
var ErrComplex = errors.New("too many combinations of min and max")

// A Value is a piecewise linear function of the dimensions, such as max(width, 2 * depth) + 3: a linear
// form, or the minimum or maximum of Values. Both the dimensions and the Value are in units. The zero
// Value is 0. It cannot be marshalled as JSON.
type Value struct {
	linear    *linear
	isMaximum bool // whether the Value is the maximum of the parts; otherwise it is their minimum
	parts     []Value
}

// maxPieces bounds the number of linear forms in one Value. This also bounds the number of half-spaces in one
// comparison.
const maxPieces = 256

// Constant returns a Value that is k for every box. A nil k means 0. The caller must not change k afterwards.
func Constant(k *big.Rat) Value { return Value{linear: &linear{constant: k}} }

// Dimension returns the Value that is equal to the dimension along the axis.
func Dimension(axis int) Value {
	f := &linear{}
	f.coefficients[axis] = big.NewRat(1, 1)
	return Value{linear: f}
}

// Constant returns the value of v if it is the same number for every box. The caller must not change the number.
// If v depends on a dimension, ok is false.
func (v Value) Constant() (k *big.Rat, ok bool) {
	v = v.orZero()
	if v.linear == nil {
		return v.constantExtreme()
	}
	for _, c := range v.linear.coefficients {
		if signRat(c) != 0 {
			return nil, false
		}
	}
	return orZero(v.linear.constant), true
}

func (v Value) constantExtreme() (best *big.Rat, ok bool) {
	for _, part := range v.parts {
		k, ok := part.Constant()
		if !ok {
			return nil, false
		}
		if best == nil || v.isMaximum == (k.Cmp(best) > 0) { // a maximum takes a greater k, a minimum one that is not greater
			best = k
		}
	}
	return best, true
}

// Linear returns the coefficients and the constant of v. The caller must not change these numbers. If v is a
// minimum or maximum, ok is false.
func (v Value) Linear() (coefficients [Axes]*big.Rat, constant *big.Rat, ok bool) {
	v = v.orZero()
	if v.linear == nil {
		return coefficients, nil, false
	}
	for axis, c := range v.linear.coefficients {
		coefficients[axis] = orZero(c)
	}
	return coefficients, orZero(v.linear.constant), true
}

// orZero turns the zero Value into a linear form. It returns any other Value unchanged.
func (v Value) orZero() Value {
	if v.linear == nil && v.parts == nil {
		v.linear = &linear{}
	}
	return v
}

// Parts takes v apart: v is the maximum of the parts, or their minimum if max is false. If v is a linear
// form, there are no parts.
func (v Value) Parts() (max bool, parts []Value) { return v.isMaximum, v.parts }

// Extreme returns the maximum of the values, or their minimum if max is false. If all values are
// constants, it returns a constant.
func Extreme(max bool, values ...Value) Value {
	v := Value{isMaximum: max, parts: values}
	if k, ok := v.constantExtreme(); ok {
		return Constant(k)
	}
	return v
}

// Times returns v times k. It returns ErrMagnitude if a number in the product has too many digits. The caller must
// not change k afterwards.
func (v Value) Times(k *big.Rat) (Value, error) {
	v = v.orZero()
	if v.linear != nil {
		f := &linear{constant: mulRat(v.linear.constant, k)}
		for axis, c := range v.linear.coefficients {
			f.coefficients[axis] = mulRat(c, k)
		}
		return f.checked()
	}
	// A maximum that is multiplied by a negative number becomes a minimum: -max(a, b) is min(-a, -b).
	scaled := Value{isMaximum: v.isMaximum == (k.Sign() >= 0), parts: make([]Value, len(v.parts))}
	for i, part := range v.parts {
		p, err := part.Times(k)
		if err != nil {
			return Value{}, err
		}
		scaled.parts[i] = p
	}
	return scaled, nil
}

// Add returns v plus w. It returns ErrMagnitude if a number in the sum has too many digits, and ErrComplex if
// the sum has too many pieces.
func (v Value) Add(w Value) (Value, error) {
	v, w = v.orZero(), w.orZero()
	// The sum has a piece for each piece of v and each piece of w.
	if v.Pieces()*w.Pieces() > maxPieces {
		return Value{}, ErrComplex
	}
	if v.linear != nil && w.linear != nil {
		f := &linear{constant: addRat(v.linear.constant, w.linear.constant)}
		for axis := range f.coefficients {
			f.coefficients[axis] = addRat(v.linear.coefficients[axis], w.linear.coefficients[axis])
		}
		return f.checked()
	}
	// At least one of the two is a minimum or maximum. Let it be v.
	if v.linear != nil {
		v, w = w, v
	}
	// max(a, b) + w is max(a + w, b + w), and the same holds for min. If w is a minimum or maximum as well,
	// the recursive calls take it apart.
	total := Value{isMaximum: v.isMaximum, parts: make([]Value, len(v.parts))}
	for i, part := range v.parts {
		p, err := part.Add(w)
		if err != nil {
			return Value{}, err
		}
		total.parts[i] = p
	}
	return total, nil
}

// Pieces returns the number of linear forms that v consists of, such as 2 for max(width, depth). It stops counting at
// one more than the maximum number that Add accepts.
func (v Value) Pieces() int {
	v = v.orZero()
	if v.linear != nil {
		return 1
	}
	n := 0
	for _, part := range v.parts {
		n = min(n+part.Pieces(), maxPieces+1) // so that the product of two counts cannot overflow
	}
	return n
}

// At returns the value of v, in units, for a box on the grid.
func (v Value) At(p Point) *big.Rat {
	v = v.orZero()
	if v.linear != nil {
		total := new(big.Rat).Set(orZero(v.linear.constant))
		for axis, c := range v.linear.coefficients {
			if c != nil {
				total.Add(total, new(big.Rat).Mul(c, big.NewRat(p[axis], Scale)))
			}
		}
		return total
	}
	// Take the greatest or the least value of any part.
	var best *big.Rat
	for _, part := range v.parts {
		if k := part.At(p); best == nil || v.isMaximum == (k.Cmp(best) > 0) {
			best = k
		}
	}
	return best
}

// Bound returns an upper bound on the magnitude of v, in units, for all boxes within MaxDimension. It is
// computed in float64, so rounding errors may make it slightly too small.
func (v Value) Bound() float64 {
	bound := 0.0
	if v.linear == nil {
		// A minimum or maximum is one of its parts.
		for _, part := range v.parts {
			bound = max(bound, part.Bound())
		}
		return bound
	}
	// By the triangle inequality, |a·w + b·d + c·h + k| is at most (|a| + |b| + |c|)·MaxDimension + |k|.
	for _, c := range v.linear.coefficients {
		if c != nil {
			bound += math.Abs(nearestFloat64(c)) * MaxDimension
		}
	}
	return bound + math.Abs(nearestFloat64(orZero(v.linear.constant)))
}
