package codegen

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

	// Constraint adds a constraint to the table, so that it refuses boxes that cannot be made. If the table has the
	// constraint, the database refuses a file without Constraint.
	Constraint bool

	// LimitsOnly writes only the rows of box_profiles, for new limits. The statements replace all rows in one
	// step: while they run, every query sees either the old limits or the new ones. If the new limits need a
	// table or view that differs from the one in the database, or if the table has the constraint, the statements fail
	// and change nothing, and the whole file has to be loaded. LimitsOnly cannot be combined with Constraint.
	LimitsOnly bool

	// Articles are the codes of the articles to write. Empty means all articles of the catalogue.
	Articles []string

	// Version is the version of the calling program, for the comment at the start of the file. It may be
	// empty.
	Version string
}

// SQL returns a file that creates a table box_profiles and a view box_verdicts. The table has a row for each article in
// each material. The view shows the user's table of boxes with an additional column named verdict. Its value is
// "valid", the code of a rule, or "error:" followed by the name of the field that is wrong. The verdicts are exactly
// those of the engine, and the same input always produces the same bytes.
//
// The table of boxes needs the text columns article and material and the numeric columns width, depth and height. It
// must not have a column named verdict; if it does, the database refuses the file.
//
// Each row of box_profiles has a column sha256, the SHA-256 of everything in the rules and limits that
// verdicts depend on. Store it with a verdict to find out later whether the verdict was made with older limits.
//
// If SQLOptions.Articles contains an unknown code, the error is a *[boxrules.InputError] with the field
// article. If another option is not accepted, the error is a *[boxrules.OptionError] for dialect, table,
// constraint or limits-only. SQL panics if e is nil.
func SQL(e *boxrules.Engine, o SQLOptions) ([]byte, error) {
	f, err := newSQLFile(e, o)
	if err != nil {
		return nil, err
	}
	return []byte(f.headComment(e, o) + strings.Join(f.statements(o), ";\n\n") + ";\n"), nil
}

// SQLStatements returns the statements of the file that [SQL] returns, without the semicolons after them. Use
// it to run the statements one by one, if your database client cannot split a file into statements.
// SQLStatements returns the same errors as SQL. It panics if e is nil.
func SQLStatements(e *boxrules.Engine, o SQLOptions) ([]string, error) {
	f, err := newSQLFile(e, o)
	if err != nil {
		return nil, err
	}
	return f.statements(o), nil
}

// A sqlFile holds everything that [SQL] needs to write its file. Here is such a file, greatly shortened:
//
//	CREATE TABLE box_profiles (article, material, sha256, view_hash, box_2100_k1, box_3100, …);
//	INSERT INTO box_profiles VALUES ('tuck-end', 'carton-300', '9f2c…', '3cd1…', 20000, 1, …);
//	CREATE VIEW box_verdicts AS SELECT b.*, CASE
//	  WHEN p.article IS NULL THEN 'error:article'
//	  WHEN g.w IS NULL THEN 'error:width'
//	  WHEN g.w < p.box_2100_k1 THEN 'BOX_2100'
//	  WHEN p.box_3100 = 1 AND g.d > g.w THEN 'BOX_3100'
//	  ELSE 'valid'
//	END AS verdict
//	FROM boxes AS b LEFT JOIN box_profiles AS p ON …, (grid points of b) AS g;
//
// A CASE returns the result of the first WHEN that is true, just as a check reports the first rule that
// is violated.
type sqlFile struct {
	dialect // its functions for the constraint are nil if SQLOptions.Constraint says otherwise
	*sqlProfileTable
	tablePath    []string // the names of the database, the schema and the table; the first or the first two may be missing
	schemaPrefix string   // the quoted names before the name of the table, each followed by a dot; empty if there are none
	table        string   // the name of the table
	quotedTable  string
	decimals     int    // the number of decimals that dimensions may have
	sha256       string // of everything that verdicts depend on
	viewHash     string // of the columns of box_profiles and the text of the view, without the name of the user's table
}

// newSQLFile checks the options, and returns the sqlFile for them.
func newSQLFile(e *boxrules.Engine, o SQLOptions) (*sqlFile, error) {
	all, withConstraint := SQLDialects()
	i := slices.Index(all, o.Dialect)
	if i < 0 {
		return nil, &boxrules.OptionError{Option: "dialect", Message: fmt.Sprintf(
			"%s is not known; accepted: %s", wording.Quote(o.Dialect), strings.Join(all, ", "))}
	}
	d := dialects[i] // a copy, so its constraint can be removed
	if o.LimitsOnly {
		if err := d.checkLimitsOnly(o); err != nil {
			return nil, err
		}
	}
	if !o.Constraint {
		d.columnCheck, d.constraint = nil, nil
	} else if d.constraint == nil {
		return nil, &boxrules.OptionError{Option: "constraint", Message: fmt.Sprintf(
			"%s does not support constraints; accepted: the dialects %s", d.name, strings.Join(withConstraint, ", "))}
	} else {
		d.openingConstraintCheck, d.closingConstraintCheck = nil, nil
	}
	f := &sqlFile{dialect: d, decimals: e.Catalogue().Decimals()}
	if err := f.setTable(o.Table); err != nil {
		return nil, err
	}
	chosen, err := chosenProfiles(e, o.Articles)
	if err != nil {
		return nil, err
	}
	f.sqlProfileTable = newSQLProfileTable(e.Rules().Rules(), slices.Concat(chosen...))
	f.sha256 = f.contentHash()
	f.viewHash = f.hashView()
	return f, nil
}

