package codegen

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"
)

// A dialect describes how the SQL of one database differs from the SQL of other databases.
type dialect struct {
	name string
	load string // the command that runs the file, for the comment at its beginning

	query string // a statement that makes later queries several times faster; empty if there is none

	// loadLimits is the command that runs a file with SQLOptions.LimitsOnly. If it is empty, load is used.
	loadLimits string

	codeType, numberType, flagType, hashType string   // types of columns
	noPrimaryKey                             bool     // tables cannot have a primary key
	tableOptions                             string   // what follows the list of columns in CREATE TABLE
	begin, commit                            []string // statements that begin and end a transaction; nil if definitions cannot be part of one

	nameQuote    string                              // the quotation mark around names
	literal      func(text string) string            // returns a string literal
	doubleFormat string                              // a format that converts a dimension %s of the user's table to a double
	gridPoint    func(x string, decimals int) string // returns SQL for the grid point of a dimension x; nil to use gridPointSQL with doubleFormat
	codeFormat   string                              // a format that makes comparisons of a code %s of the user's table exact
	noProfile    string                              // a condition that is true if the join has found no profile
	placement    placement                           // where the view computes the grid points
	except       string                              // the word before the columns that SELECT * leaves out, for excludedColumn
	noPoint      string                              // a number that replaces grid points that are NULL; empty if they stay NULL

	// temporaryViews is true if box_verdicts and box_profiles are both temporary views. Then box_profiles has
	// an additional row for boxes without a profile.
	temporaryViews bool

	// constraint returns the statements that keep invalid boxes out of the table. It is nil if the dialect does
	// not support that. columnCheck returns statements that come earlier in the file. They fail if the user's
	// table already has a column with the name of the column that the constraint adds. columnCheck is nil if the
	// constraint adds no column.
	constraint, columnCheck func(*sqlFile) []string

	// Each of these returns statements for a file without SQLOptions.Constraint. They fail if the user's table has the
	// constraint, which would go on to use the old limits. openingConstraintCheck is for the beginning of the file, and
	// closingConstraintCheck for the end.
	openingConstraintCheck, closingConstraintCheck func(*sqlFile) []string

	// replaceLimits returns the statements for SQLOptions.LimitsOnly. It is nil if the dialect does not support that.
	replaceLimits func(*sqlFile) []string

	// Each of these returns statements that fail if the user's table has a column with the name of one that the
	// view adds, such as verdict. openingViewCheck is for the beginning of the file, and closingViewCheck for the end.
	// Both are nil if the database itself refuses to create the view for such a table.
	openingViewCheck, closingViewCheck func(*sqlFile) []string
}

// A placement is the place in the view where the grid points of a row are computed. In all placements but the
// first, the rules refer to the grid points by name, so that each is computed only once for a row. The names
// must not become columns of the view.
type placement int

const (
	repeated       placement = iota // in each rule, which repeats the expression
	lateralJoin                     // in a query that is joined to each row by CROSS JOIN LATERAL
	excludedColumn                  // in columns that the view's SELECT leaves out; see dialect.except
	scalarSubquery                  // in the FROM of a subquery that computes the verdict
)

// withDefaults returns a copy of d whose empty fields are set to values that suit most databases.
func withDefaults(d dialect) dialect {
	d.codeType = cmp.Or(d.codeType, "VARCHAR(64) NOT NULL")
	d.numberType = cmp.Or(d.numberType, "DOUBLE PRECISION NOT NULL")
	d.flagType = cmp.Or(d.flagType, "SMALLINT NOT NULL")
	d.hashType = cmp.Or(d.hashType, d.codeType)
	d.nameQuote = cmp.Or(d.nameQuote, `"`)
	d.noProfile = cmp.Or(d.noProfile, "p.article IS NULL")
	d.doubleFormat = cmp.Or(d.doubleFormat, "CAST(%s AS DOUBLE PRECISION)")
	d.codeFormat = cmp.Or(d.codeFormat, "%s")
	if d.literal == nil {
		d.literal = standardLiteral
	}
	return d
}

