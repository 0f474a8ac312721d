package lists

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// TestTorn reads records as a full disk or a crash leaves them. Rows are shown by their widths, and
// errors with an exclamation mark.
func TestTorn(t *testing.T) {
	row := func(width int) string {
		return fmt.Sprintf(`{"article":"a","material":"m","width":%d,"depth":2,"height":3,"ok":true}`, width)
	}
	one, two, zeros := row(1)+"\n", row(2)+"\n", strings.Repeat("\x00", 4096)
	many := strings.Repeat("\x00", 3*MaxRow)
	noise := "\x93\xfe\n{]\x7f\nx\n"
	for _, test := range []struct{ text, rows, line, torn string }{
		{one + two, "1 2", "", ""},
		{one + row(2), "1 2", "", ""}, // whole, without its line end

		// The beginning of an answer teaches nothing, wherever it is.
		{one + row(2)[:20], "1", "2", "1 line (20 bytes)"},
		{one + row(2)[:1], "1", "2", "1 line (1 byte)"},
		{one + row(2)[:len(row(2))-1], "1", "2", "1 line (70 bytes)"},
		{row(1)[:20], "", "1", "1 line (20 bytes)"},
		{row(1)[:20] + "\n" + two, "2", "1", "1 line (20 bytes)"},
		{one + row(2)[:20] + "\n" + row(3)[:5] + "\n" + two, "1 2", "2", "2 lines (25 bytes)"},
		{one + `{"article":"Gr` + "\xc3\n" + two, "1 2", "2", "1 line (15 bytes)"},

		// Nor do zeros, but the answers around them do.
		{one + zeros, "1", "2", "1 line (4096 bytes)"},
		{one + many, "1", "2", "1 line (786432 bytes)"},
		{one + many + row(2) + "\n", "1 2", "2", "1 line (786432 bytes)"},
		{zeros, "", "1", "1 line (4096 bytes)"},
		{zeros + "\n" + two, "2", "1", "1 line (4096 bytes)"},
		{"\n" + zeros + two, "2", "2", "1 line (4096 bytes)"}, // no sign of UTF-16
		{row(1)[:1] + zeros + two, "2", "1", "1 line (4097 bytes)"},
		{"\x00" + two, "2", "1", "1 line (1 byte)"},
		{one + row(3)[:20] + zeros + "\n" + two, "1 2", "2", "1 line (4116 bytes)"},
		{one + row(3)[:20] + zeros + two + row(3), "1 2 3", "2", "1 line (4116 bytes)"},
		{one + row(2) + zeros + "\n" + row(3), "1 2 3", "2", "1 line (4096 bytes)"},
		{one + row(3)[:20] + zeros + row(4)[40:] + "\n" + two, "1 2", "2", "1 line (4147 bytes)"},
		{one + `{"article":"a","width":1` + "\x00" + `2}` + "\n" + two, "1 2", "2", "1 line (27 bytes)"},

		// Other junk is torn at the end of the file alone.
		{one + "junk", "1", "2", "1 line (4 bytes)"},
		{one + noise, "1", "2", "3 lines (6 bytes)"},
		{one + noise + "x", "1", "2", "4 lines (7 bytes)"},
		{one + noise + row(2)[:20], "1", "2", "4 lines (26 bytes)"},
		{one + noise + two, "1 ! ! ! 2", "", ""},
		{one + "junk\n", "1 !", "", ""},
		{one + "junk\n" + two, "1 ! 2", "", ""},
		{one + "a,m,2,2,3,ok\na,m,3,2,3,ok\n", "1 ! !", "", ""},
		{one + strings.Repeat(noise, 100) + two, "1" + strings.Repeat(" !", maxJunk) + " 2", "", ""},

		// A file without answers is no record, and an answer with a mistake is no junk.
		{"\xff\xd8\xff\xe0 a photo", "!", "", ""},
		{"\xff\xd8\xff\xe0\x00\x10JFIF", "! !", "", ""},
		{"junk", "!", "", ""},
		{`{"article":"a",]`, "!", "", ""},
		{one + `{"article":"a"}`, "1 !", "", ""},
		{one + `{"article":"a",]` + "\n", "1 !", "", ""},
	} {
		name := filepath.Join(t.TempDir(), "a.ndjson")
		if err := os.WriteFile(name, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		var rows []string
		err := Input{Name: name, Kind: NDJSON, Answers: true}.Each(&console.Console{Err: said}, func(r *Row) error {
			shown := fmt.Sprint(r.Dimensions[0])
			if r.Problem() != nil {
				shown = "!"
			}
			rows = append(rows, shown)
			if r.Number != len(rows) {
				t.Errorf("%.200q: row %d has the number %d", test.text, len(rows), r.Number)
			}
			return nil
		})
		want := ""
		if test.torn != "" {
			want = "boxrules: " + name + ":" + test.line + ": skipped " + test.torn + " that a full disk or a crash cut short\n"
		}
		if got := strings.Join(rows, " "); err != nil || got != test.rows || said.String() != want {
			t.Errorf("%.200q has the rows %s, %v, want %s, and says\n%swant\n%s", test.text, got, err, test.rows, said, want)
		}
	}
}
