package learn

import (
	"fmt"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
)

// A State says how much is known about what a [Fact] describes.
type State string

const (
	// Decided means that nothing is left to learn: all limit files that agree with the answers have the same value, or
	// at least lead to the same verdicts.
	Decided State = "decided"
	// Open means that the answer about another box could narrow down what is known.
	Open State = "open"
	// Unobservable means that no answer can narrow down what is known. This is proved for all boxes whose
	// dimensions have at most as many decimals as the frame allows.
	Unobservable State = "unobservable"
	// NotLearned means that nothing can be learned until something else is known. Either the frame does not define
	// the blank of an article, or the fact is about a constraint whose condition mentions something that is not
	// known yet. Only an answer with the code of such a constraint is informative: it shows that the constraint is
	// selected.
	NotLearned State = "not learned"
	// Contradicted means that the answers in Rows cannot all be right.
	Contradicted State = "contradiction"
)

// A Fact is what is known about a limit, a constraint or the blank of an article, about which boxes of an article fit
// the sheet, or about the sheet of a material. At most one of Limit, Selection, Blank and Sheet is not nil. That field
// shows the kind of fact:
//
//	switch {
//	case f.Limit != nil:
//		fmt.Println(f.What, f.Limit.Least, f.Limit.Greatest)
//	case f.Selection != nil:
//		fmt.Println(f.What, f.Selection.Selected)
//	}
//
// All four are nil if a single answer contradicts the rules or the options. They are also nil in a fact whose What is
// "size". Such a fact says that nothing can be learned about which boxes of an article fit the sheet, because the
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
	// Rows lists the rows of the answers from which the fact follows. A fact about a limit has fewer than two rows
	// if the least or the greatest value is an assumption.
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

// A Sheet is what is known about the sheet of a material. Each size is a pair of sides in the unit of the
// frame, with the longer side first.
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
// for a constraint, "3 formulas are left" for a blank, and "holds a blank of 919 x 694, does not hold one of 995 x 660
// or 1041 x 602" for a sheet. Value returns "" if nothing is known.
func (f Fact) Value() string {
	switch {
	case f.Limit != nil:
		return f.Limit.factValue()
	case f.Selection != nil && f.Selected != nil:
		return map[bool]string{true: "selected", false: "not selected"}[*f.Selected]
	case f.Blank != nil:
		return f.Blank.factValue()
	case f.Sheet != nil:
		return f.Sheet.factValue()
	}
	return ""
}

func (l *Limit) factValue() string {
	least, greatest := factLength(exact.Grid(l.Least)), factLength(exact.Grid(l.Greatest))
	if least == greatest {
		return least
	}
	return least + " to " + greatest
}

func (b *Blank) factValue() string {
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

func (s *Sheet) factValue() string {
	format := func(size [2]float64) string {
		return factLength(exact.Grid(size[0])) + " x " + factLength(exact.Grid(size[1]))
	}
	var exceeds []string
	for _, size := range s.Exceeds {
		exceeds = append(exceeds, format(size))
	}
	tooLarge := strings.Join(exceeds, " or ")
	switch {
	case s.Fits == nil && tooLarge == "":
		return "nothing is known to fit"
	case s.Fits == nil:
		return "does not hold a blank of " + tooLarge
	case tooLarge == "":
		return "holds a blank of " + format(*s.Fits)
	}
	return "holds a blank of " + format(*s.Fits) + ", does not hold one of " + tooLarge
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

// subject returns the beginning of the text of the fact: the article or the material, followed by What.
func (f Fact) subject() string {
	return strings.TrimSpace(f.Article + f.Material + " " + f.What) // one of the two is empty
}

// A Contradiction is a Fact about answers that cannot all be true, whatever the limits are. The last of its Rows is
// the row of the new answer. The rows before it are the older rows that the new answer contradicts. There are as
// few of them as possible:
//   - none if the new answer contradicts the rules or the options,
//   - two if only two answers about a sheet together contradict the new one,
//   - more if several formulas for a blank are possible and the rows have to refute each of them,
//   - one in all other cases.
//
// If there are more than four rows, none of them can be left out, but another set of rows that contradict each
// other might be smaller.
type Contradiction struct{ Fact }

// Error returns the contradiction as one line, such as "sleeve max_width: rows 1, 3 cannot both be true".
func (c *Contradiction) Error() string {
	all := "all "
	switch len(c.Rows) {
	case 1:
		all = ""
	case 2:
		all = "both "
	}
	text := fmt.Sprintf("%s: %s cannot %sbe true", c.subject(), c.Evidence(), all)
	if !c.Since.IsZero() {
		text += ", since " + c.Since.Format(time.RFC3339)
	}
	if c.Note != "" {
		text += ": " + c.Note
	}
	return text
}

// sheetName is the value of [Fact.What] in a fact about a sheet.
const sheetName = "sheet"

// isSheetFact reports whether facts about the unknown are reported as facts about a sheet.
func isSheetFact(u state.Unknown) bool { return u.Name() == sheetName }

// factLength formats a length in thousandths as a decimal: "0.5" for 500.
func factLength(x int64) string { return limits.DecimalAt(x).String() }
