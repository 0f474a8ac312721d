// Package sheet reads a sheet of an .xlsx workbook as CSV, row by row.
//
// excelize reads; what it would pass over in silence is looked for first, see check. A sheet lies in a temporary directory while it
// is read, as XML, which is several times the size of the file. The file itself is in memory once, while it is opened.
package sheet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xuri/excelize/v2"
	"github.com/xuri/nfp"

	"example.com/boxrules/internal/wording"
)

// Empty says why a cell may be empty that does not look so.
const Empty = "a cell merged with another, or a formula that was never calculated, is empty"

// A Sheet is a sheet as CSV in UTF-8, separated by commas. Record n is row n of the sheet: rows that are not there, or have
// nothing in them, are records of empty fields, or empty lines before the first row that has something in it, the header. All
// records from there on have as many fields as the header; a row that has more of them is longer.
//
// A number is as it is stored and not as its format shows it, with the 15 digits that count in Excel and without an exponent. Of a
// formula counts the value that was stored. What is no number and no text cannot be taken for a dimension: a date is 2026-01-31
// 00:00, half as a percentage 50.00%, a truth value TRUE, an error #N/A. See also [Empty]. A Sheet is not safe for concurrent use.
type Sheet struct {
	Note string // which sheet was chosen of several, in one line; empty where there is no choice

	file      *excelize.File
	rows      *excelize.Rows
	temporary string // the directory of the files that are read
	out       []byte // records that are not taken
	store     []byte // where out is
	err       error  // comes after out
	row       int
	width     int // fields of a record, once there is a header
}

// inMemory is how many bytes of a sheet's XML are held in memory. More of them are read from a file.
const inMemory = 1 << 20

// Open opens the sheet of the name, in any case, or the first visible sheet where that is empty. The error for a file that cannot be read is that of [os.Open]; all others are one line about the workbook, and so are
// those of Read. The sheet has to be closed.
func Open(file, name string) (s *Sheet, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	style, err := check(in)
	if err != nil {
		return nil, err
	}
	s = &Sheet{}
	if s.temporary, err = newTemporary(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.Close() // the first error is the one to tell
			s = nil
		}
	}()
	defer rescue(&err)
	s.file, err = excelize.OpenReader(in, excelize.Options{TmpDir: s.temporary, UnzipSizeLimit: maxSheets + maxOther,
		UnzipXMLSizeLimit: inMemory, ShortDatePattern: "yyyy-mm-dd"})
	if err == io.EOF {
		return s, errNoWorkbook // it has not the parts that say where others are
	} else if err != nil {
		return s, damaged(err)
	}
	if name, s.Note, err = choose(s.file, name); err != nil {
		return s, err
	}
	if err = showStored(s.file, style); err != nil {
		return s, err
	}
	if s.rows, err = s.file.Rows(name); err != nil {
		return s, damaged(err)
	}
	return s, nil
}

// rescue makes an error of a panic in the library.
func rescue(err *error) {
	if r := recover(); r != nil {
		*err = damaged(fmt.Errorf("it is not as expected, %v", r))
	}
}

func damaged(err error) error {
	return fmt.Errorf("the workbook is damaged: %.200s; accepted: a workbook saved anew", strings.Trim(strconv.Quote(err.Error()), `"`))
}

// Close closes the sheet, and removes what is temporary.
func (s *Sheet) Close() error {
	if s.rows != nil {
		_ = s.rows.Close() // of a file that was only read
	}
	if s.file != nil {
		_ = s.file.Close() // what it leaves is removed with the directory
	}
	temporaries.Delete(s.temporary)
	return os.RemoveAll(s.temporary)
}

// temporaries are the directories of the sheets that are open.
var temporaries sync.Map

func newTemporary() (string, error) {
	name, err := os.MkdirTemp("", "boxrules-")
	if err == nil {
		temporaries.Store(name, nil)
	}
	return name, err
}

// CleanUp removes what is temporary of all sheets that are open, for a process that ends by a signal.
func CleanUp() {
	for name := range temporaries.Range {
		_ = os.RemoveAll(name.(string)) // there is nobody left to tell
	}
}

