package strictyaml

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encoder writes a text as YAML and notes where it writes each character that is not white.
type encoder struct {
	*rapid.T
	out          strings.Builder
	line, column int
	lineBreak    string
	text         []rune   // the characters that are not white
	places       []string // where each is written
	end          string   // the place behind the last
}

func (e *encoder) here() string { return fmt.Sprintf("%d:%d", e.line, e.column) }

func (e *encoder) write(s string) {
	e.out.WriteString(s)
	e.column += len([]rune(s))
}

func (e *encoder) newLine(indent int) {
	e.out.WriteString(e.lineBreak)
	e.line++
	e.column = 1
	e.write(strings.Repeat(" ", indent))
}

func (e *encoder) character(r rune, written string) {
	e.text = append(e.text, r)
	e.places = append(e.places, e.here())
	e.write(written)
	e.end = e.here()
}

func (e *encoder) yes(label string) bool { return rapid.Bool().Draw(e.T, label) }

func (e *encoder) upTo(n int, label string) int { return rapid.IntRange(0, n).Draw(e.T, label) }

// words draws what stands between white space. No word begins or ends a comment, a key or an item.
func (e *encoder) words(alphabet string) [][]rune {
	word := rapid.SliceOfN(rapid.SampledFrom([]rune(alphabet)), 1, 6)
	return rapid.SliceOfN(word, 1, 8).Draw(e.T, "words")
}

// fold writes the white space between two words of a scalar that may go over several lines.
func (e *encoder) fold() {
	e.write([]string{"", " ", "  ", " \t"}[e.upTo(3, "blanks")])
	if !e.yes("fold") {
		e.write(" ")
		return
	}
	for range e.upTo(2, "empty lines") {
		e.newLine(e.upTo(3, "blanks on an empty line"))
	}
	e.newLine(1 + e.upTo(4, "indentation"))
}

const letters = "abzAZ059éß漢😀\u00a0()*<>=/+_.!&%@|;"

func (e *encoder) plain() {
	for i, word := range e.words(letters + "'\"\\") {
		if i > 0 {
			e.fold()
		} else {
			e.character('x', "x") // many another character begins something else
		}
		for _, r := range word {
			e.character(r, string(r))
		}
	}
}

func (e *encoder) singleQuoted() {
	e.write("'")
	for i, word := range e.words(letters + "'''\"\\#:,[]{}?-") {
		if i > 0 || e.yes("space in front") {
			e.fold()
		}
		for _, r := range word {
			e.character(r, strings.ReplaceAll(string(r), "'", "''"))
		}
	}
	if e.yes("space behind") {
		e.fold()
	}
	e.write("'")
}

func (e *encoder) doubleQuoted() {
	e.write(`"`)
	for i, word := range e.words(letters + "'\"\"\\\\#:,[]{}?-\x00\x1b\u202e") {
		if i > 0 || e.yes("space in front") {
			e.escapedSpace()
		}
		for _, r := range word {
			e.character(r, e.escape(r))
		}
	}
	if e.yes("space behind") {
		e.escapedSpace()
	}
	e.write(`"`)
}

func (e *encoder) escape(r rune) string {
	named := map[rune]string{0: `\0`, 0x1b: `\e`, '"': `\"`, '\\': `\\`, '\u00a0': `\_`, '\'': `\'`}
	kind := e.upTo(4, "escape")
	switch {
	case kind == 0 && r <= 0xff:
		return fmt.Sprintf(`\x%02x`, r)
	case kind == 1 && r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	case kind == 2 || r < ' ' || r == '\u202e':
		return fmt.Sprintf(`\U%08x`, r)
	case named[r] != "" && (kind == 3 || r == '"' || r == '\\'):
		return named[r]
	}
	return string(r)
}

