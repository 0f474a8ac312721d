package boxrules_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// betweenSteps is an article whose limits have more decimals than a dimension may have.
const betweenSteps = `
  askew:
    materials: [carton-300]
    width:  {min: 20.005, max: 400.125}
    depth:  {min: 15.999, max: 250.001}
    height: {min: 30.5, max: 450.49}
    constraints: [BOX_3103, BOX_3113, BOX_3122]
    blank: {width: 2*width + 2*depth + glue_flap, height: height + 2*depth + 7.003}
`

// withDecimals returns engines of the same limits that allow 0, 1, 2 and 3 decimals.
func withDecimals(t testing.TB) (engines [4]*boxrules.Engine) {
	text := string(limits.IllustrativeYAML()) + betweenSteps
	for n := range engines {
		engines[n] = profiles.Engine(t, "", text+"decimals: "+strconv.Itoa(n)+"\n")
	}
	return engines
}

// hasAtMost reports whether x is the float64 nearest to a number with at most n decimals.
func hasAtMost(n int, x float64) bool {
	return must(strconv.ParseFloat(strconv.FormatFloat(x, 'f', n, 64), 64)) == x
}

// drawNear draws a dimension, usually with few decimals or next to half a thousandth, hundredth or
// tenth.
func drawNear(r *rand.Rand, low, high float64) float64 {
	x := low + (high-low)*r.Float64()
	scale := []float64{1, 10, 100, 1000, 2000, 200, 20, 2}[r.IntN(8)]
	x = math.Floor(x*scale) / scale
	for range r.IntN(3) * r.IntN(2) {
		x = math.Nextafter(x, []float64{math.Inf(-1), math.Inf(1)}[r.IntN(2)])
	}
	return x
}

// TestDecimals: a dimension with more decimals than the limit file allows is an input error for its
// field in every method. Other boxes get the same answers as with three decimals, except for ranges
// and the smallest change, which have fewer values to choose from.
func TestDecimals(t *testing.T) {
	engines := withDecimals(t)
	refused, accepted := 0, 0
	for _, whole := range engines[3].Profiles() {
		r := profiles.Random(whole)
		form := whole.Exact()
		for range 300 {
			n := r.IntN(3)
			p := must(engines[n].Profile(whole.Article(), whole.Material()))
			var x [exact.Axes]float64
			for axis := range x {
				x[axis] = drawNear(r, exact.Float64At(form.Low[axis])*0.9, exact.Float64At(form.High[axis])*1.1)
				if r.IntN(3) > 0 {
					x[axis] = must(strconv.ParseFloat(strconv.FormatFloat(x[axis], 'f', n, 64), 64))
				}
			}
			d := boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}
			if at := slices.IndexFunc(x[:], func(x float64) bool { return !hasAtMost(n, x) }); at >= 0 {
				refused++
				refuses(t, p, d, &boxrules.InputError{Field: exact.AxisNames()[at], Message: strconv.FormatFloat(x[at], 'g', -1, 64) +
					" has too many decimals; accepted: a multiple of " + []string{"1", "0.1", "0.01"}[n]})
				continue
			}
			accepted++
			if got, want := must(p.CheckAll(d)), must(whole.CheckAll(d)); !reflect.DeepEqual(got, want) ||
				must(p.Check(d)).Code() != must(whole.Check(d)).Code() {
				t.Fatalf("%s, %d decimals: CheckAll(%+v) = %v, want %v", p.Article(), n, d, got, want)
			}
			if got, want := must(p.AppendReason(nil, d)), must(whole.AppendReason(nil, d)); string(got) != string(want) {
				t.Fatalf("%s, %d decimals: AppendReason(%+v) = %s, want %s", p.Article(), n, d, got, want)
			}
			got, ok, err := p.Nearest(d, 1)
			want, wantOK, wantErr := whole.Nearest(d, 1)
			if ok != wantOK || err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, %d decimals: Nearest(%+v) = %+v, %v, %v, want %+v, %v", p.Article(), n, d, got, ok, err, want, wantOK)
			}
			checkRanges(t, p, whole, n, d)
			checkReasons(t, p, whole, n, d)
		}
	}
	if refused < 1000 || accepted < 1000 {
		t.Errorf("%d boxes were refused and %d accepted, want many of both", refused, accepted)
	}
}

