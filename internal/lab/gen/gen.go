// Package gen generates random inputs for tests: boxes, half-spaces, conditions made of half-spaces, and rule files
// with limit files. In comments, to draw something means to generate it at random.
//
// Each condition is generated as text and, at the same time, as a function on exact fractions. So gen knows what a
// file means without parsing it, and shares no code with the packages under test.
package gen

// A Draw is a source of random choices: it returns a random number from 0 to n-1, as rand.IntN does.
type Draw func(n int) int

func (draw Draw) between(low, high int64) int64 { return low + int64(draw(int(high-low)+1)) }
