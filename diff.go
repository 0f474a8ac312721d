package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
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
	// UndecidedChange: the search was given up before it was clear whether any box changes from From to To.
	UndecidedChange ChangeKind = "undecided"
)

// A Change is one way in which verdicts differ, with a box for which they do.
type Change struct {
	Article  string     `json:"article"`
	Material string     `json:"material"`
	Kind     ChangeKind `json:"kind"`
	From     Code       `json:"from,omitempty"` // empty for valid
	To       Code       `json:"to,omitempty"`   // empty for valid
	Witness  *Dims      `json:"witness,omitempty"`
}

// Diff says for which boxes the engine after gives another verdict than the engine before: for each article
// and material every pair of codes that some box changes between, with the roundest such box, or one change
// that says that all verdicts are identical. The order is that of the catalogue before, then of what only
// the catalogue after has. Newly rejected boxes come first, then newly accepted ones, then changed codes.
func Diff(before, after *Engine) []Change {
	var changes []Change
	for _, p := range before.ordered {
		k := key{p.Article(), p.Material()}
		q, ok := after.profiles[k]
		if !ok {
			changes = append(changes, Change{Article: k.article, Material: k.material, Kind: OnlyBefore})
			continue
		}
		found := diff(p, q)
		if len(found) == 0 {
			found = []Change{{Kind: Identical}}
		}
		for _, c := range found {
			c.Article, c.Material = k.article, k.material
			changes = append(changes, c)
		}
	}
	for _, q := range after.ordered {
		if _, ok := before.profiles[key{q.Article(), q.Material()}]; !ok {
			changes = append(changes, Change{Article: q.Article(), Material: q.Material(), Kind: OnlyAfter})
		}
	}
	return changes
}

// An outcome is one thing that a profile can say of a box: a code, or that it is valid.
type outcome struct {
	code  Code // empty for valid
	where linear.Condition
}

func (p *Profile) outcomes() []outcome {
	all := []outcome{{"", p.valid()}}
	for i, r := range p.rules {
		all = append(all, outcome{r.rule.Code, p.reports(i)})
	}
	return all
}

func diff(p, q *Profile) []Change {
	if p.same(q) {
		return nil
	}
	var changes []Change
	after := q.outcomes()
	for _, from := range p.outcomes() {
		// Most outcomes do not change; one question settles that.
		unchanged := linear.AllOf()
		if i := slices.IndexFunc(after, func(to outcome) bool { return to.code == from.code }); i >= 0 {
			unchanged = linear.Not(after[i].where)
		}
		if _, answer := find(from.where, unchanged); answer == linear.Nothing {
			continue
		}
		for _, to := range after {
			if to.code == from.code {
				continue
			}
			change := Change{Kind: kindOf(from.code, to.code), From: from.code, To: to.code}
			switch at, answer := roundest(from.where, to.where); {
			case answer == linear.Nothing:
				continue
			case answer == linear.Something && p.reported(at, from.code) && q.reported(at, to.code):
				change.Witness = boxAt(at)
			default:
				change.Kind = UndecidedChange
			}
			changes = append(changes, change)
		}
	}
	order := []ChangeKind{NewlyRejected, NewlyAccepted, CodeChanged, UndecidedChange}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return slices.Index(order, a.Kind) - slices.Index(order, b.Kind)
	})
	return changes
}

func kindOf(from, to Code) ChangeKind {
	switch {
	case from == "":
		return NewlyRejected
	case to == "":
		return NewlyAccepted
	}
	return CodeChanged
}

// same reports whether the rules of both are the same half-spaces under the same codes.
func (p *Profile) same(q *Profile) bool {
	return slices.EqualFunc(p.rules, q.rules, func(a, b ruling) bool {
		return a.rule.Code == b.rule.Code && a.condition.Equal(b.condition)
	})
}
