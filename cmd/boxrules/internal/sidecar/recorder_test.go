package sidecar

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/preflight"
)

// newTestRecorder starts a recorder to a file, and returns what it logs.
func newTestRecorder(t *testing.T, open func() (io.WriteCloser, time.Time, error)) (*recorder, *lockedBuffer) {
	t.Helper()
	log := &lockedBuffer{}
	r := &recorder{
		open: open, log: slog.New(slog.NewTextHandler(log, nil)), now: time.Now,
		dropped: prometheus.NewCounter(prometheus.CounterOpts{Name: "dropped"}),
	}
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	return r, log
}

// A stalledFile takes nothing until it is released.
type stalledFile struct {
	released chan struct{}
	lockedBuffer
}

func (f *stalledFile) Write(p []byte) (int, error) {
	<-f.released
	return f.lockedBuffer.Write(p)
}

func (f *stalledFile) Close() error { return nil }

var oneAnswer = preflight.Answer{Boxes: []boxrules.Box{{Article: "tuck-end", Material: "carton-300"}}}

// TestRecordStalled says that a disk that does not answer delays neither requests nor the end. What is dropped is
// counted, and logged once until answers are written again.
func TestRecordStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &stalledFile{released: make(chan struct{})}
		r, log := newTestRecorder(t, func() (io.WriteCloser, time.Time, error) { return file, time.Time{}, nil })
		r.add(oneAnswer, boxrules.Default())
		synctest.Wait() // until it is being written
		for range maxQueue + 5 {
			r.add(oneAnswer, boxrules.Default())
		}
		if got := counted(r.dropped); got != 5 || strings.Count(log.String(), "answers are not being recorded") != 1 {
			t.Errorf("%v answers are dropped, want 5; the log has %s", got, log)
		}
		close(file.released)
		synctest.Wait()
		if got := strings.Count(file.String(), "\n"); got != maxQueue+1 || !strings.Contains(log.String(), "answers are being recorded again") {
			t.Errorf("%d answers are written, want %d; the log has %s", got, maxQueue+1, log)
		}
		file.released = make(chan struct{})
		r.add(oneAnswer, boxrules.Default())
		synctest.Wait()
		for range 3 {
			r.add(oneAnswer, boxrules.Default())
		}
		r.close()
		if got := counted(r.dropped); got != 9 || !strings.Contains(log.String(), "answers=4") {
			t.Errorf("%v answers are dropped, want 9; the log has %s", got, log)
		}
		close(file.released)
	})
}

// TestRecordFails says that answers are dropped while the disk is full, and written again after that.
func TestRecordFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full, opened := errors.New("the disk is full"), 0
		written := &lockedBuffer{}
		r, log := newTestRecorder(t, func() (io.WriteCloser, time.Time, error) {
			switch opened++; opened {
			case 1:
				return closable{iotest.TruncateWriter(failingWriter{full}, 1)}, time.Time{}, nil
			case 2:
				return nil, time.Time{}, full
			}
			return closable{written}, time.Time{}, nil
		})
		for range 3 {
			r.add(oneAnswer, boxrules.Default())
			synctest.Wait()
		}
		r.close()
		if got := strings.Count(written.String(), "\n"); got != 1 || counted(r.dropped) != 2 {
			t.Errorf("%d answers are written and %v dropped, want 1 and 2", got, counted(r.dropped))
		}
		if text := log.String(); strings.Count(text, "the disk is full") != 1 || strings.Count(text, "recorded again") != 1 {
			t.Errorf("the log has %s", text)
		}
	})
}

// A fullFile takes only the beginning of what is written while the disk is full.
type fullFile struct {
	*answers.Record
	full *bool
}

func (f fullFile) Write(p []byte) (int, error) {
	if !*f.full {
		return f.Record.Write(p)
	}
	n, err := f.Record.Write(p[:10])
	return n, errors.Join(err, io.ErrShortWrite)
}

// TestRecordTorn says that the beginning of an answer that was written to a full disk stays a line of its own.
func TestRecordTorn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name, full := filepath.Join(t.TempDir(), "answers.ndjson"), false
		r, _ := newTestRecorder(t, func() (io.WriteCloser, time.Time, error) {
			record, latest, err := answers.OpenRecord(name)
			return fullFile{record, &full}, latest, err
		})
		for _, full = range []bool{false, true, true, false, false} {
			r.add(oneAnswer, boxrules.Default())
			synctest.Wait()
		}
		r.close()
		data, err := os.ReadFile(name)
		lines := strings.Split(string(data), "\n")
		if err != nil || len(lines) != 6 || counted(r.dropped) != 2 {
			t.Fatalf("the record is %s, %v; %v answers are dropped", data, err, counted(r.dropped))
		}
		for i, line := range lines[:5] {
			if torn := i == 1 || i == 2; json.Valid([]byte(line)) == torn || torn && line != `{"article"` {
				t.Errorf("line %d is %s", i+1, line)
			}
		}
	})
}

// TestRecordMoved says that a record that was moved away is created again. If it cannot be opened again, the
// recorder goes on with the open file.
func TestRecordMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second, opened := new(bytes.Buffer), new(bytes.Buffer), 0
		r, log := newTestRecorder(t, func() (io.WriteCloser, time.Time, error) {
			switch opened++; opened {
			case 1:
				return closable{first}, time.Time{}, nil
			case 2:
				return nil, time.Time{}, errors.New("no folder")
			}
			return closable{second}, time.Time{}, nil
		})
		for range 3 {
			r.add(oneAnswer, boxrules.Default())
			synctest.Wait()
			r.reopen.Store(true)
		}
		r.close()
		if a, b := strings.Count(first.String(), "\n"), strings.Count(second.String(), "\n"); a != 2 || b != 1 ||
			!strings.Contains(log.String(), "no folder") || counted(r.dropped) > 0 {
			t.Errorf("the records have %d and %d answers, want 2 and 1; the log has %s", a, b, log)
		}
	})
}

type closable struct{ io.Writer }

func (closable) Close() error { return nil }

// A failingWriter fails.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// counted returns the value of a counter or a gauge.
func counted(c prometheus.Collector) float64 {
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		panic(err)
	}
	m := families[0].GetMetric()[0]
	return m.GetCounter().GetValue() + m.GetGauge().GetValue()
}

// TestRecordDates says that dates do not go back if the clock does, even after a restart.
func TestRecordDates(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.ndjson")
	open := func() (io.WriteCloser, time.Time, error) { return answers.OpenRecord(name) }
	for _, clock := range []string{"2026-03-01T12:00:00Z", "2026-02-01T12:00:00Z", "2026-04-01T12:00:00Z"} {
		now, err := time.Parse(time.RFC3339, clock)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := newTestRecorder(t, open)
		r.now = func() time.Time { return now }
		r.add(oneAnswer, boxrules.Default())
		r.close()
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var dates []string
	for line := range strings.Lines(string(data)) {
		var answer struct{ Date string }
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		dates = append(dates, answer.Date)
	}
	if want := []string{"2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z", "2026-04-01T12:00:00Z"}; !slices.Equal(dates, want) {
		t.Errorf("the dates are %s, want %s", dates, want)
	}
}
