package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/boxrules/cmd/boxrules/internal/sheet"
)

func open(t testing.TB, workbook []byte, name string) (*sheet.Sheet, error) {
	t.Helper()
	s, err := sheet.Open(bytes.NewReader(workbook), int64(len(workbook)), name)
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFiles reads what openpyxl and XlsxWriter saved.
func TestFiles(t *testing.T) {
	for _, test := range []struct{ file, sheet, note, want string }{
		{"openpyxl.xlsx", "", `reading the sheet "Boxes", the first of 2; --sheet NAME reads another`, "\n" +
			"SKU,Article,Material,Width (mm),Depth,\"Height\n(mm)\",Date,Stock,\n" +
			"A-1,tuck-end,carton-300,71.5,0.3,0.0000001,2026-01-31,TRUE,\n" +
			"\"A \"\"2\"\", x\",snap-lock,e-flute,=D3*2,1000000000000000,123456789012346000,2026-01-31 12:30:00,FALSE,\n" +
			",,,,,,,,\n" +
			"für 👍,,,71.5,,,07:05:00,#N/A,\n" +
			",,,,,,,,\n" +
			",,,100,,,,,\n" +
			",,,,,,,,\n" +
			",,,,,,,,\n" +
			",,,,,,,,\n" +
			",,,,,,,,a remark\n"},
		{"openpyxl.xlsx", "Hidden", "", "secret\n"},
		{"openpyxl.xlsx", "other", "", "width\n5\n\"\"\n7\n"},
		{"xlsxwriter.xlsx", "", "", "article,material,width,depth,height\n" +
			"tuck-end,carton-300,71.5,35.75,2026-01-31\n" +
			"tuck-end,carton-300,,#DIV/0!,TRUE\n"},
	} {
		s, err := open(t, file(t, test.file), test.sheet)
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		got, err := io.ReadAll(s)
		if err != nil || string(got) != test.want || s.Note != test.note {
			t.Errorf("%s: %v, note %s\n%s, want\n%s", test.file, err, s.Note, got, test.want)
		}
	}
}

func TestMerged(t *testing.T) {
	s, err := open(t, file(t, "openpyxl.xlsx"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		row, column int
		want        string
	}{{8, 4, ""}, {9, 4, "D8:D10"}, {10, 4, "D8:D10"}, {11, 4, ""}, {9, 3, ""}, {9, 5, ""}, {9, 1, ""}, {9, 2, "A9:B9"}, {7, 4, ""}} {
		if got := s.Merged(test.row, test.column); got != test.want {
			t.Errorf("Merged(%d, %d) = %q, want %q", test.row, test.column, got, test.want)
		}
	}
	var areas strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&areas, `<mergeCell ref="B%d:C%d"/>`, 2*i+1, 2*i+2)
	}
	s, err = open(t, build(t, parts{sheetPart: worksheet("") + areas.String()}), "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		row := 2*i + 2
		if want := fmt.Sprintf("B%d:C%d", row-1, row); s.Merged(row, 3) != want {
			t.Errorf("Merged(%d, 3) = %q, want %q", row, s.Merged(row, 3), want)
		}
	}
}

const (
	sheetPart   = "xl/worksheets/sheet1.xml"
	stringsPart = "xl/sharedStrings.xml"
	stylesPart  = "xl/styles.xml"
	bookPart    = "xl/workbook.xml"
	bookRels    = "xl/_rels/workbook.xml.rels"
	rootRels    = "_rels/.rels"
)

// parts are those of a workbook that are not as usual; an empty one is left out.
type parts map[string]string

func worksheet(rows string) string {
	return "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"
}

func relations(of ...string) string {
	text := "<Relationships>"
	for i := 0; i < len(of); i += 2 {
		text += fmt.Sprintf(`<Relationship Id="r%d" Type="http://x/%s" Target="%s"/>`, i/2+1, of[i], of[i+1])
	}
	return text + "</Relationships>"
}

