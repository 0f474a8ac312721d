// Package limits holds what the printing service does not publish: the articles with their minimums and
// maximums, constraints and blank formulas, the materials, and the sheets. They are the user's data; the
// catalogue shipped here is illustrative and stands for no real service.
package limits

import (
	_ "embed"
	"math/big"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/source"
)

// A Catalogue is a limit file as loaded: sheets, materials and articles, in the order of the file. It is
// immutable and safe for concurrent use; what its methods return belongs to the caller.
type Catalogue struct {
	name         string
	illustrative bool
	frame        bool
	decimals     int
	unit         string
	sheets       []Sheet
	materials    []Material
	articles     []Article
	positions    map[string]source.Position
}

// A Sheet is a size of printing sheet: its usable area, margins already taken off.
type Sheet struct {
	Code          string
	Width, Height Decimal // in the catalogue's unit
}

// A Material is a board that boxes are made of.
type Material struct {
	Code     string
	Caliper  Decimal // thickness, in the catalogue's unit
	GlueFlap Decimal // width of the glue flap or manufacturer's joint, in the catalogue's unit
	Sheet    Sheet   // the largest sheet that the material is printed on
	// MinSheets is the smallest number of sheets that is produced; 0 where the file does not say.
	MinSheets int
}

// An Article is a box model with the limits that apply to it.
type Article struct {
	Code                 string
	Title                string   // for people; may be empty
	Materials            []string // codes of the materials it is offered in
	Width, Depth, Height Range
	Constraints          []string // codes of the constraint rules that apply, in the order of the file
	Blank                *Blank   // nil where the file gives no formulas
}

// A Range is a minimum and a maximum of a dimension, both inclusive.
type Range struct{ Min, Max Decimal }

// A Blank gives the bounding box of the flat blank.
type Blank struct{ Width, Height Formula }

// A Formula is a linear expression over a box's dimensions and its material's caliper and glue flap.
type Formula struct {
	expression *expression.Expression
	position   func(offset int) source.Position
}

// String is the formula as written; empty for the zero [Formula], whose Value must not be called.
func (f Formula) String() string {
	if f.expression == nil {
		return ""
	}
	return f.expression.Text()
}

// Value is the formula over the dimensions, with the values that its variables have. The error is a *source.Error: numbers
// grow too large, or a divisor is zero.
func (f Formula) Value(variables map[string]exact.Variable) (exact.Variable, error) {
	value, problem := f.expression.Value(variables)
	if problem != nil {
		return value, &source.Error{Position: f.position(problem.Offset), Message: problem.Message}
	}
	return value, nil
}

// A Decimal is a decimal number exactly as it is written in the file. The zero Decimal is 0.
type Decimal struct{ text string }

// DecimalAt is a coordinate of the grid, a whole number of thousandths, as a decimal in units.
func DecimalAt(coordinate int64) Decimal {
	text := big.NewRat(coordinate, exact.Scale).FloatString(3)
	return Decimal{strings.TrimSuffix(strings.TrimRight(text, "0"), ".")}
}

// String is the number as written.
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Rat is the exact value, new at each call.
func (d Decimal) Rat() *big.Rat {
	value, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic("limits: a Decimal that is not a decimal: " + d.text)
	}
	return value
}

// Float64 is the float64 nearest to the value.
func (d Decimal) Float64() float64 {
	nearest, _ := d.Rat().Float64()
	return nearest
}

//go:embed illustrative.yaml
var illustrative []byte

// Illustrative is the catalogue that boxrules ships: realistic values under made-up article codes, to
// try things out with. They are not the limits of any service.
func Illustrative() *Catalogue { return shipped() }

var shipped = sync.OnceValue(func() *Catalogue {
	catalogue, err := Load("limits/illustrative.yaml", illustrative)
	if err != nil {
		panic(err)
	}
	return catalogue
})

// IllustrativeYAML is the text of the shipped limit file, to start one's own from.
func IllustrativeYAML() []byte { return slices.Clone(illustrative) }

// IsIllustrative reports whether the catalogue is the shipped one, wherever its file was read from: nobody has
// changed a byte of it.
func (c *Catalogue) IsIllustrative() bool { return c.illustrative }

// IsFrame reports whether the catalogue comes from [LoadFrame]: it has no limits, constraints and sheets, and no engine
// can be made of it.
func (c *Catalogue) IsFrame() bool { return c.frame }

// Decimals is how many decimals a dimension may have, 0 to 3: more are an input error, but for three, where they are rounded.
// It is 3 where the file does not say; Position("decimals") tells that.
func (c *Catalogue) Decimals() int { return c.decimals }

// Completed is a frame with what it lacks: the ranges and constraints of the articles and the sheets of the materials, each
// of the same code as the frame's. What there is no article or material for is left out, so that fewer may be given.
func (c *Catalogue) Completed(articles []Article, materials []Material) *Catalogue {
	whole := *c
	whole.frame, whole.illustrative = false, false
	whole.articles, whole.materials, whole.sheets = articles, materials, nil
	for _, m := range materials {
		if !slices.Contains(whole.sheets, m.Sheet) {
			whole.sheets = append(whole.sheets, m.Sheet)
		}
	}
	return &whole
}

// Name is the name that the catalogue was loaded under, most often the file's.
func (c *Catalogue) Name() string { return c.name }

// Unit is the unit of every length in the catalogue, and of the dimensions of boxes checked against it.
func (c *Catalogue) Unit() string { return c.unit }

// Sheets lists the sheets in the order of the file.
func (c *Catalogue) Sheets() []Sheet { return slices.Clone(c.sheets) }

// Materials lists the materials in the order of the file.
func (c *Catalogue) Materials() []Material { return slices.Clone(c.materials) }

// Articles lists the articles in the order of the file.
func (c *Catalogue) Articles() []Article {
	articles := slices.Clone(c.articles)
	for i, a := range articles {
		articles[i].Materials = slices.Clone(a.Materials)
		articles[i].Constraints = slices.Clone(a.Constraints)
		if a.Blank != nil {
			blank := *a.Blank
			articles[i].Blank = &blank
		}
	}
	return articles
}

// Position is where the entry at the path stands in the limit file, as in Position("unit") and
// Position("articles", "tuck-end", "constraints", "BOX_3100"). The zero Position says that it has no such entry.
func (c *Catalogue) Position(path ...string) source.Position {
	return c.positions[strings.Join(path, "\x00")]
}
