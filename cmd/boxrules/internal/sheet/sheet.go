package sheet

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A Sheet is a sheet as CSV in UTF-8, separated by commas. Record n is row n of the sheet: rows that are not there, or have
// nothing in them, are records of empty fields, or empty lines before the first row that has something in it, the header. All
// records from there on have as many fields as the header, or as the sheet says it has columns; a row that has more of them is
// longer.
//
// A number is as Excel shows it at its most exact, with 15 digits that count and without an exponent. Of a formula counts the
// value that was stored. What is no number and no text cannot be taken for a dimension: a date is 2026-01-31, a truth value
// TRUE, an error #N/A, and a formula without a value is itself, =A1*2. Of merged cells the first has the value and all others are
// empty, as in the CSV that Excel saves; see [Sheet.Merged].
type Sheet struct {
	Note string // which sheet was chosen of several, in one line; empty where there is no choice

	info     sheetInfo
	workbook *workbook
	texts    *texts
	dates    []bool // by style
	date1904 bool

	part   io.ReadCloser
	tokens *tokens
	out    []byte // records that are not taken
	store  []byte // where out is
	err    error  // comes after out

	row    int // the last that was read or passed over
	width  int // fields of a record, once there is a header
	stated int // columns that the sheet says it has
	inRows bool
	ended  bool // the sheet has

	merges sync.Once
	merged []area
}

// Open opens the sheet of the name, in any case where none has it letter by letter, or the first visible sheet where that is
// empty. The errors of the workbook are one line; so are those of Read, which name the row where they can.
func Open(r io.ReaderAt, size int64, name string) (*Sheet, error) {
	w, err := openWorkbook(r, size)
	if err != nil {
		return nil, err
	}
	info, note, err := w.choose(name)
	if err != nil {
		return nil, err
	}
	s := &Sheet{Note: note, info: info, workbook: w, date1904: w.date1904}
	if s.texts, err = w.readTexts(); err != nil {
		return nil, err
	}
	if s.dates, err = w.readDates(); err != nil {
		return nil, err
	}
	if s.part, err = w.open(info.part, maxSheet); err != nil {
		return nil, err
	}
	s.tokens = newTokens(info.part, s.part)
	return s, nil
}

// Close closes the sheet, but not the file that it is in.
func (s *Sheet) Close() error { return s.part.Close() }

// chunk is about how much one Read makes.
const chunk = 32 << 10

