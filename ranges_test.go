package boxrules_test

import (
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

func byAxis(r boxrules.Ranges) [exact.Axes][]boxrules.Range {
	return [exact.Axes][]boxrules.Range{r.Width, r.Depth, r.Height}
}

// TestRangesBruteForce walks along each dimension in halves and compares what Check says with Ranges.
func TestRangesBruteForce(t *testing.T) {
	forProfiles(t, func(t *testing.T, p *boxrules.Profile) {
		r := randomFor(p)
		low, high := p.Exact().Low, p.Exact().High
		for range *insightBoxes {
			b := drawBox(r, low, high)
			ranges, err := p.Ranges(dimsAt(b))
			if err != nil {
				t.Fatal(err)
			}
			for axis, list := range byAxis(ranges) {
				wrong := func(format string, args ...any) {
					t.Helper()
					t.Fatalf("Ranges(%+v): %s %+v, "+format, append([]any{dimsAt(b), axisNames[axis], list}, args...)...)
				}
				for i, interval := range list {
					from, to := exact.Grid(interval.Min), exact.Grid(interval.Max)
					if from > to || i > 0 && exact.Grid(list[i-1].Max) >= from-1 ||
						exact.Units(from) != interval.Min || exact.Units(to) != interval.Max {
						wrong("want ascending intervals on the grid")
					}
					for x, want := range map[int64]boxrules.Code{from: "", to: "", from - 1: interval.MinCode, to + 1: interval.MaxCode} {
						if got := codeAt(t, p, moved(b, axis, x)); got != want || got == "" && x != from && x != to {
							wrong("but Check at %v = %q, want %q", exact.Units(x), got, want)
						}
					}
				}
				for x := int64(-2000); x <= high[axis]+20_000; x += 500 {
					within := slices.ContainsFunc(list, func(r boxrules.Range) bool { return exact.Units(x) >= r.Min && exact.Units(x) <= r.Max })
					if got := codeAt(t, p, moved(b, axis, x)); (got == "") != within {
						wrong("but Check at %v = %q", exact.Units(x), got)
					}
				}
			}
		}
	})
}

// TestRangesAtTheEnds has rules that turn at the last dimensions that are accepted, and beyond them.
func TestRangesAtTheEnds(t *testing.T) {
	const ends = `boundary:
  - {code: END_0001, when: width >= 1000000, message: m}
  - {code: END_0002, when: width <= -1000000, message: m}
  - {code: END_0003, when: depth > 1500000 or depth < -1500000, message: m}
  - {code: END_0004, when: height > 999999.999, message: m}
  - {code: END_0005, when: height < -999999.999, message: m}
`
	p := profileOf(t, engineOf(t, ends, articleOf("a", "min: 1, max: 9", "")), "a")
	ranges, err := p.Ranges(boxrules.Dims{Width: 1, Depth: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	for axis, want := range []boxrules.Range{
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0002", MaxCode: "END_0001"},
		{Min: -1_000_000, Max: 1_000_000},
		{Min: -999_999.999, Max: 999_999.999, MinCode: "END_0005", MaxCode: "END_0004"},
	} {
		if got := byAxis(ranges)[axis]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", axisNames[axis], got, want)
		}
	}
}
