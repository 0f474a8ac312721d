package strictyaml

import (
	"fmt"
	"regexp"
	"strings"

	"example.com/boxrules/internal/wording"
)

const (
	tagMessage     = "tags are not accepted: take it out, or put the text in quotes"
	anchorMessage  = "anchors are not accepted: write the value out"
	aliasMessage   = "aliases are not accepted: write the value out"
	tabMessage     = "tab in the indentation: indent with spaces"
	noSpaceMessage = "no space behind the colon of %s: YAML needs one"
	tooDeepMessage = "nested too deep: at most 32 levels are accepted"
	indentMessage  = "the line does not continue what stands above: check its indentation"

	unknownAlias = "unknown anchor " // how yaml.v3 begins its error
)

// prefix is how errors of yaml.v3 begin.
var prefix = regexp.MustCompile(`^yaml: (line [0-9]+: )?`)

// faults say what is wrong where yaml.v3 gave up, by the words it uses.
var faults = map[string]string{
	"found unknown escape character":                               "unknown escape: in double quotes a backslash is written twice",
	"mapping keys are not allowed in this context":                 `a "?" key cannot start here: write the key and a colon, or put the text in quotes`,
	"block sequence entries are not allowed in this context":       "a list item cannot start here: begin it on a line of its own, or put the text in quotes",
	"did not find expected comment or line break":                  `a line break expected behind "|" or ">": start the text on the next line, or put it in quotes`,
	"found a tab character that violates indentation":              tabMessage,
	"found a tab character where an indentation space is expected": tabMessage,
}

// explain says what is wrong, and where, in words that name the remedy.
func (d *Document) explain(problem string, m marks) (at int, message string) {
	if message, ok := faults[problem]; ok {
		return m.problem, message
	}
	if strings.HasPrefix(problem, unknownAlias) {
		return m.problem, aliasMessage
	}
	switch problem {
	case "found unexpected end of stream", "found unexpected document indicator":
		return m.context, "the quote is not closed"
	case "exceeded max depth of 10000":
		return m.context, tooDeepMessage
	case "found undefined tag handle", "did not find expected tag URI", "did not find the expected '>'",
		"did not find expected whitespace or line break", "did not find URI escaped octet",
		"found an incorrect leading UTF-8 octet", "found an incorrect trailing UTF-8 octet":
		return m.context, tagMessage
	case "found character that cannot start any token", "did not find expected alphabetic or numeric character":
		if r := d.character(m.context); r != '\t' {
			return m.context, fmt.Sprintf("a value cannot start with %q: put it in quotes", string(r))
		}
		return m.context, tabMessage
	case "mapping values are not allowed in this context":
		return d.explainColon(m.problem)
	case "could not find expected ':'":
		return m.context, d.explainKey(m.context)
	case "did not find expected key", "did not find expected '-' indicator", "did not find expected <document start>":
		return m.problem, d.explainBlock(m.problem)
	case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
		return d.explainBracket(m, m.context)
	case "did not find expected node content":
		return d.explainBracket(m, m.open)
	}
	return m.problem, "not YAML: " + wording.Quote(problem)
}

var (
	keyEnd  = regexp.MustCompile(`:[ \t]`)
	noSpace = regexp.MustCompile(`^(- )*[^\s:#]+:[^\s:]`)
)

// explainColon explains a colon where no key can be. The fault is often on the line before, which
// yaml.v3 takes for the beginning of a text that goes on.
func (d *Document) explainColon(at int) (int, string) {
	t := d.text
	line := t.position(at).Line
	start, end := t.line(line)
	if keyEnd.MatchString(string(t.runes[start:at])) {
		return at, "a second colon in a value: put the value in quotes"
	}
	first := t.skipBlanks(start, end)
	for line--; line > 0; line-- {
		from, to := t.line(line)
		before := t.skipBlanks(from, to)
		content := string(t.runes[before:to])
		if content == "" || content[0] == '#' {
			continue
		}
		if !keyEnd.MatchString(content) && (noSpace.MatchString(content) || before-from == first-start) {
			return before, d.explainKey(before)
		}
		break
	}
	return first, indentMessage
}

// explainKey explains a line that should be a key and a value.
func (d *Document) explainKey(at int) string {
	_, end := d.text.line(d.text.position(at).Line)
	content := string(d.text.runes[at:end])
	if noSpace.MatchString(content) {
		return fmt.Sprintf(noSpaceMessage, wording.Quote(content))
	}
	return wording.Quote(content) + " is not a key: a colon and a space expected behind it"
}

// explainBlock explains what does not continue a mapping or a list, or comes when all of them are
// closed.
func (d *Document) explainBlock(at int) string {
	start, end := d.text.line(d.text.position(at).Line)
	switch {
	case d.text.skipBlanks(start, end) < at:
		return "text behind a closing quote or bracket: put the whole value in quotes"
	case d.character(at) == ':':
		return "a key expected before the colon"
	}
	return indentMessage
}

// explainBracket explains what does not continue a mapping or a list in brackets that starts at
// open.
func (d *Document) explainBracket(m marks, open int) (at int, message string) {
	bracket, closing := d.character(open), "]"
	if bracket == '{' {
		closing = "}"
	}
	switch {
	case bracket != '[' && bracket != '{': // not in brackets at all
	case m.problem == len(d.text.runes):
		return open, fmt.Sprintf("%q is not closed", string(bracket))
	case open == m.context:
		line := d.text.position(open).Line
		return m.problem, fmt.Sprintf("a comma or %q expected: the %q of line %d is open", closing, string(bracket), line)
	}
	return m.problem, fmt.Sprintf("a value expected, not %q: put a text in quotes", string(d.character(m.problem)))
}
