package console

import (
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"Größe 48 × 50, 日本", "Größe 48 × 50, 日本"},
		{"\x1b[31mred", `\x1b[31mred`},
		{"tab\there\r\n", `tab\there\r\n`},
		{"\u202eright to left", `\u202eright to left`},
		{"\u009b31m", `\u009b31m`},
		{"bytes \x9b\xff", `bytes \x9b\xff`},
		{"\ufffd", `\ufffd`},
		{"\U000e0041tag", `\U000e0041tag`},
	} {
		if got := Printable(test.text); got != test.want {
			t.Errorf("printable(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}
