package codegen_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

var anyWidths = regexp.MustCompile(`width: +\{min: [0-9.]+, max: [0-9.]+\}`)

// twoLimits returns engines with limits that disagree about a width of 5000 in every article: one refuses it by
// BOX_2101 and the other by BOX_2100. Both need the same view.
func twoLimits(t *testing.T) (narrow, wide *boxrules.Engine) {
	t.Helper()
	return boxrules.Default(), engine(t, rulesText(t), anyWidths.ReplaceAllString(limitsText(t), "width: {min: 6000, max: 7000}"))
}

// manyBoxes returns statements that create a table with a box in each profile.
func manyBoxes(e *boxrules.Engine, dialect string) string {
	create := createTable("boxes")
	if dialect == "clickhouse" {
		create = strings.Replace(create, ");\n", ") ENGINE = MergeTree ORDER BY article;\n", 1)
	}
	var rows []string
	for _, p := range e.Profiles() {
		rows = append(rows, fmt.Sprintf("('%s', '%s', 5000, 100, 100)", p.Article(), p.Material()))
	}
	return create + "INSERT INTO boxes VALUES " + strings.Join(rows, ", ") + ";\n"
}

const (
	askReload = "SELECT min(verdict), max(verdict), count(*) FROM box_verdicts;\n"
	reloads   = 20
	readers   = 4
	readsEach = 100
)

// TestSQLReload replaces the limits again and again, beside queries: in servers while four sessions make 400 queries, and in
// databases that run within a process after each statement, which is the same each time, so four reloads are enough there.
// Each query has to see one of the two limits in all rows.
func TestSQLReload(t *testing.T) {
	narrow, wide := twoLimits(t)
	n := len(narrow.Profiles())
	want := map[string]bool{
		fmt.Sprintf("BOX_2101\tBOX_2101\t%d", n): true, fmt.Sprintf("BOX_2100\tBOX_2100\t%d", n): true,
	}
	each(t, func(t *testing.T, d database) {
		first := manyBoxes(narrow, d.dialect) + sqlOf(t, narrow, codegen.SQLOptions{Dialect: d.dialect})
		var files []string
		var statements [][]string
		for i := range reloads {
			o, e := codegen.SQLOptions{Dialect: d.dialect, LimitsOnly: true}, wide
			if i%2 == 1 {
				e = narrow
			}
			files = append(files, sqlOf(t, e, o))
			list, err := codegen.SQLStatements(e, o)
			if err != nil {
				t.Fatal(err)
			}
			statements = append(statements, list)
		}
		var rows []string
		wantRows := readers * readsEach
		if d.dialect == "duckdb" || d.dialect == "clickhouse" { // which run within a process
			rows = readsBetween(t, d.dialect, first, statements[:4])
			wantRows = 4 * len(statements[0])
		} else {
			rows = readsBeside(t, d, first, files)
		}
		count := make(map[string]int)
		for _, row := range rows {
			count[row]++
		}
		for row := range count {
			if !want[row] {
				t.Errorf("%d of %d queries saw %q, want one of %v", count[row], len(rows), row, want)
			}
		}
		if len(rows) < wantRows {
			t.Errorf("only %d queries were answered, want %d", len(rows), wantRows)
		}
		t.Logf("%d queries", len(rows))
	}, "sqlite", "duckdb", "postgres", "mariadb", "clickhouse")
}

// readsBetween asks after each statement of each file.
func readsBetween(t *testing.T, engine, first string, files [][]string) []string {
	t.Helper()
	var load []string
	for statement := range strings.SplitSeq(first, ";\n") {
		if strings.TrimSpace(statement) != "" {
			load = append(load, statement)
		}
	}
	place := filepath.Join(t.TempDir(), "db")
	if _, err := runs(strings.Join(load, ";\n")+";\n"+askReload, "node",
		engineFolder+map[string]string{"duckdb": "duckdb.mjs", "clickhouse": "chdb.mjs"}[engine], place); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]any{"files": files, "query": strings.TrimSuffix(askReload, ";\n")})
	if err != nil {
		t.Fatal(err)
	}
	out, err := runs(string(input), "node", engineFolder+"interleave.mjs", engine, place)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// readsBeside asks in several sessions until all files have been loaded by another.
func readsBeside(t *testing.T, d database, first string, files []string) (rows []string) {
	t.Helper()
	run := d.start(t)
	wait := "" // SQLite reports a lock at once if it has no timeout
	if d.dialect == "sqlite" {
		wait = ".timeout 60000\n"
	}
	do(t, run, first)
	var loaded atomic.Bool
	answers, failed := make(chan string, readers), make(chan error, readers)
	for range readers {
		go func() {
			var all strings.Builder
			for n := 0; n < readsEach || !loaded.Load(); n += 10 {
				out, err := run(wait + strings.Repeat(askReload, 10))
				if err != nil {
					failed <- err
					answers <- ""
					return
				}
				all.WriteString(out)
			}
			answers <- all.String()
		}()
	}
	for _, file := range files {
		if _, err := run(wait + file); err != nil {
			t.Errorf("a reload fails: %v", err)
		}
	}
	loaded.Store(true)
	for range readers {
		for line := range strings.Lines(<-answers) {
			rows = append(rows, strings.TrimSuffix(line, "\n"))
		}
	}
	close(failed)
	for err := range failed {
		t.Errorf("a query fails beside the reloads: %v", err)
	}
	return rows
}

