package lists

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/lab/xlsxtest"
)

// inputOf writes a list to a file, and returns it with a console and its stderr.
func inputOf(t *testing.T, name, text string, o Options) (Input, *console.Console, *bytes.Buffer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := new(bytes.Buffer)
	o.Catalogue = "mm"
	return Input{Name: path, Kind: InputKind(path), Options: o}, &console.Console{Err: said}, said
}

// shown returns a row as a line: its number and line, the box, the answer, what is wrong.
func shown(r *Row) string {
	text := fmt.Sprintf("%d:%d %s|%s|%v", r.Number, r.Line, r.Names[Article], r.Names[Material], r.Dimensions)
	for field, known := range r.Answer.given {
		if known {
			text += "|" + r.Answer.texts[field]
		}
	}
	if len(r.Problems) > 0 {
		text = fmt.Sprintf("%d:%d %s", r.Number, r.Line, r.ProblemsText())
	}
	return text
}

func TestEach(t *testing.T) {
	const head, box = "article,material,width,depth,height\n", "tuck-end,carton-300,71.5,30,100"
	sheet := string(xlsxtest.File(xlsxtest.Rows(`<row><c t="str"><v>width</v></c><c t="str"><v>depth</v></c>` +
		`<c t="str"><v>height</v></c></row><row/><row><c><v>71.5</v></c><c t="str"><v>3.5</v></c></row>`)))
	ours := Options{Given: [FirstDimension]string{"a", "m"}}
	for _, test := range []struct {
		name, file, text string
		options          Options
		answers          bool
		rows, said       string // lines
	}{
		{"blank lines and ends of lines", "a.csv", head + "\r\n" + box + "\r\n ,\nx,\n" + box, Options{}, false,
			"1:3 tuck-end|carton-300|[71.5 30 100]\n" +
				"2:5 the row has 2 fields, but the header has 5\n3:6 tuck-end|carton-300|[71.5 30 100]", ""},
		{"quotes over lines", "a.csv", head + "\"a\nb\",m,1,2,3\n\"c,m,1,2,3\nd,m,1,2,x\n", Options{}, false,
			"1:2 a\nb|m|[1 2 3]\n2:4 a quote that is never closed, or closed before its field ends; put quotes around the whole field, " +
				"and double the quotes within it, or use --quotes none if quotes have no meaning in this list\n3:5 height: \"x\" is not a dimension; accepted: a plain decimal such as 48 or 48.5", ""},
		{"a list as people have it", "a.csv", "Breite (cm);depth;height\n7,15;30;100\n",
			Options{Decimal: ',', Names: map[string]string{"width": "Breite"}, Given: ours.Given}, false, "1:2 a|m|[71.5 30 100]",
			"the columns are separated by semicolons\ntaking \"Breite (cm)\" as width in cm, \"depth\" as depth in mm, \"height\" as height in mm"},
		{"Windows-1252", "a.csv", head + "f\xfcr,m,1,2,3\n", Options{}, false, "1:2 für|m|[1 2 3]",
			"some text is not UTF-8, so it is read as windows-1252; if that is wrong, give the encoding with --encoding"},
		{"answers", "a.csv", "article,material,width,depth,height,code,date\na,m,1,2,3, ok,2026-03-01T12:00:00Z\n", Options{}, true,
			"1:2 a|m|[1 2 3]|ok|2026-03-01T12:00:00Z", ""},
		{"answers with other keys, which need not all exist", "a.ndjson", `{"model":"a","material":"m","width":1,"depth":2,"height":3,"answer":"ok"}` + "\n" +
			`{"article":"a","material":"m","width":1,"depth":2,"height":3,"answer":"ok","on":"2026-03-01"}`,
			Options{Names: map[string]string{"article": "model", "code": "answer", "date": "on"}}, true,
			"1:1 a|m|[1 2 3]|ok\n2:2 article: missing; the row has no key \"model\"", ""},
		{"NDJSON", "a.ndjson", `{"width":1,"depth":2,"height":3e0}` + "\n\n" + `{"article":"b","width":"1","height":3}` + "\n[]", ours, false,
			"1:1 a|m|[1 2 3]\n2:3 article: given twice, with --article and in the row; use only one of them; " +
				"width: a string; accepted: a JSON number; depth: missing; enter a depth\n" +
				"3:4 an array; write one JSON object per line", ""},
		{"a sheet", "a.xlsx", sheet, ours, false,
			"1:3 depth: \"3.5\" is text; enter a number in the cell, " +
				"or use --decimal . or --decimal , for numbers stored as text; height: missing (a cell merged with another, or a formula that was never " +
				"calculated, is empty); accepted: a number", ""},
	} {
		in, c, said := inputOf(t, test.file, test.text, test.options)
		in.Answers = test.answers
		var rows []string
		err := in.Each(c, func(r *Row) error { rows = append(rows, shown(r)); return nil })
		notes := strings.ReplaceAll(strings.TrimSpace(said.String()), "boxrules: "+in.Name+": ", "")
		if got := strings.Join(rows, "\n"); err != nil || got != test.rows || notes != test.said {
			t.Errorf("%s: %v\n%s\nwant\n%s\nsaid %s, want %s", test.name, err, got, test.rows, notes, test.said)
		}
	}
}

