package answers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
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
	if text, want := AppendQuestion(nil, box, "ok"), "article,material,width,depth,height,code\n"+row+",ok\n"; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestRecord adds to a record that was cut off, and reads it again.
func TestRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.ndjson")
	whole := AppendAnswer(nil, box, Accepted, 1, march)
	for _, cut := range []int{2, len(whole) / 2, len(whole) - 2, len(whole) - 1, len(whole)} {
		if err := os.WriteFile(name, append(bytes.Clone(whole), whole[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		file, latest, err := OpenRecord(name)
		if err != nil || !latest.Equal(march) {
			t.Fatalf("cut at %d: %v, %v", cut, latest, err)
		}
		lines := AppendAnswer(nil, box, "BOX_3100", 1, march)
		lines = AppendAnswer(lines, box, "BOX_3100", 2, march)
		lines = AppendAnswer(lines, box, "", 1, march)
		if _, err := file.Write(AppendAnswer(lines, box, "QTT_9", 1, march)); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		a := New(&console.Console{Err: said}, boxrules.DefaultRules())
		var got []string
		err = a.ReadAll([]lists.Input{{Name: name, Kind: lists.NDJSON}}, func(answer learn.Answer, silent string) error {
			if answer.Box != box || !answer.Date.Equal(march) {
				t.Errorf("an answer %+v", answer)
			}
			got = append(got, fmt.Sprint(answer.Code, " ", silent))
			return nil
		})
		first := []string{" "}
		if cut >= len(whole)-1 { // all but its line end
			first = append(first, " ")
		}
		want := append(first, "BOX_3100 ", " "+Several, " "+NoAnswer, " QTT_9")
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || a.Rows != len(want) || !a.Latest.Equal(march) {
			t.Errorf("cut at %d: %q, %v, want %q", cut, got, err, want)
		}
		if n := bytes.Count(said.Bytes(), []byte("nothing is learned from ")); n != 3 {
			t.Errorf("cut at %d: it says\n%s", cut, said)
		}
	}
	if _, _, err := OpenRecord(t.TempDir()); err == nil {
		t.Error("a folder is taken for a record")
	}
}

// TestReadErrors has rows that are no answers.
func TestReadErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	for row, want := range map[string]string{
		"":                          "code: missing; accepted: valid or a code such as BOX_2100",
		"OK":                        `code: "OK"; accepted: valid, written so`,
		"box_3100":                  `code: "box_3100"; accepted: BOX_3100, written so`,
		"ok,yesterday":              `date: "yesterday" is not a date; accepted: one with its time, such as 2026-03-01T12:00:00Z`,
		"ok,2026-03-01T12:00:00Z,0": `items: "0" is not a number of items; accepted: a whole number from 1 on`,
		"ok,2026-02-28T12:00:00Z,1": "date: 2026-02-28T12:00:00Z is before 2026-03-01T12:00:00Z of a row above; " +
			"accepted: rows in the order of their dates",
		"BOX_3100,2026-03-01T12:00:00Z,": `items: "" is not a number of items; accepted: a whole number from 1 on`,
	} {
		columns := []string{"code", "code,date", "code,date,items"}[bytes.Count([]byte(row), []byte(","))]
		text := "article,material,width,depth,height," + columns + "\na,m,1,2,3," + row + "\n"
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		c := &console.Console{Err: said, Sleep: func(context.Context, time.Duration) error { return nil }}
		a := New(c, boxrules.DefaultRules())
		a.Latest = march
		err := a.ReadAll([]lists.Input{{Name: name, Kind: lists.CSV}}, func(learn.Answer, string) error { return nil })
		if got := said.String(); err != console.Unanswered || got != "boxrules: "+name+":2: row 1: "+want+"\n" {
			t.Errorf("%q: %v, says %s, want %s", row, err, got, want)
		}
	}
}
