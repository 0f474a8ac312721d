package preflight_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
)

// The article flat has the simplest blank, width x depth. The formula of narrow gives no blank for a box that is at most
// 10 wide.
const sheetLimits = `version: 1
unit: mm
sheets:
  small: {width: 100, height: 70}
materials:
  board: {caliper: 1, glue_flap: 0, sheet: small, min_sheets: 25}
  free: {caliper: 1, glue_flap: 0, sheet: small}
articles:
  flat:
    width:  {min: 0.001, max: 200}
    depth:  {min: 0.001, max: 200}
    height: {min: 0.001, max: 200}
    constraints: []
    blank: {width: width, height: depth}
  narrow:
    width:  {min: 1, max: 200}
    depth:  {min: 1, max: 200}
    height: {min: 1, max: 200}
    constraints: []
    blank: {width: width - 10, height: depth}
  unknown-blank:
    width:  {min: 1, max: 200}
    depth:  {min: 1, max: 200}
    height: {min: 1, max: 200}
    constraints: []
`

func TestUps(t *testing.T) {
	shop, own := boxrules.Default(), engineOf(t, sheetLimits)
	parts := engineOf(t, strings.Replace(sheetLimits, "{width: width, height: depth}", "{width: width / 3, height: depth / 7}", 1))
	for _, test := range []struct {
		name              string
		engine            *boxrules.Engine
		article, material string
		w, d, h, gap      float64
		want              int // 0: not ok
	}{
		// tuck-end, flaps 25: the blank is 2w+2d+15 wide and h+2d+50 high, on 1040 x 720.
		{"315 x 270", shop, "tuck-end", "carton-300", 100, 50, 120, 0, 6},                  // 3*2 and 3*2
		{"500 x 300", shop, "tuck-end", "carton-300", 192.5, 50, 150, 0, 4},                // 2*2; turned 3*1
		{"340 x 400", shop, "tuck-end", "carton-300", 100, 62.5, 225, 0, 4},                // 3*1; turned 2*2
		{"500 x 300, gap 40", shop, "tuck-end", "carton-300", 192.5, 50, 150, 40, 4},       // 2*500+40 = 1040 to the point
		{"500 x 300, gap more", shop, "tuck-end", "carton-300", 192.5, 50, 150, 40.001, 3}, // 1*2; turned 3*1
		{"500 x 300, gap less than the grid", shop, "tuck-end", "carton-300", 192.5, 50, 150, 40.0004, 4},
		{"an invalid box", shop, "tuck-end", "carton-300", 48, 141, 184, 0, 0},

		{"the sheet", own, "flat", "board", 100, 70, 1, 0, 1},
		{"a third, not a decimal", own, "flat", "board", 33.333, 70, 1, 0, 3},
		{"turned only", own, "flat", "board", 60, 10, 1, 0, 10},                  // 1*7; turned 10*1
		{"a third and a seventh", parts, "flat", "board", 100, 70, 1, 0, 21},     // 3*7 of 33.333… x 10
		{"beyond the sheet", own, "flat", "board", 100.001, 70, 1, 0, 0},         // BOX_4100
		{"the least", own, "flat", "board", 0.001, 0.001, 1, 0, 10_000 * 10_000}, // bounded in each direction
		{"no blank", own, "unknown-blank", "board", 10, 10, 10, 0, 0},
		{"a blank 20 wide", own, "narrow", "board", 30, 35, 1, 0, 10},
		{"a blank 0 wide", own, "narrow", "board", 10, 35, 1, 0, 0},
		{"a blank 0 wide, gap 5", own, "narrow", "board", 10, 35, 1, 5, 0},
		{"a blank -5 wide", own, "narrow", "board", 5, 35, 1, 0, 0},
		{"a blank -5 wide, gap 10", own, "narrow", "board", 5, 35, 1, 10, 0},
	} {
		p, err := test.engine.Profile(test.article, test.material)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := preflight.Ups(p, boxrules.Dims{Width: test.w, Depth: test.d, Height: test.h}, test.gap)
		if err != nil || got != test.want || ok != (test.want > 0) {
			t.Errorf("%s: Ups = %d, %v, %v, want %d", test.name, got, ok, err, test.want)
		}
	}
	p, err := own.Profile("flat", "board")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		width, gap float64
		field      string
	}{{1, -1, "gap"}, {1, 1000.5, "gap"}, {1e7, 0, "width"}} {
		_, ok, err := preflight.Ups(p, boxrules.Dims{Width: test.width, Depth: 1, Height: 1}, test.gap)
		var input *boxrules.InputError
		var option *boxrules.OptionError
		isInput, isOption := errors.As(err, &input) && input.Field == test.field, errors.As(err, &option) && option.Option == test.field
		if ok || isInput != (test.field == "width") || isOption != (test.field == "gap") {
			t.Errorf("Ups with width %v and gap %v: %v, %v, want an error for %s", test.width, test.gap, ok, err, test.field)
		}
	}
}

