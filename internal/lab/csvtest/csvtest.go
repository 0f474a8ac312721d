// Package csvtest reads CSV with regular expressions. It is slow and simple, and is used to test faster readers. It
// agrees with encoding/csv if no quote is malformed and no unquoted cell contains a quote.
package csvtest

import (
	"regexp"
	"strings"
	"sync"
)

// The faults that Record reports in malformed records.
const (
	BareQuote = "bare"  // a cell that begins with spaces or tabs and then a quote
	OpenQuote = "quote" // a quote that is never closed, or whose closing quote is not at the end of the cell
)

// Record reads the first record of text, which must not be empty. It returns the length of the record, including its
// line end, and the cells. If the record is malformed, fault is BareQuote or OpenQuote, and n is the length of the
// first line.
func Record(text string, delimiter byte) (n int, cells []string, fault string) {
	if n, cells, fault = readRecord(text, delimiter); fault == "" {
		return n, cells, ""
	}
	// A malformed record is its first line. Determine the fault from that line alone.
	n = strings.IndexByte(text, '\n') + 1
	if n == 0 {
		n = len(text)
	}
	if _, _, fault = readRecord(text[:n], delimiter); fault == "" {
		fault = OpenQuote
	}
	return n, nil, fault
}

// patterns holds two expressions that match the first cell of a text, including the delimiter or line end after it:
// one for a cell in quotes, and one for a cell without quotes.
type patterns struct{ quoted, unquoted *regexp.Regexp }

var (
	bareQuote = regexp.MustCompile(`\A[ \t]+"`)
	quoteByte = func(b byte) string { return regexp.QuoteMeta(string(rune(b))) }
	compiled  sync.Map // patterns, keyed by delimiter
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
