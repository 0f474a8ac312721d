package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"example.com/boxrules/cmd/boxrules/internal/decode"
	"example.com/boxrules/cmd/boxrules/internal/sheet"
)

// maxRow is the greatest length of a row in bytes, far more than a box needs. It bounds what the command holds in memory,
// whatever quotes and line ends a file lacks.
const maxRow = 256 << 10

// bufferSize is how much of a file is read at a time: the longest row with its line end.
const bufferSize = maxRow + len("\r\n")

// The kinds of files of boxes.
const (
	kindCSV    = "csv"
	kindXLSX   = "xlsx"
	kindNDJSON = "ndjson"
)

// newInput is the choice of --input.
func newInput() choice { return choice{accepted: []string{kindCSV, kindXLSX, kindNDJSON}} }

// An input is one file of boxes, or of answers about boxes.
type input struct {
	name    string // as given; "-" is stdin
	kind    string
	answers bool
	form    listForm
}

// kindOf goes by the extension; it is empty where that says nothing.
func kindOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv":
		return kindCSV
	case ".xlsx", ".xlsm":
		return kindXLSX
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
	switch {
	case in.name == "-":
		return io.NopCloser(stdin), nil
	case in.kind == kindXLSX:
		debug.SetGCPercent(25) // the library holds much; this takes a third off its memory and costs no time
		cleanUpSheets()
		return sheet.Open(in.name, in.form.sheet)
	}
	return os.Open(in.name)
}

// cleanUpSheets has the files of sheets removed when a signal ends the process.
var cleanUpSheets = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		sheet.CleanUp()
		os.Exit(int(unanswered))
	}()
})

// A layout knows how the rows of a file are written. It may be used concurrently.
type layout interface {
	// whole is the length of the whole rows at the start of the text; final says that no more text follows.
	whole(text []byte, final bool) int
	// read reads the first row of a text of whole rows into an empty one, and is its length.
	read(text []byte, r *row) int
	// skip is the length of that row, and whether it is empty.
	skip(text []byte) (n int, empty bool)
	// lines is how many lines the text takes, or rows of a sheet.
	lines(text []byte) int
}

// A place is how far a file has been read.
type place struct{ rows, lines int }

// An opened input is one whose rows can be read, from the first on.
type opened struct {
	input
	layout
	*textPieces
	head []byte // what stands before the first row, to be kept by a filter
	at   place

	console *console
	text    *decode.Text
	foreign atomic.Bool // whether a name was no UTF-8 and taken for Windows-1252
}

// decoded is a name as UTF-8.
func (o *opened) decoded(name []byte) string {
	if o.text.Encoding == decode.Either && o.text.Foreign(name) {
		o.foreign.Store(true)
	}
	return o.text.Decode(name)
}

// end says what was understood of the rows.
func (o *opened) end() {
	if o.foreign.Load() {
		o.note("some text is not UTF-8: it is read as windows-1252, unless --encoding says another")
	}
}

// begin reads what stands before the first row.
func (in input) begin(source io.Reader, c *console) (*opened, error) {
	o := &opened{input: in, console: c}
	if s, ok := source.(*sheet.Sheet); ok {
		in.form.delimiter, in.form.encoding = ',', decode.UTF8
		o.note("%s", s.Note)
	}
	text, err := decode.Open(source, in.form.encoding)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.shown(), cause(err))
	}
	o.input, o.textPieces, o.text, o.head = in, &textPieces{source: text.Reader}, text, []byte(text.Mark)
	if in.kind == kindNDJSON {
		fields := fieldNames
		if in.answers {
			fields = answerNames[:]
		}
		o.layout = &ndjsonList{fields: fields, given: in.form.fixed()}
		return o, nil
	}
	o.note("%s", text.Note)
	if err := o.beginCSV(); err != nil {
		return nil, err
	}
	return o, nil
}

// fixed are the article and the material of all rows, nil where they have their own.
func (f *listForm) fixed() (names [firstDimension][]byte) {
	for field, text := range f.given {
		if text != "" {
			names[field] = []byte(text)
		}
	}
	return names
}

// note says what was understood of the file. An empty text says nothing.
func (o *opened) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		o.console.say("boxrules: %s: %s", o.shown(), text)
	}
}

// failed is the error with the place where reading stopped.
func (o *opened) failed(err error) error {
	return fmt.Errorf("%s:%d: %w", o.shown(), o.at.lines+1, cause(err))
}

// each reads the file, row by row, and is the number of rows. Its errors name their place.
func (in input) each(c *console, take func(*row) error) (n int, err error) {
	file, err := in.open(c.in)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.shown(), cause(err))
	}
	defer file.Close()
	o, err := in.begin(file, c)
	if err != nil {
		return 0, err
	}
	defer o.end()
	r := row{file: in.shown()}
	buffer := make([]byte, 0, bufferSize)
	for {
		text, err := o.next(buffer, o.layout, func() bool { return true })
		for len(text) > 0 {
			r.reset()
			r.line = o.at.lines + 1
			n := o.read(text, &r)
			if !r.empty {
				o.at.rows++
				r.number = o.at.rows
				for field, name := range r.names {
					r.names[field] = []byte(o.decoded(name))
					r.checkName(field, r.names[field])
				}
				if err := take(&r); err != nil {
					return o.at.rows, o.failed(err)
				}
			}
			o.at.lines += o.lines(text[:n])
			text = text[n:]
		}
		switch {
		case err == io.EOF:
			return o.at.rows, nil
		case err != nil:
			return o.at.rows, o.failed(err)
		}
	}
}
