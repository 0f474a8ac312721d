package strictyaml

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// scalarIndex returns where the character at offset of a scalar's value stands in the text. Folding
// and indentation touch white space only, so the k-th character of the value that is not white is
// the k-th of the source. Where it is another one there, as behind an escape, scalarIndex returns
// where the scalar starts. White space itself is placed at the character behind it.
func (d *Document) scalarIndex(n *yaml.Node, offset int) int {
	t := d.text
	start := d.index(n)
	at := start
	switch {
	case strings.TrimSpace(n.Value) == "":
		return start
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		_, at = t.line(t.position(start).Line)
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		at++
	}
	for i, r := range []rune(n.Value) {
		if isWhite(r) {
			continue
		}
		for at < len(t.runes) && isWhite(t.runes[at]) {
			at++
		}
		if d.character(at) != r {
			return start
		}
		if i >= offset {
			return at
		}
		at++
		if r == '\'' && n.Style&yaml.SingleQuotedStyle != 0 {
			at++ // it is written twice
		}
	}
	return at
}
