package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A commit is what a release is made of.
type commit struct {
	hash string // with +dirty behind it where something else was taken too
	time time.Time
}

// archived is the file into which git archive writes the hash and the time of the commit.
const archived = "tools/release/commit"

// findCommit asks git, or the archive that the sources came in. Changes are refused unless they are to be taken.
func findCommit(dirty bool) (commit, error) {
	if !isCheckout() {
		data, err := os.ReadFile(archived)
		if err != nil {
			return commit{}, err
		}
		return parseCommit(string(data))
	}
	line, err := git("show", "--no-patch", "--no-show-signature", "--format=%H %ct", "HEAD")
	if err != nil {
		return commit{}, err
	}
	c, err := parseCommit(line)
	if err != nil {
		return commit{}, err
	}
	changes, err := git("status", "--porcelain")
	switch {
	case err != nil:
		return commit{}, err
	case changes != "" && !dirty:
		first, _, _ := strings.Cut(changes, "\n")
		return commit{}, fmt.Errorf("not all is committed: %q; accepted: a clean tree, or --dirty", first)
	case changes != "":
		c.hash += "+dirty"
	}
	return c, nil
}

// isCheckout reports whether git knows this very folder, and not one around it alone.
func isCheckout() bool {
	top, err := git("rev-parse", "--show-cdup")
	return err == nil && strings.TrimSpace(top) == ""
}

// parseCommit reads a hash and the seconds since 1970.
func parseCommit(line string) (commit, error) {
	hash, seconds, _ := strings.Cut(strings.TrimSpace(line), " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return commit{}, errors.New("which commit this is cannot be told; accepted: a checkout by git, or what git archive wrote")
	}
	return commit{hash, time.Unix(n, 0).UTC()}, nil
}

func git(args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Env = without(os.Environ(), "GIT_")
	return output(command)
}
