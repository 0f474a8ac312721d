package bench

import (
	"math"

	"example.com/boxrules"
)

// byHandExact is the same as byHand, and exact: the dimensions are put on the grid, and from then on all numbers are
// whole thousandths, multiplied where a rule divides. Like byHand, it does not look for NaN.
type byHandExact struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight int64
	caliper, glueFlap, sheetWidth, sheetHeight                   int64
}

func newByHandExact(j job) *byHandExact {
	limit := func(name string) int64 { return onGrid(j.limits[name]) }
	return &byHandExact{
		limit("min_width"), limit("max_width"), limit("min_depth"), limit("max_depth"),
		limit("min_height"), limit("max_height"),
		limit("caliper"), limit("glue_flap"), limit("sheet_width"), limit("sheet_height"),
	}
}

// onGrid returns a dimension in whole thousandths.
func onGrid(x float64) int64 { return int64(math.Floor(x*1000 + 0.5)) }

func (m *byHandExact) mailer(box boxrules.Dims) boxrules.Code {
	w, d, h := onGrid(box.Width), onGrid(box.Depth), onGrid(box.Height)
	switch {
	case w < m.minWidth:
		return "BOX_2100"
	case w > m.maxWidth:
		return "BOX_2101"
	case d < m.minDepth:
		return "BOX_2102"
	case d > m.maxDepth:
		return "BOX_2103"
	case h < m.minHeight:
		return "BOX_2104"
	case h > m.maxHeight:
		return "BOX_2105"
	case d > w:
		return "BOX_3100"
	case 5*h > 4*d:
		return "BOX_3116"
	}
	blankWidth := max(3*w+12*h+43*m.caliper, 3*w+3*d+16*m.caliper)
	blankHeight := 6*d + 9*h + 22*m.caliper
	switch {
	case (blankWidth > 3*m.sheetWidth || blankHeight > 3*m.sheetHeight) && (blankWidth > 3*m.sheetHeight || blankHeight > 3*m.sheetWidth):
		return "BOX_4100"
	}
	return ""
}

func (m *byHandExact) mailerCount(boxes []boxrules.Dims) (n int) {
	for _, d := range boxes {
		if m.mailer(d) != "" {
			n++
		}
	}
	return n
}
