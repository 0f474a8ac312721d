package oracle

import "math/big"

// A Flat is a function that computes the width and the height of the blank of a box from the dimensions of the box,
// the glue flap g and the caliper t.
type Flat func(w, d, h, g, t *big.Rat) (width, height *big.Rat)

// Blanks maps the code of each illustrative article to its blank formulas. The formulas were written by hand,
// independently of the limit file.
var Blanks = map[string]Flat{
	"tuck-end":        tuckEnd,
	"tuck-end-slim":   tuckEnd,
	"window-carton":   tuckEnd,
	"snap-lock":       snapLock,
	"shelf-carton":    snapLock,
	"auto-bottom":     autoBottom,
	"bottle-carton":   autoBottom,
	"handle-box":      autoBottom,
	"upright-carton":  autoBottom,
	"gable":           autoBottom, // its height is also the height of the box plus 1.5 depths
	"slotted-case":    slotted,
	"transit-case":    slotted,
	"tray":            Walled,
	"counter-display": Walled,
	"telescope-lid":   Walled,
	"insert-box":      Walled,
	"sleeve":          func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return perimeter(w, d, g), h },
	"pillow-pack":     func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return plus(w, d), plus(times(h, 2, 1), g) },
	"roll-over-tray": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return plus(w, times(h, 4, 1), times(t, 43, 3)), plus(d, times(h, 2, 1))
	},
	"mailer": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return maxOf(plus(w, times(h, 4, 1), times(t, 43, 3)), plus(w, d, times(t, 16, 3))),
			plus(times(d, 2, 1), times(h, 3, 1), times(t, 22, 3))
	},
}

// perimeter returns the length of a strip around the four sides of the box, including the glue flap.
func perimeter(w, d, g *big.Rat) *big.Rat { return plus(w, d, w, d, g) }

func tuckEnd(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	flap := minOf(maxOf(times(d, 1, 2), ratFromInt(12)), ratFromInt(25))
	return perimeter(w, d, g), plus(h, d, d, flap, flap)
}

func snapLock(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return perimeter(w, d, g), plus(h, times(d, 3, 4), maxOf(ratFromInt(14), times(d, 2, 5)), times(d, 13, 20))
}

func autoBottom(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return perimeter(w, d, g), plus(h, times(d, 3, 2))
}

func slotted(w, d, h, g, _ *big.Rat) (width, height *big.Rat) { return perimeter(w, d, g), plus(h, d) }

// Walled returns the size of the blank of an open box: a base with a wall on each of its four sides.
func Walled(w, d, h, _, _ *big.Rat) (width, height *big.Rat) { return plus(w, h, h), plus(d, h, h) }

func perimeterFloat64(w, d, g float64) float64 { return float64(2*w) + float64(2*d) + g }

func tuckEndFloat64(w, d, h, g, _ float64) (width, height float64) {
	return perimeterFloat64(w, d, g), h + float64(2*d) + float64(2*min(max(float64(0.5*d), 12), 25))
}

func snapLockFloat64(w, d, h, g, _ float64) (width, height float64) {
	return perimeterFloat64(w, d, g), h + float64(0.75*d) + max(14, float64(0.4*d)) + float64(0.65*d)
}

func autoBottomFloat64(w, d, h, g, _ float64) (width, height float64) {
	return perimeterFloat64(w, d, g), h + float64(0.5*d) + float64(1.0*d)
}

func slottedFloat64(w, d, h, g, _ float64) (width, height float64) {
	return perimeterFloat64(w, d, g), h + d
}

func gableFloat64(w, d, h, g, _ float64) (width, height float64) {
	return perimeterFloat64(w, d, g), h + float64(1.5*d)
}

func walledFloat64(w, d, h, _, _ float64) (width, height float64) {
	return w + float64(2*h), d + float64(2*h)
}
