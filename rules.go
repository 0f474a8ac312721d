package boxrules

import (
	_ "embed"
	"strings"
	"sync"

	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/source"
)

// A RuleSet is a rule file as loaded: rules in check order, their conditions parsed and type-checked. It
// is immutable and safe for concurrent use.
type RuleSet struct {
	name  string
	rules []*rule
}

// A Rule is one check of a rule file. A box for which the condition holds violates the rule.
type Rule struct {
	Code    Code   `json:"code"`
	Stage   Stage  `json:"stage"`
	When    string `json:"when"`    // the condition, as written
	Message string `json:"message"` // for people; programs rely on the code
}

// A rule is a Rule as loaded, with its condition and where it stands.
type rule struct {
	Rule
	condition *expression.Expression
	position  func(offset int) source.Position // of a character of the condition
}

// needsBlank reports whether the rule can be checked only for an article that has a blank.
func (r *rule) needsBlank() bool { return r.condition.Class()&expression.PerBlank != 0 }

//go:embed rules/box_rules.yaml
var documentedRules []byte

// DefaultRules are the documented rules, codes BOX_2100 to BOX_4100, as embedded from
// rules/box_rules.yaml.
func DefaultRules() *RuleSet { return defaultRules() }

var defaultRules = sync.OnceValue(func() *RuleSet {
	rules, err := LoadRules("rules/box_rules.yaml", documentedRules)
	if err != nil {
		panic(err)
	}
	return rules
})

// LoadRules reads a rule file. The name is used in positions, most often the file's path. The error is a
// [source.Errors] with everything that is wrong with the file, down to the token inside a condition.
func LoadRules(name string, data []byte) (*RuleSet, error) {
	doc := strictyaml.Parse(name, data)
	l := &ruleLoader{seen: make(map[Code]source.Position)}
	stages := []Stage{Boundary, Constraint, Size}
	top := doc.Root().Fields([]string{"version"}, []string{"boundary", "constraint", "size"})
	if version, ok := top["version"].Decimal(); ok && version != "1" {
		top["version"].Errorf("version %s is not known; accepted: 1", wording.Cut(version))
	}
	for _, stage := range stages {
		for _, item := range top[stage.String()].Items() {
			l.rule(item, stage)
		}
	}
	if len(l.rules) == 0 && len(doc.Errors()) == 0 {
		doc.Root().Errorf("at least one rule is required, in boundary, constraint or size")
	}
	if err := doc.Errors().Err(); err != nil {
		return nil, err
	}
	return &RuleSet{name: name, rules: l.rules}, nil
}

type ruleLoader struct {
	rules []*rule
	seen  map[Code]source.Position
}

func (l *ruleLoader) rule(n strictyaml.Node, stage Stage) {
	fields := n.Fields([]string{"code", "when", "message"}, nil)
	code, ok := fields["code"].Text()
	if ok {
		l.code(fields["code"], Code(code))
	}
	// Errors carry the code; one that is no code would only make them long.
	named := func(n strictyaml.Node) strictyaml.Node {
		if wording.IsCode(code) {
			return n.In(code)
		}
		return n
	}
	message, _ := named(fields["message"]).Text()
	when := named(fields["when"])
	text, ok := when.Text()
	if !ok {
		return
	}
	condition, problems := expression.Condition(text)
	for _, p := range problems {
		when.ErrorAt(p.Offset, "%s", p.Message)
	}
	l.rules = append(l.rules, &rule{
		Rule:      Rule{Code: Code(code), Stage: stage, When: text, Message: strings.Join(strings.Fields(message), " ")},
		condition: condition,
		position:  when.PositionAt,
	})
}

func (l *ruleLoader) code(n strictyaml.Node, code Code) {
	if !wording.IsCode(string(code)) {
		n.Errorf("%s is not a code; accepted: %s", wording.Quote(string(code)), wording.CodeForm)
		return
	}
	if first, ok := l.seen[code]; ok {
		n.Errorf("code %s is already defined on line %d", code, first.Line)
		return
	}
	l.seen[code] = n.Position()
}

// Rules lists the rules in check order. The slice is the caller's.
func (r *RuleSet) Rules() []Rule {
	rules := make([]Rule, len(r.rules))
	for i, rule := range r.rules {
		rules[i] = rule.Rule
	}
	return rules
}

// Position is where the condition of the rule with the code stands; zero where there is no such rule.
func (r *RuleSet) Position(code Code) source.Position {
	for _, rule := range r.rules {
		if rule.Code == code {
			return rule.position(0)
		}
	}
	return source.Position{}
}

// Name is the name that the rules were loaded under, most often the file's.
func (r *RuleSet) Name() string { return r.name }
