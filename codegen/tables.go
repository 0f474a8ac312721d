package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// tables hold the profiles as the evaluator reads them. What profiles share is stored once:
// planes by half-spaces, half-spaces by conditions, conditions by materials, articles, or all.
type tables struct {
	Unit       string
	Decimals   int
	Rules      []boxrules.Rule // in check order
	Planes     []plane
	Halves     []half      // the half-spaces of conditions, but for the limits'
	Conditions []condition // by rule
	All        []int       // the conditions of every profile
	Materials  []material
	Articles   []article
}

// A plane holds the left side of a half-space a·p > k as a list: "1, 0, -2" are the factors of
// width - 2*height. With it come the axes that its comparison mentions, in the order of the text,
// as an explanation blames the first of them that can mend the box: "0, 2".
type plane struct{ Factors, Axes string }

// A half holds a half-space by the index of its plane: many differ in k alone, as one rule's do
// from article to article. outside is that of its [exact.Edge].
type half struct {
	plane      int
	k, outside int64
}

func (h half) String() string { return fmt.Sprintf("%d, %d", h.plane, h.k) }

// WithEdge returns the half-space with the number of points outside of it that are on its edge, if there
// are any.
func (h half) WithEdge() string {
	if h.outside == 0 {
		return h.String()
	}
	return fmt.Sprintf("%v, %d", h, h.outside)
}

// limitHalves counts the half-spaces beyond the limits of the article at hand: for width, depth
// and height the one below the minimum and the one above the maximum. They come before all
// others, and their planes do.
const limitHalves = 2 * exact.Axes

// A condition holds a rule's tree in some profiles, as JSON: the index of a half-space, or a
// list. A list holds where one of its parts does, a list in a list where all of its parts do, and
// so on by turns: [[7,8],9] says "7 and 8, or 9".
type condition struct {
	rule int
	tree string
}

func (c condition) String() string { return fmt.Sprintf("%d, %s", c.rule, c.tree) }

// A material comes with the values of its variables.
type material struct {
	Code   string
	Values []value
}

// An article comes with the indexes of its conditions that are not in all, and with those of its
// materials that are in neither.
type article struct {
	Code, Title string
	Limits      []interval
	LongLimits  []value
	Blank       string // a function in JavaScript; empty if there is none, or no rule needs it
	All         []int
	Materials   []choice
}

// An interval holds what an article's limits leave of a dimension, in thousandths.
type interval struct {
	Field     string
	Low, High int64
}

// Min and Max return the ends of the interval in units.
func (i interval) Min() float64 { return exact.Units(i.Low) }
func (i interval) Max() float64 { return exact.Units(i.High) }

// A choice holds a material of an article, with its own conditions.
type choice struct {
	Code       string
	Conditions []int

	form  exact.Form
	rules []boxrules.Rule // those of its conditions
}

// newTables returns the tables of the profiles of each article.
func newTables(e *boxrules.Engine, articles [][]*boxrules.Profile) *tables {
	t := &tables{Unit: e.Catalogue().Unit(), Decimals: e.Catalogue().Decimals()}
	for axis := range exact.Axes {
		axes := strconv.Itoa(axis)
		var below, above exact.Point
		below[axis], above[axis] = -1, 1
		t.Planes = append(t.Planes, planeOf(below, axes), planeOf(above, axes))
	}
	for _, profiles := range articles {
		form := profiles[0].Exact()
		a := article{Code: form.Article, Title: cmp.Or(form.Title, form.Article)}
		for _, p := range profiles {
			form := p.Exact()
			a.Materials = append(a.Materials, choice{Code: form.Material, form: form, rules: p.Rules()})
			if !slices.ContainsFunc(t.Materials, func(m material) bool { return m.Code == form.Material }) {
				t.Materials = append(t.Materials, material{form.Material, valuesOf(&form, "caliper", "glue_flap", "sheet_width", "sheet_height")})
			}
		}
		a.LongLimits = longLimits(&form)
		for axis, field := range exact.AxisNames() {
			a.Limits = append(a.Limits, interval{field, form.Low[axis], form.High[axis]})
		}
		t.Articles = append(t.Articles, a)
	}
	for _, r := range e.Rules().Rules() {
		t.add(r)
	}
	t.share()
	t.addBlanks(e.Catalogue())
	return t
}

