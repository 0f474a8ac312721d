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

// maxIndicators is the maximum number of list and key indicators at the beginning of a line, as in "- - - a". Each
// indicator opens a block, and the time that yaml.v3 takes grows with the number of open blocks times the number of
// comments. So a file that has a line with more indicators is not passed to yaml.v3. A line with fewer indicators may
// still be nested more than maxDepth deep. Such a line is parsed, and checkValue reports it.
const maxIndicators = 128

// parseSyntax parses the text with yaml.v3 and returns the root of the document. root is nil if the file has no
// document. ok is false if the text is not YAML.
func (d *Document) parseSyntax() (root *yaml.Node, ok bool) {
	content := string(d.runes)
	// Refuse lines that would take yaml.v3 too long, before it reads any of them.
	for i, line := range strings.Split(content, "\n") {
		if countIndicators(line) > maxIndicators {
			d.report("", d.lines[i], tooDeepMessage)
			return nil, false
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(content))
	documents, err := decodeDocuments(decoder)
	if err != nil {
		// The line in the text of the error is not reliable, so take the places from the parser's fields.
		problem := errorPrefix.ReplaceAllString(err.Error(), "")
		offset, message := d.explain(problem, d.readMarks(decoder, problem))
		d.report("", offset, "%s", message)
	}
	if len(documents) > 1 {
		d.rejectf(documents[1], "a second document is not accepted: one file holds one document")
	}
	if len(documents) > 0 {
		// Even if there is a second document, the first one is checked.
		root = documents[0].Content[0]
	}
	return root, err == nil
}

// countIndicators returns the number of nested blocks that open at the beginning of a line. For "- - ? a" it is 3.
func countIndicators(line string) (count int) {
	for field := range strings.FieldsSeq(line) {
		if field != "-" && field != "?" && field != ":" {
			break
		}
		count++
	}
	return count
}

// decodeDocuments reads at most two documents. It decodes each into a yaml.Node, because for any other type
// yaml.v3 compares all pairs of keys. For most errors, yaml.v3 panics. It recovers from most of these panics
// itself, and decodeDocuments recovers from the rest.
func decodeDocuments(decoder *yaml.Decoder) (documents []*yaml.Node, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("yaml: internal error: %v", bug)
		}
	}()
	// yaml.v3 stops reading at the end of the first document. The text after it may not be YAML, and only the
	// second call of Decode notices that.
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

// marks holds the places in the text that belong to a syntax error, as offsets. For the missing bracket in
//
//	a: [1, {b: 2
//	c: 3
//
// problem is the colon after c, where yaml.v3 noticed it, and context is the brace. yaml.v3 has taken the
// brace off its stack of open collections by then, so open is the bracket.
type marks struct {
	problem int // where yaml.v3 noticed the error
	context int // the start of the scalar or collection that yaml.v3 was reading
	open    int // the start of the innermost collection that is still on the parser's stack
}

// readMarks reads the places of an error from private fields of yaml.v3's parser. The message of yaml.v3 has only a
// line number. It may be the line of the problem or the line of the context, and it may be counted from 0 or from 1.
func (d *Document) readMarks(decoder *yaml.Decoder, problem string) marks {
	state := yamlErrorField(reflect.ValueOf(decoder), "parser", "parser")
	problemMark := yamlErrorField(state, "problem_mark")
	if strings.HasPrefix(problem, unknownAlias) { // yaml.v3 finds it while it builds the tree, and sets no problem_mark
		problemMark = yamlErrorField(reflect.ValueOf(decoder), "parser", "event", "start_mark")
	}
	m := marks{problem: d.markOffset(problemMark), context: d.markOffset(yamlErrorField(state, "context_mark"))}
	// If no collection is open, m.open is the place of the problem itself.
	m.open = m.problem
	if open := yamlErrorField(state, "marks"); open.Len() > 0 {
		m.open = d.markOffset(open.Index(open.Len() - 1))
	}
	return m
}

