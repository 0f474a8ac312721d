package lint_test

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// An smtAtom is a comparison of the documented table: as it is written there, and as SMT-LIB 2 text
// over W, D and H, the dimensions in thousandths, without fractions.
type smtAtom struct{ when, smt string }

// smtRules are the constraints of the interface document's table, typed by hand: a rule holds where
// all atoms of one of its clauses do.
var smtRules = []struct {
	code    boxrules.Code
	clauses [][]smtAtom
}{
	{"BOX_3100", [][]smtAtom{{{"depth > width", "(> D W)"}}}},
	{"BOX_3101", [][]smtAtom{{{"depth > width * 2", "(> D (* 2 W))"}}}},
	{"BOX_3102", [][]smtAtom{{{"height > depth", "(> H D)"}, {"depth >= 60", "(>= D 60000)"}}}},
	{"BOX_3103", [][]smtAtom{{{"width <= (depth * 3) / 4", "(<= (* 4 W) (* 3 D))"}}}},
	{"BOX_3104", [][]smtAtom{{{"height > width", "(> H W)"}}}},
	{"BOX_3105", [][]smtAtom{{{"height > depth", "(> H D)"}}}},
	{"BOX_3106", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}}}},
	{"BOX_3107", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}, {"depth > height", "(> D H)"}}}},
	{"BOX_3108", [][]smtAtom{{{"height > width", "(> H W)"}, {"depth > width", "(> D W)"}, {"depth < height", "(< D H)"}}}},
	{"BOX_3109", [][]smtAtom{{{"width > depth", "(> W D)"}}}},
	{"BOX_3110", [][]smtAtom{{{"width >= depth", "(>= W D)"}, {"depth < height", "(< D H)"}, {"height > width", "(> H W)"}}}},
	{"BOX_3111", [][]smtAtom{{{"depth > height", "(> D H)"}}}},
	{"BOX_3112", [][]smtAtom{{{"depth > height / 2.5", "(> (* 5 D) (* 2 H))"}}}},
	{"BOX_3113", [][]smtAtom{{{"width > depth", "(> W D)"}, {"width + depth > 498.25", "(> (+ W D) 498250)"},
		{"width + height < 498.25", "(< (+ W H) 498250)"}}}},
	{"BOX_3114", [][]smtAtom{{{"width > depth", "(> W D)"}, {"width + depth > 498.25", "(> (+ W D) 498250)"},
		{"width + height > 498.25", "(> (+ W H) 498250)"}, {"depth + height < 498.25", "(< (+ D H) 498250)"}}}},
	{"BOX_3115", [][]smtAtom{{{"height < 2 * depth", "(< H (* 2 D))"}}}},
	{"BOX_3116", [][]smtAtom{{{"height > (depth * 4) / 5", "(> (* 5 H) (* 4 D))"}}}},
	{"BOX_3117", [][]smtAtom{{{"width < height", "(< W H)"}}}},
	{"BOX_3118", [][]smtAtom{{{"width > 2 * depth", "(> W (* 2 D))"}}}},
	{"BOX_3119", [][]smtAtom{{{"depth > (1 / 3) * width", "(> (* 3 D) W)"}}}},
	{"BOX_3120", [][]smtAtom{{{"height < width / 2", "(< (* 2 H) W)"}}}},
	{"BOX_3121", [][]smtAtom{
		{{"depth > width", "(> D W)"}, {"depth >= height", "(>= D H)"}, {"height > width + 30", "(> H (+ W 30000))"}},
		{{"depth > width", "(> D W)"}, {"depth < height", "(< D H)"}}}},
	{"BOX_3122", [][]smtAtom{
		{{"depth <= width", "(<= D W)"}, {"width >= height", "(>= W H)"}, {"height > depth + 30", "(> H (+ D 30000))"},
			{"depth + 30 >= 35", "(>= (+ D 30000) 35000)"}},
		{{"depth <= width", "(<= D W)"}, {"width < height", "(< W H)"}, {"width >= 35", "(>= W 35000)"}}}},
}

// smtFormulas are blank formulas of the illustrative catalogue, and the last ones that may be
// negative, typed by hand too: multiplied by scale, with the glue flap G and the caliper T in
// thousandths.
var smtFormulas = map[string]struct {
	scale int64
	smt   string
}{
	"2*width + 2*depth + glue_flap":                         {1, "(+ (* 2 W) (* 2 D) G)"},
	"height + 2*depth + 2*min(max(0.5*depth, 12), 25)":      {1, "(+ H (* 2 D) (least (greatest D 24000) 50000))"},
	"height + 0.75*depth + max(14, 0.4*depth) + 0.65*depth": {5, "(+ (* 5 H) (* 7 D) (greatest 70000 (* 2 D)))"},
	"height + 0.5*depth + 1.0*depth":                        {2, "(+ (* 2 H) (* 3 D))"},
	"height + 1.5*depth":                                    {2, "(+ (* 2 H) (* 3 D))"},
	"height":                                                {1, "H"},
	"height + depth":                                        {1, "(+ H D)"},
	"width + depth":                                         {1, "(+ W D)"},
	"width + 2*height":                                      {1, "(+ W (* 2 H))"},
	"depth + 2*height":                                      {1, "(+ D (* 2 H))"},
	"2*height + glue_flap":                                  {1, "(+ (* 2 H) G)"},
	"width + 4*height + 43/3*caliper":                       {3, "(+ (* 3 W) (* 12 H) (* 43 T))"},
	"2*depth + 3*height + 22/3*caliper":                     {3, "(+ (* 6 D) (* 9 H) (* 22 T))"},
	"max(width + 4*height + 43/3*caliper, width + depth + 16/3*caliper)": {3,
		"(greatest (+ (* 3 W) (* 12 H) (* 43 T)) (+ (* 3 W) (* 3 D) (* 16 T)))"},
	"width - 2*depth + glue_flap":             {1, "(- (+ W G) (* 2 D))"},
	"min(height, width) - max(30, 1/2*depth)": {2, "(- (least (* 2 H) (* 2 W)) (greatest 60000 D))"},
}

