package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A claim says that a sheet holds the blank of a box, or that it does not.
//
// Whether several claims can all be true depends on the formulas of the articles that have no blank
// in the frame. Such a formula was chosen because of the answers. Take the rows 3 and 8, which
// contradict each other with the formula that was chosen: with another formula both may be true. So
// the rows of a contradiction are looked for among the claims, over all combinations of formulas,
// and not among what the chosen formulas make of the answers.
type claim struct {
	state.Observation // At is the box if there is a profile, else the size of its blank
	fits              bool
	sheet             *state.Sheet
	profile           *profile // of an article whose formula was chosen, else nil
}

// size returns the size of the blank with these formulas.
func (c claim) size(formulas map[*article]*candidate) exact.Point {
	if c.profile == nil {
		return c.At
	}
	return formulas[c.profile.article].byMaterial[c.profile.material].knownSize(c.At, c.fits)
}

// claims returns the claims about the sheets that a chosen formula has to do with, from the oldest
// to the newest.
func (l *Learner) claims() (all []claim) {
	add := func(s *state.Set, sheet *state.Sheet, p *profile) {
		for _, o := range s.Contained {
			all = append(all, claim{o, true, sheet, p})
		}
		for _, o := range s.Excluded {
			all = append(all, claim{o, false, sheet, p})
		}
	}
	for _, s := range l.sheetsWithFormulas() {
		add(s.WithoutFormulas.Observations(), s, nil)
	}
	for _, p := range l.profiles {
		if p.article.chosen != nil {
			add(p.fitting.Observations(), p.sheet, p)
		}
	}
	slices.SortFunc(all, func(a, b claim) int { return state.BySeq(a.Observation, b.Observation) })
	return all
}

// chosenFormulas returns the formula of each article for which one was chosen.
func (l *Learner) chosenCandidates() map[*article]*candidate {
	formulas := make(map[*article]*candidate)
	for _, a := range l.articles {
		if a.chosen != nil {
			formulas[a] = a.chosen
		}
	}
	return formulas
}

// adopt gives some articles a formula, or takes it away if the formula is nil. What is known of
// their sheets is computed again, from all answers in their order.
func (l *Learner) adopt(formulas map[*article]*candidate) {
	for a, c := range formulas {
		a.chosen, a.Blank, a.confirmingRows = c, nil, nil
		if c != nil {
			a.Blank = c.formulas
		}
		for _, p := range a.profiles {
			if p.blank = nil; c != nil {
				p.blank = c.byMaterial[p.material]
			}
			if p.sheet.WithoutFormulas == nil {
				p.sheet.WithoutFormulas = p.sheet.Clone()
			}
		}
	}
	claims, candidates := l.claims(), l.chosenCandidates()
	for _, s := range l.sheetsWithFormulas() {
		s.Contained, s.Excluded = nil, nil
		for _, c := range claims {
			if c.sheet == s {
				o := c.Observation
				o.At = c.size(candidates)
				s.Observe(o, c.fits)
			}
		}
		if !slices.ContainsFunc(l.profiles, func(p *profile) bool { return p.sheet == s && p.article.chosen != nil }) {
			s.WithoutFormulas = nil
		}
	}
}

// resolve is called for a conclusion about a sheet that rests on chosen formulas. If the conclusion
// contradicts older answers, but other formulas explain all answers, or all since Options.Since,
// resolve withdraws the chosen ones and returns nothing. Otherwise it returns the fewest older
// observations that contradict the conclusion whatever the formulas are.
func (l *Learner) resolve(p *profile, at exact.Point, c conclusion, e state.Evidence) (conflict []state.Observation) {
	sheet := c.unknown.(*state.Sheet)
	if may, mayNot := sheet.MayContain(c.at); c.contains && may || !c.contains && mayNot {
		return nil
	}
	newest := claim{c.observation(e), c.contains, sheet, nil}
	if p.article.chosen != nil {
		newest.At, newest.profile = at, p
	}
	claims := append(l.claims(), newest)
	if formulas, ok := findFormulas(claims); ok {
		l.withdraw(formulas)
		return nil
	}
	isOld := func(o state.Observation) bool { return !o.Date.IsZero() && o.Date.Before(l.options.Since) }
	recent := slices.DeleteFunc(claims, func(c claim) bool { return c.Seq != e.Seq && isOld(c.Observation) })
	if formulas, ok := findFormulas(recent); ok {
		if !consistent(recent, l.chosenCandidates()) {
			for _, s := range l.withoutFormulas(nil) {
				s.DropWhere(isOld)
			}
			l.withdraw(formulas)
		}
		return nil
	}
	for _, c := range minimalConflict(recent, l.chosenCandidates()) {
		if c.Seq != e.Seq {
			conflict = append(conflict, c.Observation)
		}
	}
	return conflict
}

// withdraw takes away the chosen formulas that differ from these. New answers have to confirm
// others.
func (l *Learner) withdraw(formulas map[*article]*candidate) {
	withdrawn := make(map[*article]*candidate)
	for a, c := range formulas {
		if c != a.chosen {
			withdrawn[a] = nil
		}
	}
	l.adopt(withdrawn)
}

