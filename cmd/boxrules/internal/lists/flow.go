package lists

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

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

// next fills the buffer, which has room for a row, and gives the whole rows in it. The error is
// that of the source and comes with the last rows.
func (p *textPieces) next(buffer []byte, l rowFormat) ([]byte, error) {
	buffer = append(buffer[:0], p.rest...)
	for {
		// Where the source broke off, what it broke off in is no row.
		whole := l.whole(buffer, p.err == io.EOF)
		p.rest = buffer[whole:]
		switch {
		case p.err != nil:
			p.rest = nil
			return buffer[:whole], p.err
		case whole > 0:
			return buffer[:whole], nil
		case len(buffer) == cap(buffer):
			p.rest, p.err = nil, errLongRow
			return nil, p.err
		}
		n, err := p.source.Read(buffer[len(buffer):cap(buffer)])
		buffer, p.err = buffer[:len(buffer)+n], err
	}
}

// firstRecord returns the first record of what is left, up to a line end outside quotes. Of its
// delimiter nothing is known.
func (p *textPieces) firstRecord() ([]byte, error) {
	for p.err == nil && p.recordLength() == 0 {
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
	n := p.recordLength()
	if n == 0 { // a quote is left open, or no line end is
		n = csvrows.LineLength(p.rest)
	}
	return p.rest[:n], nil
}

// recordLength returns the length of the first record of what is left, and 0 where that has no end.
func (p *textPieces) recordLength() int {
	quoted := false
	for i, c := range p.rest {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return i + 1
		}
	}
	return 0
}

// An Answerer appends the answer to a row, whose memory is used again when it returns.
type Answerer func(dst []byte, r *Row) []byte

// maxAnswerers bounds the memory of a flow.
const maxAnswerers = 8

// AnswererCount returns how many answerers a flow has use for: as many as run at once.
func AnswererCount() int { return min(runtime.GOMAXPROCS(0), maxAnswerers) }

// Flow has each of the answerers, side by side, take a piece of the file and answer it, and calls
// write with the answers in the order of the rows. Rows have their Number and Line only where
// numbered is set, as counting takes time.
// Flow returns nil at the end of the file, the error of reading, or a *console.WriteError.
func (f *Reader) Flow(answerers []Answerer, numbered bool, write func(answers []byte) error) error {
	var (
		reading sync.Mutex
		err     error                 // of reading
		wrong   error                 // of writing, for whose turn it is
		turn    = make(chan struct{}) // is closed when the next piece may be written
		group   sync.WaitGroup
	)
	close(turn)
	for _, answer := range answerers {
		group.Go(func() {
			text, out := make([]byte, 0, bufferSize), []byte(nil)
			r := Row{File: f.Shown()}
			for {
				reading.Lock()
				if err != nil {
					reading.Unlock()
					return
				}
				text, err = f.next(text, f.rowFormat)
				at := f.at
				f.at = f.after(text, numbered)
				before, written := turn, make(chan struct{})
				turn = written
				reading.Unlock()

				out = f.answer(out[:0], text, at, numbered, &r, answer)
				<-before
				if wrong == nil && len(text) > 0 {
					wrong = write(out)
				}
				stop := wrong != nil
				close(written)
				if stop {
					return
				}
			}
		})
	}
	group.Wait()
	switch {
	case wrong != nil:
		return &console.WriteError{Err: wrong}
	case err != io.EOF:
		return f.failed(err)
	}
	return nil
}

// answer appends the answers to the rows of a text that begins there in the file.
func (f *Reader) answer(dst, text []byte, at position, numbered bool, r *Row, answer Answerer) []byte {
	for len(text) > 0 {
		r.reset()
		r.Line = at.lines + 1
		n := f.read(text, r)
		r.Text, text = text[:n], text[n:]
		if !r.Empty {
			at.rows++
		}
		r.Number = at.rows
		dst = answer(dst, r)
		if numbered {
			at.lines += f.lines(r.Text)
		}
	}
	return dst
}
