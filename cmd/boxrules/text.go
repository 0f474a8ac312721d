package main

import (
	"fmt"
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
	dst = fmt.Appendf(t.start(dst, r), "%-*s"+gap+"%-*s"+gap, t.articleWidth, r.texts[article], t.materialWidth, r.texts[material])
	if t.single {
		dst = append(dst, dimsText(r.dims())+gap...)
	} else {
		for _, x := range r.dimensions {
			dst = fmt.Appendf(dst, "%*s"+gap, t.dimensionWidth, appendNumber(nil, x))
		}
	}
	if v.OK() {
		return append(t.coloured(dst, green, "ok"), '\n')
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
		dst = t.coloured(dst, red, string(e.Code))
		dst = fmt.Appendf(dst, "%*s"+gap+"%s\n", t.codeWidth-len(e.Code), "", oneLine(e.Values))
	}
	return dst
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
		dst = fmt.Appendf(dst, "%-*s"+gap, t.fileWidth, t.name)
	}
	return fmt.Appendf(dst, "%*d"+gap, t.rowWidth, r.number)
}

func (t *textReport) coloured(dst []byte, colour, text string) []byte {
	if t.colour {
		text = colour + text + plain
	}
	return append(dst, text...)
}
