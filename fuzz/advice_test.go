package fuzz

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
)

// TestAdvice: Profile.Advice, which computes less, returns what Explanation.Advice does.
func TestAdvice(t *testing.T) {
	said := make(map[string]bool)
	for i, p := range boxrules.Default().Profiles() {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 5)).IntN)
		for range lab.Draws(100, 2000) {
			d := boxrules.DimsAt(boxes.Next())
			step := []float64{0.001, 0.5, 1, 1000}[boxes.Draw(4)]
			e, err := p.Explain(d, step)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Advice(d, step); err != nil || got != e.Advice() {
				t.Fatalf("%s in %s, %+v, step %v: %q, %v, want %q", p.Article(), p.Material(), d, step, got, err, e.Advice())
			}
			said[e.Advice()] = true
		}
	}
	if len(said) < 1000 || !said[""] {
		t.Errorf("%d different texts, want more, and none for a valid box", len(said))
	}
	p := boxrules.Default().Profiles()[0]
	if _, err := p.Advice(boxrules.Dims{Width: 1, Depth: 1, Height: 1}, 0.0005); err == nil {
		t.Error("a step of half a thousandth is taken")
	}
	if _, err := new(boxrules.Profile).Advice(boxrules.Dims{}, 1); err == nil {
		t.Error("a Profile that no Engine has made answers")
	}
}

// usualSteps are the steps of the numbers in advice: a thousandth of an inch, and of a millimetre in other units.
var usualSteps = map[string]*big.Rat{"mm": rat(1, 1000), "cm": rat(1, 10_000), "m": rat(1, 1_000_000), "in": rat(1, 1000)}

// Patterns of advice.
var (
	turnAdvice   = regexp.MustCompile(`^turn it to ([0-9.]+) x ([0-9.]+) x ([0-9.]+)[^,]*(?:, or )?`)
	changeAdvice = regexp.MustCompile(`(width|depth|height)? ?to (?:between ([0-9.]+) and ([0-9.]+)|([0-9.]+)(?: or less| or more)?)`)
	severalSizes = regexp.MustCompile(`^set (width|depth) to [0-9.]+ and (depth|height) to `)
)

// adviceIn is advice in another unit than that of the limits.
type adviceIn struct {
	*testing.T
	*boxrules.Profile
	explained  boxrules.Explanation
	unit, text string
	ratio      *big.Rat // one of the unit in units of the limits
}

func (a *adviceIn) fail(format string, args ...any) {
	a.Helper()
	a.Fatalf("%s, %s: in %s %q: %s", a.Article(), exactly(a.explained.Dims), a.unit, a.text, fmt.Sprintf(format, args...))
}

// length returns a number of the advice in units of the limits.
func (a *adviceIn) length(number string) *big.Rat {
	x, _ := new(big.Rat).SetString(number)
	return x.Mul(x, a.ratio)
}

// valid fails the test unless a list with these lengths is valid. It returns the box.
func (a *adviceIn) valid(x [exact.Axes]*big.Rat) boxrules.Dims {
	a.Helper()
	var rounded [exact.Axes]float64
	for axis := range x {
		rounded[axis], _ = x[axis].Float64()
	}
	if v, err := a.Check(dims(rounded)); err != nil || !v.OK() {
		a.fail("%s is %v, %v", exactly(dims(rounded)), v, err)
	}
	return dims(rounded)
}

// isEnd reports whether the length is at an end of a range, or inside by less than a usual step. A single value is
// rounded in either direction, and read as that value.
func (a *adviceIn) isEnd(axis int, length *big.Rat) bool {
	step := new(big.Rat).Mul(usualSteps[a.unit], a.ratio)
	for _, r := range a.explained.Ranges.ByAxis()[axis] {
		ends := map[*float64]int{&r.Min: 1, r.SafeMin: 1, &r.Max: -1, r.SafeMax: -1}
		for end, inwards := range ends {
			if end == nil {
				continue
			}
			off := new(big.Rat).Sub(length, oracle.Grid(*end))
			isSingle := r.Min == r.Max || r.SafeMax != nil && *r.SafeMax == r.Min || r.SafeMin != nil && *r.SafeMin == r.Max
			isInside := off.Sign() != -inwards
			off.Abs(off)
			if isInside && off.Cmp(step) < 0 || isSingle && off.Cmp(rat(1, 2000)) <= 0 {
				return true
			}
		}
	}
	return false
}

// TestAdviceIn: in any other unit the advice names the same changes as in that of the limits. A list with its numbers
// is valid, and they are less than a usual step inside the ranges.
func TestAdviceIn(t *testing.T) {
	kinds, names := make(map[string]int), exact.AxisNames()
	for _, limitsUnit := range exact.ConvertibleUnits() {
		engine := must(boxrules.New(boxrules.DefaultRules(), everyIn(limitsUnit)))
		step := engine.Catalogue().DefaultStep()
		for i, p := range engine.Profiles() {
			boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 6)).IntN)
			for range lab.Draws(20, 400) {
				d, unit := boxrules.DimsAt(boxes.Next()), exact.ConvertibleUnits()[boxes.Draw(4)]
				ratio := new(big.Rat).Quo(oracle.Millimetres[unit], oracle.Millimetres[limitsUnit])
				a := &adviceIn{t, p, must(p.Explain(d, step)), unit, must(p.AdviceIn(d, step, boxrules.AdviceOptions{Unit: unit})), ratio}
				text, same := a.text, a.explained.Advice()
				if unit == limitsUnit {
					if text != same {
						a.fail("want %q", same)
					}
					continue
				}
				if found := turnAdvice.FindStringSubmatch(text); found != nil {
					turned, _ := a.valid([exact.Axes]*big.Rat{a.length(found[1]), a.length(found[2]), a.length(found[3])}).Grid()
					if boxrules.DimsAt(turned) != a.explained.Turned[0].Dims {
						a.fail("want it turned to %s", exactly(a.explained.Turned[0].Dims))
					}
					kinds["turn"]++
				}
				text, same = turnAdvice.ReplaceAllString(text, ""), turnAdvice.ReplaceAllString(same, "")
				changes := changeAdvice.FindAllStringSubmatch(text, -1)
				if len(changes) != len(changeAdvice.FindAllString(same, -1)) {
					a.fail("want as many changes as %q", same)
				}
				now := [exact.Axes]*big.Rat{oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height)}
				if severalSizes.MatchString(text) {
					for _, change := range changes {
						now[slices.Index(names[:], change[1])] = a.length(change[4])
					}
					a.valid(now)
					kinds["several"]++
					continue
				}
				axis := 0
				for _, change := range changes {
					if change[1] != "" { // otherwise it is another range of the same dimension
						axis = slices.Index(names[:], change[1])
					}
					for _, number := range slices.DeleteFunc(change[2:], func(text string) bool { return text == "" }) {
						changed := now
						changed[axis] = a.length(number)
						a.valid(changed)
						if !a.isEnd(axis, changed[axis]) {
							a.fail("%s is not at the end of a range: %+v", number, a.explained.Ranges)
						}
						kinds["one"]++
					}
				}
			}
		}
	}
	for _, kind := range []string{"turn", "several", "one"} {
		if kinds[kind] < 20 {
			t.Errorf("advice of kind %s is tried %d times, want more", kind, kinds[kind])
		}
	}
	t.Logf("%v", kinds)
}
