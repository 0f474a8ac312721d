// Package xlsx reads a sheet of an .xlsx workbook as CSV, row by row. It does not hold the sheet in memory,
// only the texts that its cells share.
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
	maxCSV     = 512 << 20 // bytes of all records, in which a text that cells share is repeated
)

var errSheetTooLarge = fmt.Errorf("the rows of the sheet have more than %d MiB of text; save the sheet as CSV", maxCSV>>20)

// EmptyCellHint says why a cell may be empty although Excel shows something in it.
const EmptyCellHint = "a cell merged with another, or a formula that was never calculated, is empty"

// A Sheet is a sheet as CSV in UTF-8, separated by commas. Line n is row n of the sheet; an empty or missing
// row is an empty line. The first row that is not empty is the header. The records after the header have at
// least as many fields as the header.
//
// A number is written as it is stored and not as its format shows it, with 15 significant digits as in
// Excel and without an exponent. A formula is written as the value that was stored with it. A text with a
// point or a comma is in quotes, so that it is not taken for a number: "1.5" or "1,5". Other cells do not look
// like numbers: a date is written as 2026-01-31 00:00, 0.5 as a percentage as 50.00%, a boolean as TRUE, and an
// error as #N/A. See also [EmptyCellHint].
//
// A Sheet is not safe for concurrent use.
type Sheet struct {
	Note string // tells the user in one line which of several sheets is read; empty if there is one

	file         *os.File
	book         *book
	part         *part        // of the sheet
	row          int          // the current row, from 1
	headerCommas int          // the number of commas in the header, once it was read
	csvBytes     int          // the length of all records so far
	out          bytes.Buffer // records that Read has not returned yet
	record       []byte       // the last record; its memory is reused
}

// Open opens a sheet of the workbook in the named file: the sheet with the given name, in upper or lower
// case, or the first visible sheet if that is empty. If the file cannot be opened, the error is that of
// [os.Open]. All other errors, including those of Read, are one line about the workbook. The caller must close
// the sheet.
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
	// The book keeps the first error, so the steps do not check whether the previous ones have failed.
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

// readSize is the least number of bytes that readRows writes, unless the sheet ends.
const readSize = 32 << 10

// readRows writes the records of the next rows to out. After the last row it reads the rest of the part, so
// that the ZIP checksum is verified.
func (s *Sheet) readRows() {
	for tag := range s.part.tags("sheetData", "row", "c") {
		if tag.Name.Local == "c" {
			s.part.fail(fmt.Errorf("a cell after row %d is outside of every row", s.row))
		}
		s.readRow(tag)
		if s.out.Len() >= readSize {
			return
		}
	}
	// The rest is not read token by token, so the bound on a token does not apply.
	s.part.remainingBytes = maxUnpacked
	if _, err := io.Copy(io.Discard, s.part); err != nil {
		s.part.fail(err)
	}
	// Read returns this once out is empty, unless an error came first.
	s.book.fail(io.EOF)
}

// readRow writes the record of the row with this tag to out, after an empty line for each missing row.
func (s *Sheet) readRow(tag xml.StartElement) {
	// The number of a row is optional; without it, the row follows the previous one. A number that cannot be
	// parsed becomes 0 here, which is refused like any number that is not greater than the previous one.
	previous := s.row
	number := cmp.Or(partAttribute(tag, "r"), strconv.Itoa(previous+1))
	switch s.row, _ = strconv.Atoi(number); {
	case s.row <= previous:
		s.part.fail(fmt.Errorf("row %.20q comes after row %d", number, previous))
		return
	case s.row > maxRows:
		s.part.fail(fmt.Errorf("row %d is beyond the last, %d", s.row, maxRows))
		return
	}
	// Line n of the CSV must be row n of the sheet, because messages name rows by line.
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

// appendRecord appends the cells of the row whose tag was read. If none of them has a text, the record
// stays empty.
//
// The file has only the cells that are not empty, each with its reference, such as B3. A row with 48 in B3 and
// 184 in D3 becomes ,48,,184 followed by a comma for each further column of the header.
func (s *Sheet) appendRecord(record []byte) []byte {
	column, commas := 0, 0
	for tag := range s.part.tags("row", "c", "row") {
		if tag.Name.Local == "row" {
			s.part.fail(fmt.Errorf("row %d has another row within it", s.row))
		}
		previous := column
		c := newCell(tag)
		if column = cellColumn(c.reference, previous); column <= previous {
			s.badCell("with the reference %.20q, which is invalid or not in order", c.reference)
		}
		text := s.cellText(c, s.part.text("c"))
		switch {
		case text == "":
			continue
		case column > maxColumns:
			s.book.fail(fmt.Errorf("row %d has something in column %d; accepted: at most %d columns; save the sheet as CSV to keep more",
				s.row, column, maxColumns))
		case len(record)+len(text) > maxText:
			s.book.fail(fmt.Errorf("row %d has more than %d KiB of text; save the sheet as CSV",
				s.row, maxText>>10))
		}
		// Cells without a text were skipped, so there may be several commas to write.
		record = append(record, strings.Repeat(",", max(0, column-1-commas))...)
		commas = column - 1
		// Quotes tell package lists that "1.5" is text. AppendCell quotes 1,5 by itself, for its comma.
		if c.kind != "n" && strings.Contains(text, ".") {
			record = csvrows.AppendQuotedCell(record, text)
		} else {
			record = csvrows.AppendCell(record, text, ',')
		}
	}
	if len(record) > 0 {
		// The first record is the header, and sets s.headerCommas. Later records are filled up to its length.
		s.headerCommas = cmp.Or(s.headerCommas, commas)
		record = append(record, strings.Repeat(",", max(0, s.headerCommas-commas))...)
	}
	return record
}

// badCell makes reading fail because of a cell of the current row. The format continues "row 3 has a cell".
func (s *Sheet) badCell(format string, args ...any) {
	s.part.fail(fmt.Errorf("row %d has a cell %s", s.row, fmt.Sprintf(format, args...)))
}
