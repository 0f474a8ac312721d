package main

import (
	"testing"

	"example.com/boxrules"
)

// want is the hash on every machine. It changes with a rule, a limit or a verdict: where that is meant, put
// here what `go run ./tools/portability` prints, and say in CHANGELOG.md which verdicts are others.
const want = "a315d5258d744f9ebcd13c2597fb7b71c00ff741df2ce616e55ba0e415ec821c"

func TestDigest(t *testing.T) {
	if got := digest(boxrules.Default()); got != want {
		t.Errorf("digest = %s, want %s", got, want)
	}
}
