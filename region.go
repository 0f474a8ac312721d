package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
)

// positive are all boxes that have a size, where witnesses are looked for first; everything are all boxes
// that can be checked.
var (
	positive = linear.Cube(linear.Point{1, 1, 1}, linear.Point{linear.MaxGrid, linear.MaxGrid, linear.MaxGrid})

	everything = linear.Cube(
		linear.Point{-linear.MaxGrid, -linear.MaxGrid, -linear.MaxGrid},
		linear.Point{linear.MaxGrid, linear.MaxGrid, linear.MaxGrid})
)

// find looks for a box at which every condition holds, among those that have a size first.
func find(conditions ...linear.Condition) (linear.Point, linear.Answer) {
	return search(linear.Find, conditions)
}

// roundest looks for the roundest and smallest such box.
func roundest(conditions ...linear.Condition) (linear.Point, linear.Answer) {
	return search(linear.Roundest, conditions)
}

func search(how func(linear.Polytope, ...linear.Condition) (linear.Point, linear.Answer), conditions []linear.Condition) (linear.Point, linear.Answer) {
	if p, answer := how(positive, conditions...); answer == linear.Something {
		return p, answer
	}
	return how(everything, conditions...)
}

// dims is a point of the grid as dimensions.
func dims(p linear.Point) Dims {
	return Dims{units(p[linear.Width]), units(p[linear.Depth]), units(p[linear.Height])}
}

// reported confirms that a box is reported with the code, or is valid where that is empty: what a search
// found is no evidence before the engine has said so.
func (p *Profile) reported(at linear.Point, code Code) bool {
	v, err := p.Check(dims(at))
	return err == nil && v.Code() == code && v.OK() == (code == "")
}

// violates confirms that rule i holds for a box, whatever is reported first.
func (p *Profile) violates(i int, at linear.Point) bool {
	all, err := p.AppendAll(nil, dims(at))
	return err == nil && slices.ContainsFunc(all, func(v Violation) bool { return v.Code == p.rules[i].rule.Code })
}

// boxAt is dims, for the evidence of a claim.
func boxAt(p linear.Point) *Dims {
	d := dims(p)
	return &d
}

// valid is where the box violates no rule.
func (p *Profile) valid() linear.Condition { return p.none(p.rules) }

// none is where none of the rules is violated.
func (p *Profile) none(rules []ruling) linear.Condition {
	kept := make([]linear.Condition, len(rules))
	for i, r := range rules {
		kept[i] = linear.Not(r.condition)
	}
	return linear.AllOf(kept...)
}

// reports is where rule i is the first that the box violates.
func (p *Profile) reports(i int) linear.Condition {
	return linear.AllOf(p.none(p.rules[:i]), p.rules[i].condition)
}

// cells are convex pieces that together make up all valid boxes; whole is false where there were too many
// to list.
type cells struct {
	pieces []linear.Cell
	whole  bool
}

// maxCells is far more than any sensible article has.
const maxCells = 2000

// validCells are the cells of the profile, found when first asked for.
func (p *Profile) validCells() *cells {
	p.once.Do(func() {
		p.cells.whole = linear.Cells(everything, []linear.Condition{p.valid()}, func(cell linear.Polytope) bool {
			p.cells.pieces = append(p.cells.pieces, cell.Cell())
			return len(p.cells.pieces) < maxCells
		})
	})
	return &p.cells
}
