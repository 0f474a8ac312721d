package lists

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
)

var (
	errRowTooLong = fmt.Errorf("this row is longer than %d bytes; write one box per row, and close every quote", MaxRow)
	ErrNoBoxes    = errors.New("no boxes; give at least one")
)

// A chunker cuts a file into chunks of complete rows.
type chunker struct {
	source io.Reader
	rest   []byte // what was read after the last chunk
	err    error  // of the source, such as io.EOF
}

// next fills the buffer, which must have room for a row, and returns the complete rows in it. The error
// is that of the source and comes with the last rows.
func (c *chunker) next(buffer []byte, format rowFormat) ([]byte, error) {
	// The beginning of a row that the previous chunk had to leave out comes first.
	buffer = append(buffer[:0], c.rest...)
	for {
		// At the end of the file the last row is complete even without a line end. If the source failed,
		// it is not complete, because the rest of it was not read.
		n := format.completeLength(buffer, c.err == io.EOF)
		c.rest = buffer[n:]
		switch {
		case c.err != nil:
			c.rest = nil
			return buffer[:n], c.err
		case n > 0:
			return buffer[:n], nil
		case len(buffer) == cap(buffer):
			c.rest, c.err = nil, errRowTooLong
			return nil, c.err
		}
		// No row is complete yet.
		read, err := c.source.Read(buffer[len(buffer):cap(buffer)])
		buffer, c.err = buffer[:len(buffer)+read], err
	}
}

// firstRecord returns the first record of the rest, up to a line end outside quotes. It is for the header
// and the rows above it, when the delimiter is not known yet: delimiters has those that are possible. If
// delimiters is empty, quotes have no meaning.
func (c *chunker) firstRecord(delimiters string) ([]byte, error) {
	for c.err == nil && c.firstRecordLength(delimiters) == 0 {
		if len(c.rest) >= bufferSize {
			return nil, errRowTooLong
		}
		c.rest = slices.Grow(c.rest, bufferSize-len(c.rest))
		n, err := c.source.Read(c.rest[len(c.rest):bufferSize])
		c.rest, c.err = c.rest[:len(c.rest)+n], err
	}
	if c.err != nil && c.err != io.EOF {
		return nil, c.err
	}
	n := c.firstRecordLength(delimiters)
	if n == 0 { // the file ends without a line end, or in an open quote
		n = csvrows.LineLength(c.rest)
	}
	return c.rest[:n], nil
}

// firstRecordLength returns the length of the first record of the rest, or 0 if the rest does not contain its end.
func (c *chunker) firstRecordLength(delimiters string) int {
	quoted := false
	closed := -1 // the index of the last closing quote
	for i, char := range c.rest {
		switch {
		case char == '"' && quoted:
			quoted, closed = false, i
		case char == '"' && delimiters != "":
			// A quote at the start of a cell opens it. A quote right after one that seemed to close the cell makes
			// the two a doubled quote within the cell. Any other quote, as in Width 12", is an ordinary character.
			quoted = i == 0 || strings.IndexByte(delimiters, c.rest[i-1]) >= 0 || closed == i-1
		case char == '\n' && !quoted:
			return i + 1
		}
	}
	return 0
}

// An Answerer appends the answer to a row. It must not keep the row, whose memory is used again.
type Answerer func(dst []byte, row *Row) []byte

// maxAnswerers bounds the memory of a flow.
const maxAnswerers = 8

// AnswererCount returns how many answerers Flow can use: as many as can run at the same time.
func AnswererCount() int { return min(runtime.GOMAXPROCS(0), maxAnswerers) }

// Flow answers the rows of a file concurrently, and calls write with the answers in the order of the rows.
// Each answerer runs in a goroutine of its own. Rows have their Number and Line only if numbered is set,
// because counting takes time.
//
// Flow returns nil at the end of the file, or the error of reading, or a *console.WriteError.
//
// Each goroutine takes a chunk of the file in turn, answers its rows, and waits for its turn to write.
// With two answerers A and B:
//
//	A  read 1 | answer 1        | write 1 | read 3 | …
//	B         | read 2 | answer 2  (wait) | write 2 | …
//
// The turns are a chain of channels: the goroutine that reads chunk n+1 takes from the variable turn the channel
// that is closed when chunk n is written, and puts a channel of its own there for chunk n+2.
func (r *Reader) Flow(answerers []Answerer, numbered bool, write func(answers []byte) error) error {
	var (
		reading  sync.Mutex // guards readErr, turn and the position
		readErr  error
		writeErr error                 // belongs to the goroutine whose turn it is
		turn     = make(chan struct{}) // closed when the next chunk may be written
		group    sync.WaitGroup
	)
	close(turn) // the first chunk need not wait
	for _, answer := range answerers {
		group.Go(func() {
			chunk, answers := make([]byte, 0, bufferSize), []byte(nil)
			row := Row{File: r.DisplayName()}
			for {
				// Take the next chunk, and with it a turn to write. Both happen under one lock, so the turns are in the
				// order of the chunks.
				reading.Lock()
				if readErr != nil {
					reading.Unlock()
					return
				}
				chunk, readErr = r.next(chunk, r.rowFormat)
				start := r.position
				r.position = r.positionAfter(chunk, numbered)
				myTurn, written := turn, make(chan struct{})
				turn = written
				reading.Unlock()

				// Meanwhile the other goroutines read and answer their own chunks.
				answers = r.answerChunk(answers[:0], chunk, start, numbered, &row, answer)
				<-myTurn
				r.points.merge(row.points)
				if writeErr == nil && len(chunk) > 0 {
					writeErr = write(answers)
				}
				stop := writeErr != nil // read before the next goroutine may write it
				close(written)
				if stop {
					return
				}
			}
		})
	}
	group.Wait()
	switch {
	case writeErr != nil:
		return &console.WriteError{Err: writeErr}
	case readErr != io.EOF:
		return r.errorHere(readErr)
	}
	return nil
}

// answerChunk appends the answers to the rows of a chunk that starts at position p.
func (r *Reader) answerChunk(dst, chunk []byte, p position, numbered bool, row *Row, answer Answerer) []byte {
	for len(chunk) > 0 {
		row.reset()
		row.Line = p.lines + 1
		n := r.readRow(chunk, row)
		row.Text, chunk = chunk[:n], chunk[n:]
		if !row.Empty {
			p.rows++
		}
		row.Number = p.rows
		dst = answer(dst, row)
		if numbered {
			p.lines += r.countLines(row.Text)
		}
	}
	return dst
}
