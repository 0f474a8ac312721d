package boxrules

import "testing"

// TestLengthText: a length has as few decimals as possible, but a check must read it as the same length. A length in
// the unit of the profile is given in thousandths.
func TestLengthText(t *testing.T) {
	for _, test := range []struct {
		unit, profileUnit string
		length            int64
		want              string
	}{
		{"mm", "mm", -48_500, "-48.5"},
		{"mm", "in", 11_811, "300"}, // 299.9994 mm
		{"mm", "in", 11_063, "281"},
		{"mm", "in", 11_064, "281.03"},    // 281.0256 mm; 281 and 281.0 are 11.063 in
		{"in", "mm", 300_000, "11.81102"}, // 11.811 in are 299.9994 mm, which is rounded to 299.999
		{"in", "mm", 299_999, "11.811"},
		{"in", "mm", 25_400, "1"},
		{"in", "mm", 1, "0.00004"},
		{"in", "mm", 0, "0"},
		{"in", "mm", -500, "-0.0197"}, // 0.02 in are 0.508 mm
		{"in", "mm", -25_400, "-1"},
		{"in", "mm", -300_000, "-11.81102"},
		{"m", "mm", 1, "0.000001"},
		{"m", "mm", -1_234_567, "-1.234567"},
		{"cm", "m", 7, "0.7"},
	} {
		lengths, err := newLengthText(test.unit, test.profileUnit)
		if got := lengths.text(test.length); err != nil || got != test.want {
			t.Errorf("%d thousandths of a unit, from %s to %s: %s, %v, want %s", test.length, test.profileUnit, test.unit, got, err, test.want)
		}
	}
}

// TestIntervalTexts: the ends of an interval are rounded inwards to the usual number of decimals, which are three for
// inches. A narrow interval needs more.
func TestIntervalTexts(t *testing.T) {
	for _, test := range []struct {
		unit, profileUnit string
		least, greatest   int64 // in thousandths of profileUnit
		low, high         string
	}{
		{"mm", "mm", -500, 48_500, "-0.5", "48.5"},
		{"in", "mm", 25_400, 50_800, "1", "2"},
		{"in", "mm", 25_401, 50_799, "1.001", "1.999"},
		{"in", "mm", -50_799, -25_401, "-1.999", "-1.001"},
		{"in", "mm", -50_800, -25_400, "-2", "-1"},
		// 11.062 in are 280.9748 mm, 11.063 in are 281.0002 mm, and 11.064 in are 281.0256 mm.
		{"in", "mm", 281_000, 281_010, "11.063", "11.063"},
		{"in", "mm", 281_000, 281_025, "11.063", "11.063"},
		{"in", "mm", 281_000, 281_026, "11.063", "11.064"},
		{"in", "mm", 280_990, 281_000, "11.0626", "11.0629"},
		{"in", "mm", 281_000, 281_001, "11.063", "11.063"},
		{"in", "mm", 281_001, 281_002, "11.06304", "11.06307"},
		// A single value is written as in TestLengthText.
		{"in", "mm", 300_000, 300_000, "11.81102", "11.81102"},
		{"mm", "in", 11_063, 11_063, "281", "281"},
		// 11.063 in are 0.2810002 m, and 11.1 in are 0.28194 m.
		{"m", "in", 11_063, 11_100, "0.281001", "0.28194"},
	} {
		lengths, err := newLengthText(test.unit, test.profileUnit)
		low, high := lengths.intervalTexts(test.least, test.greatest)
		if err != nil || low != test.low || high != test.high {
			t.Errorf("%d to %d thousandths of a unit, from %s to %s: %s to %s, %v, want %s to %s",
				test.least, test.greatest, test.profileUnit, test.unit, low, high, err, test.low, test.high)
		}
	}
}
