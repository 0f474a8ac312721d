package codegen

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// A sqlProfileTable holds the table box_profiles, with a row for each profile, and the rules as conditions on
// the columns of that table. A number that differs between profiles becomes a column, such as the minimum
// width in box_2100_k1. A number that is the same in all profiles is part of the condition, such as 60000 in
// g.d >= 60000.
type sqlProfileTable struct {
	forms   []exact.Form // one for each row
	columns []sqlProfileColumn
	codes   []string // the codes of the rules, in check order

	// cases has the lines of a CASE: one for each shape of each rule. {0} is a placeholder for the first
	// column, and {width} is a placeholder for the grid point of the width.
	cases string
}

// A sqlProfileColumn is a column of box_profiles. It contains a number for each profile: a coefficient, a
// bound in grid coordinates, or a flag.
type sqlProfileColumn struct {
	name   string
	isFlag bool
	values map[int]int64 // by row; a row without a value does not use the column, and gets a 0
}

// A ruleShape is the shape that the condition of a rule has in some of the profiles. In these profiles the
// regions of the rule differ only in their numbers, so one line of the CASE is enough for all of them.
type ruleShape struct {
	rows         []int          // the profiles in which the rule has the shape
	regions      []exact.Region // the region of the rule in each of these rows
	columnPrefix string         // the names of the rule's columns begin with it
	firstColumn  int            // the index of the rule's first column for numbers; all shapes of the rule share these columns
	boundsVary   bool           // whether to write bounds as columns even if they are the same in all profiles
}

// values returns the numbers in the given row of the table as SQL literals.
func (p *sqlProfileTable) values(row int) (texts []string) {
	for _, c := range p.columns {
		texts = append(texts, fmt.Sprint(c.values[row]))
	}
	return texts
}

func newSQLProfileTable(rules []boxrules.Rule, profiles []*boxrules.Profile) *sqlProfileTable {
	t := &sqlProfileTable{}
	// Collect the condition of each rule in each profile. The zero Condition is False: if a rule does not
	// apply to a profile, no box violates it there.
	conditions := make(map[boxrules.Rule][]exact.Condition)
	for _, r := range rules {
		conditions[r] = make([]exact.Condition, len(profiles))
	}
	for row, p := range profiles {
		form := p.Exact()
		t.forms = append(t.forms, form)
		for i, r := range p.Rules() {
			conditions[r][row] = form.Conditions[i]
		}
	}
	for _, r := range rules {
		t.add(r, conditions[r])
	}
	return t
}

// add adds a rule to the table. conditions holds the rule's condition in each profile. A condition is False if the rule
// does not apply to the profile.
//
// The rule gets a flag column in three cases: if it is in the constraint stage, whose rules are selected by
// articles; if it does not apply to all profiles; or if it has several shapes. The flag is the number of the
// shape that the rule has in a profile, counting from 1. It is 0 if the rule does not apply.
//
// Take the rule "blank_width > sheet_width". If one article's formula for blank_width is 2*width, its rule is one
// half-space. If another article's formula is max(width, depth), its rule is an Or of two. So the column contains 1 for
// the first article, 2 for the second, and 0 for articles without a blank.
func (p *sqlProfileTable) add(r boxrules.Rule, conditions []exact.Condition) {
	name, boundsVary := strings.ToLower(string(r.Code)), slices.ContainsFunc(conditions, dependsOnColumns)
	// Group the profiles by the shape that the rule has in them.
	flag := sqlProfileColumn{name, true, make(map[int]int64)}
	var shapes []*ruleShape
	for row, condition := range conditions {
		region := condition.Region()
		if region.Kind() == exact.False {
			continue
		}
		i := slices.IndexFunc(shapes, func(s *ruleShape) bool { return haveSameRuleShape(s.regions[0], region) })
		if i < 0 {
			i = len(shapes)
			shapes = append(shapes, &ruleShape{columnPrefix: name, boundsVary: boundsVary})
		}
		shapes[i].rows = append(shapes[i].rows, row)
		shapes[i].regions = append(shapes[i].regions, region)
		flag.values[row] = int64(i + 1)
	}
	if len(shapes) == 0 {
		return
	}
	parent, flagEquals := exact.Or, ""
	if r.Stage == boxrules.Constraint || len(shapes) > 1 || len(flag.values) < len(conditions) {
		// The line begins with "flag = 1 AND", so a condition with OR needs parentheses.
		parent, flagEquals = exact.And, fmt.Sprintf("{%d} = ", len(p.columns))
		p.columns = append(p.columns, flag)
	}
	// Write one line of the CASE for each shape. A profile has only one of the shapes, so shapes can share
	// the columns for their numbers.
	firstColumn := len(p.columns)
	for i, s := range shapes {
		s.firstColumn = firstColumn
		var parts []string
		if flagEquals != "" {
			parts = append(parts, fmt.Sprintf("%s%d", flagEquals, i+1))
		}
		if s.regions[0].Kind() != exact.True {
			parts = append(parts, p.condition(s, s.regions, parent))
		} else if flagEquals == "" {
			parts = append(parts, "1 = 1") // the rule rejects every box
		}
		p.cases += fmt.Sprintf("  WHEN %s THEN '%s'\n", strings.Join(parts, " AND "), r.Code)
	}
	p.codes = append(p.codes, string(r.Code))
}

