package learn

import (
	"fmt"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/state"
)

// A State says how much is known about the subject of a [Fact].
type State string

// The states.
const (
	// Decided: all limit files that agree with the answers have the same value, or give the same verdicts.
	Decided State = "decided"
	// Open: the answer for some other box could narrow it down.
	Open State = "open"
	// Unobservable: more cannot be learned. This is proved for all boxes that have no more decimals than the
	// frame allows.
	Unobservable State = "unobservable"
	// NotLearned: no answer can show it as long as the frame does not give the blank. Or it is a constraint whose
	// condition mentions something that is not known yet, so only an answer with its code shows that it is selected.
	NotLearned State = "not learned"
	// Contradicted: the answers in Rows cannot all be true.
	Contradicted State = "contradiction"
)

// A Fact says what is known about a limit, a constraint, the blank or the size of an article, or about the
// sheet of a material. At most one of Limit, Selection, Blank and Sheet is not nil, which shows what the fact
// is about:
//
//	switch {
//	case f.Limit != nil:
//		fmt.Println(f.What, f.Limit.Least, f.Limit.Greatest)
//	case f.Selection != nil:
//		fmt.Println(f.What, f.Selection.Selected)
//	}
//
// All four are nil for an answer that is contradictory by itself, and for the fact "size", which says that
// nothing can be learned about how large the boxes of an article may be, because its blank is not known.
type Fact struct {
	Article  string `json:"article,omitempty"`
	Material string `json:"material,omitempty"`
	// What is the subject of the fact: a limit such as max_depth, the code of a constraint, "blank", "size" or
	// "sheet".
	What  string `json:"what"`
	State State  `json:"state"`
	*Limit
	*Selection
	*Sheet
	*Blank
	// Rows lists the answers from which the fact follows. A limit has fewer than two if its least or greatest
	// value is an assumption.
	Rows []int `json:"rows,omitempty"`
	// Since is the date, if it is known, of the answer that contradicts earlier ones. The service may have
	// changed at that time.
	Since time.Time `json:"since,omitzero"`
	// Note says what may have caused a contradiction, why nothing is learned, or that a limit depends on an assumption.
	Note string `json:"note,omitempty"`
}

// A Limit says what is known about a minimum or a maximum: that its value is at least Least and at most Greatest,
// in units.
type Limit struct {
	Least    float64 `json:"least"`
	Greatest float64 `json:"greatest"`
}

// A Selection says whether an article selects a constraint, if that is known.
type Selection struct {
	// Selected says whether the article selects the constraint. It is nil if that is not known.
	Selected *bool `json:"selected,omitempty"`
	// By is set if no box can show whether the article selects the constraint. It lists constraints that
	// hide this one: each box within the limits that violates this constraint also violates one of them,
	// and they come first. By is empty if no box within the limits violates this constraint.
	By []boxrules.Code `json:"by,omitempty"`
}

// A Sheet says what is known about the sheet of a material. Sizes have the longer side first and are in units.
type Sheet struct {
	Fits    *[2]float64  `json:"fits,omitempty"`    // the sheet is at least this large; nil if nothing is known to fit
	Exceeds [][2]float64 `json:"exceeds,omitempty"` // sizes that the sheet does not hold
}

// A Blank says what is known about the blank of an article that has no formula in the frame.
type Blank struct {
	// Formula has the formulas for the width and for the height that were chosen and confirmed. It is nil before that.
	Formula *[2]string `json:"blank,omitempty"`
	// Left is the number of formulas that can still be chosen.
	Left int `json:"left,omitempty"`
}

// Evidence returns the rows as "row 3" or "rows 3, 4", and "assumed" if there are none.
func (f Fact) Evidence() string {
	list := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(f.Rows)), ", "), "[]")
	switch len(f.Rows) {
	case 0:
		return "assumed"
	case 1:
		return "row " + list
	}
	return "rows " + list
}

// Value returns what is known, without the name and the rows: "370 to 379" for a limit, "selected" for a
// constraint, "3 formulas are left" for a blank, "at least 919 x 694, not 995 x 660 or 1041 x 602" for a
// sheet. It is empty if nothing is known.
func (f Fact) Value() string {
	switch {
	case f.Limit != nil:
		return f.Limit.value()
	case f.Selection != nil && f.Selected != nil:
		return map[bool]string{true: "selected", false: "not selected"}[*f.Selected]
	case f.Blank != nil:
		return f.Blank.value()
	case f.Sheet != nil:
		return f.Sheet.value()
	}
	return ""
}

func (l *Limit) value() string {
	least, greatest := formatLength(exact.Grid(l.Least)), formatLength(exact.Grid(l.Greatest))
	if least == greatest {
		return least
	}
	return least + " to " + greatest
}

func (b *Blank) value() string {
	switch {
	case b.Formula != nil:
		return b.Formula[0] + " x " + b.Formula[1]
	case b.Left == 1:
		return "1 formula is left"
	case b.Left > 1:
		return fmt.Sprintf("%d formulas are left", b.Left)
	}
	return ""
}

func (s *Sheet) value() string {
	format := func(size [2]float64) string {
		return formatLength(exact.Grid(size[0])) + " x " + formatLength(exact.Grid(size[1]))
	}
	text := "nothing is known to fit"
	if s.Fits != nil {
		text = "at least " + format(*s.Fits)
	}
	for i, size := range s.Exceeds {
		text += map[bool]string{true: ", not ", false: " or "}[i == 0] + format(size)
	}
	return text
}

