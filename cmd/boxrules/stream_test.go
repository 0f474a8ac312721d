package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

func TestMain(m *testing.M) {
	// A test that wants a process of its own starts this one again, as the command.
	switch os.Getenv("BOXRULES_TEST_MAIN") {
	case "":
	case "bare":
		bareProxy()
	default:
		main()
	}
	// The limit that the command sets itself is for one command. The collector would hardly stop if all tests had to
	// share it.
	debug.SetMemoryLimit(2 << 30)
	os.Exit(m.Run())
}

// A heapWatch counts lines and keeps the greatest live heap.
type heapWatch struct {
	lines int
	next  int // lines at which to look again
	most  uint64
}

func (w *heapWatch) Write(p []byte) (int, error) {
	w.lines += bytes.Count(p, []byte("\n"))
	if w.lines >= w.next {
		w.next = w.lines + 50_000
		w.most = max(w.most, liveHeap())
	}
	return len(p), nil
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Any number of rows go through in the memory of one.
func TestStreaming(t *testing.T) {
	rows := 100_000
	if thorough {
		rows = 1_000_000
	}
	for _, kind := range []string{lists.CSV, lists.NDJSON} {
		t.Run(kind, func(t *testing.T) {
			// What is loaded once is no part of the stream.
			ask(t, "", append([]string{"check"}, box("sleeve", "carton-300", "100", "50", "60")...)...)
			before := liveHeap()
			in, feed := io.Pipe()
			go generate(feed, kind, rows)
			var watch heapWatch
			var err bytes.Buffer
			c := &console.Console{In: in, Out: &watch, Err: &err, Getenv: func(string) string { return "" }}
			status := run([]string{"check", "--format", "json", "--input", kind, "-"}, c)
			if want := fmt.Sprintf("%s%d boxes: %d valid, %d invalid\n", notice, rows, rows/2, rows/2); err.String() != want ||
				status != 1 || watch.lines != rows {
				t.Errorf("check answers %d rows, status %d, %q; want %q", watch.lines, status, err.String(), want)
			}
			const bound = 32 << 20 // of the chunks on their way, however many rows there are
			if grown := int64(watch.most) - int64(before); grown > bound {
				t.Errorf("the heap has grown by %d bytes over %d rows; want at most %d", grown, rows, bound)
			}
		})
	}
}

// generate writes rows, every other of them valid.
func generate(w *io.PipeWriter, kind string, rows int) {
	b := bufio.NewWriter(w)
	format := `{"article":"sleeve","material":"carton-300","width":%d.5,"depth":50,"height":60}` + "\n"
	if kind == lists.CSV {
		format = "sleeve,carton-300,%d.5,50,60\n"
		fmt.Fprint(b, titles)
	}
	for i := range rows {
		width := 100 + i%300
		if i%2 == 1 {
			width = 401 + i%300
		}
		fmt.Fprintf(b, format, width)
	}
	_ = w.CloseWithError(b.Flush())
}

// TestEndlessRows: an endless file without a line end, or after an open quote, is given up after the
// length of one row.
func TestEndlessRows(t *testing.T) {
	for _, test := range []struct{ kind, start, forever, want string }{
		{lists.CSV, titles + "sleeve,carton-300,100,50,60\nsleeve,\"carton", "-300", "stdin:3: "},
		{lists.CSV, titles, "sleeve", "stdin:2: "},
		{lists.CSV, "", "sleeve,", "stdin:1: "},
		{lists.NDJSON, "", " ", "stdin:1: "},
		{lists.NDJSON, "\n[", "[", "stdin:2: "},
	} {
		forever := &countingReader{Reader: &repeat{[]byte(test.forever)}}
		c := &console.Console{In: io.MultiReader(strings.NewReader(test.start), forever)}
		got := askAs(t, c, "check", "--input", test.kind, "-")
		want := "boxrules: " + test.want + "this row is longer than 262144 bytes"
		if !strings.Contains(got.err, want) || got.status != 2 || forever.read > 4*lists.MaxRow {
			t.Errorf("%s %q…: %+v after %d bytes, want %s", test.kind, test.start+test.forever, got, forever.read, want)
		}
	}
}

// A repeat is a text without an end.
type repeat struct{ text []byte }

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], r.text)
	}
	return n, nil
}

type countingReader struct {
	io.Reader
	read int
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read += n
	return n, err
}

// TestInteractive: a user who types rows gets the answer to each before typing the next.
func TestInteractive(t *testing.T) {
	for kind, rows := range map[string][]string{
		lists.CSV:    {titles + "sleeve,carton-300,100,50,60\n", "sleeve,carton-300,1,50,60\n"},
		lists.NDJSON: {`{"article":"sleeve","material":"carton-300","width":100,"depth":50,"height":60}` + "\n", "{}\n"},
	} {
		in, keyboard := io.Pipe()
		screen, out := io.Pipe()
		c := &console.Console{In: in, Out: out, Err: io.Discard, Getenv: func(string) string { return "" }}
		done := make(chan int)
		go func() {
			done <- run([]string{"check", "--input", kind, "-"}, c)
			_ = out.Close()
		}()
		answers := bufio.NewReader(screen)
		for i, row := range rows {
			writeTo(t, keyboard, row)
			if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, fmt.Sprintf("%6d  ", i+1)) {
				t.Errorf("%s: the answer to %q is %q, %v", kind, row, line, err)
			}
		}
		_ = keyboard.Close()
		if status := <-done; status == 0 {
			t.Errorf("%s: status 0, want 1 or 2", kind)
		}
	}
}

