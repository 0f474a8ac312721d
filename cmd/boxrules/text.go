package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// A textReport writes one aligned line a box, for people. Lines are written as they come, so that the
// columns are as wide as the catalogue says they can be.
type textReport struct {
	all    bool
	colour bool
	single bool // whether there is one box, which then needs no row number and no columns
	named  bool // whether each line says which file it is about
	name   string
	number []byte // reused, as is the reason
	reason []byte

	fileWidth, rowWidth, articleWidth, materialWidth, dimensionWidth, codeWidth int
}

// gap stands between two columns.
const gap = "  "

// Colours of the three answers.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func newTextReport(engine *boxrules.Engine, inputs []input, all, colour bool) *textReport {
	t := &textReport{all: all, colour: colour, named: len(inputs) > 1, single: len(inputs) == 0}
	for _, rule := range engine.Rules().Rules() {
		widen(&t.codeWidth, string(rule.Code))
	}
	if t.single {
		return t
	}
	for _, in := range inputs {
		t.rowWidth = 6 // up to a million rows
		widen(&t.fileWidth, printable(in.shown()))
	}
	catalogue := engine.Catalogue()
	for _, a := range catalogue.Articles() {
		widen(&t.articleWidth, a.Code)
		for _, d := range []limits.Range{a.Width, a.Depth, a.Height} {
			whole, _, _ := strings.Cut(d.Max.String(), ".")
			widen(&t.dimensionWidth, whole+".000")
		}
	}
	for _, m := range catalogue.Materials() {
		widen(&t.materialWidth, m.Code)
	}
	return t
}

func widen(width *int, text string) { *width = max(*width, utf8.RuneCountInString(text)) }

func (t *textReport) begin(o *opened) ([]byte, error) {
	t.name = printable(o.shown())
	return nil, nil
}

func (t *textReport) empty(dst []byte, _ *row) []byte { return dst }

func (t *textReport) box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	from := len(dst)
	dst = t.start(dst, r)
	dst = append(appendLeft(dst, p.Article(), t.articleWidth), gap...)
	dst = append(appendLeft(dst, p.Material(), t.materialWidth), gap...)
	if t.single {
		dst = append(dst, dimsText(r.dims())+gap...)
	} else {
		for _, x := range r.dimensions {
			t.number = appendNumber(t.number[:0], x)
			dst = append(append(appendSpaces(dst, t.dimensionWidth-len(t.number)), t.number...), gap...)
		}
	}
	if v.OK() {
		return append(t.coloured(dst, green, "ok"), '\n')
	}
	if !t.all {
		dst = t.code(dst, v.Code())
		// The dimensions are known to be dimensions: there is a verdict.
		t.reason, _ = p.AppendReason(t.reason[:0], r.dims())
		return append(append(dst, oneLine(string(t.reason))...), '\n')
	}
	indent := utf8.RuneCount(dst[from:])
	reasons, _ := p.Reasons(r.dims())
	for i, reason := range reasons {
		if i > 0 {
			dst = appendSpaces(dst, indent)
		}
		dst = append(append(t.code(dst, reason.Code), oneLine(reason.Values)...), '\n')
	}
	return dst
}

// code appends the code of a box that is not valid, up to why.
func (t *textReport) code(dst []byte, code boxrules.Code) []byte {
	dst = t.coloured(dst, red, string(code))
	return append(appendSpaces(dst, t.codeWidth-len(code)), gap...)
}

func (t *textReport) noBox(dst []byte, r *row) []byte {
	return append(t.coloured(t.start(dst, r), yellow, printable(r.problemText())), '\n')
}

// start appends which row it is.
func (t *textReport) start(dst []byte, r *row) []byte {
	if t.single {
		return dst
	}
	if t.named {
		dst = append(appendLeft(dst, t.name, t.fileWidth), gap...)
	}
	t.number = strconv.AppendInt(t.number[:0], int64(r.number), 10)
	return append(append(appendSpaces(dst, t.rowWidth-len(t.number)), t.number...), gap...)
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

func (t *textReport) coloured(dst []byte, colour, text string) []byte {
	if t.colour {
		text = colour + text + plain
	}
	return append(dst, text...)
}
