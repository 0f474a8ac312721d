package verdicts

import (
	"regexp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/limits"
)

// An adviser writes advice: sentences that say how to change a box that cannot be made.
type adviser struct {
	step       float64 // if advice changes several dimensions, they become multiples of step, which is in the unit of the limits
	locale     *locale.Locale
	limitsUnit string
	decimals   int  // the number of decimals that a dimension may have
	converts   bool // whether the report shows dimensions in the unit of the limits instead of the unit of the file

	// The remaining fields are for the current file.
	unit          string // the unit of the advice
	saysUnit      bool   // whether to name the unit in the advice, because the dimensions next to it are in another unit
	decimalCommas bool   // whether numbers in the file have decimal commas
}

// newAdviser returns an adviser for boxes that are checked against the limits.
func newAdviser(limits *limits.Catalogue, o Options) *adviser {
	words, _ := locale.Of(o.Lang) // English if o.Lang is empty
	return &adviser{step: o.Step, locale: words, limitsUnit: limits.Unit(), decimals: limits.Decimals(),
		converts: o.Format == FormatJSON, unit: limits.Unit()}
}

// beginFile prepares the adviser for a file. Advice is written in the unit of the file, with its decimal separator. It
// is written in the unit of the limits instead if the dimensions of the file have different units, or if a converted
// length would need more decimals than the limits allow. If the limits allow fewer than three decimals, lengths are not
// converted between inches and other units, because 0.1 mm has many decimals in inches.
func (a *adviser) beginFile(file *lists.Reader) {
	a.decimalCommas = file.Options.Decimal == ','
	unit := file.Units.Common()
	a.unit = unit
	if unit == "" || a.decimals < 3 && (unit == "in") != (a.limitsUnit == "in") {
		a.unit = a.limitsUnit
	}
	a.saysUnit = a.unit != unit || a.converts && unit != a.limitsUnit
}

// advice returns a sentence that says what to change in the box, or "" if the box is valid.
func (a *adviser) advice(p *boxrules.Profile, d boxrules.Dims, v boxrules.Verdict) string {
	if v.OK() {
		return ""
	}
	advice, err := p.AdviceIn(d, a.step, boxrules.AdviceOptions{Language: a.locale.Lang(), Unit: a.unit})
	if err != nil { // this would be a bug in boxrules; report it in place of the advice
		return console.Printable(err.Error())
	}
	if a.decimalCommas {
		advice = decimalPoint.ReplaceAllString(advice, "$1,$2")
	}
	if a.saysUnit {
		advice = locale.Fill(a.locale.Advice["inUnit"], func(name string) string {
			switch {
			case name == "advice":
				return advice
			case a.unit == "in": // the unit would be read as the word "in"
				return a.locale.Advice["inches"]
			}
			return a.unit
		})
	}
	return advice
}

var decimalPoint = regexp.MustCompile(`([0-9])\.([0-9])`)
