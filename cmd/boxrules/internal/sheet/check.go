package sheet

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"example.com/boxrules/internal/wording"
)

// What Excel can write, and what is read of a workbook.
const (
	maxRows   = 1 << 20
	maxSheets = 4 << 30  // bytes of XML of all sheets and the texts that they share, and so of temporary files
	maxOther  = 32 << 20 // bytes of all else, which is held in memory
	maxRow    = 4 << 20  // bytes of XML of a row
	maxText   = 1 << 17  // bytes of XML of a text that cells share; Excel has 32,767 characters
	maxDepth  = 64       // of elements
)

// sharedTexts is the only part where the library looks for the texts that cells share.
const sharedTexts = "xl/sharedstrings.xml"

var (
	errNoWorkbook = errors.New("not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx")
	errOld        = errors.New("an .xls workbook, or one with a password; accepted: .xlsx without a password")
)

// check refuses a workbook of which the library would read less, or something else, and not say so: where a sum of the zip file is
// wrong, or XML breaks off, it takes what came before for all; a cell's shared text that is not there is its number; cells that
// are not in order slip into other columns. It also bounds what the library holds in memory. The style is the greatest number of one.
func check(file *os.File) (style int, err error) {
	start := make([]byte, 8)
	if n, _ := file.ReadAt(start, 0); string(start[:n]) == "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" {
		return 0, errOld
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	workbook, err := zip.NewReader(file, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are not used as paths
		return 0, errNoWorkbook
	}
	var sheets, other uint64
	for _, f := range workbook.File {
		if f.Flags&1 != 0 {
			return 0, errOld
		}
		sum := &other
		if name := partName(f); name == sharedTexts || strings.HasPrefix(name, "xl/worksheets/sheet") {
			sum = &sheets
		}
		*sum += min(f.UncompressedSize64, maxSheets+1)
		if sheets > maxSheets || other > maxOther {
			return 0, fmt.Errorf("the workbook has over %d MiB of sheets, or %d MiB of all else; accepted: less, or the sheet saved as CSV",
				maxSheets>>20, maxOther>>20)
		}
	}
	parts := &parts{most: -1}
	for _, f := range workbook.File {
		if err := parts.check(f); err != nil {
			return 0, fmt.Errorf("the workbook is damaged, its part %s: %w; accepted: a workbook saved anew", wording.Quote(f.Name), err)
		}
	}
	if parts.worksheets == 0 {
		return 0, errNoWorkbook
	}
	if parts.most >= parts.texts {
		return 0, fmt.Errorf("the workbook is damaged: a cell has the shared text %d of %d, from 0; accepted: a workbook saved anew",
			parts.most, parts.texts)
	}
	return parts.style, nil
}

// partName is the name of a part as the library compares it.
func partName(f *zip.File) string { return strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/")) }

// parts are the parts that have been checked.
type parts struct {
	worksheets int
	texts      int // that are shared
	most       int // the greatest number of such a text in a cell
	style      int // and of a style

	row, column int
	kind        string // of the cell
	value       []byte // of the cell, while it is within its tags
	within      bool
}

// check reads a part to its end, where the zip file has its sum.
func (p *parts) check(f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	if !strings.HasSuffix(partName(f), ".xml") {
		_, err := io.Copy(io.Discard, r)
		return err
	}
	p.row, p.column, p.within = 0, 0, false
	limit := &elementLimit{source: r}
	most, outside := maxRow, 2 // the depth between elements that are so long at most
	d := xml.NewDecoder(limit)
	for depth := 0; ; {
		if depth <= outside {
			limit.left = most
		}
		token, err := d.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch depth++; {
			case depth > maxDepth:
				return fmt.Errorf("elements in each other, over %d", maxDepth)
			case depth == 1 && token.Name.Local == "worksheet":
				p.worksheets++
			case depth == 1 && token.Name.Local == "sst" && partName(f) == sharedTexts:
				most, outside = maxText, 1
			case depth == 1:
				_, err := io.Copy(io.Discard, r) // the library reads it whole, and tells what is wrong with it
				return err
			}
			if err := p.start(token); err != nil {
				return err
			}
		case xml.CharData:
			if p.within {
				p.value = append(p.value, token...)
			}
		case xml.EndElement:
			depth--
			if err := p.end(token.Name.Local); err != nil {
				return err
			}
		}
	}
}

func (p *parts) start(tag xml.StartElement) (err error) {
	switch tag.Name.Local {
	case "si":
		p.texts++
	case "row":
		before := p.row
		p.row++
		if r := attribute(tag, "r"); r != "" {
			if p.row, err = strconv.Atoi(r); err != nil || p.row <= before {
				return fmt.Errorf("row %.20q comes after row %d", r, before)
			}
		}
		if p.row > maxRows {
			return fmt.Errorf("row %d is beyond the last, %d", p.row, maxRows)
		}
		p.column = 0
	case "c":
		before := p.column
		p.column++
		if r := attribute(tag, "r"); r != "" {
			if p.column, _, err = excelize.CellNameToCoordinates(r); err != nil || p.column <= before {
				return fmt.Errorf("row %d has the cell %.20q in the wrong place", p.row, r)
			}
		}
		if p.column > excelize.MaxColumns {
			return fmt.Errorf("row %d has more than %d columns", p.row, excelize.MaxColumns)
		}
		if s := attribute(tag, "s"); s != "" {
			style, err := strconv.ParseUint(s, 10, 31)
			if err != nil {
				return fmt.Errorf("row %d has a cell with the style %.20q", p.row, s)
			}
			p.style = max(p.style, int(style))
		}
		p.kind = attribute(tag, "t")
	case "v":
		p.value, p.within = p.value[:0], true
	}
	return nil
}

// end checks the value of a cell: the library takes any number for a shared text that is not one, and hexadecimal ones for numbers.
func (p *parts) end(name string) error {
	if name != "v" || !p.within {
		return nil
	}
	p.within = false
	value := strings.TrimSpace(string(p.value))
	switch p.kind {
	case "s":
		n, err := strconv.Atoi(value)
		if value != "" && (err != nil || n < 0) {
			return fmt.Errorf("row %d has a cell with the shared text %.20q", p.row, value)
		}
		p.most = max(p.most, n)
	case "", "n":
		if strings.Trim(value, "+-0123456789.eE") != "" {
			return fmt.Errorf("row %d has a cell with the number %.20q", p.row, value)
		}
	case "b":
		if value != "0" && value != "1" {
			return fmt.Errorf("row %d has a cell with the truth value %.20q", p.row, value)
		}
	case "str", "inlineStr", "e", "d":
	default:
		return fmt.Errorf("row %d has a cell of the kind %.20q", p.row, p.kind)
	}
	return nil
}

var errLong = fmt.Errorf("a row of over %d KiB or a text of over %d KiB", maxRow>>10, maxText>>10)

// elementLimit bounds how much is read for one element, and so what a decoder holds.
type elementLimit struct {
	source io.Reader
	left   int
}

func (l *elementLimit) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLong
	}
	n, err := l.source.Read(b)
	l.left -= n
	return n, err
}

// attribute is the start tag's attribute of the name; empty where there is none.
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
