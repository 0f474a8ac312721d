package boxrules_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// TestRandomRuleFiles gives the engine rule and limit files of random conditions, and compares its verdicts
// with those of the trees that the files were printed from.
func TestRandomRuleFiles(t *testing.T) {
	var boxes, ties, violations int
	rapid.Check(t, func(t *rapid.T) {
		f := newRuleFile(t)
		rules, err := boxrules.LoadRules("rules.yaml", []byte(f.rulesText()))
		if err != nil {
			t.Fatalf("LoadRules: %v\n%s", err, f.rulesText())
		}
		catalogue, err := limits.Load("limits.yaml", []byte(f.limitsText()))
		if err != nil {
			t.Fatalf("limits.Load: %v\n%s", err, f.limitsText())
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			t.Fatalf("New: %v\n%s\n%s", err, f.rulesText(), f.limitsText())
		}
		source := &boxSource{rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "boxes"), 0))}
		for i := range f.profiles {
			profile := must(engine.Profile(f.profiles[i].name()))
			for range 24 {
				tested, tie := f.near(source, i)
				if tie {
					ties++
				}
				for _, p := range tested {
					dims := dimsAt(p)
					want := f.violated(i, p)
					all, err := profile.AppendAll(nil, dims)
					first, errFirst := profile.Check(dims)
					if err != nil || errFirst != nil || !same(first, all, want) {
						t.Fatalf("%s in %s, %s: Check = %v, all %v, want %v (errors %v, %v)\n%s\n%s",
							profile.Article(), profile.Material(), exactly(dims), first, all, want, errFirst, err, f.rulesText(), f.limitsText())
					}
					boxes++
					violations += len(want)
				}
			}
		}
	})
	t.Logf("%d boxes, %d of them drawn on a tie, %d violations", boxes, ties, violations)
	if !t.Failed() && (ties < boxes/20 || violations < boxes/2) {
		t.Errorf("%d boxes, %d on a tie, %d violations: too few", boxes, ties, violations)
	}
}

// A ruleFile is a random rule file with a catalogue of two articles in two materials.
type ruleFile struct {
	t         *rapid.T
	texts     map[string][]string   // of each constant variable, as written in the limit file, by profile
	constants map[string][]*big.Rat // the same, exactly
	profiles  []generatedProfile
	rules     []generatedRule
}

type generatedProfile struct {
	article, material int
	blank             *[2]*number // nil without one
	selected          []string
}

func (p generatedProfile) name() (article, material string) {
	return fmt.Sprintf("article-%d", p.article), fmt.Sprintf("material-%d", p.material)
}

type generatedRule struct {
	stage, code string
	condition   *condition
}

// A question is a box put to a profile.
type question struct {
	profile int
	dims    [3]*big.Rat
}

func ask(profile int, p exact.Point) *question {
	return &question{profile, [3]*big.Rat{rat(p[0], 1000), rat(p[1], 1000), rat(p[2], 1000)}}
}

func newRuleFile(t *rapid.T) *ruleFile {
	f := &ruleFile{t: t, texts: make(map[string][]string), constants: make(map[string][]*big.Rat)}
	for article := range 2 {
		for material := range 2 {
			f.profiles = append(f.profiles, generatedProfile{article: article, material: material})
		}
	}
	byArticle := func(i int) int { return f.profiles[i].article }
	byMaterial := func(i int) int { return f.profiles[i].material }
	for _, axis := range exact.AxisNames() {
		low, high := f.decimals(1, 4), f.decimals(1, 4) // places of the grid
		for i := range low {
			if decimal(low[i]).Cmp(decimal(high[i])) > 0 {
				low[i], high[i] = high[i], low[i]
			}
		}
		f.variable("min_"+axis, low, byArticle)
		f.variable("max_"+axis, high, byArticle)
	}
	f.variable("glue_flap", f.decimals(0, 5), byMaterial)
	for _, name := range []string{"caliper", "sheet_width", "sheet_height"} {
		f.variable(name, f.decimals(1, 5), byMaterial)
	}
	for article := range 2 {
		if f.draw("blank", 4) == 0 {
			continue
		}
		blank := &[2]*number{f.number(3, false, false), f.number(3, false, false)}
		f.profiles[2*article].blank, f.profiles[2*article+1].blank = blank, blank
	}
	f.addRules("boundary", f.draw("rules", 3), f.profiles[0].blank != nil && f.profiles[2].blank != nil)
	f.addRules("constraint", 1+f.draw("rules", 4), f.profiles[0].blank != nil || f.profiles[2].blank != nil)
	f.addRules("size", f.draw("rules", 3), f.profiles[0].blank != nil || f.profiles[2].blank != nil)
	for article := range 2 {
		f.profiles[2*article].selected = f.selection(f.profiles[2*article])
		f.profiles[2*article+1].selected = f.profiles[2*article].selected
	}
	return f
}

// decimals are two numbers of a limit file, one for each article or material.
func (f *ruleFile) decimals(least, places int) []string {
	return []string{f.decimal(least, places), f.decimal(least, places)}
}

