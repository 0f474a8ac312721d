package codegen

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// SQLOptions say what SQL to write.
type SQLOptions struct {
	// Dialect names the database, as SQLDialects lists it.
	Dialect string
	// Table names the table or view of boxes; empty means boxes. It is the name that the database
	// lists, with those of its schema and database before it, if any, and dots between:
	// shop.boxes. No name has a dot in it.
	Table string
	// Constraint adds what keeps the table from taking a box that cannot be made.
	Constraint bool
	// Articles holds the codes of the articles to write; empty means all of the catalogue's.
	Articles []string
	// Version names the program that writes, for the head of the file; it may be empty.
	Version string
}

// SQL returns a file that makes a table box_profiles, with a row for each article in each
// material, and a view box_verdicts, which shows the table of boxes with one column more:
// verdict, which is valid, a code, or error: with the field that is wrong. The table of boxes has
// the columns article and material, which are text, and width, depth and height, which are
// numbers. It must have no column verdict: the database refuses the file otherwise. The verdicts
// are exactly those of the engine. The same input gives the same bytes.
//
// The error is a *[boxrules.InputError] for the field article where [SQLOptions] names an unknown
// one, and for the fields dialect, table and constraint where those are not possible. SQL panics if e
// is nil.
func SQL(e *boxrules.Engine, o SQLOptions) ([]byte, error) {
	f, err := newSQLFile(e, o)
	if err != nil {
		return nil, err
	}
	text := f.head(e, o.Version) + f.begin
	drop, profiles, view := (*sqlFile).drop, (*sqlFile).profiles, (*sqlFile).view
	for _, part := range []func(*sqlFile) string{f.first, f.claim, drop, profiles, f.constraint, view, f.last} {
		if part != nil {
			text += part(f)
		}
	}
	return []byte(text + f.commit), nil
}

// A sqlFile holds what there is to write. The file looks like this, much shortened:
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
// A CASE takes the first line that holds, as a check takes the first rule that is violated.
type sqlFile struct {
	dialect // with a constraint where one is asked for
	*sqlTable
	names    []string // of the table, those of its database and schema before its own
	schema   string   // of the table, quoted, with a dot behind it; empty where none was given
	table    string   // the table's name
	boxes    string   // the same, quoted
	decimals int      // of the dimensions
}

// newSQLFile returns what there is to write for the options, or what is wrong with them.
func newSQLFile(e *boxrules.Engine, o SQLOptions) (*sqlFile, error) {
	all, constraint := SQLDialects()
	i := slices.Index(all, o.Dialect)
	if i < 0 {
		return nil, &boxrules.InputError{Field: "dialect", Message: fmt.Sprintf(
			"%s is not known; accepted: %s", wording.Quote(o.Dialect), strings.Join(all, ", "))}
	}
	d := dialects[i]
	if !o.Constraint {
		d.claim, d.constraint = nil, nil
	} else if d.constraint == nil {
		return nil, &boxrules.InputError{Field: "constraint", Message: fmt.Sprintf(
			"%s has none; accepted: the dialects %s", d.name, strings.Join(constraint, ", "))}
	}
	f := &sqlFile{dialect: d, decimals: e.Catalogue().Decimals()}
	if err := f.over(o.Table); err != nil {
		return nil, err
	}
	chosen, err := profiles(e, o.Articles)
	if err != nil {
		return nil, err
	}
	f.sqlTable = newSQLTable(e.Rules().Rules(), slices.Concat(chosen...))
	return f, nil
}

// over sets the table of boxes, or returns what is wrong with its name.
func (f *sqlFile) over(table string) error {
	if table == "" {
		table = "boxes"
	}
	names := strings.Split(table, ".")
	control := func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }
	if slices.Contains(names, "") || strings.ContainsFunc(table, control) {
		return &boxrules.InputError{Field: "table", Message: wording.Quote(table) + " is not the name of a table; " +
			"accepted: a name, or names with dots between, such as shop.boxes, without control characters"}
	}
	last := len(names) - 1
	if name := strings.ToLower(names[last]); name == "box_profiles" || name == "box_verdicts" {
		return &boxrules.InputError{Field: "table",
			Message: names[last] + " is what is written; accepted: the table of your boxes"}
	}
	for _, name := range names[:last] {
		f.schema += f.identifier(name) + "."
	}
	f.names, f.table, f.boxes = names, names[last], f.identifier(names[last])
	return nil
}

