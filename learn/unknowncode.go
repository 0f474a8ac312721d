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

// ErrUnknownCode is the error that [Learner.Add] returns for a refusal with a code that the rules do not define.
// Services check the limits first, and a rule that is not documented comes after the documented rules of its stage. So
// Add learns that the box is within all limits. But another answer may show that the service checks the code before the
// limits. In that case Add forgets everything that it learned from the code, and ignores the code from then on. From a
// code such as BOX_2106, Add learns nothing, because the number shows that the code is about a limit.
var ErrUnknownCode = errors.New("the rules do not define the code: the answer shows at most that the box is within the limits")

// RefusesBoxes reports whether services may refuse a box with the code, even if the rules do not define it. It is true
// for BOX_9999. It is false for DLN_1101, which is about a parameter, and for QTT_1114, which is about a quantity.
func RefusesBoxes(code boxrules.Code) bool {
	text := string(code)
	return wording.IsCode(text) && !strings.HasPrefix(text, "DLN_") && !strings.HasPrefix(text, "QTT_")
}

// observeUnknownCode records that the service refused a box with a code that the rules do not define. It concludes that
// the box is within all limits, unless that contradicts earlier answers. In that case it distrusts the code instead.
func (l *Learner) observeUnknownCode(p *profile, at exact.Point, e state.Evidence) {
	if l.checkedBeforeLimits[e.Code] || strings.HasPrefix(string(e.Code), "BOX_2") {
		return
	}
	var conclusions []conclusion
	for k := range l.limitTests {
		c, _ := l.comparison(p, at, k)
		// Older answers with documented codes are stronger evidence than this answer. If the box is beyond a limit
		// according to them, the service must check the code before the limits.
		passes := c.conclude(c.failsOutside)
		if may, mayNot := c.possibleOutcomes(); passes.contains && !may || !passes.contains && !mayNot {
			l.distrustUnknownCode(e.Code)
			return
		}
		conclusions = append(conclusions, passes)
	}
	p.maskedBoxes = appendRecentBox(p.maskedBoxes, at)
	for _, c := range conclusions {
		c.unknown.Observe(c.observation(e), c.contains) // there cannot be a conflict
	}
}

// refuteUnknownCodes compares a conclusion with everything that was learned from codes that the rules do not define. If
// something that was learned from one of these codes contradicts the conclusion, it distrusts that code.
func (l *Learner) refuteUnknownCodes(c conclusion) {
	// distrustUnknownCode drops all observations that follow from one code. Repeat that until the conclusion
	// contradicts none of the observations that are left.
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

// distrustUnknownCode is called if the service turns out to check a code before the limits. It forgets everything that
// was learned from the code. From then on, answers with the code are ignored.
func (l *Learner) distrustUnknownCode(code boxrules.Code) {
	l.checkedBeforeLimits[code] = true
	for _, a := range l.articles {
		a.hidden = nil
	}
	for _, u := range l.unknowns {
		u.Observations().DropWhere(func(o state.Observation) bool { return o.Code == code })
	}
}

// maxRecent is the maximum number of boxes in profile.judgedBoxes, and in profile.maskedBoxes.
const maxRecent = 100

// appendRecentBox appends a box. If there are already maxRecent boxes, it drops the oldest one.
func appendRecentBox(boxes []exact.Point, at exact.Point) []exact.Point {
	if len(boxes) >= maxRecent {
		boxes = slices.Delete(boxes, 0, 1)
	}
	return append(boxes, at)
}

// unmaskedProbability estimates the probability that the answer about a box is not masked. An answer is masked if the
// service refuses the box with a code that the rules do not define, or with the code of an opaque rule. Then nothing
// can be learned about the checks that would come after it.
//
// The estimate is the share of the answers so far that were not masked. Answers about similar boxes have the
// greatest weight. If the answers about three boxes near this one were masked, and only one about a box far away
// was not, the probability is small, and the planner prefers boxes elsewhere. Without this estimate, the planner
// would keep asking about boxes whose answers are masked.
func (p *profile) unmaskedProbability(at exact.Point) float64 {
	if len(p.maskedBoxes) == 0 {
		return 1
	}
	weight := func(boxes []exact.Point) (sum float64) {
		for _, b := range boxes {
			// Compute the square of the distance on a logarithmic scale, on which 100 is as far from 200 as 200
			// from 400. It must not be 0, so that the weight of the same box is finite.
			distance := 1e-6
			for axis, x := range b {
				d := math.Log(float64(x) / float64(at[axis]))
				distance += d * d
			}
			sum += 1 / (distance * distance)
		}
		return sum
	}
	// Return at least 0.01, so that an informative box is still chosen if there is no better one.
	reached, masked := weight(p.judgedBoxes), weight(p.maskedBoxes)
	return max(0.01, reached/(reached+masked))
}
