package boxrules

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A compiler makes the profiles of an engine, one after another.
type compiler struct {
	rules     *RuleSet
	byCode    map[string]*rule
	catalogue *limits.Catalogue
	materials map[string]limits.Material
	constants map[limits.Decimal]exact.Value // each once, to save memory
	article   limits.Article                 // the current one
	chosen    []*rule                        // the rules that apply to it
	ofArticle exact.Form                     // shared by all its materials
	values    map[string]string              // of the variables of the current profile, as key writes them
	formulas  map[string]exact.Variable      // by key
	lowered   map[string]*lowered            // by key
	errs      source.Errors
	failed    map[source.Error]bool // conditions and formulas already reported, without their messages
	last      *Profile              // the newest
	different int                   // remaining of maxDifferent
	inAll     int                   // remaining of maxInAll
}

// A lowered keeps a condition in all the forms that profiles use.
type lowered struct {
	written            exact.Condition
	violating, allowed exact.Region // the boxes for which it holds, and the others
	program            program.Program
	hasEdge            bool // floating point may decide the condition otherwise for some box
}

func newCompiler(rules *RuleSet, catalogue *limits.Catalogue) *compiler {
	c := &compiler{
		rules: rules, catalogue: catalogue, byCode: make(map[string]*rule), materials: make(map[string]limits.Material),
		constants: make(map[limits.Decimal]exact.Value), values: make(map[string]string),
		formulas: make(map[string]exact.Variable), lowered: make(map[string]*lowered),
		failed: make(map[source.Error]bool), different: maxDifferent, inAll: maxInAll,
	}
	for _, m := range catalogue.Materials() {
		c.materials[m.Code] = m
	}
	for _, r := range rules.rules {
		c.byCode[string(r.Code)] = r
	}
	return c
}

// What New compiles is bounded: these three keep it within two seconds of processor time and 130
// MB, and searches over whole files within 10 seconds and 300 MB. docs/rules.md lists them for the
// authors of rules.
const (
	// maxComparisons bounds the half-spaces of an article in a material; the largest of the default
	// files has 22.
	maxComparisons = 1000
	// maxInAll bounds the rules of all articles in all their materials together with their
	// half-spaces; the default files have 844. 3,000 pairs with all documented rules are within it, and
	// with more of them audit --next would take over 300 MB.
	maxInAll = 280_000
	// maxDifferent bounds the comparisons that are compiled. One that has the same numbers in
	// several articles or materials is compiled once. Each combination of minimums and maximums
	// counts, so that max(a, b) > max(c, d) counts four times, and so do each 64 characters of a
	// condition or formula, as long sums take time too.
	maxDifferent = 50_000
)

const characters = 64 // of a condition or formula count as a comparison, for maxDifferent

var (
	tooManyInAll     = fmt.Sprintf("there are too many rules and comparisons over all articles and materials: at most %d", maxInAll)
	tooManyDifferent = fmt.Sprintf("there are too many different comparisons over all articles and materials: at most %d", maxDifferent)
)

// stopped reports whether there are too many errors to go on, or something that no further
// profile can mend.
func (c *compiler) stopped() bool {
	return len(c.errs) >= maxErrors || c.inAll < 0 || c.different < 0
}

// problems returns the errors as New does. Where it stopped early the last one says so.
func (c *compiler) problems() error {
	err := c.errs.Err()
	if len(c.errs) >= maxErrors {
		last := c.errs[len(c.errs)-1] // in order since Err
		return append(c.errs, &source.Error{Position: last.Position, Message: "too many errors: what comes after these is not listed"})
	}
	return err
}

// maxErrors bounds, more or less, the errors that New reports; a file that does not fit at all
// would make thousands.
const maxErrors = 100

// take makes the article the one at hand.
func (c *compiler) take(article limits.Article) {
	c.checkSelection(article)
	step := exact.StepOf(c.catalogue.Decimals())
	f := &exact.Form{
		Article: article.Code, Title: article.Title, Unit: c.catalogue.Unit(),
		Step: step, Variables: make(map[string]exact.Variable),
	}
	for axis, between := range [exact.Axes]limits.Range{article.Width, article.Depth, article.Height} {
		name := axisNames[axis]
		f.Variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
		least, greatest := c.constant(f, "min_"+name, between.Min), c.constant(f, "max_"+name, between.Max)
		f.Low[axis] = exact.CeilDiv(thousandths(least), step) * step
		f.High[axis] = exact.FloorDiv(thousandths(greatest), step) * step
	}
	c.article, c.chosen, c.ofArticle = article, c.selected(article), *f
}

