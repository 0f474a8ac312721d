// Package xlsx reads a sheet of an .xlsx workbook as CSV, row by row. It does not keep the whole sheet in memory, only
// the texts that cells share.
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

// The maximum size of a sheet.
const (
	maxRows    = 1 << 20 // as in Excel
	maxColumns = 1000
	maxCSV     = 512 << 20 // bytes of CSV, in which a shared text is repeated in each cell that has it
)

var errSheetTooLarge = fmt.Errorf("the rows of the sheet have more than %d MiB of text; save the sheet as CSV", maxCSV>>20)

// EmptyCellHint explains why a cell may be empty although Excel shows something in it.
const EmptyCellHint = "a cell merged with another, or a formula that was never calculated, is empty"

// A Sheet reads a sheet as CSV in UTF-8, with commas as delimiters. Record n is row n of the sheet. An empty or missing
// row is an empty line. The first row that is not empty is the header. The records after the header have at least as
// many fields as the header.
//
// A number is written as it is stored, not as its format displays it. Like Excel, Sheet writes 15 significant
// digits, and no exponent. A formula is written as its last calculated value. A text with a point or a comma is in
// quotes, so that it is not mistaken for a number: "1.5" or "1,5". Other cells do not look like numbers: a date is
// written as 2026-01-31 00:00, a percentage as 50.00%, a boolean as TRUE, and an error as #N/A. See also
// [EmptyCellHint].
//
// A Sheet is not safe for concurrent use.
type Sheet struct {
	Note string // tells the user in one line which sheet is read; empty if there is no choice

	file             *os.File
	book             *book
	part             *part        // the part with the rows of the sheet
	row              int          // the number of the current row, counted from 1
	headerDelimiters int          // the number of delimiters (commas) in the header; 0 before it has been read
	csvBytes         int          // the length of all records so far
	out              bytes.Buffer // CSV that Read has not returned yet
	record           []byte       // the last record, in a buffer that is reused
}

// Open opens a sheet of the workbook in the named file. sheet is the name of the sheet, in upper or lower case. If it
// is empty, Open chooses the first visible sheet. If the file cannot be opened, Open returns the error of [os.Open].
// All other errors, including those of Read, are a single line about the workbook. The caller must close the sheet.
func Open(name, sheet string) (*Sheet, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &Sheet{file: file, book: newBook(file)}
	s.readParts(sheet)
	if s.book.err != nil {
		_ = file.Close()
		return nil, s.book.err
	}
	return s, nil
}

// readParts reads all parts of the workbook except the rows of the sheet.
func (s *Sheet) readParts(name string) {
	// The book stores the first error, so no step needs to check whether an earlier one has failed.
	_, root := s.book.relations("")
	workbook, ok := root["officeDocument"]
	if !ok {
		s.book.fail(errNoWorkbook)
	}
	byID, byKind := s.book.relations(workbook)
	id, note := s.book.chooseSheet(workbook, name, byID)
	if texts, ok := byKind["sharedStrings"]; ok {
		s.book.readTexts(texts)
	}
	if styles, ok := byKind["styles"]; ok {
		s.book.readFormats(styles)
	}
	s.Note, s.part = note, s.book.openPart(byID[id].target)
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

// readSize is the minimum number of bytes that readRows writes, except at the end of the sheet.
const readSize = 32 << 10

// readRows writes the records of the next rows to s.out. After the last row, it reads the rest of the part, so that
// the checksum of the ZIP file is verified.
func (s *Sheet) readRows() {
	for tag := range s.part.tags("sheetData", "row", "c") {
		if tag.Name.Local == "c" {
			s.part.fail(fmt.Errorf("a cell after row %d is not inside any row", s.row))
		}
		s.readRow(tag)
		if s.out.Len() >= readSize {
			return
		}
	}
	// The rest of the part is not read token by token, so lift the limit on the size of a token.
	s.part.remainingBytes = maxUnpacked
	if _, err := io.Copy(io.Discard, s.part); err != nil {
		s.part.fail(err)
	}
	// Read returns io.EOF once out is empty, unless there was an error before.
	s.book.fail(io.EOF)
}

// readRow writes the record of the row that begins with the tag to s.out. If rows are missing before this one, it first
// writes an empty line for each of them.
func (s *Sheet) readRow(tag xml.StartElement) {
	// A row without a number follows the previous row. A number that cannot be parsed becomes 0, which is an error
	// like any number that is not greater than the previous one.
	previous := s.row
	number := cmp.Or(partAttribute(tag, "r"), strconv.Itoa(previous+1))
	switch s.row, _ = strconv.Atoi(number); {
	case s.row <= previous:
		s.part.fail(fmt.Errorf("row %.20q comes after row %d", number, previous))
		return
	case s.row > maxRows:
		s.part.fail(fmt.Errorf("row %d is beyond the last possible row, %d", s.row, maxRows))
		return
	}
	// Record n of the CSV must be row n of the sheet, because messages refer to a row by that number.
	s.out.WriteString(strings.Repeat("\n", s.row-previous-1))
	s.record = s.appendRecord(s.record[:0])
	if s.csvBytes += len(s.record); s.csvBytes > maxCSV {
		s.book.fail(errSheetTooLarge)
	}
	if s.book.err == nil {
		s.out.Write(s.record)
		s.out.WriteByte('\n')
	}
}

// appendRecord appends the cells of the row whose start tag was just read. If all cells are empty, it appends
// nothing.
//
// The file contains only cells that are not empty. Each has a reference, such as B3. A row with 48 in B3 and 184 in
// D3 becomes ,48,,184 followed by a comma for each further column of the header.
func (s *Sheet) appendRecord(record []byte) []byte {
	column, commas := 0, 0
	for tag := range s.part.tags("row", "c", "row") {
		if tag.Name.Local == "row" {
			s.part.fail(fmt.Errorf("row %d contains another row", s.row))
		}
		previous := column
		c := newCell(tag)
		if column = cellColumn(c.reference, previous); column <= previous {
			s.badCell("with the reference %.20q, which is invalid or out of sequence", c.reference)
		}
		text := s.cellText(c, s.part.text("c"))
		switch {
		case text == "":
			continue
		case column > maxColumns:
			s.book.fail(fmt.Errorf("row %d has a value in column %d, but only %d columns are read; save the sheet as CSV to keep more",
				s.row, column, maxColumns))
		case len(record)+len(text) > maxText:
			s.book.fail(fmt.Errorf("row %d has more than %d KiB of text; save the sheet as CSV",
				s.row, maxText>>10))
		}
		// Write a comma for each column since the last cell with text, because empty cells were skipped.
		record = append(record, strings.Repeat(",", max(0, column-1-commas))...)
		commas = column - 1
		// The quotes around "1.5" tell package lists that it is text. AppendCell itself quotes 1,5 because of its
		// comma.
		if c.kind != "n" && strings.Contains(text, ".") {
			record = csvrows.AppendQuotedCell(record, text)
		} else {
			record = csvrows.AppendCell(record, text, ',')
		}
	}
	if len(record) > 0 {
		// The first record is the header. Pad later records to the same number of fields.
		s.headerDelimiters = cmp.Or(s.headerDelimiters, commas)
		record = append(record, strings.Repeat(",", max(0, s.headerDelimiters-commas))...)
	}
	return record
}
