package learn_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// A world is a rule file and a frame with so few values that all limit files can be looked at, one
// by one. What it says of a box shares nothing with the engine: conditions and blanks are written a
// second time, in Go.
type world struct {
	step, values int64 // the grid in thousandths, and how many values a limit has
	max          float64
	finest       int64 // of a dimension that is asked
	taken        int64 // of one that is learned from
	tests        []limitTest
	conditions   []condition
	sized        bool
	articles     []worldArticle
	materials    []worldMaterial
	sheets       []string   // codes
	pairs        [][2]int64 // all minimums with all their maximums, in steps
	sizes        [][2]int64 // all sizes of a sheet, in steps, the longer side first; greater ones cannot be told apart
	sides        int64      // the greatest side of those

	rules *boxrules.RuleSet
	frame *limits.Catalogue
}

type limitTest struct {
	axis, end int
	code      boxrules.Code
}

type worldArticle struct {
	code      string
	blank     *flat
	told      bool // the frame has the blank
	materials []int
}

type worldMaterial struct {
	code          string
	caliper, glue int64 // thousandths
	sheet         int
}

// A size is a box with what conditions can mention, in thousandths; the blank's sides are in
// twelfths of them.
type size struct{ w, d, h, caliper, glue, blankWidth, blankHeight int64 }

type condition struct {
	when  string
	holds func(s size) bool
}

// A flat is a pair of blank formulas. A larger box never has a smaller blank.
type flat struct {
	width, height string
	sides         func(s size) (width, height int64)
}

var conditions = []condition{
	{"depth > width", func(s size) bool { return s.d > s.w }},
	{"height >= width", func(s size) bool { return s.h >= s.w }},
	{"width <= (depth * 3) / 4", func(s size) bool { return 4*s.w <= 3*s.d }},
	{"depth > (1 / 3) * width", func(s size) bool { return 3*s.d > s.w }},
	{"height > depth && depth >= 3", func(s size) bool { return s.h > s.d && s.d >= 3000 }},
	{"width + depth > 7 && height < 3", func(s size) bool { return s.w+s.d > 7000 && s.h < 3000 }},
	{"height > 3.5 || width < 2 * depth - 2", func(s size) bool { return s.h > 3500 || s.w < 2*s.d-2000 }},
	{"min(width, depth) >= height", func(s size) bool { return min(s.w, s.d) >= s.h }},
	{"width > 4.25", func(s size) bool { return s.w > 4250 }},
	{"height > 0", func(s size) bool { return s.h > 0 }},
	{"height > 200", func(s size) bool { return s.h > 200_000 }},
	{"width < depth + 2 * glue_flap", func(s size) bool { return s.w < s.d+2*s.glue }},
	{"depth - caliper > height", func(s size) bool { return s.d-s.caliper > s.h }},
}

// onBlank are those that only articles with a blank can select.
var onBlank = condition{"blank_width > 2 * blank_height", func(s size) bool { return s.blankWidth > 2*s.blankHeight }}

var flats = []flat{
	{"2*width + 2*depth + glue_flap", "height + depth", func(s size) (int64, int64) {
		return 12 * (2*s.w + 2*s.d + s.glue), 12 * (s.h + s.d)
	}},
	{"width + 2*height", "depth + 2*height", func(s size) (int64, int64) { return 12 * (s.w + 2*s.h), 12 * (s.d + 2*s.h) }},
	{"width + depth / 3", "1.25*height + 2*caliper", func(s size) (int64, int64) { return 12*s.w + 4*s.d, 15*s.h + 24*s.caliper }},
	{"max(width, height) + caliper", "min(max(0.5*depth, 1), 3) + height", func(s size) (int64, int64) {
		return 12 * (max(s.w, s.h) + s.caliper), min(max(6*s.d, 12_000), 36_000) + 12*s.h
	}},
	{"width", "depth - 2", func(s size) (int64, int64) { return 12 * s.w, 12 * (s.d - 2000) }},
	{"width + depth", "3", func(s size) (int64, int64) { return 12 * (s.w + s.d), 36_000 }},
}

