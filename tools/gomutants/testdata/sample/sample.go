// Package sample is changed by the tests of gomutants.
package sample

// Two is a constant, so each mutant of it is compiled for itself.
const Two = 1 + 1

// Small is a constant that overflows if - becomes +.
const Small = uint8(200 - 100)

type length int

// Longest returns the greatest length.
func Longest(all []length) length {
	longest := all[0]
	for i := 1; i < len(all); i++ {
		if all[i] > longest {
			longest = all[i]
		}
	}
	return longest
}

// Sum returns the sum of some numbers, and 1.
func Sum(all ...float64) (sum float64) {
	sum++
	for _, x := range all {
		sum += x
	}
	return sum
}

// Between is tested only for numbers inside and outside, and not for the bounds.
func Between(x, low, high int) bool { return low <= x && x <= high }

// Twice joins strings, which have no difference.
func Twice(s string) string { return s + s }

// Shift has a sign after an operator, which gofmt writes without a blank in an argument.
func Shift(x int) int { return max(5+-x, 0) }

// Negative is not tested.
func Negative(x int) bool { return x < 0 }
