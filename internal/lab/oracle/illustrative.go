package oracle

import (
	"math/big"

	"example.com/boxrules/limits"
)

// A Flat returns the blank of a box, given the material's glue flap g and caliper t.
type Flat func(w, d, h, g, t *big.Rat) (width, height *big.Rat)

// Blanks holds the blank formulas of the illustrative articles a second time, by hand.
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
	"gable":           autoBottom, // 1.5 depths as well
	"slotted-case":    slotted,
	"transit-case":    slotted,
	"tray":            Walled,
	"counter-display": Walled,
	"telescope-lid":   Walled,
	"insert-box":      Walled,
	"sleeve":          func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return around(w, d, g), h },
	"pillow-pack":     func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return plus(w, d), plus(times(h, 2, 1), g) },
	"roll-over-tray": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return plus(w, times(h, 4, 1), times(t, 43, 3)), plus(d, times(h, 2, 1))
	},
	"mailer": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return greatest(plus(w, times(h, 4, 1), times(t, 43, 3)), plus(w, d, times(t, 16, 3))),
			plus(times(d, 2, 1), times(h, 3, 1), times(t, 22, 3))
	},
}

// around returns the length of a strip that goes round the four sides and ends in the glue flap.
func around(w, d, g *big.Rat) *big.Rat { return plus(w, d, w, d, g) }

func tuckEnd(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	flap := least(greatest(times(d, 1, 2), whole(12)), whole(25))
	return around(w, d, g), plus(h, d, d, flap, flap)
}

func snapLock(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return around(w, d, g), plus(h, times(d, 3, 4), greatest(whole(14), times(d, 2, 5)), times(d, 13, 20))
}

func autoBottom(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return around(w, d, g), plus(h, times(d, 3, 2))
}

func slotted(w, d, h, g, _ *big.Rat) (width, height *big.Rat) { return around(w, d, g), plus(h, d) }

// Walled returns the blank with a wall on each of the four sides of the base.
func Walled(w, d, h, _, _ *big.Rat) (width, height *big.Rat) { return plus(w, h, h), plus(d, h, h) }

// New returns the profile of an article in a material with that blank. Numbers are as they stand in
// the limit file, read by package limits; what they mean is decided here.
func New(a limits.Article, m limits.Material, blank Flat) *Profile {
	p := &Profile{
		MinWidth: a.Width.Min.Rat(), MaxWidth: a.Width.Max.Rat(),
		MinDepth: a.Depth.Min.Rat(), MaxDepth: a.Depth.Max.Rat(),
		MinHeight: a.Height.Min.Rat(), MaxHeight: a.Height.Max.Rat(),
		Constraints: Selected(a.Constraints),
		SheetWidth:  m.Sheet.Width.Rat(), SheetHeight: m.Sheet.Height.Rat(),
	}
	p.Blank = func(w, d, h *big.Rat) (width, height *big.Rat) {
		return blank(w, d, h, m.GlueFlap.Rat(), m.Caliper.Rat())
	}
	return p
}

// Selected returns the codes as [Profile.Constraints] holds them.
func Selected(codes []string) map[string]bool {
	set := make(map[string]bool)
	for _, code := range codes {
		set[code] = true
	}
	return set
}
