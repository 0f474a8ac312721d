package verdicts

import (
	"regexp"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
)

// An adviser says in words what to change in boxes that cannot be made.
type adviser struct {
	step          float64 // for advice that changes several dimensions
	otherUnit     string  // the unit of the advice, if the list has another; otherwise empty
	decimalCommas bool    // whether numbers in the list have decimal commas
}

// beginFile makes the adviser write numbers as the file does.
func (a *adviser) beginFile(file *lists.Reader) {
	a.otherUnit, a.decimalCommas = file.OtherUnit, file.Options.Decimal == ','
}

// advice returns what to change in the box, or "" if it is valid.
func (a *adviser) advice(p *boxrules.Profile, d boxrules.Dims, v boxrules.Verdict) string {
	if v.OK() {
		return ""
	}
	advice, err := p.Advice(d, a.step)
	if err != nil { // we have a bug: report it where the advice would be
		return console.Printable(err.Error())
	}
	if a.decimalCommas {
		advice = decimalPoint.ReplaceAllString(advice, "$1,$2")
	}
	if a.otherUnit != "" {
		advice = "in " + wording.UnitInWords(a.otherUnit) + ": " + advice
	}
	return advice
}

var decimalPoint = regexp.MustCompile(`([0-9])\.([0-9])`)
