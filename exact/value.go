package exact

import (
	"errors"
	"math/big"
)

// ErrMagnitude says that a half-space's numbers are too large: over the whole domain of dimensions a sum
// could pass 2^53, where a float64, and so JavaScript, stops being exact.
var ErrMagnitude = errors.New("the numbers are too large or too finely divided: sums would pass 2^53")

// ErrComplex says that the minimums and maximums of a value multiply to too many pieces.
var ErrComplex = errors.New("too many combinations of min and max")

// A linear is an exact linear form a·width + b·depth + c·height + k over dimensions in units. Its
// coefficients are never changed after it is made; nil stands for zero.
type linear struct {
	coefficients [Axes]*big.Rat
	constant     *big.Rat
}

// A Value is a piecewise linear function of the dimensions, all in units: a linear form, or the minimum or maximum of
// Values. The zero Value is 0. It has no form as JSON.
type Value struct {
	form  *linear
	max   bool // where parts are given: their maximum, else their minimum
	parts []Value
}

// maxPieces bounds the linear forms of one Value, and with them the half-spaces of one comparison.
const maxPieces = 256

// Constant is the Value that is k everywhere. It keeps k, which must not be changed.
func Constant(k *big.Rat) Value { return Value{form: &linear{constant: k}} }

// Dimension is the Value that is the dimension along the axis.
func Dimension(axis int) Value {
	f := &linear{}
	f.coefficients[axis] = big.NewRat(1, 1)
	return Value{form: f}
}

// Constant is the value of v where no dimension changes it. It must not be changed.
func (v Value) Constant() (k *big.Rat, ok bool) {
	v = v.orZero()
	if v.form == nil {
		return v.constantPart()
	}
	for _, c := range v.form.coefficients {
		if sign(c) != 0 {
			return nil, false
		}
	}
	return orZero(v.form.constant), true
}

func (v Value) constantPart() (best *big.Rat, ok bool) {
	for _, part := range v.parts {
		k, ok := part.Constant()
		if !ok {
			return nil, false
		}
		if best == nil || v.max == (k.Cmp(best) > 0) {
			best = k
		}
	}
	return best, true
}

// Linear are the coefficients and the constant of v, not to be changed, where it is a single linear form; ok is
// false where it is a minimum or maximum.
func (v Value) Linear() (coefficients [Axes]*big.Rat, constant *big.Rat, ok bool) {
	v = v.orZero()
	if v.form == nil {
		return coefficients, nil, false
	}
	for axis, c := range v.form.coefficients {
		coefficients[axis] = orZero(c)
	}
	return coefficients, orZero(v.form.constant), true
}

// orZero makes the zero Value a linear form.
func (v Value) orZero() Value {
	if v.form == nil && v.parts == nil {
		v.form = &linear{}
	}
	return v
}

// Parts are the values that v is the maximum of, or the minimum; none where it is a single linear form.
func (v Value) Parts() (max bool, parts []Value) { return v.max, v.parts }

// Extreme is the maximum of the values, or their minimum. Constants are folded.
func Extreme(max bool, values ...Value) Value {
	v := Value{max: max, parts: values}
	if k, ok := v.constantPart(); ok {
		return Constant(k)
	}
	return v
}

// Times is v times k. It fails with ErrMagnitude.
func (v Value) Times(k *big.Rat) (Value, error) {
	v = v.orZero()
	if v.form != nil {
		f := &linear{constant: product(v.form.constant, k)}
		for axis, c := range v.form.coefficients {
			f.coefficients[axis] = product(c, k)
		}
		return f.value()
	}
	scaled := Value{max: v.max == (k.Sign() >= 0), parts: make([]Value, len(v.parts))}
	for i, part := range v.parts {
		p, err := part.Times(k)
		if err != nil {
			return Value{}, err
		}
		scaled.parts[i] = p
	}
	return scaled, nil
}

// Add is v plus w. It fails with ErrMagnitude, and with ErrComplex where both are made of many pieces.
func (v Value) Add(w Value) (Value, error) {
	v, w = v.orZero(), w.orZero()
	if v.Pieces()*w.Pieces() > maxPieces {
		return Value{}, ErrComplex
	}
	if v.form != nil && w.form != nil {
		f := &linear{constant: sum(v.form.constant, w.form.constant)}
		for axis := range f.coefficients {
			f.coefficients[axis] = sum(v.form.coefficients[axis], w.form.coefficients[axis])
		}
		return f.value()
	}
	if v.form != nil {
		v, w = w, v
	}
	// max(a, b) + w = max(a + w, b + w), and so for min.
	total := Value{max: v.max, parts: make([]Value, len(v.parts))}
	for i, part := range v.parts {
		p, err := part.Add(w)
		if err != nil {
			return Value{}, err
		}
		total.parts[i] = p
	}
	return total, nil
}

// maxBits bounds the numbers of a linear form on the way to its half-spaces, where 2^53 is the bound, so that no
// formula can make arithmetic slow.
const maxBits = 512

func (f *linear) value() (Value, error) {
	for _, r := range append(f.coefficients[:], f.constant) {
		if r != nil && r.Num().BitLen()+r.Denom().BitLen() > maxBits {
			return Value{}, ErrMagnitude
		}
	}
	return Value{form: f}, nil
}

// Pieces counts the linear forms that v is the minimum and maximum of, up to just past what Add accepts.
func (v Value) Pieces() int {
	v = v.orZero()
	if v.form != nil {
		return 1
	}
	n := 0
	for _, part := range v.parts {
		n = min(n+part.Pieces(), maxPieces+1)
	}
	return n
}

// At is v at a point of the grid, in units.
func (v Value) At(p Point) *big.Rat {
	v = v.orZero()
	if v.form != nil {
		total := new(big.Rat).Set(orZero(v.form.constant))
		for axis, c := range v.form.coefficients {
			if c != nil {
				total.Add(total, new(big.Rat).Mul(c, big.NewRat(p[axis], Scale)))
			}
		}
		return total
	}
	var best *big.Rat
	for _, part := range v.parts {
		if k := part.At(p); best == nil || v.max == (k.Cmp(best) > 0) {
			best = k
		}
	}
	return best
}

func orZero(r *big.Rat) *big.Rat {
	if r == nil {
		return new(big.Rat)
	}
	return r
}

func sign(r *big.Rat) int {
	if r == nil {
		return 0
	}
	return r.Sign()
}

func product(a, b *big.Rat) *big.Rat {
	if a == nil {
		return nil
	}
	return new(big.Rat).Mul(a, b)
}

func sum(a, b *big.Rat) *big.Rat {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return new(big.Rat).Add(a, b)
}
