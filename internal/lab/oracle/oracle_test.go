package oracle_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// number is the decimal as written.
func number(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

// box are three numbers, "width depth height".
func box(t *testing.T, text string) (w, d, h *big.Rat) {
	t.Helper()
	sides := strings.Fields(text)
	return number(t, sides[0]), number(t, sides[1]), number(t, sides[2])
}

// floats are the dimensions as float64s.
func floats(w, d, h *big.Rat) (_, _, _ float64) {
	x, _ := w.Float64()
	y, _ := d.Float64()
	z, _ := h.Float64()
	return x, y, z
}

// onlyConstraint returns the checks in float64 of an article with one constraint. No box in the tables below fails any
// of the other checks.
func onlyConstraint(code string) *oracle.Float64 {
	wide := limits.Range{Min: "0", Max: "1000"}
	return oracle.NewFloat64(limits.Article{Code: "tray", Width: wide, Depth: wide, Height: wide, Constraints: []string{code}},
		limits.Material{Caliper: "1", GlueFlap: "0", Sheet: limits.Sheet{Width: "9999", Height: "9999"}})
}

// TestConstraint has two boxes for each comparison of each constraint. They are a thousandth apart,
// one of them is on the limit, and only the first is rejected. The verdicts were worked out by hand
// from the document's table. None of these boxes is decided differently in float64.
func TestConstraint(t *testing.T) {
	tested := make(map[string]bool)
	for _, test := range []struct{ code, holds, holdsNot string }{
		{"BOX_3100", "50 50.001 20", "50 50 20"},
		{"BOX_3101", "50 100.001 20", "50 100 20"},
		{"BOX_3102", "50 60 60.001", "50 60 60"},
		{"BOX_3102", "50 60 200", "50 59.999 200"},
		{"BOX_3103", "75 100 20", "75.001 100 20"},
		{"BOX_3104", "50 20 50.001", "50 20 50"},
		{"BOX_3105", "50 20 20.001", "50 20 20"},
		{"BOX_3106", "50 60 50.001", "50 60 50"},
		{"BOX_3106", "50 50.001 60", "50 50 60"},
		{"BOX_3107", "50 70.001 70", "50 70 70"},
		{"BOX_3107", "50 70 50.001", "50 70 50"},
		{"BOX_3108", "50 70 70.001", "50 70 70"},
		{"BOX_3108", "50 50.001 70", "50 50 70"},
		{"BOX_3109", "50.001 50 20", "50 50 20"},
		{"BOX_3110", "50 40 50.001", "50 40 50"},
		{"BOX_3110", "50 50 60", "49.999 50 60"},
		{"BOX_3111", "50 40.001 40", "50 40 40"},
		{"BOX_3112", "50 40.001 100", "50 40 100"},
		{"BOX_3113", "300 198.251 100", "300 198.25 100"},
		{"BOX_3113", "300 250 198.249", "300 250 198.25"},
		{"BOX_3113", "250.001 250 198.248", "250 250 198.248"},
		{"BOX_3114", "300 198.251 200", "300 198.25 200"},
		{"BOX_3114", "300 200 198.251", "300 200 198.25"},
		{"BOX_3114", "300 250 248.249", "300 250 248.25"},
		{"BOX_3115", "50 40 79.999", "50 40 80"},
		{"BOX_3116", "50 50 40.001", "50 50 40"},
		{"BOX_3117", "49.999 20 50", "50 20 50"},
		{"BOX_3118", "100.001 50 20", "100 50 20"},
		{"BOX_3119", "99 33.001 20", "99 33 20"},
		{"BOX_3119", "100 33.334 20", "100 33.333 20"},
		{"BOX_3120", "100 50 49.999", "100 50 50"},
		{"BOX_3121", "50 90 80.001", "50 90 80"},
		{"BOX_3121", "50 60 60.001", "50 60 60"},
		{"BOX_3121", "50 50.001 60", "50 50 60"},
		{"BOX_3121", "50 50.001 90", "50 50 90"},
		{"BOX_3121", "59.999 90 90", "60 90 90"},
		{"BOX_3122", "90 50 80.001", "90 50 80"},
		{"BOX_3122", "90 5 80", "90 4.999 80"},
		{"BOX_3122", "81 50 81", "80 50 80"},
		{"BOX_3122", "50 30 50.001", "50 30 50"},
		{"BOX_3122", "35 34 50", "34.999 34 50"},
		{"BOX_3122", "35 20 60", "34.999 20 60"},
		{"BOX_3122", "40 40 50", "40 40.001 50"},
	} {
		tested[test.code] = true
		for text, want := range map[string]bool{test.holds: true, test.holdsNot: false} {
			w, d, h := box(t, text)
			if got := oracle.Constraint(test.code, w, d, h); got != want {
				t.Errorf("%s at %s: %v, want %v", test.code, text, got, want)
			}
			if got := onlyConstraint(test.code).First(floats(w, d, h)); (got == test.code) != want {
				t.Errorf("%s at %s: in float64 %q is reported, want the code: %v", test.code, text, got, want)
			}
		}
	}
	for _, code := range oracle.Constraints {
		if !tested[code] {
			t.Errorf("%s is not in the table", code)
		}
	}
	if len(oracle.Constraints) != 23 || !slices.IsSorted(oracle.Constraints) {
		t.Errorf("constraints %v, want BOX_3100 to BOX_3122", oracle.Constraints)
	}
}

func TestNoConstraint(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Constraint knows BOX_3123")
		}
	}()
	w, d, h := box(t, "1 1 1")
	oracle.Constraint("BOX_3123", w, d, h)
}

