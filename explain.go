package boxrules

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/internal/reasons"
)

// An Explanation says why a box is not valid and what would make it so. The command and the web
// answer with it as JSON, which means the same when it is read back.
type Explanation struct {
	Dims      // the box asked about
	OK   bool `json:"ok"`
	Code Code `json:"code,omitempty"` // the first violation's; empty for a valid box
	// Borderline is what a service that computes in floating point may report instead: a code, or
	// "valid". It is empty for a box that is not borderline. See [Profile.Borderline].
	Borderline string   `json:"borderline,omitempty"`
	Violations []Reason `json:"violations"` // in check order
	Ranges     Ranges   `json:"ranges"`     // how far each dimension may go alone
	// Turned lists the other ways round in which the box is valid, the best first; nil where
	// there are none. See [Profile.Turned].
	Turned []Turn `json:"turned,omitempty"`
	// Nearest is nil for a valid box, and where it is proved that on the step no box is valid. It has no
	// box where none was found, and says why.
	Nearest *Suggestion `json:"nearest,omitempty"`
}

// A Reason says why one rule is violated.
type Reason struct {
	Code  Code  `json:"code"`
	Stage Stage `json:"stage"`
	// Message holds the rule's text for people.
	Message string `json:"message"`
	// Field names the dimension to blame, one that the part of the condition in Values mentions:
	// the first, in the order of the text, whose change alone, within the article's limits, makes
	// the box valid; else the first whose change makes this rule hold no more; else simply the
	// first. It is empty where no dimension is mentioned.
	Field string `json:"field,omitempty"`
	// Condition holds the rule's condition, as written.
	Condition string `json:"condition"`
	// Values shows the part of the condition that holds, with the box's numbers in place, as in
	// "depth 141 > width 48". A number with no short decimal is rounded to the grid and marked
	// with ≈.
	Values string `json:"values"`
	// By says by how much Field has to change at least, in the catalogue's unit, until the rule
	// holds no more; 0 where no change of a single dimension is enough.
	By float64 `json:"by"`
	// Tie says that the box lies exactly on a limit: the two sides of a comparison in Values are
	// equal.
	Tie bool `json:"tie"`
}

// String returns Values in one line, behind the message where the rule is the user's own: "too tall
// for our gluer (height 61 > width 20)". The messages of documented rules say no more than Values.
func (r Reason) String() string {
	if _, documented := r.Code.Info(); documented {
		return r.Values
	}
	return strings.Join(strings.Fields(r.Message), " ") + " (" + r.Values + ")"
}

// EdgeNote returns one sentence for a box that is borderline, as in "on the edge of BOX_3119: a service
// that computes in floating point may refuse it". It is empty for every other box.
func (e Explanation) EdgeNote() string {
	const service = "a service that computes in floating point may "
	switch {
	case e.Borderline == "":
		return ""
	case e.OK:
		return "on the edge of " + e.Borderline + ": " + service + "refuse it"
	case e.Borderline == validAnswer:
		return "on the edge of " + string(e.Code) + ": " + service + "accept it"
	}
	return "on the edge of a rule: " + service + "report " + e.Borderline
}

// Explain returns why a box is not valid, how far each dimension may go alone, which other ways
// round it is valid, and which valid box is nearest on the step (see [Profile.Nearest]). The
// error is that of [Profile.Nearest].
func (p *Profile) Explain(d Dims, step float64) (Explanation, error) {
	nearest, ok, err := p.Nearest(d, step)
	if err != nil {
		return Explanation{}, err
	}
	at, _ := d.Grid()
	ranges := p.ranges(at)
	p.markEdges(ranges, at, exact.Grid(step))
	reasons := p.reasons(at, ranges)
	e := Explanation{Dims: d, OK: len(reasons) == 0, Violations: reasons, Ranges: ranges}
	if other, ok, _ := p.Borderline(d); ok {
		e.Borderline = other.answer()
	}
	if !e.OK {
		e.Code = reasons[0].Code
		if ok || nearest.Unproved || nearest.Borderline {
			e.Nearest = &nearest
		}
		e.Turned, err = p.Turned(d)
	}
	return e, err
}

// Reasons returns for each rule that the box violates, in check order, why it does. For a valid
// box it returns an empty slice that is not nil. The error is that of [Profile.Check].
func (p *Profile) Reasons(d Dims) ([]Reason, error) {
	if p.accepted == nil {
		return nil, errNotMade
	}
	at, err := p.point(d)
	if err != nil {
		return nil, err
	}
	return p.reasons(at, p.ranges(at)), nil
}

