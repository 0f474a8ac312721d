package codegen

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// SQLOptions selects what [SQL] writes.
type SQLOptions struct {
	// Dialect is one of the names that [SQLDialects] returns.
	Dialect string

	// Table is the name of the table or view of boxes, without quotes. The names of its schema and
	// database may precede it, as in shop.boxes; no name may contain a dot. Empty means boxes.
	Table string

	// Constraint adds a constraint to the table, so that it refuses boxes that cannot be made.
	Constraint bool

	// Articles are the codes of the articles to write. Empty means all articles of the catalogue.
	Articles []string

	// Version is the version of the calling program, for the head of the file. It may be empty.
	Version string
}

// SQL returns a file that creates a table box_profiles and a view box_verdicts. The table has a row for
// each article in each material. The view shows the user's table of boxes with an additional column
// verdict. Its value is "valid", the code of a rule, or "error:" and the name of the wrong field. The
// verdicts are exactly those of the engine, and the same input gives the same bytes.
//
// The table of boxes needs the text columns article and material and the numeric columns width, depth and
// height. It must not have a column verdict; if it has, the database refuses the file.
//
// If SQLOptions.Articles has an unknown code, the error is a *[boxrules.InputError] with the field article. If
// another option is not accepted, it is a *[boxrules.OptionError] for dialect, table or constraint. SQL panics
// if e is nil.
func SQL(e *boxrules.Engine, o SQLOptions) ([]byte, error) {
	f, err := newSQLFile(e, o)
	if err != nil {
		return nil, err
	}
	text := f.head(e, o.Version) + f.begin
	// The order matters: the checks of the user's table come before anything is changed, and box_profiles
	// comes before the constraint and the view, which read it. The parts that a dialect does not need are
	// nil.
	drop, profiles, view := (*sqlFile).drop, (*sqlFile).profiles, (*sqlFile).view
	for _, part := range []func(*sqlFile) string{
		f.viewCheckFirst, f.columnCheck, drop, profiles, f.constraint, view, f.viewCheckLast,
	} {
		if part != nil {
			text += part(f)
		}
	}
	return []byte(text + f.commit), nil
}

// A sqlFile holds everything that is needed to write the file. A much shortened file looks like this:
//
//	CREATE TABLE box_profiles (article, material, box_2100_k1, box_3100, …);
//	INSERT INTO box_profiles VALUES ('tuck-end', 'carton-300', 20000, 1, …);
//	CREATE VIEW box_verdicts AS SELECT b.*, CASE
//	  WHEN p.article IS NULL THEN 'error:article'
//	  WHEN g.w IS NULL THEN 'error:width'
//	  WHEN g.w < p.box_2100_k1 THEN 'BOX_2100'
//	  WHEN p.box_3100 = 1 AND g.d > g.w THEN 'BOX_3100'
//	  ELSE 'valid'
//	END AS verdict
//	FROM boxes AS b LEFT JOIN box_profiles AS p ON …, (grid points of b) AS g;
//
// A CASE gives the result of the first WHEN that is true, just as a check reports the first rule that is
// violated.
type sqlFile struct {
	dialect // without constraint and columnCheck, unless SQLOptions.Constraint is set
	*profileTable
	tablePath    []string // the names of the database, the schema and the table; the first one or two may be missing
	schemaPrefix string   // the quoted names before the table's, each with a dot; empty if there are none
	table        string   // the name of the table
	quotedTable  string
	decimals     int // of dimensions
}

// newSQLFile checks the options, and returns the sqlFile for them.
func newSQLFile(e *boxrules.Engine, o SQLOptions) (*sqlFile, error) {
	all, withConstraint := SQLDialects()
	i := slices.Index(all, o.Dialect)
	if i < 0 {
		return nil, &boxrules.OptionError{Option: "dialect", Message: fmt.Sprintf(
			"%s is not known; accepted: %s", wording.Quote(o.Dialect), strings.Join(all, ", "))}
	}
	d := dialects[i] // a copy, so its constraint can be left out
	if !o.Constraint {
		d.columnCheck, d.constraint = nil, nil
	} else if d.constraint == nil {
		return nil, &boxrules.OptionError{Option: "constraint", Message: fmt.Sprintf(
			"%s does not support one; accepted: the dialects %s", d.name, strings.Join(withConstraint, ", "))}
	}
	f := &sqlFile{dialect: d, decimals: e.Catalogue().Decimals()}
	if err := f.setTable(o.Table); err != nil {
		return nil, err
	}
	chosen, err := chosenProfiles(e, o.Articles)
	if err != nil {
		return nil, err
	}
	f.profileTable = newProfileTable(e.Rules().Rules(), slices.Concat(chosen...))
	return f, nil
}

