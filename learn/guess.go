package learn

import (
	"slices"

	"example.com/boxrules/exact"
)

// A claim says that a sheet holds the blank of a box, or that it does not. Whether claims can all be
// true depends on the formulas of the articles whose blanks the frame does not have. Such a formula
// was chosen because of the answers: with another, two rows that seem to contradict each other may
// both be true. So what is said to contradict itself is looked for among the claims, and not in what
// the chosen formulas make of them.
type claim struct {
	mark  // at is the box if there is a profile, else the sides of its blank
	has   bool
	sheet *unknown
	of    *profile // of an article whose formula was chosen, else nil
}

// size returns the sides of the blank with the formulas.
func (c claim) size(formulas map[*article]*candidate) exact.Point {
	if c.of == nil {
		return c.at
	}
	return formulas[c.of.article].blanks[c.of.material].told(c.at, c.has)
}

// claims returns the claims on the sheets that a chosen formula has to do with, from the oldest to
// the newest.
func (l *Learner) claims() (all []claim) {
	take := func(u, sheet *unknown, of *profile) {
		for _, m := range u.has {
			all = append(all, claim{m, true, sheet, of})
		}
		for _, m := range u.lacks {
			all = append(all, claim{m, false, sheet, of})
		}
	}
	for _, s := range l.unknowns {
		if s.bare != nil {
			take(s.bare, s, nil)
		}
	}
	for _, p := range l.profiles {
		if p.article.chosen != nil {
			take(p.fits, p.sheet, p)
		}
	}
	slices.SortFunc(all, func(a, b claim) int { return bySeq(a.mark, b.mark) })
	return all
}

// chosen returns the formulas that were chosen.
func (l *Learner) chosen() map[*article]*candidate {
	formulas := make(map[*article]*candidate)
	for _, a := range l.articles {
		if a.chosen != nil {
			formulas[a] = a.chosen
		}
	}
	return formulas
}

// choose takes up a formula for some articles, and none for those that have nil. The sheets learn
// again, in the order of the answers.
func (l *Learner) choose(formulas map[*article]*candidate) {
	for a, c := range formulas {
		a.chosen, a.Blank, a.confirmed = c, nil, nil
		if c != nil {
			a.Blank = c.given
		}
		for _, p := range a.profiles {
			if p.blank = nil; c != nil {
				p.blank = c.blanks[p.material]
			}
			if p.sheet.bare == nil {
				p.sheet.bare = p.sheet.clone()
			}
		}
	}
	claims, all := l.claims(), l.chosen()
	for _, s := range l.unknowns {
		if s.bare == nil {
			continue
		}
		s.has, s.lacks = nil, nil
		for _, c := range claims {
			if c.sheet == s {
				m := c.mark
				m.at = c.size(all)
				s.learn(m, c.has)
			}
		}
		if !slices.ContainsFunc(l.profiles, func(p *profile) bool { return p.sheet == s && p.article.chosen != nil }) {
			s.bare = nil
		}
	}
}

// settle looks at what a fact about a sheet contradicts. If other formulas explain all answers, or all
// since Options.Since, it takes the chosen ones back. Else it returns the fewest older marks that
// contradict the fact whatever the formulas are.
func (l *Learner) settle(p *profile, at exact.Point, f fact, e evidence) (clashing []mark) {
	has, lacks := f.of.possible(f.at)
	if f.has && has || !f.has && lacks {
		return nil
	}
	newest := claim{mark{f.at, f.asked, e}, f.has, f.of, nil}
	if p.article.chosen != nil {
		newest.at, newest.of = at, p
	}
	claims := append(l.claims(), newest)
	if formulas, ok := explain(claims); ok {
		l.takeBack(formulas)
		return nil
	}
	old := func(m mark) bool { return !m.date.IsZero() && m.date.Before(l.options.Since) }
	recent := slices.DeleteFunc(claims, func(c claim) bool { return c.seq != e.seq && old(c.mark) })
	if formulas, ok := explain(recent); ok {
		if !agree(recent, l.chosen()) {
			for _, u := range l.raw(nil) {
				u.has, u.lacks = slices.DeleteFunc(u.has, old), slices.DeleteFunc(u.lacks, old)
			}
			l.takeBack(formulas)
		}
		return nil
	}
	for _, c := range fewest(recent, l.chosen()) {
		if c.seq != e.seq {
			clashing = append(clashing, c.mark)
		}
	}
	return clashing
}

