package lists

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
	"example.com/boxrules/cmd/boxrules/internal/lists/header"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
	"example.com/boxrules/internal/wording"
)

// A csvFormat reads delimited records behind a header that names the columns.
type csvFormat struct {
	format  csvrows.Format
	header  []string
	columns [answerCount]int // of the fields, negative where there is none
	numbers parsers
	texts   parsers                // of numbers in cells of a sheet that are text; nil without --decimal
	given   [FirstDimension][]byte // nil where a column gives them
	sheet   bool                   // whether records are the rows of a sheet
	trimmed func([]byte) []byte    // returns a cell without the white space around it
}

// parsers read the cells of width, depth and height.
type parsers [FieldCount - FirstDimension]*number.Parser

// maxHead bounds what may stand before the header.
const maxHead = 1 << 20

var errNoHeader = fmt.Errorf("there is no header within %d bytes; accepted: one as the first row with something in it",
	maxHead)

// beginCSV reads the header.
func (f *Reader) beginCSV() error {
	l := &csvFormat{format: csvrows.Format{Delimiter: f.Options.Delimiter, MaxRecord: MaxRow}, sheet: f.Kind == XLSX, trimmed: f.trimmed}
	f.rowFormat = l
	for row := 0; l.header == nil; row++ {
		text, err := f.firstRecord()
		switch {
		case err != nil:
			return f.failed(err)
		case len(text) == 0:
			return fmt.Errorf("%s: %w", f.Shown(), ErrNoBoxes)
		case len(f.Head) > maxHead:
			return f.failed(errNoHeader)
		}
		switch delimiter, ok := header.Sep(text); {
		case ok && row == 0 && l.format.Delimiter == 0:
			l.format.Delimiter = delimiter
			f.note("the columns are separated by %s, as its first line says", wording.Quote(string(delimiter)))
		case ok && row == 0, row < f.Options.Skip:
		default:
			if err := l.readHeader(f, text, row); err != nil {
				return f.failed(err)
			}
		}
		f.pass(len(text))
	}
	f.Titles, f.Options.Delimiter = l.header, l.format.Delimiter
	return nil
}

// readHeader finds the columns in the record, which has so many rows above it. It finds nothing in
// one without text.
func (l *csvFormat) readHeader(f *Reader, record []byte, above int) error {
	wanted := header.Options{Above: above, Dimensions: FieldNames[FirstDimension:],
		Names: f.Options.Names, Unit: f.Options.Unit}
	wanted.Required = FieldNames
	if f.Answers {
		wanted.Required, wanted.Optional = AnswerNames[:AnswerDate], AnswerNames[AnswerDate:AnswerOK]
	} else {
		if f.Options.Expect != "" {
			wanted.Required = AnswerNames[:AnswerDate]
			wanted.Names = map[string]string{AnswerNames[AnswerCode]: f.Options.Expect}
			maps.Copy(wanted.Names, f.Options.Names)
		}
		wanted.Flags = FieldNames[:FirstDimension]
	}
	l.given = f.Options.fixed()
	for field, name := range l.given {
		if name != nil {
			wanted.Given = append(wanted.Given, FieldNames[field])
		}
	}
	record = csvrows.WithoutEnd(record)
	line := []byte(f.Decoded(record))
	if len(bytes.Trim(line, ",;|\" \t")) == 0 {
		return nil
	}
	if l.format.Delimiter == 0 {
		delimiter, note, err := header.Delimiter(line, wanted)
		if err != nil {
			return err
		}
		l.format.Delimiter = delimiter
		f.note("%s", note)
	}
	_, cells, err := l.format.Next(line, nil)
	if err != nil {
		return err
	}
	for _, c := range cells {
		l.header = append(l.header, string(c.Text()))
	}
	found, err := header.Find(l.header, wanted)
	if err != nil {
		return err
	}
	f.note("%s", found.Note)
	for field, name := range AnswerNames {
		column, ok := found.Columns[name]
		if !ok {
			column = -1
		}
		l.columns[field] = column
		if axis := field - FirstDimension; axis >= 0 && field < FieldCount {
			if err := l.addParser(f, axis, found.Units[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// addParser reads the dimension's cells, which are in the unit. The numbers of a sheet have a
// point, whatever its texts have.
func (l *csvFormat) addParser(f *Reader, axis int, unit string) (err error) {
	if unit != "" && unit != f.Options.Catalogue {
		f.OtherUnit = f.Options.Catalogue
	}
	point := cmp.Or(f.Options.Decimal, '.')
	if l.sheet && f.Options.Decimal != 0 {
		if l.texts[axis], err = number.New(point, unit, f.Options.Catalogue); err != nil {
			return err
		}
	}
	if l.sheet {
		point = '.'
	}
	l.numbers[axis], err = number.New(point, unit, f.Options.Catalogue)
	return err
}

func (l *csvFormat) hasText(c csvrows.Cell) bool { return len(l.trimmed(c.Text())) > 0 }

func (l *csvFormat) whole(text []byte, final bool) int { return l.format.Whole(text, final) }

func (l *csvFormat) skip(text []byte) (n int, empty bool) {
	n = l.format.Skip(text)
	first, _ := utf8.DecodeRune(text)
	if text[0] != l.format.Delimiter && text[0] != '"' && text[0] != noBreakSpace && !unicode.IsSpace(first) {
		return n, false
	}
	_, cells, err := l.format.Next(text[:n], nil)
	return n, err == nil && !slices.ContainsFunc(cells, l.hasText)
}

func (l *csvFormat) read(text []byte, r *Row) int {
	n, cells, err := l.format.Next(text, r.cells)
	r.cells = cells
	if err == nil && len(cells) == len(l.header) {
		l.fill(r, cells)
		if len(r.Problems) == 0 {
			return n
		}
	}
	switch {
	case err != nil:
		r.Fail(-1, "%v", err)
	case !slices.ContainsFunc(cells, l.hasText):
		r.reset()
		r.Empty, r.cells = true, cells
	case len(cells) != len(l.header):
		r.Fail(-1, "the row has %s; accepted: %d, as the header", console.Count(len(cells), "field", "fields"), len(l.header))
	}
	return n
}

// fill reads the fields from the cells.
func (l *csvFormat) fill(r *Row, cells []csvrows.Cell) {
	for field := range FirstDimension {
		name := l.given[field]
		if name == nil {
			name = l.trimmed(cells[l.columns[field]].Text())
		}
		r.Names[field], r.Known[field] = name, true
	}
	for axis, p := range l.numbers {
		field := FirstDimension + axis
		cell := cells[l.columns[field]]
		text := cell.Text()
		if !l.sheet {
			text = l.trimmed(text)
		}
		inText := l.sheet && cell.Quoted()
		if inText {
			p = l.texts[axis]
		}
		switch {
		case l.sheet && len(text) == 0:
			r.Fail(field, "missing (%s); accepted: a number", xlsx.Empty)
			continue
		case p == nil:
			r.Fail(field, "%s is text; accepted: a number in the cell, or --decimal . or --decimal , for numbers in text",
				wording.Quote(string(text)))
			continue
		}
		x, err := p.Parse(FieldNames[field], text)
		switch {
		case err == nil:
			r.Dimensions[axis], r.Known[field] = x, true
		case l.sheet && !inText:
			r.Fail(field, "%s is text, or no length; accepted: a number in the cell", wording.Quote(string(text)))
		default:
			r.Blame(err)
		}
	}
	for field, column := range l.columns[FieldCount:] {
		if column >= 0 {
			r.Answer[field], r.Known[FieldCount+field] = string(l.trimmed(cells[column].Text())), true
		}
	}
}