// dependsOnColumns reports whether a comparison of the condition mentions a variable that is not a
// dimension, such as min_width.
func dependsOnColumns(c exact.Condition) bool {
	if c.Comparison == nil {
		return slices.ContainsFunc(c.Parts, dependsOnColumns)
	}
	axes := exact.AxisNames()
	return slices.ContainsFunc(slices.Concat(c.Comparison.Left.Names, c.Comparison.Right.Names), func(n exact.Name) bool {
		return !slices.Contains(axes[:], n.Name)
	})
}

// haveSameRuleShape reports whether the regions differ only in their numbers.
func haveSameRuleShape(a, b exact.Region) bool {
	return a.Kind() == b.Kind() && slices.EqualFunc(a.Parts(), b.Parts(), haveSameRuleShape)
}

// condition returns SQL for a part of a shape. regions holds that part of the rule's region for each row.
// parent is the kind of the region that contains the part: And or Or.
func (p *sqlProfileTable) condition(s *ruleShape, regions []exact.Region, parent exact.Kind) string {
	kind := regions[0].Kind()
	if kind == exact.Half {
		return p.inequality(s, regions)
	}
	// All regions have the same number of parts. Descend into part i of all of them at once.
	var parts []string
	for i := range regions[0].Parts() {
		var ithParts []exact.Region
		for _, region := range regions {
			ithParts = append(ithParts, region.Parts()[i])
		}
		parts = append(parts, p.condition(s, ithParts, kind))
	}
	text := strings.Join(parts, map[exact.Kind]string{exact.And: " AND ", exact.Or: " OR "}[kind])
	if kind == exact.Or && parent == exact.And { // AND binds more closely than OR
		return "(" + text + ")"
	}
	return text
}

// inequality returns SQL for the half-spaces a·p > k of a shape. All terms and sums are below 2^53, so doubles
// compute them exactly.
//
// Negative terms move to the other side: w - 2d > 0 becomes w > 2 * d, and -w > -60 becomes w < 60.
func (p *sqlProfileTable) inequality(s *ruleShape, regions []exact.Region) string {
	inEachRow := func(number func(exact.HalfSpace) int64) (numbers []int64) {
		for _, region := range regions {
			numbers = append(numbers, number(region.HalfSpace()))
		}
		return numbers
	}
	// Put each term on the side where it is positive.
	var left, right []string
	for axis, name := range exact.AxisNames() {
		factors := inEachRow(func(h exact.HalfSpace) int64 { return h.A[axis] })
		switch a := factors[0]; {
		case !allEqual(factors): // the signs may differ, so the term stays on the left
			left = append(left, p.column(s, factors, "_"+name[:1])+" * {"+name+"}")
		case a > 0:
			left = append(left, productSQL(a, name))
		case a < 0:
			right = append(right, productSQL(-a, name))
		}
	}
	// If all terms are on the right, exchange the sides: -w > -60 is 60 > w, and becomes w < 60.
	relation, sign := ">", int64(1)
	if len(left) == 0 {
		left, right = right, nil
		relation, sign = "<", -1
	}
	// Put the bound on the right, as a column or as a number.
	bounds := inEachRow(func(h exact.HalfSpace) int64 { return sign * h.K })
	k := bounds[0]
	isColumn := s.boundsVary || !allEqual(bounds)
	if !isColumn && (k+sign)%10 == 0 {
		// All numbers are whole, so > 59999 can be written as >= 60000, which is easier to read.
		k, relation = k+sign, relation+"="
	}
	switch {
	case isColumn:
		right = append(right, p.column(s, bounds, "_k"))
	case len(right) == 0 || k > 0:
		right = append(right, fmt.Sprint(k))
	case k < 0: // w > 2 * d - 60 is easier to read as w + 60 > 2 * d
		left = append(left, fmt.Sprint(-k))
	}
	return strings.Join(left, " + ") + " " + relation + " " + strings.Join(right, " + ")
}

