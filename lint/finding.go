package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/source"
)

// A FindingKind says what [Lint] found.
type FindingKind string

// The kinds of findings.
const (
	// Unsatisfiable: no box of the article is valid. Codes is a smallest set of codes that together
	// reject every box within the limits, which means every box that the boundary rules accept. If
	// the boundary rules accept none, Codes are theirs and reject every box.
	Unsatisfiable FindingKind = "unsatisfiable"
	// Unreportable: no box reports the code, because for each box that meets its condition another
	// code comes first. By is a smallest set of such earlier codes that is enough for all boxes
	// within the limits, and Witness a box that meets the condition. If no box within the limits
	// meets it, By is empty and Witness is nil.
	Unreportable FindingKind = "unreportable"
	// UnreachableLimit: no valid box is as small, or as large, as the article's limit allows. Codes
	// is the code of the limit, By a smallest set of codes that keep boxes away from it, Reachable
	// the farthest value of a valid box, and Witness such a box.
	UnreachableLimit FindingKind = "unreachable-limit"
	// UnenforcedLimit: a valid box goes beyond the article's limit, so the rules do not enforce it,
	// alone or together. Witness is such a box.
	UnenforcedLimit FindingKind = "unenforced-limit"
	// BlankNotPositive: a valid box with dimensions greater than zero has a blank with a side of
	// zero or less. Condition names the side, as in "blank_width <= 0", and Witness is such a box.
	BlankNotPositive FindingKind = "blank-not-positive"
	// SizeUnchecked: the article has no blank, so Codes are not checked.
	SizeUnchecked FindingKind = "size-unchecked"
	// RedundantCondition: a comparison could be dropped from a rule without changing the result for
	// any box with dimensions greater than zero. Condition is the comparison. Article and Material
	// are empty.
	RedundantCondition FindingKind = "redundant-condition"
	// UnselectedRule: no article selects the rule, which is a constraint of the user's own. Article
	// and Material are empty.
	UnselectedRule FindingKind = "unselected-rule"
	// UnusedMaterial: no article is offered in Material. Article is empty.
	UnusedMaterial FindingKind = "unused-material"
	// UnusedSheet: no article is offered in a material of Sheet. Article and Material are empty.
	UnusedSheet FindingKind = "unused-sheet"
	// UnusedDeclaration: the rule file declares the value with Name, and no rule mentions it. Article and
	// Material are empty.
	UnusedDeclaration FindingKind = "unused-declaration"
	// UnusedValue: no formula and no rule mentions the value with Name, which is the user's own. If it is given by
	// material, or by article, Material or Article is the first one that gives it, and the other is
	// empty.
	UnusedValue FindingKind = "unused-value"
	// UnlikelyUnit: every maximum is below 100 mm, or every one is above 2 m, so the numbers may be in one of Units
	// instead. Article and Material are empty.
	UnlikelyUnit FindingKind = "unlikely-unit"
	// Reportable: Witness is a box that reports the code. Only [Witnesses] yields this kind.
	Reportable FindingKind = "reportable"
	// Undecided: the search was given up before Question, one of the other kinds, was settled for
	// Codes, Limit or Condition, or the engine did not confirm what it found. An empty Question
	// means every question that had not been asked yet.
	Undecided FindingKind = "undecided"
)

