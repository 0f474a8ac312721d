package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"example.com/boxrules"
)

// cubeRow is the box of smallShop that fits.
const cubeRow = "cube,board,30,20,10\n"

func TestFilter(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	for _, test := range []struct {
		name, flags, text, want string
		status                  int
	}{
		{"every answer", "", header + cubeRow + "cube,board,30,40,10\ncube,board,30,x,y\nball,board,1,2,3\ncube,board,1,2\n",
			"article,material,width,depth,height,verdict\ncube,board,30,20,10,valid\ncube,board,30,40,10,BOX_3100\n" +
				"cube,board,30,x,y,error:depth\nball,board,1,2,3,error:article\ncube,board,1,2,error:row\n", 2},
		{"every byte", "", "\ufeff\r\n\"No.\",ARTICLE , material,width (cm),\"dep\"\"th\",Height,depth\r\n" +
			"\" 1\r\n\"\"x\"\" \",cube, board ,3.0,,10.000,\"20\"\r\n\n,,,,,,\n ,cube,board,\"3\",é,10,20",
			"\ufeff\r\n\"No.\",ARTICLE , material,width (cm),\"dep\"\"th\",Height,depth,verdict\r\n" +
				"\" 1\r\n\"\"x\"\" \",cube, board ,3.0,,10.000,\"20\",valid\r\n\n,,,,,,,\n ,cube,board,\"3\",é,10,20,valid", 0},
		{"another name", "--column;is it; possible?", "article;material;width;depth;height\ncube;board;30;20;10\n",
			"article;material;width;depth;height;\"is it; possible?\"\ncube;board;30;20;10;valid\n", 0},
		{"advice", "--advice", header + cubeRow + "cube,board,30,40,10\ncube,board,\"1,5\",1,1\n,,,,\n\n",
			"article,material,width,depth,height,verdict,advice\ncube,board,30,20,10,valid,\n" +
				"cube,board,30,40,10,BOX_3100,\"turn it to 40 x 30 x 10, or set depth to 30 or less, or width to 40 or more\"\n" +
				"cube,board,\"1,5\",1,1,error:width,\"width: \"\"1,5\"\" has a comma; accepted: a point such as 48.5, or --decimal , for a " +
				"list with decimal commas\"\n,,,,,,\n\n", 2},
		{"advice on a step", "--advice;--step;0.25", header + "cube,board,30.1,40,10\n",
			"article,material,width,depth,height,verdict,advice\ncube,board,30.1,40,10,BOX_3100,\"" +
				"turn it to 40 x 30.1 x 10, or set depth to 30.1 or less, or width to 40 or more\"\n", 1},
		{"UTF-16 is written anew", "", "\xff\xfe" + toUTF16(strings.ReplaceAll(header+cubeRow, ",", "\t")),
			"\ufeffarticle\tmaterial\twidth\tdepth\theight\tverdict\ncube\tboard\t30\t20\t10\tvalid\n", 0},
		{"Windows-1252 stays", "--advice;--encoding;windows-1252", "Gr\xf6\xdfe," + header + "\x80,c\xfcbe,board,30,20,10\n",
			"Gr\xf6\xdfe,article,material,width,depth,height,verdict,advice\n\x80,c\xfcbe,board,30,20,10,error:article," +
				"\"article: unknown article \"\"c\xfcbe\"\"; accepted: cube\"\n", 2},
		{"sep=", "", "sep=;\narticle;material;width;depth;height\ncube;board;30;20;10\n",
			"sep=;\narticle;material;width;depth;height;verdict\ncube;board;30;20;10;valid\n", 0},
		{"an article for all", "--article;cube;--material;board;--columns;width=Breite,depth=T,height=H;--decimal;,;--unit;cm",
			"Nr;Breite;T;H\nA-1;3,0;2;1\nA-2;3;4,1;1\n", "Nr;Breite;T;H;verdict\nA-1;3,0;2;1;valid\nA-2;3;4,1;1;BOX_3100\n", 1},
		{"inches", "--unit;in", header + "cube,board,1.5,1.5,1.5\ncube,board,1.5,1.5001,1.5\ncube,board,3.93,3.93,3.94\n",
			"article,material,width,depth,height,verdict\ncube,board,1.5,1.5,1.5,valid\ncube,board,1.5,1.5001,1.5,BOX_3100\n" +
				"cube,board,3.93,3.93,3.94,BOX_2105\n", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"check", "--limits", shop, "--format", "csv", "--input", "csv", "-"}
			if test.flags != "" {
				args = append(args, strings.Split(strings.ReplaceAll(test.flags, "; ", "\x00"), ";")...)
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "\x00", "; ")
			}
			got := ask(t, test.text, args...)
			if got.out != test.want || got.status != test.status {
				t.Errorf("check =\n%q, status %d, %s, want\n%q, status %d", got.out, got.status, got.err, test.want, test.status)
			}
		})
	}
}

