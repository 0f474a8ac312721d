package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReloadPipe says that a pipe in the place of a file is not waited for.
func TestReloadPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "limits.yaml")
	text, err := os.ReadFile(tightLimits(t))
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	noError(t, err)
	s := startServe(t, "--preflight", "--limits", file, "--log", "off")
	noError(t, os.Rename(file, file+".1"))
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Skip("this system makes no pipes: ", err)
	}
	s.reload(t, "not a regular file")
	s.reload(t, "still using the files")
	noError(t, os.Rename(file+".1", file))
	s.reload(t, "reloaded the files")
	if got := ask(t, "", "serve", "--preflight", "--limits", os.DevNull, "--address", "nowhere"); got.status != 2 ||
		!strings.Contains(got.err, "not a regular file; name a file that can be read again") {
		t.Errorf("serve --limits %s: %+v", os.DevNull, got)
	}
}
