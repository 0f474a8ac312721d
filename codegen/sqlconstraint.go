package codegen

import (
	"fmt"
	"hash/crc32"
	"strings"

	"example.com/boxrules/exact"
)

// maxNameLength is the maximum length of a name, in bytes. PostgreSQL truncates longer names; MariaDB allows 64.
const maxNameLength = 63

// constraintName returns a name for a part of the table's constraint. It contains the name of the table, as
// in orders_box_verdict, because several tables of one database may have such a constraint. If the name would
// be too long, it is cut off and a checksum is added.
func (s *sqlFile) constraintName(part string) string {
	name := s.table + "_box_" + part
	if len(name) > maxNameLength {
		// The checksum of the table's whole name distinguishes tables whose names begin the same way.
		// ToValidUTF8 drops a character that has been cut in two.
		end := fmt.Sprintf("_%08x_box_%s", crc32.ChecksumIEEE([]byte(s.table)), part)
		name = strings.ToValidUTF8(s.table[:maxNameLength-len(end)], "") + end
	}
	return name
}

// constraintIdentifier returns the result of constraintName as a quoted identifier.
func (s *sqlFile) constraintIdentifier(part string) string {
	return s.identifier(s.constraintName(part))
}

// limitsForConstraint is the error message if a file without SQLOptions.Constraint is loaded and the table has the
// constraint. MariaDB allows 128 characters.
const limitsForConstraint = "the constraint of the table would keep the old limits; load the whole file, generated with --constraint"

// constraintProfiles returns statements that create a copy of box_profiles for the triggers of the table. The
// triggers cannot use box_profiles itself, because a file for another table would replace it.
func (s *sqlFile) constraintProfiles() []string {
	name := s.schemaPrefix + s.constraintIdentifier("profiles")
	return []string{
		"DROP TABLE IF EXISTS " + name, s.createProfiles(name),
		fmt.Sprintf("INSERT INTO %s SELECT * FROM %sbox_profiles", name, s.schemaPrefix),
	}
}

// constraintChecks returns statements that add CHECKs on the column box_code to the table. There is one CHECK for each
// code, named after the code, so that the database's error message contains the code: violates check constraint
// "BOX_3100". One more CHECK, not_a_box, rejects rows that are not boxes.
func (s *sqlFile) constraintChecks() []string {
	var drops, adds []string
	addCheck := func(name, condition string) {
		drops = append(drops, "DROP CONSTRAINT IF EXISTS "+s.identifier(name))
		adds = append(adds, fmt.Sprintf("ADD CONSTRAINT %s CHECK (%s)", s.identifier(name), condition))
	}
	addCheck("not_a_box", "box_code IS NOT NULL AND box_code NOT LIKE 'error:%'")
	for _, code := range s.codes {
		addCheck(code, "box_code <> '"+code+"'")
	}
	alter := "ALTER TABLE " + s.schemaPrefix + s.quotedTable + "\n  "
	return []string{alter + strings.Join(drops, ",\n  "), alter + strings.Join(adds, ",\n  ")}
}