// setTable sets the names of the table of boxes. It returns an error if no table of boxes can have the
// name.
func (s *sqlFile) setTable(table string) error {
	if table == "" {
		table = "boxes"
	}
	names := strings.Split(table, ".")
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd } // 0xfffd is invalid UTF-8
	if slices.Contains(names, "") || strings.ContainsFunc(table, isControl) {
		return &boxrules.OptionError{Option: "table", Message: wording.Quote(table) + " is not the name of a table; " +
			"accepted: a name, or names joined by dots, such as shop.boxes, without control characters"}
	}
	// The file creates objects with these names in the same schema, so the user's table cannot have them.
	last := len(names) - 1
	if name := strings.ToLower(names[last]); name == "box_profiles" || name == "box_verdicts" {
		return &boxrules.OptionError{Option: "table",
			Message: names[last] + " is a name that the file itself creates; accepted: the name of your table of boxes"}
	}
	// Everything that the file creates goes to the schema of the user's table.
	for _, name := range names[:last] {
		s.schemaPrefix += s.identifier(name) + "."
	}
	s.tablePath, s.table, s.quotedTable = names, names[last], s.identifier(names[last])
	return nil
}

// head returns comments that say what the file is and how to load it.
func (s *sqlFile) head(e *boxrules.Engine, version string) string {
	o := originOf(e)
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimSpace("-- "+fmt.Sprintf(format, args...)) + "\n")
	}
	program := "boxrules"
	if version != "" {
		program += " " + oneLine(version)
	}
	line("Code generated by %s from %s and %s; DO NOT EDIT.", program, o.RuleFile, o.LimitFile)
	if o.Illustrative {
		line("The limits are illustrative, not the service's.")
	}
	line("")
	line("For %s. The view box_verdicts shows the table %s with one more column, verdict. It is valid, the code of the first",
		s.name, s.schemaPrefix+s.quotedTable)
	line("rule that the box violates, or error: and the name of the wrong field. The table needs the columns article and material,")
	line("written as in the limits, and width, depth and height, which are numbers in %s. It must not have a column verdict. Load",
		wording.UnitInWords(e.Catalogue().Unit()))
	line("this file again after the rules, the limits or the columns of the table have changed:")
	line("")
	line("    %s", s.load)
	if s.decimals < 3 {
		line("")
		line("A dimension with more than %d decimals is an error. A column of type REAL or FLOAT may have decimals that are not displayed.",
			s.decimals)
	}
	if s.constraint != nil {
		line("")
		line("The table accepts only valid boxes. Boxes that became invalid when the limits changed stay in it. To list them:")
		line("")
		line("    SELECT * FROM %sbox_verdicts WHERE verdict <> 'valid';", s.schemaPrefix)
	}
	return b.String() + "\n"
}

func (s *sqlFile) drop() string {
	return fmt.Sprintf("DROP VIEW IF EXISTS %sbox_verdicts;\nDROP TABLE IF EXISTS %[1]sbox_profiles;\n\n", s.schemaPrefix)
}

