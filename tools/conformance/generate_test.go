package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate makes all files again and compares them with those in the repository.
func TestUpToDate(t *testing.T) {
	const folder = "../../conformance/cases"
	made := make(map[string]bool)
	for _, f := range generate("../..") {
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