func usual() parts {
	return parts{
		rootRels: relations("officeDocument", "xl/workbook.xml"),
		bookPart: `<workbook xmlns:r="http://x/relationships"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		bookRels: relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "/xl/sharedStrings.xml", "styles", "styles.xml"),
		stringsPart: `<sst><si><t>width</t></si><si><r><t>de</t></r><r><t xml:space="preserve">pth </t></r><rPh><t>no</t></rPh></si>` +
			`<si><t>a_x000D_&#10;b</t></si><si/></sst>`,
		stylesPart: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0&quot; mm&quot;"/><numFmt numFmtId="165" ` +
			`formatCode="[$-407]d\.m"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>` +
			`<xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		sheetPart: worksheet(`<row><c t="s"><v>0</v></c></row>`),
	}
}

func build(t testing.TB, other parts) []byte {
	t.Helper()
	all := usual()
	for name, text := range other {
		all[name] = text
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range all {
		if text == "" {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRows: rows and cells as a sheet may have them.
func TestRows(t *testing.T) {
	for _, test := range []struct{ rows, want string }{
		{"", ""},
		{`<row/><row><c/></row>`, "\n\n"},
		{`<row r="3"><c t="s"><v>0</v></c></row><row r="5"/>`, "\n\nwidth\n\"\"\n\"\"\n"},
		{`<row r="1"><c r="B1"><v>1</v></c><c r="AB1"><v>2</v></c></row>`, ",1" + strings.Repeat(",", 26) + "2\n"},
		{`<row><c><v>1</v></c><c r="C1"><v>3</v></c><c><v>4</v></c></row>`, "1,,3,4\n"},
		{`<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row><row><c><v>1</v></c><c/><c><v>2</v></c></row>`,
			"1,2\n3,\n1,,2\n"},
		{`<row><c t="s"><v> 1 </v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"/><c><v>1</v></c></row>`, "depth ,\"a\r\nb\",,,1\n"},
		{`<row><c t="inlineStr"><is><r><t>x,</t></r><r><t> y</t></r></is></c></row>`, "\"x, y\"\n"},
		{`<row><c t="str"><f>A1&amp;"x"</f><v>say "x"</v></c></row>`, "\"say \"\"x\"\"\"\n"},
		{`<row><c t="str"><f>""</f><v></v></c><c><v>1</v></c></row>`, ",1\n"},
		{`<row><c><f>A1*2</f></c><c><f>A1*2</f><v/></c><c t="str"><f>B1</f></c><c><f t="shared" si="0"/></c></row>`, "=A1*2,=A1*2,=B1,=\n"},
		{`<row><c><f>A1*2</f><v>7</v></c></row>`, "7\n"},
		{`<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-01-31</v></c></row>`,
			"TRUE,FALSE,#REF!,2026-01-31\n"},
		{`<row><c s="1"><v>46053</v></c><c s="2"><v>46053</v></c><c s="3"><v>46053.5</v></c><c s="4"><v>1.25</v></c>` +
			`<c s="9"><v>5</v></c></row>`,
			"2026-01-31,46053,2026-01-31 12:00:00,1900-01-01 06:00:00,5\n"},
		{`<row><c s="1"><v>1</v></c><c s="1"><v>61</v></c>` +
			`<c s="1"><v>0.5</v></c><c s="1"><v>-1</v></c><c s="1"><v>1E+99</v></c><c s="1"/></row>`,
			"1900-01-01,1900-03-01,12:00:00,#-1,#1E+99\n"},
		{`<row><c><v>71.500000000000014</v></c><c><v>-0.30000000000000004</v></c><c><v>1.0004999999999999</v></c><c><v>1E-3</v></c>` +
			`<c><v>1.5e+2</v></c><c><v>0.1</v></c><c><v>123456789012345</v></c></row>`,
			"71.5,-0.3,1.0005,0.001,150,0.1,123456789012345\n"},
		{`<row><c><v>1e999</v></c><c><v>NaN</v></c><c><v>0x10</v></c><c><v>1_000</v></c><c><v>twelve</v></c>` +
			`<c><v>1-2</v></c><c><v>+5</v></c></row>`,
			"1e999,NaN,0x10,1_000,twelve,1-2,5\n"},
		{`<row><!-- no --><c><v>1<!-- no -->2</v><extLst><x/></extLst></c></row>`, "12\n"},
		{`<x:row><x:c><x:v>1</x:v></x:c></x:row>`, "1\n"},
	} {
		s, err := open(t, build(t, parts{sheetPart: worksheet(test.rows)}), "")
		if err != nil {
			t.Errorf("%s: %v", test.rows, err)
			continue
		}
		if got, err := io.ReadAll(iotest.OneByteReader(s)); err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%q, want\n%q", test.rows, err, got, test.want)
		}
	}
}

// TestWidth: records are as wide as the sheet says it is, unless that is without measure.
func TestWidth(t *testing.T) {
	for reference, want := range map[string]string{
		"A1:C9": "7,,\n", "A1": "7\n", "A1:XFD1048576": "7\n", "A1:A1": "7\n", "": "7\n", "A1:": "7\n", "A1:ZZZZZZZZZZZZZZZZZZ9": "7\n",
	} {
		text := `<worksheet><dimension ref="` + reference + `"/><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>`
		s, err := open(t, build(t, parts{sheetPart: text}), "")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(s); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", reference, got, err, want)
		}
	}
}

