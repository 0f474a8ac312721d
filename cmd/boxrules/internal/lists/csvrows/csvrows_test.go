package csvrows

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab/csvtest"
)

var texts = flag.Int("texts", 6_000, "random texts to compare with csvtest and encoding/csv")

// draws returns how many random texts to read: more in CI.
func draws() int {
	if os.Getenv("CI") != "" {
		return max(*texts, 100_000)
	}
	return *texts
}

// oracle returns the records of the text as package csvtest reads them: line, length and cells. A malformed record
// ends with its first line. If no record has a quote that encoding/csv calls bare, both must agree; encoding/csv skips
// blank lines, and replaces \r\n in a quoted cell by \n.
func oracle(t *testing.T, text string, delimiter byte, maxRecord int) (records []string) {
	for line := 1; text != ""; {
		first := strings.IndexByte(text, '\n') + 1
		if first == 0 {
			first = len(text)
		}
		if blank := text[:first]; blank == "\n" || blank == "\r\n" || blank == "\r" {
			text, line = text[first:], line+1
			continue
		}
		n, record, fault := csvtest.Record(text, delimiter)
		for i, cell := range record {
			record[i] = strings.ReplaceAll(cell, "\r\n", "\n")
		}
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.FieldsPerRecord = rune(delimiter), -1
		other, err := r.Read()
		if !errors.Is(err, csv.ErrBareQuote) && (err == nil) != (fault == "") ||
			err == nil && (int(r.InputOffset()) != n || !slices.Equal(other, record)) {
			t.Fatalf("%q: csvtest reads %d bytes as %q, %s; encoding/csv reads %d as %q, %v", text, n, record, fault, r.InputOffset(), other, err)
		}
		cells := fmt.Sprintf("%q", record)
		switch {
		case fault != "":
			cells = fault
		case n > first && len(strings.TrimRight(text[:n], "\r\n")) > maxRecord:
			n, cells = first, "quote"
		}
		records = append(records, fmt.Sprint(line, " ", n, " ", cells))
		line += strings.Count(text[:n], "\n")
		text = text[n:]
	}
	return records
}

// read does the same with a Format that gets the text in pieces of this many bytes.
func read(t *testing.T, f Format, text string, piece int) (records []string) {
	source := strings.NewReader(text)
	var rest []byte
	line := 1
	for final := false; !final; {
		more := make([]byte, piece)
		n, err := source.Read(more)
		rest = append(rest, more[:n]...)
		final = err == io.EOF
		whole := f.WholeLength(rest, final)
		if final && whole != len(rest) {
			t.Fatalf("%q: %d whole bytes of the last %d", text, whole, len(rest))
		}
		for part := rest[:whole]; len(part) > 0; {
			n, cells, err := f.Next(part, nil)
			if n <= 0 || f.Skip(part) != n {
				t.Fatalf("%q: a record of %d bytes, where %d are skipped", text, n, f.Skip(part))
			}
			said := map[error]string{ErrBareQuote: csvtest.BareQuote, ErrQuote: csvtest.OpenQuote}[err]
			if err == nil {
				var record []string
				for _, c := range cells {
					record = append(record, strings.ReplaceAll(string(c.Text()), "\r\n", "\n"))
				}
				said = fmt.Sprintf("%q", record)
			}
			if len(WithoutEnd(part[:n])) > 0 {
				records = append(records, fmt.Sprint(line, " ", n, " ", said))
			}
			line += bytes.Count(part[:n], []byte("\n"))
			part = part[n:]
		}
		rest = rest[whole:]
	}
	return records
}

func compare(t *testing.T, text string, delimiter byte, maxRecord, piece int) {
	t.Helper()
	f := Format{Delimiter: delimiter, MaxRecord: maxRecord}
	got, want := read(t, f, text, piece), oracle(t, text, delimiter, maxRecord)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%q, at most %d bytes, in pieces of %d:\n%s\nwant\n%s", text, maxRecord, piece,
			strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRandom compares random texts, most of them malformed, with csvtest and encoding/csv. They come in tiny pieces.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{`"`, `"`, `"`, `""`, ",", ",", ";", "\n", "\n", "\r\n", "\r", "a", "bc", "123.5", "é", " ", "long-text-of-many-bytes"}
	for range draws() {
		var text strings.Builder
		for range rng.IntN(40) {
			text.WriteString(parts[rng.IntN(len(parts))])
		}
		compare(t, text.String(), ",;"[rng.IntN(2)], 1000, 1+rng.IntN(64))
	}
}

// TestLong says that a record with a quote may have up to MaxRecord bytes.
func TestLong(t *testing.T) {
	for _, text := range []string{
		`a,"` + strings.Repeat("b\n", 50) + "c,d\n",
		`a,"` + strings.Repeat("b\n", 6) + "\",c\n",
		`a,"` + strings.Repeat("b\n", 7) + "\"\r\nc\n",
		`a,"` + strings.Repeat("b\n", 20) + "\"\n\"c\nd\"",
	} {
		for piece := range 30 {
			compare(t, text, ',', 20, piece+1)
		}
	}
}

func TestAppendCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "tuck-end": "tuck-end", "a;b": "a;b", "a,b": `"a,b"`, `12" x`: `"12"" x"`, "a\nb": "\"a\nb\"", "a\r": "\"a\r\"",
	} {
		got := AppendCell(nil, text, ',')
		_, cells, err := Format{Delimiter: ',', MaxRecord: 100}.Next(append(got, '\n'), nil)
		if string(got) != want || err != nil || string(cells[0].Text()) != text || cells[0].Quoted() != (len(want) > len(text)) {
			t.Errorf("%q is written as %s and read as %v, %v; want %s", text, got, cells, err, want)
		}
	}
}
