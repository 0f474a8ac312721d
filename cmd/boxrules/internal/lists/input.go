// Package lists reads files of boxes, or of answers about boxes, in one of three formats: CSV, .xlsx workbooks and
// NDJSON. An [Input] names a file and describes its format. [Input.Each] reads the rows one after the other.
// [Reader.Flow] answers them concurrently.
package lists

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
)

// MaxRow is the maximum length of a row in bytes. The row of a box is far shorter. The maximum bounds the memory
// that a file needs if it has a quote that is never closed, or no line ends.
const MaxRow = 256 << 10

// bufferSize is the size of a buffer that has room for the longest row and its line end.
const bufferSize = MaxRow + len("\r\n")

// The kinds of input files.
const (
	CSV    = "csv"
	XLSX   = "xlsx"
	NDJSON = "ndjson"
)

// An Input is a file of boxes, or of answers about boxes.
type Input struct {
	Name    string // the name as the user gave it; "-" means stdin
	Kind    string
	Answers bool
	Options Options
}

var extensions = []struct{ name, kind string }{
	{".csv", CSV}, {".tsv", CSV}, {".xlsx", XLSX}, {".xlsm", XLSX}, {".ndjson", NDJSON}, {".jsonl", NDJSON},
}

// InputExtensions returns the file extensions that [InputKind] knows.
func InputExtensions() []string {
	var names []string
	for _, e := range extensions {
		names = append(names, e.name)
	}
	return names
}

// InputKind returns the kind of a file according to its extension, or "" if it does not know the extension.
func InputKind(name string) string {
	for _, e := range extensions {
		if strings.EqualFold(filepath.Ext(name), e.name) {
			return e.kind
		}
	}
	return ""
}

// DisplayName returns the name of the input for use in messages.
func (in Input) DisplayName() string {
	if in.Name == "-" {
		return "stdin"
	}
	return in.Name
}

func (in Input) openFile(stdin io.Reader) (io.ReadCloser, error) {
	switch {
	case in.Name == "-":
		return io.NopCloser(stdin), nil
	case in.Kind == XLSX:
		return xlsx.Open(in.Name, in.Options.Sheet)
	}
	return os.Open(in.Name)
}

// Options describe how a list is written. If a field is zero, its value is detected from the list, unless the comment
// on the field says otherwise.
type Options struct {
	Names     map[string]string // the titles of columns, or the keys in JSON objects, keyed by field
	Skip      int               // the number of rows above the header
	Delimiter byte              // 0 to detect it from the header
	NoQuotes  bool              // whether quotes are ordinary characters
	Decimal   byte              // '.' or ','; if it is 0, a text file has decimal points, and a cell of a sheet that contains text is not a number
	Unit      string            // the unit of the dimensions; if empty, it is the unit in the header, or otherwise the unit of the limits
	Encoding  string            // one of charset.Encodings; if empty, it is detected
	Sheet     string            // the name of the sheet; if empty, the first visible sheet is read
	Expect    string            // the title of the column with the expected codes; empty if there is none

	Given     [FirstDimension]string // the article and the material of all rows; an entry is empty if each row has its own
	Codes     *Codes                 // translates the codes of articles and materials; nil if the list already has the codes of the limits
	Catalogue string                 // the unit of the limits
}

// givenNames returns Given as byte slices, with nil for an entry that is empty.
func (o *Options) givenNames() (names [FirstDimension][]byte) {
	for field, text := range o.Given {
		if text != "" {
			names[field] = []byte(text)
		}
	}
	return names
}

// Open opens the file and reads it up to its first row. Errors name the file and the line.
func (in Input) Open(c *console.Console) (*Reader, error) {
	file, err := in.openFile(c.In)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.DisplayName(), console.FileCause(err))
	}
	r := &Reader{Input: in, console: c, file: file}
	if err := r.readHead(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return r, nil
}

// Each calls handle for each row of the file that is not empty, until handle returns an error. Errors name the file and
// the line. In a record of answers, it skips torn lines (see tornReader), and reports them at the end.
func (in Input) Each(c *console.Console, handle func(*Row) error) error {
	reader, err := in.Open(c)
	if err != nil {
		return err
	}
	defer reader.Close()
	var torn tornReader
	var handleErr error
	number := 0
	handleRow := func(row *Row) {
		// After an error, Flow goes on to the end of the chunk. Skip these rows.
		if handleErr != nil {
			return
		}
		number++ // count again, because Flow also counts torn lines
		row.Number = number
		for field, name := range row.Names {
			row.Names[field] = []byte(in.Options.Codes.Code(field, reader.Decoded(name)))
			row.CheckName(field, row.Names[field])
		}
		if err := handle(row); err != nil {
			handleErr = fmt.Errorf("%s:%d: %w", reader.DisplayName(), row.Line, console.FileCause(err))
		}
	}
	answerer := func(_ []byte, row *Row) []byte {
		if reader.Kind == NDJSON && reader.Answers {
			torn.read(row, handleRow)
		} else if !row.Empty {
			handleRow(row)
		}
		return nil
	}
	// With a single answerer, the rows are handled in order.
	err = reader.Flow([]Answerer{answerer}, true, func([]byte) error { return handleErr })
	if all := torn.end(); err == nil && all.lines > 0 {
		reader.console.Say("boxrules: %s:%d: %s", reader.DisplayName(), all.firstLine, all)
	}
	return cmp.Or(handleErr, err)
}
