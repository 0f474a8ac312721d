package boxrules

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// New returns an engine for the rules, compiled for every article and material of the catalogue. The error is a
// [source.Errors] that lists every place where the rules and the catalogue do not fit together, up to about a
// hundred. If an argument is nil, the error says so. The rules and the catalogue may have different units if both units are among
// [exact.ConvertibleUnits]. If the units cannot be converted, New reports only that. Once New has succeeded, a
// check fails only if its input is wrong.
func New(rules *RuleSet, catalogue *limits.Catalogue) (*Engine, error) {
	if rules == nil || catalogue == nil {
		return nil, fmt.Errorf("boxrules.New: rules and catalogue are both required")
	}
	if catalogue.IsFrame() {
		return nil, fmt.Errorf("%s is a frame, which has no limits; use package learn to find them", catalogue.Name())
	}
	if err := checkUnits(rules, catalogue); err != nil {
		return nil, err
	}
	e := &Engine{
		rules: rules, catalogue: catalogue, profiles: make(map[profileKey]*Profile),
		materialsOf: make(map[string][]string), materials: make(map[string]bool),
	}
	// Compile all articles before returning errors, so that one run shows all errors.
	c := newCompiler(rules, catalogue)
	for _, article := range catalogue.Articles() {
		e.articles, e.materialsOf[article.Code] = append(e.articles, article.Code), article.Materials
		a := c.newArticle(article)
		for _, material := range article.Materials {
			e.materials[material] = true
			p := a.compileProfile(c.materials[material])
			if c.mustStop() {
				return nil, c.problems()
			}
			e.profiles[profileKey{article.Code, material}] = p
			e.profilesInOrder = append(e.profilesInOrder, p)
		}
	}
	if err := c.problems(); err != nil {
		return nil, err
	}
	return e, nil
}

// checkUnits returns an error if lengths in the catalogue cannot be converted to the unit of one of the rules.
func checkUnits(rules *RuleSet, catalogue *limits.Catalogue) error {
	for _, r := range rules.rules {
		if _, ok := exact.UnitRatio(catalogue.Unit(), r.Unit); !ok {
			unknown := catalogue.Unit()
			if _, known := exact.UnitRatio(unknown, documentedUnit); known {
				unknown = r.Unit
			}
			return source.Errors{{Position: catalogue.Position("unit"), Message: fmt.Sprintf(
				"the unit of the limits is %s, but the unit of the rules in %s is %s; %s cannot be converted: use the same unit in both files, or give each file one of %s",
				catalogue.Unit(), rules.name, r.Unit, unknown, wording.Units(unknown),
			)}}
		}
	}
	return nil
}

// A compiler compiles rules for the articles of a catalogue, one article after the other. A condition that
// has the same numbers in several articles or materials is compiled only once.
type compiler struct {
	rules     *RuleSet
	byCode    map[string]*rule
	catalogue *limits.Catalogue
	materials map[string]limits.Material // by code

	constants       map[limits.Decimal]exact.Value
	formulas        map[string]exact.Variable     // by scope.cacheKey
	conditions      map[string]*compiledCondition // by scope.cacheKey
	previousProfile *Profile                      // the last profile that got programs of its own

	remainingComparisons int // how much of maxDistinctComparisons is not used up yet
	remainingTotal       int // how much of maxTotal is not used up yet
	errs                 source.Errors
	reported             map[source.Error]bool // the errors that fail has reported, without their messages
}

// A compiledCondition is the condition of a rule in all the forms that profiles use. Profiles in which the
// condition has the same numbers share one compiledCondition.
type compiledCondition struct {
	written exact.Condition
	size    int  // the number of half-spaces in the condition's region
	hasEdge bool // whether floating point may decide the condition differently for some box

	// The fields below take up most of the memory, and most programs use only a few of a catalogue's
	// profiles. So these fields are set when a profile that has the condition is first used.
	once               sync.Once
	violating, allowed exact.Region // the boxes for which the condition is true, and all other boxes
	program            program.Program
}

// prepare sets the fields that a profile needs for checking boxes. Later calls do nothing.
func (c *compiledCondition) prepare() {
	c.once.Do(func() {
		c.violating = c.written.Region()
		c.allowed, c.program = exact.Not(c.violating), program.Assemble(c.violating)
	})
}

func newCompiler(rules *RuleSet, catalogue *limits.Catalogue) *compiler {
	c := &compiler{
		rules: rules, byCode: make(map[string]*rule), catalogue: catalogue, materials: make(map[string]limits.Material),
		constants: make(map[limits.Decimal]exact.Value), formulas: make(map[string]exact.Variable),
		conditions: make(map[string]*compiledCondition), reported: make(map[source.Error]bool),
		remainingComparisons: maxDistinctComparisons, remainingTotal: maxTotal,
	}
	for _, m := range catalogue.Materials() {
		c.materials[m.Code] = m
	}
	for _, r := range rules.rules {
		c.byCode[string(r.Code)] = r
	}
	return c
}

