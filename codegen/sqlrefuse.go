package codegen

import (
	"fmt"
	"strings"
)

// refusal is what a file is refused with where the table has the column already. It fits a name of 64 characters.
func refusal(column string) string {
	return "the table has a column " + column + " already; rename it"
}

// reserved are the columns that the view has to itself where it computes grid points beside those of the table.
func (f *sqlFile) reserved() []string {
	axes := f.axes("")
	return append([]string{"verdict"}, axes[:]...)
}

// duckRefuse keeps DuckDB from giving the verdict another name, and from taking a column of the table for a grid point.
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

// sqliteRefuse keeps SQLite from giving the verdict another name. At the end of the transaction it takes back all of it, also
// where the program that reads the file goes on after an error.
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

// postgresRefuse keeps a column of the table from being taken for the generated one.
func postgresRefuse(f *sqlFile) string {
	body := fmt.Sprintf(`
BEGIN
  IF EXISTS (
    SELECT 1 FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = CAST(%s AS regclass) AND a.attname = 'box_code' AND NOT a.attisdropped
    AND (a.attgenerated = '' OR pg_get_expr(d.adbin, d.adrelid) NOT LIKE '%%box_verdict(%%')
  ) THEN
    RAISE EXCEPTION '%s';
  END IF;
END
`, f.literal(f.schema+f.boxes), refusal("box_code"))
	return "DO " + dollars(body) + ";\n\n"
}

// mariaRefuse keeps the trigger from writing into a column of the table that is not the invisible one.
func mariaRefuse(f *sqlFile) string {
	database := "DATABASE()"
	if len(f.names) > 1 {
		database = f.literal(f.names[0])
	}
	return fmt.Sprintf("CREATE OR REPLACE TEMPORARY TABLE %sboxrules_columns (extra TEXT, CONSTRAINT `%s` "+
		"CHECK (extra LIKE '%%INVISIBLE%%'));\n"+
		"INSERT INTO %[1]sboxrules_columns SELECT extra FROM information_schema.columns\n"+
		"WHERE table_schema = %[3]s AND table_name = %[4]s AND column_name = 'box_code';\nDROP TEMPORARY TABLE %[1]sboxrules_columns;\n\n",
		f.schema, refusal("box_code"), database, f.literal(f.table))
}
