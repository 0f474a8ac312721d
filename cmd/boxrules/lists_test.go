package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/limits"
)

// TestFieldsBlamed: check blames the field that Engine.Check does, of any kinds of fault, and
// lists every field that is wrong.
func TestFieldsBlamed(t *testing.T) {
	text := strings.Replace(smallShop, "articles:\n", "articles:\n  ball: {materials: [other], width: {min: 1, max: 9}, "+
		"depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n", 1)
	text = strings.Replace(text, "sheet: s}}", "sheet: s}, other: {caliper: 1, glue_flap: 10, sheet: s}}", 1) + "decimals: 2\n"
	catalogue, err := limits.Load("shop.yaml", []byte(text))
	noError(t, err)
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	noError(t, err)
	r := rand.New(rand.NewPCG(2, 5))
	some := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	var csv, ndjson strings.Builder
	var want []string
	csv.WriteString(titles)
	for range 2000 {
		names := [2]string{some("cube", "cube", "ball", "egg", ""), some("board", "board", "other", "wood", "")}
		var numbers [3]string
		var dims [3]float64
		for i := range dims {
			numbers[i] = some("30", "30", "20.25", "401.471", "5.001", "1000001", "-1000000.5", "0.001", "7")
			dims[i], _ = strconv.ParseFloat(numbers[i], 64) // a plain decimal
		}
		box := boxrules.Box{Article: names[0], Material: names[1], Dims: boxrules.Dims{Width: dims[0], Depth: dims[1], Height: dims[2]}}
		fmt.Fprintf(&csv, "%s,%s,%s,%s,%s\n", names[0], names[1], numbers[0], numbers[1], numbers[2])
		fmt.Fprintf(&ndjson, `{"article":%q,"material":%q,"width":%s,"depth":%s,"height":%s}`+"\n",
			names[0], names[1], numbers[0], numbers[1], numbers[2])
		want = append(want, verdictOf(engine, box))
	}
	shop := write(t, "shop.yaml", text)
	args := []string{"check", "--limits", shop, "-", "--input"}
	got := ask(t, csv.String(), append(args, "csv", "--format", "csv")...)
	for i, line := range strings.Split(strings.TrimSpace(got.out), "\n")[1:] {
		word, _, _ := strings.Cut(want[i], " ")
		if !strings.HasSuffix(line, ","+word) {
			t.Fatalf("%s, want %s", line, want[i])
		}
	}
	for kind, text := range map[string]string{lists.CSV: csv.String(), lists.NDJSON: ndjson.String()} {
		got := ask(t, text, append(args, kind, "--format", "json")...)
		lines := strings.Split(strings.TrimSpace(got.out), "\n")
		for i, line := range lines {
			var r struct{ Errors []struct{ Field string } }
			if err := json.Unmarshal([]byte(line), &r); err != nil || len(lines) != len(want) {
				t.Fatal(len(lines), line, err)
			}
			var fields []string
			for _, e := range r.Errors {
				fields = append(fields, e.Field)
			}
			_, all, _ := strings.Cut(want[i], " ")
			if strings.Join(fields, " ") != all {
				t.Fatalf("%s blames %s, want %s", line, fields, all)
			}
		}
	}
}

// verdictOf returns the verdict that check must print for the box, according to the engine. For what is
// not a box it lists every field that is wrong.
func verdictOf(engine *boxrules.Engine, box boxrules.Box) string {
	blames := func(b boxrules.Box, field string) bool {
		var e *boxrules.InputError
		_, err := engine.Check(b)
		return errors.As(err, &e) && e.Field == field
	}
	v, err := engine.Check(box)
	var first *boxrules.InputError
	if !errors.As(err, &first) {
		if v.OK() {
			return "valid"
		}
		return string(v.Code())
	}
	text := "error:" + first.Field
	// A material is wrong for the article, and for an unknown article where it is for all.
	wrong := true
	for _, article := range []string{"cube", "ball"} {
		if b := (boxrules.Box{Article: article, Material: box.Material}); article == box.Article || first.Field == "article" {
			wrong = wrong && blames(b, "material")
		}
	}
	if first.Field == "article" {
		text += " article"
	}
	if wrong {
		text += " material"
	}
	good := boxrules.Box{Article: "cube", Material: "board"}
	width, depth, height := good, good, good
	width.Width, depth.Depth, height.Height = box.Width, box.Depth, box.Height
	for i, b := range []boxrules.Box{width, depth, height} {
		if name := lists.FieldNames[lists.FirstDimension+i]; blames(b, name) {
			text += " " + name
		}
	}
	return text
}

// TestLongLists: rows keep their order and their numbers over many chunks, whatever the pieces
// that they come in.
func TestLongLists(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	var text, want, lines bytes.Buffer
	text.WriteString("note," + titles)
	want.WriteString("note," + strings.TrimSuffix(titles, "\n") + ",verdict\n")
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
		for format, want := range map[string]string{verdicts.FormatCSV: want.String(), verdicts.FormatJSON: lines.String()} {
			var out, errs bytes.Buffer
			c := &console.Console{In: &slowReader{text.Bytes(), piece}, Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
			status := run([]string{"check", "--limits", shop, "--format", format, "--input", "csv", "-"}, c)
			got := out.String()
			if format == verdicts.FormatJSON {
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

// A slowReader returns only a few bytes at a time.
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

// TestEncodingsOfFiles: a byte that is a letter in one file is none in the next, whichever worker
// answers for it.
func TestEncodingsOfFiles(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	shop := write(t, "shop.yaml", strings.ReplaceAll(smallShop, "cube", "würfel"))
	row := "w\xfcrfel,board,30,20,10\n"
	folder := t.TempDir()
	var files []string
	for i, text := range []string{titles + row, "\ufeff" + titles + row, titles + row + row} {
		files = append(files, filepath.Join(folder, strconv.Itoa(i)+".csv"))
		noError(t, os.WriteFile(files[i], []byte(text), 0o600))
	}
	for i := range lab.Draws(24, 200) {
		runtime.GOMAXPROCS(1 + i%8)
		got := ask(t, "", append([]string{"check", "--limits", shop, "--format", "json", "--summary"}, files...)...)
		for text, want := range map[string]int{
			`"ok":true}`: 3, `"field":"article","errors":`: 1, "w\xfcrfel": 0, "würfel     valid          3": 1, "some text is not UTF-8": 2,
		} {
			if n := strings.Count(got.out+got.err, text); n != want {
				t.Fatalf("run %d: %q comes %d times, want %d:\n%s%s", i, text, n, want, got.out, got.err)
			}
		}
	}
}
