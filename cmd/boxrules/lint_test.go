package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestProblemMatcher reads what lint prints by the patterns of examples/problem-matcher.json. No
// two of them match one line, so that their order, which GitHub turns round, does not matter.
func TestProblemMatcher(t *testing.T) {
	var file struct {
		ProblemMatcher []struct {
			Severity string
			Pattern  []struct {
				Regexp                      string
				File, Line, Column, Message int
			}
		}
	}
	noError(t, json.Unmarshal(readFile(t, "../../examples/problem-matcher.json"), &file))
	place := regexp.MustCompile(`:\d+:\d+:`)
	marked := func(text string) string {
		var all strings.Builder
		for line := range strings.Lines(text) {
			for _, matcher := range file.ProblemMatcher {
				p := matcher.Pattern[0]
				// Go has no lookahead. A file ends before the first place of the line.
				pattern, noNote := strings.CutSuffix(p.Regexp, "(?!note: )(.+)$")
				pattern, shortest := strings.CutPrefix(pattern, `^((?:(?!:\d+:\d+: ).)+)`)
				if shortest {
					pattern = "^(.+?)" + pattern
				}
				if noNote {
					pattern += "(.+)$"
				}
				m := regexp.MustCompile(pattern).FindStringSubmatch(strings.TrimSuffix(line, "\n"))
				if m != nil && shortest && place.MatchString(m[p.File]+":") {
					continue
				}
				if m != nil && !(noNote && strings.HasPrefix(m[p.Message], "note: ")) {
					fmt.Fprintf(&all, "%s|%s|%s|%s|%.20s\n", matcher.Severity, m[p.File], m[p.Line], m[p.Column], m[p.Message])
				}
			}
		}
		return all.String()
	}
	t.Chdir(t.TempDir())
	write := func(name, text string) { noError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write("rules.yaml", "version: 1\nextends: documented\nconstraint: [{code: OWN_0001, when: width > 3 && width > 2, message: m}]\n")
	text := strings.Replace(smallShop, "[BOX_3100]", "[BOX_3100, BOX_3101]", 1)
	write("my limits.yaml", text)
	lint := func(file string) answer { return ask(t, "", "lint", "--witness", "--rules", "rules.yaml", file) }
	want := `error|my limits.yaml|10|29|cube in board: BOX_3
error|rules.yaml|3|37|no article selects O
warning|my limits.yaml|6|3|cube in board: BOX_4
`
	if got := lint("my limits.yaml"); marked(got.out+got.err) != want {
		t.Errorf("marked are\n%s\nwant\n%s\nof\n%+v", marked(got.out+got.err), want, got)
	}
	// A title may look like a place, and what follows it like a note.
	for like, want := range map[string]string{
		"a.yaml:1:2: OWN_0001: no y.yaml:3:4: note: m\n": "error|a.yaml|1|2|OWN_0001: no y.yaml:\n",
		"a.yaml:1:2: note: m y.yaml:3:4: no\n":           "warning|a.yaml|1|2|m y.yaml:3:4: no\n",
	} {
		if got := marked(like); got != want {
			t.Errorf("%q is marked as\n%s\nwant\n%s", like, got, want)
		}
	}
	write("wrong.yaml", strings.Replace(text, "min: 1,", "min: l,", 1))
	if got := lint("wrong.yaml"); marked(got.out+got.err) != "error|wrong.yaml|7|18|articles.cube: expec\n" {
		t.Errorf("marked are\n%s\nof\n%+v", marked(got.out+got.err), got)
	}
}
