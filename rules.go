package boxrules

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// A RuleSet holds the rules of a file in check order, with their conditions parsed and type-checked. It is
// immutable and safe for concurrent use.
type RuleSet struct {
	name, unit string
	extends    bool // whether the file extends the documented rules
	values     []DeclaredValue
	valueNodes []strictyaml.Node // for each of values, the node with its name
	rules      []*rule
}

// A DeclaredValue is a user-defined value that a rule file declares so that its conditions may mention it. Its
// number comes from the limit file; see [limits.Values].
type DeclaredValue struct {
	Name string    `json:"name"`
	Kind ValueKind `json:"kind"`
}

// A ValueKind says whether a [DeclaredValue] is a length or a plain number.
type ValueKind string

const (
	// LengthValue is a length in the unit of the limit file. If a condition has a different unit, the length
	// is converted.
	LengthValue ValueKind = "length"
	// NumberValue is a number without a unit, such as a ratio.
	NumberValue ValueKind = "number"
)

// A Rule is one check in a rule file. A box for which the condition is true violates the rule.
type Rule struct {
	Code       Code   `json:"code"`
	Stage      Stage  `json:"stage"`
	When       string `json:"when"`    // the condition, as written
	Message    string `json:"message"` // for people; programs use the code
	Unit       string `json:"unit"`    // of the lengths in the condition; mm in a documented rule
	hasLengths bool   // whether the condition contains numbers that are lengths
	// translations is nil if the file gives the message as one text. It is a pointer so that rules can be
	// compared.
	translations *[]Translation
}

// A Translation is the message of a rule in one language.
type Translation struct {
	Language string // two or three small letters, such as "de"
	Message  string
}

// Translations returns the message of the rule in each language, in the order of the file. The first is [Rule.Message],
// unless the rule comes from [RuleSet.InLanguage]. It returns nil if the message in the file is a single text without a
// language. The caller may change the slice.
func (r Rule) Translations() []Translation {
	if r.translations == nil {
		return nil
	}
	return slices.Clone(*r.translations)
}

// MessageIn returns the message in a language, given as a BCP 47 tag such as "de" or "de-AT". If the rule has
// no message in that language, it returns [Rule.Message].
func (r Rule) MessageIn(language string) string {
	for _, t := range r.Translations() {
		if t.Language == locale.Primary(language) {
			return t.Message
		}
	}
	return r.Message
}

// Condition returns the condition on one line. unit is usually the unit of the limits. If the condition contains a
// length in another unit, that unit is written after the condition: "depth >= 60 (in mm)".
func (r Rule) Condition(unit string) string {
	text := strings.Join(strings.Fields(r.When), " ")
	if r.hasLengths && r.Unit != unit {
		text += " (in " + r.Unit + ")"
	}
	return text
}

// A rule is a Rule together with its parsed condition and the position of the condition in the file.
type rule struct {
	Rule
	violation Violation // each verdict on a box that the rule rejects points to this
	condition *expression.Expression
	position  func(offset int) source.Position // returns the position of a character of the condition
}

// missingValues returns the message of [limits.Catalogue.MissingValue] for each user-defined value that the condition
// mentions, but that is missing for the article or for any of its materials.
func (r *rule) missingValues(catalogue *limits.Catalogue, article limits.Article) (messages []string) {
	for _, name := range r.condition.Values() {
		if missing := catalogue.MissingValue(name, article); missing != "" {
			messages = append(messages, missing)
		}
	}
	return messages
}

// needsBlank reports whether the rule can be checked only for an article that has a blank.
func (r *rule) needsBlank() bool { return slices.ContainsFunc(r.condition.Names(), expression.IsBlank) }

//go:generate go run ./tools/schema rules/rules.schema.json limits/limits.schema.json limits/frame.schema.json

//go:embed rules/box_rules.yaml
var documentedRules []byte

