package xlsx_test

import (
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

	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
	"example.com/boxrules/internal/lab/xlsxtest"
)

// open opens a workbook that is in memory.
func open(t testing.TB, workbook []byte, name string) (*xlsx.Sheet, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "boxes.xlsx")
	if err := os.WriteFile(path, workbook, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := xlsx.Open(path, name)
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
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
		{"openpyxl.xlsx", "", `reading the sheet "Boxes", the first of 2; use --sheet NAME to read another`, "\n" +
			"SKU,Article,Material,Width (mm),Depth,\"Height\n(mm)\",Date,Stock\n" +
			"A-1,tuck-end,carton-300,71.5,0.3,0.0000001,2026-01-31 00:00,TRUE\n" +
			"\"A \"\"2\"\", x\",snap-lock,e-flute,,1000000000000000,123456789012346000,2026-01-31 12:30,FALSE\n" +
			"\n" +
			"für 👍,,,\"71.5\",,,07:05,#N/A\n" +
			"\n" +
			",,,100,,,,\n" +
			"\n" +
			"\n" +
			"\n" +
			",,,,,,,,a remark\n"},
		{"openpyxl.xlsx", "Hidden", "", "secret\n"},
		{"openpyxl.xlsx", "other", "", "width\n5\n\n7\n"},
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

// TestRows: rows and cells as a sheet may have them.
func TestRows(t *testing.T) {
	for _, test := range []struct{ rows, want string }{
		{"", ""},
		{`<row/><row><c/></row>`, "\n\n"},
		{`<row r="3"><c t="s"><v>0</v></c></row><row r="5"/>`, "\n\nwidth\n\n\n"},
		{`<row r="1"><c r="B1"><v>1</v></c><c r="AB1"><v>2</v></c></row>`, ",1" + strings.Repeat(",", 26) + "2\n"},
		{`<row><c><v>1</v></c><c r="C1"><v>3</v></c><c><v>4</v></c></row>`, "1,,3,4\n"},
		{`<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row><row><c><v>1</v></c><c/><c><v>2</v></c></row>`,
			"1,2\n3,\n1,,2\n"},
		{`<row><c t="s"><v> 1 </v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"/><c><v>1</v></c></row>`, "depth ,\"a\nb\",,,1\n"},
		{`<row><c t="inlineStr"><is><r><t>x,</t></r><r><t> y</t></r></is></c></row>`, "\"x, y\"\n"},
		{`<row><c t="str"><f>A1&amp;"x"</f><v>say "x"</v></c></row>`, "\"say \"\"x\"\"\"\n"},
		{`<row><c t="str"><f>""</f><v></v></c><c><v>1</v></c></row>`, ",1\n"},
		{`<row><c><f>A1*2</f></c><c><f>A1*2</f><v/></c><c t="str"><f>B1</f></c><c><f t="shared" si="0"/></c></row>`, "\n"},
		{`<row><c><f>A1*2</f><v>7</v></c></row>`, "7\n"},
		{`<row><c t="b"><v>1</v></c><c t="b"><v>false</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-01-31</v></c></row>`,
			"TRUE,FALSE,#REF!,2026-01-31\n"},
		{`<row><c t="d"><v>20260131</v></c><c t="d"><v>-5</v></c></row>`, "20260131 as a date,-5 as a date\n"},
		{`<row><c t="str"><v>1.5</v></c><c t="str"><v>1,5</v></c><c t="str"><v>-1.435</v></c><c t="str"><v>15</v></c>` +
			`<c t="str"><v>v1.5</v></c><c><v>1.5</v></c></row>`, "\"1.5\",\"1,5\",\"-1.435\",15,\"v1.5\",1.5\n"},
		{`<row><c s="1"><v>46053</v></c><c s="2"><v>46053</v></c><c s="3"><v>46053.5</v></c><c s="4"><v>1.25</v></c>` +
			`<c s="0"><v>5</v></c></row>`,
			"2026-01-31 00:00,46053,2026-01-31 12:00,1899-12-31 06:00,5\n"},
		{`<row><c s="1"><v>1</v></c><c s="1"><v>61</v></c>` +
			`<c s="1"><v>0.5</v></c><c s="1"><v>-1</v></c><c s="1"><v>1E+22</v></c><c s="1"/></row>`,
			"1899-12-31 00:00,1900-03-01 00:00,12:00,-1 as a date,10000000000000000000000 as a date\n"},
		{`<row><c><v>71.500000000000014</v></c><c><v>-0.30000000000000004</v></c><c><v>1.0004999999999999</v></c><c><v>1E-3</v></c>` +
			`<c><v>1.5e+2</v></c><c><v>0.1</v></c><c><v>123456789012345</v></c></row>`,
			"71.5,-0.3,1.0005,0.001,150,0.1,123456789012345\n"},
		{`<row><c><v> +5 </v></c><c><v>123456789012345678</v></c><c><v>-2.7755575615628914E-17</v></c>` +
			`<c t="str"><v>1E5</v></c><c t="str"><v>1E-05</v></c>` +
			`<c t="str"><v>1E+05</v></c><c t="str"><v>1E300</v></c><c t="str"><v>a&#13;</v></c></row>`,
			"5,123456789012346000,-0.0000000000000000277555756156289,1E5,1E-05,1E+05,1E300,\"a\r\"\n"},
		{`<row><!-- no --><c><v>1<!-- no -->2</v><extLst><x/></extLst></c></row>`, "12\n"},
		{`<x:row><x:c><x:v>1</x:v></x:c></x:row>`, "1\n"},
	} {
		s, err := open(t, xlsxtest.File(xlsxtest.Rows(test.rows)), "")
		if err != nil {
			t.Errorf("%s: %v", test.rows, err)
			continue
		}
		if got, err := io.ReadAll(iotest.OneByteReader(s)); err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%q, want\n%q", test.rows, err, got, test.want)
		}
	}
}

