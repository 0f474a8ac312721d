// Package gen draws the inputs of tests: boxes, half-spaces and conditions made of them, and rule files
// with limit files.
//
// Each condition is drawn as text and, at the same time, as a function on exact fractions. So gen knows
// what a file means without parsing it, and shares no code with the packages under test.
package gen

// A Draw returns a number from 0 to n-1, like rand.IntN.
type Draw func(n int) int

func (draw Draw) between(low, high int64) int64 { return low + int64(draw(int(high-low)+1)) }
