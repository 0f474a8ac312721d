package gen

import (
	"fmt"
	"strings"

	"example.com/boxrules/exact"
)

// A Domain is a random rule file with a random frame, for tests of package learn. A frame is a limit file without
// the ranges, constraints and sheet sizes, which have to be learned. Each limit has only a few possible values, so
// that a test can try every limit file. A Domain computes verdicts without the engine, because its conditions and
// blanks are also written in Go.
type Domain struct {
	Step        int64   // limits are multiples of Step, which is in thousandths
	LimitValues int64   // the number of values that a limit may have
	Max         float64 // the value for learn.Options.Max
	Decimals    int     // the number of decimals that a dimension may have; the frame mentions it unless it is 2
	Tests       []LimitTest
	Conditions  []Meant // in check order: boundary rules, constraints, and size rules
	Boundary    int     // the number of conditions that are boundary rules, which come after the limit tests
	Size        int     // the number of conditions that are size rules, which come after the comparison with the sheet
	HasSizeRule bool
	Articles    []DomainArticle
	Materials   []DomainMaterial
	Sheets      []string // the codes of the sheets
	MaxSide     int64    // the longest side of a sheet, in steps; larger sheets give the same verdicts
}

// A LimitTest is the comparison of a dimension with a limit: its minimum if End is 0, or its maximum if End is 1.
type LimitTest struct {
	Axis, End int
	Code      string
}

// A DomainArticle is an article of a Domain. Materials lists indexes into Domain.Materials.
type DomainArticle struct {
	Code         string
	Blank        *Flat
	BlankInFrame bool  // whether the frame gives Blank; if not, it has to be learned
	Ratio        int64 // the user-defined value max_ratio; 0 if the article does not give it
	Materials    []int
}

// A DomainMaterial is a material of a Domain. Its lengths are in thousandths. Sheet is an index into Domain.Sheets.
// Crease is a user-defined value.
type DomainMaterial struct {
	Code                  string
	Caliper, Glue, Crease int64
	Sheet                 int
}

// A Size holds the numbers that a condition about a box can mention. Lengths are in thousandths, but the sides of
// the blank are in twelfths of a thousandth, so that a third or a quarter of a length is a whole number. Ratio has
// no unit.
type Size struct{ W, D, H, Caliper, Glue, Crease, Ratio, BlankWidth, BlankHeight int64 }

// Meant holds a condition in two forms: When is its text in the rule language, and Holds is the same condition as a
// Go function. Tests compute verdicts with Holds, and so do not rely on the parser.
type Meant struct {
	When  string
	Holds func(s Size) bool
}

// Flat holds the two formulas of a blank in two forms: Width and Height are their texts in the rule language, and
// Sides is a Go function that computes both. If a box becomes larger, its blank never becomes smaller.
type Flat struct {
	Width, Height string
	Sides         func(s Size) (width, height int64)
}

var domainConditions = []Meant{
	{"depth > width", func(s Size) bool { return s.D > s.W }},
	{"height >= width", func(s Size) bool { return s.H >= s.W }},
	{"width <= (depth * 3) / 4", func(s Size) bool { return 4*s.W <= 3*s.D }},
	{"depth > (1 / 3) * width", func(s Size) bool { return 3*s.D > s.W }},
	{"height > depth && depth >= 3", func(s Size) bool { return s.H > s.D && s.D >= 3000 }},
	{"width + depth > 7 && height < 3", func(s Size) bool { return s.W+s.D > 7000 && s.H < 3000 }},
	{"height > 3.5 || width < 2 * depth - 2", func(s Size) bool { return s.H > 3500 || s.W < 2*s.D-2000 }},
	{"min(width, depth) >= height", func(s Size) bool { return min(s.W, s.D) >= s.H }},
	{"width > 4.25", func(s Size) bool { return s.W > 4250 }},
	{"height > 0", func(s Size) bool { return s.H > 0 }},
	{"height > 200", func(s Size) bool { return s.H > 200_000 }},
	{"width < depth + 2 * glue_flap", func(s Size) bool { return s.W < s.D+2*s.Glue }},
	{"depth - caliper > height", func(s Size) bool { return s.D-s.Caliper > s.H }},
	{"depth < 2 * crease", func(s Size) bool { return s.D < 2*s.Crease }},
	// An article without the value cannot select the constraint, so no box violates it.
	{"height > max_ratio * width", func(s Size) bool { return s.Ratio > 0 && s.H > s.Ratio*s.W }},
}

