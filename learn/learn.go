package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// Options are the assumptions that a [Learner] makes. What the learner reports is true if the limits and sheets of the
// service are on the grid that Step defines, if no limit exceeds Max, if an article has the same limits in all its materials, and if the
// service uses the blanks of the frame.
type Options struct {
	// Step is the grid of limits and sheets, in units. It is at least 0.001. If Step is 1, all limits and the sides
	// of all sheets are assumed to be whole numbers.
	Step float64
	// Max is the greatest value that a limit can have, in units.
	Max float64
	// Since is the date before which answers may be out of date. If a later answer contradicts an answer from
	// before Since, no contradiction is reported. What the old answer and the answers before it show about the
	// same limit, constraint or sheet is dropped. If Since is zero, all contradictions are reported.
	Since time.Time
	// Blanks has articles with blank formulas. The learner tries these formulas for articles of the frame that have no
	// blank. It chooses a formula if no other formula explains the answers, and if two kinds of boxes have confirmed
	// it: boxes whose blanks just fit the sheet, and boxes whose blanks are just too large. It drops a chosen formula
	// if a later answer shows that the formula is wrong. Whatever the formula is, the larger of two boxes is assumed
	// to have a blank that is at least as large.
	Blanks *limits.Catalogue
	// Styles means that the formulas of the standard styles are tried as well, in the same way as the formulas in
	// Blanks. A style is not tried for an article if its formulas need a value that the frame does not give, such as
	// the length of a tuck. [Learner.Warnings] names the styles that are not tried.
	Styles bool
	// Only reports whether [Learner.Next] may ask about an article in a material. If Only is nil, Next may ask
	// about all articles in all materials.
	Only func(article, material string) bool
}

// An Answer is a box, together with the service's answer to it.
type Answer struct {
	boxrules.Box
	Code boxrules.Code // the code of the first rule that the box violates; empty if the box was accepted
	Date time.Time     // zero if the date is not known
	Row  int           // the number of the answer in contradictions and facts; if 0, Add numbers the answers in order
}

// A Learner collects what the answers show about the limits of a service. Use [New] to make one; the
// methods of a zero Learner panic. It is not safe for concurrent use.
type Learner struct {
	options    Options
	step       int64 // Options.Step in thousandths
	maxLimit   int64 // Options.Max in thousandths, rounded down to a multiple of step
	askGrid    int64 // boxes that Next proposes have dimensions that are multiples of askGrid, in thousandths
	answerGrid int64 // answers have dimensions that are multiples of answerGrid, in thousandths
	frame      *limits.Catalogue
	ruleSet    *boxrules.RuleSet
	rules      []boxrules.Rule
	engine     *boxrules.Engine // nil before the first call of recompiledEngine
	warnings   source.Errors    // see Warnings
	truth      *boxrules.Engine // an engine with the true limits, whose catalogue includes the frame; nil if these limits are not known
	// The service makes its comparisons in this order: the limit tests, the first beforeSheet condition rules, the
	// comparison of the blank with the sheet if hasSizeRule is true, and the other condition rules. codes has the
	// codes of the comparisons in this order, followed by "" for accepted boxes.
	limitTests     []limitTest
	conditionRules []conditionRule
	beforeSheet    int
	hasSizeRule    bool // whether the rules include the documented size rule
	codes          []boxrules.Code
	articles       []*article
	sheets         map[string]*state.Sheet // by material
	unknowns       []state.Unknown         // all limits, selections, sheets and fittings
	// contradictions has an entry for each unknown about which there are contradicting answers.
	contradictions      map[state.Unknown]contradictions
	profiles            []*profile
	profileByProduct    map[[2]string]*profile
	skipped             map[boxrules.Box]bool  // see Skip
	checkedBeforeLimits map[boxrules.Code]bool // codes that the service is known to check before the limits
	outdated            map[int]bool           // see Outdated; keyed by the number of the answer
	answerCount         int
	remainingWork       polytope.Budget // the work that the current call may still do
	gaveUp              bool            // whether a search of the current call has given up
	prior               *plan.Prior     // the prior of limits
}

// A limitTest is a rule of the boundary stage that compares a dimension with its own minimum or maximum.
type limitTest struct{ axis, end int }

// The ends of a range.
const (
	minimum = iota
	maximum
)

