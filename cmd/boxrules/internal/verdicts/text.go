package verdicts

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// A textReport writes a line for each box, with aligned columns, for people to read. It writes each line before it has
// seen the following rows, so each column is as wide as the widest value that the catalogue allows.
type textReport struct {
	noReport
	all          bool // whether to write all reasons
	single       bool // whether there is a single box, described by flags, so that no row number and no columns are needed
	severalFiles bool // whether each line begins with the name of its file
	fileName     string
	numberBuffer []byte // a buffer that is reused, like reasonBuffer
	reasonBuffer []byte

	fileWidth, rowWidth, articleWidth, materialWidth, dimensionWidth, codeWidth int
}

func newTextReport(engine *boxrules.Engine, inputs []lists.Input, all bool) *textReport {
	t := &textReport{all: all, severalFiles: len(inputs) > 1, single: len(inputs) == 0}
	for _, rule := range engine.Rules().Rules() {
		widenTextColumn(&t.codeWidth, string(rule.Code))
	}
	if t.single {
		return t
	}
	for _, in := range inputs {
		// The number of rows is not known yet. A longer row number shifts the rest of its line to the right.
		t.rowWidth = len("999999")
		widenTextColumn(&t.fileWidth, console.Printable(in.DisplayName()))
	}
	catalogue := engine.Catalogue()
	for _, a := range catalogue.Articles() {
		widenTextColumn(&t.articleWidth, a.Code)
		for _, d := range a.Ranges() {
			// No valid dimension is longer than the maximum with three decimals. A longer number shifts the rest of
			// its line.
			integer, _, _ := strings.Cut(d.Max.String(), ".")
			widenTextColumn(&t.dimensionWidth, integer+".000")
		}
	}
	for _, m := range catalogue.Materials() {
		widenTextColumn(&t.materialWidth, m.Code)
	}
	return t
}

// widenTextColumn increases *width to the width of the text, if the text is wider.
func widenTextColumn(width *int, text string) { *width = max(*width, utf8.RuneCountInString(text)) }

func (t *textReport) beginFile(file *lists.Reader) ([]byte, error) {
	t.fileName = console.Printable(file.DisplayName())
	return nil, nil
}

func (t *textReport) appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	lineStart := len(dst)
	dst = t.appendStart(dst, row)
	dst = append(appendPadded(dst, p.Article(), t.articleWidth), console.ColumnGap...)
	dst = append(appendPadded(dst, p.Material(), t.materialWidth), console.ColumnGap...)
	if t.single {
		dst = append(dst, console.SizeText(row.Dimensions[:]...)+console.ColumnGap...)
	} else {
		for _, x := range row.Dimensions {
			t.numberBuffer = console.AppendNumberText(t.numberBuffer[:0], x)
			dst = append(append(appendSpaces(dst, t.dimensionWidth-len(t.numberBuffer)), t.numberBuffer...), console.ColumnGap...)
		}
	}
	if v.OK() {
		return append(append(dst, reportedVerdict(v)...), '\n')
	}
	if !t.all {
		dst = t.appendCode(dst, v.Code())
		// AppendReason and Reasons cannot fail, because the box has a verdict.
		t.reasonBuffer, _ = p.AppendReason(t.reasonBuffer[:0], row.Dims())
		reason := boxrules.Reason{Code: v.Code(), Message: reportedViolation(v).Message, Values: string(t.reasonBuffer)}
		return append(append(dst, console.PrintableLine(reason.String())...), '\n')
	}
	// Write the first reason on the line of the box, and the others below it in the same column.
	indent := utf8.RuneCount(dst[lineStart:])
	reasons, _ := p.Reasons(row.Dims())
	for i, reason := range reasons {
		if i > 0 {
			dst = appendSpaces(dst, indent)
		}
		dst = append(append(t.appendCode(dst, reason.Code), console.PrintableLine(reason.String())...), '\n')
	}
	return dst
}

// appendCode appends a code, padded so that the reasons after the codes line up.
func (t *textReport) appendCode(dst []byte, code boxrules.Code) []byte {
	return append(appendPadded(dst, string(code), t.codeWidth), console.ColumnGap...)
}

func (t *textReport) appendProblems(dst []byte, row *lists.Row) []byte {
	return append(append(t.appendStart(dst, row), console.Printable(row.LocatedProblemsText())...), '\n')
}

// appendStart appends the columns with the file and the row number.
func (t *textReport) appendStart(dst []byte, row *lists.Row) []byte {
	if t.single {
		return dst
	}
	if t.severalFiles {
		dst = append(appendPadded(dst, t.fileName, t.fileWidth), console.ColumnGap...)
	}
	t.numberBuffer = strconv.AppendInt(t.numberBuffer[:0], int64(row.Number), 10)
	return append(append(appendSpaces(dst, t.rowWidth-len(t.numberBuffer)), t.numberBuffer...), console.ColumnGap...)
}

// appendPadded appends the text, padded with spaces to the width.
func appendPadded(dst []byte, text string, width int) []byte {
	return appendSpaces(append(dst, text...), width-utf8.RuneCountInString(text))
}

func appendSpaces(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}
