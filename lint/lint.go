// Package lint proves things about whole rule and limit files: what no box can be, no box can
// report and no valid box can reach, what is written and changes nothing, and for which boxes two
// versions of the files differ.
//
// Every claim comes with its evidence: a box that the engine itself confirms, or a proof over all
// boxes on the grid, or over those with as few decimals as the catalogue takes. What could not be
// settled is said to be undecided. Proofs work on [boxrules.Profile.Exact], and what they find is
// asked of [boxrules.Profile.Check].
package lint

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A FindingKind says what [Lint] found.
type FindingKind string

// The kinds of findings.
const (
	// Unsatisfiable: no box of the article is valid. Codes is a smallest set of codes that reject
	// every box within the limits together, which means every box that keeps the rules of the
	// boundary stage. Where those leave none, Codes are of the boundary stage and reject every box.
	Unsatisfiable FindingKind = "unsatisfiable"
	// Unreportable: no box reports the code first. By is a smallest set of earlier codes of
	// which one comes first wherever the condition holds within the limits; it is empty where it
	// never holds there. Witness is a box for which the condition holds and another code is reported.
	Unreportable FindingKind = "unreportable"
	// UnreachableLimit: no valid box has the dimension that the article's limit allows. Codes is
	// the code of the limit, By a smallest set of codes that keep boxes from it, Reachable the
	// farthest value that a valid box has, Witness such a box.
	UnreachableLimit FindingKind = "unreachable-limit"
	// UnenforcedLimit: a valid box goes beyond the article's limit, so that no rule enforces it,
	// alone or with others. Witness is such a box.
	UnenforcedLimit FindingKind = "unenforced-limit"
	// BlankNotPositive: a valid box with dimensions greater than zero has a blank of which a side
	// is not. Condition says which, as in "blank_width <= 0", Witness is such a box.
	BlankNotPositive FindingKind = "blank-not-positive"
	// SizeUnchecked: the article has no blank, so Codes are not checked.
	SizeUnchecked FindingKind = "size-unchecked"
	// RedundantCondition: a comparison inside a rule that could be dropped: for no box with
	// dimensions greater than zero would the rule say anything else. Article and material are
	// empty; Condition is the comparison.
	RedundantCondition FindingKind = "redundant-condition"
	// UnselectedRule: no article selects the rule, a constraint that is not a documented one.
	// Article and material are empty.
	UnselectedRule FindingKind = "unselected-rule"
	// UnusedMaterial: no article is offered in Material. Article is empty.
	UnusedMaterial FindingKind = "unused-material"
	// UnusedSheet: no article is offered in a material of Sheet. Article and material are empty.
	UnusedSheet FindingKind = "unused-sheet"
	// UnlikelyUnit: every maximum is below 100, and the unit is mm: the numbers may be centimetres
	// or inches. Article and material are empty.
	UnlikelyUnit FindingKind = "unlikely-unit"
	// Reportable: a box reports the code, Witness. Of [Witnesses] alone.
	Reportable FindingKind = "reportable"
	// Undecided: the search was given up before Question, one of the other kinds, could be settled
	// for Codes, Limit or Condition, or the engine does not confirm what it found. An empty
	// Question stands for all that was not yet asked.
	Undecided FindingKind = "undecided"
)

// A Finding tells one thing that [Lint] has found about an article in a material, about a rule, or
// about a limit file.
type Finding struct {
	// Note marks what a healthy file may have: a code whose condition never holds within the
	// limits, a size that is not checked, what is unused, a unit that is unlikely.
	Note bool `json:"note,omitempty"`
	// File, Line and Column say where it belongs, most often in the limit file: at the limit, the
	// constraint, the blank, the article, or the comparison. They are empty for limits that
	// [limits.New] made.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`

	Article   string          `json:"article,omitempty"`
	Material  string          `json:"material,omitempty"`
	Sheet     string          `json:"sheet,omitempty"`
	Kind      FindingKind     `json:"kind"`
	Codes     []boxrules.Code `json:"codes,omitempty"`
	By        []boxrules.Code `json:"by,omitempty"`
	Witness   *boxrules.Dims  `json:"witness,omitempty"`
	Limit     string          `json:"limit,omitempty"`     // such as "max_width"
	Value     *float64        `json:"value,omitempty"`     // of the limit
	Reachable *float64        `json:"reachable,omitempty"` // by a valid box, in units
	Condition string          `json:"condition,omitempty"` // a comparison
	Question  FindingKind     `json:"question,omitempty"`

	offset int // of the comparison in the rule's condition, until the finding is placed
}

// Lint looks for what is odd about the rules and limits, in every article and material: what no box
// can be, no box can report or no valid box can reach, and what is written and changes nothing.
// Every claim is proved over all boxes on the grid; what could not be settled is a finding of its
// own. The order is that of the catalogue, then of the rule file, then what there is to say of the
// limit file as a whole. The findings of an article and material come as soon as they are made.
//
// The search as a whole is bounded by a count, some seconds of work, of which every article and
// material has a share: what is open then is undecided. The sequence panics if e is nil.
func Lint(e *boxrules.Engine) iter.Seq[Finding] { return lint(e, maxWork) }