// An article is one of the articles of the frame, together with its unknowns that do not depend on the material.
type article struct {
	limits.Article
	rangeEnds  [exact.Axes][2]*state.Limit // the minimum and the maximum of each dimension
	selections []*state.Selection          // one per condition rule; a rule that is not a constraint counts as selected
	// missingValues has an entry for each condition rule. Usually it is empty. But an article cannot select a
	// constraint whose condition mentions a user-defined value that the frame does not give. Then the entry is a
	// message that says so, and the constraint counts as not selected.
	missingValues []string
	profiles      []*profile
	// knownByRule has an entry for each condition rule that mentions limits: the values of the limits with which
	// the condition was computed.
	knownByRule map[int]map[string]int64
	// hidden is the set of condition rules for which isHiddenConstraint is known to be true. It stays valid as long as
	// nothing is forgotten, because learning more only reduces the number of informative boxes.
	hidden     map[int]bool
	frameBlank *limits.Blank // the blank in the frame; Article.Blank may also be a blank that was learned

	triesFormulas   bool         // whether there are formulas to try for the blank
	candidates      []*candidate // the formulas that may still be right: no box on their border has refuted them
	chosenCandidate *candidate   // the formula that boxes on its border have confirmed, or nil
	confirmingRows  []int        // the rows of the boxes that confirmed the chosen formula
}

// A profile is an article in a material, with what is known about this combination.
type profile struct {
	article       *article
	material      string
	sheet         *state.Sheet
	conditions    []*condition // one per condition rule; often shared by all profiles
	beforeSheet   int          // the number of conditions that come before the comparison with the sheet
	float64Values comparisonValues
	blank         *blank         // nil if it is not known
	fitting       *state.Fitting // if the blank is not known: which boxes fit

	// judgedBoxes holds the latest boxes whose answers say something about constraints or the sheet. maskedBoxes holds
	// the latest boxes that the service refused with a code that the rules do not define, or with the code of an opaque
	// rule. See unmaskedProbability.
	judgedBoxes, maskedBoxes []exact.Point
}

func (p *profile) box(at exact.Point) boxrules.Box {
	return boxrules.Box{Article: p.article.Code, Material: p.material, Dims: boxrules.DimsAt(at)}
}

// maxSteps is the maximum value of Options.Max / Options.Step.
const maxSteps = 1_000_000

// New returns a [Learner] that has not seen any answers. The frame may be any limit file. New uses its unit,
// decimals, articles, materials and blanks, and ignores its limits. The error is a *[boxrules.OptionError], or a
// [source.Errors] with the reasons why limits cannot be learned with these rules or this frame. If rules or frame
// is nil, the error has another type.
func New(rules *boxrules.RuleSet, frame *limits.Catalogue, o Options) (*Learner, error) {
	return newLearner(rules, frame, o, nil)
}

// newLearner is like [New]. If truth is not nil, the frame is all or part of the catalogue of truth, and conditions
// that mention limits or sheets use the values in the frame.
func newLearner(rules *boxrules.RuleSet, frame *limits.Catalogue, o Options, truth *boxrules.Engine) (*Learner, error) {
	switch {
	case rules == nil || frame == nil:
		return nil, errors.New("learn.New: rules and a frame are both required")
	case !(o.Step >= 0.001 && o.Step <= exact.MaxDimension) || exact.Float64At(exact.Grid(o.Step)) != o.Step:
		return nil, &boxrules.OptionError{Option: "step",
			Message: "accepted: a number greater than 0 with at most three decimals"}
	case !(o.Max >= o.Step && o.Max <= exact.MaxDimension) || o.Max/o.Step > maxSteps:
		return nil, &boxrules.OptionError{Option: "max",
			Message: fmt.Sprintf("accepted: a number from the step to %d, and at most %d steps", exact.MaxDimension, maxSteps)}
	}
	l := &Learner{
		options: o, step: exact.Grid(o.Step), frame: frame, truth: truth,
		ruleSet: rules, rules: rules.Rules(), sheets: make(map[string]*state.Sheet), contradictions: make(map[state.Unknown]contradictions),
		profileByProduct: make(map[[2]string]*profile), skipped: make(map[boxrules.Box]bool),
		checkedBeforeLimits: make(map[boxrules.Code]bool),
	}
	l.maxLimit = roundDown(exact.Grid(o.Max), l.step)
	decimals := usualAskDecimals(frame.Unit())
	if frame.Position("decimals") != (source.Position{}) {
		decimals = frame.Decimals()
	}
	l.askGrid, l.answerGrid = exact.StepOf(decimals), exact.StepOf(frame.Decimals())
	l.prior = plan.NewPrior(l.step, l.maxLimit)
	if err := l.addRules(rules); err != nil {
		return nil, err
	}
	if err := l.addFrame(); err != nil {
		return nil, err
	}
	return l, nil
}

