package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"example.com/boxrules/internal/lab"
)

// TestUpToDate makes the files again, outside CI one of three, and compares them with those in the repository.
func TestUpToDate(t *testing.T) {
	const folder = "../../conformance/cases"
	made := make(map[string]bool)
	every := lab.Draws(3, 1)
	for _, f := range generate("../..", every) {
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
		if every == 1 && !made[entry.Name()] {
			t.Errorf("nothing makes %s", entry.Name())
		}
	}
}