// addBlanks adds the formulas of the articles' blanks if a rule mentions a side of the blank.
func (t *tables) addBlanks(c *limits.Catalogue) {
	if !slices.ContainsFunc(t.Rules, func(r boxrules.Rule) bool { return strings.Contains(r.When, "blank_") }) {
		return
	}
	for _, written := range c.Articles() {
		i := slices.IndexFunc(t.Articles, func(a article) bool { return a.Code == written.Code })
		if i >= 0 && written.Blank != nil {
			t.Articles[i].Blank = blankAsWritten(written.Blank)
		}
	}
}

// add adds a rule that some choice has, and its conditions. Rules are added in check order, so that
// a choice's indexes in ascending order give its check order.
func (t *tables) add(r boxrules.Rule) {
	for _, a := range t.Articles {
		for j := range a.Materials {
			c := &a.Materials[j]
			if i := slices.Index(c.rules, r); i >= 0 {
				tree := t.tree(&c.form, c.form.Conditions[i], "", true)
				c.Conditions = append(c.Conditions, index(&t.Conditions, condition{index(&t.Rules, r), tree}))
			}
		}
	}
}

// tree returns a condition as JSON. axes are those of the comparison that it is a part of. within
// says that a list here means "or": at the top, and in a list that means "and".
func (t *tables) tree(f *exact.Form, tree exact.Condition, axes string, within bool) string {
	if tree.Comparison != nil {
		var mentioned []string
		for _, axis := range tree.Comparison.Axes {
			mentioned = append(mentioned, strconv.Itoa(axis))
		}
		axes = strings.Join(mentioned, ", ")
	}
	switch tree.Kind {
	case exact.True:
		return strconv.Itoa(t.half(f, exact.HalfSpace{K: -1}, tree.Edge, axes))
	case exact.False:
		return strconv.Itoa(t.half(f, exact.HalfSpace{}, tree.Edge, axes))
	case exact.Half:
		return strconv.Itoa(t.half(f, tree.Half, tree.Edge, axes))
	}
	every := tree.Kind == exact.And
	var parts []string
	for _, part := range tree.Parts {
		parts = append(parts, t.tree(f, part, axes, every))
	}
	list := "[" + strings.Join(parts, ",") + "]"
	if every == within {
		list = "[" + list + "]" // which means the other here: [[1,2]] says "1 and 2" at the top
	}
	return list
}

func planeOf(a exact.Point, axes string) plane {
	return plane{fmt.Sprintf("%d, %d, %d", a[exact.Width], a[exact.Depth], a[exact.Height]), axes}
}

// half returns the index of a half-space in the profile.
func (t *tables) half(f *exact.Form, h exact.HalfSpace, edge exact.Edge, axes string) int {
	plane := index(&t.Planes, planeOf(h.A, axes))
	if axis := plane / 2; plane < limitHalves && edge.Outside == 0 && h.K == [...]int64{-f.Low[axis], f.High[axis]}[plane%2] {
		return plane
	}
	return limitHalves + index(&t.Halves, half{plane, h.K, edge.Outside})
}

// index returns the place of x in the list. Where x is new it adds it at the end.
func index[T comparable](list *[]T, x T) int {
	i := slices.Index(*list, x)
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return i
}

// share moves the conditions that every profile of an article has to the article, and those that
// every article has to all.
func (t *tables) share() {
	var articles []*[]int
	for i := range t.Articles {
		a := &t.Articles[i]
		var materials []*[]int
		for j := range a.Materials {
			materials = append(materials, &a.Materials[j].Conditions)
		}
		a.All = shared(materials)
		articles = append(articles, &a.All)
	}
	if len(articles) > 0 {
		t.All = shared(articles)
	}
}

// shared takes the numbers that are in every list out of them, and returns them.
func shared(lists []*[]int) []int {
	all := slices.DeleteFunc(slices.Clone(*lists[0]), func(x int) bool {
		return slices.ContainsFunc(lists, func(list *[]int) bool { return !slices.Contains(*list, x) })
	})
	for _, list := range lists {
		*list = slices.DeleteFunc(*list, func(x int) bool { return slices.Contains(all, x) })
	}
	return all
}
