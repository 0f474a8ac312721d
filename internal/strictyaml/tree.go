package strictyaml

import (
	"regexp"
	"strings"

	"example.com/boxrules/internal/wording"
	"gopkg.in/yaml.v3"
)

// maxDepth bounds the collections within collections.
const maxDepth = 32

// checkValue reports what is not accepted in a node and in all below it; depth is the number of
// collections around it.
func (d *Document) checkValue(n *yaml.Node, depth int) {
	d.check(n, depth)
	switch {
	case !isNull(n):
	case isNothing(n):
		d.rejectf(n, "an empty value is not accepted: write one, or leave the entry out")
	default:
		d.rejectf(n, "%s is not accepted: write a value, or leave the entry out", wording.Quote(n.Value))
	}
}

func (d *Document) check(n *yaml.Node, depth int) {
	d.checkProperties(n)
	switch {
	case n.Kind == yaml.AliasNode:
		d.rejectf(n, aliasMessage)
	case n.Kind != yaml.SequenceNode && n.Kind != yaml.MappingNode:
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

// checkMapping takes out the entries whose key is not accepted, when their values are checked too.
func (d *Document) checkMapping(n *yaml.Node, depth int) {
	lines := make(map[string]int, len(n.Content)/2)
	acceptedEntries := n.Content[:0]
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if i > 0 && d.isDecimalComma(n.Content[i-1], key, value) {
			before := n.Content[i-1]
			d.rejectf(before, "%s", DecimalFault(before.Value+","+key.Value))
			continue
		}
		d.checkColon(key, value)
		accepted := d.checkKey(key, depth, lines)
		d.checkValue(value, depth+1)
		if accepted {
			acceptedEntries = append(acceptedEntries, key, value)
		}
	}
	n.Content = acceptedEntries
}

// isFraction reports whether the key is what stands behind the comma of {caliper: 0,47}, which YAML
// reads as two entries.
func (d *Document) isDecimalComma(before, key, value *yaml.Node) bool {
	return isNothing(value) && wholeNumber.MatchString(before.Value) && wholeNumber.MatchString(key.Value) &&
		before.Kind == yaml.ScalarNode && d.start(before)+len(before.Value+",") == d.start(key)
}

var wholeNumber = regexp.MustCompile(`^-?[0-9]+$`)

// checkColon reports {min:40}, which YAML reads as a key without a value, and makes it an entry of
// min.
func (d *Document) checkColon(key, value *yaml.Node) {
	if isNothing(value) && isPlain(key) && keyWithoutSpace.MatchString(key.Value) {
		d.report("", d.start(key), noSpaceMessage, wording.Quote(key.Value))
		key.Value, _, _ = strings.Cut(key.Value, ":")
		value.Kind = rejected
	}
}

// checkKey reports a key that is not accepted; lines has the line of every key before it.
func (d *Document) checkKey(key *yaml.Node, depth int, lines map[string]int) bool {
	d.check(key, depth+1)
	line, duplicate := lines[key.Value]
	switch {
	case key.Kind == rejected:
	case key.Kind != yaml.ScalarNode:
		d.rejectf(key, "a key is a text, not %s", describe(key))
	case key.Tag == "!!merge":
		d.rejectf(key, "merge keys are not accepted: write the keys out")
	case isNull(key), strings.TrimSpace(key.Value) == "":
		d.rejectf(key, "an empty key is not accepted: write one")
	case duplicate:
		d.rejectf(key, "duplicate key %s: it is on line %d already", wording.Quote(key.Value), line)
	default:
		lines[key.Value] = key.Line
		return true
	}
	return false
}

// checkProperties reports a tag or an anchor, with which a node begins, such as !!str or &a. It
// rejects a scalar that has one: what yaml.v3 made of the scalar says nothing about its value.
func (d *Document) checkProperties(n *yaml.Node) {
	if len(n.Content) > 0 && n.Content[0].Line == n.Line && n.Content[0].Column == n.Column {
		return // what stands there belongs to the first key
	}
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == "" {
		return // nothing stands there
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
