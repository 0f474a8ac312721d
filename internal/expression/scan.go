package expression

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/internal/fraction"
	"example.com/boxrules/internal/wording"
)

// MaxLength is the maximum number of characters in an expression. It also bounds how deeply expr's parser recurses,
// because expr has no limit of its own.
const MaxLength = 4096

// maxDigits is the maximum number of digits in a literal. Different decimals of up to 15 digits are different float64s,
// so no two different literals become the same number in expr.
const maxDigits = 15

// A Problem is a mistake in the text of an expression, with its position.
type Problem struct {
	Offset  int // in characters (runes) from the start of the text
	Message string
}

// A scanner reads the text before expr does, and refuses everything that is not a word, a number or an
// operator of the language. It does not parse: expr checks whether the words, numbers and operators are in a
// sensible order.
type scanner struct {
	text     []rune
	offset   int // of the next character
	names    map[string]valueKind
	literals map[int]string // the text of each literal by its offset, because expr keeps only a float64
	problems []Problem

	mentioned   []string // the variables found so far, without duplicates
	isCondition bool     // and not a formula

	// inRightOperand has one value for the text outside of all parentheses and one for each open
	// parenthesis. It is true if a comparison operator has been read at that level, so that the text after
	// it is its right operand. After "a < (b" the values are true and false.
	inRightOperand []bool
	nestingDepth   int // the number of open parentheses that are in a right operand
}

// errorf reports a problem. It returns nil, so that functions that return a Node can return its result.
func (s *scanner) errorf(offset int, format string, args ...any) *Node {
	s.problems = append(s.problems, Problem{offset, fmt.Sprintf(format, args...)})
	return nil
}

// operators lists the operators, the parentheses and the comma. The scanner takes the longest one that
// matches, so <= is not read as < and =.
var operators = []string{"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "(", ")", ",", "<", ">", "!"}

// refusals holds the messages about words and operators that people know from other languages, but that this
// language does not have.
var refusals = func() map[string]string {
	messages := make(map[string]string)
	for _, group := range []struct{ written, message string }{
		{"// /*", "comments are not accepted in an expression: use a YAML comment"},
		{"** ^ ² ³", "powers are not accepted: an expression must be linear"},
		{"%", "remainders are not accepted: an expression must be linear"},
		{"..", "ranges are not part of the language"},
		{"?? :: nil", "THIS is not part of the language"},
		{"? : if else", "conditionals are not part of the language: use &&, || and !"},
		{"|", "the operator | is not supported; write || for or"},
		{"&", "unexpected &; write && for and"},
		{"=", "unexpected =; write == to compare"},
		{"=> ≥", "unexpected THIS; write >= for greater than or equal to"},
		{"=< ≤", "unexpected THIS; write <= for less than or equal to"},
		{"<> ≠", "unexpected THIS; write != for not equal to"},
		{"× ·", "unexpected THIS; write * for a product"},
		{"÷", "unexpected THIS; write / for a quotient"},
		{"– — −", "unexpected THIS; write - for minus"},
		{"$", "$env is not part of the language"},
		{";", "THIS is not part of the language: write only one expression"},
		{"#", "predicates are not part of the language"},
		{".", "unexpected .; write numbers such as 0.5 or 2.5"},
		{"[ ]", "lists are not part of the language"},
		{"{ }", "maps and predicates are not part of the language"},
		{"\" ' ` matches contains startsWith endsWith", "strings are not part of the language"},
		{strings.Join(strings.Split(wording.TypographicQuotes, ""), " "), "YAML does not treat typographic quotes as quotes: write plain ones, or none"},
		{"true false", "THIS is not a condition on a box"},
		{"let", "let is not part of the language: write out the value"},
		{"in", "in is not part of the language: compare with == and ||"},
		{"article", "a condition cannot depend on the article: list the rule's code under constraints in the articles that it applies to"},
		{"material", "a condition cannot depend on the material: compare its caliper, glue_flap, sheet_width or sheet_height"},
	} {
		for written := range strings.FieldsSeq(group.written) {
			messages[written] = strings.Replace(group.message, "THIS", written, 1)
		}
	}
	return messages
}()

func (s *scanner) scan() {
	if len(s.text) > MaxLength {
		s.errorf(0, "the expression has %d characters; at most %d are accepted", len(s.text), MaxLength)
		return
	}
	for s.offset < len(s.text) {
		r := s.text[s.offset]
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			s.offset++
		case r >= '0' && r <= '9':
			s.scanNumber()
		case isLetter(r):
			s.scanWord()
		default:
			s.scanSign()
		}
	}
}