// TestFewDecimals: where the limits take two decimals, a row with more is no box, whatever the list's kind, unit and comma.
func TestFewDecimals(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop+"decimals: 2\n")
	const many = "%s: %s has too many decimals; accepted: a multiple of 0.01"
	for _, test := range []struct{ name, flags, text, want string }{
		{"csv", "--format csv --input csv --advice", header + cubeRow +
			"cube,board,30.250,20.5,10\ncube,board,30,20.125,10.125\ncube,board,30,20,1e1\n",
			"article,material,width,depth,height,verdict,advice\ncube,board,30,20,10,valid,\ncube,board,30.250,20.5,10,valid,\n" +
				"cube,board,30,20.125,10.125,error:depth," + fmt.Sprintf(many, "depth", "20.125") + "\n" +
				"cube,board,30,20,1e1,error:height,\"height: \"\"1e1\"\" is not a dimension; accepted: a plain decimal such as 48 or 48.5\"\n"},
		{"unit and comma", "--format csv --input csv --unit cm --decimal , --delimiter ; --article cube --material board",
			"width;depth;height\n3,025;2;1\n3,0251;2;1\n3;2;1,00001\n",
			"width;depth;height;verdict\n3,025;2;1;valid\n3,0251;2;1;error:width\n3;2;1,00001;error:height\n"},
		{"ndjson", "--format json --input ndjson", `{"article":"cube","material":"board","width":30.25,"depth":20,"height":10}` + "\n" +
			`{"article":"cube","material":"board","width":30,"depth":20,"height":10.001}` + "\n",
			`{"row":1,"line":1,"article":"cube","material":"board","width":30.25,"depth":20,"height":10,"ok":true}` + "\n" +
				`{"row":2,"line":2,"article":"cube","material":"board","width":30,"depth":20,"height":10.001,"ok":false,"error":"stdin:2: ` +
				fmt.Sprintf(many, "height", "10.001") + `","field":"height","errors":[{"field":"height","error":"` +
				`10.001 has too many decimals; accepted: a multiple of 0.01"}]}` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"check", "--limits", shop}, strings.Fields(test.flags)...)
			if got := ask(t, test.text, append(args, "-")...); got.out != test.want || got.status != 2 {
				t.Errorf("check =\n%s, status %d, %s, want\n%s", got.out, got.status, got.err, test.want)
			}
		})
	}
	box := []string{"--limits", shop, "--article", "cube", "--material", "board", "--width", "30.125", "--depth", "20", "--height", "10"}
	for _, command := range []string{"check", "explain"} {
		got := ask(t, "", append([]string{command}, box...)...)
		if got.status != 2 || !strings.Contains(got.out+got.err, fmt.Sprintf(many, "width", "30.125")) {
			t.Errorf("%s: %+v", command, got)
		}
	}
	box[7] = "30.12"
	if got := ask(t, "", append([]string{"explain", "--step", "0.005"}, box...)...); got.status != 2 ||
		!strings.Contains(got.err, "0.005 is not a step; accepted: a multiple of 0.01 from 0.01 to 1000") {
		t.Errorf("explain: %+v", got)
	}
	const fewer = "boxrules: the limits take 2 decimals before the change and 3 after it: compared are boxes that have at most 2\n"
	after := write(t, "after.yaml", smallShop)
	if got := ask(t, "", "diff", "--limits", shop, "--new-limits", after); got.err != fewer || got.status != 0 {
		t.Errorf("diff: %+v, want %s", got, fewer)
	}
}