func drawWorld(t *rapid.T) *world {
	n := func(what string, from, to int) int { return rapid.IntRange(from, to).Draw(t, what) }
	w := &world{step: []int64{1000, 500, 2000, 200}[n("step", 0, 3)], values: int64(n("values", 3, 8))}
	w.sized = n("size rule", 0, 9) > 0
	decimals := n("decimals", 0, 3)
	w.max = exact.Units(w.step*w.values) + []float64{0, exact.Units(w.step / 2)}[n("odd max", 0, 1)]
	if w.tests = limitTests(); n("boundary", 0, 2) == 0 {
		w.tests = rapid.Permutation(w.tests).Draw(t, "order")
	}
	all := rapid.Permutation(conditions).Draw(t, "conditions")[:n("constraints", 0, 4)]
	w.conditions = slices.Clone(all)
	blanks := true
	for i := range n("articles", 1, 2) {
		a := worldArticle{code: fmt.Sprintf("a%d", i)}
		if n("blank", 0, 7) > 0 {
			a.blank = &flats[n("flat", 0, len(flats)-1)]
			a.told = n("told", 0, 7) > 0
		}
		blanks = blanks && a.told
		w.articles = append(w.articles, a)
	}
	if blanks && n("on blank", 0, 3) == 0 && len(w.conditions) < 4 {
		w.conditions = append(w.conditions, onBlank)
	}
	for i := range n("materials", 1, 3) {
		m := worldMaterial{code: fmt.Sprintf("m%d", i)}
		m.caliper, m.glue = int64(n("caliper", 1, 4))*w.step/4, int64(n("glue", 0, 4))*w.step/2
		if m.sheet = n("sheet", 0, len(w.sheets)); m.sheet == len(w.sheets) {
			w.sheets = append(w.sheets, fmt.Sprintf("s%d", m.sheet))
		}
		w.materials = append(w.materials, m)
	}
	for i := range w.articles {
		a := &w.articles[i]
		for m := range w.materials {
			if m == 0 || n("offered", 0, 2) > 0 {
				a.materials = append(a.materials, m)
			}
		}
	}
	w.sides = 2
	for a := range w.articles {
		for _, m := range w.articles[a].materials {
			most := w.step * (w.values + 1)
			long, _ := w.sidesOf(a, m, exact.Point{most, most, most})
			w.sides = max(w.sides, long+2)
		}
	}
	w.count()
	w.read(t, decimals)
	return w
}

// limitTests are the documented ones.
func limitTests() (tests []limitTest) {
	for axis := range exact.Axes {
		for end := range 2 {
			tests = append(tests, limitTest{axis, end, boxrules.Code(fmt.Sprintf("BOX_21%02d", 2*axis+end))})
		}
	}
	return tests
}

// count lists what limits and sheets there are.
func (w *world) count() {
	for low := int64(1); low <= w.values; low++ {
		for high := low; high <= w.values; high++ {
			w.pairs = append(w.pairs, [2]int64{low, high})
		}
	}
	for long := int64(1); long <= w.sides; long++ {
		for short := int64(1); short <= long; short++ {
			w.sizes = append(w.sizes, [2]int64{long, short})
		}
	}
}