// IsAlways reports whether condition i applies to every article. It does if it belongs to a boundary rule or a size
// rule. A constraint applies only to articles that select it.
func (d *Domain) IsAlways(i int) bool { return i < d.Boundary || i >= d.BeforeSheet() }

// BeforeSheet returns the number of conditions that are checked before the comparison with the sheet.
func (d *Domain) BeforeSheet() int { return len(d.Conditions) - d.Size }

// always returns the set of conditions that apply to every article. Bit i is set if condition i is in the set.
func (d *Domain) always() (set int) {
	for i := range d.Conditions {
		if d.IsAlways(i) {
			set |= 1 << i
		}
	}
	return set
}

// blankCondition mentions the sides of the blank. An article without a blank cannot select a constraint with this
// condition, so a Domain has the condition only if the frame gives the blank of every article.
var blankCondition = Meant{"blank_width > 2 * blank_height", func(s Size) bool { return s.BlankWidth > 2*s.BlankHeight }}

var blankFormulas = []Flat{
	{"2*width + 2*depth + glue_flap", "height + depth", func(s Size) (int64, int64) {
		return 12 * (2*s.W + 2*s.D + s.Glue), 12 * (s.H + s.D)
	}},
	{"width + 2*height", "depth + 2*height", func(s Size) (int64, int64) { return 12 * (s.W + 2*s.H), 12 * (s.D + 2*s.H) }},
	{"width + depth / 3", "1.25*height + 2*caliper", func(s Size) (int64, int64) { return 12*s.W + 4*s.D, 15*s.H + 24*s.Caliper }},
	{"max(width, height) + caliper", "min(max(0.5*depth, 1), 3) + height", func(s Size) (int64, int64) {
		return 12 * (max(s.W, s.H) + s.Caliper), min(max(6*s.D, 12_000), 36_000) + 12*s.H
	}},
	{"width", "depth - 2", func(s Size) (int64, int64) { return 12 * s.W, 12 * (s.D - 2000) }},
	{"width + depth", "3", func(s Size) (int64, int64) { return 12 * (s.W + s.D), 36_000 }},
}

func NewDomain(draw Draw) *Domain {
	d := &Domain{Step: []int64{1000, 500, 2000, 200}[draw(4)], LimitValues: draw.between(3, 8)}
	d.HasSizeRule, d.Decimals = draw(10) > 0, draw(4)
	d.Max = exact.Float64At(d.Step*d.LimitValues) + []float64{0, exact.Float64At(d.Step / 2)}[draw(2)]
	if d.Tests = LimitTests(); draw(3) == 0 {
		shuffleDomain(draw, d.Tests)
	}
	all := append([]Meant{}, domainConditions...)
	shuffleDomain(draw, all)
	d.Conditions = all[:draw(5)]
	allBlanksInFrame := true
	for i := range 1 + draw(2) {
		a := DomainArticle{Code: fmt.Sprintf("a%d", i)}
		if draw(8) > 0 {
			a.Blank = &blankFormulas[draw(len(blankFormulas))]
			a.BlankInFrame = draw(8) > 0
		}
		a.Ratio = int64(draw(3))
		allBlanksInFrame = allBlanksInFrame && a.BlankInFrame
		d.Articles = append(d.Articles, a)
	}
	if allBlanksInFrame && draw(4) == 0 && len(d.Conditions) < 4 {
		// Limit the capacity, so that append copies the slice. Otherwise it would overwrite the next condition in
		// all.
		d.Conditions = append(d.Conditions[:len(d.Conditions):len(d.Conditions)], blankCondition)
	}
	if draw(2) == 0 {
		d.Boundary = draw(min(2, len(d.Conditions)) + 1)
		d.Size = draw(min(2, len(d.Conditions)-d.Boundary) + 1)
	}
	for i, c := range d.Conditions {
		if d.IsAlways(i) && strings.Contains(c.When, "max_ratio") { // such a condition needs the value in every article
			for j := range d.Articles {
				d.Articles[j].Ratio = max(d.Articles[j].Ratio, 1)
			}
		}
	}
	for i := range 1 + draw(3) {
		// An index just past the last sheet means a new sheet.
		m := DomainMaterial{Code: fmt.Sprintf("m%d", i), Sheet: draw(len(d.Sheets) + 1)}
		m.Caliper, m.Glue = draw.between(1, 4)*d.Step/4, draw.between(0, 4)*d.Step/2
		m.Crease = draw.between(0, 8) * d.Step / 4
		if m.Sheet == len(d.Sheets) {
			d.Sheets = append(d.Sheets, fmt.Sprintf("s%d", m.Sheet))
		}
		d.Materials = append(d.Materials, m)
	}
	d.MaxSide = 2
	for i := range d.Articles {
		a := &d.Articles[i]
		for m := range d.Materials {
			// Every article comes in material 0, and in each other material with a probability of 2/3.
			if m > 0 && draw(3) == 0 {
				continue
			}
			a.Materials = append(a.Materials, m)
			most := d.Step * (d.LimitValues + 1)
			// A sheet that holds the blank of the largest box holds all blanks.
			long, _ := d.SheetOf(i, m, exact.Point{most, most, most})
			d.MaxSide = max(d.MaxSide, long+2)
		}
	}
	return d
}

