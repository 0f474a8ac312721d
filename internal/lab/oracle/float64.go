package oracle

import "example.com/boxrules/limits"

// A Float64 performs the documented checks as a service written in Go might perform them. It computes each condition
// and each blank formula in float64, exactly as written. Products are explicitly converted to float64. Otherwise Go may
// fuse a multiplication and an addition, and round only once.
type Float64 struct {
	minWidth, maxWidth, minDepth, maxDepth, minHeight, maxHeight float64
	constraints                                                  map[string]bool
	blank                                                        FlatFloat64
	glue, caliper, sheetWidth, sheetHeight                       float64
}

// A FlatFloat64 is like a Flat, but computes in float64.
type FlatFloat64 func(w, d, h, g, t float64) (width, height float64)

// NewFloat64 returns the checks for an article in a material. BlanksFloat64 must have a formula for the article.
func NewFloat64(a limits.Article, m limits.Material) *Float64 {
	return &Float64{
		a.Width.Min.Float64(), a.Width.Max.Float64(), a.Depth.Min.Float64(), a.Depth.Max.Float64(), a.Height.Min.Float64(), a.Height.Max.Float64(),
		Selected(a.Constraints),
		BlanksFloat64[a.Code],
		m.GlueFlap.Float64(), m.Caliper.Float64(), m.Sheet.Width.Float64(), m.Sheet.Height.Float64(),
	}
}

// First returns the code of the first check that fails, or "" for a valid box.
func (f *Float64) First(w, d, h float64) string {
	switch {
	case w < f.minWidth:
		return "BOX_2100"
	case w > f.maxWidth:
		return "BOX_2101"
	case d < f.minDepth:
		return "BOX_2102"
	case d > f.maxDepth:
		return "BOX_2103"
	case h < f.minHeight:
		return "BOX_2104"
	case h > f.maxHeight:
		return "BOX_2105"
	}
	for _, code := range Constraints {
		if f.constraints[code] && constraintFloat64(code, w, d, h) {
			return code
		}
	}
	// This is the condition of BOX_4100 as it is written in the rule file. In exact arithmetic, it is equivalent to
	// the condition in Profile.All.
	width, height := f.blank(w, d, h, f.glue, f.caliper)
	if (width > f.sheetWidth || height > f.sheetHeight) && (width > f.sheetHeight || height > f.sheetWidth) {
		return "BOX_4100"
	}
	return ""
}

func constraintFloat64(code string, w, d, h float64) bool {
	const girth = 498.25
	switch code {
	case "BOX_3100":
		return d > w
	case "BOX_3101":
		return d > w*2
	case "BOX_3102":
		return h > d && d >= 60
	case "BOX_3103":
		return w <= (d*3)/4
	case "BOX_3104":
		return h > w
	case "BOX_3105":
		return h > d
	case "BOX_3106":
		return h > w && d > w
	case "BOX_3107":
		return h > w && d > w && d > h
	case "BOX_3108":
		return h > w && d > w && d < h
	case "BOX_3109":
		return w > d
	case "BOX_3110":
		return w >= d && d < h && h > w
	case "BOX_3111":
		return d > h
	case "BOX_3112":
		return d > h/2.5
	case "BOX_3113":
		return w > d && w+d > girth && w+h < girth
	case "BOX_3114":
		return w > d && w+d > girth && w+h > girth && d+h < girth
	case "BOX_3115":
		return h < 2*d
	case "BOX_3116":
		return h > (d*4)/5
	case "BOX_3117":
		return w < h
	case "BOX_3118":
		return w > 2*d
	case "BOX_3119":
		third := float64(1) / 3
		return d > third*w
	case "BOX_3120":
		return h < w/2
	case "BOX_3121":
		return (d > w && d >= h && h > w+30) || (d > w && d < h)
	case "BOX_3122":
		return (d <= w && w >= h && h > d+30 && d+30 >= 35) || (d <= w && w < h && w >= 35)
	}
	panic("oracle: no constraint " + code)
}

// BlanksFloat64 maps the code of each illustrative article to its blank formulas, copied by hand from the limit
// file exactly as they are written there. Formulas that are equal in exact arithmetic can give different results
// here: 0.5*depth + 1.0*depth is not always 1.5*depth.
var BlanksFloat64 = map[string]FlatFloat64{
	"tuck-end":        tuckEndFloat64,
	"tuck-end-slim":   tuckEndFloat64,
	"window-carton":   tuckEndFloat64,
	"snap-lock":       snapLockFloat64,
	"shelf-carton":    snapLockFloat64,
	"auto-bottom":     autoBottomFloat64,
	"bottle-carton":   autoBottomFloat64,
	"handle-box":      autoBottomFloat64,
	"upright-carton":  autoBottomFloat64,
	"gable":           gableFloat64,
	"slotted-case":    slottedFloat64,
	"transit-case":    slottedFloat64,
	"tray":            walledFloat64,
	"counter-display": walledFloat64,
	"telescope-lid":   walledFloat64,
	"insert-box":      walledFloat64,
	"sleeve":          func(w, d, h, g, _ float64) (_, _ float64) { return perimeterFloat64(w, d, g), h },
	"pillow-pack":     func(w, d, h, g, _ float64) (_, _ float64) { return w + d, float64(2*h) + g },
	"roll-over-tray": func(w, d, h, _, t float64) (_, _ float64) {
		ends := float64(43) / 3
		return w + float64(4*h) + float64(ends*t), d + float64(2*h)
	},
	"mailer": func(w, d, h, _, t float64) (_, _ float64) {
		ends, ears, folds := float64(43)/3, float64(16)/3, float64(22)/3
		return max(w+float64(4*h)+float64(ends*t), w+d+float64(ears*t)), float64(2*d) + float64(3*h) + float64(folds*t)
	},
}
