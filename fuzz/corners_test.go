package fuzz

import (
	"math"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
)

// TestCheckAtCorners: at and beside every corner where three faces of a profile meet, and here
// and there on each face, a check says what the conditions say that are read one after the other.
func TestCheckAtCorners(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		form, boxes := p.Exact(), profiles.Boxes(p)
		halves := boxes.Faces
		checked, valid := 0, 0
		check := func(at exact.Point) {
			for _, d := range []boxrules.Dims{boxrules.DimsAt(at), dims(boxes.Turning(at))} {
				grid, ok := d.Grid()
				if !ok {
					continue
				}
				i := slices.IndexFunc(form.Conditions, func(c exact.Tree) bool { return c.Holds(grid) })
				want := boxrules.Code("")
				if i >= 0 {
					want = p.Rules()[i].Code
				}
				if v, err := p.Check(d); err != nil || v.Code() != want || v.OK() != (i < 0) {
					t.Fatalf("Check(%s) = %v, %v, want %q", exactly(d), v, err, want)
				}
				if checked++; i < 0 {
					valid++
				}
			}
		}
		for i, a := range halves {
			for j, b := range halves[:i] {
				for _, c := range halves[:j] {
					if corner, ok := meet(a, b, c); ok {
						for n := range int64(27) {
							check(exact.Point{corner[0] + n/9 - 1, corner[1] + n/3%3 - 1, corner[2] + n%3 - 1})
						}
					}
				}
			}
			boxes.Faces = halves[i : i+1]
			for range 200 {
				at, axis := boxes.Next(), boxes.Draw(exact.Axes)
				for by := range int64(4) {
					check(profiles.Moved(at, axis, at[axis]+by-1))
				}
			}
		}
		if checked < 10_000 || valid < checked/20 {
			t.Errorf("%d boxes were checked, %d of them valid", checked, valid)
		}
	})
}

// meet is the grid point nearest to where three faces meet, where they do in one point not too
// far away.
func meet(a, b, c exact.HalfSpace) (at exact.Point, ok bool) {
	determinant := func(columns [exact.Axes]func(exact.HalfSpace) int64) float64 {
		x := func(h exact.HalfSpace, column int) float64 { return float64(columns[column](h)) }
		return x(a, 0)*(x(b, 1)*x(c, 2)-x(b, 2)*x(c, 1)) - x(a, 1)*(x(b, 0)*x(c, 2)-x(b, 2)*x(c, 0)) + x(a, 2)*(x(b, 0)*x(c, 1)-x(b, 1)*x(c, 0))
	}
	var columns [exact.Axes]func(exact.HalfSpace) int64
	for axis := range columns {
		columns[axis] = func(h exact.HalfSpace) int64 { return h.A[axis] }
	}
	whole := determinant(columns)
	if whole == 0 {
		return at, false
	}
	for axis := range columns {
		replaced := columns
		replaced[axis] = func(h exact.HalfSpace) int64 { return h.K }
		x := determinant(replaced) / whole
		if math.Abs(x) > 2e6 {
			return at, false
		}
		at[axis] = int64(math.Round(x))
	}
	return at, true
}

// TestCheckWithoutANumber: what is not a number is an error, also of a box that is beyond a limit
// already.
func TestCheckWithoutANumber(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		form := p.Exact()
		inside, far := exact.Point{}, exact.Point{}
		for axis := range inside {
			inside[axis], far[axis] = (form.Low[axis]+form.High[axis])/2, form.High[axis]+1
		}
		for _, at := range []exact.Point{inside, far, {}} {
			for axis, name := range exact.AxisNames() {
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1_000_001, math.Nextafter(1e6, 2e6)} {
					d := boxrules.DimsAt(at)
					*[]*float64{&d.Width, &d.Depth, &d.Height}[axis] = bad
					if v, err := p.Check(d); err == nil || v != (boxrules.Verdict{}) || err.(*boxrules.InputError).Field != name {
						t.Errorf("Check(%s) = %v, %v, want an error for %s", exactly(d), v, err, name)
					}
				}
			}
		}
	})
}
