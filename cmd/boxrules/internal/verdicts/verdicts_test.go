package verdicts

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/limits"
)

// The rules and limits of these tests are small enough to decide every box by looking at them. In double
// precision 0.1*3 is more than 0.3, so THIN_9000 refuses 3 x 0.3 there but not exactly.
const (
	testRules = `version: 1
unit: mm
boundary:
  - {code: BOX_2100, when: width < min_width, message: too narrow}
  - {code: BOX_2101, when: width > max_width, message: too wide}
  - {code: BOX_2105, when: height > max_height, message: too high}
constraint:
  - {code: THIN_9000, when: depth < 0.1*width, message: much too thin}
`
	testLimits = `version: 1
unit: mm
decimals: 2
sheets: {s: {width: 9000, height: 9000}}
materials:
  board: {caliper: 1, glue_flap: 0, sheet: s}
  paper: {caliper: 1, glue_flap: 0, sheet: s}
articles:
  cube: {materials: [board], width: {min: 2, max: 100}, depth: {min: 0.1, max: 90}, height: {min: 1, max: 9}, constraints: [THIN_9000]}
  tray: {materials: [board, paper], width: {min: 2, max: 40}, depth: {min: 0.1, max: 90}, height: {min: 1, max: 9}, constraints: []}
`
)