func (f *ruleFile) decimal(least, most int) string {
	places := f.draw("places", most)
	n := rapid.IntRange(least, []int{500, 5_000, 50_000, 500_000, 500_000}[places]).Draw(f.t, "digits")
	return rat(int64(n), pow10[places]).FloatString(places)
}

var pow10 = []int64{1, 10, 100, 1_000, 10_000}

func (f *ruleFile) variable(name string, texts []string, of func(profile int) int) {
	for i := range f.profiles {
		f.texts[name] = append(f.texts[name], texts[of(i)])
		f.constants[name] = append(f.constants[name], decimal(texts[of(i)]))
	}
}

func decimal(text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return value
}

func (f *ruleFile) draw(what string, n int) int { return rapid.IntRange(0, n-1).Draw(f.t, what) }

func (f *ruleFile) addRules(stage string, n int, blank bool) {
	for i := range n {
		c := f.condition(2, blank)
		if len(c.text) > 4096 {
			c = f.comparison(&number{text: "width", level: atom, at: dimension(0), reach: reach{1, 1, 1, 0}}, f.literal())
		}
		f.rules = append(f.rules, generatedRule{stage, fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i), c})
	}
}

// selection are some of the constraints that the profile can select, in any order.
func (f *ruleFile) selection(p generatedProfile) []string {
	var codes []string
	for _, r := range f.rules {
		if r.stage == "constraint" && (p.blank != nil || !r.condition.blank) && f.draw("select", 4) > 0 {
			codes = append(codes, r.code)
		}
	}
	return rapid.Permutation(codes).Draw(f.t, "order")
}

// violated are the codes of the rules that hold, in check order.
func (f *ruleFile) violated(profile int, p exact.Point) []string {
	var codes []string
	for _, r := range f.applied(profile) {
		if r.condition.holds(ask(profile, p)) {
			codes = append(codes, r.code)
		}
	}
	return codes
}

func (f *ruleFile) applied(profile int) []generatedRule {
	p := f.profiles[profile]
	var rules []generatedRule
	for _, r := range f.rules {
		if (r.stage != "constraint" || slices.Contains(p.selected, r.code)) && (p.blank != nil || !r.condition.blank) {
			rules = append(rules, r)
		}
	}
	return rules
}

// near are boxes round a point where a comparison of a rule of the profile turns, if it turns at all along
// the axis tried; tie says that it is equal in one of them.
func (f *ruleFile) near(source *boxSource, profile int) (boxes []exact.Point, tie bool) {
	rng := source.rng
	step := []int64{1, 250, 1_000, 12_000, 60_000}[rng.IntN(5)]
	p := exact.Point{source.value(), source.value(), source.value()}
	for axis := range p {
		p[axis] -= p[axis] % step
	}
	applied := f.applied(profile)
	if len(applied) == 0 {
		return []exact.Point{p}, false
	}
	turns := applied[rng.IntN(len(applied))].condition.turns
	sides := turns[rng.IntN(len(turns))]
	axis := rng.IntN(3)
	at := func(x int64) exact.Point { return moved(p, axis, x) }
	sign := func(x int64) int {
		q := ask(profile, at(x))
		return sides[0].at(q).Cmp(sides[1].at(q))
	}
	low, high := int64(-100_000), int64(700_000)
	if sign(low) == sign(high) {
		return []exact.Point{p}, sign(p[axis]) == 0
	}
	for s := sign(low); high-low > 1; {
		if middle := (low + high) / 2; sign(middle) == s {
			low = middle
		} else {
			high = middle
		}
	}
	return []exact.Point{at(low), at(high), at(high + 1)}, sign(low) == 0 || sign(high) == 0
}

func (f *ruleFile) rulesText() string {
	var b strings.Builder
	b.WriteString("version: 1\n")
	stage := ""
	for _, r := range f.rules {
		if r.stage != stage {
			stage = r.stage
			b.WriteString(stage + ":\n")
		}
		fmt.Fprintf(&b, "  - {code: %s, when: %q, message: wrong}\n", r.code, r.condition.text)
	}
	return b.String()
}

func (f *ruleFile) limitsText() string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n")
	for m := range 2 {
		fmt.Fprintf(&b, "  sheet-%d: {width: %s, height: %s}\n", m, f.texts["sheet_width"][m], f.texts["sheet_height"][m])
	}
	b.WriteString("materials:\n")
	for m := range 2 {
		fmt.Fprintf(&b, "  material-%d: {caliper: %s, glue_flap: %s, sheet: sheet-%d}\n", m, f.texts["caliper"][m], f.texts["glue_flap"][m], m)
	}
	b.WriteString("articles:\n")
	for a := range 2 {
		p := f.profiles[2*a]
		fmt.Fprintf(&b, "  article-%d:\n    constraints: [%s]\n", a, strings.Join(p.selected, ", "))
		for _, axis := range exact.AxisNames() {
			fmt.Fprintf(&b, "    %s: {min: %s, max: %s}\n", axis, f.texts["min_"+axis][2*a], f.texts["max_"+axis][2*a])
		}
		if p.blank != nil {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", p.blank[0].text, p.blank[1].text)
		}
	}
	return b.String()
}
