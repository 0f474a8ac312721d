package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated: the files of the package are those that the generator writes.
func TestGenerated(t *testing.T) {
	for name, want := range generate() {
		got, err := os.ReadFile(filepath.Join("../../form", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("form/%s is out of date: run go generate ./form", name)
		}
	}
}
