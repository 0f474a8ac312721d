package xlsx

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"example.com/boxrules/internal/wording"
)

// These constants limit the size of a workbook. No real list of boxes comes near the limits. docs/lists.md states
// the same numbers.
const (
	maxUnpacked         = 256 << 20  // bytes of XML in all parts that are read
	maxElements         = 40_000_000 // elements and attributes of XML in all parts that are read
	maxCompressionRatio = 100        // the maximum size of the XML, as a multiple of the size of the file
	alwaysUnpacked      = 4 << 20    // bytes of XML that even the smallest file may have
	maxSheets           = 1000
	maxRelations        = 10_000   // relationships from one part to others
	maxStyles           = 1 << 16  // cell styles; Excel accepts 65,490
	maxFormat           = 1000     // bytes of a number format; Excel accepts 255 characters
	maxTexts            = 96 << 20 // bytes of all shared texts, plus textCost for each text
	textCost            = 16
)

var (
	errNoWorkbook       = errors.New("not an .xlsx workbook, or one with a password; save it in Excel or LibreOffice as .xlsx, without a password")
	errNoCells          = errors.New("the workbook has no sheet with cells; put the boxes on a sheet")
	errTooManySheets    = fmt.Errorf("the workbook has more than %d sheets; save the sheet as CSV", maxSheets)
	errTooManyRelations = fmt.Errorf("a part of the workbook refers to more than %d other parts; save the sheet as CSV", maxRelations)
	errFormatTooLong    = fmt.Errorf("the workbook has a number format of more than %d bytes; save the sheet as CSV", maxFormat)
	errTooManyStyles    = fmt.Errorf("the workbook has more than %d cell styles; save the sheet as CSV",
		maxStyles)
	errTextsTooLarge = fmt.Errorf("the workbook contains more than %d MiB of text; save the sheet as CSV",
		maxTexts>>20)
)

// A book is a workbook without the rows of its sheets. A workbook is a ZIP file that contains XML files, called parts.
// Parts refer to each other through relationships, which are listed in parts of their own. To find the text "tuck-end"
// in cell A2, follow these references:
//
//	_rels/.rels                   the relationship of the kind officeDocument leads to xl/workbook.xml
//	xl/workbook.xml               <sheet name="Boxes" r:id="rId1"/>
//	xl/_rels/workbook.xml.rels    rId1 leads to worksheets/sheet1.xml, and the relationship of the kind
//	                              sharedStrings leads to sharedStrings.xml
//	xl/worksheets/sheet1.xml      <row r="2"><c r="A2" t="s"><v>0</v></c>, where t="s" means a shared text
//	xl/sharedStrings.xml          <si><t>tuck-end</t></si> is text 0
//
// Reading stops at the first error, which is stored in err. After that, all methods behave as if the file had ended, so
// that only the outermost caller has to check err.
type book struct {
	files             map[string]*zip.File // the parts, keyed by name in lower case
	remainingBytes    int64                // the number of bytes of XML that may still be unpacked
	errTooLarge       error                // the error if there are more bytes than that
	remainingElements int                  // the number of elements and attributes that may still be read
	err               error

	date1904    bool         // whether dates are counted from 1904
	sharedTexts []string     // texts that cells refer to by their index
	formats     []cellFormat // the number format of each cell style
}

