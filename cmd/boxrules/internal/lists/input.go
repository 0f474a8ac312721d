// Package lists reads files of boxes, and of answers about boxes: CSV, workbooks and NDJSON. An
// [Input] says what file it is and how it is written; its rows are read one after the other by
// [Input.Each], or answered side by side by [Reader.Flow].
package lists

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/lists/xlsx"
)

// MaxRow bounds the length of a row in bytes, far more than a box needs. It bounds what the command
// holds in memory, whatever quotes and line ends a file lacks.
const MaxRow = 256 << 10

// bufferSize has room for the longest row with its line end.
const bufferSize = MaxRow + len("\r\n")

// The kinds of files of boxes.
const (
	CSV    = "csv"
	XLSX   = "xlsx"
	NDJSON = "ndjson"
)

// An Input names a file of boxes, or of answers about boxes, and says how it is written.
type Input struct {
	Name    string // as given; "-" is stdin
	Kind    string
	Answers bool
	Options Options
}

var extensions = []struct{ name, kind string }{
	{".csv", CSV}, {".tsv", CSV}, {".xlsx", XLSX}, {".xlsm", XLSX}, {".ndjson", NDJSON}, {".jsonl", NDJSON},
}

// Extensions returns the extensions of the names that [KindOf] knows.
func Extensions() []string {
	var names []string
	for _, e := range extensions {
		names = append(names, e.name)
	}
	return names
}

// KindOf returns the kind of a file by its extension, or nothing where that does not tell.
func KindOf(name string) string {
	for _, e := range extensions {
		if strings.EqualFold(filepath.Ext(name), e.name) {
			return e.kind
		}
	}
	return ""
}

// Shown returns the input's name in messages.
func (in Input) Shown() string {
	if in.Name == "-" {
		return "stdin"
	}
	return in.Name
}

// openFile opens the file itself.
func (in Input) openFile(stdin io.Reader) (io.ReadCloser, error) {
	switch {
	case in.Name == "-":
		return io.NopCloser(stdin), nil
	case in.Kind == XLSX:
		return xlsx.Open(in.Name, in.Options.Sheet)
	}
	return os.Open(in.Name)
}

// fixed returns the article and the material of all rows, nil where they have their own.
func (f *Options) fixed() (names [FirstDimension][]byte) {
	for field, text := range f.Given {
		if text != "" {
			names[field] = []byte(text)
		}
	}
	return names
}

// Options say how a list is written, as far as it does not say so itself. The zero Options leave it
// all to the list.
type Options struct {
	Names     map[string]string // of columns, by field
	Skip      int               // rows above the header
	Delimiter byte              // 0 where the header tells
	Decimal   byte              // 0 where nothing is said: a point in text, and no numbers in a sheet's texts
	Unit      string            // of the dimensions, empty where the header tells or it is the catalogue's
	Encoding  string            // empty where the text tells
	Sheet     string            // empty for the first
	Expect    string            // column of the code that each box is to have; empty where there is none

	Given     [FirstDimension]string // article and material of all rows, empty where they have their own
	Catalogue string                 // unit of the limits
}
