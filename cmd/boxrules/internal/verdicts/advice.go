package verdicts

import (
	"regexp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/limits"
)

// An adviser says in words what to change in boxes that cannot be made.
type adviser struct {
	step       float64 // for advice that changes several dimensions, in the unit of the limits
	words      *locale.Locale
	limitsUnit string
	decimals   int  // of the limits
	converts   bool // whether the report writes dimensions in the unit of the limits, and not in that of the file

	// These belong to the current file.
	unit          string // of the advice
	saysUnit      bool   // whether the dimensions beside the advice are in another unit
	decimalCommas bool   // whether numbers in the file have decimal commas
}

// newAdviser returns an adviser for the limits, as the options say.
func newAdviser(limits *limits.Catalogue, o Options) *adviser {
	words, _ := locale.Of(o.Lang) // English if it is empty
	return &adviser{step: o.Step, words: words, limitsUnit: limits.Unit(), decimals: limits.Decimals(),
		converts: o.Format == FormatJSON, unit: limits.Unit()}
}

// beginFile makes the adviser write numbers as the file does. The advice is in the unit of the limits if the
// dimensions in the file are in different units, or if few numbers of the file could be read when they are converted,
// because the limits have fewer than three decimals: 0.1 mm has many decimals in inches.
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
	advice, err := p.AdviceIn(d, a.step, boxrules.AdviceOptions{Language: a.words.Lang(), Unit: a.unit})
	if err != nil { // we have a bug: report it where the advice would be
		return console.Printable(err.Error())
	}
	if a.decimalCommas {
		advice = decimalPoint.ReplaceAllString(advice, "$1,$2")
	}
	if a.saysUnit {
		advice = locale.Fill(a.words.Advice["inUnit"], func(name string) string {
			switch {
			case name == "advice":
				return advice
			case a.unit == "in": // without its name it would be read as a word
				return a.words.Advice["inches"]
			}
			return a.unit
		})
	}
	return advice
}

var decimalPoint = regexp.MustCompile(`([0-9])\.([0-9])`)
