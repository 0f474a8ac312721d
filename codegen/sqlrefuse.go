package codegen

import (
	"fmt"
	"strings"
)

// refusal returns the message for a table that has the column already. It fits a name of 64
// characters.
func refusal(column string) string {
	return "the table has a column " + column + " already; rename it"
}

// reserved returns the columns that the view has to itself: verdict, and the grid points where it
// computes them beside the columns of the table.
func (f *sqlFile) reserved() []string {
	axes := f.axes("")
	return append([]string{"verdict"}, axes[:]...)
}

// duckRefuse keeps DuckDB from giving the verdict another name, and from taking a column of the
// table for a grid point.
func duckRefuse(f *sqlFile) string {
	return fmt.Sprintf("CREATE TEMP TABLE boxrules_columns AS SELECT error('%s')\n"+
		"FROM (DESCRIBE %s) WHERE lower(column_name) IN ('%s');\nDROP TABLE temp.boxrules_columns;\n\n",
		refusal("' || column_name || '"), f.schema+f.boxes, strings.Join(f.reserved(), "', '"))
}

// clickRefuse keeps ClickHouse from giving a column of the table another name.
func clickRefuse(f *sqlFile) string {
	database := "currentDatabase()"
	if len(f.names) > 1 {
		database = f.literal(f.names[0])
	}
	var tests []string
	for _, name := range f.reserved() {
		tests = append(tests, fmt.Sprintf("throwIf(name = '%s', '%s')", name, refusal(name)))
	}
	return fmt.Sprintf("SELECT %s\nFROM system.columns WHERE database = %s AND table = %s AND name IN ('%s');\n\n",
		strings.Join(tests, ",\n  "), database, f.literal(f.table), strings.Join(f.reserved(), "', '"))
}

// sqliteRefuse keeps SQLite from giving the verdict another name. At the end of the transaction
// it takes back all of it, also where the program that reads the file goes on after an error.
func sqliteRefuse(f *sqlFile) string {
	table := f.literal(f.table)
	if len(f.names) > 1 {
		table += ", " + f.literal(f.names[0])
	}
	return fmt.Sprintf(`
CREATE TEMP TABLE boxrules_columns (name TEXT, CONSTRAINT "%s" CHECK (lower(name) <> 'verdict'));
INSERT OR ROLLBACK INTO temp.boxrules_columns SELECT name FROM pragma_table_xinfo(%s) WHERE hidden <> 1;
DROP TABLE temp.boxrules_columns;
`, refusal("verdict"), table)
}
