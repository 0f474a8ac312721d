package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A formulaClaim is a statement that follows from a single answer: that a sheet holds the blank of a box, or that the
// sheet does not hold it.
//
// For articles that have no blank in the frame, the learner tries formulas. If the answers confirm one of them, it is
// chosen. But a chosen formula may turn out to be wrong, and whether several claims can all be true depends on the
// formulas. Suppose that a box of one article fits (row 3), and a box of another article does not (row 8). According to
// the formula that was chosen for the first article, the box in row 3 has the larger blank, so the rows contradict each
// other. With a different formula, it may have the smaller blank, and both rows may be true. So to find out which rows
// contradict each other, the learner has to try all combinations of formulas.
type formulaClaim struct {
	// At is the box if profile is not nil, and otherwise the size of the box's blank.
	state.Observation
	fits    bool
	sheet   *state.Sheet
	profile *profile // not nil if the article has a chosen formula, on which the size of the blank depends
}

// size returns the size of the blank, given the formulas of the articles.
func (f formulaClaim) size(formulas map[*article]*candidate) exact.Point {
	if f.profile == nil {
		return f.At
	}
	return formulas[f.profile.article].byMaterial[f.profile.material].knownSize(f.At, f.fits)
}

// formulaClaims returns all claims about the sheets for which dependsOnFormula is true, the oldest first.
func (l *Learner) formulaClaims() (all []formulaClaim) {
	add := func(s *state.Set, sheet *state.Sheet, p *profile) {
		for _, o := range s.Contained {
			all = append(all, formulaClaim{o, true, sheet, p})
		}
		for _, o := range s.Excluded {
			all = append(all, formulaClaim{o, false, sheet, p})
		}
	}
	// First add the claims that do not depend on formulas. The claims that do are stored as boxes that fit or do
	// not fit.
	for _, s := range l.sheetsWithFormulas() {
		add(s.WithoutFormulas.Observations(), s, nil)
	}
	for _, p := range l.profiles {
		if p.article.chosenCandidate != nil {
			add(p.fitting.Observations(), p.sheet, p)
		}
	}
	slices.SortFunc(all, func(a, b formulaClaim) int { return state.BySeq(a.Observation, b.Observation) })
	return all
}

// chosenFormulas returns the chosen formula of each article that has one.
func (l *Learner) chosenFormulas() map[*article]*candidate {
	formulas := make(map[*article]*candidate)
	for _, a := range l.articles {
		if a.chosenCandidate != nil {
			formulas[a] = a.chosenCandidate
		}
	}
	return formulas
}

// adoptFormulas sets the formulas of some articles. If the formula of an article is nil, it removes the formula that
// was chosen for the article. Then it goes through the claims in the order of their answers, and recomputes what is
// known about the sheets.
func (l *Learner) adoptFormulas(formulas map[*article]*candidate) {
	for a, c := range formulas {
		a.chosenCandidate, a.Blank, a.confirmingRows = c, nil, nil
		if c != nil {
			a.Blank = c.formulas
		}
		for _, p := range a.profiles {
			if p.blank = nil; c != nil {
				p.blank = c.byMaterial[p.material]
			}
			// So far, nothing that is known about this sheet depends on a formula. Keep a copy, so that the formula
			// can be withdrawn later.
			if p.sheet.WithoutFormulas == nil {
				p.sheet.WithoutFormulas = p.sheet.Clone()
			}
		}
	}
	claims, chosen := l.formulaClaims(), l.chosenFormulas()
	for _, s := range l.sheetsWithFormulas() {
		// Observe the claims again with the new formulas.
		s.Contained, s.Excluded = nil, nil
		for _, c := range claims {
			if c.sheet == s {
				o := c.Observation
				o.At = c.size(chosen)
				s.Observe(o, c.fits)
			}
		}
		// If no article with this sheet has a chosen formula any more, no copy is needed.
		if !slices.ContainsFunc(l.profiles, func(p *profile) bool { return p.sheet == s && p.article.chosenCandidate != nil }) {
			s.WithoutFormulas = nil
		}
	}
}

