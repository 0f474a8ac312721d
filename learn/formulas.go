package learn

import (
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
)

// A formulaClaim says that a sheet holds the blank of a box, or that it does not. It follows from one answer.
//
// Some articles have no blank in the frame. If the answers confirm one of the formulas that are tried, that
// formula is chosen. Whether several claims can all be true depends on the formulas. Suppose that row 3 says that
// a box of one article fits, and row 8 says that a box of another article does not, although its blank is smaller
// according to the formula that was chosen for the first article. With that formula, the rows contradict each
// other. With a different formula, the blank of row 3 may be smaller than that of row 8, and both rows may be
// true. So to find out which rows contradict each other, one has to try all combinations of formulas.
type formulaClaim struct {
	// At is the box if profile is set, and otherwise the size of its blank.
	state.Observation
	fits    bool
	sheet   *state.Sheet
	profile *profile // set if the formula of the article was chosen, because then the size depends on the formula
}

// size returns the size of the blank if the articles have these formulas.
func (f formulaClaim) size(formulas map[*article]*candidate) exact.Point {
	if f.profile == nil {
		return f.At
	}
	return formulas[f.profile.article].byMaterial[f.profile.material].knownSize(f.At, f.fits)
}

// formulaClaims returns all claims about the sheets for which restsOnFormula is true, from the oldest to the newest.
func (l *Learner) formulaClaims() (all []formulaClaim) {
	add := func(s *state.Set, sheet *state.Sheet, p *profile) {
		for _, o := range s.Contained {
			all = append(all, formulaClaim{o, true, sheet, p})
		}
		for _, o := range s.Excluded {
			all = append(all, formulaClaim{o, false, sheet, p})
		}
	}
	// Some claims about these sheets do not depend on formulas. The others are kept as boxes that fit or do not fit.
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

// adoptFormulas sets the formulas of some articles. A nil formula removes the article's current one. adoptFormulas then
// recomputes what is known about the sheets from the claims, in the order of their answers.
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
			// Until now nothing about this sheet rested on a formula. Keep that knowledge apart, so that
			// the formula can be withdrawn later.
			if p.sheet.WithoutFormulas == nil {
				p.sheet.WithoutFormulas = p.sheet.Clone()
			}
		}
	}
	claims, chosen := l.formulaClaims(), l.chosenFormulas()
	for _, s := range l.sheetsWithFormulas() {
		// Replay the claims with the new formulas.
		s.Contained, s.Excluded = nil, nil
		for _, c := range claims {
			if c.sheet == s {
				o := c.Observation
				o.At = c.size(chosen)
				s.Observe(o, c.fits)
			}
		}
		// If no article with this sheet has a chosen formula any more, nothing about the sheet rests on one.
		if !slices.ContainsFunc(l.profiles, func(p *profile) bool { return p.sheet == s && p.article.chosenCandidate != nil }) {
			s.WithoutFormulas = nil
		}
	}
}

