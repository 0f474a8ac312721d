// Package gen draws what tests ask about: boxes, half-spaces and trees of them, and rule files with
// limit files.
//
// Files come with what they mean: each condition is drawn as text and as a function of exact
// fractions at once. So nothing here reads a condition, and nothing is shared with what does.
package gen

// A Draw gives some number from 0 to n-1, as the method IntN of math/rand/v2's Rand does.
type Draw func(n int) int

func (draw Draw) between(low, high int64) int64 { return low + int64(draw(int(high-low)+1)) }