// resolveFormulaConflict is called with a new conclusion about a sheet. If the conclusion contradicts what is known
// about the sheet, resolveFormulaConflict finds out what is wrong. If all answers, including the new one, can be true
// with formulas other than the chosen ones, a formula was wrong: resolveFormulaConflict withdraws the chosen formulas
// that differ from these, and returns nil. If only the answers since Options.Since can all be true, it also forgets
// older answers as necessary. In all other cases an answer is wrong, and resolveFormulaConflict returns as few older
// observations as possible that contradict the conclusion whatever the formulas are.
func (l *Learner) resolveFormulaConflict(p *profile, at exact.Point, c conclusion, e state.Evidence) (conflict []state.Observation) {
	sheet := c.unknown.(*state.Sheet)
	if may, mayNot := sheet.MayContain(c.at); c.contains && may || !c.contains && mayNot {
		return nil // no contradiction
	}
	newest := formulaClaim{c.observation(e), c.contains, sheet, nil}
	if p.article.chosenCandidate != nil {
		newest.At, newest.profile = at, p
	}
	claims := append(l.formulaClaims(), newest)
	if formulas, ok := findFormulas(claims); ok {
		l.withdrawFormulas(formulas)
		return nil
	}
	// No formulas agree with all answers. Leave out the answers that may be out of date.
	isOld := func(o state.Observation) bool { return !o.Date.IsZero() && o.Date.Before(l.options.Since) }
	recent := slices.DeleteFunc(claims, func(c formulaClaim) bool { return c.Seq != e.Seq && isOld(c.Observation) })
	if formulas, ok := findFormulas(recent); ok {
		// If the chosen formulas agree with the recent answers, Observe will drop the old answers that contradict
		// the new one. If only other formulas agree with the recent answers, drop all old answers, so that these
		// formulas can be confirmed.
		if !formulasExplain(recent, l.chosenFormulas()) {
			for _, s := range l.formulaFreeSets(nil) {
				s.DropWhere(isOld)
			}
			l.withdrawFormulas(formulas)
		}
		return nil
	}
	for _, c := range minimalFormulaConflict(recent, l.chosenFormulas()) {
		if c.Seq != e.Seq {
			conflict = append(conflict, c.Observation)
		}
	}
	return conflict
}

// withdrawFormulas removes the chosen formula of each article for which formulas has a different one. It does not choose
// the new formula instead, because that formula must first be confirmed by boxes on its border.
func (l *Learner) withdrawFormulas(formulas map[*article]*candidate) {
	withdrawn := make(map[*article]*candidate)
	for a, c := range formulas {
		if c != a.chosenCandidate {
			withdrawn[a] = nil
		}
	}
	l.adoptFormulas(withdrawn)
}

// recordFormulaFree records a conclusion about a sheet in a form that does not depend on formulas. If the article
// has a chosen formula, it records that the box fits or does not fit. Otherwise it records the size of the blank.
// dropped lists the observations that the sheet has dropped because of the conclusion. recordFormulaFree drops them
// as well.
func (l *Learner) recordFormulaFree(p *profile, at exact.Point, c conclusion, e state.Evidence, dropped [][]state.Observation) {
	sheet := c.unknown.(*state.Sheet)
	for _, s := range l.formulaFreeSets(sheet) {
		for _, old := range dropped {
			s.Forget(old[0])
		}
	}
	if p.article.chosenCandidate != nil {
		p.fitting.Observe(state.Observation{At: at, Evidence: e}, c.contains)
	} else {
		sheet.WithoutFormulas.Observe(state.Observation{At: c.at, Evidence: e}, c.contains)
	}
}

// sheetsWithFormulas returns the sheets for which dependsOnFormula is true.
func (l *Learner) sheetsWithFormulas() (sheets []*state.Sheet) {
	for _, u := range l.unknowns {
		if dependsOnFormula(u) {
			sheets = append(sheets, u.(*state.Sheet))
		}
	}
	return sheets
}

// formulaFreeSets returns the sets with everything that is known about a sheet in a form that does not depend on
// formulas. If sheet is nil, it returns the sets of all sheets.
func (l *Learner) formulaFreeSets(sheet *state.Sheet) (all []*state.Set) {
	for _, s := range l.sheetsWithFormulas() {
		if sheet == nil || s == sheet {
			all = append(all, s.WithoutFormulas.Observations())
		}
	}
	for _, p := range l.profiles {
		if p.article.chosenCandidate != nil && (sheet == nil || p.sheet == sheet) {
			all = append(all, p.fitting.Observations())
		}
	}
	return all
}

