package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/spelling"
)

func TestNearest(t *testing.T) {
	words := []string{"BOX_2100", "BOX_2101", "QTT_1114", "BOX_2102", "BOX_2103"}
	for _, test := range []struct {
		word  string
		want  []string
		edits int
	}{
		{"BOX_2102", []string{"BOX_2102"}, 0},
		{"OX_2102", []string{"BOX_2102"}, 1},
		{"BXO_2102", []string{"BOX_2102"}, 1},
		{"BOX_21002", []string{"BOX_2100", "BOX_2102"}, 1},
		{"BOX_2109", []string{"BOX_2100", "BOX_2101", "BOX_2102", "BOX_2103"}, 1},
		{"qtt", []string{"QTT_1114"}, 5},
		{"BOX_2102" + strings.Repeat("x", 1_000_000), []string{"BOX_2102"}, 56},
	} {
		if got, edits := spelling.Nearest(test.word, words); !slices.Equal(got, test.want) || edits != test.edits {
			t.Errorf("Nearest(%.20q) = %q, %d, want %q, %d", test.word, got, edits, test.want, test.edits)
		}
	}
	if got, _ := spelling.Nearest("BOX_2102", nil); got != nil {
		t.Errorf("Nearest of no words = %q, want none", got)
	}
}
