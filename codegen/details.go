package codegen

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Details writes an ES module for pages that show more than verdicts: the sizes of the flat blank and of the sheet,
// and the conditions of the rules as they are written.
// Its numbers are float64: they are for show, and decide nothing. The error is that of [JavaScript].
func Details(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := offers(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	d := details{origin: originOf(e), Rules: newTables(e, chosen).rules}
	for _, m := range e.Catalogue().Materials() {
		if slices.ContainsFunc(chosen, func(o offer) bool { return slices.Contains(o.article.Materials, m.Code) }) {
			d.Sheets = append(d.Sheets, size{m.Code, number(m.Sheet.Width.Rat()), number(m.Sheet.Height.Rat())})
		}
	}
	for _, offer := range chosen {
		if offer.article.Blank == nil {
			continue
		}
		blank := blank{Article: offer.article.Code}
		for _, p := range offer.profiles {
			form := p.Exact()
			blank.Sizes = append(blank.Sizes, size{form.Material, formula(form.Blank.Width), formula(form.Blank.Height)})
		}
		d.Blanks = append(d.Blanks, blank)
	}
	return files("details", d), nil
}

// details are what the templates of details tell.
type details struct {
	origin
	Sheets []size
	Blanks []blank
	Rules  []boxrules.Rule
}

// A blank is that of an article, in each of its materials.
type blank struct {
	Article string
	Sizes   []size
}

// A size is that of a material's sheet or blank, as expressions.
type size struct{ Material, Width, Height string }

// formula is the value as an expression over w, d and h.
func formula(v exact.Value) string {
	coefficients, constant, ok := v.Linear()
	if !ok {
		isMax, parts := v.Parts()
		var texts []string
		for _, part := range parts {
			texts = append(texts, formula(part))
		}
		name := "min"
		if isMax {
			name = "max"
		}
		return name + "(" + strings.Join(texts, ", ") + ")"
	}
	var terms []string
	for axis, name := range [exact.Axes]string{"w", "d", "h"} {
		switch c := coefficients[axis]; {
		case c.Sign() == 0:
		case c.Cmp(big.NewRat(1, 1)) == 0:
			terms = append(terms, name)
		default:
			terms = append(terms, number(c)+" * "+name)
		}
	}
	if constant.Sign() != 0 || len(terms) == 0 {
		terms = append(terms, number(constant))
	}
	return strings.Join(terms, " + ")
}

// number is the float64 nearest to r, as a literal.
func number(r *big.Rat) string {
	nearest, _ := r.Float64()
	return strconv.FormatFloat(nearest, 'g', -1, 64)
}