func TestEachErrors(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"a.csv", "", ": no boxes; give at least one"},
		{"a.csv", strings.Repeat("\n", 2<<20), ":1048578: there is no header within the first 1048576 bytes; put one in the first row that is not empty"},
		{"a.ndjson", "{}\n{" + strings.Repeat(" ", 300<<10),
			":2: this row is longer than 262144 bytes; write one box per row, and close every quote"},
		{"a.xlsx", "x", ": not an .xlsx workbook, or one with a password; save it in Excel or LibreOffice as .xlsx, without a password"},
	} {
		in, c, _ := inputOf(t, test.file, test.text, Options{})
		if err := in.Each(c, func(*Row) error { return nil }); err == nil || err.Error() != in.Name+test.want {
			t.Errorf("%.20q: %v, want %s", test.text, err, test.want)
		}
	}
}

// TestFlow answers side by side, and has the answers and the numbers in the order of the rows.
func TestFlow(t *testing.T) {
	var text strings.Builder
	text.WriteString("width,depth,height,remark\n")
	for i := range 30_000 {
		fmt.Fprintf(&text, "%d,2,3,%s\n", i, []string{"x", "\"two\nlines\"", "a longer remark"}[i%3])
	}
	in, c, _ := inputOf(t, "a.csv", text.String(), Options{Given: [FirstDimension]string{"a", "m"}})
	var want []byte
	if err := in.Each(c, func(r *Row) error { want = append(want, shown(r)+"\n"...); return nil }); err != nil {
		t.Fatal(err)
	}
	f, err := in.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got []byte
	answerer := func(dst []byte, r *Row) []byte { return append(dst, shown(r)+"\n"...) }
	err = f.Flow(slices.Repeat([]Answerer{answerer}, 3), true, func(answers []byte) error {
		got = append(got, answers...)
		return nil
	})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of answers, %v; want %d", len(got), err, len(want))
	}
	if len(f.Titles) != 4 || f.Options.Delimiter != ',' {
		t.Errorf("columns %q, %q", f.Titles, f.Options.Delimiter)
	}
}

// TestReadObjectAllocatesNothing covers rows with several keys that are not those of a box. Reading them was
// once slow because each key and each name was copied.
func TestReadObjectAllocatesNothing(t *testing.T) {
	format, err := newJSONFormat(false, Options{})
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(`{"id": 1, "article": "tuck-end", "material": "carton-300", "width": 71.5, "depth": 30, "height": 100, "note": "x"}`)
	var row Row
	if n := testing.AllocsPerRun(100, func() { format.readRow(line, &row) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if got, want := shown(&row), "0:0 tuck-end|carton-300|[71.5 30 100]"; got != want {
		t.Errorf("the row is %s, want %s", got, want)
	}
}
