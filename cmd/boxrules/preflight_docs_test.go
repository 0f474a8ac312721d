package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestPreflightDocs runs what docs/preflight.md shows of a server: each curl gets the answer that stands below it,
// and the unit of systemd starts a command that there is.
func TestPreflightDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/preflight.md")
	if err != nil {
		t.Fatal(err)
	}
	unit := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/boxrules (.*)$`).FindStringSubmatch(string(data))
	if unit == nil {
		t.Fatal("docs/preflight.md has no unit")
	}
	if got := ask(t, "", append(strings.Fields(unit[1]), "--help")...); got.status != 0 {
		t.Errorf("the unit's command: %s", got.err)
	}
	curls := regexp.MustCompile("(?s)```sh\n(curl .*?)```\n\n```json\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	if len(curls) != 2 {
		t.Fatalf("docs/preflight.md shows %d curls with their answers, want 2", len(curls))
	}
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no curl here, and in CI this test must run")
		}
		t.Skip("SKIPPED: there is no curl here")
	}
	s := startServe(t, "--preflight")
	for _, curl := range curls {
		command := strings.ReplaceAll(curl[1], "http://127.0.0.1:8080", s.url)
		got, err := exec.Command("sh", "-c", strings.Replace(command, "curl ", "curl --silent ", 1)).Output()
		if err != nil || string(got) != curl[2] {
			t.Errorf("%sanswers\n%s(%v), the document has\n%s", curl[1], got, err, curl[2])
		}
	}
}