// TestFilterRefuses: of a list that cannot be answered nothing is written.
func TestFilterRefuses(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	for _, test := range []struct{ flags, text, want string }{
		{"", "article,material,width,depth,height, Verdict \n" + cubeRow,
			`stdin:1: the header has a column "verdict" already; accepted: another name, as in --column checked`},
		{"--column;x;--advice", "article,material,width,depth,height,advice,verdict\n" + cubeRow,
			`stdin:1: the header has a column "advice" already; accepted: a list without one, or no --advice`},
		{"", header, "stdin: no boxes; accepted: at least one"},
		{"--unit;cm", "article,material,width (mm),depth,height\n" + cubeRow,
			`stdin:1: column 3 "width (mm)" is in mm, and --unit says cm; accepted: the same unit, or no --unit`},
		{"--article;cube", header + cubeRow, `stdin:1: article is given twice, by --article and by column 1 "article"; accepted: one of them`},
		{"--advice;--step;0.0001", header + cubeRow, "step: 0.0001 is not a step; accepted: a multiple of 0.001 from 0.001 to 1000"},
		{"--encoding;utf-16", header + cubeRow, "stdin: the text does not begin as UTF-16 does; accepted: --encoding utf-16le or utf-16be " +
			"where it is, otherwise none"},
		{"", "PK\x03\x04\x14\x00", "stdin:1: this is a zip file, as spreadsheets are; accepted: text, or --input xlsx"},
	} {
		args := []string{"check", "--limits", shop, "--format", "csv", "--input", "csv", "-"}
		if test.flags != "" {
			args = append(args, strings.Split(test.flags, ";")...)
		}
		if got, want := ask(t, test.text, args...), (answer{"", "boxrules: " + test.want + "\n", 2}); got != want {
			t.Errorf("%s of %q = %+v, want %+v", test.flags, test.text, got, want)
		}
	}
}

func TestKeep(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	stdin := `{"sku":"A\u002d1","width":30,"n": [1, {"ok":2}] ,"material":"board","depth":20,"height":10,"ok":"?",` +
		`"verdict":null,"":1e5}` + "\n" +
		`{"article":"cube","sku":2}` + "\n[1]\n"
	got := ask(t, stdin, "check", "--limits", shop, "--format", "json", "--keep", "--input", "ndjson", "--article", "cube", "-")
	want := `{"row":1,"line":1,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true,"sku":"A\u002d1",` +
		`"n":[1, {"ok":2}],"verdict":null,"":1e5}` + "\n"
	first, rest, _ := strings.Cut(got.out, "\n")
	if first+"\n" != want || got.status != 2 || !strings.Contains(rest, `"error":"given twice, by --article and in the row; accepted: one of `+
		`them"}`) || !strings.Contains(rest, `],"sku":2}`) || !strings.HasSuffix(rest, `an array; accepted: one JSON object a line"}`+"\n") {
		t.Errorf("check =\n%s\nwant\n%s", got.out, want)
	}
}

func TestJSONAdvice(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	got := ask(t, header+cubeRow+"cube,board,30,40,10\n", "check", "--limits", shop, "--format", "json", "--advice", "--input", "csv", "-")
	want := `"ok":true}` + "\n"
	advised := `"ok":false,"code":"BOX_3100","advice":"turn it to 40 x 30 x 10, or set depth to 30 or less, or width to 40 or more"}` + "\n"
	if first, second, _ := strings.Cut(got.out, "\n"); !strings.HasSuffix(first+"\n", want) || !strings.HasSuffix(second, advised) {
		t.Errorf("check =\n%s", got.out)
	}
}

func TestSummaryTable(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	stdin := header + cubeRow + "cube,board,30,40,10\nball,board,1,2,3\n" + cubeRow + "cube,board\ncube,wood,1,2,3\n" +
		strings.Repeat("cube,board,0,1,1\ncube,board,1,1,101\ncube,board,1,1,101\n", 3)
	const table = "article    answer          boxes\n(unknown)  error:row       1\n(unknown)  error:article   1\n" +
		"cube       valid           2\ncube       BOX_2100        3\ncube       BOX_2105        6\ncube       BOX_3100        1\n" +
		"cube       error:material  1\n"
	const counts = "15 boxes: 2 valid, 10 invalid, 3 not a box\n"
	for format, want := range map[string]answer{
		formatNone: {table, counts, 2},
		formatCSV:  {"", table + counts, 2},
		formatJSON: {"", table + counts, 2},
	} {
		got := ask(t, stdin, "check", "--limits", shop, "--format", format, "--summary", "--input", "csv", "-")
		if format != formatNone {
			got.out = ""
		}
		if got != want {
			t.Errorf("--format %s: %+v, want %+v", format, got, want)
		}
	}
}