// refuses checks that every method returns the error for the box.
func refuses(t *testing.T, p *boxrules.Profile, d boxrules.Dims, want *boxrules.InputError) {
	t.Helper()
	_, check := p.Check(d)
	_, all := p.CheckAll(d)
	_, reasons := p.Reasons(d)
	_, reason := p.AppendReason(nil, d)
	_, ranges := p.Ranges(d)
	_, _, nearest := p.Nearest(d, 1)
	_, explain := p.Explain(d, 1)
	for i, err := range []error{check, all, reasons, reason, ranges, nearest, explain} {
		var input *boxrules.InputError
		if !errors.As(err, &input) || *input != *want {
			t.Fatalf("%s: question %d about %+v: %v, want %v", p.Article(), i, d, err, want)
		}
	}
}

// stepsOf has, by the number of decimals, the distance between values in thousandths.
var stepsOf = [...]int64{1000, 100, 10, 1}

// checkRanges checks that the ranges contain exactly the values on the step that are valid in the
// profile with three decimals, and that their codes are those of the next values.
func checkRanges(t *testing.T, p, whole *boxrules.Profile, n int, d boxrules.Dims) {
	t.Helper()
	got, fine := must(p.Ranges(d)), must(whole.Ranges(d))
	for axis, ranges := range got.ByAxis() {
		at, _ := d.Grid()
		var want [][2]int64
		for _, r := range fine.ByAxis()[axis] {
			low := exact.CeilDiv(exact.Grid(r.Min), stepsOf[n]) * stepsOf[n]
			high := exact.FloorDiv(exact.Grid(r.Max), stepsOf[n]) * stepsOf[n]
			switch last := len(want) - 1; {
			case low > high:
			case last >= 0 && want[last][1]+stepsOf[n] == low:
				want[last][1] = high
			default:
				want = append(want, [2]int64{low, high})
			}
		}
		if len(ranges) != len(want) {
			t.Fatalf("%s, %d decimals: Ranges(%+v) = %+v, want %v along axis %d", p.Article(), n, d, got, want, axis)
		}
		for i, r := range ranges {
			below, above := exact.Grid(r.Min)-stepsOf[n], exact.Grid(r.Max)+stepsOf[n]
			if want[i] != [2]int64{exact.Grid(r.Min), exact.Grid(r.Max)} || r.MinCode != profiles.Code(t, p, profiles.Moved(at, axis, below)) ||
				r.MaxCode != profiles.Code(t, p, profiles.Moved(at, axis, above)) {
				t.Fatalf("%s, %d decimals: Ranges(%+v) = %+v, want %v along axis %d", p.Article(), n, d, got, want, axis)
			}
		}
	}
}

// checkReasons checks that each reason is that of the profile with three decimals, except for the
// change that is enough, which is the smallest one on the step.
func checkReasons(t *testing.T, p, whole *boxrules.Profile, n int, d boxrules.Dims) {
	t.Helper()
	holds := func(code boxrules.Code, at exact.Point) bool {
		return slices.ContainsFunc(must(whole.CheckAll(boxrules.DimsAt(at))), func(v boxrules.Violation) bool { return v.Code == code })
	}
	at, _ := d.Grid()
	form := whole.Exact()
	for i, fine := range must(whole.Reasons(d)) {
		reason := must(p.Reasons(d))[i]
		by := exact.Grid(reason.By)
		if reason.Code != fine.Code || reason.Values != fine.Values || reason.Tie != fine.Tie || by%stepsOf[n] != 0 {
			t.Fatalf("%s, %d decimals: Reasons(%+v) has %+v, want as %+v", p.Article(), n, d, reason, fine)
		}
		axis := slices.Index([]string{"width", "depth", "height"}, reason.Field)
		ends := func(by int64) bool {
			for _, to := range []int64{at[axis] - by, at[axis] + by} {
				if to >= form.Low[axis] && to <= form.High[axis] && !holds(reason.Code, profiles.Moved(at, axis, to)) {
					return true
				}
			}
			return false
		}
		if by > 0 && (!ends(by) || ends(by-stepsOf[n])) {
			t.Fatalf("%s, %d decimals: Reasons(%+v) has %+v, and that is not the least change", p.Article(), n, d, reason)
		}
	}
}

