package answers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/learn"
)

var (
	box   = boxrules.Box{Article: `tuck "end"`, Material: "carton-300", Dims: boxrules.Dims{Width: 71.5, Depth: 1e-7, Height: 3}}
	march = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func TestAppendQuestion(t *testing.T) {
	const row = "\"tuck \"\"end\"\"\",carton-300,71.5,1e-07,3"
	text := AppendQuestion(AppendQuestion(nil, box, ""), box, "")
	if want := "article,material,width,depth,height\n" + row + "\n" + row + "\n"; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	if text, want := AppendQuestion(nil, box, "ok"), "article,material,width,depth,height,expected,code\n"+row+",ok,\n"; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestRecord adds to a record that was cut off, before it was opened and while it is open, and reads
// it again.
func TestRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.ndjson")
	whole := AppendAnswer(nil, box, lists.Valid, 1, march)
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(name, append(bytes.Clone(whole), whole[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		file, latest, err := OpenRecord(name)
		if err != nil || !latest.Equal(march) {
			t.Fatalf("cut at %d: %v, %v", cut, latest, err)
		}
		add := func(line []byte) {
			if n, err := file.Write(line); n != len(line) || err != nil {
				t.Fatalf("cut at %d: %d bytes are written, %v, want %d", cut, n, err, len(line))
			}
		}
		add(AppendAnswer(AppendAnswer(nil, box, "BOX_3100", 1, march), box, "BOX_3100", 2, march))
		if err := appendTo(name, whole[:cut]); err != nil { // the part that fits on the disk
			t.Fatal(err)
		}
		add(AppendAnswer(nil, box, "", 1, march))
		add(AppendAnswer(nil, box, "QTT_9", 1, march))
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		a := New(&console.Console{Err: said}, boxrules.DefaultRules(), "mm")
		var got []string
		err = a.ReadAll([]lists.Input{{Name: name, Kind: lists.NDJSON}}, func(answer learn.Answer, silent string) error {
			if answer.Box != box || !answer.Date.Equal(march) {
				t.Errorf("an answer %+v", answer)
			}
			got = append(got, fmt.Sprint(answer.Code, " ", silent))
			return nil
		})
		want := []string{" ", "BOX_3100 ", " " + Several, " " + NoAnswer, " QTT_9"}
		note := ""
		if cut >= len(whole)-1 { // all but its line end
			want = []string{" ", " ", "BOX_3100 ", " " + Several, " ", " " + NoAnswer, " QTT_9"}
		} else if cut > 0 {
			note = fmt.Sprintf("boxrules: %s:2: skipped 2 lines (%d bytes) that", name, 2*cut)
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || a.Rows != len(want) || !a.Latest.Equal(march) {
			t.Errorf("cut at %d: %q, %v, want %q", cut, got, err, want)
		}
		if n := bytes.Count(said.Bytes(), []byte("nothing can be learned from ")); n != 3 || !strings.HasPrefix(said.String(), note) ||
			note == "" && strings.Contains(said.String(), "torn") {
			t.Errorf("cut at %d: it says\n%s", cut, said)
		}
	}
	if _, _, err := OpenRecord(t.TempDir()); err == nil {
		t.Error("a folder is taken for a record")
	}
}

// appendTo adds bytes to a file.
func appendTo(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// TestOpenRecord says that a file stays as it is when it is opened, that what is added to it begins
// a line of its own, and which date is the last one.
func TestOpenRecord(t *testing.T) {
	const march, february = `{"date":"2026-03-01T12:00:00Z"}`, `{"date":"2026-02-01T12:00:00Z"}`
	for _, test := range []struct {
		text string
		torn bool // what is added needs a line end in front
		want string
	}{
		{"", false, ""},
		{march + "\n", false, "2026-03-01T12:00:00Z"},
		{march, true, "2026-03-01T12:00:00Z"},
		{march + "\n" + february + "\n", false, "2026-03-01T12:00:00Z"},
		{march + "\n" + february[:9], true, "2026-03-01T12:00:00Z"},
		{march + "\x00\x00\x00" + february[:9], true, "2026-03-01T12:00:00Z"},
		{"\x00\x00\x00" + march + "\x00", true, "2026-03-01T12:00:00Z"},
		{"\xff\xd8\xff\xe0 a photo", true, ""},
		{"\n\n", false, ""},
	} {
		name := filepath.Join(t.TempDir(), "answers.ndjson")
		if err := os.WriteFile(name, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		record, latest, err := OpenRecord(name)
		if err != nil {
			t.Fatal(err)
		}
		date := ""
		if !latest.IsZero() {
			date = latest.Format(time.RFC3339)
		}
		opened, errOpened := os.ReadFile(name)
		_, errWrite := record.Write([]byte("new\n"))
		_, errAgain := record.Write([]byte("new\n"))
		written, errWritten := os.ReadFile(name)
		want := test.text + map[bool]string{true: "\n"}[test.torn] + "new\nnew\n"
		err = errors.Join(errOpened, errWrite, errAgain, errWritten, record.Sync(), record.Close())
		if err != nil || string(opened) != test.text || string(written) != want || date != test.want {
			t.Errorf("%q, opened, is %q with the date %s, then %q, %v, want %q with %s", test.text, opened, date, written, err, want, test.want)
		}
	}
}

// TestReadErrors has rows that are no answers.
func TestReadErrors(t *testing.T) {
	const acceptedAnswers = "accepted: valid, a code such as BOX_2100, an error type such as VALIDATION_ERROR, or an HTTP status such as 500"
	name := filepath.Join(t.TempDir(), "a.csv")
	for row, want := range map[string]string{
		"":                          "code: missing; accepted: valid or a code such as BOX_2100",
		"OK":                        `code: "OK" is not an answer; write valid`,
		"vaild":                     `code: "vaild" is not an answer; ` + acceptedAnswers,
		"2101":                      `code: "2101" is not an answer; ` + acceptedAnswers,
		"BOX-2101":                  `code: "BOX-2101" is not an answer; ` + acceptedAnswers,
		"BOX_210":                   `code: "BOX_210" is not an answer; ` + acceptedAnswers,
		"gültig":                    `code: "gültig" is not an answer; ` + acceptedAnswers,
		"box_3100":                  `code: "box_3100" is not an answer; write BOX_3100`,
		"ok,yesterday":              `date: "yesterday" is not a date, such as 2026-03-01 or 2026-03-01T12:00:00Z`,
		"ok,2026-03-01T12:00:00Z,0": `items: "0" is not a number of items; accepted: a whole number, 1 or more`,
		"ok,2026-02-28T12:00:00Z,1": "date: 2026-02-28T12:00:00Z is before 2026-03-01T12:00:00Z in an earlier file; " +
			"give the older file first",
		"BOX_3100,2026-03-01T12:00:00Z,": `items: "" is not a number of items; accepted: a whole number, 1 or more`,
	} {
		columns := []string{"code", "code,date", "code,date,items"}[bytes.Count([]byte(row), []byte(","))]
		text := "article,material,width,depth,height," + columns + "\na,m,1,2,3," + row + "\n"
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		c := &console.Console{Err: said, Sleep: func(context.Context, time.Duration) error { return nil }}
		a := New(c, boxrules.DefaultRules(), "mm")
		a.Latest = march
		err := a.ReadAll([]lists.Input{{Name: name, Kind: lists.CSV}}, func(learn.Answer, string) error { return nil })
		if got := said.String(); err != console.Unanswered || got != "boxrules: "+name+":2: row 1: "+want+"\n" {
			t.Errorf("%q: %v, says %s, want %s", row, err, got, want)
		}
	}
}

// TestReadUnusable has answers that say nothing about the box, but are no errors, and all forms of a date.
func TestReadUnusable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	text := "article,material,width,depth,height,code,date\n"
	want := []string{"VALIDATION_ERROR", "NOT_FOUND", "OWN_LIMIT", "DLN_1101", "QTT_1114", "401", "503 Service Unavailable",
		"200 without a dieline", "error:width", NoAnswer}
	for i, code := range want {
		date := []string{"2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T01:00:00+01:00"}[i%3]
		text += "a,m,1,2,3," + code + "," + date + "\n"
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := new(bytes.Buffer)
	c := &console.Console{Err: said, Sleep: func(context.Context, time.Duration) error { return nil }}
	var got []string
	err := New(c, boxrules.DefaultRules(), "mm").ReadAll([]lists.Input{{Name: name, Kind: lists.CSV}},
		func(_ learn.Answer, kind string) error {
			got = append(got, kind)
			return nil
		})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, says %s", got, err, said)
	}
}
