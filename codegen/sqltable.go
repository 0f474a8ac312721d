package codegen

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// A sqlTable holds the profiles as rows, and the rules as conditions over their columns. Only
// what differs from profile to profile becomes a column, such as the least width in box_2100_k1.
// What is the same in all stands in the condition, such as the 60000 of g.d >= 60000.
type sqlTable struct {
	keys    []exact.Form // one a row
	columns []sqlColumn
	codes   []string // of the rules, in check order
	// cases are the lines of a CASE, one for each form that a rule's tree has. In them {0} stands for
	// the first column, and {width} for a dimension.
	cases string
}

// A sqlColumn holds a number of each profile: a coefficient or bound on the grid, or a flag.
type sqlColumn struct {
	name   string
	flag   bool
	values map[int]int64 // by row; a row that no condition asks for has none, and gets 0
}

// A sqlForm holds those profiles in which the condition of a rule has the same form, that is the same
// nodes, with other numbers.
type sqlForm struct {
	rows    []int
	regions []exact.Region // of those rows
	name    string         // that the columns of the rule begin with
	first   int            // from this column on they can be shared with the rule's other forms
	vary    bool           // bounds become columns even where all profiles have the same
}

// values returns the numbers of a row as SQL.
func (t *sqlTable) values(row int) (texts []string) {
	for _, c := range t.columns {
		texts = append(texts, fmt.Sprint(c.values[row]))
	}
	return texts
}

// newSQLTable returns the table of the profiles.
func newSQLTable(rules []boxrules.Rule, profiles []*boxrules.Profile) *sqlTable {
	t := &sqlTable{}
	conditions := make(map[boxrules.Rule][]exact.Condition)
	for _, r := range rules {
		conditions[r] = make([]exact.Condition, len(profiles))
	}
	for row, p := range profiles {
		form := p.Exact()
		t.keys = append(t.keys, form)
		for i, r := range p.Rules() {
			conditions[r][row] = form.Conditions[i]
		}
	}
	for _, r := range rules {
		t.add(r, conditions[r])
	}
	return t
}

// add adds a rule with its condition in each profile, which is False if the rule does not apply.
func (t *sqlTable) add(r boxrules.Rule, conditions []exact.Condition) {
	name, vary := strings.ToLower(string(r.Code)), slices.ContainsFunc(conditions, dependsOnProfile)
	// The flag tells which form a profile has: its number, or 0 where the rule does not apply.
	flag := sqlColumn{name, true, make(map[int]int64)}
	var forms []*sqlForm
	for row, condition := range conditions {
		region := condition.Region()
		if region.Kind() == exact.False {
			continue
		}
		at := slices.IndexFunc(forms, func(f *sqlForm) bool { return alike(f.regions[0], region) })
		if at < 0 {
			at = len(forms)
			forms = append(forms, &sqlForm{name: name, vary: vary})
		}
		forms[at].rows = append(forms[at].rows, row)
		forms[at].regions = append(forms[at].regions, region)
		flag.values[row] = int64(at + 1)
	}
	if len(forms) == 0 {
		return
	}
	within, flagged := exact.Or, ""
	if r.Stage == boxrules.Constraint || len(forms) > 1 || len(flag.values) < len(conditions) {
		within, flagged = exact.And, fmt.Sprintf("{%d} = ", len(t.columns))
		t.columns = append(t.columns, flag)
	}
	first := len(t.columns)
	for i, f := range forms {
		f.first = first
		var parts []string
		if flagged != "" {
			parts = append(parts, fmt.Sprintf("%s%d", flagged, i+1))
		}
		if f.regions[0].Kind() != exact.True {
			parts = append(parts, t.condition(f, f.regions, within))
		} else if flagged == "" {
			parts = append(parts, "1 = 1")
		}
		t.cases += fmt.Sprintf("  WHEN %s THEN '%s'\n", strings.Join(parts, " AND "), r.Code)
	}
	t.codes = append(t.codes, string(r.Code))
}

// dependsOnProfile reports whether a comparison of the condition mentions more than dimensions, such
// as min_width. Its bound becomes a column even where all profiles have the same.
func dependsOnProfile(t exact.Condition) bool {
	if t.Comparison == nil {
		return slices.ContainsFunc(t.Parts, dependsOnProfile)
	}
	axes := exact.AxisNames()
	return slices.ContainsFunc(slices.Concat(t.Comparison.Left.Names, t.Comparison.Right.Names), func(n exact.Name) bool {
		return !slices.Contains(axes[:], n.Name)
	})
}

