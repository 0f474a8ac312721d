package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// An answerRecorder adds what the service answers to a file that learn and audit read. Each answer is written as it comes: a line for each
// box, with the date and without anything else of the request.
type answerRecorder struct {
	name string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	file   *os.File  // nil where it is to be opened
	latest time.Time // date so far: a clock that was put back must not spoil the file
	failed bool      // the last answer could not be written, which has been said
}

// open opens the file where it is not open yet.
func (r *answerRecorder) open() (err error) {
	if r.file == nil {
		r.file, err = openRecord(r.name)
	}
	return err
}

// reopen opens the file again, which somebody may have moved away. Where that fails, the answers go to the one that there is.
func (r *answerRecorder) reopen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, err := openRecord(r.name)
	if err != nil {
		r.log.Warn("the record is not opened again", slog.String("error", err.Error()))
		return
	}
	if r.file != nil {
		_ = r.file.Close()
	}
	r.file = file
}

// close closes the file.
func (r *answerRecorder) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		_ = r.file.Close()
	}
}

// add writes an answer. Where that fails, requests go on, and it is said once until it works again.
func (r *answerRecorder) add(a preflight.Answer) {
	code := accepted
	if a.Theirs != nil {
		code = cmp.Or(string(a.Theirs.Code), string(a.Theirs.Type))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now().UTC().Truncate(time.Second); now.After(r.latest) {
		r.latest = now
	}
	var lines []byte
	for _, b := range a.Boxes {
		lines = appendAnswer(lines, b, code, len(a.Boxes), r.latest)
	}
	err := r.open()
	if err == nil {
		if _, err = r.file.Write(lines); err != nil { // a part of it may be there, which opening mends
			_ = r.file.Close()
			r.file = nil
		}
	}
	if err != nil && !r.failed {
		r.log.Warn("answers are not recorded", slog.String("error", err.Error()))
	}
	r.failed = err != nil
}

// appendAnswer appends an answer as a line that learn and audit read; the code is empty where there was no answer. Items are how
// many there were beside the box and itself.
func appendAnswer(dst []byte, b boxrules.Box, code string, items int, date time.Time) []byte {
	line := struct {
		boxrules.Box
		OK    bool      `json:"ok"`
		Code  string    `json:"code,omitempty"`
		Error string    `json:"error,omitempty"`
		Items int       `json:"items,omitempty"`
		Date  time.Time `json:"date"`
	}{Box: b, OK: code == accepted, Code: code, Date: date}
	if items > 1 {
		line.Items = items
	}
	if line.OK {
		line.Code = ""
	} else if code == "" {
		line.Error = noAnswer
	}
	return appendJSON(dst, line)
}

// openRecord opens a record to read and to add to. A line that was cut off, as by a full disk, is taken off.
func openRecord(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if err := mendRecord(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

func mendRecord(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	start := max(0, info.Size()-maxRow)
	end := make([]byte, info.Size()-start)
	if _, err := file.ReadAt(end, start); err != nil {
		return err
	}
	last := end[bytes.LastIndexByte(end, '\n')+1:]
	switch {
	case len(last) == 0:
		return nil
	case json.Valid(last):
		_, err := file.Write([]byte("\n"))
		return err
	case bytes.HasPrefix(last, []byte(recordStart)) || strings.HasPrefix(recordStart, string(last)):
		return file.Truncate(info.Size() - int64(len(last)))
	}
	return nil // it is no record of ours, and is not touched
}

// recordStart is how every line of a record begins.
const recordStart = `{"article":"`
