package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports says which rooms may know which: the commands know all, and no room a command. Cobra
// and its flags are the commands' alone.
func TestImports(t *testing.T) {
	const rooms = "example.com/boxrules/cmd/boxrules/internal/"
	allowed := map[string]string{
		"console":   "",
		"lists":     "console lists",
		"verdicts":  "console lists",
		"answers":   "console lists",
		"service":   "console lists",
		"interview": "console lists answers service",
		"sidecar":   "console lists answers",
	}
	const format = "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}"
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", format, "./internal/...").Output()
	noError(t, err)
	for line := range strings.Lines(string(out)) {
		imports := strings.Fields(line)
		room, _, _ := strings.Cut(strings.TrimPrefix(imports[0], rooms), "/")
		known, ok := allowed[room]
		if !ok {
			t.Errorf("%s is in no room", imports[0])
		}
		for _, path := range imports[1:] {
			other, _, _ := strings.Cut(strings.TrimPrefix(path, rooms), "/")
			switch {
			case strings.HasPrefix(path, rooms) && !slices.Contains(strings.Fields(known), other),
				strings.HasPrefix(path, "github.com/spf13/"):
				t.Errorf("%s imports %s", imports[0], path)
			case room == "console" && strings.HasPrefix(path, "example.com/boxrules") &&
				!strings.HasSuffix(path, "/source") && !strings.HasSuffix(path, "/wording"):
				t.Errorf("%s imports %s, of ours", imports[0], path)
			}
		}
	}
}
