package verdicts

import (
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
	text := []byte(advice)
	for i := 1; a.comma && i < len(text)-1; i++ {
		if text[i] == '.' && digit(text[i-1]) && digit(text[i+1]) {
			text[i] = ','
		}
	}
	if a.unit != "" {
		return "in " + a.unit + ": " + string(text)
	}
	return string(text)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