// head returns comments that say what the file is and how to load it.
func (f *sqlFile) head(e *boxrules.Engine, version string) string {
	o := originOf(e)
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimSpace("-- "+fmt.Sprintf(format, args...)) + "\n")
	}
	by := "boxrules"
	if version != "" {
		by += " " + oneLine(version)
	}
	line("Code generated by %s from %s and %s; DO NOT EDIT.", by, o.RuleFile, o.LimitFile)
	if o.Illustrative {
		line("The limits are illustrative, not the service's.")
	}
	line("")
	line("For %s. box_verdicts is the table %s with one column more, verdict: valid, the code of the first rule that the",
		f.name, f.schema+f.boxes)
	line("box violates, or error: and the field that is wrong. The table has article and material as they are written in the limits,")
	line("and width, depth and height as numbers in %s, and no column verdict. Load the file again when rules, limits or the",
		e.Catalogue().Unit())
	line("table's columns change:")
	line("")
	line("    %s", f.load)
	if f.decimals < 3 {
		line("")
		line("A dimension with more decimals than %d is an error. A column of type REAL or FLOAT may have some that one does not see.",
			f.decimals)
	}
	if f.constraint != nil {
		line("")
		line("The table takes no box that is not valid. Boxes that were in it before the limits changed stay; these are they:")
		line("")
		line("    SELECT * FROM %sbox_verdicts WHERE verdict <> 'valid';", f.schema)
	}
	return b.String() + "\n"
}

func (f *sqlFile) drop() string {
	return fmt.Sprintf("DROP VIEW IF EXISTS %sbox_verdicts;\nDROP TABLE IF EXISTS %[1]sbox_profiles;\n\n", f.schema)
}