// A Finding is one thing that [Lint] or [Witnesses] has found about an article in a material, a
// rule, or a limit file. Kind says which of the other fields are set.
type Finding struct {
	// Note is true for what a healthy file may have: a code whose condition no box within the limits
	// meets, a size that is not checked, an unused material, sheet or value, an unlikely unit.
	Note bool `json:"note,omitempty"`
	// File, Line and Column say where to look, mostly in the limit file: at the limit, the
	// constraint, the blank, the article, or the comparison. They are empty if the catalogue was
	// made by [limits.New].
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`

	Article   string          `json:"article,omitempty"`
	Material  string          `json:"material,omitempty"`
	Sheet     string          `json:"sheet,omitempty"`
	Name      string          `json:"name,omitempty"` // of a user-defined value
	Kind      FindingKind     `json:"kind"`
	Codes     []boxrules.Code `json:"codes,omitempty"`
	By        []boxrules.Code `json:"by,omitempty"`
	Witness   *boxrules.Dims  `json:"witness,omitempty"`
	Limit     string          `json:"limit,omitempty"`     // such as "max_width"
	Value     *float64        `json:"value,omitempty"`     // of the limit
	Reachable *float64        `json:"reachable,omitempty"` // the farthest value of a valid box
	Condition string          `json:"condition,omitempty"` // a comparison
	Unit      string          `json:"unit,omitempty"`      // of the lengths in Condition, if it is not that of the limits
	Units     []string        `json:"units,omitempty"`     // that are more likely
	Question  FindingKind     `json:"question,omitempty"`

	offset int // where the comparison begins in the rule's condition; 0 once the finding is placed
}

// String returns the finding as the sentence that boxrules lint prints, with its place if it has
// one: "limits.yaml:14:29: tray in board: nothing enforces max_width 400: 410 x 100 x 100 is valid".
func (f Finding) String() string {
	text := f.sentence()
	if f.Article != "" && f.Kind != UnusedValue {
		text = f.Article + " in " + f.Material + ": " + text
	}
	if f.Note {
		text = "note: " + text
	}
	if f.File != "" {
		text = source.Position{File: f.File, Line: f.Line, Column: f.Column}.String() + ": " + text
	}
	return text
}

// sentence returns the finding without its place, article and material.
func (f Finding) sentence() string {
	codes := joinCodes(f.Codes)
	switch f.Kind {
	case Unsatisfiable:
		reject := " rejects"
		if len(f.Codes) > 1 {
			reject = " together reject"
		}
		return "no box is valid: " + codes + reject + " every box that the boundary rules accept"
	case Unreportable:
		if f.Witness == nil {
			return codes + " is never reported: no box within the limits meets its condition"
		}
		by := joinCodes(f.By) + " comes"
		if len(f.By) > 1 {
			by = "one of " + by
		}
		return fmt.Sprintf("%s is never reported: for every box within the limits that meets its condition, such as %s, %s first",
			codes, sizeText(*f.Witness), by)
	case UnreachableLimit:
		text := fmt.Sprintf("no valid box reaches %s %s: the farthest is %s, at %s",
			f.Limit, numberText(*f.Value), numberText(*f.Reachable), sizeText(*f.Witness))
		if len(f.By) > 0 {
			text += ", because of " + joinCodes(f.By)
		}
		return text
	case UnenforcedLimit:
		return fmt.Sprintf("nothing enforces %s %s: %s is valid", f.Limit, numberText(*f.Value), sizeText(*f.Witness))
	case BlankNotPositive:
		return fmt.Sprintf("the blank of a valid box has a side of 0 or less: %s for %s", f.Condition, sizeText(*f.Witness))
	case Reportable:
		return codes + " is reported for " + sizeText(*f.Witness)
	case SizeUnchecked:
		return codes + " is not checked: the article has no blank"
	case RedundantCondition:
		return fmt.Sprintf("%s: `%s` could be dropped: no box with dimensions greater than 0 would get another result",
			codes, f.Condition+inUnit(f.Unit))
	case UnselectedRule:
		return "no article selects " + codes + ": add it to the constraints of the articles that it is for"
	case UnusedMaterial:
		return "no article is offered in the material " + f.Material
	case UnusedSheet:
		return "no article is offered in a material of the sheet " + f.Sheet
	case UnusedValue:
		return "no formula and no rule uses the value " + f.Name
	case UnusedDeclaration:
		return "no rule uses the value " + f.Name
	case UnlikelyUnit:
		return "every maximum is below 100 mm or above 2 m: is the unit " + strings.Join(f.Units, " or ") + "?"
	case Undecided:
		return f.undecidedSentence()
	}
	return string(f.Kind) + " " + codes
}

func (f Finding) undecidedSentence() string {
	codes := joinCodes(f.Codes)
	switch f.Question {
	case "":
		return "undecided whether there is anything else to find: the files take too much work"
	case Reportable:
		return "undecided whether a box reports " + codes
	}
	text := fmt.Sprintf("undecided whether there is a finding of the kind %s", f.Question)
	if about := cmp.Or(f.Limit, codes, f.Condition); about != "" {
		text += " for " + about
	}
	return text
}

// inUnit returns the end of a condition that has lengths in the unit. An empty unit is that of the limits.
func inUnit(unit string) string {
	if unit == "" {
		return ""
	}
	return " (in " + unit + ")"
}

func joinCodes(codes []boxrules.Code) string {
	var texts []string
	for _, code := range codes {
		texts = append(texts, string(code))
	}
	return strings.Join(texts, ", ")
}

// sizeText returns dimensions for people, such as 48 x 141 x 184.
func sizeText(d boxrules.Dims) string {
	return numberText(d.Width) + " x " + numberText(d.Depth) + " x " + numberText(d.Height)
}

func numberText(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// placed returns the finding with its position, and marked as a note if it is one.
func (f Finding) placed(e *boxrules.Engine) Finding {
	at := f.position(e)
	f.File, f.Line, f.Column, f.offset = at.File, at.Line, at.Column, 0
	notes := []FindingKind{SizeUnchecked, UnusedMaterial, UnusedSheet, UnusedDeclaration, UnusedValue, UnlikelyUnit}
	f.Note = slices.Contains(notes, f.Kind) || f.Kind == Unreportable && f.Witness == nil
	return f
}

// position returns where to look: articles.tray.height.max for a max_height that no valid box
// reaches, articles.tray.constraints.BOX_3105 for a code that is never reported.
func (f Finding) position(e *boxrules.Engine) source.Position {
	c := e.Catalogue()
	switch {
	case f.Kind == Reportable:
		return source.Position{}
	case f.Kind == UnlikelyUnit:
		return c.Position("unit")
	case f.Kind == UnusedDeclaration:
		return e.Rules().ValuePosition(f.Name)
	case f.Kind == UnusedValue && f.Article != "":
		return c.Position("articles", f.Article, "values", f.Name)
	case f.Kind == UnusedValue && f.Material != "":
		return c.Position("materials", f.Material, "values", f.Name)
	case f.Kind == UnusedValue:
		return c.Position("values", f.Name)
	case f.Kind == UnusedSheet:
		return c.Position("sheets", f.Sheet)
	case f.Kind == UnusedMaterial:
		return c.Position("materials", f.Material)
	case f.Article == "":
		return e.Rules().PositionAt(f.Codes[0], f.offset)
	case f.Limit != "":
		end, axis, _ := strings.Cut(f.Limit, "_")
		return c.Position("articles", f.Article, axis, end)
	case f.Condition != "": // blank_width <= 0
		side, _, _ := strings.Cut(strings.TrimPrefix(f.Condition, "blank_"), " ")
		if at := c.Position("articles", f.Article, "blank", side); at.Line > 0 {
			return at
		}
		return c.Position("articles", f.Article, "blank", "style")
	case len(f.Codes) == 1:
		if at := c.Position("articles", f.Article, "constraints", string(f.Codes[0])); at.Line > 0 {
			return at
		}
	}
	return c.Position("articles", f.Article)
}
