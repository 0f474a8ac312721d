package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxRow is the greatest length of a row in bytes, far more than a box needs. It bounds what the command
// holds in memory, whatever quotes and line ends a file lacks.
const maxRow = 64 << 10

// The kinds of files of boxes.
const (
	kindCSV    = "csv"
	kindNDJSON = "ndjson"
)

// An input is one file of boxes, or of answers about boxes.
type input struct {
	name    string // as given; "-" is stdin
	kind    string
	answers bool
}

// kindOf goes by the extension; it is empty where that says nothing.
func kindOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
		return kindCSV
	case ".ndjson", ".jsonl":
		return kindNDJSON
	}
	return ""
}

// shown is the input's name in messages.
func (in input) shown() string {
	if in.name == "-" {
		return "stdin"
	}
	return in.name
}

func (in input) open(stdin io.Reader) (io.ReadCloser, error) {
	if in.name == "-" {
		return io.NopCloser(stdin), nil
	}
	return os.Open(in.name)
}

// rows reads one row at a time. An error ends the file, with io.EOF for its regular end; a row that is no
// box is no error.
type rows interface {
	next(*row) error // fills in an empty row
	line() int       // where the last row that was begun starts
}

func (in input) rows(source io.Reader, flush func() error) (rows, error) {
	t := newRowText(source, flush)
	if err := t.checkEncoding(); err != nil {
		return nil, err
	}
	if in.kind == kindCSV {
		return newCSV(t, in.answers)
	}
	fields := fieldNames
	if in.answers {
		fields = answerNames[:]
	}
	return &ndjsonRows{text: t, fields: fields}, nil
}

// each reads the file, row by row, and is the number of rows. Its errors name their place.
func (in input) each(stdin io.Reader, flush func() error, take func(*row) error) (n int, err error) {
	file, err := in.open(stdin)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.shown(), cause(err))
	}
	defer file.Close()
	rows, err := in.rows(file, flush)
	if rows == nil || errors.Is(err, errNoBoxes) {
		return 0, fmt.Errorf("%s: %w", in.shown(), cause(err))
	}
	var r row
	for err == nil {
		r = row{number: n + 1}
		if err = rows.next(&r); err == nil {
			n++
			r.line = rows.line()
			err = take(&r)
		}
	}
	if err == io.EOF {
		return n, nil
	}
	return n, fmt.Errorf("%s:%d: %w", in.shown(), rows.line(), cause(err))
}

// rowText is a file that is read row by row, never holding more than one.
type rowText struct {
	*bufio.Reader
	feed *feed
}

// newRowText makes the buffer larger than any row, so that it is the feed that refuses one.
func newRowText(source io.Reader, flush func() error) *rowText {
	f := &feed{source: source, flush: flush, until: maxRow + 1}
	return &rowText{bufio.NewReaderSize(f, maxRow+2), f}
}

// begin starts a row: from here on maxRow bytes may be read.
func (t *rowText) begin() { t.feed.until = t.feed.read - int64(t.Buffered()) + maxRow + 1 }

// failed is the error that the reading of this row ended with, nil where that was the end of the file. A
// parser on top may have taken the text before it for a row.
func (t *rowText) failed() error {
	if t.feed.err == io.EOF {
		return nil
	}
	return t.feed.err
}

var (
	errLongRow = fmt.Errorf("this row is longer than %d bytes; accepted: one box a row, every quote closed", maxRow)
	errUTF16   = errors.New("UTF-16 text; accepted: UTF-8")
	errNoBoxes = errors.New("no boxes; accepted: at least one")
)

// checkEncoding skips a byte order mark, which spreadsheets write, and knows UTF-16 by its own, or by the
// zero byte beside its first letter.
func (t *rowText) checkEncoding() error {
	start, err := t.Peek(3)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")),
		slices.Contains(start[:min(2, len(start))], 0):
		return errUTF16
	case bytes.Equal(start, []byte("\ufeff")):
		_, err := t.Discard(len(start))
		return err
	}
	return nil
}

// A feed stands below the buffer. It lets no row grow too long, and before it may have to wait for more
// input it has the answers so far written out, so that whoever types a row sees its answer.
type feed struct {
	source io.Reader
	flush  func() error
	read   int64 // bytes so far
	until  int64 // bytes at which the present row is too long
	err    error // what ended it
	next   error // what came along with the last bytes
}

func (f *feed) Read(p []byte) (int, error) {
	switch {
	case f.next != nil:
		f.err = f.next
	case f.read >= f.until:
		f.err = errLongRow
	default:
		f.err = f.flush()
	}
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.source.Read(p[:min(int64(len(p)), f.until-f.read)])
	f.read += int64(n)
	if n > 0 {
		// The rows that these bytes complete come before the error.
		f.next = err
		return n, nil
	}
	f.err = err
	return 0, err
}