// TestUpsBrute compares Ups with a count that lays down one blank after the other until the sheet is full.
func TestUpsBrute(t *testing.T) {
	engine := engineOf(t, sheetLimits)
	p, err := engine.Profile("flat", "free")
	if err != nil {
		t.Fatal(err)
	}
	// In thousandths, all of it whole numbers.
	row := func(sheet, length, gap int64) (n int64) {
		for right := length; right <= sheet; right += length + gap {
			n++
		}
		return n
	}
	random := rand.New(rand.NewPCG(7, 8))
	turned := 0
	for range 4000 {
		// Often a divisor of the sheet, or a thousandth beside one.
		length := func(sheet, gap int64) int64 {
			if random.IntN(3) == 0 {
				return 2000 + random.Int64N(sheet)
			}
			n := 1 + random.Int64N(12)
			return max(1, (sheet+gap)/n-gap+random.Int64N(3)-1)
		}
		gap := []int64{0, 1, 500, 2000, random.Int64N(20_000)}[random.IntN(5)]
		w, d := length(100_000, gap), length(70_000, gap)
		if random.IntN(2) == 0 {
			w, d = d, w
		}
		upright, across := row(100_000, w, gap)*row(70_000, d, gap), row(100_000, d, gap)*row(70_000, w, gap)
		if across > upright {
			turned++
		}
		want := max(upright, across)
		dims := boxrules.Dims{Width: float64(w) / 1000, Depth: float64(d) / 1000, Height: 1}
		got, ok, err := preflight.Ups(p, dims, float64(gap)/1000)
		if err != nil || int64(got) != want || ok != (want > 0) {
			t.Fatalf("Ups(%v, gap %d) = %d, %v, %v, want %d", dims, gap, got, ok, err, want)
		}
	}
	if turned < 200 {
		t.Errorf("only %d of 4000 lie better turned", turned)
	}
}

func TestSheets(t *testing.T) {
	for _, test := range []struct {
		quantities []int64
		ups        int
		want       int64
	}{
		{nil, 6, 0},
		{[]int64{1}, 6, 1},
		{[]int64{6}, 6, 1},
		{[]int64{7}, 6, 2},
		{[]int64{144}, 6, 24},
		{[]int64{145}, 6, 25},
		{[]int64{1, 1, 6, 7}, 6, 5}, // sheets of their own
		{[]int64{2147483647, 2147483647}, 1, 4294967294},
		{[]int64{1}, 100_000_000, 1},
	} {
		if got := preflight.CountSheets(test.quantities, test.ups); got != test.want {
			t.Errorf("sheetsForQuantities(%v, %d) = %d, want %d", test.quantities, test.ups, got, test.want)
		}
	}
}

func TestQuantity(t *testing.T) {
	shop, own := newChecker(t, preflight.Options{}), engineOf(t, sheetLimits)
	checker := func(gap float64) *preflight.Checker {
		c, err := preflight.New(own, preflight.Options{Gap: gap})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	item := func(b boxrules.Box, quantities ...int) string {
		var references []string
		for _, q := range quantities {
			references = append(references, fmt.Sprintf(`{"quantity":%d}`, q))
		}
		return fmt.Sprintf(`{"article":%q,"material":%q,"width":%v,"depth":%v,"height":%v,"references":[%s]}`, b.Article, b.Material,
			b.Width, b.Depth, b.Height, strings.Join(references, ","))
	}
	flat := func(article, material string, w, d float64) boxrules.Box {
		return boxrules.Box{Article: article, Material: material, Dims: boxrules.Dims{Width: w, Depth: d, Height: 1}}
	}
	ones := func(n int) (quantities []int) {
		for range n {
			quantities = append(quantities, 1)
		}
		return quantities
	}
	for _, test := range []struct {
		name    string
		checker *preflight.Checker
		items   []string
		want    string
		item    int
	}{
		{"24 full sheets", shop, []string{item(good, 144)},
			"QUANTITY_ERROR QTT_1114: 24 sheets, at 6 per sheet; the minimum of carton-300 is 25 sheets [products[0]]", 0},
		{"25 references", shop, []string{item(good, ones(25)...)}, "", 0},
		{"the second of three", shop, []string{item(good, 1000), item(good, 1), item(good, 2)},
			"QUANTITY_ERROR QTT_1114: 1 sheet, at 6 per sheet; the minimum of carton-300 is 25 sheets [products[1]]", 1},
		{"no references", shop, []string{item(good)}, "", 0},
		{"items do not share sheets", shop, []string{item(good, 144), item(good, 6)},
			"QUANTITY_ERROR QTT_1114: 24 sheets, at 6 per sheet; the minimum of carton-300 is 25 sheets [products[0]]", 0},
		{"no minimum", checker(0), []string{item(flat("flat", "free", 50, 70), 1)}, "", 0},
		{"no blank", checker(0), []string{item(flat("unknown-blank", "board", 50, 70), 1)}, "", 0},
		{"a blank 0 wide", checker(0), []string{item(flat("narrow", "board", 10, 35), 1)}, "", 0},
		{"a blank 20 wide", checker(0), []string{item(flat("narrow", "board", 30, 35), 1)},
			"QUANTITY_ERROR QTT_1114: 1 sheet, at 10 per sheet; the minimum of board is 25 sheets [products[0]]", 0},
		{"1 up with a gap", checker(0.001), []string{item(flat("flat", "board", 50, 70), 24)},
			"QUANTITY_ERROR QTT_1114: 24 sheets, at 1 per sheet; the minimum of board is 25 sheets [products[0]]", 0},
	} {
		r := checkQuotation(test.checker, itemsQuery("["+strings.Join(test.items, ",")+"]"))
		if line(r) != test.want || r != nil && (r.Item != test.item || r.Box != nil) {
			t.Errorf("%s: %s, want %s", test.name, line(r), test.want)
		}
	}
	// A dieline has no quantity.
	if r := checkDieline(shop, goodQuery+"&references=1&quantity=1"); r != nil {
		t.Errorf("a dieline: %s", line(r))
	}
}
