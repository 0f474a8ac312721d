package xlsx

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
)

// Bounds of a sheet.
const (
	maxRows    = 1 << 20 // as in Excel
	maxColumns = 1000
	maxRecord  = 1 << 20 // bytes
)

// rows makes records of the rows of a sheet, from the first on.
type rows struct {
	*book
	*part
	out   []byte // records
	width int    // commas of a record, once there is a header

	row     int // which is read, from 1
	start   int // of its record in out
	commas  int // in it so far
	column  int // which is read, from 1
	kind    string
	style   int
	content []byte // of the cell
}

// next appends the record of the next row that the file has, and empty lines for those before it
// that the file does not have.
func (r *rows) next() error {
	for {
		token, err := r.part.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				err = r.beginRow(attribute(token, "r"))
			case "c":
				err = r.beginCell(token)
			}
		case xml.CharData:
			err = r.add(token)
		case xml.EndElement:
			switch token.Name.Local {
			case "c":
				err = r.cell()
			case "row":
				r.end()
				return nil
			case "sheetData":
				return r.part.drain()
			}
		}
		if err != nil {
			return err
		}
	}
}

// fail says what is wrong with the row.
func (r *rows) fail(format string, args ...any) error {
	return r.damaged(fmt.Errorf("row %d %s", r.row, fmt.Sprintf(format, args...)))
}

func (r *rows) beginRow(number string) error {
	before := r.row
	r.row++
	if number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n <= before {
			return r.damaged(fmt.Errorf("row %.20q comes after row %d", number, before))
		}
		r.row = n
	}
	if r.row > maxRows {
		return r.damaged(fmt.Errorf("row %d is beyond the last, %d", r.row, maxRows))
	}
	for range r.row - before - 1 {
		r.out = append(r.out, '\n')
	}
	r.start, r.commas, r.column = len(r.out), 0, 0
	return nil
}

func (r *rows) beginCell(tag xml.StartElement) error {
	before := r.column
	r.column++
	if place := attribute(tag, "r"); place != "" {
		if r.column = columnOf(place); r.column <= before {
			return r.fail("has the cell %.20q in the wrong place", place)
		}
	}
	r.kind, r.style, r.content = attribute(tag, "t"), 0, r.content[:0]
	if style := attribute(tag, "s"); style != "" {
		n, err := strconv.Atoi(style)
		if err != nil || n < 0 || n >= len(r.formats) {
			return r.fail("has a cell of the style %.20q of %d, from 0", style, len(r.formats))
		}
		r.style = n
	}
	return nil
}

// columnOf returns the number of the column that a place such as AB12 is in, and 0 for what is
// no place.
func columnOf(place string) (column int) {
	for i, c := range []byte(place) {
		switch {
		case '0' <= c && c <= '9' && i > 0:
			return column
		case c < 'A' || c > 'Z' || i == 3:
			return 0
		}
		column = column*26 + int(c-'A') + 1
	}
	return 0
}

// add appends to the content of the cell.
func (r *rows) add(text []byte) error {
	if r.within("v") || r.shown() {
		r.content = append(r.content, text...)
	}
	return r.bounded(len(r.content))
}

// bounded fails where the record, and so many bytes more, is longer than any list has them.
func (r *rows) bounded(more int) error {
	if len(r.out)-r.start+more > maxRecord {
		return fmt.Errorf("row %d has over %d KiB of text; accepted: less, or the sheet saved as CSV", r.row, maxRecord>>10)
	}
	return nil
}

// cell appends a field for the cell, unless it is empty.
func (r *rows) cell() error {
	text, err := r.value()
	if err != nil || text == "" {
		return err
	}
	if r.column > maxColumns {
		return fmt.Errorf("row %d has something in column %d; accepted: at most %d columns, or the sheet saved as CSV",
			r.row, r.column, maxColumns)
	}
	r.fill(r.column - 1)
	if r.kind != "" && r.kind != "n" && strings.Contains(text, ".") {
		r.out = csvrows.AppendQuoted(r.out, text)
	} else {
		r.out = csvrows.AppendCell(r.out, text, ',')
	}
	return r.bounded(0)
}

// fill appends commas up to so many in the record.
func (r *rows) fill(commas int) {
	for ; r.commas < commas; r.commas++ {
		r.out = append(r.out, ',')
	}
}

// value returns what the cell says.
func (r *rows) value() (string, error) {
	switch r.kind {
	case "str", "inlineStr", "e":
		return string(r.content), nil
	}
	text := string(bytes.TrimSpace(r.content))
	if text == "" {
		return "", nil
	}
	switch r.kind {
	case "", "n":
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || strings.Trim(text, "+-0123456789.eE") != "" {
			return "", r.fail("has a cell with the number %.20q", text)
		}
		return r.formats[r.style].show(x, r.date1904), nil
	case "s":
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= len(r.texts) {
			return "", r.fail("has a cell with the shared text %.20q of %d, from 0", text, len(r.texts))
		}
		return r.texts[n], nil
	case "b":
		if text == "0" || text == "false" {
			return "FALSE", nil
		}
		return "TRUE", nil
	case "d":
		if strings.Trim(text, "-0123456789.") == "" && strings.Count(text, "-") != 2 {
			text += " as a date" // else it could be taken for a number
		}
		return text, nil
	}
	return "", r.fail("has a cell of the kind %.20q", r.kind)
}

// end ends the record. Where nothing is in the row it is an empty line.
func (r *rows) end() {
	if len(r.out) > r.start {
		r.width = cmp.Or(r.width, r.commas)
		r.fill(r.width)
	}
	r.out = append(r.out, '\n')
}
