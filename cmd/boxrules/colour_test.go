package main

import (
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

func TestColour(t *testing.T) {
	stdin := "article,material,width,depth,height\ntuck-end,carton-300,143,50,303\ntuck-end,carton-300,48,141,184\n" +
		"tuck-end,carton-300,,141,184\n"
	for _, test := range []struct {
		terminal bool
		env      string
		want     bool
	}{
		{false, "", false},
		{true, "", true},
		{true, "TERM=xterm", true},
		{true, "TERM=dumb", false},
		{true, "NO_COLOR=", true},
		{true, "NO_COLOR=1", false},
	} {
		name, value, _ := strings.Cut(test.env, "=")
		c := &console.Console{In: strings.NewReader(stdin), Terminal: test.terminal, Getenv: func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}}
		got := askAs(t, c, "check", "--input", "csv", "-")
		want := "" +
			"     1  tuck-end         carton-300      143       50      303  \x1b[32mvalid\x1b[0m\n" +
			"     2  tuck-end         carton-300       48      141      184  \x1b[31mBOX_3100\x1b[0m  depth 141 > width 48\n" +
			"     3  \x1b[33mstdin:4: width: missing; accepted: a number from -1000000 to 1000000\x1b[0m\n"
		if !test.want {
			want = strings.NewReplacer(console.Green, "", console.Red, "", console.Yellow, "", console.Plain, "").Replace(want)
		}
		if got.out != want {
			t.Errorf("terminal %v, %s: check =\n%q, want\n%q", test.terminal, test.env, got.out, want)
		}
	}
}
