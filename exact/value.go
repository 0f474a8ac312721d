package exact

import (
	"errors"
	"math"
	"math/big"
)

// ErrMagnitude says that the numbers of a half-space are too large: for some box within
// MaxDimension a sum could pass 2^53, where a float64, and so JavaScript, stops being exact.
var ErrMagnitude = errors.New("the numbers are too large or too finely divided: sums would pass 2^53")

// ErrComplex says that a value has too many pieces: max(a, b) + max(c, d) has the four sums, and
// with more of them they multiply.
var ErrComplex = errors.New("too many combinations of min and max")

// A linear keeps a·width + b·depth + c·height + k over dimensions in units, with exact numbers.
// It is never changed after it is made; nil stands for zero.
type linear struct {
	coefficients [Axes]*big.Rat
	constant     *big.Rat
}

// A Value depends on the dimensions piece by piece linearly, as max(width, 2 * depth) + 3 does:
// it is a linear form, or the minimum or maximum of Values. All is in units. The zero Value is 0.
// It cannot be marshalled as JSON.
type Value struct {
	form  *linear
	max   bool // where parts are given: their maximum, else their minimum
	parts []Value
}

// maxPieces bounds the linear forms of one Value, and with them the half-spaces of one
// comparison.
const maxPieces = 256

// Constant returns the Value that is k for every box, 0 if k is nil. It keeps k, which must not be
// changed.
func Constant(k *big.Rat) Value { return Value{form: &linear{constant: k}} }

// Dimension returns the Value that is the dimension along the axis.
func Dimension(axis int) Value {
	f := &linear{}
	f.coefficients[axis] = big.NewRat(1, 1)
	return Value{form: f}
}

// Constant returns what v is for every box, which must not be changed; ok is false where v
// depends on a dimension.
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

// Linear returns the coefficients and the constant of v, not to be changed. ok is false where v
// is a minimum or maximum.
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

// orZero turns the zero Value into a linear form, and returns all others as they are.
func (v Value) orZero() Value {
	if v.form == nil && v.parts == nil {
		v.form = &linear{}
	}
	return v
}

// Parts returns what v is the maximum of, or where max is false the minimum; nothing where v is a
// linear form.
func (v Value) Parts() (max bool, parts []Value) { return v.max, v.parts }

// Extreme returns the maximum of the values, or their minimum. Of constants it returns a
// constant.
func Extreme(max bool, values ...Value) Value {
	v := Value{max: max, parts: values}
	if k, ok := v.constantPart(); ok {
		return Constant(k)
	}
	return v
}

// Times returns v times k. It fails with ErrMagnitude.
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

// Add returns v plus w. It fails with ErrMagnitude, and with ErrComplex where both have many
// pieces.
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

// maxBits bounds the numbers of a linear form, so that no formula can make arithmetic slow. It is
// far above 2^53, as numbers may cancel on the way to a half-space.
const maxBits = 512

func (f *linear) value() (Value, error) {
	for _, r := range append(f.coefficients[:], f.constant) {
		if r != nil && r.Num().BitLen()+r.Denom().BitLen() > maxBits {
			return Value{}, ErrMagnitude
		}
	}
	return Value{form: f}, nil
}

// Pieces returns how many linear forms v chooses from: 2 for max(width, depth). It stops counting
// just past what Add accepts.
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

// At returns v for a box on the grid, in units.
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

// Bound returns a magnitude, in units, that v does not pass for any box within MaxDimension. It is rounded
// to a float64, which may be a little less.
func (v Value) Bound() float64 {
	bound := 0.0
	if v.form == nil {
		for _, part := range v.parts {
			bound = max(bound, part.Bound())
		}
		return bound
	}
	for _, c := range v.form.coefficients {
		if c != nil {
			bound += math.Abs(nearest(c)) * MaxDimension
		}
	}
	return bound + math.Abs(nearest(orZero(v.form.constant)))
}

// nearest returns the float64 nearest to r, for small whole numbers without the allocations of r.Float64.
func nearest(r *big.Rat) float64 {
	if r.IsInt() && r.Num().IsInt64() {
		return float64(r.Num().Int64())
	}
	x, _ := r.Float64()
	return x
}

var zero = new(big.Rat)

// orZero returns r, or for nil a zero that must not be changed.
func orZero(r *big.Rat) *big.Rat {
	if r == nil {
		return zero
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
