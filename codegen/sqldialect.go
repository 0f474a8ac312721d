package codegen

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"

	"example.com/boxrules/exact"
)

// A dialect says how a database wants to be spoken to.
type dialect struct {
	name string
	load string // a command that runs the file, for its head

	codeType, numberType, flagType string // types of columns
	unkeyed                        bool   // tables have no primary key
	options                        string // that end CREATE TABLE
	begin, commit                  string // of a transaction, where definitions can be part of one

	quote   string // around names
	literal func(text string) string
	double  string // a dimension %s of the user's table as a double
	// grid returns the grid point of a dimension where that is not gridOf its double.
	grid   func(x string, decimals int) string
	code   string // a code %s of the user's table, to be compared byte by byte
	missed string // holds where the join has found no profile
	point  place  // where a row's grid point is computed

	claim      func(*sqlFile) string // what stops where the constraint's column would be the user's; nil where it has none
	constraint func(*sqlFile) string // what keeps impossible boxes out; nil where nothing can

	// first and last refuse a table with columns that the view has to itself, at the file's
	// beginning or at its end; nil where the database does so when the view is made.
	first, last func(*sqlFile) string
}

// A place says where a view can compute what it uses often, without that becoming a column.
type place int

const (
	everywhere place = iota // it cannot: the expression is repeated
	lateral                 // a query beside the row
	alias                   // WITH expression AS name
	excluded                // columns that SELECT leaves out again
	scalar                  // the verdict is a query of its own
)

// standard returns d with what most dialects have in common in place of what it leaves empty.
func standard(d dialect) dialect {
	d.codeType = cmp.Or(d.codeType, "VARCHAR(64) NOT NULL")
	d.numberType = cmp.Or(d.numberType, "DOUBLE PRECISION NOT NULL")
	d.flagType = cmp.Or(d.flagType, "SMALLINT NOT NULL")
	d.quote = cmp.Or(d.quote, `"`)
	d.missed = cmp.Or(d.missed, "p.article IS NULL")
	d.double = cmp.Or(d.double, "CAST(%s AS DOUBLE PRECISION)")
	d.code = cmp.Or(d.code, "%s")
	if d.literal == nil {
		d.literal = doubled
	}
	return d
}

var dialects = []dialect{
	standard(dialect{
		name: "duckdb", load: "duckdb shop.db -f FILE", begin: "BEGIN;\n\n", commit: "\nCOMMIT;\n",
		// A DECIMAL goes by way of text, as DuckDB would not give the nearest double otherwise. It knows
		// the type before any row is read.
		double: "CASE WHEN typeof(%s) LIKE 'DECIMAL%%' THEN CAST(CAST(%[1]s AS VARCHAR) AS DOUBLE) ELSE CAST(%[1]s AS DOUBLE) END",
		code:   "%s COLLATE C", point: excluded, first: duckRefuse,
	}),
	standard(dialect{
		name:  "postgres",
		load:  "psql -v ON_ERROR_STOP=1 -f FILE; then SET jit = off, with which the view is several times as fast",
		begin: "BEGIN;\nSET LOCAL client_min_messages = warning;\n\n", commit: "\nCOMMIT;\n",
		codeType: `text COLLATE "C" NOT NULL`, literal: postgresText,
		// A column of the user's may have a collation or a type that ignores case.
		code: `CAST(%s AS text) COLLATE "C"`, point: lateral,
		claim: postgresClaim, constraint: postgresConstraint,
	}),
	standard(dialect{
		name: "sqlite", load: `sqlite3 -bail shop.db ".read FILE"`, begin: "BEGIN;\n\n", commit: "\nCOMMIT;\n",
		codeType: "TEXT NOT NULL", numberType: "INTEGER NOT NULL", flagType: "INTEGER NOT NULL", options: " WITHOUT ROWID",
		grid: sqliteGrid, code: "%s COLLATE BINARY",
		point: scalar, constraint: sqliteConstraint, last: sqliteRefuse,
	}),
	standard(dialect{
		name: "clickhouse", load: "clickhouse client --queries-file FILE", quote: "`", literal: backslashed,
		codeType: "String", numberType: "Float64", flagType: "UInt16",
		unkeyed: true, options: " ENGINE = MergeTree ORDER BY (article, material)",
		// A Decimal goes by way of text too.
		double: "if(toTypeName(%s) LIKE '%%Decimal%%', toFloat64OrNull(toString(%[1]s)), CAST(%[1]s AS Nullable(Float64)))",
		missed: "coalesce(p.article, '') = ''", // a join without a match gives '', unless join_use_nulls is set
		point:  alias, first: clickRefuse,
	}),
	standard(dialect{
		name: "mariadb", load: "mariadb shop < FILE", quote: "`", literal: mariaText, codeType: "VARBINARY(256) NOT NULL",
		numberType: "DOUBLE NOT NULL", double: "CAST(%s AS DOUBLE)", code: "CAST(CONVERT(%s USING utf8mb4) AS BINARY)",
		claim: mariaClaim, constraint: mariaConstraint,
	}),
	standard(dialect{
		name: "spark", load: "spark-sql -f FILE", quote: "`", literal: sparkText, codeType: "STRING",
		numberType: "DOUBLE", flagType: "INT",
		unkeyed: true, options: " USING parquet", double: "CAST(%s AS DOUBLE)", point: lateral,
	}),
	standard(dialect{name: "ansi", load: "the program of your database that runs files"}),
}

