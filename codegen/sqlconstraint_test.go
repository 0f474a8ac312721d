package codegen_test

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/lab"
)

// samples returns some rows for each verdict.
func samples(t *testing.T, e *boxrules.Engine, each int, special bool) (rows []row) {
	t.Helper()
	count := make(map[string]int)
	for _, r := range drawRows(t, e, 50_000, 3, special) {
		if count[r.want]++; count[r.want] <= each {
			rows = append(rows, r)
		}
	}
	if want := len(e.Rules().Rules()) + 1 + 5; len(count) != want {
		t.Fatalf("the boxes have %d different verdicts, want %d: %v", len(count), want, count)
	}
	return rows
}

// values returns the values of a row as SQL, in the order article, material, width, depth, height.
func values(r row) (list []any) {
	for _, s := range []*string{r.article, r.material} {
		if s == nil {
			list = append(list, "NULL")
		} else {
			list = append(list, "'"+*s+"'")
		}
	}
	for _, x := range r.dims {
		switch {
		case x == nil:
			list = append(list, "NULL")
		case math.IsNaN(*x) || math.IsInf(*x, 0):
			list = append(list, fmt.Sprintf("CAST('%v' AS DOUBLE PRECISION)", *x))
		case math.Abs(*x) > 1e6 || *x == math.Trunc(*x):
			list = append(list, strconv.FormatFloat(*x, 'e', -1, 64))
		default: // as fillSQLite does; the constant has no decimals to be read wrongly or as a DECIMAL
			f := new(big.Rat).SetFloat64(*x)
			list = append(list, fmt.Sprintf("(%se0/%se0)", f.Num(), f.Denom()))
		}
	}
	return list
}

// refused reports whether the statements fail with an error that names the verdict of the row.
func refused(t *testing.T, run session, r row, statement string, values ...any) {
	t.Helper()
	_, err := run(fmt.Sprintf(statement, values...))
	name := r.want
	if strings.HasPrefix(name, "error:") {
		name = "not_a_box"
	}
	switch {
	case name == "valid" && err != nil:
		t.Errorf("%.80s: %v: %v, want it accepted", statement, values, err)
	case name != "valid" && (err == nil || !strings.Contains(err.Error(), name)):
		t.Errorf("%.80s: %v: error %v, want one that names %s", statement, values, err, name)
	}
}

