//go:build hand

package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
)

var (
	rounds = flag.Int("hand.rounds", 0, "rounds in which each profile's check is timed next to the Go by hand, alternately")
	only   = flag.String("hand.article", "", "the article that is timed; all of them where empty")
)

// A duel is the check of one profile and the same by hand, in float64 and exactly, with boxes for all three.
type duel struct {
	profile               *boxrules.Profile
	hand, exact           func(boxrules.Dims) boxrules.Code
	handCount, exactCount func([]boxrules.Dims) int
	sets                  [3][]boxrules.Dims // as setNames says
	ours, byIt, byExact   [3]float64         // the medians, in nanoseconds a box
}

// The mixed ones are half valid boxes as they come, a quarter boxes on a border or a thousandth
// beyond, and a quarter invalid ones.
var setNames = [3]string{"valid", "invalid", "mixed"}

func newDuel(p *boxrules.Profile) *duel {
	d := &duel{profile: p}
	j := newJob(p)
	d.hand, d.handCount = newByHand(j).of(p.Article())
	d.exact, d.exactCount = newByHandExact(j).of(p.Article())
	random := rand.New(rand.NewPCG(5, 6))
	var valid, invalid, border []boxrules.Dims
	for len(valid) < boxes || len(invalid) < boxes {
		box := anyBox(p, random)
		if v, err := p.Check(box); err != nil {
			panic(err)
		} else if v.OK() {
			valid = append(valid, box)
		} else {
			invalid = append(invalid, box)
		}
	}
	for len(border) < boxes/4 {
		on, beyond := atBorder(p, valid[random.IntN(len(valid))], random)
		border = append(border, on, beyond)
	}
	mix := slices.Concat(valid[:boxes/2], border[:boxes/4], invalid[:boxes/4])
	random.Shuffle(len(mix), func(i, j int) { mix[i], mix[j] = mix[j], mix[i] })
	d.sets = [3][]boxrules.Dims{valid[:boxes], invalid[:boxes], mix}
	return d
}

// atBorder moves a valid box along an axis to where a rule ends its range, and a thousandth
// further.
func atBorder(p *boxrules.Profile, box boxrules.Dims, random *rand.Rand) (on, beyond boxrules.Dims) {
	ranges, err := p.Ranges(box)
	if err != nil {
		panic(err)
	}
	axis := random.IntN(exact.Axes)
	ends := ranges.ByAxis()[axis]
	end := ends[random.IntN(len(ends))]
	at, _ := box.Grid()
	if at[axis] = exact.Grid(end.Min); random.IntN(2) == 0 {
		on = boxrules.DimsAt(at)
		at[axis]--
		return on, boxrules.DimsAt(at)
	}
	at[axis] = exact.Grid(end.Max)
	on = boxrules.DimsAt(at)
	at[axis]++
	return on, boxrules.DimsAt(at)
}

func (d *duel) oursCount(boxes []boxrules.Dims) (n int) {
	p := d.profile
	for _, b := range boxes {
		if v, _ := p.Check(b); v.Code() != "" {
			n++
		}
	}
	return n
}

// fight times all three on each set of boxes, in alternating rounds.
func (d *duel) fight(rounds int) {
	for i, set := range d.sets {
		var ours, byIt, byExact []float64
		for range rounds {
			ours = append(ours, timed(set, d.oursCount))
			byIt = append(byIt, timed(set, d.handCount))
			byExact = append(byExact, timed(set, d.exactCount))
		}
		d.ours[i], d.byIt[i], d.byExact[i] = median(ours), median(byIt), median(byExact)
	}
}

func timed(boxes []boxrules.Dims, count func([]boxrules.Dims) int) float64 {
	start := time.Now()
	failed += count(boxes)
	return float64(time.Since(start).Nanoseconds()) / float64(len(boxes))
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// TestEveryProfile times the check of every profile next to the Go by hand; -hand.rounds asks for
// it. The exact Go by hand gives the same verdicts. The one in float64 does so, except for boxes exactly on a limit,
// which float64 may round the other way.
func TestEveryProfile(t *testing.T) {
	var ratios, exactRatios [3][]float64
	if *rounds > 0 {
		fmt.Print("| Article | Material ")
		for _, name := range setNames {
			fmt.Printf("| %s, ns | by hand | times | exact | times ", name)
		}
		fmt.Println("| by hand wrong |\n|---|---" + strings.Repeat("|--:", 5*len(setNames)+1) + "|")
	}
	for _, p := range boxrules.Default().Profiles() {
		if *only != "" && p.Article() != *only {
			continue
		}
		d := newDuel(p)
		wrong := d.wrong(t)
		if *rounds == 0 {
			continue
		}
		d.fight(*rounds)
		fmt.Printf("| %s | %s ", p.Article(), p.Material())
		for i := range setNames {
			ratios[i] = append(ratios[i], d.ours[i]/d.byIt[i])
			exactRatios[i] = append(exactRatios[i], d.ours[i]/d.byExact[i])
			fmt.Printf("| %.1f | %.1f | %.2f | %.1f | %.2f ", d.ours[i], d.byIt[i], d.ours[i]/d.byIt[i], d.byExact[i], d.ours[i]/d.byExact[i])
		}
		fmt.Printf("| %d |\n", wrong)
	}
	if *rounds > 0 {
		fmt.Println()
		printRatios("", ratios)
		printRatios("exact, ", exactRatios)
	}
}

// printRatios prints the lines that scripts/bench reads.
func printRatios(prefix string, ratios [3][]float64) {
	for i, name := range setNames {
		fmt.Printf("%s%s boxes, %d profiles: median %.2f, worst %.2f\n", prefix, name, len(ratios[i]), median(ratios[i]), slices.Max(ratios[i]))
	}
}

// wrong counts the boxes of the mixed set for which the hand has another code.
func (d *duel) wrong(t *testing.T) (n int) {
	for i, set := range d.sets {
		for j, box := range set {
			if j%lab.Draws(20, 1) > 0 {
				continue
			}
			v, _ := d.profile.Check(box)
			if got := d.exact(box); got != v.Code() {
				t.Errorf("%s in %s, %+v: %v, exactly by hand %v", d.profile.Article(), d.profile.Material(), box, v, got)
			}
			if d.hand(box) == v.Code() {
				continue
			}
			if setNames[i] == "mixed" {
				n++
			}
			if at, _ := box.Grid(); !slices.ContainsFunc(d.profile.Exact().Conditions, func(c exact.Condition) bool { return onLimit(c, at) }) {
				t.Errorf("%s in %s, %+v: %v, by hand %v, and it lies on no limit", d.profile.Article(), d.profile.Material(), box, v, d.hand(box))
			}
		}
	}
	return n
}

// onLimit reports whether the two sides of a comparison are equal.
func onLimit(c exact.Condition, at exact.Point) bool {
	if c.Comparison != nil {
		return c.Comparison.Left.Value.At(at).Cmp(c.Comparison.Right.Value.At(at)) == 0
	}
	return slices.ContainsFunc(c.Parts, func(part exact.Condition) bool { return onLimit(part, at) })
}