func shuffleDomain[T any](draw Draw, items []T) {
	for i := len(items) - 1; i > 0; i-- {
		j := draw(i + 1)
		items[i], items[j] = items[j], items[i]
	}
}

// LimitTests returns the limit tests of the documented rules, in check order.
func LimitTests() (tests []LimitTest) {
	for axis := range exact.Axes {
		for end := range 2 {
			tests = append(tests, LimitTest{axis, end, fmt.Sprintf("BOX_21%02d", 2*axis+end)})
		}
	}
	return tests
}

// Rules returns the text of the rule file.
func (d *Domain) Rules() string {
	text := "version: 1\nvalues: {crease: length, max_ratio: number}\nboundary:\n"
	for _, l := range d.Tests {
		name := exact.AxisNames()[l.Axis]
		text += WorldRule(l.Code, name+[2]string{" < min_", " > max_"}[l.End]+name)
	}
	for i, c := range d.Conditions {
		if i == d.Boundary && i < d.BeforeSheet() {
			text += "constraint:\n"
		}
		if i == d.BeforeSheet() {
			text += d.sizeRule()
		}
		text += WorldRule(d.Constraint(i), c.When)
	}
	if d.Size == 0 && d.HasSizeRule {
		text += d.sizeRule()
	}
	return text
}

func (d *Domain) sizeRule() string {
	if !d.HasSizeRule {
		return "size:\n"
	}
	return "size:\n" + WorldRule("BOX_4100", "(blank_width > sheet_width || blank_height > sheet_height) && "+
		"(blank_width > sheet_height || blank_height > sheet_width)")
}

// Frame returns the text of the frame: a limit file that leaves out everything that has to be learned.
func (d *Domain) Frame() string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\n")
	if d.Decimals != 2 {
		fmt.Fprintf(&b, "decimals: %d\n", d.Decimals)
	}
	b.WriteString("materials:\n")
	for _, m := range d.Materials {
		caliper, glue, crease := exact.Float64At(m.Caliper), exact.Float64At(m.Glue), exact.Float64At(m.Crease)
		fmt.Fprintf(&b, "  %s: {caliper: %v, glue_flap: %v, sheet: %s, values: {crease: %v}}\n", m.Code, caliper, glue, d.Sheets[m.Sheet], crease)
	}
	b.WriteString("articles:\n")
	for _, a := range d.Articles {
		var materials []string
		for _, m := range a.Materials {
			materials = append(materials, d.Materials[m].Code)
		}
		fmt.Fprintf(&b, "  %s:\n    materials: [%s]\n", a.Code, strings.Join(materials, ", "))
		if a.Ratio > 0 {
			fmt.Fprintf(&b, "    values: {max_ratio: %d}\n", a.Ratio)
		}
		if a.BlankInFrame {
			fmt.Fprintf(&b, "    blank: {width: %q, height: %q}\n", a.Blank.Width, a.Blank.Height)
		}
	}
	return b.String()
}

