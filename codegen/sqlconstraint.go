package codegen

import (
	"fmt"
	"hash/crc32"
	"strings"
)

// longestName bounds the bytes of a name, which PostgreSQL cuts off there; MariaDB takes one
// more.
const longestName = 63

// ownName returns a name for something that belongs to the constraint of this table and to no
// other table's, such as orders_box_verdict. A long one is cut and gets a checksum.
func (f *sqlFile) ownName(what string) string {
	name := f.table + "_box_" + what
	if len(name) > longestName {
		end := fmt.Sprintf("_%08x_box_%s", crc32.ChecksumIEEE([]byte(f.table)), what)
		name = strings.ToValidUTF8(f.table[:longestName-len(end)], "") + end
	}
	return name
}

// own returns that name quoted.
func (f *sqlFile) own(what string) string { return f.identifier(f.ownName(what)) }

// ownProfiles returns a copy of box_profiles for the triggers to ask. They cannot ask
// box_profiles, as the next file that is loaded, for whatever table, replaces it.
func (f *sqlFile) ownProfiles() string {
	name := f.schema + f.own("profiles")
	return fmt.Sprintf("DROP TABLE IF EXISTS %s;\n", name) + f.createProfiles(name) +
		fmt.Sprintf("INSERT INTO %s SELECT * FROM %sbox_profiles;\n\n", name, f.schema)
}

// checks returns a CHECK for each code, named like it, on the table's column box_code. So the
// database's error names the code: violates check constraint "BOX_3100".
func (f *sqlFile) checks() string {
	var drops, adds []string
	check := func(name, condition string) {
		drops = append(drops, "DROP CONSTRAINT IF EXISTS "+f.identifier(name))
		adds = append(adds, fmt.Sprintf("ADD CONSTRAINT %s CHECK (%s)", f.identifier(name), condition))
	}
	check("not_a_box", "box_code IS NOT NULL AND box_code NOT LIKE 'error:%'")
	for _, code := range f.codes {
		check(code, "box_code <> '"+code+"'")
	}
	return fmt.Sprintf("ALTER TABLE %s\n  %s;\nALTER TABLE %[1]s\n  %[3]s;\n\n",
		f.schema+f.boxes, strings.Join(drops, ",\n  "), strings.Join(adds, ",\n  "))
}

// postgresConstraint returns a generated column and its function. The function holds the profiles
// itself, as PostgreSQL wants nothing but its arguments to decide: so a dump can be restored in
// any order.
func postgresConstraint(f *sqlFile) string {
	var keys, articles, rows []string
	for row, form := range f.keys {
		article := f.literal(form.Article)
		keys = append(keys, article+` || E'\n' || `+f.literal(form.Material)) // neither has a line break
		articles = append(articles, article)
		rows = append(rows, strings.Join(f.values(row), ","))
	}
	cases := f.lines(func(at int) string { return fmt.Sprintf("p[%d]", at+1) }, []string{"w", "d", "h"})
	profile := ""
	if n := len(f.columns); n > 0 {
		profile = fmt.Sprintf("  p double precision[] := (CAST('{%s}' AS double precision[]))[%d * (at - 1) + 1 : %[2]d * at];\n",
			strings.Join(rows, ", "), n)
	}
	body := fmt.Sprintf(`
DECLARE
  at integer := array_position(ARRAY[%s], (article || E'\n' || material) COLLATE "C");
%s  w double precision := %s;
  d double precision := %s;
  h double precision := %s;
BEGIN
  RETURN CASE
  WHEN at IS NULL THEN CASE WHEN article COLLATE "C" = ANY (ARRAY[%s]) THEN 'error:material' ELSE 'error:article' END
%s  END;
END
`, strings.Join(keys, ", "), profile, f.coordinate("width"), f.coordinate("depth"), f.coordinate("height"),
		strings.Join(articles, ", "), cases)
	return fmt.Sprintf(`CREATE OR REPLACE FUNCTION %s(
  article text, material text, width double precision, depth double precision, height double precision
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS %s;

ALTER TABLE %s ADD COLUMN IF NOT EXISTS box_code text GENERATED ALWAYS AS (%[1]s(
  CAST(article AS text), CAST(material AS text), CAST(width AS double precision), CAST(depth AS double precision),
  CAST(height AS double precision)
)) STORED;
`, f.schema+f.own("verdict"), dollars(body), f.schema+f.boxes) + f.checks()
}

