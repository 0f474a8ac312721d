package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

var update = flag.Bool("update", false, "write the golden files")

const notice = "boxrules: the limits are illustrative, not the service's: give your own with --limits FILE\n"

// answer is what a run left behind.
type answer struct {
	out, err string
	status   int
}

// ask runs the command as from a shell without a terminal.
func ask(t testing.TB, stdin string, args ...string) answer {
	t.Helper()
	return askAs(t, &console.Console{In: strings.NewReader(stdin)}, args...)
}

func askAs(t testing.TB, c *console.Console, args ...string) answer {
	t.Helper()
	var out, err bytes.Buffer
	if c.In == nil {
		c.In = strings.NewReader("")
	}
	if c.Getenv == nil {
		c.Getenv = func(string) string { return "" }
	}
	c.Out, c.Err = &out, &err
	if args == nil {
		args = []string{}
	}
	status := run(args, c)
	return answer{out.String(), err.String(), status}
}

// write makes a file for a test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

func box(values ...string) []string {
	var args []string
	for field, value := range values {
		args = append(args, "--"+lists.FieldNames[field], value)
	}
	return args
}

func TestUsageErrors(t *testing.T) {
	five := "--article, --material, --width, --depth and --height"
	tuckEnd := box("tuck-end", "carton-300", "143", "50", "303")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "a command is missing; accepted: articles, audit, check, codes, completion, diff, explain, generate, health, help, learn, lint, " +
			"map, serve; run 'boxrules --help'"},
		{[]string{"chek", "--width", "3"}, `unknown command "chek" for "boxrules"; accepted: articles, audit, check, codes, completion, ` +
			`diff, explain, generate, health, help, learn, lint, map, serve; run 'boxrules --help'`},
		{[]string{"ch\x1b[31m"}, `unknown command "ch\x1b[31m" for "boxrules"; accepted: articles, audit, check, codes, completion, ` +
			`diff, explain, generate, health, help, learn, lint, map, serve; run 'boxrules --help'`},
		{[]string{"--colour"}, "unknown flag: --colour; run 'boxrules --help'"},
		{[]string{"help", "chek"}, `no help on "chek"; accepted: articles, audit, check, codes, completion, diff, explain, generate, ` +
			`health, help, learn, lint, map, serve; run 'boxrules help --help'`},
		{[]string{"help", "check", "all"}, `no help on "check all"; accepted: articles, audit, check, codes, completion, diff, ` +
			`explain, generate, health, help, learn, lint, map, serve; run 'boxrules help --help'`},
		{[]string{"completion"}, "a command is missing; accepted: bash, fish, powershell, zsh; run 'boxrules completion --help'"},
		{[]string{"completion", "tcsh"}, `unknown command "tcsh" for "boxrules completion"; accepted: bash, fish, ` +
			`powershell, zsh; run 'boxrules completion --help'`},
		{[]string{"man"}, "man takes one folder to write into; given: 0 arguments; run 'boxrules man --help'"},
		{[]string{"check"}, "no box is given; accepted: " + five + ", or files, or - for stdin; run 'boxrules check --help'"},
		{[]string{"check", "--wdith", "3"}, "unknown flag: --wdith; run 'boxrules check --help'"},
		{[]string{"check", "--wi\x1bdth", "3"}, `unknown flag: --wi\x1bdth; run 'boxrules check --help'`},
		{append([]string{"check"}, tuckEnd[:8]...), "--height is missing; accepted: " + five + " together; run 'boxrules check --help'"},
		{append([]string{"check"}, tuckEnd[:6]...),
			"--depth and --height are missing; accepted: " + five + " together; run 'boxrules check --help'"},
		{append([]string{"check", "a.csv"}, tuckEnd[:6]...),
			"both a box (--article, --material and --width) and files are given; accepted: one or the other, with files --article " +
				"and --material; run 'boxrules check --help'"},
		{append([]string{"check", "--format", "csv"}, tuckEnd...),
			"--format csv is about files, and one box is given by flags; accepted: --format text or json; run 'boxrules check --help'"},
		{append([]string{"check", "--unit", "cm"}, tuckEnd...),
			"--unit is about files, and one box is given by flags; accepted: one or the other; run 'boxrules check --help'"},
		{append([]string{"check", "--summary"}, tuckEnd...),
			"--summary and --extra-keys are about files, and one box is given by flags; accepted: one or the other; run 'boxrules check --help'"},
		{[]string{"check", "--article", "", "a.csv"}, "--article is empty; accepted: a code; run 'boxrules check --help'"},
		{[]string{"check", "--delimiter", ".", "a.csv"},
			`--delimiter "." is not a delimiter; accepted: one character such as , or ; or | or \t for a tab; run 'boxrules check --help'`},
		{[]string{"check", "--format", "csv", "a.csv", "b.csv"},
			"--format csv writes a list as it came, and there are 2; accepted: one file; run 'boxrules check --help'"},
		{[]string{"check", "--format", "csv", "a.ndjson"},
			"--format csv writes a list as it came, and a.ndjson is NDJSON; accepted: --format json with --extra-keys; run 'boxrules check --help'"},
		{[]string{"check", "--format", "csv", "--all", "a.csv"},
			"--all is about --format text and json; accepted: one of them; run 'boxrules check --help'"},
		{[]string{"check", "--verdict-column", "x", "a.csv"},
			"--verdict-column is about --format csv; accepted: both; run 'boxrules check --help'"},
		{[]string{"check", "--format", "csv", "--verdict-column", " ", "a.csv"},
			"--verdict-column is empty; accepted: the name of a column; run 'boxrules check --help'"},
		{[]string{"check", "--extra-keys", "a.ndjson"},
			"--extra-keys is about --format json; accepted: both, or --format csv, which keeps every column; run 'boxrules check --help'"},
		{[]string{"check", "--extra-keys", "--format", "json", "a.csv"},
			"--extra-keys is about NDJSON, and a.csv is a list; accepted: --format csv, which keeps every column; run 'boxrules check --help'"},
		{[]string{"check", "--advice", "a.csv"},
			"--advice is about --format csv and json; accepted: one of them, or explain for one box; run 'boxrules check --help'"},
		{[]string{"check", "--step", "2", "a.csv"}, "--step is about --advice; accepted: both; run 'boxrules check --help'"},
		{[]string{"check", "--advice", "--format", "csv", "--step", "1e1", "a.csv"},
			`--step: "1e1" is not a dimension; accepted: a plain decimal such as 48 or 48.5; run 'boxrules check --help'`},
		{[]string{"check", "--unit", "cm", "a.ndjson"},
			`--unit is about lists, and "a.ndjson" is NDJSON; accepted: .csv, .tsv or .xlsx; run 'boxrules check --help'`},
		{[]string{"check", "--sheet", "x", "a.csv"},
			`--sheet is about .xlsx files, and "a.csv" is CSV; accepted: one of them; run 'boxrules check --help'`},
		{[]string{"check", "--delimiter", ";", "a.xlsx"},
			`--delimiter and --encoding are about text, and "a.xlsx" is a spreadsheet; accepted: one of them; ` +
				`run 'boxrules check --help'`},
		{[]string{"check", "--decimal", ",", "--delimiter", ",", "a.csv"},
			`--delimiter and --decimal are both ","; accepted: two characters; run 'boxrules check --help'`},
		{[]string{"check", "--delimiter", ";;", "a.csv"},
			`--delimiter ";;" is not a delimiter; accepted: one character such as , or ; or | or \t for a tab; run 'boxrules check --help'`},
		{[]string{"check", "--rename", "width", "a.csv"},
			`--rename: "width"; accepted: FIELD=NAME,…, such as width=Breite,depth=T; with a comma in NAME "FIELD=NAME"; ` +
				`run 'boxrules check --help'`},
		{append([]string{"check", "--input", "csv"}, tuckEnd...),
			"--input is about files, and one box is given by flags; accepted: one or the other; run " +
				"'boxrules check --help'"},
		{[]string{"check", "-"}, "--input is missing, as stdin has no name that tells what it is; accepted: --input csv, " +
			"xlsx, ndjson; run 'boxrules check --help'"},
		{[]string{"check", "--input", "csv", "-", "-"}, "stdin is given twice; accepted: - once; run 'boxrules check --help'"},
		{[]string{"check", "a.csv", "b.ods"},
			`what file "b.ods" is cannot be told from its name; accepted: .csv, .tsv, .xlsx, .ndjson, .jsonl, or --input csv, xlsx, ndjson; ` +
				`run 'boxrules check --help'`},
		{[]string{"check", "--input", "ods", "b.ods"},
			`invalid argument "ods" for "--input" flag: accepted: csv, xlsx, ndjson; run 'boxrules check --help'`},
		{[]string{"check", "--format", "xml", "a.csv"},
			`invalid argument "xml" for "--format" flag: accepted: text, json, csv, none; run 'boxrules check --help'`},
		{[]string{"check", "--rules"}, "flag needs an argument: --rules; run 'boxrules check --help'"},
		{[]string{"codes", "BOX_3100", "BOX_3101"}, "2 codes are given; accepted: one, or none for the list; run 'boxrules codes --help'"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			got := ask(t, "", test.args...)
			if want := (answer{"", "boxrules: " + test.want + "\n", 2}); got != want {
				t.Errorf("run(%q) =\n%+v, want\n%+v", test.args, got, want)
			}
		})
	}
}

