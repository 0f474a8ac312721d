package lint_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/lint"
)

// TestZ3OnValues asks z3 about everything that Lint and Diff say about codes in random files with values at all three
// levels, in any two units: which codes are reported for some box, whether a box is valid, and which codes change if a
// value gets another number. z3 gets the conditions from the generator, as formulas over reals.
func TestZ3OnValues(t *testing.T) {
	z := newProver(t, "QF_LIRA")
	undecided, changes := 0, 0
	for seed := range uint64(lab.Draws(5, 50)) {
		r := rand.New(rand.NewPCG(seed, 23))
		v := gen.NewValued(r.IntN)
		w := v.WithOtherValue(r.IntN)
		before, after := profiles.Engine(t, v.Rules(), v.Catalogue()), profiles.Engine(t, w.Rules(), w.Catalogue())
		findings, diff := slices.Collect(lint.Lint(before)), slices.Collect(lint.Diff(before, after))
		for _, p := range before.Profiles() {
			first, codes := v.SMT(p.Article(), p.Material())
			found := func(kind lint.FindingKind, code string) bool {
				return slices.ContainsFunc(findings, func(f lint.Finding) bool {
					return f.Kind == kind && f.Article == p.Article() && f.Material == p.Material() &&
						(code == "" || slices.Contains(f.Codes, boxrules.Code(code)))
				})
			}
			if found(lint.Undecided, "") {
				undecided++
				continue
			}
			for i, code := range codes {
				reported := fmt.Sprintf("(= %s %d)", first, i)
				if possible := z.possible(t, reported); possible == found(lint.Unreportable, code) && !found(lint.Unsatisfiable, "") {
					t.Errorf("%s in %s: %s is reported for some box: %v\n%v\n%s%s", p.Article(), p.Material(), code, possible, findings, v.Rules(), v.Catalogue())
				}
			}
			valid := fmt.Sprintf("(= %s %d)", first, len(codes))
			if possible := z.possible(t, valid); possible == found(lint.Unsatisfiable, "") {
				t.Errorf("%s in %s: some box is valid: %v\n%v\n%s%s", p.Article(), p.Material(), possible, findings, v.Rules(), v.Catalogue())
			}
			// Each change that Diff reports has a witness, which it has tried. Here is the converse: no box changes otherwise.
			other, _ := w.SMT(p.Article(), p.Material())
			unknown := []string{fmt.Sprintf("(not (= %s %s))", first, other)}
			index := func(code boxrules.Code) int {
				if code == "" {
					return len(codes)
				}
				return slices.Index(codes, string(code))
			}
			open := false
			for _, c := range diff {
				if c.Article != p.Article() || c.Material != p.Material() || c.Kind == lint.Identical {
					continue
				}
				open = open || c.Kind == lint.UndecidedChange
				changes++
				unknown = append(unknown, fmt.Sprintf("(not (and (= %s %d) (= %s %d)))", first, index(c.From), other, index(c.To)))
			}
			if open {
				undecided++
			} else if z.possible(t, unknown...) {
				t.Errorf("%s in %s: Diff lacks a change\n%v\n%s%s%s", p.Article(), p.Material(), diff, v.Rules(), v.Catalogue(), w.Catalogue())
			}
		}
	}
	z.log(t, fmt.Sprintf("rules with values (%d changes, %d undecided)", changes, undecided))
}
