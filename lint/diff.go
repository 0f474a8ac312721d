package lint

import (
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A ChangeKind says how two engines differ for an article in a material.
type ChangeKind string

// The kinds of changes.
const (
	// Identical: it is proved that every box gets the same verdict with the same code.
	Identical ChangeKind = "identical"
	// NewlyRejected: boxes that were valid are rejected with To.
	NewlyRejected ChangeKind = "newly-rejected"
	// NewlyAccepted: boxes that were rejected with From are valid.
	NewlyAccepted ChangeKind = "newly-accepted"
	// CodeChanged: boxes that were rejected with From are rejected with To.
	CodeChanged ChangeKind = "code-changed"
	// OnlyBefore and OnlyAfter: one of the two does not offer the article in the material.
	OnlyBefore ChangeKind = "only-before"
	OnlyAfter  ChangeKind = "only-after"
	// UndecidedChange: the search was given up before it was clear whether any box changes from From to To, or where
	// both are empty, whether any box changes at all; or the engines do not confirm what it found.
	UndecidedChange ChangeKind = "undecided"
)

// A Change is one way in which verdicts differ, with a box for which they do.
type Change struct {
	Article  string         `json:"article"`
	Material string         `json:"material"`
	Kind     ChangeKind     `json:"kind"`
	From     boxrules.Code  `json:"from,omitempty"` // empty for valid
	To       boxrules.Code  `json:"to,omitempty"`   // empty for valid
	Witness  *boxrules.Dims `json:"witness,omitempty"`
}

// Diff says for which boxes the engine after gives another verdict than the engine before: for each article
// and material every pair of codes that some box changes between, with the roundest such box, or one change
// that says that all verdicts are identical. The order is that of the catalogue before, then of what only
// the catalogue after has. Newly rejected boxes come first, then newly accepted ones, then changed codes. The
// changes of an article and material come as soon as they are found. The search as a whole is bounded by a count, some
// seconds of work: what is open then is undecided. The two have to have the same unit: dimensions are compared as numbers. Where one
// takes fewer decimals than the other it is about the boxes that both take.
func Diff(before, after *boxrules.Engine) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		work := maxWork
		for _, p := range before.Profiles() {
			changes := []Change{{Kind: OnlyBefore}}
			if q, err := after.Profile(p.Article(), p.Material()); err == nil {
				of, with := newSpace(p, &work), newSpace(q, &work)
				of.step = max(of.step, with.step)
				changes = diff(of, with)
			}
			for _, c := range changes {
				c.Article, c.Material = p.Article(), p.Material()
				if !yield(c) {
					return
				}
			}
		}
		for _, q := range after.Profiles() {
			if _, err := before.Profile(q.Article(), q.Material()); err == nil {
				continue
			}
			if !yield(Change{Article: q.Article(), Material: q.Material(), Kind: OnlyAfter}) {
				return
			}
		}
	}
}

// An outcome is one thing that can be said of a box: a code, or that it is valid.
type outcome struct {
	code  boxrules.Code // empty for valid
	where exact.Tree
}

func (s *space) outcomes() []outcome {
	all := []outcome{{"", exact.AllOf(s.keeps...)}}
	for i, r := range s.rules {
		all = append(all, outcome{r.Code, s.reports(i)})
	}
	return all
}

func diff(p, q *space) []Change {
	identical := []Change{{Kind: Identical}}
	switch {
	case p.same(q):
		return identical
	case p.work.Spent():
		return []Change{{Kind: UndecidedChange}}
	}
	var changes []Change
	after := q.outcomes()
	for _, from := range p.outcomes() {
		// Most outcomes do not change; one question settles that.
		unchanged := exact.AllOf()
		if i := slices.IndexFunc(after, func(to outcome) bool { return to.code == from.code }); i >= 0 {
			unchanged = exact.Not(after[i].where)
		}
		if _, answer := p.find(from.where, unchanged); answer == polytope.Nothing {
			continue
		}
		for _, to := range after {
			if to.code == from.code {
				continue
			}
			change := Change{Kind: kindOf(from.code, to.code), From: from.code, To: to.code}
			switch at, answer := p.roundest(from.where, to.where); {
			case answer == polytope.Nothing:
				continue
			case answer == polytope.Something && p.reported(at, from.code) && q.reported(at, to.code):
				change.Witness = witness(at)
			default:
				change.Kind = UndecidedChange
			}
			changes = append(changes, change)
		}
	}
	if len(changes) == 0 {
		return identical
	}
	order := []ChangeKind{NewlyRejected, NewlyAccepted, CodeChanged, UndecidedChange}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return slices.Index(order, a.Kind) - slices.Index(order, b.Kind)
	})
	return changes
}

func kindOf(from, to boxrules.Code) ChangeKind {
	switch {
	case from == "":
		return NewlyRejected
	case to == "":
		return NewlyAccepted
	}
	return CodeChanged
}

// same reports whether the rules of both are the same half-spaces under the same codes.
func (s *space) same(o *space) bool {
	sameCode := func(a, b boxrules.Rule) bool { return a.Code == b.Code }
	return slices.EqualFunc(s.rules, o.rules, sameCode) && slices.EqualFunc(s.holds, o.holds, exact.Tree.Equal)
}
