// Package lists reads files of boxes, and of answers about boxes: CSV, workbooks and NDJSON. An
// [Input] names a file and says how it is written. [Input.Each] reads its rows one after the other;
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

// MaxRow bounds the length of a row in bytes. A box needs far less. The bound limits what the command
// holds in memory if a quote is never closed or a file has no line ends.
const MaxRow = 256 << 10

// bufferSize has room for the longest row with its line end.
const bufferSize = MaxRow + len("\r\n")

// The kinds of files of boxes.
const (
	CSV    = "csv"
	XLSX   = "xlsx"
	NDJSON = "ndjson"
)

// An Input is a file of boxes, or of answers about boxes.
type Input struct {
	Name    string // as given; "-" is stdin
	Kind    string
	Answers bool
	Options Options
}

var extensions = []struct{ name, kind string }{
	{".csv", CSV}, {".tsv", CSV}, {".xlsx", XLSX}, {".xlsm", XLSX}, {".ndjson", NDJSON}, {".jsonl", NDJSON},
}

// InputExtensions returns the extensions that [InputKind] knows.
func InputExtensions() []string {
	var names []string
	for _, e := range extensions {
		names = append(names, e.name)
	}
	return names
}

// InputKind returns the kind of a file by its extension, or "" if the extension is unknown.
func InputKind(name string) string {
	for _, e := range extensions {
		if strings.EqualFold(filepath.Ext(name), e.name) {
			return e.kind
		}
	}
	return ""
}

// DisplayName returns the name of the input in messages.
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

// Options say how a list is written. A zero value is detected from the list, unless the field says otherwise.
type Options struct {
	Names     map[string]string // the titles of columns or the keys of objects, by field
	Skip      int               // how many rows come before the header
	Delimiter byte              // 0 to detect it from the header
	NoQuotes  bool              // whether quotes are ordinary characters
	Decimal   byte              // '.' or ','; 0 means a point in text, and that text in the cells of a sheet is never a number
	Unit      string            // of the dimensions; empty for the unit in the header, or else the unit of the limits
	Encoding  string            // empty to detect it from the text
	Sheet     string            // empty for the first visible one
	Expect    string            // the column with the code that each box must have; empty if there is none

	Given     [FirstDimension]string // the article and the material of all rows; empty if each row has its own
	Codes     *Codes                 // for the codes of articles and materials; nil if they are those of the limits
	Catalogue string                 // the unit of the limits
}

// givenNames returns Given as byte slices. A name is nil if each row has its own.
func (o *Options) givenNames() (names [FirstDimension][]byte) {
	for field, text := range o.Given {
		if text != "" {
			names[field] = []byte(text)
		}
	}
	return names
}

// Open opens the file and reads what comes before its first row. Its errors name the file and the line.
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

// Each calls handle for every row of the file that is not empty, and stops if handle returns an error. Its
// errors name the file and the line. In a record of answers, torn lines are skipped and reported at the
// end.
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
		// Flow stops only at the end of a chunk. The rows up to there are skipped.
		if handleErr != nil {
			return
		}
		number++ // the Number that Flow gives also counts torn lines
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
	// One answerer is called for all rows, in their order.
	err = reader.Flow([]Answerer{answerer}, true, func([]byte) error { return handleErr })
	if all := torn.end(); err == nil && all.lines > 0 {
		reader.console.Say("boxrules: %s:%d: %s", reader.DisplayName(), all.first, all)
	}
	return cmp.Or(handleErr, err)
}
