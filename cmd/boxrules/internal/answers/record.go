package answers

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
	"example.com/boxrules/internal/strictjson"
)

// AppendQuestion appends a row of CSV, below a header where it is the first; with the code to
// expect where that is not empty.
func AppendQuestion(dst []byte, b boxrules.Box, code string) []byte {
	header, more := lists.FieldNames, ""
	if code != "" {
		header, more = lists.AnswerNames[:lists.AnswerDate], ","+code
	}
	if len(dst) == 0 {
		dst = append(dst, strings.Join(header, ",")+"\n"...)
	}
	dst = csvrows.AppendCell(dst, b.Article, ',')
	dst = csvrows.AppendCell(append(dst, ','), b.Material, ',')
	for _, x := range []float64{b.Width, b.Depth, b.Height} {
		dst = console.AppendNumber(append(dst, ','), x)
	}
	return append(dst, more+"\n"...)
}

// AppendAnswer appends an answer as a line that learn and audit read; the code is empty where there
// was no answer, or none that can be recorded. Items are how many there were beside the box and
// itself.
func AppendAnswer(dst []byte, b boxrules.Box, code string, items int, date time.Time) []byte {
	line := struct {
		boxrules.Box
		OK    bool      `json:"ok"`
		Code  string    `json:"code,omitempty"`
		Error string    `json:"error,omitempty"`
		Items int       `json:"items,omitempty"`
		Date  time.Time `json:"date"`
	}{Box: b, OK: IsAccepted(code), Code: code, Date: date}
	if items > 1 {
		line.Items = items
	}
	if line.OK {
		line.Code = ""
	} else if code == "" {
		line.Error = NoAnswer
	}
	return append(dst, console.PrintableJSON(strictjson.Marshal(line))...)
}

// OpenRecord opens a record to add to, and returns the last date in it. A line that was cut off, as
// by a full disk, is taken off.
func OpenRecord(name string) (*os.File, time.Time, error) {
	file, err := console.OpenRegular(name, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, time.Time{}, err
	}
	latest, err := mendRecord(file)
	if err != nil {
		_ = file.Close()
		return nil, time.Time{}, err
	}
	return file, latest, nil
}

// mendRecord reads the end of a record, for its last date, and has it end with a whole line.
func mendRecord(file *os.File) (latest time.Time, err error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return latest, err
	}
	start := max(0, info.Size()-lists.MaxRow)
	end := make([]byte, info.Size()-start)
	if _, err := file.ReadAt(end, start); err != nil {
		return latest, err
	}
	switch last := end[bytes.LastIndexByte(end, '\n')+1:]; {
	case !bytes.HasPrefix(last, []byte("{")): // none, or none of ours, which is left alone
	case isCutRecord(last):
		err = file.Truncate(info.Size() - int64(len(last)))
	default:
		_, err = file.Write([]byte("\n"))
	}
	for line := range bytes.Lines(end) {
		var dated struct{ Date time.Time }
		if json.Unmarshal(line, &dated) == nil && dated.Date.After(latest) {
			latest = dated.Date
		}
	}
	return latest, err
}

// recordStart is how every line of a record begins.
const recordStart = `{"article":"`

// isCutRecord reports whether the last line of a file is the beginning of a record. A { alone is
// not enough to say.
func isCutRecord(last []byte) bool {
	begun := last[:min(len(last), len(recordStart))]
	return len(last) > 1 && strings.HasPrefix(recordStart, string(begun)) && !json.Valid(last)
}
