package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

const header = "article,material,width,depth,height\n"

func TestCSV(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	const ok = `{"row":%d,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true}`
	row := func(number int) string { return fmt.Sprintf(ok, number) }
	for _, test := range []struct {
		name, text string
		want       []string // lines of JSON
		err        string   // on stderr, before the summary
		status     int
	}{
		{"plain", header + "cube,board,30,20,10\n", []string{row(1)}, "", 0},
		{"no newline at the end", header + "cube,board,30,20,10", []string{row(1)}, "", 0},
		{"byte order mark", "\ufeff" + header + "cube,board,30,20,10\n", []string{row(1)}, "", 0},
		{"CRLF", strings.ReplaceAll(header+"cube,board,30,20,10\n", "\n", "\r\n"), []string{row(1)}, "", 0},
		{"quotes", `"article","material",width,depth,"height"` + "\n" + `"cube","board","30",20,"10"` + "\n", []string{row(1)}, "", 0},
		{"columns in any order, and others", "height,\"a \"\"note\"\"\",depth,note,width,material,article,note\n10,\"two\r\n" +
			"lines, and a comma\",20,,30,board,cube,\n", []string{row(1)}, "", 0},
		{"blank lines", "\n\r\n" + header + "\n\n\r\ncube,board,30,20,10\n\r\n\ncube,board,30,20,10\n\n", []string{row(1), row(2)}, "", 0},
		{"more blank lines than a row has bytes", header + strings.Repeat("\n", 2*maxRow) + "cube,board,30,20,10\n", []string{row(1)}, "", 0},

		{"bad rows do not stop the run, and lines are counted through blank lines and quotes",
			header + "\n\"cu\nbe\",board,30,20,10\n\ncube,board,4x,20,10\ncube,board,30,20\ncube,board,30,20,10,5\n" +
				"cube,b\"d,30,20,10\n\"cube\"s,board,30,20,10\ncube,board,30,20,10\n", []string{
				`{"row":1,"article":"cu\u000abe","material":"board","width":30,"depth":20,"height":10,"ok":false,` +
					`"error":"stdin:3: article: unknown article \"cu\\nbe\"; accepted: cube","field":"article"}`,
				`{"row":2,"article":"cube","material":"board","depth":20,"height":10,"ok":false,` +
					`"error":"stdin:6: width: \"4x\" is not a dimension; accepted: a plain decimal such as 48 or ` +
					`48.5","field":"width"}`,
				`{"row":3,"ok":false,"error":"stdin:7: the row has 4 fields; accepted: 5, as the header"}`,
				`{"row":4,"ok":false,"error":"stdin:8: the row has 6 fields; accepted: 5, as the header"}`,
				`{"row":5,"ok":false,"error":"stdin:9: a quote in a field that is not quoted; accepted: quotes around a ` +
					`whole field, and those within it doubled"}`,
				`{"row":6,"ok":false,"error":"stdin:10: a quote in a quoted field that is not its end, or none at its end; ` +
					`accepted: quotes around a whole field, and those within it doubled"}`,
				row(7),
			}, "", 2},
		{"an open quote takes the rest", header + "cube,board,30,20,10\n\ncube,\"board,30,20,10\ncube,board,30,20,10\n", []string{row(1),
			`{"row":2,"ok":false,"error":"stdin:4: a quote in a quoted field that is not its end, or none at its end; ` +
				`accepted: quotes around a whole field, and those within it doubled"}`}, "", 2},
		{"the first field to blame is blamed, and what could be read is given", header + "cube,wood,4x,1e3,\ncube,,1,-1000001,+3\n", []string{
			`{"row":1,"article":"cube","material":"wood","ok":false,` +
				`"error":"stdin:2: material: unknown material \"wood\"; accepted for cube: board","field":"material"}`,
			`{"row":2,"article":"cube","material":"","width":1,"ok":false,` +
				`"error":"stdin:3: material: missing; accepted for cube: board","field":"material"}`}, "", 2},
		{"not UTF-8", "note," + header + "\xe9,cube,board,30,20,10\n,c\x9bube,board,30,20,10\n", []string{
			`{"row":1,"ok":false,"error":"stdin:2: column 1 is not UTF-8; accepted: UTF-8"}`,
			`{"row":2,"ok":false,"error":"stdin:3: column 2 is not UTF-8; accepted: UTF-8"}`}, "", 2},
		{"control characters", header + "cube\x1b[31m\u009b\x7f,board,30,20,10\n", []string{
			`{"row":1,"article":"cube\u001b[31m\u009b\u007f","material":"board","width":30,"depth":20,"height":10,` +
				`"ok":false,"error":"stdin:2: article: unknown article \"cube\\x1b[31m\\u009b\\x7f\"; accepted: ` +
				`cube","field":"article"}`}, "", 2},
		{"blank row", header + " \n", []string{`{"row":1,"ok":false,"error":"stdin:2: the row has 1 field; accepted: 5, as the header"}`}, "", 2},

		{"empty", "", nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"blank", "\n\r\n", nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"header alone", header, nil, "boxrules: stdin: no boxes; accepted: at least one\n", 2},
		{"columns are missing", "\narticle,material,Width,depth,\"height\x1b\"\n", nil,
			`boxrules: stdin:2: the header "article,material,Width,depth,height\x1b" lacks width and height; accepted: a ` +
				`header of article, material, width, depth and height, as they are written here, in any ` +
				`order, separated by commas` + "\n", 2},
		{"other separators", strings.ReplaceAll(header, ",", ";"), nil,
			`boxrules: stdin:1: the header "article;material;width;depth;height" lacks article, material, width, depth and ` +
				`height; accepted: a header of article, material, width, depth and height, as they are written here, in any ` +
				`order, separated by commas` + "\n", 2},
		{"columns come twice", "width,depth,article,material,width,depth,height\n", nil,
			`boxrules: stdin:1: the header has width and depth twice; accepted: a header of article, material, width, depth ` +
				`and height, as they are written here, in any order, separated by commas` + "\n", 2},
		{"header is not UTF-8", "art\xe9," + header, nil,
			"boxrules: stdin:1: the header is not UTF-8; accepted: a header of article, material, width, depth and height, " +
				"as they are written here, in any order, separated by commas\n", 2},
		{"header is no CSV", "art\"icle," + header, nil,
			`boxrules: stdin:1: a quote in a field that is not quoted; accepted: quotes around a whole field, and ` +
				`those within it doubled` + "\n", 2},
		{"UTF-16", "\xff\xfea\x00r\x00", nil, "boxrules: stdin: UTF-16 text; accepted: UTF-8\n", 2},
		{"UTF-16, the other way round", "\xfe\xff\x00a\x00r", nil, "boxrules: stdin: UTF-16 text; accepted: UTF-8\n", 2},
		{"UTF-16 without a mark", "a\x00r\x00", nil, "boxrules: stdin: UTF-16 text; accepted: UTF-8\n", 2},
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

// A row is not longer than maxRow, its line end aside, and what comes before it has its answer.
func TestCSVLongRows(t *testing.T) {
	row := "sleeve,carton-300,100,50,60,"
	fill := strings.Repeat("x", maxRow-len(row))
	const tooLong = "this row is longer than 65536 bytes; accepted: one box a row, every quote closed\n"
	for _, test := range []struct {
		name, text string
		rows       int
		err        string
	}{
		{"the longest", row + fill + "\n" + row + "\n", 2, ""},
		{"the longest at the end of the file", row + "\n" + row + fill, 2, ""},
		{"longer", row + "\n\n" + row + fill + "x\n" + row + "\n", 1, "boxrules: stdin:4: " + tooLong},
		{"longer at the end of the file", row + fill + "x", 0, "boxrules: stdin:2: " + tooLong},
		{"longer, and wrong besides", row + "\n" + row + "\"" + fill + "x\n" + row + "\n", 1, "boxrules: stdin:3: " + tooLong},
		{"longer with quotes", row + "\"a\nb\"\n" + row + "\"" + strings.Repeat("\n", maxRow) + "\"\n", 1, "boxrules: stdin:4: " + tooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			stdin := strings.ReplaceAll(header, "height", "height,note") + test.text
			got := ask(t, stdin, "check", "--format", "json", "--input", "csv", "-")
			err := strings.TrimPrefix(got.err, notice)
			if rows := strings.Count(got.out, `"ok":true`); rows != test.rows || !strings.HasPrefix(err, test.err) ||
				(got.status == 0) != (test.err == "") {
				t.Errorf("check answers %d rows, status %d, %q; want %d rows, %q", rows, got.status, err, test.rows, test.err)
			}
		})
	}
	long := ask(t, strings.Repeat("article,", maxRow), "check", "--input", "csv", "-")
	if want := notice + "boxrules: stdin:1: " + tooLong; long.err != want || long.status != 2 {
		t.Errorf("a long header = %q, want %q", long.err, want)
	}
}

// csvStarts is where each record starts in the text, by a csv.Reader that has it all to itself. It stops
// counting where our reader would give up.
func csvStarts(text string) (starts []int, counted bool) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.FieldsPerRecord = -1
	for {
		_, err := r.Read()
		var malformed *csv.ParseError
		switch {
		case err == io.EOF:
			return starts, len(text) <= maxRow
		case errors.As(err, &malformed):
			starts = append(starts, malformed.StartLine)
		default:
			line, _ := r.FieldPos(0)
			starts = append(starts, line)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		header + "sleeve,carton-300,100,50,60\nsleeve,carton-300,1,50,60\n",
		"\ufeffheight,\"no\nte\",depth,width,material,article\r\n\r\n60,\"a \"\"b\"\"\",50,100,carton-300,sleeve\r\n",
		header + "\n\nsleeve,\"carton-300\"x,100,50,60\n\"sleeve\n,b\n",
		header + "a\x1b[31m,\x9b,1e3,,NaN\n,,,,\n \n",
		"article;width\n",
		"\xff\xfea\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := checkFuzzed(t, kindCSV, text)
		starts, counted := csvStarts(text)
		if lines == nil || !counted {
			return
		}
		if len(lines) != len(starts)-1 {
			t.Fatalf("%d lines for %d rows of %q", len(lines), len(starts)-1, text)
		}
		for i, line := range lines {
			if place := fmt.Sprintf("stdin:%d: ", starts[i+1]); line.Error != "" && !strings.HasPrefix(line.Error, place) {
				t.Errorf("row %d of %q: %q, want it at %s", i+1, text, line.Error, place)
			}
		}
	})
}
