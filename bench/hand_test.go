package bench

import "example.com/boxrules"

// byHand is what a careful programmer writes for an article: float64, in check order. Its fields
// are variables, so that the compiler cannot fold the limits in, as it could not for a catalogue.
type byHand struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight float64
	caliper, glueFlap, sheetWidth, sheetHeight                   float64
}

func newByHand(j job) *byHand {
	return &byHand{
		j.limits["min_width"], j.limits["max_width"], j.limits["min_depth"], j.limits["max_depth"],
		j.limits["min_height"], j.limits["max_height"],
		j.limits["caliper"], j.limits["glue_flap"], j.limits["sheet_width"], j.limits["sheet_height"],
	}
}

func (m *byHand) mailer(box boxrules.Dims) boxrules.Code {
	w, d, h := box.Width, box.Depth, box.Height
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
	case h > (d*4.0)/5.0:
		return "BOX_3116"
	}
	blankWidth := max(w+4.0*h+43.0/3.0*m.caliper, w+d+16.0/3.0*m.caliper)
	blankHeight := 2.0*d + 3.0*h + 22.0/3.0*m.caliper
	switch {
	case (blankWidth > m.sheetWidth || blankHeight > m.sheetHeight) && (blankWidth > m.sheetHeight || blankHeight > m.sheetWidth):
		return "BOX_4100"
	}
	return ""
}

func (m *byHand) mailerCount(boxes []boxrules.Dims) (n int) {
	for _, d := range boxes {
		if m.mailer(d) != "" {
			n++
		}
	}
	return n
}