func newBook(file *os.File) *book {
	b := &book{files: make(map[string]*zip.File), formats: []cellFormat{number}, remainingElements: maxElements}
	info, err := file.Stat()
	if err != nil {
		b.fail(err)
		return b
	}
	size := info.Size()
	archive, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // insecure paths do no harm, because no file is extracted
		b.fail(errNoWorkbook)
		return b
	}
	for _, f := range archive.File {
		// References to a part may be in a different case from its name, and some programs write \ for /.
		b.files[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	b.remainingBytes = min(maxUnpacked, max(alwaysUnpacked, maxCompressionRatio*size))
	b.errTooLarge = fmt.Errorf("the workbook (%d KiB) unpacks to more than %d KiB; "+
		"the limit is %d times its size, but at most %d MiB; save the sheet as CSV",
		size>>10, b.remainingBytes>>10, maxCompressionRatio, maxUnpacked>>20)
	return b
}

// fail stores err if it is the first error.
func (b *book) fail(err error) { b.err = cmp.Or(b.err, err) }

// A relation is what the file format calls a relationship: a reference from one part to another.
type relation struct {
	kind   string // the kind of the other part, such as worksheet
	target string // the name of the other part
}

// relations returns the relationships of the named part, keyed by ID. byKind maps each kind of relationship to the name
// of the part that it refers to.
func (b *book) relations(name string) (byID map[string]relation, byKind map[string]string) {
	byID, byKind = map[string]relation{}, map[string]string{}
	folder, base := path.Split(name)
	count := 0
	for tag := range b.openPart(folder+"_rels/"+base+".rels").tags("", "Relationship") {
		if count++; count > maxRelations {
			b.fail(errTooManyRelations)
		}
		target := partAttribute(tag, "Target")
		// A relative target is relative to the folder of the part: in the relationships of xl/workbook.xml,
		// worksheets/sheet1.xml means xl/worksheets/sheet1.xml.
		if !path.IsAbs(target) {
			target = "/" + folder + target
		}
		target = path.Clean(target)[1:]
		kind := path.Base(partAttribute(tag, "Type"))
		byID[partAttribute(tag, "Id")] = relation{kind, target}
		byKind[kind] = target
	}
	return byID, byKind
}

// chooseSheet returns the relationship ID of the sheet with the given name, ignoring case. If the name is empty, it
// chooses the first visible sheet, and the note names that sheet if there are others. Sheets that cannot have cells,
// such as chart sheets, are ignored.
func (b *book) chooseSheet(workbook, name string, relations map[string]relation) (id, note string) {
	var all, candidates []string
	sheets := 0
	p := b.openPart(workbook)
	for tag := range p.tags("", "workbookPr", "sheet") {
		if tag.Name.Local == "workbookPr" {
			var ok bool
			text := cmp.Or(partAttribute(tag, "date1904"), "0")
			if b.date1904, ok = parseXMLBool(text); !ok {
				p.fail(fmt.Errorf("date1904 is %.20q; accepted: 0 or 1", text))
			}
			continue
		}
		if sheets++; sheets > maxSheets {
			b.fail(errTooManySheets)
		}
		// Sheets of other kinds, such as chartsheet, have no cells.
		if kind := relations[partAttribute(tag, "id")].kind; kind != "" && kind != "worksheet" {
			continue
		}
		title := partAttribute(tag, "name")
		all = append(all, wording.Quote(title))
		visible := cmp.Or(partAttribute(tag, "state"), "visible") == "visible"
		if name == "" && visible || name != "" && strings.EqualFold(title, name) {
			// Choose the first candidate. The others are only counted for the note.
			candidates = append(candidates, wording.Quote(title))
			if len(candidates) == 1 {
				id = partAttribute(tag, "id")
			}
		}
	}
	switch {
	case len(all) == 0:
		b.fail(errNoCells)
	case len(candidates) == 0 && name == "":
		b.fail(fmt.Errorf("the workbook has no visible sheet; show one, or choose one with --sheet: %s", wording.List(all)))
	case len(candidates) == 0:
		b.fail(fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.List(all)))
	}
	if name == "" && len(candidates) > 1 {
		note = fmt.Sprintf("reading the sheet %s, the first of %d; use --sheet NAME to read another", candidates[0], len(candidates))
	}
	return id, note
}

func (b *book) readTexts(name string) {
	p, size := b.openPart(name), 0
	for range p.tags("", "si") {
		text := p.text("si")
		b.sharedTexts = append(b.sharedTexts, text)
		if size += len(text) + textCost; size > maxTexts {
			b.fail(errTextsTooLarge)
		}
	}
}

// readFormats reads the number format of each cell style. A style gives the ID of a numFmt element in the same part, or
// of a built-in format.
func (b *book) readFormats(name string) {
	custom := make(map[string]cellFormat) // keyed by ID
	var formats []cellFormat
	inCellStyles, codes := false, 0
	for tag := range b.openPart(name).tags("", "numFmt", "cellXfs", "xf") {
		id := partAttribute(tag, "numFmtId")
		f, ok := custom[id]
		switch {
		case tag.Name.Local == "numFmt":
			code := partAttribute(tag, "formatCode")
			if codes++; len(code) > maxFormat {
				b.fail(errFormatTooLong)
				return
			}
			custom[id] = parseCellFormat(code)
		case tag.Name.Local == "cellXfs":
			inCellStyles = true // cells do not refer to the xf elements before cellXfs, which are base styles
		case ok && inCellStyles:
			formats = append(formats, f)
		case inCellStyles:
			formats = append(formats, builtInCellFormat(id))
		}
		if codes > maxStyles || len(formats) > maxStyles {
			b.fail(errTooManyStyles)
		}
	}
	if len(formats) > 0 {
		b.formats = formats
	}
}

// openPart opens the named part. If that fails, it returns a part without content.
func (b *book) openPart(name string) *part {
	p := &part{book: b, name: name}
	f := b.files[strings.ToLower(name)]
	if f == nil {
		p.fail(errors.New("it is missing"))
		return p
	}
	source, err := f.Open()
	if err != nil {
		p.fail(err)
	}
	p.source, p.decoder = source, xml.NewDecoder(p)
	return p
}
