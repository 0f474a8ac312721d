package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab"
)

var update = flag.Bool("update", false, "rewrite testdata/cases/small.json and the reports")

var small = []string{"-rules", "testdata/rules.yaml", "-cases", "testdata/cases"}

// runs is the exit status and the output of the tool.
func runs(arguments ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = mutate(arguments, &out, &errs)
	return status, out.String(), errs.String()
}

// TestSmall mutates a handful of rules whose cases leave no survivor, and wants each mutant's
// outcome to be the one in the report that has been looked through.
func TestSmall(t *testing.T) {
	if *update {
		writeCases(t, "testdata/cases/small.json", untilNoneSurvives(t, "testdata/rules.yaml", "testdata/limits.yaml"))
	}
	status, stdout, stderr := runs(append(small, "-v")...)
	if status != 0 || stderr != "" {
		t.Errorf("exit status %d, stderr %q, want 0 and none", status, stderr)
	}
	golden(t, "testdata/small.txt", stdout)
	if table := tableOf(stdout); table != smallTable {
		t.Errorf("the table is\n%swant\n%s", table, smallTable)
	}
}

func tableOf(stdout string) string { return stdout[strings.Index(stdout, "code "):] }

const smallTable = `code            mutants    refused     killed equivalent  in limits  survivors
EDGE_0001            14          0         14          0          0          0
FOLD_0001            37          1         33          3          0          0
FOLD_0002            45          0         44          1          0          0
FOLD_0003            43          0         32          0         11          0
FLAT_0001            15          0         15          0          0          0
total               154          1        138          4         11          0
`

// TestOtherUnit mutates the same rules in inches, of which there are no fewer mutants.
func TestOtherUnit(t *testing.T) {
	files, err := conformance.Read("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	inInches := func(name, from, to string) string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		path := filepath.Join(folder, name)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(text, []byte(from), []byte(to), 1), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := files[0]
	file.Rules, file.Limits = inInches("rules.yaml", "version: 1", "version: 1\nunit: in"), inInches("limits.yaml", "unit: mm", "unit: in")
	writeCases(t, filepath.Join(folder, "inches.json"), file)
	status, stdout, stderr := runs("-rules", file.Rules, "-cases", folder)
	if status != 0 || stderr != "" || tableOf(stdout) != smallTable {
		t.Errorf("exit status %d, %q,\n%swant 0, none and\n%s", status, stderr, stdout, smallTable)
	}
}

// TestSurvivors takes away every tenth case in turn, and wants what it alone killed to come up
// with a case that does.
func TestSurvivors(t *testing.T) {
	files, err := conformance.Read("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	missed := 0
	for i := 0; i < len(files[0].Cases); i += 10 {
		fewer := files[0]
		fewer.Cases = append(append([]conformance.Case{}, fewer.Cases[:i]...), fewer.Cases[i+1:]...)
		folder := t.TempDir()
		writeCases(t, filepath.Join(folder, "fewer.json"), fewer)
		status, stdout, stderr := runs("-rules", "testdata/rules.yaml", "-cases", folder)
		if status == 0 {
			continue // other cases kill the same mutants
		}
		missed++
		if status != 1 || stderr != "" || !strings.Contains(stdout, "survives; this case kills it: {") {
			t.Errorf("without case %d: exit status %d, %q, %s", i+1, status, stderr, stdout)
		}
	}
	if missed == 0 {
		t.Error("no case is missed")
	}
}

// TestShop starts a file of cases for the shop of the examples from nothing, with what the tool
// prints.
func TestShop(t *testing.T) {
	const rules, limits = "../../examples/shop/rules.yaml", "../../examples/shop/limits.yaml"
	folder := t.TempDir()
	writeCases(t, filepath.Join(folder, "shop.json"), untilNoneSurvives(t, rules, limits))
	if status, stdout, stderr := runs("-rules", rules, "-cases", folder); status != 0 {
		t.Errorf("exit status %d, %s%s", status, stdout, stderr)
	}
}

// untilNoneSurvives adds the cases that the tool asks for until it asks for none.
func untilNoneSurvives(t *testing.T, rules, limits string) conformance.File {
	t.Helper()
	file := conformance.File{Description: "Cases for " + filepath.Base(rules) + ", as mutate printed them.", Rules: rules, Limits: limits}
	folder := t.TempDir()
	for {
		writeCases(t, filepath.Join(folder, "cases.json"), file)
		q, err := load(rules, folder)
		if err != nil {
			t.Fatal(err)
		}
		mutants, err := q.judgeAll()
		if err != nil {
			t.Fatal(err)
		}
		known := make(map[string]bool)
		for _, m := range mutants {
			if m.outcome != survivor {
				continue
			}
			if m.witness == nil {
				t.Fatalf("%s %s: %s", m.code, m.when, m.doubt)
			}
			if text := m.end(); !known[text] {
				known[text] = true
				file.Cases = append(file.Cases, *m.witness)
			}
		}
		if len(known) == 0 {
			return file
		}
	}
}

func writeCases(t *testing.T, name string, file conformance.File) {
	t.Helper()
	var lines []string
	for _, c := range file.Cases {
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, "  "+string(line))
	}
	file.Cases = nil
	head, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSuffix(string(head), "\n}") + ",\n \"cases\": [\n" + strings.Join(lines, ",\n") + "\n ]\n}\n"
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// golden compares with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the report is another:\n%s", name, got)
	}
}

