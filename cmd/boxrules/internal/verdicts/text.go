package verdicts

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/limits"
)

// A textReport writes one aligned line a box, for people. Lines are written as they come, so that
// the columns are as wide as the catalogue says they can be.
type textReport struct {
	silent
	all    bool
	single bool // whether there is one box, which then needs no row number and no columns
	named  bool // whether each line says which file it is about
	name   string
	number []byte // reused, as is the reason
	reason []byte

	fileWidth, rowWidth, articleWidth, materialWidth, dimensionWidth, codeWidth int
}

func newTextReport(engine *boxrules.Engine, inputs []lists.Input, all bool) *textReport {
	t := &textReport{all: all, named: len(inputs) > 1, single: len(inputs) == 0}
	for _, rule := range engine.Rules().Rules() {
		widenText(&t.codeWidth, string(rule.Code))
	}
	if t.single {
		return t
	}
	for _, in := range inputs {
		t.rowWidth = 6 // up to a million rows
		widenText(&t.fileWidth, console.Printable(in.Shown()))
	}
	catalogue := engine.Catalogue()
	for _, a := range catalogue.Articles() {
		widenText(&t.articleWidth, a.Code)
		for _, d := range []limits.Range{a.Width, a.Depth, a.Height} {
			whole, _, _ := strings.Cut(d.Max.String(), ".")
			widenText(&t.dimensionWidth, whole+".000")
		}
	}
	for _, m := range catalogue.Materials() {
		widenText(&t.materialWidth, m.Code)
	}
	return t
}

func widenText(width *int, text string) { *width = max(*width, utf8.RuneCountInString(text)) }

func (t *textReport) begin(o *lists.Reader) ([]byte, error) {
	t.name = console.Printable(o.Shown())
	return nil, nil
}

func (t *textReport) box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	from := len(dst)
	dst = t.start(dst, r)
	dst = append(appendLeft(dst, p.Article(), t.articleWidth), console.Gap...)
	dst = append(appendLeft(dst, p.Material(), t.materialWidth), console.Gap...)
	if t.single {
		dst = append(dst, console.Size(r.Dimensions[:]...)+console.Gap...)
	} else {
		for _, x := range r.Dimensions {
			t.number = console.AppendNumber(t.number[:0], x)
			dst = append(append(appendSpaces(dst, t.dimensionWidth-len(t.number)), t.number...), console.Gap...)
		}
	}
	if v.OK() {
		return append(append(dst, verdictText(v)...), '\n')
	}
	if !t.all {
		dst = t.code(dst, v.Code())
		// The dimensions are known to be dimensions: there is a verdict.
		t.reason, _ = p.AppendReason(t.reason[:0], r.Dims())
		reason := boxrules.Reason{Code: v.Code(), Message: violationOf(v).Message, Values: string(t.reason)}
		return append(append(dst, console.OneLine(reason.String())...), '\n')
	}
	indent := utf8.RuneCount(dst[from:])
	reasons, _ := p.Reasons(r.Dims())
	for i, reason := range reasons {
		if i > 0 {
			dst = appendSpaces(dst, indent)
		}
		dst = append(append(t.code(dst, reason.Code), console.OneLine(reason.String())...), '\n')
	}
	return dst
}

// violationOf returns what a box that is not valid violates first.
func violationOf(v boxrules.Verdict) boxrules.Violation {
	return v.Err().(*boxrules.BoxError).Violation
}

// code appends the code of a box that is not valid, up to why.
func (t *textReport) code(dst []byte, code boxrules.Code) []byte {
	return append(appendLeft(dst, string(code), t.codeWidth), console.Gap...)
}

func (t *textReport) noBox(dst []byte, r *lists.Row) []byte {
	return append(append(t.start(dst, r), console.Printable(r.ProblemText())...), '\n')
}

// start appends which row it is.
func (t *textReport) start(dst []byte, r *lists.Row) []byte {
	if t.single {
		return dst
	}
	if t.named {
		dst = append(appendLeft(dst, t.name, t.fileWidth), console.Gap...)
	}
	t.number = strconv.AppendInt(t.number[:0], int64(r.Number), 10)
	return append(append(appendSpaces(dst, t.rowWidth-len(t.number)), t.number...), console.Gap...)
}

// appendLeft appends the text and spaces up to the width.
func appendLeft(dst []byte, text string, width int) []byte {
	return appendSpaces(append(dst, text...), width-utf8.RuneCountInString(text))
}

func appendSpaces(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}

// accepted is the word for a box that can be made.
const accepted = "valid"

// verdictText returns the verdict in a word.
func verdictText(v boxrules.Verdict) string {
	if v.OK() {
		return accepted
	}
	return string(v.Code())
}

// errorText returns the first problem of a row that is no box, in a word.
func errorText(r *lists.Row) string { return "error:" + cmp.Or(r.Problem().Field, "row") }
