package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/limits"
)

func TestExamples(t *testing.T) {
	for _, kind := range []string{lists.CSV, lists.NDJSON} {
		for _, format := range []string{verdicts.FormatText, verdicts.FormatJSON} {
			for _, all := range []string{"false", "true"} {
				name := "boxes." + kind + "." + format
				if all == "true" {
					name += ".all"
				}
				t.Run(name, func(t *testing.T) {
					file := "../../examples/boxes." + kind
					got := ask(t, "", "check", "--format", format, "--all="+all, file)
					if got.status != 1 {
						t.Errorf("status %d, want 1", got.status)
					}
					golden(t, name, got.out+"-- stderr\n"+got.err)

					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					if piped := ask(t, string(text), "check", "--format", format, "--all="+all, "--input", kind, "-"); piped != got {
						t.Errorf("from stdin = %+v, from the file %+v", piped, got)
					}
				})
			}
		}
	}
}

func TestOneBox(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	for _, test := range []struct {
		box, flags string
		status     int
		want       string
	}{
		{"cube board 30 20 10", "", 0,
			"cube  board  30 x 20 x 10  valid\n"},
		{"cube board 30 20 10", "--format json", 0,
			`{"row":1,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true}` + "\n"},
		{"cube board 30 20 10", "--format json --all", 0,
			`{"row":1,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true,"codes":[]}` + "\n"},
		{"cube board 0 200 10.5", "", 1,
			"cube  board  0 x 200 x 10.5  BOX_2100  width 0 < min_width 1\n"},
		{"cube board 0 200 10.5", "--all", 1, "" +
			"cube  board  0 x 200 x 10.5  BOX_2100  width 0 < min_width 1\n" +
			"                             BOX_2103  depth 200 > max_depth 100\n" +
			"                             BOX_3100  depth 200 > width 0\n"},
		{"cube board 0 200 10.5", "--format json", 1,
			`{"row":1,"article":"cube","material":"board","width":0,"depth":200,"height":10.5,"ok":false,"code":"BOX_2100"}` + "\n"},
		{"cube board 0 200 10.5", "--format json --all", 1,
			`{"row":1,"article":"cube","material":"board","width":0,"depth":200,"height":10.5,"ok":false,"code":"BOX_2100",` +
				`"codes":["BOX_2100","BOX_2103","BOX_3100"]}` + "\n"},
		{"cube board -5 0.0000001 10", "--format json", 1,
			`{"row":1,"article":"cube","material":"board","width":-5,"depth":1e-07,"height":10,"ok":false,"code":"BOX_2100"}` + "\n"},
		{"cube board 4x 20 1e1", "", 2,
			`width: "4x" is not a dimension; accepted: a plain decimal such as 48 or 48.5; ` +
				`height: "1e1" is not a dimension; accepted: a plain decimal such as 48 or 48.5` + "\n"},
		{"cube board 4x 20 10", "--format json", 2,
			`{"row":1,"article":"cube","material":"board","depth":20,"height":10,"ok":false,` +
				`"error":"width: \"4x\" is not a dimension; accepted: a plain decimal such as 48 or ` +
				`48.5","field":"width","errors":[{"field":"width","error":"\"4x\" is not a dimension; accepted: a plain decimal ` +
				`such as 48 or 48.5"}]}` + "\n"},
		{"ball board 4 20 10", "--format json", 2,
			`{"row":1,"article":"ball","material":"board","width":4,"depth":20,"height":10,"ok":false,` +
				`"error":"article: unknown article \"ball\"; accepted: cube","field":"article","errors":[{"field":"article",` +
				`"error":"unknown article \"ball\"; accepted: cube"}]}` + "\n"},
		{"cube  1 1 1", "", 2, "material: missing; accepted for cube: board\n"},
	} {
		args := append([]string{"check", "--limits", shop}, box(strings.Split(test.box, " ")...)...)
		got := ask(t, "", append(args, strings.Fields(test.flags)...)...)
		if want := (answer{test.want, "", test.status}); got != want {
			t.Errorf("check %s %s =\n%+v, want\n%+v", test.box, test.flags, got, want)
		}
	}
}

