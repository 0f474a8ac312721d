package lists

import (
	"bytes"
	"strings"
)

// A pointUse records what the points in the dimensions of a list may mean. In some countries, 1.200 means 1200. In
// lists from those countries, semicolons separate the columns, because commas are decimal separators. If some point in
// the list can only be a decimal point, as in 48.5, then all points are taken to be decimal points. Otherwise the list
// does not show what a point means. Then 1.200 is read as 1.2, and the user is warned.
type pointUse struct {
	thousands string // the first dimension with a point that may separate thousands; empty if there is none
	decimal   bool   // whether some point can only be a decimal point
}

// add records how cell uses a point. The cell must be a plain decimal, with or without a point.
func (p *pointUse) add(cell []byte) {
	whole, decimals, hasPoint := bytes.Cut(bytes.TrimPrefix(cell, []byte("-")), []byte("."))
	switch {
	case !hasPoint:
	case len(decimals) != 3 || len(whole) > 3 || whole[0] == '0':
		p.decimal = true
	case p.thousands == "":
		p.thousands = string(cell)
	}
}

// merge adds what was recorded for later rows.
func (p *pointUse) merge(later pointUse) {
	if p.thousands == "" {
		p.thousands = later.thousands
	}
	p.decimal = p.decimal || later.decimal
}

// shortened returns p.thousands without trailing zeros, to show how it was understood: 1.2 for 1.200.
func (p *pointUse) shortened() string {
	return strings.TrimSuffix(strings.TrimRight(p.thousands, "0"), ".")
}
