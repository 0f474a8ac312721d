package verdicts

import (
	"regexp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/limits"
)

// An adviser says in words how to change boxes that cannot be made.
type adviser struct {
	step       float64 // dimensions are multiples of it in advice that changes several; in the unit of the limits
	locale     *locale.Locale
	limitsUnit string
	decimals   int  // the number of decimals that the limits allow
	converts   bool // whether the report writes dimensions in the unit of the limits instead of that of the file

	// The remaining fields are for the current file.
	unit          string // the unit of the advice
	saysUnit      bool   // whether the advice has to name its unit, because the dimensions beside it are in a different one
	decimalCommas bool   // whether numbers in the file have decimal commas
}

// newAdviser returns an adviser for the limits and the options.
func newAdviser(limits *limits.Catalogue, o Options) *adviser {
	words, _ := locale.Of(o.Lang) // English if it is empty
	return &adviser{step: o.Step, locale: words, limitsUnit: limits.Unit(), decimals: limits.Decimals(),
		converts: o.Format == FormatJSON, unit: limits.Unit()}
}

// beginFile makes the adviser write numbers as the file does. There are two cases in which the advice is in the unit
// of the limits instead: if the dimensions in the file are in different units, and if the limits allow fewer than three
// decimals and conversion between inches and millimetres would need more: 0.1 mm has many decimals in inches.
func (a *adviser) beginFile(file *lists.Reader) {
	a.decimalCommas = file.Options.Decimal == ','
	unit := file.Units.Common()
	a.unit = unit
	if unit == "" || a.decimals < 3 && (unit == "in") != (a.limitsUnit == "in") {
		a.unit = a.limitsUnit
	}
	a.saysUnit = a.unit != unit || a.converts && unit != a.limitsUnit
}

// advice returns what to change in the box, or "" if it is valid.
func (a *adviser) advice(p *boxrules.Profile, d boxrules.Dims, v boxrules.Verdict) string {
	if v.OK() {
		return ""
	}
	advice, err := p.AdviceIn(d, a.step, boxrules.AdviceOptions{Language: a.locale.Lang(), Unit: a.unit})
	if err != nil { // this is a bug in boxrules: report it where the advice would be
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
			case a.unit == "in": // this would be read as the word in
				return a.locale.Advice["inches"]
			}
			return a.unit
		})
	}
	return advice
}

var decimalPoint = regexp.MustCompile(`([0-9])\.([0-9])`)
