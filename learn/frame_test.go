package learn_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// TestFrameSheets: materials that name a sheet share it, and one that names none has its own,
// whatever the others are called.
func TestFrameSheets(t *testing.T) {
	long := strings.Repeat("x", 64)
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nmaterials:\n")
	// Of each the material, its sheet, and those that share it.
	materials := [][2]string{
		{"board", ""}, {"card", "board"}, {"felt", "board"}, {"sheet-1", ""}, {"cork", "sheet-1"}, {long, ""}, {"foil", long}, {"sheet-2", ""},
	}
	var codes []string
	for _, m := range materials {
		sheet := ""
		if m[1] != "" {
			sheet = ", sheet: " + m[1]
		}
		fmt.Fprintf(&b, "  %s: {caliper: 1, glue_flap: 0%s}\n", m[0], sheet)
		codes = append(codes, m[0])
	}
	b.WriteString("articles:\n  a: {blank: {width: width, height: depth}}\n")
	frame := frameOf(t, b.String())
	l := learnerOf(t, frame, options())
	for i, code := range codes {
		d := boxrules.Dims{Width: float64(100 + i), Depth: 50, Height: 20}
		if err := l.Add(learn.Answer{Box: boxrules.Box{Article: "a", Material: code, Dims: d}}); err != nil {
			t.Fatal(err)
		}
	}
	var written bytes.Buffer
	if err := l.WriteLimits(&written, false); err != nil {
		t.Fatal(err)
	}
	c, err := limits.Load("learned.yaml", written.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, written.String())
	}
	sheets := make(map[string]limits.Sheet)
	for _, m := range c.Materials() {
		sheets[m.Code] = m.Sheet
	}
	for i, code := range codes {
		last := i // that shares the sheet
		for j, other := range codes {
			shares := i == j || materials[i][1] != "" && materials[i][1] == materials[j][1]
			if shares != (sheets[code].Code == sheets[other].Code) {
				t.Errorf("%s and %s share a sheet: %v, want %v", code, other, !shares, shares)
			}
			if shares {
				last = max(last, j)
			}
		}
		if want := fmt.Sprint(100 + last); sheets[code].Width.String() != want {
			t.Errorf("%s has a sheet of %s, want %s", code, sheets[code].Width, want)
		}
		if named := materials[i][1]; named != "" && sheets[code].Code != named {
			t.Errorf("%s has the sheet %q, want %q", code, sheets[code].Code, named)
		}
	}
	if n := len(c.Sheets()); n != 7 {
		t.Errorf("%d sheets, want 7", n)
	}
}

// TestWriteDecimals: the limits have the decimals of the frame, if it says so.
func TestWriteDecimals(t *testing.T) {
	for said, want := range map[string]int{"": 3, "decimals: 0\n": 0, "decimals: 2\n": 2, "decimals: 3\n": 3} {
		frame := frameOf(t, strings.Replace(lineFrame, "  plain: {}\n", "", 1)+said)
		l := learnerOf(t, frame, learn.Options{Step: 0.5, Max: 300})
		b := l.Next(1)[0]
		b.Width = 20
		if err := l.Add(learn.Answer{Box: b, Code: boxrules.BOX_2100}); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := l.WriteLimits(&text, true); err != nil {
			t.Fatal(err)
		}
		c, err := limits.Load("learned.yaml", text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if c.Decimals() != want || !strings.Contains(text.String(), "\n"+said+"\nsheets:") || c.Articles()[0].Width.Min.String() != "20.5" {
			t.Errorf("%q: %d decimals, %v\n%s", said, c.Decimals(), c.Articles()[0].Width, text.String())
		}
		b.Width, b.Height = 20, 1e9
		var input *boxrules.InputError
		if err := l.Add(learn.Answer{Box: b}); !errors.As(err, &input) || input.Field != "height" {
			t.Errorf("an answer about %+v: %v", b, err)
		}
	}
}

// TestFrameWithout: for an article without a blank, everything is learned except its size, and every
// sheet is possible.
func TestFrameWithout(t *testing.T) {
	t.Parallel()
	c := tuckEnd(func(a *limits.Article, m *limits.Material) { a.Blank = nil })
	e, l := engineOf(t, c), learnerOf(t, c, options())
	interview(t, l, e)
	for _, f := range l.Facts() {
		want := learn.Decided
		if f.What == "sheet" || f.State == learn.Unobservable {
			want = learn.Unobservable
		} else if f.What == "size" {
			want = learn.NotLearned
		}
		if f.State != want {
			t.Errorf("%+v, want %s", f, want)
		}
	}
	made, err := l.Catalogue(true)
	if err != nil {
		t.Fatal(err)
	}
	if s := made.Sheets()[0]; s.Width.Rat().Cmp(big.NewRat(exact.MaxDimension, 1)) != 0 || s.Height != s.Width {
		t.Errorf("the sheet is %v", s)
	}
	if text := contents(made); !strings.Contains(text, `{20 400} {15 250} {30 450} ["BOX_3100"]`) {
		t.Errorf("learned\n%s", text)
	}
	if _, err := l.Catalogue(false); err == nil {
		t.Error("strict limits of an article whose blank is not known")
	}
}

// TestFrameHuge: blanks that are longer than any sheet are in order too, where an int has 32 bits
// as well.
func TestFrameHuge(t *testing.T) {
	text := strings.Replace(lineFrame, "{width: width,", "{width: 4*width,", 1)
	frame := frameOf(t, text)
	l := learnerOf(t, frame, learn.Options{Step: 1, Max: 1_000_000})
	for i, answer := range []string{"case board 1000000x10x10 BOX_4100", "case board 400000x20x10 BOX_4100", "case board 100x30x10 BOX_4100"} {
		if err := add(t, l, i+1, answer, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	i := slices.IndexFunc(l.Facts(), func(f learn.Fact) bool { return f.What == "sheet" })
	if got, want := l.Facts()[i].Exceeds, [][2]float64{{400, 30}}; !slices.Equal(got, want) {
		t.Errorf("it exceeds %v, want %v", got, want)
	}
	// No sheet is that long.
	var c *learn.Contradiction
	if err := add(t, l, 4, "case board 1000000x10x10 ok", time.Time{}); !errors.As(err, &c) || c.Note != "no sheet is that large" {
		t.Errorf("Add = %v", err)
	}
}