// Constraint returns the code of the rule with condition i, such as "X_0007".
func (d *Domain) Constraint(i int) string { return fmt.Sprintf("X_%04d", i) }

// SizeOf returns the numbers that conditions can mention, for a box of article a in material m.
func (d *Domain) SizeOf(a, m int, at exact.Point) Size {
	s := Size{W: at[0], D: at[1], H: at[2], Caliper: d.Materials[m].Caliper, Glue: d.Materials[m].Glue,
		Crease: d.Materials[m].Crease, Ratio: d.Articles[a].Ratio}
	if blank := d.Articles[a].Blank; blank != nil {
		s.BlankWidth, s.BlankHeight = blank.Sides(s)
	}
	return s
}

// SheetOf returns the sides of the smallest sheet that holds the blank of a box. The result is in steps, and each side
// is at least 1.
func (d *Domain) SheetOf(a, m int, at exact.Point) (long, short int64) {
	s := d.SizeOf(a, m, at)
	up := func(x int64) int64 { return max(1, exact.CeilDiv(x, 12*d.Step)) }
	long, short = up(s.BlankWidth), up(s.BlankHeight)
	return max(long, short), min(long, short)
}

// A DomainFile is the content of a limit file for a Domain.
type DomainFile struct {
	Ranges   [][exact.Axes][2]int64 // for each article, the minimum and the maximum of each dimension, in steps
	Selected []int                  // for each article, the set of conditions that apply to it; bit i is set for condition i
	Sheets   [][2]int64             // the sides of each sheet, in steps
}

// NewFile draws the content of a limit file for the domain.
func (d *Domain) NewFile(draw Draw) *DomainFile {
	f := &DomainFile{}
	for range d.Articles {
		ranges := [exact.Axes][2]int64{{1, d.LimitValues}, {1, d.LimitValues}, {1, d.LimitValues}}
		if draw(3) > 0 {
			for axis := range ranges {
				low := draw.between(1, d.LimitValues)
				ranges[axis] = [2]int64{low, draw.between(low, d.LimitValues)}
			}
		}
		selected := 0
		if draw(3) > 0 {
			selected = draw(1 << len(d.Conditions))
		}
		f.Ranges, f.Selected = append(f.Ranges, ranges), append(f.Selected, selected|d.always())
	}
	for range d.Sheets {
		f.Sheets = append(f.Sheets, [2]int64{draw.between(1, d.MaxSide), draw.between(1, d.MaxSide)})
	}
	return f
}

// Code returns the code with which a box is rejected under the limits of f, or "" if the box is accepted.
func (d *Domain) Code(f *DomainFile, a, m int, at exact.Point) string {
	for _, t := range d.Tests {
		limit := f.Ranges[a][t.Axis][t.End] * d.Step
		if t.End == 0 && at[t.Axis] < limit || t.End == 1 && at[t.Axis] > limit {
			return t.Code
		}
	}
	s := d.SizeOf(a, m, at)
	first := func(from, to int) string {
		for i := from; i < to; i++ {
			if f.Selected[a]&(1<<i) != 0 && d.Conditions[i].Holds(s) {
				return d.Constraint(i)
			}
		}
		return ""
	}
	if code := first(0, d.BeforeSheet()); code != "" {
		return code
	}
	if d.HasSizeRule && d.Articles[a].Blank != nil {
		// Convert the sides of the sheet from steps to twelfths of a thousandth, as the sides of the blank are.
		x, y := f.Sheets[d.Materials[m].Sheet][0]*d.Step*12, f.Sheets[d.Materials[m].Sheet][1]*d.Step*12
		if !(s.BlankWidth <= x && s.BlankHeight <= y || s.BlankWidth <= y && s.BlankHeight <= x) {
			return "BOX_4100"
		}
	}
	return first(d.BeforeSheet(), len(d.Conditions))
}
