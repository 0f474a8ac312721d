package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/preflight"
)

// outputCommands are commands that run in the root of the project. Together, their output has nearly every key of the JSON
// that the command writes, and every column of its lists. addDeclared adds the keys that are too rare to appear here.
var outputCommands = []string{
	"articles --format json",
	"articles --styles --format json",
	"articles --rules cmd/boxrules/testdata/interface/rules.yaml --limits cmd/boxrules/testdata/interface/limits.yaml --format json",
	"audit --limits limits/illustrative.yaml --format json cmd/boxrules/testdata/interface/answers.csv",
	"check --all --advice --format json examples/boxes.csv",
	"check --format json cmd/boxrules/testdata/interface/not-boxes.csv",
	"check --format json --expect code cmd/boxrules/testdata/interface/answers.csv",
	"check --format csv --advice --expect code cmd/boxrules/testdata/interface/answers.csv",
	"check --article tuck-end-slim --material carton-300 --box 60.3x20.1x143 --format json",
	"codes --format json",
	"codes BOX_3113 --limits cmd/boxrules/testdata/interface/limits.yaml --rules cmd/boxrules/testdata/interface/rules.yaml --format json",
	"codes SHOP_0001 --limits cmd/boxrules/testdata/interface/limits.yaml --rules cmd/boxrules/testdata/interface/rules.yaml --format json",
	"diff --limits examples/shop/limits.yaml --rules examples/shop/rules.yaml --new-rules examples/shop/edited-rules.yaml --format json",
	"explain --article tuck-end --material carton-300 --box 48x141x184 --articles --format json",
	"explain --article tuck-end-slim --material carton-300 --box 60.3x20.1x143 --format json",
	"explain --article case --material board --box 400x380x100 --format json --limits cmd/boxrules/testdata/interface/own-limits.yaml --rules cmd/boxrules/testdata/interface/own-rules.yaml",
	"generate json --limits examples/shop/limits.yaml --rules examples/shop/rules.yaml --output -",
	"learn --limits examples/frame.yaml --format json examples/answers.csv",
	"lint --witness --format json --rules examples/shop/rules.yaml examples/shop/limits.yaml",
	"lint --format json --rules cmd/boxrules/testdata/interface/rules.yaml cmd/boxrules/testdata/interface/limits.yaml",
}

// TestInterface compares the names that docs/compatibility.md promises with testdata/interface.txt, which has a line for
// each. After version 1 and until version 2, no name goes away. If one is added, run the test with -update.
// scripts/apidiff compares the file with that of the last version: add to outputCommands, and do not change its lines.
func TestInterface(t *testing.T) {
	var text bytes.Buffer
	addCommands(&text, newRoot(&console.Console{}, nil))
	t.Chdir("../..")
	addOutputs(t, &text)
	addRefusals(t, &text)
	addServer(t, &text)
	addDeclared(t, &text)
	const golden = "cmd/boxrules/testdata/interface.txt"
	if *update {
		noError(t, os.WriteFile(golden, text.Bytes(), 0o600))
		return
	}
	want, got := underHeadings(string(readFile(t, golden))), underHeadings(text.String())
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("gone, although docs/compatibility.md promises it: %s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("not yet in %s; if it is meant to stay until version 2, run the test with -update: %s", golden, line)
		}
	}
}

// underHeadings returns the indented lines of a text, each after the last line that is not indented.
func underHeadings(text string) []string {
	var lines []string
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "    "); ok {
			lines = append(lines, heading+": "+name)
		} else if heading = line; heading != "" {
			lines = append(lines, heading)
		}
	}
	return lines
}

// addPart adds a heading, and the lines under it.
func addPart(text *bytes.Buffer, heading string, lines []string) {
	fmt.Fprintf(text, "\n%s\n", heading)
	for _, line := range lines {
		fmt.Fprintln(text, "    "+line)
	}
}

// addCommands adds a command with its flags and their defaults, and then the commands below it.
func addCommands(text *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintln(text, c.CommandPath())
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if (!f.Hidden || f.Deprecated != "") && f.Name != "help" { // a deprecated flag is hidden, but stays until version 2
			kind, _ := pflag.UnquoteUsage(f) // such as FILE; empty for a flag that is given without a value
			name := strings.TrimPrefix("-"+f.Shorthand+" --"+f.Name, "- ")
			fmt.Fprintln(text, "    "+strings.Join(strings.Fields(name+" "+kind+" "+defaultText(f)), " "))
		}
	})
	for _, child := range c.Commands() {
		if child.Name() != "completion" && child.Name() != "help" { // they are cobra's
			addCommands(text, child)
		}
	}
}

// addOutputs adds the exit status, and the keys of the JSON or the columns, of every command in outputCommands.
func addOutputs(t *testing.T, text *bytes.Buffer) {
	for _, line := range outputCommands {
		a := ask(t, "", strings.Fields(line)...)
		status := fmt.Sprintf("exit status %d", a.status)
		if strings.Contains(line, "--format csv") {
			header, _, _ := strings.Cut(a.out, "\n")
			addPart(text, "columns of boxrules "+line, append([]string{status}, strings.Split(header, ",")...))
			continue
		}
		keys := map[string]bool{}
		for decoder := json.NewDecoder(strings.NewReader(a.out)); ; {
			var value any
			if decoder.Decode(&value) != nil {
				break
			}
			addKeys(keys, "", value)
		}
		if len(keys) == 0 {
			t.Errorf("boxrules %s writes no JSON: %s%s", line, a.out, a.err)
		}
		addPart(text, "JSON of boxrules "+line, append([]string{status}, slices.Sorted(maps.Keys(keys))...))
	}
}

// addRefusals adds the keys of both bodies with which serve --preflight refuses an item of a quotation.
func addRefusals(t *testing.T, text *bytes.Buffer) {
	checker, err := preflight.New(boxrules.Default(), preflight.Options{})
	noError(t, err)
	const items = "%5B%7B%22article%22:%22tuck-end%22,%22material%22:%22carton-300%22,%22width%22:48," +
		"%22depth%22:141,%22height%22:184,%22references%22:%5B%7B%22quantity%22:1000%7D%5D%7D%5D"
	for _, kind := range []string{"application/json", "application/problem+json"} {
		r, w := httptest.NewRequest("GET", "/v1/reseller/quotation?items="+items, nil), httptest.NewRecorder()
		r.Header.Set("Accept", kind)
		checker.Handler().ServeHTTP(w, r)
		var body any
		noError(t, json.Unmarshal(w.Body.Bytes(), &body))
		keys := map[string]bool{}
		addKeys(keys, "", body)
		addPart(text, kind+" of boxrules serve --preflight", slices.Sorted(maps.Keys(keys)))
	}
}

// defaultText returns the default value of a flag in brackets, or "" if it has none.
func defaultText(f *pflag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" || f.DefValue == "[]" || f.DefValue == "0" {
		return ""
	}
	return "(" + f.DefValue + ")"
}

// addKeys adds the paths of all keys in a JSON value, such as ranges.width[].min. In the tables the codes of articles and
// materials are keys; they are written as CODE.
func addKeys(keys map[string]bool, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			if strings.HasSuffix(path, "articles") || strings.HasSuffix(path, "materials") {
				key = "CODE"
			}
			p := strings.TrimPrefix(path+"."+key, ".")
			keys[p] = true
			addKeys(keys, p, v)
		}
	case []any:
		for _, v := range value {
			addKeys(keys, path+"[]", v)
		}
	}
}