// usualAskDecimals returns how many decimals the dimensions of a proposed box may have, if the frame does not say how
// many are allowed. Eighths of an inch need three decimals, and so do millimetres written in metres.
func usualAskDecimals(unit string) int {
	if unit == "in" || unit == "m" {
		return 3
	}
	return 2
}

// addFrame adds the articles and materials of the frame, and creates an unknown for everything that is to be
// learned about them.
func (l *Learner) addFrame() error {
	materials := l.frame.Materials()
	for i := range materials {
		materials[i].Sheet.Code = l.addSheet(materials[i], materials).Code
	}
	for _, a := range l.frame.Articles() {
		l.addArticle(a)
	}
	engine, rest, err := l.compile()
	if err != nil {
		return err
	}
	cache := &ruleConditionCache{same: make([]*condition, len(l.conditionRules)), byParts: make(map[*exact.Condition]*condition)}
	for _, a := range l.articles {
		frameError := func(what string) error {
			return source.Errors{{Position: l.frame.Position("articles", a.Code), Rule: "articles." + a.Code, Message: what}}
		}
		if name := firstUnknownName(namesInBlank(a.Blank)); name != "" {
			return frameError("the blank mentions " + name +
				", which has yet to be learned; in its formulas, use only dimensions, caliper, glue_flap and values of your own")
		}
		l.addCandidates(a, engine)
		for _, material := range a.Materials {
			if err := l.addProfile(a, material, engine, cache); err != nil {
				return frameError(err.Error() + " (in material " + material + ")")
			}
		}
		engine = rest
	}
	return nil
}

// compile compiles the rules to get the exact form of their conditions. It uses the widest limits and sheets, or those
// in the frame if l.truth is set. The first article selects all constraints. Most conditions mention only dimensions,
// and are the same for all articles. So the other articles select only the constraints whose conditions differ between
// articles or materials. An engine for 10,000 profiles with all constraints would take 150 MB. The engine that compile
// makes is also used to validate input, but its verdicts are meaningless.
//
// If l.truth is set, and each constraint has the same condition for all articles, only the first article is
// compiled. In that case rest is l.truth, which has the conditions of the other rules.
func (l *Learner) compile() (first, rest *boxrules.Engine, err error) {
	articles, materials := l.frame.Articles(), l.frame.Materials()
	if l.truth != nil && !slices.ContainsFunc(l.conditionRules, func(r conditionRule) bool { return !r.appliesToAll() && !r.isSameForAll }) {
		articles, rest = articles[:1], l.truth
	}
	for i := range materials {
		m := &materials[i]
		if m.Sheet.Code = l.sheets[m.Code].Code; l.truth == nil {
			m.Sheet.Width, m.Sheet.Height = limits.DecimalAt(l.maxLimit), limits.DecimalAt(l.maxLimit)
		}
	}
	for i := range articles {
		a := &articles[i]
		if l.truth == nil {
			a.Width = limits.Range{Min: limits.DecimalAt(l.step), Max: limits.DecimalAt(l.maxLimit)}
			a.Depth, a.Height = a.Width, a.Width
		}
		a.Constraints = []string{}
		for j, r := range l.conditionRules {
			if !r.appliesToAll() && l.articles[i].missingValues[j] == "" && r.opaqueReason(l.articles[i]) == "" && (i == 0 || !r.isSameForAll) {
				a.Constraints = append(a.Constraints, string(r.Code))
			}
		}
	}
	first, err = boxrules.New(l.ruleSet, l.frame.Completed(articles, materials))
	return first, cmp.Or(rest, first), err
}

// recompiledEngine returns the second engine that compile returns. New does not keep that engine, because it is rarely
// needed later, and takes as much memory as everything else. So the first call of recompiledEngine compiles it again.
// Later calls return the same engine.
func (l *Learner) recompiledEngine() *boxrules.Engine {
	if l.engine == nil {
		var err error
		if _, l.engine, err = l.compile(); err != nil {
			panic(err) // New has compiled the same rules and limits
		}
	}
	return l.engine
}

// addSheet returns the sheet of a material, and adds it if no earlier material has the same sheet. Materials whose
// sheets have the same code share one sheet, so an answer about one of these materials is also informative about
// the others.
func (l *Learner) addSheet(m limits.Material, all []limits.Material) *state.Sheet {
	code := m.Sheet.Code
	if code == "" {
		// The material has its own sheet, without a code. Use the code of the material or, if another sheet already
		// has that code, sheet-1, sheet-2 and so on.
		code = m.Code
		for n := 1; slices.ContainsFunc(all, func(o limits.Material) bool { return o.Sheet.Code == code }); n++ {
			code = fmt.Sprintf("sheet-%d", n)
		}
	}
	for _, s := range l.sheets {
		if s.Code == code {
			l.sheets[m.Code] = s
			return s
		}
	}
	s := state.NewSheet(code, roundDown(exact.MaxGrid, l.step), l.step)
	l.unknowns, l.sheets[m.Code] = append(l.unknowns, s), s
	return s
}

