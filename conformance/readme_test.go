package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestREADME finds every case that the README shows in the files, and the numbers of cases that
// it names.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]bool)
	cases, texts := 0, 0
	counts := make(map[string]int)
	for _, f := range load(t) {
		counts[f.Name] = len(f.Cases) + len(f.Texts)
		cases, texts = cases+len(f.Cases), texts+len(f.Texts)
		for _, c := range f.Cases {
			lines[marshal(t, c)] = true
		}
		for _, c := range f.Texts {
			lines[marshal(t, c)] = true
		}
	}
	_, rest, _ := strings.Cut(string(text), "```json\n")
	shown, _, ok := strings.Cut(rest, "```")
	for line := range strings.Lines(shown) {
		if !lines[strings.TrimSpace(line)] {
			t.Errorf("no file has %s", line)
		}
	}
	if !ok || shown == "" {
		t.Error("the README shows no case")
	}
	if want := fmt.Sprintf("%d,%03d boxes and %d texts", cases/1000, cases%1000, texts); !strings.Contains(string(text), want) {
		t.Errorf("the README does not say %q", want)
	}
	named := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*json`) \\| (\\d+) \\|").FindAllStringSubmatch(string(text), -1) {
		sum := 0
		for _, name := range strings.Fields(strings.ReplaceAll(row[1], "`", "")) {
			sum += counts[name]
			named++
		}
		if fmt.Sprint(sum) != row[2] {
			t.Errorf("%s: %d cases, and the README says %s", row[1], sum, row[2])
		}
	}
	if named != len(counts) {
		t.Errorf("the README names %d files of %d", named, len(counts))
	}
}

func marshal(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
