package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// A bar shows on a terminal how much of a file has been answered. A nil bar shows nothing.
type bar struct{ *progressbar.ProgressBar }

// bar is for a file whose size is known, where somebody watches.
func (c *console) bar(file io.Reader, name string) *bar {
	f, ok := file.(*os.File)
	if !ok || !c.watched {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &bar{progressbar.NewOptions64(info.Size(), progressbar.OptionSetWriter(c.err), progressbar.OptionSetDescription(printable(name)),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())}
}

// add counts what has been answered, and shows it.
func (b *bar) add(n int) {
	if b != nil {
		_ = b.Add(n)
	}
}

// hide takes it off the screen until more is answered.
func (b *bar) hide() {
	if b != nil {
		_ = b.Clear()
	}
}
