package strictyaml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/internal/fraction"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// Node is one value of a document. A method that expects a certain kind of value, such as a list, adds an error to the
// document if the node is of a different kind, unless an error about the node has already been reported. The methods of
// the zero Node return zero values and report nothing, so callers need not check for missing keys.
type Node struct {
	doc  *Document
	yaml *yaml.Node
	rule string
}

// Entry is a key of a mapping together with its value.
type Entry struct {
	Key            string
	KeyNode, Value Node
}

// IsZero reports whether n is the zero Node: the value of a missing key, or the root of a file that
// could not be parsed.
func (n Node) IsZero() bool { return n.yaml == nil }

// WithRule returns a copy of n. All errors that are reported through the copy, and through the nodes that its
// methods return, name the given rule.
func (n Node) WithRule(rule string) Node {
	n.rule = rule
	return n
}

// Position returns where the node starts. A mapping starts at its first key.
func (n Node) Position() source.Position {
	if n.IsZero() {
		return source.Position{}
	}
	return n.doc.position(n.doc.start(n.yaml))
}

// PositionAt returns the position in the file of the character at the given offset in the node's text. The offset
// counts runes. If the character is white space, PositionAt returns the position of the next character that is not. For
// the end of the text it returns the position after the last character. If the node is not a scalar, or if an escape
// such as \x41 comes before the offset, it returns the Position of the node.
func (n Node) PositionAt(offset int) source.Position {
	if n.IsZero() {
		return source.Position{}
	}
	return n.doc.position(n.doc.scalarOffset(n.yaml, offset))
}

// Errorf reports an error at the node.
func (n Node) Errorf(format string, args ...any) {
	if !n.IsZero() {
		n.doc.report(n.rule, n.doc.start(n.yaml), format, args...)
	}
}

// ErrorAt reports an error at PositionAt(offset), unless Parse has already reported the character at that
// position.
func (n Node) ErrorAt(offset int, format string, args ...any) {
	if n.IsZero() {
		return
	}
	if at := n.doc.scalarOffset(n.yaml, offset); !n.doc.replacedCharacters[at] {
		n.doc.report(n.rule, at, format, args...)
	}
}

// IsMapping reports whether n is a mapping. Unlike Entries, it adds no error to the document if n is not a
// mapping.
func (n Node) IsMapping() bool { return !n.IsZero() && n.yaml.Kind == yaml.MappingNode }

// Entries returns the entries of a mapping in the order of the file. It leaves out entries whose key Parse
// has rejected, such as duplicate keys.
func (n Node) Entries() []Entry {
	if !n.expectKind(yaml.MappingNode, "a mapping") {
		return nil
	}
	content := n.yaml.Content
	entries := make([]Entry, 0, len(content)/2)
	for i := 0; i < len(content); i += 2 {
		entries = append(entries, Entry{content[i].Value, n.child(content[i]), n.child(content[i+1])})
	}
	return entries
}

// Items returns the items of a list.
func (n Node) Items() []Node {
	if !n.expectKind(yaml.SequenceNode, "a list") {
		return nil
	}
	items := make([]Node, 0, len(n.yaml.Content))
	for _, item := range n.yaml.Content {
		items = append(items, n.child(item))
	}
	return items
}

// Has reports whether n is a mapping that contains the key. Unlike Fields, it adds no error to the document if n is not
// a mapping.
func (n Node) Has(key string) bool {
	if n.IsZero() || n.yaml.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(n.yaml.Content); i += 2 {
		if n.yaml.Content[i].Value == key {
			return true
		}
	}
	return false
}

// Fields returns a map from the keys of a mapping to their values. It reports required keys that are missing, and keys
// that are neither required nor optional. A required key may be followed by a hint that is shown if the key is missing,
// as in "constraints ([] for none)".
func (n Node) Fields(required, optional []string) map[string]Node {
	fields := make(map[string]Node)
	accepted := slices.Concat(required, optional)
	for i, key := range accepted {
		accepted[i] = keyName(key)
	}
	acceptedKeys := strings.Join(accepted, ", ")
	if !n.expectKind(yaml.MappingNode, "a mapping of "+acceptedKeys) {
		return fields
	}
	var unknown []Node
	for _, entry := range n.Entries() {
		if slices.Contains(accepted, entry.Key) {
			fields[entry.Key] = entry.Value
		} else {
			unknown = append(unknown, entry.KeyNode)
		}
	}
	present := func(key string) bool { return !fields[keyName(key)].IsZero() }
	// Suggest only keys that the mapping does not have yet, because a key cannot occur twice.
	unusedKeys := slices.DeleteFunc(slices.Clone(accepted), present)
	for _, key := range unknown {
		key.Errorf("unknown key %s; accepted: %s%s", wording.Quote(key.yaml.Value), acceptedKeys, wording.DidYouMean(key.yaml.Value, unusedKeys))
	}
	if missing := slices.DeleteFunc(slices.Clone(required), present); len(missing) > 0 {
		plural := map[bool]string{true: "s"}[len(missing) > 1]
		n.Errorf("missing key%s: %s", plural, strings.Join(missing, ", "))
	}
	return fields
}

// keyName returns the key in an element of required, without the hint that may follow it.
func keyName(required string) string {
	key, _, _ := strings.Cut(required, " ")
	return key
}

