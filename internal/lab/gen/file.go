package gen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// A File is a random rule file with a random limit file. It can also compute verdicts without the engine, because every
// condition and formula is drawn both as text and as a Go function. Profiles are numbered from 0. Only one goroutine at
// a time may use a File.
type File struct {
	Draw                Draw // the source of choices
	articles, materials int
	constantTexts       map[string][]string   // keyed by variable: its value in each profile, as written in the limit file
	constantValues      map[string][]*big.Rat // the same values as numbers
	low, high           exact.Point           // the limits of the first profile
	step                int64                 // most coordinates are multiples of step
	mayUseValues        bool                  // whether an expression may mention user-defined values
	profiles            []profile
	rules               []rule
	acceptedBox         exact.Point          // a box that most rules accept in the first profile
	validity            map[exact.Point]bool // a cache: whether a box is valid in the first profile
}

// A profile is an article in a material. articleOf and materialOf return the indexes of the article and the material.
type profile struct {
	blankFormulas *[2]*number // the formulas of the blank; nil if the article has none
	selected      []string
}

type rule struct {
	stage, code string
	condition   *condition
}

// maxProfiles is the maximum number of profiles of a File.
const maxProfiles = 4

// New draws a File with two articles in two materials. Its rules use the whole language.
func New(draw Draw) *File {
	f := newFile(draw, 2, 2)
	for axis := range exact.Axes {
		low, high := f.drawDecimals(1, 4), f.drawDecimals(1, 4) // at most three decimals, so that they are on the grid
		for i := range low {
			if mustRat(low[i]).Cmp(mustRat(high[i])) > 0 {
				low[i], high[i] = high[i], low[i]
			}
		}
		f.setLimits(axis, low, high)
	}
	f.step = []int64{1, 250, 1_000, 12_000, 60_000}[f.Draw(5)]
	f.drawMaterialsAndBlanks()
	f.addDrawnRules("boundary", f.Draw(3), f.profiles[0].blankFormulas != nil && f.profiles[2].blankFormulas != nil)
	f.addDrawnRules("constraint", 1+f.Draw(4), f.profiles[0].blankFormulas != nil || f.profiles[2].blankFormulas != nil)
	f.addDrawnRules("size", f.Draw(3), f.profiles[0].blankFormulas != nil || f.profiles[2].blankFormulas != nil)
	f.selectConstraints()
	return f
}

// Small draws a File with one article in one material. It also returns a step, in thousandths. Only a few boxes within
// the limits have dimensions that are multiples of the step. The rules enforce the limits.
func Small(draw Draw) (f *File, step int64) {
	f = newFile(draw, 1, 1)
	f.step = []int64{1, 10, 500, 1_000, 1_000, 1_000, 5_000, 12_500, 137, 100_000, 1_000_000}[f.Draw(11)]
	for axis := range exact.Axes {
		low := f.step * int64(f.Draw([]int{3, 30, 300}[f.Draw(3)]))
		high := low + f.step*int64(f.Draw([]int{2, 6, 10, 10, 20, 40}[f.Draw(6)]))
		// The minimum need not be a multiple of the step.
		if f.Draw(3) == 0 {
			low += int64(f.Draw(int(f.step)))
			high += f.step
		}
		low = max(low, 1)
		f.setLimits(axis, []string{decimalText(low)}, []string{decimalText(max(low, high))})
	}
	f.addRulesWithinLimits()
	return f, f.step
}

// Wide draws a File with one article in one material. The range of each dimension is more than a thousand units
// wide. The rules enforce the limits.
func Wide(draw Draw) *File {
	f := newFile(draw, 1, 1)
	f.step = []int64{1, 100, 1_000, 5_000}[f.Draw(4)]
	for axis := range exact.Axes {
		f.setLimits(axis, []string{f.drawDecimal(1, 1)}, []string{fmt.Sprint(1_500 + f.Draw(1_000))})
	}
	f.addRulesWithinLimits()
	return f
}

// addRulesWithinLimits completes a File whose limits have been set. It draws the rest of the limit file and some rules,
// and adds rules that enforce the limits.
func (f *File) addRulesWithinLimits() {
	f.drawMaterialsAndBlanks()
	for axis := range exact.Axes {
		f.rules = append(f.rules, rule{"boundary", fmt.Sprintf("LIMITS_%04d", axis), f.outsideLimits(axis)})
	}
	blank := f.profiles[0].blankFormulas != nil
	f.addDrawnRules("boundary", f.Draw(2), blank)
	f.addDrawnRules("constraint", 1+f.Draw(3), blank)
	f.addDrawnRules("size", f.Draw(3), blank)
	f.selectConstraints()
}