var dialects = []dialect{
	withDefaults(dialect{
		name: "duckdb", load: "duckdb shop.db -f FILE", begin: []string{"BEGIN"}, commit: []string{"COMMIT"},
		// DuckDB converts a DECIMAL to the nearest double only by way of text. The CASE takes no time for each
		// row, because DuckDB evaluates typeof before it reads any row.
		doubleFormat: "CASE WHEN typeof(%s) LIKE 'DECIMAL%%' THEN CAST(CAST(%[1]s AS VARCHAR) AS DOUBLE) ELSE CAST(%[1]s AS DOUBLE) END",
		codeFormat:   "%s COLLATE C", placement: excludedColumn, except: "EXCLUDE", openingViewCheck: duckdbViewCheck,
		replaceLimits: duckdbReplaceLimits,
	}),
	withDefaults(dialect{
		name:  "postgres",
		load:  "psql -v ON_ERROR_STOP=1 -f FILE",
		query: "SET jit = off;",
		begin: []string{"BEGIN", "SET LOCAL client_min_messages = warning"}, commit: []string{"COMMIT"},
		codeType: `text COLLATE "C" NOT NULL`, literal: postgresLiteral,
		// The user's column may have a collation or a type that ignores case.
		codeFormat: `CAST(%s AS text) COLLATE "C"`, placement: lateralJoin,
		columnCheck: postgresConstraintColumnCheck, constraint: postgresConstraint,
		openingConstraintCheck: postgresConstraintCheck, replaceLimits: postgresReplaceLimits,
	}),
	withDefaults(dialect{
		name: "sqlite", load: `sqlite3 -bail shop.db ".read FILE"`,
		loadLimits: `sqlite3 -bail -cmd ".timeout 10000" shop.db ".read FILE"`, begin: []string{"BEGIN IMMEDIATE"}, commit: []string{"COMMIT"},
		codeType: "TEXT NOT NULL", numberType: "INTEGER NOT NULL", flagType: "INTEGER NOT NULL", tableOptions: " WITHOUT ROWID",
		gridPoint: sqliteGridPoint, codeFormat: "%s COLLATE BINARY",
		placement: scalarSubquery, constraint: sqliteConstraint, closingConstraintCheck: sqliteConstraintCheck,
		closingViewCheck: sqliteViewCheck, replaceLimits: sqliteReplaceLimits,
	}),
	withDefaults(dialect{
		name: "clickhouse", load: "clickhouse client --queries-file FILE", nameQuote: "`", literal: backslashLiteral,
		codeType: "String", numberType: "Float64", flagType: "UInt16",
		noPrimaryKey: true, tableOptions: " ENGINE = MergeTree ORDER BY (article, material)",
		// A Decimal is converted by a division. That gives the nearest double for up to nine decimals, because
		// then the numbers from -1000000 to 1000000 are whole numbers below 2^53 before the division. With more
		// decimals, only a conversion by way of text gives the nearest double. ClickHouse chooses the branch
		// before it reads any row.
		doubleFormat: "if(match(toTypeName(%s), 'Decimal.*, [0-9][0-9]'), toFloat64OrNull(toString(%[1]s)), CAST(%[1]s AS Nullable(Float64)))",
		noProfile:    "coalesce(p.article, '') = ''", // without a match the join gives '', or NULL if join_use_nulls is set
		// If the branches of a CASE contain a conversion, ClickHouse evaluates them one by one. That takes four
		// times as long as evaluating all of them, so the grid points are computed before the join.
		placement: excludedColumn, except: "EXCEPT", openingViewCheck: clickhouseViewCheck, replaceLimits: clickhouseReplaceLimits,
	}),
	withDefaults(dialect{
		name: "mariadb", load: "mariadb shop < FILE", nameQuote: "`", literal: mariaLiteral, codeType: "VARBINARY(256) NOT NULL",
		numberType: "DOUBLE NOT NULL", doubleFormat: "CAST(%s AS DOUBLE)", codeFormat: "CAST(CONVERT(%s USING utf8mb4) AS BINARY)",
		columnCheck: mariaConstraintColumnCheck, constraint: mariaConstraint,
		openingConstraintCheck: mariaConstraintCheck, replaceLimits: mariaReplaceLimits,
		hashType: "CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL", tableOptions: " ENGINE = InnoDB",
	}),
	withDefaults(dialect{
		name: "spark", load: "spark-sql -i FILE", nameQuote: "`", literal: sparkLiteral, codeType: "STRING",
		numberType: "DOUBLE", flagType: "INT",
		doubleFormat: "CAST(%s AS DOUBLE)", placement: lateralJoin,
		// Spark compiles the view to one method. If the method has more than 8,000 bytes, the JVM only interprets
		// it. Values that cannot be NULL need half the code: see sparkJoin for the columns of p.
		temporaryViews: true, noPoint: "-1E12D", noProfile: "p.article = ''",
	}),
	withDefaults(dialect{
		name: "trino", load: "trino --catalog CATALOG --schema SCHEMA -f FILE",
		// Iceberg has no SMALLINT, and only some connectors have NOT NULL.
		codeType: "VARCHAR", numberType: "DOUBLE", flagType: "INTEGER", noPrimaryKey: true,
		doubleFormat: "CAST(%s AS DOUBLE)", placement: lateralJoin,
	}),
	withDefaults(dialect{
		name: "ansi", load: "the program of your database that runs files",
		codeType: "VARCHAR(64)", numberType: "DOUBLE PRECISION", flagType: "SMALLINT", noPrimaryKey: true,
	}),
}