// createProfiles returns the definition of a table of profiles of that name.
func (f *sqlFile) createProfiles(name string) string {
	columns := []string{"article " + f.codeType, "material " + f.codeType}
	for _, c := range f.columns {
		kind := f.numberType
		if c.flag {
			kind = f.flagType
		}
		columns = append(columns, c.name+" "+kind)
	}
	if !f.unkeyed {
		columns = append(columns, "PRIMARY KEY (article, material)")
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s;\n\n", name, strings.Join(columns, ",\n  "), f.options)
}

// profiles returns the table box_profiles and its rows.
func (f *sqlFile) profiles() string {
	var b strings.Builder
	b.WriteString(f.createProfiles(f.schema + "box_profiles"))
	var rows []string
	for row, form := range f.keys {
		values := append([]string{f.literal(form.Article), f.literal(form.Material)}, f.values(row)...)
		rows = append(rows, "("+strings.Join(values, ", ")+")")
	}
	for some := range slices.Chunk(rows, rowsAtOnce) {
		fmt.Fprintf(&b, "INSERT INTO %sbox_profiles VALUES\n  %s;\n\n", f.schema, strings.Join(some, ",\n  "))
	}
	return b.String()
}

// rowsAtOnce keeps an INSERT within what every database reads at once.
const rowsAtOnce = 100

// view returns the view over the table of boxes. Where the database can compute the grid points
// of a row once, beside the row, the rules refer to them by name.
func (f *sqlFile) view() string {
	boxes, profiles := f.schema+f.boxes, f.schema+"box_profiles"
	with, columns, verdict, from, join := "", "b.*", f.verdict("b.", profiles), boxes, "\n"+f.join("b.", profiles)
	switch f.point {
	case lateral:
		join += "\nCROSS JOIN LATERAL (\n  SELECT " + f.points("b.") + "\n) AS g"
	case alias:
		with = "WITH\n  " + f.points("b.") + "\n"
	case excluded:
		columns = "b.* EXCLUDE (" + strings.Join(f.axes(""), ", ") + ")"
		from = "(\n  SELECT *,\n  " + f.points("") + "\n  FROM " + boxes + "\n)"
	case scalar:
		verdict, join = "("+f.query("b.", profiles)+")", ""
	}
	return fmt.Sprintf("CREATE VIEW %sbox_verdicts AS\n%sSELECT %s, %s AS verdict\nFROM %s AS b%s;\n",
		f.schema, with, columns, verdict, from, join)
}

// query returns a SELECT of its own that gives the verdict on one row. row is what comes before
// the names of its columns, such as "b." or in a trigger "NEW.".
func (f *sqlFile) query(row, profiles string) string {
	point := f.points(row)
	if f.point == everywhere {
		point = "1 AS one"
	}
	return fmt.Sprintf("SELECT %s\nFROM (\n  SELECT %s\n) AS g\n%s",
		f.verdict(row, profiles), point, f.join(row, profiles))
}

// join returns the clause that joins a row with its profile, if it has one.
func (f *sqlFile) join(row, profiles string) string {
	return fmt.Sprintf("LEFT JOIN %s AS p ON p.article = %s AND p.material = %s",
		profiles, f.key(row+"article"), f.key(row+"material"))
}

// key returns a code of a row, to be compared byte by byte.
func (f *sqlFile) key(column string) string { return fmt.Sprintf(f.code, column) }

// coordinate returns the grid point of a dimension of the user's table. It is NULL where the
// dimension is no number in range, and where it has more decimals than allowed.
func (f *sqlFile) coordinate(x string) string {
	if f.grid != nil {
		return f.grid(x, f.decimals)
	}
	return gridOf(fmt.Sprintf(f.double, x), f.decimals)
}

// points returns the grid points of a row's dimensions, with the names that axes gives them.
func (f *sqlFile) points(row string) string {
	var points []string
	for axis, name := range exact.AxisNames() {
		points = append(points, f.coordinate(row+name)+" AS "+strings.TrimPrefix(f.axes(row)[axis], "g."))
	}
	return strings.Join(points, ",\n  ")
}

// axes returns what the grid points of a row's dimensions are called.
func (f *sqlFile) axes(row string) []string {
	switch f.point {
	case everywhere:
		axes := exact.AxisNames()
		for axis, name := range axes {
			axes[axis] = f.coordinate(row + name)
		}
		return axes[:]
	case alias, excluded: // beside the columns of the user's table
		return []string{"boxrules_w", "boxrules_d", "boxrules_h"}
	}
	return []string{"g.w", "g.d", "g.h"}
}

// verdict returns the CASE for a row that is joined with its profile. It is never NULL.
func (f *sqlFile) verdict(row, profiles string) string {
	column := func(at int) string { return "p." + f.columns[at].name }
	return fmt.Sprintf("CASE\n  WHEN %s THEN CASE WHEN %s IN (SELECT article FROM %s) THEN 'error:material' ELSE 'error:article' END\n%sEND",
		f.missed, f.key(row+"article"), profiles, f.lines(column, f.axes(row)))
}

// lines returns the lines of the CASE: what is wrong with the dimensions, then the rules in check
// order, then valid. It is told how columns and grid points are called where the CASE stands.
func (f *sqlFile) lines(column func(at int) string, axes []string) string {
	var errors string
	var names []string
	for axis, name := range exact.AxisNames() {
		errors += fmt.Sprintf("  WHEN {%s} IS NULL THEN 'error:%[1]s'\n", name)
		names = append(names, "{"+name+"}", axes[axis])
	}
	for at := range f.columns {
		names = append(names, fmt.Sprintf("{%d}", at), column(at))
	}
	return strings.NewReplacer(names...).Replace(errors + f.cases + "  ELSE 'valid'\n")
}
