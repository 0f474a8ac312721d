package charset_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
)

// wide is the text in UTF-16.
func wide(text string, big bool) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		low, high := byte(unit), byte(unit>>8)
		if big {
			low, high = high, low
		}
		b = append(b, low, high)
	}
	return string(b)
}

func TestOpen(t *testing.T) {
	const umlauts = "article;Größe\nfür 👍;€\n"
	for _, test := range []struct{ text, encoding, want, told, mark, note string }{
		{"", "", "", charset.UTF8OrWindows1252, "", ""},
		{"a", "", "a", charset.UTF8OrWindows1252, "", ""},
		{"a,b\n1,2\n", "", "a,b\n1,2\n", charset.UTF8OrWindows1252, "", ""},
		{umlauts, "", umlauts, charset.UTF8OrWindows1252, "", ""},
		{umlauts, charset.UTF8, umlauts, charset.UTF8, "", ""},
		{"\ufeff" + umlauts, "", umlauts, charset.UTF8, "\ufeff", ""},
		{"\ufeff", "", "", charset.UTF8, "\ufeff", ""},
		{"\ufeff\ufeffa", "", "\ufeffa", charset.UTF8, "\ufeff", ""},
		{"\xff\xfe" + wide(umlauts, false), "", umlauts, charset.UTF16LE, "\ufeff", ""},
		{"\xfe\xff" + wide(umlauts, true), "", umlauts, charset.UTF16BE, "\ufeff", ""},
		{"\xff\xfe", "", "", charset.UTF16LE, "\ufeff", ""},
		{wide(umlauts, false), "", umlauts, charset.UTF16LE, "", "reading the text as utf-16le; if that is wrong, give the encoding with --encoding"},
		{wide(umlauts, true), "", umlauts, charset.UTF16BE, "", "reading the text as utf-16be; if that is wrong, give the encoding with --encoding"},
		{wide("жя", false), charset.UTF16LE, "жя", charset.UTF16LE, "", ""},
		{wide("жя", true), charset.UTF16BE, "жя", charset.UTF16BE, "", ""},
		{"a,b\nf\xfcr,\x80\n", "", "a,b\nf\xfcr,\x80\n", charset.UTF8OrWindows1252, "", ""},
		{"\xfcber", charset.UTF8, "\xfcber", charset.UTF8, "", ""},
		{umlauts, charset.Windows1252, umlauts, charset.Windows1252, "", ""},
		{"\ufeffa", charset.Windows1252, "a", charset.UTF8, "\ufeff", ""},
		{"\xff\xfea\x00", charset.UTF16BE, "a", charset.UTF16LE, "\ufeff", ""},
		{"\x00\x00a", "", "\x00\x00a", charset.UTF8OrWindows1252, "", ""},
	} {
		for _, source := range []io.Reader{
			strings.NewReader(test.text), iotest.DataErrReader(strings.NewReader(test.text)),
			iotest.OneByteReader(strings.NewReader(test.text)), iotest.HalfReader(strings.NewReader(test.text)),
		} {
			opened, err := charset.Open(source, test.encoding)
			if err != nil {
				t.Errorf("Open(%q, %q): %v", test.text, test.encoding, err)
				continue
			}
			if opened.Encoding != test.told || opened.Note != test.note {
				t.Errorf("Open(%q, %q) = %s, %q, want %s, %q", test.text, test.encoding, opened.Encoding, opened.Note, test.told, test.note)
			}
			got, err := io.ReadAll(opened.Reader)
			if string(got) != test.want || err != nil || opened.BOM != test.mark {
				t.Errorf("Open(%q, %q) reads %q, %v, %+v, want %q", test.text, test.encoding, got, err, opened, test.want)
			}
		}
	}
}

func TestOpenErrors(t *testing.T) {
	broken := errors.New("broken")
	if _, err := charset.Open(iotest.ErrReader(broken), ""); err != broken {
		t.Errorf("a reader that fails: %v", err)
	}
	for _, text := range []string{"abc", "\xff\xfea\x00"} {
		once := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		for _, source := range []io.Reader{once, &together{text, broken}} {
			opened, err := charset.Open(source, "")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(opened.Reader); err != broken || len(got) == 0 {
				t.Errorf("%q, then an error: %q, %v", text, got, err)
			}
		}
	}
}

// together gives its error with its text, and then forgets it.
type together struct {
	text string
	err  error
}

func (r *together) Read(p []byte) (int, error) {
	n, err := copy(p, r.text), r.err
	r.text, r.err = "", io.EOF
	return n, err
}

// TestMalformed: what is no UTF-16 does not take its neighbours with it.
func TestMalformed(t *testing.T) {
	long := strings.Repeat("🙂a", 10_000)
	for text, want := range map[string]string{
		"\xff\xfea":                             "\ufffd",
		"\xff\xfea\x00b":                        "a\ufffd",
		"a\x00\x3d\xd8":                         "a\ufffd",
		"a\x00\x3d\xd8b\x00c\x00":               "a\ufffdbc",
		"a\x00\x4d\xdcb\x00c\x00":               "a\ufffdbc",
		"\xfe\xff\x00a\xdc\x4d\x00b":            "a\ufffdb",
		"\xff\xfe" + wide(long, false) + "\x3d": long + "\ufffd",
	} {
		whole := strings.NewReader(text)
		for _, source := range []io.Reader{whole, iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			opened, err := charset.Open(source, "")
			if err != nil {
				t.Fatalf("Open(%.20q): %v", text, err)
			}
			if got, err := io.ReadAll(opened.Reader); string(got) != want || err != nil {
				t.Errorf("Open(%.20q) reads %.20q, %v, want %.20q", text, got, err, want)
			}
		}
	}
}

