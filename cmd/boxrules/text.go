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

func (t *textReport) file(in input) { t.name = printable(in.shown()) }

func (t *textReport) box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	dst = t.start(dst, r)
	dst = padRight(dst, r.article, t.articleWidth)
	dst = padRight(dst, r.material, t.materialWidth)
	if t.single {
		dst = append(append(dst, dimsText(r.dims())...), gap...)
	} else {
		var digits [32]byte
		for _, x := range r.dimensions {
			dst = append(padLeft(dst, string(appendNumber(digits[:0], x)), t.dimensionWidth), gap...)
		}
	}
	if v.OK() {
		return append(t.coloured(dst, green, "ok", 0), '\n')
	}
	indent := utf8.RuneCount(dst)
	// The dimensions are known to be dimensions: there is a verdict.
	explanations, _ := p.Reasons(r.dims())
	if !t.all {
		explanations = explanations[:1]
	}
	for i, e := range explanations {
		if i > 0 {
			dst = append(dst, strings.Repeat(" ", indent)...)
		}
		dst = t.coloured(dst, red, string(e.Code), t.codeWidth)
		dst = append(append(dst, oneLine(e.Values)...), '\n')
	}
	return dst
}

func (t *textReport) noBox(dst []byte, r *row) []byte {
	return append(t.coloured(t.start(dst, r), yellow, printable(r.problemText()), 0), '\n')
}

// start appends which row it is.
func (t *textReport) start(dst []byte, r *row) []byte {
	if t.single {
		return dst
	}
	if t.named {
		dst = padRight(dst, t.name, t.fileWidth)
	}
	return append(padLeft(dst, strconv.Itoa(r.number), t.rowWidth), gap...)
}

// coloured appends the text in the colour, and blanks up to the next column where the width is not zero.
func (t *textReport) coloured(dst []byte, colour, text string, width int) []byte {
	if !t.colour {
		colour = ""
	}
	dst = append(append(dst, colour...), text...)
	if t.colour {
		dst = append(dst, plain...)
	}
	if width > 0 {
		dst = appendBlanks(dst, width-utf8.RuneCountInString(text)+len(gap))
	}
	return dst
}

// padRight appends the text and blanks up to the next column.
func padRight(dst []byte, text string, width int) []byte {
	return appendBlanks(append(dst, text...), max(0, width-utf8.RuneCountInString(text))+len(gap))
}

// padLeft appends the text, its end at the end of the column.
func padLeft(dst []byte, text string, width int) []byte {
	return append(appendBlanks(dst, width-utf8.RuneCountInString(text)), text...)
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}