// createProfiles returns the CREATE TABLE statement for box_profiles, or for the copy of that table that
// a constraint needs.
func (s *sqlFile) createProfiles(name string) string {
	columns := []string{"article " + s.codeType, "material " + s.codeType}
	for _, c := range s.columns {
		kind := s.numberType
		if c.flag {
			kind = s.flagType
		}
		columns = append(columns, c.name+" "+kind)
	}
	if !s.noPrimaryKey {
		columns = append(columns, "PRIMARY KEY (article, material)")
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s;\n\n", name, strings.Join(columns, ",\n  "), s.tableOptions)
}

// profiles creates the table box_profiles and fills it.
func (s *sqlFile) profiles() string {
	var b strings.Builder
	b.WriteString(s.createProfiles(s.schemaPrefix + "box_profiles"))
	var rows []string
	for row, form := range s.forms {
		values := append([]string{s.literal(form.Article), s.literal(form.Material)}, s.values(row)...)
		rows = append(rows, "("+strings.Join(values, ", ")+")")
	}
	for some := range slices.Chunk(rows, rowsPerInsert) {
		fmt.Fprintf(&b, "INSERT INTO %sbox_profiles VALUES\n  %s;\n\n", s.schemaPrefix, strings.Join(some, ",\n  "))
	}
	return b.String()
}

// rowsPerInsert is the number of rows in one INSERT. It keeps the statement short enough for every
// database.
const rowsPerInsert = 100

// view creates the view box_verdicts. Each database has its own way to compute the grid points of a row only
// once; see [placement].
func (s *sqlFile) view() string {
	boxes, profiles := s.schemaPrefix+s.quotedTable, s.schemaPrefix+"box_profiles"
	// The default is placement repeated: SELECT b.*, CASE … END AS verdict FROM boxes AS b LEFT JOIN …
	with, columns, verdict, from, join := "", "b.*", s.verdict("b.", profiles), boxes, "\n"+s.join("b.", profiles)
	switch s.placement {
	case lateralJoin: // the CASE refers to g.w, g.d and g.h
		join += "\nCROSS JOIN LATERAL (\n  SELECT " + s.points("b.") + "\n) AS g"
	case withAlias:
		with = "WITH\n  " + s.points("b.") + "\n"
	case excludedColumn:
		// b is the user's table with three more columns, which the view does not show.
		columns = "b.* EXCLUDE (" + strings.Join(s.axes(""), ", ") + ")"
		from = "(\n  SELECT *,\n  " + s.points("") + "\n  FROM " + boxes + "\n)"
	case scalarSubquery:
		// The join is inside the subquery, which returns one row for each row of b.
		verdict, join = "("+s.verdictQuery("b.", profiles)+")", ""
	}
	return fmt.Sprintf("CREATE VIEW %sbox_verdicts AS\n%sSELECT %s, %s AS verdict\nFROM %s AS b%s;\n",
		s.schemaPrefix, with, columns, verdict, from, join)
}

// verdictQuery returns a SELECT that computes the verdict of one row. row is the prefix of the row's columns,
// such as "b.", or "NEW." in a trigger.
func (s *sqlFile) verdictQuery(row, profiles string) string {
	point := s.points(row)
	if s.placement == repeated {
		point = "1 AS one" // the rules do not refer to g, but the join needs one row on its left
	}
	return fmt.Sprintf("SELECT %s\nFROM (\n  SELECT %s\n) AS g\n%s",
		s.verdict(row, profiles), point, s.join(row, profiles))
}

// join returns the clause that joins a row with its profile. For a row without a profile the condition
// s.noProfile is true.
func (s *sqlFile) join(row, profiles string) string {
	return fmt.Sprintf("LEFT JOIN %s AS p ON p.article = %s AND p.material = %s",
		profiles, s.exactCode(row+"article"), s.exactCode(row+"material"))
}

// exactCode returns a column of codes in a form that is compared byte by byte.
func (s *sqlFile) exactCode(column string) string { return fmt.Sprintf(s.codeFormat, column) }

// coordinate returns SQL for the grid point of a dimension of the user's table. It gives NULL if the dimension
// is not a number, out of range, or has too many decimals.
func (s *sqlFile) coordinate(x string) string {
	if s.gridPoint != nil {
		return s.gridPoint(x, s.decimals)
	}
	return gridPointOf(fmt.Sprintf(s.doubleFormat, x), s.decimals)
}

// points returns the grid points of a row's dimensions as columns, with the names that axes returns.
func (s *sqlFile) points(row string) string {
	var points []string
	for axis, name := range exact.AxisNames() {
		points = append(points, s.coordinate(row+name)+" AS "+strings.TrimPrefix(s.axes(row)[axis], "g."))
	}
	return strings.Join(points, ",\n  ")
}

// axes returns the SQL that refers to the grid points of a row's dimensions.
func (s *sqlFile) axes(row string) []string {
	switch s.placement {
	case repeated:
		axes := exact.AxisNames()
		for axis, name := range axes {
			axes[axis] = s.coordinate(row + name)
		}
		return axes[:]
	case withAlias, excludedColumn: // in the same SELECT as the columns of the user's table
		return []string{"boxrules_w", "boxrules_d", "boxrules_h"}
	}
	return []string{"g.w", "g.d", "g.h"}
}

// verdict returns the CASE for a row that is joined with its profile. The CASE never gives NULL.
func (s *sqlFile) verdict(row, profiles string) string {
	column := func(i int) string { return "p." + s.columns[i].name }
	// Without a profile, the material is to blame if some profile has the article.
	return fmt.Sprintf("CASE\n  WHEN %s THEN CASE WHEN %s IN (SELECT article FROM %s) THEN 'error:material' ELSE 'error:article' END\n%sEND",
		s.noProfile, s.exactCode(row+"article"), profiles, s.caseLines(column, s.axes(row)))
}

// caseLines returns the lines of the CASE: first the errors of dimensions, then the rules in check order,
// then valid. column returns the reference to s.columns[i], and axes has the references to the grid
// points.
func (s *sqlFile) caseLines(column func(i int) string, axes []string) string {
	// The lines have placeholders such as {width} and {0}. They are all replaced in one pass, so the SQL
	// that replaces one of them is not searched for others.
	var errors string
	var replacements []string
	for axis, name := range exact.AxisNames() {
		errors += fmt.Sprintf("  WHEN {%s} IS NULL THEN 'error:%[1]s'\n", name)
		replacements = append(replacements, "{"+name+"}", axes[axis])
	}
	for i := range s.columns {
		replacements = append(replacements, fmt.Sprintf("{%d}", i), column(i))
	}
	return strings.NewReplacer(replacements...).Replace(errors + s.cases + "  ELSE 'valid'\n")
}