func TestAll(t *testing.T) {
	profile := oracle.Profile{
		Unit:     "mm",
		MinWidth: big.NewRat(10, 1), MaxWidth: big.NewRat(100, 1),
		MinDepth: big.NewRat(20, 1), MaxDepth: big.NewRat(200, 1),
		MinHeight: big.NewRat(30, 1), MaxHeight: big.NewRat(300, 1),
		SheetWidth: big.NewRat(200, 1), SheetHeight: big.NewRat(150, 1),
		Constraints: map[string]bool{"BOX_3105": true, "BOX_3100": true, "BOX_3104": false},
		Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
			return new(big.Rat).Add(w, h), new(big.Rat).Add(d, h)
		},
	}
	for _, test := range []struct{ box, want string }{
		{"100 50 50", ""},
		{"10 20 30", "BOX_3100 BOX_3105"},
		{"9.999 20 30", "BOX_2100 BOX_3100 BOX_3105"},
		{"10 19.999 30", "BOX_2102 BOX_3100 BOX_3105"},
		{"20 20 29.999", "BOX_2104 BOX_3105"},
		{"9.999 19.999 29.999", "BOX_2100 BOX_2102 BOX_2104 BOX_3100 BOX_3105"},
		{"100 20 30", "BOX_3105"},
		{"100.001 20 30", "BOX_2101 BOX_3105"},
		{"100 200 300", "BOX_3100 BOX_3105 BOX_4100"},
		{"100 200.001 300", "BOX_2103 BOX_3100 BOX_3105 BOX_4100"},
		{"100 200 300.001", "BOX_2105 BOX_3100 BOX_3105 BOX_4100"},
		{"-5 0 -5", "BOX_2100 BOX_2102 BOX_2104 BOX_3100"},
		// The blank is 200 x 150, the sheet; then it is longer, or wider.
		{"100 50 100", "BOX_3105"},
		{"100 49.999 100.001", "BOX_3105 BOX_4100"},
		{"99.999 50.001 100", "BOX_3105 BOX_4100"},
		// The same, turned.
		{"50 100 100", "BOX_3100"},
		{"50.001 99.999 100", "BOX_3100 BOX_3105 BOX_4100"},
		{"50 100.001 100", "BOX_3100 BOX_4100"},
	} {
		w, d, h := box(t, test.box)
		if got := strings.Join(profile.All(w, d, h), " "); got != test.want {
			t.Errorf("All(%s) = %s, want %s", test.box, got, test.want)
		}
	}
	bare := profile
	bare.Blank, bare.Constraints = nil, nil
	w, d, h := box(t, "100 200 300.001")
	if got := strings.Join(bare.All(w, d, h), " "); got != "BOX_2105" {
		t.Errorf("without constraints and a blank All gives %s, want BOX_2105", got)
	}
}

