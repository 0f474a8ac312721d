package strictyaml

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/internal/wording"
	"gopkg.in/yaml.v3"
)

// maxIndicators bounds the list and key indicators that a line may begin with for yaml.v3 to see
// it. Each opens a block, and yaml.v3 takes a time that grows with open blocks times comments. What
// is deeper than maxDepth but within this limit is found in the tree.
const maxIndicators = 128

// parse returns the root that yaml.v3 reads, nil where there is none. It fails where the text is
// not YAML.
func (d *Document) parse() (root *yaml.Node, ok bool) {
	content := string(d.runes)
	for i, line := range strings.Split(content, "\n") {
		if countIndicators(line) > maxIndicators {
			d.report("", d.lines[i], tooDeepMessage)
			return nil, false
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(content))
	documents, err := decodeDocuments(decoder)
	if err != nil {
		problem := errorPrefix.ReplaceAllString(err.Error(), "")
		at, message := d.explain(problem, d.readMarks(decoder, problem))
		d.report("", at, "%s", message)
	}
	if len(documents) > 1 {
		d.rejectf(documents[1], "a second document is not accepted: one file holds one document")
	}
	if len(documents) > 0 {
		root = documents[0].Content[0]
	}
	return root, err == nil
}

// indicators returns how many items, keys and values start one in another at the beginning of the
// line.
func countIndicators(line string) (count int) {
	for field := range strings.FieldsSeq(line) {
		if field != "-" && field != "?" && field != ":" {
			break
		}
		count++
	}
	return count
}

// decode reads the first two documents, if there are so many. It asks for yaml.Node, as yaml.v3
// compares every pair of keys for any other type. yaml.v3 reports most faults by a panic that it
// catches itself, and some that it does not.
func decodeDocuments(decoder *yaml.Decoder) (documents []*yaml.Node, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("yaml: internal error: %v", bug)
		}
	}()
	// Only at the end of the input has yaml.v3 seen all of it: behind the first document text may
	// be left that belongs to none.
	for len(documents) < 2 {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case err == io.EOF:
			return documents, nil
		case err != nil:
			return nil, err
		}
		documents = append(documents, &document)
	}
	return documents, nil
}

// marks has the places that belong to one fault, as indexes into the text.
type marks struct {
	problem int // where yaml.v3 noticed it
	context int // where the scalar or collection starts that yaml.v3 was reading
	open    int // where the innermost open collection starts
}

// marks reads the places from the fields of yaml.v3's parser, as its message has only a line: that
// of the problem or that of the context, counted from 0 or from 1.
func (d *Document) readMarks(decoder *yaml.Decoder, problem string) marks {
	state := fieldAt(reflect.ValueOf(decoder), "parser", "parser")
	at := fieldAt(state, "problem_mark")
	if strings.HasPrefix(problem, unknownAlias) {
		at = fieldAt(reflect.ValueOf(decoder), "parser", "event", "start_mark")
	}
	m := marks{problem: d.markOffset(at), context: d.markOffset(fieldAt(state, "context_mark"))}
	m.open = m.problem
	if open := fieldAt(state, "marks"); open.Len() > 0 {
		m.open = d.markOffset(open.Index(open.Len() - 1))
	}
	return m
}

// inside follows a path of fields.
func fieldAt(v reflect.Value, path ...string) reflect.Value {
	for _, name := range path {
		v = reflect.Indirect(v).FieldByName(name)
	}
	return v
}

// mark returns the index of a mark of yaml.v3, which counts lines and columns from 0.
func (d *Document) markOffset(v reflect.Value) int {
	line, column := fieldAt(v, "line").Int(), fieldAt(v, "column").Int()
	return min(d.offset(int(line)+1, int(column)+1), len(d.runes))
}

const (
	tagMessage     = "tags are not accepted: take it out, or put the text in quotes"
	quotesMessage  = `a value that begins with ! needs quotes, such as "!(depth > width)"`
	anchorMessage  = "anchors are not accepted: write the value out"
	aliasMessage   = "aliases are not accepted: write the value out"
	tabMessage     = "tab in the indentation: indent with spaces"
	noSpaceMessage = "no space after the colon of %s: YAML needs one"
	tooDeepMessage = "nested too deep: at most 32 levels are accepted"
	indentMessage  = "the line does not continue what stands above: check its indentation"

	unknownAlias = "unknown anchor " // how yaml.v3 begins its error
)

// prefix is how errors of yaml.v3 begin.
var errorPrefix = regexp.MustCompile(`^yaml: (line [0-9]+: )?`)

// faults say what is wrong where yaml.v3 gave up, by the words it uses.
var faultMessages = map[string]string{
	"found unknown escape character":                               "unknown escape: in double quotes a backslash is written twice",
	"mapping keys are not allowed in this context":                 `a "?" key cannot start here: write the key and a colon, or put the text in quotes`,
	"block sequence entries are not allowed in this context":       "a list item cannot start here: begin it on a line of its own, or put the text in quotes",
	"did not find expected comment or line break":                  `a line break expected after "|" or ">": start the text on the next line, or put it in quotes`,
	"found a tab character that violates indentation":              tabMessage,
	"found a tab character where an indentation space is expected": tabMessage,
}

