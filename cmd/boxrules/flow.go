package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

var (
	errLongRow = fmt.Errorf("this row is longer than %d bytes; accepted: one box a row, every quote closed", maxRow)
	errNoBoxes = errors.New("no boxes; accepted: at least one")
)

// textPieces gives a file in pieces of whole rows.
type textPieces struct {
	source io.Reader
	rest   []byte // read, but not given yet
	err    error  // what ended the source
}

// next fills the buffer, which has room for a row, with whole rows. It gives them when ready says that somebody waits for
// them, else when the buffer is full or the source ends. The error is that of the source and comes with the last rows.
func (p *textPieces) next(buffer []byte, l layout, ready func() bool) ([]byte, error) {
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

// lookAhead is what the source starts with: what one reading gives, or more until it is enough, but no more than a row.
func (p *textPieces) lookAhead(enough func(start []byte) bool) ([]byte, error) {
	for p.err == nil && len(p.rest) < bufferSize && (len(p.rest) == 0 || !enough(p.rest)) {
		p.rest = slices.Grow(p.rest, bufferSize-len(p.rest))
		n, err := p.source.Read(p.rest[len(p.rest):bufferSize])
		p.rest, p.err = p.rest[:len(p.rest)+n], err
	}
	if p.err != nil && p.err != io.EOF {
		return nil, p.err
	}
	return p.rest, nil
}

// A chunk is a piece of a file on its way.
type chunk struct {
	text   []byte
	out    []byte // the answers
	before <-chan place
	after  chan<- place
	done   chan struct{}
}

// maxWorkers bounds the memory of a flow.
const maxWorkers = 8

// flow has a file's rows answered side by side, in chunks, and writes the answers in the rows' order. The error is what
// the file ended with, nil at its end, or what write did.
func flow(o *opened, workers []*worker, numbered bool, write func(c *chunk) error) error {
	var (
		free  = make(chan *chunk, 2*len(workers)+1) // those that nobody uses
		jobs  = make(chan *chunk, cap(free))
		order = make(chan *chunk, cap(free))
		busy  atomic.Int64
		gone  = make(chan struct{}) // closed when writing has failed
		wrote = make(chan error)
		group sync.WaitGroup
	)
	for range cap(free) {
		free <- &chunk{text: make([]byte, 0, bufferSize), done: make(chan struct{}, 1)}
	}
	for _, w := range workers {
		group.Go(func() {
			for c := range jobs {
				w.answer(o, c, numbered)
				busy.Add(-1)
				c.done <- struct{}{}
			}
		})
	}
	go func() {
		var err error
		for c := range order {
			<-c.done
			if err == nil {
				if err = write(c); err != nil {
					close(gone)
				}
			}
			free <- c
		}
		wrote <- err
	}()
	ready := func() bool { return busy.Load() < int64(len(workers)) }
	turn := make(chan place, 1)
	turn <- o.at
	var err error
	for writing := true; err == nil && writing; {
		c := <-free
		if c.text, err = o.next(c.text[:0], o.layout, ready); len(c.text) > 0 {
			next := make(chan place, 1)
			c.before, c.after = turn, next
			turn = next
			busy.Add(1)
			jobs <- c
			order <- c
		}
		select {
		case <-gone:
			writing = false
		default:
		}
	}
	close(jobs)
	close(order)
	group.Wait()
	writeErr := <-wrote
	o.at = <-turn
	switch {
	case writeErr != nil:
		return &writeError{writeErr}
	case err != io.EOF:
		return o.failed(err)
	}
	return nil
}

// workerCount is how many workers there are: as many as run at once.
func workerCount() int { return min(runtime.GOMAXPROCS(0), maxWorkers) }

// count counts the lines of the text, and its rows where they are asked for.
func (o *opened) count(text []byte, rows bool) (n place) {
	n.lines = o.lines(text)
	for rows && len(text) > 0 {
		length, empty := o.skip(text)
		if !empty {
			n.rows++
		}
		text = text[length:]
	}
	return n
}

// countLines counts line feeds, without one that is missing at the end of a file.
func countLines(text []byte) int { return bytes.Count(text, []byte("\n")) }
