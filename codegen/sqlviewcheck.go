package codegen

import (
	"fmt"
	"strings"
)

// reservedViewColumnMessage returns the error message for a user's table that already has the column.
func reservedViewColumnMessage(column string) string {
	return "the table already has a column " + column + "; rename it"
}

// reservedViewColumns returns the names of the columns that the view adds: verdict, and the columns of the
// grid points.
func (s *sqlFile) reservedViewColumns() []string {
	return append([]string{"verdict"}, s.axesSQL("")...)
}

// duckdbViewCheck returns SQL that fails if the table has a reserved column. Without it, DuckDB would rename
// the view's verdict column, or use a column of the table as a grid point.
func duckdbViewCheck(s *sqlFile) []string {
	return []string{fmt.Sprintf("CREATE TEMP TABLE boxrules_columns AS SELECT error('%s')\n"+
		"FROM (DESCRIBE %s) WHERE lower(column_name) IN ('%s')",
		reservedViewColumnMessage("' || column_name || '"), s.schemaPrefix+s.quotedTable, strings.Join(s.reservedViewColumns(), "', '")),
		"DROP TABLE temp.boxrules_columns"}
}

// clickhouseViewCheck returns SQL that fails if the table has a reserved column. Without it, ClickHouse would
// rename a column of the table.
func clickhouseViewCheck(s *sqlFile) []string {
	database := "currentDatabase()"
	if len(s.tablePath) > 1 {
		database = s.literal(s.tablePath[0])
	}
	var tests []string
	for _, name := range s.reservedViewColumns() {
		tests = append(tests, fmt.Sprintf("throwIf(name = '%s', '%s')", name, reservedViewColumnMessage(name)))
	}
	return []string{fmt.Sprintf("SELECT %s\nFROM system.columns WHERE database = %s AND table = %s AND name IN ('%s')",
		strings.Join(tests, ",\n  "), database, s.literal(s.table), strings.Join(s.reservedViewColumns(), "', '"))}
}

// sqliteViewCheck returns SQL that fails if the table has a column named verdict. Without it, SQLite would
// rename the view's verdict column. The check comes at the end of the transaction and rolls the whole
// transaction back, even if the program that reads the file continues after an error.
func sqliteViewCheck(s *sqlFile) []string {
	table := s.literal(s.table)
	if len(s.tablePath) > 1 {
		table += ", " + s.literal(s.tablePath[0])
	}
	return []string{
		fmt.Sprintf(`CREATE TEMP TABLE boxrules_columns (name TEXT, CONSTRAINT "%s" CHECK (lower(name) <> 'verdict'))`,
			reservedViewColumnMessage("verdict")),
		fmt.Sprintf("INSERT OR ROLLBACK INTO temp.boxrules_columns SELECT name FROM pragma_table_xinfo(%s) WHERE hidden <> 1", table),
		"DROP TABLE temp.boxrules_columns",
	}
}

// limitsFitViewSQL returns a condition that is true for the rows of box_profiles that belong to this view.
func (s *sqlFile) limitsFitViewSQL() string { return fmt.Sprintf("view_hash = '%s'", s.viewHash) }
