package sidecar

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/preflight"
)

// A recorder adds what the service answers to a file that learn and audit read: a line for each
// box, with the date and without anything else of the request. It stands beside the requests,
// of which none waits for it: what the file does not take in time is dropped, counted and
// logged.
type recorder struct {
	open    func() (io.WriteCloser, time.Time, error) // the date is the last one in the file
	log     *slog.Logger
	dropped prometheus.Counter
	now     func() time.Time

	queue   chan recorded
	moved   atomic.Bool // the file may have been moved away
	ending  chan struct{}
	ended   chan struct{}
	failing atomic.Bool // answers were dropped, which has been logged

	// Of the one goroutine that writes:
	file   io.WriteCloser // nil where it is to be opened
	latest time.Time      // date so far: a clock that was put back must not spoil the file
}

// A recorded answer waits to be written.
type recorded struct {
	boxes []boxrules.Box
	code  string // as of answers.AppendAnswer
	date  time.Time
}

const (
	maxQueue   = 1024            // answers that wait to be written
	recordTime = 2 * time.Second // for the last of them, at the end
)

// start opens the file and has a goroutine write to it.
func (r *recorder) start() error {
	if err := r.openFile(); err != nil {
		return err
	}
	r.queue = make(chan recorded, maxQueue)
	r.ending, r.ended = make(chan struct{}), make(chan struct{})
	go r.run()
	return nil
}

// add has an answer written about articles and materials that the engine has, and drops others:
// learn and audit read no record with a name that the limits do not have.
func (r *recorder) add(a preflight.Answer, engine *boxrules.Engine) {
	for _, b := range a.Boxes {
		if _, err := engine.Profile(b.Article, b.Material); err != nil {
			r.dropped.Inc()
			return
		}
	}
	select {
	case r.queue <- recorded{a.Boxes, recorderCode(a.Theirs), r.now()}:
	default:
		r.drop(errors.New("the file takes too long"))
	}
}

// drop counts an answer that is not recorded. It logs the first one, until answers are recorded
// again.
func (r *recorder) drop(why error) {
	r.dropped.Inc()
	if !r.failing.Swap(true) {
		r.log.Warn("answers are not recorded", slog.String("error", why.Error()))
	}
}

// close writes what is in the queue, for as long as recordTime, and drops the rest.
func (r *recorder) close() {
	close(r.ending)
	select {
	case <-r.ended:
	case <-time.After(recordTime):
		left := len(r.queue) + 1 // with the one that is being written
		r.dropped.Add(float64(left))
		r.log.Warn("answers are not recorded: the file takes too long", slog.Int("answers", left))
	}
}

func (r *recorder) run() {
	defer close(r.ended)
	for {
		select {
		case a := <-r.queue:
			r.write(a)
		case <-r.ending:
			for len(r.queue) > 0 {
				r.write(<-r.queue)
			}
			r.closeFile()
			return
		}
	}
}

// openFile opens the file, in the place of the one that is open.
func (r *recorder) openFile() error {
	file, latest, err := r.open()
	if err != nil {
		return err
	}
	r.closeFile()
	r.file = file
	if latest.After(r.latest) {
		r.latest = latest
	}
	return nil
}

func (r *recorder) closeFile() {
	if r.file != nil {
		_ = r.file.Close()
		r.file = nil
	}
}

// write writes an answer, or drops it. Where no other file can be opened, the one that is open goes
// on.
func (r *recorder) write(a recorded) {
	if r.moved.Swap(false) || r.file == nil {
		if err := r.openFile(); err != nil && r.file == nil {
			r.drop(err)
			return
		} else if err != nil {
			r.log.Warn("the record is not opened again", slog.String("error", err.Error()))
		}
	}
	if date := a.date.UTC().Truncate(time.Second); date.After(r.latest) {
		r.latest = date
	}
	var lines []byte
	for _, b := range a.boxes {
		lines = answers.AppendAnswer(lines, b, a.code, len(a.boxes), r.latest)
	}
	if _, err := r.file.Write(lines); err != nil { // a part may have been written: a torn line
		r.closeFile()
		r.drop(err)
		return
	}
	if len(r.queue) == 0 && r.failing.Swap(false) {
		r.log.Info("answers are recorded again")
	}
}

// Codes are recorded of up to maxCode of these characters. Another one learn and audit would not
// read, or take for one that it is not: `box_2100` for a mistake, and `VALID` for an acceptance.
const (
	codeCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	maxCode        = 64
)

// recorderCode returns what is recorded of the service's answer: accepted where it refuses
// nothing, its code, else its error type, or nothing where neither can be recorded.
func recorderCode(theirs *preflight.Refusal) string {
	if theirs == nil {
		return lists.Valid
	}
	for _, code := range []string{string(theirs.Code), string(theirs.Type)} {
		other := strings.Trim(code, codeCharacters)
		if code != "" && len(code) <= maxCode && other == "" && !lists.IsValid(strings.ToLower(code)) {
			return code
		}
	}
	return ""
}
