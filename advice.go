package boxrules

import (
	"cmp"
	"slices"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/locale"
)

// Advice returns one sentence that says what to change so that the box becomes valid, as in "turn it to 141 x
// 48 x 184, or set depth to 48 or less". The best way to turn the box comes first, because turning keeps all
// three dimensions. Then come the dimensions that can be changed alone to make the box valid, beginning with
// the one to blame. If there is no such dimension, the nearest valid box is named instead. The sentence is
// empty for a valid box and for the zero [Explanation].
func (e Explanation) Advice() string { return e.AdviceIn("en") }

// AdviceIn returns the sentence of [Explanation.Advice] in English, German or French. The language is a BCP
// 47 tag such as "de" or "de-AT". For any other language, the sentence is in English. In German and French,
// 48.5 is written as 48,5, and the dimensions have the names that forms use: in German, the width is the
// Länge and the depth is the Breite.
func (e Explanation) AdviceIn(language string) string {
	if e.OK || len(e.Violations) == 0 {
		return ""
	}
	a := advice{dims: e.Dims, blamed: e.Violations[0].Field, ranges: e.Ranges, turned: e.Turned, nearest: e.Nearest}
	a.locale, _ = locale.Of(language)
	return a.sentence(a.singleChanges())
}

// Advice returns the sentence of [Explanation.Advice] for the box. It takes less time than [Profile.Explain],
// because it looks for the nearest box only if changing a single dimension is not enough. It returns the same
// errors as [Profile.Nearest].
func (p *Profile) Advice(d Dims, step float64) (string, error) {
	return p.AdviceIn(d, step, AdviceOptions{})
}

// AdviceOptions are the options of [Profile.AdviceIn]. With the zero AdviceOptions, Profile.AdviceIn returns the same
// sentence as [Profile.Advice].
type AdviceOptions struct {
	// Language is the language of the sentence, as a tag; see [Explanation.AdviceIn]. Empty means English.
	Language string
	// Unit is the unit of the numbers in the sentence, such as the unit of the user's own list. Empty means
	// the unit of the limits. If it differs from the unit of the limits, both must be among
	// [exact.ConvertibleUnits]. Converted numbers are rounded to few decimals, and always to values for which
	// the box is valid.
	Unit string
}

// AdviceIn returns the sentence of [Profile.Advice] in the language and the unit given by the options. d and step are
// in the unit of the limit file. AdviceIn returns the same errors as [Profile.Nearest], and an [*OptionError] if the
// unit cannot be converted.
func (p *Profile) AdviceIn(d Dims, step float64, o AdviceOptions) (string, error) {
	lengths, err := newLengthText(cmp.Or(o.Unit, p.Unit()), p.Unit())
	if err != nil {
		return "", err
	}
	// Check the parameters in the same order as Explain, so that the errors are the same. Turned checks d.
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
	a := advice{dims: d, blamed: blamed, ranges: ranges, turned: turned, lengths: lengths}
	a.locale, _ = locale.Of(o.Language)
	changes := a.singleChanges()
	if len(changes) == 0 { // the search takes long, so it runs only if its result is needed
		nearest, ok, err := p.Nearest(d, step)
		if err != nil {
			return "", err
		}
		if ok || nearest.Unproved || nearest.Borderline {
			nearest.Dims = p.adviceDims(nearest, lengths)
			a.nearest = &nearest
		}
	}
	return a.sentence(changes), nil
}

