// Package csvtest reads CSV with regular expressions. It is slow and simple, and used to test faster readers.
// If no quote is malformed or within an unquoted cell, it agrees with encoding/csv.
package csvtest

import (
	"regexp"
	"strings"
	"sync"
)

// The kinds of malformed records.
const (
	BareQuote = "bare"  // a cell that begins with spaces or tabs and then a quote
	OpenQuote = "quote" // a quote that is never closed, or not followed by the end of its cell
)

// Record reads the first record of a text that is not empty. It returns the length of the record with its
// line end, and its cells. If the record is malformed, fault is one of the kinds above, and n is the
// length of its first line.
func Record(text string, delimiter byte) (n int, cells []string, fault string) {
	if n, cells, fault = readRecord(text, delimiter); fault == "" {
		return n, cells, ""
	}
	// A malformed record ends with its first line, and the fault is the one in that line alone.
	n = strings.IndexByte(text, '\n') + 1
	if n == 0 {
		n = len(text)
	}
	if _, _, fault = readRecord(text[:n], delimiter); fault == "" {
		fault = OpenQuote
	}
	return n, nil, fault
}

// patterns match the first cell of a text, with the delimiter or line end after it.
type patterns struct{ quoted, unquoted *regexp.Regexp }

var (
	bareQuote = regexp.MustCompile(`\A[ \t]+"`)
	quoteByte = func(b byte) string { return regexp.QuoteMeta(string(rune(b))) }
	compiled  sync.Map // patterns by delimiter
)

func recordPatterns(delimiter byte) patterns {
	p, ok := compiled.Load(delimiter)
	if !ok {
		end := `(` + quoteByte(delimiter) + `|\r?\n|\r?\z)`
		p, _ = compiled.LoadOrStore(delimiter, patterns{
			regexp.MustCompile(`\A"((?:[^"]|"")*)"` + end),
			regexp.MustCompile(`\A([^\n` + quoteByte(delimiter) + `]*?)` + end),
		})
	}
	return p.(patterns)
}

func readRecord(text string, delimiter byte) (n int, cells []string, fault string) {
	p := recordPatterns(delimiter)
	for {
		m := p.quoted.FindStringSubmatch(text[n:])
		switch {
		case m != nil:
			cells = append(cells, strings.ReplaceAll(m[1], `""`, `"`))
		case strings.HasPrefix(text[n:], `"`):
			return 0, nil, OpenQuote
		default:
			if m = p.unquoted.FindStringSubmatch(text[n:]); bareQuote.MatchString(m[1]) {
				return 0, nil, BareQuote
			}
			cells = append(cells, m[1])
		}
		n += len(m[0])
		if m[2] != string(delimiter) {
			return n, cells, ""
		}
	}
}
