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
	rules   []sqlRule // in check order
}

// A sqlColumn holds a number of each profile: a coefficient or bound on the grid, or a flag.
type sqlColumn struct {
	name   string
	flag   bool
	values map[int]int64 // by row; a row that no condition asks for has none, and gets 0
}

// A sqlRule holds a rule as lines of a CASE, one for each form that its condition has.
type sqlRule struct {
	code  string
	forms []sqlForm
}

// A sqlForm holds the condition of a rule in those profiles where its tree has the same form,
// that is the same nodes, with other numbers.
type sqlForm struct {
	flag   int // the column that tells the form, or -1 where all profiles have it
	number int // that the column holds then
	tree   exact.Tree
	halves []sqlHalf // of the tree, from left to right
	rows   []int     // of those profiles
}

// A sqlHalf holds a half-space a·p > k.
type sqlHalf struct {
	a [exact.Axes]sqlNumber
	k sqlNumber
	// mirrored says that the two sides exchange places, as no coefficient is positive: k is -k
	// then, and -w > -60 reads w < 60.
	mirrored bool
}

// A sqlNumber is a constant, or a column where column is not negative.
type sqlNumber struct {
	column   int
	constant int64
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
	trees := make(map[boxrules.Rule][]exact.Tree)
	for _, r := range rules {
		trees[r] = make([]exact.Tree, len(profiles))
	}
	for row, p := range profiles {
		form := p.Exact()
		t.keys = append(t.keys, form)
		for i, r := range p.Rules() {
			trees[r][row] = form.Conditions[i]
		}
	}
	for _, r := range rules {
		t.add(r, trees[r])
	}
	return t
}

// add adds a rule with its tree in each profile, which is False where the rule does not apply.
func (t *sqlTable) add(r boxrules.Rule, trees []exact.Tree) {
	rule := sqlRule{code: string(r.Code)}
	first := len(t.columns)
	byForm := make(map[string]int)
	vary := false
	for row, tree := range trees {
		vary = vary || dependsOnProfile(tree)
		trees[row] = tree.Folded()
		if trees[row].Kind == exact.False {
			continue
		}
		key := formOf(trees[row])
		at, ok := byForm[key]
		if !ok {
			at = len(rule.forms)
			byForm[key] = at
			rule.forms = append(rule.forms, sqlForm{flag: -1, number: at + 1, tree: trees[row]})
		}
		rule.forms[at].rows = append(rule.forms[at].rows, row)
	}
	if len(rule.forms) == 0 {
		return
	}
	if r.Stage == boxrules.Constraint || len(rule.forms) > 1 || len(rule.forms[0].rows) < len(trees) {
		t.addFlag(&rule)
		first++
	}
	for i := range rule.forms {
		t.number(&rule.forms[i], trees, vary, first, strings.ToLower(rule.code))
	}
	t.rules = append(t.rules, rule)
}

// dependsOnProfile reports whether a comparison of the tree mentions more than dimensions, such
// as min_width. Its bound becomes a column even where all profiles have the same.
func dependsOnProfile(t exact.Tree) bool {
	if t.Comparison == nil {
		return slices.ContainsFunc(t.Parts, dependsOnProfile)
	}
	axes := exact.AxisNames()
	return slices.ContainsFunc(slices.Concat(t.Comparison.Left.Names, t.Comparison.Right.Names), func(n exact.Name) bool {
		return !slices.Contains(axes[:], n.Name)
	})
}

// formOf returns the same text for trees that differ in numbers alone.
func formOf(t exact.Tree) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d(", t.Kind)
	for _, part := range t.Parts {
		b.WriteString(formOf(part))
	}
	b.WriteByte(')')
	return b.String()
}

// addFlag adds the column that tells which form a profile has: its number, or 0 where the rule
// does not apply.
func (t *sqlTable) addFlag(r *sqlRule) {
	flag := sqlColumn{strings.ToLower(r.code), true, make(map[int]int64)}
	for i := range r.forms {
		r.forms[i].flag = len(t.columns)
		for _, row := range r.forms[i].rows {
			flag.values[row] = int64(r.forms[i].number)
		}
	}
	t.columns = append(t.columns, flag)
}