// reasons returns what Reasons does for a box with these ranges.
func (p *Profile) reasons(at exact.Point, ranges Ranges) []Reason {
	reasons := []Reason{}
	enough := p.enough(ranges)
	for i := range p.rules {
		if p.rules[i].program.Holds(at) {
			reasons = append(reasons, p.reason(i, at, enough))
		}
	}
	return reasons
}

// AppendReason appends to dst why the box violates the first rule that it does, in the words of
// [Reason.Values], and returns the extended slice. It takes much less time than
// [Profile.Reasons]. For a valid box it appends nothing. The error is that of [Profile.Check],
// and then dst is returned as it was.
func (p *Profile) AppendReason(dst []byte, d Dims) ([]byte, error) {
	if p.accepted == nil {
		return dst, errNotMade
	}
	v, err := p.Check(d)
	if err != nil || v.OK() {
		return dst, err
	}
	at, _ := d.Grid()
	var buffer [8]*exact.Comparison
	for i := range p.rules {
		if &p.rules[i].violation == v.violation {
			decisive := reasons.Decisive(&p.form.Conditions[i], at, buffer[:0])
			dst, _ = reasons.Append(dst, decisive, p.form.Variables, at)
		}
	}
	return dst, nil
}

// enough reports for each axis whether a change along it alone, within the article's limits, can
// make a box with these ranges valid.
func (p *Profile) enough(ranges Ranges) (enough [exact.Axes]bool) {
	for axis, valid := range ranges.byAxis() {
		low, high := exact.Units(p.form.Low[axis]), exact.Units(p.form.High[axis])
		enough[axis] = slices.ContainsFunc(valid, func(r Range) bool { return r.Min <= high && r.Max >= low })
	}
	return enough
}

// reason returns why the box violates the rule. enough says along which axes a change alone makes
// the box valid.
func (p *Profile) reason(rule int, at exact.Point, enough [exact.Axes]bool) Reason {
	r := &p.rules[rule]
	var buffer [8]*exact.Comparison
	comparisons := reasons.Decisive(&p.form.Conditions[rule], at, buffer[:0])
	values, tie := reasons.Append(nil, comparisons, p.form.Variables, at)
	field, by := p.blame(rule, at, enough)
	return Reason{r.Code, r.Stage, r.Message, field, r.When, string(values), by, tie}
}

// blame returns Field and By of the reason why the box violates the rule.
func (p *Profile) blame(rule int, at exact.Point, enough [exact.Axes]bool) (field string, by float64) {
	var buffer [8]*exact.Comparison
	var blamed [exact.Axes]int
	mentioned := blamed[:0]
	for _, c := range reasons.Decisive(&p.form.Conditions[rule], at, buffer[:0]) {
		for _, axis := range c.Axes {
			if !slices.Contains(mentioned, axis) {
				mentioned = append(mentioned, axis)
			}
		}
	}
	if len(mentioned) > 0 {
		field = axisNames[mentioned[0]]
	}
	for _, axis := range mentioned {
		if by > 0 && !enough[axis] {
			continue
		}
		if least, ok := p.mend(&p.rules[rule], at, axis); ok {
			field, by = axisNames[axis], exact.Units(least)
		}
		if enough[axis] {
			break
		}
	}
	return field, by
}

// mend returns the least change of the box along the axis, within the article's limits, after
// which the rule holds no more; ok is false where there is none.
func (p *Profile) mend(r *appliedRule, at exact.Point, axis int) (by int64, ok bool) {
	low, high := p.form.Low[axis], p.form.High[axis]
	var buffer [16]program.Piece
	for _, piece := range r.program.Sweep(at, axis, p.form.Step, buffer[:0]) {
		from, to := max(piece.From, low), min(piece.To, high)
		if piece.First == 0 || from > to { // the rule holds here, or nothing here is within the limits
			continue
		}
		if change := max(from-at[axis], at[axis]-to); !ok || change < by {
			by, ok = change, true
		}
	}
	return by, ok
}

// Advice returns one sentence that says what to change so that the box becomes valid, as in "turn
// it to 141 x 48 x 184, or set depth to 48 or less": the best way to turn the box, which changes
// no size; then each dimension whose change alone is enough, the one to blame first, or else the
// nearest valid box. It is empty for a valid box and for the zero [Explanation].
func (e Explanation) Advice() string {
	if e.OK || len(e.Violations) == 0 {
		return ""
	}
	return e.advice(e.ways())
}

