package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

const titles = "article,material,width,depth,height\n"

func TestCSV(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	const ok = `{"row":%d,"line":%d,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true}`
	row := func(number, line int) string { return fmt.Sprintf(ok, number, line) }
	for _, test := range []struct {
		name, text string
		want       []string // lines of JSON
		err        string   // on stderr, before the summary
		status     int
	}{
		{"plain", titles + "cube,board,30,20,10\n", []string{row(1, 2)}, "", 0},
		{"no newline at the end", titles + "cube,board,30,20,10", []string{row(1, 2)}, "", 0},
		{"byte order mark", "\ufeff" + titles + "cube,board,30,20,10\n", []string{row(1, 2)}, "", 0},
		{"CRLF", strings.ReplaceAll(titles+"cube,board,30,20,10\n", "\n", "\r\n"), []string{row(1, 2)}, "", 0},
		{"quotes", `"article","material",width,depth,"height"` + "\n" + `"cube","board","30",20,"10"` + "\n", []string{row(1, 2)}, "", 0},
		{"columns in any order, and others", "height,\"a \"\"note\"\"\",depth,note,width,material,article,note\n10,\"two\r\n" +
			"lines, and a comma\",20,,30,board,cube,\n", []string{row(1, 2)}, "", 0},
		{"blank lines", "\n\r\n" + titles + "\n\n\r\ncube,board,30,20,10\n\r\n\ncube,board,30,20,10\n\n", []string{row(1, 7), row(2, 10)}, "", 0},
		{"more blank lines than a row has bytes", titles + strings.Repeat("\n", 2*lists.MaxRow) + "cube,board,30,20,10\n",
			[]string{row(1, 2*lists.MaxRow+2)}, "", 0},

		{"a list of a shop",
			"\ufeff Article ;MATERIAL;Width (cm);\"Depth\n(mm)\";height [m];SKU\r\ncube; board\t;3; 20 ;\u00a00.01\u00a0;x\r\n",
			[]string{row(1, 3)}, "boxrules: stdin: the columns are separated by semicolons\n" +
				`boxrules: stdin: taking "Article" as article, "MATERIAL" as material, "Width (cm)" as width in cm, ` +
				`"Depth (mm)" as depth in mm, "height [m]" as height in m` + "\n", 0},
		{"what Excel writes", "sep=;\r\n" + strings.ReplaceAll(titles+"cube,board,30,20,10\n", ",", ";"), []string{row(1, 3)},
			"boxrules: stdin: the columns are separated by \";\", as its first line says\n", 0},
		{"UTF-16", "\xff\xfe" + toUTF16(titles+"cube,board,30,20,10\n"), []string{row(1, 2)}, "", 0},
		{"UTF-16 without a mark", toUTF16(titles + "cube,board,30,20,10\n"), []string{row(1, 2)},
			"boxrules: stdin: the text is read as utf-16le, unless --encoding says another\n", 0},
		{"Windows-1252", "Gr\xf6\xdfe," + titles + "\xfc,cube,board,30,20,10\n", []string{row(1, 2)},
			"boxrules: stdin: some text is not UTF-8: it is read as windows-1252, unless --encoding says another\n", 0},
		{"rows with nothing in them", ",,,,\n \n" + titles + ",,,,\n ,\" \",\t,,\u00a0\n \ncube,board,30,20,10\n,,,,",
			[]string{row(1, 7)}, "", 0},

		{"bad rows do not stop the run, and lines are counted through blank lines and quotes",
			titles + "\n\"cu\nbe\",board,30,20,10\n\ncube,board,4x,20,10\ncube,board,30,20\ncube,board,30,20,10,5\n" +
				"cube,b\"d,30,20,10\n\"cube\"s,board,30,20,10\ncube,board,30,20,10\n", []string{
				`{"row":1,"line":3,"article":"cu\u000abe","material":"board","width":30,"depth":20,"height":10,"ok":false,` +
					`"error":"stdin:3: article: unknown article \"cu\\nbe\"; accepted: cube","field":"article",` +
					`"errors":[{"field":"article","error":"unknown article \"cu\\nbe\"; accepted: cube"}]}`,
				`{"row":2,"line":6,"article":"cube","material":"board","depth":20,"height":10,"ok":false,` +
					`"error":"stdin:6: width: \"4x\" is not a dimension; accepted: a plain decimal such as 48 or ` +
					`48.5","field":"width","errors":[{"field":"width","error":"\"4x\" is not a dimension; accepted: a plain ` +
					`decimal such as 48 or 48.5"}]}`,
				`{"row":3,"line":7,"ok":false,"error":"stdin:7: the row has 4 fields; accepted: 5, as the header"}`,
				`{"row":4,"line":8,"ok":false,"error":"stdin:8: the row has 6 fields; accepted: 5, as the header"}`,
				`{"row":5,"line":9,"ok":false,"error":"stdin:9: a quote within a field that does not begin with one; accepted: quotes around a ` +
					`whole field, and those within it doubled"}`,
				`{"row":6,"line":10,"ok":false,"error":"stdin:10: a quote that is never closed, or closed before its field ends; ` +
					`accepted: quotes around a whole field, and those within it doubled"}`,
				row(7, 11),
			}, "", 2},
		{"an open quote takes its line alone", titles + "cube,board,30,20,10\n\ncube,\"board,30,20,10\ncube,board,30,20,10\n", []string{
			row(1, 2),
			`{"row":2,"line":4,"ok":false,"error":"stdin:4: a quote that is never closed, or closed before its field ends; ` +
				`accepted: quotes around a whole field, and those within it doubled"}`,
			row(3, 5)}, "", 2},
		{"every wrong field is told, and what could be read is given", titles + "ball,wood,4x,1e3,\n", []string{
			`{"row":1,"line":2,"article":"ball","material":"wood","ok":false,"error":"stdin:2: ` +
				`article: unknown article \"ball\"; accepted: cube; material: unknown material \"wood\"; accepted: board; ` +
				`width: \"4x\" is not a dimension; accepted: a plain decimal such as 48 or 48.5; ` +
				`depth: \"1e3\" is not a dimension; accepted: a plain decimal such as 48 or 48.5; ` +
				`height: missing; accepted: a number from -1000000 to 1000000","field":"article","errors":[` +
				`{"field":"article","error":"unknown article \"ball\"; accepted: cube"},` +
				`{"field":"material","error":"unknown material \"wood\"; accepted: board"},` +
				`{"field":"width","error":"\"4x\" is not a dimension; accepted: a plain decimal such as 48 or 48.5"},` +
				`{"field":"depth","error":"\"1e3\" is not a dimension; accepted: a plain decimal such as 48 or 48.5"},` +
				`{"field":"height","error":"missing; accepted: a number from -1000000 to 1000000"}]}`}, "", 2},
		{"a material is missing, of an article that there is and of another", titles + "cube,,1,-1000001,3\nball,,1,2,3\n", []string{
			`{"row":1,"line":2,"article":"cube","material":"","width":1,"height":3,"ok":false,"error":"stdin:2: ` +
				`material: missing; accepted for cube: board; depth: -1000001 is not a dimension; accepted: a number from -1000000 ` +
				`to 1000000","field":"material","errors":[{"field":"material","error":"missing; accepted for cube: board"},` +
				`{"field":"depth","error":"-1000001 is not a dimension; accepted: a number from -1000000 to 1000000"}]}`,
			`{"row":2,"line":3,"article":"ball","material":"","width":1,"depth":2,"height":3,"ok":false,"error":"stdin:3: ` +
				`article: unknown article \"ball\"; accepted: cube; material: missing; accepted: board","field":"article","errors":[` +
				`{"field":"article","error":"unknown article \"ball\"; accepted: cube"},{"field":"material","error":"missing; ` +
				`accepted: board"}]}`}, "", 2},
		{"UTF-8 and Windows-1252",
			"ü," + titles + "\xe9,cube,board,30,20,10\n,c\x9bube,board,30,20,10\n,cübe,board,30,20,10\n", []string{row(1, 2),
				`{"row":2,"line":3,"article":"c›ube","material":"board","width":30,"depth":20,"height":10,"ok":false,"error":"stdin:3: ` +
					`article: unknown article \"c›ube\"; accepted: cube","field":"article",` +
					`"errors":[{"field":"article","error":"unknown article \"c›ube\"; accepted: cube"}]}`,
				`{"row":3,"line":4,"article":"cübe","material":"board","width":30,"depth":20,"height":10,"ok":false,"error":"stdin:4: ` +
					`article: unknown article \"cübe\"; accepted: cube","field":"article",` +
					`"errors":[{"field":"article","error":"unknown article \"cübe\"; accepted: cube"}]}`},
			"boxrules: stdin: some text is not UTF-8: it is read as windows-1252, unless --encoding says another\n", 2},
		{"not UTF-8 behind its mark", "\ufeff" + titles + "c\x9bube,board,30,20,10\n", []string{
			`{"row":1,"line":2,"material":"board","width":30,"depth":20,"height":10,"ok":false,"error":"stdin:2: ` +
				`article: \"c\\x9bube\" is not UTF-8; accepted: UTF-8, or for a list --encoding windows-1252","field":"article",` +
				`"errors":[{"field":"article","error":"\"c\\x9bube\" is not UTF-8; accepted: UTF-8, or for a list --encoding ` +
				`windows-1252"}]}`}, "", 2},
		{"control characters", titles + "cube\x1b[31m\u009b\x7f,board,30,20,10\n", []string{
			`{"row":1,"line":2,"article":"cube\u001b[31m\u009b\u007f","material":"board","width":30,"depth":20,"height":10,` +
				`"ok":false,"error":"stdin:2: article: unknown article \"cube\\x1b[31m\\u009b\\x7f\"; accepted: ` +
				`cube","field":"article","errors":[{"field":"article","error":"unknown article ` +
				`\"cube\\x1b[31m\\u009b\\x7f\"; accepted: cube"}]}`}, "", 2},

		{"empty", "", nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"blank", "\n\r\n", nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"a byte order mark alone", "\ufeff", nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"header alone", titles, nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"columns are missing", "\narticle,material,Breite,depth,\"height\x1b\"\n", nil,
			`boxrules: stdin:2: the header "article, material, Breite, depth, height…", 5 columns, lacks width, height; accepted: columns of ` +
				`these names in the first row, or --rename width=NAME,height=NAME` + "\n", 2},
		{"a column that a flag can give is missing", "article,width,depth,height\n", nil,
			`boxrules: stdin:1: the header "article, width, depth, height", 4 columns, lacks material; ` +
				`accepted: columns of these names in the first row, or ` +
				`--rename material=NAME, or --material` + "\n", 2},
		{"columns come twice", "width,depth,article,material,Width (mm),height\n", nil,
			`boxrules: stdin:1: column 1 "width" and column 5 "Width (mm)" are both width; accepted: one of them, as in ` +
				`--rename "width=width"` + "\n", 2},
		{"two delimiters could be meant", "article;material,width;depth,height\n", nil,
			`boxrules: stdin:1: the header "article;material,width;depth,height" has both commas and semicolons; accepted: ` +
				`what separates the columns, as --delimiter ',' or --delimiter ';'` + "\n", 2},
		{"header is no CSV", "art\"icle," + titles, nil,
			`boxrules: stdin:1: a quote within a field that does not begin with one; accepted: quotes around a whole field, and ` +
				`those within it doubled` + "\n", 2},
		{"half a letter of UTF-16", "\xff\xfea\x00r", nil,
			"boxrules: stdin:1: byte 5 is the last and half of a character; accepted: UTF-16\n", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ask(t, test.text, "check", "--limits", shop, "--format", "json", "--input", "csv", "-")
			want := strings.Join(append(test.want, ""), "\n")
			if err, _, _ := strings.Cut(got.err, fmt.Sprint(len(test.want), " box")); got.out != want || err != test.err ||
				got.status != test.status {
				t.Errorf("check =\n%s%sstatus %d, want\n%s%sstatus %d", got.out, got.err, got.status, want, test.err, test.status)
			}
		})
	}
}