func (n Node) child(yamlNode *yaml.Node) Node { return Node{n.doc, yamlNode, n.rule} }

// expectKind reports whether n is of the given kind. If it is not, it adds an error to the document. expected describes
// the kind for the message.
func (n Node) expectKind(kind yaml.Kind, expected string) bool {
	if n.IsZero() || n.yaml.Kind == rejected {
		return false
	}
	if n.yaml.Kind != kind {
		n.Errorf("expected %s, not %s", expected, describe(n.yaml))
		return false
	}
	return true
}

// describe describes a node for a message: "a mapping", "a list", or its text in quotes.
func describe(y *yaml.Node) string {
	switch y.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return wording.Quote(y.Value)
}

// Text returns the text of a scalar. If the scalar has no quotes, every version of YAML must read it as text,
// and not as a number, date, bool or null. A text must not consist of white space only.
func (n Node) Text() (string, bool) {
	if !n.expectKind(yaml.ScalarNode, "text") {
		return "", false
	}
	value := n.yaml.Value
	if reading := nonTextType(n.yaml); reading != "" {
		n.Errorf("expected text, but YAML reads %s as %s; put it in quotes", wording.Quote(value), reading)
		return "", false
	}
	if offset, fault := TextFault(value); fault != "" {
		n.ErrorAt(offset, "%s", fault)
		return "", false
	}
	return value, true
}

// Scalar returns a scalar as it is written, even if YAML reads it as a number or a bool. It is for callers
// that accept only a few words.
func (n Node) Scalar() (string, bool) {
	if !n.expectKind(yaml.ScalarNode, "text") {
		return "", false
	}
	return n.yaml.Value, true
}

// TextFault says what is wrong with a text, and returns the offset, in runes, of the wrong character. A text is wrong
// if it is empty or contains a character that a file must not contain. A text from a file may contain such a character,
// because it can be written as an escape in double quotes. TextFault returns "" if the text is accepted.
func TextFault(text string) (offset int, fault string) {
	if strings.TrimSpace(text) == "" {
		return 0, "expected text, but the value is empty"
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

// Unit returns the text of a scalar. The text must be a unit of length.
func (n Node) Unit() (string, bool) {
	text, ok := n.Text()
	if fault := wording.UnitFault(text); ok && fault != "" {
		n.Errorf("%s", fault)
		return "", false
	}
	return text, ok
}

// yaml11Bools are scalars that YAML 1.1 reads as true or false if they have no quotes. YAML 1.2 and
// yaml.v3 read them as text.
var yaml11Bools = []string{"y", "yes", "on", "n", "no", "off"}

// nonTextType returns the type of a scalar that YAML does not read as text, such as "a number". It returns ""
// for text, which includes every scalar in quotes.
func nonTextType(y *yaml.Node) string {
	switch {
	case !isPlain(y):
	case y.Tag == "!!int", y.Tag == "!!float":
		return "a number"
	case y.Tag == "!!timestamp":
		return "a date"
	case y.Tag == "!!bool", slices.Contains(yaml11Bools, strings.ToLower(y.Value)):
		return "true or false"
	}
	return ""
}

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Decimal returns a number as it is written. The number must not be in quotes, and must consist of an
// optional minus, digits, and an optional point with digits.
func (n Node) Decimal() (string, bool) {
	if !n.expectKind(yaml.ScalarNode, "a number") {
		return "", false
	}
	value := n.yaml.Value
	// A number in quotes is text. If its syntax is wrong as well, only that is reported.
	fault := DecimalFault(value)
	if fault == "" && !isPlain(n.yaml) {
		fault = fmt.Sprintf("expected a number, not the text %s: write it without quotes", wording.Quote(value))
	}
	if fault != "" {
		n.Errorf("%s", fault)
		return "", false
	}
	return value, true
}

// DecimalFault says what is wrong with the text of a number. It returns "" if the text is accepted.
func DecimalFault(text string) string {
	if decimal.MatchString(text) {
		return ""
	}
	for _, inches := range []string{text, "0 " + text} { // 12 3/8, or 3/8
		if number := fraction.Decimal(inches); number != "" {
			return "expected " + number + ", not " + wording.Quote(text)
		}
	}
	return "expected a number such as 48.5, not " + wording.Quote(text)
}

// CheckVersion reports an error if the value is not the accepted version.
func (n Node) CheckVersion(accepted string) {
	const unknown = "version %s is not known; accepted: %s"
	if !n.expectKind(yaml.ScalarNode, "a number") {
		return
	}
	value := n.yaml.Value
	if DecimalFault(value) != "" {
		n.Errorf(unknown, wording.Quote(value), accepted)
	} else if _, ok := n.Decimal(); ok && value != accepted {
		n.Errorf(unknown, wording.Cut(value), accepted)
	}
}

func isNull(y *yaml.Node) bool { return y.Kind == yaml.ScalarNode && isPlain(y) && y.Tag == "!!null" }

// isMissingValue reports whether a value is missing, as after the colon of "a:".
func isMissingValue(y *yaml.Node) bool { return isNull(y) && y.Value == "" }

func isPlain(y *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return y.Style&other == 0
}