// advice returns what Advice does, given the ways to change a single dimension.
func (e Explanation) advice(ways []string) string {
	resize, found := e.resize(ways)
	if len(e.Turned) == 0 {
		return resize
	}
	turn := "turn it to " + e.Turned[0].String()
	if !found {
		return turn
	}
	return turn + ", or " + resize
}

// Advice returns what [Explanation.Advice] says of the box, in less time than [Profile.Explain]: it
// looks for the nearest box only where no change of a single dimension is enough. The error is
// that of [Profile.Nearest].
func (p *Profile) Advice(d Dims, step float64) (string, error) {
	turned, err := p.Turned(d)
	if err != nil {
		return "", err
	}
	if err := ValidateStep(step, p.form.Step); err != nil {
		return "", err
	}
	at, _ := d.Grid()
	first := p.first.First(at)
	if first == len(p.rules) {
		return "", nil
	}
	ranges := p.ranges(at)
	p.markEdges(ranges, at, exact.Grid(step))
	field, _ := p.blame(first, at, p.enough(ranges))
	e := Explanation{Dims: d, Violations: []Reason{{Field: field}}, Ranges: ranges, Turned: turned}
	ways := e.ways()
	if len(ways) == 0 {
		nearest, ok, err := p.Nearest(d, step)
		if err != nil {
			return "", err
		}
		if ok || nearest.Unproved || nearest.Borderline {
			e.Nearest = &nearest
		}
	}
	return e.advice(ways), nil
}

// ways returns the ways to make the box valid by changing a single dimension, that to blame first, as in
// "depth to 48 or less".
func (e Explanation) ways() (ways []string) {
	dims, ranges := e.Dims.byAxis(), e.Ranges.byAxis()
	for axis, field := range axisNames {
		way := oneWay(field, ranges[axis], dims[axis])
		switch {
		case way == "":
		case field == e.Violations[0].Field:
			ways = slices.Insert(ways, 0, way)
		default:
			ways = append(ways, way)
		}
	}
	return ways
}

// resize says which sizes to set; where it knows none, found is false and advice says why.
func (e Explanation) resize(ways []string) (advice string, found bool) {
	switch {
	case len(ways) > 0:
		return "set " + strings.Join(ways, ", or "), true
	case e.Nearest == nil:
		return "no box of this article is valid on that step", false
	case e.Nearest.Borderline:
		return "every valid box of this article on that step is on the edge of a rule", false
	case !e.Nearest.Found():
		return "no valid box was found; the search was given up", false
	}
	var changes []string
	for axis, x := range e.Nearest.Dims.byAxis() {
		if field := axisNames[axis]; slices.Contains(e.Nearest.Changed, field) {
			changes = append(changes, field+" to "+gridText(exact.Grid(x)))
		}
	}
	return "set " + strings.Join(changes, " and "), true
}

// oneWay returns the ways to change the field alone, to the nearest of its ranges on either side,
// as in "width to between 20 and 35, or to 60 or more".
func oneWay(field string, ranges []Range, value float64) string {
	var ways []string
	for _, r := range slices.Backward(ranges) {
		if r.Max >= value {
			continue
		}
		if way := reach(r, "less", r.MinCode, r.MinInner); way != "" {
			ways = append(ways, way)
			break
		}
	}
	for _, r := range ranges {
		if r.Min <= value {
			continue
		}
		if way := reach(r, "more", r.MaxCode, r.MaxInner); way != "" {
			ways = append(ways, way)
			break
		}
	}
	if len(ways) == 0 {
		return ""
	}
	return field + " to " + strings.Join(ways, ", or to ")
}

// reach returns the values of a range, without an end that is borderline, from the near end on: "60 or
// more". Only if a rule that is no limit of the article ends the range does it name the far end, as in
// "between 60 and 90". It returns nothing if there is no value to propose.
func reach(r Range, direction string, endCode Code, inner bool) string {
	least, greatest, ok := r.ends()
	near := greatest
	if direction == "more" {
		near = least
	}
	switch {
	case !ok:
		return ""
	case least == greatest:
		return gridText(exact.Grid(near))
	case endCode == "" || endCode.isLimit() && !inner:
		return gridText(exact.Grid(near)) + " or " + direction
	}
	return fmt.Sprintf("between %s and %s", gridText(exact.Grid(least)), gridText(exact.Grid(greatest)))
}
