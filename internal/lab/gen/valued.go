package gen

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// A Valued is a random rule file together with a random limit file. Each file has a random unit. The rules mention
// user-defined values. The limit file gives some of them once for all articles and materials, some for each
// material, and some for each article. A Valued also computes verdicts without the engine: it converts every length
// to the unit of the rules, and computes with fractions.
type Valued struct {
	draw                  Draw
	limitsUnit, rulesUnit string
	articles, materials   []valuedEntry
	shared                map[string]string // the user-defined values that are given for everything
	sheets                [2][2]string
	rules                 []valuedRule
}

// A valuedEntry is an article or a material, together with the user-defined values that it sets.
type valuedEntry struct {
	code     string
	numbers  map[string]string // the variables and user-defined values of the entry, keyed by name
	selected []string          // for an article: the codes of the constraints that it selects
	hasBlank bool
}

type valuedRule struct {
	stage, code string
	valuedTerm
	needs []string // the user-defined values in the condition that are given by article
}

// A valuedTerm is a condition or a number in a condition: its text, together with functions that evaluate it. env
// maps each variable to its value, in the unit of the rules.
type valuedTerm struct {
	text  string
	value func(env map[string]*big.Rat) *big.Rat // set only for a number
	holds func(env map[string]*big.Rat) bool     // set only for a condition
	smt   func(env map[string]string) string     // returns the term in SMT-LIB 2, over reals
	blank bool                                   // whether the term mentions the blank
}

// valuedLengths and valuedNumbers list the names of the user-defined values. In each list, the first value is given
// once for all articles and materials, the second for each material, and the third for each article.
var (
	valuedLengths = []string{"girth", "crease", "lid"}
	valuedNumbers = []string{"factor", "max_ratio", "share"}
)

var millimetres = map[string]*big.Rat{"mm": big.NewRat(1, 1), "cm": big.NewRat(10, 1), "m": big.NewRat(1000, 1), "in": big.NewRat(127, 5)}

// valuedBlank has the formulas for the width and the height of every blank.
var valuedBlank = [2]string{"2*width + crease", "height + max(depth, lid)"}

// NewValued draws a Valued with three articles in two materials. The last article does not set the user-defined values
// lid and share, which the other articles set. So it selects only constraints that do not need them.
func NewValued(draw Draw) *Valued {
	units := []string{"mm", "cm", "m", "in"}
	v := &Valued{draw: draw, limitsUnit: units[draw(4)], rulesUnit: units[draw(4)]}
	v.shared = map[string]string{"girth": v.length(400, 3000, 6), "factor": v.number()}
	for i := range v.sheets {
		v.sheets[i] = [2]string{v.length(700, 1500, 3), v.length(500, 1000, 3)}
		v.materials = append(v.materials, valuedEntry{code: fmt.Sprintf("m%d", i), numbers: map[string]string{
			"caliper": v.length(1, 10, 6), "glue_flap": v.length(0, 40, 6), "crease": v.length(1, 60, 6), "max_ratio": v.number(),
			"sheet_width": v.sheets[i][0], "sheet_height": v.sheets[i][1],
		}})
	}
	for i := range 3 {
		a := valuedEntry{code: fmt.Sprintf("a%d", i), numbers: make(map[string]string), hasBlank: i < 2 && draw(3) > 0}
		for _, axis := range exact.AxisNames() {
			a.numbers["min_"+axis], a.numbers["max_"+axis] = v.length(2, 60, 3), v.length(200, 900, 3)
		}
		if i < 2 {
			a.numbers["lid"], a.numbers["share"] = v.length(0, 100, 6), v.number()
			if draw(3) == 0 {
				a.numbers["lid"] = "-" + a.numbers["lid"]
			}
		}
		v.articles = append(v.articles, a)
	}
	for i := range 1 + draw(2) {
		v.addRule("boundary", i, 2, false)
	}
	for i := range 1 + draw(4) {
		v.addRule("constraint", i, 3, true)
	}
	v.addRule("size", 0, 2, true)
	for i := range v.articles {
		a := &v.articles[i]
		for _, r := range v.rules {
			given := !slices.ContainsFunc(r.needs, func(name string) bool { _, ok := a.numbers[name]; return !ok })
			if r.stage == "constraint" && given && (a.hasBlank || !r.blank) && draw(4) > 0 {
				a.selected = append(a.selected, r.code)
			}
		}
	}
	return v
}

