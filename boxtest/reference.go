package boxtest

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// A Reference checks boxes against the rules and blank formulas as they are written. It parses their text
// once, and evaluates it for each box. It shares no code with the engine except for loading the files, and
// takes tens of microseconds per box. It is immutable and safe for concurrent use.
type Reference struct {
	rules     []referenceRule
	unit      string // of the catalogue
	decimals  int
	values    limits.Values   // the user-defined values that are the same for every article and material
	numbers   map[string]bool // the user-defined values that have no unit
	articles  map[string]referenceArticle
	materials map[string]limits.Material
}

// A referenceRule is a rule with its parsed condition.
type referenceRule struct {
	boxrules.Rule
	condition     *conditionNode
	mentionsBlank bool // whether the condition mentions the blank
}

// A referenceArticle is an article with its parsed formulas.
type referenceArticle struct {
	limits.Article
	blank map[string]*conditionNode // the formulas, keyed by variable; nil if the article has no blank
}

// NewReference returns the reference for the rules and the catalogue. To compare it with an engine, pass
// [boxrules.Engine.Rules] and [boxrules.Engine.Catalogue]. It returns the same errors as [boxrules.New].
func NewReference(rules *boxrules.RuleSet, catalogue *limits.Catalogue) (*Reference, error) {
	// The parser of this package accepts more than the language allows, so let the engine find mistakes.
	if _, err := boxrules.New(rules, catalogue); err != nil {
		return nil, err
	}
	r := &Reference{unit: catalogue.Unit(), decimals: catalogue.Decimals(), values: catalogue.Values(), numbers: make(map[string]bool),
		articles: make(map[string]referenceArticle), materials: make(map[string]limits.Material)}
	for _, rule := range rules.Rules() {
		condition := parseCondition(rule.When)
		r.rules = append(r.rules, referenceRule{rule, condition, condition.mentions("blank_width", "blank_height")})
	}
	for _, v := range rules.Values() {
		r.numbers[v.Name] = v.Kind == boxrules.NumberValue
	}
	for _, a := range catalogue.Articles() {
		parsed := referenceArticle{Article: a}
		if a.Blank != nil {
			parsed.blank = map[string]*conditionNode{"blank_width": parseCondition(a.Blank.Width.Text), "blank_height": parseCondition(a.Blank.Height.Text)}
		}
		r.articles[a.Code] = parsed
	}
	for _, m := range catalogue.Materials() {
		r.materials[m.Code] = m
	}
	return r, nil
}

// Exact returns the codes of all rules that the box violates, in check order, computed exactly using big.Rat. It
// returns no codes if the box is valid. [boxrules.Engine.CheckAll] must return the same codes, and
// [boxrules.Engine.Check] the first of them. The error is a [*boxrules.InputError]. Exact returns an error for the same
// boxes as Check, and with the same Field, but with a different Message.
func (r *Reference) Exact(b boxrules.Box) ([]boxrules.Code, error) {
	return violated[*big.Rat](r, fractionArithmetic{}, b, oracle.Grid)
}

// Float64 returns the codes of all rules that the box violates in double precision, in check order: each
// number is the nearest float64, each operation of a condition or a blank formula rounds its result, and the
// dimensions are not rounded to the grid. If the unit of a rule differs from the unit of the catalogue, the
// numbers are first converted as [exact.Ratio.Convert] does. A service that computes in floating point may
// report the first of these codes. If that is not the first code of [Reference.Exact], the box is on the
// border of a rule, or less than a thousandth from it; [boxrules.Profile.Borderline] finds such boxes. It
// returns the same errors as Exact.
func (r *Reference) Float64(b boxrules.Box) ([]boxrules.Code, error) {
	return violated[float64](r, float64Arithmetic{}, b, func(x float64) float64 { return x })
}

// violated evaluates all conditions in the given arithmetic, and returns the codes of the rules
// whose conditions hold for the box. convert turns a dimension into a number of that arithmetic.
func violated[N any](r *Reference, a arithmetic[N], b boxrules.Box, convert func(float64) N) ([]boxrules.Code, error) {
	if err := r.inputError(b); err != nil {
		return nil, err
	}
	article, material := r.articles[b.Article], r.materials[b.Material]
	values := map[string]N{"width": convert(b.Width), "depth": convert(b.Depth), "height": convert(b.Height)}
	for name, text := range map[string]limits.Decimal{
		"min_width": article.Width.Min, "max_width": article.Width.Max,
		"min_depth": article.Depth.Min, "max_depth": article.Depth.Max,
		"min_height": article.Height.Min, "max_height": article.Height.Max,
		"caliper": material.Caliper, "glue_flap": material.GlueFlap,
		"sheet_width": material.Sheet.Width, "sheet_height": material.Sheet.Height,
	} {
		values[name] = a.literal(text.String())
	}
	for _, given := range []limits.Values{r.values, article.Values, material.Values} {
		for name, text := range given {
			values[name] = a.literal(text.String())
		}
	}
	// Compute both sides before adding either of them to the values, because a formula cannot mention the
	// blank.
	blank := make(map[string]N)
	for name, formula := range article.blank {
		blank[name] = evalNumber(a, formula, values)
	}
	for name, value := range blank {
		values[name] = value
	}
	valuesIn := make(map[string]map[string]N) // the values in each unit of a rule
	var codes []boxrules.Code
	for _, rule := range r.rules {
		if valuesIn[rule.Unit] == nil {
			valuesIn[rule.Unit] = convertLengths(a, values, r.numbers, r.unit, rule.Unit)
		}
		switch {
		// Constraints are checked only for articles that select them, and rules about the blank only for articles
		// that have one. The rules are in check order already.
		case rule.Stage == boxrules.Constraint && !slices.Contains(article.Constraints, string(rule.Code)):
		case rule.mentionsBlank && article.blank == nil:
		case evalCondition(a, rule.condition, valuesIn[rule.Unit]):
			codes = append(codes, rule.Code)
		}
	}
	return codes, nil
}

// convertLengths converts the values from one unit to another. If numbers is true for the name of a value, the
// value is a plain number and not a length, and stays the same.
func convertLengths[N any](a arithmetic[N], values map[string]N, numbers map[string]bool, from, to string) map[string]N {
	if from == to {
		return values
	}
	converted := make(map[string]N, len(values))
	for name, value := range values {
		if !numbers[name] {
			value = a.convert(value, oracle.Millimetres[from], oracle.Millimetres[to])
		}
		converted[name] = value
	}
	return converted
}

// inputError returns an error if the engine would give no verdict on the box.
func (r *Reference) inputError(b boxrules.Box) error {
	article, ok := r.articles[b.Article]
	if !ok {
		return &boxrules.InputError{Field: "article", Message: "is unknown"}
	}
	if _, ok := r.materials[b.Material]; !ok || !slices.Contains(article.Materials, b.Material) {
		return &boxrules.InputError{Field: "material", Message: "is not offered for the article"}
	}
	for i, x := range b.ByAxis() {
		field := exact.AxisNames()[i]
		if math.IsNaN(x) || math.Abs(x) > exact.MaxDimension {
			return &boxrules.InputError{Field: field, Message: "is not a number, or too large"}
		}
		// The shortest number that parses as x has the fewest decimals.
		_, decimals, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
		// If three decimals are accepted, further decimals are rounded to the grid and not refused.
		if r.decimals < 3 && len(decimals) > r.decimals {
			return &boxrules.InputError{Field: field, Message: fmt.Sprintf("has more than %d decimals", r.decimals)}
		}
	}
	return nil
}
