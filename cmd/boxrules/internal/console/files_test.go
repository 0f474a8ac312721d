package console

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMain is a process that writes its stdin to the file, where a test wants one.
func TestMain(m *testing.M) {
	name := os.Getenv("BOXRULES_TEST_OUTPUT")
	if name == "" {
		os.Exit(m.Run())
	}
	c := &Console{Out: os.Stdout, Err: os.Stderr}
	if c.Into(name, func() (bool, error) {
		_, err := io.Copy(c.Out, os.Stdin)
		return err == nil, err
	}) != nil {
		os.Exit(2)
	}
	os.Exit(0)
}

// writing returns such a process. The shell that begins it runs a command before.
func writing(name, before string) *exec.Cmd {
	command := exec.Command("sh", "-c", before+` && exec "$0"`, os.Args[0])
	command.Env = append(os.Environ(), "BOXRULES_TEST_OUTPUT="+name)
	command.Stdin = strings.NewReader("new\n")
	return command
}

// save writes the text to a file, and returns what is said.
func save(name, text string, whole bool) string {
	var out, said bytes.Buffer
	c := &Console{Out: &out, Err: &said}
	err := c.Into(name, func() (bool, error) {
		_, err := io.WriteString(c.Out, text)
		said.WriteString("written. ")
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

// expectFile compares what is in a file, and expects no part file beside it.
func expectFile(t *testing.T, name, want string) {
	t.Helper()
	if text, err := os.ReadFile(name); err != nil || string(text) != want {
		t.Errorf("%s has %q, %v; want %q", name, text, err, want)
	}
	if parts := hidden(t, filepath.Dir(name)); len(parts) > 0 {
		t.Errorf("beside it: %q", parts)
	}
}

func hidden(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, ".*"))
	noError(t, err)
	return names
}

// What goes to stdout or stderr by a name goes after what is there.
func TestOwnOutputs(t *testing.T) {
	for _, name := range []string{"/dev/stdout", "/dev/stderr", "log"} {
		log := filepath.Join(t.TempDir(), "log")
		noError(t, os.WriteFile(log, []byte("before\n"), 0o600))
		file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
		noError(t, err)
		if name == "log" {
			name = log
		}
		command := writing(name, "echo start")
		command.Stdout = file
		if name == "/dev/stderr" {
			command = writing(name, "echo start >&2")
			command.Stderr = file
		}
		noError(t, command.Run())
		noError(t, file.Close())
		expectFile(t, log, "before\nstart\nnew\n")
	}
}

// Of what is partly on stdout nobody says that it is not written.
func TestDevices(t *testing.T) {
	if got := save("/dev/null", "new", false); got != "written. " {
		t.Errorf("a part to /dev/null: %q", got)
	}
}

// A link stays, and its file is written, even one that is not there yet.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	noError(t, os.MkdirAll("deep/er", 0o700))
	for link, to := range map[string]string{
		"first":     "second",
		"second":    filepath.Join(folder, "deep/third"),
		"deep/er/l": "../fourth",
		"side":      "deep/er",
		"loop":      "loop",
	} {
		noError(t, os.Symlink(to, link))
	}
	if save("first", "new", false); len(hidden(t, "deep")) > 0 {
		t.Error("a part is left")
	}
	for _, text := range []string{"new", "newer"} {
		for link, file := range map[string]string{"first": "deep/third", "side/l": "deep/fourth"} {
			if got := save(link, text, true); got != "written. " {
				t.Error(got)
			}
			expectFile(t, file, text)
			if _, err := os.Readlink(link); err != nil {
				t.Error(err)
			}
		}
	}
	if got := save("loop", "new", true); !strings.HasPrefix(got, "boxrules: open loop: too many levels") {
		t.Error(got)
	}
}

// A file has any name that the system takes, and another one is refused before the work.
func TestLongNames(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("n", 255)
	if got := save(long, "new", true); got != "written. " {
		t.Error(got)
	}
	expectFile(t, long, "new")
	if got := save(long+"n", "new", true); !strings.HasPrefix(got, "boxrules: open nnn") {
		t.Error(got)
	}
}

// A file that is mounted by itself, as containers have it, cannot be replaced, and is written.
func TestMountedFile(t *testing.T) {
	folder := t.TempDir()
	mounted, name := filepath.Join(folder, "mounted"), filepath.Join(folder, "name")
	for _, file := range []string{mounted, name} {
		noError(t, os.WriteFile(file, []byte("longer than before\n"), 0o600))
	}
	mount := []string{"unshare", "--map-root-user", "--mount", "sh", "-c", `mount --bind "$0" "$1" && shift && exec "$@"`, mounted, name}
	if err := exec.Command(mount[0], append(mount[1:], "true")...).Run(); err != nil {
		t.Skip("nothing can be mounted here: ", err)
	}
	command := writing(name, "true")
	command.Args = append(mount, command.Args...)
	var err error
	command.Path, err = exec.LookPath(mount[0])
	noError(t, err)
	if said, err := command.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%s, %v", said, err)
	}
	expectFile(t, mounted, "new\n")
	expectFile(t, name, "longer than before\n")
}

// A signal ends the process as it would without a file, and leaves no part of one.
func TestSignals(t *testing.T) {
	for _, test := range []struct {
		signal  syscall.Signal
		before  string
		ignored bool
	}{
		{syscall.SIGINT, "true", false},
		{syscall.SIGTERM, "true", false},
		{syscall.SIGHUP, "true", false},
		{syscall.SIGHUP, `trap "" HUP`, true},
		{syscall.SIGINT, `trap "" INT`, true},
	} {
		name := filepath.Join(t.TempDir(), "name")
		noError(t, os.WriteFile(name, []byte("before\n"), 0o600))
		command := writing(name, test.before)
		command.Stdin = nil
		stdin, err := command.StdinPipe()
		noError(t, err)
		noError(t, command.Start())
		text := strings.Repeat("new\n", 1<<18) // is more than a pipe holds
		_, err = io.WriteString(stdin, text)
		noError(t, err)
		if parts := hidden(t, filepath.Dir(name)); len(parts) != 1 {
			t.Errorf("while it writes: %q", parts)
		}
		noError(t, command.Process.Signal(test.signal))
		if test.ignored {
			noError(t, stdin.Close())
			noError(t, command.Wait())
			expectFile(t, name, text)
			continue
		}
		var exit *exec.ExitError
		if err := command.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != test.signal {
			t.Errorf("after %s: %v", test.signal, err)
		}
		expectFile(t, name, "before\n")
	}
}