func TestGrid(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{
		{0, "0"},
		{12, "12"},
		{12.3, "12.3"},
		{12.0004, "12"},
		{1e6, "1000000"},
		{0.0005, "0.001"},
		{0.0004999999999999999, "0"},
		{1.0005, "1.001"}, // a little less than it says, but the product is 1000.5
		{-3.1, "-3.1"},
		{-0.0005, "0"},
		{-0.0006, "-0.001"},
		{-0.0015, "-0.001"},
		{-0.00150001, "-0.002"},
	} {
		if got := oracle.Grid(test.x); got.Cmp(number(t, test.want)) != 0 {
			t.Errorf("Grid(%v) = %s, want %s", test.x, got.RatString(), test.want)
		}
	}
}

// TestBlanks has the blanks of boxes for each shape, worked out by hand for a glue flap of 15 and a caliper of 3. If
// the formula of a shape has a minimum or a maximum, there is a box for each of the two sides.
func TestBlanks(t *testing.T) {
	material := limits.Material{GlueFlap: "15", Caliper: "3"}
	for _, test := range []struct{ code, box, want string }{
		{"tuck-end", "100 60 40", "335 210"}, // flaps of 25
		{"tuck-end", "100 40 30", "295 150"}, // of 20
		{"tuck-end", "10 10 1", "55 45"},     // of 12
		{"snap-lock", "100 60 40", "335 148"},
		{"snap-lock", "10 10 1", "55 29"}, // a flap of 14
		{"auto-bottom", "100 60 40", "335 130"},
		{"gable", "100 60 40", "335 130"},
		{"slotted-case", "100 60 40", "335 100"},
		{"tray", "100 60 40", "180 140"},
		{"sleeve", "100 60 40", "335 40"},
		{"pillow-pack", "100 60 40", "160 95"},
		{"roll-over-tray", "100 60 40", "303 140"},
		{"mailer", "100 60 40", "303 262"},
		{"mailer", "10 60 1", "86 145"}, // the ears are wider than the ends
	} {
		p := oracle.New(limits.Article{Code: test.code, Constraints: []string{"BOX_3100"}}, material, oracle.Blanks[test.code])
		w, d, h := box(t, test.box)
		width, height := p.Blank(w, d, h)
		if width.RatString()+" "+height.RatString() != test.want || !p.Constraints["BOX_3100"] {
			t.Errorf("%s, %s: the blank is %s x %s, want %s", test.code, test.box, width.RatString(), height.RatString(), test.want)
		}
		x, y, z := floats(w, d, h)
		flatWidth, flatHeight := oracle.BlanksFloat64[test.code](x, y, z, 15, 3)
		if got := fmt.Sprintf("%.9g %.9g", flatWidth, flatHeight); got != test.want {
			t.Errorf("%s, %s: the blank in float64 is %s, want %s", test.code, test.box, got, test.want)
		}
	}
	for _, a := range limits.Illustrative().Articles() {
		if oracle.Blanks[a.Code] == nil || oracle.BlanksFloat64[a.Code] == nil {
			t.Errorf("%s has no blank here", a.Code)
		}
	}
}