// observeWithoutFormulas records a conclusion about a sheet among what does not rest on a chosen formula.
// It drops there the observations that the sheet has dropped because of the conclusion.
func (l *Learner) recordFormulaFree(p *profile, at exact.Point, c conclusion, e state.Evidence, dropped [][]state.Observation) {
	sheet := c.unknown.(*state.Sheet)
	for _, s := range l.withoutFormulas(sheet) {
		for _, old := range dropped {
			s.Forget(old[0])
		}
	}
	if p.article.chosen != nil {
		p.fitting.Observe(state.Observation{At: at, Evidence: e}, c.contains)
	} else {
		sheet.WithoutFormulas.Observe(state.Observation{At: c.at, Evidence: e}, c.contains)
	}
}

// sheetsWithFormulas returns the sheets about which something is known by a chosen formula.
func (l *Learner) sheetsWithFormulas() (sheets []*state.Sheet) {
	for _, u := range l.unknowns {
		if restsOnFormula(u) {
			sheets = append(sheets, u.(*state.Sheet))
		}
	}
	return sheets
}

// withoutFormulas returns what is known without chosen formulas of a sheet, or of all sheets if it is
// nil.
func (l *Learner) withoutFormulas(sheet *state.Sheet) (all []*state.Set) {
	for _, s := range l.sheetsWithFormulas() {
		if sheet == nil || s == sheet {
			all = append(all, s.WithoutFormulas.Observations())
		}
	}
	for _, p := range l.profiles {
		if p.article.chosen != nil && (sheet == nil || p.sheet == sheet) {
			all = append(all, p.fitting.Observations())
		}
	}
	return all
}

// consistent reports whether the claims can all be true with the formulas. They can if, for each
// sheet, the smallest sheet that holds every blank that fits holds no blank that does not fit.
// Claims about articles without a formula are passed over.
func consistent(claims []claim, formulas map[*article]*candidate) bool {
	corners := make(map[*state.Sheet]exact.Point)
	for _, fits := range []bool{true, false} {
		for _, c := range claims {
			if c.fits != fits || c.profile != nil && formulas[c.profile.article] == nil {
				continue
			}
			corner, ok := corners[c.sheet]
			if !ok {
				corner = c.sheet.Smallest
			}
			size := c.size(formulas)
			if fits {
				corners[c.sheet] = state.Join(corner, size)
			}
			if fits && !state.Inside(size, c.sheet.Largest) || !fits && state.Inside(size, corner) {
				return false
			}
		}
	}
	return true
}

// findFormulas looks for formulas, one for each article that the claims are about, with which the
// claims can all be true. It tries the chosen ones first. ok is false if there are none.
func findFormulas(claims []claim) (formulas map[*article]*candidate, ok bool) {
	formulas = make(map[*article]*candidate)
	var articles []*article
	for _, c := range claims {
		if c.profile != nil && !slices.Contains(articles, c.profile.article) {
			articles = append(articles, c.profile.article)
		}
	}
	var try func(i int) bool
	try = func(i int) bool {
		if !consistent(claims, formulas) {
			return false
		}
		if i == len(articles) {
			return true
		}
		a := articles[i]
		for _, c := range append([]*candidate{a.chosen}, a.candidates...) {
			if formulas[a] = c; try(i + 1) {
				return true
			}
		}
		delete(formulas, a)
		return false
	}
	return formulas, try(0)
}

// maxMinimalConflict is the largest number of claims for which minimalConflict looks at every
// choice. The time grows as a power of it, and people do not read more rows than that.
const maxMinimalConflict = 4

// minimalConflict returns the smallest set of the claims that cannot all be true. The last claim is
// in it, because the others can all be true. If the smallest set has more than maxMinimalConflict
// claims, it returns a set from which no claim can be left out.
func minimalConflict(claims []claim, chosen map[*article]*candidate) []claim {
	last := len(claims) - 1
	for n := 1; n <= maxMinimalConflict; n++ {
		if found := conflictWithin(claims[:last], claims[last:], chosen, n); found != nil {
			slices.SortFunc(found, func(a, b claim) int { return state.BySeq(a.Observation, b.Observation) })
			return found
		}
	}
	for i := last - 1; i >= 0; i-- {
		without := slices.Delete(slices.Clone(claims), i, i+1)
		if _, ok := findFormulas(without); !ok {
			claims = without
		}
	}
	return claims
}

// conflictWithin returns at most n claims that cannot all be true and include the claims given, or
// nil if there are none.
//
// If the claims given can all be true, there are formulas and sheets with which they are. Whatever
// conflict is sought contains a claim that is wrong with these: otherwise they would show that its
// claims can all be true. So only the wrong claims need to be tried as the next one, instead of
// all.
func conflictWithin(others, given []claim, chosen map[*article]*candidate, n int) []claim {
	formulas, ok := findFormulas(given)
	if !ok {
		return given
	}
	if len(given) == n {
		return nil
	}
	for a, c := range chosen {
		if formulas[a] == nil {
			formulas[a] = c
		}
	}
	trueClaims := slices.Clone(given)
	var falseClaims []claim
	for _, c := range others {
		if extended := append(trueClaims, c); consistent(extended, formulas) {
			trueClaims = extended
		} else {
			falseClaims = append(falseClaims, c)
		}
	}
	for _, c := range falseClaims {
		if found := conflictWithin(others, append(slices.Clip(given), c), chosen, n); found != nil {
			return found
		}
	}
	return nil
}
