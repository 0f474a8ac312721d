package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/conditions"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/limits"
)

// tables holds the profiles in the form that the JavaScript evaluator reads. Nothing is stored twice, because
// everything refers to its parts by index: a half-space to its plane, a condition to its half-spaces, and the
// lists of conditions in materials, in articles and in All to the conditions.
type tables struct {
	ruleSet     *boxrules.RuleSet
	Unit        string
	DefaultStep float64
	Decimals    int
	Rules       []boxrules.Rule // in check order
	Planes      []plane
	Halves      []tableHalfSpace // the half-spaces of conditions, except those that limitHalfSpaces counts
	Conditions  []tableCondition // sorted by rule
	All         []int            // the conditions that every profile has
	Materials   []material
	Articles    []article

	// The index of each element of Planes, Halves and Conditions.
	planeIndex     map[plane]int
	halfIndex      map[tableHalfSpace]int
	conditionIndex map[tableCondition]int
}

// A plane is the left side of a half-space a·p > k. Factors is the list of coefficients, such as "1, 0, -2"
// for width - 2*height. Axes lists the axes that the comparison mentions, in the order of its text, such as
// "0, 2". An explanation blames the first of these axes along which a change makes the box valid.
type plane struct{ Factors, Axes string }

// A tableHalfSpace is a half-space a·p > bound. It refers to its plane by index, because many half-spaces differ only
// in their bound, such as those of one rule for different articles. outside is the field Outside of its [exact.Edge]:
// if a point is outside the half-space, but closer to the plane than that, floating point may put it inside.
type tableHalfSpace struct {
	plane          int
	bound, outside int64
}

func (h tableHalfSpace) String() string { return fmt.Sprintf("%d, %d", h.plane, h.bound) }

// WithEdge returns the half-space as JavaScript. If outside is not 0, it is the last number.
func (h tableHalfSpace) WithEdge() string {
	if h.outside == 0 {
		return h.String()
	}
	return fmt.Sprintf("%v, %d", h, h.outside)
}

// limitHalfSpaces is the number of half-spaces beyond the limits of an article: width, depth and height have one
// below the minimum and one above the maximum. These half-spaces have the indices from 0 to 5, and so do their
// planes.
const limitHalfSpaces = 2 * exact.Axes

// A tableCondition is a rule's condition as one or more profiles use it, stored as a tree in JSON. The tree is
// the index of a half-space, or a list. The outermost list means "or", a list inside it means "and", a list inside that
// means "or" again, and so on: [[7,8],9] means "7 and 8, or 9".
type tableCondition struct {
	rule int
	tree string
}

func (c tableCondition) String() string { return fmt.Sprintf("%d, %s", c.rule, c.tree) }

// A material holds the values of the variables that depend on it, such as caliper, and the user-defined
// values that conditions and blanks need.
type material struct {
	Code   string
	Values []constant
}

// An article holds the limits of an article and refers to its conditions by index. All lists the conditions
// that apply in all of its materials. Conditions that apply to every article are in tables.All instead, and
// conditions that apply in only some of the materials are in Materials. Constants are the limits that have
// more decimals than a dimension may have, and the user-defined values that conditions and the blank need.
type article struct {
	Code, Title string
	Limits      []tableInterval
	Constants   []constant
	Blank       string // a function in JavaScript; empty if the article has no blank, or no rule needs it
	BlankTrees  string // the formulas of the blank as JSON; see blankTrees
	All         []int
	Materials   []articleMaterial
}

// A tableInterval holds the limits of one dimension of an article, in thousandths.
type tableInterval struct {
	Field     string
	Low, High int64
}

// Min and Max return the ends of the interval in units.
func (i tableInterval) Min() float64 { return exact.Float64At(i.Low) }
func (i tableInterval) Max() float64 { return exact.Float64At(i.High) }

// An articleMaterial is a material of an article, with the conditions that apply in it but not in all
// materials of the article.
type articleMaterial struct {
	Code       string
	Conditions []int

	form  exact.Form
	rules []boxrules.Rule // for each of form.Conditions, its rule
}