// DefaultRules returns the documented rules, with the codes BOX_2100 to BOX_4100. They are embedded
// from rules/box_rules.yaml.
func DefaultRules() *RuleSet {
	defaultRules.once.Do(func() {
		var err error
		if defaultRules.set, err = LoadRules("rules/box_rules.yaml", documentedRules); err != nil {
			panic(err)
		}
	})
	return defaultRules.set
}

// defaultRules is loaded when DefaultRules is called for the first time. It cannot be initialized here:
// LoadRules uses defaultRules for a file that extends the documented rules, so that would be an
// initialization cycle.
var defaultRules struct {
	once sync.Once
	set  *RuleSet
}

// maxRuleBytes is the maximum size of a rule file, in bytes.
const maxRuleBytes = 256 << 10

// LoadRules returns the rules of a file. If the file says "extends: documented", its rules are added to the documented
// rules: in each stage, they come after the documented ones. The name, usually the file's path, appears in the
// positions of errors. The error is a [source.Errors] that lists everything that is wrong with the file. The error for
// a mistake inside a condition has the position of the wrong token.
func LoadRules(name string, data []byte) (*RuleSet, error) {
	// All mistakes are collected in doc, and reading goes on after each, so that one run shows all of them.
	doc := strictyaml.Parse(name, data, maxRuleBytes)
	l := &ruleLoader{RuleSet: RuleSet{name: name}, definedAt: make(map[Code]source.Position)}
	top := doc.Root().Fields([]string{"version"}, []string{"extends", "unit", "values", "boundary", "constraint", "size"})
	top["version"].CheckVersion("1")
	l.loadHeader(top["extends"], top["unit"])
	l.loadValues(top["values"])
	for _, stage := range []Stage{Boundary, Constraint, Size} {
		for _, item := range top[stage.String()].Items() {
			l.loadRule(item, stage)
		}
	}
	if len(l.rules) == 0 && len(doc.Errors()) == 0 { // rules that are all invalid have been reported
		doc.Root().Errorf("at least one rule is required, in boundary, constraint or size")
	}
	if err := doc.Errors().Err(); err != nil {
		return nil, err
	}
	// Rules that extend the documented ones come after them in each stage.
	slices.SortStableFunc(l.rules, func(a, b *rule) int { return int(a.Stage) - int(b.Stage) })
	return &l.RuleSet, nil
}

// documentedUnit is the unit of the numbers in the interface document, and in a rule file that does
// not name a unit.
const documentedUnit = "mm"

// A ruleLoader reads a rule file, and reports codes that are used more than once.
type ruleLoader struct {
	RuleSet
	definedAt map[Code]source.Position // where each code is defined; zero for a documented rule that the file extends
	degrees   expression.Degrees       // the degrees of the declared values
}

// loadHeader reads the fields extends and unit of the file.
func (l *ruleLoader) loadHeader(extends, unit strictyaml.Node) {
	if text, ok := extends.Text(); ok && text != "documented" {
		extends.Errorf("%s cannot be extended; accepted: documented", wording.Quote(text))
	} else if ok {
		l.extends, l.rules = true, slices.Clone(DefaultRules().rules)
		// A zero Position means that the code belongs to a documented rule.
		for _, r := range l.rules {
			l.definedAt[r.Code] = source.Position{}
		}
	}
	var ok bool
	if l.unit, ok = unit.Unit(); !ok {
		l.unit = documentedUnit
	} else if _, convertible := exact.UnitRatio(l.unit, documentedUnit); l.extends && !convertible {
		// No limit file could have a unit that can be converted to both.
		unit.Errorf("%s cannot be converted to %s, the unit of the documented rules, which this file extends; accepted: %s",
			l.unit, documentedUnit, wording.Units(l.unit))
	}
}

// maxValues is the maximum number of values that a rule file may declare. A limit file cannot contain more values
// either.
const maxValues = 32

