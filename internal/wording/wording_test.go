package wording_test

import (
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules/internal/wording"
)

func TestMeant(t *testing.T) {
	accepted := []string{"min", "max", "width", "height", "glue_flap", "sheet_width", strings.Repeat("yxw", 20)}
	for name, want := range map[string]string{
		"mni": "min", "mix": "min", "Max": "max", "whdth": "width", "wdith": "width", "widt": "width", "wwidth": "width",
		"heigth": "height", "glue-flap": "glue_flap", "gleuflap": "glue_flap", "sheetwdth": "sheet_width",
		"heigghtt": "height", "“width”": "width", "„wdith“": "width", "glueflp": "glue_flap",
		"m": "", "mi": "", "code": "", "widdddth": "", "": "", "length": "", strings.Repeat("xyz", 20): "",
	} {
		if want != "" {
			want = " (did you mean \"" + want + "\"?)"
		}
		if got := wording.Meant(name, accepted); got != want {
			t.Errorf("Meant(%q) = %q, want %q", name, got, want)
		}
	}
	if got := wording.Accepted("glueflap", accepted); got != strings.Join(accepted, ", ")+` (did you mean "glue_flap"?)` {
		t.Errorf("Accepted = %q", got)
	}
}

// TestCut: what is cut is quoted.
func TestCut(t *testing.T) {
	forty := strings.Repeat("x", 40)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"x", "x"},
		{forty, forty},
		{forty + "y", forty + "…"},
		{forty + forty, forty + "…"},
		{strings.Repeat("ä", 40), strings.Repeat("ä", 40)},
		{strings.Repeat("ä", 41), strings.Repeat("ä", 40) + "…"},
		{"\xff" + forty, "\xff" + forty[1:] + "…"},
		{"a\tb", "a\tb"},
	} {
		if got := wording.Cut(test.text); got != test.want {
			t.Errorf("Cut(%q) = %q, want %q", test.text, got, test.want)
		}
		if got, want := wording.Quote(test.text), strconv.Quote(test.want); got != want {
			t.Errorf("Quote(%q) = %s, want %s", test.text, got, want)
		}
	}
}