// length draws a length between low and high, which are in millimetres. It returns a decimal in the unit of the
// limits.
func (v *Valued) length(low, high int64, places int) string {
	unit := millimetres[v.limitsUnit]
	x := big.NewRat(low*1000+int64(v.draw(int(high-low)*1000)), 1000)
	if v.draw(2) == 0 {
		x = big.NewRat(low+int64(v.draw(int(high-low))), 1)
	}
	x.Quo(x, unit)
	text := x.FloatString(places)
	if v.draw(3) == 0 {
		text = x.FloatString(min(places, 2)) // with round numbers, more boxes are exactly on a limit
	}
	if low > 0 && mustRat(text).Sign() == 0 {
		return "0.001"
	}
	return text
}

// number draws a number without a unit. Both the number and its reciprocal have few decimals.
func (v *Valued) number() string {
	return []string{"2", "4", "0.5", "1.25", "0.8", "-2.5", "5", "1", "-0.2", "1.6"}[v.draw(10)]
}

// literal draws a length and writes it as a literal, in the unit of the rules.
func (v *Valued) literal() valuedTerm {
	x := new(big.Rat).Quo(big.NewRat(int64(v.draw(6000)), 10), millimetres[v.rulesUnit])
	k := mustRat(x.FloatString(v.draw(5)))
	return valuedTerm{text: k.FloatString(4), value: func(map[string]*big.Rat) *big.Rat { return k },
		smt: func(map[string]string) string { return smtNumber(k) }}
}

func valuedName(name string) valuedTerm {
	return valuedTerm{text: name, blank: strings.HasPrefix(name, "blank_"),
		value: func(env map[string]*big.Rat) *big.Rat { return env[name] }, smt: func(env map[string]string) string { return env[name] }}
}

func (v *Valued) combine(operator string, a, b valuedTerm) valuedTerm {
	t := valuedTerm{text: a.text + " " + operator + " " + b.text, blank: a.blank || b.blank}
	switch operator {
	case "max", "min":
		t.text = operator + "(" + a.text + ", " + b.text + ")"
	case "-":
		t.text = a.text + " - (" + b.text + ")"
	case "*":
		t.text = "(" + a.text + ") * (" + b.text + ")"
	case "/":
		t.text = "(" + a.text + ") / " + b.text
	}
	t.smt = func(env map[string]string) string {
		x, y := a.smt(env), b.smt(env)
		switch operator {
		case "max":
			return "(ite (> " + x + " " + y + ") " + x + " " + y + ")"
		case "min":
			return "(ite (< " + x + " " + y + ") " + x + " " + y + ")"
		}
		return "(" + operator + " " + x + " " + y + ")"
	}
	t.value = func(env map[string]*big.Rat) *big.Rat {
		x, y, z := a.value(env), b.value(env), new(big.Rat)
		switch operator {
		case "+":
			return z.Add(x, y)
		case "-":
			return z.Sub(x, y)
		case "*":
			return z.Mul(x, y)
		case "/":
			return z.Quo(x, y)
		}
		if (x.Cmp(y) > 0) == (operator == "max") {
			return x
		}
		return y
	}
	return t
}

// term draws a length. levels says which user-defined values the term may mention. If levels is 1, it may mention the
// values that are given once for everything. If levels is 2, it may also mention values that are given for each
// material, and if levels is 3, values that are given for each article.
func (v *Valued) term(levels int, allowBlank bool) valuedTerm {
	names := exact.AxisNames()
	t := valuedName(names[v.draw(3)])
	switch v.draw(6) {
	case 0:
		t = valuedName(valuedLengths[v.draw(levels)])
	case 1:
		t = v.literal()
		return t
	case 2:
		if allowBlank {
			return valuedName([]string{"blank_width", "blank_height", "sheet_width"}[v.draw(3)])
		}
	}
	number := valuedName(valuedNumbers[v.draw(levels)])
	switch v.draw(4) {
	case 0:
		return v.combine("*", number, t)
	case 1:
		return v.combine("/", t, number)
	}
	return t
}

