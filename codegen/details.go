package codegen

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// Details writes an ES module for pages that show more than verdicts: the sizes of the flat blank and of the sheet,
// and the conditions of the rules as they are written.
// Its numbers are float64: they are for show, and decide nothing. The error is that of JavaScript.
func Details(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := offers(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	var b bytes.Buffer
	b.WriteString(header(e))
	b.WriteString("const sheets = {\n")
	for _, m := range e.Catalogue().Materials() {
		if !slices.ContainsFunc(chosen, func(o offer) bool { return slices.Contains(o.article.Materials, m.Code) }) {
			continue
		}
		fmt.Fprintf(&b, "  %s: { width: %s, height: %s },\n", propertyName(m.Code), number(m.Sheet.Width.Rat()), number(m.Sheet.Height.Rat()))
	}
	b.WriteString("};\n\nconst { max, min } = Math;\n\n// Of width, depth and height.\nconst blanks = {\n")
	for _, offer := range chosen {
		if offer.article.Blank == nil {
			continue
		}
		fmt.Fprintf(&b, "  %s: {\n", propertyName(offer.article.Code))
		for _, p := range offer.profiles {
			form := p.Exact()
			fmt.Fprintf(&b, "    %s: (w, d, h) => [%s, %s],\n", propertyName(form.Material), formula(form.Blank.Width), formula(form.Blank.Height))
		}
		b.WriteString("  },\n")
	}
	b.WriteString(`};

export const blank = (article, material, { width, depth, height }) => {
  if (!Object.hasOwn(blanks, article) || !Object.hasOwn(blanks[article], material)) return undefined;
  const size = blanks[article][material](width, depth, height);
  return { width: size[0], height: size[1], sheet: sheets[material] };
};
`)
	b.WriteString("\nexport const conditions = {\n")
	for _, r := range newTables(e, chosen).rules {
		fmt.Fprintf(&b, "  %s: %s,\n", propertyName(string(r.Code)), quoted(r.When))
	}
	b.WriteString("};\n")
	return Files{b.Bytes(), detailDeclarations(e)}, nil
}

func detailDeclarations(e *boxrules.Engine) []byte {
	return []byte(header(e) + `/** The flat blank of a box and the sheet of its material; undefined where the article has no blank formula. */
export declare function blank(
  article: string,
  material: string,
  dims: { width: number; depth: number; height: number },
): { width: number; height: number; sheet: { width: number; height: number } } | undefined;

/** By code, the condition of each rule as the rule file has it: a box for which it holds is rejected. */
export declare const conditions: { readonly [code: string]: string };
`)
}

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
