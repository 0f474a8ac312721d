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
	maxUnpacked  = 256 << 20  // bytes of XML, of all parts that are read
	maxElements  = 40_000_000 // of XML, with their attributes, of all parts that are read
	maxRatio     = 100        // of the bytes of XML to those of the file
	alwaysFine   = 4 << 20    // bytes of XML, however small the file is
	maxSheets    = 1000
	maxRelations = 10_000   // of one part to others
	maxStyles    = 1 << 16  // Excel takes 65,490
	maxFormat    = 1000     // bytes of a number format; Excel takes 255 characters
	maxTexts     = 96 << 20 // bytes of the texts that cells share, with textCost for each
	textCost     = 16
)

var (
	errNoWorkbook = errors.New("not an .xlsx workbook, or one with a password; accepted: one that Excel or LibreOffice saves as .xlsx")
	errSheets     = fmt.Errorf("the workbook has over %d sheets; accepted: fewer, or the sheet saved as CSV", maxSheets)
	errRelations  = fmt.Errorf("the workbook has over %d parts; accepted: fewer, or the sheet saved as CSV", maxRelations)
	errFormat     = fmt.Errorf("the workbook has a number format of over %d bytes; accepted: fewer, or the sheet saved as CSV", maxFormat)
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
	elements int                  // of XML, and attributes, that may still be read
	err      error                // that ended reading

	date1904 bool     // whether dates count from 1904
	texts    []string // that cells share
	formats  []format // of numbers, by the cell's style
}

func newBook(file *os.File) *book {
	b := &book{files: make(map[string]*zip.File), formats: []format{number}, elements: maxElements}
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
	relations := 0
	for tag := range b.open(folder+"_rels/"+base+".rels").tags("", "Relationship") {
		if relations++; relations > maxRelations {
			b.fail(errRelations)
		}
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
	cells, codes := false, 0
	for tag := range b.open(name).tags("", "numFmt", "cellXfs", "xf") {
		id := attribute(tag, "numFmtId")
		f, ok := own[id]
		switch {
		case tag.Name.Local == "numFmt":
			code := attribute(tag, "formatCode")
			if codes++; len(code) > maxFormat {
				b.fail(errFormat)
				return
			}
			own[id] = cellFormat(code)
		case tag.Name.Local == "cellXfs":
			cells = true // before that come styles of other styles
		case ok && cells:
			formats = append(formats, f)
		case cells:
			formats = append(formats, builtInCellFormat(id))
		}
		if codes > maxStyles || len(formats) > maxStyles {
			b.fail(errStyles)
		}
	}
	if len(formats) > 0 {
		b.formats = formats
	}
}
