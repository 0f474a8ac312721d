package wording_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules/internal/wording"
)

// didYouMean returns the end of a message that suggests the word, or "" for no word.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return " (did you mean \"" + word + "\"?)"
}

func TestDidYouMeanSuggestsTheWordThatWasMisspelt(t *testing.T) {
	accepted := []string{"min", "max", "width", "height", "glue_flap", "sheet_width", strings.Repeat("yxw", 20)}
	for word, want := range map[string]string{
		"mni": "min", "mix": "min", "Max": "max", "whdth": "width", "wdith": "width", "widt": "width", "wwidth": "width",
		"heigth": "height", "glue-flap": "glue_flap", "gleuflap": "glue_flap", "sheetwdth": "sheet_width",
		"heigghtt": "height", "“width”": "width", "„wdith“": "width", "glueflp": "glue_flap",
		"m": "", "mi": "", "code": "", "widdddth": "", "": "", "length": "", strings.Repeat("xyz", 20): "",
	} {
		if got := wording.DidYouMean(word, accepted); got != didYouMean(want) {
			t.Errorf("DidYouMean(%q) = %q, want %q", word, got, didYouMean(want))
		}
	}
}

// TestDidYouMeanCountsEdits: one edit is accepted for every three letters of the word, and two for six
// letters or more. Each row is one word with one candidate.
func TestDidYouMeanCountsEdits(t *testing.T) {
	for _, test := range []struct {
		word, candidate string
		similar         bool
	}{
		{"ab", "ab", true}, // no edit: as a key of another mapping is
		{"AB", "ab", true},
		{"ab", "ac", false}, // too short for an edit
		{"abc", "abd", true},
		{"abc", "ade", false}, // two edits of a short word
		{"abc", "abcd", true},
		{"abc", "abcde", false},
		{"abcde", "abc", false},
		{"abcde", "abxdy", false},

		{"abcdef", "abcd", true}, // two removed at the end
		{"abcdef", "abc", false}, // three
		{"abcdef", "abcdefgh", true},
		{"abcdef", "abcdefghi", false},
		{"abcdef", "cdef", true}, // and at the start
		{"abcdef", "def", false},
		{"cdefgh", "abcdefgh", true},
		{"defghi", "abcdefghi", false},
		{"abcdef", "xycdef", true}, // replaced
		{"abcdef", "xyzdef", false},
		{"abcdef", "badcef", true}, // two pairs exchanged
		{"abcdef", "badcfe", false},
		{"abcdef", "abdcfe", true},
		{"abcdef", "abfdec", true},
		{"abcdef", "bcdefa", true}, // one removed, one added
		{"abcdefghijkl", "xyzdefghijkl", false},

		// A rest of one letter has no neighbour to exchange.
		{"widthx", "widthyxz", true},
		{"widthyxz", "widthx", true},
		{"widthxz", "widthyx", true},
	} {
		want := ""
		if test.similar {
			want = test.candidate
		}
		if got := wording.DidYouMean(test.word, []string{test.candidate}); got != didYouMean(want) {
			t.Errorf("DidYouMean(%q, %q) = %q, want %q", test.word, test.candidate, got, didYouMean(want))
		}
	}
}

func TestDidYouMeanSuggestsTheFirstOfTheMostSimilarWords(t *testing.T) {
	for _, test := range []struct{ accepted, want string }{
		{"glue_flab glue_flap", "glue_flab"},
		{"glue_xxap glue_flap", "glue_flap"}, // two edits, one edit
		{"glue_flap glue_xxap", "glue_flap"},
		{"glue_flap GLUE_FLAK", "GLUE_FLAK"}, // one edit, none
	} {
		if got := wording.DidYouMean("glue_flak", strings.Fields(test.accepted)); got != didYouMean(test.want) {
			t.Errorf("DidYouMean(glue_flak, %s) = %q, want %q", test.accepted, got, test.want)
		}
	}
}

