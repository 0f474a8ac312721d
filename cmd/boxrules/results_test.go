package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// stopping matches the errors after which no row is checked: each says what to do.
var stopping = regexp.MustCompile(`; (accepted:|choose|give|name|put|use|write) `)

// A resultLine is a line of check --format json, as a program reads it.
type resultLine struct {
	Row   int
	OK    *bool
	Code  string
	Error string
	Field string
}

// checkFuzzed checks the text in both formats, and tests what must be true for any text. It returns the
// lines of JSON, or nil if there was an error that is not about a row.
func checkFuzzed(t *testing.T, kind, text string) []resultLine {
	t.Helper()
	got := ask(t, text, "check", "--format", "json", "--input", kind, "-")
	lines := []resultLine{}
	want := 0
	for i, line := range strings.Split(strings.TrimSuffix(got.out, "\n"), "\n") {
		if got.out == "" {
			break
		}
		var r resultLine
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q is not JSON: %v; for %q", line, err, text)
		}
		switch {
		case r.Row != i+1 || r.OK == nil || *r.OK && (r.Code != "" || r.Error != "") || !*r.OK && (r.Code == "") == (r.Error == ""):
			t.Fatalf("row %d: %s; for %q", i+1, line, text)
		case r.Error != "":
			want = 2
		case !*r.OK:
			want = max(want, 1)
		}
		lines = append(lines, r)
	}
	failed := stopping.MatchString(got.err)
	if failed {
		want = 2
	}
	if got.status != want {
		t.Fatalf("status %d, want %d; for %q: %s%s", got.status, want, text, got.out, got.err)
	}
	plain := ask(t, text, "check", "--input", kind, "-")
	if plain.status != got.status || plain.err != got.err || strings.Count(plain.out, "\n") != len(lines) {
		t.Fatalf("text = %+v, JSON = %+v; for %q", plain, got, text)
	}
	for _, output := range []string{got.out, plain.out, got.err} {
		if strings.ContainsFunc(strings.ReplaceAll(output, "\n", ""), console.Unprintable) {
			t.Fatalf("%q is not fit for a terminal; for %q", output, text)
		}
	}
	if failed {
		return nil
	}
	return lines
}
