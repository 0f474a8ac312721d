// Package limits holds what the printing service does not publish: the sheets, the materials, and the
// articles with their minimums, maximums, constraints and blank formulas. Users have to provide this data.
// The catalogue in this package is only an illustration, and describes no real service.
//
// Most users need only one call: [Load] for a limit file, or [New] for limits from a database. Both report
// everything that is wrong, and return the [Catalogue] that boxrules.New needs. The methods of Catalogue,
// Decimal and Formula are for programs that show limits, change them or compute with them.
package limits

import (
	"cmp"
	_ "embed"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/source"
)

// A Catalogue holds the sheets, materials and articles of a limit file that [Load] has read, or of a [File]
// that [New] has checked, in their original order. It is immutable and safe for concurrent use. The caller
// may change the values that its methods return.
type Catalogue struct {
	name           string
	isIllustrative bool
	frame          bool
	file           File
	nodes          map[string]strictyaml.Node // the nodes of the file, by nodeKey; nil if New made the catalogue
	levels         map[string]valuesLevel     // the level of each user-defined value, by name
	byMaterial     map[string]Values          // the values of each material
}

// A File holds the content of a limit file as plain structs. Limits from a database can be put into a File,
// from which [New] makes a [Catalogue]. A File can be written as JSON and read back without loss.
type File struct {
	Unit      string     `json:"unit"`               // of every length: a word of at most 8 letters, such as mm
	Decimals  *int       `json:"decimals,omitempty"` // of a dimension: 0 to 3, or nil for 3; see [Catalogue.Decimals]
	Values    Values     `json:"values,omitempty"`   // user-defined, the same for every article and material
	Sheets    []Sheet    `json:"sheets"`
	Materials []Material `json:"materials"`
	Articles  []Article  `json:"articles"`
}

// Values maps the names of user-defined values to numbers, such as the length of a tuck or an allowance for
// creases. Blank formulas may use these names just as they use caliper. Rule conditions may also use them, if
// the rule file declares the names. Each name is set at a single level: globally, per material, or per
// article.
type Values map[string]Decimal

// A Sheet is a size of printing sheet. Width and Height are the size of the usable area, without the margins.
type Sheet struct {
	Code   string  `json:"sheet"`
	Width  Decimal `json:"width,omitzero"` // in the catalogue's unit, as is the height
	Height Decimal `json:"height,omitzero"`
}

// A Material is a kind of board that boxes are made of.
type Material struct {
	Code     string  `json:"material"`
	Caliper  Decimal `json:"caliper"`   // thickness, in the catalogue's unit
	GlueFlap Decimal `json:"glue_flap"` // width of the glue flap or manufacturer's joint, in the catalogue's unit
	// MinSheets is the smallest number of sheets that the service produces, or 0 if it produces any number.
	MinSheets int    `json:"min_sheets,omitempty"`
	Values    Values `json:"values,omitempty"` // user-defined, for every article in this material
	Sheet     Sheet  `json:"sheet"`            // the largest sheet that the material is printed on; New needs only its code
}

// An Article is a box model, with the limits that apply to it.
type Article struct {
	Code   string `json:"article"`
	Title  string `json:"title,omitempty"` // for people; may be empty
	Width  Range  `json:"width"`
	Depth  Range  `json:"depth"`
	Height Range  `json:"height"`
	// Constraints are the codes of the constraint rules that apply, in the order of the file. [New] does not
	// accept nil. An empty list means that none apply.
	Constraints []string `json:"constraints"`
	Blank       *Blank   `json:"blank,omitempty"`  // nil if there are no formulas
	Values      Values   `json:"values,omitempty"` // user-defined, for this article in every material
	Materials   []string `json:"materials"`        // codes of the materials it is offered in; New sets nil to all
}

// Ranges returns the ranges of the article in the order of the axes of package exact: width, depth,
// height.
func (a Article) Ranges() [exact.Axes]Range {
	return [...]Range{exact.Width: a.Width, exact.Depth: a.Depth, exact.Height: a.Height}
}

// A Range is the minimum and the maximum of a dimension, both inclusive.
type Range struct {
	Min Decimal `json:"min"`
	Max Decimal `json:"max"`
}

