package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/lab/xlsxtest"
)

// TestScripts runs testdata/script/*.txtar, one after the other in this process. Besides the
// commands of testscript they have
//
//	input TEXT     what the next boxrules reads from stdin, with Go's escapes such as \n and \xff
//	file NAME TEXT a file of such a text
//	workbook NAME FILE  a workbook whose sheet One has the rows of a file, and Other none
//	boxrules ARGS  runs the command, with < FILE at the end on that; with ! before it, the status
//	               is not to be 0
//	status N       the exit status
//	prints LINE... all of stdout
//	writes TEXT    all of stdout, with escapes
//	says LINE...   all of stderr
//	fails LINE...  status 2, nothing on stdout, and the lines on stderr
//	usage TEXT     as fails does of one line, boxrules: TEXT; run 'boxrules COMMAND --help'
//
// in folders where examples, limits and rules are those of the project; $NOTICE is the notice of
// illustrative limits, $ESC an escape character. With -update
// the files that cmp compares with are written.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	noError(t, err)
	testscript.RunT(oneByOne{t}, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ESC", "\x1b")
			e.Setenv("NOTICE", strings.TrimSuffix(notice, "\n"))
			e.Values[scripted{}] = new(scripted)
			for _, name := range []string{"examples", "limits", "rules"} {
				if err := os.Symlink(filepath.Join(root, name), filepath.Join(e.WorkDir, name)); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"input": func(ts *testscript.TestScript, _ bool, args []string) { lastRun(ts).stdin = unescaped(ts, args[0]) },
			"file": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescaped(ts, args[1])), 0o600))
			},
			"workbook": func(ts *testscript.TestScript, _ bool, args []string) {
				parts := xlsxtest.Rows(strings.ReplaceAll(ts.ReadFile(args[1]), "\n", ""))
				parts[xlsxtest.Book] = strings.Replace(xlsxtest.Usual()[xlsxtest.Book], "</sheets>", `<sheet name="Other" r:id="r4"/></sheets>`, 1)
				parts[xlsxtest.BookRels] = xlsxtest.Relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml",
					"styles", "styles.xml", "worksheet", "worksheets/sheet2.xml")
				parts["xl/worksheets/sheet2.xml"] = xlsxtest.Worksheet("")
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), xlsxtest.File(parts), 0o600))
			},
			"boxrules": runScripted,
			"status": func(ts *testscript.TestScript, _ bool, args []string) {
				expect(ts, "the status", strconv.Itoa(lastRun(ts).status), args[0])
			},
			"prints": func(ts *testscript.TestScript, _ bool, args []string) {
				expect(ts, "stdout", lastRun(ts).out, asLines(args))
			},
			"writes": func(ts *testscript.TestScript, _ bool, args []string) {
				expect(ts, "stdout", lastRun(ts).out, unescaped(ts, args[0]))
			},
			"says": func(ts *testscript.TestScript, _ bool, args []string) {
				expect(ts, "stderr", lastRun(ts).err, asLines(args))
			},
			"fails": func(ts *testscript.TestScript, _ bool, args []string) { expectFailure(ts, asLines(args)) },
			"usage": func(ts *testscript.TestScript, _ bool, args []string) {
				_, help, _ := strings.Cut(lastRun(ts).err, "; run '")
				expectFailure(ts, "boxrules: "+args[0]+"; run '"+help)
			},
		},
	})
}

// A scripted is the last run of a script, and what the next one reads.
type scripted struct {
	stdin string
	answer
}

func lastRun(ts *testscript.TestScript) *scripted { return ts.Value(scripted{}).(*scripted) }

// runScripted runs the command in the folder of the script.
func runScripted(ts *testscript.TestScript, neg bool, args []string) {
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(back)
	last := lastRun(ts)
	if i := len(args) - 2; i >= 0 && args[i] == "<" {
		last.stdin, args = ts.ReadFile(args[i+1]), args[:i]
	}
	var out, errs bytes.Buffer
	last.status = run(append([]string{}, args...), &console.Console{
		In: strings.NewReader(last.stdin), Out: &out, Err: &errs, Getenv: ts.Getenv,
	})
	last.stdin, last.out, last.err = "", out.String(), errs.String()
	ts.Stdout().Write(out.Bytes())
	ts.Stderr().Write(errs.Bytes())
	if neg != (last.status != 0) {
		ts.Fatalf("status %d", last.status)
	}
}

func expect(ts *testscript.TestScript, what, got, want string) {
	if got != want {
		ts.Fatalf("%s is\n%s, want\n%s", what, got, want)
	}
}

func expectFailure(ts *testscript.TestScript, said string) {
	last := lastRun(ts)
	if want := (answer{"", said, 2}); last.answer != want {
		ts.Fatalf("it ends with %+v, want %+v", last.answer, want)
	}
}

// asLines returns the lines as a text.
func asLines(lines []string) string { return strings.Join(append(lines, ""), "\n") }

// unescaped returns the text that is written with Go's escapes, and quotes as they are.
func unescaped(ts *testscript.TestScript, text string) string {
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	ts.Check(err)
	return plain
}

// oneByOne runs scripts one after the other, as each has the folder of the process.
type oneByOne struct{ *testing.T }

func (o oneByOne) Parallel()     {}
func (o oneByOne) Verbose() bool { return testing.Verbose() }
func (o oneByOne) Run(name string, f func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { f(oneByOne{t}) })
}