// lint does the same as [Lint] within a bound of work.
func lint(e *boxrules.Engine, work polytope.Budget) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		work := work
		trees := make(map[boxrules.Code][]exact.Tree) // of compound conditions, in different articles and materials
		var last *space
		var findings []Finding
		profiles, all := e.Profiles(), e.Rules().Rules()
		for i, p := range profiles {
			share := work.Share(len(profiles) - i + 1) // and one for the rules
			s := newSpace(p, &share)
			// An article is often the same in several materials.
			if last == nil || s.form.Article != last.form.Article || !s.same(last) ||
				!reflect.DeepEqual(s.form.Blank, last.form.Blank) {
				findings = s.lint(all)
			}
			work, last = work+share, s
			for _, f := range findings {
				f.Material = s.form.Material
				if !yield(f.placed(e)) {
					return
				}
			}
			for i, c := range s.form.Conditions {
				if c.Comparison == nil {
					trees[s.rules[i].Code] = append(trees[s.rules[i].Code], c)
				}
			}
		}
		findings = nil
		articles := e.Catalogue().Articles()
		for i, r := range all {
			if unselected(r, articles) {
				findings = append(findings, Finding{Kind: UnselectedRule, Codes: []boxrules.Code{r.Code}})
			}
			share := work.Share(len(all) - i)
			findings = append(findings, redundant(r, trees[r.Code], exact.StepOf(e.Catalogue().Decimals()), &share)...)
			work += share
		}
		for _, f := range append(findings, lintCatalogue(e.Catalogue())...) {
			if !yield(f.placed(e)) {
				return
			}
		}
	}
}

// unselected reports whether the rule is a constraint of the user's own that no article selects.
func unselected(r boxrules.Rule, articles []limits.Article) bool {
	_, documented := r.Code.Info()
	return r.Stage == boxrules.Constraint && !documented && !slices.ContainsFunc(articles, func(a limits.Article) bool {
		return slices.Contains(a.Constraints, string(r.Code))
	})
}

// unlikelyMaximum is in millimetres: a shop none of whose boxes gets so large is a rare one.
const unlikelyMaximum = 100

// lintCatalogue returns what there is to say of a limit file as a whole.
func lintCatalogue(c *limits.Catalogue) []Finding {
	offered, unlikely := make(map[string]bool), c.Unit() == "mm"
	for _, a := range c.Articles() {
		for _, code := range a.Materials {
			offered[code] = true
		}
		for _, r := range []limits.Range{a.Width, a.Depth, a.Height} {
			unlikely = unlikely && r.Max.Float64() < unlikelyMaximum
		}
	}
	var findings []Finding
	if unlikely {
		findings = append(findings, Finding{Kind: UnlikelyUnit})
	}
	printed := make(map[string]bool)
	for _, m := range c.Materials() {
		if offered[m.Code] {
			printed[m.Sheet.Code] = true
		} else {
			findings = append(findings, Finding{Kind: UnusedMaterial, Material: m.Code})
		}
	}
	for _, s := range c.Sheets() {
		if !printed[s.Code] {
			findings = append(findings, Finding{Kind: UnusedSheet, Sheet: s.Code})
		}
	}
	return findings
}

// placed returns the finding with where it belongs, and whether it is a note.
func (f Finding) placed(e *boxrules.Engine) Finding {
	at := f.position(e)
	f.File, f.Line, f.Column, f.offset = at.File, at.Line, at.Column, 0
	notes := []FindingKind{SizeUnchecked, UnusedMaterial, UnusedSheet, UnlikelyUnit}
	f.Note = slices.Contains(notes, f.Kind) || f.Kind == Unreportable && f.Witness == nil
	return f
}

// position returns where to look: articles.tray.height.max for a max_height that no valid box
// reaches, articles.tray.constraints.BOX_3105 for a code that is never reported.
func (f Finding) position(e *boxrules.Engine) source.Position {
	c := e.Catalogue()
	switch {
	case f.Kind == Reportable:
		return source.Position{}
	case f.Kind == UnlikelyUnit:
		return c.Position("unit")
	case f.Kind == UnusedSheet:
		return c.Position("sheets", f.Sheet)
	case f.Kind == UnusedMaterial:
		return c.Position("materials", f.Material)
	case f.Article == "":
		return e.Rules().PositionAt(f.Codes[0], f.offset)
	case f.Limit != "":
		end, axis, _ := strings.Cut(f.Limit, "_")
		return c.Position("articles", f.Article, axis, end)
	case f.Condition != "": // blank_width <= 0
		side, _, _ := strings.Cut(strings.TrimPrefix(f.Condition, "blank_"), " ")
		return c.Position("articles", f.Article, "blank", side)
	case len(f.Codes) == 1:
		if at := c.Position("articles", f.Article, "constraints", string(f.Codes[0])); at.Line > 0 {
			return at
		}
	}
	return c.Position("articles", f.Article)
}