// TestLongLists: rows keep their order and their numbers over many chunks, whatever the pieces that they come in.
func TestLongLists(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	var text, want, lines bytes.Buffer
	text.WriteString("note," + header)
	want.WriteString("note," + strings.TrimSuffix(header, "\n") + ",verdict\n")
	line := 2
	for i := range 60_000 {
		row, verdict := "x"+strconv.Itoa(i)+",cube,board,30,"+strconv.Itoa(1+i%60)+",10", "valid"
		if i%7 == 0 {
			row = "\"a\n" + row[:2] + "\"" + row[strings.IndexByte(row, ','):]
		}
		if i%60 >= 30 {
			verdict = "BOX_3100"
		}
		text.WriteString(row + "\n")
		want.WriteString(row + "," + verdict + "\n")
		lines.WriteString(strconv.Itoa(i+1) + "," + strconv.Itoa(line) + "\n")
		line += 1 + strings.Count(row, "\n")
	}
	for _, piece := range []int{1 << 20, 4096, 100} {
		for format, want := range map[string]string{formatCSV: want.String(), formatJSON: lines.String()} {
			var out, errs bytes.Buffer
			c := &console{in: &slowReader{text.Bytes(), piece}, out: &out, err: &errs, getenv: func(string) string { return "" }}
			status := run([]string{"check", "--limits", shop, "--format", format, "--input", "csv", "-"}, c)
			got := out.String()
			if format == formatJSON {
				var numbers strings.Builder
				for line := range strings.Lines(got) {
					head, _, _ := strings.Cut(strings.TrimPrefix(line, `{"row":`), `,"article"`)
					numbers.WriteString(strings.Replace(head, `,"line":`, ",", 1) + "\n")
				}
				got = numbers.String()
			}
			if got != want || status != 1 || errs.String() != "60000 boxes: 30000 valid, 30000 invalid\n" {
				t.Errorf("in pieces of %d, %s: status %d, %s, other answers", piece, format, status, errs.String())
			}
		}
	}
}

// A slowReader gives at most so many bytes at once.
type slowReader struct {
	text  []byte
	piece int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.piece)], r.text)
	r.text = r.text[n:]
	return n, nil
}