// What the help shows has to work, from the root of the project.
func TestHelpExamples(t *testing.T) {
	t.Chdir("../..")
	for _, command := range []string{"", "check", "codes"} {
		help := ask(t, "", strings.Fields(command+" --help")...)
		if help.status != 0 || help.err != "" {
			t.Fatalf("%s --help = %+v", command, help)
		}
		examples := 0
		for line := range strings.Lines(help.out) {
			line, found := strings.CutPrefix(strings.TrimSpace(line), "boxrules ")
			if !found || strings.ContainsAny(line, "[:") || !strings.HasPrefix(line, "c") {
				continue
			}
			examples++
			line, file, _ := strings.Cut(line, " < ")
			var stdin []byte
			if file != "" {
				var err error
				if stdin, err = os.ReadFile(file); err != nil {
					t.Fatal(err)
				}
			}
			if got := ask(t, string(stdin), strings.Fields(line)...); got.status > 1 || got.out == "" {
				t.Errorf("boxrules %s = %+v", line, got)
			}
		}
		if examples < 3 {
			t.Errorf("%s --help has %d examples, want 3 or more", command, examples)
		}
	}
}

func TestHelpCommand(t *testing.T) {
	for _, topic := range []string{"", "check", "completion"} {
		got := ask(t, "", strings.Fields("help "+topic)...)
		want := ask(t, "", strings.Fields(topic+" --help")...)
		if got != want || got.status != 0 {
			t.Errorf("help %s = %+v, want %+v", topic, got, want)
		}
	}
}

