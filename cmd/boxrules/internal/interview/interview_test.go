package interview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/learn"
)

// A script is a Questioner that asks about cubes of the given widths, and notes what it learns.
type script struct {
	widths  []float64
	learned []string
	errs    map[string]error // what Learn returns, by what it has noted
}

func (s *script) Learn(a learn.Answer, unusableKind string) (informative bool, err error) {
	note := fmt.Sprintf("%d %v %s%s", a.Row, a.Width, a.Code, unusableKind)
	s.learned = append(s.learned, note)
	return unusableKind == "", s.errs[note]
}

func (s *script) Remaining() (questions string, products int) {
	return fmt.Sprintf("%d questions", len(s.widths)), min(1, len(s.widths))
}

func (s *script) Next() (box boxrules.Box, ok bool) {
	if len(s.widths) == 0 {
		return box, false
	}
	box = boxrules.Box{Article: "cube", Material: "board", Dims: boxrules.Dims{Width: s.widths[0], Depth: 2, Height: 3}}
	s.widths = s.widths[1:]
	return box, true
}

// newService returns the address of a service. It makes boxes of width 1, refuses those of width 2 and 3 by a documented
// and an unknown code, and fails on all others.
func newService(t *testing.T) *url.URL {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		codes := map[string]string{"2": "BOX_3100", "3": "BOX_9999"}
		switch width := r.URL.Query().Get("width"); {
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, `{"access_token":"t"}`)
		case width == "1":
			_, _ = io.WriteString(w, "%PDF-1.4")
		case codes[width] != "":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"response":{"code":"BOX_ERROR","errors":[{"code":"%s"}]}}`, codes[width])
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// row returns an answer as a line of a record.
func row(width int) string {
	return fmt.Sprintf(`{"article":"cube","material":"board","width":%d,"depth":2,"height":3,"ok":true,"date":"2026-03-01T12:00:00Z"}`+"\n", width)
}

// TestRun says in which order answers come, how those of the service are understood, and what ends the questions.
func TestRun(t *testing.T) {
	const ended = "boxrules: 2 questions were asked\n"
	for _, test := range []struct {
		name     string
		typed    string // on the terminal; without any, stdin is not one
		yes      bool
		widths   []float64
		errs     map[string]error
		learned  string // answers of the files and the record are rows 1 to 3
		asked    int    // with the two in the record
		recorded int    // answers by this run
		said     string // a part of it
		status   error
	}{
		{"every answer", "", true, []float64{1, 2}, nil, "4 1 |5 2 BOX_3100", 4, 2, ended, nil},
		{"confirmed", "y\n", false, []float64{1, 2}, nil, "4 1 |5 2 BOX_3100", 4, 2, "ask the service these questions? [y/N] " + ended, nil},
		{"declined", "n\n", false, []float64{1}, nil, "", 2, 0, "boxrules: nothing was asked\n", console.Unanswered},
		{"not confirmed", "", false, []float64{1}, nil, "", 2, 0, "boxrules: refusing to query the service without confirmation", console.Unanswered},
		{"no question", "", false, nil, nil, "", 2, 0, "", nil},
		{"an unknown code", "", true, []float64{3}, map[string]error{"4 3 BOX_9999": learn.ErrUnknownCode}, "4 3 BOX_9999", 3, 1,
			"boxrules: the rules do not define BOX_9999: 1 row, first seen in row 4", nil},
		{"a borderline box", "", true, []float64{1, 2}, map[string]error{"4 1 ": learn.ErrBorderline}, "4 1 |5 2 BOX_3100", 4, 2,
			"boxrules: less can be learned from borderline boxes: 1 row, first seen in row 4", nil},
		{"a contradiction", "", true, []float64{2, 1, 1}, map[string]error{"5 1 ": &learn.Contradiction{}}, "4 2 BOX_3100|5 1 ", 4, 2, ended, nil},
		{"another error", "", true, []float64{1, 1}, map[string]error{"4 1 ": errors.New("a bug")}, "4 1 ", 3, 1, "boxrules: a bug\n", console.Unanswered},
		{"no information", "", true, []float64{9, 9, 1, 9, 9, 9, 1}, nil, "4 9 404|5 9 404|6 1 |7 9 404|8 9 404|9 9 404", 8, 6,
			"boxrules: after 6 questions: 3 boxes in a row got no usable answer; " +
				"check the --service URL: the service has no /v1/reseller/dieline there; then run the command again\n", console.Unanswered},
	} {
		folder := t.TempDir()
		file, record := filepath.Join(folder, "a.ndjson"), filepath.Join(folder, "record.ndjson")
		for name, text := range map[string]string{file: row(10), record: row(20) + row(21)} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var said bytes.Buffer
		c := &console.Console{
			In: strings.NewReader(test.typed), InIsTerminal: test.typed != "", Out: io.Discard, Err: &said,
			Getenv: func(string) string { return "x" },
			Now:    func() time.Time { return time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) }, // before the last answer
			Sleep:  func(context.Context, time.Duration) error { return nil },
		}
		i := New(c, boxrules.DefaultRules(), Options{Service: newService(t), Record: record, Yes: test.yes})
		s := &script{widths: test.widths, errs: test.errs}
		// The record is read after the files, although it is among them.
		err := i.Run([]lists.Input{{Name: record, Kind: lists.NDJSON}, {Name: file, Kind: lists.NDJSON}}, s)
		want := "1 10 |2 20 |3 21 "
		if test.learned != "" {
			want += "|" + test.learned
		}
		if got := strings.Join(s.learned, "|"); got != want || !errors.Is(err, test.status) || !strings.Contains(said.String(), test.said) {
			t.Errorf("%s: %v, learns\n%s, want\n%s; says\n%swant %s", test.name, err, got, want, said.String(), test.said)
		}
		if asked := i.Asked(Product{"cube", "board"}); asked != test.asked || !i.HasDates() || i.Rows() != 3+test.recorded {
			t.Errorf("%s: %d questions in %d rows, want %d in %d", test.name, asked, i.Rows(), test.asked, 3+test.recorded)
		}
		data, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		added := strings.TrimPrefix(string(data), row(20)+row(21))
		if strings.Count(added, "\n") != test.recorded || strings.Count(added, `"date":"2026-03-01T12:00:00Z"`) != test.recorded {
			t.Errorf("%s: the record gets\n%swant %d answers, none before the last date", test.name, added, test.recorded)
		}
	}
}

// TestMessages shows the messages without a record, about answers from which nothing is learned, and about a service
// that cannot be asked.
func TestMessages(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refusing.Close()
	address, err := url.Parse(refusing.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		service *url.URL
		want    string // after the line about what is going to be asked
	}{
		{newService(t), "boxrules: without --record the answers are not saved\n" +
			"boxrules: cube in board 9 x 2 x 3: nothing can be learned from 404\n" +
			"boxrules: 2 questions were asked\nboxrules: nothing can be learned from 404: 1 row, first seen in row 2\n"},
		{address, "boxrules: without --record the answers are not saved\nboxrules: after 0 questions: " + refusing.URL +
			"/v1/oauth2/token: the service rejects BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET (401)\n"},
	} {
		var said bytes.Buffer
		c := &console.Console{Err: &said, Getenv: func(string) string { return "x" }, Now: time.Now,
			Sleep: func(context.Context, time.Duration) error { return nil }}
		i := New(c, boxrules.DefaultRules(), Options{Service: test.service, Yes: true})
		s := &script{widths: []float64{1, 9}, errs: map[string]error{"2 9 404": learn.ErrUnknownCode}}
		_ = i.Run(nil, s)
		if _, got, _ := strings.Cut(said.String(), "\n"); got != test.want {
			t.Errorf("it says\n%swant\n%s", got, test.want)
		}
	}
}

// TestAdvice: the advice after answers that cannot be used depends on what they were.
func TestAdvice(t *testing.T) {
	for kind, want := range map[string]string{
		"VALIDATION_ERROR": "--query type=pdf", "200 without a dieline": "sends no dieline", "401": "BOXRULES_CLIENT_SECRET",
		"403": "BOXRULES_CLIENT_SECRET", "404": "no /v1/reseller/dieline there", "503": "wait", answers.NoAnswer: "wait",
		"QTT_1114": "that the service makes these products", "418": "that the service makes these products",
	} {
		if got := adviceFor(kind); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