// read has the module read the world.
func (w *world) read(t rapid.TB, decimals int) {
	w.finest, w.taken = []int64{1000, 100, 10, 1}[decimals], []int64{1000, 100, 1, 1}[decimals] // 2 is not written down
	var b strings.Builder
	rule := func(code boxrules.Code, when string) {
		fmt.Fprintf(&b, "  - {code: %s, when: %q, message: wrong}\n", code, when)
	}
	b.WriteString("version: 1\nboundary:\n")
	for _, l := range w.tests {
		name := exact.AxisNames()[l.axis]
		rule(l.code, name+[2]string{" < min_", " > max_"}[l.end]+name)
	}
	if len(w.conditions) > 0 {
		b.WriteString("constraint:\n")
	}
	for i, c := range w.conditions {
		rule(w.constraint(i), c.when)
	}
	if w.sized {
		b.WriteString("size:\n")
		rule(boxrules.BOX_4100, "(blank_width > sheet_width || blank_height > sheet_height) && "+
			"(blank_width > sheet_height || blank_height > sheet_width)")
	}
	var err error
	if w.rules, err = boxrules.LoadRules("rules.yaml", []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	t.Log(b.String())
	b.Reset()
	b.WriteString("version: 1\nunit: mm\n")
	if decimals != 2 {
		fmt.Fprintf(&b, "decimals: %d\n", decimals)
	}
	b.WriteString("materials:\n")
	for _, m := range w.materials {
		fmt.Fprintf(&b, "  %s: {caliper: %v, glue_flap: %v, sheet: %s}\n", m.code, exact.Units(m.caliper), exact.Units(m.glue), w.sheets[m.sheet])
	}
	b.WriteString("articles:\n")
	for _, a := range w.articles {
		var materials []string
		for _, m := range a.materials {
			materials = append(materials, w.materials[m].code)
		}
		fmt.Fprintf(&b, "  %s:\n    materials: [%s]\n", a.code, strings.Join(materials, ", "))
		if a.told {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", a.blank.width, a.blank.height)
		}
	}
	if w.frame, err = limits.LoadFrame("frame.yaml", []byte(b.String())); err != nil {
		t.Fatal(err)
	}
	t.Log(b.String())
}

func (w *world) constraint(i int) boxrules.Code { return boxrules.Code(fmt.Sprintf("X_%04d", i)) }

func (w *world) options() learn.Options { return learn.Options{Step: exact.Units(w.step), Max: w.max} }

func (w *world) box(a, m int, at exact.Point) boxrules.Box {
	return boxrules.Box{Article: w.articles[a].code, Material: w.materials[m].code, Dims: boxrules.DimsAt(at)}
}

func (w *world) sizeOf(a, m int, at exact.Point) size {
	s := size{w: at[0], d: at[1], h: at[2], caliper: w.materials[m].caliper, glue: w.materials[m].glue}
	if blank := w.articles[a].blank; blank != nil {
		s.blankWidth, s.blankHeight = blank.sides(s)
	}
	return s
}

// sidesOf are the sides of the least sheet that the blank fits, in steps; a sheet has at least one.
func (w *world) sidesOf(a, m int, at exact.Point) (long, short int64) {
	s := w.sizeOf(a, m, at)
	up := func(x int64) int64 { return max(1, exact.CeilDiv(x, 12*w.step)) }
	long, short = up(s.blankWidth), up(s.blankHeight)
	return max(long, short), min(long, short)
}

// A file is a limit file of a world.
type file struct {
	ranges   [][exact.Axes][2]int64 // by article, in steps
	selected []int                  // by article, a bit a constraint
	sheets   [][2]int64             // in steps
}

func drawFile(t *rapid.T, w *world) *file {
	f := &file{}
	n := func(what string, from, to int64) int64 { return rapid.Int64Range(from, to).Draw(t, what) }
	for range w.articles {
		ranges := [exact.Axes][2]int64{{1, w.values}, {1, w.values}, {1, w.values}}
		if n("narrow", 0, 2) > 0 {
			for axis := range ranges {
				low := n("min", 1, w.values)
				ranges[axis] = [2]int64{low, n("max", low, w.values)}
			}
		}
		selected := 0
		if n("select", 0, 2) > 0 {
			selected = int(n("selection", 0, 1<<len(w.conditions)-1))
		}
		f.ranges, f.selected = append(f.ranges, ranges), append(f.selected, selected)
	}
	for range w.sheets {
		f.sheets = append(f.sheets, [2]int64{n("sheet", 1, w.sides), n("sheet", 1, w.sides)})
	}
	return f
}

// code is the file's answer.
func (f *file) code(w *world, a, m int, at exact.Point) boxrules.Code {
	for _, t := range w.tests {
		limit := f.ranges[a][t.axis][t.end] * w.step
		if t.end == 0 && at[t.axis] < limit || t.end == 1 && at[t.axis] > limit {
			return t.code
		}
	}
	s := w.sizeOf(a, m, at)
	for i, c := range w.conditions {
		if f.selected[a]&(1<<i) != 0 && c.holds(s) {
			return w.constraint(i)
		}
	}
	if w.sized && w.articles[a].blank != nil {
		x, y := f.sheets[w.materials[m].sheet][0]*w.step*12, f.sheets[w.materials[m].sheet][1]*w.step*12
		if !(s.blankWidth <= x && s.blankHeight <= y || s.blankWidth <= y && s.blankHeight <= x) {
			return boxrules.BOX_4100
		}
	}
	return ""
}