// toUTF16 is ASCII as UTF-16, the lower byte first.
func toUTF16(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }

// A row is not longer than maxRow, its line end aside, and what comes before it has its answer. An open quote takes its line
// alone, however much stands behind it.
func TestCSVLongRows(t *testing.T) {
	row := "sleeve,carton-300,100,50,60,"
	fill := strings.Repeat("x", lists.MaxRow-len(row)-1)
	const tooLong = "this row is longer than 262144 bytes; accepted: one box a row, every quote closed\n"
	for _, test := range []struct {
		name, text string
		rows       int
		err        string
	}{
		{"the longest", row + fill + "\n" + row + "\n", 2, ""},
		{"the longest at the end of the file", row + "\n" + row + fill, 2, ""},
		{"longer", row + "\n\n" + row + fill + "xxxx\n" + row + "\n", 1, "boxrules: stdin:4: " + tooLong},
		{"longer at the end of the file", row + fill + "xxxx", 0, "boxrules: stdin:2: " + tooLong},
		{"longer, and wrong besides", row + "\n" + row + "\"" + fill + "xxxx\n" + row + "\n", 1, "boxrules: stdin:3: " + tooLong},
		{"longer with quotes", row + "\"a\nb\"\n" + row + "\"" + strings.Repeat("\n", lists.MaxRow) + "\"\n", 1,
			"3 boxes: 1 valid, 0 invalid, 2 not a box"},
		{"with quotes that end in time", row + "\"" + strings.Repeat("\n", lists.MaxRow-100) + "\"\n" + row + "\n", 2, ""},
		{"rows behind an open quote", row + "\"\n" + strings.Repeat(row+"\n", lists.MaxRow/10), lists.MaxRow / 10,
			"26215 boxes: 26214 valid, 0 invalid, 1 not"},
	} {
		t.Run(test.name, func(t *testing.T) {
			stdin := strings.ReplaceAll(titles, "height", "height,note") + test.text
			got := ask(t, stdin, "check", "--format", "json", "--input", "csv", "-")
			err := strings.TrimPrefix(got.err, notice)
			if rows := strings.Count(got.out, `"ok":true`); rows != test.rows || !strings.HasPrefix(err, test.err) ||
				(got.status == 0) != (test.err == "") {
				t.Errorf("check answers %d rows, status %d, %q; want %d rows, %q", rows, got.status, err, test.rows, test.err)
			}
		})
	}
	long := ask(t, strings.Repeat("article,", lists.MaxRow), "check", "--input", "csv", "-")
	if want := notice + "boxrules: stdin:1: " + tooLong; long.err != want || long.status != 2 {
		t.Errorf("a long header = %q, want %q", long.err, want)
	}
}