// String returns the fact in one line: "tuck-end max_width is open: 370 to 379 (rows 3, 4)". For a
// contradiction it returns the error text.
func (f Fact) String() string {
	if f.State == Contradicted {
		return (&Contradiction{f}).Error()
	}
	text := f.subject() + " is " + string(f.State)
	if value := f.Value(); value != "" {
		text += ": " + value
	}
	if len(f.Rows) > 0 {
		text += " (" + f.Evidence() + ")"
	}
	if f.Note != "" {
		text += ": " + f.Note
	}
	return text
}

// subject names the article or the material, and what the fact is about.
func (f Fact) subject() string {
	return strings.TrimSpace(f.Article + f.Material + " " + f.What) // one of the two is empty
}

// A Contradiction is a Fact whose answers cannot all be true, whatever the limits are. The last of its Rows
// is that of the new answer. The others are as few older ones as possible: none if the new answer contradicts
// the rules or the options, otherwise one, or two for a sheet. There can be more if several formulas for
// the blank are possible, because the rows have to refute each of them. If there are more than four rows, a
// different set of fewer rows might exist, but none of these can be left out.
type Contradiction struct{ Fact }

// Error returns the contradiction in one line: "sleeve max_width: rows 1, 3 cannot all be true".
func (c *Contradiction) Error() string {
	all := map[bool]string{true: "all "}[len(c.Rows) > 1]
	text := fmt.Sprintf("%s: %s cannot %sbe true", c.subject(), c.Evidence(), all)
	if !c.Since.IsZero() {
		text += ", since " + c.Since.Format(time.RFC3339)
	}
	if c.Note != "" {
		text += ": " + c.Note
	}
	return text
}

// Facts returns what is known, in the order of the frame: for each article its limits and then its
// constraints in check order, and after that the sheet of each material. One call does at most a few seconds
// of work. What Facts cannot prove with that work is reported as open.
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
			// If a rule applies to every article, there is nothing to learn, but an answer may contradict the rule.
			if !c.IsAlways() || l.contradictions[c].last != nil {
				facts = append(facts, l.selectionFact(a, i))
			}
		}
		// The blank remains unknown if no formulas are tried, or if none of them is right or can be confirmed.
		cannotLearnBlank := !a.triesFormulas
		if a.triesFormulas {
			f := l.blankFact(a)
			facts, cannotLearnBlank = append(facts, f), f.State == Unobservable
		}
		if l.hasSizeRule && a.Blank == nil && cannotLearnBlank {
			facts = append(facts, Fact{Article: a.Code, What: "size", State: NotLearned, Note: "its blank is not in the frame"})
		}
	}
	for _, m := range l.frame.Materials() {
		facts = append(facts, l.sheetFact(l.sheets[m.Code], m.Code))
	}
	return facts
}

// sheetName is what facts call the sheet of a material.
const sheetName = "sheet"

// contradictionOrFact returns the fact. If answers contradict each other about the unknown, it changes the fact into
// a contradiction.
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
		f.Note = fmt.Sprintf("it may be greater than %s, the greatest value that is assumed for limits", formatLength(l.maxLimit))
	}
	return l.contradictionOrFact(f, u)
}

// isObservableLimit reports whether the answer for some box could narrow down a limit. Such a box may pass all tests
// before that of the limit, and is allowed by some of the values that the limit can have and not by others.
//
// If boxes have few decimals, there may be no such box. If a maximum is 10 or 10.5, only a box with a width
// greater than 10 and at most 10.5 can tell which, and in whole millimetres there is none.
func (l *Learner) isObservableLimit(a *article, u *state.Limit) bool {
	low := exact.Point{l.answerGrid, l.answerGrid, l.answerGrid}
	high := exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid}
	// Each test narrows down the boxes to look at. A test before that of the limit must be one that the box may
	// pass, so the box must be within the widest range that is possible. For the limit itself, it must not be
	// known whether the box passes.
	for _, t := range l.limitTests {
		limit := a.rangeEnds[t.axis][t.end]
		from, to := &low[t.axis], &high[t.axis]
		switch {
		case limit == u && t.end == minimum:
			*from, *to = max(*from, u.LowerBound()), min(*to, u.UpperBound()-1)
		case limit == u:
			*from, *to = max(*from, u.LowerBound()+1), min(*to, u.UpperBound())
		case t.end == minimum:
			*from = max(*from, limit.LowerBound())
		default:
			*to = min(*to, limit.UpperBound())
		}
		if limit == u {
			break
		}
	}
	for axis := range exact.Axes {
		if roundUp(low[axis], l.answerGrid) > high[axis] {
			return false
		}
	}
	return true
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

// blankFact returns what is known about the blank: it is decided once boxes on both sides of its
// border have confirmed a formula.
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
	// A contradiction about which boxes of an article fit is reported as one about the sheet.
	var about state.Unknown = s
	for _, p := range l.profiles {
		if p.sheet == s && p.blank == nil && l.contradictions[p.fitting].last != nil {
			about = p.fitting
		}
	}
	return l.contradictionOrFact(f, about)
}

// sheetFactState returns how much is known about a sheet. Two sheets that give the same verdicts for every
// article with a blank may still differ for an article whose blank is not known.
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

// isSheetFact reports whether facts about the unknown are reported as facts about the sheet of a material.
func isSheetFact(u state.Unknown) bool { return u.Name() == sheetName }