func (s *Sheet) Read(p []byte) (int, error) {
	if len(s.out) == 0 && s.err == nil {
		s.out = s.store[:0]
		for s.err == nil && len(s.out) < chunk {
			s.err = s.next()
		}
		s.store = s.out
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, s.err
}

// next reads up to the end of a row, and appends its record and those of the rows before it that are not there. At the end of
// the part it is io.EOF; all of it is read, so that a part that is cut off is known.
func (s *Sheet) next() error {
	for {
		token, err := s.tokens.next()
		if err == io.EOF && s.ended {
			return io.EOF
		} else if err != nil {
			return s.cutOff(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch name := token.Name.Local; {
			case name == "dimension" && !s.inRows:
				_, last, _ := strings.Cut(attribute(token, "ref"), ":")
				s.stated = column(last)
			case name == "sheetData":
				s.inRows = true
			case name == "row" && s.inRows:
				return s.readRow(token)
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "sheetData":
				s.inRows = false
			case "worksheet":
				s.ended = true
			}
		}
	}
}

// readRow reads the row up to its end tag.
func (s *Sheet) readRow(tag xml.StartElement) error {
	row := s.row + 1
	if number := attribute(tag, "r"); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < row {
			return s.damaged(fmt.Sprintf("row %.20q comes after row %d", number, s.row))
		}
		row = n
	}
	if row > maxRows {
		return s.damaged(fmt.Sprintf("row %d is beyond the last, %d", row, maxRows))
	}
	for s.row++; s.row < row; s.row++ {
		s.end(0)
	}
	start, fields := len(s.out), 0
	for last := 0; ; {
		token, err := s.tokens.next()
		if err != nil {
			return s.cutOff(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local != "c" {
				continue
			}
			if last, err = next(last, attribute(token, "r")); err != nil {
				return s.damaged(fmt.Sprintf("row %d %v", row, err))
			}
			c, err := s.readCell(token)
			if err != nil {
				return err
			}
			text, err := s.text(c)
			if err != nil {
				return s.damaged(fmt.Sprintf("cell %s %v", name(row, last), err))
			}
			if text == "" {
				continue
			}
			for ; fields < last-1; fields++ {
				s.field(fields, "")
			}
			s.field(fields, text)
			fields++
			if len(s.out)-start > maxToken {
				return fmt.Errorf("row %d has over %d KiB of text; accepted: less, or the sheet saved as CSV", row, maxToken>>10)
			}
		case xml.EndElement:
			if token.Name.Local == "row" {
				s.end(fields)
				return nil
			}
		}
	}
}

// next is the column of a cell that comes after the last one, by its reference if it has one.
func next(last int, reference string) (int, error) {
	at := last + 1
	if reference != "" {
		if at = column(reference); at <= last {
			return 0, fmt.Errorf("has the cell %.20q in the wrong place", reference)
		}
	}
	if at > maxColumns {
		return 0, fmt.Errorf("has more than %d columns", maxColumns)
	}
	return at, nil
}

// readCell reads the cell up to its end tag.
func (s *Sheet) readCell(tag xml.StartElement) (*cell, error) {
	c := &cell{kind: attribute(tag, "t"), style: attribute(tag, "s")}
	var inline richText
	for within := ""; ; {
		token, err := s.tokens.next()
		if err != nil {
			return nil, s.cutOff(err)
		}
		inline.take(token)
		switch token := token.(type) {
		case xml.StartElement:
			within = token.Name.Local
			c.valued = c.valued || within == "v"
			c.calculated = c.calculated || within == "f"
		case xml.CharData:
			c.take(within, token)
		case xml.EndElement:
			within = ""
			if token.Name.Local == "c" {
				if c.kind == "inlineStr" {
					c.value = inline.unescaped()
				}
				return c, nil
			}
		}
		if len(c.value)+len(c.formula)+len(inline.text) > maxToken {
			return nil, damaged(s.info.part, errLongToken)
		}
	}
}

// field appends the field of a record, from 0.
func (s *Sheet) field(i int, text string) {
	if i > 0 {
		s.out = append(s.out, ',')
	}
	if !strings.ContainsAny(text, ",\"\r\n") {
		s.out = append(s.out, text...)
		return
	}
	s.out = append(s.out, '"')
	s.out = append(s.out, strings.ReplaceAll(text, `"`, `""`)...)
	s.out = append(s.out, '"')
}

// maxStated is how many columns a sheet is believed to have that only says so: some say they have all that there can be.
const maxStated = 256

// end ends a record of so many fields.
func (s *Sheet) end(fields int) {
	if s.width == 0 && fields > 0 {
		s.width = fields
		if s.stated <= maxStated {
			s.width = max(fields, s.stated)
		}
	}
	if fields == 0 && s.width == 1 {
		s.out = append(s.out, `""`...) // an empty line would be passed over
	}
	for ; fields < s.width; fields++ {
		s.field(fields, "")
	}
	s.out = append(s.out, '\n')
}

func (s *Sheet) damaged(what string) error { return damaged(s.info.part, errors.New(what)) }

// cutOff makes an error of the end where there should be more.
func (s *Sheet) cutOff(err error) error {
	if err == io.EOF {
		return s.damaged("it is cut off")
	}
	return err
}

// column is the number that the letters of a reference such as AB12 stand for, from 1; 0 where they are none.
func column(reference string) int {
	n := 0
	for _, c := range []byte(reference) {
		if c < 'A' || c > 'Z' || n > maxColumns {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n
}

// name is the reference of a cell.
func name(row, column int) string {
	letters := ""
	for ; column > 0; column = (column - 1) / 26 {
		letters = string(rune('A'+(column-1)%26)) + letters
	}
	return letters + strconv.Itoa(row)
}
