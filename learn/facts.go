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

const (
	// Decided means that all limit files that agree with the answers have the same value here, or give the same
	// verdicts.
	Decided State = "decided"
	// Open means that the answer about another box could narrow down what is known.
	Open State = "open"
	// Unobservable means that no answer can narrow down what is known. This is proved for all boxes whose
	// dimensions have at most as many decimals as the frame allows.
	Unobservable State = "unobservable"
	// NotLearned means that nothing can be learned until something else is known. Either the frame would have to
	// give the blank, or the fact is about a constraint whose condition mentions something that is not known yet.
	// Only an answer with the code of such a constraint shows something about it: that it is selected.
	NotLearned State = "not learned"
	// Contradicted means that the answers in Rows cannot all be right.
	Contradicted State = "contradiction"
)

// A Fact is what is known about a limit, a constraint, the blank or the size of an article, or about the sheet of a
// material. At most one of Limit, Selection, Blank and Sheet is not nil. That field shows the kind of fact:
//
//	switch {
//	case f.Limit != nil:
//		fmt.Println(f.What, f.Limit.Least, f.Limit.Greatest)
//	case f.Selection != nil:
//		fmt.Println(f.What, f.Selection.Selected)
//	}
//
// All four are nil in two cases. One is an answer that contradicts the rules or the options by itself. The other is
// the fact "size": it says that nothing can be learned about which boxes of an article fit the sheet, because the
// article's blank is not known.
type Fact struct {
	Article  string `json:"article,omitempty"`
	Material string `json:"material,omitempty"`
	// What is what the fact is about: a limit such as max_depth, the code of a constraint, "blank", "size" or
	// "sheet".
	What  string `json:"what"`
	State State  `json:"state"`
	*Limit
	*Selection
	*Sheet
	*Blank
	// Rows lists the rows of the answers from which the fact follows. A limit has fewer than two if its least or
	// greatest value is an assumption.
	Rows []int `json:"rows,omitempty"`
	// Since is the date of the answer that contradicts earlier ones, if the date is known. The service may have
	// changed by then.
	Since time.Time `json:"since,omitzero"`
	// Note may say what could have caused a contradiction, why nothing can be learned, or that a limit depends on
	// an assumption.
	Note string `json:"note,omitempty"`
}

// A Limit is what is known about a minimum or a maximum: its value is at least Least and at most Greatest. Both are
// in units.
type Limit struct {
	Least    float64 `json:"least"`
	Greatest float64 `json:"greatest"`
}

// A Selection is what is known about whether an article selects a constraint.
type Selection struct {
	// Selected is true if the article selects the constraint, false if it does not, and nil if that is not known.
	Selected *bool `json:"selected,omitempty"`
	// By is set if other constraints hide this one, so that no box can show whether the article selects it. It
	// lists the other constraints: each box within the limits that violates this constraint also violates one of
	// the others, which the service checks first. By is empty if no box within the limits violates this constraint
	// at all.
	By []boxrules.Code `json:"by,omitempty"`
}

// A Sheet is what is known about the sheet of a material. Sizes are in units, and have the longer side first.
type Sheet struct {
	Fits    *[2]float64  `json:"fits,omitempty"`    // the sheet is at least this large; nil if no blank is known to fit
	Exceeds [][2]float64 `json:"exceeds,omitempty"` // sizes that the sheet does not hold
}

// A Blank is what is known about the blank of an article for which the frame has no formulas.
type Blank struct {
	// Formula is the pair of formulas, for the width and the height, that the answers have confirmed. It is nil if
	// no pair has been confirmed.
	Formula *[2]string `json:"blank,omitempty"`
	// Left is the number of pairs of formulas that may still be right.
	Left int `json:"left,omitempty"`
}

// Evidence returns the rows as "row 3" or "rows 3, 4". If there are no rows, it returns "assumed".
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

// Value returns what is known, without the subject and the rows. Examples are "370 to 379" for a limit, "selected"
// for a constraint, "3 formulas are left" for a blank, and "at least 919 x 694, not 995 x 660 or 1041 x 602" for a
// sheet. Value returns "" if nothing is known.
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

// String returns the fact as one line, such as "tuck-end max_width is open: 370 to 379 (rows 3, 4)". For a
// contradiction, it returns the text of the error.
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

// subject names the article or the material, and what about it the fact describes.
func (f Fact) subject() string {
	return strings.TrimSpace(f.Article + f.Material + " " + f.What) // one of the two is empty
}

// A Contradiction is a Fact about answers that cannot all be true, whatever the limits are. The last of its Rows is
// the row of the new answer. The others are the older rows that it contradicts, as few as possible:
//   - none if the new answer contradicts the rules or the options,
//   - two if only two answers about a sheet together contradict the new one,
//   - more if several formulas for a blank are possible and the rows have to refute each of them,
//   - one in all other cases.
//
// If there are more than four rows, none of them can be left out, but there might be a smaller set of other rows.
type Contradiction struct{ Fact }

// Error returns the contradiction as one line, such as "sleeve max_width: rows 1, 3 cannot all be true".
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

// Facts returns what is known, in the order of the frame: for each article its limits and then its constraints in
// check order, and after all articles the sheet of each material. A call takes at most a few seconds. What Facts
// cannot prove in that time is reported as open.
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
			facts = append(facts, Fact{Article: a.Code, What: "size", State: NotLearned, Note: "its blank is not in the frame"})
		}
	}
	for _, m := range l.frame.Materials() {
		facts = append(facts, l.sheetFact(l.sheets[m.Code], m.Code))
	}
	return facts
}

// sheetName is the What of a fact about a sheet.
const sheetName = "sheet"

// contradictionOrFact returns the fact. If there are contradicting answers about the unknown, it turns the fact into a
// contradiction.
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

// isObservableLimit reports whether the answer about some box could narrow down a limit. For that, there must be a box
// that may pass all earlier tests, and that passes the test of the limit for some possible values of the limit and
// fails it for others.
//
// If boxes have few decimals, there may be no such box. If a maximum width is either 10 or 10.5, only a box whose
// width is greater than 10 and at most 10.5 can show which of the two it is. In whole millimetres, there is no such
// box.
func (l *Learner) isObservableLimit(a *article, u *state.Limit) bool {
	low := exact.Point{l.answerGrid, l.answerGrid, l.answerGrid}
	high := exact.Point{exact.MaxGrid, exact.MaxGrid, exact.MaxGrid}
	// Narrow down the boxes from low to high with each test. The box must have a chance to pass the tests before
	// the test of the limit, so it must be within the widest possible range. For the limit itself, it must not be
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

// blankFact returns what is known about the blank. The blank is decided as soon as boxes on both sides of its
// border have confirmed a formula: boxes whose blanks just fit the sheet, and boxes whose blanks just do not.
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

// sheetFactState returns how much is known about a sheet. Even if all possible sheets give the same verdicts for every
// article with a known blank, they may differ for an article whose blank is not known.
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

// isSheetFact reports whether facts about the unknown are reported as facts about a sheet.
func isSheetFact(u state.Unknown) bool { return u.Name() == sheetName }
