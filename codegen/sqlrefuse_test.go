package codegen_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// TestSQLRefuses has tables with columns that the view or the constraint has to itself. Read,
// such a column would be an old verdict, or a number that is no grid point.
func TestSQLRefuses(t *testing.T) {
	ours := []string{"verdict already", "boxrules_w already", "boxrules_d already", "boxrules_h already"}
	engines := map[string]struct {
		refused    []string // parts of the errors for verdict, boxrules_w, boxrules_d and boxrules_h, as far as refused
		anyCase    bool     // whether Verdict is the same name
		constraint string   // part of the error for box_code with a constraint; empty where there is none that uses it
	}{
		"sqlite":     {ours[:1], true, ""},
		"duckdb":     {ours, true, ""},
		"clickhouse": {ours, false, ""},
		"postgres":   {[]string{`column "verdict" specified more than once`}, false, "has a column box_code that is not of its constraint"},
		"ansi":       {[]string{`column "verdict" specified more than once`}, false, ""},
		"mariadb":    {[]string{"Duplicate column name 'verdict'"}, true, "has a column box_code that is not of its constraint"},
		"spark":      {[]string{"The column `verdict` already exists"}, true, ""},
	}
	names := []string{"verdict", "boxrules_w", "boxrules_d", "boxrules_h"}
	each(t, func(t *testing.T, d database) {
		engine := engines[d.dialect]
		for i, want := range engine.refused {
			refusesColumn(t, d, names[i], want, false)
		}
		if other := "Verdict"; engine.anyCase {
			refusesColumn(t, d, other, "erdict", false)
		} else {
			refusesColumn(t, d, other, "", false)
		}
		if engine.constraint != "" {
			refusesColumn(t, d, "box_code", engine.constraint, true)
			refusesColumn(t, d, "box_code", "", false)
		}
	})
}

// refusesColumn loads the SQL over a table with the column. With no error wanted, the view has to
// be right.
func refusesColumn(t *testing.T, d database, name, want string, constraint bool) {
	t.Helper()
	quote := map[string]string{"clickhouse": "`", "mariadb": "`", "spark": "`"}[d.dialect]
	if quote == "" {
		quote = `"`
	}
	table := fmt.Sprintf("CREATE TABLE boxes (article VARCHAR(20), material VARCHAR(20), width INTEGER, depth INTEGER, height INTEGER, "+
		"%s%s%[1]s INTEGER)", quote, name)
	if d.dialect == "clickhouse" {
		table += " ENGINE = MergeTree ORDER BY article"
	}
	insert := "INSERT INTO boxes VALUES ('tuck-end', 'carton-300', 120, 60, 180, 7);\n"
	run := d.start(t)
	o := codegen.SQLOptions{Dialect: d.dialect, Constraint: constraint, Articles: []string{"tuck-end"}}
	sql := sqlOf(t, boxrules.Default(), o)
	_, err := run(table + ";\n" + insert + sql)
	if want == "" {
		if err != nil {
			t.Errorf("a table with a column %s: %v", name, err)
		} else if got := do(t, run, "SELECT verdict FROM box_verdicts;\n"); got != "valid\n" {
			t.Errorf("a table with a column %s: verdict %q, want valid", name, got)
		}
		return
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a table with a column %s: error %v, want one with %q", name, err, want)
	}
	if out, err := run("SELECT verdict FROM box_verdicts;\n"); err == nil && !constraint {
		t.Errorf("a table with a column %s: after the error there is a view, which says %q", name, out)
	}
}

// TestSQLRefusesGoingOn has a sqlite3 that goes on after an error, as it does without -bail: it
// makes no view either. The column is a generated one, which not every list of columns has.
func TestSQLRefusesGoingOn(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		do(t, run, "CREATE TABLE boxes (article TEXT, material TEXT, width REAL, depth REAL, height REAL, VERDICT TEXT AS ('valid'));\n")
		sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect, Table: "main.boxes"})
		if _, err := run(".bail off\n" + sql); err == nil || !strings.Contains(err.Error(), "verdict already") {
			t.Errorf("error %v, want one with %q", err, "verdict already")
		}
		if got := do(t, run, "SELECT name FROM sqlite_master;\n"); got != "boxes\n" {
			t.Errorf("after the error there are %q, want boxes alone", got)
		}
	}, "sqlite")
}
