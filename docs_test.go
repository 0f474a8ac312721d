package boxrules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

var fenced = regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```")

// blocks are the fenced blocks of the kind in a document.
func blocks(t *testing.T, file, kind string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, match := range fenced.FindAllStringSubmatch(string(data), -1) {
		if match[1] == kind {
			found = append(found, match[2])
		}
	}
	return found
}

// TestDocumentedGo finds every Go block of the documents in the examples, which run.
func TestDocumentedGo(t *testing.T) {
	for document, file := range map[string]string{"README.md": "example_test.go", "docs/preflight.md": "preflight/example_test.go"} {
		examples, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.ReplaceAll(string(examples), "\n\t", "\n")
		goBlocks := blocks(t, document, "go")
		if len(goBlocks) == 0 {
			t.Errorf("%s has no Go block", document)
		}
		for _, block := range goBlocks {
			if !strings.Contains(code, "\n"+block) {
				t.Errorf("%s: no example has\n%s", document, block)
			}
		}
	}
}

// TestDocumentedYAML loads every file that the documents show.
func TestDocumentedYAML(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	rules, catalogues := 0, 0
	for _, file := range files {
		for _, block := range blocks(t, file, "yaml") {
			if strings.Contains(block, "when:") {
				rules++
				if _, err := boxrules.LoadRules(file, []byte(block)); err != nil {
					t.Errorf("%s: %v\n%s", file, err, block)
				}
				continue
			}
			catalogues++
			catalogue, err := limits.Load(file, []byte(block))
			if err != nil {
				t.Errorf("%s: %v\n%s", file, err, block)
				continue
			}
			if _, err := boxrules.New(boxrules.DefaultRules(), catalogue); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if rules == 0 || catalogues == 0 {
		t.Errorf("the documents show %d rule files and %d limit files, want some of both", rules, catalogues)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks follows every link of the documents to a file of the project.
func TestLinks(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md", "CONTRIBUTING.md", "CHANGELOG.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), match[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, match[1], err)
			}
		}
	}
}
