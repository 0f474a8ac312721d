// Package lab decides how much work the tests do: by default little, so that nobody has to wait for them,
// and much more if the environment variable CI is set.
package lab

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

// inCI reports whether CI is set, as it is by .ci/run and most build services.
var inCI = os.Getenv("CI") != ""

// Draws returns few, or many if CI is set. A test that compares Draws(50, 2000) rule files compares only
// 50 of them on a developer's computer.
func Draws(few, many int) int {
	if inCI {
		return many
	}
	return few
}

// OnlyCI skips a test unless CI is set. The log names what is skipped, such as "Firefox".
func OnlyCI(t testing.TB, what string) {
	t.Helper()
	if !inCI {
		t.Skipf("SKIPPED: %s; CI=true runs it", what)
	}
}

// Checks makes rapid check each property few times, or many times if CI is set. Call it in an init
// function, so that the flag -rapid.checks overrides it.
func Checks(few, many int) {
	if err := flag.Set("rapid.checks", strconv.Itoa(Draws(few, many))); err != nil {
		panic(err)
	}
}

// DocumentedRules returns the text of the documented rule file with some replacements. These alternate
// between an old text, which must occur, and its new text. DocumentedRules works only in tests of
// packages in folders directly below the root.
func DocumentedRules(t testing.TB, replacements ...string) string {
	t.Helper()
	data, err := os.ReadFile("../rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	// Without this check, an old text that does not occur would leave the rules unchanged, and a test
	// might pass for the wrong reason.
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(text, replacements[i]) {
			t.Fatalf("box_rules.yaml has no %q", replacements[i])
		}
		text = strings.ReplaceAll(text, replacements[i], replacements[i+1])
	}
	return text
}
