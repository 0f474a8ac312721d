package learn

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// Catalogue returns what was learned as a catalogue of limits. Lenient limits refuse only boxes that the service
// certainly refuses. Use them to check boxes before you send them to the service. Strict limits accept only boxes
// that the service certainly accepts. They leave out an article or a material if none of its boxes is certain to be
// accepted. When everything is decided, both kinds of limits give the same verdicts, except for articles whose
// blank is not known.
//
// If answers contradict each other, the error is a *[Contradiction]. Any other error says that nothing is certain
// yet.
func (l *Learner) Catalogue(lenient bool) (*limits.Catalogue, error) {
	l.remainingWork = polytope.NewBudget(maxWork)
	l.updateRuleConditions(l.articles...)
	l.adoptConfirmedCandidates()
	for _, u := range l.unknowns {
		if c := l.contradictions[u].last; c != nil {
			return nil, c
		}
	}
	var materials []limits.Material
	for _, m := range l.frame.Materials() {
		s := l.sheets[m.Code]
		size := s.Corner()
		if lenient {
			size = l.catalogueSheet(s)
		}
		m.Sheet = limits.Sheet{Code: s.Code, Width: limits.DecimalAt(size[state.Long]), Height: limits.DecimalAt(size[state.Short])}
		if lenient || len(s.Contained) > 0 || !l.hasSizeRule {
			materials = append(materials, m)
		}
	}
	var articles []limits.Article
	for _, a := range l.articles {
		if learned, ok := l.catalogueArticle(a, lenient, materials); ok {
			articles = append(articles, learned)
		}
	}
	materials = slices.DeleteFunc(materials, func(m limits.Material) bool {
		return !slices.ContainsFunc(articles, func(a limits.Article) bool { return slices.Contains(a.Materials, m.Code) })
	})
	if len(articles) == 0 {
		return nil, errors.New("nothing is certain yet: for every article, either no box is certain to be accepted or the blank is not known")
	}
	return l.frame.Completed(articles, materials), nil
}

// catalogueSheet returns the size of a sheet that is large enough for every blank that the service may accept.
// Usually that is the upper bound of the possible sizes. If no answer limits a side, the upper bound would be the
// longest sheet that can exist at all, so catalogueSheet chooses a more sensible length.
func (l *Learner) catalogueSheet(s *state.Sheet) exact.Point {
	if l.sheetFactState(s) == Decided {
		return s.Corner() // all sheets that are still possible give the same verdicts
	}
	size := s.UpperCorner()
	for side := range state.Sides {
		if size[side] == s.Largest[side] {
			size[side] = l.catalogueSheetSide(s, side)
		}
	}
	return size
}

// catalogueSheetSide returns a length for a side of a sheet for which the answers give no upper bound. It is the length
// of the longest blank among the boxes that may be accepted. A longer sheet would give the same verdicts. If the
// blank of an article is not known, the blank may have any length, and the result is the greatest possible length
// of a sheet.
func (l *Learner) catalogueSheetSide(s *state.Sheet, side int) int64 {
	length := s.Corner()[side]
	for _, p := range l.profiles {
		if p.sheet != s {
			continue
		}
		if p.blank == nil {
			return s.Largest[side]
		}
		// Is there a box that may be accepted and whose blank is at least x long?
		length = plan.Bisect(length, s.Largest[side], l.step, func(x int64) bool {
			_, answer := l.findBox(p, l.answerGrid, append(p.informativeRegions(), p.blank.exceedingRegion(side, x-l.step))...)
			return answer != polytope.Nothing
		})
	}
	return length
}

