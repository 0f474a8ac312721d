package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/decode"
	"example.com/boxrules/cmd/boxrules/internal/delimited"
	"example.com/boxrules/internal/wording"
)

// A filter writes the list itself, every byte of it, with one column more, and two with advice.
type filter struct {
	column string // its name
	advice *adviser

	delimiter byte
	text      *decode.Text
}

// adviceColumn is the name of the second column.
const adviceColumn = "advice"

func (f *filter) begin(o *opened) ([]byte, error) {
	l := o.layout.(*csvList)
	if f.advice != nil {
		f.advice.begin(o)
	}
	f.delimiter, f.text = l.format.Delimiter, o.text
	names := []string{f.column}
	if f.advice != nil {
		names = append(names, adviceColumn)
	}
	for i, name := range names {
		if i == 1 && strings.EqualFold(strings.TrimSpace(f.column), adviceColumn) {
			return nil, fmt.Errorf("--column and --advice both add a column %s; accepted: another name for --column", adviceColumn)
		}
		if strings.Contains(f.text.Encode(name, o.head), "?") != strings.Contains(name, "?") {
			return nil, fmt.Errorf("the list is in windows-1252, which cannot write %s; accepted: another --column", wording.Quote(name))
		}
		same := func(title string) bool { return strings.EqualFold(strings.TrimSpace(title), name) }
		switch {
		case !slices.ContainsFunc(l.header, same):
		case i == 0:
			return nil, fmt.Errorf("the header has a column %s already; accepted: another name, as in --column checked", wording.Quote(name))
		default:
			return nil, fmt.Errorf("the header has a column %s already; accepted: a list without one, or no --advice", wording.Quote(name))
		}
	}
	text, end := cutEnd(o.head)
	head := bytes.Clone(text)
	for _, name := range names {
		head = f.appendCell(head, name, text)
	}
	return append(head, end...), nil
}

func (f *filter) box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	text, end := cutEnd(r.text)
	dst = append(append(append(dst, text...), f.delimiter), verdictText(v)...)
	if f.advice != nil {
		dst = f.appendCell(dst, f.advice.onBox(p, r.dims(), v), text)
	}
	return append(dst, end...)
}

func (f *filter) noBox(dst []byte, r *row) []byte {
	text, end := cutEnd(r.text)
	dst = append(append(append(dst, text...), f.delimiter), errorText(r)...)
	if f.advice != nil {
		dst = f.appendCell(dst, printable(r.problemsText()), text)
	}
	return append(dst, end...)
}

// empty keeps a blank line as it is: with a delimiter more it would be a row of two cells.
func (f *filter) empty(dst []byte, r *row) []byte {
	text, end := cutEnd(r.text)
	dst = append(dst, text...)
	if len(r.cells) > 1 {
		dst = append(dst, f.delimiter)
		if f.advice != nil {
			dst = append(dst, f.delimiter)
		}
	}
	return append(dst, end...)
}

// cutEnd tells a record from its line end.
func cutEnd(record []byte) (text, end []byte) {
	text = delimited.WithoutEnd(record)
	return text, record[len(text):]
}

// appendCell appends the text as a cell behind a delimiter, in quotes where it needs them, and encoded as the row that it
// stands beside.
func (f *filter) appendCell(dst []byte, text string, row []byte) []byte {
	dst = append(dst, f.delimiter)
	text = f.text.Encode(text, row)
	if !strings.ContainsAny(text, "\"\r\n") && strings.IndexByte(text, f.delimiter) < 0 {
		return append(dst, text...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// An adviser says what to change.
type adviser struct {
	step  float64
	unit  string // of the advice, said where that of the list is another
	comma bool   // whether the list's decimals have commas
}

// own is one for another worker, nil for nil.
func (a *adviser) own() *adviser {
	if a == nil {
		return nil
	}
	return &adviser{step: a.step}
}

// begin knows how the file writes numbers.
func (a *adviser) begin(o *opened) {
	a.unit, a.comma = "", false
	if l, ok := o.layout.(*csvList); ok {
		a.unit, a.comma = l.otherUnit, o.form.decimal == ','
	}
}

// onBox is empty for a valid box.
func (a *adviser) onBox(p *boxrules.Profile, d boxrules.Dims, v boxrules.Verdict) string {
	if v.OK() {
		return ""
	}
	e, err := p.Explain(d, a.step)
	if err != nil {
		return printable(err.Error()) // an internal fault is told, and nothing in its place
	}
	text := []byte(e.Advice())
	for i := 1; a.comma && i < len(text)-1; i++ {
		if text[i] == '.' && digit(text[i-1]) && digit(text[i+1]) {
			text[i] = ','
		}
	}
	if a.unit != "" {
		return "in " + a.unit + ": " + string(text)
	}
	return string(text)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// A silent report leaves it at the counts.
type silent struct{}

func (silent) begin(*opened) ([]byte, error) { return nil, nil }
func (silent) box(dst []byte, _ *row, _ *boxrules.Profile, _ boxrules.Verdict) []byte {
	return dst
}
func (silent) noBox(dst []byte, _ *row) []byte { return dst }
func (silent) empty(dst []byte, _ *row) []byte { return dst }
