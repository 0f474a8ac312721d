package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// What a run of the command may take, whatever it is given.
const (
	maxCPU     = 2 * time.Second // user and system: a wall clock would measure what else the machine does
	maxMemory  = 128 << 20
	maxMessage = 500             // bytes of a line on stderr
	hangs      = 5 * time.Minute // far beyond any run, however busy the machine is
)

// A took is what a run took.
type took struct {
	CPU    time.Duration
	Memory int64 // bytes at its peak; 0 where the system does not say
}

// A system counts to the peak of a process what its parent held when it started it, and a test holds much. So
// this binary, started again and still small, starts the command instead of the test.
func init() {
	if os.Getenv("BOXRULES_TEST_GAUGE") == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), hangs)
	defer cancel()
	command := exec.CommandContext(ctx, commandFile, os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	state := command.ProcessState
	if state == nil {
		panic(err)
	}
	report, err := json.Marshal(took{state.UserTime() + state.SystemTime(), peak(state)})
	if err == nil {
		err = os.WriteFile(tookFile, report, 0o600)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(state.ExitCode())
}

const (
	commandFile = "./boxrules" // as go build names it
	tookFile    = "took.json"
)

// peak asks for the field by name, because not every system has it in its syscall.Rusage.
func peak(state *os.ProcessState) int64 {
	usage := reflect.Indirect(reflect.ValueOf(state.SysUsage()))
	if usage.Kind() != reflect.Struct {
		return 0
	}
	field := usage.FieldByName("Maxrss")
	if !field.IsValid() {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return field.Int()
	}
	return field.Int() << 10
}

// A hostile runs the command in a directory.
type hostile struct {
	dir   string
	bound took // for each run
	runs  int
	last  took // by the last of them
	most  took // by any of them
}

// newHostile builds the command, for runs that take no more than so much.
func newHostile(t *testing.T, cpu time.Duration, memory int64) *hostile {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here to build boxrules with")
	}
	h := &hostile{dir: t.TempDir(), bound: took{cpu, memory}}
	if out, err := exec.Command("go", "build", "-o", h.dir, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	if h.run(t, "codes"); h.most.Memory == 0 {
		t.Skip("this system does not say how much memory a process took")
	}
	return h
}

func (h *hostile) write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// An ending is what a run left behind.
type ending struct {
	status                int
	valid, invalid, noBox int      // boxes
	complaints            []string // lines on stderr but the summary, and the first errors of rows
}

// complains wants a complaint that starts with want, or is about the place where want starts with a colon.
func (e *ending) complains(t *testing.T, want string) {
	t.Helper()
	for _, line := range e.complaints {
		if want != "" && (strings.HasPrefix(line, want) || want[0] == ':' && strings.Contains(line, want)) {
			return
		}
	}
	if want != "" || len(e.complaints) > 0 {
		t.Errorf("complaints: %q, want %q", e.complaints[:min(3, len(e.complaints))], want)
	}
}

// run runs the command, and checks what holds for every run.
func (h *hostile) run(t *testing.T, args ...string) *ending {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, args...)
	command.Dir = h.dir
	command.Env = append(os.Environ(), "BOXRULES_TEST_GAUGE=1")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	e := &ending{}
	e.answers(t, bufio.NewScanner(stdout))
	_ = command.Wait() // the status says it all
	e.status = command.ProcessState.ExitCode()
	e.messages(t, stderr.String())
	h.measure(t)
	return e
}

// answers reads the lines on stdout, if they are JSON of boxes.
func (e *ending) answers(t *testing.T, lines *bufio.Scanner) {
	t.Helper()
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Bytes()
		switch {
		case bytes.HasSuffix(line, []byte(`"ok":true}`)):
			e.valid++
		case bytes.HasSuffix(line, []byte(`"ok":false,"code":"BOX_3100"}`)):
			e.invalid++
		case bytes.Contains(line, []byte(`"error":`)):
			e.noBox++
			if len(e.complaints) < 100 {
				var r resultLine
				if err := json.Unmarshal(line, &r); err != nil {
					t.Errorf("%q: %v", line, err)
				}
				e.complaints = append(e.complaints, r.Error)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("stdout: %v", err)
	}
}

// messages reads the lines on stderr, which are short and fit for a terminal. A trace of a panic is neither.
func (e *ending) messages(t *testing.T, stderr string) {
	t.Helper()
	for line := range strings.Lines(stderr) {
		text := strings.TrimSuffix(line, "\n")
		if text == line || len(text) > maxMessage || text == "" || strings.ContainsFunc(text, unprintable) ||
			strings.HasPrefix(text, "panic") || strings.HasPrefix(text, "goroutine ") {
			t.Errorf("%q is not a short, printable line", line[:min(len(line), 2*maxMessage)])
		}
		if !summary.MatchString(text) {
			e.complaints = append(e.complaints, text)
		}
	}
}

func (h *hostile) measure(t *testing.T) {
	t.Helper()
	report, err := os.ReadFile(filepath.Join(h.dir, tookFile))
	if err != nil {
		t.Fatal(err)
	}
	var one took
	if err := json.Unmarshal(report, &one); err != nil {
		t.Fatal(err)
	}
	if one.CPU > h.bound.CPU || one.Memory > h.bound.Memory {
		t.Errorf("%v and %d MiB, want at most %v and %d MiB", one.CPU, one.Memory>>20, h.bound.CPU, h.bound.Memory>>20)
	}
	t.Logf("%v, %d MiB", one.CPU, one.Memory>>20)
	h.runs++
	h.last = one
	h.most.CPU, h.most.Memory = max(h.most.CPU, one.CPU), max(h.most.Memory, one.Memory)
	if err := os.Remove(filepath.Join(h.dir, tookFile)); err != nil {
		t.Fatal(err)
	}
}

// summary is the line at the end of a run.
var summary = regexp.MustCompile(`^\d+ box(es)?: \d+ valid, \d+ invalid(, \d+ no box)?$`)
