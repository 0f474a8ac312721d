package codegen

import (
	"fmt"
	"strings"

	"example.com/boxrules"
)

// checkLimitsOnly returns an error if SQLOptions.LimitsOnly does not work with the dialect or with another
// option.
func (d *dialect) checkLimitsOnly(o SQLOptions) error {
	message := ""
	switch {
	case o.Constraint:
		message = "cannot be combined with constraint, because the constraint itself contains the limits; load the whole file"
	case d.replaceLimits == nil:
		message = fmt.Sprintf("%s cannot replace only the limits; load the whole file; accepted: the dialects %s",
			d.name, strings.Join(SQLDialectsWithLimitsOnly(), ", "))
	default:
		return nil
	}
	return &boxrules.OptionError{Option: "limits-only", Message: message}
}

// limitsForOtherView is the error message if the view in the database is not the view for which the limits were
// generated.
const limitsForOtherView = "these limits need a different view box_verdicts; load the whole file, generated without --limits-only"

// replaceLimitsInTransaction returns statements that replace the rows of box_profiles within a transaction. If the
// database has a different view, an earlier statement fails. Even if the program that reads the file continues after
// that error, the DELETE finds no rows, so the old limits stay in place.
func (s *sqlFile) replaceLimitsInTransaction() []string {
	name := s.schemaPrefix + "box_profiles"
	return append([]string{fmt.Sprintf("DELETE FROM %s WHERE %s", name, s.limitsFitViewSQL())}, s.insertProfiles(name)...)
}

// postgresReplaceLimits returns statements that lock the table before the limits are replaced. Other generated
// files that replace limits wait for the lock; queries do not.
func postgresReplaceLimits(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	return append([]string{
		fmt.Sprintf("LOCK TABLE %s IN EXCLUSIVE MODE", name),
		"DO " + postgresDollarLiteral(fmt.Sprintf(`
BEGIN
  IF NOT EXISTS (SELECT FROM %s WHERE %s) THEN
    RAISE EXCEPTION '%s';
  END IF;
END
`, name, s.limitsFitViewSQL(), limitsForOtherView)),
	}, s.replaceLimitsInTransaction()...)
}

// duckdbReplaceLimits returns statements that replace the limits. They check the view with CREATE TABLE AS, which
// prints nothing, unlike SELECT.
func duckdbReplaceLimits(s *sqlFile) []string {
	return append([]string{
		fmt.Sprintf("CREATE TEMP TABLE boxrules_view AS SELECT CASE WHEN count(*) = 0 THEN error('%s') END AS message\n"+
			"FROM %sbox_profiles WHERE %s", limitsForOtherView, s.schemaPrefix, s.limitsFitViewSQL()),
		"DROP TABLE temp.boxrules_view",
	}, s.replaceLimitsInTransaction()...)
}

// mariaReplaceLimits returns statements that replace the rows in a transaction. Because box_profiles is an
// InnoDB table, queries see its old rows until the transaction is committed.
func mariaReplaceLimits(s *sqlFile) []string {
	statements := append([]string{"START TRANSACTION"},
		mariaSignal(limitsForOtherView, "COUNT(*) > 0", s.schemaPrefix+"box_profiles WHERE "+s.limitsFitViewSQL())...)
	return append(append(statements, s.replaceLimitsInTransaction()...), "COMMIT")
}

// clickhouseReplaceLimits returns statements that fill a second table, swap it with box_profiles, and
// drop the old rows.
func clickhouseReplaceLimits(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	statements := append([]string{
		fmt.Sprintf("SELECT throwIf(count() = 0, '%s') FROM %s WHERE %s", limitsForOtherView, name, s.limitsFitViewSQL()),
		"DROP TABLE IF EXISTS " + name + "_new", s.createProfiles(name + "_new"),
	}, s.insertProfiles(name+"_new")...)
	return append(statements, fmt.Sprintf("EXCHANGE TABLES %s AND %[1]s_new", name), "DROP TABLE "+name+"_new")
}

// sqliteReplaceLimits returns statements that check the view twice. If the first check fails, a program that stops at
// the error rolls back the transaction. A program that continues reaches the second check, which itself rolls back the
// transaction if the first check failed, or if not all rows were inserted.
func sqliteReplaceLimits(s *sqlFile) []string {
	name := s.schemaPrefix + "box_profiles"
	statements := append([]string{
		fmt.Sprintf("CREATE TEMP TABLE boxrules_before AS SELECT max(view_hash) AS view_hash FROM %s", name),
		fmt.Sprintf(`CREATE TEMP TABLE boxrules_view (same INTEGER, CONSTRAINT "%s" CHECK (same))`, limitsForOtherView),
		fmt.Sprintf("INSERT INTO temp.boxrules_view SELECT count(*) FROM temp.boxrules_before WHERE %s", s.limitsFitViewSQL()),
	}, s.replaceLimitsInTransaction()...)
	return append(statements,
		fmt.Sprintf("INSERT OR ROLLBACK INTO temp.boxrules_view SELECT (SELECT count(*) FROM %s WHERE sha256 = '%s') = %d "+
			"AND EXISTS (SELECT 1 FROM temp.boxrules_before WHERE %s)", name, s.sha256, len(s.forms), s.limitsFitViewSQL()),
		"DROP TABLE temp.boxrules_view", "DROP TABLE temp.boxrules_before")
}