// choose is the sheet of the name, in any case, or the first visible one where that is empty.
func choose(f *excelize.File, name string) (chosen, note string, err error) {
	var quoted, visible []string
	sheets := f.GetSheetList()
	for _, sheet := range sheets {
		quoted = append(quoted, wording.Quote(sheet))
		if shown, err := f.GetSheetVisible(sheet); err == nil && shown {
			visible = append(visible, sheet)
		}
	}
	alike := func(sheet string) bool { return strings.EqualFold(sheet, name) }
	switch {
	case name == "" && len(visible) == 0:
		return "", "", errors.New("no sheet of the workbook is visible; accepted: --sheet NAME, of " + wording.Some(quoted))
	case name == "" && len(visible) > 1:
		note = fmt.Sprintf("reading the sheet %s, the first of %d; --sheet NAME reads another", wording.Quote(visible[0]), len(visible))
		fallthrough
	case name == "":
		name = visible[0]
	case slices.ContainsFunc(sheets, alike):
		name = sheets[slices.IndexFunc(sheets, alike)]
	default:
		return "", "", fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.Some(quoted))
	}
	if slices.ContainsFunc(sheets, func(sheet string) bool { return sheet != name && alike(sheet) }) {
		return "", "", fmt.Errorf("several sheets are named %s but for the case; accepted: other names", wording.Quote(name))
	}
	return name, note, nil
}

// Formats of numbers that are built into every workbook, and one that is not: the library gives the value as it is stored.
var percentage, moment, stored = 10, 22, -1

// showStored has the library give numbers as they are stored, but for dates, times and percentages. The greatest number of a style
// is to be that of one.
func showStored(f *excelize.File, greatest int) error {
	own := map[int]*int{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			own[n.NumFmtID] = shown(n.FormatCode)
		}
		f.Styles.NumFmts = nil // each style has one that is built in
	}
	styles := 1 // a workbook may have none but the usual one
	if f.Styles.CellXfs != nil {
		styles = len(f.Styles.CellXfs.Xf)
	}
	if greatest >= styles {
		return damaged(fmt.Errorf("a cell has the style %d of %d, from 0", greatest, styles))
	}
	if f.Styles.CellXfs == nil {
		return nil
	}
	for i := range f.Styles.CellXfs.Xf {
		style := &f.Styles.CellXfs.Xf[i]
		id := 0
		if style.NumFmtID != nil {
			id = *style.NumFmtID
		}
		style.NumFmtID = &stored
		if format, ok := own[id]; ok {
			style.NumFmtID = format
		} else if id == 9 || id == 10 {
			style.NumFmtID = &percentage
		} else if 14 <= id && id <= 22 || 27 <= id && id <= 36 || 45 <= id && id <= 47 || 50 <= id && id <= 58 { // with those of East Asia
			style.NumFmtID = &moment
		}
		if i == 0 && style.NumFmtID != &stored { // the library does not look at it
			return errors.New("the workbook shows every number as a date or a percentage; accepted: a style of cells for these alone")
		}
	}
	return nil
}

// shown is the format for numbers that the code of the workbook shows.
func shown(code string) *int {
	parser := nfp.NumberFormatParser()
	for _, section := range parser.Parse(code) {
		for _, token := range section.Items {
			switch token.TType {
			case nfp.TokenTypeDateTimes, nfp.TokenTypeElapsedDateTimes:
				return &moment
			case nfp.TokenTypePercent:
				return &percentage
			}
		}
	}
	return &stored
}

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

// next appends the record of the next row.
func (s *Sheet) next() (err error) {
	defer rescue(&err)
	if !s.rows.Next() {
		return io.EOF
	}
	s.row++
	cells, err := s.rows.Columns()
	if err != nil {
		return damaged(err)
	}
	start, last := len(s.out), len(cells)
	for last > 0 && cells[last-1] == "" {
		last--
	}
	if s.width == 0 {
		s.width = last
	}
	if last == 0 && s.width == 1 {
		s.out = append(s.out, `""`...) // an empty line would be passed over
	}
	for i := range max(last, s.width) {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if i < last {
			s.field(plain(cells[i]))
		}
		if len(s.out)-start > maxRow {
			return fmt.Errorf("row %d has over %d KiB of text; accepted: less, or the sheet saved as CSV", s.row, maxRow>>10)
		}
	}
	s.out = append(s.out, '\n')
	return nil
}

// field appends a field, in quotes where it needs them.
func (s *Sheet) field(text string) {
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	s.out = append(s.out, text...)
}

// plain is the text without the exponent that the library gives to numbers of more than 15 digits.
func plain(text string) string {
	if !strings.Contains(text, "E") {
		return text
	}
	x, err := strconv.ParseFloat(text, 64)
	decimal := strconv.FormatFloat(x, 'f', -1, 64)
	if err != nil || len(decimal) <= 15 || text != strconv.FormatFloat(x, 'G', 15, 64) {
		return text
	}
	return decimal
}
