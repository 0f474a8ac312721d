package sheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/boxrules/cmd/boxrules/internal/sheet"
)

// open opens a workbook that is in memory. Its temporary files go to a directory of their own, which has to be empty in the end.
func open(t testing.TB, workbook []byte, name string) (*sheet.Sheet, error) {
	t.Helper()
	directory, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	path := filepath.Join(directory, "boxes.xlsx")
	if err := os.WriteFile(path, workbook, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sheet.Open(path, name)
	t.Cleanup(func() {
		if err == nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("temporary files are left: %v, %v", left, err)
		}
	})
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
			"SKU,Article,Material,Width (mm),Depth,\"Height\n(mm)\",Date,Stock\n" +
			"A-1,tuck-end,carton-300,71.5,0.3,0.0000001,2026-01-31 00:00,TRUE\n" +
			"\"A \"\"2\"\", x\",snap-lock,e-flute,,1000000000000000,123456789012346000,2026-01-31 12:30,FALSE\n" +
			",,,,,,,\n" +
			"für 👍,,,71.5,,,1900-01-00 07:05,#N/A\n" +
			",,,,,,,\n" +
			",,,100,,,,\n" +
			",,,,,,,\n" +
			",,,,,,,\n" +
			",,,,,,,\n" +
			",,,,,,,,a remark\n"},
		{"openpyxl.xlsx", "Hidden", "", "secret\n"},
		{"openpyxl.xlsx", "other", "", "width\n5\n\"\"\n7\n"},
		{"xlsxwriter.xlsx", "", "", "article,material,width,depth,height\n" +
			"tuck-end,carton-300,71.5,35.75,2026-01-31 00:00\n" +
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

const (
	sheetPart   = "xl/worksheets/sheet1.xml"
	stringsPart = "xl/sharedStrings.xml"
	stylesPart  = "xl/styles.xml"
	bookPart    = "xl/workbook.xml"
	bookRels    = "xl/_rels/workbook.xml.rels"
	rootRels    = "_rels/.rels"

	officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	namespace      = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
)

// parts are those of a workbook that are not as usual; an empty one is left out.
type parts map[string]string

func worksheet(rows string) string {
	return "<worksheet " + namespace + "><sheetData>" + rows + "</sheetData></worksheet>"
}

func relations(of ...string) string {
	text := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i < len(of); i += 2 {
		text += fmt.Sprintf(`<Relationship Id="r%d" Type="%s/%s" Target="%s"/>`, i/2+1, officeDocument, of[i], of[i+1])
	}
	return text + "</Relationships>"
}

func usual() parts {
	return parts{
		rootRels: relations("officeDocument", "xl/workbook.xml"),
		bookPart: `<workbook ` + namespace + ` ` +
			`xmlns:r="` + officeDocument + `"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		bookRels: relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "/xl/sharedStrings.xml", "styles", "styles.xml"),
		stringsPart: `<sst ` + namespace + `><si><t>width</t></si><si><r><t>de</t></r>` +
			`<r><t xml:space="preserve">pth </t></r><rPh><t>no</t></rPh></si>` +
			`<si><t>a_x000D_&#10;b</t></si><si/></sst>`,
		stylesPart: `<styleSheet ` + namespace + `><numFmts><numFmt numFmtId="164" formatCode="0.0&quot; mm&quot;"/><numFmt numFmtId="165" ` +
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
		{`<row><c><f>A1*2</f></c><c><f>A1*2</f><v/></c><c t="str"><f>B1</f></c><c><f t="shared" si="0"/></c></row>`, "\n"},
		{`<row><c><f>A1*2</f><v>7</v></c></row>`, "7\n"},
		{`<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-01-31</v></c></row>`,
			"TRUE,FALSE,#REF!,2026-01-31\n"},
		{`<row><c s="1"><v>46053</v></c><c s="2"><v>46053</v></c><c s="3"><v>46053.5</v></c><c s="4"><v>1.25</v></c>` +
			`<c s="0"><v>5</v></c></row>`,
			"2026-01-31 00:00,46053,2026-01-31 12:00,1900-01-01 06:00,5\n"},
		{`<row><c s="1"><v>1</v></c><c s="1"><v>61</v></c>` +
			`<c s="1"><v>0.5</v></c><c s="1"><v>-1</v></c><c s="1"><v>1E+99</v></c><c s="1"/></row>`,
			"1900-01-01 00:00,1900-03-01 00:00,1900-01-00 12:00,-1,-4713-11-24 00:00\n"},
		{`<row><c><v>71.500000000000014</v></c><c><v>-0.30000000000000004</v></c><c><v>1.0004999999999999</v></c><c><v>1E-3</v></c>` +
			`<c><v>1.5e+2</v></c><c><v>0.1</v></c><c><v>123456789012345</v></c></row>`,
			"71.5,-0.3,1.0005,0.001,150,0.1,123456789012345\n"},
		{`<row><c><v>1e999</v></c><c><v> +5 </v></c><c><v>-</v></c><c><v>123456789012345678</v></c><c><v>-2.7755575615628914E-17</v></c>` +
			`<c t="str"><v>1E5</v></c><c t="str"><v>1E-05</v></c>` +
			`<c t="str"><v>1E+05</v></c><c t="str"><v>1E300</v></c><c t="str"><v>a&#13;</v></c></row>`,
			"+Inf, +5 ,-,123456789012346000,-0.0000000000000000277555756156289,1E5,1E-05,1E+05,1E300,\"a\r\"\n"},
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

func TestDate1904(t *testing.T) {
	book := strings.Replace(usual()[bookPart], "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)
	s, err := open(t, build(t, parts{bookPart: book, sheetPart: worksheet(`<row><c s="1"><v>44591</v></c></row>`)}), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(s); err != nil || string(got) != "2026-01-31 00:00\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSheetErrors(t *testing.T) {
	const anew = "; accepted: a workbook saved anew"
	const noWorkbook = "not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx"
	in := func(part string) string { return `the workbook is damaged, its part "` + part + `": ` }
	const tooLong = "a row of over 4096 KiB or a text of over 128 KiB"
	long := strings.Repeat("x", 5<<20)
	for _, test := range []struct {
		name  string
		parts parts
		sheet string
		want  string
	}{
		{"no such sheet", nil, "Two", `there is no sheet "Two"; accepted: "One"`},
		{"hidden", parts{bookPart: strings.Replace(usual()[bookPart], "sheetId", `state="hidden" sheetId`, 1)}, "",
			`no sheet of the workbook is visible; accepted: --sheet NAME, of "One"`},
		{"no relations", parts{rootRels: ""}, "", noWorkbook},
		{"no relations of the workbook", parts{bookRels: ""}, "", `the workbook is damaged: sheet One does not exist` + anew},
		{"no sheet", parts{sheetPart: ""}, "", noWorkbook},
		{"no workbook", parts{rootRels: relations("other", "x")}, "", noWorkbook},
		{"no id", parts{bookPart: `<workbook ` + namespace + `><sheets><sheet name="One"/></sheets></workbook>`}, "",
			`the workbook is damaged: sheet One does not exist` + anew},
		{"alike", parts{bookPart: strings.Replace(usual()[bookPart], "</sheets>", `<sheet name="ONE" r:id="r1"/></sheets>`, 1)}, "",
			`several sheets are named "One" but for the case; accepted: other names`},
		{"no XML", parts{bookPart: "x\x00"}, "", in(bookPart) + "XML syntax error on line 1: illegal character code U+0000" + anew},
		{"binary", parts{sheetPart: "\x83\x01\x00"}, "", in(sheetPart) + "XML syntax error on line 1: invalid UTF-8" + anew},
		{"empty", parts{sheetPart: " "}, "", noWorkbook},
		{"cut off", parts{sheetPart: "<worksheet><sheetData><row><c><v>1"}, "",
			in(sheetPart) + "XML syntax error on line 1: unexpected EOF" + anew},
		{"cut off in a tag", parts{sheetPart: "<worksheet><sheetData><ro"}, "",
			in(sheetPart) + "XML syntax error on line 1: unexpected EOF" + anew},
		{"cut off behind a row", parts{sheetPart: "<worksheet><sheetData><row></row>"}, "",
			in(sheetPart) + "XML syntax error on line 1: unexpected EOF" + anew},
		{"texts cut off", parts{stringsPart: "<sst " + namespace + "><si><t>width</t></si>"}, "",
			in(stringsPart) + "XML syntax error on line 1: unexpected EOF" + anew},
		{"a character that XML has not", parts{sheetPart: worksheet("<row/><row><c t=\"str\"><v>\x01</v></c></row>")}, "",
			in(sheetPart) + "XML syntax error on line 1: illegal character code U+0001" + anew},
		{"Latin-1", parts{sheetPart: `<?xml version="1.0" encoding="latin1"?>` + worksheet("")}, "", in(sheetPart) + "xml: encoding \"latin1\""},
		{"shared text", parts{sheetPart: worksheet(`<row r="3"><c r="B3" t="s"><v>4</v></c></row>`)}, "",
			`the workbook is damaged: a cell has the shared text 4 of 4, from 0` + anew},
		{"negative text", parts{sheetPart: worksheet(`<row><c t="s"><v>-1</v></c></row>`)}, "",
			in(sheetPart) + `row 1 has a cell with the shared text "-1"` + anew},
		{"no shared texts", parts{stringsPart: "", bookRels: relations("worksheet", "worksheets/sheet1.xml")}, "",
			`the workbook is damaged: a cell has the shared text 0 of 0, from 0` + anew},
		{"shared texts elsewhere", parts{stringsPart: "", "xl/texts.xml": usual()[stringsPart]}, "",
			`the workbook is damaged: a cell has the shared text 0 of 0, from 0` + anew},
		{"truth", parts{sheetPart: worksheet(`<row><c t="b"><v>2</v></c></row>`)}, "",
			in(sheetPart) + `row 1 has a cell with the truth value "2"` + anew},
		{"kind", parts{sheetPart: worksheet(`<row><c t="x"><v>2</v></c></row>`)}, "", in(sheetPart) + `row 1 has a cell of the kind "x"` + anew},
		{"hexadecimal", parts{sheetPart: worksheet(`<row/><row><c><v>0x10</v></c></row>`)}, "",
			in(sheetPart) + `row 2 has a cell with the number "0x10"` + anew},
		{"date as a number", parts{sheetPart: worksheet(`<row><c t="d"><v>2026-01-31T00:00:00Z</v></c></row>`)}, "",
			in(sheetPart) + `row 1 has a cell with the date "2026-01-31T00:00:00Z"` + anew},
		{"date without dashes", parts{sheetPart: worksheet(`<row><c t="d"><v>20260131T000000</v></c></row>`)}, "",
			in(sheetPart) + `row 1 has a cell with the date "20260131T000000"` + anew},
		{"all dates", parts{stylesPart: "<styleSheet " + namespace + `><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`}, "",
			`the workbook shows every number as a date or a percentage; accepted: a style of cells for these alone`},
		{"no such style", parts{sheetPart: worksheet(`<row><c s="5"><v>10</v></c></row>`)}, "",
			`the workbook is damaged: a cell has the style 5 of 5, from 0` + anew},
		{"no styles", parts{stylesPart: "", sheetPart: worksheet(`<row><c s="1"><v>10</v></c></row>`)}, "",
			`the workbook is damaged: a cell has the style 1 of 1, from 0` + anew},
		{"style", parts{sheetPart: worksheet(`<row><c s="x"><v>10</v></c></row>`)}, "",
			in(sheetPart) + `row 1 has a cell with the style "x"` + anew},
		{"rows descend", parts{sheetPart: worksheet(`<row r="2"/><row r="2"/>`)}, "", in(sheetPart) + `row "2" comes after row 2` + anew},
		{"row 0", parts{sheetPart: worksheet(`<row r="0"/>`)}, "", in(sheetPart) + `row "0" comes after row 0` + anew},
		{"row x", parts{sheetPart: worksheet(`<row r="x"/>`)}, "", in(sheetPart) + `row "x" comes after row 0` + anew},
		{"last row", parts{sheetPart: worksheet(`<row r="1048577"/>`)}, "", in(sheetPart) + `row 1048577 is beyond the last, 1048576` + anew},
		{"columns descend", parts{sheetPart: worksheet(`<row><c r="B1"/><c r="A1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "A1" in the wrong place` + anew},
		{"a cell twice", parts{sheetPart: worksheet(`<row><c r="A1"/><c r="A1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "A1" in the wrong place` + anew},
		{"no column", parts{sheetPart: worksheet(`<row><c r="1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "1" in the wrong place` + anew},
		{"last column", parts{sheetPart: worksheet(`<row><c r="XFE1"/></row>`)}, "",
			in(sheetPart) + `row 1 has the cell "XFE1" in the wrong place` + anew},
		{"a million columns", parts{sheetPart: worksheet(`<row>` + strings.Repeat("<c/>", 1_000_000) + `</row>`)}, "",
			in(sheetPart) + `row 1 has more than 16384 columns` + anew},
		{"a long text", parts{sheetPart: worksheet(`<row><c t="str"><v>` + long + `</v></c></row>`)}, "", in(sheetPart) + tooLong + anew},
		{"a long tag", parts{sheetPart: worksheet(`<row x="` + long + `"/>`)}, "", in(sheetPart) + tooLong + anew},
		{"a text in pieces", parts{sheetPart: worksheet(`<row><c><v>` + strings.Repeat("x<!---->", 1<<20) + `x</v></c></row>`)}, "",
			in(sheetPart) + tooLong + anew},
		{"a long shared text", parts{stringsPart: "<sst><si>" + strings.Repeat("<r><t>x</t></r>", 10_000) + "</si></sst>"}, "",
			in(stringsPart) + tooLong + anew},
		{"deep", parts{sheetPart: worksheet(`<row>` + strings.Repeat("<c>", 70) + `</row>`)}, "",
			in(sheetPart) + `elements in each other, over 64` + anew},
		{"a long row", parts{stringsPart: "<sst " + namespace + "><si><t>" + long[:120_000] + "</t></si></sst>",
			sheetPart: worksheet(`<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 40) + `</row>`)}, "",
			"row 1 has over 4096 KiB of text; accepted: less, or the sheet saved as CSV"},
		{"a long part", parts{"xl/theme/theme1.xml": "<x>" + strings.Repeat(" ", 33<<20) + "</x>"}, "",
			"the workbook has over 4096 MiB of sheets, or 32 MiB of all else; accepted: less, or the sheet saved as CSV"},
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
	var encrypted bytes.Buffer
	z := zip.NewWriter(&encrypted)
	if _, err := z.CreateRaw(&zip.FileHeader{Name: sheetPart, Flags: 1}); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, encrypted.Bytes(), ""); err == nil || err.Error() != want {
		t.Errorf("encrypted: %v", err)
	}
	if _, err := sheet.Open(filepath.Join(t.TempDir(), "no.xlsx"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestBits: a bit that falls over is found by the sums of the zip file, or is where it means nothing.
func TestBits(t *testing.T) {
	whole := file(t, "xlsxwriter.xlsx")
	want := read(t, whole)
	if want == "" {
		t.Fatal("nothing was read")
	}
	for i := 0; i < len(whole); i += 7 {
		broken := bytes.Clone(whole)
		broken[i] ^= 0x10
		s, err := open(t, broken, "")
		if err != nil {
			continue
		}
		if got, err := io.ReadAll(s); err == nil && string(got) != want {
			t.Errorf("byte %d: %q, want %q or an error", i, got, want)
		}
	}
}

func read(t *testing.T, workbook []byte) string {
	t.Helper()
	s, err := open(t, workbook, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// TestFormats: a number is what is stored, unless the sheet shows something else than a number.
func TestFormats(t *testing.T) {
	for code, want := range map[string]string{
		"0": "71.5", "0.0": "71.5", "General": "71.5", `0.0" mm"`: "71.5", "#,##0.00": "71.5", "0.0E+00": "71.5", "# ?/?": "71.5",
		"0,": "71.5", "@": "71.5", `"day "0`: "71.5", "[Red]0;[Blue]-0": "71.5", `0\ [$€-407]`: "71.5", `_-* #,##0.00\ _€_-`: "71.5",
		"0%": "7150.00%", "0.00%": "7150.00%", "[Red]0%": "7150.00%", "yyyy": "1900-03-11 12:00", "[h]": "1900-03-11 12:00",
		"[$-407]d. mmm": "1900-03-11 12:00", "mm:ss.0": "1900-03-11 12:00", "[$-F800]dddd": "1900-03-11 12:00", "AM/PM": "1900-03-11 12:00",
	} {
		code = strings.ReplaceAll(code, `"`, "&quot;")
		styles := `<styleSheet ` + namespace + `><numFmts><numFmt numFmtId="22" formatCode="` + code + `"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`
		if got := read(t, build(t, parts{stylesPart: styles, sheetPart: worksheet(`<row><c s="1"><v>71.5</v></c></row>`)})); got != want+"\n" {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	for id, want := range map[int]string{0: "71.5", 1: "71.5", 9: "7150.00%", 10: "7150.00%", 11: "71.5", 13: "71.5", 14: "1900-03-11 12:00",
		22: "1900-03-11 12:00", 23: "71.5", 27: "1900-03-11 12:00", 36: "1900-03-11 12:00", 37: "71.5", 44: "71.5", 45: "1900-03-11 12:00",
		47: "1900-03-11 12:00", 48: "71.5", 49: "71.5", 50: "1900-03-11 12:00", 58: "1900-03-11 12:00", 59: "71.5"} {
		styles := fmt.Sprintf(`<styleSheet %s><cellXfs><xf/><xf numFmtId="%d"/></cellXfs></styleSheet>`, namespace, id)
		if got := read(t, build(t, parts{stylesPart: styles, sheetPart: worksheet(`<row><c s="1"><v>71.5</v></c></row>`)})); got != want+"\n" {
			t.Errorf("%d: %s, want %s", id, got, want)
		}
	}
}

// TestLong: a sheet and texts that do not fit into memory are read from files, piece by piece.
func TestLong(t *testing.T) {
	const rows = 40_000
	var texts, cells, want strings.Builder
	for i := range rows {
		fmt.Fprintf(&texts, "<si><t>sku %d, a long name of it</t></si>", i)
		fmt.Fprintf(&cells, `<row r="%d"><c t="s"><v>%d</v></c><c><v>%d.5</v></c></row>`, i+1, i, i)
		fmt.Fprintf(&want, "\"sku %d, a long name of it\",%d.5\n", i, i)
	}
	data := build(t, parts{sheetPart: worksheet(cells.String()), stringsPart: "<sst " + namespace + ">" + texts.String() + "</sst>"})
	if got := read(t, data); got != want.String() {
		t.Errorf("%d bytes, want %d", len(got), want.Len())
	}
	s, err := open(t, data, "")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Read(make([]byte, 1<<20)); err != nil || n > 64<<10 {
		t.Errorf("the first Read gave %d bytes, %v; want a piece", n, err)
	}
	if files, err := os.ReadDir(os.TempDir()); err != nil || len(files) != 1 {
		t.Errorf("%d temporary directories, %v, want 1", len(files), err)
	} else if files, err := os.ReadDir(filepath.Join(os.TempDir(), files[0].Name())); err != nil || len(files) < 2 {
		t.Errorf("%d temporary files, %v, want those of the sheet and the texts", len(files), err)
	}
}

// TestCleanUp: a process that is stopped leaves nothing behind of the sheets that it reads.
func TestCleanUp(t *testing.T) {
	if _, err := open(t, build(t, nil), ""); err != nil {
		t.Fatal(err)
	}
	here := os.Getenv("TMPDIR")
	if left, err := os.ReadDir(here); err != nil || len(left) == 0 {
		t.Fatalf("nothing is temporary: %v, %v", left, err)
	}
	sheet.CleanUp()
	if left, err := os.ReadDir(here); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestNoTemporary(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "boxes.xlsx")
	if err := os.WriteFile(path, build(t, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(directory, "none"))
	if _, err := sheet.Open(path, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a directory for temporary files: %v", err)
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
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r\x00\x1b") {
			t.Fatalf("%q", err)
		}
	})
}