func (e *encoder) escapedSpace() {
	white := rapid.SampledFrom([]string{`\ `, `\t`, `\n`, `\r`, `\N`, `\L`, `\P`, `\x20`, `\u2029`, `\U0000000a`, "\\\t"})
	switch e.upTo(2, "kind of space") {
	case 0:
		e.write(white.Draw(e.T, "white"))
	case 1:
		e.write(`\`)
		e.newLine(1 + e.upTo(3, "indentation"))
	default:
		e.fold()
	}
}

func (e *encoder) block(style string) {
	indent := 1 + e.upTo(8, "indentation")
	explicit := e.yes("explicit indentation")
	header := []string{rapid.SampledFrom([]string{"", "-", "+"}).Draw(e.T, "chomping"), ""}
	if explicit {
		header[1] = fmt.Sprint(indent)
	}
	if e.yes("indentation first") {
		header[0], header[1] = header[1], header[0]
	}
	e.write(style + header[0] + header[1])
	e.write([]string{"", "  ", " # é | > x", "\t#"}[e.upTo(3, "behind the header")])

	words := e.words(letters + "'\"\\#:,[]{}?-")
	for i, word := range words {
		switch {
		case i > 0 && !e.yes("line"):
			e.write([]string{" ", "  ", "\t"}[e.upTo(2, "blanks")])
		default:
			for range e.upTo(2, "empty lines") {
				e.newLine(e.upTo(indent, "blanks on an empty line"))
			}
			e.newLine(indent)
			if explicit || i > 0 {
				e.write(strings.Repeat(" ", e.upTo(2, "more indentation")))
			}
		}
		for _, r := range word {
			e.character(r, string(r))
		}
	}
}

// TestPositionAtFindsEveryCharacter writes a random text in a random way and looks for its characters.
func TestPositionAtFindsEveryCharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &encoder{T: t, line: 1, column: 1, lineBreak: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line break")}
		if e.yes("line before") {
			e.write("é: 😀 # ü")
			e.newLine(0)
		}
		flow := false
		switch style := e.upTo(6, "style"); style {
		case 0, 1, 2:
			if flow = e.yes("flow"); flow {
				e.write("漢: [é, ")
			} else {
				e.write("漢:" + strings.Repeat(" ", 1+e.upTo(2, "blanks")))
			}
			[]func(){e.plain, e.singleQuoted, e.doubleQuoted}[style]()
			if flow {
				e.write("]")
			}
		case 3, 4:
			e.write("漢: ")
			e.block("|")
		default:
			e.write("漢: ")
			e.block(">")
		}
		if e.yes("line behind") {
			e.newLine(0)
			e.write("z: 1")
		}
		e.compare(flow)
	})
}

// compare looks every character up, and the white space between them.
func (e *encoder) compare(flow bool) {
	d := Parse("f.yaml", []byte(e.out.String()))
	if errs := d.Errors(); errs != nil {
		e.Fatalf("Parse(%q): %v", e.out.String(), errs)
	}
	var value Node
	for _, entry := range d.Root().Entries() {
		if entry.Key == "漢" {
			value = entry.Value
		}
	}
	if flow {
		value = value.Items()[1]
	}
	places := append(e.places, e.end)
	seen := 0
	for offset, r := range []rune(value.yaml.Value) {
		if at := value.PositionAt(offset); fmt.Sprintf("%d:%d", at.Line, at.Column) != places[seen] {
			e.Fatalf("%q: offset %d of %q is at %v, want %s", e.out.String(), offset, value.yaml.Value, at, places[seen])
		}
		if !strings.ContainsRune(" \t\n\r\u0085\u2028\u2029", r) {
			if r != e.text[seen] {
				e.Fatalf("%q: offset %d of %q is %q, want %q", e.out.String(), offset, value.yaml.Value, r, e.text[seen])
			}
			seen++
		}
	}
	at := value.PositionAt(len([]rune(value.yaml.Value)))
	if seen != len(e.text) || fmt.Sprintf("%d:%d", at.Line, at.Column) != e.end {
		e.Fatalf("%q: the end of %q is at %v behind %d characters, want %s behind %d",
			e.out.String(), value.yaml.Value, at, seen, e.end, len(e.text))
	}
}