// newTables returns the tables of the profiles of each article.
func newTables(e *boxrules.Engine, articles [][]*boxrules.Profile) *tables {
	t := &tables{
		ruleSet: e.Rules(), Unit: e.Catalogue().Unit(), DefaultStep: e.Catalogue().DefaultStep(), Decimals: e.Catalogue().Decimals(),
		planeIndex: make(map[plane]int), halfIndex: make(map[tableHalfSpace]int), conditionIndex: make(map[tableCondition]int),
	}
	// The planes of the limits come first: -width, width, -depth, depth, -height, height.
	for axis := range exact.Axes {
		axes := strconv.Itoa(axis)
		var below, above exact.Point
		below[axis], above[axis] = -1, 1
		t.indexOfPlane(below, axes)
		t.indexOfPlane(above, axes)
	}
	seen := make(map[string]bool) // materials
	for _, profiles := range articles {
		form := profiles[0].Exact() // the limits are the same in all materials
		a := article{Code: form.Article, Title: cmp.Or(form.Title, form.Article)}
		for _, p := range profiles {
			form := p.Exact()
			a.Materials = append(a.Materials, articleMaterial{Code: form.Material, form: form, rules: p.Rules()})
			if !seen[form.Material] {
				seen[form.Material] = true
				t.Materials = append(t.Materials, material{form.Material, constantsOf(&form, "caliper", "glue_flap", "sheet_width", "sheet_height")})
			}
		}
		a.Constants = longLimitConstants(&form)
		for axis, field := range exact.AxisNames() {
			a.Limits = append(a.Limits, tableInterval{field, form.Low[axis], form.High[axis]})
		}
		t.Articles = append(t.Articles, a)
	}
	// First list all conditions of each material. moveSharedConditions then moves the conditions that all materials
	// share.
	for _, r := range e.Rules().Rules() {
		t.add(r)
	}
	t.moveSharedConditions()
	t.addValues(e.Catalogue(), t.addBlanks(e.Catalogue()))
	return t
}

// addBlanks adds the formulas of the articles' blanks if a rule mentions a side of the blank. It returns the
// catalogue's articles that are in the tables, in the same order. If it has not added the formulas of an
// article, the returned article has no blank.
func (t *tables) addBlanks(c *limits.Catalogue) (written []limits.Article) {
	needed := slices.ContainsFunc(t.Rules, func(r boxrules.Rule) bool {
		return strings.Contains(r.When, "blank_") && slices.ContainsFunc(conditions.Of(t.ruleSet, r).Names(), expression.IsBlank)
	})
	// The tables may have only some of the catalogue's articles, but in the same order.
	for _, article := range c.Articles() {
		if len(written) == len(t.Articles) || t.Articles[len(written)].Code != article.Code {
			continue
		}
		if !needed {
			article.Blank = nil
		}
		if a := &t.Articles[len(written)]; article.Blank != nil {
			a.Blank, a.BlankTrees = blankAsWritten(article.Blank), blankTrees(article.Blank)
		}
		written = append(written, article)
	}
	return written
}

// addValues adds the user-defined values that conditions and formulas mention. In the tables, values given by
// material belong to the material, and all other values belong to the article. written is the result of
// addBlanks.
func (t *tables) addValues(c *limits.Catalogue, written []limits.Article) {
	inCondition := make(map[boxrules.Code][]string)
	if len(t.ruleSet.Values()) > 0 {
		for _, r := range t.Rules {
			inCondition[r.Code] = conditions.Of(t.ruleSet, r).Values()
		}
	}
	used := make(map[string]bool)
	for i := range t.Articles {
		a, mentioned := &t.Articles[i], make(map[string]bool)
		mention := func(names []string) {
			for _, name := range names {
				used[name], mentioned[name] = true, true
			}
		}
		if blank := written[i].Blank; blank != nil {
			mention(blank.Width.Names())
			mention(blank.Height.Names())
		}
		for _, r := range a.Materials[0].rules { // the same in all materials
			mention(inCondition[r.Code])
		}
		a.Constants = append(a.Constants, valueConstants(mentioned, c.Values())...)
		a.Constants = append(a.Constants, valueConstants(mentioned, written[i].Values)...)
	}
	values := make(map[string]limits.Values)
	for _, m := range c.Materials() {
		values[m.Code] = m.Values
	}
	for i := range t.Materials {
		m := &t.Materials[i]
		m.Values = append(m.Values, valueConstants(used, values[m.Code])...)
	}
}

