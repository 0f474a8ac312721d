package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
)

// FuzzAnswers reads any text as answers. For rows that are not answers, learn and audit report the same
// errors and nothing else. Otherwise the output is fit for a terminal, and audit compares as many
// answers as learn has used.
func FuzzAnswers(f *testing.F) {
	const box = `{"article":"tuck-end","material":"carton-300","width":143,"depth":50,"height":303,`
	for _, seed := range []string{
		someAnswers, answerHeader, "items,date," + answerHeader + "2,2026-03-01T00:00:00Z,tuck-end,carton-300,1,2,3,BOX_2101\n",
		answerHeader + "tuck-end,carton-300,1,2,3,QTT_1114\nx,y,1,2,3,503\nx,y,1,2,3,\x1b\n",
		box + `"ok":true,"date":"2026-03-01T00:00:00+01:00"}` + "\n" + box + `"ok":false,"code":"BOX_2101","items":1}` + "\n" +
			box + `"error":"x"}`,
		box + `"ok":true,"code":"BOX_2100"}`, box + `"code":null}`, box + `"code":503,"date":1}`,
	} {
		f.Add(seed)
	}
	frame, hidden := write(f, "frame.yaml", oneFrame), write(f, "hidden.yaml", oneHidden)
	f.Fuzz(func(t *testing.T, text string) {
		kind := lists.CSV
		if strings.HasPrefix(text, "{") {
			kind = lists.NDJSON
		}
		learned := ask(t, text, "learn", "--limits", frame, "--input", kind, "--format", "json", "-")
		audited := ask(t, text, "audit", "--limits", hidden, "--input", kind, "--format", "json", "-")
		for _, output := range []string{learned.out, learned.err, audited.out, audited.err} {
			if strings.ContainsFunc(strings.ReplaceAll(output, "\n", ""), console.Unprintable) {
				t.Fatalf("%q is not fit for a terminal; for %q", output, text)
			}
		}
		if learned.out == "" {
			if learned.status != 2 || audited.status != 2 || !strings.Contains(learned.err, "stdin") || learned.err != audited.err {
				t.Fatalf("learn %+v, audit %+v; for %q", learned, audited, text)
			}
			return
		}
		if strings.Contains(audited.err, "no answer can be compared with the limits in ") {
			if audited.status != 2 || audited.out != "" || strings.Contains(learned.out, `"rows"`) {
				t.Fatalf("learn %+v, audit %+v; for %q", learned, audited, text)
			}
			return
		}
		clashes, differing := 0, 0
		for line := range strings.Lines(learned.out) {
			var fact learn.Fact
			noError(t, json.Unmarshal([]byte(line), &fact))
			if fact.State == learn.Contradicted {
				clashes++
			}
		}
		for line := range strings.Lines(audited.out) {
			if strings.Contains(line, `"expected":`) {
				differing++
			}
		}
		if learned.status > 1 != (clashes > 0) || audited.status > 1 || audited.status == 0 && audited.out != "" {
			t.Fatalf("learn %+v, audit %+v; for %q", learned, audited, text)
		}
		if want := fmt.Sprintf(" as expected, %d not\n", differing); !strings.HasSuffix(audited.err, want) {
			t.Fatalf("audit says %q, want %q; for %q", audited.err, want, text)
		}
	})
}

// A progressWatch is a terminal that measures the heap each time that progress is shown.
type progressWatch struct {
	bytes.Buffer
	shown int
	most  uint64
}

func (w *progressWatch) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(" rows of stdin\x1b[K")) {
		w.shown++
		w.most = max(w.most, liveHeap())
	}
	return w.Buffer.Write(p)
}

// TestLearnStream: many rows are learned from in little memory, and a terminal shows how far it is.
func TestLearnStream(t *testing.T) {
	rows := lab.Draws(50_000, 250_000)
	before := liveHeap()
	in, feed := io.Pipe()
	go func() {
		b := bufio.NewWriter(feed)
		fmt.Fprint(b, answerHeader)
		for i := range rows {
			fmt.Fprintf(b, "tuck-end,carton-300,%d.%d,%d,%d,ok\n", 200+i%97, i%10, 20+i%83, 40+i%101)
		}
		_ = feed.CloseWithError(b.Flush())
	}()
	var watch progressWatch
	c := &console.Console{In: in, Out: io.Discard, Err: &watch, ErrIsTerminal: true, Getenv: func(string) string { return "" }}
	status := run([]string{"learn", "--limits", write(t, "frame.yaml", oneFrame), "--input", "csv", "-"}, c)
	if grown := int64(watch.most) - int64(before); status != 1 || watch.shown != rows/50_000 || grown > 2<<20 {
		t.Errorf("status %d, progress %d times, the heap has grown by %d bytes; %q", status, watch.shown, grown, watch.String())
	}
	if !strings.Contains(watch.String(), fmt.Sprintf("\r\x1b[K%d rows: 30 facts", rows)) {
		t.Errorf("it says %q", watch.String())
	}
}
