package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocs runs every command that the documents show and compares its output: first stdout, then
// stderr, then the exit status if it is not 0. A line of … matches any lines.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../..")
	noError(t, err)
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	texts := make(map[string]string)
	for _, file := range append(files, "../../README.md") {
		data := readFile(t, file)
		texts[filepath.Base(file)] = string(data)
	}
	// What the commands write goes to a folder of the test, where they find what they read.
	t.Chdir(t.TempDir())
	for _, name := range []string{"examples", "rules", "limits"} {
		noError(t, os.Symlink(filepath.Join(root, name), name))
	}
	commands := 0
	for name, text := range texts {
		for i, block := range consoleBlock.FindAllStringSubmatch(text, -1) {
			t.Run(fmt.Sprintf("%s/%d", name, i+1), func(t *testing.T) {
				commands += runBlock(t, block[1])
			})
		}
	}
	if commands < 6 {
		t.Errorf("the documents show %d commands, want more", commands)
	}
	// In a clone git ignores what the commands write.
	ignored := string(readFile(t, filepath.Join(root, ".gitignore")))
	written, err := os.ReadDir(".")
	noError(t, err)
	for _, entry := range written {
		if entry.Type().IsRegular() && !strings.Contains(ignored, "\n/"+entry.Name()+"\n") {
			t.Errorf(".gitignore lacks /%s, which a documented command writes", entry.Name())
		}
	}
	// The picture in the documents is the one that the shown command draws.
	drawn := readFile(t, "map.svg")
	shown, err := os.ReadFile(filepath.Join(root, "docs", "map.svg"))
	if err != nil || !bytes.Equal(drawn, shown) {
		t.Errorf("docs/map.svg is not what docs/insight.md's command draws (%v)", err)
	}
}

func runBlock(t *testing.T, block string) (commands int) {
	const prompt = "$ go run ./cmd/boxrules "
	for _, part := range strings.Split(block, "$ ")[1:] {
		command, want, _ := strings.Cut("$ "+part, "\n")
		arguments, ok := strings.CutPrefix(command, prompt)
		if !ok {
			t.Errorf("%q is not %s…", command, prompt)
			continue
		}
		commands++
		a := ask(t, "", strings.Fields(arguments)...)
		got := a.out + a.err
		if a.status != 0 {
			got += fmt.Sprintf("[exit status %d]\n", a.status)
		}
		if !matches(got, want) {
			t.Errorf("%s\nsays\n%s\nthe document has\n%s", command, got, want)
		}
	}
	return commands
}

// matches compares line by line. A line of … in want matches any lines.
func matches(got, want string) bool {
	pieces := strings.Split(want, "…\n")
	if !strings.HasPrefix(got, pieces[0]) {
		return false
	}
	got = got[len(pieces[0]):]
	for i, piece := range pieces[1:] {
		if i == len(pieces)-2 {
			return strings.HasSuffix(got, piece)
		}
		at := strings.Index(got, piece)
		if at < 0 {
			return false
		}
		got = got[at+len(piece):]
	}
	return got == ""
}
