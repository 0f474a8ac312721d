package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"example.com/boxrules/internal/wording"
)

// Bounds of a workbook. No list of boxes meets them; docs/lists.md states them.
const (
	maxUnpacked = 256 << 20 // bytes of XML, of all parts that are read
	maxRatio    = 100       // of these to the bytes of the file
	alwaysFine  = 4 << 20   // bytes of XML, however small the file is
	maxSheets   = 1000
	maxStyles   = 1 << 16  // Excel takes 65,490
	maxTexts    = 96 << 20 // bytes of the texts that cells share, with textCost for each
	textCost    = 16
)

var (
	errNoWorkbook = errors.New("not an .xlsx workbook, or one with a password; accepted: one that Excel or LibreOffice saves as .xlsx")
	errSheets     = fmt.Errorf("the workbook has over %d sheets; accepted: fewer, or the sheet saved as CSV", maxSheets)
	errStyles     = fmt.Errorf("the workbook has over %d styles of cells; accepted: fewer, or the sheet saved as CSV", maxStyles)
	errTexts      = fmt.Errorf("the texts of the workbook take over %d MiB; accepted: less, or the sheet saved as CSV", maxTexts>>20)
)

func damaged(part string, err error) error {
	return fmt.Errorf("the workbook is damaged, its part %s: %w; accepted: a workbook saved anew", wording.Quote(part), err)
}

// A book holds what is known of a workbook beside the rows of its sheets.
type book struct {
	files map[string]*zip.File // by name in lower case
	size  int64                // of the workbook
	left  int64                // bytes of XML that may still be unpacked

	tabs     []tab
	date1904 bool     // whether dates count from 1904
	texts    []string // that cells share
	formats  []format // of numbers, by the cell's style
}

// A tab is a sheet as the workbook lists it.
type tab struct {
	name, id string
	hidden   bool
}

func newBook(file *os.File) (*book, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(file, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are not used as paths
		return nil, errNoWorkbook
	}
	b := &book{files: make(map[string]*zip.File), size: info.Size()}
	b.left = b.most()
	for _, f := range archive.File {
		b.files[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	return b, nil
}

// most returns how many bytes of XML are unpacked at most.
func (b *book) most() int64 { return min(maxUnpacked, max(alwaysFine, maxRatio*b.size)) }

// tooLarge returns the error of a workbook that has no bytes left.
func (b *book) tooLarge() error {
	return fmt.Errorf("the workbook, of %d KiB, unpacks to over %d KiB; accepted: at most %d times its size and %d MiB, or the sheet saved as CSV",
		b.size>>10, b.most()>>10, maxRatio, maxUnpacked>>20)
}

// open opens the part of the name for reading.
func (b *book) open(name string) (*part, error) {
	f := b.files[strings.ToLower(name)]
	if f == nil {
		return nil, damaged(name, errors.New("it is missing"))
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(name, err)
	}
	p := &part{book: b, name: f.Name, source: r}
	p.decoder = xml.NewDecoder(p)
	return p, nil
}

// each calls take for every token of the part.
func (b *book) each(name string, take func(*part, xml.Token) error) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	for {
		token, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(p, token)
		}
		if err != nil {
			return err
		}
	}
}

// related calls take for every part that the one of the name refers to.
func (b *book) related(name string, take func(id, kind, target string)) error {
	folder, base := path.Split(name)
	return b.each(folder+"_rels/"+base+".rels", func(_ *part, token xml.Token) error {
		tag, ok := token.(xml.StartElement)
		if !ok || tag.Name.Local != "Relationship" {
			return nil
		}
		target := attribute(tag, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + folder + target
		}
		kind := path.Base(attribute(tag, "Type"))
		take(attribute(tag, "Id"), kind, path.Clean(target)[1:])
		return nil
	})
}

// readTabs reads which sheets there are.
func (b *book) readTabs(name string) error {
	return b.each(name, func(_ *part, token xml.Token) error {
		tag, _ := token.(xml.StartElement)
		switch tag.Name.Local {
		case "workbookPr":
			b.date1904, _ = strconv.ParseBool(attribute(tag, "date1904"))
		case "sheet":
			if len(b.tabs) == maxSheets {
				return errSheets
			}
			state := attribute(tag, "state")
			b.tabs = append(b.tabs, tab{
				name:   attribute(tag, "name"),
				id:     attribute(tag, "id"),
				hidden: state != "" && state != "visible",
			})
		}
		return nil
	})
}

// choose returns the sheet of the name, in any case, or the first visible one where that is
// empty. The note says which one that is where there are several.
func (b *book) choose(name string) (chosen tab, note string, err error) {
	var quoted []string
	var fit []tab
	for _, t := range b.tabs {
		quoted = append(quoted, wording.Quote(t.name))
		if name == "" && !t.hidden || name != "" && strings.EqualFold(t.name, name) {
			fit = append(fit, t)
		}
	}
	switch {
	case len(fit) == 0:
		return tab{}, "", fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.Some(quoted))
	case name == "" && len(fit) > 1:
		note = fmt.Sprintf("reading the sheet %s, the first of %d; --sheet NAME reads another", wording.Quote(fit[0].name), len(fit))
	}
	return fit[0], note, nil
}

// readTexts reads the texts that cells share.
func (b *book) readTexts(name string) error {
	var text []byte
	held := 0
	return b.each(name, func(p *part, token xml.Token) error {
		switch token := token.(type) {
		case xml.CharData:
			if p.shown() {
				text = append(text, token...)
			}
			if len(text) > maxToken {
				return p.damaged(errLong)
			}
		case xml.EndElement:
			if token.Name.Local != "si" {
				return nil
			}
			if held += len(text) + textCost; held > maxTexts {
				return errTexts
			}
			b.texts = append(b.texts, string(text))
			text = text[:0]
		}
		return nil
	})
}
