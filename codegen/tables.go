package codegen

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/linear"
)

// tables are the profiles as the evaluator reads them. What profiles share is stored once: planes by
// half-spaces, half-spaces by conditions, conditions by materials, articles, or all.
type tables struct {
	unit       string
	rules      []boxrules.Rule // in check order
	planes     []plane
	halves     []half      // the half-spaces of conditions, but for the limits'
	conditions []condition // by rule
	all        []int       // the conditions of every profile
	articles   []entry
}

// A plane is the left side of a half-space a·p > k, with the axes that its comparison mentions, in the order
// of the text, separated by commas: what an explanation blames depends on it.
type plane struct {
	a    linear.Point
	axes string
}

type half struct {
	plane int
	k     int64
}

// limitHalves are the half-spaces beyond the limits of the article at hand, for width, depth and height those
// below the minimum and above the maximum. They come before all others, and their planes do.
const limitHalves = 2 * linear.Axes

// A condition is a rule's in some profiles, as JSON: the index of a half-space, or a list of conditions. A list
// holds where one of its parts does, a list in a list where all of its parts do, and so on by turns.
type condition struct {
	rule int
	tree string
}

// An entry is an article, with the indexes of its conditions that are not in all, and of its materials' that
// are not in those.
type entry struct {
	code, title string
	low, high   linear.Point // its limits
	all         []int
	materials   []material
}

type material struct {
	code       string
	conditions []int
}

// newTables makes the tables of the offers.
func newTables(e *boxrules.Engine, offers []offer) *tables {
	t := &tables{unit: e.Catalogue().Unit()}
	for axis := range linear.Axes {
		axes := strconv.Itoa(axis)
		var below, above linear.Point
		below[axis], above[axis] = -1, 1
		t.planes = append(t.planes, plane{below, axes}, plane{above, axes})
	}
	rules := e.Rules().Rules()
	for _, r := range rules {
		if slices.ContainsFunc(offers, func(o offer) bool {
			return slices.ContainsFunc(o.profiles, func(p *boxrules.Profile) bool { return slices.Contains(p.Rules(), r) })
		}) {
			t.rules = append(t.rules, r)
		}
	}
	for _, o := range offers {
		entry := entry{code: o.article.Code, title: o.article.Title}
		for _, p := range o.profiles {
			entry.low, entry.high = p.Limits()
			entry.materials = append(entry.materials, material{p.Material(), t.add(p)})
		}
		t.articles = append(t.articles, entry)
	}
	t.sort()
	t.share()
	return t
}

// add adds the conditions of the profile and returns their indexes.
func (t *tables) add(p *boxrules.Profile) []int {
	var indexes []int
	trees := p.Trees()
	for i, r := range p.Rules() {
		c := condition{rule: slices.Index(t.rules, r), tree: t.tree(p, trees[i], true)}
		indexes = append(indexes, index(&t.conditions, c))
	}
	return indexes
}

// tree writes a condition. within says that a list here is one of which some part holds: it stands in a list
// of which every part does, or at the top.
func (t *tables) tree(p *boxrules.Profile, tree linear.Tree, within bool) string {
	if len(tree.Parts) == 0 {
		var axes []string
		for _, axis := range tree.Mentioned {
			axes = append(axes, strconv.Itoa(axis))
		}
		return t.comparison(p, tree.Condition, strings.Join(axes, ", "), within)
	}
	return list(tree.Every, within, len(tree.Parts), func(i int) string {
		return t.tree(p, tree.Parts[i], tree.Every)
	})
}

func (t *tables) comparison(p *boxrules.Profile, c linear.Condition, axes string, within bool) string {
	switch c.Kind {
	case linear.True:
		return strconv.Itoa(t.half(p, linear.HalfSpace{K: -1}, axes))
	case linear.False:
		return strconv.Itoa(t.half(p, linear.HalfSpace{}, axes))
	case linear.Half:
		return strconv.Itoa(t.half(p, c.Half, axes))
	}
	every := c.Kind == linear.And
	return list(every, within, len(c.Parts), func(i int) string {
		return t.comparison(p, c.Parts[i], axes, every)
	})
}

// list writes the parts as a list, of which every one or some one holds. Where a list would be of the other
// kind, because kinds take turns, it is wrapped in one.
func list(every, within bool, parts int, part func(i int) string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(part(i))
	}
	b.WriteByte(']')
	if every == within {
		return "[" + b.String() + "]"
	}
	return b.String()
}

// half is the index of a half-space in the profile.
func (t *tables) half(p *boxrules.Profile, h linear.HalfSpace, axes string) int {
	plane := index(&t.planes, plane{h.A, axes})
	low, high := p.Limits()
	if axis := plane / 2; plane < limitHalves && h.K == [...]int64{-low[axis], high[axis]}[plane%2] {
		return plane
	}
	return limitHalves + index(&t.halves, half{plane, h.K})
}

// index is the place of x in the list, at the end of which it is added where it is new.
func index[T comparable](list *[]T, x T) int {
	i := slices.Index(*list, x)
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return i
}

// sort brings the conditions into the order of the rules, so that a profile's indexes in ascending order are
// its check order.
func (t *tables) sort() {
	order := make([]int, len(t.conditions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.conditions[a].rule, t.conditions[b].rule) })
	sorted, place := make([]condition, len(order)), make([]int, len(order))
	for to, from := range order {
		sorted[to], place[from] = t.conditions[from], to
	}
	t.conditions = sorted
	for _, a := range t.articles {
		for _, m := range a.materials {
			for i, c := range m.conditions {
				m.conditions[i] = place[c]
			}
		}
	}
}

// share moves the conditions that every profile of an article has to the article, and those that every article
// has to all.
func (t *tables) share() {
	var articles [][]int
	for i := range t.articles {
		a := &t.articles[i]
		var lists [][]int
		for _, m := range a.materials {
			lists = append(lists, m.conditions)
		}
		a.all = common(lists)
		for j := range a.materials {
			a.materials[j].conditions = less(a.materials[j].conditions, a.all)
		}
		articles = append(articles, a.all)
	}
	t.all = common(articles)
	for i := range t.articles {
		t.articles[i].all = less(t.articles[i].all, t.all)
	}
}

// common are the numbers that are in every list.
func common(lists [][]int) []int {
	if len(lists) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(lists[0]), func(x int) bool {
		return slices.ContainsFunc(lists, func(list []int) bool { return !slices.Contains(list, x) })
	})
}

// less are the numbers of the list without those of the other.
func less(list, other []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(x int) bool { return slices.Contains(other, x) })
}

// quoted is text as a literal that is the same in JSON, JavaScript and TypeScript, and that ends no script element
// of HTML.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string is always JSON
	}
	return strings.NewReplacer("</", `<\/`, "<!", `\u003c!`, "\n", "").Replace(b.String())
}