// dollars returns the text between dollar signs that it does not have itself, as in
// $boxrules$…$boxrules$.
func dollars(text string) string {
	quote := "$boxrules$"
	for i := 1; strings.Contains(text, quote); i++ {
		quote = fmt.Sprintf("$boxrules%d$", i)
	}
	return quote + text + quote
}

// postgresClaim knows the constraint's own column by the function that computes it.
func postgresClaim(f *sqlFile) string {
	table := "CAST(" + f.literal(f.schema+f.boxes) + " AS regclass)"
	return "DO " + dollars(fmt.Sprintf(`
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = %s AND a.attname = 'box_code'
      AND (a.attgenerated = '' OR strpos(pg_get_expr(d.adbin, d.adrelid), quote_ident(%s) || '(') = 0)
  ) THEN
    RAISE EXCEPTION '%% has a column box_code that is not of its constraint; accepted: a table without one', %[1]s;
  END IF;
END
`, table, f.literal(f.ownName("verdict")))) + ";\n\n"
}

// mariaConstraint returns a column that a trigger fills, whatever is written to it: in MariaDB no
// generated column can ask another table.
func mariaConstraint(f *sqlFile) string {
	var b strings.Builder
	table := f.schema + f.boxes
	fmt.Fprintf(&b, "ALTER TABLE %s ADD COLUMN IF NOT EXISTS box_code VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin "+
		"NOT NULL DEFAULT '' INVISIBLE COMMENT 'by boxrules';\n\n", table)
	b.WriteString(f.ownProfiles())
	for _, event := range []string{"INSERT", "UPDATE"} {
		name := f.schema + f.own(strings.ToLower(event))
		fmt.Fprintf(&b, "DROP TRIGGER IF EXISTS %s;\nCREATE TRIGGER %[1]s BEFORE %s ON %s FOR EACH ROW\nSET NEW.box_code = (%s);\n\n",
			name, event, table, f.query("NEW.", f.schema+f.own("profiles")))
	}
	fmt.Fprintf(&b, "UPDATE %s SET box_code = '' WHERE box_code = '';\n\n", table)
	return b.String() + f.checks()
}

// mariaClaim knows the constraint's own column by its comment.
func mariaClaim(f *sqlFile) string {
	schema := "DATABASE()"
	if inner, ok := strings.CutSuffix(f.schema, "`."); ok {
		schema = f.literal(strings.ReplaceAll(inner[1:], "``", "`"))
	}
	return fmt.Sprintf(`SET @boxrules = (
  SELECT IF(COUNT(*) = 0, 'DO 0', 'SIGNAL SQLSTATE ''45000'' SET MESSAGE_TEXT =
    ''the table has a column box_code that is not of its constraint; accepted: a table without one''')
  FROM information_schema.columns
  WHERE table_schema = %s AND table_name = %s AND column_name = 'box_code' AND column_comment <> 'by boxrules'
);
EXECUTE IMMEDIATE @boxrules;

`, schema, f.literal(f.table))
}

// sqliteConstraint returns triggers, as a CHECK can ask no other table. They run after what is
// written, so that nothing changes it any more. What they name is in their own schema.
func sqliteConstraint(f *sqlFile) string {
	refuse := "    WHEN 'valid' THEN 0\n"
	for _, code := range f.codes {
		refuse += fmt.Sprintf("    WHEN '%s' THEN RAISE(ABORT, '%[1]s')\n", code)
	}
	var b strings.Builder
	b.WriteString(f.ownProfiles())
	for _, event := range []struct{ name, of string }{
		{"INSERT", ""}, {"UPDATE", " OF article, material, width, depth, height"},
	} {
		fmt.Fprintf(&b, "DROP TRIGGER IF EXISTS %s;\nCREATE TRIGGER %[1]s AFTER %s%s ON %s\nBEGIN\n"+
			"  SELECT CASE (%s)\n%s    ELSE RAISE(ABORT, 'not_a_box')\n  END;\nEND;\n\n",
			f.schema+f.own(strings.ToLower(event.name)), event.name, event.of, f.boxes,
			f.query("NEW.", f.own("profiles")), refuse)
	}
	return b.String()
}

// refusal returns the message for a table that has the column already. It fits a name of 64
// characters.
func refusal(column string) string {
	return "the table has a column " + column + " already; rename it"
}

// reserved returns the columns that the view has to itself: verdict, and the grid points where it
// computes them beside the columns of the table.
func (f *sqlFile) reserved() []string {
	return append([]string{"verdict"}, f.axes("")...)
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
