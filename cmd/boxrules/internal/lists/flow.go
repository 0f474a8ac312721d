package lists

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
)

var (
	errLongRow = fmt.Errorf("this row is longer than %d bytes; accepted: one box a row, every quote closed", MaxRow)
	ErrNoBoxes = errors.New("no boxes; accepted: at least one")
)

// textPieces gives a file in pieces of whole rows.
type textPieces struct {
	source io.Reader
	rest   []byte // read, but not given yet
	err    error  // what ended the source
}

// next fills the buffer, which has room for a row, with whole rows. It gives them when ready says
// that somebody waits for them, else when the buffer is full or the source ends. The error is that
// of the source and comes with the last rows.
func (p *textPieces) next(buffer []byte, l rowFormat, ready func() bool) ([]byte, error) {
	buffer = append(buffer[:0], p.rest...)
	for looked := -1; ; {
		ended, full := p.err != nil, len(buffer) == cap(buffer)
		if ended || full || len(buffer) > looked && ready() {
			// Where the source broke off, what it broke off in is no row.
			whole := l.whole(buffer, p.err == io.EOF)
			p.rest = buffer[whole:]
			switch {
			case ended:
				p.rest = nil
				return buffer[:whole], p.err
			case whole > 0:
				return buffer[:whole], nil
			case full:
				p.rest, p.err = nil, errLongRow
				return nil, p.err
			}
			looked = len(buffer)
		}
		n, err := p.source.Read(buffer[len(buffer):cap(buffer)])
		buffer, p.err = buffer[:len(buffer)+n], err
	}
}

// firstRecord returns the first record of what is left, up to a line end outside quotes. Of its
// delimiter nothing is known.
func (p *textPieces) firstRecord() ([]byte, error) {
	for p.err == nil && recordLength(p.rest) == 0 {
		if len(p.rest) >= bufferSize {
			return nil, errLongRow
		}
		p.rest = slices.Grow(p.rest, bufferSize-len(p.rest))
		n, err := p.source.Read(p.rest[len(p.rest):bufferSize])
		p.rest, p.err = p.rest[:len(p.rest)+n], err
	}
	if p.err != nil && p.err != io.EOF {
		return nil, p.err
	}
	n := recordLength(p.rest)
	if n == 0 { // a quote is left open, or no line end is
		n = csvrows.LineLength(p.rest)
	}
	return p.rest[:n], nil
}

// recordLength returns the length of the first record of a text, and 0 where that has no end.
func recordLength(text []byte) int {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return i + 1
		}
	}
	return 0
}

// A batch carries a piece of a file to an answerer, and the answers on to the writer.
type batch struct {
	text   []byte
	out    []byte // the answers
	before <-chan position
	after  chan<- position
	done   chan struct{}
}

// An Answerer appends the answer to a row, whose memory is used again when it returns.
type Answerer func(dst []byte, r *Row) []byte

// answer calls the Answerer for the rows of the batch.
func (b *batch) answer(f *Reader, numbered bool, r *Row, answer Answerer) {
	n := f.count(b.text, numbered)
	at := <-b.before
	b.after <- position{at.rows + n.rows, at.lines + n.lines}
	b.out = b.out[:0]
	for text := b.text; len(text) > 0; {
		r.reset()
		r.Line = at.lines + 1
		n := f.read(text, r)
		r.Text, text = text[:n], text[n:]
		if !r.Empty {
			at.rows++
		}
		r.Number = at.rows
		b.out = answer(b.out, r)
		if numbered {
			at.lines += f.lines(r.Text)
		}
	}
}

// maxAnswerers bounds the memory of a flow.
const maxAnswerers = 8

// Flow reads the file in batches, has each answered by one of the answerers, side by side, and
// calls write with the answers in the order of the rows. Rows have their Number and Line only where
// numbered is set, as counting takes time.
// Flow returns nil at the end of the file, the error of reading, or a *console.WriteError.
func (f *Reader) Flow(answerers []Answerer, numbered bool, write func(answers []byte) error) error {
	var (
		free  = make(chan *batch, 2*len(answerers)+1) // those that nobody uses
		jobs  = make(chan *batch, cap(free))
		order = make(chan *batch, cap(free))
		busy  atomic.Int64
		gone  atomic.Bool // whether writing has failed
		wrote = make(chan error)
		group sync.WaitGroup
	)
	for range cap(free) {
		free <- &batch{text: make([]byte, 0, bufferSize), done: make(chan struct{}, 1)}
	}
	for _, answer := range answerers {
		group.Go(func() {
			r := Row{File: f.Shown()}
			for b := range jobs {
				b.answer(f, numbered, &r, answer)
				busy.Add(-1)
				b.done <- struct{}{}
			}
		})
	}
	go func() {
		var err error
		for b := range order {
			<-b.done
			if err == nil {
				err = write(b.out)
				gone.Store(err != nil)
			}
			free <- b
		}
		wrote <- err
	}()
	ready := func() bool { return busy.Load() < int64(len(answerers)) }
	turn := make(chan position, 1)
	turn <- f.at
	var err error
	for err == nil && !gone.Load() {
		b := <-free
		if b.text, err = f.next(b.text[:0], f.rowFormat, ready); len(b.text) > 0 {
			next := make(chan position, 1)
			b.before, b.after = turn, next
			turn = next
			busy.Add(1)
			jobs <- b
			order <- b
		}
	}
	close(jobs)
	close(order)
	group.Wait()
	writeErr := <-wrote
	f.at = <-turn
	switch {
	case writeErr != nil:
		return &console.WriteError{Err: writeErr}
	case err != io.EOF:
		return f.failed(err)
	}
	return nil
}

// AnswererCount returns how many answerers a flow has use for: as many as run at once.
func AnswererCount() int { return min(runtime.GOMAXPROCS(0), maxAnswerers) }