func testEngine(t *testing.T) *boxrules.Engine {
	t.Helper()
	rules, err := boxrules.LoadRules("rules.yaml", []byte(testRules))
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", []byte(testLimits))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// A file of boxes has a name and a text.
type file struct{ name, text string }

// run checks files, and returns what is written and said, and the exit status. Their folder is shown as FOLDER.
func run(t *testing.T, o Options, form lists.Options, files ...file) (out, said string, status console.Status, complete bool) {
	t.Helper()
	folder := t.TempDir()
	var inputs []lists.Input
	for _, f := range files {
		name := filepath.Join(folder, f.name)
		if f.text != missing {
			if err := os.WriteFile(name, []byte(f.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		form.Catalogue = "mm"
		inputs = append(inputs, lists.Input{Name: name, Kind: lists.InputKind(name), Options: form})
	}
	var stdout, stderr bytes.Buffer
	c := &console.Console{Out: &stdout, Err: &stderr}
	complete, err := New(c, testEngine(t), inputs, o).Files()
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	text := func(b bytes.Buffer) string { return strings.ReplaceAll(b.String(), folder+"/", "FOLDER/") }
	return text(stdout), text(stderr), status, complete
}

// missing is the text of a file that does not exist.
const missing = "\x00"

const list = "article,material,width,depth,height\n"

// boxes has a row of each kind: a valid box, a borderline one, two with one and with several violations, an
// unknown article, a missing material, an empty row, and two that are not rows of five cells.
const boxes = list +
	"cube,board,50,60,5\n" +
	"cube,board,3,0.3,1\n" +
	"cube,board,50,4,5\n" +
	"tray,paper,41,4,10.5\n" +
	"vase,board,1,2,x\n" +
	"tray,,1,2,3\n" +
	"\n" +
	" ,,,,\n" +
	"cube,board,1,1.2345,3\n" +
	"cube,board\n"

// The problems of the rows of boxes that are not boxes.
const (
	vase    = `article: unknown article "vase"; accepted: cube, tray; height: "x" is not a dimension; accepted: a plain decimal such as 48 or 48.5`
	unnamed = "material: missing; accepted for tray: board, paper"
	fine    = "depth: 1.2345 has too many decimals; accepted: a multiple of 0.01"
	short   = "the row has 2 fields, but the header has 5"
)

func TestText(t *testing.T) {
	const head = "     1  cube  board       50       60        5  valid\n     2  cube  board        3      0.3        1  valid\n"
	const tail = "     5  FOLDER/a.csv:6: " + vase + "\n     6  FOLDER/a.csv:7: " + unnamed +
		"\n     7  FOLDER/a.csv:10: " + fine + "\n     8  FOLDER/a.csv:11: " + short + "\n"
	const thin = "     3  cube  board       50        4        5  THIN_9000  much too thin (depth 4 < 0.1*width 50 = 5)\n"
	const wide = "     4  tray  paper       41        4     10.5  BOX_2101   width 41 > max_width 40\n"
	const high = "                                                BOX_2105   height 10.5 > max_height 9\n"
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{}, head + thin + wide + tail},
		{Options{All: true}, head + thin + wide + high + tail},
		{Options{Only: []string{OnlyValid}}, head},
		{Options{Only: []string{OnlyInvalid}}, thin + wide},
		{Options{Only: []string{OnlyErrors}}, tail},
	} {
		test.options.Format = FormatText
		out, said, status, complete := run(t, test.options, lists.Options{}, file{"a.csv", boxes})
		if out != test.want || said != "8 boxes: 2 valid, 2 invalid, 4 not a box\n" || status != console.Unanswered || !complete {
			t.Errorf("%+v:\n%s%s%v, %v; want\n%s", test.options, out, said, status, complete, test.want)
		}
	}
}

// TestJSON shows the object for each kind of row, and which members the options add.
func TestJSON(t *testing.T) {
	const first = `{"row":1,"line":1,"article":"cube","material":"board","width":50,"depth":60,"height":5,"ok":true`
	const double = `{"row":2,"line":2,"article":"cube","material":"board","width":3,"depth":0.3,"height":1,"ok":true,"borderline":"THIN_9000"`
	const thin = `{"row":3,"line":3,"article":"cube","material":"board","width":50,"depth":4,"height":5,"ok":false,"code":"THIN_9000"`
	const wide = `{"row":4,"line":4,"article":"tray","material":"paper","width":41,"depth":4,"height":10.5,"ok":false,"code":"BOX_2101"`
	const bad = `{"row":5,"line":5,"article":"vase","width":1,"height":0.001,"ok":false,"error":"FOLDER/a.ndjson:5: ` +
		`article: unknown article \"vase\"; accepted: cube, tray; material: missing; accepted: board, paper; ` +
		`depth: a string; accepted: a JSON number; height: 0.001 has too many decimals; accepted: a multiple of 0.01","field":"article","errors":[` +
		`{"field":"article","error":"unknown article \"vase\"; accepted: cube, tray"},` +
		`{"field":"material","error":"missing; accepted: board, paper"},` +
		`{"field":"depth","error":"a string; accepted: a JSON number"},` +
		`{"field":"height","error":"0.001 has too many decimals; accepted: a multiple of 0.01"}]`
	const junk = `{"row":6,"line":7,"ok":false,"error":"FOLDER/a.ndjson:7: an array; write one JSON object per line"`
	const text = `{"article":"cube","material":"board","width":50,"depth":60,"height":5,"id":[1, 2],"message":"theirs","ok":"theirs"}` + "\n" +
		`{"article":"cube","material":"board","width":3,"depth":0.3,"height":1}` + "\n" +
		`{"article":"cube","material":"board","width":50,"depth":4,"height":5,"message":"theirs"}` + "\n" +
		`{"article":"tray","material":"paper","width":41,"depth":4,"height":10.5}` + "\n" +
		`{"article":"vase","width":1,"depth":"2","height":0.001}` + "\n\n[]\n"
	const message, advice = `,"message":"much too thin"`, `,"advice":"turn it to 4 x 50 x 5, or set depth to 5 or more, or width to 40 or less"`
	const manyAdvice = `,"advice":"turn it to 10.5 x 41 x 4 (another side opens), or set width to 40 and height to 9"`
	for _, test := range []struct {
		options Options
		ends    [6]string // what the objects have after the members above
	}{
		{Options{}, [6]string{2: message}},
		{Options{All: true}, [6]string{`,"codes":[]`, `,"codes":[]`, `,"codes":["THIN_9000"]` + message, `,"codes":["BOX_2101","BOX_2105"]`}},
		{Options{Advice: true, Step: 1}, [6]string{2: message + advice, 3: manyAdvice}},
		{Options{ExtraKeys: true}, [6]string{`,"id":[1, 2],"message":"theirs"`, "", message}},
	} {
		test.options.Format = FormatJSON
		want := ""
		for i, object := range []string{first, double, thin, wide, bad, junk} {
			want += object + test.ends[i] + "}\n"
		}
		out, said, status, complete := run(t, test.options, lists.Options{}, file{"a.ndjson", text})
		if out != want || said != "6 boxes: 2 valid, 2 invalid, 2 not a box\n" || status != console.Unanswered || !complete {
			t.Errorf("%+v:\n%s%s%v, %v; want\n%s", test.options, out, said, status, complete, want)
		}
	}
}

func TestCSV(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		form    lists.Options
		text    string
		want    string
	}{
		{"every kind of row", Options{}, lists.Options{}, boxes, "article,material,width,depth,height,verdict\n" +
			"cube,board,50,60,5,valid\ncube,board,3,0.3,1,valid\ncube,board,50,4,5,THIN_9000\ntray,paper,41,4,10.5,BOX_2101\n" +
			"vase,board,1,2,x,error:article\ntray,,1,2,3,error:material\n\n ,,,,,\ncube,board,1,1.2345,3,error:depth\n" +
			"cube,board,error:row\n"},
		{"advice", Options{Advice: true, Step: 1}, lists.Options{}, boxes, "article,material,width,depth,height,verdict,advice\n" +
			"cube,board,50,60,5,valid,\ncube,board,3,0.3,1,valid,\n" +
			"cube,board,50,4,5,THIN_9000,\"turn it to 4 x 50 x 5, or set depth to 5 or more, or width to 40 or less\"\n" +
			"tray,paper,41,4,10.5,BOX_2101,\"turn it to 10.5 x 41 x 4 (another side opens), or set width to 40 and height to 9\"\n" +
			`vase,board,1,2,x,error:article,"` + strings.ReplaceAll(vase, `"`, `""`) + "\"\n" +
			`tray,,1,2,3,error:material,"` + unnamed + "\"\n\n ,,,,,,\n" +
			"cube,board,1,1.2345,3,error:depth," + fine + "\ncube,board,error:row,\"" + short + "\"\n"},
		{"a part of the rows", Options{Only: []string{OnlyInvalid}}, lists.Options{}, boxes, "article,material,width,depth,height,verdict\n" +
			"cube,board,50,4,5,THIN_9000\ntray,paper,41,4,10.5,BOX_2101\n"},
		{"other delimiters and ends of lines", Options{}, lists.Options{}, "article;material;width;depth;height\r\ncube;board;50;60;5\r\n",
			"article;material;width;depth;height;verdict\r\ncube;board;50;60;5;valid\r\n"},
		{"rows above the header", Options{}, lists.Options{Skip: 1}, "Our boxes\n" + list + "cube,board,50,60,5",
			"Our boxes\narticle,material,width,depth,height,verdict\ncube,board,50,60,5,valid"},
		{"decimal commas and another unit", Options{Advice: true, Step: 1}, lists.Options{Decimal: ',', Unit: "cm"},
			"article;material;width;depth;height\ncube;board;5,1;0,45;0,5\n",
			"article;material;width;depth;height;verdict;advice\n" +
				"cube;board;5,1;0,45;0,5;THIN_9000;turn it to 0,45 x 5,1 x 0,5, or set depth to 0,6 or more, or width to 4,5 or less\n"},
		{"Windows-1252", Options{Column: "gültig"}, lists.Options{}, "article,material,width,depth,height,f\xfcr\ncube,board,50,60,5,f\xfcr\n",
			"article,material,width,depth,height,f\xfcr,g\xfcltig\ncube,board,50,60,5,f\xfcr,valid\n"},
	} {
		test.options.Format = FormatCSV
		if test.options.Column == "" {
			test.options.Column = "verdict"
		}
		out, said, _, complete := run(t, test.options, test.form, file{"a.csv", test.text})
		if out != test.want || !complete {
			t.Errorf("%s:\n%s%s%v; want\n%s", test.name, out, said, complete, test.want)
		}
	}
}

// TestCSVColumns says which titles of new columns are errors.
func TestCSVColumns(t *testing.T) {
	const row = "cube,board,50,60,5,x\n"
	for _, test := range []struct {
		column, title string
		advice        bool
		want          string
	}{
		{"verdict", "verdicts", true, ""},
		{"verdict", " Verdict ", false, `two columns would be called "verdict"; give another name with --verdict-column`},
		{"height", "note", false, `two columns would be called "height"; give another name with --verdict-column`},
		{"verdict", "advice", true, `two columns would be called "advice"; rename that column, or leave out --advice`},
		{"verdict", "advice", false, ""},
		{"advice", "note", true, `two columns would be called "advice"; rename that column, or leave out --advice`},
		{"advice", "advice", true, `two columns would be called "advice"; give another name with --verdict-column`},
		{"箱", "f\xfcr", false, `the list is in windows-1252, in which "箱" cannot be written; give another name with --verdict-column`},
		{"箱", "für", false, ""},
		{"ok?", "f\xfcr", false, ""},
	} {
		out, said, status, complete := run(t, Options{Format: FormatCSV, Column: test.column, Advice: test.advice, Step: 1}, lists.Options{},
			file{"a.csv", strings.TrimSuffix(list, "\n") + "," + test.title + "\n" + row})
		if test.want == "" {
			if !complete || status != console.AllValid {
				t.Errorf("%+v: %s", test, said)
			}
			continue
		}
		if want := "boxrules: FOLDER/a.csv: " + test.want + "\n"; out != "" || !strings.HasSuffix(said, want) || complete || status != console.Unanswered {
			t.Errorf("%+v:\n%s%s%v, %v; want %s", test, out, said, status, complete, want)
		}
	}
}

// TestExpect says which rows are reported if each says which code it must have.
func TestExpect(t *testing.T) {
	const text = "article,material,width,depth,height,must be\n" +
		"cube,board,50,60,5,\ncube,board,50,60,5,ok\ncube,board,50,60,5,valid\ncube,board,50,4,5,THIN_9000\n" +
		"cube,board,50,60,5,THIN_9000\ncube,board,50,4,5,valid\ncube,board,50,4,5,BOX_2100\n"
	const different = "row 5 (line 6): 50 x 60 x 5, cube in board: expected THIN_9000, got valid\n" +
		"row 6 (line 7): 50 x 4 x 5, cube in board: expected valid, got THIN_9000\n" +
		"row 7 (line 8): 50 x 4 x 5, cube in board: expected BOX_2100, got THIN_9000\n"
	const unknown = "cube,board,50,4,5,BOX_9\nvase,board,50,4,5,valid\n"
	const problems = `row 8 (line 9): must be: no rule has the code "BOX_9"; accepted: valid, ok, an empty cell, or a code such as BOX_2100` + "\n" +
		`row 9 (line 10): article: unknown article "vase"; accepted: cube, tray` + "\n"
	for _, test := range []struct {
		options Options
		text    string
		want    string
		said    string
		status  console.Status
	}{
		{Options{}, text, different, "7 boxes: 4 as expected, 3 not\n", console.SomeInvalid},
		{Options{}, text + unknown, different + problems, "9 boxes: 4 as expected, 3 not, 2 not a box\n", console.Unanswered},
		{Options{Only: []string{OnlyErrors}}, text + unknown, problems, "9 boxes: 4 as expected, 3 not, 2 not a box\n", console.Unanswered},
		{Options{Only: []string{OnlyUnexpected}}, text + unknown, different, "9 boxes: 4 as expected, 3 not, 2 not a box\n", console.Unanswered},
		{Options{Only: []string{OnlyInvalid}}, text, different[strings.Index(different, "row 6"):], "7 boxes: 4 as expected, 3 not\n", console.SomeInvalid},
		{Options{}, text[:strings.Index(text, "cube,board,50,60,5,THIN")], "", "4 boxes: 4 as expected, 0 not\n", console.AllValid},
	} {
		test.options.Format, test.options.Expect = FormatText, true
		form := lists.Options{Expect: "must be"}
		out, said, status, _ := run(t, test.options, form, file{"a.csv", test.text})
		if out != test.want || said != test.said || status != test.status {
			t.Errorf("%+v:\n%s%s%v; want\n%s%s%v", test.options, out, said, status, test.want, test.said, test.status)
		}
		const name = "FOLDER/a.csv: "
		want := ""
		for line := range strings.Lines(test.want) {
			want += name + line
		}
		out, _, _, _ = run(t, test.options, form, file{"a.csv", test.text}, file{"b.csv", text[:strings.Index(text, "cube,board,50,60,5,THIN")]})
		if out != want {
			t.Errorf("%+v with another file:\n%swant\n%s", test.options, out, want)
		}
	}
}

func TestSummary(t *testing.T) {
	const table = "article    answer          boxes\n" +
		"(unknown)  error:article   2\n" +
		"(unknown)  error:row       2\n" +
		"cube       THIN_9000       2\n" +
		"cube       error:depth     2\n" +
		"cube       valid           4\n" +
		"tray       BOX_2101        2\n" +
		"tray       error:material  2\n"
	const total = "16 boxes: 4 valid, 4 invalid, 8 not a box\n"
	files := []file{{"a.csv", boxes}, {"b.csv", boxes}}
	out, said, status, _ := run(t, Options{Format: FormatNone, Summary: true}, lists.Options{}, files...)
	if out != table || said != total || status != console.Unanswered {
		t.Errorf("counts:\n%s%s%v", out, said, status)
	}
	// Next to text it follows the answers; next to what programs read, it is on stderr.
	out, said, _, _ = run(t, Options{Format: FormatText, Summary: true}, lists.Options{}, files...)
	if !strings.HasSuffix(out, short+"\n"+table) || said != total {
		t.Errorf("text:\n%s%s", out, said)
	}
	out, said, _, _ = run(t, Options{Format: FormatJSON, Summary: true}, lists.Options{}, files...)
	if strings.Contains(out, "(unknown)") || said != table+total {
		t.Errorf("JSON:\n%s%s", out, said)
	}
	if out, said, status, _ = run(t, Options{Format: FormatNone}, lists.Options{}, files...); out != "" || said != total || status != console.Unanswered {
		t.Errorf("no summary:\n%s%s%v", out, said, status)
	}
}

// TestSeveralFiles says that each line names its file, and that a file that cannot be read does not keep the
// others from being checked.
func TestSeveralFiles(t *testing.T) {
	files := []file{{"a.csv", list + "cube,board,50,60,5\n"}, {"none.csv", missing}, {"empty.csv", list}, {"longer.csv", list + "cube,board,50,60,5\n"}}
	const said = "boxrules: FOLDER/none.csv: no such file or directory\n" +
		"boxrules: FOLDER/empty.csv: no boxes; give at least one\n2 boxes: 2 valid, 0 invalid\n"
	for format, want := range map[string]string{
		FormatText: "FOLDER/a.csv            1  cube  board       50       60        5  valid\n" +
			"FOLDER/longer.csv       1  cube  board       50       60        5  valid\n",
		FormatJSON: `{"file":"FOLDER/a.csv","row":1,"line":2,"article":"cube","material":"board","width":50,"depth":60,"height":5,"ok":true}` + "\n" +
			`{"file":"FOLDER/longer.csv","row":1,"line":2,"article":"cube","material":"board","width":50,"depth":60,"height":5,"ok":true}` + "\n",
	} {
		out, got, status, complete := run(t, Options{Format: format}, lists.Options{}, files...)
		if format == FormatText { // the column is as wide as the real names
			out = strings.Join(strings.Fields(out), " ")
			want = strings.Join(strings.Fields(want), " ")
		}
		if out != want || got != said || status != console.Unanswered || complete {
			t.Errorf("%s:\n%s%s%v, %v; want\n%s%s", format, out, got, status, complete, want, said)
		}
	}
}

// TestFirstProblem says when the first problem of a file is reported although the format does not show it.
func TestFirstProblem(t *testing.T) {
	const good, bad, worse = "cube,board,50,60,5\n", "cube,board,x,60,5\n", "cube,board,50,60,y\n"
	const first = `"x" is not a dimension; accepted: a plain decimal such as 48 or 48.5` + "\n"
	for _, test := range []struct {
		text string
		want string // how many rows are not boxes, and of how many
	}{
		{bad + worse + worse, "3 of 3"},
		{good + bad + worse + good + worse, "3 of 5"},
		{good + bad + worse + good + worse + good, ""}, // only half of them
		{good + bad + worse + good + worse + good + worse, "4 of 7"},
		{bad + worse, ""}, // too few to tell
		{bad + strings.Repeat(worse, 30_000), "30001 of 30001"}, // which several goroutines check
	} {
		for _, format := range []string{FormatCSV, FormatNone, FormatText} {
			_, said, _, _ := run(t, Options{Format: format, Column: "verdict"}, lists.Options{}, file{"a.csv", list + test.text})
			want := ""
			if test.want != "" && format != FormatText {
				want = "boxrules: FOLDER/a.csv: " + test.want + " rows could not be read as boxes; the first error: width: " + first
			}
			if got, _, _ := strings.Cut(said, "boxes: "); got[:strings.LastIndex(got, "\n")+1] != want {
				t.Errorf("%s, %.80q: %swant %s", format, test.text, said, want)
			}
		}
	}
}

// TestFirstProblemOfAll says that the first problem is the first in the file, whichever goroutine has found it.
func TestFirstProblemOfAll(t *testing.T) {
	var said bytes.Buffer
	l := &ListRun{console: &console.Console{Err: &said}}
	for _, p := range []rowProblem{{}, {5, "e"}, {}, {3, "c"}, {4, "d"}, {}} {
		l.checkers = append(l.checkers, &rowChecker{firstProblem: p})
	}
	l.reportFirstProblem(lists.Input{Name: "a.csv"}, 3, 3)
	if got := said.String(); got != "boxrules: a.csv: 3 of 3 rows could not be read as boxes; the first error: c\n" {
		t.Error(got)
	}
}

// TestGivenNames says that names from flags are UTF-8, whatever the encoding of the file.
func TestGivenNames(t *testing.T) {
	form := lists.Options{Encoding: "windows-1252", Given: [...]string{"Würfel", ""}}
	out, _, _, _ := run(t, Options{Format: FormatText}, form, file{"a.csv", "material,width,depth,height\nf\xfcr,1,2,3\n"})
	if !strings.Contains(out, `unknown article "Würfel"`) || !strings.Contains(out, `unknown material "für"`) {
		t.Error(out)
	}
}

// TestBox says how the box of the flags is answered.
func TestBox(t *testing.T) {
	box := func(article, material string, width float64) lists.Row {
		return lists.Row{Number: 1, Names: [...][]byte{[]byte(article), []byte(material)}, Dimensions: [...]float64{width, 4, 5},
			Known: [...]bool{true, true, true, true, true}}
	}
	for _, test := range []struct {
		format string
		row    lists.Row
		want   string
		status console.Status
	}{
		{FormatText, box("cube", "board", 20), "cube  board  20 x 4 x 5  valid\n", console.AllValid},
		{FormatText, box("cube", "board", 50), "cube  board  50 x 4 x 5  THIN_9000  much too thin (depth 4 < 0.1*width 50 = 5)\n", console.SomeInvalid},
		{FormatText, box("cube", "tin", 50), "material: unknown material \"tin\"; accepted for cube: board\n", console.Unanswered},
		{FormatJSON, box("cube", "board", 20),
			`{"row":1,"article":"cube","material":"board","width":20,"depth":4,"height":5,"ok":true}` + "\n", console.AllValid},
	} {
		var out bytes.Buffer
		c := &console.Console{Out: &out, Err: &out}
		var status console.Status
		err := New(c, testEngine(t), nil, Options{Format: test.format}).Box(test.row)
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		if out.String() != test.want || status != test.status {
			t.Errorf("%s%v; want\n%s%v", out.String(), status, test.want, test.status)
		}
	}
}