// TestTyped: what was typed is there before more is.
func TestTyped(t *testing.T) {
	for _, encoding := range []string{"", charset.UTF16LE} {
		out, in := io.Pipe()
		typed := func(text string) string {
			if encoding != "" {
				return wide(text, false)
			}
			return text
		}
		turn := make(chan bool)
		go func() {
			for _, line := range []string{"w\n", "1\n", "22,3\n"} {
				io.WriteString(in, typed(line))
				<-turn
			}
			in.Close()
		}()
		opened, err := charset.Open(out, encoding)
		if err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 100)
		for _, want := range []string{"w\n", "1\n", "22,3\n"} {
			if n, err := opened.Reader.Read(buffer); string(buffer[:n]) != want || err != nil {
				t.Errorf("read %q, %v, want %q", buffer[:n], err, want)
			}
			turn <- true
		}
	}
}

func TestDecode(t *testing.T) {
	text := charset.Text{Encoding: charset.Windows1252}
	// The code points of 0x80 to 0x9f by unicode.org's table, which has none for five of them.
	want := []rune{0x20ac, 0xfffd, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0xfffd, 0x17d, 0xfffd,
		0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0xfffd, 0x17e, 0x178}
	for c := range 256 {
		r := rune(c)
		if 0x80 <= c && c <= 0x9f {
			r = want[c-0x80]
		}
		if got := text.Decode([]byte{byte(c)}); got != string(r) {
			t.Errorf("Decode(%#x) = %q, want %q", c, got, r)
		}
	}
	text.Encoding = charset.UTF8
	either := &charset.Text{Encoding: charset.UTF8OrWindows1252}
	for part, want := range map[string]string{"für": "für", "f\xfcr\x80": "für€", "für\xfc": "fÃ¼rü", "": ""} {
		if got := either.Decode([]byte(part)); got != want || either.IsWindows1252([]byte(part)) != (got != part) {
			t.Errorf("Decode(%q) = %q, want %q", part, got, want)
		}
	}
	if got := text.Decode([]byte("für\xfc")); got != "für\xfc" {
		t.Errorf("Decode in UTF-8 = %q", got)
	}
}

// FuzzOpen: the standard library decodes the same, and how the bytes come makes no difference.
func FuzzOpen(f *testing.F) {
	for _, text := range []string{
		"a,b", "\ufeffa", "\xff\xfea\x00", "\xfe\xff\x00a\xd8\x3d", "\xff\xfe\xfe\xff", "\x3d\xd8\x4d\xdc", "\xfc", "\xef\xbb",
	} {
		f.Add(text, uint8(0))
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, name uint8) {
		encoding := append(charset.Encodings, "")[int(name)%(len(charset.Encodings)+1)]
		opened, err := charset.Open(strings.NewReader(text), encoding)
		if err != nil {
			return
		}
		got, err := io.ReadAll(opened.Reader)
		if !strings.HasPrefix(opened.Encoding, "utf-16") {
			if opened.BOM+string(got) != text || err != nil {
				t.Fatalf("%q reads %q, %v", text, got, err)
			}
			return
		}
		slow, _ := charset.Open(iotest.OneByteReader(strings.NewReader(text)), encoding)
		again, sameErr := io.ReadAll(slow.Reader)
		if !bytes.Equal(got, again) || err != nil || sameErr != nil {
			t.Fatalf("%q reads %q, %v, and byte by byte %q, %v", text, got, err, again, sameErr)
		}
		bare, marked := strings.CutPrefix(text, "\xff\xfe") // and what may look like another mark is text
		if !marked {
			bare = strings.TrimPrefix(text, "\xfe\xff")
		}
		var units []uint16
		for i := 0; i+1 < len(bare); i += 2 {
			low, high := bare[i], bare[i+1]
			if opened.Encoding == charset.UTF16BE {
				low, high = high, low
			}
			units = append(units, uint16(high)<<8|uint16(low))
		}
		want := string(utf16.Decode(units))
		if len(bare)%2 == 1 {
			want += "\ufffd"
		}
		if halves := regexp.MustCompile("\ufffd+"); halves.ReplaceAllString(string(got), "?") != halves.ReplaceAllString(want, "?") {
			t.Fatalf("%q reads %q, want %q", text, got, want)
		}
	})
}

// TestEncode: Encode is what Decode undoes, and nothing else gets through.
func TestEncode(t *testing.T) {
	var all []byte
	for i := range 256 {
		if c := byte(i); !bytes.Contains([]byte("\x81\x8d\x8f\x90\x9d"), []byte{c}) {
			all = append(all, c)
		}
	}
	for _, encoding := range []string{charset.UTF8, charset.Windows1252, charset.UTF8OrWindows1252} {
		text := &charset.Text{Encoding: encoding}
		if got := text.Encode(text.Decode(all), all); got != string(all) {
			t.Errorf("%s: %q", encoding, got)
		}
	}
	if got := (&charset.Text{Encoding: charset.Windows1252}).Encode("a\u0100…é\U0001f4e6\u0080", nil); got != "a?\x85\xe9??" {
		t.Errorf("%q", got)
	}
}