// TestDecimalsByHand has dimensions with and without too many decimals, chosen by hand.
func TestDecimalsByHand(t *testing.T) {
	engines := withDecimals(t)
	for _, test := range []struct {
		x    float64
		most int // decimals for which it is refused
	}{
		{143, -1}, {143.5, 0}, {143.12, 1}, {143.125, 2}, {143.1249999999, 2}, {143.1200000001, 2}, {143.00049, 2},
		{math.Nextafter(143, 144), 2}, {math.Nextafter(143.1, 0), 2}, {math.Nextafter(0.3, 1), 2}, {0, -1}, {math.Copysign(0, -1), -1},
		{-3, -1}, {-0.25, 1}, {5e-324, 2}, {999_999.99, 1}, {1_000_000, -1}, {-1_000_000, -1}, {math.Nextafter(1e6, 0), 2},
	} {
		for n, e := range engines {
			p := must(e.Profile("askew", "carton-300"))
			for axis, d := range []boxrules.Dims{{test.x, 100, 100}, {100, test.x, 100}, {100, 100, test.x}} {
				_, err := p.Check(d)
				var input *boxrules.InputError
				if refused := errors.As(err, &input); refused != (n <= test.most) || refused && input.Field != exact.AxisNames()[axis] {
					t.Errorf("%d decimals: Check(%+v): %v", n, d, err)
				}
			}
		}
	}
	const many = "width: 0.0000001 has too many decimals; accepted: a multiple of 0.1"
	p := must(engines[1].Profile("askew", "carton-300"))
	if _, err := p.Check(boxrules.Dims{Width: 1e-7, Depth: math.NaN(), Height: 0.01}); err == nil || err.Error() != many {
		t.Errorf("%v, want %s", err, many)
	}
	if _, err := p.Check(boxrules.Dims{Width: 1, Depth: math.NaN(), Height: 0.01}); err == nil || err.(*boxrules.InputError).Field != "depth" {
		t.Errorf("%v, want the first field that is wrong", err)
	}
	form := p.Exact()
	if form.Step != 100 || form.Low != (exact.Point{20_100, 16_000, 30_500}) || form.High != (exact.Point{400_100, 250_000, 450_400}) {
		t.Errorf("step %d, from %v to %v", form.Step, form.Low, form.High)
	}
}

// TestDecimalsOfTheStep: a suggestion has no more decimals than the limit file allows.
func TestDecimalsOfTheStep(t *testing.T) {
	d := boxrules.Dims{Width: 48, Depth: 141, Height: 184}
	for n, e := range withDecimals(t) {
		p := must(e.Profile("askew", "carton-300"))
		for step, decimals := range map[float64]int{1: 0, 1000: 0, 2.5: 1, 0.1: 1, 0.01: 2, 0.25: 2, 0.001: 3, 0.125: 3} {
			_, _, err := p.Nearest(d, step)
			want := ""
			if least := []string{"1", "0.1", "0.01", "0.001"}[n]; decimals > n {
				want = fmt.Sprintf("step: %v is not valid; accepted: a multiple of %s from %[2]s to 1000", step, least)
			}
			if (err == nil) != (want == "") || err != nil && err.Error() != want {
				t.Errorf("%d decimals, step %v: %v, want %q", n, step, err, want)
			}
		}
	}
}

// TestDecimalsDoNotAllocate: a check allocates nothing, whether the box is valid or not.
func TestDecimalsDoNotAllocate(t *testing.T) {
	for n, e := range withDecimals(t) {
		p := must(e.Profile("tuck-end", "carton-300"))
		for _, d := range []boxrules.Dims{{Width: 143, Depth: 50, Height: 303}, {Width: 48, Depth: 141, Height: 184}, {Width: 1}} {
			if allocations := testing.AllocsPerRun(100, func() { _, _ = p.Check(d) }); allocations > 0 {
				t.Errorf("%d decimals: Check(%+v) allocates %v times", n, d, allocations)
			}
		}
	}
}

// TestDecimalsBlame: a dimension is not blamed if changing it would be enough only with more decimals
// than are allowed.
func TestDecimalsBlame(t *testing.T) {
	const rules = "boundary:\n  - {code: X_0001, when: width < min_width, message: m}\nconstraint:\n" +
		"  - {code: X_0002, when: \"(width < 100.001 || width > 100.009) && depth < 60\", message: m}\n"
	article := articleOf("a", "min: 20, max: 200", "X_0002")
	for decimals, want := range map[int]boxrules.Reason{2: {Field: "depth", By: 10}, 3: {Field: "width", By: 10.001}} {
		p := profileOf(t, engineOf(t, rules, article+fmt.Sprintf("decimals: %d\n", decimals)), "a")
		got := must(p.Reasons(boxrules.Dims{Width: 90, Depth: 50, Height: 50}))[0]
		if got.Field != want.Field || got.By != want.By {
			t.Errorf("%d decimals: %s by %v, want %s by %v", decimals, got.Field, got.By, want.Field, want.By)
		}
	}
}