// takeBack takes back the chosen formulas that differ from these. New answers have to confirm others.
func (l *Learner) takeBack(formulas map[*article]*candidate) {
	none := make(map[*article]*candidate)
	for a, c := range formulas {
		if c != a.chosen {
			none[a] = nil
		}
	}
	l.choose(none)
}

// keep adds a fact about a sheet to the facts that do not rest on a chosen formula. It drops there what
// the sheet has dropped because of the fact.
func (l *Learner) keep(p *profile, at exact.Point, f fact, e evidence, forgotten [][]mark) {
	for _, u := range l.raw(f.of) {
		for _, old := range forgotten {
			u.forget(old[0])
		}
	}
	if p.article.chosen != nil {
		p.fits.learn(mark{at, 0, e}, f.has)
	} else {
		f.of.bare.learn(mark{f.at, 0, e}, f.has)
	}
}

// raw returns what is known without formulas of a sheet for which some were chosen, or of all with
// nil.
func (l *Learner) raw(s *unknown) (all []*unknown) {
	for _, u := range l.unknowns {
		if u.bare != nil && (s == nil || u == s) {
			all = append(all, u.bare)
		}
	}
	for _, p := range l.profiles {
		if p.article.chosen != nil && (s == nil || p.sheet == s) {
			all = append(all, p.fits)
		}
	}
	return all
}

// agree reports whether the claims can all be true with the formulas: whether the smallest sheets that
// hold each blank that fits are smaller than each blank that does not. It passes over the claims of
// articles without a formula.
func agree(claims []claim, formulas map[*article]*candidate) bool {
	corners := make(map[*unknown]exact.Point)
	for _, has := range []bool{true, false} {
		for _, c := range claims {
			if c.has != has || c.of != nil && formulas[c.of.article] == nil {
				continue
			}
			corner, ok := corners[c.sheet]
			if !ok {
				corner = c.sheet.from
			}
			size := c.size(formulas)
			if has {
				corners[c.sheet] = join(corner, size)
			}
			if has && !inside(size, c.sheet.to) || !has && inside(size, corner) {
				return false
			}
		}
	}
	return true
}

// explain returns formulas with which the claims can all be true, for each article that they are
// about: the chosen ones if it can be. ok is false if there are none.
func explain(claims []claim) (formulas map[*article]*candidate, ok bool) {
	formulas = make(map[*article]*candidate)
	var articles []*article
	for _, c := range claims {
		if c.of != nil && !slices.Contains(articles, c.of.article) {
			articles = append(articles, c.of.article)
		}
	}
	var try func(i int) bool
	try = func(i int) bool {
		if !agree(claims, formulas) {
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

// maxFewest is the largest number of claims for which fewest looks at every choice. The time grows as a
// power of it, and people do not read more rows than that.
const maxFewest = 4

// fewest returns the smallest set of the claims that cannot all be true. The last claim is in it, because
// the others can all be true. If the smallest set has more than maxFewest claims, it returns a set from
// which no claim can be left out.
func fewest(claims []claim, chosen map[*article]*candidate) []claim {
	last := len(claims) - 1
	for n := 1; n <= maxFewest; n++ {
		if found := among(claims[:last], claims[last:], chosen, n); found != nil {
			slices.SortFunc(found, func(a, b claim) int { return bySeq(a.mark, b.mark) })
			return found
		}
	}
	for i := last - 1; i >= 0; i-- {
		without := slices.Delete(slices.Clone(claims), i, i+1)
		if _, ok := explain(without); !ok {
			claims = without
		}
	}
	return claims
}

// among returns at most n claims, with the ones given, that cannot all be true, if there are some.
// If those given can be, formulas and sheets show it that are wrong about some of the others: one of
// these has to be among the claims that are sought.
func among(others, given []claim, chosen map[*article]*candidate, n int) []claim {
	formulas, ok := explain(given)
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
	right := slices.Clone(given)
	var wrong []claim
	for _, c := range others {
		if with := append(right, c); agree(with, formulas) {
			right = with
		} else {
			wrong = append(wrong, c)
		}
	}
	for _, c := range wrong {
		if found := among(others, append(slices.Clip(given), c), chosen, n); found != nil {
			return found
		}
	}
	return nil
}
