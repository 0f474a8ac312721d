package strictyaml

import (
	"strconv"

	"gopkg.in/yaml.v3"
)

// scalarIndex is where the character at offset of a scalar's value stands in the text. Folding, escapes
// and indentation touch white space only or keep the order, so the k-th character of the value that is not
// white is the k-th of the source. White space itself is placed at the character behind it.
func (d *Document) scalarIndex(n *yaml.Node, offset int) int {
	before, all := 0, 0
	for _, r := range n.Value {
		if offset > 0 && !isWhite(r) {
			before++
		}
		if !isWhite(r) {
			all++
		}
		offset--
	}
	_, _, start := d.text.properties(d.index(n))
	s := scalarSource{runes: d.text.runes, style: n.Style, next: d.text.contentStart(start, n.Style)}
	from, to := start, start
	for range min(before+1, all) {
		from, to = s.scan()
	}
	if before < all {
		return from
	}
	return to
}

// contentStart is where the first character of a value can be that is written at start.
func (t *text) contentStart(start int, style yaml.Style) int {
	switch {
	case style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		line := t.position(start).Line
		_, end := t.line(line)
		return end
	case style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return start + 1
	}
	return start
}

// scalarSource goes through the characters of a scalar that are not white, as they are written.
type scalarSource struct {
	runes []rune
	style yaml.Style
	next  int
}

// scan gives the range in which the next one is written.
func (s *scalarSource) scan() (from, to int) {
	for s.next < len(s.runes) {
		from = s.next
		r, size := s.runes[from], 1
		switch {
		case r == '\\' && s.style&yaml.DoubleQuotedStyle != 0 && from+1 < len(s.runes):
			r, size = unescape(s.runes[from:])
		case r == '\'' && s.style&yaml.SingleQuotedStyle != 0:
			size = 2
		}
		s.next = min(from+size, len(s.runes))
		if !isWhite(r) {
			return from, s.next
		}
	}
	return s.next, s.next
}

// unescape gives the character that an escape stands for, and its length. Only whether it is white counts:
// any other may stand for what is not.
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
