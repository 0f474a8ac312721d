package boxrules_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// TestCheckAtCorners: at and beside every corner where three faces of a profile meet, and here and there on each face, a
// check says what the conditions say that are read one after the other.
func TestCheckAtCorners(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		form, rng := p.Exact(), randomFor(p)
		halves := facesOf(form)
		checked, valid := 0, 0
		check := func(at exact.Point) {
			for _, d := range []boxrules.Dims{dimsAt(at), offGrid(at, rng)} {
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
			for range 200 {
				at := drawBox(rng, form.Low, form.High)
				axis := rng.IntN(exact.Axes)
				if a.A[axis] != 0 {
					a := a
					if a.A[axis] < 0 {
						a = a.Complement()
					}
					at[axis] += exact.FloorDiv(a.K-a.A[0]*at[0]-a.A[1]*at[1]-a.A[2]*at[2], a.A[axis])
				}
				for by := range int64(4) {
					check(moved(at, axis, at[axis]+by-1))
				}
			}
		}
		if checked < 10_000 || valid < checked/20 {
			t.Errorf("%d boxes were checked, %d of them valid", checked, valid)
		}
	})
}

// facesOf are the half-spaces of the conditions, each once.
func facesOf(form exact.Form) (halves []exact.HalfSpace) {
	for _, c := range form.Conditions {
		for h := range c.HalfSpaces() {
			if !slices.Contains(halves, h) && !slices.Contains(halves, h.Complement()) {
				halves = append(halves, h)
			}
		}
	}
	return halves
}

// meet is the grid point nearest to where three faces meet, where they do in one point not too far away.
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

// offGrid are dimensions beside the point, most of them the last or the first that the grid may take there.
func offGrid(at exact.Point, rng *rand.Rand) boxrules.Dims {
	beside := func(coordinate int64) float64 {
		x := exact.Units(coordinate)
		switch rng.IntN(5) {
		case 0:
			return x + 0.0005
		case 1:
			return x - 0.0005
		case 2:
			return math.Nextafter(x+0.0005, 0)
		case 3:
			return x + (rng.Float64()-0.5)*0.000_99
		}
		return x
	}
	return boxrules.Dims{Width: beside(at[0]), Depth: beside(at[1]), Height: beside(at[2])}
}

// TestCheckWithoutANumber: what is not a number is an error, also of a box that is beyond a limit already.
func TestCheckWithoutANumber(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		form := p.Exact()
		inside, far := exact.Point{}, exact.Point{}
		for axis := range inside {
			inside[axis], far[axis] = (form.Low[axis]+form.High[axis])/2, form.High[axis]+1
		}
		for _, at := range []exact.Point{inside, far, {}} {
			for axis, name := range exact.AxisNames() {
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1_000_001, math.Nextafter(1e6, 2e6)} {
					d := dimsAt(at)
					*[]*float64{&d.Width, &d.Depth, &d.Height}[axis] = bad
					if v, err := p.Check(d); err == nil || v != (boxrules.Verdict{}) || err.(*boxrules.InputError).Field != name {
						t.Errorf("Check(%s) = %v, %v, want an error for %s", exactly(d), v, err, name)
					}
				}
			}
		}
	})
}
