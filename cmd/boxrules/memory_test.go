package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// TestGarbage: the whole command line decides how much a command may hold, not the file that it happens
// to open last.
func TestGarbage(t *testing.T) {
	for line, want := range map[string]int{
		"check boxes.csv":                                     200,
		"check --format csv boxes.csv":                        500,
		"check --format none boxes.csv":                       500,
		"check --format json boxes.ndjson":                    200,
		"check --format csv boxes.XLSX":                       50,
		"check --format csv boxes.xlsm more.csv":              50,
		"check --format none more.csv boxes.xlsx":             50,
		"check --format csv --input xlsx boxes":               50,
		"check --format csv --input csv boxes.xlsx":           500,
		"audit --limits limits.yaml answers.xlsx":             50,
		"audit --limits limits.yaml answers.csv":              75,
		"audit --limits limits.yaml --next":                   75,
		"learn --limits limits.yaml --next 1":                 75,
		"lint limits.yaml":                                    75,
		"diff --new-limits limits.yaml":                       200,
		"explain --article tuck-end --material e --box 1x1x1": 100,
	} {
		root := newRoot(&console.Console{}, nil)
		command, args, err := root.Find(strings.Fields(line))
		noError(t, err)
		noError(t, command.ParseFlags(args))
		if got := garbagePercent(command, command.Flags().Args()); got != want {
			t.Errorf("%s: %d %%, want %d", line, got, want)
		}
	}
}

// TestOnePlaceTunesMemory: the last call of debug.SetGCPercent replaces all before it.
func TestOnePlaceTunesMemory(t *testing.T) {
	var files []string
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		if strings.Contains(string(data), "debug.SetGCPercent(") || strings.Contains(string(data), "debug.SetMemoryLimit(") {
			files = append(files, name)
		}
		return err
	})
	noError(t, err)
	if len(files) != 1 || files[0] != "memory.go" {
		t.Errorf("memory is tuned in %v, want in memory.go alone", files)
	}
}
