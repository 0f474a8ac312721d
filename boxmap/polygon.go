package boxmap

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// polygon returns the corners of a flat polytope, in the catalogue's unit and in order around its
// outline.
func (c *crossSection) polygon(p polytope.Polytope) [][2]float64 {
	var points [][2]float64
	for _, v := range p.Vertices() {
		points = append(points, [2]float64{v[c.xAxis] / exact.Scale, v[c.yAxis] / exact.Scale})
	}
	return convexHull(points)
}

// convexHull returns the convex hull of the points: its corners in order around the outline, starting with
// the leftmost one. It follows the lower side from left to right, and then the upper side back to the left
// (Andrew's monotone chain).
func convexHull(points [][2]float64) [][2]float64 {
	slices.SortFunc(points, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
	sideOf := func(points [][2]float64) [][2]float64 {
		var chain [][2]float64
		for _, p := range points {
			// Keep only left turns: drop the last corner while the path turns right there, or continues
			// straight.
			for len(chain) > 1 && crossProduct(chain[len(chain)-2], chain[len(chain)-1], p) <= 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, p)
		}
		return chain
	}
	lower := sideOf(points)
	slices.Reverse(points)
	upper := sideOf(points)
	if len(lower) < 2 {
		return lower // one point, or none
	}
	// Each side ends with the corner at which the other side starts, so leave it out once.
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

// crossProduct returns twice the area of the triangle a, b, c. The result is positive if the path turns left at b.
func crossProduct(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// contains reports whether the point is in the convex polygon or on its edge. The corners must be in the order in which
// convexHull returns them, so that the polygon is to the left of each of its edges.
func contains(polygon [][2]float64, point [2]float64) bool {
	for i, corner := range polygon {
		if crossProduct(corner, polygon[(i+1)%len(polygon)], point) < 0 {
			return false
		}
	}
	return true
}

// centroid returns the centre of gravity and the area of a convex polygon. It adds up the triangles between
// the first corner and each edge.
func centroid(polygon [][2]float64) (middle [2]float64, area float64) {
	for i := 2; i < len(polygon); i++ {
		// The centre of a triangle is the mean of its corners, and counts in proportion to its area.
		a, b, c := polygon[0], polygon[i-1], polygon[i]
		part := crossProduct(a, b, c) / 2
		area += part
		for axis := range middle {
			middle[axis] += part * (a[axis] + b[axis] + c[axis]) / 3
		}
	}
	for axis := range middle {
		middle[axis] /= area
	}
	return middle, area
}
