package boxrules

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// Advice returns one sentence that says what to change so that the box becomes valid, as in "turn it to
// 141 x 48 x 184, or set depth to 48 or less". The best way to turn the box comes first, because turning
// changes no size. Then comes each dimension whose change alone is enough, beginning with the one to
// blame, or the nearest valid box if there is no such dimension. The sentence is empty for a valid box
// and for the zero [Explanation].
func (e Explanation) Advice() string {
	if e.OK || len(e.Violations) == 0 {
		return ""
	}
	a := advice{dims: e.Dims, blamed: e.Violations[0].Field, ranges: e.Ranges, turned: e.Turned, nearest: e.Nearest}
	return a.sentence(a.singleChanges())
}

// Advice returns what [Explanation.Advice] returns for the box, in less time than [Profile.Explain]: it
// looks for the nearest box only if no change of a single dimension is enough. The error is that of
// [Profile.Nearest].
func (p *Profile) Advice(d Dims, step float64) (string, error) {
	return p.AdviceIn(d, step, p.Unit())
}

// AdviceIn returns the advice with its numbers in another unit than that of the limits, for somebody whose
// list is in that unit. d and step are in the unit of the limits. Both units must be among
// [exact.ConvertibleUnits] if they differ; otherwise the error is an [*OptionError].
//
// The numbers have few decimals, and are valid in the list: lengths are rounded towards the box that can be
// made.
func (p *Profile) AdviceIn(d Dims, step float64, unit string) (string, error) {
	text, err := newLengthText(unit, p.Unit())
	if err != nil {
		return "", err
	}
	// Check the parameters in the order of Explain, so that the errors are the same. Turned checks d.
	turned, err := p.Turned(d)
	if err != nil {
		return "", err
	}
	if err := ValidateStep(step, p.form.Step); err != nil {
		return "", err
	}
	at, _ := d.Grid()
	first := p.firstViolated.First(at)
	if first == len(p.rules) {
		return "", nil // the box is valid
	}
	ranges := p.ranges(at)
	p.markEdges(ranges, at, exact.Grid(step))
	blamed, _ := p.blame(first, at, p.fixableAxes(ranges))
	a := advice{dims: d, blamed: blamed, ranges: ranges, turned: turned, text: text}
	changes := a.singleChanges()
	if len(changes) == 0 { // only then is the search for the nearest box worth its time
		nearest, ok, err := p.Nearest(d, step)
		if err != nil {
			return "", err
		}
		if ok || nearest.Unproved || nearest.Borderline {
			nearest.Dims = p.shortened(nearest, text)
			a.nearest = &nearest
		}
	}
	return a.sentence(changes), nil
}

// shortened returns the nearest box, or one beside it that is valid, too, and needs fewer decimals in the unit of
// the text.
func (p *Profile) shortened(s Suggestion, text lengthText) Dims {
	at, ok := s.Dims.Grid()
	if !ok || text.unit.Den == 0 || !s.Found() {
		return s.Dims
	}
	rounded := text.shorten(at)
	for axis, name := range axisNames {
		if !slices.Contains(s.Changed, name) {
			rounded[axis] = at[axis]
		}
	}
	d := DimsAt(rounded)
	verdict, err := p.Check(d)
	if err != nil || !verdict.OK() {
		return s.Dims
	}
	if _, borderline, err := p.Borderline(d); err != nil || borderline {
		return s.Dims
	}
	return d
}

// An advice holds the facts from which the sentence about an invalid box is composed.
type advice struct {
	dims    Dims
	blamed  string // the dimension to blame for the first violation
	ranges  Ranges
	turned  []Turn
	nearest *Suggestion // as in an Explanation; not used if a single change is enough
	text    lengthText  // the unit of the sentence
}

// sentence returns the advice as text. changes is the result of singleChanges.
func (a advice) sentence(changes []string) string {
	resize, found := a.resize(changes)
	if len(a.turned) == 0 {
		return resize
	}
	turn := "turn it to " + a.turned[0].text(a.text)
	if !found {
		return turn
	}
	return turn + ", or " + resize
}

// singleChanges returns the ways to make the box valid by changing one dimension alone, as in "depth
// to 48 or less". The dimension to blame comes first.
func (a advice) singleChanges() (changes []string) {
	dims, ranges := a.dims.ByAxis(), a.ranges.ByAxis()
	for axis, field := range axisNames {
		change := a.singleChange(field, ranges[axis], dims[axis])
		switch {
		case change == "":
		case field == a.blamed:
			changes = slices.Insert(changes, 0, change)
		default:
			changes = append(changes, change)
		}
	}
	return changes
}

// resize says which dimensions to set. If it cannot propose any, found is false and text says why.
func (a advice) resize(changes []string) (text string, found bool) {
	switch {
	case len(changes) > 0:
		return "set " + strings.Join(changes, ", or "), true
	case a.nearest == nil:
		return "no box of this article is valid with that step", false
	case a.nearest.Borderline:
		return "with that step, every valid box of this article is borderline", false
	case !a.nearest.Found():
		return "no valid box was found; the search stopped before it had tried every box", false
	}
	// Name each dimension that the nearest box changes, as in "set width to 60 and depth to 48".
	var sizes []string
	for axis, x := range a.nearest.Dims.ByAxis() {
		if field := axisNames[axis]; slices.Contains(a.nearest.Changed, field) {
			sizes = append(sizes, field+" to "+a.text.point(exact.Grid(x)))
		}
	}
	return "set " + strings.Join(sizes, " and "), true
}

// singleChange returns the ways to change one dimension alone, to the nearest of its ranges on either
// side, as in "width to between 20 and 35, or to 60 or more".
func (a advice) singleChange(field string, ranges []Range, value float64) string {
	// Look for the nearest range below the value, from the last range to the first, and then for the nearest
	// one above it, from the first to the last. A range without a value to propose is skipped.
	var changes []string
	for _, r := range slices.Backward(ranges) {
		if r.Max >= value { // not below the value
			continue
		}
		if text := a.rangeText(r, "less", r.MinCode, r.MinInner); text != "" {
			changes = append(changes, text)
			break
		}
	}
	for _, r := range ranges {
		if r.Min <= value { // not above the value
			continue
		}
		if text := a.rangeText(r, "more", r.MaxCode, r.MaxInner); text != "" {
			changes = append(changes, text)
			break
		}
	}
	if len(changes) == 0 {
		return ""
	}
	return field + " to " + strings.Join(changes, ", or to ")
}

// rangeText returns the values of a range in the direction "less" or "more", beginning at its near end:
// "60 or more". It mentions the far end, as in "between 60 and 90", only if something other than the
// article's limit ends the range there, because everybody expects the limit. Borderline ends are replaced
// by safe ones. If that leaves no value to propose, rangeText returns "".
func (a advice) rangeText(r Range, direction string, farCode Code, inner bool) string {
	least, greatest, ok := r.proposedEnds()
	if !ok {
		return ""
	}
	low, high := a.text.ends(exact.Grid(least), exact.Grid(greatest))
	// The near end is the one closer to the current value. For a change to smaller values, that is the
	// greatest.
	near := high
	if direction == "more" {
		near = low
	}
	switch {
	case low == high: // a single value
		return near
	case farCode == "" || farCode.isLimitCode() && !inner:
		return near + " or " + direction
	}
	return fmt.Sprintf("between %s and %s", low, high)
}