// yamlErrorField follows a path of field names from v: yamlErrorField(v, "parser", "parser") is v.parser.parser.
func yamlErrorField(v reflect.Value, path ...string) reflect.Value {
	for _, name := range path {
		v = reflect.Indirect(v).FieldByName(name)
	}
	return v
}

// markOffset returns the offset of a yaml.v3 mark. In a mark, lines and columns are counted from 0.
func (d *Document) markOffset(v reflect.Value) int {
	line, column := yamlErrorField(v, "line").Int(), yamlErrorField(v, "column").Int()
	return min(d.offset(int(line)+1, int(column)+1), len(d.runes))
}

const (
	tagMessage     = "tags are not accepted: remove the tag, or put the text in quotes"
	quotesMessage  = `a value that begins with ! needs quotes, such as "!(depth > width)"`
	anchorMessage  = "anchors are not accepted: write out the value"
	aliasMessage   = "aliases are not accepted: write out the value"
	tabMessage     = "tab in the indentation: indent with spaces"
	noSpaceMessage = "no space after the colon of %s: YAML needs one"
	tooDeepMessage = "nested too deeply: at most 32 levels are accepted"
	indentMessage  = "the line does not continue anything above it: check its indentation"

	unknownAlias = "unknown anchor " // the beginning of a yaml.v3 error
)

// errorPrefix matches the beginning of every yaml.v3 error message.
var errorPrefix = regexp.MustCompile(`^yaml: (line [0-9]+: )?`)

// faultMessages maps yaml.v3 errors to our messages. It contains only the errors for which our message is always the
// same. For the other errors, the message depends on the text around the error; see explain.
var faultMessages = map[string]string{
	"found unknown escape character":                               "unknown escape: in double quotes, write a backslash twice",
	"mapping keys are not allowed in this context":                 `a "?" key cannot start here: write the key and a colon, or put the text in quotes`,
	"block sequence entries are not allowed in this context":       "a list item cannot start here: begin it on a line of its own, or put the text in quotes",
	"did not find expected comment or line break":                  `expected a line break after "|" or ">": start the text on the next line, or put it in quotes`,
	"found a tab character that violates indentation":              tabMessage,
	"found a tab character where an indentation space is expected": tabMessage,
}