// An oracleRow is what encoding/csv and the engine make of a row, of which one that is malformed is its first line.
type oracleRow struct {
	line           int
	text, end      string
	cells, verdict string // "" where the row is empty
}

// oracleRows reads a list behind the header, with a csv.Reader that starts anew at each row.
func oracleRows(text string) (rows []oracleRow) {
	engine := boxrules.Default()
	for line := 2; text != ""; {
		first := strings.IndexByte(text, '\n') + 1
		if first == 0 {
			first = len(text)
		}
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		record, err := r.Read()
		n := int(r.InputOffset())
		row := oracleRow{line: line}
		switch blank := strings.Trim(text[:first], "\r\n") == "" && strings.Count(text[:first], "\r") < 2; {
		case blank:
			n = first
		case err != nil:
			n, row.verdict = first, "error:row"
		case strings.TrimSpace(strings.Join(record, "")) == "":
			row.cells = strings.Repeat(",", len(record)-1)
		case len(record) != 5:
			row.verdict = "error:row"
		default:
			row.verdict = oracleVerdict(engine, record)
		}
		row.text, row.end = text[:n], ""
		for _, end := range []string{"\r\n", "\n", "\r"} {
			if cut, ok := strings.CutSuffix(text[:n], end); ok && (end != "\r" || n == len(text)) {
				row.text, row.end = cut, end
				break
			}
		}
		rows = append(rows, row)
		line += strings.Count(text[:n], "\n")
		text = text[n:]
	}
	return rows
}

