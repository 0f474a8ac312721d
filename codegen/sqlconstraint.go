package codegen

import (
	"fmt"
	"strings"

	"example.com/boxrules/exact"
)

// codes are those of the rules, in check order.
func (f *sqlFile) codes() (codes []string) {
	for _, r := range f.rules {
		codes = append(codes, r.code)
	}
	return codes
}

// checks has the table's column box_code say valid, by a CHECK for each code that is named like it.
func (f *sqlFile) checks() string {
	names, conditions := []string{"not_a_box"}, []string{"box_code IS NOT NULL AND box_code NOT LIKE 'error:%'"}
	for _, code := range f.codes() {
		names, conditions = append(names, code), append(conditions, "box_code <> '"+code+"'")
	}
	var drops, adds []string
	for i, name := range names {
		drops = append(drops, "DROP CONSTRAINT IF EXISTS "+f.identifier(name))
		adds = append(adds, fmt.Sprintf("ADD CONSTRAINT %s CHECK (%s)", f.identifier(name), conditions[i]))
	}
	return fmt.Sprintf("ALTER TABLE %s\n  %s;\nALTER TABLE %[1]s\n  %[3]s;\n\n", f.schema+f.boxes, strings.Join(drops, ",\n  "), strings.Join(adds, ",\n  "))
}

// postgresConstraint is a generated column. Its function holds the profiles, as PostgreSQL asks of it that nothing but its
// arguments decide: so a dump can be restored in any order.
func postgresConstraint(f *sqlFile) string {
	var keys, articles, rows []string
	for row, key := range f.keys {
		keys = append(keys, f.literal(key.article)+` || E'\n' || `+f.literal(key.material)) // neither has a line break
		articles = append(articles, f.literal(key.article))
		var values []string
		for _, c := range f.columns {
			values = append(values, fmt.Sprint(c.values[row]))
		}
		rows = append(rows, strings.Join(values, ","))
	}
	names := sqlNames{func(at int) string { return fmt.Sprintf("p[%d]", at+1) }, [exact.Axes]string{"w", "d", "h"}}
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
`, strings.Join(keys, ", "), profile, f.grid("width"), f.grid("depth"), f.grid("height"), strings.Join(articles, ", "), f.cases(names))
	quote := "$boxrules$"
	for i := 1; strings.Contains(body, quote); i++ {
		quote = fmt.Sprintf("$boxrules%d$", i)
	}
	return fmt.Sprintf(`CREATE OR REPLACE FUNCTION %sbox_verdict(
  article text, material text, width double precision, depth double precision, height double precision
) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS %s%s%[2]s;

ALTER TABLE %[4]s ADD COLUMN IF NOT EXISTS box_code text GENERATED ALWAYS AS (%[1]sbox_verdict(
  CAST(article AS text), CAST(material AS text), CAST(width AS double precision), CAST(depth AS double precision),
  CAST(height AS double precision)
)) STORED;
`, f.schema, quote, body, f.schema+f.boxes) + f.checks()
}

// trigger is the name of a trigger, which is the table's own: a second table with a constraint has others.
func (f *sqlFile) trigger(event string) string {
	return f.schema + f.identifier(f.table+"_box_"+strings.ToLower(event))
}

// mariaConstraint is a column that a trigger fills, whatever is written to it: no generated column can ask another table.
func mariaConstraint(f *sqlFile) string {
	var b strings.Builder
	table := f.schema + f.boxes
	fmt.Fprintf(&b, "ALTER TABLE %s ADD COLUMN IF NOT EXISTS box_code VARCHAR(48) CHARACTER SET ascii COLLATE ascii_bin "+
		"NOT NULL DEFAULT '' INVISIBLE;\n\n", table)
	for _, event := range []string{"INSERT", "UPDATE"} {
		name := f.trigger(event)
		fmt.Fprintf(&b, "DROP TRIGGER IF EXISTS %s;\nCREATE TRIGGER %[1]s BEFORE %s ON %s FOR EACH ROW\nSET NEW.box_code = (%s);\n\n",
			name, event, table, f.query("NEW.", f.schema+"box_profiles"))
	}
	fmt.Fprintf(&b, "UPDATE %s SET box_code = '' WHERE box_code = '';\n\n", table)
	return b.String() + f.checks()
}

// sqliteConstraint are triggers, as a CHECK can ask no other table. They come after what is written, so that nothing changes
// it any more. What they name is in their own schema.
func sqliteConstraint(f *sqlFile) string {
	refuse := "    WHEN 'valid' THEN 0\n"
	for _, code := range f.codes() {
		refuse += fmt.Sprintf("    WHEN '%s' THEN RAISE(ABORT, '%[1]s')\n", code)
	}
	var b strings.Builder
	for _, event := range []struct{ name, of string }{{"INSERT", ""}, {"UPDATE", " OF article, material, width, depth, height"}} {
		fmt.Fprintf(&b, "DROP TRIGGER IF EXISTS %s;\nCREATE TRIGGER %[1]s AFTER %s%s ON %s\nBEGIN\n"+
			"  SELECT CASE (%s)\n%s    ELSE RAISE(ABORT, 'not_a_box')\n  END;\nEND;\n\n",
			f.trigger(event.name), event.name, event.of, f.boxes, f.query("NEW.", "box_profiles"), refuse)
	}
	return b.String()
}
