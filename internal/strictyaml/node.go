package strictyaml

import (
	"slices"
	"strings"

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
func (n Node) In(rule string) Node {
	n.rule = rule
	return n
}

// Position returns where the node starts; a mapping starts at its first key.
func (n Node) Position() source.Position {
	if n.IsZero() {
		return source.Position{}
	}
	return n.doc.text.position(n.doc.index(n.yaml))
}

// PositionAt returns the place in the file of the character at offset in the node's text, counted
// from 0 in runes. An offset on white space is placed at the next character that is not, and one at
// the end just behind the last. A node that is not a scalar has only its Position, and so has what
// stands behind an escape in a text.
func (n Node) PositionAt(offset int) source.Position {
	if n.IsZero() || n.yaml.Kind != yaml.ScalarNode {
		return n.Position()
	}
	return n.doc.text.position(n.doc.scalarIndex(n.yaml, offset))
}

// Errorf reports an error at the node.
func (n Node) Errorf(format string, args ...any) {
	if !n.IsZero() {
		n.doc.report(n.rule, n.Position(), format, args...)
	}
}

// ErrorAt reports an error at the PositionAt offset.
func (n Node) ErrorAt(offset int, format string, args ...any) {
	if !n.IsZero() {
		n.doc.report(n.rule, n.PositionAt(offset), format, args...)
	}
}

// Entries returns the entries of a mapping in the order of the file. Those whose key Parse has
// reported, such as duplicates, are left out.
func (n Node) Entries() []Entry {
	if !n.is(yaml.MappingNode, "mapping") {
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
	if !n.is(yaml.SequenceNode, "list") {
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
		accepted[i] = keyOf(key)
	}
	list := strings.Join(accepted, ", ")
	if !n.is(yaml.MappingNode, "mapping of "+list) {
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
	present := func(key string) bool { return !fields[keyOf(key)].IsZero() }
	free := slices.DeleteFunc(slices.Clone(accepted), present)
	for _, key := range unknown {
		key.Errorf("unknown key %s; accepted: %s%s", wording.Quote(key.yaml.Value), list, wording.Meant(key.yaml.Value, free))
	}
	if missing := slices.DeleteFunc(slices.Clone(required), present); len(missing) > 0 {
		plural := map[bool]string{true: "s"}[len(missing) > 1]
		n.Errorf("missing key%s: %s", plural, strings.Join(missing, ", "))
	}
	return fields
}

// keyOf returns the key alone, of "constraints ([] for none)".
func keyOf(required string) string {
	key, _, _ := strings.Cut(required, " ")
	return key
}

func (n Node) child(y *yaml.Node) Node { return Node{n.doc, y, n.rule} }

// is reports a node of another kind than expected.
func (n Node) is(kind yaml.Kind, expected string) bool {
	if n.IsZero() || n.yaml.Kind == rejected {
		return false
	}
	if n.yaml.Kind != kind {
		n.Errorf("%s expected, not %s", expected, described(n.yaml))
		return false
	}
	return true
}

// described names a node in a message: a list, say, or the text in quotes.
func described(y *yaml.Node) string {
	switch y.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return wording.Quote(y.Value)
}
