package boxtest

import (
	"math/big"
	"strconv"
)

// An arithmetic computes with numbers of type N.
type arithmetic[N any] interface {
	literal(text string) N
	operation(operator string, x, y N) N
	less(x, y N) bool
	equal(x, y N) bool
	// convert converts a length to another unit. from and to are the lengths of the units in millimetres.
	convert(x N, from, to *big.Rat) N
}

func compareNumbers[N any](a arithmetic[N], x, y N) int {
	switch {
	case a.less(x, y):
		return -1
	case a.less(y, x):
		return 1
	}
	return 0
}

// fractionArithmetic computes exactly, using big.Rat.
type fractionArithmetic struct{}

func (fractionArithmetic) literal(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("boxtest: " + text + " is not a number")
	}
	return x
}

func (fractionArithmetic) operation(operator string, x, y *big.Rat) *big.Rat {
	operations := map[string]func(z, x, y *big.Rat) *big.Rat{
		"+": (*big.Rat).Add, "-": (*big.Rat).Sub, "*": (*big.Rat).Mul, "/": (*big.Rat).Quo,
	}
	return operations[operator](new(big.Rat), x, y)
}

func (fractionArithmetic) less(x, y *big.Rat) bool { return x.Cmp(y) < 0 }

func (fractionArithmetic) equal(x, y *big.Rat) bool { return x.Cmp(y) == 0 }

func (fractionArithmetic) convert(x, from, to *big.Rat) *big.Rat {
	millimetres := new(big.Rat).Mul(x, from)
	return millimetres.Quo(millimetres, to)
}

// float64Arithmetic computes in double precision. Each operation rounds its result to the nearest float64
// on every machine: the explicit conversion keeps the compiler from fusing two operations into one that
// rounds only once.
type float64Arithmetic struct{}

func (float64Arithmetic) literal(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("boxtest: " + err.Error())
	}
	return x
}

func (float64Arithmetic) operation(operator string, x, y float64) float64 {
	switch operator {
	case "+":
		return float64(x + y)
	case "-":
		return float64(x - y)
	case "*":
		return float64(x * y)
	}
	return float64(x / y)
}

func (float64Arithmetic) less(x, y float64) bool { return x < y }

func (float64Arithmetic) equal(x, y float64) bool { return x == y }

// convert rounds only once if the number has at most three decimals: it converts the decimal exactly, and
// returns the nearest float64. Any other number is multiplied and divided in float64, which rounds twice.
func (float64Arithmetic) convert(x float64, from, to *big.Rat) float64 {
	decimal, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
	if !ok { // NaN or an infinity
		return x
	}
	ratio := new(big.Rat).Quo(from, to)
	if new(big.Rat).Mul(decimal, big.NewRat(1000, 1)).IsInt() {
		nearest, _ := decimal.Mul(decimal, ratio).Float64()
		return nearest
	}
	num, den := float64(ratio.Num().Int64()), float64(ratio.Denom().Int64())
	return float64(float64(float64(x*1000)*num) / float64(1000*den))
}
