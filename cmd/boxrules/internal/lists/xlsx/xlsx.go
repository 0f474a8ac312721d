// Package xlsx reads a sheet of an .xlsx workbook as CSV, row by row, as it stands in the file:
// of the workbook only the texts that cells share are held in memory.
package xlsx

import "os"

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

	file *os.File
	rows rows
	out  []byte // records that are not taken, at the end of rows.out
	err  error  // comes after out
}

// Open opens the sheet of the name, in any case, or the first visible sheet where that is empty.
// The error for a file that cannot be read is that of [os.Open]; all others are one line about
// the workbook, and so are those of Read. The sheet has to be closed.
func Open(name, sheet string) (*Sheet, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &Sheet{file: file}
	if err := s.begin(sheet); err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	return s, nil
}

// begin reads all but the rows.
func (s *Sheet) begin(name string) error {
	b, err := newBook(s.file)
	if err != nil {
		return err
	}
	main := ""
	err = b.related("", func(_, kind, target string) {
		if kind == "officeDocument" {
			main = target
		}
	})
	if err == nil && main == "" {
		err = errNoWorkbook
	}
	if err == nil {
		err = b.readTabs(main)
	}
	if err != nil {
		return err
	}
	chosen, note, err := b.choose(name)
	if err != nil {
		return err
	}
	var cells, texts, styles string
	err = b.related(main, func(id, kind, target string) {
		switch {
		case id == chosen.id:
			cells = target
		case kind == "sharedStrings":
			texts = target
		case kind == "styles":
			styles = target
		}
	})
	if err == nil && texts != "" {
		err = b.readTexts(texts)
	}
	b.formats = []format{number}
	if err == nil && styles != "" {
		err = b.readFormats(styles)
	}
	if err != nil {
		return err
	}
	s.Note, s.rows.book = note, b
	s.rows.part, err = b.open(cells)
	return err
}

// Close closes the file.
func (s *Sheet) Close() error { return s.file.Close() }

// enough records for one Read, in bytes.
const enough = 32 << 10

func (s *Sheet) Read(p []byte) (int, error) {
	if len(s.out) == 0 && s.err == nil {
		s.rows.out = s.rows.out[:0]
		for s.err == nil && len(s.rows.out) < enough {
			s.err = s.rows.next()
		}
		s.out = s.rows.out
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, s.err
}