func (l *Learner) addArticle(given limits.Article) *article {
	a := &article{Article: given, frameBlank: given.Blank}
	for axis := range exact.Axes {
		for end := range 2 {
			limit := state.NewLimit(limitName(axis, end), l.step, l.maxLimit, l.step)
			l.unknowns, a.rangeEnds[axis][end] = append(l.unknowns, limit), limit
		}
	}
	for _, r := range l.conditionRules {
		selection := state.NewSelection(string(r.Code), r.appliesToAll())
		l.unknowns, a.selections = append(l.unknowns, selection), append(a.selections, selection)
		missing := ""
		if messages := l.ruleSet.MissingValues(r.Code, l.frame, given); len(messages) > 0 && !r.appliesToAll() {
			missing = messages[0]
		}
		a.missingValues = append(a.missingValues, missing)
	}
	l.articles = append(l.articles, a)
	return a
}

func (l *Learner) addProfile(a *article, material string, engine *boxrules.Engine, cache *ruleConditionCache) error {
	p := &profile{article: a, material: material, sheet: l.sheets[material], beforeSheet: l.beforeSheet}
	form, rules, err := engine.Exact(a.Code, material)
	if err != nil {
		return err
	}
	p.float64Values = newComparisonValues(form.Variables, l.truth != nil)
	p.conditions = l.ruleConditions(a, form, rules, cache)
	if form.Blank == nil {
		p.fitting = state.NewFitting()
		l.unknowns = append(l.unknowns, p.fitting)
	} else {
		width, _ := form.Variables.Get("blank_width") // cannot fail, because the engine has computed the formulas
		height, _ := form.Variables.Get("blank_height")
		if p.blank, err = blankOf(a.Blank, width, height, form.Variables, l.step); err != nil {
			return err
		}
	}
	// Candidate formulas may mention the caliper and the glue flap, so compile them for each material.
	for _, c := range a.candidates {
		if err := c.addMaterial(material, form.Variables, l.step); err != nil {
			return err
		}
	}
	a.profiles = append(a.profiles, p)
	l.profiles = append(l.profiles, p)
	l.profileByProduct[[2]string{a.Code, material}] = p
	return nil
}

// Skip keeps [Learner.Next] from proposing a box again. Call it, for example, if the service did not answer. If all
// dimensions are zero, Skip applies to all boxes of the article in the material. The error is a
// *[boxrules.InputError].
func (l *Learner) Skip(b boxrules.Box) error {
	_, at, err := l.locate(b)
	if err != nil {
		return err
	}
	b.Dims = boxrules.DimsAt(at)
	l.skipped[b] = true
	return nil
}

// limitName returns the name of a limit in conditions, such as max_depth.
func limitName(axis, end int) string { return [2]string{"min_", "max_"}[end] + exact.AxisNames()[axis] }

// roundUp returns the smallest multiple of step that is at least x. roundDown returns the greatest multiple of step
// that is at most x.
func roundUp(x, step int64) int64   { return exact.CeilDiv(x, step) * step }
func roundDown(x, step int64) int64 { return exact.FloorDiv(x, step) * step }

// widestLimits returns the smallest and the largest box that may be within the limits.
func (a *article) widestLimits() (low, high exact.Point) {
	for axis := range exact.Axes {
		low[axis], high[axis] = a.rangeEnds[axis][minimum].LowerBound(), a.rangeEnds[axis][maximum].UpperBound()
	}
	return low, high
}

// askStep returns the step of the limits, rounded up to a multiple of l.askGrid. For example, if the step of the limits
// is 0.5, but the boxes to ask about may not have decimals, it is 1.
func (l *Learner) askStep() int64 { return roundUp(l.step, l.askGrid) }

// differentProfiles returns the profiles of the article, leaving out each profile that has the same conditions as an
// earlier one. Usually the conditions are the same in all materials, so the result is a single profile.
func (a *article) differentProfiles() (different []*profile) {
	for _, p := range a.profiles {
		if !slices.ContainsFunc(different, func(q *profile) bool { return slices.Equal(p.conditions, q.conditions) }) {
			different = append(different, p)
		}
	}
	return different
}
