package bench

import "example.com/boxrules"

// byHand is what a careful programmer writes for this one article: float64, in check order. Its fields are
// variables, so that the compiler cannot fold the limits in, as it could not for a catalogue.
type byHand struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight float64
	caliper, sheetWidth, sheetHeight                             float64
}

func newByHand(j job) *byHand {
	return &byHand{
		j.limits["min_width"], j.limits["max_width"], j.limits["min_depth"], j.limits["max_depth"],
		j.limits["min_height"], j.limits["max_height"],
		j.limits["caliper"], j.limits["sheet_width"], j.limits["sheet_height"],
	}
}

func (m *byHand) check(d boxrules.Dims) boxrules.Code {
	w, dp, h := d.Width, d.Depth, d.Height
	switch {
	case w < m.minWidth:
		return "BOX_2100"
	case w > m.maxWidth:
		return "BOX_2101"
	case dp < m.minDepth:
		return "BOX_2102"
	case dp > m.maxDepth:
		return "BOX_2103"
	case h < m.minHeight:
		return "BOX_2104"
	case h > m.maxHeight:
		return "BOX_2105"
	case dp > w:
		return "BOX_3100"
	case h > (dp*4)/5:
		return "BOX_3116"
	}
	if m.tooLarge(d) {
		return "BOX_4100"
	}
	return ""
}

// tooLarge is BOX_4100: the blank fits the sheet neither way round.
func (m *byHand) tooLarge(d boxrules.Dims) bool {
	blankWidth := max(d.Width+4*d.Height+43*m.caliper/3, d.Width+d.Depth+16*m.caliper/3)
	blankHeight := 2*d.Depth + 3*d.Height + 22*m.caliper/3
	return (blankWidth > m.sheetWidth || blankHeight > m.sheetHeight) && (blankWidth > m.sheetHeight || blankHeight > m.sheetWidth)
}