// loadValues reads the declarations of user-defined values.
func (l *ruleLoader) loadValues(n strictyaml.Node) {
	l.degrees = make(expression.Degrees)
	for _, e := range n.Entries() {
		kind, ok := e.Value.Scalar()
		if ok && kind != string(LengthValue) && kind != string(NumberValue) {
			e.Value.Errorf("%s is not a kind of value; accepted: %s, or %s for a value without a unit; give the number itself in the limit file",
				wording.Quote(kind), LengthValue, NumberValue)
		}
		switch fault := expression.ValueNameFault(e.Key); {
		case fault != "":
			e.KeyNode.Errorf("%s", fault)
			continue
		case len(l.values) == maxValues:
			e.KeyNode.Errorf("there are too many values: at most %d", maxValues)
			return
		}
		degree := expression.Plain
		if kind != string(NumberValue) { // an invalid kind counts as a length, so that it causes no further errors
			degree = expression.Length
		}
		l.degrees[e.Key] = degree
		l.values = append(l.values, DeclaredValue{e.Key, ValueKind(kind)})
		l.valueNodes = append(l.valueNodes, e.KeyNode)
	}
}

func (l *ruleLoader) loadRule(n strictyaml.Node, stage Stage) {
	fields := n.Fields([]string{"code", "when", "message"}, nil)
	code, ok := fields["code"].Text()
	if ok {
		l.checkCode(fields["code"], Code(code))
	}
	// Errors mention the code of the rule if it has a valid code.
	withCode := func(n strictyaml.Node) strictyaml.Node {
		if wording.IsCode(code) {
			return n.WithRule(code)
		}
		return n
	}
	message, translations := loadMessage(withCode(fields["message"]))
	when := withCode(fields["when"])
	text, ok := when.Text()
	if !ok {
		return // the missing condition has been reported
	}
	// Report all problems of the condition, each at its own character.
	condition, problems := expression.ConditionWith(l.degrees, text)
	for _, p := range problems {
		when.ErrorAt(p.Offset, "%s", p.Message)
	}
	// Add the rule even if it has mistakes. That does no harm, because LoadRules returns no rules at all if
	// the file has a mistake.
	r := Rule{Code: Code(code), Stage: stage, When: text, Message: message, translations: translations, Unit: l.unit}
	r.hasLengths = condition.HasLengths()
	l.rules = append(l.rules, &rule{
		Rule:      r,
		violation: Violation{r.Code, r.Stage, r.Message},
		condition: condition,
		position:  when.PositionAt,
	})
}

// loadMessage reads the message of a rule, which is a text, or a mapping from languages to texts. The first text of the
// mapping is also the message for all languages that are not listed.
func loadMessage(n strictyaml.Node) (message string, translations *[]Translation) {
	// A message may be written in several lines, which are joined here.
	text := func(n strictyaml.Node) string {
		text, _ := n.Text()
		return strings.Join(strings.Fields(text), " ")
	}
	if !n.IsMapping() {
		return text(n), nil
	}
	translations = new([]Translation)
	for _, entry := range n.Entries() {
		if !isLanguage(entry.Key) {
			entry.KeyNode.Errorf("%s is not a language; accepted: two or three lowercase letters, such as en or de", wording.Quote(entry.Key))
		}
		*translations = append(*translations, Translation{entry.Key, text(entry.Value)})
	}
	if len(*translations) == 0 {
		n.Errorf("a message in at least one language is required, such as {en: too tall}")
		return "", nil
	}
	return (*translations)[0].Message, translations
}

// isLanguage reports whether text has the form of a language code in BCP 47: two or three
// lower-case letters.
func isLanguage(text string) bool {
	return (len(text) == 2 || len(text) == 3) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}