// comparison draws a comparison of two lengths, or of two numbers without a unit.
func (v *Valued) comparison(levels int, allowBlank bool) valuedTerm {
	side := func() valuedTerm {
		t := v.term(levels, allowBlank)
		if v.draw(3) > 0 {
			t = v.combine([]string{"+", "-", "max", "min"}[v.draw(4)], t, v.term(levels, allowBlank))
		}
		return t
	}
	a, b := side(), side()
	if v.draw(4) == 0 { // compare two numbers without a unit; crease is never zero
		a = v.combine("/", valuedName(exact.AxisNames()[v.draw(3)]), valuedName("crease"))
		b = v.combine([]string{"*", "+", "max"}[v.draw(3)], valuedName(valuedNumbers[v.draw(levels)]), valuedName(valuedNumbers[v.draw(levels)]))
	}
	relation := relationOperators[v.draw(len(relationOperators))]
	return valuedTerm{text: a.text + " " + relation + " " + b.text, blank: a.blank || b.blank,
		smt: func(env map[string]string) string {
			operator, end := relation, ")"
			switch relation {
			case "==":
				operator = "="
			case "!=":
				operator, end = "not (=", "))"
			}
			return "(" + operator + " " + a.smt(env) + " " + b.smt(env) + end
		},
		holds: func(env map[string]*big.Rat) bool { return relationHolds[relation](a.value(env).Cmp(b.value(env))) }}
}

// addRule draws a rule whose condition consists of one or two comparisons.
func (v *Valued) addRule(stage string, i, levels int, allowBlank bool) {
	c := v.comparison(levels, allowBlank)
	if v.draw(2) == 0 {
		a, b, and := c, v.comparison(levels, allowBlank), v.draw(2) == 0
		c = valuedTerm{text: a.text + map[bool]string{true: " && ", false: " || "}[and] + b.text, blank: a.blank || b.blank,
			smt: func(env map[string]string) string {
				return map[bool]string{true: "(and ", false: "(or "}[and] + a.smt(env) + " " + b.smt(env) + ")"
			},
			holds: func(env map[string]*big.Rat) bool {
				if and {
					return a.holds(env) && b.holds(env)
				}
				return a.holds(env) || b.holds(env)
			}}
	}
	if v.draw(4) == 0 {
		a := c
		c = valuedTerm{text: "not (" + a.text + ")", blank: a.blank, holds: func(env map[string]*big.Rat) bool { return !a.holds(env) },
			smt: func(env map[string]string) string { return "(not " + a.smt(env) + ")" }}
	}
	r := valuedRule{stage: stage, code: fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i), valuedTerm: c}
	for _, name := range []string{"lid", "share"} {
		if strings.Contains(c.text, name) {
			r.needs = append(r.needs, name)
		}
	}
	v.rules = append(v.rules, r)
}

// Rules returns the text of the rule file.
func (v *Valued) Rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nunit: %s\nvalues:\n", v.rulesUnit)
	for i := range 3 {
		fmt.Fprintf(&b, "  %s: length\n  %s: number\n", valuedLengths[i], valuedNumbers[i])
	}
	stage := ""
	for _, r := range v.rules {
		if r.stage != stage {
			stage = r.stage
			b.WriteString(stage + ":\n")
		}
		fmt.Fprintf(&b, "  - {code: %s, when: %q, message: wrong}\n", r.code, r.text)
	}
	return b.String()
}

// Catalogue returns the text of the limit file.
func (v *Valued) Catalogue() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nunit: %s\nvalues: {girth: %s, factor: %s}\nsheets:\n", v.limitsUnit, v.shared["girth"], v.shared["factor"])
	for i, s := range v.sheets {
		fmt.Fprintf(&b, "  s%d: {width: %s, height: %s}\n", i, s[0], s[1])
	}
	b.WriteString("materials:\n")
	for i, m := range v.materials {
		fmt.Fprintf(&b, "  %s: {caliper: %s, glue_flap: %s, sheet: s%d, values: {crease: %s, max_ratio: %s}}\n",
			m.code, m.numbers["caliper"], m.numbers["glue_flap"], i, m.numbers["crease"], m.numbers["max_ratio"])
	}
	b.WriteString("articles:\n")
	for _, a := range v.articles {
		fmt.Fprintf(&b, "  %s:\n    constraints: [%s]\n", a.code, strings.Join(a.selected, ", "))
		for _, axis := range exact.AxisNames() {
			fmt.Fprintf(&b, "    %s: {min: %s, max: %s}\n", axis, a.numbers["min_"+axis], a.numbers["max_"+axis])
		}
		if lid, ok := a.numbers["lid"]; ok {
			fmt.Fprintf(&b, "    values: {lid: %s, share: %s}\n", lid, a.numbers["share"])
		}
		if a.hasBlank {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", valuedBlank[0], valuedBlank[1])
		}
	}
	return b.String()
}

func findEntry(entries []valuedEntry, code string) valuedEntry {
	return entries[slices.IndexFunc(entries, func(e valuedEntry) bool { return e.code == code })]
}

