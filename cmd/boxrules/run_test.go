package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
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

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readFile returns what is in a file.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	noError(t, err)
	return data
}

// write makes a file for a test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func box(values ...string) []string {
	var args []string
	for field, value := range values {
		args = append(args, "--"+lists.FieldNames[field], value)
	}
	return args
}

// TestHelpExamples runs what the help of check and codes shows, from the root of the project.
func TestHelpExamples(t *testing.T) {
	t.Chdir("../..")
	for _, command := range newRoot(&console.Console{}, nil).Commands() {
		for line := range strings.Lines(command.Example) {
			line, file, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "boxrules "), " < ")
			if !strings.HasPrefix(line, "check ") && !strings.HasPrefix(line, "codes ") {
				continue // what a user has to have files for
			}
			stdin := ""
			if file != "" {
				stdin = string(readFile(t, file))
			}
			if got := ask(t, stdin, strings.Fields(line)...); got.status > 1 || got.out == "" {
				t.Errorf("boxrules %s = %+v", line, got)
			}
		}
	}
}

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
