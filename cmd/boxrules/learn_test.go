package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/learn"
)

const (
	answerHeader = "article,material,width,depth,height,code\n"
	datedHeader  = "article,material,width,depth,height,code,date\n"
)

// learnFrom runs learn for oneFrame on answers from stdin.
func learnFrom(t testing.TB, kind, text string, more ...string) answer {
	t.Helper()
	return ask(t, text, append([]string{"learn", "--limits", write(t, "frame.yaml", oneFrame), "--input", kind, "-"}, more...)...)
}

// Some answers of the limits of oneHidden, from which not everything follows.
const someAnswers = answerHeader +
	"tuck-end,carton-300,143,50,303,ok\n" +
	"tuck-end,carton-300,48,141,184,BOX_3100\n" +
	"tuck-end,carton-300,19,141,184,BOX_2100\n" +
	"tuck-end,carton-300,401,141,184,BOX_2101\n" +
	"tuck-end,carton-300,400,240,440,BOX_4100\n"

func TestLearnText(t *testing.T) {
	want := answer{`tuck-end
  decided        width to 400, BOX_3100, 12 not selected
  open           min_width: 20 to 48 (rows 3 and 2)
  open           min_depth: 1 to 50 (row 1)
  open           max_depth: 240 to 2000 (row 5)
  open           min_height: 1 to 184 (row 2)
  open           max_height: 440 to 2000 (row 5)
  open           BOX_3111, BOX_3113, BOX_3114, BOX_3120
  unobservable   BOX_3101, BOX_3103, BOX_3106, BOX_3107, BOX_3108, BOX_3121
sheet of carton-300
  open           at least 453 x 401, not 1295 x 970 (rows 1 and 5)
`, "5 rows: 30 facts, 10 open, 0 contradictions\n", 1}
	if got := learnFrom(t, "csv", someAnswers); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestLearnTextShort: a catalogue of which little is known stays readable.
func TestLearnTextShort(t *testing.T) {
	got := ask(t, someAnswers, "learn", "--limits", "../../limits/illustrative.yaml", "--input", "csv", "-")
	if !strings.Contains(got.out, "\ntray\n  open           everything\nmailer\n  open           everything\n") ||
		strings.Count(got.out, "\n") > 60 {
		t.Errorf("%s", got.out)
	}
}

// TestLearnJSON: each fact is a line, which reads back as what it was.
func TestLearnJSON(t *testing.T) {
	got := learnFrom(t, "csv", someAnswers, "--format", "json")
	facts := make(map[string]learn.Fact)
	for line := range strings.Lines(got.out) {
		var f learn.Fact
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&f); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		facts[f.Article+f.Material+" "+f.What] = f
	}
	yes := true
	for name, want := range map[string]learn.Fact{
		"tuck-end max_width": {Article: "tuck-end", What: "max_width", State: learn.Decided, Least: 400, Greatest: 400, Rows: []int{5, 4}},
		"tuck-end min_width": {Article: "tuck-end", What: "min_width", State: learn.Open, Least: 20, Greatest: 48, Rows: []int{3, 2}},
		"tuck-end BOX_3100":  {Article: "tuck-end", What: "BOX_3100", State: learn.Decided, Selected: &yes, Rows: []int{2}},
	} {
		got := facts[name]
		if fmt.Sprint(got.State, got.Least, got.Greatest, got.Rows) != fmt.Sprint(want.State, want.Least, want.Greatest, want.Rows) ||
			(got.Selected != nil) != (want.Selected != nil) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got.status != 1 || len(facts) != 30 {
		t.Errorf("%d facts, status %d", len(facts), got.status)
	}
}

// TestLearnRows: rows that are no answers of boxes are told with their place, and nothing is written.
func TestLearnRows(t *testing.T) {
	const ok = "tuck-end,carton-300,143,50,303,ok"
	for _, test := range []struct{ name, kind, text, want string }{
		{"not a dimension", "csv", answerHeader + ok + "\ntuck-end,carton-300,x,50,303,ok\n",
			`stdin:3: row 2: width: "x" is not a dimension; accepted: a plain decimal such as 48 or 48.5`},
		{"unknown article", "csv", answerHeader + "\n\nmailer,carton-300,1,50,303,ok\n",
			`stdin:4: row 1: article: unknown article "mailer"; accepted: tuck-end`},
		{"unknown material", "csv", answerHeader + "tuck-end,paper,1,50,303,ok\n",
			`stdin:2: row 1: material: unknown material "paper"; accepted for tuck-end: carton-300`},
		{"empty code", "csv", answerHeader + "tuck-end,carton-300,1,50,303,\n",
			"stdin:2: row 1: code: missing; accepted: valid or a code such as BOX_2100"},
		{"no code", "ndjson", `{"article":"tuck-end","material":"carton-300","width":1,"depth":50,"height":303,"ok":false}` + "\n",
			"stdin:1: row 1: code: missing; accepted: valid or a code such as BOX_2100"},
		{"ok with a code", "ndjson",
			`{"article":"tuck-end","material":"carton-300","width":1,"depth":50,"height":303,"ok":true,"code":"BOX_2100"}`,
			`stdin:1: row 1: code: "BOX_2100" of a box that is valid; accepted: none`},
		{"a code that is none", "ndjson", `{"article":"tuck-end","material":"carton-300","width":1,"depth":50,"height":303,"code":["BOX_2100"]}`,
			"stdin:1: row 1: code: an array; accepted: a JSON string, number or boolean"},
		{"wrong date", "csv", datedHeader + ok + ",2026-02-30T12:00:00Z\n",
			`stdin:2: row 1: date: "2026-02-30T12:00:00Z" is not a date; accepted: one with its time, such as 2026-03-01T12:00:00Z`},
		{"empty date", "csv", datedHeader + ok + ",\n",
			`stdin:2: row 1: date: "" is not a date; accepted: one with its time, such as 2026-03-01T12:00:00Z`},
		{"dates in disorder", "csv", datedHeader + ok + ",2026-03-01T12:00:00Z\n" + ok + ",2026-03-01T12:30:00+01:00\n",
			"stdin:3: row 2: date: 2026-03-01T12:30:00+01:00 is before 2026-03-01T12:00:00Z of a row above; " +
				"accepted: rows in the order of their dates"},
		{"items", "csv", "items," + answerHeader + "0," + ok + "\n",
			`stdin:2: row 1: items: "0" is not a number of items; accepted: a whole number from 1 on`},
		{"no column for codes", "csv", titles + "tuck-end,carton-300,143,50,303\n",
			`stdin:1: the header "article, material, width, depth, height", 5 columns, lacks code; accepted: columns of these ` +
				`names in the first row, or --rename code=NAME`},
		{"two columns for dates", "csv", "date," + datedHeader, `stdin:1: column 1 "date" and column 8 of the same ` +
			`name are both date; accepted: one of them`},
		{"no header", "csv", "", "stdin: no boxes; accepted: at least one"},
		{"not CSV", "csv", answerHeader + "tuck-end,\"carton-300,1,50,303,ok\n",
			"stdin:2: row 1: a quote that is never closed, or closed before its field ends; accepted: quotes around a whole field, and " +
				"those within it doubled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "limits.yaml")
			if got, want := learnFrom(t, test.kind, test.text, "-o", output), (answer{"", "boxrules: " + test.want + "\n", 2}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			if _, err := os.Stat(output); err == nil {
				t.Error("limits were written")
			}
		})
	}
	got := learnFrom(t, "csv", answerHeader+strings.Repeat("tuck-end,carton-300,x,50,303,ok\n", 30))
	if got.status != 2 || strings.Count(got.err, "\n") != 21 ||
		!strings.HasSuffix(got.err, "boxrules: stdin:22: more than 20 rows are wrong\n") {
		t.Errorf("many wrong rows: %+v", got)
	}
}

// TestLearnSilences: rows that tell nothing of the box are counted by their kind, and nothing is learned from them.
func TestLearnSilences(t *testing.T) {
	rest := ",tuck-end,carton-300,1143,50,303,"
	text := "items," + answerHeader
	for _, row := range []string{
		"1" + rest + "VALIDATION_ERROR", "1" + rest + "QTT_1114", "1,no-article,paper,1,1,1,DLN_1101", "1" + rest + "401", "1" + rest + "503",
		"1" + rest + "OWN_0001", "3" + rest + "BOX_2101", "1" + rest + "503",
	} {
		text += row + "\n"
	}
	want := `boxrules: nothing is learned from VALIDATION_ERROR: 1 row, the first is row 1
boxrules: nothing is learned from QTT_1114: 1 row, the first is row 2
boxrules: nothing is learned from DLN_1101: 1 row, the first is row 3
boxrules: nothing is learned from 401: 1 row, the first is row 4
boxrules: nothing is learned from 503: 2 rows, the first is row 5
boxrules: nothing is learned from OWN_0001: 1 row, the first is row 6
boxrules: nothing is learned from refused quotations of several items: 1 row, the first is row 7
`
	nothing := learnFrom(t, "csv", answerHeader)
	got := learnFrom(t, "csv", text)
	if !strings.HasPrefix(got.err, want) || got.out != nothing.out || got.status != 1 || nothing.status != 1 {
		t.Errorf("%+v; of a header alone %+v", got, nothing)
	}
	// All items of a quotation that is accepted are.
	got = learnFrom(t, "csv", "items,"+answerHeader+"3,tuck-end,carton-300,143,50,303,ok\n")
	if got.out == nothing.out || strings.Contains(got.err, "nothing is learned") {
		t.Errorf("%+v", got)
	}
	text = answerHeader
	for i := range 100 {
		text += fmt.Sprintf("tuck-end,carton-300,1143,50,303,OWN_%04d\n", i)
	}
	if got := learnFrom(t, "csv", text); strings.Count(got.err, "nothing is learned from") != 51 ||
		!strings.Contains(got.err, "other codes: 50 rows, the first is row 51\n") {
		t.Errorf("%+v", got)
	}
}

// TestLearnOffGrid: an answer about dimensions that are not on the grid teaches nothing and
// contradicts nothing, in any kind of list.
func TestLearnOffGrid(t *testing.T) {
	const ok = "tuck-end,carton-300,400,50,303,ok\n"
	for _, test := range []struct {
		name, kind, text, alone string
		more                    []string
	}{
		{"CSV", "csv", answerHeader + "tuck-end,carton-300,400.0004,50,303,BOX_2101\n" + ok, answerHeader + ok, nil},
		{"NDJSON", "ndjson",
			`{"article":"tuck-end","material":"carton-300","width":400.0004,"depth":50,"height":303,"ok":false,"code":"BOX_2101"}` + "\n" +
				`{"article":"tuck-end","material":"carton-300","width":400,"depth":50,"height":303,"ok":true}` + "\n",
			answerHeader + ok, nil},
		{"inches", "csv", answerHeader + "tuck-end,carton-300,1.88977,2,4,BOX_2101\ntuck-end,carton-300,5,2,4,ok\n",
			answerHeader + "tuck-end,carton-300,5,2,4,ok\n", []string{"--unit", "in"}},
	} {
		got := learnFrom(t, test.kind, test.text, append([]string{"--format", "json"}, test.more...)...)
		want := learnFrom(t, "csv", test.alone, append([]string{"--format", "json"}, test.more...)...)
		rows := strings.NewReplacer("[2]", "[1]", "2 rows: ", "1 row: ")
		const said = "boxrules: nothing is learned from dimensions with too many decimals: 1 row, the first is row 1\n"
		if got.err = rows.Replace(got.err); rows.Replace(got.out) != want.out || got.err != said+want.err || got.status != want.status {
			t.Errorf("%s: %+v, want %+v and %q", test.name, got, want, said)
		}
	}
}

// TestLearnForms: the same answers give the same facts in any form: CSV or NDJSON, columns in any order, in one file or in more.
func TestLearnForms(t *testing.T) {
	want := learnFrom(t, "csv", someAnswers, "--format", "json")
	rows := strings.Split(strings.TrimSuffix(strings.TrimPrefix(someAnswers, answerHeader), "\n"), "\n")
	turned, lines := "code,note,date,height,depth,width,material,article,items\n", ""
	for i, row := range rows {
		f := strings.Split(row, ",")
		date := fmt.Sprintf("2026-03-01T12:00:0%dZ", i/2)
		turned += fmt.Sprintf("%s,x,%s,%s,%s,%s,%s,%s,1\n", f[5], date, f[4], f[3], f[2], f[1], f[0])
		line := fmt.Sprintf(`{"row":7,"article":%q,"material":%q,"width":%s,"depth":%s,"height":%s,"ok":%v`,
			f[0], f[1], f[2], f[3], f[4], f[5] == "ok")
		if f[5] != "ok" {
			line += fmt.Sprintf(`,"code":%q,"codes":[%q]`, f[5], f[5])
		}
		lines += line + "}\n"
	}
	if got := learnFrom(t, "csv", turned, "--format", "json"); got != want {
		t.Errorf("columns in another order: %+v, want %+v", got, want)
	}
	if got := learnFrom(t, "ndjson", lines, "--format", "json"); got != want {
		t.Errorf("NDJSON: %+v, want %+v", got, want)
	}
	first := write(t, "first.csv", answerHeader+strings.Join(rows[:2], "\n"))
	second := write(t, "second.jsonl", strings.Join(strings.SplitAfter(lines, "\n")[2:], ""))
	if got := ask(t, "", "learn", "--limits", write(t, "frame.yaml", oneFrame), "--format", "json", first, second); got != want {
		t.Errorf("two files: %+v, want %+v", got, want)
	}
	// What check says is what learn and audit read.
	boxes := titles
	for _, row := range rows {
		boxes += row[:strings.LastIndex(row, ",")] + "\n"
	}
	hidden := write(t, "hidden.yaml", oneHidden)
	checked := ask(t, boxes, "check", "--limits", hidden, "--input", "csv", "--format", "json", "--all", "-")
	if got := learnFrom(t, "ndjson", checked.out, "--format", "json"); got != want {
		t.Errorf("what check says: %+v, want %+v", got, want)
	}
	if got := ask(t, checked.out, "audit", "--limits", hidden, "--input", "ndjson", "-"); got.status != 0 || got.out != "" {
		t.Errorf("audit of what check says: %+v", got)
	}
}

// TestLearnNext: whoever asks what --next says, round by round, learns everything, and then there is nothing more to ask.
func TestLearnNext(t *testing.T) {
	hidden, frame := write(t, "hidden.yaml", oneHidden), write(t, "frame.yaml", oneFrame)
	answers := write(t, "answers.csv", answerHeader)
	for round := 0; ; round++ {
		next := ask(t, "", "learn", "--limits", frame, "--next", "5", answers)
		if next.status == 0 {
			if next != (answer{}) || round < 5 {
				t.Errorf("after %d rounds: %+v", round, next)
			}
			break
		}
		checked := ask(t, next.out, "check", "--limits", hidden, "--input", "csv", "--format", "json", "-")
		if next.status != 1 || next.err != "" || !strings.HasPrefix(next.out, titles) ||
			strings.Count(next.out, "\n") > 6 || checked.status > 1 || round > 30 {
			t.Fatalf("%+v, %+v", next, checked)
		}
		data, err := os.ReadFile(answers)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(checked.out) {
			var r struct {
				Width, Depth, Height float64
				Code                 string
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			data = fmt.Appendf(data, "tuck-end,carton-300,%v,%v,%v,%s\n", r.Width, r.Depth, r.Height, codeOrValid(boxrules.Code(r.Code)))
		}
		if err := os.WriteFile(answers, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, write := range []string{"lenient", "strict"} {
		output := filepath.Join(t.TempDir(), "limits.yaml")
		if got := ask(t, "", "learn", "--limits", frame, answers, "-o", output, "--write", write); got.status != 0 {
			t.Errorf("%s: %+v", write, got)
		}
		same(t, output, hidden)
	}
}

// TestLearnUnknownBlank: of an article whose blank the frame does not have no size is learned, and
// the lenient limits refuse none, also with the blank in them later.
func TestLearnUnknownBlank(t *testing.T) {
	const (
		head = `version: 1
unit: mm
%smaterials: {kraft: {caliper: 3, glue_flap: 30, sheet: b1}}
articles:
`
		faltschachtel = `  faltschachtel:
    width: {min: 20, max: 200}
    depth: {min: 15, max: 100}
    height: {min: 30, max: 200}
    constraints: [BOX_3100]
    blank: {width: 2*width + 2*depth + glue_flap, height: height + 2*depth}
`
		versandkarton = `  versandkarton:
    width: {min: 100, max: 600}
    depth: {min: 80, max: 500}
    height: {min: 50, max: 400}
    constraints: []
`
		blank = "    blank: {width: 2*width + 2*depth + glue_flap, height: height + depth}\n"
	)
	hidden := write(t, "hidden.yaml", fmt.Sprintf(head, "sheets: {b1: {width: 1580, height: 1180}}\n")+faltschachtel+versandkarton+blank)
	frame := write(t, "frame.yaml", fmt.Sprintf(head, "")+faltschachtel+versandkarton)
	answers := ask(t, "", "audit", "--limits", hidden, "--next").out
	learn := func(more ...string) answer {
		return ask(t, answers, append([]string{"learn", "--limits", frame, "--input", "csv", "-"}, more...)...)
	}
	output := filepath.Join(t.TempDir(), "limits.yaml")
	got := learn("-o", output)
	for _, want := range []string{
		"sheet of kraft\n  unobservable   at least 630 x 400 (row",
		"\nnot learned: size of versandkarton (its blank is not in the frame)\n",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("it does not say %q:\n%s", want, got.out)
		}
	}
	if !strings.HasSuffix(got.err, ", 0 open, 0 contradictions, 1 not learned\n") || got.status != 0 {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	const fact = `{"article":"versandkarton","what":"size","state":"not learned","note":"its blank is not in the frame"}` + "\n"
	if got := learn("--format", "json"); !strings.Contains(got.out, fact) || got.status != 0 {
		t.Errorf("%+v, want %s", got, fact)
	}
	written, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(written), strings.TrimRight(string(written), "\n") + "\n" + blank} {
		file := write(t, "learned.yaml", text)
		a := ask(t, "", "check", "--limits", file, "--article", "versandkarton", "--material", "kraft",
			"--width", "300", "--depth", "200", "--height", "100")
		if a.status != 0 {
			t.Errorf("%+v, under\n%s", a, text)
		}
	}
}

// TestLearnOutput: the limits take the place of the file whole, keep its mode and follow its link; - is stdout.
func TestLearnOutput(t *testing.T) {
	output := write(t, "limits.yaml", "old")
	if err := os.Chmod(output, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(output, link); err != nil {
		t.Fatal(err)
	}
	facts := learnFrom(t, "csv", someAnswers)
	if got := learnFrom(t, "csv", someAnswers, "-o", link); got != facts {
		t.Errorf("%+v, want %+v", got, facts)
	}
	data, err := os.ReadFile(output)
	info, statErr := os.Lstat(output)
	if err != nil || statErr != nil || info.Mode() != 0o640 || !bytes.Contains(data, []byte("# Learned from 5 answers")) {
		t.Errorf("%v %v %v\n%s", err, statErr, info.Mode(), data)
	}
	if files, err := os.ReadDir(filepath.Dir(output)); err != nil || len(files) != 1 {
		t.Errorf("beside the limits there is %v, %v", files, err)
	}
	if got := learnFrom(t, "csv", someAnswers, "-o", "-"); got != (answer{string(data), facts.err, 1}) {
		t.Errorf("on stdout: %+v", got)
	}
	pipe, through := filepath.Join(t.TempDir(), "pipe"), make(chan []byte)
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		data, _ := os.ReadFile(pipe)
		through <- data
	}()
	if got := learnFrom(t, "csv", someAnswers, "-o", pipe); got != facts || !bytes.Equal(<-through, data) {
		t.Errorf("through a pipe: %+v", got)
	}
	nowhere := filepath.Join(t.TempDir(), "no", "limits.yaml")
	if got := learnFrom(t, "csv", someAnswers, "-o", nowhere); got.status != 2 || !strings.Contains(got.err, "no such file") {
		t.Errorf("no folder: %+v", got)
	}
	if got := learnFrom(t, "csv", answerHeader, "-o", output, "--write", "strict"); got.status != 2 ||
		!strings.Contains(got.err, "is not written: nothing is certain yet") {
		t.Errorf("nothing is certain: %+v", got)
	}
	if now, err := os.ReadFile(output); err != nil || !bytes.Equal(now, data) {
		t.Errorf("the limits are now\n%s, %v", now, err)
	}
}

// TestLearnContradiction: what contradicts itself is told with the rows and since when, nothing is written, and with --since the later
// answers count.
func TestLearnContradiction(t *testing.T) {
	const text = datedHeader +
		"tuck-end,carton-300,390,50,303,ok,2026-01-01T00:00:00Z\n" +
		"tuck-end,carton-300,370,50,303,ok,2026-02-01T00:00:00Z\n" +
		"tuck-end,carton-300,380,50,303,BOX_2101,2026-03-01T00:00:00Z\n"
	output := filepath.Join(t.TempDir(), "limits.yaml")
	got := learnFrom(t, "csv", text, "-o", output)
	if _, err := os.Stat(output); err == nil || got.status != 2 ||
		!strings.Contains(got.out, "  contradiction  max_width: rows 1 and 3 cannot all be true, since 2026-03-01T00:00:00Z\n") {
		t.Errorf("%+v", got)
	}
	for _, more := range [][]string{{"--next", "1"}, {"-o", "-"}} {
		if got := learnFrom(t, "csv", text, more...); got.status != 2 || got.out != "" ||
			!strings.Contains(got.err, "boxrules: tuck-end max_width: rows 1 and 3 cannot all be true, since 2026-03-01T00:00:00Z\n") {
			t.Errorf("%v: %+v", more, got)
		}
	}
	for _, since := range []string{"2026-03-01", "2026-03-01T00:00:00Z"} {
		got := learnFrom(t, "csv", text, "--since", since)
		if got.status != 1 || !strings.Contains(got.out, "max_width: 370 to 379 (rows 2 and 3)\n") {
			t.Errorf("%+v", got)
		}
	}
	if got := learnFrom(t, "csv", text, "--since", "2026-02-01", "--limits"); got.status != 2 {
		t.Errorf("%+v", got)
	}
	want := answer{"", "boxrules: --since is given, and no answer has a date\n", 2}
	if got := learnFrom(t, "csv", someAnswers, "--since", "2026-03-01"); got != want {
		t.Errorf("%+v", got)
	}
}

func TestLearnUsage(t *testing.T) {
	frame := write(t, "frame.yaml", oneFrame)
	own := write(t, "rules.yaml", "version: 1\nboundary:\n  - {code: OWN_0001, when: width + depth > 100, message: m}\n")
	creds := map[string]string{"BOXRULES_CLIENT_ID": "a", "BOXRULES_CLIENT_SECRET": "b"}
	for args, want := range map[string]string{
		"a.csv": "--limits is missing; accepted: --limits FRAME, a " +
			"limit file with what no answer tells: unit, materials and blanks",
		"--limits F": "no answers are given; accepted: files, or - for " +
			"stdin, or --next, or --service",
		"--limits F a.txt": `what file "a.txt" is cannot be told from its ` +
			`name; accepted: .csv, .tsv, .xlsx, .ndjson, .jsonl, or --input csv, xlsx, ndjson`,
		"--limits F --next 0": "--next 0 is not a number of boxes; accepted: 1 or more",
		"--limits F --next 1 -o x": "--next is given with --output, --service or " +
			"--format; accepted: boxes as CSV alone",
		"--limits F --next 1 --step x": `--step: "x" is not a dimension; accepted: a ` +
			`plain decimal such as 48 or 48.5`,
		"--limits F --next 1 --step 0":                        "--step: accepted: a number of at most three decimals, greater than 0",
		"--limits F --next 1 --max 0.5":                       "--max: accepted: a number from the step to 1000000, at most 1000000 steps",
		"--limits F --next 1 --since soon":                    `--since "soon" is not a date; accepted: 2026-03-01 or 2026-03-01T12:00:00Z`,
		"--limits F --next 1 --article tuck-end":              "--article is given 1 time and --material 0 times; accepted: pairs of them",
		"--limits F --next 1 --article x --material y":        `--article "x" is unknown; accepted: tuck-end`,
		"--limits F --next 1 --article tuck-end --material y": `--material "y" is unknown; accepted for tuck-end: carton-300`,
		"--limits F --next 1 --record x":                      "--record is given without --service",
		"--limits F --service ftp://x": `--service "ftp://x": neither http nor https; ` +
			`accepted: an address such as https://api.example.com`,
		"--limits F --service= a.csv": `--service "": neither http nor https; accepted: ` +
			`an address such as https://api.example.com`,
		"--limits F --service http://x --pause -1s":       "--pause -1s is not a time to wait; accepted: 0 or more, such as 1s",
		"--limits F --service http://x --max-questions 0": "--max-questions 0 is not a number of questions; accepted: 1 or more",
		"--limits F --service http://x --query width=1": `--query "width=1"; accepted: NAME=VALUE such as ` +
			`type=pdf, none of article, material, width, depth and height`,
		"--limits F --service http://x --query type": `--query "type"; accepted: NAME=VALUE such as ` +
			`type=pdf, none of article, material, width, depth and height`,
	} {
		fields := strings.Fields(strings.ReplaceAll("learn "+args, " F", " "+frame))
		got := askAs(t, &console.Console{Getenv: func(name string) string { return creds[name] }}, fields...)
		if want := (answer{"", "boxrules: " + want + "; run 'boxrules learn --help'\n", 2}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
	got := ask(t, "", "learn", "--limits", frame, "--service", "http://x")
	if want := "boxrules: --service needs a client; accepted: its ID in BOXRULES_CLIENT_ID and its secret in BOXRULES_CLIENT_SECRET; " +
		"run 'boxrules learn --help'\n"; got != (answer{"", want, 2}) {
		t.Errorf("%+v, want %q", got, want)
	}
	if got := ask(t, "", "learn", "--limits", frame, "--next", "1", "--rules", own); got.status != 2 ||
		!strings.HasPrefix(got.err, own+":3:") || !strings.Contains(got.err, "limits cannot be learned under this rule") {
		t.Errorf("%+v", got)
	}
	want := answer{"", "boxrules: --limits \"none.yaml\": no such file or directory\n", 2}
	if got := ask(t, "", "learn", "--limits", "none.yaml", "--next", "1"); got != want {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "", "learn", "--limits", frame, "none.csv"); got != (answer{"", "boxrules: none.csv: no such file or directory\n", 2}) {
		t.Errorf("%+v", got)
	}
}

// TestLearnChosen: what is asked and told is about the chosen articles and materials alone.
func TestLearnChosen(t *testing.T) {
	for _, more := range [][]string{{"--next", "3"}, {"--format", "json", "-"}} {
		got := ask(t, answerHeader, append([]string{"learn", "--limits", "../../limits/illustrative.yaml", "--input", "csv",
			"--article", "mailer", "--material", "b-flute", "--article", "tuck-end", "--material", "carton-300"}, more...)...)
		for line := range strings.Lines(strings.TrimPrefix(got.out, titles)) {
			if !strings.Contains(line, "mailer") && !strings.Contains(line, `"tuck-end"`) && !strings.HasPrefix(line, "tuck-end,") &&
				!strings.Contains(line, `"sheet"`) {
				t.Errorf("%v: %s", more, line)
			}
		}
		if strings.Count(got.out, "\n") < 4 || got.status != 1 {
			t.Errorf("%v: %+v", more, got)
		}
	}
}

// TestLearnBlanks: a blank that the frame does not have is found among the shipped ones.
func TestLearnBlanks(t *testing.T) {
	frame := write(t, "frame.yaml", oneFrame[:strings.Index(oneFrame, "    blank:")]+"    title: Tuck end\n")
	for blanks, want := range map[string]string{"shipped": "formulas are left", "F": "1 formula is left"} {
		blanks := strings.Replace(blanks, "F", write(t, "blanks.yaml", oneFrame), 1)
		got := ask(t, someAnswers, "learn", "--limits", frame, "--blanks", blanks, "--input", "csv", "-")
		if got.status != 1 || !strings.Contains(got.out, want) {
			t.Errorf("--blanks %s: %+v, want %q", blanks, got, want)
		}
	}
	want := answer{"", "boxrules: --blanks \"none.yaml\": no such file or directory\n", 2}
	if got := ask(t, "", "learn", "--limits", frame, "--blanks", "none.yaml", "--next", "1"); got != want {
		t.Errorf("%+v", got)
	}
}

// TestLearnProperty: of any boxes, answered by the limits, all facts are true of the limits, and audit finds no fault.
func TestLearnProperty(t *testing.T) {
	hidden, frame := write(t, "hidden.yaml", oneHidden), write(t, "frame.yaml", oneFrame)
	truth := map[string]float64{"min_width": 20, "max_width": 400, "min_depth": 15, "max_depth": 250, "min_height": 30, "max_height": 450}
	size := rapid.OneOf(rapid.IntRange(1, 600), rapid.SampledFrom([]int{14, 15, 19, 20, 29, 30, 250, 251, 400, 401, 450, 451}))
	rapid.Check(t, func(rt *rapid.T) {
		boxes := titles
		for range rapid.IntRange(1, 40).Draw(rt, "boxes") {
			boxes += fmt.Sprintf("tuck-end,carton-300,%d,%d,%d\n", size.Draw(rt, "width"), size.Draw(rt, "depth"), size.Draw(rt, "height"))
		}
		checked := ask(t, boxes, "check", "--limits", hidden, "--input", "csv", "--format", "json", "-")
		got := ask(t, checked.out, "learn", "--limits", frame, "--input", "ndjson", "--format", "json", "-")
		if got.status > 1 {
			rt.Fatalf("%+v", got)
		}
		for line := range strings.Lines(got.out) {
			var f learn.Fact
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				rt.Fatal(err)
			}
			x, limit := truth[f.What]
			if limit && (x < f.Least || x > f.Greatest) || f.Selected != nil && *f.Selected != (f.What == "BOX_3100") {
				rt.Errorf("%s", line)
			}
			if f.Fits != nil && (f.Fits[0] > 1040 || f.Fits[1] > 720) || slices.Contains(f.Exceeds, [2]float64{1040, 720}) {
				rt.Errorf("%s", line)
			}
		}
		if got := ask(t, checked.out, "audit", "--limits", hidden, "--input", "ndjson", "-"); got.status != 0 || got.out != "" {
			rt.Errorf("audit: %+v", got)
		}
	})
}
