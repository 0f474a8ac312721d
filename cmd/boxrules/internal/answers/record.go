package answers

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
	"example.com/boxrules/internal/strictjson"
)

// AppendQuestion appends a box as a row of CSV. If dst is empty, it writes the header first. If expected is not empty,
// it is the expected answer, and AppendQuestion writes two additional columns: expected, and an empty column code for
// the service's answer.
func AppendQuestion(dst []byte, b boxrules.Box, expected string) []byte {
	header, cells := strings.Join(lists.FieldNames, ","), ""
	if expected != "" {
		header, cells = header+",expected,"+lists.AnswerNames[lists.AnswerCode], ","+expected+","
	}
	if len(dst) == 0 {
		dst = append(dst, header+"\n"...)
	}
	dst = csvrows.AppendCell(dst, b.Article, ',')
	dst = csvrows.AppendCell(append(dst, ','), b.Material, ',')
	for _, x := range b.ByAxis() {
		dst = console.AppendNumberText(append(dst, ','), x)
	}
	return append(dst, cells+"\n"...)
}

// AppendAnswer appends an answer as a line of a record, in the format that learn and audit read. code is empty if there
// was no answer, or if its code cannot be recorded. itemCount is the number of items in the quotation, including b.
func AppendAnswer(dst []byte, b boxrules.Box, code string, itemCount int, date time.Time) []byte {
	line := struct {
		boxrules.Box
		OK    bool      `json:"ok"`
		Code  string    `json:"code,omitempty"`
		Error string    `json:"error,omitempty"`
		Items int       `json:"items,omitempty"`
		Date  time.Time `json:"date"`
	}{Box: b, OK: lists.IsValid(code), Code: code, Date: date}
	if itemCount > 1 {
		line.Items = itemCount
	}
	if line.OK {
		line.Code = ""
	} else if code == "" {
		line.Error = NoAnswer
	}
	return append(dst, console.PrintableJSON(strictjson.Marshal(line))...)
}

// A Record is a file to which answers are appended. Several programs may append to it at the same time.
type Record struct{ file *os.File }

// OpenRecord opens the named record for appending, and returns the latest date in it. If the file does not exist,
// OpenRecord creates it. It does not change an existing file, which may not be a record at all.
func OpenRecord(name string) (*Record, time.Time, error) {
	file, err := console.OpenRegular(name, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, time.Time{}, err
	}
	latest, err := latestDate(file)
	if err != nil {
		_ = file.Close()
		return nil, time.Time{}, err
	}
	return &Record{file}, latest, nil
}

// Write appends lines of answers in a single write. If the file does not end with a line end, perhaps because the disk
// was full during an earlier write, Write begins a new line. The incomplete line stays in the file, and is skipped when
// the record is read.
func (r *Record) Write(lines []byte) (int, error) {
	info, err := r.file.Stat()
	if err != nil {
		return 0, err
	}
	last := []byte{'\n'}
	if info.Size() > 0 {
		if _, err := r.file.ReadAt(last, info.Size()-1); err != nil {
			return 0, err
		}
	}
	if last[0] == '\n' {
		return r.file.Write(lines)
	}
	n, err := r.file.Write(slices.Concat([]byte("\n"), lines))
	return max(0, n-1), err
}

// Sync waits until the record is on the disk, so that it survives a crash of the machine.
func (r *Record) Sync() error { return r.file.Sync() }

// Close closes the file.
func (r *Record) Close() error { return r.file.Close() }

// latestDate returns the latest date in the last lists.MaxRow bytes of the file.
func latestDate(file *os.File) (latest time.Time, err error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return latest, err
	}
	start := max(0, info.Size()-lists.MaxRow)
	end := make([]byte, info.Size()-start)
	if _, err := file.ReadAt(end, start); err != nil {
		return latest, err
	}
	for line := range bytes.FieldsFuncSeq(end, func(c rune) bool { return c == '\n' || c == 0 }) {
		var dated struct{ Date time.Time }
		if json.Unmarshal(line, &dated) == nil && dated.Date.After(latest) {
			latest = dated.Date
		}
	}
	return latest, nil
}