// The rows before a failure of the disk have their answers, even those that came along with it.
func TestReadError(t *testing.T) {
	broken := errors.New("the disk is\x1b on fire")
	row := `{"article":"sleeve","material":"carton-300","width":100,"depth":50,"height":60}` + "\n"
	for _, test := range []struct{ kind, text, want string }{
		{lists.CSV, titles + "sleeve,carton-300,100,50,60\n", "stdin:3: "},
		{lists.CSV, titles + "sleeve,carton-300,100,50,60\nsle\"eve", "stdin:3: "},
		{lists.NDJSON, row, "stdin:2: "},
		{lists.NDJSON, row + "{", "stdin:2: "},
		{lists.CSV, "", "stdin: "},
	} {
		for _, in := range []io.Reader{
			io.MultiReader(strings.NewReader(test.text), errReader{broken}),
			&lastRead{test.text, broken},
		} {
			got := askAs(t, &console.Console{In: in}, "check", "--input", test.kind, "-")
			want := answer{"", notice + "boxrules: " + test.want + `the disk is\x1b on fire` + "\n", 2}
			if test.text != "" {
				want.out = "     1  sleeve           carton-300      100       50       60  valid\n"
				want.err += "1 box: 1 valid, 0 invalid\n"
			}
			if got != want {
				t.Errorf("%q, then an error: check = %+v, want %+v", test.text, got, want)
			}
		}
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// A lastRead gives its text and its error at once, and the error only then.
type lastRead struct {
	text string
	err  error
}

func (r *lastRead) Read(p []byte) (int, error) {
	n := copy(p, r.text)
	r.text = r.text[n:]
	if r.text != "" || r.err == nil {
		return n, nil
	}
	err := r.err
	r.err = io.EOF
	return n, err
}

// A fullWriter accepts a number of bytes, and then fails.
type fullWriter struct {
	room int
	err  error
}

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	one := append([]string{"check"}, box("sleeve", "carton-300", "100", "50", "60")...)
	for _, test := range []struct {
		name string
		args []string
		err  error
		want string
	}{
		{"closed", []string{"check", "--input", "csv", "-"}, syscall.EPIPE, notice},
		{"full", []string{"check", "--input", "csv", "-"}, errors.New("no room"), notice + "boxrules: writing the answers: no room\n"},
		{"CSV, full", []string{"check", "--format", "csv", "--input", "csv", "-"}, errors.New("no room"),
			notice + "boxrules: writing the answers: no room\n"},
		{"JSON, full", []string{"check", "--format", "json", "--input", "csv", "-"}, errors.New("no room"),
			notice + "boxrules: writing the answers: no room\n"},
		{"at the end, closed", []string{"check", write(t, "one.csv", titles+"sleeve,carton-300,100,50,60\n")}, syscall.EPIPE, notice},
		{"one box, closed", one, syscall.EPIPE, notice},
		{"one box, full", one, errors.New("no room"), notice + "boxrules: writing the answers: no room\n"},
		{"help, full", []string{"--help"}, errors.New("no room"), "boxrules: writing the answers: no room\n"},
		{"help of a command, full", []string{"help", "check"}, errors.New("no room"), "boxrules: writing the answers: no room\n"},
		{"version, full", []string{"--version"}, errors.New("no room"), "boxrules: writing the answers: no room\n"},
		{"completion, full", []string{"completion", "bash"}, errors.New("no room"), "boxrules: writing the answers: no room\n"},
		{"codes, closed", []string{"codes"}, syscall.EPIPE, ""},
		{"codes, full", []string{"codes"}, errors.New("no room"), "boxrules: writing the answers: no room\n"},
	} {
		for _, room := range []int{0, 100_000} {
			if room > 0 && test.args[len(test.args)-1] != "-" {
				continue
			}
			in := &countingReader{Reader: io.MultiReader(strings.NewReader(titles), &repeat{[]byte("sleeve,carton-300,100,50,60\n")})}
			var err bytes.Buffer
			c := &console.Console{In: in, Out: &fullWriter{room, test.err}, Err: &err, Getenv: func(string) string { return "" }}
			if status := run(test.args, c); status != 2 || err.String() != test.want || in.read > 64*lists.MaxRow {
				t.Errorf("%s after %d bytes: status %d, %q, %d bytes read; want status 2, %q", test.name, room, status,
					err.String(), in.read, test.want)
			}
		}
	}
}

// A process whose stdout is closed ends with its status, and not by a signal.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a closed pipe is another error there")
	}
	self, err := os.Executable()
	noError(t, err)
	command := exec.Command(self, "check", "--input", "csv", "-")
	command.Env = append(os.Environ(), "BOXRULES_TEST_MAIN=1")
	command.Stdin = io.MultiReader(strings.NewReader(titles), io.LimitReader(&repeat{[]byte("sleeve,carton-300,100,50,60\n")}, 64<<20))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.StdoutPipe()
	noError(t, err)
	noError(t, command.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.HasSuffix(line, "valid\n") {
		t.Errorf("the first line is %q, %v", line, err)
	}
	_ = stdout.Close()
	// Wait reports that not all of stdin was taken, which is as it should be.
	_ = command.Wait()
	if status := command.ProcessState.ExitCode(); status != 2 || stderr.String() != notice {
		t.Errorf("status %d, stderr %q; want 2, %q", status, stderr.String(), notice)
	}
}