// TestFloat64 compares Float64 with the exact oracle on boxes in whole millimetres, whose ties float64
// decides as they are.
func TestFloat64(t *testing.T) {
	catalogue := limits.Illustrative()
	reported := make(map[string]bool)
	for _, a := range catalogue.Articles() {
		for _, m := range catalogue.Materials() {
			if !slices.Contains(a.Materials, m.Code) {
				continue
			}
			exactly, inFloat64 := oracle.New(a, m, oracle.Blanks[a.Code]), oracle.NewFloat64(a, m)
			for w := int64(10); w < 800; w += int64(lab.Draws(126, 63)) {
				for d := int64(10); d < 700; d += int64(lab.Draws(98, 49)) {
					for h := int64(10); h < 600; h += 63 {
						want := ""
						if all := exactly.All(big.NewRat(w, 1), big.NewRat(d, 1), big.NewRat(h, 1)); len(all) > 0 {
							want = all[0]
						}
						if got := inFloat64.First(float64(w), float64(d), float64(h)); got != want {
							t.Fatalf("%s in %s, %d x %d x %d: %q, want %q", a.Code, m.Code, w, d, h, got, want)
						}
						reported[want] = true
					}
				}
			}
		}
	}
	if len(reported) < 25 {
		t.Errorf("%d codes are reported: %v", len(reported), reported)
	}
}

// TestFirst has the same limits and the same sheet for both oracles, and boxes that are on a limit or a thousandth beyond
// it.
func TestFirst(t *testing.T) {
	article := limits.Article{Code: "tray", Width: limits.Range{Min: "10", Max: "160"}, Depth: limits.Range{Min: "20", Max: "200"},
		Height: limits.Range{Min: "30", Max: "300"}}
	material := limits.Material{Caliper: "1", GlueFlap: "0", Sheet: limits.Sheet{Width: "200", Height: "150"}}
	for _, test := range []struct{ constraints, box, want string }{
		{"", "10 20 30", ""},
		{"", "9.999 20 30", "BOX_2100"},
		{"", "10 19.999 30", "BOX_2102"},
		{"", "10 20 29.999", "BOX_2104"},
		{"BOX_3105 BOX_3100", "160 200 300", "BOX_3100"}, // in check order
		{"BOX_3105", "160 200 300", "BOX_3105"},
		{"BOX_3105 BOX_3100", "160.001 200 300", "BOX_2101"},
		{"BOX_3105 BOX_3100", "160 200.001 300", "BOX_2103"},
		{"BOX_3105 BOX_3100", "160 200 300.001", "BOX_2105"},
		// The blank is 200 x 150, the sheet; then it is longer, or wider.
		{"", "100 50 50", ""},
		{"", "100.001 50 50", "BOX_4100"},
		{"", "100 50.001 50", "BOX_4100"},
		// The same, turned.
		{"", "50 100 50", ""},
		{"", "50.001 100 50", "BOX_4100"},
		{"", "50 100.001 50", "BOX_4100"},
	} {
		article.Constraints = strings.Fields(test.constraints)
		w, d, h := box(t, test.box)
		exactly := append(oracle.New(article, material, oracle.Blanks[article.Code]).All(w, d, h), "")[0]
		inFloat64 := oracle.NewFloat64(article, material).First(floats(w, d, h))
		if exactly != test.want || inFloat64 != test.want {
			t.Errorf("%s with %q: %q, in float64 %q, want %q", test.box, test.constraints, exactly, inFloat64, test.want)
		}
	}
}

// TestFloat64Rounds has boxes on the edge of a constraint that are decided differently in float64, because it rounds.
func TestFloat64Rounds(t *testing.T) {
	for _, test := range []struct {
		code, box string
		exactly   bool
	}{
		{"BOX_3103", "156.9 209.2 138.5", true}, // (209.2*3)/4 becomes a little less than 156.9
		{"BOX_3119", "60.3 20.1 20", false},     // a third of 60.3 becomes a little less than 20.1
	} {
		w, d, h := box(t, test.box)
		exactly, inFloat64 := oracle.Constraint(test.code, w, d, h), onlyConstraint(test.code).First(floats(w, d, h)) == test.code
		if exactly != test.exactly || inFloat64 == test.exactly {
			t.Errorf("%s at %s: %v, in float64 %v, want %v and the contrary", test.code, test.box, exactly, inFloat64, test.exactly)
		}
	}
}