// isLetter reports whether r can be part of a word. No word of the language has a letter such as ä, but
// länge should be reported as one unknown name and not as three problems.
func isLetter(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.M) }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func (s *scanner) scanSign() {
	// Try two characters first, so that <= is not read as < and =.
	for length := min(2, len(s.text)-s.offset); length > 0; length-- {
		sign := string(s.text[s.offset : s.offset+length])
		if slices.Contains(operators, sign) {
			s.offset += length
			s.trackNesting(sign)
			return
		}
		if message, ok := refusals[sign]; ok {
			// For these mistakes we can guess what was meant.
			switch {
			case sign == "=" && strings.TrimSpace(string(s.text[:s.offset])) == "":
				message = "an expression does not begin with =, unlike a spreadsheet formula: remove the ="
			case sign == ";" && len(s.inRightOperand) > 1:
				message = "numbers in min and max are separated by commas, not by ;"
			}
			s.errorf(s.offset, "%s", message)
			s.offset = s.skipRefused(sign)
			return
		}
	}
	// Some characters, such as a no-break space, look like a space in an editor.
	if r := s.text[s.offset]; unicode.IsSpace(r) {
		s.errorf(s.offset, "white space %U is not accepted here: write a plain space", r)
	} else {
		s.errorf(s.offset, "unexpected character %q", r)
	}
	s.offset++
}

// maxNesting is how deeply comparisons may be nested in a text that is passed on to expr. Nested comparisons
// are always a mistake, because a comparison takes numbers. But the walker has a better message about this
// mistake, so the scanner lets a few levels through.
const maxNesting = 3

// trackNesting updates the nesting depth of comparisons for the operator that ends at s.offset, and reports comparisons
// that are nested too deeply.
//
// expr must not see such comparisons. It reads the chain a < b < c as a < b && b < c and walks b twice. In
// a < (b < (c < d < e) < f) < g it walks d eight times: its time doubles with every level.
func (s *scanner) trackNesting(operator string) {
	last := len(s.inRightOperand) - 1
	switch operator {
	case "(":
		if s.inRightOperand[last] { // as in a < (
			s.nestingDepth++
		}
		s.inRightOperand = append(s.inRightOperand, false)
	case ")":
		if last == 0 {
			return // expr reports that it was never opened
		}
		if s.inRightOperand[last-1] { // this parenthesis was counted when it was opened
			s.nestingDepth--
		}
		s.inRightOperand = s.inRightOperand[:last]
	case "<", "<=", ">", ">=":
		s.inRightOperand[last] = true
		if s.nestingDepth > maxNesting {
			s.errorf(s.offset-len(operator), "comparisons are nested too deeply: %s takes numbers, but it is inside an operand of another comparison", operator)
			s.offset = len(s.text) // further problems would only follow from this one
		}
	case ",", "&&", "||", "and", "or": // they end the comparison before them
		s.inRightOperand[last] = false
	}
}

// skipRefused returns the offset at which scanning continues after a refused operator. If the operator begins a string
// or a comment, skipRefused returns the offset after the string or comment, so that its content is not reported as
// well.
func (s *scanner) skipRefused(sign string) int {
	if sign == "$" { // $env is a name of expr
		end := s.offset + 1
		for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
			end++
		}
		return end
	}
	end := map[string]string{"//": "\n", "#": "\n", "/*": "*/", `"`: `"`, "'": "'", "`": "`"}[sign]
	if end == "" {
		return s.offset + utf8.RuneCountInString(sign)
	}
	inside := string(s.text[s.offset+len(sign):])
	before, _, found := strings.Cut(inside, end)
	if !found {
		return len(s.text) // the string or comment is not closed
	}
	// Offsets count characters. The signs themselves are ASCII; what is between them need not be.
	return s.offset + len(sign) + utf8.RuneCountInString(before) + len(end)
}

// scanNumber reads everything that may be meant as one number, so that each of 1e3 and 1_000 is reported as a
// single problem.
func (s *scanner) scanNumber() {
	start := s.offset
	for s.offset < len(s.text) && (isDigit(s.text[s.offset]) || isLetter(s.text[s.offset]) || s.text[s.offset] == '.') {
		s.offset++
	}
	text := string(s.text[start:s.offset])
	// In 2width and 10mm letters follow the number. Show how to write the product: with the reader's own
	// words if they are a variable, as in 2width, and otherwise with an example.
	if number := strings.TrimRightFunc(text, isLetter); number != text {
		product := "2*width"
		if _, known := s.names[text[len(number):]]; known {
			product = number + "*" + text[len(number):]
		}
		s.errorf(start, "%q is not a plain decimal: write digits, and a product as %s",
			wording.Cut(text), wording.Cut(product))
		return
	}
	if why := literalProblem(text); why != "" {
		s.errorf(start, "%q is not a plain decimal: %s", wording.Cut(text), why)
		return
	}
	// A comma can be meant as a separator only inside parentheses. Elsewhere expr reports it.
	if after := decimalComma.FindStringSubmatch(string(s.text[s.offset:])); after != nil && len(s.inRightOperand) > 1 && !strings.Contains(text, ".") {
		s.errorf(start, "%q may be a decimal with a comma: write %s, or, if the comma separates two numbers, put a space after it",
			wording.Cut(text+","+after[1]), wording.Cut(text+"."+after[1]))
		return
	}
	s.literals[start] = text
}

// decimalComma matches a comma and digits that may be the fraction of a decimal. max(0,5*depth, 12) is
// the maximum of 0, 5*depth and 12, but somebody who is used to decimal commas means 0.5*depth. In
// max(10,2.5) the comma can only be a separator.
var decimalComma = regexp.MustCompile(`^,([0-9]+)([^0-9.]|$)`)

