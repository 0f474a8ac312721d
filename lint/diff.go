package lint

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
)

// A ChangeKind is a way in which two engines differ for an article in a material.
type ChangeKind string

// The kinds of changes between two engines.
const (
	// Identical means that every box provably gets the same verdict and the same code.
	Identical ChangeKind = "identical"
	// NewlyRejected means that boxes that were valid before are now rejected with the code To.
	NewlyRejected ChangeKind = "newly-rejected"
	// NewlyAccepted means that boxes that were rejected with the code From before are now valid.
	NewlyAccepted ChangeKind = "newly-accepted"
	// CodeChanged means that boxes that were rejected with the code From before are now rejected with
	// the code To.
	CodeChanged ChangeKind = "code-changed"
	// OnlyBefore means that only the old engine offers the article in the material, and OnlyAfter means
	// that only the new engine does.
	OnlyBefore ChangeKind = "only-before"
	OnlyAfter  ChangeKind = "only-after"
	// UndecidedChange means that it is not known whether there is a box whose code changes from From to To. Either the
	// search gave up, or the box that it found was not confirmed. If From and To are both empty, there may be
	// changes of any kind that are not listed.
	UndecidedChange ChangeKind = "undecided"
)

// A Change is one difference between the verdicts of two engines, with a box as an example.
type Change struct {
	Article  string         `json:"article"`
	Material string         `json:"material"`
	Kind     ChangeKind     `json:"kind"`
	From     boxrules.Code  `json:"from,omitempty"` // empty if the box was valid
	To       boxrules.Code  `json:"to,omitempty"`   // empty if the box is valid now
	Witness  *boxrules.Dims `json:"witness,omitempty"`
}

// String returns the change as the sentence that boxrules diff prints: "tray in board: newly
// rejected with BOX_3100, such as 100 x 100 x 100".
func (c Change) String() string { return c.Article + " in " + c.Material + ": " + c.sentence() }

// sentence returns the change as a sentence, without its article and material.
func (c Change) sentence() string {
	example := ""
	if c.Witness != nil {
		example = ", such as " + sizeInFinding(*c.Witness)
	}
	switch c.Kind {
	case Identical:
		return "identical"
	case NewlyRejected:
		return fmt.Sprintf("newly rejected with %s%s", c.To, example)
	case NewlyAccepted:
		return fmt.Sprintf("newly accepted, previously rejected with %s%s", c.From, example)
	case CodeChanged:
		return fmt.Sprintf("%s becomes %s%s", c.From, c.To, example)
	case OnlyBefore:
		return "no longer offered"
	case OnlyAfter:
		return "newly offered"
	case UndecidedChange:
		if c.From == c.To {
			return "undecided whether anything else changes: the files take too much work"
		}
		return fmt.Sprintf("undecided whether boxes change from %s to %s", cmp.Or(c.From, "valid"), cmp.Or(c.To, "valid"))
	}
	return string(c.Kind)
}

// Diff finds the boxes whose verdict differs between the two engines. For each article and material, it yields one
// change for every way in which a code changes, such as from BOX_3100 to BOX_3105. The example in the change is the
// box with the roundest numbers. If no verdict differs, it yields one change that says that all verdicts are
// identical. Newly rejected boxes come first, then newly accepted ones, then changed codes. Articles and materials
// come in the order of the old catalogue, followed by the articles and materials that only the new catalogue contains.
// The changes of an article in a material are yielded as soon as that pair has been compared.
//
// Like [Lint], Diff does only a limited amount of work. Dimensions are compared as numbers, so both engines must have
// the same unit. If one engine allows fewer decimals than the other, Diff looks only at the boxes that both engines
// allow. The sequence panics if an engine is nil.
func Diff(before, after *boxrules.Engine) iter.Seq[Change] {
	return diffWithin(maxWork, before, after)
}

// diffWithin is like [Diff], but does at most the given amount of work.
func diffWithin(work int, before, after *boxrules.Engine) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		enginesFor := func(string) (*boxrules.Engine, *boxrules.Engine, error) { return before, after, nil }
		for c := range diffProducts(work, before.Catalogue(), after.Catalogue(), enginesFor) { // enginesFor returns no error
			if !yield(c) {
				return
			}
		}
	}
}

// Files holds the rules and limits of one side of a comparison (see [DiffFiles]).
type Files struct {
	Rules     *boxrules.RuleSet
	Catalogue *limits.Catalogue
}

// articlesAtOnce is the number of articles that DiffFiles compiles together.
const articlesAtOnce = 100

