package learn

import (
	"errors"
	"math"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
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

// addUnknownCode learns that the box of a refusal is within all limits, unless that cannot be true.
func (l *Learner) addUnknownCode(p *profile, at exact.Point, e evidence) {
	if l.early[e.code] || strings.HasPrefix(string(e.code), "BOX_2") {
		return
	}
	var facts []fact
	for k := range l.tests {
		q, _ := l.question(p, at, k)
		f := q.fact(q.lacks)
		if has, lacks := q.possible(); f.has && !has || !f.has && !lacks {
			l.distrust(e.code)
			return
		}
		facts = append(facts, f)
	}
	p.masked = appendRecent(p.masked, at)
	for _, f := range facts {
		f.of.learn(mark{f.at, f.asked, e}, f.has)
	}
}

// refute takes back what was learned from codes that the rules do not have, if the fact contradicts
// it.
func (l *Learner) refute(f fact) {
	for {
		opposite := f.of.lacks
		if !f.has {
			opposite = f.of.has
		}
		i := slices.IndexFunc(opposite, func(m mark) bool {
			return m.code != "" && (f.has && inside(m.at, f.at) || !f.has && inside(f.at, m.at))
		})
		if i < 0 {
			return
		}
		l.distrust(opposite[i].code)
	}
}

// distrust forgets what was learned from the code, which comes before the limits.
func (l *Learner) distrust(code boxrules.Code) {
	l.early[code] = true
	for _, u := range l.unknowns {
		fromCode := func(m mark) bool { return m.code == code }
		u.has, u.lacks = slices.DeleteFunc(u.has, fromCode), slices.DeleteFunc(u.lacks, fromCode)
	}
}

// maxRecent bounds the boxes from which clear estimates.
const maxRecent = 100

// appendRecent appends a box, in the place of the oldest if there are many.
func appendRecent(boxes []exact.Point, at exact.Point) []exact.Point {
	if len(boxes) >= maxRecent {
		boxes = slices.Delete(boxes, 0, 1)
	}
	return append(boxes, at)
}

// clear estimates the probability that a box is not refused by a code that the rules do not have. Such a
// refusal tells nothing about constraints and sheets. The estimate comes from the answers so far, and those
// about near boxes count most. Without it question after question would go where such a code masks
// everything else.
func (p *profile) clear(at exact.Point) float64 {
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
	reached, masked := weight(p.reached), weight(p.masked)
	return max(0.01, reached/(reached+masked))
}
