package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/lab/csvtest"
)

const titles = "article,material,width,depth,height\n"

// TestLongRows: a row without its line end is at most maxRow long, and the rows before a longer one are
// answered. An open quote costs only its line, however much text follows, and a deeply nested value
// costs only its row.
func TestLongRows(t *testing.T) {
	head, row := strings.ReplaceAll(titles, "height", "height,note"), "sleeve,carton-300,100,50,60,"
	fill := strings.Repeat("x", lists.MaxRow-len(row)-1)
	const line = `{"article":"sleeve","material":"carton-300","width":100,"depth":50,"height":60`
	blank := strings.Repeat(" ", lists.MaxRow-len(line)-1) + "}"
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const tooLong = "this row is longer than 262144 bytes; write one box per row, and close every quote\n"
	for _, test := range []struct {
		name, kind, text string
		rows             int
		said             string // of what is wrong, on stdout or stderr
	}{
		{"the longest", "csv", head + row + fill + "\n" + row + "\n", 2, ""},
		{"the longest at the end of the file", "csv", head + row + "\n" + row + fill, 2, ""},
		{"longer", "csv", head + row + "\n\n" + row + fill + "xxxx\n" + row + "\n", 1, "boxrules: stdin:4: " + tooLong},
		{"longer at the end of the file", "csv", head + row + fill + "xxxx", 0, "boxrules: stdin:2: " + tooLong},
		{"longer, and wrong besides", "csv", head + row + "\n" + row + "\"" + fill + "xxxx\n" + row + "\n", 1, "boxrules: stdin:3: " + tooLong},
		{"longer with quotes", "csv", head + row + "\"a\nb\"\n" + row + "\"" + strings.Repeat("\n", lists.MaxRow) + "\"\n", 1,
			"3 boxes: 1 valid, 0 invalid, 2 not a box"},
		{"with quotes that end in time", "csv", head + row + "\"" + strings.Repeat("\n", lists.MaxRow-100) + "\"\n" + row + "\n", 2, ""},
		{"blank lines longer than a row", "csv", head + strings.Repeat("\n", 2*lists.MaxRow) + row + "\n", 1, ""},
		{"rows behind an open quote", "csv", head + row + "\"\n" + strings.Repeat(row+"\n", lists.MaxRow/10), lists.MaxRow / 10,
			"26215 boxes: 26214 valid, 0 invalid, 1 not"},
		{"a long header", "csv", strings.Repeat("article,", lists.MaxRow), 0, "boxrules: stdin:1: " + tooLong},
		{"the longest", "ndjson", line + blank + "\n" + line + blank, 2, ""},
		{"longer", "ndjson", line + "}\n" + line + "    " + blank + "\n" + line + "}\n", 1, "boxrules: stdin:2: " + tooLong},
		{"longer at the end", "ndjson", line + "    " + blank, 0, "boxrules: stdin:1: " + tooLong},
		{"a code is a bomb", "ndjson", `{"article":` + deep(9000) + "}\n" + line + "}\n", 1,
			`"error":"stdin:1: article: an array; accepted: a JSON string`},
		{"deeper than is read", "ndjson", `{"a":` + deep(30_000) + "," + line[1:] + "}\n" + line + "}\n", 1,
			`"error":"stdin:1: not JSON: invalid character '[' exceeded max depth; write one JSON object per line"`},
	} {
		got := ask(t, test.text, "check", "--format", "json", "--input", test.kind, "-")
		if rows := strings.Count(got.out, `"ok":true`); rows != test.rows || !strings.Contains(got.out+got.err, test.said) ||
			(got.status == 0) != (test.said == "") {
			t.Errorf("%s as %s: %d rows, status %d, %.300s%s, want %d and %q", test.name, test.kind, rows, got.status, got.out, got.err,
				test.rows, test.said)
		}
	}
}

// An oracleRow is what csvtest and the engine make of a row. A malformed row is only its first
// line.
type oracleRow struct {
	line           int
	text, end      string
	cells, verdict string // "" where the row is empty
}

// oracleRows reads a list after its header.
func oracleRows(text string) (rows []oracleRow) {
	engine := boxrules.Default()
	for line := 2; text != ""; {
		first := strings.IndexByte(text, '\n') + 1
		if first == 0 {
			first = len(text)
		}
		n, record, fault := csvtest.Record(text, ',')
		row := oracleRow{line: line}
		switch blank := strings.Trim(text[:first], "\r\n") == "" && strings.Count(text[:first], "\r") < 2; {
		case blank:
			n = first
		case fault != "":
			row.verdict = "error:row"
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
	// Without the flag, the encoding would be detected from the first bytes.
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