// These constants keep New within about two seconds of processor time and 200 MB of memory. docs/rules.md
// lists them for the authors of rules.
const (
	// maxComparisons is the maximum number of half-spaces for one article in one material. In the default files no
	// article has more than 22.
	maxComparisons = 1000
	// maxTotal is the maximum number of rules and half-spaces together, added up over all articles in all their
	// materials. The default files have 844. It is large enough for 12,000 pairs of an article and a material with all
	// documented rules, because the commands boxrules learn and boxrules audit --next select all rules for every
	// article.
	maxTotal = 1_200_000
	// maxDistinctComparisons is the maximum number of comparisons to compile. A comparison with the same numbers in
	// several articles or materials is compiled only once. Each combination of minimums and maximums counts, so
	// max(a, b) > max(c, d) counts four times. Every 64 characters of a condition or formula count as one more
	// comparison, because long sums take time.
	maxDistinctComparisons = 150_000
)

// charactersPerComparison is the number of characters that count as one comparison; see
// maxDistinctComparisons.
const charactersPerComparison = 64

var (
	tooManyTotalMessage    = fmt.Sprintf("there are too many rules and comparisons in all articles and materials together: at most %d", maxTotal)
	tooManyDistinctMessage = fmt.Sprintf("there are too many different comparisons in all articles and materials together: at most %d", maxDistinctComparisons)
)

// mustStop reports whether compiling must stop because there are too many errors or comparisons.
func (c *compiler) mustStop() bool {
	return len(c.errs) >= maxErrors || c.remainingTotal < 0 || c.remainingComparisons < 0
}

// problems returns the errors that have been found, sorted by position. If there were too many to report,
// one more error at the end says so.
func (c *compiler) problems() error {
	err := c.errs.Err() // sorts c.errs
	if len(c.errs) >= maxErrors {
		last := c.errs[len(c.errs)-1]
		return append(c.errs, &source.Error{Position: last.Position, Message: "too many errors: further ones are not listed"})
	}
	return err
}

// maxErrors is the number of errors after which New stops. Otherwise, a rule file and a limit file that do
// not fit together at all would cause thousands of errors.
const maxErrors = 100

// fail adds an error, unless it has already added one with the same rule and position. Most mistakes would
// otherwise cause the same error for every article and material.
func (c *compiler) fail(at source.Position, rule, message string) {
	e := source.Error{Position: at, Rule: rule}
	if !c.reported[e] {
		c.reported[e] = true
		c.errs = append(c.errs, &source.Error{Position: at, Rule: rule, Message: message})
	}
}

// constant returns the [exact.Value] of a number. Equal numbers share one Value, which saves
// memory.
func (c *compiler) constant(d limits.Decimal) exact.Value {
	v, ok := c.constants[d]
	if !ok {
		v = exact.Constant(d.Rat())
		c.constants[d] = v
	}
	return v
}

// An articleCompiler compiles the profiles of one article.
type articleCompiler struct {
	*compiler
	article limits.Article
	rules   []*rule    // the rules that apply to the article, in check order
	form    exact.Form // only what is the same in all materials
	scope   scope      // the variables that are the same in all materials: dimensions, limits and the article's values
}

// newArticle returns the compiler for an article. It reports constraints that the article cannot select, and
// rules that mention a user-defined value that the article or one of its materials lacks.
func (c *compiler) newArticle(article limits.Article) *articleCompiler {
	c.checkSelection(article)
	step := exact.StepOf(c.catalogue.Decimals())
	a := &articleCompiler{
		compiler: c, article: article, rules: c.dropRulesWithoutValues(article, c.applicableRules(article)),
		form:  exact.Form{Article: article.Code, Title: article.Title, Unit: c.catalogue.Unit(), Step: step},
		scope: newScope(nil),
	}
	a.scope.setValues(c, c.catalogue.Values())
	a.scope.setValues(c, article.Values)
	for axis, limit := range article.Ranges() {
		// For example, the variables for the width are width, min_width and max_width.
		name := axisNames[axis]
		a.scope.variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
		minimum := a.scope.setConstant(c, "min_"+name, limit.Min)
		maximum := a.scope.setConstant(c, "max_"+name, limit.Max)
		// If dimensions have fewer decimals than the limits, the limits are rounded inwards: if dimensions
		// have no decimals, 20.5 to 400.5 becomes 21 to 400.
		a.form.Low[axis] = exact.CeilDiv(compiledLimit(minimum), step) * step
		a.form.High[axis] = exact.FloorDiv(compiledLimit(maximum), step) * step
	}
	return a
}