func allEqual(numbers []int64) bool { return len(slices.Compact(slices.Clone(numbers))) == 1 }

func productSQL(factor int64, name string) string {
	if factor == 1 {
		return "{" + name + "}"
	}
	return fmt.Sprintf("%d * {%s}", factor, name)
}

// column returns a placeholder for a column that has the given numbers in the rows of the shape. It reuses a
// column of the rule if that column has the same numbers, or no numbers, in these rows. Otherwise it adds a new
// column.
func (p *sqlProfileTable) column(s *ruleShape, numbers []int64, ending string) string {
	// Columns for the same kind of number are called box_3100_k1, box_3100_k2 and so on.
	prefix, suffix := s.columnPrefix+ending, 1
	for i := s.firstColumn; i < len(p.columns); i++ {
		c := &p.columns[i]
		if strings.HasPrefix(c.name, prefix) {
			if c.store(s.rows, numbers) {
				return fmt.Sprintf("{%d}", i)
			}
			suffix++
		}
	}
	c := sqlProfileColumn{fmt.Sprint(prefix, suffix), false, make(map[int]int64)}
	c.store(s.rows, numbers)
	p.columns = append(p.columns, c)
	return fmt.Sprintf("{%d}", len(p.columns)-1)
}

// store sets the numbers of the rows. If a row already has a different number, store changes nothing and returns false.
func (p *sqlProfileColumn) store(rows []int, numbers []int64) bool {
	// Look at all rows before setting any of them.
	for i, row := range rows {
		if other, ok := p.values[row]; ok && other != numbers[i] {
			return false
		}
	}
	for i, row := range rows {
		p.values[row] = numbers[i]
	}
	return true
}

func (s *sqlFile) dropViewAndProfiles() []string {
	if s.temporaryViews {
		return nil // CREATE OR REPLACE is enough
	}
	return []string{
		"DROP VIEW IF EXISTS " + s.schemaPrefix + "box_verdicts",
		"DROP TABLE IF EXISTS " + s.schemaPrefix + "box_profiles",
	}
}

// createProfiles returns the CREATE TABLE statement for box_profiles, or for a copy of it with another name.
func (s *sqlFile) createProfiles(name string) string {
	columns := []string{
		"article " + s.codeType, "material " + s.codeType, "sha256 " + s.hashType, "view_hash " + s.hashType,
	}
	for _, c := range s.columns {
		kind := s.numberType
		if c.isFlag {
			kind = s.flagType
		}
		columns = append(columns, c.name+" "+kind)
	}
	if !s.noPrimaryKey {
		columns = append(columns, "PRIMARY KEY (article, material)")
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s", name, strings.Join(columns, ",\n  "), s.tableOptions)
}

// createAndFillProfiles returns the statements that create the table box_profiles and fill it.
func (s *sqlFile) createAndFillProfiles() []string {
	if s.temporaryViews {
		return []string{s.sparkProfilesView()}
	}
	name := s.schemaPrefix + "box_profiles"
	return append([]string{s.createProfiles(name)}, s.insertProfiles(name)...)
}

// insertProfiles returns the statements that insert all rows of box_profiles into the table.
func (s *sqlFile) insertProfiles(table string) (statements []string) {
	var rows []string
	for row, form := range s.forms {
		values := append([]string{
			s.literal(form.Article), s.literal(form.Material), s.literal(s.sha256), s.literal(s.viewHash),
		}, s.values(row)...)
		rows = append(rows, "("+strings.Join(values, ", ")+")")
	}
	for chunk := range slices.Chunk(rows, rowsPerInsert) {
		statements = append(statements, fmt.Sprintf("INSERT INTO %s VALUES\n  %s", table, strings.Join(chunk, ",\n  ")))
	}
	return statements
}

// rowsPerInsert is the number of rows in one INSERT. It keeps the statement short enough for every
// database.
const rowsPerInsert = 100

// profileJoin returns the clause that joins a row with its profile. If a row has no profile, the condition
// s.noProfile is true for it.
func (s *sqlFile) profileJoin(row, profiles string) string {
	if s.temporaryViews {
		return s.sparkJoin(row, profiles)
	}
	return fmt.Sprintf("LEFT JOIN %s AS p ON p.article = %s AND p.material = %s",
		profiles, s.exactCodeSQL(row+"article"), s.exactCodeSQL(row+"material"))
}
