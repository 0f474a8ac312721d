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
		if indicators(line) > maxIndicators {
			d.report("", d.lines[i], tooDeepMessage)
			return nil, false
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(content))
	documents, err := decode(decoder)
	if err != nil {
		problem := prefix.ReplaceAllString(err.Error(), "")
		at, message := d.explain(problem, d.marks(decoder, problem))
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
func indicators(line string) (count int) {
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
func decode(decoder *yaml.Decoder) (documents []*yaml.Node, err error) {
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
func (d *Document) marks(decoder *yaml.Decoder, problem string) marks {
	state := inside(reflect.ValueOf(decoder), "parser", "parser")
	at := inside(state, "problem_mark")
	if strings.HasPrefix(problem, unknownAlias) {
		at = inside(reflect.ValueOf(decoder), "parser", "event", "start_mark")
	}
	m := marks{problem: d.mark(at), context: d.mark(inside(state, "context_mark"))}
	m.open = m.problem
	if open := inside(state, "marks"); open.Len() > 0 {
		m.open = d.mark(open.Index(open.Len() - 1))
	}
	return m
}

// inside follows a path of fields.
func inside(v reflect.Value, path ...string) reflect.Value {
	for _, name := range path {
		v = reflect.Indirect(v).FieldByName(name)
	}
	return v
}

// mark returns the index of a mark of yaml.v3, which counts lines and columns from 0.
func (d *Document) mark(v reflect.Value) int {
	line, column := inside(v, "line").Int(), inside(v, "column").Int()
	return min(d.at(int(line)+1, int(column)+1), len(d.runes))
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
var prefix = regexp.MustCompile(`^yaml: (line [0-9]+: )?`)

// faults say what is wrong where yaml.v3 gave up, by the words it uses.
var faults = map[string]string{
	"found unknown escape character":                               "unknown escape: in double quotes a backslash is written twice",
	"mapping keys are not allowed in this context":                 `a "?" key cannot start here: write the key and a colon, or put the text in quotes`,
	"block sequence entries are not allowed in this context":       "a list item cannot start here: begin it on a line of its own, or put the text in quotes",
	"did not find expected comment or line break":                  `a line break expected after "|" or ">": start the text on the next line, or put it in quotes`,
	"found a tab character that violates indentation":              tabMessage,
	"found a tab character where an indentation space is expected": tabMessage,
}

// explain says what is wrong, and where, in words that name the remedy.
func (d *Document) explain(problem string, m marks) (at int, message string) {
	if at, ok := d.negation(m.problem); ok {
		return at, quotesMessage
	}
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

// negation returns where a value that begins with ! is on the line of the index, before it. For YAML
// such a value, as in when: !(depth > width), is a tag and then another value.
func (d *Document) negation(before int) (at int, ok bool) {
	start, _ := d.line(d.position(before).Line)
	place := bang.FindStringIndex(string(d.runes[start:before]))
	if place == nil {
		return 0, false
	}
	at = start + utf8.RuneCountInString(string(d.runes[start:before])[:place[1]]) - 1
	return at, d.isNegation(at)
}

// isNegation reports whether the ! at the index means not, and is not a tag such as !!str: whether a
// parenthesis or a comparison follows. It is asked of every tag, and so it allocates nothing.
func (d *Document) isNegation(at int) bool {
	const enough = 40 // characters: longer than every name of the language
	rest := d.runes[at:min(at+enough, len(d.runes))]
	next := func(accepted string) (passed int) {
		for passed < len(rest) && strings.ContainsRune(accepted, rest[passed]) {
			passed++
		}
		rest = rest[passed:]
		return passed
	}
	if len(rest) == 0 || rest[0] != '!' {
		return false
	}
	rest = rest[1:]
	next(" ")
	if next("(") > 0 {
		return true
	}
	if next("abcdefghijklmnopqrstuvwxyz_") == 0 {
		return false
	}
	next(" ")
	return next("-+*/<>=") > 0
}

// bang matches a ! with which a value may begin.
var bang = regexp.MustCompile(`(: |- |^ *)!`)

var (
	keyEnd  = regexp.MustCompile(`:[ \t]`)
	noSpace = regexp.MustCompile(`^(- )*[^\s:#]+:[^\s:]`)

	// unspacedKey matches a key and a mapping or list in brackets without a colon and a space between
	// them, as in height:{min: 30, max: 40} and height = {min: 30, max: 40}.
	unspacedKey = regexp.MustCompile(`^(- )*[^\s:#=]+(:[\[{]| *= *[\[{])`)
)

// explainColon explains a colon where no key can be. The fault is often on the line before, which
// yaml.v3 takes for the beginning of a text that goes on.
func (d *Document) explainColon(at int) (int, string) {
	line := d.position(at).Line
	start, end := d.line(line)
	first := d.skipBlanks(start, end)
	if keyEnd.MatchString(string(d.runes[start:at])) {
		if unspacedKey.MatchString(string(d.runes[first:end])) {
			return first, d.explainKey(first)
		}
		return at, "a second colon on the line: put a text that has one in quotes, and a mapping in braces, such as {min: 20, max: 400}"
	}
	for line--; line > 0; line-- {
		from, to := d.line(line)
		before := d.skipBlanks(from, to)
		content := string(d.runes[before:to])
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
	_, end := d.line(d.position(at).Line)
	content := string(d.runes[at:end])
	if noSpace.MatchString(content) {
		return fmt.Sprintf(noSpaceMessage, wording.Quote(content))
	}
	return wording.Quote(content) + " is not a key: a colon and a space expected after it"
}

// explainBlock explains what does not continue a mapping or a list, or comes when all of them are
// closed.
func (d *Document) explainBlock(at int) string {
	start, end := d.line(d.position(at).Line)
	switch {
	case d.skipBlanks(start, end) < at:
		return "text after a closing quote or bracket: put the whole value in quotes"
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
	case m.problem == len(d.runes):
		return open, fmt.Sprintf("%q is not closed", string(bracket))
	case open == m.context:
		line := d.position(open).Line
		return m.problem, fmt.Sprintf("a comma or %q expected: the %q of line %d is open", closing, string(bracket), line)
	}
	return m.problem, fmt.Sprintf("a value expected, not %q: put a text in quotes", string(d.character(m.problem)))
}