// statements returns all statements of the file.
func (s *sqlFile) statements(o SQLOptions) []string {
	all := slices.Clone(s.begin)
	parts := []func(*sqlFile) []string{s.openingConstraintCheck, s.replaceLimits, s.closingConstraintCheck}
	if !o.LimitsOnly {
		parts = s.wholeFileParts()
	}
	for _, part := range parts {
		if part != nil { // the dialect may not need it
			all = append(all, part(s)...)
		}
	}
	return append(all, s.commit...)
}

// wholeFileParts returns functions that return the statements of a file without SQLOptions.LimitsOnly. Some are nil.
func (s *sqlFile) wholeFileParts() []func(*sqlFile) []string {
	// The order matters. The checks of the user's table come before any change to the database, and
	// box_profiles comes before the constraint and the view, which read it. The CHECKs come last, because the
	// database refuses them if the table has an invalid box, and the view is needed to list such boxes.
	drop, profiles, view := (*sqlFile).dropViewAndProfiles, (*sqlFile).createAndFillProfiles, (*sqlFile).createView
	var checks func(*sqlFile) []string
	if s.columnCheck != nil {
		checks = (*sqlFile).constraintChecks // which need the column that the constraint adds
	}
	return []func(*sqlFile) []string{
		s.openingViewCheck, s.openingConstraintCheck, s.columnCheck, drop, profiles, s.constraint, view,
		s.closingViewCheck, s.closingConstraintCheck, checks,
	}
}

// contentHash returns the SHA-256 of everything that verdicts depend on. It is the same in all dialects. Comments,
// titles and messages do not affect it.
func (s *sqlFile) contentHash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s", s.decimals, s.cases)
	for _, c := range s.columns {
		fmt.Fprintln(h, c.name)
	}
	for row, form := range s.forms {
		fmt.Fprintf(h, "%q %q %q\n", form.Article, form.Material, s.values(row))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashView returns a hash of the definitions of box_profiles and of the view. A number that is the same in
// all profiles is part of the view, so new limits may need a new view.
func (s *sqlFile) hashView() string {
	withoutTable := *s // the rows of box_profiles do not depend on the name of the user's table
	withoutTable.schemaPrefix, withoutTable.quotedTable = "", ""
	sum := sha256.Sum256([]byte(strings.Join(append(withoutTable.createView(), withoutTable.createProfiles("")), "\n")))
	return hex.EncodeToString(sum[:8])
}

// setTable sets the fields of s that refer to the user's table of boxes. It returns an error if the
// name of the table is not accepted.
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
	if name := strings.ToLower(names[last]); slices.Contains([]string{"box_profiles", "box_profiles_new", "box_verdicts"}, name) {
		return &boxrules.OptionError{Option: "table",
			Message: names[last] + " is created by the file itself; accepted: the name of your table of boxes"}
	}
	// Everything that the file creates is in the schema of the user's table.
	for _, name := range names[:last] {
		s.schemaPrefix += s.identifier(name) + "."
	}
	s.tablePath, s.table, s.quotedTable = names, names[last], s.identifier(names[last])
	return nil
}

// headComment returns the comments at the start of the file, which say what it is and how to load it.
func (s *sqlFile) headComment(e *boxrules.Engine, options SQLOptions) string {
	o := originOf(e)
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimSpace("-- "+fmt.Sprintf(format, args...)) + "\n")
	}
	program := "boxrules"
	if options.Version != "" {
		program += " " + commentSafeName(options.Version)
	}
	line("Code generated by %s from %s and %s; DO NOT EDIT.", program, o.RuleSource, o.LimitFile)
	if o.Illustrative {
		line("The limits are illustrative, not the service's.")
	}
	line("")
	if options.LimitsOnly {
		line("For %s: new limits for the view box_verdicts. They replace the rows of box_profiles in one step, so that queries see the", s.name)
		line("old limits or the new ones. If they need a different view, nothing changes, and the whole file has to be loaded. Load this file with:")
		line("")
		line("    %s", cmp.Or(s.loadLimits, s.load))
		return b.String() + "\n"
	}
	line("For %s. The view box_verdicts shows the table %s with an additional column, verdict: 'valid', the code of the first",
		s.name, s.schemaPrefix+s.quotedTable)
	line("rule that the box violates, or 'error:' and the name of the wrong field. The table needs the columns article and material,")
	line("spelled as in the limits, and width, depth and height, which are numbers in %s. It must not have a column verdict. Load",
		wording.UnitInWords(e.Catalogue().Unit()))
	line("this file again after the rules, the limits or the columns of the table have changed:")
	line("")
	line("    %s", s.load)
	if s.query != "" {
		line("")
		line("Queries of the view are several times faster after this statement:")
		line("")
		line("    %s", s.query)
	}
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