// TestShipped is the whole run: the conformance cases leave no mutant of the shipped rules alive,
// and the seven comparisons that the documented rules could do without are proved to be so.
func TestShipped(t *testing.T) {
	lab.OnlyCI(t, "all mutants of the shipped rules")
	t.Chdir("../..")
	status, stdout, stderr := runs("-v")
	if status != 0 || stderr != "" {
		t.Errorf("exit status %d, %s%s", status, stdout, stderr)
	}
	for _, line := range []string{
		"BOX_3107  dropped operand: height > width && depth > height: equivalent",
		"BOX_3108  dropped operand: depth > width && depth < height: equivalent",
		"BOX_3110  dropped operand: width >= depth && height > width: equivalent",
		"BOX_3114  dropped operand: width + depth > 498.25 && width + height > 498.25 && depth + height < 498.25: equivalent",
		"BOX_3121  dropped operand: (depth >= height && height > width + 30) || (depth > width && depth < height): equivalent",
		"BOX_3121  dropped operand: (depth > width && height > width + 30) || (depth > width && depth < height): equivalent",
		"BOX_3122  dropped operand: (width >= height && height > depth + 30 && depth + 30 >= 35) || (depth <= width && width " +
			"< height && width >= 35): equivalent",
	} {
		if !strings.Contains(stdout, line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	if got, want := strings.Count(stdout, "  dropped operand: "), strings.Count(stdout, "dropped operand"); got != want || got < 7 {
		t.Errorf("%d mutants with a dropped operand, %d mentioned", got, want)
	}
	equivalents := 0
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, "dropped operand") && strings.HasSuffix(line, ": equivalent\n") {
			equivalents++
		}
	}
	if equivalents != 7 {
		t.Errorf("%d operands could be dropped, want 7", equivalents)
	}
}

func TestBadInput(t *testing.T) {
	write := func(text string) string {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "x.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	head := `{"description": "", "rules": "testdata/rules.yaml", "limits": "testdata/limits.yaml", "cases": [`
	for _, test := range []struct {
		arguments []string
		want      string // a part of the message
	}{
		{[]string{"-x"}, "flag provided but not defined: -x"},
		{append(small, "more"), `unexpected argument "more"`},
		{append(small, "-rules", "no-such.yaml"), "no-such.yaml"},
		{append(small, "-cases", "testdata"), "no file of cases"},
		{append(small, "-rules", "testdata/limits.yaml"), "testdata/limits.yaml:3:1"},
		{append(small, "-rules", "../../examples/shop/rules.yaml"), "no file there has the rules of ../../examples/shop/rules.yaml"},
		{append(small, "-cases", write("[]")), "x.json: "},
		{append(small, "-cases", write(head+`{"article":"sleeve","material":"carton","width":1,"depth":1,"height":1,"code":"","codes":[]}]}`)),
			`x.json: case 1: the rules report ["EDGE_0001"], and the file has "", []`},
		{append(small, "-cases", write(head+`{"article":"sleeve","material":"carton","width":1,"depth":1,"height":1,`+
			`"code":"","codes":["EDGE_0001"]}]}`)),
			`x.json: case 1: the rules report ["EDGE_0001"], and the file has "", ["EDGE_0001"]`},
		{append(small, "-cases", write(head+`{"article":"sleeve","material":"carton","width":1,"depth":1,"height":1,`+
			`"error":{"field":"width"}}]}`)),
			"x.json: case 1 is a box, and the file has an error for it"},
		{append(small, "-cases", write(head+`{"article":"sleeve","material":"tin","width":1,"depth":1,"height":1,"code":"","codes":[]}]}`)),
			"x.json: case 1: material: "},
	} {
		status, stdout, stderr := runs(test.arguments...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("mutate %q: exit status %d, %q, %q, want 2 and %q", test.arguments, status, stdout, stderr, test.want)
		}
	}
	if status, _, stderr := runs("-h"); status != 0 || !strings.Contains(stderr, "-cases") {
		t.Errorf("mutate -h: exit status %d, %q", status, stderr)
	}
}

// TestUnselected has a rule that no article selects: nothing can be said of its mutants, so they
// survive.
func TestUnselected(t *testing.T) {
	folder := t.TempDir()
	limits := filepath.Join(folder, "limits.yaml")
	text, err := os.ReadFile("testdata/limits.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(limits, bytes.ReplaceAll(text, []byte(", FOLD_0003"), nil), 0o644); err != nil {
		t.Fatal(err)
	}
	writeCases(t, filepath.Join(folder, "x.json"), conformance.File{Rules: "testdata/rules.yaml", Limits: limits})
	status, stdout, _ := runs("-rules", "testdata/rules.yaml", "-cases", folder)
	if want := "FOLD_0003  dropped operand: width > 3: survives; no article has the rule\n"; status != 1 || !strings.Contains(stdout, want) {
		t.Errorf("exit status %d, %s, want 1 and %q", status, stdout, want)
	}
}
