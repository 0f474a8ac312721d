package exact

import "fmt"

// A HalfSpace contains the points p on one side of a plane: all points with A·p > K. If A is (-1, 1, 0) and K
// is 0, it contains every box that is deeper than wide. It does not contain a square box, because > excludes
// the plane. For points whose dimensions are within MaxGrid, neither A·p nor any part of that sum exceeds
// 2^53 in magnitude.
type HalfSpace struct {
	A [Axes]int64
	K int64
}

// Contains reports whether p is in the half-space.
func (h HalfSpace) Contains(p Point) bool {
	return h.A[Width]*p[Width]+h.A[Depth]*p[Depth]+h.A[Height]*p[Height] > h.K
}

// Excess returns A·p - K. It is the distance of p from the plane, times the length of the vector A. It is
// positive for the points that h contains, and 0 on the plane itself.
func (h HalfSpace) Excess(p Point) int64 {
	return h.A[Width]*p[Width] + h.A[Depth]*p[Depth] + h.A[Height]*p[Height] - h.K
}

// Complement returns the half-space of the grid points that are not in h. For integers, A·p <= K is the same
// as -A·p > -K-1. So the complement of w > 5 is -w > -6.
func (h HalfSpace) Complement() HalfSpace {
	return HalfSpace{A: [Axes]int64{-h.A[Width], -h.A[Depth], -h.A[Height]}, K: -h.K - 1}
}

// String returns the inequality, for tests and messages.
func (h HalfSpace) String() string {
	return fmt.Sprintf("%d·w%+d·d%+d·h > %d", h.A[Width], h.A[Depth], h.A[Height], h.K)
}
