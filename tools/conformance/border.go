package main

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// addBorders adds boxes around the borders of all half-spaces of the profile's rules in the stage. For
// each half-space it adds up to count points on the border, and for each of these the points with a
// thousandth less and a thousandth more in every dimension that the half-space mentions. Then it draws
// tieDraws more points on the border, and adds those for which float64 arithmetic is wrong.
func (s *suite) addBorders(p *boxrules.Profile, stage boxrules.Stage, count, tieDraws int) {
	form, draw := p.Exact(), newDraw()
	for i, rule := range p.Rules() {
		if rule.Stage != stage {
			continue
		}
		condition := form.Conditions[i].Region()
		for _, h := range gen.Faces(condition) {
			// A half-space on the grid does not say whether the comparison was written with > or >=. A tie
			// may be the last point outside (level K) or the first point inside (level K+1), so take both
			// levels.
			for _, level := range []int64{h.K, h.K + 1} {
				face := exact.HalfSpace{A: h.A, K: level}
				// With the face in the list twice, the boxes include points on it even if its coefficients
				// do not divide the level.
				boxes := &gen.Boxes{Draw: draw, Low: form.Low, High: form.High, Faces: []exact.HalfSpace{face, face}}
				for _, at := range borderPoints(p, condition, face, boxes, count) {
					s.addVerdictAt(p, at)
					for axis := range exact.Axes {
						if h.A[axis] != 0 {
							s.addVerdictAt(p, profiles.Moved(at, axis, at[axis]-1))
							s.addVerdictAt(p, profiles.Moved(at, axis, at[axis]+1))
						}
					}
				}
				for range tieDraws {
					if at := boxes.Next(); isOnBorder(face, at) && float64MissesBorder(face, at) {
						s.addVerdictAt(p, at)
					}
				}
			}
		}
	}
}

func isOnBorder(h exact.HalfSpace, at exact.Point) bool {
	return !h.Contains(at) && exact.HalfSpace{A: h.A, K: h.K - 1}.Contains(at)
}

// float64MissesBorder reports whether in float64 arithmetic the point is beside the face and not on it, as 0.3
// is not 0.1 + 0.2.
func float64MissesBorder(h exact.HalfSpace, at exact.Point) bool {
	for axis, a := range h.A {
		rest := exact.Float64At(h.K)
		for other, b := range h.A {
			// Solve a*x + b*y + c*z = K for this axis in float64, as a careless port might.
			if other != axis {
				rest -= float64(b) * exact.Float64At(at[other])
			}
		}
		if a != 0 && rest/float64(a) != exact.Float64At(at[axis]) {
			return true
		}
	}
	return false
}

// borderPoints returns up to count points on the face. Points at which a step across the face changes the verdict
// come first, then points at which it changes the condition.
func borderPoints(p *boxrules.Profile, condition exact.Region, face exact.HalfSpace, boxes *gen.Boxes, count int) []exact.Point {
	const draws = 3000
	code := func(at exact.Point) boxrules.Code {
		v, _ := p.Check(boxrules.DimsAt(at))
		return v.Code()
	}
	var ranks [3][]exact.Point
	for range draws {
		at := boxes.Next()
		if !isOnBorder(face, at) {
			continue
		}
		// Rank 0 is best: a step changes the verdict. Rank 1 means that a step changes only this
		// condition, because an earlier rule rejects both boxes. Rank 2 means that another part of the
		// condition hides the border here.
		rank := 2
		for axis := range exact.Axes {
			for _, beside := range []exact.Point{profiles.Moved(at, axis, at[axis]-1), profiles.Moved(at, axis, at[axis]+1)} {
				if condition.Contains(at) != condition.Contains(beside) {
					rank = min(rank, 1)
					if code(at) != code(beside) {
						rank = 0
					}
				}
			}
		}
		if !slices.Contains(ranks[rank], at) {
			ranks[rank] = append(ranks[rank], at)
		}
		// Stop when there are enough points of the best rank.
		if len(ranks[0]) == count {
			break
		}
	}
	points := slices.Concat(ranks[:]...)
	return points[:min(count, len(points))]
}
