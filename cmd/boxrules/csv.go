package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/boxrules/cmd/boxrules/internal/columns"
	"example.com/boxrules/cmd/boxrules/internal/delimited"
	"example.com/boxrules/cmd/boxrules/internal/number"
	"example.com/boxrules/cmd/boxrules/internal/sheet"
	"example.com/boxrules/internal/wording"
)

// A csvList is a file of delimited records behind a header that names the columns.
type csvList struct {
	format  delimited.Format
	header  []string
	columns [answerCount]int // of the fields, negative where there is none
	numbers [fieldCount - firstDimension]*number.Parser
	given   [firstDimension][]byte // nil where a column gives them
	// otherUnit is the unit of the limits, where some dimension of the list is in another; else it is empty.
	otherUnit string
	sheet     bool // whether records are the rows of a sheet
}

// maxHead is how much may stand before the header.
const maxHead = 1 << 20

var errNoHeader = fmt.Errorf("there is no header within %d bytes; accepted: one as the first row with something in it", maxHead)

var errZip = errors.New("this is a zip file, as spreadsheets are; accepted: text, or --input xlsx")

// beginCSV reads the header.
func (o *opened) beginCSV() error {
	l := &csvList{format: delimited.Format{Delimiter: o.form.delimiter, MaxRecord: maxRow}, sheet: o.kind == kindXLSX}
	o.layout = l
	for first := true; l.header == nil; first = false {
		text, err := o.headerText()
		switch {
		case err != nil:
			return o.failed(err)
		case len(text) == 0:
			return fmt.Errorf("%s: %w", o.shown(), errNoBoxes)
		case len(o.head) > maxHead:
			return o.failed(errNoHeader)
		case bytes.HasPrefix(text, []byte("PK\x03\x04")):
			return o.failed(errZip)
		}
		if delimiter, ok := columns.Sep(text); ok && first {
			if l.format.Delimiter == 0 {
				l.format.Delimiter = delimiter
				o.note("the columns are separated by %s, as its first line says", wording.Quote(string(delimiter)))
			}
			o.pass(len(text))
			continue
		}
		if err := l.readHeader(o, text); err != nil {
			return o.failed(err)
		}
		o.pass(len(text))
	}
	return nil
}

// headerText is the first record of what is left, which need not be the header yet. Of its delimiter nothing is known.
func (o *opened) headerText() ([]byte, error) {
	length := func(text []byte) int {
		for end, quotes := 0, 0; ; {
			n := bytes.IndexByte(text[end:], '\n') + 1
			quotes += bytes.Count(text[end:end+n], []byte{'"'})
			end += n
			switch {
			case n == 0:
				return 0
			case quotes%2 == 0:
				return end
			}
		}
	}
	text, err := o.lookAhead(func(start []byte) bool { return length(start) > 0 })
	switch n := length(text); {
	case err != nil || n > 0:
		return text[:n], err
	case o.err != io.EOF:
		return nil, errLongRow
	case bytes.IndexByte(text, '\n') >= 0:
		// A quote is left open.
		return text[:bytes.IndexByte(text, '\n')+1], nil
	}
	return text, nil
}

// pass moves on behind what stands before the rows.
func (o *opened) pass(n int) {
	o.head, o.rest = append(o.head, o.rest[:n]...), o.rest[n:]
	o.at.lines += o.lines(o.head[len(o.head)-n:])
}

