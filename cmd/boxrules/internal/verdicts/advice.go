package verdicts

import (
	"regexp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// An adviser says what to change.
type adviser struct {
	step  float64
	unit  string // of the advice, said where that of the list is another
	comma bool   // whether the list's decimals have commas
}

// begin sees how the file writes numbers.
func (a *adviser) begin(o *lists.Reader) {
	a.unit, a.comma = o.OtherUnit, o.Options.Decimal == ','
}

// onBox returns what to change of the box, and nothing for a valid one.
func (a *adviser) onBox(p *boxrules.Profile, d boxrules.Dims, v boxrules.Verdict) string {
	if v.OK() {
		return ""
	}
	advice, err := p.Advice(d, a.step)
	if err != nil {
		return console.Printable(err.Error()) // an internal fault is told, and nothing in its place
	}
	if a.comma {
		advice = decimalPoint.ReplaceAllString(advice, "$1,$2")
	}
	if a.unit != "" {
		advice = "in " + a.unit + ": " + advice
	}
	return advice
}

var decimalPoint = regexp.MustCompile(`([0-9])\.([0-9])`)