func newFile(draw Draw, articles, materials int) *File {
	return &File{Draw: draw, articles: articles, materials: materials, constantTexts: make(map[string][]string),
		constantValues: make(map[string][]*big.Rat), validity: make(map[exact.Point]bool), profiles: make([]profile, articles*materials)}
}

func (f *File) articleOf(profile int) int  { return profile / f.materials }
func (f *File) materialOf(profile int) int { return profile % f.materials }

// profilesOf returns the profiles of an article.
func (f *File) profilesOf(article int) []profile {
	return f.profiles[article*f.materials:][:f.materials]
}

// The names of the user-defined values of every File. The limit file gives the first once for all articles and
// materials, the second for each material, and the other two for each article. Rules declare the first and the third
// as lengths, and the others as numbers.
const (
	sharedValueName   = "allowance"
	materialValueName = "max_crease"
	articleValueName  = "blank_tuck2"
	negativeValueName = "mini"
)

// Profiles returns the number of profiles.
func (f *File) Profiles() int { return len(f.profiles) }

// Name returns the codes of the article and the material of a profile.
func (f *File) Name(profile int) (article, material string) {
	return fmt.Sprintf("article-%d", f.articleOf(profile)), fmt.Sprintf("material-%d", f.materialOf(profile))
}

// Violated returns the codes of the rules that the box violates, in check order.
func (f *File) Violated(profile int, p exact.Point) []string {
	var codes []string
	q := newNumberInput(profile, p)
	for _, r := range f.rulesFor(profile) {
		if r.condition.holds(q) {
			codes = append(codes, r.code)
		}
	}
	return codes
}

func (f *File) rulesFor(profile int) []rule {
	p := f.profiles[profile]
	var rules []rule
	for _, r := range f.rules {
		if (r.stage != "constraint" || slices.Contains(p.selected, r.code)) && (p.blankFormulas != nil || !r.condition.mentionsBlank) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Rules returns the text of the rule file.
func (f *File) Rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nvalues: {%s: length, %s: number, %s: length, %s: number}\n",
		sharedValueName, materialValueName, articleValueName, negativeValueName)
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

// Catalogue returns the text of the limit file.
func (f *File) Catalogue() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nunit: mm\nvalues: {%s: %s}\nsheets:\n", sharedValueName, f.constantTexts[sharedValueName][0])
	for m := range f.materials {
		fmt.Fprintf(&b, "  sheet-%d: {width: %s, height: %s}\n", m, f.constantTexts["sheet_width"][m], f.constantTexts["sheet_height"][m])
	}
	b.WriteString("materials:\n")
	for m := range f.materials {
		fmt.Fprintf(&b, "  material-%d: {caliper: %s, glue_flap: %s, sheet: sheet-%d, values: {%s: %s}}\n", m,
			f.constantTexts["caliper"][m], f.constantTexts["glue_flap"][m], m, materialValueName, f.constantTexts[materialValueName][m])
	}
	b.WriteString("articles:\n")
	for a := range f.articles {
		i := a * f.materials
		p := f.profiles[i]
		fmt.Fprintf(&b, "  article-%d:\n    constraints: [%s]\n", a, strings.Join(p.selected, ", "))
		for _, axis := range exact.AxisNames() {
			fmt.Fprintf(&b, "    %s: {min: %s, max: %s}\n", axis, f.constantTexts["min_"+axis][i], f.constantTexts["max_"+axis][i])
		}
		fmt.Fprintf(&b, "    values: {%s: %s, %s: %s}\n", articleValueName, f.constantTexts[articleValueName][i],
			negativeValueName, f.constantTexts[negativeValueName][i])
		if p.blankFormulas != nil {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", p.blankFormulas[0].text, p.blankFormulas[1].text)
		}
	}
	return b.String()
}

// Valid reports whether the box satisfies all rules of the first profile.
func (f *File) Valid(p exact.Point) bool {
	// Cache the result, because Nearest asks about the same boxes many times.
	valid, known := f.validity[p]
	if !known {
		q := newNumberInput(0, p)
		valid = !slices.ContainsFunc(f.rulesFor(0), func(r rule) bool { return r.condition.holds(q) })
		f.validity[p] = valid
	}
	return valid
}

func (f *File) addDrawnRules(stage string, n int, allowBlank bool) {
	for i := range n {
		c := f.drawCondition(allowBlank)
		// Negate most conditions that reject acceptedBox. Otherwise hardly any box would be valid.
		if f.Draw(6) > 0 && (f.profiles[0].blankFormulas != nil || !c.mentionsBlank) && c.holds(newNumberInput(0, f.acceptedBox)) {
			c = f.not(c)
		}
		// The language does not accept longer conditions.
		if len(c.text) > 4096 {
			c = f.compare(dimensionNumber(0), ">", literalNumber(f.drawDecimal(0, 6)))
		}
		f.rules = append(f.rules, rule{stage, fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i), c})
	}
}
