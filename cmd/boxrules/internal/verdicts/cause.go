package verdicts

import (
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// causes lists what makes most rows of a list no boxes: words of the first problem of each, and
// what is said of all. Those that quote any text come first.
var causes = [...]struct{ words, all string }{
	{"unknown article", "their articles are not those of the limits; accepted: those of 'boxrules articles', or --rename article=NAME"},
	{"unknown material", "their materials are not those of the limits; accepted: those of 'boxrules articles', or --rename material=NAME"},
	{"has a comma", "their numbers have commas; accepted: --decimal , for decimal commas, or numbers without those of thousands"},
	{"has a point", "their numbers have points; accepted: no --decimal , or numbers without those of thousands"},
	{"in the cell, or --decimal", "their numbers are text; accepted: --decimal . or --decimal ,"},
	{"has a unit", "their numbers have units; accepted: numbers alone, and a header such as Width (cm), or --unit"},
	{", as the header", "they have more or fewer fields than the header; accepted: --delimiter, or quotes around what has one"},
}

// minCause is how many rows have a cause, at least, for it to be told.
const minCause = 3

// countCause counts the cause of a row that is no box.
func (w *rowChecker) countCause(r *lists.Row) {
	for i, c := range causes {
		if strings.Contains(r.Problem().Message, c.words) {
			w.causes[i]++
			return
		}
	}
}

// sayCause says why more than half of the rows of the file are no boxes, where one cause does.
func (l *ListRun) sayCause(in lists.Input, rows int) {
	for i, c := range causes {
		n := 0
		for _, w := range l.checkers {
			n += w.causes[i]
		}
		if n >= minCause && n > rows/2 {
			l.console.Say("boxrules: %s: %d of %d rows are no boxes, as %s", in.Shown(), n, rows, c.all)
		}
	}
}
