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
	rest   []byte // bytes that were read but do not belong to the last chunk
	err    error  // the error that ended reading from source, such as io.EOF
}

// next reads into the buffer and returns the complete rows that it then contains. The buffer must have room for the
// longest row. If reading fails or the file ends, next returns the error together with the last rows.
func (c *chunker) next(buffer []byte, format rowFormat) ([]byte, error) {
	// Begin with the incomplete row that the previous chunk left over.
	buffer = append(buffer[:0], c.rest...)
	for {
		// At the end of the file, the last row is complete even if it has no line end. If the source failed, the
		// last row is not complete, because the rest of it was not read.
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

// firstRecord returns the first record that has not been consumed yet, up to a line end outside quotes. It is used
// for the header and the rows above it, for which the delimiter may not be known yet. delimiters lists all
// characters that may be the delimiter. If it is empty, quotes are ordinary characters.
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
	if n == 0 { // the file ends without a line end, or within quotes
		n = csvrows.LineLength(c.rest)
	}
	return c.rest[:n], nil
}

// firstRecordLength returns the length of the first record of c.rest, or 0 if c.rest does not contain the end of
// the record.
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

// An Answerer answers a row, and appends the answer to dst. It must not keep the row, because its memory is reused.
type Answerer func(dst []byte, row *Row) []byte

// maxAnswerers is the maximum number of goroutines of a Flow. Each goroutine needs memory for a chunk.
const maxAnswerers = 8

// AnswererCount returns the number of answerers to pass to Flow: as many as can run at the same time.
func AnswererCount() int { return min(runtime.GOMAXPROCS(0), maxAnswerers) }

// Flow answers the rows of a file concurrently, and calls write with the answers in the order of the rows. Each
// answerer runs in its own goroutine. The Number and the Line of rows are correct only if numbered is true, because
// counting takes time.
//
// At the end of the file, Flow returns nil. If write fails, it returns a *console.WriteError. Any other error is
// about reading the file.
//
// Each goroutine takes a chunk of the file in turn, answers its rows, and waits for its turn to write.
// With two answerers A and B:
//
//	A  read 1 | answer 1        | write 1 | read 3 | …
//	B         | read 2 | answer 2  (wait) | write 2 | …
//
// The turns are a chain of channels. The variable turn holds the channel that will be closed when the last chunk
// that was read has been written. A goroutine that reads the next chunk keeps this channel, which it must wait for
// before it writes. It then stores a new channel in turn, and closes the new channel when its own chunk has been
// written.
func (r *Reader) Flow(answerers []Answerer, numbered bool, write func(answers []byte) error) error {
	var (
		reading  sync.Mutex // guards readErr, turn and the position
		readErr  error
		writeErr error                 // accessed only by the goroutine whose turn it is
		turn     = make(chan struct{}) // closed when the next chunk may be written
		group    sync.WaitGroup
	)
	close(turn) // the first chunk need not wait
	for _, answer := range answerers {
		group.Go(func() {
			chunk, answers := make([]byte, 0, bufferSize), []byte(nil)
			row := Row{File: r.DisplayName()}
			for {
				// Read the next chunk and get a turn to write. Both happen under the same lock, so the turns are in
				// the order of the chunks.
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

				// Meanwhile, the other goroutines read and answer their chunks.
				answers = r.answerChunk(answers[:0], chunk, start, numbered, &row, answer)
				<-myTurn
				r.points.merge(row.points)
				if writeErr == nil && len(chunk) > 0 {
					writeErr = write(answers)
				}
				stop := writeErr != nil // once written is closed, the next goroutine may set writeErr
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

// answerChunk appends the answers to the rows of a chunk that starts at position p in the file.
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
