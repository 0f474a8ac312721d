package main

import (
	"io"
	"sync"
	"time"
)

// A logBuffer gathers lines and writes many at once: a write of its own for each request would cost as much as
// the request. What it holds is at most flushEvery old; what has not been written when the process is killed is
// lost.
type logBuffer struct {
	to    io.Writer
	mu    sync.Mutex
	lines []byte
	stop  chan struct{}
	done  chan struct{}
}

const (
	flushEvery = 200 * time.Millisecond
	flushAt    = 64 << 10
)

func newLogBuffer(to io.Writer) *logBuffer {
	b := &logBuffer{to: to, stop: make(chan struct{}), done: make(chan struct{})}
	go b.run()
	return b
}

func (b *logBuffer) run() {
	defer close(b.done)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			b.flush()
		case <-b.stop:
			b.flush()
			return
		}
	}
}

// Write is called with whole lines.
func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line...)
	if len(b.lines) >= flushAt {
		b.write()
	}
	return len(line), nil
}

func (b *logBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

// write writes what there is; mu is held.
func (b *logBuffer) write() {
	if len(b.lines) > 0 {
		_, _ = b.to.Write(b.lines) // there is nobody else to tell
		b.lines = b.lines[:0]
	}
}

// Close writes what is left. Nothing may be written after it.
func (b *logBuffer) Close() error {
	close(b.stop)
	<-b.done
	return nil
}
