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

// A FindingKind says what a [Finding] claims, for example that no box gets a code.
type FindingKind string

// The kinds of findings, with the meaning of the fields that depend on the kind.
const (
	// Unsatisfiable: no box of the article is valid. The boxes within the limits are those that the boundary rules
	// accept. Codes is a minimal set of codes that together reject all of these boxes. If the boundary rules accept
	// no box, Codes is a minimal set of their codes that together reject every box.
	Unsatisfiable FindingKind = "unsatisfiable"
	// Unreportable: no box gets the code, because every box that meets the condition of its rule gets an
	// earlier code. By is a minimal set of earlier codes that together reject all such boxes within the
	// limits, and Witness is a box that meets the condition. If no box within the limits meets the condition,
	// By is empty and Witness is nil.
	Unreportable FindingKind = "unreportable"
	// UnreachableLimit: no valid box is as small, or as large, as the article's limit allows. Codes contains only the
	// code of the rule that checks the limit, and By is a minimal set of codes that together reject all boxes at the
	// limit. Reachable is the value nearest to the limit that a valid box can have, and Witness is a valid box with
	// that value.
	UnreachableLimit FindingKind = "unreachable-limit"
	// UnenforcedLimit: some valid box is beyond the article's limit, so no rule enforces the limit. Witness
	// is such a box.
	UnenforcedLimit FindingKind = "unenforced-limit"
	// BlankNotPositive: for a valid box with dimensions greater than zero, a side of the blank is zero or
	// less. Condition names the side, as in "blank_width <= 0", and Witness is such a box.
	BlankNotPositive FindingKind = "blank-not-positive"
	// SizeUnchecked: the article has no blank, so the rules whose codes are in Codes are not checked.
	SizeUnchecked FindingKind = "size-unchecked"
	// RedundantCondition: a comparison could be dropped from a rule without changing the result for any box
	// whose dimensions are greater than zero. Condition is the comparison. Article and Material are empty.
	RedundantCondition FindingKind = "redundant-condition"
	// UnselectedRule: no article selects the rule with the code in Codes, which is a user-defined constraint.
	// Article and Material are empty.
	UnselectedRule FindingKind = "unselected-rule"
	// UnusedMaterial: no article is offered in Material. Article is empty.
	UnusedMaterial FindingKind = "unused-material"
	// UnusedSheet: no article is offered in a material that uses Sheet. Article and Material are empty.
	UnusedSheet FindingKind = "unused-sheet"
	// UnusedDeclaration: the rule file declares the user-defined value Name, but no rule mentions it. Article
	// and Material are empty.
	UnusedDeclaration FindingKind = "unused-declaration"
	// UnusedValue: the limit file sets the user-defined value Name, but no formula and no rule mentions it.
	// If the value is set per material, Material is the first material that sets it. If it is set per
	// article, Article is the first article that sets it. Otherwise both are empty.
	UnusedValue FindingKind = "unused-value"
	// UnlikelyUnit: every maximum is below 100 mm, or every maximum is above 2 m. The numbers may be in one
	// of the units listed in Units instead of the unit that the file names. Article and Material are empty.
	UnlikelyUnit FindingKind = "unlikely-unit"
	// Reportable: Witness is a box that gets the code. Only [Witnesses] yields this kind.
	Reportable FindingKind = "reportable"
	// Undecided: it is not known whether there is a finding of the kind Question about Codes, Limit or
	// Condition. Either the search gave up, or the box that it found was not confirmed. If Question is empty,
	// this applies to all findings that had not been searched for yet.
	Undecided FindingKind = "undecided"
)

// A Finding is one result of [Lint] or [Witnesses]. It is about an article in a material, a rule, or a limit
// file. What the fields mean depends on the kind; see the comments of the kinds, such as [Unreportable].
type Finding struct {
	// Note is true if the finding may not be a mistake. Such findings are a code whose condition no box
	// within the limits meets, a size that is not checked, an unused material, sheet or value, and an
	// unlikely unit.
	Note bool `json:"note,omitempty"`
	// File, Line and Column are the position of what the finding is about, such as a limit, a constraint, a
	// blank, an article or a comparison. Most positions are in the limit file. The fields are empty if the
	// catalogue was made by [limits.New], and for the kind Reportable.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`

	Article   string          `json:"article,omitempty"`
	Material  string          `json:"material,omitempty"`
	Sheet     string          `json:"sheet,omitempty"`
	Name      string          `json:"name,omitempty"` // the name of a user-defined value
	Kind      FindingKind     `json:"kind"`
	Codes     []boxrules.Code `json:"codes,omitempty"`
	By        []boxrules.Code `json:"by,omitempty"`
	Witness   *boxrules.Dims  `json:"witness,omitempty"`
	Limit     string          `json:"limit,omitempty"`     // such as "max_width"
	Value     *float64        `json:"value,omitempty"`     // the value of Limit
	Reachable *float64        `json:"reachable,omitempty"` // the value nearest to the limit that a valid box reaches
	Condition string          `json:"condition,omitempty"` // a comparison
	Unit      string          `json:"unit,omitempty"`      // the unit of the lengths in Condition, if it differs from the unit of the limits
	Units     []string        `json:"units,omitempty"`     // the units that are more likely than the unit of the limits
	Question  FindingKind     `json:"question,omitempty"`

	offset int // where Condition begins in the rule's condition; 0 once the position is set
}

