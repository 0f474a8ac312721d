package codegen

import (
	"fmt"
	"strings"

	"example.com/boxrules"
)

// checkLimitsOnly returns an error if the dialect or another option does not go with SQLOptions.LimitsOnly.
func (d *dialect) checkLimitsOnly(o SQLOptions) error {
	message := ""
	switch {
	case o.Constraint:
		message = "the constraint has limits of its own, so load the whole file; accepted: either limits-only or constraint"
	case d.replaceRows == nil:
		message = fmt.Sprintf("%s does not support it, so load the whole file; accepted: the dialects %s",
			d.name, strings.Join(SQLDialectsWithLimitsOnly(), ", "))
	default:
		return nil
	}
	return &boxrules.OptionError{Option: "limits-only", Message: message}
}

// otherView is the error for a database whose view is not the one that the rows are for.
const otherView = "these limits are for another view box_verdicts; load the whole file, generated without --limits-only"

// isThisView returns a condition on rows of box_profiles, which is true for those that belong to the view.
func (s *sqlFile) isThisView() string { return fmt.Sprintf("view_hash = '%s'", s.viewHash) }

// deleteAndInsert returns statements that replace the rows of box_profiles within a transaction. If the view is
// another one, the DELETE finds no rows. That keeps the old limits even if the program that reads the file goes
// on after the error.
func (s *sqlFile) deleteAndInsert() []string {
	name := s.schemaPrefix + "box_profiles"
	return append([]string{fmt.Sprintf("DELETE FROM %s WHERE %s", name, s.isThisView())}, s.insertProfiles(name)...)
}

// postgresReplaceRows locks the table against other files like this one, but not against queries.
func postgresReplaceRows(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	return append([]string{
		fmt.Sprintf("LOCK TABLE %s IN EXCLUSIVE MODE", name),
		"DO " + dollarQuoted(fmt.Sprintf(`
BEGIN
  IF NOT EXISTS (SELECT FROM %s WHERE %s) THEN
    RAISE EXCEPTION '%s';
  END IF;
END
`, name, s.isThisView(), otherView)),
	}, s.deleteAndInsert()...)
}

// duckdbReplaceRows tests the view by CREATE TABLE AS, which prints nothing.
func duckdbReplaceRows(s *sqlFile) []string {
	return append([]string{
		fmt.Sprintf("CREATE TEMP TABLE boxrules_view AS SELECT CASE WHEN count(*) = 0 THEN error('%s') END AS message\n"+
			"FROM %sbox_profiles WHERE %s", otherView, s.schemaPrefix, s.isThisView()),
		"DROP TABLE temp.boxrules_view",
	}, s.deleteAndInsert()...)
}

// mariaReplaceRows starts a transaction. The table is one of InnoDB, whose readers see it as it was before the
// transaction until that is committed.
func mariaReplaceRows(s *sqlFile) []string {
	statements := append([]string{"START TRANSACTION"},
		mariaSignal(otherView, "COUNT(*) > 0", s.schemaPrefix+"box_profiles WHERE "+s.isThisView())...)
	return append(append(statements, s.deleteAndInsert()...), "COMMIT")
}

// clickhouseReplaceRows fills a second table and exchanges it with box_profiles.
func clickhouseReplaceRows(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	statements := append([]string{
		fmt.Sprintf("SELECT throwIf(count() = 0, '%s') FROM %s WHERE %s", otherView, name, s.isThisView()),
		"DROP TABLE IF EXISTS " + name + "_new", s.createProfiles(name + "_new"),
	}, s.insertProfiles(name+"_new")...)
	return append(statements, fmt.Sprintf("EXCHANGE TABLES %s AND %[1]s_new", name), "DROP TABLE "+name+"_new")
}

// sqliteReplaceRows tests the view twice. The first test fails at once, and a program that stops there rolls
// back the transaction. The second one is for a program that goes on: it rolls back the transaction itself, if the
// view was another one at the beginning or if not all rows have been inserted.
func sqliteReplaceRows(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	statements := append([]string{
		fmt.Sprintf("CREATE TEMP TABLE boxrules_before AS SELECT max(view_hash) AS view_hash FROM %s", name),
		fmt.Sprintf(`CREATE TEMP TABLE boxrules_view (same INTEGER, CONSTRAINT "%s" CHECK (same))`, otherView),
		fmt.Sprintf("INSERT INTO temp.boxrules_view SELECT count(*) FROM temp.boxrules_before WHERE %s", s.isThisView()),
	}, s.deleteAndInsert()...)
	return append(statements,
		fmt.Sprintf("INSERT OR ROLLBACK INTO temp.boxrules_view SELECT (SELECT count(*) FROM %s WHERE sha256 = '%s') = %d "+
			"AND EXISTS (SELECT 1 FROM temp.boxrules_before WHERE %s)", name, s.sha256, len(s.forms), s.isThisView()),
		"DROP TABLE temp.boxrules_view", "DROP TABLE temp.boxrules_before")
}
