package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"example.com/boxrules/internal/lab"
)

// TestUpToDate makes all files again and compares them with those in the repository.
func TestUpToDate(t *testing.T) {
	lab.OnlyCI(t, "makes all cases again")
	const folder = "../../conformance/cases"
	files, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	made := make(map[string]bool)
	for _, f := range files {
		made[f.Name] = true
		stored, err := os.ReadFile(filepath.Join(folder, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encode(f), stored) {
			t.Errorf("%s is out of date: run go generate ./conformance", f.Name)
		}
	}
	stored, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range stored {
		if !made[entry.Name()] {
			t.Errorf("nothing makes %s", entry.Name())
		}
	}
}