// resolveFormulaConflict decides what is wrong if a new conclusion about a sheet contradicts what is known about the sheet with
// the chosen formulas. If some formulas explain all answers, including the new one, resolveFormulaConflict withdraws the chosen
// formulas that differ from these, and returns nil. If only the answers since Options.Since can be explained, it
// also forgets the older answers if that is necessary. Otherwise some answer is wrong: resolveFormulaConflict returns the fewest
// older observations that contradict the conclusion whatever the formulas are.
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
	// No formulas explain all answers. Leave out answers that may be out of date.
	isOld := func(o state.Observation) bool { return !o.Date.IsZero() && o.Date.Before(l.options.Since) }
	recent := slices.DeleteFunc(claims, func(c formulaClaim) bool { return c.Seq != e.Seq && isOld(c.Observation) })
	if formulas, ok := findFormulas(recent); ok {
		// If the chosen formulas explain the recent answers, Observe drops the old ones that contradict the
		// new one. If only other formulas do, drop all old ones, so that those formulas can be confirmed.
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

// withdrawFormulas removes the chosen formulas that differ from the given ones. It does not choose the given ones
// instead: boxes on their border have to confirm them first.
func (l *Learner) withdrawFormulas(formulas map[*article]*candidate) {
	withdrawn := make(map[*article]*candidate)
	for a, c := range formulas {
		if c != a.chosenCandidate {
			withdrawn[a] = nil
		}
	}
	l.adoptFormulas(withdrawn)
}

// recordFormulaFree records a conclusion about a sheet in a form that does not depend on a chosen formula: as a
// box that fits or does not fit if the article has a chosen formula, and otherwise as the size of a blank. dropped
// lists the observations that the sheet has dropped because of the conclusion. They are dropped here as well.
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

// sheetsWithFormulas returns the sheets for which restsOnFormula is true.
func (l *Learner) sheetsWithFormulas() (sheets []*state.Sheet) {
	for _, u := range l.unknowns {
		if restsOnFormula(u) {
			sheets = append(sheets, u.(*state.Sheet))
		}
	}
	return sheets
}

// formulaFreeSets returns the sets that hold what is known about a sheet and does not depend on chosen formulas. If
// sheet is nil, it returns the sets of all sheets.
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

// formulasExplain reports whether the claims can all be true with the formulas. It ignores claims that depend on the
// formula of an article if formulas has none for the article.
//
// For each sheet, formulasExplain computes the smallest size that holds every blank that fits. If that size also holds
// a blank that does not fit, so does every larger one, and the claims cannot all be true. If the blanks 900 x 500
// and 800 x 600 fit, for example, the sheet is at least 900 x 600, so a blank of 850 x 550 has to fit.
func formulasExplain(claims []formulaClaim, formulas map[*article]*candidate) bool {
	// In the first round, the corners grow until they hold all blanks that fit. The second round compares the
	// other blanks with the corners.
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

// findFormulas looks for formulas with which the claims can all be true: one for each article whose formula was
// chosen. It tries the chosen formulas first. ok is false if there are no such formulas.
func findFormulas(claims []formulaClaim) (formulas map[*article]*candidate, ok bool) {
	formulas = make(map[*article]*candidate)
	var articles []*article
	for _, c := range claims {
		if c.profile != nil && !slices.Contains(articles, c.profile.article) {
			articles = append(articles, c.profile.article)
		}
	}
	// try sets the formulas of articles[i:] (backtracking). A claim about an article counts as soon as its
	// formula is set, so most combinations are abandoned before they are complete.
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

// maxMinimalFormulaConflict is the greatest number of claims for which minimalFormulaConflict looks for a smallest set. The time
// grows exponentially with that number, and people would not read more rows anyway.
const maxMinimalFormulaConflict = 4

// minimalFormulaConflict returns a smallest set of claims that cannot all be true. It contains the last claim, because
// the others can all be true. If every such set has more than maxMinimalFormulaConflict claims, minimalFormulaConflict returns
// a set from which no claim can be left out. It need not be a smallest one.
func minimalFormulaConflict(claims []formulaClaim, chosen map[*article]*candidate) []formulaClaim {
	last := len(claims) - 1
	for n := 1; n <= maxMinimalFormulaConflict; n++ {
		if found := formulaConflictWithin(claims[:last], claims[last:], chosen, n); found != nil {
			slices.SortFunc(found, func(a, b formulaClaim) int { return state.BySeq(a.Observation, b.Observation) })
			return found
		}
	}
	// Leave out each claim without which the others still cannot all be true. Try the newest claims first, so that
	// older ones remain.
	for i := last - 1; i >= 0; i-- {
		without := slices.Delete(slices.Clone(claims), i, i+1)
		if _, ok := findFormulas(without); !ok {
			claims = without
		}
	}
	return claims
}

// formulaConflictWithin returns a set of at most n claims that contains the given ones and cannot all be true, or nil if
// there is none.
//
// If the given claims can all be true, there are formulas and sheets with which they are true. The set to find
// contains at least one claim that is false with these formulas and sheets: otherwise they would show that all of
// its claims can be true. So only the false claims have to be tried as the next member, and not all. Take 1000
// claims. If 3 of them are false with the formulas that were found, only these 3 are tried, and for each of them the
// search goes on with other formulas.
func formulaConflictWithin(others, given []formulaClaim, chosen map[*article]*candidate, n int) []formulaClaim {
	formulas, ok := findFormulas(given)
	if !ok {
		return given
	}
	if len(given) == n {
		return nil
	}
	// The given claims may not mention some articles. Any formula will do for these.
	for a, c := range chosen {
		if formulas[a] == nil {
			formulas[a] = c
		}
	}
	// The formulas are fixed now, but the sheets are not. So add the other claims one by one, if all claims added
	// so far can be true together. A claim that cannot be added is false for every sheet that the others allow.
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

// restsOnFormula reports whether the unknown is a sheet, and part of what is known about it depends on a
// formula that was chosen because of the answers.
func restsOnFormula(u state.Unknown) bool {
	s, ok := u.(*state.Sheet)
	return ok && s.WithoutFormulas != nil
}