// number gives the half-spaces of the form their numbers. The rule's other forms have theirs in
// the columns from first on, which can be shared.
func (t *sqlTable) number(f *sqlForm, trees []exact.Tree, vary bool, first int, name string) {
	var halves [][]exact.HalfSpace // of each row
	for _, row := range f.rows {
		halves = append(halves, slices.Collect(trees[row].HalfSpaces()))
	}
	for at := range halves[0] {
		numbers := func(of func(exact.HalfSpace) int64) (list []int64) {
			for _, row := range halves {
				list = append(list, of(row[at]))
			}
			return list
		}
		h := sqlHalf{mirrored: true}
		for axis := range h.a {
			list := numbers(func(h exact.HalfSpace) int64 { return h.A[axis] })
			h.a[axis] = t.place(f, list, !same(list), first, name+"_"+[]string{"w", "d", "h"}[axis])
			h.mirrored = h.mirrored && h.a[axis].column < 0 && h.a[axis].constant <= 0
		}
		list := numbers(func(half exact.HalfSpace) int64 {
			if h.mirrored {
				return -half.K
			}
			return half.K
		})
		h.k = t.place(f, list, vary || !same(list), first, name+"_k")
		f.halves = append(f.halves, h)
	}
}

func same(list []int64) bool { return len(slices.Compact(slices.Clone(list))) == 1 }

// place returns where the numbers of the list stand, of which each row of the form has one: a
// constant, or where column is set a column of the name. A column can serve several forms, as
// long as no row needs two numbers in it.
func (t *sqlTable) place(f *sqlForm, list []int64, column bool, first int, name string) sqlNumber {
	if !column {
		return sqlNumber{-1, list[0]}
	}
	of := 1
	for at := first; at < len(t.columns); at++ {
		c := &t.columns[at]
		if strings.HasPrefix(c.name, name) {
			if c.take(f.rows, list) {
				return sqlNumber{column: at}
			}
			of++
		}
	}
	c := sqlColumn{fmt.Sprintf("%s%d", name, of), false, make(map[int]int64)}
	c.take(f.rows, list)
	t.columns = append(t.columns, c)
	return sqlNumber{column: len(t.columns) - 1}
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

// A sqlNames says how the columns and the dimensions are called where a condition stands.
type sqlNames struct {
	column func(at int) string
	axes   [exact.Axes]string
}

// condition returns where the form holds, as SQL.
func (f *sqlForm) condition(n sqlNames) string {
	halves := f.halves
	var write func(t exact.Tree, within exact.Kind) string
	write = func(t exact.Tree, within exact.Kind) string {
		if t.Kind == exact.Half {
			h := halves[0]
			halves = halves[1:]
			return h.text(n)
		}
		var parts []string
		for _, part := range t.Parts {
			parts = append(parts, write(part, t.Kind))
		}
		text := strings.Join(parts, map[exact.Kind]string{exact.And: " AND ", exact.Or: " OR "}[t.Kind])
		if t.Kind == exact.Or && within == exact.And {
			return "(" + text + ")"
		}
		return text
	}
	var parts []string
	if f.flag >= 0 {
		parts = append(parts, fmt.Sprintf("%s = %d", n.column(f.flag), f.number))
	}
	if f.tree.Kind != exact.True {
		parts = append(parts, write(f.tree, map[bool]exact.Kind{true: exact.And}[f.flag >= 0]))
	} else if f.flag < 0 {
		parts = append(parts, "1 = 1")
	}
	return strings.Join(parts, " AND ")
}

// text returns the inequality. No part of either side passes 2^53, so it is exact in doubles.
func (h sqlHalf) text(n sqlNames) string {
	var left, right []string
	for axis, a := range h.a {
		switch name := n.axes[axis]; {
		case a.column >= 0:
			left = append(left, n.column(a.column)+" * "+name)
		case a.constant > 0:
			left = append(left, product(a.constant, name))
		case a.constant < 0:
			right = append(right, product(-a.constant, name))
		}
	}
	k, relation := h.k, ">"
	if h.mirrored {
		left, right, relation = right, nil, "<"
	}
	// Among whole numbers, more than 59999 is 60000 or more.
	if step := map[bool]int64{true: -1, false: 1}[h.mirrored]; k.column < 0 && (k.constant+step)%10 == 0 {
		k.constant, relation = k.constant+step, relation+"="
	}
	switch {
	case len(right) == 0 || k.column >= 0 || k.constant > 0:
		right = append(right, k.text(n))
	case k.constant < 0:
		left = append(left, fmt.Sprint(-k.constant))
	}
	return strings.Join(left, " + ") + " " + relation + " " + strings.Join(right, " + ")
}

func (x sqlNumber) text(n sqlNames) string {
	if x.column >= 0 {
		return n.column(x.column)
	}
	return fmt.Sprint(x.constant)
}

func product(factor int64, name string) string {
	if factor == 1 {
		return name
	}
	return fmt.Sprintf("%d * %s", factor, name)
}
