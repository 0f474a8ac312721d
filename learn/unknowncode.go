package learn

import (
	"errors"
	"math"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn/internal/state"
)

// ErrUnknownCode is the error of [Learner.Add] for a refusal by a code that the rules do not have.
// The service checks the limits first, and rules of one's own come after the documented ones of
// their stage, so that Add has learned that the box is within all limits. It takes that back, and
// learns no more from the code, once another answer shows that the code comes before the limits.
// From a code such as BOX_2106, which by its number is of the boundary stage, it learns nothing.
var ErrUnknownCode = errors.New("the rules do not have the code: the answer tells at most that the box is within the limits")

// RefusesBoxes reports whether a code may be one by which a service refuses a box, whatever rules
// have it: BOX_9999 may, while DLN_1101 is about a parameter and QTT_1114 about a quantity.
func RefusesBoxes(code boxrules.Code) bool {
	text := string(code)
	return wording.IsCode(text) && !strings.HasPrefix(text, "DLN_") && !strings.HasPrefix(text, "QTT_")
}

// observeUnknownCode learns from a refusal by a code that the rules do not have that the box is
// within all limits, unless that cannot be true.
func (l *Learner) observeUnknownCode(p *profile, at exact.Point, e state.Evidence) {
	if l.beforeLimits[e.Code] || strings.HasPrefix(string(e.Code), "BOX_2") {
		return
	}
	var conclusions []conclusion
	for k := range l.limitTests {
		c, _ := l.comparison(p, at, k)
		passes := c.conclude(c.failsOutside)
		if may, mayNot := c.mayContain(); passes.contains && !may || !passes.contains && !mayNot {
			l.distrust(e.Code)
			return
		}
		conclusions = append(conclusions, passes)
	}
	p.masked = appendRecent(p.masked, at)
	for _, c := range conclusions {
		c.unknown.Observe(c.observation(e), c.contains)
	}
}

// refute takes back what was learned from codes that the rules do not have, if the conclusion
// contradicts it.
func (l *Learner) refute(c conclusion) {
	for {
		opposite := c.unknown.Observations().Excluded
		if !c.contains {
			opposite = c.unknown.Observations().Contained
		}
		i := slices.IndexFunc(opposite, func(o state.Observation) bool {
			return o.Code != "" && (c.contains && state.Inside(o.At, c.at) || !c.contains && state.Inside(c.at, o.At))
		})
		if i < 0 {
			return
		}
		l.distrust(opposite[i].Code)
	}
}

// distrust forgets what was learned from the code, because the service checks it before the limits.
func (l *Learner) distrust(code boxrules.Code) {
	l.beforeLimits[code] = true
	for _, u := range l.unknowns {
		u.Observations().DropWhere(func(o state.Observation) bool { return o.Code == code })
	}
}

// maxRecent bounds the boxes from which unmaskedProbability estimates.
const maxRecent = 100

// appendRecent appends a box, and drops the oldest if there are many.
func appendRecent(boxes []exact.Point, at exact.Point) []exact.Point {
	if len(boxes) >= maxRecent {
		boxes = slices.Delete(boxes, 0, 1)
	}
	return append(boxes, at)
}

// unmaskedProbability estimates the probability that a box is not refused by a code that the rules
// do not have. Such a refusal masks all later checks: it tells nothing about constraints and
// sheets.
//
// The estimate comes from the answers so far, and those about similar boxes count most. If three
// boxes near this one were refused by such a code, and one far away was judged, it is small, so
// that the planner asks elsewhere. Without it the planner would go on asking where everything is
// masked.
func (p *profile) unmaskedProbability(at exact.Point) float64 {
	if len(p.masked) == 0 {
		return 1
	}
	weight := func(boxes []exact.Point) (sum float64) {
		for _, b := range boxes {
			distance := 1e-6
			for axis, x := range b {
				d := math.Log(float64(x) / float64(at[axis]))
				distance += d * d
			}
			sum += 1 / (distance * distance)
		}
		return sum
	}
	reached, masked := weight(p.judged), weight(p.masked)
	return max(0.01, reached/(reached+masked))
}