// postgresConstraint returns statements that add a generated column, and the function that computes it. The
// function contains the profiles, because a generated column may depend only on its own row. This also means
// that the tables of a dump can be restored in any order.
func postgresConstraint(s *sqlFile) []string {
	// The key of a profile is the article and the material, joined by a line break. The index of a profile
	// among the keys is also the number of its row.
	var keys, articles, rows []string
	for row, form := range s.forms {
		article := s.literal(form.Article)
		keys = append(keys, article+` || E'\n' || `+s.literal(form.Material)) // codes have no line breaks
		articles = append(articles, article)
		rows = append(rows, strings.Join(s.values(row), ","))
	}
	cases := s.caseLines(func(i int) string { return fmt.Sprintf("p[%d]", i+1) }, []string{"w", "d", "h"})
	// The numbers of all rows are in one array. The variable at is the number of a row, counting from 1, and p is the
	// slice of the array for that row. With three columns, the second row is [4 : 6].
	profile := ""
	if n := len(s.columns); n > 0 {
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
`, strings.Join(keys, ", "), profile, s.gridPointOf("width"), s.gridPointOf("depth"), s.gridPointOf("height"),
		strings.Join(articles, ", "), cases)
	function := s.schemaPrefix + s.constraintIdentifier("verdict")
	return []string{fmt.Sprintf(`CREATE OR REPLACE FUNCTION %s(
  article text, material text, width double precision, depth double precision, height double precision
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS %s`, function, postgresDollarLiteral(body)),
		fmt.Sprintf(`ALTER TABLE %s ADD COLUMN IF NOT EXISTS box_code text GENERATED ALWAYS AS (%s(
  CAST(article AS text), CAST(material AS text), CAST(width AS double precision), CAST(depth AS double precision),
  CAST(height AS double precision)
)) STORED`, s.schemaPrefix+s.quotedTable, function)}
}

// postgresConstraintColumnCheck returns SQL that fails if the user's table has a box_code column of its own. A box_code
// column that was added by an earlier generated file is accepted. It can be recognized because the constraint's
// function computes it.
func postgresConstraintColumnCheck(s *sqlFile) []string {
	table := "CAST(" + s.literal(s.schemaPrefix+s.quotedTable) + " AS regclass)"
	return []string{"DO " + postgresDollarLiteral(fmt.Sprintf(`
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = %s AND a.attname = 'box_code'
      AND (a.attgenerated = '' OR strpos(pg_get_expr(d.adbin, d.adrelid), quote_ident(%s) || '(') = 0)
  ) THEN
    RAISE EXCEPTION '%% has a column box_code that this constraint did not add; rename that column', %[1]s;
  END IF;
END
`, table, s.literal(s.constraintName("verdict"))))}
}

// postgresConstraintCheck returns SQL that fails if the user's table has the constraint. It accepts that there is no such
// table, because limits may be replaced for a view whose table has been renamed.
func postgresConstraintCheck(s *sqlFile) []string {
	return []string{"DO " + postgresDollarLiteral(fmt.Sprintf(`
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute AS a JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = to_regclass(%s) AND a.attname = 'box_code' AND a.attgenerated <> ''
      AND strpos(pg_get_expr(d.adbin, d.adrelid), quote_ident(%s) || '(') > 0
  ) THEN
    RAISE EXCEPTION '%s';
  END IF;
END
`, s.literal(s.schemaPrefix+s.quotedTable), s.literal(s.constraintName("verdict")), limitsForConstraint))}
}

// mariaConstraint returns statements that add a column whose value is set by triggers. In MariaDB, it cannot
// be a generated column, because a generated column cannot use another table. The triggers overwrite any
// value that a statement gives to the column.
func mariaConstraint(s *sqlFile) []string {
	table := s.schemaPrefix + s.quotedTable
	statements := append([]string{"ALTER TABLE " + table + " ADD COLUMN IF NOT EXISTS box_code VARCHAR(48) " +
		"CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' INVISIBLE COMMENT 'by boxrules'"}, s.constraintProfiles()...)
	verdict := "(" + s.verdictQuery("NEW.", s.schemaPrefix+s.constraintIdentifier("profiles")) + ")"
	// An UPDATE of other columns keeps the code, so that it succeeds even if new limits have made the box invalid.
	same := []string{"OLD.box_code = 'valid'"}
	for _, column := range []string{"article", "material"} {
		same = append(same, s.exactCodeSQL("NEW."+column)+" <=> "+s.exactCodeSQL("OLD."+column))
	}
	for _, column := range exact.AxisNames() {
		same = append(same, "NEW."+column+" <=> OLD."+column)
	}
	for _, event := range []struct{ name, code string }{
		{"INSERT", verdict}, {"UPDATE", fmt.Sprintf("IF(%s,\n'valid', %s)", strings.Join(same, "\n  AND "), verdict)},
	} {
		name := s.schemaPrefix + s.constraintIdentifier(strings.ToLower(event.name))
		statements = append(statements, "DROP TRIGGER IF EXISTS "+name,
			fmt.Sprintf("CREATE TRIGGER %s BEFORE %s ON %s FOR EACH ROW\nSET NEW.box_code = %s", name, event.name, table, event.code))
	}
	// Let the UPDATE trigger compute the code of rows that were in the table before the column was added. Codes other
	// than valid were computed when the database refused the CHECKs, and the limits may have changed since.
	return append(statements, fmt.Sprintf("UPDATE %s SET box_code = '' WHERE box_code <> 'valid'", table))
}

// mariaConstraintColumnCheck returns SQL that fails if the user's table has a box_code column of its own. A box_code
// column that was added by an earlier generated file is accepted. It can be recognized by its comment, "by boxrules".
func mariaConstraintColumnCheck(s *sqlFile) []string {
	return mariaSignal("the table has a column box_code that this constraint did not add; rename that column",
		"COUNT(*) = 0", fmt.Sprintf("information_schema.columns\n"+
			"  WHERE table_schema = %s AND table_name = %s AND column_name = 'box_code' AND column_comment <> 'by boxrules'",
			s.mariaSchema(), s.literal(s.table)))
}

// mariaConstraintCheck returns SQL that fails if the user's table has the constraint. If the database refused the
// CHECKs, the table has only a column and triggers, and the SQL succeeds.
func mariaConstraintCheck(s *sqlFile) []string {
	return mariaSignal(limitsForConstraint, "COUNT(*) = 0", fmt.Sprintf("information_schema.check_constraints\n"+
		"  WHERE constraint_schema = %s AND table_name = %s AND constraint_name = 'not_a_box' AND check_clause LIKE '%%box_code%%'",
		s.mariaSchema(), s.literal(s.table)))
}

// mariaSchema returns SQL for the name of the user's schema.
func (s *sqlFile) mariaSchema() string {
	// schemaPrefix is a quoted name and a dot. For the schema my`shop, it is `my``shop`. and the literal is
	// 'my`shop'.
	if inner, ok := strings.CutSuffix(s.schemaPrefix, "`."); ok {
		return s.literal(strings.ReplaceAll(inner[1:], "``", "`"))
	}
	return "DATABASE()"
}

