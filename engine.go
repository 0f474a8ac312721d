package boxrules

import (
	"errors"
	"slices"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/program"
	"example.com/boxrules/limits"
)

// A Box is a box that a customer asks for: its article, its material and its dimensions.
type Box struct {
	Article  string `json:"article"`
	Material string `json:"material"`
	Dims
}

// An Engine checks boxes of every article and material of a catalogue. It is immutable and safe for
// concurrent use.
type Engine struct {
	rules           *RuleSet
	catalogue       *limits.Catalogue
	profiles        map[profileKey]*Profile
	profilesInOrder []*Profile // by article, then by material, as in the catalogue

	// The fields below are needed only for errors about unknown articles and materials.
	articles    []string            // the codes, as in the catalogue
	materialsOf map[string][]string // the codes of the materials of each article
	materials   map[string]bool     // the materials in which any article is offered
}

type profileKey struct{ article, material string }

// Default returns the engine of [DefaultRules] and [limits.Illustrative]. Its limits are made up, so use it
// only to try things out.
func Default() *Engine { return defaultEngine() }

var defaultEngine = sync.OnceValue(func() *Engine {
	e, err := New(DefaultRules(), limits.Illustrative())
	if err != nil {
		panic(err)
	}
	return e
})

// Rules returns the rule set that the engine was made from.
func (e *Engine) Rules() *RuleSet { return e.rules }

// Catalogue returns the catalogue that the engine was made from.
func (e *Engine) Catalogue() *limits.Catalogue { return e.catalogue }

// Profiles returns the profiles in the order of the catalogue: by article, then by material. The caller
// may change the slice.
func (e *Engine) Profiles() []*Profile {
	for _, p := range e.profilesInOrder {
		p.prepare()
	}
	return slices.Clone(e.profilesInOrder)
}

// Check checks the box against the rules and stops at the first rule that it violates. Check returns an
// *[InputError] if the article is missing or unknown, if the material is missing, unknown or not offered for
// the article, or if a dimension is not a number, is greater in magnitude than 1,000,000, or has more
// decimals than the catalogue allows.
func (e *Engine) Check(b Box) (Verdict, error) {
	p, ok := e.profiles[profileKey{b.Article, b.Material}]
	if !ok {
		return Verdict{}, e.unknownError(b.Article, b.Material)
	}
	p.prepare()
	return p.Check(b.Dims)
}

// CheckAll returns every rule that the box violates, in check order. The first is the rule that
// [Engine.Check] reports. CheckAll returns nil for a valid box. It returns the same errors as [Engine.Check].
func (e *Engine) CheckAll(b Box) ([]Violation, error) {
	p, err := e.Profile(b.Article, b.Material)
	if err != nil {
		return nil, err
	}
	return p.CheckAll(b.Dims)
}

// Profile returns the profile that checks boxes of one article in one material. The error is an
// *[InputError].
func (e *Engine) Profile(article, material string) (*Profile, error) {
	p, ok := e.profiles[profileKey{article, material}]
	if !ok {
		return nil, e.unknownError(article, material)
	}
	p.prepare()
	return p, nil
}

// Exact returns the results of [Profile.Exact] and [Profile.Rules] for an article in a material. It is for
// programs that read the conditions of many profiles without checking boxes. Unlike [Engine.Profile], it does
// not make the tables for fast checks, which take several times as much memory as the rest of a profile. The
// error is an *[InputError].
func (e *Engine) Exact(article, material string) (exact.Form, []Rule, error) {
	p, ok := e.profiles[profileKey{article, material}]
	if !ok {
		return exact.Form{}, nil, e.unknownError(article, material)
	}
	return p.Exact(), p.Rules(), nil
}

// A Profile checks boxes of one article in one material. It holds the rules that apply to these boxes, as
// half-spaces on the grid of thousandths. It is immutable and safe for concurrent use.
type Profile struct {
	fastPath      program.FastPath // finds the same rule as firstViolated, but faster; see prepare
	firstViolated program.Program  // finds the first rule that a box violates
	rules         []appliedRule    // in check order
	valid         *Violation       // &noViolation, for the verdict on a valid box; nil in a zero Profile
	form          exact.Form

	// limitViolations has the violations of the six limits, in the order in which Check compares them.
	// Check uses it only if fastPath.StartsWithLimits.
	limitViolations [6]*Violation

	// once guards setPrograms, which sets firstViolated and fastPath to the results of newPrograms. Several
	// profiles may share newPrograms.
	once        sync.Once
	newPrograms func() (program.Program, program.FastPath)

	allowed []exact.Region // for each rule, the boxes that do not violate it; set by setPrograms

	blank *limits.Blank // the formulas of the article, nil if it has none

	// The fields below are for boxes on an edge. They are set when they are first needed.
	constants struct {
		once   sync.Once
		values map[string]float64 // by name; see setBorderlineConstants
	}
	stricter struct {
		once    sync.Once
		profile *Profile // see withoutEdges
	}
}

