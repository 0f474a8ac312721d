package header

import (
	"encoding/csv"
	"fmt"
	"strings"

	"example.com/boxrules/internal/wording"
)

// delimiters lists what Delimiter finds out.
var delimiters = []struct {
	char byte
	name string
}{{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}

// Delimiter returns what separates the cells of the header: of comma, semicolon, tab and bar the
// only one that Find finds all columns with, or where it does with none, the one that makes most
// cells. The note says what was found, and is empty for a comma.
func Delimiter(header []byte, o Options) (delimiter byte, note string, err error) {
	found, most := false, 0
	chosen := delimiters[0]
	for _, d := range delimiters {
		cells := split(header, d.char)
		_, err := Find(cells, o)
		switch {
		case err == nil && found:
			return 0, "", fmt.Errorf("the header %s has both %s and %s; accepted: --delimiter with what separates the columns",
				wording.Quote(string(header)), chosen.name, d.name)
		case err == nil:
			found, chosen = true, d
		case !found && len(cells) > most:
			most, chosen = len(cells), d
		}
	}
	if chosen.char == ',' {
		return ',', "", nil
	}
	return chosen.char, "the columns are separated by " + chosen.name, nil
}

// split returns the cells of a header.
func split(header []byte, delimiter byte) []string {
	r := csv.NewReader(strings.NewReader(string(header)))
	r.Comma = rune(delimiter)
	r.LazyQuotes = true
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	return cells
}

// Sep returns the delimiter that a first line such as sep=; names. Excel writes such a line, with
// the header below it.
func Sep(line []byte) (delimiter byte, ok bool) {
	text := strings.TrimRight(strings.TrimPrefix(string(line), "\ufeff"), "\r\n")
	if len(text) != len("sep=;") || !strings.EqualFold(text[:4], "sep=") || strings.Trim(text[4:], " ,;\t|:!#$%&*/\\^_~") != "" {
		return 0, false
	}
	return text[4], true
}