// catalogueArticle returns what was learned about an article. The result lists only the materials of the article
// that are also in the parameter materials. ok is false if no box of the article is certain to be accepted, so that
// the article must be left out.
func (l *Learner) catalogueArticle(a *article, lenient bool, materials []limits.Material) (learned limits.Article, ok bool) {
	learned = a.Article
	learned.Constraints = []string{}
	for axis, target := range []*limits.Range{&learned.Width, &learned.Depth, &learned.Height} {
		// The lenient range is the widest that is possible, and the strict range is the narrowest.
		low, high := a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
		if !lenient {
			low, high = a.rangeEnds[axis][minimum].UpperBound(), a.rangeEnds[axis][maximum].LowerBound()
		}
		if low > high {
			return learned, false
		}
		*target = limits.Range{Min: limits.DecimalAt(low), Max: limits.DecimalAt(high)}
	}
	// Strict limits include all constraints that may be selected, except hidden ones, which would not change any
	// verdict.
	for i, c := range a.selections {
		switch r := l.conditionRules[i]; {
		case c.IsAlways() || r.mentionsBlank && a.Blank == nil: // not a constraint, or one that a file cannot select
		case c.IsSelected() && !(lenient && !l.mentionedLimitsDecided(a, r)),
			!lenient && c.IsOpen() && (a.profiles[0].conditions[i].isOpaque || !l.isHiddenConstraint(a, i)):
			learned.Constraints = append(learned.Constraints, c.Name())
		}
	}
	if !lenient && a.Blank == nil && l.hasSizeRule {
		return learned, false // a limit file cannot list the boxes that are known to fit
	}
	learned.Materials = slices.DeleteFunc(slices.Clone(a.Materials), func(code string) bool {
		return !slices.ContainsFunc(materials, func(m limits.Material) bool { return m.Code == code })
	})
	return learned, len(learned.Materials) > 0
}

// WriteLimits writes the result of [Learner.Catalogue] as a complete limit file. Comments in the file give the rows
// from which each entry follows, such as "# rows 24, 30". WriteLimits returns the same errors as Catalogue, and an
// error if it cannot write to w.
func (l *Learner) WriteLimits(w io.Writer, lenient bool) error {
	c, err := l.Catalogue(lenient)
	if err != nil {
		return err
	}
	facts := make(map[[2]string]Fact)
	for _, f := range l.Facts() {
		facts[[2]string{f.Article + f.Material, f.What}] = f
	}
	kind := "Lenient: refuses only boxes that the service certainly refuses."
	if !lenient {
		kind = "Strict: accepts only boxes that the service certainly accepts."
	}
	answers := "answers"
	if l.answerCount == 1 {
		answers = "answer"
	}
	text := fmt.Appendf(nil, "# Learned from %d %s. Valid if the limits are multiples of %s %s, up to %s, the same in all materials, and the blanks below are right. %s\n",
		l.answerCount, answers, factLength(l.step), c.Unit(), factLength(l.maxLimit), kind)
	for _, r := range l.conditionRules {
		undecided := slices.ContainsFunc(l.articles, func(a *article) bool { return !l.mentionedLimitsDecided(a, r) })
		if undecided && (r.appliesToAll() || !lenient) {
			text = fmt.Appendf(text, "# %s mentions %s, which is not decided: with this rule the limits may %s.\n", r.Code, r.unknownName,
				map[bool]string{true: "refuse what the service accepts", false: "accept what the service refuses"}[lenient])
		}
	}
	text = c.Append(text, func(path ...string) string { return l.catalogueComment(facts, lenient, path) })
	written := c.Articles()
	for _, a := range l.frame.Articles() {
		if !slices.ContainsFunc(written, func(o limits.Article) bool { return o.Code == a.Code }) {
			text = fmt.Appendf(text, "  # %s is left out: none of its boxes is certain to be accepted.\n", a.Code)
		}
	}
	_, err = w.Write(text)
	return err
}