// An appliedRule is a rule together with its condition for one article in one material.
type appliedRule struct {
	*rule
	*compiledCondition
}

// Article returns the article's code.
func (p *Profile) Article() string { return p.form.Article }

// Material returns the material's code.
func (p *Profile) Material() string { return p.form.Material }

// Unit returns the unit of the profile's dimensions.
func (p *Profile) Unit() string { return p.form.Unit }

// Exact returns the profile in exact numbers, which is all that a port or a generator needs. The Form shares
// its slices and its map with the [Profile], so do not change them.
func (p *Profile) Exact() exact.Form { return p.form }

// Rules returns the rules that apply to the profile's boxes, in check order. The caller may change the slice.
func (p *Profile) Rules() []Rule {
	rules := make([]Rule, len(p.rules))
	for i, r := range p.rules {
		rules[i] = r.Rule
	}
	return rules
}

// Check checks a box with these dimensions against the rules and stops at the first rule that it violates. It
// does not allocate. The error is an *[InputError] for the first dimension that is not a number, is greater
// in magnitude than 1,000,000, or has too many decimals. A dimension can have too many decimals only if the
// limit file allows fewer than three. If it allows three, further decimals are rounded.
func (p *Profile) Check(d Dims) (Verdict, error) {
	// Six comparisons find the first limit that the box violates. If a dimension is NaN, the comparisons with
	// it are false and no cell contains the box, so decide is called and returns the error.
	limit := 0 // the index of the limit: minimum and maximum of the width, of the depth, of the height
	switch f := &p.fastPath; {
	case d.Width < f.Low[exact.Width]:
	case d.Width > f.High[exact.Width]:
		limit = 1
	case d.Depth < f.Low[exact.Depth]:
		limit = 2
	case d.Depth > f.High[exact.Depth]:
		limit = 3
	case d.Height < f.Low[exact.Height]:
		limit = 4
	case d.Height > f.High[exact.Height]:
		limit = 5
	default:
		// The box is within the limits. Look for a cell that contains it: every box in a cell is valid.
		for i := range f.Cells {
			if f.Cells[i].Contains(d.Width, d.Depth, d.Height) {
				return Verdict{p.valid}, nil
			}
		}
		return p.decide(d)
	}
	// If the rules begin with the six limits in the order above, the limit is the first violated rule.
	if p.fastPath.StartsWithLimits && isDimensionInRange(d.Width) && isDimensionInRange(d.Depth) && isDimensionInRange(d.Height) {
		return Verdict{p.limitViolations[limit]}, nil
	}
	return p.decide(d)
}

// decide returns the result of Check for any box. Check calls decide only if its own, faster tests are not
// enough.
func (p *Profile) decide(d Dims) (Verdict, error) {
	// The Grid method of the fast path accepts only boxes within the limits. For other boxes, run
	// firstViolated, which covers every rule.
	i := 0 // the index of the first rule that the box violates, or len(p.rules)
	if width, depth, height, ok := p.fastPath.Grid(d.Width, d.Depth, d.Height); ok {
		i = p.fastPath.First(width, depth, height)
	} else if at, err := p.gridPoint(d); err == nil {
		i = p.firstViolated.First(at)
	} else {
		return Verdict{}, err
	}
	if i < len(p.rules) {
		return Verdict{&p.rules[i].violation}, nil
	}
	return Verdict{p.valid}, nil
}

// errZeroProfile is the error that the methods of a zero Profile return.
var errZeroProfile = errors.New("boxrules: the Profile was not made by an Engine")

// AppendAll appends to dst every rule that a box with these dimensions violates, in check order, and returns the
// extended slice. It returns the same errors as [Profile.Check]. If there is an error, it returns dst unchanged.
func (p *Profile) AppendAll(dst []Violation, d Dims) ([]Violation, error) {
	if p.valid == nil {
		return dst, errZeroProfile
	}
	v, err := p.Check(d)
	if err != nil || v.OK() {
		return dst, err
	}
	// Check has found a violation. Test each rule by itself, to find all of them.
	point, _ := d.Grid()
	for i := range p.rules {
		if r := &p.rules[i]; r.program.Holds(point) {
			dst = append(dst, r.violation)
		}
	}
	return dst, nil
}

// CheckAll returns every rule that a box with these dimensions violates, in check order. The first is the
// rule that [Profile.Check] reports. CheckAll returns nil for a valid box. It returns the same errors as
// [Profile.Check].
func (p *Profile) CheckAll(d Dims) ([]Violation, error) { return p.AppendAll(nil, d) }
