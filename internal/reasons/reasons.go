// Package reasons says which part of a condition holds for a box, with the box's numbers filled in, as in
// "depth 141 > width 48". If a side has to be computed, its result is shown as well: "width 300 + depth 250 =
// 550 > 498.25". Numbers are in the unit of the box. If the rule has a different unit, numbers of the rule
// are followed by that unit: "width 12 + depth 8 = 20 > 498.25 mm ≈ 19.616".
package reasons

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules/exact"
)

// Decisive appends to found the comparisons that make the condition true at the point. The condition must be
// true there. If several operands of an "or" are true, Decisive takes the first: if both parts of "depth >
// width or height > width" are true, it takes depth > width.
func Decisive(t *exact.Condition, at exact.Point, found []*exact.Comparison) []*exact.Comparison {
	if t.Comparison != nil {
		return append(found, t.Comparison)
	}
	for i := range t.Parts {
		part := &t.Parts[i]
		switch {
		// An And holds because of all of its parts, and an Or because of any part that holds.
		case t.Kind == exact.And:
			found = Decisive(part, at, found)
		case part.Holds(at):
			return Decisive(part, at, found)
		}
	}
	return found
}

// Append appends the comparisons with the numbers filled in, joined by " and ". It leaves out comparisons
// that would look the same as an earlier one. tie reports whether the two sides of any comparison are equal.
func Append(dst []byte, comparisons []*exact.Comparison, variables exact.Variables, at exact.Point) (values []byte, tie bool) {
	var buffer [8][2]int
	spans := buffer[:0] // where each comparison begins and ends in dst
	for _, c := range comparisons {
		end := len(dst)
		if len(spans) > 0 {
			dst = append(dst, " and "...)
		}
		from := len(dst)
		text, equal := appendComparison(dst, c, variables, at)
		tie = tie || equal
		// A condition may contain the same comparison twice. Remove the second text and the " and " before
		// it.
		if slices.ContainsFunc(spans, func(span [2]int) bool { return bytes.Equal(text[span[0]:span[1]], text[from:]) }) {
			dst = text[:end]
			continue
		}
		dst, spans = text, append(spans, [2]int{from, len(text)})
	}
	return dst, tie
}

// Formula returns the text of a formula with the value of each variable inserted after its name, and the
// result at the end, as in "2*width 300 + 2*depth 200 = 1000". names are the variables in the formula.
func Formula(text string, names []string, value exact.Value, variables exact.Variables, at exact.Point) string {
	text = strings.Join(strings.Fields(text), " ")
	side := exact.Side{Phrase: &exact.Phrase{Text: text}, Value: value}
	for _, word := range namePattern.FindAllStringIndex(text, -1) {
		if name := text[word[0]:word[1]]; slices.Contains(names, name) {
			side.Names = append(side.Names, exact.Name{Name: name, End: word[1]})
		}
	}
	return string(appendSide(nil, &side, "", variables, at, numberOf(value, at)))
}

var namePattern = regexp.MustCompile(`[a-z][a-z0-9_]*`)

// appendComparison appends the comparison with the numbers filled in, and reports whether its two sides are
// equal.
func appendComparison(dst []byte, c *exact.Comparison, variables exact.Variables, at exact.Point) (text []byte, tie bool) {
	left, right := numberOf(c.Left.Value, at), numberOf(c.Right.Value, at)
	dst = appendSide(dst, &c.Left, c.Unit, variables, at, left)
	dst = append(append(append(dst, ' '), c.Operator...), ' ')
	return appendSide(dst, &c.Right, c.Unit, variables, at, right), left.equal(right)
}

// appendSide appends the text of a side with the value of each variable inserted after its name, and the
// result at the end, as in "width 48 + 2 = 50". If the side is only a variable or a number, no result is
// appended. unit is the unit of the comparison, or empty if it is the same as the unit of the box.
func appendSide(dst []byte, s *exact.Side, unit string, variables exact.Variables, at exact.Point, result number) []byte {
	numbers := s.Numbers // the numbers that are shown with their unit
	if unit == "" {
		numbers = nil
	}
	hasResult := strings.ContainsAny(s.Text, "+-*/(") || len(numbers) > 0
	from := 0
	copyTo := func(end int) {
		dst = append(dst, s.Text[from:end]...)
		from = end
	}
	// copyNumbers copies the text up to end, and inserts the unit after each number in it: "30" becomes "30
	// mm".
	copyNumbers := func(end int) {
		for len(numbers) > 0 && numbers[0].End <= end {
			copyTo(numbers[0].End)
			dst = append(append(dst, ' '), unit...)
			if degree := numbers[0].Degree; degree != 1 { // an area is in mm^2
				dst = strconv.AppendInt(append(dst, '^'), int64(degree), 10)
			}
			numbers = numbers[1:]
		}
		copyTo(end)
	}
	// Insert the value of each variable after its name: "width" becomes "width 48".
	for _, name := range s.Names {
		copyNumbers(name.End)
		v, _ := variables.Get(name.Name)
		dst = numberOf(v.Value, at).append(append(dst, ' '))
	}
	copyNumbers(len(s.Text))
	if !hasResult {
		return dst
	}
	// If the result is rounded, append writes ≈ instead.
	if result.isShort() {
		dst = append(dst, " ="...)
	}
	dst = result.append(append(dst, ' '))
	if s.Mixed && unit != "" { // a sum of a length and an area has no value in the unit of the box
		dst = append(append(append(dst, " (in "...), unit...), ')')
	}
	return dst
}