// compiledLimit converts a limit to a coordinate of the grid. The result is exact, because package limits
// accepts only limits with at most three decimals.
func compiledLimit(limit *big.Rat) int64 {
	return new(big.Rat).Mul(limit, big.NewRat(exact.Scale, 1)).Num().Int64()
}

// compileProfile compiles the rules that apply to the article in the material, and stores their conditions in
// p.form. The programs that Check and CheckAll run are made from these conditions later, when the profile is
// first used. compileProfile reports the errors that it finds, and returns nil if compiling must stop.
func (a *articleCompiler) compileProfile(material limits.Material) *Profile {
	s := newScope(&a.scope) // formIn sets the variables that depend on the material
	p := &Profile{valid: &noViolation, form: a.formIn(material, s), blank: a.article.Blank}
	if !a.addRules(p, s) {
		return nil
	}
	a.addPrograms(p)
	return p
}

// formIn returns the form of the article in the material, without conditions. It also adds the variables that
// depend on the material to the scope.
func (a *articleCompiler) formIn(material limits.Material, s scope) exact.Form {
	// The form and the scope share the map of variables, so the form also gets the variables that are set below.
	f := a.form
	f.Material, f.Variables = material.Code, s.all()
	s.setConstant(a.compiler, "caliper", material.Caliper)
	s.setConstant(a.compiler, "glue_flap", material.GlueFlap)
	s.setValues(a.compiler, material.Values)
	f.SheetWidth = s.setConstant(a.compiler, "sheet_width", material.Sheet.Width)
	f.SheetHeight = s.setConstant(a.compiler, "sheet_height", material.Sheet.Height)
	if blank := a.article.Blank; blank != nil {
		f.Blank = &exact.Blank{
			Width:  a.setFormula("blank_width", blank.Width, material, s),
			Height: a.setFormula("blank_height", blank.Height, material, s),
		}
	}
	return f
}

// setFormula defines the variable for a side of the blank, and returns its value.
func (a *articleCompiler) setFormula(name string, formula limits.Formula, material limits.Material, s scope) exact.Value {
	key := s.cacheKey(formula.Text, formula.Names())
	v, ok := a.formulas[key]
	if !ok {
		// Long formulas count, although they contain no comparisons.
		if a.remainingComparisons -= len(formula.Text) / charactersPerComparison; a.remainingComparisons < 0 {
			a.fail(a.catalogue.Position("articles", a.article.Code), "articles."+a.article.Code, tooManyDistinctMessage)
			return exact.Value{}
		}
		var err error
		v, err = formula.Value(s.all())
		var problem *source.Error
		if errors.As(err, &problem) { // Value returns no other error
			a.fail(problem.Position, problem.Rule, problem.Message+" (in material "+material.Code+")")
		} else {
			a.formulas[key] = v
		}
	}
	// A condition that mentions the side depends on everything that the formula depends on, so the key of the
	// formula is the text of the variable.
	s.variables[name], s.texts[name] = v, key
	return v.Value
}

// addRules compiles the rules of the article for the profile. It returns false if compiling cannot go on,
// because there are too many errors or too many comparisons, in this profile or in total.
func (a *articleCompiler) addRules(p *Profile, s scope) bool {
	p.rules, p.form.Conditions = make([]appliedRule, len(a.rules)), make([]exact.Condition, len(a.rules))
	comparisons := 0
	for i, r := range a.rules {
		condition := a.compileCondition(r, &p.form, s)
		p.rules[i] = appliedRule{r, condition}
		p.form.Conditions[i] = condition.written
		// There are two bounds. Check the one for this profile now, and the one for all profiles after the loop.
		a.remainingTotal -= 1 + condition.size
		if comparisons += condition.size; comparisons > maxComparisons {
			a.fail(r.position(0), string(r.Code), fmt.Sprintf("article %s in material %s has too many comparisons: at most %d",
				p.form.Article, p.form.Material, maxComparisons))
			return false
		}
	}
	if a.remainingTotal < 0 {
		a.fail(a.catalogue.Position("articles", a.article.Code), "articles."+a.article.Code, tooManyTotalMessage)
	}
	return !a.mustStop()
}