// A Blank holds the formulas for the width and the height of the bounding rectangle of the flat blank.
type Blank struct {
	// Style is the code of the standard style that the formulas come from, such as fefco-0201. It is empty if
	// they do not come from a style. If it is set, [New] does not need the formulas. See [Styles].
	Style  string  `json:"style,omitempty"`
	Width  Formula `json:"width"`
	Height Formula `json:"height"`
}

// A Formula computes a side of the blank from the dimensions of the box, the caliper and glue flap of its
// material, and user-defined [Values]. It may use sums, products with constants, min and max.
type Formula struct {
	Text       string // as written
	expression *expression.Expression
	node       strictyaml.Node
	rule       string // the Rule of errors about the formula
	isStyled   bool   // whether the formula comes from a style; then node is the code of the style
}

// String returns the formula as it was written.
func (f Formula) String() string { return f.Text }

// MarshalText returns the formula as it was written, so a Formula is a string in JSON.
func (f Formula) MarshalText() ([]byte, error) { return []byte(f.Text), nil }

// UnmarshalText sets the text of the formula. It does not check the text; [New] does.
func (f *Formula) UnmarshalText(text []byte) error {
	*f = Formula{Text: string(text)}
	return nil
}

// Value returns the exact value of a formula for the given variables. The error is a *source.Error. It says
// that the numbers are too large, that a divisor is zero, or that a user-defined value is not among the
// variables. Value panics if the formula does not come from a [Catalogue].
func (f Formula) Value(variables exact.Variables) (exact.Variable, error) {
	value, problem := f.expression.Value(variables)
	if problem != nil {
		position := f.node.PositionAt(problem.Offset)
		if f.isStyled {
			position = f.node.Position()
		}
		return value, &source.Error{Position: position, Rule: f.rule, Message: problem.Message}
	}
	return value, nil
}

// Float64 returns the value of a formula in double precision. The function value must return the value of the
// variable with the given name. Each operation is rounded, as it would be in a program that computes the
// formula with float64 numbers. Float64 panics if the formula does not come from a [Catalogue].
func (f Formula) Float64(value func(name string) float64) float64 {
	return f.expression.ValueInFloat64(value)
}

// Names returns the names of the variables that a formula mentions, each once. It panics if the formula does
// not come from a [Catalogue].
func (f Formula) Names() []string { return f.expression.Names() }

// A Decimal is the text of a decimal number exactly as it was written, such as "15.125". The methods treat an
// empty Decimal as 0, although [New] refuses it. They panic if the text is not a number. In a [Catalogue]
// every Decimal is a number.
type Decimal string