// explain returns a message that says what is wrong and how to fix it, and the offset of the mistake. problem is the
// error message from yaml.v3.
func (d *Document) explain(problem string, m marks) (offset int, message string) {
	// A condition such as !(depth > width) without quotes leads to various yaml.v3 errors. They all get the same
	// message here.
	if offset, ok := d.findNegation(m.problem); ok {
		return offset, quotesMessage
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

// findNegation looks for a value that begins with a negation, as in when: !(depth > width). YAML does not read this !
// as "not", but as the first character of a tag, and then reports various errors in the text after it. findNegation
// searches a single line, from its start up to the offset given by before.
func (d *Document) findNegation(before int) (offset int, ok bool) {
	start, _ := d.lineRange(d.position(before).Line)
	place := negationStart.FindStringIndex(string(d.runes[start:before]))
	if place == nil {
		return 0, false
	}
	// place counts bytes of the line up to and including the !, and offsets count runes.
	offset = start + utf8.RuneCountInString(string(d.runes[start:before])[:place[1]]) - 1
	return offset, d.isNegation(offset)
}

// isNegation reports whether a ! at the offset means "not", and is not part of a tag such as !!str. It means
// "not" if it is followed by a parenthesis, or by a name and an operator. isNegation is called for every tag,
// so it does not allocate.
func (d *Document) isNegation(offset int) bool {
	const maxRunes = 40 // longer than any name in the language
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
	// "!(" or "! (" is a negation. So is "!width > 5", a name and an operator.
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

// negationStart matches a ! at the beginning of a value.
var negationStart = regexp.MustCompile(`(: |- |^ *)!`)

var (
	keyEnd          = regexp.MustCompile(`:[ \t]`)
	keyWithoutSpace = regexp.MustCompile(`^(- )*[^\s:#]+:[^\s:]`)

	// keyBeforeBracket matches a key before a mapping or list in brackets, if they are not separated by a colon and a
	// space, as in height:{min: 30, max: 40} and height = {min: 30, max: 40}.
	keyBeforeBracket = regexp.MustCompile(`^(- )*[^\s:#=]+(:[\[{]| *= *[\[{])`)
)

// explainColon explains a colon where no key is possible. Often the mistake is on the line before, as in
//
//	caliper:0.4
//	glue_flap: 15
//
// To yaml.v3, "caliper:0.4 glue_flap" is one text on two lines, and the colon after it is an error. So
// explainColon reports the line before if it looks like a key without a space, or if it has no key and the
// same indentation.
func (d *Document) explainColon(colon int) (offset int, message string) {
	line := d.position(colon).Line
	start, end := d.lineRange(line)
	text := d.skipBlanks(start, end)
	// If there is a key before this colon on its line, the line above is not to blame.
	if keyEnd.MatchString(string(d.runes[start:colon])) {
		if keyBeforeBracket.MatchString(string(d.runes[text:end])) {
			return text, d.explainKey(text)
		}
		return colon, "a second colon on the line: put text that contains a colon in quotes, and a mapping in braces, such as {min: 20, max: 400}"
	}
	// The first line above that is neither empty nor a comment is the one that yaml.v3 has joined.
	for line--; line > 0; line-- {
		startAbove, endAbove := d.lineRange(line)
		textAbove := d.skipBlanks(startAbove, endAbove)
		content := string(d.runes[textAbove:endAbove])
		if content == "" || content[0] == '#' {
			continue
		}
		sameIndentation := textAbove-startAbove == text-start
		if !keyEnd.MatchString(content) && (keyWithoutSpace.MatchString(content) || sameIndentation) {
			return textAbove, d.explainKey(textAbove)
		}
		break
	}
	return text, indentMessage
}

// explainKey says why the text from the offset to the end of the line is not a key with a value.
func (d *Document) explainKey(offset int) string {
	_, end := d.lineRange(d.position(offset).Line)
	content := string(d.runes[offset:end])
	if keyWithoutSpace.MatchString(content) {
		return fmt.Sprintf(noSpaceMessage, wording.Quote(content))
	}
	return wording.Quote(content) + " is not a key: expected a colon and a space after it"
}

// explainBlock explains unexpected text at the offset. The text does not continue the mapping or list around it, or it
// comes after the end of the document.
func (d *Document) explainBlock(offset int) string {
	start, end := d.lineRange(d.position(offset).Line)
	switch {
	// Something comes before the offset on its line, such as the quote in: "a" b.
	case d.skipBlanks(start, end) < offset:
		return "text after a closing quote or bracket: put the whole value in quotes"
	case d.character(offset) == ':':
		return "expected a key before the colon"
	}
	return indentMessage
}

// explainBracket explains unexpected text inside the brackets that start at open.
func (d *Document) explainBracket(m marks, open int) (offset int, message string) {
	bracket, closing := d.character(open), "]"
	if bracket == '{' {
		closing = "}"
	}
	switch {
	case bracket != '[' && bracket != '{': // not in brackets: the return after the switch explains it
	case m.problem == len(d.runes):
		return open, fmt.Sprintf("%q is not closed", string(bracket))
	case open == m.context:
		line := d.position(open).Line
		return m.problem, fmt.Sprintf("expected a comma or %q: the %q on line %d is not closed", closing, string(bracket), line)
	}
	return m.problem, fmt.Sprintf("expected a value, not %q: put text in quotes", string(d.character(m.problem)))
}

// character returns the character at the offset. At the end of the text it returns a line break, as if
// the last line had one.
func (d *Document) character(offset int) rune {
	if offset < len(d.runes) {
		return d.runes[offset]
	}
	return '\n'
}

// skipBlanks returns the offset of the first character from i on that is neither a space nor a tab, or
// end if only spaces and tabs come before end.
func (d *Document) skipBlanks(i, end int) int {
	for i < end && (d.runes[i] == ' ' || d.runes[i] == '\t') {
		i++
	}
	return i
}

func isWhitespace(r rune) bool { return strings.ContainsRune(" \t\n\r\u0085\u2028\u2029", r) }
