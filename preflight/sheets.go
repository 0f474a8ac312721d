package preflight

import (
	"fmt"
	"math/big"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Ups returns how many blanks of a box fit on the sheet of its material, if there is a gap between the blanks
// and no margin around them. Either all blanks are upright or all are turned, whichever fits more blanks on
// the sheet. For example, a sheet of 100 x 70 has room for seven upright blanks of 60 x 10, and for ten
// turned ones, so Ups returns 10.
//
// ok is false if the box cannot be made, if the article has no formulas for a blank, or if no blank fits on
// the sheet. Ups returns the same errors as [boxrules.Profile.Check], and a *[boxrules.OptionError] if gap is
// not a number from 0 to 1,000. It panics if p is nil.
func Ups(p *boxrules.Profile, d boxrules.Dims, gap float64) (ups int, ok bool, err error) {
	if err := checkSheetGap(gap); err != nil {
		return 0, false, err
	}
	v, err := p.Check(d)
	if err != nil || !v.OK() {
		return 0, false, err
	}
	ups, ok = countUps(p, d, gap)
	return ups, ok, nil
}

// countUps returns the results of [Ups] for a box that can be made. The caller must have checked the
// box with p.Check.
func countUps(p *boxrules.Profile, d boxrules.Dims, gap float64) (ups int, ok bool) {
	form := p.Exact()
	if form.Blank == nil {
		return 0, false
	}
	point, _ := d.Grid() // Check has accepted the dimensions
	// Count in exact numbers: in floating point, ten blanks of 9.9 with gaps of 0.1 might not fit 99.9.
	exactGap := new(big.Rat).SetFrac64(exact.Grid(gap), exact.Scale)
	width, height := form.Blank.Width.At(point), form.Blank.Height.At(point)
	upright := blanksInRow(form.SheetWidth, width, exactGap) * blanksInRow(form.SheetHeight, height, exactGap)
	turned := blanksInRow(form.SheetWidth, height, exactGap) * blanksInRow(form.SheetHeight, width, exactGap)
	ups = max(upright, turned)
	return ups, ups > 0
}

const maxGap = 1000

func checkSheetGap(gap float64) error {
	if gap >= 0 && gap <= maxGap {
		return nil
	}
	return optionError("gap", "%v is not valid; accepted: a number from 0 to %d", gap, maxGap)
}

// maxBlanksInRow bounds the number of blanks in a row. There is a limit because a formula can make a blank
// arbitrarily small.
const maxBlanksInRow = 10_000

// blanksInRow returns how many blanks of the given length fit in a row on the sheet. n blanks take up n lengths
// and n-1 gaps, so n*(length+gap) <= sheet+gap.
func blanksInRow(sheet, length, gap *big.Rat) int {
	if length.Sign() <= 0 { // a formula can give such a length for a small box
		return 0
	}
	// n is the largest number, not yet rounded down to an integer, for which n*(length+gap) <= sheet+gap.
	n := new(big.Rat).Quo(new(big.Rat).Add(sheet, gap), new(big.Rat).Add(length, gap))
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	if !whole.IsInt64() || whole.Int64() > maxBlanksInRow {
		return maxBlanksInRow
	}
	return int(whole.Int64())
}

// sheetsForQuantities returns how many sheets the quantities need if ups boxes fit on a sheet. Each quantity is
// printed on its own sheets, and the last of these may be partly empty: with 6 boxes on a sheet, quantities
// of 1 and 7 need 1 + 2 sheets.
func sheetsForQuantities(quantities []int64, ups int) int64 {
	n, sheets := int64(ups), int64(0)
	for _, q := range quantities {
		sheets += (q + n - 1) / n // q/n, rounded up
	}
	return sheets
}

// checkQuantity refuses items[i] if it needs fewer sheets than the minimum of its material (QTT_1114). It
// accepts the item if the material has no minimum. It also accepts the item if the sheets cannot be counted,
// because the item has no quantities, its box has no profile (p is nil), or its article has no blank.
func (c *Checker) checkQuantity(p *boxrules.Profile, i int, item Item) *Refusal {
	minSheets := c.minSheets[item.Box.Material]
	if p == nil || len(item.Quantities) == 0 || minSheets == 0 {
		return nil
	}
	ups, ok := countUps(p, item.Box.Dims, c.options.Gap)
	if !ok {
		return nil
	}
	sheets := sheetsForQuantities(item.Quantities, ups)
	if sheets >= int64(minSheets) {
		return nil
	}
	plural := "s" // the ending of "sheets" in the message
	if sheets == 1 {
		plural = ""
	}
	return &Refusal{
		Type: boxrules.TypeQuantityError, Code: boxrules.QTT_1114, Path: fmt.Sprintf("products[%d]", i), Item: i,
		Message: fmt.Sprintf("%d sheet%s, at %d per sheet; the minimum of %s is %d sheets",
			sheets, plural, ups, item.Box.Material, minSheets),
	}
}