// SQLDialects returns the names that [SQLOptions] accepts, and those of them that can have a
// constraint.
func SQLDialects() (all, constraint []string) {
	for _, d := range dialects {
		all = append(all, d.name)
		if d.constraint != nil {
			constraint = append(constraint, d.name)
		}
	}
	return all, constraint
}

// identifier returns a name in quotes, whatever it is made of.
func (d *dialect) identifier(name string) string {
	name = strings.ReplaceAll(name, d.quote, d.quote+d.quote)
	if d.name == "clickhouse" {
		name = strings.ReplaceAll(name, `\`, `\\`)
	}
	return d.quote + name + d.quote
}

// doubled returns the text in quotes, with those inside doubled.
func doubled(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// backslashed returns the text in quotes, with backslashes before those inside and before
// themselves.
func backslashed(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

// postgresText returns a literal that means the same with standard_conforming_strings and
// without.
func postgresText(text string) string {
	if strings.Contains(text, `\`) {
		return "E" + doubled(strings.ReplaceAll(text, `\`, `\\`))
	}
	return doubled(text)
}

// mariaText returns a literal that means the bytes of UTF-8, whatever the session's character set
// and sql_mode.
func mariaText(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\\' || r > '~' }) {
		return "x'" + hex.EncodeToString([]byte(text)) + "'"
	}
	return doubled(text)
}

// sparkText keeps variables such as ${x} from being replaced.
func sparkText(text string) string { return strings.ReplaceAll(backslashed(text), "$", `\u0024`) }

// gridOf returns the grid point of a double as SQL: floor(x * 1000 + 0.5) where the dimension is
// in range, else NULL. NaN is in no range.
func gridOf(double string, decimals int) string {
	floor := fmt.Sprintf("FLOOR(%s * %d + 0.5)", double, scaleOf(decimals))
	return fmt.Sprintf("CASE WHEN %s BETWEEN -1000000 AND 1000000 THEN %s END", double, onStep(double, floor, decimals))
}

// scaleOf returns how many dimensions of so many decimals there are in a unit: 10 for one
// decimal.
func scaleOf(decimals int) int64 { return exact.Scale / exact.StepOf(decimals) }

// onStep returns the grid point of a double, where floor is the nearest whole number to it in
// steps of so many decimals. It is NULL where the double has more decimals than that.
func onStep(double, floor string, decimals int) string {
	if decimals == 3 {
		return floor
	}
	scale := scaleOf(decimals)
	return fmt.Sprintf("CASE WHEN %s / %dE0 = %s THEN %[1]s * %[4]d END", floor, scale, double, exact.Scale/scale)
}

// sqliteGrid takes no text, which SQLite would read as 0. It does without FLOOR, which not every
// SQLite has.
func sqliteGrid(x string, decimals int) string {
	floor := fmt.Sprintf("CAST(%s AS INTEGER) - (%[1]s < CAST(%[1]s AS INTEGER))",
		fmt.Sprintf("%s * %d.0 + 0.5", x, scaleOf(decimals)))
	if decimals < 3 {
		floor = "(" + floor + ")"
	}
	return fmt.Sprintf("CASE WHEN typeof(%s) IN ('integer', 'real') AND %[1]s BETWEEN -1000000 AND 1000000 THEN %s END", x,
		onStep(x, floor, decimals))
}