// constants returns the variables and user-defined values of an article in a material, in the unit of the limits.
func (v *Valued) constants(a, m valuedEntry) map[string]*big.Rat {
	given := make(map[string]*big.Rat)
	for _, numbers := range []map[string]string{v.shared, a.numbers, m.numbers} {
		for name, text := range numbers {
			given[name] = mustRat(text)
		}
	}
	return given
}

// inRulesUnit converts x, the value of the named variable, from the unit of the limits to the unit of the rules. It
// returns a number without a unit unchanged.
func (v *Valued) inRulesUnit(name string, x *big.Rat) *big.Rat {
	if slices.Contains(valuedNumbers, name) {
		return x
	}
	return new(big.Rat).Quo(new(big.Rat).Mul(x, millimetres[v.limitsUnit]), millimetres[v.rulesUnit])
}

func (r valuedRule) appliesTo(a valuedEntry) bool {
	return (r.stage != "constraint" || slices.Contains(a.selected, r.code)) && (a.hasBlank || !r.blank)
}

func smtNumber(x *big.Rat) string {
	text := fmt.Sprintf("(/ %d.0 %d.0)", new(big.Int).Abs(x.Num()), x.Denom())
	if x.Sign() < 0 {
		return "(- " + text + ")"
	}
	return text
}

// SMT returns an SMT-LIB 2 term for the code that is reported for a box. codes are the codes of the rules that apply to
// the article. The value of the term is an index into codes or, for a valid box, len(codes). The term mentions the
// dimensions as the integers W, D and H, in thousandths.
func (v *Valued) SMT(article, material string) (first string, codes []string) {
	a, m := findEntry(v.articles, article), findEntry(v.materials, material)
	env := make(map[string]string)
	for name, x := range v.constants(a, m) {
		env[name] = smtNumber(v.inRulesUnit(name, x))
	}
	for axis, name := range exact.AxisNames() {
		env[name] = fmt.Sprintf("(* %s (to_real %c))", smtNumber(v.inRulesUnit(name, big.NewRat(1, 1000))), "WDH"[axis])
	}
	if a.hasBlank {
		env["blank_width"] = "(+ " + env["width"] + " " + env["width"] + " " + env["crease"] + ")"
		env["blank_height"] = "(+ " + env["height"] + " (ite (> " + env["lid"] + " " + env["depth"] + ") " + env["lid"] + " " + env["depth"] + "))"
	}
	var end string
	for _, r := range v.rules {
		if r.appliesTo(a) {
			first += fmt.Sprintf("(ite %s %d ", r.smt(env), len(codes))
			end += ")"
			codes = append(codes, r.code)
		}
	}
	return first + fmt.Sprint(len(codes)) + end, codes
}

// Violated returns the codes of the rules that a box violates, in check order.
func (v *Valued) Violated(article, material string, p exact.Point) (codes []string) {
	a, m := findEntry(v.articles, article), findEntry(v.materials, material)
	given := v.constants(a, m)
	for axis, name := range exact.AxisNames() {
		given[name] = big.NewRat(p[axis], 1000)
	}
	if a.hasBlank {
		given["blank_width"] = new(big.Rat).Add(new(big.Rat).Add(given["width"], given["width"]), given["crease"])
		folded := given["depth"]
		if given["lid"].Cmp(folded) > 0 {
			folded = given["lid"]
		}
		given["blank_height"] = new(big.Rat).Add(given["height"], folded)
	}
	env := make(map[string]*big.Rat) // in the unit of the rules
	for name, x := range given {
		env[name] = v.inRulesUnit(name, x)
	}
	for _, r := range v.rules {
		if r.appliesTo(a) && r.holds(env) {
			codes = append(codes, r.code)
		}
	}
	return codes
}

// WithOtherValue returns a copy in which one of the user-defined values is drawn again. The new value may be equal
// to the old one.
func (v *Valued) WithOtherValue(draw Draw) *Valued {
	w := *v
	w.shared, w.articles, w.materials = maps.Clone(v.shared), slices.Clone(v.articles), slices.Clone(v.materials)
	number := draw(2) == 0
	other := func(numbers map[string]string, level int) map[string]string {
		numbers = maps.Clone(numbers)
		if number {
			numbers[valuedNumbers[level]] = v.number()
		} else {
			numbers[valuedLengths[level]] = v.length(1, 60, 6)
		}
		return numbers
	}
	switch i := draw(2); draw(3) {
	case 0:
		w.shared = other(v.shared, 0)
	case 1:
		w.materials[i].numbers = other(v.materials[i].numbers, 1)
	default:
		w.articles[i].numbers = other(v.articles[i].numbers, 2)
	}
	return &w
}
