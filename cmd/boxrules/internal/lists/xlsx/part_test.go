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

// textPart returns a part with the text, of a workbook that may have n elements.
func textPart(text string, n int) *part {
	p := &part{book: &book{remainingElements: n, remainingBytes: 1 << 20}, source: strings.NewReader(text)}
	p.decoder = xml.NewDecoder(p)
	return p
}

// TestNesting compares which files are read to their end with the check that encoding/xml makes in
// Decoder.Token.
func TestNesting(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 11))
	tags := []string{"<a>", "</a>", "<a>", "</a>", "<b>", "</b>", "<x:a>", "</x:a>", "<a/>", "x", "<!-- no -->", `<c q="1" xmlns:x="u">`, "</c>"}
	read := 0
	for range lab.Draws(3_000, 300_000) {
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
		p := textPart(text, 100)
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

// TestElements: elements and attributes are counted, be they read or passed over.
func TestElements(t *testing.T) {
	for _, test := range []struct {
		file string
		many int // elements and attributes it has
	}{
		{"<a><b/><c>1</c></a>", 3}, {"<row>" + strings.Repeat("<c/>", 100) + "</row>", 101}, {strings.Repeat("<x/>", 50), 50},
		{`<a b="" c=""/>`, 3},
	} {
		for allowed, want := range map[int]error{test.many: nil, test.many - 1: errTooManyElements} {
			p := textPart(test.file, allowed)
			for range p.tags("") {
				t.Error("a tag is yielded")
			}
			if !errors.Is(p.book.err, want) {
				t.Errorf("%s with %d remainingElements: %v", test.file[:min(20, len(test.file))], allowed, p.book.err)
			}
		}
	}
}

// TestShown: the text of all rows is bounded, because cells that share a text repeat it.
func TestShown(t *testing.T) {
	for before, want := range map[int]error{maxCSV - len("four"): nil, maxCSV - len("four") + 1: errSheetTooLarge} {
		p := textPart(`<sheetData><row><c t="str"><v>four</v></c></row></sheetData>`, 100)
		p.book.formats = []cellFormat{number}
		if _, err := io.ReadAll(&Sheet{book: p.book, part: p, csvBytes: before}); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// TestNumbers compares what numbers of any length show with what follows from their 15 digits.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 12))
	s := &Sheet{book: &book{formats: []cellFormat{number}}, part: &part{book: &book{}}}
	for range lab.Draws(3_000, 300_000) {
		text := strconv.FormatFloat((r.Float64()-0.5)*float64(r.Uint64N(1<<r.IntN(60)+1)), "feg"[r.IntN(3)], r.IntN(18)-1, 64)
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		value, _ = strconv.ParseFloat(strconv.FormatFloat(value, 'g', 15, 64), 64)
		got := s.cellText(cell{kind: "n", style: "0"}, text)
		if want := strconv.FormatFloat(value, 'f', -1, 64); got != want {
			t.Fatalf("%s is %s, want %s", text, got, want)
		}
	}
}
