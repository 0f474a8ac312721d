package learn

import (
	"fmt"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
)

// Facts returns what is known about the articles and materials of the frame, which is the limit file that was passed to
// [New]. The facts are in the order of that file. For each article, its limits come first, then its constraints in
// check order, and then its blank if the blank has to be learned. The sheet of each material comes after all articles.
// A call takes at most a few seconds. What Facts cannot prove in that time is reported as open.
func (l *Learner) Facts() []Fact {
	l.remainingWork = polytope.NewBudget(maxWork)
	l.updateRuleConditions(l.articles...)
	l.adoptConfirmedCandidates()
	var facts []Fact
	for _, a := range l.articles {
		for axis := range exact.Axes {
			for end := range 2 {
				facts = append(facts, l.limitFact(a, a.rangeEnds[axis][end]))
			}
		}
		for i, c := range a.selections {
			// If a rule applies to every article, there is nothing to learn about it, but an answer may contradict
			// it.
			if !c.IsAlways() || l.contradictions[c].last != nil {
				facts = append(facts, l.selectionFact(a, i))
			}
		}
		// The blank cannot be learned if no formulas are tried, or if none of them is right or can be confirmed.
		cannotLearnBlank := !a.triesFormulas
		if a.triesFormulas {
			f := l.blankFact(a)
			facts, cannotLearnBlank = append(facts, f), f.State == Unobservable
		}
		if l.hasSizeRule && a.Blank == nil && cannotLearnBlank {
			facts = append(facts, Fact{Article: a.Code, What: "size", State: NotLearned, Note: "the frame file defines no blank for the article"})
		}
	}
	for _, m := range l.frame.Materials() {
		facts = append(facts, l.sheetFact(l.sheets[m.Code], m.Code))
	}
	return facts
}

// contradictionOrFact returns the fact unchanged, unless answers about the unknown contradict each other. In that
// case it turns the fact into a contradiction.
func (l *Learner) contradictionOrFact(f Fact, u state.Unknown) Fact {
	if c := l.contradictions[u].last; c != nil {
		f.State, f.Rows, f.Since, f.Note = c.State, c.Rows, c.Since, c.Note
	}
	return f
}

func (l *Learner) limitFact(a *article, u *state.Limit) Fact {
	known := &Limit{Least: exact.Float64At(u.LowerBound()), Greatest: exact.Float64At(u.UpperBound())}
	f := Fact{Article: a.Code, What: u.Name(), State: Open, Limit: known, Rows: u.Rows()}
	if known.Least == known.Greatest {
		f.State = Decided
	} else if !l.isObservableLimit(a, u) {
		f.State = Unobservable
	}
	if strings.HasPrefix(f.What, "max") && u.LowerBound() == l.maxLimit && len(u.Excluded) == 0 {
		f.Note = fmt.Sprintf("it may be greater than %s, the largest value that limits are assumed to have", factLength(l.maxLimit))
	}
	return l.contradictionOrFact(f, u)
}

func (l *Learner) selectionFact(a *article, i int) Fact {
	c := a.selections[i]
	f := Fact{Article: a.Code, What: c.Name(), State: Open, Selection: &Selection{}}
	if yes := c.IsSelected(); !c.IsOpen() {
		f.State, f.Selected, f.Rows = Decided, &yes, c.Rows()
	} else if a.missingValues[i] != "" {
		f.State, f.Note = Unobservable, a.missingValues[i]
	} else if a.profiles[0].conditions[i].isOpaque {
		f.State, f.Note = NotLearned, l.conditionRules[i].opaqueReason(a)
	} else if l.isHiddenConstraint(a, i) {
		f.State = Unobservable
		for _, j := range l.hidingConstraints(a, i) {
			f.By = append(f.By, boxrules.Code(a.selections[j].Name()))
		}
	}
	return l.contradictionOrFact(f, c)
}

// blankFact returns what is known about the blank of an article. The blank is decided as soon as answers have confirmed
// a formula. That takes answers about boxes whose blanks just fit the sheet according to the formula, and about boxes
// whose blanks just do not fit.
func (l *Learner) blankFact(a *article) Fact {
	_, open := l.adoptConfirmedCandidate(a)
	f := Fact{Article: a.Code, What: "blank", State: Open, Blank: &Blank{Left: len(a.consistentCandidates())}}
	switch {
	case a.confirmingRows != nil:
		f.State, f.Left, f.Rows = Decided, 0, a.confirmingRows
		f.Formula = &[2]string{a.Blank.Width.String(), a.Blank.Height.String()}
	case f.Left == 0:
		f.State, f.Note = Unobservable, "none of the formulas agrees with the answers"
	case !open:
		f.State, f.Note = Unobservable, "no answer can show it: within the limits there is no border between blanks that fit and blanks that do not"
	}
	return f
}

func (l *Learner) sheetFact(s *state.Sheet, material string) Fact {
	f := Fact{Material: material, What: sheetName, State: l.sheetFactState(s), Sheet: &Sheet{}}
	if longest, widest := s.Farthest(state.Long), s.Farthest(state.Short); longest.Seq != 0 {
		f.Fits, f.Rows = sizeInUnits(exact.Point{longest.At[state.Long], widest.At[state.Short]}), []int{longest.Row}
		if widest.Row != longest.Row {
			f.Rows = append(f.Rows, widest.Row)
		}
	}
	for _, e := range s.SmallestExcluded() {
		f.Exceeds, f.Rows = append(f.Exceeds, *sizeInUnits(e.At)), append(f.Rows, e.Row)
	}
	// Report a contradiction about which boxes of an article fit as a contradiction about the sheet.
	var about state.Unknown = s
	for _, p := range l.profiles {
		if p.sheet == s && p.blank == nil && l.contradictions[p.fitting].last != nil {
			about = p.fitting
		}
	}
	return l.contradictionOrFact(f, about)
}

// sheetFactState returns how much is known about a sheet. Even if all possible sheets lead to the same verdicts for
// every article with a known blank, they may differ for an article whose blank is not known.
func (l *Learner) sheetFactState(s *state.Sheet) State {
	anyBlankKnown, allBlanksKnown := false, true
	for _, p := range l.profiles {
		if p.sheet != s || !l.hasSizeRule {
			continue
		}
		if p.blank == nil {
			allBlanksKnown = false
			continue
		}
		anyBlankKnown = true
		if _, answer := l.findBox(p, l.answerGrid, p.informativeRegions()...); answer != polytope.Nothing {
			return Open
		}
	}
	if !anyBlankKnown || !allBlanksKnown && !state.Inside(s.UpperCorner(), s.Corner()) {
		return Unobservable
	}
	return Decided
}

func sizeInUnits(size exact.Point) *[2]float64 {
	return &[2]float64{exact.Float64At(size[state.Long]), exact.Float64At(size[state.Short])}
}
