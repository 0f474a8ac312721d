// Package limits holds what the printing service does not publish: the articles with their minimums
// and maximums, constraints and blank formulas, the materials, and the sheets. They are the user's
// data; the catalogue shipped here is illustrative and stands for no real service.
package limits

import (
	"cmp"
	_ "embed"
	"math/big"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/source"
)

// A Catalogue holds a limit file as [Load] read it, or a [File] as [New] checked it: sheets,
// materials and articles, in their order. It is immutable and safe for concurrent use; what its
// methods return belongs to the caller.
type Catalogue struct {
	name         string
	illustrative bool
	frame        bool
	file         File
	nodes        map[string]strictyaml.Node // of the file, by path; nil where there is none
}

// A File says what a limit file does, as plain structs: [New] makes a [Catalogue] of one, for
// limits that are kept in a database. What encoding/json writes of it, it reads as the same.
type File struct {
	Unit      string     `json:"unit"`               // of every length: a word of at most 8 letters, such as mm
	Decimals  *int       `json:"decimals,omitempty"` // that a dimension may have, 0 to 3; nil is 3, where more are rounded
	Sheets    []Sheet    `json:"sheets"`
	Materials []Material `json:"materials"`
	Articles  []Article  `json:"articles"`
}

// A Sheet is a size of printing sheet: its usable area, margins already taken off.
type Sheet struct {
	Code   string  `json:"sheet"`
	Width  Decimal `json:"width"` // in the catalogue's unit, as is the height
	Height Decimal `json:"height"`
}

// A Material is a board that boxes are made of.
type Material struct {
	Code     string  `json:"material"`
	Caliper  Decimal `json:"caliper"`   // thickness, in the catalogue's unit
	GlueFlap Decimal `json:"glue_flap"` // width of the glue flap or manufacturer's joint, in the catalogue's unit
	// MinSheets is the smallest number of sheets that is produced; 0 where there is none.
	MinSheets int   `json:"min_sheets,omitempty"`
	Sheet     Sheet `json:"sheet"` // the largest sheet that the material is printed on; for [New] its code is enough
}

// An Article is a box model with the limits that apply to it.
type Article struct {
	Code   string `json:"article"`
	Title  string `json:"title,omitempty"` // for people; may be empty
	Width  Range  `json:"width"`
	Depth  Range  `json:"depth"`
	Height Range  `json:"height"`
	// codes of the constraint rules that apply, in their order; [New] wants an empty list for none
	Constraints []string `json:"constraints"`
	Blank       *Blank   `json:"blank,omitempty"` // nil where there are no formulas
	Materials   []string `json:"materials"`       // codes of the materials it is offered in; for [New] nil stands for all
}

// Ranges returns the ranges of the article in the order of the axes of package exact: width, depth,
// height.
func (a Article) Ranges() [exact.Axes]Range {
	return [...]Range{exact.Width: a.Width, exact.Depth: a.Depth, exact.Height: a.Height}
}

// A Range has a minimum and a maximum of a dimension, both inclusive.
type Range struct {
	Min Decimal `json:"min"`
	Max Decimal `json:"max"`
}

// A Blank gives the bounding box of the flat blank.
type Blank struct {
	Width  Formula `json:"width"`
	Height Formula `json:"height"`
}

// A Formula is a linear expression over a box's dimensions and its material's caliper and glue
// flap.
type Formula struct {
	Text       string // as written
	expression *expression.Expression
	node       strictyaml.Node
	rule       string // that errors name
}

// String returns the formula as written.
func (f Formula) String() string { return f.Text }

// MarshalText returns the formula as written, for JSON.
func (f Formula) MarshalText() ([]byte, error) { return []byte(f.Text), nil }

// UnmarshalText takes the text for a formula, which [New] is to check.
func (f *Formula) UnmarshalText(text []byte) error {
	*f = Formula{Text: string(text)}
	return nil
}

// Value returns the formula of a [Catalogue] over the dimensions, with the values that its
// variables have. The error is a *source.Error: numbers grow too large, or a divisor is zero. It
// panics for a formula that is not a catalogue's.
func (f Formula) Value(variables map[string]exact.Variable) (exact.Variable, error) {
	value, problem := f.expression.Value(variables)
	if problem != nil {
		return value, &source.Error{Position: f.node.PositionAt(problem.Offset), Rule: f.rule, Message: problem.Message}
	}
	return value, nil
}

// Float64 returns the value of the formula of a [Catalogue] in double precision, as it is written, for
// the values of the variables that it mentions. It panics for a formula that is not a catalogue's.
func (f Formula) Float64(value func(name string) float64) float64 {
	return f.expression.ValueInFloat64(value)
}

