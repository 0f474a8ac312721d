package exact

// A Ratio holds the number Num/Den in lowest terms, Den being positive, so that equal numbers are
// equal Ratios: two thirds is always {2, 3}.
type Ratio struct{ Num, Den int64 }

// greater reports whether r > s.
func (r Ratio) greater(s Ratio) bool {
	whole, other := FloorDiv(r.Num, r.Den), FloorDiv(s.Num, s.Den)
	// What is left is less than the denominators, whose product an int64 holds.
	return whole > other || whole == other && (r.Num-whole*r.Den)*s.Den > (s.Num-other*s.Den)*r.Den
}

// These bound the numbers that Value.Ratio computes with, so that the sum of three dimensions
// times their coefficients and of the constant, over a common denominator, stays below 2^62.
const (
	coefficientBits = 14 // of the numerator of a coefficient
	constantBits    = 36 // of that of the constant
	denominatorBits = 24 // of every denominator
)

// Ratio returns what At does, in less time and without allocation. ok is false where a number is
// too large for it; ask At then.
func (v Value) Ratio(p Point) (r Ratio, ok bool) {
	v = v.orZero()
	if v.form != nil {
		return v.form.ratio(p)
	}
	for i, part := range v.parts {
		s, ok := part.Ratio(p)
		if !ok {
			return Ratio{}, false
		}
		if i == 0 || v.max == s.greater(r) {
			r = s
		}
	}
	return r, true
}

func (f *linear) ratio(p Point) (r Ratio, ok bool) {
	r.Den = 1
	for axis := range Axes + 1 {
		k, times, over, bits := f.constant, int64(1), int64(1), constantBits
		if axis < Axes {
			k, times, over, bits = f.coefficients[axis], p[axis], Scale, coefficientBits
		}
		if sign(k) == 0 {
			continue
		}
		if k.Num().BitLen() > bits || abs(times) > MaxGrid {
			return Ratio{}, false
		}
		if !k.IsInt() { // else Denom allocates
			if k.Denom().BitLen() > denominatorBits {
				return Ratio{}, false
			}
			over *= k.Denom().Int64()
		}
		common := r.Den / GCD(r.Den, over) * over
		if common >= 1<<denominatorBits {
			return Ratio{}, false
		}
		r.Num = r.Num*(common/r.Den) + times*k.Num().Int64()*(common/over)
		r.Den = common
	}
	divisor := GCD(abs(r.Num), r.Den)
	return Ratio{r.Num / divisor, r.Den / divisor}, true
}

func abs(x int64) int64 { return max(x, -x) }