// An smtRule is a rule as it applies to an article in a material.
type smtRule struct {
	code     boxrules.Code
	boundary bool
	smt      string
}

func (r smtRule) not() string { return "(not " + r.smt + ")" }

func not(rules []smtRule) []string {
	var all []string
	for _, r := range rules {
		all = append(all, r.not())
	}
	return all
}

// millimetres has the length of each unit in mm. This test needs a table of its own: it must not convert as the engine does.
var millimetres = map[string]*big.Rat{"mm": big.NewRat(1, 1), "cm": big.NewRat(10, 1), "m": big.NewRat(1000, 1), "in": big.NewRat(254, 10)}

// smtLengths are the lengths in smtRules: the dimensions, and constants in thousandths of a mm. Factors are smaller numbers.
var smtLengths = regexp.MustCompile(`\b(?:[WDH]|[0-9]{4,})\b`)

// inUnit returns SMT text in thousandths of a mm for dimensions in another unit. With 25.4 mm to the inch, which
// is 127/5, each dimension is multiplied by 127 and each constant by 5.
func inUnit(smt, unit string) string {
	ratio := millimetres[unit]
	return smtLengths.ReplaceAllStringFunc(smt, func(length string) string {
		factor := ratio.Denom()
		if strings.Contains("WDH", length) {
			factor = ratio.Num()
		}
		return fmt.Sprintf("(* %v %s)", factor, length)
	})
}

func clausesSMT(clauses [][]smtAtom) string {
	text := "(or false"
	for _, clause := range clauses {
		text += " (and true"
		for _, a := range clause {
			text += " " + a.smt
		}
		text += ")"
	}
	return text + ")"
}

// smtOf are the rules of an article in a material, in the documented order; limits and sheets are
// the catalogue's, as numbers. unit is that of the catalogue.
func smtOf(t testing.TB, article limits.Article, material limits.Material, unit string) []smtRule {
	t.Helper()
	var rules []smtRule
	for axis, r := range article.Ranges() {
		for i, limit := range []limits.Decimal{r.Min, r.Max} {
			k := thousandths(limit)
			rules = append(rules, smtRule{boxrules.Code(fmt.Sprintf("BOX_210%d", 2*axis+i)), true,
				fmt.Sprintf("(%s (* %v %c) %v)", []string{"<", ">"}[i], k.Denom(), "WDH"[axis], k.Num())})
		}
	}
	for _, r := range smtRules {
		if slices.Contains(article.Constraints, string(r.code)) {
			rules = append(rules, smtRule{r.code, false, inUnit(clausesSMT(r.clauses), unit)})
		}
	}
	if article.Blank == nil {
		return rules
	}
	longer := func(formula limits.Formula, sheet limits.Decimal) string {
		text, scale := blankSMT(t, article, material, formula)
		return fmt.Sprintf("(> %s (* %d %s))", text, scale, thousandths(sheet).RatString())
	}
	width, height, sheet := article.Blank.Width, article.Blank.Height, material.Sheet
	return append(rules, smtRule{"BOX_4100", false, "(and (or " + longer(width, sheet.Width) + " " + longer(height, sheet.Height) +
		") (or " + longer(width, sheet.Height) + " " + longer(height, sheet.Width) + "))"})
}

// blankSMT is the formula with the values of the material, multiplied by scale.
func blankSMT(t testing.TB, article limits.Article, material limits.Material, formula limits.Formula) (text string, scale int64) {
	t.Helper()
	f, ok := smtFormulas[formula.String()]
	if !ok {
		t.Fatalf("%s: the formula %q has not been typed into this test", article.Code, formula)
	}
	values := strings.NewReplacer("G", thousandths(material.GlueFlap).RatString(), "T", thousandths(material.Caliper).RatString())
	return values.Replace(f.smt), f.scale
}

// flatOf are where each side of the blank is not positive, by what Lint calls it; none without a
// blank.
func flatOf(t testing.TB, article limits.Article, material limits.Material) map[string]string {
	t.Helper()
	flat := make(map[string]string)
	if article.Blank != nil {
		for name, formula := range map[string]limits.Formula{"blank_width": article.Blank.Width, "blank_height": article.Blank.Height} {
			text, _ := blankSMT(t, article, material, formula)
			flat[name+" <= 0"] = "(<= " + text + " 0)"
		}
	}
	return flat
}

func thousandths(d limits.Decimal) *big.Rat { return new(big.Rat).Mul(d.Rat(), big.NewRat(1000, 1)) }
