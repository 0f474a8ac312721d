package test

import (
	"slices"
	"testing"
)

// TestExtended says that a code in addition to the documented ones has the message of its rule, or the caller's
// message if there is one. The documented codes keep their messages.
func TestExtended(t *testing.T) {
	engine := engineOf(t, `
version: 1
extends: documented
constraint: [{code: SHOP_0001, when: height > 3 * width, message: too tall for our gluer}]
`, `
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 10, sheet: s}}
articles:
  a: {width: {min: 5, max: 100}, depth: {min: 5, max: 100}, height: {min: 5, max: 200}, constraints: [SHOP_0001, BOX_3100]}
`)
	m := run(t, engine, `
const said = (width, depth, height, messages) =>
  exports.profile("a", "m", messages).validate({ width, depth, height }).issues.map((i) => i.code + " " + i.message);
const own = (width, depth, height) => said(width, depth, height, { SHOP_0001: "Too tall for our gluer, with {value} {unit}." });
const theirs = (width, depth, height) => said(width, depth, height);`)
	for _, test := range []struct {
		width, depth, height float64
		own, theirs          []string
	}{
		{10, 10, 31, []string{"SHOP_0001 Too tall for our gluer, with 31 mm."}, []string{"SHOP_0001 too tall for our gluer"}},
		{10, 11, 31, []string{"BOX_3100 Width must be at least 11 mm.", "SHOP_0001 Too tall for our gluer, with 10 mm."},
			[]string{"BOX_3100 Width must be at least 11 mm.", "SHOP_0001 too tall for our gluer"}},
		{430, 5, 6, []string{"BOX_2101 Width must be at most 100 mm."}, []string{"BOX_2101 Width must be at most 100 mm."}},
	} {
		for name, want := range map[string][]string{"own": test.own, "theirs": test.theirs} {
			var issues func(width, depth, height float64) []string
			m.function(t, name, &issues)
			if got := issues(test.width, test.depth, test.height); !slices.Equal(got, want) {
				t.Errorf("%s messages of %+v: %q, want %q", name, test, got, want)
			}
		}
	}
}