// catalogueComment returns the comment for an entry of the limit file, given the path of the entry, such as
// {"articles", "tray", "width"}. The comment lists the rows from which the entry follows, and says what is still
// open.
func (l *Learner) catalogueComment(facts map[[2]string]Fact, lenient bool, path []string) string {
	if len(path) == 1 || path[0] == "materials" {
		return ""
	}
	code := path[1]
	if path[0] == "sheets" {
		i := slices.IndexFunc(l.frame.Materials(), func(m limits.Material) bool { return l.sheets[m.Code].Code == code })
		m := l.frame.Materials()[i].Code
		return l.catalogueSheetComment(facts[[2]string{m, "sheet"}], l.sheets[m], lenient)
	}
	a := l.articles[slices.IndexFunc(l.articles, func(a *article) bool { return a.Code == code })]
	switch entry := strings.Join(path[2:], "."); entry {
	case "":
		if a.Blank == nil && l.hasSizeRule {
			return "the blank is not known, so a box that is too large for the sheet is not refused"
		}
	case "width", "depth", "height":
		return catalogueRangeComment(facts[[2]string{code, "min_" + entry}], facts[[2]string{code, "max_" + entry}])
	case "constraints":
		return l.catalogueSelectionComment(a, facts, lenient)
	case "blank":
		if f := facts[[2]string{code, "blank"}]; len(f.Rows) > 0 {
			return "chosen from several formulas, and confirmed on both sides of its border by " + f.Evidence()
		}
	}
	return ""
}

func catalogueRangeComment(low, high Fact) string {
	var parts []string
	for _, f := range []Fact{low, high} {
		if f.State == Open {
			parts = append(parts, f.What[:3]+" is open: "+f.Value()+", "+f.Evidence())
		} else if f.State == Unobservable {
			parts = append(parts, f.What[:3]+" cannot be determined by any box: "+f.Value()+", "+f.Evidence())
		} else if parts = append(parts, f.Evidence()); f.Note != "" {
			parts = append(parts, f.Note)
		}
	}
	return strings.Join(parts, "; ")
}

func (l *Learner) catalogueSelectionComment(a *article, facts map[[2]string]Fact, lenient bool) string {
	var rows []int
	var open, hidden, leftOut []string
	for i, c := range a.selections {
		switch f, r := facts[[2]string{a.Code, c.Name()}], l.conditionRules[i]; {
		case c.IsAlways():
		case lenient && c.IsSelected() && !l.mentionedLimitsDecided(a, r):
			leftOut = append(leftOut, fmt.Sprintf("%s is left out until %s is decided, %s", c.Name(), r.unknownName, f.Evidence()))
		case f.State == Open, f.State == NotLearned:
			open = append(open, c.Name())
		case f.State == Unobservable:
			hidden = append(hidden, c.Name())
		case *f.Selected:
			rows = append(rows, f.Rows...)
		}
	}
	var parts []string
	if len(rows) > 0 {
		parts = append(parts, Fact{Rows: rows}.Evidence())
	}
	if len(open) > 0 {
		parts = append(parts, "open: "+strings.Join(open, ", "))
	}
	if len(hidden) > 0 {
		parts = append(parts, "cannot be determined by any box: "+strings.Join(hidden, ", "))
	}
	return strings.Join(append(parts, leftOut...), "; ")
}

func (l *Learner) catalogueSheetComment(f Fact, s *state.Sheet, lenient bool) string {
	if f.State == Decided {
		if s.Corner() == s.UpperCorner() {
			return f.Evidence()
		}
		return f.Evidence() + "; at least this size: learn again before you add articles"
	}
	text := "no blank is known"
	if f.State != Unobservable || f.Rows != nil {
		text = f.Evidence() + ", " + string(f.State) + ": " + f.Value()
	}
	if size := s.UpperCorner(); !lenient || size[state.Long] < s.Largest[state.Long] {
		return text
	}
	if slices.ContainsFunc(l.profiles, func(p *profile) bool { return p.sheet == s && p.blank == nil }) {
		return text + "; no answer limits its longer side, and a blank is not known, so this is the largest possible size"
	}
	return text + "; no answer limits its longer side, so this is the size of the largest blank that the limits allow and the service may accept"
}
