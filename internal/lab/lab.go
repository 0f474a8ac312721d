// Package lab says how much the tests do: little for people, much where the environment has CI.
package lab

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

// inCI reports whether the environment has CI, as .ci/run and most build services have it.
var inCI = os.Getenv("CI") != ""

// Draws returns few, or many under CI. Draws(50, 2000) rule files are compared, say.
func Draws(few, many int) int {
	if inCI {
		return many
	}
	return few
}

// OnlyCI skips a test that CI alone runs. The log says what that was, such as "Firefox".
func OnlyCI(t testing.TB, what string) {
	t.Helper()
	if !inCI {
		t.Skipf("SKIPPED: %s; CI=true runs it", what)
	}
}

// Checks makes rapid check a property few times, or many under CI. Call it in an init function, so that
// the flag -rapid.checks overrides it.
func Checks(few, many int) {
	if err := flag.Set("rapid.checks", strconv.Itoa(Draws(few, many))); err != nil {
		panic(err)
	}
}

// DocumentedRules returns the documented rule file with pairs of old and new texts replaced, each
// of which must occur. Tests of the folders below the root call it.
func DocumentedRules(t testing.TB, replacements ...string) string {
	t.Helper()
	data, err := os.ReadFile("../rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(text, replacements[i]) {
			t.Fatalf("box_rules.yaml has no %q", replacements[i])
		}
		text = strings.ReplaceAll(text, replacements[i], replacements[i+1])
	}
	return text
}