// String returns the finding as the sentence that boxrules lint prints, with its position if it has
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

// sentence returns the finding as a sentence, without its position, article and material.
func (f Finding) sentence() string {
	codes := codesInFinding(f.Codes)
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
		by := codesInFinding(f.By) + " comes"
		if len(f.By) > 1 {
			by = "one of " + by
		}
		return fmt.Sprintf("%s is never reported: for every box within the limits that meets its condition, such as %s, %s first",
			codes, sizeInFinding(*f.Witness), by)
	case UnreachableLimit:
		text := fmt.Sprintf("no valid box reaches %s %s: the nearest value is %s, at %s",
			f.Limit, lengthInFinding(*f.Value), lengthInFinding(*f.Reachable), sizeInFinding(*f.Witness))
		if len(f.By) > 0 {
			text += ", because of " + codesInFinding(f.By)
		}
		return text
	case UnenforcedLimit:
		return fmt.Sprintf("nothing enforces %s %s: %s is valid", f.Limit, lengthInFinding(*f.Value), sizeInFinding(*f.Witness))
	case BlankNotPositive:
		return fmt.Sprintf("the blank of a valid box has a side of 0 or less: %s for %s", f.Condition, sizeInFinding(*f.Witness))
	case Reportable:
		return codes + " is reported for " + sizeInFinding(*f.Witness)
	case SizeUnchecked:
		return codes + " is not checked: the article has no blank"
	case RedundantCondition:
		return fmt.Sprintf("%s: `%s` could be dropped: no box with dimensions greater than 0 would get a different result",
			codes, f.Condition+unitNoteInFinding(f.Unit))
	case UnselectedRule:
		return "no article selects " + codes + ": add it to the constraints of the articles that it applies to"
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
	codes := codesInFinding(f.Codes)
	switch f.Question {
	case "":
		return "undecided whether there is anything else to find: the files take too much work"
	case Reportable:
		return "undecided whether any box gets " + codes
	}
	text := fmt.Sprintf("undecided whether there is a finding of the kind %s", f.Question)
	if about := cmp.Or(f.Limit, codes, f.Condition); about != "" {
		text += " for " + about
	}
	return text
}

// unitNoteInFinding returns the note that follows a condition and names its unit, as in "depth >= 60 (in mm)". It is
// empty if the unit is empty.
func unitNoteInFinding(unit string) string {
	if unit == "" {
		return ""
	}
	return " (in " + unit + ")"
}

func codesInFinding(codes []boxrules.Code) string {
	var texts []string
	for _, code := range codes {
		texts = append(texts, string(code))
	}
	return strings.Join(texts, ", ")
}

// sizeInFinding formats dimensions for people, as in 48 x 141 x 184.
func sizeInFinding(d boxrules.Dims) string {
	return lengthInFinding(d.Width) + " x " + lengthInFinding(d.Depth) + " x " + lengthInFinding(d.Height)
}

func lengthInFinding(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// withPosition returns a copy of the finding with File, Line, Column and Note set.
func (f Finding) withPosition(e *boxrules.Engine) Finding {
	at := f.position(e)
	f.File, f.Line, f.Column, f.offset = at.File, at.Line, at.Column, 0
	notes := []FindingKind{SizeUnchecked, UnusedMaterial, UnusedSheet, UnusedDeclaration, UnusedValue, UnlikelyUnit}
	f.Note = slices.Contains(notes, f.Kind) || f.Kind == Unreportable && f.Witness == nil
	return f
}

// position returns the position of what the finding is about. For example, it is the position of
// articles.tray.height.max if no valid box reaches that maximum, and of articles.tray.constraints.BOX_3105 if
// that code is never reported.
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
