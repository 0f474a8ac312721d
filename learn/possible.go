package learn

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// Possible returns the codes that the service may answer for the box, as far as is known: "" stands
// for accepted, and a single element is certain. They come in check order, with "" last. The error
// is an *InputError.
func (l *Learner) Possible(b boxrules.Box) ([]boxrules.Code, error) {
	p, at, err := l.locate(b)
	if err != nil {
		return nil, err
	}
	var codes []boxrules.Code
	for k, code := range l.codes[:len(l.codes)-1] {
		q, asked := l.question(p, at, k)
		if !asked {
			continue
		}
		fails, keeps := q.of.possible(q.at)
		if q.lacks {
			fails, keeps = keeps, fails
		}
		if fails {
			codes = append(codes, code)
		}
		if !keeps {
			return codes, nil
		}
	}
	return append(codes, ""), nil
}

// maxWork bounds the proofs of one call to some seconds.
const maxWork polytope.Budget = 100_000_000

// widest returns the ends of all boxes that may be within the limits, as far as is known.
func (a *article) widest() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.ends[axis][least].least(), a.ends[axis][greatest].greatest()
	}
	return low, high
}

// kept returns where no constraint before end holds that the article is known to select.
func (p *profile) kept(end int) []exact.Tree {
	var trees []exact.Tree
	for i, keeps := range p.keeps[:end] {
		if p.article.choices[i].selected() {
			trees = append(trees, keeps)
		}
	}
	return trees
}

// find looks for a box on the grid of finest that is within the limits as far as is known, at which
// every condition holds.
func (l *Learner) find(p *profile, finest int64, conditions ...exact.Tree) (exact.Point, polytope.Answer) {
	low, high := p.article.widest()
	at, answer := l.work.FindOn(finest, polytope.Cube(low, high), conditions...)
	l.undecided = l.undecided || answer == polytope.Undecided
	return at, answer
}

// findRound looks for such a box that may be asked, best one in whole units. It passes over those
// that got no answer.
func (l *Learner) findRound(p *profile, conditions ...exact.Tree) (exact.Point, bool) {
	for {
		at, answer := l.find(p, l.unit(), conditions...)
		if answer != polytope.Something && l.unit() != l.finest {
			at, answer = l.find(p, l.finest, conditions...)
		}
		if answer != polytope.Something || !l.skipped[p.box(at)] {
			return at, answer == polytope.Something
		}
		var another []exact.Tree
		for axis, x := range at {
			another = append(another, atMost(axis, x-1), atLeast(axis, x+1))
		}
		conditions = append(slices.Clip(conditions), exact.AnyOf(another...))
	}
}

// hidden reports whether it is proved that no box tells if the article selects constraint i, which
// is open.
func (l *Learner) hidden(a *article, i int) bool {
	for _, p := range a.profiles {
		if _, answer := l.find(p, 1, append(p.kept(i), p.holds[i])...); answer != polytope.Nothing {
			return false
		}
	}
	return true
}

// shadows returns constraints that hide constraint i, none of which can be left out.
func (l *Learner) shadows(a *article, i int) (by []int) {
	for j := range i {
		if a.choices[j].selected() {
			by = append(by, j)
		}
	}
	for k := len(by) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(by), k, k+1)
		excluded := true
		for _, p := range a.profiles {
			conditions := []exact.Tree{p.holds[i]}
			for _, j := range fewer {
				conditions = append(conditions, exact.Not(p.holds[j]))
			}
			_, answer := l.find(p, 1, conditions...)
			excluded = excluded && answer == polytope.Nothing
		}
		if excluded {
			by = fewer
		}
	}
	return by
}

// exceeding returns where a blank tells more of the sheet: it is valid otherwise, exceeds the
// corner that the sheet is known to reach, and may fit for all that is known.
func (p *profile) exceeding() []exact.Tree {
	s := p.sheet
	reach := s.corner()
	conditions := append(p.kept(len(p.holds)), p.beyond(reach))
	for _, e := range s.minimal() {
		var either []exact.Tree
		for side := range sides {
			if reach[side] < e.at[side] {
				either = append(either, exact.Not(p.blank.longer(side, e.at[side]-s.step)))
			}
		}
		conditions = append(conditions, exact.AnyOf(either...))
	}
	return conditions
}

// beyond returns where the blank does not fit a sheet of the size.
func (p *profile) beyond(size exact.Point) exact.Tree {
	return exact.AnyOf(p.blank.longer(long, size[long]), p.blank.longer(short, size[short]))
}

// onLimit reports whether a point is exactly on the border of a half-space of the tree, on either
// side.
func onLimit(t exact.Tree, at exact.Point) bool {
	for h := range t.HalfSpaces() {
		if d := h.A[0]*at[0] + h.A[1]*at[1] + h.A[2]*at[2] - h.K; d == 0 || d == 1 {
			return true
		}
	}
	return false
}