// sqliteConstraint returns statements that create triggers, because in SQLite a CHECK cannot use another
// table. The triggers run after the row is written, when no other trigger can change it. In a trigger, a name
// without a schema refers to the trigger's own schema.
func sqliteConstraint(s *sqlFile) []string {
	// RAISE aborts the statement, with the code as its message. Errors such as error:width reach the ELSE below.
	outcomes := "    WHEN 'valid' THEN 0\n"
	for _, code := range s.codes {
		outcomes += fmt.Sprintf("    WHEN '%s' THEN RAISE(ABORT, '%[1]s')\n", code)
	}
	statements := s.constraintProfiles()
	for _, event := range []struct{ name, columns string }{
		{"INSERT", ""}, {"UPDATE", " OF article, material, width, depth, height"},
	} {
		name := s.schemaPrefix + s.constraintIdentifier(strings.ToLower(event.name))
		statements = append(statements, "DROP TRIGGER IF EXISTS "+name,
			fmt.Sprintf("CREATE TRIGGER %s AFTER %s%s ON %s\nBEGIN\n  SELECT CASE (%s)\n%s    ELSE RAISE(ABORT, 'not_a_box')\n  END;\nEND",
				name, event.name, event.columns, s.quotedTable, s.verdictQuery("NEW.", s.constraintIdentifier("profiles")), outcomes))
	}
	return statements
}

// sqliteConstraintCheck returns SQL that fails if the user's table has the constraint. Like sqliteViewCheck, it rolls the
// whole transaction back.
func sqliteConstraintCheck(s *sqlFile) []string {
	return []string{
		fmt.Sprintf(`CREATE TEMP TABLE boxrules_triggers (n INTEGER, CONSTRAINT "%s" CHECK (n = 0))`, limitsForConstraint),
		fmt.Sprintf("INSERT OR ROLLBACK INTO temp.boxrules_triggers SELECT count(*) FROM %ssqlite_master\n"+
			"WHERE type = 'trigger' AND name = %s COLLATE NOCASE", s.schemaPrefix, s.literal(s.constraintName("insert"))),
		"DROP TABLE temp.boxrules_triggers",
	}
}