// DiffFiles yields the same changes as [Diff], but needs less memory, because it compiles the rules for only
// a few articles at a time. Compiling two whole catalogues of 1,000 articles in 10 materials takes 200 MB. If
// [boxrules.New] does not accept the files, DiffFiles yields the error of New and stops. It panics if a Catalogue is nil.
func DiffFiles(before, after Files) iter.Seq2[Change, error] {
	articles := before.Catalogue.Articles()
	from, to := (*boxrules.Engine)(nil), (*boxrules.Engine)(nil)
	compiled := make(map[string]bool) // the articles in from and to
	return diffProducts(maxWork, before.Catalogue, after.Catalogue, func(article string) (*boxrules.Engine, *boxrules.Engine, error) {
		if compiled[article] {
			return from, to, nil
		}
		clear(compiled)
		next := slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == article })
		var codes []string
		for _, a := range articles[next:min(next+articlesAtOnce, len(articles))] {
			codes, compiled[a.Code] = append(codes, a.Code), true
		}
		var err error
		if from, err = boxrules.New(before.Rules, before.Catalogue.Only(codes...)); err == nil {
			to, err = boxrules.New(after.Rules, after.Catalogue.Only(codes...))
		}
		return from, to, err
	})
}

// diffProducts compares the rules for every article and material in the catalogues, with at most the given
// amount of work. enginesFor returns the old and the new engine for an article. The new engine need not
// contain the article. diffProducts calls enginesFor for the articles of the old catalogue in order. If
// enginesFor returns an error, diffProducts yields it and stops.
func diffProducts(work int, before, after *limits.Catalogue,
	enginesFor func(article string) (before, after *boxrules.Engine, err error),
) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		budget := polytope.NewBudget(work)
		products := productsOf(before)
		known := make(map[product]bool, len(products))
		for i, product := range products {
			known[product] = true
			from, to, err := enginesFor(product.article)
			if err != nil {
				yield(Change{}, err)
				return
			}
			changes := []Change{{Kind: OnlyBefore}}
			share := budget.Share(len(products) - i)
			if q := product.space(to, &share); q != nil {
				p := product.space(from, &share)
				// Look only at boxes that customers can ask for both before and after the change.
				p.search.Step = max(p.search.Step, q.search.Step)
				changes = diffSpaces(p, q)
			}
			for _, c := range changes {
				c.Article, c.Material = product.article, product.material
				if !yield(c, nil) {
					return
				}
			}
		}
		for _, product := range productsOf(after) {
			if !known[product] && !yield(Change{Article: product.article, Material: product.material, Kind: OnlyAfter}, nil) {
				return
			}
		}
	}
}

// diffSpaces compares the rules of one article in one material. For every pair of different codes it looks
// for a box that gets the first code before the change and the second code after it. The empty code of a
// valid box is one of the codes. With two rules, there are three codes and up to six pairs.
func diffSpaces(before, after *space) []Change {
	identical := []Change{{Kind: Identical}}
	if before.equal(after) {
		return identical
	}
	var changes []Change
search:
	for _, i := range before.outcomes() {
		// For most codes, nothing changes. One search is enough to prove that: it finds no box that gets this
		// code before the change and a different one after it.
		from, changed := before.codes[i], exact.AllOf()
		if j := slices.Index(after.codes, from); j >= 0 {
			before.search.Budget.Spend(foldingCost * j)
			changed = exact.Not(exact.AllOf(after.boxesReporting(j)...))
		}
		if before.findBox(append(before.boxesReporting(i), changed)...) == polytope.Nothing {
			continue
		}
		// There are boxes whose code changes, or it is undecided whether there are any. Find out which codes they get.
		for _, j := range after.outcomes() {
			to := after.codes[j]
			if to == from {
				continue
			}
			if before.search.Budget.Spent() {
				changes = append(changes, Change{Kind: UndecidedChange})
				break search
			}
			change := Change{Kind: CodeChanged, From: from, To: to}
			if from == "" {
				change.Kind = NewlyRejected
			} else if to == "" {
				change.Kind = NewlyAccepted
			}
			// A box is evidence only if both engines confirm its code.
			switch at, answer := before.roundest(append(before.boxesReporting(i), after.boxesReporting(j)...)...); {
			case answer == polytope.Nothing:
				continue
			case answer == polytope.Something && before.confirmsReported(at, from) && after.confirmsReported(at, to):
				change.Witness = witnessDims(at)
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
