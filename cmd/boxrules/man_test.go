package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// TestMan finds a page for each command that is listed, with every word of its description and
// what --help says of its use and flags.
func TestMan(t *testing.T) {
	epoch := func(text string) *console.Console {
		return &console.Console{Getenv: func(string) string { return text }}
	}
	folder := t.TempDir()
	if got := askAs(t, epoch("1000000000"), "man", folder); got != (answer{}) {
		t.Fatalf("man = %+v", got)
	}
	pages := 0
	words := regexp.MustCompile(`[\pL\pN_*<>|=]+`)
	flags := regexp.MustCompile(`(?m)^ +(.*?) {3,}(.*)$`)
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		pages++
		command.InitDefaultHelpFlag()
		data := readFile(t, filepath.Join(folder, strings.ReplaceAll(command.CommandPath(), " ", "-")+".1"))
		if !strings.Contains(string(data), `"Sep 2001"`) {
			t.Errorf("the page of %s does not have the date of SOURCE_DATE_EPOCH", command.CommandPath())
		}
		for _, word := range words.FindAllString(command.Short+" "+command.Long, -1) {
			if !strings.Contains(string(data), word) {
				t.Errorf("the page of %s lacks %q", command.CommandPath(), word)
			}
		}
		if want := ".SH SYNOPSIS\n\\fB" + command.UseLine() + "\\fP\n"; !strings.Contains(string(data), want) {
			t.Errorf("the page of %s lacks %q", command.CommandPath(), want)
		}
		if n := strings.Count(string(data), "\n.SH OPTIONS\n"); n != 1 {
			t.Errorf("the page of %s has %d sections OPTIONS", command.CommandPath(), n)
		}
		help := command.NonInheritedFlags().FlagUsages() + command.InheritedFlags().FlagUsages()
		for _, flag := range flags.FindAllStringSubmatch(help, -1) {
			want := `\fB` + flag[1] + `\fP` + "\n" + strings.ReplaceAll(flag[2], `\`, `\\`) + "\n"
			if strings.Count(string(data), want) != 1 {
				t.Errorf("the page of %s does not have %q once", command.CommandPath(), want)
			}
		}
		for _, sub := range command.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" {
				if want := strings.ReplaceAll(sub.CommandPath(), " ", "-") + "(1)"; !strings.Contains(string(data), want) {
					t.Errorf("the page of %s does not name %s", command.CommandPath(), want)
				}
				visit(sub)
			}
		}
	}
	visit(newRoot(&console.Console{}, nil))
	if pages < 12 {
		t.Errorf("%d pages, want one for each command", pages)
	}
	refused := answer{err: `boxrules: SOURCE_DATE_EPOCH is "today"; accepted: seconds since 1970; run 'boxrules man --help'` + "\n", status: 2}
	if got := askAs(t, epoch("today"), "man", folder); got != refused {
		t.Errorf("man = %+v, want %+v", got, refused)
	}
	missing := filepath.Join(folder, "missing")
	want := answer{err: `boxrules: man "` + missing + `": no such file or directory` + "\n", status: 2}
	if got := ask(t, "", "man", missing); got != want {
		t.Errorf("man %s = %+v, want %+v", missing, got, want)
	}
}
