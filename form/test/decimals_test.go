package test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// fewDecimals returns an engine whose dimensions have at most n decimals, with limits that have more.
func fewDecimals(t *testing.T, n int) *boxrules.Engine {
	text := bytes.Replace(limits.IllustrativeYAML(), []byte("{min: 20, max: 400}"), []byte("{min: 20.005, max: 399.99}"), 1)
	return engineOf(t, "", fmt.Sprintf("%sdecimals: %d\n", text, n))
}

// few draws dimensions. Most have n decimals; the others are neighbours of these, which have more.
func (d *drawer) few(n int) boxrules.Dims {
	dims := d.dims()
	for _, x := range []*float64{&dims.Width, &dims.Depth, &dims.Height} {
		if kind := d.Draw(12); kind > 0 {
			*x, _ = strconv.ParseFloat(strconv.FormatFloat(*x, 'f', n, 64), 64)
			if kind == 1 {
				// Not beyond what is accepted: that is refused for another reason.
				*x = math.Nextafter(*x, []float64{-exact.MaxDimension, exact.MaxDimension}[d.Draw(2)])
			}
		}
	}
	return dims
}

// TestDecimalsAgree compares verdicts and errors if dimensions may have few decimals only.
func TestDecimalsAgree(t *testing.T) {
	in := newJavaScript(t)
	refused, told := 0, 0
	each := *insightBoxes / 60
	for n := range 3 {
		e := fewDecimals(t, n)
		answer := in.answers(t, scriptOf(t, e), `
const answer = ({ article, material, width, depth, height, step }) => {
  const p = exports.profile(article, material);
  const dims = { width, depth, height };
  const issues = p.validate(dims).issues || [];
  const fields = issues.map((issue) => issue.path[0]);
  const bad = issues.filter(({ kind }) => kind == "decimals").map((issue) => issue.path[0]);
  try {
    const { ok, code = "" } = p.check(dims);
    const codes = p.checkAll(dims).map((v) => v.code).join();
    const boxes = { nearest: p.nearest(dims, step), turned: p.turned(dims), suggest: p.suggest(dims, step) };
    const insight = { ranges: p.ranges(dims), ...boxes, fields, borderline: p.borderline(dims) };
    return { code, codes, bad, insight };
  } catch ({ message, field }) {
    const questions = [() => p.checkAll(dims), () => p.ranges(dims), () => p.nearest(dims), () => p.turned(dims), () => p.suggest(dims)];
    const all = questions.every((f) => {
      try { f(); } catch (error) { return error.message == message; }
    });
    return { bad, fields, error: all && message };
  }
};`)
		for i, p := range e.Profiles() {
			draw := newDrawer(p, uint64(i))
			for range each {
				d, step := draw.few(n), []float64{1, 5, 12, 1000}[draw.Draw(4)]
				if draw.Draw(2) == 0 {
					d, step = draw.aside(p)
				}
				var got struct {
					Code, Codes, Error string
					Bad, Fields        []string
					Insight            insight
				}
				answer(struct {
					boxrules.Box
					Step float64 `json:"step"`
				}{boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}, step}, &got)
				_, err := p.Check(d)
				var input *boxrules.InputError
				if errors.As(err, &input) {
					refused++
					if want := input.Field + ": "; len(got.Error) <= len(want) || got.Error[:len(want)] != want ||
						!slices.Equal(got.Bad, got.Fields) || !slices.Equal(got.Bad, tooLong(d, n)) {
						t.Fatalf("%d decimals, %+v: %+v, want %v", n, d, got, err)
					}
					continue
				}
				told++
				first, all := goVerdicts(t, p, d)
				want := goInsight(t, p, d, step)
				if got.Error != "" || len(got.Bad) > 0 || got.Code != first || got.Codes != all || text(t, got.Insight) != text(t, want) {
					t.Fatalf("%d decimals, %s in %s, %+v, step %v: %+v\n%s in JavaScript,\n%s, %s\n%s in Go",
						n, p.Article(), p.Material(), d, step, got, text(t, got.Insight), cmp.Or(first, "ok"), all, text(t, want))
				}
			}
		}
	}
	if refused < 10*each || told < 10*each {
		t.Errorf("%d boxes were refused, and %d checked, want many of both", refused, told)
	}
}

// tooLong returns the dimensions that are not the float64 nearest to a decimal with n decimals.
func tooLong(d boxrules.Dims, n int) (fields []string) {
	for i, x := range d.ByAxis() {
		if short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', n, 64), 64); short != x {
			fields = append(fields, []string{"width", "depth", "height"}[i])
		}
	}
	return fields
}

// TestDecimalsOfModules: the issues about decimals in modules, chosen by hand.
func TestDecimalsOfModules(t *testing.T) {
	for n, want := range []string{
		`143.125 is not a multiple of 1|Width has too many decimals: at most 0.|0.5 is not a multiple of 1 from 1 to 1000`,
		`143.125 is not a multiple of 0.1|Width has too many decimals: at most 1.|0.25 is not a multiple of 0.1 from 0.1 to 1000`,
		`143.125 is not a multiple of 0.01|Width has too many decimals: at most 2.|0.125 is not a multiple of 0.01 from 0.01 to 1000`,
	} {
		m := run(t, fewDecimals(t, n), `
const tried = (f) => { try { f(); return "ok"; } catch ({ message }) { return message.replace(/^\w+: /, ""); } };
const told = (step) => {
  const p = exports.profile("tuck-end", "carton-300");
  const odd = { width: 143.125, depth: 50, height: 303 };
  const even = { width: 143, depth: 50, height: 303 };
  const [{ message, params }] = p.validate({ ...odd, width: "143.125" }).issues;
  const { min, max } = p.limits.width;
  return [exports.decimals, p.decimals, params.decimals, params.value, min, max,
    p.validate({ ...even, width: "143.000" }).value.width,
    tried(() => p.check(even)), tried(() => p.check(odd)) + "|" + message + "|" + tried(() => p.nearest(even, step))].join("; ");
};`)
		var told func(float64) string
		m.function(t, "told", &told)
		low := []string{"21", "20.1", "20.01"}[n]
		high := []string{"399", "399.9", "399.99"}[n]
		want := fmt.Sprintf("%[1]d; %[1]d; %[1]d; 143.125; %s; %s; 143; ok; %s", n, low, high, want)
		if got := told([]float64{0.5, 0.25, 0.125}[n]); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