// Names returns the variables that the formula of a [Catalogue] mentions, each once. It panics for any
// other Formula.
func (f Formula) Names() []string { return f.expression.Names() }

// A Decimal is a decimal number exactly as it is written, such as "15.125". The empty Decimal is 0,
// but [New] wants every number to be written. Its methods panic for what is no number, which no
// [Catalogue] has.
type Decimal string

// DecimalAt returns a coordinate of the grid, a whole number of thousandths, as a decimal in units:
// "20.5" for 20500.
func DecimalAt(coordinate int64) Decimal {
	text := big.NewRat(coordinate, exact.Scale).FloatString(3)
	return Decimal(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

// String returns the number as written.
func (d Decimal) String() string { return cmp.Or(string(d), "0") }

// Rat returns the exact value, new at each call.
func (d Decimal) Rat() *big.Rat {
	value, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic("limits: a Decimal that is not a decimal: " + string(d))
	}
	return value
}

// Float64 returns the float64 nearest to the value.
func (d Decimal) Float64() float64 {
	nearest, _ := d.Rat().Float64()
	return nearest
}

// MarshalJSON returns the number as written, which is a number in JSON too.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON takes a number as it is written, which [New] is to check.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	*d = Decimal(text)
	return nil
}

//go:embed illustrative.yaml
var illustrative []byte

// Illustrative returns the catalogue that boxrules ships: realistic values under made-up article
// codes, to try things out with. They are not the limits of any service.
func Illustrative() *Catalogue { return loadIllustrative() }

var loadIllustrative = sync.OnceValue(func() *Catalogue {
	catalogue, err := Load("limits/illustrative.yaml", illustrative)
	if err != nil {
		panic(err)
	}
	return catalogue
})

// IllustrativeYAML returns the text of the shipped limit file, to start one's own from.
func IllustrativeYAML() []byte { return slices.Clone(illustrative) }

// IsIllustrative reports whether the catalogue is the shipped one, wherever its file was read from:
// nobody has changed a byte of it.
func (c *Catalogue) IsIllustrative() bool { return c.illustrative }

// IsFrame reports whether the catalogue comes from [LoadFrame]: it has no limits, constraints and
// sheets, and no engine can be made of it.
func (c *Catalogue) IsFrame() bool { return c.frame }

// Decimals returns how many decimals a dimension may have, 0 to 3. With 2, 48.125 is an input
// error; with 3, 48.0004 is rounded. It returns 3 where the file does not say; Position("decimals")
// tells that.
func (c *Catalogue) Decimals() int {
	if c.file.Decimals == nil {
		return 3
	}
	return *c.file.Decimals
}

// Completed returns a frame with what it lacks: the ranges and constraints of the articles and the
// sheets of the materials, each of the same code as the frame's. Articles and materials of the
// frame that are not given are left out.
func (c *Catalogue) Completed(articles []Article, materials []Material) *Catalogue {
	completed := *c
	completed.frame, completed.illustrative = false, false
	f := &completed.file
	f.Articles, f.Materials, f.Sheets = articles, materials, nil
	for _, m := range materials {
		if !slices.Contains(f.Sheets, m.Sheet) {
			f.Sheets = append(f.Sheets, m.Sheet)
		}
	}
	return &completed
}

// Name returns the name that the catalogue was loaded or made under, most often the file's.
func (c *Catalogue) Name() string { return c.name }

// Unit returns the unit of every length in the catalogue, and of the dimensions of boxes checked
// against it.
func (c *Catalogue) Unit() string { return c.file.Unit }

// Sheets returns the sheets in their order.
func (c *Catalogue) Sheets() []Sheet { return slices.Clone(c.file.Sheets) }

// Materials returns the materials in their order.
func (c *Catalogue) Materials() []Material { return slices.Clone(c.file.Materials) }

// Articles returns the articles in their order.
func (c *Catalogue) Articles() []Article {
	articles := slices.Clone(c.file.Articles)
	for i, a := range articles {
		articles[i] = a.clone()
	}
	return articles
}

func (a Article) clone() Article {
	a.Materials, a.Constraints = slices.Clone(a.Materials), slices.Clone(a.Constraints)
	if a.Blank != nil {
		blank := *a.Blank
		a.Blank = &blank
	}
	return a
}

// Position returns where the entry at the path stands in the limit file, as in Position("unit") and
// Position("articles", "tuck-end", "constraints", "BOX_3100"). It returns the zero Position where
// there is no such entry, or where [New] made the catalogue.
func (c *Catalogue) Position(path ...string) source.Position {
	return c.nodes[pathKey(path)].Position()
}

// pathKey returns a path as one text.
func pathKey(path []string) string { return strings.Join(path, "\x00") }