// literalProblem says why text is not a plain decimal like 0.5. It returns "" for a plain decimal.
func literalProblem(text string) string {
	whole, fraction, point := strings.Cut(text, ".")
	switch {
	case strings.Trim(whole+fraction, "0123456789") != "": // a letter, or a second point
		return "write digits and at most one decimal point"
	case point && fraction == "":
		return "digits must follow the point"
	case len(whole) > 1 && whole[0] == '0':
		return "remove the leading zeros"
	case len(whole)+len(fraction) > maxDigits:
		return fmt.Sprintf("write at most %d digits", maxDigits)
	}
	return ""
}

// comparedCode matches what follows the word article or material in a comparison, such as == "tray". The
// scanner has reported the word, and skips the rest, so that the code is not reported as a second problem.
var comparedCode = regexp.MustCompile(`^\s*(==|!=|=)\s*("[^"]*"|'[^']*'|[0-9A-Za-z_]+)`)

func (s *scanner) scanWord() {
	start := s.offset
	for s.offset < len(s.text) && (isLetter(s.text[s.offset]) || isDigit(s.text[s.offset])) {
		s.offset++
	}
	word := string(s.text[start:s.offset])
	if _, known := s.names[word]; known {
		if !slices.Contains(s.mentioned, word) {
			s.mentioned = append(s.mentioned, word)
		}
		return
	}
	switch word {
	case "and", "or", "not", "min", "max":
		s.trackNesting(word)
		return
	}
	if message, ok := refusals[word]; ok {
		s.errorf(start, "%s", message)
		if word == "article" || word == "material" { // skip the code that it is compared with
			s.offset += utf8.RuneCountInString(comparedCode.FindString(string(s.text[s.offset:])))
		}
		return
	}
	// A word before a parenthesis is meant as a function, so suggest functions and not variables.
	if strings.HasPrefix(strings.TrimSpace(string(s.text[s.offset:])), "(") {
		functions := []string{"min", "max", "and", "or", "not"}
		s.errorf(start, "unknown function %q; accepted: min, max%s", wording.Cut(word), wording.DidYouMean(word, functions))
		return
	}
	names := slices.Sorted(maps.Keys(s.names))
	declared := ""
	if s.isCondition && len(names) == len(variables) {
		declared = ", and names declared under values"
	}
	s.errorf(start, "unknown name %q; accepted: %s%s%s", wording.Cut(word), strings.Join(names, ", "), declared,
		wording.DidYouMean(word, append(names, "and", "or", "not")))
}

// isOperatorWord reports whether the word is an operator or a function.
func isOperatorWord(word string) bool {
	return wordOperators[word] != "" || word == "min" || word == "max"
}

// missingOperatorMessage returns a message if the operand at the offset follows another operand without an
// operator in between, as in 4 width. Otherwise it returns "".
func (s *scanner) missingOperatorMessage(offset int) string {
	before := operandAtEnd.FindStringSubmatch(string(s.text[:offset]))
	after := operandAtStart.FindString(string(s.text[offset:]))
	if before == nil || after == "" || isOperatorWord(before[1]) || isOperatorWord(after) {
		return "" // as in "width and 4", where and is not an operand
	}
	message := "an operator is missing before " + wording.Quote(after)
	// In 20 1/2 the operands form a number of inches, so show it as a decimal.
	if number := before[1] + " " + fractionAtStart.FindString(string(s.text[offset:])); fraction.Decimal(number) != "" {
		return message + ": write " + fraction.Decimal(number) + " for " + number
	}
	// In 4 width a product is meant.
	if isDigit(rune(before[1][0])) && isLetter(rune(after[0])) {
		message += fmt.Sprintf(": write %s * %s for a product", wording.Cut(before[1]), wording.Cut(after))
	}
	return message
}

// fractionAtStart matches the fraction in a length such as 20 1/2.
var fractionAtStart = regexp.MustCompile(`^[0-9]+/(?:2|4|8|16|32|64)\b`)

// operandAtEnd matches an operand or a closing parenthesis at the end of a text. operandAtStart matches an
// operand or an opening parenthesis at the start of a text.
var (
	operandAtEnd   = regexp.MustCompile(`([0-9A-Za-z_.]+|\))\s*$`)
	operandAtStart = regexp.MustCompile(`^([0-9A-Za-z_.]+|\()`)
)

// textForParser returns the text in a form that expr can parse on every machine. On 32-bit machines, expr
// refuses whole numbers that do not fit an int, but accepts decimals. So 12345678901 becomes 123456789.0. The
// two have the same length, so offsets stay the same. The value of the number does not matter, because
// literalPatch replaces it.
func (s *scanner) textForParser() string {
	const safeDigits = 9 // any number with 9 digits fits into 32 bits
	text := slices.Clone(s.text)
	for start, number := range s.literals {
		if len(number) > safeDigits && !strings.Contains(number, ".") {
			copy(text[start+len(number)-2:], []rune(".0"))
		}
	}
	return string(text)
}
