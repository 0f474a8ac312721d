// Package xlsx reads a sheet of an .xlsx workbook as CSV, row by row, as it stands in the file:
// of the workbook only the texts that cells share are held in memory.
package xlsx

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
)

// Bounds of a sheet.
const (
	maxRows    = 1 << 20 // as in Excel
	maxColumns = 1000
	maxShown   = 512 << 20 // bytes of all records, in which a text that cells share is repeated
)

var errShown = fmt.Errorf("the rows of the sheet have over %d MiB of text; accepted: less, or the sheet saved as CSV", maxShown>>20)

// Empty says why a cell may be empty that does not look so.
const Empty = "a cell merged with another, or a formula that was never calculated, is empty"

// A Sheet gives a sheet as CSV in UTF-8, separated by commas. Record n has row n of the sheet:
// rows that are not there, or have nothing in them, are empty lines. The first other record is the
// header; those behind it have as many fields, and a row that has more of them is longer.
//
// A number comes as it is stored and not as its format shows it, with the 15 digits that count in
// Excel and without an exponent. A formula gives the value that was stored with it. A text with a
// point or a comma is in quotes, which tell it from a number: "1.5" or "1,5". What else is no
// number cannot be taken for one: a date is 2026-01-31 00:00, half as a percentage 50.00%, a truth
// value TRUE, an error #N/A. See also [Empty].
//
// A Sheet is not safe for concurrent use.
type Sheet struct {
	Note string // which sheet was chosen of several, in one line; empty where there is no choice

	file  *os.File
	book  *book
	part  *part
	row   int          // which is read, from 1
	width int          // commas of a record, once there is a header
	shown int          // bytes of the records so far
	out   bytes.Buffer // records that are not taken
	line  []byte       // the last record, to be overwritten by the next
}

// Open opens the sheet of the name, in any case, or the first visible sheet where that is empty.
// The error for a file that cannot be read is that of [os.Open]; all others are one line about
// the workbook, and so are those of Read. The sheet has to be closed.
func Open(name, sheet string) (*Sheet, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &Sheet{file: file, book: newBook(file)}
	s.begin(sheet)
	if s.book.err != nil {
		_ = file.Close() // it was only read
		return nil, s.book.err
	}
	return s, nil
}

// begin reads all but the rows.
func (s *Sheet) begin(name string) {
	_, root := s.book.related("")
	workbook, ok := root["officeDocument"]
	if !ok {
		s.book.fail(errNoWorkbook)
	}
	byID, byKind := s.book.related(workbook)
	id, note := s.book.choose(workbook, name, byID)
	if texts, ok := byKind["sharedStrings"]; ok {
		s.book.readTexts(texts)
	}
	if styles, ok := byKind["styles"]; ok {
		s.book.readFormats(styles)
	}
	s.Note, s.part = note, s.book.open(byID[id].target)
}

// Close closes the file.
func (s *Sheet) Close() error { return s.file.Close() }

func (s *Sheet) Read(p []byte) (int, error) {
	if s.out.Len() == 0 {
		s.readRows()
	}
	if s.out.Len() == 0 {
		return 0, s.book.err
	}
	return s.out.Read(p)
}

// enough records for one Read, in bytes.
const enough = 32 << 10

// readRows makes records of the next rows that the file has. Nobody looks at what is behind the
// last, but the sum of the zip file is over that too.
func (s *Sheet) readRows() {
	for tag := range s.part.tags("sheetData", "row", "c") {
		if tag.Name.Local == "c" {
			s.wrong("that is in no row")
		}
		s.readRow(tag)
		if s.out.Len() >= enough {
			return
		}
	}
	s.part.room = maxUnpacked
	if _, err := io.Copy(io.Discard, s.part); err != nil {
		s.part.damaged(err)
	}
	s.book.fail(io.EOF)
}

// readRow makes a record of the row of the tag, and empty lines for those before it that the file
// does not have.
func (s *Sheet) readRow(tag xml.StartElement) {
	before := s.row
	number := cmp.Or(attribute(tag, "r"), strconv.Itoa(before+1))
	switch s.row, _ = strconv.Atoi(number); {
	case s.row <= before:
		s.part.damaged(fmt.Errorf("row %.20q comes after row %d", number, before))
		return
	case s.row > maxRows:
		s.part.damaged(fmt.Errorf("row %d is beyond the last, %d", s.row, maxRows))
		return
	}
	s.out.WriteString(strings.Repeat("\n", s.row-before-1))
	s.line = s.appendRecord(s.line[:0])
	if s.shown += len(s.line); s.shown > maxShown {
		s.book.fail(errShown)
	}
	if s.book.err == nil {
		s.out.Write(s.line)
		s.out.WriteByte('\n')
	}
}

// appendRecord appends to record, which is empty, the cells of the row whose tag was read. If none of
// them shows anything, it stays empty.
func (s *Sheet) appendRecord(record []byte) []byte {
	column, commas := 0, 0
	for tag := range s.part.tags("row", "c", "row") {
		if tag.Name.Local == "row" {
			s.wrong("that is a row")
		}
		before := column
		c := newCell(tag)
		if column = cellColumn(c.place, before); column <= before {
			s.wrong("in the wrong place, %.20q", c.place)
		}
		text := s.show(c, s.part.text("c"))
		switch {
		case text == "":
			continue
		case column > maxColumns:
			s.book.fail(fmt.Errorf("row %d has something in column %d; accepted: at most %d columns, or the sheet saved as CSV",
				s.row, column, maxColumns))
		case len(record)+len(text) > maxText:
			s.book.fail(fmt.Errorf("row %d has over %d KiB of text; accepted: less, or the sheet saved as CSV",
				s.row, maxText>>10))
		}
		record = append(record, strings.Repeat(",", max(0, column-1-commas))...)
		commas = column - 1
		if c.kind != "n" && strings.Contains(text, ".") {
			record = csvrows.AppendQuotedCell(record, text)
		} else {
			record = csvrows.AppendCell(record, text, ',')
		}
	}
	if len(record) > 0 {
		s.width = cmp.Or(s.width, commas)
		record = append(record, strings.Repeat(",", max(0, s.width-commas))...)
	}
	return record
}

// wrong says what is wrong with a cell of the row.
func (s *Sheet) wrong(format string, args ...any) {
	s.part.damaged(fmt.Errorf("row %d has a cell %s", s.row, fmt.Sprintf(format, args...)))
}
