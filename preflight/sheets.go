package preflight

import (
	"fmt"
	"math/big"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Ups returns how many blanks of a box lie on the sheet of its material side by side, gap apart,
// with nothing around them: all of them the one way round or all of them the other, whichever
// gives more. So of a blank of 60 x 10 seven lie on a sheet of 100 x 70 upright, and ten turned:
// Ups is 10. ok is false for a box that cannot be made and for an article without a blank. The
// error is that of [boxrules.Profile.Check], or names the field gap where that is not a number
// from 0 to 1,000. Ups panics if p is nil.
func Ups(p *boxrules.Profile, d boxrules.Dims, gap float64) (ups int, ok bool, err error) {
	if err := checkGap(gap); err != nil {
		return 0, false, err
	}
	v, err := p.Check(d)
	if err != nil || !v.OK() {
		return 0, false, err
	}
	ups, ok = countUps(p, d, gap)
	return ups, ok, nil
}

// countUps does the same as [Ups] for a box that Check takes, whatever its verdict.
func countUps(p *boxrules.Profile, d boxrules.Dims, gap float64) (ups int, ok bool) {
	form := p.Exact()
	if form.Blank == nil {
		return 0, false
	}
	at, _ := d.Grid()
	between := new(big.Rat).SetFrac64(exact.Grid(gap), exact.Scale)
	w, h := form.Blank.Width.At(at), form.Blank.Height.At(at)
	across, down := form.SheetWidth, form.SheetHeight
	ups = max(fit(across, w, between)*fit(down, h, between), fit(across, h, between)*fit(down, w, between))
	return ups, ups > 0
}

const maxGap = 1000

func checkGap(gap float64) error {
	if gap >= 0 && gap <= maxGap {
		return nil
	}
	return wrongField("gap", "%v is not a gap; accepted: a number from 0 to %d", gap, maxGap)
}

// maxUps bounds how many blanks lie in a row, for blanks next to nothing.
const maxUps = 10_000

// fit returns how many pieces of the length lie in a row on the sheet: n pieces take n lengths and
// n-1 gaps.
func fit(sheet, length, gap *big.Rat) int {
	if length.Sign() <= 0 {
		return 0
	}
	n := new(big.Rat).Quo(new(big.Rat).Add(sheet, gap), new(big.Rat).Add(length, gap))
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	if !whole.IsInt64() || whole.Int64() > maxUps {
		return maxUps
	}
	return int(whole.Int64())
}

// Sheets returns how many sheets the quantities take at so many ups. Each reference is printed on
// sheets of its own, of which the last may be partly empty: 1 and 7 boxes at 6 ups take 1 + 2
// sheets.
func Sheets(quantities []int64, ups int) int64 {
	n, sheets := int64(ups), int64(0)
	for _, q := range quantities {
		sheets += (q + n - 1) / n
	}
	return sheets
}

// checkQuantity refuses an item of fewer sheets than its material's minimum (QTT_1114). What cannot
// be counted is accepted: an item without references, an article without a blank, a material
// without a minimum.
func (c *Checker) checkQuantity(index int, item Item) *Refusal {
	p, err := c.engine.Profile(item.Box.Article, item.Box.Material)
	if err != nil || len(item.Quantities) == 0 {
		return nil // PassUnknown has accepted what has no profile
	}
	least := c.minSheets[item.Box.Material]
	ups, ok := countUps(p, item.Box.Dims, c.options.Gap)
	if !ok || least == 0 {
		return nil
	}
	sheets := Sheets(item.Quantities, ups)
	if sheets >= int64(least) {
		return nil
	}
	plural := map[bool]string{true: "s"}[sheets > 1]
	return &Refusal{
		Type: boxrules.TypeQuantityError, Code: boxrules.QTT_1114, Path: fmt.Sprintf("products[%d]", index), Item: index,
		Message: fmt.Sprintf("%d sheet%s, at %d a sheet; the minimum of %s is %d sheets",
			sheets, plural, ups, item.Box.Material, least),
	}
}