// TestSQLConstraint says that tables refuse every box that is not valid, and accept all others.
func TestSQLConstraint(t *testing.T) {
	e := boxrules.Default()
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		sql := sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, Constraint: true})
		create := "CREATE TABLE boxes (sku VARCHAR(20) PRIMARY KEY, article VARCHAR(200), material VARCHAR(200), width DOUBLE PRECISION, " +
			"depth DOUBLE PRECISION, height DOUBLE PRECISION);\n"
		first := "INSERT INTO boxes VALUES ('first', 'tuck-end', 'carton-300', 120, 60, 180);\n"
		do(t, run, create+first+sql+sql)
		rows := samples(t, e, lab.Draws(1, 2), d.special)
		accepted := 1
		for i, r := range rows {
			v := values(r)
			insert := append([]any{i}, v...)
			refused(t, run, r, "INSERT INTO boxes (sku, article, material, width, depth, height) VALUES ('row %d', %s, %s, %s, %s, %s);", insert...)
			if r.want == "valid" {
				accepted++
				continue
			}
			refused(t, run, r, "UPDATE boxes SET article = %s, material = %s, width = %s, depth = %s, height = %s WHERE sku = 'first';", v...)
			refused(t, run, r, map[string]string{
				"sqlite":   "INSERT OR IGNORE INTO boxes VALUES ('other', %s, %s, %s, %s, %s);",
				"mariadb":  "INSERT INTO boxes (article, material, width, depth, height, sku, box_code) VALUES (%s, %s, %s, %s, %s, 'other', 'valid');",
				"postgres": "INSERT INTO boxes VALUES ('first', %s, %s, %s, %s, %s) ON CONFLICT (sku) DO UPDATE SET width = excluded.width;",
			}[d.dialect], v...)
		}
		do(t, run, "UPDATE boxes SET sku = 'renamed', width = 121 WHERE sku = 'first';\n")
		want := fmt.Sprintf("%d\t%[1]d\n", accepted)
		if got := do(t, run, "SELECT count(*), sum(CASE WHEN verdict = 'valid' THEN 1 ELSE 0 END) FROM box_verdicts;\n"); got != want {
			t.Errorf("the table has %q boxes and valid ones, want %q", got, want)
		}

		// Stricter limits leave the boxes in the table, and the query in the file lists them.
		strict := engine(t, rulesText(t), strings.Replace(limitsText(t), "width:  {min: 20, max: 400}", "width:  {min: 20, max: 120}", 1))
		sql = sqlOf(t, strict, codegen.SQLOptions{Dialect: d.dialect, Constraint: true})
		do(t, run, sql)
		_, query, _ := strings.Cut(sql, "--     SELECT ")
		query, _, _ = strings.Cut(query, "\n")
		if got := do(t, run, "SELECT "+query+"\n"); !strings.HasPrefix(got, "renamed\t") || !strings.Contains(got, "BOX_2101\n") {
			t.Errorf("after stricter limits the old boxes are %q, want the one that is too wide", got)
		}
		do(t, run, "UPDATE boxes SET sku = 'again' WHERE sku = 'renamed';\nUPDATE boxes SET sku = 'renamed' WHERE sku = 'again';\n")
		if _, err := run("UPDATE boxes SET height = 181 WHERE sku = 'renamed';\n"); err == nil || !strings.Contains(err.Error(), "BOX_2101") {
			t.Errorf("an update of a box that stricter limits refuse: error %v, want BOX_2101", err)
		}
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLConstraintKept loads files without the constraint onto a table that has it, which has to change nothing.
func TestSQLConstraintKept(t *testing.T) {
	narrow, wide := twoLimits(t)
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		table := "it's" // a quote in the names
		if d.dialect == "postgres" {
			table = "public." + table
		}
		name := map[string]string{"sqlite": `"it's"`, "postgres": `"it's"`, "mariadb": "`it's`"}[d.dialect]
		o := codegen.SQLOptions{Dialect: d.dialect, Table: table, Constraint: true}
		box := "INSERT INTO " + name + " VALUES ('tuck-end', 'carton-300', 120, 60, 180);\n"
		do(t, run, createTable(name)+box+sqlOf(t, narrow, o))
		ask := "SELECT min(sha256) FROM box_profiles;\nSELECT verdict FROM box_verdicts;\n"
		want := do(t, run, ask)
		for _, limitsOnly := range []bool{true, false} {
			file := sqlOf(t, wide, codegen.SQLOptions{Dialect: d.dialect, Table: table, LimitsOnly: limitsOnly})
			if d.dialect == "sqlite" {
				file = ".bail off\n" + file // even a program that goes on after an error has to change nothing
			}
			if _, err := run(file); err == nil || !strings.Contains(err.Error(), "the constraint of the table would keep the old limits; load the whole file") {
				t.Errorf("limits only %v: error %v, want one about the constraint", limitsOnly, err)
			}
			if got := do(t, run, ask); got != want {
				t.Errorf("limits only %v: after the file was refused there are %q, want %q", limitsOnly, got, want)
			}
		}

		// As docs/lists.md says, a file without the constraint can be loaded after it is removed.
		triggers := "DROP TRIGGER IF EXISTS `it's_box_insert`; DROP TRIGGER IF EXISTS `it's_box_update`; "
		do(t, run, map[string]string{
			"sqlite":  triggers + "DROP TABLE IF EXISTS `it's_box_profiles`;\n",
			"mariadb": triggers + "ALTER TABLE `it's` DROP COLUMN IF EXISTS box_code; DROP TABLE IF EXISTS `it's_box_profiles`;\n",
			"postgres": `BEGIN; DROP VIEW IF EXISTS box_verdicts; ALTER TABLE "it's" DROP COLUMN IF EXISTS box_code; ` +
				`DROP FUNCTION IF EXISTS "it's_box_verdict"; COMMIT;` + "\n",
		}[d.dialect])
		o.Constraint = false
		do(t, run, sqlOf(t, wide, o)+box)
		o.LimitsOnly = true
		do(t, run, sqlOf(t, narrow, o))
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLConstraintOnBadRows says that boxes that are there already are not passed over:
// PostgreSQL and MariaDB refuse the constraint until the boxes can be made, and SQLite, which has none to check, lists them.
func TestSQLConstraintOnBadRows(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		do(t, run, createTable("boxes")+"INSERT INTO boxes VALUES ('tuck-end', 'carton-300', 48, 141, 184);\n")
		sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect, Constraint: true})
		_, err := run(sql)
		if d.dialect == "sqlite" {
			if got := do(t, run, "SELECT verdict FROM box_verdicts WHERE verdict <> 'valid';\n"); err != nil || got != "BOX_3100\n" {
				t.Errorf("the old boxes are %q, error %v, want BOX_3100", got, err)
			}
			return
		}
		refusedWith := func(err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "BOX_3100") {
				t.Errorf("error %v, want one that names BOX_3100", err)
			}
		}
		refusedWith(err)

		// The view lists the boxes that are in the way, also after the constraint was refused.
		do(t, run, sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect}))
		_, err = run(sql)
		refusedWith(err)
		if got := do(t, run, "SELECT verdict FROM box_verdicts WHERE verdict <> 'valid';\n"); got != "BOX_3100\n" {
			t.Errorf("after the constraint was refused the view lists %q, want BOX_3100", got)
		}

		// Limits that accept these boxes let the same table have the constraint.
		lenient := engine(t, rulesText(t), strings.ReplaceAll(limitsText(t), "constraints: [BOX_3100]", "constraints: []"))
		do(t, run, sqlOf(t, lenient, codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLConstraintDecimals has tables refuse a dimension with too many decimals.
func TestSQLConstraintDecimals(t *testing.T) {
	e := engine(t, rulesText(t), limitsText(t)+"decimals: 1\n")
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		do(t, run, createTable("boxes")+sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
		for text, want := range map[string]string{"120.5": "valid", "120.1": "valid", "120.25": "error:width", "121.01": "error:width"} {
			refused(t, run, row{want: want}, "INSERT INTO boxes (article, material, width, depth, height) "+
				"VALUES ('tuck-end', 'carton-300', %s, 60, 180);", text)
		}
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLConstraintTwice has constraints on two tables beside each other, each with its own
// limits, whatever is loaded later.
func TestSQLConstraintTwice(t *testing.T) {
	narrow := engine(t, rulesText(t), strings.Replace(limitsText(t), "width:  {min: 20, max: 400}", "width:  {min: 20, max: 120}", 1))
	wide := boxrules.Default()
	long := strings.Repeat("x", 37) + strings.Repeat("ä", 7) + strings.Repeat("x", 9) // the cut would be inside a letter
	each(t, func(t *testing.T, d database) {
		quote := `"`
		if d.dialect == "mariadb" {
			quote = "`"
		}
		quoted := func(name string) string { return quote + strings.ReplaceAll(name, quote, quote+quote) + quote }
		odd := "it's `50%` \"$boxrules$\" "
		for _, names := range [][2]string{{"first", "second"}, {long + "1", long + "2"}, {odd + "1", odd + "2"}} {
			run := d.start(t)
			load := func(table string, e *boxrules.Engine, constraint bool) {
				do(t, run, sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, Table: table, Constraint: constraint}))
			}
			insert := func(table, want string) {
				t.Helper()
				refused(t, run, row{want: want}, "INSERT INTO %s VALUES ('tuck-end', 'carton-300', 121, 60, 180);", quoted(table))
			}
			do(t, run, createTable(quoted(names[0]))+createTable(quoted(names[1])))
			load(names[0], narrow, true)
			load(names[1], wide, true)
			insert(names[0], "BOX_2101")
			insert(names[1], "valid")
			load(names[1], narrow, true)
			load(names[0], wide, true)
			insert(names[0], "valid")
			insert(names[1], "BOX_2101")
		}
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLOwnColumn has tables with a column box_code of their own, which stay as they are.
func TestSQLOwnColumn(t *testing.T) {
	columns := map[string][]string{
		"postgres": {
			"text DEFAULT 'mine'", "text DEFAULT 'mine'; ALTER TABLE boxes ALTER COLUMN box_code DROP DEFAULT",
			"text GENERATED ALWAYS AS ('mine') STORED", "text GENERATED ALWAYS AS (other_box_verdict('mine')) STORED",
		},
		"mariadb": {"VARCHAR(20) DEFAULT 'mine'", "VARCHAR(20) DEFAULT 'mine' COMMENT 'ours'", "VARCHAR(20) AS ('mine') STORED"},
	}
	each(t, func(t *testing.T, d database) {
		for _, column := range columns[d.dialect] {
			run := d.start(t)
			if d.dialect == "postgres" {
				do(t, run, "CREATE FUNCTION other_box_verdict(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';\n")
			}
			do(t, run, createTable("boxes")+"INSERT INTO boxes VALUES ('tuck-end', 'carton-300', 120, 60, 180);\n"+
				"ALTER TABLE boxes ADD COLUMN box_code "+column+";\n"+
				sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect}))
			_, err := run(sqlOf(t, small(t), codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
			if err == nil || !strings.Contains(err.Error(), "has a column box_code that this constraint did not add; rename") {
				t.Errorf("box_code %s: error %v, want one about the column", column, err)
			}
			if got := do(t, run, "SELECT box_code, verdict FROM box_verdicts;\n"); got != "mine\tvalid\n" {
				t.Errorf("box_code %s: after the file was refused there are %q, want what was there before", column, got)
			}
		}
	}, "postgres", "mariadb")
}

// TestSQLConstraintAlike has profiles that no number tells from each other, so that there are no
// columns of numbers.
func TestSQLConstraintAlike(t *testing.T) {
	e := engine(t, "version: 1\nboundary:\n  - {code: A_0001, when: width < 10, message: m}\n", `
version: 1
unit: mm
sheets: {s: {width: 1, height: 1}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}, n: {caliper: 2, glue_flap: 1, sheet: s}}
articles:
  a: {width: {min: 1, max: 2}, depth: {min: 1, max: 2}, height: {min: 1, max: 2}, constraints: []}
`)
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		do(t, run, createTable("boxes")+sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
		for values, want := range map[string]string{
			"'a', 'm', 10, 1, 1": "valid", "'a', 'n', 10, 1, 1": "valid", "'a', 'n', 9, 1, 1": "A_0001", "'a', 'o', 10, 1, 1": "error:material",
		} {
			refused(t, run, row{want: want}, "INSERT INTO boxes VALUES (%s);", values)
		}
	}, "sqlite", "postgres", "mariadb")
}

// TestSQLConstraintNoArray: if no number tells the profiles from each other, the function of PostgreSQL has no array of
// numbers, which would have to be empty.
func TestSQLConstraintNoArray(t *testing.T) {
	o := codegen.SQLOptions{Dialect: "postgres", Constraint: true}
	if sql := sqlOf(t, withMaterial(t, "m"), o); strings.Contains(sql, "double precision[]") {
		t.Errorf("without numbers the file has an array of them:\n%s", sql)
	}
	if sql := sqlOf(t, small(t), o); !strings.Contains(sql, "double precision[]") {
		t.Error("with numbers the file has no array of them")
	}
}

// TestSQLConstraintName: a name of 63 bytes is kept, and a longer one, which PostgreSQL would truncate, is shortened.
func TestSQLConstraintName(t *testing.T) {
	names := regexp.MustCompile(`"([^"]*_box_verdict)"`)
	for _, length := range []int{1, 62, 63, 64, 200} {
		table := strings.Repeat("x", max(1, length-len("_box_verdict")))
		sql := sqlOf(t, small(t), codegen.SQLOptions{Dialect: "postgres", Table: table, Constraint: true})
		found := names.FindAllStringSubmatch(sql, -1)
		if len(found) < 2 {
			t.Fatalf("the file does not create the function and call it:\n%s", sql)
		}
		for _, match := range found {
			name := match[1]
			if len(name) > 63 || (name == table+"_box_verdict") != (length <= 63) {
				t.Errorf("the function for a table of %d bytes is called %s", len(table), name)
			}
		}
	}
}

// TestSQLDollarQuotes: the function of PostgreSQL is in a dollar-quoted literal, whose tag is an identifier and does not
// occur in the function, even if codes look like such tags.
func TestSQLDollarQuotes(t *testing.T) {
	tag := regexp.MustCompile(`IMMUTABLE PARALLEL SAFE AS (\$[a-z][a-z0-9]*\$)\n`)
	for _, code := range []string{"m", "$boxrules$", "$boxrules$boxrules1$", "$boxrules2$boxrules1$boxrules$boxrules0$"} {
		statements, err := codegen.SQLStatements(withMaterial(t, code), codegen.SQLOptions{Dialect: "postgres", Constraint: true})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(statements, func(s string) bool { return strings.HasPrefix(s, "CREATE OR REPLACE FUNCTION") })
		function := statements[i]
		match := tag.FindStringSubmatch(function)
		if match == nil || strings.Count(function, match[1]) != 2 || !strings.HasSuffix(function, match[1]) {
			t.Errorf("the code %s: the literal ends too early, or has no tag that PostgreSQL accepts: %q\n%s", code, match, function)
		}
	}
}

// createTable makes a table of boxes.
func createTable(name string) string {
	return "CREATE TABLE " + name + " (article VARCHAR(200), material VARCHAR(200), width DOUBLE PRECISION, depth DOUBLE PRECISION, " +
		"height DOUBLE PRECISION);\n"
}

// TestSQLQuiet loads a correct file twice, and expects no output of the database.
func TestSQLQuiet(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		name := strings.TrimSpace(do(t, run, createTable("boxes")+"SELECT current_database();\n"))
		folder, err := postgresFolder()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			c := exec.Command("psql", "-Xq", "-h", folder, "-U", "postgres", name)
			c.Stdin = strings.NewReader(sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
			if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("psql says %v: %s", err, out)
			}
		}
	}, "postgres")
}

// TestSQLDump restores a dump of a table with a constraint, which goes on to refuse boxes.
func TestSQLDump(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		run := d.start(t)
		do(t, run, "CREATE TABLE boxes (article text, material text, width numeric, depth numeric, height numeric);\n"+
			"INSERT INTO boxes SELECT 'tuck-end', 'carton-300', 100 + n, 60, 180 FROM generate_series(1, 100) AS n;\n"+
			sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect, Constraint: true}))
		name := strings.TrimSpace(do(t, run, "SELECT current_database();\n"))
		folder, err := postgresFolder()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath("pg_dump"); err != nil {
			t.Fatal(err)
		}
		dump, err := runs("", "pg_dump", "-h", folder, "-U", "postgres", name)
		if err != nil {
			t.Fatal(err)
		}
		restored := d.start(t)
		do(t, restored, dump)
		ask := "SELECT count(*) FROM public.box_verdicts WHERE verdict = 'valid' AND box_code = 'valid';\n"
		if got := do(t, restored, ask); got != "100\n" {
			t.Errorf("the restored table has %q valid boxes, want 100", got)
		}
		if _, err := restored("INSERT INTO public.boxes VALUES ('tuck-end', 'carton-300', 48, 141, 184);\n"); err == nil ||
			!strings.Contains(err.Error(), `"BOX_3100"`) {
			t.Errorf("the restored table takes a box that cannot be made: %v", err)
		}
	}, "postgres")
}

func rulesText(t *testing.T) string  { return readText(t, "../rules/box_rules.yaml") }
func limitsText(t *testing.T) string { return readText(t, "../limits/illustrative.yaml") }

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
