package lint

import (
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/source"
)

// placed returns the finding with where it belongs, and whether it is a note.
func (f Finding) placed(e *boxrules.Engine) Finding {
	at := f.position(e)
	f.File, f.Line, f.Column, f.offset = at.File, at.Line, at.Column, 0
	notes := []FindingKind{SizeUnchecked, UnusedMaterial, UnusedSheet, UnlikelyUnit}
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
		return c.Position("articles", f.Article, "blank", side)
	case len(f.Codes) == 1:
		if at := c.Position("articles", f.Article, "constraints", string(f.Codes[0])); at.Line > 0 {
			return at
		}
	}
	return c.Position("articles", f.Article)
}
