// Package gen draws what tests ask about: boxes, half-spaces and trees of them, and rule files with
// limit files.
//
// Files come with what they mean: each condition is drawn as text and as a function of exact
// fractions at once. So nothing here reads a condition, and nothing is shared with what does.
package gen

import "example.com/boxrules/exact"

// A Draw gives some number from 0 to n-1, as the method IntN of math/rand/v2's Rand does.
type Draw func(n int) int

func (draw Draw) between(low, high int64) int64 { return low + int64(draw(int(high-low)+1)) }

// Half returns a half-space with coefficients from -4 to 4 and a bound from -most to most.
func Half(draw Draw, most int64) (h exact.HalfSpace) {
	for axis := range h.A {
		h.A[axis] = draw.between(-4, 4)
	}
	h.K = draw.between(-most, most)
	return h
}

// Tree returns conditions of any shape, as deep as depth, over such half-spaces.
func Tree(draw Draw, depth int, most int64) exact.Tree {
	kind := draw(5)
	if depth == 0 || kind < 2 {
		return exact.Tree{Kind: exact.Half, Half: Half(draw, most)}
	}
	parts := make([]exact.Tree, 2+draw(2))
	for i := range parts {
		parts[i] = Tree(draw, depth-1, most)
	}
	return exact.Tree{Kind: []exact.Kind{exact.And, exact.Or}[draw(2)], Parts: parts}
}

// Cube returns the ends of a cuboid within -most and most, along most axes from end to end.
func Cube(draw Draw, most int64) (low, high exact.Point) {
	for axis := range low {
		low[axis], high[axis] = -most, most
		if draw(4) == 0 {
			a, b := draw.between(-most, most), draw.between(-most, most)
			low[axis], high[axis] = min(a, b), max(a, b)
		}
	}
	return low, high
}
