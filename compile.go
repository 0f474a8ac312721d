package boxrules

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/linear"
	"example.com/boxrules/internal/source"
	"example.com/boxrules/limits"
)

// A compiler makes profiles. A condition that no material or article changes is lowered once.
type compiler struct {
	rules     *RuleSet
	materials map[string]limits.Material
	unit      string
	catalogue *limits.Catalogue
	errs      source.Errors
	failed    map[source.Position]bool // conditions and formulas already reported
	general   map[*rule]*lowered       // lowered for every article
	article   string                   // that inArticle belongs to
	inArticle map[*rule]*lowered       // lowered for every material of the article
	last      *Profile                 // made last
	work      int                      // left, of maxComparisons
	rulings   int                      // of all profiles so far
}

// A lowered condition, with its program.
type lowered struct {
	condition linear.Condition
	program   program
}

func newCompiler(rules *RuleSet, catalogue *limits.Catalogue) *compiler {
	c := &compiler{
		rules:     rules,
		materials: make(map[string]limits.Material),
		unit:      catalogue.Unit(),
		catalogue: catalogue,
		failed:    make(map[source.Position]bool),
		general:   make(map[*rule]*lowered),
		work:      maxComparisons,
	}
	for _, m := range catalogue.Materials() {
		c.materials[m.Code] = m
	}
	return c
}

// maxRulings bounds the rules of all profiles together, for the memory that they take.
const maxRulings = 100_000

// full reports whether there are too many rules in the profiles so far, or too many errors to go on.
func (c *compiler) full(p *Profile) bool {
	if c.rulings += len(p.rules); c.rulings > maxRulings {
		c.fail(c.catalogue.Position("articles", p.Article()), "articles."+p.Article(),
			fmt.Sprintf("there are too many rules over all articles and materials: at most %d", maxRulings))
		return true
	}
	return len(c.errs) >= maxErrors
}

// problems are the errors as New returns them; where it stopped early the last one says so.
func (c *compiler) problems() error {
	err := c.errs.Sorted()
	if len(c.errs) >= maxErrors {
		last := c.errs[len(c.errs)-1]
		c.errs = append(c.errs, &source.Error{Position: last.Position, Message: "too many errors: what comes after these is not listed"})
		return c.errs
	}
	return err
}

// maxErrors is about how many errors New reports; a file that does not fit at all would make thousands.
const maxErrors = 100

// profile compiles the rules that apply to the article, and adds what does not fit to c.errs.
func (c *compiler) profile(article limits.Article, material string) *Profile {
	if c.article != article.Code || c.inArticle == nil {
		c.article, c.inArticle = article.Code, make(map[*rule]*lowered)
		c.checkSelection(article)
	}
	p := &Profile{accepted: &none, article: article, material: c.materials[material], unit: c.unit}
	p.numbers = c.variables(article, p.material)
	for axis := range linear.Axes {
		limits := p.limits(axis)
		p.low[axis], p.high[axis] = -gridFloor(limits.Min, -1), gridFloor(limits.Max, 1)
	}
	var conditions []linear.Condition
	halves := 0
	chosen, unchecked := c.selected(article)
	p.unchecked = unchecked
	p.rules = make([]ruling, len(chosen))
	for i, r := range chosen {
		l, ruling := c.lower(r, p), &p.rules[i]
		ruling.violation = Violation{r.Code, r.Stage, r.Message}
		ruling.rule, ruling.condition, ruling.program = r, l.condition, l.program
		ruling.reading = sync.OnceValue(func() *reading { return p.read(r.condition) })
		conditions = append(conditions, l.condition)
		if halves += l.condition.Halves(); halves > maxHalves {
			c.fail(r.position(0), string(r.Code), fmt.Sprintf("article %s in material %s has too many comparisons: at most %d", p.Article(), p.Material(), maxHalves))
			p.rules = slices.Clone(p.rules[:i+1]) // not the room for all of them
			break
		}
	}
	// An article is often the same in several materials.
	if c.last != nil && p.same(c.last) {
		p.first, p.shortcut = c.last.first, c.last.shortcut
	} else {
		p.first, p.shortcut = assemble(conditions...), newShortcut(conditions, boundaryRules(p.rules))
	}
	c.last = p
	return p
}

