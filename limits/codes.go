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

// checkCodes reports codes in a table that are invalid or repeated, and returns all codes of the
// table.
func checkCodes[T any](c *checker, table string, rows []T, code func(T) string) codeTable {
	if len(rows) == 0 {
		c.fail(keyPath{table}, "at least one is required")
	}
	// The result includes invalid codes, so that rows that refer to them are not reported as well.
	t := codeTable{index: make(map[string]int)}
	for i, row := range rows {
		code := code(row)
		isValid := isCode(code)
		if !isValid {
			c.fail(keyPath{table, code}, notACode, wording.Cut(code))
		} else if inTypographicQuotes(code) {
			c.fail(keyPath{table, code}, "%q has typographic quotes, which are part of the code: write plain ones, or none", wording.Cut(code))
		} else if t.has(code) {
			c.fail(keyPath{table, code}, "the code is used twice")
		}
		t.all = append(t.all, code)
		if !t.has(code) {
			t.index[code] = i
		}
		if isValid {
			t.valid = append(t.valid, code)
		}
	}
	return t
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