// TestProgress: a bar is on a terminal alone, and gone at the end.
func TestProgress(t *testing.T) {
	shop, file := write(t, "shop.yaml", smallShop), filepath.Join(t.TempDir(), "boxes.csv")
	if err := os.WriteFile(file, []byte(header+strings.Repeat(cubeRow, 50_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, watched := range []bool{false, true} {
		var errs bytes.Buffer
		c := &console{out: io.Discard, err: &errs, getenv: func(string) string { return "" }, watched: watched}
		if status := run([]string{"check", "--limits", shop, file}, c); status != 0 {
			t.Fatal(status, errs.String())
		}
		const counts = "50000 boxes: 50000 valid, 0 invalid\n"
		text, ended := strings.CutSuffix(errs.String(), counts)
		if shown := strings.Contains(text, "%"); shown != watched || !ended || !watched && text != "" ||
			watched && strings.Trim(text[strings.LastIndex(text, "%"):], "\r \x1b[K") == "" {
			t.Errorf("watched %v: %q", watched, errs.String())
		}
		if after := text[strings.LastIndex(text, "\r")+1:]; strings.Trim(after, " ") != "" && after != "\x1b[K" {
			t.Errorf("watched %v: %q stays", watched, after)
		}
	}
}

// TestFullDisk: what cannot be written is told in one line.
func TestFullDisk(t *testing.T) {
	for _, format := range []string{formatCSV, formatJSON, formatText} {
		for _, room := range []int{0, 1_000_000} {
			var errs bytes.Buffer
			c := &console{in: strings.NewReader(header + strings.Repeat("sleeve,carton-300,100,50,60\n", 100_000)),
				out: &fullWriter{room, errors.New("no space left on device")}, err: &errs, getenv: func(string) string { return "" }}
			status := run([]string{"check", "--format", format, "--input", "csv", "-"}, c)
			if want := notice + "boxrules: writing the answers: no space left on device\n"; status != 2 || errs.String() != want {
				t.Errorf("%s: status %d, %q, want %q", format, status, errs.String(), want)
			}
		}
	}
}

// TestSheets: a sheet is a list whose rows are named as the sheet names them.
func TestSheets(t *testing.T) {
	book := excelize.NewFile()
	for i, row := range [][]any{
		nil,
		{"Nr", "Article", "MATERIAL", "Width (cm)", "depth", "height"},
		{"a\nb", "cube", "board", 3, 20.0, "10"},
		nil,
		{"c", "cube", "board", 3, 40.25, 10},
		{"d", "cube", "board", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), true, nil},
		{"e", "cube", "board", 3, nil, 10},
	} {
		if err := book.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(book.MergeCell("Sheet1", "D7", "E7"), book.SetCellFormula("Sheet1", "F6", "=1+1")); err != nil {
		t.Fatal(err)
	}
	if _, err := book.NewSheet("Other"); err != nil {
		t.Fatal(err)
	}
	file, shop := filepath.Join(t.TempDir(), "boxes.xlsx"), write(t, "shop.yaml", smallShop)
	if err := book.SaveAs(file); err != nil {
		t.Fatal(err)
	}
	got := ask(t, "", "check", "--limits", shop, "--format", "csv", file)
	want := "\nNr,Article,MATERIAL,Width (cm),depth,height,verdict\n\"a\nb\",cube,board,3,20,10,valid\n,,,,,,\n" +
		"c,cube,board,3,40.25,10,BOX_3100\nd,cube,board,2026-01-31 00:00,TRUE,,error:width\ne,cube,board,3,,10,error:depth\n"
	notes := "boxrules: " + file + `: reading the sheet "Sheet1", the first of 2; --sheet NAME reads another` + "\nboxrules: " + file +
		`: taking "Article" as article, "MATERIAL" as material, "Width (cm)" as width in cm` + "\n4 boxes: 1 valid, 1 invalid, 2 not a box\n"
	if got != (answer{want, notes, 2}) {
		t.Errorf("check = %q, %s, want %q, %s", got.out, got.err, want, notes)
	}
	got = ask(t, "", "check", "--limits", shop, file)
	for _, line := range []string{"     2  cube  board       30    40.25       10  BOX_3100",
		"     3  " + file + `:6: width: "2026-01-31 00:00" is text, or no length`,
		`; height: missing (a cell merged with another, or a formula that was never calculated, is empty); accepted: a number` + "\n",
		"     4  " + file + ":7: depth: missing (a cell merged"} {
		if !strings.Contains(got.out, line) {
			t.Errorf("check = %s, want %s", got.out, line)
		}
	}
	for sheet, want := range map[string]string{
		"none":  `there is no sheet "none"; accepted: "Sheet1", "Other"`,
		"other": "no boxes; accepted: at least one",
	} {
		got := ask(t, "", "check", "--limits", shop, "--sheet", sheet, file)
		if got.out != "" || got.err != "boxrules: "+file+": "+want+"\n" || got.status != 2 {
			t.Errorf("--sheet %s: %+v, want %s", sheet, got, want)
		}
	}
	got = ask(t, "", "check", "--input", "xlsx", "-")
	if !strings.Contains(got.err, "a spreadsheet cannot be read from stdin; accepted: a file") {
		t.Errorf("%+v", got)
	}
}

// TestProducts: a worker tells the names of rows apart, wherever it looks for them, and remembers little of what there is not.
func TestProducts(t *testing.T) {
	engine := boxrules.Default()
	w := &worker{engine: engine, products: make(map[string]*product)}
	for _, before := range engine.Profiles() {
		for _, p := range engine.Profiles() {
			last := w.product([]byte(before.Article()), []byte(before.Material()))
			for slot := range w.recent {
				w.recent[slot] = last
			}
			if got := w.product([]byte(p.Article()), []byte(p.Material())); got.profile != p {
				t.Fatalf("behind %s in %s, %s in %s is %+v", before.Article(), before.Material(), p.Article(), p.Material(), got)
			}
		}
	}
	known := len(w.products)
	for _, names := range [][2]string{{"tuck-end", "x\x00"}, {"tuck-end\x00x", ""}} {
		if got := w.product([]byte(names[0]), []byte(names[1])); got.profile != nil || (got.problems[0].Field == "article") != (names[1] == "") {
			t.Errorf("%q: %+v", names, got.problems)
		}
	}
	for i := range 2 * maxProducts {
		w.product([]byte(strconv.Itoa(i)), []byte("carton-300"))
		w.product([]byte(strings.Repeat("x", maxName)), []byte(strconv.Itoa(i)))
	}
	if len(w.products) > max(maxProducts, known) {
		t.Errorf("%d products are remembered, of which %d are known", len(w.products), known)
	}
	if got := w.product([]byte("tuck-end"), []byte("carton-300")); got.profile == nil {
		t.Error("a product is forgotten")
	}
}
