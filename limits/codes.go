package limits

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/internal/wording"
)

// A codeTable holds the codes of all rows of a table. It has an index for fast lookups, because thousands
// of rows of other tables may refer to the codes.
type codeTable struct {
	all   []string
	index map[string]int // for each code, valid or not, the index of the first row that has it
	valid []string       // the valid codes, which messages list
}

func (t codeTable) has(code string) bool {
	_, ok := t.index[code]
	return ok
}

// isCode reports whether s is accepted as the code of an article, material or sheet.
func isCode(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= 64 && s == strings.TrimSpace(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// inTypographicQuotes reports whether a code begins and ends with a typographic quote, as text pasted
// from a word processor does.
func inTypographicQuotes(code string) bool {
	first, _ := utf8.DecodeRuneInString(code)
	last, _ := utf8.DecodeLastRuneInString(code)
	return strings.ContainsRune(wording.TypographicQuotes, first) && strings.ContainsRune(wording.TypographicQuotes, last)
}