// TestChartSheet: a sheet that is a chart alone does not count as the first.
func TestChartSheet(t *testing.T) {
	usual := xlsxtest.Usual()
	s, err := open(t, xlsxtest.File(xlsxtest.Parts{
		xlsxtest.Book: strings.Replace(usual[xlsxtest.Book], "<sheets>", `<sheets><sheet name="Chart" sheetId="2" r:id="r4"/>`, 1),
		xlsxtest.BookRels: xlsxtest.Relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "/xl/sharedStrings.xml",
			"styles", "styles.xml", "chartsheet", "chartsheets/sheet1.xml"),
	}), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(s); err != nil || string(got) != "width\n" || s.Note != "" {
		t.Errorf("%q, %v, note %s", got, err, s.Note)
	}
}

func TestDate1904(t *testing.T) {
	book := strings.Replace(xlsxtest.Usual()[xlsxtest.Book], "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)
	parts := xlsxtest.Rows(`<row><c s="1"><v>44591</v></c></row>`)
	parts[xlsxtest.Book] = book
	s, err := open(t, xlsxtest.File(parts), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(s); err != nil || string(got) != "2026-01-31 00:00\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSheetErrors(t *testing.T) {
	const savedAgain = "; open the workbook and save it again"
	const noWorkbook = "not an .xlsx workbook, or one with a password; save it in Excel or LibreOffice as .xlsx, without a password"
	in := func(part string) string { return `the workbook is damaged: part "` + part + `": ` }
	cells := in(xlsxtest.Sheet) + "row 1 has "
	const tooLong = "the workbook has a tag or text longer than 1024 KiB; save the sheet as CSV"
	const smaller = "; the limit is 100 times its size, but at most 256 MiB; save the sheet as CSV"
	long := strings.Repeat("x", 2<<20)
	var formats strings.Builder
	for i := range 65_537 {
		fmt.Fprintf(&formats, `<numFmt numFmtId="%d"/>`, i)
	}
	for _, test := range []struct {
		name  string
		parts xlsxtest.Parts
		sheet string
		want  string
	}{
		{"no such sheet", nil, "Two", `there is no sheet "Two"; accepted: "One"`},
		{"hidden", xlsxtest.Parts{xlsxtest.Book: strings.Replace(xlsxtest.Usual()[xlsxtest.Book], "sheetId", `state="hidden" sheetId`, 1)}, "",
			`the workbook has no visible sheet; show one, or choose one with --sheet: "One"`},
		{"a chart alone", xlsxtest.Parts{xlsxtest.BookRels: xlsxtest.Relations("chartsheet", "worksheets/sheet1.xml")}, "",
			"the workbook has no sheet with cells; put the boxes on a sheet"},
		{"the sheet of a chart", xlsxtest.Parts{xlsxtest.BookRels: xlsxtest.Relations("chartsheet", "worksheets/sheet1.xml")}, "One",
			"the workbook has no sheet with cells"},
		{"dates from when", xlsxtest.Parts{xlsxtest.Book: strings.Replace(xlsxtest.Usual()[xlsxtest.Book], "<sheets>", `<workbookPr date1904="x"/><sheets>`, 1)}, "",
			in(xlsxtest.Book) + `date1904 is "x"; accepted: 0 or 1` + savedAgain},
		{"a truth value", xlsxtest.Rows(`<row><c t="b"><v>TRUE</v></c></row>`), "", cells + `a cell with the invalid boolean "TRUE"` + savedAgain},
		{"a document type", xlsxtest.Parts{xlsxtest.Sheet: "<!DOCTYPE worksheet>" + xlsxtest.Worksheet("")}, "",
			in(xlsxtest.Sheet) + "XML syntax error on line 1: unexpected document type declaration" + savedAgain},
		{"parts", xlsxtest.Parts{xlsxtest.BookRels: "<x>" + strings.Repeat("<Relationship/>", 10_001) + "</x>"}, "",
			"a part of the workbook refers to more than 10000 other parts; save the sheet as CSV"},
		{"a long format", xlsxtest.Parts{xlsxtest.Styles: `<x><numFmt formatCode="` + long[:1001] + `"/></x>`}, "",
			"the workbook has a number format of more than 1000 bytes; save the sheet as CSV"},
		{"one format often", xlsxtest.Parts{xlsxtest.Styles: "<x>" + strings.Repeat(`<numFmt numFmtId="1"/>`, 65_537) + "</x>"}, "",
			"the workbook has more than 65536 cell styles; save the sheet as CSV"},
		{"no relations", xlsxtest.Parts{xlsxtest.RootRels: ""}, "", in(xlsxtest.RootRels) + "it is missing" + savedAgain},
		{"no relations of the workbook", xlsxtest.Parts{xlsxtest.BookRels: ""}, "", in(xlsxtest.BookRels) + "it is missing" + savedAgain},
		{"no sheet", xlsxtest.Parts{xlsxtest.Sheet: ""}, "", in(xlsxtest.Sheet) + "it is missing" + savedAgain},
		{"no workbook", xlsxtest.Parts{xlsxtest.RootRels: xlsxtest.Relations("other", "x")}, "", noWorkbook},
		{"no id", xlsxtest.Parts{xlsxtest.Book: `<workbook ` + xlsxtest.Namespace + `><sheets><sheet name="One"/></sheets></workbook>`}, "",
			in("") + "it is missing" + savedAgain},
		{"no XML", xlsxtest.Parts{xlsxtest.Book: "x\x00"}, "",
			in(xlsxtest.Book) + "XML syntax error on line 1: illegal character code U+0000" + savedAgain},
		{"cut off", xlsxtest.Parts{xlsxtest.Sheet: "<worksheet><sheetData><row><c><v>1"}, "",
			in(xlsxtest.Sheet) + "XML syntax error on line 1: unexpected EOF" + savedAgain},
		{"cut off behind a row", xlsxtest.Parts{xlsxtest.Sheet: "<worksheet><sheetData><row></row>"}, "",
			in(xlsxtest.Sheet) + "XML syntax error on line 1: unexpected EOF" + savedAgain},
		{"texts cut off", xlsxtest.Parts{xlsxtest.Texts: "<sst " + xlsxtest.Namespace + "><si><t>width</t></si>"}, "",
			in(xlsxtest.Texts) + "XML syntax error on line 1: unexpected EOF" + savedAgain},
		{"a character that XML has not", xlsxtest.Rows("<row/><row><c t=\"str\"><v>\x01</v></c></row>"), "",
			in(xlsxtest.Sheet) + "XML syntax error on line 1: illegal character code U+0001" + savedAgain},
		{"Latin-1", xlsxtest.Parts{xlsxtest.Sheet: `<?xml version="1.0" encoding="latin1"?>` + xlsxtest.Worksheet("")}, "",
			in(xlsxtest.Sheet) + "xml: encoding \"latin1\""},
		{"shared text", xlsxtest.Rows(`<row r="3"><c r="B3" t="s"><v>4</v></c></row>`), "",
			in(xlsxtest.Sheet) + `row 3 has a cell with the undefined shared text "4"` + savedAgain},
		{"no shared texts", xlsxtest.Parts{xlsxtest.Texts: "", xlsxtest.BookRels: xlsxtest.Relations("worksheet", "worksheets/sheet1.xml")}, "",
			cells + `a cell with the undefined shared text "0"` + savedAgain},
		{"shared texts elsewhere", xlsxtest.Parts{xlsxtest.Texts: "", "xl/texts.xml": xlsxtest.Usual()[xlsxtest.Texts]}, "",
			in(xlsxtest.Texts) + "it is missing" + savedAgain},
		{"kind", xlsxtest.Rows(`<row><c t="x"><v>2</v></c></row>`), "", cells + `a cell of the unknown kind "x"` + savedAgain},
		{"hexadecimal", xlsxtest.Rows(`<row/><row><c><v>0x10</v></c></row>`), "",
			in(xlsxtest.Sheet) + `row 2 has a cell with the invalid number "0x10"` + savedAgain},
		{"number", xlsxtest.Rows(`<row><c><v>-</v></c></row>`), "", cells + `a cell with the invalid number "-"` + savedAgain},
		{"no such style", xlsxtest.Rows(`<row><c s="5"><v>10</v></c></row>`), "",
			cells + `a cell with the undefined style "5"` + savedAgain},
		{"no styles", xlsxtest.Parts{xlsxtest.Styles: "", xlsxtest.BookRels: xlsxtest.Relations("worksheet", "worksheets/sheet1.xml"),
			xlsxtest.Sheet: xlsxtest.Worksheet(`<row><c s="1"><v>10</v></c></row>`)}, "", cells + `a cell with the undefined style "1"` + savedAgain},
		{"styles of no cells", xlsxtest.Parts{xlsxtest.Styles: "<x/>",
			xlsxtest.Sheet: xlsxtest.Worksheet(`<row><c><v>10</v></c><c s="1"><v>10</v></c></row>`)}, "",
			cells + `a cell with the undefined style "1"` + savedAgain},
		{"style", xlsxtest.Rows(`<row><c s="x"><v>10</v></c></row>`), "",
			cells + `a cell with the undefined style "x"` + savedAgain},
		{"rows descend", xlsxtest.Rows(`<row r="2"/><row r="2"/>`), "", in(xlsxtest.Sheet) + `row "2" comes after row 2` + savedAgain},
		{"last row", xlsxtest.Rows(`<row r="1048577"/>`), "", in(xlsxtest.Sheet) + `row 1048577 is beyond the last possible row, 1048576` + savedAgain},
		{"columns descend", xlsxtest.Rows(`<row><c r="B1"/><c r="A1"/></row>`), "",
			cells + `a cell with the reference "A1", which is invalid or out of sequence` + savedAgain},
		{"no column", xlsxtest.Rows(`<row><c r="1"/></row>`), "",
			cells + `a cell with the reference "1", which is invalid or out of sequence` + savedAgain},
		{"in no row", xlsxtest.Rows(`<row/><c r="A1"><v>2</v></c>`), "", in(xlsxtest.Sheet) + `a cell after row 1 is not inside any row` + savedAgain},
		{"a row in a row", xlsxtest.Rows(`<row><row r="2"/></row>`), "", in(xlsxtest.Sheet) + `row 1 contains another row` + savedAgain},
		{"a cell in a cell", xlsxtest.Rows(`<row><c><v>2</v><c/></c></row>`), "",
			in(xlsxtest.Sheet) + `an element "c" inside the text of another element` + savedAgain},
		{"an element in a number", xlsxtest.Rows(`<row><c><v>2<b>0</b>0</v></c></row>`), "",
			in(xlsxtest.Sheet) + `an element "b" inside the text of another element` + savedAgain},
		{"a column too many", xlsxtest.Rows(`<row><c r="ALM1"><v>1</v></c></row>`), "",
			"row 1 has a value in column 1001, but only 1000 columns are read; save the sheet as CSV to keep more"},
		{"a long text", xlsxtest.Rows(`<row><c t="str"><v>` + long + `</v></c></row>`), "",
			tooLong},
		{"a long tag", xlsxtest.Rows(`<row x="` + long + `"/>`), "", tooLong},
		{"a text in pieces", xlsxtest.Rows(`<row><c><v>` + strings.Repeat(long[:600_000]+"<!---->", 2)), "",
			tooLong},
		{"a long shared text", xlsxtest.Parts{xlsxtest.Texts: "<sst><si><t>" +
			strings.Repeat(long[:600_000]+"<!---->", 2) + "</t></si></sst>"}, "",
			tooLong},
		{"sheets", xlsxtest.Parts{xlsxtest.Book: "<workbook>" + strings.Repeat("<sheet/>", 1001) + "</workbook>"}, "",
			"the workbook has more than 1000 sheets; save the sheet as CSV"},
		{"styles", xlsxtest.Parts{xlsxtest.Styles: "<x><cellXfs>" + strings.Repeat("<xf/>", 65_537) + "</cellXfs></x>"}, "",
			"the workbook has more than 65536 cell styles; save the sheet as CSV"},
		{"formats", xlsxtest.Parts{xlsxtest.Styles: "<x>" + formats.String() + "</x>"}, "",
			"the workbook has more than 65536 cell styles; save the sheet as CSV"},
		{"unpacked", xlsxtest.Rows(strings.Repeat("<row>"+long[:500_000]+"</row>", 10)), "",
			"the workbook (6 KiB) unpacks to more than 4096 KiB" + smaller},
		{"deep", xlsxtest.Rows(`<row>` + strings.Repeat("<x>", 70) + `</row>`), "",
			in(xlsxtest.Sheet) + `more than 64 nested elements` + savedAgain},
		{"a long row", xlsxtest.Parts{xlsxtest.Texts: "<sst " + xlsxtest.Namespace + "><si><t>" + long[:120_000] + "</t></si></sst>",
			xlsxtest.Sheet: xlsxtest.Worksheet(`<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 40) + `</row>`)}, "",
			"row 1 has more than 1024 KiB of text; save the sheet as CSV"},
	} {
		s, err := open(t, xlsxtest.File(test.parts), test.sheet)
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
		const want = "not an .xlsx workbook, or one with a password; save it in Excel or LibreOffice as .xlsx, without a password"
		if _, err := open(t, data, ""); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := xlsx.Open(filepath.Join(t.TempDir(), "no.xlsx"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestBits: the sums of the zip file find a bit that falls over, or it means nothing.
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

// styled returns what a cell with 71.5 shows in the second of the styles.
func styled(t *testing.T, styles string) string {
	parts := xlsxtest.Rows(`<row><c s="1"><v>71.5</v></c></row>`)
	parts[xlsxtest.Styles] = styles
	return read(t, xlsxtest.File(parts))
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
		styles := `<styleSheet ` + xlsxtest.Namespace + `><numFmts><numFmt numFmtId="22" formatCode="` + code + `"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`
		if got := styled(t, styles); got != want+"\n" {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	for id, want := range map[int]string{0: "71.5", 1: "71.5", 9: "7150.00%", 10: "7150.00%", 11: "71.5", 13: "71.5", 14: "1900-03-11 12:00",
		22: "1900-03-11 12:00", 23: "71.5", 27: "1900-03-11 12:00", 36: "1900-03-11 12:00", 37: "71.5", 44: "71.5", 45: "1900-03-11 12:00",
		47: "1900-03-11 12:00", 48: "71.5", 49: "71.5", 50: "1900-03-11 12:00", 58: "1900-03-11 12:00", 59: "71.5"} {
		styles := fmt.Sprintf(`<styleSheet %s><cellXfs><xf/><xf numFmtId="%d"/></cellXfs></styleSheet>`, xlsxtest.Namespace, id)
		if got := styled(t, styles); got != want+"\n" {
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
	parts := xlsxtest.Rows(cells.String())
	parts[xlsxtest.Texts] = "<sst " + xlsxtest.Namespace + ">" + texts.String() + "</sst>"
	data := xlsxtest.File(parts)
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
}

// FuzzSheet: of any XML there are records of as many fields as the header or more, or one line
// that says what is wrong.
func FuzzSheet(f *testing.F) {
	for _, rows := range []string{
		`<row r="2"><c r="B2" t="s"><v>1</v></c><c s="1"><v>46053.25</v></c></row><row r="7"><c t="b"><v>1</v></c></row>`,
		`<row><c t="inlineStr"><is><t>a,"b`, `<row><c><f>A1</f></c><c t="e"><v>#N/A</v></c></row></sheetData><mergeCell ref="A1:B2"/>`,
	} {
		f.Add(xlsxtest.Worksheet(rows), xlsxtest.Usual()[xlsxtest.Texts], xlsxtest.Usual()[xlsxtest.Styles])
	}
	f.Fuzz(func(t *testing.T, sheetText, stringsText, stylesText string) {
		s, err := open(t, xlsxtest.File(xlsxtest.Parts{xlsxtest.Sheet: sheetText, xlsxtest.Texts: stringsText, xlsxtest.Styles: stylesText}), "")
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
