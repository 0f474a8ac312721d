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

// ErrUnknownCode is the error of [Learner.Add] for a refusal with a code that the rules do not have.
// Services check the limits first, and a rule that is not documented comes after the documented rules
// of its stage. So Add learns that the box is within all limits. If another answer shows that the
// service checks the code before the limits, Add forgets everything that it learned from the code, and
// ignores it from then on. It learns nothing from a code such as BOX_2106, whose number says that it
// belongs to the limits.
var ErrUnknownCode = errors.New("the rules do not have the code: the answer shows at most that the box is within the limits")

// RefusesBoxes reports whether a service may refuse a box with the code, whether or not any rules have the code. It is
// true for BOX_9999, and false for DLN_1101, which is about a parameter, and QTT_1114, which is about a quantity.
func RefusesBoxes(code boxrules.Code) bool {
	text := string(code)
	return wording.IsCode(text) && !strings.HasPrefix(text, "DLN_") && !strings.HasPrefix(text, "QTT_")
}

// observeUnknownCode records that the service refused a box with a code that the rules do not have. It concludes
// that the box is within all limits. If earlier answers contradict that, it concludes nothing, and distrusts the
// code.
func (l *Learner) observeUnknownCode(p *profile, at exact.Point, e state.Evidence) {
	if l.checkedBeforeLimits[e.Code] || strings.HasPrefix(string(e.Code), "BOX_2") {
		return
	}
	var conclusions []conclusion
	for k := range l.limitTests {
		c, _ := l.comparison(p, at, k)
		// Older answers about documented codes are stronger evidence than this one. If they say that the box
		// is beyond a limit, the service must check the code first.
		passes := c.conclude(c.failsOutside)
		if may, mayNot := c.mayContain(); passes.contains && !may || !passes.contains && !mayNot {
			l.distrustUnknownCode(e.Code)
			return
		}
		conclusions = append(conclusions, passes)
	}
	p.maskedBoxes = appendRecentBox(p.maskedBoxes, at)
	for _, c := range conclusions {
		c.unknown.Observe(c.observation(e), c.contains) // causes no conflict
	}
}

// refuteUnknownCodes forgets everything that was learned from a code that the rules do not have if the conclusion
// contradicts any of it.
func (l *Learner) refuteUnknownCodes(c conclusion) {
	// distrust drops all observations from one code. Repeat until the conclusion contradicts none that is left.
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
		l.distrustUnknownCode(opposite[i].Code)
	}
}

// distrustUnknownCode forgets everything that was learned from the code, and ignores the code from now on, because the
// service checks it before the limits.
func (l *Learner) distrustUnknownCode(code boxrules.Code) {
	l.checkedBeforeLimits[code] = true
	for _, a := range l.articles {
		a.hidden = nil
	}
	for _, u := range l.unknowns {
		u.Observations().DropWhere(func(o state.Observation) bool { return o.Code == code })
	}
}

// maxRecent is the maximum number of judged boxes, and of masked boxes, that unmaskedProbability uses.
const maxRecent = 100

// appendRecentBox appends a box, and drops the oldest one if there are already maxRecent.
func appendRecentBox(boxes []exact.Point, at exact.Point) []exact.Point {
	if len(boxes) >= maxRecent {
		boxes = slices.Delete(boxes, 0, 1)
	}
	return append(boxes, at)
}

// unmaskedProbability estimates the probability that a box is not refused with a code that the rules
// do not have. Such a refusal masks all later checks: it tells nothing about constraints and
// sheets.
//
// The estimate is a weighted share of the answers so far, in which similar boxes count most. If three boxes
// near this one were refused with such a code, and only one far away was not, the probability is small, and
// the planner prefers boxes elsewhere. Without the estimate, it would keep asking about boxes that are all
// refused with such a code.
func (p *profile) unmaskedProbability(at exact.Point) float64 {
	if len(p.maskedBoxes) == 0 {
		return 1
	}
	weight := func(boxes []exact.Point) (sum float64) {
		for _, b := range boxes {
			// This is the square of the distance on a logarithmic scale, on which 100 is as far from 200 as
			// 200 from 400. It is never 0, so that the weight of the same box is finite.
			distance := 1e-6
			for axis, x := range b {
				d := math.Log(float64(x) / float64(at[axis]))
				distance += d * d
			}
			sum += 1 / (distance * distance)
		}
		return sum
	}
	// Return at least 0.01, so that a box that tells something is still chosen if there is no better one.
	reached, masked := weight(p.judgedBoxes), weight(p.maskedBoxes)
	return max(0.01, reached/(reached+masked))
}
