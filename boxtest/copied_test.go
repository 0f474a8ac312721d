package boxtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab"
)

// TestCopiedExamples: each of the two programs that show how to use the package passes its tests in a
// folder of its own, with nothing but what the README says. In the clone they are
// tested like any other package.
func TestCopiedExamples(t *testing.T) {
	lab.OnlyCI(t, "the examples in folders of their own")
	clone, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^    (go mod edit .*)$`).FindSubmatch(readme)
	if command == nil {
		t.Fatal("README.md does not say how to use the module")
	}
	require := strings.ReplaceAll(string(command[1]), "CLONE", clone)
	for _, name := range []string{"fuzz", "bench"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS("../examples/"+name)); err != nil {
				t.Fatal(err)
			}
			script := "go mod init shop\n" + require + "\ngo mod tidy\ngo test -v -bench . -benchtime 1x"
			run := exec.Command("bash", "-e", "-c", script)
			run.Dir, run.Env = folder, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range map[string][]string{
				"fuzz": {"--- PASS: TestQuote", "--- PASS: FuzzQuote"}, "bench": {"--- PASS: TestAnswer", "BenchmarkAnswer/boxes=border"},
			}[name] {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}
