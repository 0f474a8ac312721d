package lists

import (
	"bytes"
	"strings"
)

// A pointUse says what the points in the dimensions of a list may mean. In some countries 1.200 is 1200, and
// lists from there have semicolons between columns, because their numbers have decimal commas. If no number in
// the list has a fraction, the list does not show what a point means. Then 1.200 is read as 1.2, and that is
// reported. If some point can only be a decimal point, as in 48.5, all points are decimal points.
type pointUse struct {
	thousands string // the first dimension whose point may separate thousands; empty if there is none
	decimal   bool   // whether some point can only be a decimal point
}

// add adds a dimension, which is a plain decimal.
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

// merge adds the points of rows that come after the rows of p.
func (p *pointUse) merge(later pointUse) {
	if p.thousands == "" {
		p.thousands = later.thousands
	}
	p.decimal = p.decimal || later.decimal
}

// shortened returns the dimension in thousands as it was read, without zeros at its end: 1.2 for 1.200.
func (p *pointUse) shortened() string {
	return strings.TrimSuffix(strings.TrimRight(p.thousands, "0"), ".")
}
