package strictyaml

import (
	"strconv"

	"gopkg.in/yaml.v3"
)

// scalarIndex returns where the character at offset of a scalar's value stands in the text.
// Folding, escapes and indentation touch white space only or keep the order, so the k-th character
// of the value that is not white is the k-th of the source. White space itself is placed at the
// character behind it.
func (d *Document) scalarIndex(n *yaml.Node, offset int) int {
	before, all := 0, 0
	for i, r := range []rune(n.Value) {
		if isWhite(r) {
			continue
		}
		if i < offset {
			before++
		}
		all++
	}
	from := d.index(n)
	to := from
	switch {
	case all == 0:
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, to = d.text.line(d.text.position(from).Line)
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		to++
	}
	for range min(before+1, all) {
		from, to = d.text.scan(to, n.Style)
	}
	if before < all {
		return from
	}
	return to
}

// scan returns the range in which the next character of a scalar is written that is not white.
func (t *text) scan(next int, style yaml.Style) (from, to int) {
	for next < len(t.runes) {
		from = next
		r, size := t.runes[from], 1
		switch {
		case r == '\\' && style&yaml.DoubleQuotedStyle != 0 && from+1 < len(t.runes):
			r, size = unescape(t.runes[from:])
		case r == '\'' && style&yaml.SingleQuotedStyle != 0:
			size = 2
		}
		next = min(from+size, len(t.runes))
		if !isWhite(r) {
			return from, next
		}
	}
	return next, next
}

// unescape returns the character that an escape stands for, and its length. Only whether it is
// white counts: any other may stand for what is not.
func unescape(runes []rune) (r rune, size int) {
	switch runes[1] {
	case ' ', '\t', '\n', '\r', 't', 'n', 'r', 'N', 'L', 'P':
		return ' ', 2
	case 'x':
		size = 4
	case 'u':
		size = 6
	case 'U':
		size = 10
	default:
		return '\\', 2
	}
	size = min(size, len(runes))
	code, _ := strconv.ParseUint(string(runes[2:size]), 16, 32) // yaml.v3 has accepted it
	return rune(code), size
}
