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

var update = flag.Bool("update", false, "rewrite the report")

// runs returns the report for the rules and the cases in the folder.
func runs(rules, cases string) (survivors int, said string) {
	var out bytes.Buffer
	survivors = mutate(&out, rules, cases, true)
	return survivors, out.String()
}

// TestReport mutates a few rules whose cases leave no survivor. The outcome of each mutant is that of
// a report that a person has checked.
func TestReport(t *testing.T) {
	survivors, said := runs("testdata/rules.yaml", "testdata/cases")
	if survivors != 0 {
		t.Errorf("%d survivors, want none", survivors)
	}
	if want := golden(t, said); said != want {
		t.Errorf("the report is another:\n%s", said)
	}
}

func tableOf(said string) string { return said[strings.Index(said, "code "):] }

// TestOtherUnit mutates the same rules in inches. There are as many mutants.
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
	want := tableOf(golden(t, ""))
	if survivors, said := runs(file.Rules, folder); survivors != 0 || tableOf(said) != want {
		t.Errorf("%d survivors,\n%swant none and\n%s", survivors, said, want)
	}
}

// TestSurvivors takes away every tenth case in turn, and wants what it alone killed to come up with
// a box that would.
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
		survivors, said := runs("testdata/rules.yaml", folder)
		if survivors == 0 {
			continue // other cases kill the same mutants
		}
		missed++
		if !strings.Contains(said, "survives; a case with {Article:") {
			t.Errorf("without case %d: %s", i+1, said)
		}
	}
	if missed == 0 {
		t.Error("no case is missed")
	}
}

func writeCases(t *testing.T, name string, file conformance.File) {
	t.Helper()
	text, err := json.Marshal(file)
	if err == nil {
		err = os.WriteFile(name, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// golden returns the report of the small rules that has been looked through.
func golden(t *testing.T, got string) string {
	t.Helper()
	const name = "testdata/small.txt"
	if *update && got != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(want)
}

// TestShipped is the whole run: the conformance cases leave no mutant of the shipped rules alive,
// and the seven comparisons that the documented rules could do without are proved to be so.
func TestShipped(t *testing.T) {
	lab.OnlyCI(t, "all mutants of the shipped rules")
	t.Chdir("../..")
	survivors, stdout := runs("rules/box_rules.yaml", "conformance/cases")
	if survivors != 0 {
		t.Errorf("%d survivors: %s", survivors, stdout)
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

// TestUnselected has a rule that no article selects. Nothing can be proved about its mutants, so they
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
	survivors, said := runs("testdata/rules.yaml", folder)
	if want := "FOLD_0003  dropped operand: width > 3: survives; no article has the rule\n"; survivors == 0 || !strings.Contains(said, want) {
		t.Errorf("%d survivors, %s, want some and %q", survivors, said, want)
	}
}