// SQLDialects returns the names of all dialects for [SQLOptions], and the names of those that support
// SQLOptions.Constraint.
func SQLDialects() (all, withConstraint []string) {
	for _, d := range dialects {
		all = append(all, d.name)
		if d.constraint != nil {
			withConstraint = append(withConstraint, d.name)
		}
	}
	return all, withConstraint
}

// SQLDialectsWithLimitsOnly returns the names of the dialects that support SQLOptions.LimitsOnly.
func SQLDialectsWithLimitsOnly() (names []string) {
	for _, d := range dialects {
		if d.replaceLimits != nil {
			names = append(names, d.name)
		}
	}
	return names
}

// identifier returns the name of a table or a column as a quoted SQL identifier. The name may contain any characters,
// even quotes.
func (d *dialect) identifier(name string) string {
	name = strings.ReplaceAll(name, d.nameQuote, d.nameQuote+d.nameQuote)
	if d.name == "clickhouse" { // a backslash escapes the next character even in a name
		name = strings.ReplaceAll(name, `\`, `\\`)
	}
	return d.nameQuote + name + d.nameQuote
}

func standardLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// backslashLiteral returns text as a string literal for databases in which a backslash in a literal escapes the
// next character.
func backslashLiteral(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

// postgresLiteral returns text as a string literal that means the same with every setting of
// standard_conforming_strings.
func postgresLiteral(text string) string {
	if strings.Contains(text, `\`) {
		return "E" + standardLiteral(strings.ReplaceAll(text, `\`, `\\`))
	}
	return standardLiteral(text)
}

// mariaLiteral returns text as a literal that means the same with every sql_mode and character set of the
// session. If the text has characters whose meaning could depend on these, the literal is written as UTF-8 in
// hexadecimal.
func mariaLiteral(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || r > '~' }) {
		return "x'" + hex.EncodeToString([]byte(text)) + "'"
	}
	return standardLiteral(text)
}

// sparkLiteral returns text as a string literal in which dollar signs are escaped, because spark-sql replaces
// variables such as ${x} even in literals.
func sparkLiteral(text string) string {
	return strings.ReplaceAll(backslashLiteral(text), "$", `\u0024`)
}

// postgresDollarLiteral returns the text as a dollar-quoted literal, $boxrules$…$boxrules$. The tag between the dollar
// signs is one that does not occur in the text.
func postgresDollarLiteral(text string) string {
	quote := "$boxrules$"
	for i := 1; strings.Contains(text, quote); i++ {
		quote = fmt.Sprintf("$boxrules%d$", i)
	}
	return quote + text + quote
}

// mariaSignal returns statements that fail with the message if the condition is false. The condition is about a number
// of rows, such as COUNT(*) > 0. rows is the part of the query after FROM: a table and a WHERE clause.
func mariaSignal(message, condition, rows string) []string {
	return []string{fmt.Sprintf(`SET @boxrules = (
  SELECT IF(%s, 'DO 0', 'SIGNAL SQLSTATE ''45000'' SET MESSAGE_TEXT =
    ''%s''')
  FROM %s
)`, condition, message, rows), "EXECUTE IMMEDIATE @boxrules"}
}
