package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A bar shows on a terminal how much of a file has been answered. A nil bar shows nothing.
type bar struct {
	*progressbar.ProgressBar
	shared bool // whether the answers go to the terminal, too
}

// bar is for a file of which the size is known, and how much of it has been read, where somebody watches.
func (c *console) bar(file io.Reader, o *opened) *bar {
	f, ok := file.(*os.File)
	if !ok || !c.watched || o.text.Rewritten {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	const often = 100 * time.Millisecond
	return &bar{progressbar.NewOptions64(info.Size(), progressbar.OptionSetWriter(c.err), progressbar.OptionSetDescription(printable(o.shown())),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(often), progressbar.OptionClearOnFinish()), c.terminal}
}

// add counts what has been answered, and shows it.
func (b *bar) add(n int) {
	if b != nil {
		_ = b.Add(n)
	}
}

// makeRoom takes it off the terminal, for answers that go there.
func (b *bar) makeRoom() {
	if b != nil && b.shared {
		_ = b.Clear()
	}
}

// end takes it off the terminal for good.
func (b *bar) end() {
	if b != nil {
		_ = b.Clear()
	}
}
