package strictyaml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/internal/wording"
	"gopkg.in/yaml.v3"
)

// Text returns the text of a scalar that is written in any style. A plain one must be text to every
// reader of YAML: no number, date, bool or null. White space alone is no text.
func (n Node) Text() (string, bool) {
	if !n.is(yaml.ScalarNode, "text") {
		return "", false
	}
	value := n.yaml.Value
	if reading := plainReading(n.yaml); reading != "" {
		n.Errorf("text expected, not %s: YAML reads %s; put it in quotes", wording.Quote(value), reading)
		return "", false
	}
	if offset, fault := TextFault(value); fault != "" {
		n.ErrorAt(offset, "%s", fault)
		return "", false
	}
	return value, true
}

// TextFault returns what is wrong with a text, and at which of its characters: it is empty, or an
// escape in double quotes has put there what a file may not hold. It returns "" for a text that is
// accepted.
func TextFault(text string) (offset int, fault string) {
	if strings.TrimSpace(text) == "" {
		return 0, "text expected, not an empty one"
	}
	if !utf8.ValidString(text) {
		return 0, wording.Quote(text) + " is not UTF-8"
	}
	for i, r := range []rune(text) {
		if fault := characterFault(r, nil); fault != "" {
			return i, fmt.Sprintf(fault, r)
		}
	}
	return 0, ""
}

// Unit returns a text that is a unit of length.
func (n Node) Unit() (string, bool) {
	text, ok := n.Text()
	if fault := wording.UnitFault(text); ok && fault != "" {
		n.Errorf("%s", fault)
		return "", false
	}
	return text, ok
}

// oldBools are plain scalars that YAML 1.1 reads as true and false; yaml.v3 keeps to YAML 1.2 in
// this.
var oldBools = []string{"y", "yes", "on", "n", "no", "off"}

// plainReading returns what a plain scalar is in YAML if it is not text, such as "a number".
func plainReading(y *yaml.Node) string {
	switch {
	case !isPlain(y):
	case y.Tag == "!!int", y.Tag == "!!float":
		return "a number"
	case y.Tag == "!!timestamp":
		return "a date"
	case y.Tag == "!!bool", slices.Contains(oldBools, strings.ToLower(y.Value)):
		return "true or false"
	}
	return ""
}

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Decimal returns a number as it is written: without quotes, as digits with an optional sign in
// front and an optional fraction.
func (n Node) Decimal() (string, bool) {
	if !n.is(yaml.ScalarNode, "number") {
		return "", false
	}
	value := n.yaml.Value
	fault := DecimalFault(value)
	if fault == "" && !isPlain(n.yaml) {
		fault = fmt.Sprintf("number expected, not the text %s: write it without quotes", wording.Quote(value))
	}
	if fault != "" {
		n.Errorf("%s", fault)
		return "", false
	}
	return value, true
}

// DecimalFault returns what is wrong with the text of a number, and "" for one that is accepted.
func DecimalFault(text string) string {
	if decimal.MatchString(text) {
		return ""
	}
	return "number such as 48.5 expected, not " + wording.Quote(text)
}

func isNull(y *yaml.Node) bool { return y.Kind == yaml.ScalarNode && isPlain(y) && y.Tag == "!!null" }

// isNothing reports whether nothing is written where a value belongs.
func isNothing(y *yaml.Node) bool { return isNull(y) && y.Value == "" }

func isPlain(y *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return y.Style&other == 0
}