// DecimalAt converts a coordinate of the grid, which is a whole number of thousandths, to a decimal number of
// units: 20500 becomes "20.5".
func DecimalAt(coordinate int64) Decimal {
	// Three decimals are exact. Drop trailing zeros: 20.000 becomes 20.
	text := big.NewRat(coordinate, exact.Scale).FloatString(3)
	return Decimal(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

// String returns the number as it was written.
func (d Decimal) String() string { return cmp.Or(string(d), "0") }

// Rat returns the exact value. The caller may change it.
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

// MarshalJSON returns a JSON number with the digits as they were written.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON keeps the number as it is written. It does not check the number; [New] does.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	*d = Decimal(text)
	return nil
}

//go:embed illustrative.yaml
var illustrative []byte

// Illustrative returns the catalogue that comes with boxrules, for trying things out. Its values are
// realistic, but they are not the limits of any service, and its article codes are made up.
func Illustrative() *Catalogue { return loadIllustrative() }

var loadIllustrative = sync.OnceValue(func() *Catalogue {
	catalogue, err := Load("limits/illustrative.yaml", illustrative)
	if err != nil {
		panic(err)
	}
	return catalogue
})

// IllustrativeYAML returns the text of the limit file that comes with boxrules. You can use it as a starting
// point for your own file.
func IllustrativeYAML() []byte { return slices.Clone(illustrative) }

// IsIllustrative reports whether the catalogue is the one that comes with boxrules: it was read from a file
// with the same bytes.
func (c *Catalogue) IsIllustrative() bool { return c.isIllustrative }

// IsFrame reports whether the catalogue comes from [LoadFrame]. Such a catalogue has no limits, constraints
// or sheets, and boxrules.New refuses it.
func (c *Catalogue) IsFrame() bool { return c.frame }

// Decimals returns the number of decimals that a dimension may have, from 0 to 3. If it is 2, 48.125 is an
// input error. If it is 3, further decimals are rounded: 48.0004 becomes 48. If the key decimals is missing
// from the file, Decimals returns 3, and Position("decimals") is zero.
func (c *Catalogue) Decimals() int {
	if c.file.Decimals == nil {
		return 3
	}
	return *c.file.Decimals
}

// Completed returns the complete catalogue for a frame, given everything that the frame leaves out: the
// articles with their ranges and constraints, and the materials with their sheets. Their codes must be codes
// of the frame. Articles and materials of the frame that are not passed to Completed are left out.
func (c *Catalogue) Completed(articles []Article, materials []Material) *Catalogue {
	completed := *c
	completed.frame, completed.isIllustrative = false, false
	f := &completed.file
	f.Articles, f.Materials, f.Sheets = articles, materials, nil
	// List each sheet only once, even if several materials share it.
	seen := make(map[Sheet]bool)
	for _, m := range materials {
		if !seen[m.Sheet] {
			seen[m.Sheet], f.Sheets = true, append(f.Sheets, m.Sheet)
		}
	}
	return &completed
}

// Name returns the name that was passed to [Load] or [New], which is usually the path of the file.
func (c *Catalogue) Name() string { return c.name }

// Unit returns the unit of every length in the catalogue, and of the dimensions of the boxes that are checked
// against it.
func (c *Catalogue) Unit() string { return c.file.Unit }

// DefaultStep returns the step of the dimensions that boxrules suggests or asks about, if the user does not
// choose a step: 1 mm, 0.1 cm, 0.001 m or an eighth of an inch, and 1 for any other unit. If the limit file
// does not allow that many decimals, DefaultStep returns a larger step that needs fewer. For inches with
// two decimals, that is a quarter of an inch.
func (c *Catalogue) DefaultStep() float64 {
	steps := map[string][]float64{"cm": {0.1, 1}, "m": {0.001, 0.01, 0.1, 1}, "in": {0.125, 0.25, 0.5, 1}}
	for _, step := range steps[c.Unit()] {
		if exact.OnStep(step, exact.StepOf(c.Decimals())) {
			return step
		}
	}
	return 1
}

// Sheets returns the sheets in the order of the file.
func (c *Catalogue) Sheets() []Sheet { return slices.Clone(c.file.Sheets) }

// Values returns the user-defined values that are the same for every article and material. For the other
// values, see [Material] and [Article].
func (c *Catalogue) Values() Values { return maps.Clone(c.file.Values) }

// Materials returns the materials in the order of the file.
func (c *Catalogue) Materials() []Material {
	materials := slices.Clone(c.file.Materials)
	for i := range materials { // the caller may change the maps
		materials[i].Values = maps.Clone(materials[i].Values)
	}
	return materials
}

// Only returns a catalogue that contains only the articles with the given codes. Unknown codes are
// ignored.
func (c *Catalogue) Only(articles ...string) *Catalogue {
	reduced := *c
	reduced.file.Articles = nil
	for _, a := range c.file.Articles {
		if slices.Contains(articles, a.Code) {
			reduced.file.Articles = append(reduced.file.Articles, a)
		}
	}
	return &reduced
}

// Articles returns the articles in the order of the file.
func (c *Catalogue) Articles() []Article {
	articles := slices.Clone(c.file.Articles)
	for i, a := range articles { // the caller may change the lists in the articles
		articles[i] = a.clone()
	}
	return articles
}

func (a Article) clone() Article {
	a.Materials, a.Constraints = slices.Clone(a.Materials), slices.Clone(a.Constraints)
	a.Values = maps.Clone(a.Values)
	if a.Blank != nil {
		blank := *a.Blank
		a.Blank = &blank
	}
	return a
}

// Position returns the position of an entry in the limit file, given the path of the entry, as in
// Position("unit") or Position("articles", "tuck-end", "constraints", "BOX_3100"). It returns the zero
// Position if there is no such entry, or if [New] made the catalogue.
func (c *Catalogue) Position(path ...string) source.Position {
	return c.nodes[nodeKey(path)].Position()
}
