package learn_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/learn"
)

// TestAddOffGrid: an answer about dimensions that no box has tells nothing certain: the service may
// have rounded otherwise. So it teaches nothing, and contradicts nothing.
func TestAddOffGrid(t *testing.T) {
	for _, test := range []struct {
		decimals string // of the frame
		width    float64
		code     boxrules.Code
		passed   bool
	}{
		{"", 400.0004, boxrules.BOX_2101, true},
		{"", 400.0004, "", true},
		{"", 1.88977 * 25.4, boxrules.BOX_2100, true},
		{"", 400.001, boxrules.BOX_2101, false},
		{"decimals: 3\n", 400.001, boxrules.BOX_2101, false},
		{"decimals: 2\n", 400.001, boxrules.BOX_2101, true},
		{"decimals: 2\n", 400.01, boxrules.BOX_2101, false},
		{"decimals: 0\n", 400.5, boxrules.BOX_2101, true},
		{"decimals: 0\n", 401, boxrules.BOX_2101, false},
	} {
		frame := frameOf(t, lineFrame+test.decimals)
		l := learnerOf(t, frame, options())
		box := boxrules.Box{Article: "case", Material: "board", Dims: boxrules.Dims{Width: 400, Depth: 50, Height: 60}}
		if err := l.Add(learn.Answer{Box: box}); err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(facts(l))
		box.Width = test.width
		err := l.Add(learn.Answer{Box: box, Code: test.code})
		if got := errors.Is(err, learn.ErrOffGrid); got != test.passed || !got && err != nil {
			t.Errorf("%s%v answered %q: Add = %v, want it passed over: %v", test.decimals, test.width, test.code, err, test.passed)
		}
		if after := fmt.Sprint(facts(l)); test.passed != (after == before) {
			t.Errorf("%s%v answered %q: facts\n%s, before\n%s", test.decimals, test.width, test.code, after, before)
		}
	}
}
