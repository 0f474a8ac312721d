package main

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// addBorders adds boxes around the borders of all half-spaces of the profile's rules in the stage. For each
// half-space, it adds up to count points on the border. For each of these points and each dimension that the
// half-space mentions, it also adds the two points at which this dimension is a thousandth less or more. Then it
// draws tieDraws more points on the border, and adds those that float64 arithmetic misses: see float64MissesBorder.
func (s *suite) addBorders(p *boxrules.Profile, stage boxrules.Stage, count, tieDraws int) {
	form, draw := p.Exact(), newDraw()
	for i, rule := range p.Rules() {
		if rule.Stage != stage {
			continue
		}
		condition := form.Conditions[i].Region()
		for _, h := range gen.Faces(condition) {
			// A half-space on the grid does not show whether the comparison was written with > or with >=. So a
			// point at which both sides are equal may be the last one outside (level K) or the first one inside
			// (level K+1). Try both levels.
			for _, level := range []int64{h.K, h.K + 1} {
				face := exact.HalfSpace{A: h.A, K: level}
				// List the face twice. Then the boxes include points on it even if its coefficients do not divide
				// the level.
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

// float64MissesBorder reports whether a point that is exactly on the border h appears to be off the border in
// float64 arithmetic, in which 0.1 + 0.2 is not 0.3.
func float64MissesBorder(h exact.HalfSpace, at exact.Point) bool {
	for axis, a := range h.A {
		rest := exact.Float64At(h.K)
		for other, b := range h.A {
			// Solve a*x + b*y + c*z = K for this axis in float64, as a careless port of the engine might.
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

// borderPoints returns up to count points on the border face. It prefers points at which a step across the border
// changes the verdict. If there are not enough of these, it adds points at which a step changes only whether the
// condition holds, and then any other points.
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
		// Rank 0 is the best: a step changes the verdict. With rank 1, a step changes only this condition, because
		// an earlier rule rejects both boxes. With rank 2, a step changes nothing, because another part of the
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
