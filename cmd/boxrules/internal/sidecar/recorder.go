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

// A recorder writes the service's answers to a file that the commands learn and audit can read. The file has a line
// for each box, with the answer and the date, and nothing else about the request. Requests never wait for the file.
// If writing is too slow, answers are dropped and counted. Of several dropped answers in a row, only the first is
// logged.
type recorder struct {
	open    func() (io.WriteCloser, time.Time, error) // opens the file, and returns the latest date in it
	log     *slog.Logger
	dropped prometheus.Counter
	now     func() time.Time

	queue      chan queuedAnswer
	reopen     atomic.Bool   // whether to open the file again, because it may have been renamed
	closing    chan struct{} // closed when no more answers will be added
	closed     chan struct{} // closed when the last answer has been written
	isDropping atomic.Bool   // whether answers are being dropped; a warning was logged when that began

	// The following fields are used only by the goroutine that writes.
	file       io.WriteCloser // nil if the file must be opened before the next write
	latestDate time.Time      // the latest date in the file; learn refuses a record whose dates are not in order
}

// A queuedAnswer is an answer that is waiting to be written.
type queuedAnswer struct {
	boxes []boxrules.Box
	code  string // the code for answers.AppendAnswer
	date  time.Time
}

const (
	maxQueue     = 1024            // how many answers may wait to be written
	closeTimeout = 2 * time.Second // how long close waits for them
)

// start opens the file, and starts the goroutine that writes to it.
func (r *recorder) start() error {
	if err := r.openFile(); err != nil {
		return err
	}
	r.queue = make(chan queuedAnswer, maxQueue)
	r.closing, r.closed = make(chan struct{}), make(chan struct{})
	go r.run()
	return nil
}

// add queues an answer. It drops an answer about an article or a material that the engine does not know, because learn
// and audit would refuse the record.
func (r *recorder) add(a preflight.Answer, engine *boxrules.Engine) {
	for _, b := range a.Boxes {
		if _, err := engine.Profile(b.Article, b.Material); err != nil {
			r.dropped.Inc()
			return
		}
	}
	select {
	case r.queue <- queuedAnswer{a.Boxes, recordedCode(a.ServiceRefusal), r.now()}:
	default: // the queue is full
		r.drop(errors.New("writing to the file takes too long"))
	}
}

// drop counts an answer that is not recorded. If several answers in a row are dropped, it logs only the first of
// them.
func (r *recorder) drop(why error) {
	r.dropped.Inc()
	if !r.isDropping.Swap(true) {
		r.log.Warn("answers are not being recorded", slog.String("error", why.Error()))
	}
}

// close waits until the queued answers are written, but no longer than closeTimeout. It drops the rest.
func (r *recorder) close() {
	close(r.closing)
	select {
	case <-r.closed:
	case <-time.After(closeTimeout):
		remaining := len(r.queue) + 1 // including the answer that is being written
		r.dropped.Add(float64(remaining))
		r.log.Warn("answers were not recorded, because writing to the file took too long", slog.Int("answers", remaining))
	}
}

func (r *recorder) run() {
	defer close(r.closed)
	for {
		select {
		case a := <-r.queue:
			r.write(a)
		case <-r.closing:
			// Write the answers that were queued before close was called.
			for len(r.queue) > 0 {
				r.write(<-r.queue)
			}
			r.closeFile()
			return
		}
	}
}

// openFile opens the file, and then closes the file that was open before.
func (r *recorder) openFile() error {
	file, latest, err := r.open()
	if err != nil {
		return err
	}
	r.closeFile()
	r.file = file
	if latest.After(r.latestDate) {
		r.latestDate = latest
	}
	return nil
}

func (r *recorder) closeFile() {
	if r.file != nil {
		_ = r.file.Close()
		r.file = nil
	}
}

// write writes an answer to the file, or drops it if that fails. After a log rotation, write first reopens the file. If
// reopening fails, it uses the old file if that is still open, and otherwise drops the answer.
func (r *recorder) write(a queuedAnswer) {
	// Log rotation renames the file and sends SIGHUP. After that, answers belong in a new file with the original
	// name.
	if r.reopen.Swap(false) || r.file == nil {
		if err := r.openFile(); err != nil && r.file == nil {
			r.drop(err)
			return
		} else if err != nil {
			r.log.Warn("the record file could not be reopened", slog.String("error", err.Error()))
		}
	}
	// If the clock was set back, use latestDate until the clock has caught up.
	if date := a.date.UTC().Truncate(time.Second); date.After(r.latestDate) {
		r.latestDate = date
	}
	var lines []byte
	for _, b := range a.boxes {
		lines = answers.AppendAnswer(lines, b, a.code, len(a.boxes), r.latestDate)
	}
	if _, err := r.file.Write(lines); err != nil {
		// Part of a line may have been written. In that case, the next write begins a new line: see
		// answers.Record.Write.
		r.closeFile()
		r.drop(err)
		return
	}
	// An empty queue shows that writing keeps up. If the queue is not empty, the next answer may be dropped again.
	if len(r.queue) == 0 && r.isDropping.Swap(false) {
		r.log.Info("answers are being recorded again")
	}
}

// A code is recorded only if it consists of codeCharacters and is at most maxCodeLength bytes long. learn and audit
// would misunderstand other codes. For example, they would report box_2100 as a typo.
const (
	codeCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	maxCodeLength  = 64
)

// recordedCode returns the code to record for an answer from the service. If refusal is nil, the service has accepted
// the box, and the code is lists.Valid. Otherwise recordedCode returns the code of the refusal or, if that code cannot
// be recorded, the type of the refusal. If neither can be recorded, recordedCode returns "".
func recordedCode(refusal *preflight.Refusal) string {
	if refusal == nil {
		return lists.Valid
	}
	for _, code := range []string{string(refusal.Code), string(refusal.Type)} {
		isPlain := strings.Trim(code, codeCharacters) == ""
		if code != "" && len(code) <= maxCodeLength && isPlain && !lists.IsValid(strings.ToLower(code)) {
			return code
		}
	}
	return ""
}