// profile returns the compiled rules that apply to the current article in the material of the code:
// each condition as written for the form and as a program for CheckAll, and for Check one program that
// finds the first condition that holds. It adds errors to c.errs, and returns nil if it cannot go on.
func (c *compiler) profile(code string) *Profile {
	p := &Profile{accepted: &noViolation, form: c.form(c.materials[code]), blank: c.article.Blank}
	article, chosen := c.article, c.chosen
	p.rules, p.form.Conditions = make([]appliedRule, len(chosen)), make([]exact.Condition, len(chosen))
	halves := 0
	for i, r := range chosen {
		l := c.lower(r, &p.form)
		p.rules[i] = appliedRule{r, l}
		p.form.Conditions[i] = l.written
		size := l.violating.Size()
		c.inAll -= 1 + size
		if halves += size; halves > maxComparisons {
			c.fail(r.position(0), string(r.Code), fmt.Sprintf("article %s in material %s has too many comparisons: at most %d", article.Code, code, maxComparisons))
			return nil
		}
	}
	if c.inAll < 0 {
		c.fail(c.catalogue.Position("articles", article.Code), "articles."+article.Code, tooManyInAll)
	}
	if c.stopped() {
		return nil
	}
	// An article is often the same in several materials.
	if c.last != nil && slices.EqualFunc(p.form.Conditions, c.last.form.Conditions, exact.Condition.Equal) {
		p.first, p.fast.Make = c.last.first, c.last.fast.Make
	} else {
		p.first = program.Assemble(p.violating()...)
		if p.form.Step == 1 { // else the decimals of each box have to be looked at
			p.fast.Make = sync.OnceValue(func() *program.FastPath {
				boundary := 0
				for boundary < len(p.rules) && p.rules[boundary].Stage == Boundary {
					boundary++
				}
				return program.NewFastPath(p.first, p.violating(), boundary)
			})
		}
	}
	c.last = p
	return p
}

// constant sets the variable to the number, and returns it.
func (c *compiler) constant(f *exact.Form, name string, d limits.Decimal) *big.Rat {
	v, ok := c.constants[d]
	if !ok {
		v = exact.Constant(d.Rat())
		c.constants[d] = v
	}
	f.Variables[name], c.values[name] = exact.Variable{Value: v}, string(d)
	k, _ := v.Constant()
	return k
}

// form returns what there is to say of the article at hand in the material before any rule:
// limits, sheet, blank, and the values of the variables.
func (c *compiler) form(material limits.Material) exact.Form {
	f := c.ofArticle
	f.Material, f.Variables = material.Code, maps.Clone(f.Variables)
	c.constant(&f, "caliper", material.Caliper)
	c.constant(&f, "glue_flap", material.GlueFlap)
	f.SheetWidth = c.constant(&f, "sheet_width", material.Sheet.Width)
	f.SheetHeight = c.constant(&f, "sheet_height", material.Sheet.Height)
	if blank := c.article.Blank; blank != nil {
		width := c.formula("blank_width", blank.Width, &f)
		height := c.formula("blank_height", blank.Height, &f)
		f.Blank = &exact.Blank{Width: width, Height: height}
	}
	return f
}

// formula sets the variable that stands for a side of the blank, and returns its value.
func (c *compiler) formula(name string, formula limits.Formula, f *exact.Form) exact.Value {
	key := c.key(formula.Text, formula.Names())
	v, ok := c.formulas[key]
	if !ok {
		if c.different -= len(formula.Text) / characters; c.different < 0 {
			c.fail(c.catalogue.Position("articles", f.Article), "articles."+f.Article, tooManyDifferent)
			return exact.Value{}
		}
		var err error
		v, err = formula.Value(f.Variables)
		var problem *source.Error
		if errors.As(err, &problem) { // it fails with nothing else
			c.fail(problem.Position, problem.Rule, problem.Message+" (in material "+f.Material+")")
		} else {
			c.formulas[key] = v
		}
	}
	f.Variables[name], c.values[name] = v, key
	return v.Value
}

