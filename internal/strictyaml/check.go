package strictyaml

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"example.com/boxrules/internal/wording"
	"gopkg.in/yaml.v3"
)

// maxDepth is the maximum depth to which mappings and lists may be nested.
const maxDepth = 32

// checkValue reports everything that is not accepted in a value. If the value is a mapping or a list, that includes the
// keys and values in it. depth is the number of mappings and lists around the value.
func (d *Document) checkValue(n *yaml.Node, depth int) {
	d.checkNode(n, depth)
	switch {
	case !isNull(n):
	case isMissingValue(n):
		d.rejectf(n, "an empty value is not accepted: write a value, or leave out the entry")
	default:
		d.rejectf(n, "%s is not accepted: write a value, or leave out the entry", wording.Quote(n.Value))
	}
}

// checkNode is like checkValue, but does not report a null. checkKey calls it for keys, because it reports a null key
// with a different message.
func (d *Document) checkNode(n *yaml.Node, depth int) {
	d.checkProperties(n)
	switch {
	case n.Kind == yaml.AliasNode:
		d.rejectf(n, aliasMessage)
	case n.Kind != yaml.SequenceNode && n.Kind != yaml.MappingNode:
	// The contents of the node are not checked, so the recursion is bounded.
	case depth == maxDepth:
		d.rejectf(n, tooDeepMessage)
	case n.Kind == yaml.MappingNode:
		d.checkMapping(n, depth)
	default:
		for _, item := range n.Content {
			d.checkValue(item, depth+1)
		}
	}
}

// checkMapping reports everything that is not accepted in a mapping. If a key is rejected, checkMapping removes the
// entry from the mapping, but still checks its value.
func (d *Document) checkMapping(n *yaml.Node, depth int) {
	lines := make(map[string]int, len(n.Content)/2)
	acceptedEntries := n.Content[:0]
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		// {caliper: 0,47} is one mistake and not two: replace the errors about the key 47 with one about the number.
		if i > 0 && d.isDecimalComma(n.Content[i-1], key, value) {
			// Content alternates between keys and values, so this is the value of the previous entry.
			before := n.Content[i-1]
			d.rejectf(before, "%s", DecimalFault(before.Value+","+key.Value))
			continue
		}
		d.checkColon(key, value) // which may correct the key
		// The value is checked even if the key is not accepted, so that one run reports everything.
		accepted := d.checkKey(key, depth, lines)
		d.checkValue(value, depth+1)
		if accepted {
			acceptedEntries = append(acceptedEntries, key, value)
		}
	}
	n.Content = acceptedEntries
}

// isDecimalComma reports whether the key is in fact the decimals of a number, like the 47 in {caliper: 0,47}.
// YAML reads that as two entries, {caliper: 0, 47: null}. The value before the key must be a whole number
// that ends at the comma.
func (d *Document) isDecimalComma(before, key, value *yaml.Node) bool {
	return isMissingValue(value) && wholeNumber.MatchString(before.Value) && wholeNumber.MatchString(key.Value) &&
		before.Kind == yaml.ScalarNode && d.start(before)+len(before.Value+",") == d.start(key)
}

var wholeNumber = regexp.MustCompile(`^-?[0-9]+$`)

// checkColon reports a key without a space after its colon, as in {min:40}, which YAML reads as the key "min:40"
// without a value. It corrects the key to min, so that min is not reported as missing.
func (d *Document) checkColon(key, value *yaml.Node) {
	if isMissingValue(value) && isPlain(key) && keyWithoutSpace.MatchString(key.Value) {
		d.report("", d.start(key), noSpaceMessage, wording.Quote(key.Value))
		key.Value, _, _ = strings.Cut(key.Value, ":")
		value.Kind = rejected
	}
}

