package strictyaml

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/internal/wording"
	"example.com/boxrules/source"
	"gopkg.in/yaml.v3"
)

// Node stands for one value of a document. A method that asks for a kind reports it where the node
// is of another, unless Parse has reported the node already. The zero Node answers every method
// with nothing, and reports nothing.
type Node struct {
	doc  *Document
	yaml *yaml.Node
	rule string
}

// Entry has one key of a mapping and its value.
type Entry struct {
	Key            string
	KeyNode, Value Node
}

// IsZero reports whether this is the zero Node: a key that is not there, or the root of a file that
// could not be parsed.
func (n Node) IsZero() bool { return n.yaml == nil }

// In returns the same node, but the errors reported through it, and through the nodes got from it,
// carry the rule.
func (n Node) WithRule(rule string) Node {
	n.rule = rule
	return n
}

// Position returns where the node starts; a mapping starts at its first key.
func (n Node) Position() source.Position {
	if n.IsZero() {
		return source.Position{}
	}
	return n.doc.position(n.doc.start(n.yaml))
}

// PositionAt returns the place in the file of the character at offset in the node's text, counted
// from 0 in runes. An offset on white space is placed at the next character that is not, and one at
// the end just behind the last. A node that is not a scalar has only its Position, and so has what
// stands behind an escape in a text.
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

// ErrorAt reports an error at the PositionAt offset, unless Parse has reported the character there.
func (n Node) ErrorAt(offset int, format string, args ...any) {
	if n.IsZero() {
		return
	}
	if at := n.doc.scalarOffset(n.yaml, offset); !n.doc.replacedCharacters[at] {
		n.doc.report(n.rule, at, format, args...)
	}
}

// Entries returns the entries of a mapping in the order of the file. Those whose key Parse has
// reported, such as duplicates, are left out.
func (n Node) Entries() []Entry {
	if !n.expectKind(yaml.MappingNode, "mapping") {
		return nil
	}
	content := n.yaml.Content
	entries := make([]Entry, 0, len(content)/2)
	for i := 0; i < len(content); i += 2 {
		entries = append(entries, Entry{content[i].Value, n.child(content[i]), n.child(content[i+1])})
	}
	return entries
}

// Items returns the values of a list.
func (n Node) Items() []Node {
	if !n.expectKind(yaml.SequenceNode, "list") {
		return nil
	}
	items := make([]Node, 0, len(n.yaml.Content))
	for _, item := range n.yaml.Content {
		items = append(items, n.child(item))
	}
	return items
}

// Fields returns the values of a mapping with fixed keys, and reports keys that are missing or not
// accepted. What stands behind a key is said where it is missing: "constraints ([] for
// none)".
func (n Node) Fields(required, optional []string) map[string]Node {
	fields := make(map[string]Node)
	accepted := slices.Concat(required, optional)
	for i, key := range accepted {
		accepted[i] = keyName(key)
	}
	acceptedKeys := strings.Join(accepted, ", ")
	if !n.expectKind(yaml.MappingNode, "mapping of "+acceptedKeys) {
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

// keyOf returns the key alone, of "constraints ([] for none)".
func keyName(required string) string {
	key, _, _ := strings.Cut(required, " ")
	return key
}

func (n Node) child(yamlNode *yaml.Node) Node { return Node{n.doc, yamlNode, n.rule} }

// is reports a node of another kind than expected.
func (n Node) expectKind(kind yaml.Kind, expected string) bool {
	if n.IsZero() || n.yaml.Kind == rejected {
		return false
	}
	if n.yaml.Kind != kind {
		n.Errorf("%s expected, not %s", expected, describe(n.yaml))
		return false
	}
	return true
}

// described names a node in a message: a list, say, or the text in quotes.
func describe(y *yaml.Node) string {
	switch y.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return wording.Quote(y.Value)
}

// Text returns the text of a scalar that is written in any style. A plain one must be text to every
// reader of YAML: no number, date, bool or null. White space alone is no text.
func (n Node) Text() (string, bool) {
	if !n.expectKind(yaml.ScalarNode, "text") {
		return "", false
	}
	value := n.yaml.Value
	if reading := nonTextType(n.yaml); reading != "" {
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
var yaml11Bools = []string{"y", "yes", "on", "n", "no", "off"}

// plainReading returns what a plain scalar is in YAML if it is not text, such as "a number".
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

// Decimal returns a number as it is written: without quotes, as digits with an optional sign in
// front and an optional fraction.
func (n Node) Decimal() (string, bool) {
	if !n.expectKind(yaml.ScalarNode, "number") {
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