// compileCondition compiles the rule's condition for the article and material of the form f.
func (a *articleCompiler) compileCondition(r *rule, f *exact.Form, s scope) *compiledCondition {
	// The code identifies the rule, and with it the text of the condition.
	key := s.cacheKey(string(r.Code), r.condition.Names())
	if cached, ok := a.conditions[key]; ok {
		return cached
	}
	if a.remainingComparisons < 0 {
		return &compiledCondition{} // the error has been reported
	}
	a.remainingComparisons -= len(r.When) / charactersPerComparison
	// The variables are in the unit of the catalogue, but the condition is in the unit of the rule.
	unit := "" // stays empty if the two units are the same
	if r.Unit != f.Unit {
		unit = r.Unit
	}
	ratio, _ := exact.UnitRatio(f.Unit, r.Unit) // checkUnits has accepted the units
	written, problem := r.condition.ConditionIn(unit, ratio, s.all(), &a.remainingComparisons)
	where := " (in article " + f.Article + ", material " + f.Material + ")"
	switch {
	case a.remainingComparisons < 0:
		a.fail(r.position(0), string(r.Code), tooManyDistinctMessage+where)
	case problem != nil:
		a.fail(r.position(problem.Offset), string(r.Code), problem.Message+where)
	}
	// After an error the condition is False. It is cached anyway, so that the work is not repeated.
	condition := &compiledCondition{written: written, size: written.Region().Size(), hasEdge: written.HasEdge()}
	a.conditions[key] = condition
	return condition
}

// addPrograms sets p.newPrograms, which makes the programs that Check runs. If the conditions are the same as
// in a.previousProfile, which is common for an article in several materials, the two profiles share their
// programs.
func (a *articleCompiler) addPrograms(p *Profile) {
	if q := a.previousProfile; q != nil && slices.EqualFunc(p.form.Conditions, q.form.Conditions, exact.Condition.Equal) {
		p.newPrograms = q.newPrograms
		return
	}
	// Otherwise, the profile gets its own programs.
	a.previousProfile = p
	boundaryRules := 0
	for boundaryRules < len(p.rules) && p.rules[boundaryRules].Stage == Boundary {
		boundaryRules++
	}
	p.newPrograms = sync.OnceValues(func() (program.Program, program.FastPath) {
		p.prepareRules()
		firstViolated := program.Assemble(p.violatingRegions()...)
		if p.form.Step > 1 { // the fast path does not check the number of decimals
			return firstViolated, program.NoFastPath
		}
		return firstViolated, program.NewFastPath(firstViolated, p.violatingRegions(), boundaryRules)
	})
}

// checkSelection reports each code in the article's list of constraints that no constraint rule defines. If the article
// has no blank, it also reports each selected constraint that needs one.
func (c *compiler) checkSelection(article limits.Article) {
	for _, code := range article.Constraints {
		if len(c.errs) >= maxErrors {
			return
		}
		r := c.byCode[code] // nil if no rule has the code
		report := func(message string) {
			position := c.catalogue.Position("articles", article.Code, "constraints", code)
			c.errs = append(c.errs, &source.Error{Position: position, Rule: "articles." + article.Code, Message: message})
		}
		switch {
		case r == nil:
			kind, hint := "rule of "+c.rules.name, ""
			if c.rules == DefaultRules() {
				kind, hint = "documented rule", "; or pass --rules FILE"
			}
			report(code + " is not a " + kind + "; accepted: " + c.rules.constraintList() + hint)
		case r.Stage != Constraint:
			report(code + " is a " + r.Stage.String() + " rule, which applies to every article; select only constraint rules")
		case r.needsBlank() && article.Blank == nil:
			report(code + " needs the blank, but the article has none")
		}
	}
}

// dropRulesWithoutValues removes and reports the rules that mention a user-defined value that the article or one of its
// materials lacks. For a constraint, the error points to the place where the article selects it. For any other rule,
// the error points to the article.
func (c *compiler) dropRulesWithoutValues(article limits.Article, rules []*rule) []*rule {
	return slices.DeleteFunc(rules, func(r *rule) bool {
		missing := r.missingValues(c.catalogue, article)
		path := []string{"articles", article.Code}
		if r.Stage == Constraint {
			path = append(path, "constraints", string(r.Code))
		}
		for _, message := range missing {
			c.errs = append(c.errs, &source.Error{
				Position: c.catalogue.Position(path...), Rule: "articles." + article.Code, Message: string(r.Code) + ": " + message,
			})
		}
		return len(missing) > 0
	})
}

// applicableRules returns the rules that apply to the article, in check order: the rules of the boundary
// stage, the constraints that the article selects, and the rules of the size stage. Rules that need the blank
// are left out if the article has none.
func (c *compiler) applicableRules(article limits.Article) []*rule {
	selected := make(map[string]bool)
	for _, code := range article.Constraints {
		selected[code] = true
	}
	var rules []*rule
	for _, r := range c.rules.rules {
		switch {
		case r.Stage == Constraint && !selected[string(r.Code)]:
		case r.needsBlank() && article.Blank == nil:
			// If a constraint needs the blank, checkSelection has reported it. If a size rule does, it does
			// not apply.
			if r.Stage == Boundary {
				c.fail(r.position(0), string(r.Code), "the condition needs the blank, but article "+article.Code+" has none")
			}
		default:
			rules = append(rules, r)
		}
	}
	return rules
}
