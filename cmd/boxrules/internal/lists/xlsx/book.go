package xlsx

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
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
	errNoCells    = errors.New("the workbook has no sheet with cells; accepted: a workbook that has one")
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

// A relation is what one part says of another that it refers to.
type relation struct {
	kind   string // such as worksheet
	target string // the name of the other part
}

// related returns the relations of the part of the name by their id, and their targets by their kind.
func (b *book) related(name string) (byID map[string]relation, byKind map[string]string) {
	byID, byKind = map[string]relation{}, map[string]string{}
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
		kind := path.Base(attribute(tag, "Type"))
		byID[attribute(tag, "Id")] = relation{kind, target}
		byKind[kind] = target
	}
	return byID, byKind
}

// choose returns the id of the sheet of the name, in any case, or of the first visible one where
// that is empty. Sheets without cells, such as those that are only a chart, do not count. The note
// says which one was chosen if there are several.
func (b *book) choose(workbook, name string, relations map[string]relation) (id, note string) {
	var all, fit []string
	sheets := 0
	p := b.open(workbook)
	for tag := range p.tags("", "workbookPr", "sheet") {
		if tag.Name.Local == "workbookPr" {
			var ok bool
			text := cmp.Or(attribute(tag, "date1904"), "0")
			if b.date1904, ok = parseTruth(text); !ok {
				p.damaged(fmt.Errorf("date1904 is %.20q; accepted: 0 or 1", text))
			}
			continue
		}
		if sheets++; sheets > maxSheets {
			b.fail(errSheets)
		}
		if kind := relations[attribute(tag, "id")].kind; kind != "" && kind != "worksheet" {
			continue
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
	switch {
	case len(all) == 0:
		b.fail(errNoCells)
	case len(fit) == 0 && name == "":
		b.fail(fmt.Errorf("the workbook has no visible sheet; accepted: --sheet with one of %s", wording.List(all)))
	case len(fit) == 0:
		b.fail(fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.List(all)))
	}
	if name == "" && len(fit) > 1 {
		note = fmt.Sprintf("reading the sheet %s, the first of %d; --sheet NAME reads another", fit[0], len(fit))
	}
	return id, note
}

// parseTruth returns the truth value that the text means in XML.
func parseTruth(text string) (value, ok bool) {
	value = text == "1" || text == "true"
	return value, value || text == "0" || text == "false"
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