// readHeader finds the columns in the record, and nothing in one without text.
func (l *csvList) readHeader(o *opened, record []byte) error {
	wanted := columns.Options{Dimensions: fieldNames[firstDimension:], Names: o.form.names, Unit: o.form.unit}
	wanted.Required = fieldNames
	if o.answers {
		wanted.Required, wanted.Optional = answerNames[:answerDate], answerNames[answerDate:answerOK]
	} else {
		wanted.Flags = fieldNames[:firstDimension]
	}
	l.given = o.form.fixed()
	for field, name := range l.given {
		if name != nil {
			wanted.Given = append(wanted.Given, fieldNames[field])
		}
	}
	record = delimited.WithoutEnd(record)
	line := []byte(o.decoded(record))
	if len(bytes.Trim(line, ",;|\" \t")) == 0 {
		return nil
	}
	if l.format.Delimiter == 0 {
		delimiter, note, err := columns.Delimiter(line, wanted)
		if err != nil {
			return err
		}
		l.format.Delimiter = delimiter
		o.note("%s", note)
	}
	if bytes.IndexByte(line, '\r') >= 0 && bytes.IndexByte(line, '\n') < 0 {
		return errors.New("the lines end with a carriage return alone; accepted: with a line feed")
	}
	_, cells, err := l.format.Next(line, nil)
	if err != nil {
		return err
	}
	for _, c := range cells {
		l.header = append(l.header, string(c.Text()))
	}
	found, err := columns.Find(l.header, wanted)
	if err != nil {
		return err
	}
	o.note("%s", found.Note)
	for field, name := range answerNames {
		column, ok := found.Columns[name]
		if !ok {
			column = -1
		}
		l.columns[field] = column
		if axis := field - firstDimension; axis >= 0 && field < fieldCount {
			if l.numbers[axis], err = number.New(cmp.Or(o.form.decimal, '.'), found.Units[name], o.form.catalogue); err != nil {
				return err
			}
			if unit := found.Units[name]; unit != "" && unit != o.form.catalogue {
				l.otherUnit = o.form.catalogue
			}
		}
	}
	return nil
}

func hasText(c delimited.Cell) bool { return len(bytes.TrimSpace(c.Text())) > 0 }

func (l *csvList) whole(text []byte, final bool) int { return l.format.Whole(text, final) }

func (l *csvList) lines(text []byte) (n int) {
	if !l.sheet {
		return countLines(text)
	}
	for ; len(text) > 0; n++ {
		text = text[l.format.Skip(text):]
	}
	return n
}

func (l *csvList) skip(text []byte) (n int, empty bool) {
	n = l.format.Skip(text)
	switch text[0] {
	case l.format.Delimiter, ' ', '\t', '\r', '\n', '"':
		_, cells, err := l.format.Next(text[:n], nil)
		return n, err == nil && !slices.ContainsFunc(cells, hasText)
	}
	return n, false
}

func (l *csvList) read(text []byte, r *row) int {
	n, cells, err := l.format.Next(text, r.cells)
	r.cells = cells
	if err == nil && len(cells) == len(l.header) {
		l.fill(r, cells)
		if len(r.problems) == 0 {
			return n
		}
	}
	switch {
	case err != nil:
		r.fail(-1, "%v", err)
	case !slices.ContainsFunc(cells, hasText):
		r.reset()
		r.empty, r.cells = true, cells
	case len(cells) != len(l.header):
		r.fail(-1, "the row has %s; accepted: %d, as the header", count(len(cells), "field", "fields"), len(l.header))
	}
	return n
}

// fill reads the fields from the cells.
func (l *csvList) fill(r *row, cells []delimited.Cell) {
	for field := range firstDimension {
		name := l.given[field]
		if name == nil {
			name = trimmed(cells[l.columns[field]].Text())
		}
		r.names[field], r.known[field] = name, true
	}
	for axis, p := range l.numbers {
		field := firstDimension + axis
		cell := cells[l.columns[field]].Text()
		x, err := p.Parse(fieldNames[field], cell)
		switch {
		case err == nil:
			r.dimensions[axis], r.known[field] = x, true
		case l.sheet && len(cell) == 0:
			r.fail(field, "missing (%s); accepted: a number", sheet.Empty)
		case l.sheet:
			r.fail(field, "%s is text, or no length; accepted: a number in the cell", wording.Quote(string(cell)))
		default:
			r.blame(err)
		}
	}
	for field, column := range l.columns[fieldCount:] {
		if column >= 0 {
			r.answer[field], r.known[fieldCount+field] = string(trimmed(cells[column].Text())), true
		}
	}
}

// trimmed is the cell without the spaces around it.
func trimmed(cell []byte) []byte {
	if last := len(cell) - 1; last >= 0 && graphic(cell[0]) && graphic(cell[last]) {
		return cell
	}
	return bytes.TrimSpace(cell)
}

// graphic holds for ASCII that can be seen.
func graphic(c byte) bool { return c > ' ' && c <= '~' }