// TestSQLLimitsOnly replaces limits, refuses limits that need another view, and lists the rows that were judged
// by older limits as docs/lists.md does.
func TestSQLLimitsOnly(t *testing.T) {
	narrow, wide := twoLimits(t)
	// The rules have another number in a condition, so the view is another one, and the columns are the same.
	other := engine(t, strings.ReplaceAll(rulesText(t), "498.25", "498"), limitsText(t))
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		limitsOnly := func(e *boxrules.Engine) string {
			return sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, LimitsOnly: true})
		}
		verdicts := func(want string) {
			t.Helper()
			if got := do(t, run, askReload); !strings.HasPrefix(got, want+"\t"+want+"\t") {
				t.Errorf("the verdicts are %q, want all %s", got, want)
			}
		}
		if _, err := run(limitsOnly(wide)); err == nil {
			t.Error("limits are loaded without box_profiles")
		}
		do(t, run, manyBoxes(narrow, d.dialect)+sqlOf(t, narrow, codegen.SQLOptions{Dialect: d.dialect}))
		for _, e := range []*boxrules.Engine{other, small(t)} {
			if _, err := run(limitsOnly(e)); err == nil || !strings.Contains(err.Error(), "these limits need a different view box_verdicts; load the whole file") {
				t.Errorf("error %v, want one that says to load the whole file", err)
			}
			verdicts("BOX_2101")
		}
		judged := "CREATE TABLE judged AS SELECT article, verdict, (SELECT min(sha256) FROM box_profiles) AS sha256 FROM box_verdicts;\n"
		if d.dialect == "clickhouse" {
			judged = strings.Replace(judged, " AS SELECT", " ENGINE = MergeTree ORDER BY tuple() AS SELECT", 1)
		}
		older := "SELECT count(*) FROM judged WHERE sha256 <> (SELECT min(sha256) FROM box_profiles);\n"
		do(t, run, judged)
		for _, step := range []struct {
			engine  *boxrules.Engine
			verdict string
			older   bool
		}{{narrow, "BOX_2101", false}, {wide, "BOX_2100", true}, {narrow, "BOX_2101", false}} {
			do(t, run, limitsOnly(step.engine))
			verdicts(step.verdict)
			if got := strings.TrimSpace(do(t, run, older)); (got != "0") != step.older {
				t.Errorf("%s rows were judged by other limits, want some: %v", got, step.older)
			}
		}
	}, "sqlite", "duckdb", "postgres", "mariadb", "clickhouse")
}

// TestSQLLimitsOnlyGoingOn has a sqlite3 that goes on after an error, as it does without -bail: the limits stay.
func TestSQLLimitsOnlyGoingOn(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		load := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect})
		limitsOnly := sqlOf(t, small(t), codegen.SQLOptions{Dialect: d.dialect, LimitsOnly: true})
		ask := "SELECT count(*), min(article), max(article), min(sha256) FROM box_profiles;\n"
		for _, change := range []string{"", "ALTER TABLE box_profiles DROP COLUMN view_hash;\n", "ALTER TABLE box_profiles ADD COLUMN own TEXT;\n"} {
			before := do(t, run, createTable("IF NOT EXISTS boxes")+load+change+ask)
			if _, err := run(".bail off\n" + limitsOnly); err == nil {
				t.Errorf("after %q the limits are not refused", change)
			}
			if after := do(t, run, ask); after != before {
				t.Errorf("after %q box_profiles has %q, want %q", change, after, before)
			}
		}
	}, "sqlite")
}

// TestSQLHash says what the hash in box_profiles depends on.
func TestSQLHash(t *testing.T) {
	hash := func(e *boxrules.Engine, dialect string) string {
		return regexp.MustCompile(`'[0-9a-f]{64}'`).FindString(sqlOf(t, e, codegen.SQLOptions{Dialect: dialect}))
	}
	e := boxrules.Default()
	want := hash(e, "ansi")
	if len(want) != 66 {
		t.Fatalf("the hash is %q", want)
	}
	dialects, _ := codegen.SQLDialects()
	for _, dialect := range dialects {
		if got := hash(e, dialect); got != want {
			t.Errorf("%s: the hash is %s, want %s as in ansi", dialect, got, want)
		}
	}
	if got := hash(engine(t, rulesText(t), "# a comment\n"+limitsText(t)), "ansi"); got != want {
		t.Error("a comment changes the hash")
	}
	narrow, wide := twoLimits(t)
	others := map[string]*boxrules.Engine{
		"another limit":    wide,
		"another number":   engine(t, strings.ReplaceAll(rulesText(t), "498.25", "498"), limitsText(t)),
		"fewer decimals":   engine(t, rulesText(t), limitsText(t)+"decimals: 1\n"),
		"another material": engine(t, rulesText(t), strings.ReplaceAll(limitsText(t), "carton-300", "carton-305")),
	}
	for name, other := range others {
		if hash(other, "ansi") == want {
			t.Errorf("%s does not change the hash", name)
		}
	}
	if hash(narrow, "ansi") != want {
		t.Error("the same limits have another hash")
	}
}
