package gen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// A File holds a random rule file with a random limit file. Its profiles are counted from 0. One
// goroutine at a time may use it.
type File struct {
	Draw                Draw // what is drawn from
	articles, materials int
	texts               map[string][]string   // of each constant variable, as written in the limit file, by profile
	constants           map[string][]*big.Rat // the same, exactly
	low, high           exact.Point           // the limits of the first profile
	step                int64                 // that boxes and places are on, as a rule
	profiles            []profile
	rules               []rule
	valid               exact.Point          // a box that most rules are made to accept in the first profile
	known               map[exact.Point]bool // whether boxes are valid in the first profile
}

// A profile says what its article has. Its place tells the article and the material, by byArticle
// and byMaterial.
type profile struct {
	blank    *[2]*number // nil without one
	selected []string
}

type rule struct {
	stage, code string
	condition   *condition
}

// most bounds how many profiles there are.
const most = 4

// New draws two articles in two materials, and rules that may say anything that the language can.
func New(draw Draw) *File {
	f := newFile(draw, 2, 2)
	for axis := range exact.Axes {
		low, high := f.each(1, 4), f.each(1, 4) // places of the grid
		for i := range low {
			if decimal(low[i]).Cmp(decimal(high[i])) > 0 {
				low[i], high[i] = high[i], low[i]
			}
		}
		f.limits(axis, low, high)
	}
	f.step = []int64{1, 250, 1_000, 12_000, 60_000}[f.Draw(5)]
	f.materialsAndBlanks()
	f.addRules("boundary", f.Draw(3), f.profiles[0].blank != nil && f.profiles[2].blank != nil)
	f.addRules("constraint", 1+f.Draw(4), f.profiles[0].blank != nil || f.profiles[2].blank != nil)
	f.addRules("size", f.Draw(3), f.profiles[0].blank != nil || f.profiles[2].blank != nil)
	f.choose()
	return f
}

// Small draws one article in one material, and a step in thousandths on which it has few boxes.
// Rules keep boxes within the limits.
func Small(draw Draw) (f *File, step int64) {
	f = newFile(draw, 1, 1)
	f.step = []int64{1, 10, 500, 1_000, 1_000, 1_000, 5_000, 12_500, 137, 100_000, 1_000_000}[f.Draw(11)]
	for axis := range exact.Axes {
		low := f.step * int64(f.Draw([]int{3, 30, 300}[f.Draw(3)]))
		high := low + f.step*int64(f.Draw([]int{2, 6, 10, 10, 20, 40}[f.Draw(6)]))
		if f.Draw(3) == 0 {
			low += int64(f.Draw(int(f.step)))
			high += f.step
		}
		low = max(low, 1)
		f.limits(axis, []string{thousandths(low)}, []string{thousandths(max(low, high))})
	}
	f.bounded()
	return f, f.step
}

// Wide draws one article in one material, with a thousand places and more on each axis. Rules keep
// boxes within the limits.
func Wide(draw Draw) *File {
	f := newFile(draw, 1, 1)
	f.step = []int64{1, 100, 1_000, 5_000}[f.Draw(4)]
	for axis := range exact.Axes {
		f.limits(axis, []string{f.decimal(1, 1)}, []string{fmt.Sprint(1_500 + f.Draw(1_000))})
	}
	f.bounded()
	return f
}

// bounded draws rules, and such that keep boxes within the limits.
func (f *File) bounded() {
	f.materialsAndBlanks()
	for axis := range exact.Axes {
		f.rules = append(f.rules, rule{"boundary", fmt.Sprintf("LIMITS_%04d", axis), f.beyond(axis)})
	}
	blank := f.profiles[0].blank != nil
	f.addRules("boundary", f.Draw(2), blank)
	f.addRules("constraint", 1+f.Draw(3), blank)
	f.addRules("size", f.Draw(3), blank)
	f.choose()
}

func newFile(draw Draw, articles, materials int) *File {
	return &File{Draw: draw, articles: articles, materials: materials, texts: make(map[string][]string),
		constants: make(map[string][]*big.Rat), known: make(map[exact.Point]bool), profiles: make([]profile, articles*materials)}
}

func (f *File) byArticle(profile int) int  { return profile / f.materials }
func (f *File) byMaterial(profile int) int { return profile % f.materials }

// of returns the profiles of an article.
func (f *File) of(article int) []profile { return f.profiles[article*f.materials:][:f.materials] }

// limits sets the minimums and maximums of the articles along an axis, which must be on the grid.
func (f *File) limits(axis int, low, high []string) {
	name := exact.AxisNames()[axis]
	f.variable("min_"+name, low, f.byArticle)
	f.variable("max_"+name, high, f.byArticle)
	f.low[axis], f.high[axis] = onGrid(low[0]), onGrid(high[0])
}

// materialsAndBlanks draws what is left of the limit file, and the box that rules are to accept.
func (f *File) materialsAndBlanks() {
	f.variable("glue_flap", f.each(0, 6), f.byMaterial)
	for _, name := range []string{"caliper", "sheet_width", "sheet_height"} {
		f.variable(name, f.each(1, 6), f.byMaterial)
	}
	f.valid = f.box()
	for article := range f.articles {
		if f.Draw(4) == 0 {
			continue
		}
		blank := &[2]*number{f.number(3, false, false), f.number(3, false, false)}
		for i := range f.of(article) {
			f.of(article)[i].blank = blank
		}
	}
}

// each draws decimals of a limit file, one for each article or material.
func (f *File) each(least, places int) (texts []string) {
	for range max(f.articles, f.materials) {
		texts = append(texts, f.decimal(least, places))
	}
	return texts
}