func TestManyFiles(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.csv":            "height,note,depth,width,material,article\n10,x,20,30,board,cube\n10,,20,4x,board,cube\n",
		"long\x1bname.CSV": "article,material,width,depth,height\ncube,board,10,20,30\n",
		"c.jsonl":          `{"article":"cube","material":"board","width":30,"depth":2e1,"height":10}` + "\n",
		"none.csv":         "article,material,width,depth,height\n\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := "folder.ndjson"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stdin := "\ufeff" + `{"article":"cube","material":"board","width":30,"depth":20,"height":10}` // no newline at its end
	files := []string{"a.csv", "gone.csv", "long\x1bname.CSV", dir, "c.jsonl", "none.csv"}

	got := ask(t, stdin, append([]string{"check", "--limits", shop}, files...)...)
	want := answer{"" +
		`a.csv                  1  cube  board       30       20       10  valid` + "\n" +
		`a.csv                  2  a.csv:3: width: "4x" is not a dimension; accepted: a plain decimal such as 48 or 48.5` + "\n" +
		`long\x1bname.CSV       1  cube  board       10       20       30  BOX_3100  depth 20 > width 10` + "\n" +
		`c.jsonl                1  cube  board       30       20       10  valid` + "\n",
		"boxrules: gone.csv: no such file or directory\n" +
			"boxrules: folder.ndjson: is a directory\n" +
			"boxrules: none.csv: no boxes; accepted: at least one\n" +
			"4 boxes: 2 valid, 1 invalid, 1 not a box\n", 2}
	if got != want {
		t.Errorf("check %q =\n%s%s, want\n%s%s", files, got.out, got.err, want.out, want.err)
	}

	got = ask(t, stdin, "check", "--limits", shop, "--format", "json", "--input", "ndjson", "-", "c.jsonl")
	want = answer{"" +
		`{"file":"-","row":1,"line":1,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true}` + "\n" +
		`{"file":"c.jsonl","row":1,"line":1,"article":"cube","material":"board","width":30,"depth":20,"height":10,"ok":true}` + "\n",
		"2 boxes: 2 valid, 0 invalid\n", 0}
	if got != want {
		t.Errorf("check - c.jsonl =\n%s%s, want\n%s%s", got.out, got.err, want.out, want.err)
	}

	got = ask(t, "", "check", "--limits", shop, "--format", "json", "long\x1bname.CSV", "gone.csv")
	if want := `{"file":"long\u001bname.CSV","row":1,"line":2,"article":"cube"`; !strings.HasPrefix(got.out, want) {
		t.Errorf("check = %s, want %s…", got.out, want)
	}
}

// One box by flags has no summary, nor has a run that had no boxes.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	header := "article,material,width,depth,height\n"
	valid, invalid, none := "sleeve,carton-300,100,50,60\n", "sleeve,carton-300,1,50,60\n", "sleeve\n"
	for _, test := range []struct {
		rows, want string
		status     int
	}{
		{valid, "1 box: 1 valid, 0 invalid\n", 0},
		{valid + invalid, "2 boxes: 1 valid, 1 invalid\n", 1},
		{valid + none, "2 boxes: 1 valid, 0 invalid, 1 not a box\n", 2},
		{valid + invalid + none, "3 boxes: 1 valid, 1 invalid, 1 not a box\n", 2},
		{"", "boxrules: stdin: no boxes; accepted: at least one\n", 2},
	} {
		got := ask(t, header+test.rows, "check", "--input", "csv", "-")
		if got.err != notice+test.want || got.status != test.status {
			t.Errorf("check of %q = %q, status %d; want %q, status %d", test.rows, got.err, got.status, test.want, test.status)
		}
	}
	if got := ask(t, "", "check", filepath.Join(dir, "none.csv")); strings.Contains(got.err, "boxes:") {
		t.Errorf("a run without a box has a summary: %q", got.err)
	}
	sleeve := append([]string{"check"}, box("sleeve", "carton-300", "100", "50", "60")...)
	if got := ask(t, "", sleeve...); got.err != notice {
		t.Errorf("one box by flags: stderr = %q, want the notice alone", got.err)
	}
	copied := write(t, "copied.yaml", string(limits.IllustrativeYAML()))
	if got := ask(t, "", append(sleeve, "--limits", copied)...); got.err != notice {
		t.Errorf("with a copy of the shipped limits: stderr = %q, want the notice too", got.err)
	}
}