// oracleVerdict goes through the fields in the order in which they are blamed.
func oracleVerdict(engine *boxrules.Engine, record []string) string {
	var dims [3]float64
	var wrong string
	for i := range dims {
		x, err := boxrules.ParseDimension("", strings.TrimSpace(record[2+i]))
		if dims[i] = x; err != nil && wrong == "" {
			wrong = "error:" + []string{"width", "depth", "height"}[i]
		}
	}
	box := boxrules.Box{Article: strings.TrimSpace(record[0]), Material: strings.TrimSpace(record[1]),
		Dims: boxrules.Dims{Width: dims[0], Depth: dims[1], Height: dims[2]}}
	if !utf8.ValidString(box.Article) {
		return "error:article"
	}
	verdict, err := engine.Check(box)
	var problem *boxrules.InputError
	switch {
	case errors.As(err, &problem):
		return "error:" + problem.Field
	case wrong != "":
		return wrong
	case verdict.OK():
		return "valid"
	}
	return string(verdict.Code())
}

// holdList holds all formats of check against the oracle.
func holdList(t *testing.T, text string) {
	t.Helper()
	rows := oracleRows(text)
	var answers strings.Builder
	answered := []oracleRow{}
	answers.WriteString("article,material,width,depth,height,verdict\n")
	for _, r := range rows {
		switch {
		case r.verdict != "":
			answered = append(answered, r)
			answers.WriteString(r.text + "," + r.verdict + r.end)
		case r.cells != "":
			answers.WriteString(r.text + "," + r.end)
		default:
			answers.WriteString(r.text + r.end)
		}
	}
	want := answers.String()
	if text == "" {
		want = "" // what comes before the answers waits for the first row
	}
	// The encoding is told from the first bytes, and would be that of texts that are not UTF-8.
	args := []string{"check", "--input", "csv", "--encoding", "utf-8", "--delimiter", ",", "-", "--format"}
	got := ask(t, titles+text, append(args, "csv")...)
	if got.out != want {
		at := 0
		for at < min(len(want), len(got.out)) && want[at] == got.out[at] {
			at++
		}
		cut := func(s string) string { return s[max(0, at-200):min(len(s), at+100)] }
		t.Fatalf("the list %.200q is answered …%q, want …%q", text, cut(got.out), cut(want))
	}
	lines := strings.Split(ask(t, titles+text, append(args, "json")...).out, "\n")
	if len(lines) != len(answered)+1 {
		t.Fatalf("the list %q has %d lines of JSON, want %d", text, len(lines)-1, len(answered))
	}
	for i, r := range answered {
		said := struct {
			Row, Line   int
			OK          bool
			Code, Field string
		}{}
		if err := json.Unmarshal([]byte(lines[i]), &said); err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		verdict := said.Code
		switch {
		case said.OK:
			verdict = "valid"
		case said.Code == "":
			verdict = "error:" + cmp.Or(said.Field, "row")
		}
		if said.Row != i+1 || said.Line != r.line || verdict != r.verdict {
			t.Fatalf("row %d of %q: %s, want line %d and %s", i+1, text, lines[i], r.line, r.verdict)
		}
	}
}