func TestDate1904(t *testing.T) {
	book := strings.Replace(usual()[bookPart], "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)
	s, err := open(t, build(t, parts{bookPart: book, sheetPart: worksheet(`<row><c s="1"><v>44591</v></c></row>`)}), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(s); err != nil || string(got) != "2026-01-31\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSheetErrors(t *testing.T) {
	const anew = "; accepted: a workbook saved anew"
	in := func(part string) string { return `the workbook is damaged, its part "` + part + `": ` }
	long := strings.Repeat("x", 1<<21)
	for _, test := range []struct {
		name  string
		parts parts
		sheet string
		want  string
	}{
		{"no such sheet", nil, "Two", `there is no sheet "Two"; accepted: "One"`},
		{"hidden", parts{bookPart: strings.Replace(usual()[bookPart], "sheetId", `state="hidden" sheetId`, 1)}, "",
			`no sheet of the workbook is visible; accepted: --sheet NAME, of "One"`},
		{"no relations", parts{rootRels: ""}, "", "not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx: " +
			`there is no part "_rels/.rels"`},
		{"no sheet", parts{sheetPart: ""}, "", "not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx: " +
			`there is no part "xl/worksheets/sheet1.xml"`},
		{"no workbook", parts{rootRels: relations("other", "x")}, "", "not an .xlsx workbook; accepted: one that Excel or LibreOffice " +
			"saves as .xlsx"},
		{"no id", parts{bookPart: `<workbook><sheets><sheet name="One"/></sheets></workbook>`}, "",
			`the workbook does not say where its sheet "One" is` + anew},
		{"no XML", parts{bookPart: "x\x00"}, "", in(bookPart) + "XML syntax error on line 1: illegal character code U+0000" + anew},
		{"binary", parts{sheetPart: "\x83\x01\x00"}, "", in(sheetPart) + "XML syntax error on line 1: invalid UTF-8" + anew},
		{"no sheet data", parts{sheetPart: ""}, "", "not an .xlsx workbook"},
		{"empty", parts{sheetPart: " "}, "", in(sheetPart) + "it is cut off" + anew},
		{"cut off", parts{sheetPart: "<worksheet><sheetData><row><c><v>1"}, "", in(sheetPart) + "it is cut off" + anew},
		{"cut off in a tag", parts{sheetPart: "<worksheet><sheetData><ro"}, "",
			in(sheetPart) + "XML syntax error on line 1: unexpected EOF" + anew},
		{"cut off behind a row", parts{sheetPart: "<worksheet><sheetData><row></row>"}, "", in(sheetPart) + "it is cut off" + anew},
		{"Latin-1", parts{sheetPart: `<?xml version="1.0" encoding="latin1"?>` + worksheet("")}, "", in(sheetPart) + "xml: encoding \"latin1\""},
		{"shared text", parts{sheetPart: worksheet(`<row r="3"><c r="B3" t="s"><v>4</v></c></row>`)}, "",
			in(sheetPart) + `cell B3 refers to the shared text "4" of 4` + anew},
		{"negative text", parts{sheetPart: worksheet(`<row><c t="s"><v>-1</v></c></row>`)}, "",
			in(sheetPart) + `cell A1 refers to the shared text "-1" of 4` + anew},
		{"no shared texts", parts{stringsPart: "", bookRels: relations("worksheet", "worksheets/sheet1.xml")}, "",
			in(sheetPart) + `cell A1 refers to the shared text "0" of 0` + anew},
		{"truth", parts{sheetPart: worksheet(`<row><c t="b"><v>2</v></c></row>`)}, "", in(sheetPart) + `cell A1 is no truth value` + anew},
		{"kind", parts{sheetPart: worksheet(`<row><c t="x"><v>2</v></c></row>`)}, "", in(sheetPart) + `cell A1 has a kind of value that ` +
			`is not known` + anew},
		{"rows descend", parts{sheetPart: worksheet(`<row r="2"/><row r="2"/>`)}, "", in(sheetPart) + `row "2" comes after row 2` + anew},
		{"row 0", parts{sheetPart: worksheet(`<row r="0"/>`)}, "", in(sheetPart) + `row "0" comes after row 0` + anew},
		{"row x", parts{sheetPart: worksheet(`<row r="x"/>`)}, "", in(sheetPart) + `row "x" comes after row 0` + anew},
		{"last row", parts{sheetPart: worksheet(`<row r="1048577"/>`)}, "", in(sheetPart) + `row 1048577 is beyond the last, 1048576` + anew},
		{"columns descend", parts{sheetPart: worksheet(`<row><c r="B1"/><c r="A1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "A1" in the wrong place` + anew},
		{"no column", parts{sheetPart: worksheet(`<row><c r="1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "1" in the wrong place` + anew},
		{"last column", parts{sheetPart: worksheet(`<row><c r="XFE1"/></row>`)}, "", in(sheetPart) + `row 1 has more than 16384 columns` + anew},
		{"a million columns", parts{sheetPart: worksheet(`<row>` + strings.Repeat("<c/>", 1_000_000) + `</row>`)}, "",
			in(sheetPart) + `row 1 has more than 16384 columns` + anew},
		{"a long text", parts{sheetPart: worksheet(`<row><c><v>` + long + `</v></c></row>`)}, "",
			in(sheetPart) + `a text or tag of over 1 MiB` + anew},
		{"a long tag", parts{sheetPart: worksheet(`<row x="` + long + `"/>`)}, "", in(sheetPart) + `a text or tag of over 1 MiB` + anew},
		{"a text in pieces", parts{sheetPart: worksheet(`<row><c><v>` + strings.Repeat("x<!---->", 1<<20) + `x</v></c></row>`)}, "",
			in(sheetPart) + `a text or tag of over 1 MiB` + anew},
		{"a long row", parts{stringsPart: "<sst><si><t>" + long[:1<<19] + "</t></si></sst>",
			sheetPart: worksheet(`<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 9) + `</row>`)}, "",
			"row 1 has over 1024 KiB of text; accepted: less, or the sheet saved as CSV"},
		{"a long part", parts{stylesPart: strings.Repeat(" ", 17<<20)}, "", `the workbook's part "xl/styles.xml" is too long; accepted: ` +
			`a workbook of the size that Excel saves`},
	} {
		s, err := open(t, build(t, test.parts), test.sheet)
		if err == nil {
			_, err = io.Copy(io.Discard, s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %.300v, want %s", test.name, err, test.want)
		}
	}
}

func TestFileErrors(t *testing.T) {
	whole := file(t, "xlsxwriter.xlsx")
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("article,material\n"), "half": whole[:len(whole)/2]} {
		const want = "not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx"
		if _, err := open(t, data, ""); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 1000)...)
	const want = "an .xls workbook, or one with a password; accepted: .xlsx without a password"
	if _, err := open(t, old, ""); err == nil || err.Error() != want {
		t.Errorf(".xls: %v", err)
	}
	// A bit that falls over is found by the sums of the zip file, wherever it is not in what nobody reads.
	for i := 0; i < len(whole); i += 7 {
		broken := bytes.Clone(whole)
		broken[i] ^= 0x10
		if s, err := open(t, broken, ""); err == nil {
			_, _ = io.Copy(io.Discard, s)
		}
	}
}

// TestBomb: texts that inflate beyond measure are refused.
func TestBomb(t *testing.T) {
	defer sheet.SetMaxTexts(3 << 20)()
	const want = "the workbook has over 3 MiB of text; accepted: less, or the sheet saved as CSV"
	for _, item := range []string{"<si><t>" + strings.Repeat("x", 30_000) + "</t></si>", "<si/>"} {
		_, err := open(t, build(t, parts{stringsPart: "<sst>" + strings.Repeat(item, 5<<20/len(item)) + "</sst>"}), "")
		if err == nil || err.Error() != want {
			t.Errorf("%.20s: %v, want %s", item, err, want)
		}
	}
}

// FuzzSheet: whatever the XML, there are records of as many fields as the header or more, or one line says what is wrong.
func FuzzSheet(f *testing.F) {
	for _, rows := range []string{
		`<row r="2"><c r="B2" t="s"><v>1</v></c><c s="1"><v>46053.25</v></c></row><row r="7"><c t="b"><v>1</v></c></row>`,
		`<row><c t="inlineStr"><is><t>a,"b`, `<row><c><f>A1</f></c><c t="e"><v>#N/A</v></c></row></sheetData><mergeCell ref="A1:B2"/>`,
	} {
		f.Add(worksheet(rows), usual()[stringsPart], usual()[stylesPart])
	}
	f.Fuzz(func(t *testing.T, sheetText, stringsText, stylesText string) {
		s, err := open(t, build(t, parts{sheetPart: sheetText, stringsPart: stringsText, stylesPart: stylesText}), "")
		var got []byte
		if err == nil {
			got, err = io.ReadAll(s)
			s.Merged(2, 2)
		}
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00\x1b") {
				t.Fatalf("%q", err)
			}
			return
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimLeft(got, "\n")))
		r.FieldsPerRecord = -1
		width := 0
		for {
			record, err := r.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil || len(record) < width {
				t.Fatalf("%q: %v, %d fields of %d", got, err, len(record), width)
			}
			if width == 0 {
				width = len(record)
			}
		}
	})
}

// FuzzFile: whatever the bytes of the zip file, there is no panic and one line says what is wrong.
func FuzzFile(f *testing.F) {
	for _, name := range []string{"openpyxl.xlsx", "xlsxwriter.xlsx"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := open(t, data, "")
		if err == nil {
			_, err = io.Copy(io.Discard, s)
			s.Merged(2, 2)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r\x00\x1b") {
			t.Fatalf("%q", err)
		}
	})
}
