// Package lab decides how much work tests do. By default they do little, so that nobody has to wait for them. If
// the environment variable CI is set, they do much more.
package lab

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// inCI reports whether CI is set, as it is by .ci/run and most build services.
var inCI = os.Getenv("CI") != ""

// Outside CI tests let more garbage accumulate. They are over before it matters, and in some of them the collector would
// take a third of the processor time.
func init() {
	if !inCI {
		debug.SetGCPercent(400)
	}
}

// Draws returns few, or many if CI is set. For example, a test that compares Draws(50, 2000) rule files compares
// only 50 of them on a developer's machine.
func Draws(few, many int) int {
	if inCI {
		return many
	}
	return few
}

// OnlyCI skips a test unless CI is set. what describes the skipped test in the log, for example "Firefox".
func OnlyCI(t testing.TB, what string) {
	t.Helper()
	if !inCI {
		t.Skipf("SKIPPED: %s; CI=true runs it", what)
	}
}

// Checks makes rapid check each property few times, or many times if CI is set. Call it in an init function, so
// that the flag -rapid.checks can override it.
func Checks(few, many int) {
	if err := flag.Set("rapid.checks", strconv.Itoa(Draws(few, many))); err != nil {
		panic(err)
	}
}

// DocumentedRules returns the text of the documented rule file after some replacements. The arguments alternate between
// an old text, which must occur in the file, and its new text. DocumentedRules works only in tests of packages directly
// below the root.
func DocumentedRules(t testing.TB, replacements ...string) string {
	t.Helper()
	data, err := os.ReadFile("../rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	// Check that each old text occurs. Otherwise the rules would stay unchanged, and a test might pass for the
	// wrong reason.
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(text, replacements[i]) {
			t.Fatalf("box_rules.yaml has no %q", replacements[i])
		}
		text = strings.ReplaceAll(text, replacements[i], replacements[i+1])
	}
	return text
}