// add adds a rule and its conditions to the tables, if the rule applies to any profile. Rules must be added
// in check order, because the conditions of a profile are checked in ascending order of their indices.
func (t *tables) add(r boxrules.Rule) {
	rule := len(t.Rules) // its index, if it applies to a profile
	for _, a := range t.Articles {
		for j := range a.Materials {
			m := &a.Materials[j]
			// The rules of a profile are also in check order, so the next one is r or a later rule.
			if i := len(m.Conditions); i < len(m.rules) && m.rules[i].Code == r.Code {
				tree := t.treeJSON(&m.form, m.form.Conditions[i], "", true)
				m.Conditions = append(m.Conditions, indexOrAdd(&t.Conditions, t.conditionIndex, tableCondition{rule, tree}))
				if rule == len(t.Rules) {
					t.Rules = append(t.Rules, r)
				}
			}
		}
	}
}

// indexOfPlane returns the index of a plane, and adds the plane if it is new.
func (t *tables) indexOfPlane(a exact.Point, axes string) int {
	return indexOrAdd(&t.Planes, t.planeIndex,
		plane{fmt.Sprintf("%d, %d, %d", a[exact.Width], a[exact.Depth], a[exact.Height]), axes})
}

// indexOfHalfSpace returns the index of a half-space, and adds the half-space if it is new.
func (t *tables) indexOfHalfSpace(f *exact.Form, h exact.HalfSpace, edge exact.Edge, axes string) int {
	plane := t.indexOfPlane(h.A, axes)
	// A half-space beyond a limit of the article has the index of its plane, and is not in Halves. Planes
	// with an even index belong to minimums: width < 20 is -width > -20.
	if axis := plane / 2; plane < limitHalfSpaces && edge.Outside == 0 && h.K == [...]int64{-f.Low[axis], f.High[axis]}[plane%2] {
		return plane
	}
	return limitHalfSpaces + indexOrAdd(&t.Halves, t.halfIndex, tableHalfSpace{plane, h.K, edge.Outside})
}

// indexOrAdd returns the index of x in the list. If x is new, indexOrAdd appends it. index maps each element of
// the list to its index.
func indexOrAdd[T comparable](list *[]T, index map[T]int, x T) int {
	i, ok := index[x]
	if !ok {
		i = len(*list)
		*list, index[x] = append(*list, x), i
	}
	return i
}

// moveSharedConditions moves conditions that apply in all materials of an article to the article, and then conditions
// that apply to all articles to t.All.
func (t *tables) moveSharedConditions() {
	// First move conditions from the materials to their article. After that, a condition that all
	// profiles share is in the list of every article.
	var articles []*[]int
	for i := range t.Articles {
		a := &t.Articles[i]
		var materials []*[]int
		for j := range a.Materials {
			materials = append(materials, &a.Materials[j].Conditions)
		}
		a.All = removeShared(materials)
		articles = append(articles, &a.All)
	}
	if len(articles) > 0 {
		t.All = removeShared(articles)
	}
}

// removeShared removes the numbers that are in every list from all of the lists, and returns them. The lists
// must be sorted.
func removeShared(lists []*[]int) []int {
	all := slices.DeleteFunc(slices.Clone(*lists[0]), func(x int) bool {
		return slices.ContainsFunc(lists, func(list *[]int) bool { return !contains(*list, x) })
	})
	for _, list := range lists {
		*list = slices.DeleteFunc(*list, func(x int) bool { return contains(all, x) })
	}
	return all
}

func contains(sorted []int, x int) bool {
	_, ok := slices.BinarySearch(sorted, x)
	return ok
}

// UnitRatio returns the numerator and the denominator of the factor that converts lengths to the unit of the
// rule, such as "127, 5". It returns "" if the rule and the limits have the same unit.
func (t *tables) UnitRatio(r boxrules.Rule) string {
	ratio, _ := exact.UnitRatio(t.Unit, r.Unit) // New has accepted the units
	if ratio.Num == ratio.Den {
		return ""
	}
	return strconv.FormatInt(ratio.Num, 10) + ", " + strconv.FormatInt(ratio.Den, 10)
}

// Texts returns the messages for forms as members of a JSON object, one member for each language. The key of a member
// is the language code, and its value contains the messages in that language.
func (t *tables) Texts() []string {
	var lines []string
	for _, language := range locale.Languages {
		l, _ := locale.Of(language)
		parts := []string{quoted("decimal") + ": " + quoted(l.Decimal)}
		for _, key := range locale.Keys {
			parts = append(parts, quoted(key)+": "+strings.TrimSpace(string(strictjson.Marshal(l.Form[key]))))
		}
		lines = append(lines, quoted(language)+": {"+strings.Join(parts, ", ")+"}")
	}
	return lines
}
