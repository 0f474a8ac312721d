package xlsx

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
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
	errStyles     = fmt.Errorf("the workbook has over %d styles of cells; accepted: fewer, or the sheet saved as CSV",
		maxStyles)
	errTexts = fmt.Errorf("the texts of the workbook take over %d MiB; accepted: less, or the sheet saved as CSV",
		maxTexts>>20)
)

// A book holds what is known of a workbook beside the rows of its sheets.
type book struct {
	files    map[string]*zip.File // by name in lower case
	left     int64                // bytes of XML that may still be unpacked
	tooLarge error                // where none are left
	err      error                // that ended reading

	date1904 bool     // whether dates count from 1904
	texts    []string // that cells share
	formats  []format // of numbers, by the cell's style
}

func newBook(file *os.File) *book {
	b := &book{files: make(map[string]*zip.File), formats: []format{number}}
	info, err := file.Stat()
	if err != nil {
		b.fail(err)
		return b
	}
	size := info.Size()
	archive, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are not used as paths
		b.fail(errNoWorkbook)
		return b
	}
	for _, f := range archive.File {
		b.files[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	b.left = min(maxUnpacked, max(alwaysFine, maxRatio*size))
	b.tooLarge = fmt.Errorf("the workbook, of %d KiB, unpacks to over %d KiB; "+
		"accepted: at most %d times its size and %d MiB, or the sheet saved as CSV",
		size>>10, b.left>>10, maxRatio, maxUnpacked>>20)
	return b
}

// fail keeps the first error.
func (b *book) fail(err error) { b.err = cmp.Or(b.err, err) }

// related returns the parts that the one of the name refers to, by their id and by their kind.
func (b *book) related(name string) (byID, byKind map[string]string) {
	byID, byKind = map[string]string{}, map[string]string{}
	folder, base := path.Split(name)
	for tag := range b.open(folder+"_rels/"+base+".rels").tags("", "Relationship") {
		target := attribute(tag, "Target")
		if !path.IsAbs(target) {
			target = "/" + folder + target
		}
		target = path.Clean(target)[1:]
		byID[attribute(tag, "Id")] = target
		byKind[path.Base(attribute(tag, "Type"))] = target
	}
	return byID, byKind
}

// choose returns the id of the sheet of the name, in any case, or of the first visible one where
// that is empty. The note says which one that is where there are several.
func (b *book) choose(workbook, name string) (id, note string) {
	var all, fit []string
	for tag := range b.open(workbook).tags("", "workbookPr", "sheet") {
		if tag.Name.Local == "workbookPr" {
			b.date1904, _ = strconv.ParseBool(attribute(tag, "date1904"))
			continue
		}
		if len(all) == maxSheets {
			b.fail(errSheets)
		}
		title := attribute(tag, "name")
		all = append(all, wording.Quote(title))
		visible := cmp.Or(attribute(tag, "state"), "visible") == "visible"
		if name == "" && visible || name != "" && strings.EqualFold(title, name) {
			fit = append(fit, wording.Quote(title))
			if len(fit) == 1 {
				id = attribute(tag, "id")
			}
		}
	}
	if len(fit) == 0 {
		b.fail(fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.Some(all)))
	}
	if name == "" && len(fit) > 1 {
		note = fmt.Sprintf("reading the sheet %s, the first of %d; --sheet NAME reads another", fit[0], len(fit))
	}
	return id, note
}

// readTexts reads the texts that cells share.
func (b *book) readTexts(name string) {
	p, held := b.open(name), 0
	for range p.tags("", "si") {
		text := p.text("si")
		b.texts = append(b.texts, text)
		if held += len(text) + textCost; held > maxTexts {
			b.fail(errTexts)
		}
	}
}

// readFormats reads which style of cells shows what.
func (b *book) readFormats(name string) {
	own := make(map[string]format) // by the number that styles name them by
	var formats []format
	cells := false
	for tag := range b.open(name).tags("", "numFmt", "cellXfs", "xf") {
		id := attribute(tag, "numFmtId")
		f, ok := own[id]
		switch {
		case tag.Name.Local == "numFmt":
			own[id] = cellFormat(attribute(tag, "formatCode"))
		case tag.Name.Local == "cellXfs":
			cells = true // before that come styles of other styles
		case ok && cells:
			formats = append(formats, f)
		case cells:
			formats = append(formats, builtInCellFormat(id))
		}
		if len(own) > maxStyles || len(formats) > maxStyles {
			b.fail(errStyles)
		}
	}
	if len(formats) > 0 {
		b.formats = formats
	}
}