// checkKey reports whether the key is accepted. If it is not, checkKey adds an error. lines maps the earlier keys of
// the mapping to their lines.
func (d *Document) checkKey(key *yaml.Node, depth int, lines map[string]int) bool {
	d.checkNode(key, depth+1)
	line, duplicate := lines[key.Value]
	switch {
	case key.Kind == rejected:
	case key.Kind != yaml.ScalarNode:
		d.rejectf(key, "a key must be text, not %s", describe(key))
	case key.Tag == "!!merge":
		d.rejectf(key, "merge keys are not accepted: write out the keys")
	case isNull(key), strings.TrimSpace(key.Value) == "":
		d.rejectf(key, "an empty key is not accepted: write a key")
	case duplicate:
		d.rejectf(key, "duplicate key %s: it is already on line %d", wording.Quote(key.Value), line)
	default:
		lines[key.Value] = key.Line
		return true
	}
	return false
}

// checkProperties reports the tag or anchor of a node, such as !!str or &a. A scalar with a tag is
// rejected, because the tag may have changed how yaml.v3 read its value.
func (d *Document) checkProperties(n *yaml.Node) {
	if len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column {
		return // a mapping starts at its first key, whose tag or anchor it is
	}
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "" {
		return // an empty value takes no space in the text: the character there belongs to the next node
	}
	message, ok := map[rune]string{'!': tagMessage, '&': anchorMessage}[d.character(d.start(n))]
	if !ok {
		return
	}
	if d.isNegation(d.start(n)) {
		message = quotesMessage
	}
	d.report("", d.start(n), "%s", message)
	if n.Kind == yaml.ScalarNode {
		n.Kind = rejected
	}
}

// hasAcceptableNodeCount reports whether the number of nodes in the text is acceptable. If the text may have too many
// nodes, it is not passed to yaml.v3 at all. Instead of nodes, hasAcceptableNodeCount counts marks: lines, commas,
// colons, dashes before white space, question marks and opening brackets. Every node has at least one of these. Marks
// inside quotes count as well. Empty lines and comments do not.
func (d *Document) hasAcceptableNodeCount() bool {
	marks := 0
	for line, start := range d.lines {
		first := d.skipBlanks(start, len(d.runes))
		if c := d.character(first); c == '#' || c == '\n' || c == '\r' {
			continue
		}
		// The line itself counts as one mark.
		marks++
		_, end := d.lineRange(line + 1)
		for i := first; i < end; i++ {
			switch d.runes[i] {
			case ',', ':', '?', '[', '{':
				marks++
			case '-':
				if isWhitespace(d.character(i + 1)) {
					marks++
				}
			}
			if marks > maxNodeMarks {
				d.report("", i, "the file has too many keys and values; the limit is about %d", maxNodeMarks)
				return false
			}
		}
	}
	return true
}

// rejectDirectives reports directives before the document, which are lines such as %YAML 1.2.
func (d *Document) rejectDirectives() {
	for _, start := range d.lines {
		switch d.character(start) {
		case '%':
			d.report("", start, "directives are not accepted: remove the line")
			d.runes[start] = '#' // a comment, so that the rest of the file is read
		case '#', '\r', '\n':
		default:
			return
		}
	}
}

// rejected replaces the kind of a node after an error about the node has been reported. The methods of Node
// report nothing about a node of this kind, so there is only one error.
const rejected yaml.Kind = 0

func (d *Document) rejectf(n *yaml.Node, format string, args ...any) {
	d.report("", d.start(n), format, args...)
	n.Kind = rejected
}

// characterFault returns a message that says why r is not accepted, as a format string with one verb for r.
// It returns "" if r is accepted. rest is the text after r.
func characterFault(r rune, rest []byte) string {
	switch {
	case r >= ' ' && r <= '~', r == '\t', r == '\n', r == '\r' && bytes.HasPrefix(rest, []byte("\n")):
		return ""
	case r == '\r':
		return "a carriage return (%U) without a line feed is not accepted: end the line with a line feed"
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == 0xFFFE, r == 0xFFFF:
		return "control character %U is not accepted: remove it"
	case unicode.Is(unicode.Cf, r):
		return "invisible character %U is not accepted: remove it"
	}
	return ""
}