// alike reports whether the regions differ in numbers alone.
func alike(a, b exact.Region) bool {
	return a.Kind() == b.Kind() && slices.EqualFunc(a.Parts(), b.Parts(), alike)
}

// condition returns the regions as SQL. They are the regions of the form, or parts of them, each at
// the same place, and are joined with others by within, an And or an Or.
func (t *sqlTable) condition(f *sqlForm, regions []exact.Region, within exact.Kind) string {
	kind := regions[0].Kind()
	if kind == exact.Half {
		return t.inequality(f, regions)
	}
	var parts []string
	for i := range regions[0].Parts() {
		var part []exact.Region
		for _, region := range regions {
			part = append(part, region.Parts()[i])
		}
		parts = append(parts, t.condition(f, part, kind))
	}
	text := strings.Join(parts, map[exact.Kind]string{exact.And: " AND ", exact.Or: " OR "}[kind])
	if kind == exact.Or && within == exact.And {
		return "(" + text + ")"
	}
	return text
}

// inequality returns half-spaces a·p > k as SQL. No part of either side passes 2^53, so it is
// exact in doubles.
func (t *sqlTable) inequality(f *sqlForm, halves []exact.Region) string {
	numbers := func(of func(exact.HalfSpace) int64) (list []int64) {
		for _, half := range halves {
			list = append(list, of(half.HalfSpace()))
		}
		return list
	}
	var left, right []string
	for axis, name := range exact.AxisNames() {
		list := numbers(func(h exact.HalfSpace) int64 { return h.A[axis] })
		switch a := list[0]; {
		case !same(list):
			left = append(left, t.column(f, list, "_"+name[:1])+" * {"+name+"}")
		case a > 0:
			left = append(left, product(a, name))
		case a < 0:
			right = append(right, product(-a, name))
		}
	}
	// Among whole numbers, more than 59999 is 60000 or more.
	relation, sign := ">", int64(1)
	if len(left) == 0 { // the sides exchange places: -w > -60 reads w < 60
		left, right = right, nil
		relation, sign = "<", -1
	}
	bounds := numbers(func(h exact.HalfSpace) int64 { return sign * h.K })
	k := bounds[0]
	column := f.vary || !same(bounds)
	if !column && (k+sign)%10 == 0 {
		k, relation = k+sign, relation+"="
	}
	switch {
	case column:
		right = append(right, t.column(f, bounds, "_k"))
	case len(right) == 0 || k > 0:
		right = append(right, fmt.Sprint(k))
	case k < 0:
		left = append(left, fmt.Sprint(-k))
	}
	return strings.Join(left, " + ") + " " + relation + " " + strings.Join(right, " + ")
}

func same(list []int64) bool { return len(slices.Compact(slices.Clone(list))) == 1 }

func product(factor int64, name string) string {
	if factor == 1 {
		return "{" + name + "}"
	}
	return fmt.Sprintf("%d * {%s}", factor, name)
}

// column returns the column for the numbers of the list, of which each row of the form has one. A
// column can serve several forms, as long as no row needs two numbers in it.
func (t *sqlTable) column(f *sqlForm, list []int64, ending string) string {
	name, of := f.name+ending, 1
	for at := f.first; at < len(t.columns); at++ {
		c := &t.columns[at]
		if strings.HasPrefix(c.name, name) {
			if c.take(f.rows, list) {
				return fmt.Sprintf("{%d}", at)
			}
			of++
		}
	}
	c := sqlColumn{fmt.Sprint(name, of), false, make(map[int]int64)}
	c.take(f.rows, list)
	t.columns = append(t.columns, c)
	return fmt.Sprintf("{%d}", len(t.columns)-1)
}

// take puts the numbers into the rows and returns true, unless one of those has another.
func (c *sqlColumn) take(rows []int, list []int64) bool {
	for i, row := range rows {
		if other, ok := c.values[row]; ok && other != list[i] {
			return false
		}
	}
	for i, row := range rows {
		c.values[row] = list[i]
	}
	return true
}