// TestRandomLists has rows that are malformed in all ways, long enough for several chunks.
func TestRandomLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	parts := []string{`"`, `"`, `""`, ",", ",,,,", "\n", "\r\n", "\r", "x", "\xe9", " ", "sleeve,carton-300,100,50,60",
		"\"sleeve\",carton-300, 1 ,\"50\",60\n", "sleeve,carton-300,400.0004,50.5,60\n", "mailer,e-flute,1,2,\n",
		"tray,glass,1,2,3\r\n", strings.Repeat("a", 30)}
	lists, long := 40, 1
	if thorough {
		lists, long = 120, 3
	}
	for i := range lists {
		var text strings.Builder
		length := rng.IntN(60)
		if i < long {
			length = 40_000
		}
		for range length {
			text.WriteString(parts[rng.IntN(len(parts))])
		}
		holdList(t, text.String())
	}
}

func FuzzList(f *testing.F) {
	for _, seed := range []string{
		"sleeve,carton-300,100,50,60\nsleeve,carton-300,1,50,60\n",
		"\n\nsleeve,\"carton-300\"x,100,50,60\n\"sleeve\n,b\n",
		"a\x1b[31m,\x9b,1e3,,NaN\n,,,,\n \n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < lists.MaxRow {
			holdList(t, text)
		}
	})
}

// FuzzCSV has any header.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		titles + "sleeve,carton-300,100,50,60\nsleeve,carton-300,1,50,60\n",
		"\ufeffheight,\"no\nte\",depth,width,material,article\r\n\r\n60,\"a \"\"b\"\"\",50,100,carton-300,sleeve\r\n",
		"sep=;\nWidth (in);DEPTH [mm];height;article;Material\n1;2;3;sleeve;carton-300\n",
		"article;width\n",
		"\xff\xfea\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkFuzzed(t, lists.CSV, text) })
}