// createView returns the statement that creates the view box_verdicts. The grid points of a row should be computed
// only once, and databases differ in how to do that; see [placement].
func (s *sqlFile) createView() []string {
	boxes, profiles := s.schemaPrefix+s.quotedTable, s.schemaPrefix+"box_profiles"
	if s.temporaryViews {
		profiles = "box_profiles"
	}
	// The default is placement repeated: SELECT b.*, CASE … END AS verdict FROM boxes AS b LEFT JOIN …
	columns, verdict, from, join := "b.*", s.verdictCase("b.", profiles), boxes, "\n"+s.profileJoin("b.", profiles)
	switch s.placement {
	case lateralJoin: // the CASE refers to g.w, g.d and g.h
		join += "\nCROSS JOIN LATERAL (\n  SELECT " + s.gridPointsSQL("b.") + "\n) AS g"
	case excludedColumn:
		// b is the user's table with three more columns, which the view does not show.
		columns = "b.* " + s.except + " (" + strings.Join(s.axesSQL(""), ", ") + ")"
		from = "(\n  SELECT *,\n  " + s.gridPointsSQL("") + "\n  FROM " + boxes + "\n)"
	case scalarSubquery:
		// The join is inside the subquery, which returns one row for each row of b.
		verdict, join = "("+s.verdictQuery("b.", profiles)+")", ""
	}
	create := "CREATE VIEW " + s.schemaPrefix
	if s.temporaryViews {
		create = "CREATE OR REPLACE TEMPORARY VIEW "
	}
	return []string{fmt.Sprintf("%sbox_verdicts AS\nSELECT %s, %s AS verdict\nFROM %s AS b%s", create, columns, verdict, from, join)}
}

// verdictQuery returns a SELECT that computes the verdict of one row. row is the prefix of the row's columns,
// such as "b.", or "NEW." in a trigger.
func (s *sqlFile) verdictQuery(row, profiles string) string {
	point := s.gridPointsSQL(row)
	if s.placement == repeated {
		point = "1 AS one" // the rules do not refer to g, but the join needs a row on its left side
	}
	return fmt.Sprintf("SELECT %s\nFROM (\n  SELECT %s\n) AS g\n%s",
		s.verdictCase(row, profiles), point, s.profileJoin(row, profiles))
}

// exactCodeSQL returns SQL for a column of codes. Comparisons with this SQL are exact: they distinguish upper
// and lower case even if the column itself does not.
func (s *sqlFile) exactCodeSQL(column string) string { return fmt.Sprintf(s.codeFormat, column) }

// axesSQL returns SQL for referring to the grid points of a row's dimensions: a column name, or the expression
// itself if the view does not compute the grid points beforehand.
func (s *sqlFile) axesSQL(row string) []string {
	switch s.placement {
	case repeated:
		axes := exact.AxisNames()
		for axis, name := range axes {
			axes[axis] = s.gridPointOf(row + name)
		}
		return axes[:]
	case excludedColumn: // in the same SELECT as the columns of the user's table
		return []string{"boxrules_w", "boxrules_d", "boxrules_h"}
	}
	return []string{"g.w", "g.d", "g.h"}
}

// verdictCase returns the CASE that computes the verdict for a row that is joined with its profile. The verdict
// is never NULL.
func (s *sqlFile) verdictCase(row, profiles string) string {
	column := func(i int) string { return "p." + s.columns[i].name }
	articles := "SELECT article FROM " + profiles
	if s.temporaryViews {
		articles = s.sparkArticles()
	}
	// If a row has no profile, although some profile has its article, the material is wrong.
	return fmt.Sprintf("CASE\n  WHEN %s THEN CASE WHEN %s IN (%s) THEN 'error:material' ELSE 'error:article' END\n%sEND",
		s.noProfile, s.exactCodeSQL(row+"article"), articles, s.caseLines(column, s.axesSQL(row)))
}

// caseLines returns the lines of the CASE: first the dimension errors, then the rules in check order, and finally
// valid. column returns SQL that refers to s.columns[i], and axes is the result of s.axesSQL.
func (s *sqlFile) caseLines(column func(i int) string, axes []string) string {
	// The lines have placeholders such as {width} and {0}. They are all replaced in one pass, so the SQL
	// that replaces one of them is not searched for others.
	var errors string
	var replacements []string
	for axis, name := range exact.AxisNames() {
		missing := "IS NULL"
		if s.noPoint != "" {
			missing = "= " + s.noPoint
		}
		errors += fmt.Sprintf("  WHEN {%s} %s THEN 'error:%[1]s'\n", name, missing)
		replacements = append(replacements, "{"+name+"}", axes[axis])
	}
	for i := range s.columns {
		replacements = append(replacements, fmt.Sprintf("{%d}", i), column(i))
	}
	return strings.NewReplacer(replacements...).Replace(errors + s.cases + "  ELSE 'valid'\n")
}
