package console

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// save writes a text to a file, and returns stdout and stderr.
func save(name, text string, whole bool) string {
	var out, said bytes.Buffer
	c := &Console{Out: &out, Err: &said}
	err := c.Into(name, func() (bool, error) {
		_, err := io.WriteString(c.Out, text)
		return whole, err
	})
	if err != nil {
		said.WriteString(err.Error())
	}
	return out.String() + said.String()
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expectFile(t *testing.T, name, want string) {
	t.Helper()
	if text, err := os.ReadFile(name); err != nil || string(text) != want {
		t.Errorf("%s has %q, %v; want %q", name, text, err, want)
	}
}

// What goes to stdout or stderr by a name goes after what is there.
func TestOwnOutputs(t *testing.T) {
	for _, own := range []**os.File{&os.Stdout, &os.Stderr} {
		log := filepath.Join(t.TempDir(), "log")
		noError(t, os.WriteFile(log, []byte("before\n"), 0o600))
		file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
		noError(t, err)
		kept := *own
		*own = file
		said := save(log, "new\n", true)
		*own = kept
		if said != "" {
			t.Error(said)
		}
		noError(t, file.Close())
		expectFile(t, log, "before\nnew\n")
	}
}

// What goes to a descriptor that a shell has opened goes after what is there.
func TestDescriptor(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	noError(t, os.WriteFile(log, []byte("before\n"), 0o600))
	file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
	noError(t, err)
	said := save(fmt.Sprintf("/dev/fd/%d", file.Fd()), "new\n", true)
	_ = file.Close() // it is closed, under its other name
	if said != "" {
		t.Error(said)
	}
	expectFile(t, log, "before\nnew\n")
}

// Of what is partly on a device nobody says that it was not written.
func TestDevices(t *testing.T) {
	if got := save("/dev/null", "new", false); got != "" {
		t.Errorf("a part to /dev/null: %q", got)
	}
}

// A link stays, and its file is replaced whole or not at all. No other file changes, whatever its
// name, and no part stays.
func TestLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	noError(t, os.MkdirAll("deep/er", 0o700))
	noError(t, os.WriteFile("deep/file", []byte("old"), 0o600))
	noError(t, os.WriteFile("other", []byte("other"), 0o600))
	noError(t, os.Symlink("../file", "deep/er/link"))
	noError(t, os.Symlink("../other", "deep/file.part"))
	if got, want := save("deep/er/link", "new", false), "boxrules: deep/er/link was not written\n"; got != want {
		t.Errorf("a part: %q, want %q", got, want)
	}
	expectFile(t, "deep/file", "old")
	if got := save("deep/er/link", "new", true); got != "" {
		t.Error(got)
	}
	expectFile(t, "deep/file", "new")
	expectFile(t, "deep/er/link", "new")
	expectFile(t, "other", "other")
	if _, err := os.Readlink("deep/er/link"); err != nil {
		t.Error(err)
	}
	if parts, err := filepath.Glob("deep/file.*.part"); err != nil || len(parts) > 0 {
		t.Errorf("beside it: %q, %v", parts, err)
	}
}