// adviceDims rounds the changed dimensions of the suggested box, so that they have fewer decimals in
// the unit of the sentence. If the rounded box is invalid or borderline, it returns the suggested box itself.
func (p *Profile) adviceDims(s Suggestion, lengths lengthText) Dims {
	at, ok := s.Dims.Grid()
	if !ok || lengths.unit.Den == 0 || !s.Found() {
		return s.Dims
	}
	rounded := lengths.roundPoint(at)
	for axis, name := range axisNames {
		// Dimensions that do not change stay exactly as they are.
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

// advice holds everything that is needed to write the sentence about an invalid box.
type advice struct {
	dims    Dims
	blamed  string // the dimension to blame for the first violation
	ranges  Ranges
	turned  []Turn
	nearest *Suggestion // as in an Explanation; not used if a single change is enough
	locale  *locale.Locale
	lengths lengthText // writes lengths in the unit of the sentence
}

// phrase returns the phrase with the given key, in the language of the sentence. namesAndValues alternates between the
// name of a placeholder in the phrase and the text that replaces it.
func (a advice) phrase(key string, namesAndValues ...string) string {
	return locale.Fill(a.locale.Advice[key], func(name string) string {
		return namesAndValues[slices.Index(namesAndValues, name)+1]
	})
}

// formatNumber converts a dimension to the unit of the sentence, and formats it as is usual in its
// language.
func (a advice) formatNumber(x float64) string {
	return a.localizeNumber(a.lengths.text(exact.Grid(x)))
}

// localizeNumber replaces the decimal point in a number with the decimal separator of the sentence's language.
func (a advice) localizeNumber(number string) string {
	return strings.Replace(number, ".", a.locale.Decimal, 1)
}

func (a advice) turnText(t Turn) string {
	key := "turn"
	if t.Opening == OtherOpening {
		key = "turnOther"
	}
	return a.phrase(key, "box", a.formatNumber(t.Width)+" x "+a.formatNumber(t.Depth)+" x "+a.formatNumber(t.Height))
}

// changeText returns the name of a dimension followed by the values to set it to, as in "depth to 48 or
// less".
func (a advice) changeText(field, values string) string {
	return a.phrase("change", "field", a.locale.Form[field], "values", values)
}

// sentence returns the complete sentence. changes is the result of singleChanges.
func (a advice) sentence(changes []string) string {
	resize, found := a.resizeText(changes)
	if len(a.turned) == 0 {
		return resize
	}
	turn := a.turnText(a.turned[0])
	if !found {
		return turn
	}
	return turn + a.phrase("or") + resize
}

// singleChanges returns a text for each dimension that can be changed alone to make the box valid, as in
// "depth to 48 or less". The dimension to blame comes first.
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

// resizeText says which dimensions to change, and to what values. If there is nothing to propose, found is
// false and text says why.
func (a advice) resizeText(changes []string) (text string, found bool) {
	switch {
	case len(changes) > 0:
		return a.phrase("set", "changes", strings.Join(changes, a.phrase("or"))), true
	case a.nearest == nil:
		return a.phrase("none"), false
	case a.nearest.Borderline:
		return a.phrase("borderline"), false
	case !a.nearest.Found():
		return a.phrase("notFound"), false
	}
	// Name each dimension that differs in the nearest box, as in "set width to 60 and depth to 48".
	var sizes []string
	for axis, x := range a.nearest.Dims.ByAxis() {
		if field := axisNames[axis]; slices.Contains(a.nearest.Changed, field) {
			sizes = append(sizes, a.changeText(field, a.formatNumber(x)))
		}
	}
	return a.phrase("set", "changes", strings.Join(sizes, a.phrase("and"))), true
}

// singleChange says how to make the box valid by changing only this dimension. It names the nearest valid
// range below the current value and the nearest one above it, as in "width to between 20 and 35, or to 60 or
// more".
func (a advice) singleChange(field string, ranges []Range, value float64) string {
	// Look for the nearest range below the value, from the last range to the first, and then for the nearest
	// one above it, from the first to the last. A range without a value to propose is skipped.
	var changes []string
	for _, r := range slices.Backward(ranges) {
		if r.Max >= value { // not below the value
			continue
		}
		if text := a.rangeText(r, "atMost", r.MinCode, r.MinInner); text != "" {
			changes = append(changes, text)
			break
		}
	}
	for _, r := range ranges {
		if r.Min <= value { // not above the value
			continue
		}
		if text := a.rangeText(r, "atLeast", r.MaxCode, r.MaxInner); text != "" {
			changes = append(changes, text)
			break
		}
	}
	if len(changes) == 0 {
		return ""
	}
	return a.changeText(field, strings.Join(changes, a.phrase("orValue")))
}

// rangeText describes a range of values to which the dimension can be changed. key is "atMost" if the range is below
// the current value, and "atLeast" if it is above. The text names both ends of the range: "between 60 and 90". It
// leaves out the far end if that end is simply the article's limit: "60 or more". farCode is the code that applies
// beyond the far end, and isInner is r.MinInner or r.MaxInner for that end. If an end is borderline, the text names a
// value inside the range instead. If no value of the range can be proposed, rangeText returns "".
func (a advice) rangeText(r Range, key string, farCode Code, isInner bool) string {
	least, greatest, ok := r.proposedEnds()
	if !ok {
		return ""
	}
	low, high := a.lengths.intervalTexts(exact.Grid(least), exact.Grid(greatest))
	isFarEndExpected := farCode == "" || farCode.isLimitCode() && !isInner
	switch {
	case low == high: // a single value
		return a.localizeNumber(low)
	case !isFarEndExpected:
		key = "between"
	}
	return a.phrase(key, "min", a.localizeNumber(low), "max", a.localizeNumber(high))
}

// AdviceIn calls [Profile.AdviceIn] for the article and the material of the box. The error is an *[InputError], or an
// error from [Profile.AdviceIn].
func (e *Engine) AdviceIn(b Box, step float64, o AdviceOptions) (string, error) {
	p, err := e.Profile(b.Article, b.Material)
	if err != nil {
		return "", err
	}
	return p.AdviceIn(b.Dims, step, o)
}