func TestVersion(t *testing.T) {
	if got := ask(t, "", "--version"); got.status != 0 || got.err != "" || !strings.HasPrefix(got.out, "boxrules ") ||
		strings.Count(got.out, "\n") != 1 {
		t.Errorf("--version = %+v", got)
	}
	for _, test := range []struct {
		release string
		info    *debug.BuildInfo
		ok      bool
		want    string
	}{
		{"", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, true, "v1.2.3 (go"},
		{"1.2.4", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, true, "1.2.4 (go"},
		{"1.2.4", nil, false, "1.2.4 (go"},
		{"", &debug.BuildInfo{}, true, "(unknown) (go"},
		{"", nil, false, "(unknown) (go"},
	} {
		if got := version(test.release, test.info, test.ok); !strings.HasPrefix(got, test.want) {
			t.Errorf("version(%q, %v, %v) = %q, want %q…", test.release, test.info, test.ok, got, test.want)
		}
	}
}

func TestCompletions(t *testing.T) {
	shop, frame := write(t, "shop.yaml", smallShop), write(t, "frame.yaml", oneFrame)
	for _, test := range []struct {
		args string
		want string // the last line is cobra's directive
	}{
		{"ch", "check\tSay of each box whether it can be made\n:4\n"},
		{"help co", "codes\tList the documented codes, or say all there is to know of one\n" +
			"completion\tGenerate the autocompletion script for the specified shell\n:4\n"},
		{"check --format ", "text\njson\ncsv\nnone\n:4\n"},
		{"check --input nd", "ndjson\n:4\n"},
		{"check --article tuck", "tuck-end\tTuck-end carton (ECMA A20.20.03.01)\ntuck-end-slim\tSlim tuck-end carton (ECMA A20.20.03.01)\n:4\n"},
		{"check --article mailer --material ", "e-flute\nb-flute\n:4\n"},
		{"check --material e", "e-flute\n:4\n"},
		{"check --limits " + shop + " --article ", "cube\n:4\n"},
		{"check --limits " + shop + " --material ", "board\n:4\n"},
		{"check --limits none.yaml --article ", ":4\n"},
		{"check --limits none.yaml --material ", ":4\n"},
		{"learn --blanks ", "yaml\nyml\n:8\n"},
		{"learn --write ", "lenient\nstrict\n:4\n"},
		{"learn --limits " + frame + " --article ", "tuck-end\n:4\n"},
		{"learn --article mailer --material e-flute --article tuck-end --material ", "carton-300\ncarton-400\n:4\n"},
		{"learn ", "csv\ntsv\nxlsx\nndjson\njsonl\n:8\n"},
		{"audit --article mailer --material ", "e-flute\nb-flute\n:4\n"},
		{"check ", "csv\ntsv\nxlsx\nndjson\njsonl\n:8\n"},
		{"check --rules ", "yaml\nyml\n:8\n"},
		{"codes BOX_41", "BOX_4100\tthe flat blank does not fit the largest printing sheet, either way round\n:4\n"},
		{"codes NOT", "NOT_FOUND\tthe resource does not exist\n:4\n"},
		{"codes BOX_4100 ", ":4\n"},
		{"codes --rules none.yaml ", ":4\n"},
	} {
		got := ask(t, "", append([]string{"__complete"}, strings.Split(test.args, " ")...)...)
		if got.out != test.want || got.status != 0 {
			t.Errorf("completing %q = %+v, want %q", test.args, got, test.want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := ask(t, "", "completion", shell); got.status != 0 || got.err != "" || len(got.out) < 1000 {
			t.Errorf("completion %s = %.200q, status %d", shell, got.out, got.status)
		}
	}
}

func TestSources(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	rules := write(t, "rules.yaml", smallRules)
	cube := append([]string{"check"}, box("cube", "board", "10", "20", "30")...)
	long := write(t, "long.yaml", strings.Repeat("# more than is read\n", 20_000))
	directory := t.TempDir()
	for _, test := range []struct {
		name string
		args []string
		want answer
	}{
		{"own limits", append(cube, "--limits", shop),
			answer{"cube  board  10 x 20 x 30  BOX_3100  depth 20 > width 10\n", "", 1}},
		{"own rules and limits", append(cube, "--limits", shop, "--rules", rules),
			answer{"cube  board  10 x 20 x 30  OWN_0001  height 30 > 25\n", "", 1}},
		{"rules that the limits do not fit", []string{"check", "a.csv", "--rules", write(t, "r.yaml", boundaryAlone), "--limits", shop},
			answer{"", shop + ":10:19: articles.cube: BOX_3100 is not a rule of", 2}},
		{"limits in another unit", append(cube, "--limits", write(t, "cm.yaml", inCentimetres(smallShop))),
			answer{"", "cm.yaml:2:7: the limits have the unit cm, and the rules of rules/box_rules.yaml the unit mm; " +
				"accepted: mm, or rules that say unit: cm\n", 2}},
		{"rules in another unit", append(cube, "--limits", shop, "--rules", write(t, "cm-rules.yaml", "unit: cm\n"+smallRules)),
			answer{"", shop + ":2:7: the limits have the unit mm, and the rules of ", 2}},
		{"both in another unit", append(cube, "--limits", write(t, "cm2.yaml", inCentimetres(smallShop)),
			"--rules", write(t, "cm2-rules.yaml", "unit: cm\n"+smallRules)),
			answer{"cube  board  10 x 20 x 30  OWN_0001  height 30 > 25\n", "", 1}},
		{"rules in another unit than the shipped limits", append(cube, "--rules", write(t, "in.yaml", "unit: in\n"+smallRules)),
			answer{"", ": the shipped limits have the unit mm, and these rules the unit in; " +
				"give your own limits with --limits FILE\n", 2}},
		{"rules without the codes of the shipped limits", append(cube, "--rules", rules),
			answer{"", ": the shipped limits select codes that these rules do not have; say extends: documented in them, " +
				"or give your own limits with --limits FILE\n", 2}},
		{"rules given twice", append(cube, "--rules", rules, "--rules", "more.yaml"),
			answer{"", `invalid argument "more.yaml" for "--rules" flag: given twice; accepted: one file`, 2}},
		{"neither can be read", []string{"check", "a.csv", "--rules", "none\x1b.yaml", "--limits", directory},
			answer{"", `boxrules: --rules "none\x1b.yaml": no such file or directory` + "\n" + `boxrules: --limits "` +
				directory + `": is a directory` + "\n", 2}},
		{"given empty", append(cube, "--rules", ""),
			answer{"", `boxrules: --rules "": no such file or directory` + "\n", 2}},
		{"every error of both files", []string{"check", "a.csv", "--rules", write(t, "bad.yaml", "version: 2\n"),
			"--limits", write(t, "bad2.yaml", "version: 3\n")},
			answer{"", "bad.yaml:1:10: version 2 is not known; accepted: 1\n", 2}},
		{"too long", []string{"check", "a.csv", "--limits", long}, answer{"", long + ":", 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ask(t, "", test.args...)
			if got.out != test.want.out || got.status != test.want.status || !strings.Contains(got.err, test.want.err) ||
				test.want.err == "" && got.err != "" || strings.HasSuffix(test.want.err, "FILE\n") && strings.Count(got.err, "\n") != 1 {
				t.Errorf("run(%q) =\n%+v, want\n%+v", test.args, got, test.want)
			}
		})
	}
}

// A file that never ends is not read to its end.
func TestSourceFileIsCut(t *testing.T) {
	f := sourceFile{name: os.DevNull}
	if data, err := f.read(); err != nil || len(data) != 0 {
		t.Errorf("read() of an empty file = %d bytes, %v", len(data), err)
	}
	f.name = write(t, "endless.yaml", strings.Repeat("#", 300<<10))
	if data, err := f.read(); err != nil || len(data) != 256<<10+1 {
		t.Errorf("read() of 300 KiB = %d bytes, %v; want 256 KiB and one byte", len(data), err)
	}
}

func inCentimetres(limits string) string { return strings.Replace(limits, "unit: mm", "unit: cm", 1) }

const smallShop = `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {board: {caliper: 1, glue_flap: 10, sheet: s}}
articles:
  cube:
    width: {min: 1, max: 100}
    depth: {min: 1, max: 100}
    height: {min: 1, max: 100}
    constraints: [BOX_3100]
`

const boundaryAlone = `version: 1
boundary:
  - code: OWN_0001
    when: |
      height
        > 25
    message: "too high"
`

const smallRules = boundaryAlone + `
constraint:
  - code: BOX_3100
    when: depth > width
    message: too deep
`
