package console

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A Bar shows on a terminal how much of a file has been answered. A nil bar shows nothing.
type Bar struct {
	shown  *progressbar.ProgressBar
	shared bool // whether the answers go to the terminal, too
}

// Bar returns a bar for a file whose size is known, or nil where nobody watches.
func (c *Console) Bar(file io.Reader, name string) *Bar {
	f, ok := file.(*os.File)
	if !ok || !c.Watched {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	const often = 100 * time.Millisecond
	shown := progressbar.NewOptions64(info.Size(), progressbar.OptionSetWriter(c.Err),
		progressbar.OptionSetDescription(Printable(name)), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(often), progressbar.OptionClearOnFinish())
	return &Bar{shown, c.Terminal}
}

// Add counts what has been answered, and shows it.
func (b *Bar) Add(n int) {
	if b != nil {
		_ = b.shown.Add(n)
	}
}

// MakeRoom takes the bar off the terminal, for answers that go there.
func (b *Bar) MakeRoom() {
	if b != nil && b.shared {
		_ = b.shown.Clear()
	}
}

// End takes the bar off the terminal for good.
func (b *Bar) End() {
	if b != nil {
		_ = b.shown.Clear()
	}
}
