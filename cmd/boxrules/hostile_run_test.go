package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// thorough is set where time does not matter.
var thorough = os.Getenv("CI") != ""

// What a run of the command may take, whatever it is given.
const (
	maxCPU     = 5 * time.Second // user and system: a wall clock would measure what else the machine does
	maxMemory  = 224 << 20
	maxMessage = 500             // bytes of a line on stderr
	hangs      = 5 * time.Minute // far beyond any run, however busy the machine is
)

// A took is what a run took.
type took struct {
	CPU    time.Duration
	Memory int64 // bytes at its peak; 0 if the system does not report it
}

// A system counts to the peak of a process what its parent held when it started it, and a test
// holds much. So this binary, started again and still small, starts the command instead of the
// test.
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
	dir  string
	runs int
	most map[string]most // of the commands, by their names
}

// A most is the most that any run of a command took, and the case that took it.
type most struct {
	took
	by string
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	h := &hostile{dir: t.TempDir(), most: make(map[string]most)}
	t.Chdir(h.dir)
	if !thorough {
		return h
	}
	build := exec.Command("go", "build", "-o", h.dir, "example.com/boxrules/cmd/boxrules")
	build.Dir = here
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return h
}

// here is the folder that the tests start in.
var here, _ = os.Getwd()

func (h *hostile) write(t *testing.T, name, text string) string {
	t.Helper()
	noError(t, os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600))
	return name
}

// An ending is the result of a run.
type ending struct {
	status                int
	valid, invalid, noBox int      // boxes
	complaints            []string // lines on stderr but the summary, and the first errors of rows
}

// complains wants a complaint that starts with want, or is about the place where want starts with
// a colon.
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

// hold runs the command, and checks what comes of it.
func (h *hostile) hold(t *testing.T, c hostileCase) {
	for name, text := range c.files {
		h.write(t, name, text)
	}
	run := h.within
	if thorough {
		run = h.process
	}
	got := run(t, c)
	if t.Failed() {
		return
	}
	if c.answer {
		beyond := regexp.MustCompile("to draw|undecided which|too many rules").MatchString(strings.Join(got.complaints, ""))
		if got.status > 1 && !beyond { // a reported bound is an answer
			t.Errorf("status %d, %q, want an answer", got.status, got.complaints)
		}
		return
	}
	if got.status != c.status || got.valid != c.valid || got.invalid != c.invalid || got.noBox != c.noBox {
		t.Errorf("status %d, %d valid, %d invalid, %d not a box; want status %d, %d, %d, %d",
			got.status, got.valid, got.invalid, got.noBox, c.status, c.valid, c.invalid, c.noBox)
	}
	got.complains(t, c.want)
}

// within runs the command within the test.
func (h *hostile) within(t *testing.T, c hostileCase) *ending {
	t.Helper()
	got := ask(t, "", c.args...)
	e := &ending{status: got.status}
	e.answers(t, bufio.NewScanner(strings.NewReader(got.out)))
	e.messages(t, got.err)
	return e
}

// process runs the command in a process of its own, and measures it.
func (h *hostile) process(t *testing.T, c hostileCase) *ending {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	command := exec.Command(self, c.args...)
	command.Dir = h.dir
	command.Env = append(os.Environ(), "BOXRULES_TEST_GAUGE=1")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.StdoutPipe()
	noError(t, err)
	noError(t, command.Start())
	e := &ending{}
	e.answers(t, bufio.NewScanner(stdout))
	_ = command.Wait() // the status says it all
	e.status = command.ProcessState.ExitCode()
	e.messages(t, stderr.String())
	h.measure(t, c)
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

// messages reads the lines on stderr, which are short and fit for a terminal. A trace of a panic
// is neither.
func (e *ending) messages(t *testing.T, stderr string) {
	t.Helper()
	for line := range strings.Lines(stderr) {
		text := strings.TrimSuffix(line, "\n")
		if text == line || len(text) > maxMessage || text == "" || strings.ContainsFunc(text, console.Unprintable) ||
			strings.HasPrefix(text, "panic") || strings.HasPrefix(text, "goroutine ") {
			t.Errorf("%q is not a short, printable line", line[:min(len(line), 2*maxMessage)])
		}
		if !summary.MatchString(text) {
			e.complaints = append(e.complaints, text)
		}
	}
}

func (h *hostile) measure(t *testing.T, c hostileCase) {
	t.Helper()
	file := filepath.Join(h.dir, tookFile)
	report := readFile(t, file)
	var one took
	noError(t, errors.Join(json.Unmarshal(report, &one), os.Remove(file)))
	bound := c.bound
	if bound == (took{}) {
		bound = took{maxCPU, maxMemory}
	}
	if one.CPU > bound.CPU || one.Memory > bound.Memory {
		t.Errorf("%v and %d MiB, want at most %v and %d MiB", one.CPU, one.Memory>>20, bound.CPU, bound.Memory>>20)
	}
	t.Logf("%v, %d MiB", one.CPU, one.Memory>>20)
	h.runs++
	m := h.most[c.args[0]]
	if one.CPU > m.CPU {
		m.CPU, m.by = one.CPU, t.Name()
	}
	m.Memory = max(m.Memory, one.Memory)
	h.most[c.args[0]] = m
}

// report logs what each command took at most, and all together.
func (h *hostile) report(t *testing.T) {
	var all took
	for _, name := range slices.Sorted(maps.Keys(h.most)) {
		m := h.most[name]
		t.Logf("%s: %.2f s, %d MiB (%s)", name, m.CPU.Seconds(), m.Memory>>20, m.by)
		all = took{max(all.CPU, m.CPU), max(all.Memory, m.Memory)}
	}
	t.Logf("%d runs took at most %v and %d MiB", h.runs, all.CPU, all.Memory>>20)
}

// summary is the line at the end of a run.
var summary = regexp.MustCompile(`^\d+ box(es)?: \d+ valid, \d+ invalid(, \d+ no box)?$`)
