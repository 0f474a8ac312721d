// Package xlsxtest builds .xlsx workbooks for tests from the XML of their parts.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
)

// The names of the parts of a workbook.
const (
	Sheet    = "xl/worksheets/sheet1.xml"
	Texts    = "xl/sharedStrings.xml"
	Styles   = "xl/styles.xml"
	Book     = "xl/workbook.xml"
	BookRels = "xl/_rels/workbook.xml.rels"
	RootRels = "_rels/.rels"
)

const (
	officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

	// Namespace is an attribute that the root element of each part must have.
	Namespace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
)

// Parts maps the name of a part, such as Sheet, to its XML.
type Parts map[string]string

// Usual returns the parts of a workbook that has one sheet with one cell, whose text is "width".
func Usual() Parts {
	return Parts{
		RootRels: Relations("officeDocument", "xl/workbook.xml"),
		Book: `<workbook ` + Namespace + ` xmlns:r="` + officeDocument + `">` +
			`<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		BookRels: Relations("worksheet", "worksheets/sheet1.xml",
			"sharedStrings", "/xl/sharedStrings.xml", "styles", "styles.xml"),
		Texts: `<sst ` + Namespace + `><si><t>width</t></si><si><r><t>de</t></r>` +
			`<r><t xml:space="preserve">pth </t></r><rPh><t>no</t></rPh></si>` +
			`<si><t>a&#10;b</t></si><si/></sst>`,
		Styles: `<styleSheet ` + Namespace + `><numFmts>` +
			`<numFmt numFmtId="164" formatCode="0.0&quot; mm&quot;"/>` +
			`<numFmt numFmtId="165" formatCode="[$-407]d\.m"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>` +
			`<xf numFmtId="165"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		Sheet: Worksheet(`<row><c t="s"><v>0</v></c></row>`),
	}
}

// Worksheet returns the XML of a sheet, given the XML of its rows.
func Worksheet(rows string) string {
	return "<worksheet " + Namespace + "><sheetData>" + rows + "</sheetData></worksheet>"
}

// Rows returns parts for [File] that replace the usual sheet with a sheet that has the given rows. The rows are XML.
func Rows(rows string) Parts { return Parts{Sheet: Worksheet(rows)} }

// Relations returns the XML of a part that lists relationships. The arguments alternate between the type and the target
// of a relationship.
func Relations(typesAndTargets ...string) string {
	text := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i < len(typesAndTargets); i += 2 {
		text += fmt.Sprintf(`<Relationship Id="r%d" Type="%s/%s" Target="%s"/>`, i/2+1, officeDocument, typesAndTargets[i], typesAndTargets[i+1])
	}
	return text + "</Relationships>"
}

// File returns a workbook with the parts of Usual and the parts in replacements, which take precedence. A part with
// empty XML is left out.
func File(replacements Parts) []byte {
	all := Usual()
	maps.Copy(all, replacements)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] == "" {
			continue
		}
		if w, err := z.Create(name); err == nil {
			_, _ = io.WriteString(w, all[name]) // writing to a buffer cannot fail
		}
	}
	_ = z.Close()
	return b.Bytes()
}
