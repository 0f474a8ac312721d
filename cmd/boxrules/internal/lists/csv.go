package lists

import (
	"bytes"
	"cmp"
	"errors"
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

// A csvFormat reads the records of a CSV file after its header, which names the columns. It also reads workbooks,
// because package xlsx converts a sheet to CSV.
type csvFormat struct {
	csv          csvrows.Format
	header       []string
	columns      [answerCount]int // the column of each field; -1 if the field has no column
	parsers      dimensionParsers
	textParsers  dimensionParsers       // for the cells of a sheet that contain text; nil without --decimal
	givenNames   [FirstDimension][]byte // the article and the material if flags give them for all rows; otherwise nil
	isSheet      bool
	tracksPoints [FieldCount - FirstDimension]bool // for each axis, whether a point may separate thousands
	trimSpace    func([]byte) []byte               // Reader.trimmed
}

// dimensionParsers are the parsers for the columns of width, depth and height.
type dimensionParsers [FieldCount - FirstDimension]*number.Parser

// maxHead is the maximum number of bytes above the header of a file.
const maxHead = 1 << 20

var errNoHeader = fmt.Errorf("there is no header within the first %d bytes; put one in the first row that is not empty",
	maxHead)

// The first bytes of files that are not CSV, whatever their names say.
const (
	gzipMagic = "\x1f\x8b"
	zipMagic  = "PK\x03\x04"
)

var (
	errGzip = errors.New("this is a gzip file; unpack it, as in: gunzip -c FILE | boxrules check --input csv -")
	errZip  = errors.New("this is an .xlsx workbook, or another zip file; if it is a workbook, give it a name that ends in .xlsx")
)

// readCSVHead reads the file up to the end of the header, and sets r.rowFormat.
func (r *Reader) readCSVHead() error {
	c := &csvFormat{
		csv:       csvrows.Format{Delimiter: r.Options.Delimiter, MaxRecord: MaxRow, NoQuotes: r.Options.NoQuotes},
		isSheet:   r.Kind == XLSX,
		trimSpace: r.trimmed,
	}
	r.rowFormat = c
	for row := 0; c.header == nil; row++ {
		record, err := r.firstRecord(c.possibleDelimiters())
		switch {
		case row == 0 && bytes.HasPrefix(r.rest, []byte(gzipMagic)):
			return fmt.Errorf("%s: %w", r.DisplayName(), errGzip)
		case row == 0 && bytes.HasPrefix(r.rest, []byte(zipMagic)):
			return fmt.Errorf("%s: %w", r.DisplayName(), errZip)
		case err != nil:
			return r.errorHere(err)
		case len(record) == 0:
			return fmt.Errorf("%s: %w", r.DisplayName(), ErrNoBoxes)
		case len(r.Head) > maxHead:
			return r.errorHere(errNoHeader)
		}
		switch delimiter, ok := header.SepLine(record); {
		case ok && row == 0 && c.csv.Delimiter == 0:
			c.csv.Delimiter = delimiter
			r.note("the columns are separated by %s, as the first line says", wording.Quote(string(delimiter)))
		case ok && row == 0, row < r.Options.Skip:
			// A sep= line or a row that --skip names is not the header.
		default:
			if err := c.readHeader(r, record, row); err != nil {
				return r.errorHere(err)
			}
		}
		r.consumeHead(len(record))
	}
	r.Titles, r.Options.Delimiter = c.header, c.csv.Delimiter
	return nil
}

// possibleDelimiters returns the delimiters that may separate the cells of the header. It returns "" if quotes are
// ordinary characters.
func (c *csvFormat) possibleDelimiters() string {
	switch {
	case c.csv.NoQuotes:
		return ""
	case c.csv.Delimiter != 0:
		return string(rune(c.csv.Delimiter))
	}
	return header.Delimiters()
}

// readHeader reads a record as the header and finds the columns in it. It ignores a record that consists only of
// delimiters and white space. rowsAbove is the number of records before this one.
func (c *csvFormat) readHeader(r *Reader, record []byte, rowsAbove int) error {
	c.givenNames = r.Options.givenNames()
	line := []byte(r.Decoded(csvrows.WithoutEnd(record)))
	if len(bytes.Trim(line, ",;|\" \t")) == 0 {
		return nil
	}
	options := c.headerOptions(r, rowsAbove)
	if c.csv.Delimiter == 0 {
		delimiter, note, err := header.Delimiter(line, options)
		if err != nil {
			return err
		}
		c.csv.Delimiter = delimiter
		r.note("%s", note)
	}
	_, cells, err := c.csv.Next(line, nil)
	if err != nil {
		return err
	}
	for _, cell := range cells {
		c.header = append(c.header, string(cell.Text()))
	}
	found, err := header.Find(c.header, options)
	if err != nil {
		return err
	}
	r.note("%s", found.Note)
	for field, name := range AnswerNames {
		column, ok := found.Columns[name]
		if !ok {
			column = -1
		}
		c.columns[field] = column
		if axis := field - FirstDimension; axis >= 0 && field < FieldCount {
			if err := c.addParsers(r, axis, found.Units[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// headerOptions returns the options that say which columns the header must have, and which it may have.
func (c *csvFormat) headerOptions(r *Reader, rowsAbove int) header.Options {
	o := header.Options{
		RowsAbove:  rowsAbove,
		Dimensions: FieldNames[FirstDimension:],
		Names:      r.Options.Names,
		Unit:       r.Options.Unit,
		LimitsUnit: r.Options.Catalogue,
		Required:   FieldNames,
		NoQuotes:   r.Options.NoQuotes,
	}
	if r.Answers {
		o.Required, o.Optional = AnswerNames[:AnswerDate], AnswerNames[AnswerDate:AnswerOK]
	} else {
		if r.Options.Expect != "" {
			// The column that --expect names is read as the code.
			o.Required = AnswerNames[:AnswerDate]
			o.Names = map[string]string{AnswerNames[AnswerCode]: r.Options.Expect}
			maps.Copy(o.Names, r.Options.Names)
		}
		o.Flags = FieldNames[:FirstDimension]
	}
	for field, name := range c.givenNames {
		if name != nil {
			o.Given = append(o.Given, FieldNames[field])
		}
	}
	return o
}

// addParsers sets the parsers for the dimension along the axis. unit is the unit of its column, or empty.
func (c *csvFormat) addParsers(r *Reader, axis int, unit string) (err error) {
	r.Units[axis] = cmp.Or(unit, r.Options.Catalogue)
	r.UnitInHeader = r.UnitInHeader || unit != "" && r.Options.Unit == ""
	// If semicolons separate the columns, 1.200 may mean 1200. In units other than mm, no box is that large.
	c.tracksPoints[axis] = c.csv.Delimiter == ';' && r.Options.Decimal == 0 && !c.isSheet &&
		r.Units[axis] == "mm"
	point := cmp.Or(r.Options.Decimal, '.')
	// A sheet contains numbers, which always have a decimal point, and texts such as "1,5". --decimal is only about
	// the texts.
	if c.isSheet && r.Options.Decimal != 0 {
		if c.textParsers[axis], err = number.New(point, unit, r.Options.Catalogue); err != nil {
			return err
		}
	}
	if c.isSheet {
		point = '.'
	}
	c.parsers[axis], err = number.New(point, unit, r.Options.Catalogue)
	return err
}

// trim returns a cell without the white space around it.
func (c *csvFormat) trim(cell []byte) []byte {
	if hasVisibleEnds(cell) {
		return cell
	}
	return c.trimSpace(cell)
}

// hasVisibleEnds reports whether the text begins and ends with a visible ASCII character, so that there is no white
// space to trim. Nearly all cells are like that, and the compiler inlines this test.
func hasVisibleEnds(text []byte) bool {
	n := len(text)
	return n > 0 && text[0]-'!' <= '~'-'!' && text[n-1]-'!' <= '~'-'!'
}

func (c *csvFormat) hasText(cell csvrows.Cell) bool { return len(c.trim(cell.Text())) > 0 }

func (c *csvFormat) completeLength(text []byte, final bool) int {
	return c.csv.WholeLength(text, final)
}

func (c *csvFormat) skipRow(text []byte) (n int, empty bool) {
	n = c.csv.Skip(text)
	// Most rows begin with a letter or a digit. They are not empty, so their cells need not be read.
	first, _ := utf8.DecodeRune(text)
	if text[0] != c.csv.Delimiter && text[0] != '"' && text[0] != noBreakSpace && !unicode.IsSpace(first) {
		return n, false
	}
	_, cells, err := c.csv.Next(text[:n], nil)
	return n, err == nil && !slices.ContainsFunc(cells, c.hasText)
}

func (c *csvFormat) readRow(text []byte, row *Row) int {
	n, cells, err := c.csv.Next(text, row.cells)
	row.cells = cells
	if err == nil && len(cells) == len(c.header) {
		c.readFields(row, cells)
		// In the common case, the row could be read without problems. Then it is not empty either.
		if len(row.Problems) == 0 {
			return n
		}
	}
	// Something is wrong with the row, unless it is empty.
	switch {
	case err != nil:
		row.failRow("%v", err)
	case !slices.ContainsFunc(cells, c.hasText):
		row.reset()
		row.Empty, row.cells = true, cells
	case len(cells) != len(c.header):
		row.failRow("the row has %s, but the header has %d", console.CountText(len(cells), "field", "fields"), len(c.header))
	}
	return n
}

// readFields reads the fields of the row. There is one cell for each column of the header.
func (c *csvFormat) readFields(row *Row, cells []csvrows.Cell) {
	for field := range FirstDimension {
		name := c.givenNames[field]
		if name == nil {
			if name = cells[c.columns[field]].Text(); !hasVisibleEnds(name) {
				name = c.trimSpace(name)
			}
		}
		row.Names[field], row.Known[field] = name, true
	}
	for axis, parser := range c.parsers {
		field := FirstDimension + axis
		cell := cells[c.columns[field]]
		text := cell.Text()
		if !c.isSheet && !hasVisibleEnds(text) {
			text = c.trimSpace(text)
		}
		// Package xlsx puts quotes around texts that look like numbers.
		isText := c.isSheet && cell.Quoted()
		if isText {
			parser = c.textParsers[axis]
		}
		switch {
		case c.isSheet && len(text) == 0:
			row.Fail(field, "missing (%s); accepted: a number", xlsx.EmptyCellHint)
			continue
		case parser == nil:
			row.Fail(field, "%s is text; enter a number in the cell, or use --decimal . or --decimal , for numbers stored as text",
				wording.Quote(string(text)))
			continue
		}
		x, err := parser.Parse(FieldNames[field], text)
		switch {
		case err == nil:
			row.Dimensions[axis], row.Known[field] = x, true
			if c.tracksPoints[axis] && !row.points.decimal {
				row.points.add(text)
			}
		case c.isSheet && !isText:
			row.Fail(field, "%s is not a length; enter a number in the cell", wording.Quote(string(text)))
		default:
			row.AddProblem(err)
		}
	}
	// Only copy the other fields, such as the code. Other packages interpret them: see RowAnswer.
	for field := FieldCount; field < answerCount; field++ {
		if column := c.columns[field]; column >= 0 {
			row.Answer.set(field, string(c.trim(cells[column].Text())))
		}
	}
}