// explain says what is wrong, and where, in words that name the remedy.
func (d *Document) explain(problem string, m marks) (at int, message string) {
	if at, ok := d.findNegation(m.problem); ok {
		return at, quotesMessage
	}
	if message, ok := faultMessages[problem]; ok {
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

// negation returns where a value that begins with ! is on the line of the index, before it. For YAML
// such a value, as in when: !(depth > width), is a tag and then another value.
func (d *Document) findNegation(before int) (at int, ok bool) {
	start, _ := d.lineRange(d.position(before).Line)
	place := negationStart.FindStringIndex(string(d.runes[start:before]))
	if place == nil {
		return 0, false
	}
	at = start + utf8.RuneCountInString(string(d.runes[start:before])[:place[1]]) - 1
	return at, d.isNegation(at)
}

// isNegation reports whether the ! at the index means not, and is not a tag such as !!str: whether a
// parenthesis or a comparison follows. It is asked of every tag, and so it allocates nothing.
func (d *Document) isNegation(offset int) bool {
	const maxRunes = 40 // characters: longer than every name of the language
	text := d.runes[offset:min(offset+maxRunes, len(d.runes))]
	skipAll := func(accepted string) (passed int) {
		for passed < len(text) && strings.ContainsRune(accepted, text[passed]) {
			passed++
		}
		text = text[passed:]
		return passed
	}
	if len(text) == 0 || text[0] != '!' {
		return false
	}
	text = text[1:]
	skipAll(" ")
	if skipAll("(") > 0 {
		return true
	}
	if skipAll("abcdefghijklmnopqrstuvwxyz_") == 0 {
		return false
	}
	skipAll(" ")
	return skipAll("-+*/<>=") > 0
}

// bang matches a ! with which a value may begin.
var negationStart = regexp.MustCompile(`(: |- |^ *)!`)

var (
	keyEnd  = regexp.MustCompile(`:[ \t]`)
	keyWithoutSpace = regexp.MustCompile(`^(- )*[^\s:#]+:[^\s:]`)

	// unspacedKey matches a key and a mapping or list in brackets without a colon and a space between
	// them, as in height:{min: 30, max: 40} and height = {min: 30, max: 40}.
	keyBeforeBracket = regexp.MustCompile(`^(- )*[^\s:#=]+(:[\[{]| *= *[\[{])`)
)

// explainColon explains a colon where no key can be. The fault is often on the line before, which
// yaml.v3 takes for the beginning of a text that goes on.
func (d *Document) explainColon(offset int) (int, string) {
	line := d.position(offset).Line
	start, end := d.lineRange(line)
	firstColumn := d.skipBlanks(start, end)
	if keyEnd.MatchString(string(d.runes[start:offset])) {
		if keyBeforeBracket.MatchString(string(d.runes[firstColumn:end])) {
			return firstColumn, d.explainKey(firstColumn)
		}
		return offset, "a second colon on the line: put a text that has one in quotes, and a mapping in braces, such as {min: 20, max: 400}"
	}
	for line--; line > 0; line-- {
		start, to := d.lineRange(line)
		before := d.skipBlanks(start, to)
		content := string(d.runes[before:to])
		if content == "" || content[0] == '#' {
			continue
		}
		if !keyEnd.MatchString(content) && (keyWithoutSpace.MatchString(content) || before-start == firstColumn-start) {
			return before, d.explainKey(before)
		}
		break
	}
	return firstColumn, indentMessage
}

// explainKey explains a line that should be a key and a value.
func (d *Document) explainKey(offset int) string {
	_, end := d.lineRange(d.position(offset).Line)
	content := string(d.runes[offset:end])
	if keyWithoutSpace.MatchString(content) {
		return fmt.Sprintf(noSpaceMessage, wording.Quote(content))
	}
	return wording.Quote(content) + " is not a key: a colon and a space expected after it"
}

// explainBlock explains what does not continue a mapping or a list, or comes when all of them are
// closed.
func (d *Document) explainBlock(offset int) string {
	start, end := d.lineRange(d.position(offset).Line)
	switch {
	case d.skipBlanks(start, end) < offset:
		return "text after a closing quote or bracket: put the whole value in quotes"
	case d.character(offset) == ':':
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
	case m.problem == len(d.runes):
		return open, fmt.Sprintf("%q is not closed", string(bracket))
	case open == m.context:
		line := d.position(open).Line
		return m.problem, fmt.Sprintf("a comma or %q expected: the %q of line %d is open", closing, string(bracket), line)
	}
	return m.problem, fmt.Sprintf("a value expected, not %q: put a text in quotes", string(d.character(m.problem)))
}