func (l *ruleLoader) checkCode(n strictyaml.Node, code Code) {
	if !wording.IsCode(string(code)) {
		n.Errorf("%s is not a code; accepted: %s", wording.Quote(string(code)), wording.CodeForm)
		return
	}
	// If the code is taken, first is the position of the rule that has it.
	switch first, ok := l.definedAt[code]; {
	case ok && first == source.Position{}:
		n.Errorf("code %s belongs to a documented rule, and this file extends the documented rules; choose another code", code)
		return
	case ok:
		n.Errorf("code %s is already defined on line %d", code, first.Line)
		return
	}
	l.definedAt[code] = n.Position()
}

// Rules returns the rules in check order. The caller may change the slice.
func (r *RuleSet) Rules() []Rule {
	rules := make([]Rule, len(r.rules))
	for i, rule := range r.rules {
		rules[i] = rule.Rule
	}
	return rules
}

// constraintList returns the codes that an article may select, as a text for messages. Of the documented
// codes it names only the first and the last.
func (r *RuleSet) constraintList() string {
	var documented, others []string
	for _, rule := range r.rules {
		if _, known := rule.Code.Info(); rule.Stage == Constraint && known {
			documented = append(documented, string(rule.Code))
		} else if rule.Stage == Constraint {
			others = append(others, string(rule.Code))
		}
	}
	if n := len(documented); n > 2 {
		documented = []string{documented[0] + " to " + documented[n-1]}
	}
	if all := append(documented, others...); len(all) > 0 {
		return wording.List(all)
	}
	return "none, as it has no constraint rules"
}

// Values returns the user-defined values that the file declares, in the order of the file. The caller may
// change the slice.
func (r *RuleSet) Values() []DeclaredValue { return slices.Clone(r.values) }

// ValuePosition returns the position at which the file declares the value. It is zero if the file does not
// declare it.
func (r *RuleSet) ValuePosition(name string) source.Position {
	for i, v := range r.values {
		if v.Name == name {
			return r.valueNodes[i].Position()
		}
	}
	return source.Position{}
}

// MissingValues says why the rule with the code cannot be checked for the article. It returns a message for each
// user-defined value that the rule's condition mentions, but that is missing for the article or for any of its
// materials. It returns nil if no rule has the code.
func (r *RuleSet) MissingValues(code Code, catalogue *limits.Catalogue, article limits.Article) []string {
	for _, rule := range r.rules {
		if rule.Code == code {
			return rule.missingValues(catalogue, article)
		}
	}
	return nil
}

// InLanguage returns the same rules with their messages in the given language; see [Rule.MessageIn]. An engine that
// is made from the returned rules writes the messages of verdicts, reasons and explanations in that language.
func (r *RuleSet) InLanguage(language string) *RuleSet {
	translated := *r
	translated.rules = make([]*rule, len(r.rules))
	for i, original := range r.rules {
		copied := *original
		copied.Message = original.MessageIn(language)
		copied.violation.Message = copied.Message
		translated.rules[i] = &copied
	}
	return &translated
}

// Position returns the position of the condition of the rule with the code. It is zero if there is no
// such rule.
func (r *RuleSet) Position(code Code) source.Position { return r.PositionAt(code, 0) }

// PositionAt returns the position of a character in the condition of the rule with the code. The offset
// is the index of the character in [Rule.When], counting from 0.
func (r *RuleSet) PositionAt(code Code, offset int) source.Position {
	for _, rule := range r.rules {
		if rule.Code == code {
			return rule.position(offset)
		}
	}
	return source.Position{}
}

// Extends reports whether the file says "extends: documented". If it does, the documented rules are part
// of the set, with the codes and conditions of [DefaultRules].
func (r *RuleSet) Extends() bool { return r.extends }

// Unit returns the unit of the numbers in the conditions of the file, which is mm if the file names none. If
// the file extends the documented rules, those rules keep their own unit, which is mm; see [Rule.Unit].
func (r *RuleSet) Unit() string { return r.unit }

// Name returns the name that was passed to [LoadRules].
func (r *RuleSet) Name() string { return r.name }