// key returns the text with the values, in the profile at hand, of the variables that it mentions.
// So width > max_width is lowered once for all articles whose greatest width is 400, and a blank
// once for all materials with the same glue flap.
func (c *compiler) key(text string, mentioned []string) string {
	key := []byte(text)
	for _, name := range mentioned {
		key = append(append(key, ';'), c.values[name]...)
	}
	return string(key)
}

// thousandths returns a limit on the grid, where it always lies: package limits accepts no other.
func thousandths(limit *big.Rat) int64 {
	return new(big.Rat).Mul(limit, big.NewRat(exact.Scale, 1)).Num().Int64()
}

// checkSelection reports the codes under the article's constraints that cannot be selected.
func (c *compiler) checkSelection(article limits.Article) {
	for _, code := range article.Constraints {
		if len(c.errs) >= maxErrors {
			return
		}
		r := c.byCode[code]
		report := func(message string) {
			position := c.catalogue.Position("articles", article.Code, "constraints", code)
			c.errs = append(c.errs, &source.Error{Position: position, Rule: "articles." + article.Code, Message: message})
		}
		switch {
		case r == nil:
			of, more := "rule of "+c.rules.name, ""
			if c.rules == DefaultRules() {
				of, more = "documented rule", ", or rules of your own that have it"
			}
			report(code + " is not a " + of + "; accepted: " + c.rules.constraints() + more)
		case r.Stage != Constraint:
			report(code + " is a " + r.Stage.String() + " rule, which applies to every article; only constraint rules are selected")
		case r.needsBlank() && article.Blank == nil:
			report(code + " needs the blank, and the article has none")
		}
	}
}

// constraints names the codes that an article may select, for a message: the documented ones by
// the first and the last of them.
func (s *RuleSet) constraints() string {
	var documented, own []string
	for _, r := range s.rules {
		if _, known := r.Code.Info(); r.Stage == Constraint && known {
			documented = append(documented, string(r.Code))
		} else if r.Stage == Constraint {
			own = append(own, string(r.Code))
		}
	}
	if n := len(documented); n > 2 {
		documented = []string{documented[0] + " to " + documented[n-1]}
	}
	if all := append(documented, own...); len(all) > 0 {
		return wording.List(all)
	}
	return "none, as it has no constraint rules"
}

// selected returns the rules that apply to the article, in check order: those of the boundary
// stage, the constraints that it selects, and those of the size stage. A rule that needs the
// blank is left out where the article has none.
func (c *compiler) selected(article limits.Article) []*rule {
	chosen := make(map[string]bool)
	for _, code := range article.Constraints {
		chosen[code] = true
	}
	var rules []*rule
	for _, r := range c.rules.rules {
		switch {
		case r.Stage == Constraint && !chosen[string(r.Code)]:
		case r.needsBlank() && article.Blank == nil:
			if r.Stage == Boundary {
				c.fail(r.position(0), string(r.Code), "the condition needs the blank, and article "+article.Code+" has none")
			}
		default:
			rules = append(rules, r)
		}
	}
	return rules
}

func (c *compiler) fail(at source.Position, rule, message string) {
	e := source.Error{Position: at, Rule: rule}
	if !c.failed[e] {
		c.failed[e] = true
		c.errs = append(c.errs, &source.Error{Position: at, Rule: rule, Message: message})
	}
}

// lower returns the rule's condition for the article and material of the form.
func (c *compiler) lower(r *rule, f *exact.Form) *lowered {
	key := c.key(string(r.Code), r.condition.Names())
	if l, ok := c.lowered[key]; ok {
		return l
	}
	if c.different < 0 {
		return &lowered{} // that has been reported
	}
	c.different -= len(r.When) / characters
	condition, problem := r.condition.Condition(f.Variables, &c.different)
	switch {
	case c.different < 0:
		c.fail(r.position(0), string(r.Code), tooManyDifferent+" (in article "+f.Article+", material "+f.Material+")")
	case problem != nil:
		c.fail(r.position(problem.Offset), string(r.Code), problem.Message+" (in article "+f.Article+", material "+f.Material+")")
	}
	region := condition.Region()
	l := &lowered{written: condition, violating: region, allowed: exact.Not(region), hasEdge: condition.HasEdge()}
	l.program = program.Assemble(l.violating)
	c.lowered[key] = l
	return l
}
