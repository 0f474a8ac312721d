package fuzz

import (
	"math"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/profiles"
)

// TestCheckAtCorners: at random points of each face of a profile, at its edges and corners, and
// beside them, Check agrees with the conditions evaluated one after the other.
func TestCheckAtCorners(t *testing.T) {
	profiles.Each(t, func(t *testing.T, p *boxrules.Profile) {
		form, boxes := p.Exact(), profiles.Boxes(p)
		halves := boxes.Faces
		checked, valid := 0, 0
		check := func(at exact.Point) {
			for _, d := range []boxrules.Dims{boxrules.DimsAt(at), dims(boxes.HardToRound(at))} {
				grid, ok := d.Grid()
				if !ok {
					continue
				}
				i := slices.IndexFunc(form.Conditions, func(c exact.Condition) bool { return c.Holds(grid) })
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
		for i := range halves {
			for n := range lab.Draws(60, 300) {
				if boxes.Faces = halves; n < lab.Draws(40, 200) {
					boxes.Faces = halves[i : i+1]
				}
				at, axis := boxes.Next(), boxes.Draw(exact.Axes)
				for by := range int64(4) {
					check(profiles.Moved(at, axis, at[axis]+by-1))
				}
			}
		}
		if checked < lab.Draws(2_000, 10_000) || valid < checked/20 {
			t.Errorf("%d boxes were checked, %d of them valid", checked, valid)
		}
	})
}

// TestCheckWithoutANumber: a dimension that is not a number is an error, even if another dimension is
// beyond a limit.
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