// decimal draws a number of fewer places than most, rarely of as many digits as the language takes.
func (f *File) decimal(least, most int) string {
	places := f.Draw(most)
	if places == 5 {
		return fmt.Sprintf("%d.%06d%06d", f.Draw(500), f.Draw(1_000_000), least+f.Draw(1_000_000-least))
	}
	n := least + f.Draw([]int{500, 5_000, 50_000, 500_000, 500_000}[places])
	return big.NewRat(int64(n), []int64{1, 10, 100, 1_000, 10_000}[places]).FloatString(places)
}

func (f *File) variable(name string, texts []string, of func(profile int) int) {
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

// onGrid returns a number with at most three decimals in thousandths.
func onGrid(text string) int64 {
	x := new(big.Rat).Mul(decimal(text), big.NewRat(1000, 1))
	if !x.IsInt() {
		panic(text)
	}
	return x.Num().Int64()
}

// thousandths writes a number of the grid.
func thousandths(x int64) string {
	text := strings.TrimRight(big.NewRat(x, 1000).FloatString(3), "0")
	return strings.TrimSuffix(text, ".")
}

// coordinate draws a value of a dimension within the limits of the first profile, on the step if it
// can be.
func (f *File) coordinate(axis int) int64 {
	x := f.low[axis] + int64(f.Draw(int(f.high[axis]-f.low[axis]+1)))
	if rounded := (x + f.step - 1) / f.step * f.step; rounded <= f.high[axis] {
		return rounded
	}
	return x
}

// box draws a box within the limits of the first profile.
func (f *File) box() (p exact.Point) {
	for axis := range p {
		p[axis] = f.coordinate(axis)
	}
	return p
}

// place draws a number about where a box of the first profile may be on the axis.
func (f *File) place(axis int) *number {
	x := f.coordinate(axis) + f.step*int64(f.Draw(5)-2)
	if f.Draw(4) == 0 {
		x += int64(f.Draw(3) - 1)
	}
	return literal(thousandths(max(0, x)))
}

// beyond says that a dimension is not within its limits.
func (f *File) beyond(axis int) *condition {
	x, low, high := dimension(axis), f.named("min_"+exact.AxisNames()[axis]), f.named("max_"+exact.AxisNames()[axis])
	if f.Draw(2) == 0 {
		return f.not(f.chained(f.compare(low, "<=", x), "<=", high))
	}
	return f.either(f.compare(x, "<", low), f.compare(high, "<", x))
}

func (f *File) addRules(stage string, n int, blank bool) {
	for i := range n {
		c := f.condition(blank)
		// Rules drawn alone would rarely leave a box.
		if f.Draw(6) > 0 && (f.profiles[0].blank != nil || !c.blank) && c.holds(ask(0, f.valid)) {
			c = f.not(c)
		}
		if len(c.text) > 4096 {
			c = f.compare(dimension(0), ">", literal(f.decimal(0, 6)))
		}
		f.rules = append(f.rules, rule{stage, fmt.Sprintf("%s_%04d", strings.ToUpper(stage), i), c})
	}
}

// choose selects for each article some of the constraints that it can select, in any order.
func (f *File) choose() {
	for article := range f.articles {
		p := f.of(article)[0]
		var codes []string
		for _, r := range f.rules {
			if r.stage == "constraint" && (p.blank != nil || !r.condition.blank) && f.Draw(4) > 0 {
				codes = slices.Insert(codes, f.Draw(len(codes)+1), r.code)
			}
		}
		for i := range f.of(article) {
			f.of(article)[i].selected = codes
		}
	}
}

// Profiles returns how many profiles there are.
func (f *File) Profiles() int { return len(f.profiles) }

// Name returns the article and the material of a profile.
func (f *File) Name(profile int) (article, material string) {
	return fmt.Sprintf("article-%d", f.byArticle(profile)), fmt.Sprintf("material-%d", f.byMaterial(profile))
}

// Violated returns the codes of the rules that hold, in check order.
func (f *File) Violated(profile int, p exact.Point) []string {
	var codes []string
	q := ask(profile, p)
	for _, r := range f.applied(profile) {
		if r.condition.holds(q) {
			codes = append(codes, r.code)
		}
	}
	return codes
}

func (f *File) applied(profile int) []rule {
	p := f.profiles[profile]
	var rules []rule
	for _, r := range f.rules {
		if (r.stage != "constraint" || slices.Contains(p.selected, r.code)) && (p.blank != nil || !r.condition.blank) {
			rules = append(rules, r)
		}
	}
	return rules
}

// Rules returns the text of the rule file.
func (f *File) Rules() string {
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

// Catalogue returns the text of the limit file.
func (f *File) Catalogue() string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n")
	for m := range f.materials {
		fmt.Fprintf(&b, "  sheet-%d: {width: %s, height: %s}\n", m, f.texts["sheet_width"][m], f.texts["sheet_height"][m])
	}
	b.WriteString("materials:\n")
	for m := range f.materials {
		fmt.Fprintf(&b, "  material-%d: {caliper: %s, glue_flap: %s, sheet: sheet-%d}\n", m, f.texts["caliper"][m], f.texts["glue_flap"][m], m)
	}
	b.WriteString("articles:\n")
	for a := range f.articles {
		i := a * f.materials
		p := f.profiles[i]
		fmt.Fprintf(&b, "  article-%d:\n    constraints: [%s]\n", a, strings.Join(p.selected, ", "))
		for _, axis := range exact.AxisNames() {
			fmt.Fprintf(&b, "    %s: {min: %s, max: %s}\n", axis, f.texts["min_"+axis][i], f.texts["max_"+axis][i])
		}
		if p.blank != nil {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", p.blank[0].text, p.blank[1].text)
		}
	}
	return b.String()
}