// formulasExplain reports whether the claims can all be true with the given formulas. It ignores a claim that depends
// on the formula of an article for which no formula is given.
//
// For each sheet, formulasExplain computes the smallest size that holds all blanks that fit. If a sheet of that size
// also holds a blank that does not fit, so does every larger sheet, and the claims cannot all be true. For example, if
// blanks of 900 x 500 and 800 x 600 fit, the sheet is at least 900 x 600, so a blank of 850 x 550 has to fit.
func formulasExplain(claims []formulaClaim, formulas map[*article]*candidate) bool {
	// In the first round, each corner grows until the sheet holds all blanks that fit. The second round compares
	// the blanks that do not fit with the corners.
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

// findFormulas looks for formulas with which the claims can all be true: one for each article that has a chosen
// formula. It tries the chosen formulas first. ok is false if it finds no such formulas.
func findFormulas(claims []formulaClaim) (formulas map[*article]*candidate, ok bool) {
	formulas = make(map[*article]*candidate)
	var articles []*article
	for _, c := range claims {
		if c.profile != nil && !slices.Contains(articles, c.profile.article) {
			articles = append(articles, c.profile.article)
		}
	}
	// try chooses formulas for articles[i:] by backtracking. As soon as an article has a formula, the claims about
	// it are checked, so most combinations are abandoned before they are complete.
	var try func(i int) bool
	try = func(i int) bool {
		if !formulasExplain(claims, formulas) {
			return false
		}
		if i == len(articles) {
			return true
		}
		a := articles[i]
		for _, c := range append([]*candidate{a.chosenCandidate}, a.candidates...) {
			if formulas[a] = c; try(i + 1) {
				return true
			}
		}
		delete(formulas, a)
		return false
	}
	return formulas, try(0)
}

// maxConflictSize is the maximum size of the sets that minimalFormulaConflict looks for. The time grows
// exponentially with the size, and nobody would want to read more rows anyway.
const maxConflictSize = 4

// minimalFormulaConflict returns a smallest set of claims that cannot all be true. The last claim is always in it,
// because all others can be true. If every such set has more than maxConflictSize claims,
// minimalFormulaConflict returns a set from which no claim can be left out, although a smaller set may exist.
func minimalFormulaConflict(claims []formulaClaim, chosen map[*article]*candidate) []formulaClaim {
	last := len(claims) - 1
	for n := 1; n <= maxConflictSize; n++ {
		if found := formulaConflictWithin(claims[:last], claims[last:], chosen, n); found != nil {
			slices.SortFunc(found, func(a, b formulaClaim) int { return state.BySeq(a.Observation, b.Observation) })
			return found
		}
	}
	// Leave out each claim that is not needed for the others to contradict each other. Begin with the newest
	// claims, so that older ones remain.
	for i := last - 1; i >= 0; i-- {
		without := slices.Delete(slices.Clone(claims), i, i+1)
		if _, ok := findFormulas(without); !ok {
			claims = without
		}
	}
	return claims
}

// formulaConflictWithin returns at most n claims that cannot all be true, including the given ones. It returns nil if
// there is no such set.
//
// If the given claims can all be true, there are formulas and sheets with which they are true. With these formulas
// and sheets, at least one claim of the set to find is false. Otherwise they would show that all claims of the set
// can be true. So only the false claims need to be tried as the next member of the set. For example, if 3 of 1000
// claims are false with the formulas that were found, only these 3 are tried. For each of them, the search goes on
// with other formulas.
func formulaConflictWithin(others, given []formulaClaim, chosen map[*article]*candidate, n int) []formulaClaim {
	formulas, ok := findFormulas(given)
	if !ok {
		return given
	}
	if len(given) == n {
		return nil
	}
	// There may be articles that the given claims do not mention. For these, any formula will do.
	for a, c := range chosen {
		if formulas[a] == nil {
			formulas[a] = c
		}
	}
	// Now the formulas are fixed, but the sheets are not. Add the other claims one by one, as long as all of them
	// can be true together. A claim that cannot be added is false for every sheet with which the claims added so
	// far are true.
	trueClaims := slices.Clone(given)
	var falseClaims []formulaClaim
	for _, c := range others {
		if extended := append(trueClaims, c); formulasExplain(extended, formulas) {
			trueClaims = extended
		} else {
			falseClaims = append(falseClaims, c)
		}
	}
	for _, c := range falseClaims {
		if found := formulaConflictWithin(others, append(slices.Clip(given), c), chosen, n); found != nil {
			return found
		}
	}
	return nil
}

// dependsOnFormula reports whether the unknown is a sheet, and some of what is known about the sheet depends on a formula
// that was chosen because of the answers.
func dependsOnFormula(u state.Unknown) bool {
	s, ok := u.(*state.Sheet)
	return ok && s.WithoutFormulas != nil
}
