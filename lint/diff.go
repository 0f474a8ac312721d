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
	// Identical: every box gets the same verdict with the same code, which is proved.
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
	// UndecidedChange: the search was given up before it was clear whether any box changes from
	// From to To, or where both are empty, whether any box changes that no other change tells of;
	// or the engines do not confirm what it found.
	UndecidedChange ChangeKind = "undecided"
)

// A Change tells one way in which verdicts differ, with a box for which they do.
type Change struct {
	Article  string         `json:"article"`
	Material string         `json:"material"`
	Kind     ChangeKind     `json:"kind"`
	From     boxrules.Code  `json:"from,omitempty"` // empty for valid
	To       boxrules.Code  `json:"to,omitempty"`   // empty for valid
	Witness  *boxrules.Dims `json:"witness,omitempty"`
}

// Diff finds the boxes for which the engine after gives another verdict than the engine before. For
// each article and material it yields every pair of codes that some box changes between, with the
// roundest such box, or one change that says that all verdicts are identical. The order is that of
// the catalogue before, then of what only the catalogue after has. Newly rejected boxes come first,
// then newly accepted ones, then changed codes. The changes of an article and material come as soon
// as they are found.
//
// The search as a whole is bounded by a count, some seconds of work, of which every article and
// material has a share: what is open then is undecided. The two engines need the same unit, as
// dimensions are compared as numbers. Where one takes fewer decimals than the other, Diff looks at
// the boxes that both take. The sequence panics if an engine is nil.
func Diff(before, after *boxrules.Engine) iter.Seq[Change] { return changes(before, after, maxWork) }

// changes does the same as [Diff] within a bound of work.
func changes(before, after *boxrules.Engine, work polytope.Budget) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		work := work
		profiles := before.Profiles()
		for i, p := range profiles {
			changes := []Change{{Kind: OnlyBefore}}
			if q, err := after.Profile(p.Article(), p.Material()); err == nil {
				share := work.Share(len(profiles) - i)
				of, with := newSpace(p, &share), newSpace(q, &share)
				of.step = max(of.step, with.step)
				changes = diff(of, with)
				work += share
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

// diff compares one article in one material.
func diff(p, q *space) []Change {
	identical := []Change{{Kind: Identical}}
	if p.same(q) {
		return identical
	}
	var changes []Change
search:
	for _, i := range p.outcomes() {
		// Most outcomes do not change; one question settles that.
		from, unchanged := p.codes[i], exact.AllOf()
		if j := slices.Index(q.codes, from); j >= 0 {
			p.work.Spend(folding * j)
			unchanged = exact.Not(exact.AllOf(q.reports(j)...))
		}
		if p.possible(append(p.reports(i), unchanged)...) == polytope.Nothing {
			continue
		}
		for _, j := range q.outcomes() {
			to := q.codes[j]
			if to == from {
				continue
			}
			if p.work.Spent() {
				changes = append(changes, Change{Kind: UndecidedChange})
				break search
			}
			change := Change{Kind: CodeChanged, From: from, To: to}
			if from == "" {
				change.Kind = NewlyRejected
			} else if to == "" {
				change.Kind = NewlyAccepted
			}
			switch at, answer := p.roundest(append(p.reports(i), q.reports(j)...)...); {
			case answer == polytope.Nothing:
				continue
			case answer == polytope.Something && p.reported(at, from) && q.reported(at, to):
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

// outcomes returns the numbers of the codes, that of a valid box first.
func (s *space) outcomes() []int { return append([]int{len(s.rules)}, numbers(0, len(s.rules))...) }

// same reports whether the rules of both are the same half-spaces under the same codes.
func (s *space) same(o *space) bool {
	return slices.Equal(s.codes, o.codes) && slices.EqualFunc(s.holds, o.holds, exact.Tree.Equal)
}