func TestDidYouMeanLooksAtTheFirstHundredWords(t *testing.T) {
	words := slices.Repeat([]string{"other"}, 99)
	if got := wording.DidYouMean("wdith", append(words, "width")); got != didYouMean("width") {
		t.Errorf("with the word as the 100th DidYouMean = %q", got)
	}
	if got := wording.DidYouMean("wdith", append(words, "other", "width")); got != "" {
		t.Errorf("with the word as the 101st DidYouMean = %q", got)
	}
}

func TestAcceptedListsTheWords(t *testing.T) {
	for _, test := range []struct{ word, accepted, want string }{
		{"trey", "tray", "tray"}, // nothing to choose from, so nothing to suggest
		{"trey", "tray sleeve", `tray, sleeve (did you mean "tray"?)`},
		{"box", "tray sleeve", "tray, sleeve"},
	} {
		if got := wording.Accepted(test.word, strings.Fields(test.accepted)); got != test.want {
			t.Errorf("Accepted(%s, %s) = %q, want %q", test.word, test.accepted, got, test.want)
		}
	}
}

func TestListStopsAfterSixteenWords(t *testing.T) {
	var words []string
	for i := range 20 {
		words = append(words, fmt.Sprint(i+1))
	}
	sixteen := "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16"
	for n, want := range map[int]string{0: "", 1: "1", 2: "1, 2", 16: sixteen, 17: sixteen + ", …", 20: sixteen + ", …"} {
		if got := wording.List(words[:n]); got != want {
			t.Errorf("List of %d words = %q, want %q", n, got, want)
		}
	}
	if words[16] != "17" {
		t.Errorf("List wrote %q into the words of its caller", words[16])
	}
}

func TestIsCodeTakesWhatCodeFormSays(t *testing.T) {
	letters := strings.Repeat("AZ", 16)
	for text, want := range map[string]bool{
		"BOX_3100": true, "A_0000": true, "Z_9999": true, letters + "_1234": true,
		letters + "B_1234": false, "_3100": false, "BOX_310": false, "BOX_31000": false, "BOX_": false, "BOX": false,
		"BOX3100": false, "box_3100": false, "BOx_3100": false, "BOX__3100": false, "BOX_A_3100": false, "BOX_31a0": false,
		"BOX_31 0": false, " BOX_3100": false, "BOX_3100\n": false, "B4X_3100": false, "BÖX_3100": false, "": false,
	} {
		if got := wording.IsCode(text); got != want {
			t.Errorf("IsCode(%q) = %v, want %v", text, got, want)
		}
	}
	_, example, _ := strings.Cut(wording.CodeForm, "such as ")
	if !wording.IsCode(example) {
		t.Errorf("the example of %q is not a code", wording.CodeForm)
	}
}

func TestUnitFaultAcceptsAShortWord(t *testing.T) {
	for _, unit := range []string{"mm", "in", "Zoll", "m", "AZazAZaz"} {
		if fault := wording.UnitFault(unit); fault != "" {
			t.Errorf("UnitFault(%q) = %s", unit, fault)
		}
	}
	for unit, hint := range map[string]string{"": "", "millimetr": "", "m m": "", " mm": "", "mm2": "", "µm": "",
		`"`: ` (did you mean "in"?)`, "in.": ` (did you mean "in"?)`, "millimetres": ` (did you mean "mm"?)`, "centimètre": ` (did you mean "cm"?)`} {
		want := strconv.Quote(unit) + " is not a unit; accepted: mm, cm, m, in" + hint + ", or another word of at most 8 letters"
		if fault := wording.UnitFault(unit); fault != want {
			t.Errorf("UnitFault(%q) = %q, want %q", unit, fault, want)
		}
	}
}

func TestUnitInWordsIsNoPreposition(t *testing.T) {
	for unit, want := range map[string]string{"in": "inches (in)", "mm": "mm", "m": "m", "Zoll": "Zoll"} {
		if got := wording.UnitInWords(unit); got != want {
			t.Errorf("UnitInWords(%q) = %q, want %q", unit, got, want)
		}
	}
}

func TestCutKeepsFortyCharacters(t *testing.T) {
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
