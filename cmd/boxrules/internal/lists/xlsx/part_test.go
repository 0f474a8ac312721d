package xlsx

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab"
)

// textPart returns a part with the text.
func textPart(text string) *part {
	p := &part{book: &book{left: 1 << 20}, source: strings.NewReader(text)}
	p.decoder = xml.NewDecoder(p)
	return p
}

// TestNesting compares which files are read to their end with the check that encoding/xml makes in
// Decoder.Token.
func TestNesting(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 11))
	tags := []string{"<a>", "</a>", "<a>", "</a>", "<b>", "</b>", "<x:a>", "</x:a>", "<a/>", "x", "<!-- no -->", `<c q="1" xmlns:x="u">`, "</c>"}
	read := 0
	for range lab.Draws(10_000, 1_000_000) {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(tags[r.IntN(len(tags))])
		}
		text := b.String()
		d := xml.NewDecoder(strings.NewReader(text))
		var want error
		for want == nil {
			_, want = d.Token()
		}
		p := textPart(text)
		for range p.tags("") {
			t.Error("a tag is yielded")
		}
		if (p.book.err == nil) != errors.Is(want, io.EOF) {
			t.Fatalf("%s: %v, want %v", text, p.book.err, want)
		}
		if p.book.err == nil {
			read++
		}
	}
	if read < 500 {
		t.Errorf("only %d files are read to their end", read)
	}
}

// TestNumbers compares what numbers of any length show with what follows from their 15 digits.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 12))
	s := &Sheet{book: &book{formats: []format{number}}, part: &part{book: &book{}}}
	for range lab.Draws(10_000, 1_000_000) {
		text := strconv.FormatFloat((r.Float64()-0.5)*float64(r.Uint64N(1<<r.IntN(60)+1)), "feg"[r.IntN(3)], r.IntN(18)-1, 64)
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', 15, 64), 64)
		got := s.show(cell{kind: "n", style: "0"}, text)
		if want := strconv.FormatFloat(value, 'f', -1, 64); got != want {
			t.Fatalf("%s is %s, want %s", text, got, want)
		}
	}
}