// gridFloor is the greatest whole number of thousandths in the limit times the sign.
func gridFloor(limit limits.Decimal, sign int64) int64 {
	r := limit.Rat()
	r.Mul(r, big.NewRat(linear.Scale*sign, 1))
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

// maxHalves bounds the half-spaces of a profile; the largest of the default files has 22.
const maxHalves = 1000

// checkSelection reports the codes that the article selects and cannot.
func (c *compiler) checkSelection(article limits.Article) {
	for _, code := range article.Constraints {
		if len(c.errs) >= maxErrors {
			return
		}
		r := c.rules.byCode(Code(code))
		report := func(message string) {
			position := c.catalogue.Position("articles", article.Code, "constraints", code)
			c.errs = append(c.errs, &source.Error{Position: position, Rule: "articles." + article.Code, Message: message})
		}
		switch {
		case r == nil:
			report(code + " is no rule of " + c.rules.name + "; accepted: " + c.rules.constraints())
		case r.Stage != Constraint:
			report(code + " is a " + r.Stage.String() + " rule, which applies to every article; only constraint rules are selected")
		case r.needsBlank() && article.Blank == nil:
			report(code + " needs the blank, and the article has none")
		}
	}
}

// constraints are the codes that an article may select, for a message.
func (s *RuleSet) constraints() string {
	var codes []string
	for _, r := range s.rules {
		if r.Stage == Constraint {
			codes = append(codes, string(r.Code))
		}
	}
	switch last := len(codes) - 1; {
	case last < 0:
		return "none, as it has no constraint rules"
	case last < 8:
		return strings.Join(codes, ", ")
	default:
		return fmt.Sprintf("its %d constraint codes, %s to %s", len(codes), codes[0], codes[last])
	}
}

// selected are the rules that apply to the article, in check order: those of the boundary stage, the
// constraints that it selects, and those of the size stage. What needs a blank that the article does not
// have stays unchecked.
func (c *compiler) selected(article limits.Article) (rules []*rule, unchecked []Code) {
	chosen := make(map[string]bool)
	for _, code := range article.Constraints {
		chosen[code] = true
	}
	for _, r := range c.rules.rules {
		if r.Stage == Constraint && !chosen[string(r.Code)] {
			continue
		}
		if r.needsBlank() && article.Blank == nil {
			if r.Stage == Boundary {
				c.fail(r.position(0), string(r.Code), "the condition needs the blank, and article "+article.Code+" has none")
			}
			unchecked = append(unchecked, r.Code)
			continue
		}
		rules = append(rules, r)
	}
	return rules, unchecked
}

func (c *compiler) fail(at source.Position, rule, message string) {
	if !c.failed[at] {
		c.failed[at] = true
		c.errs = append(c.errs, &source.Error{Position: at, Rule: rule, Message: message})
	}
}

// lower gives the rule's condition in the profile.
func (c *compiler) lower(r *rule, p *Profile) *lowered {
	cache := map[*rule]*lowered{}
	switch class := r.condition.Class(); {
	case class&(expression.PerMaterial|expression.PerBlank) != 0:
	case class&expression.PerArticle != 0:
		cache = c.inArticle
	default:
		cache = c.general
	}
	if l, ok := cache[r]; ok {
		return l
	}
	if c.work < 0 {
		return &lowered{} // that has been reported; nothing more is worth the time
	}
	condition, err := lowerCondition(r.condition, p.numbers, &c.work)
	if err != nil {
		c.fail(r.position(err.offset), string(r.Code), err.Error()+" (in article "+p.Article()+", material "+p.Material()+")")
	}
	l := &lowered{condition, assemble(condition)}
	cache[r] = l
	return l
}

// boxVariables are the names that a box alone gives a value.
func boxVariables() map[string]linear.Value {
	v := make(map[string]linear.Value)
	for axis, name := range axisNames {
		v[name] = linear.Variable(axis)
	}
	return v
}

// variables are the values of the names that conditions may mention.
func (c *compiler) variables(article limits.Article, material limits.Material) map[string]linear.Value {
	v := boxVariables()
	for name, d := range map[string]limits.Decimal{
		"min_width": article.Width.Min, "max_width": article.Width.Max,
		"min_depth": article.Depth.Min, "max_depth": article.Depth.Max,
		"min_height": article.Height.Min, "max_height": article.Height.Max,
		"caliper": material.Caliper, "glue_flap": material.GlueFlap,
		"sheet_width": material.Sheet.Width, "sheet_height": material.Sheet.Height,
	} {
		v[name] = linear.Constant(d.Rat())
	}
	if article.Blank != nil {
		width, height := c.formula(article.Blank.Width, v, article, material), c.formula(article.Blank.Height, v, article, material)
		v["blank_width"], v["blank_height"] = width, height
	}
	return v
}

func (c *compiler) formula(f limits.Formula, variables map[string]linear.Value, article limits.Article, material limits.Material) linear.Value {
	v, err := lowerFormula(f.Expression(), variables)
	if err != nil {
		c.fail(f.Position(err.offset), "articles."+article.Code, err.Error()+" (in material "+material.Code+")")
		return linear.Constant(new(big.Rat))
	}
	return v
}
