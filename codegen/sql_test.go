package codegen_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// TestSQLGolden shows all of what is written, for rules that have one of everything.
func TestSQLGolden(t *testing.T) {
	dialects, constraint := codegen.SQLDialects()
	for _, dialect := range dialects {
		o := codegen.SQLOptions{Dialect: dialect, Table: "shop.order", Version: "v1.2.3", Constraint: slices.Contains(constraint, dialect)}
		got := sqlOf(t, small(t), o)
		if got != sqlOf(t, small(t), o) {
			t.Errorf("%s: the same engine gives another text", dialect)
		}
		path := filepath.Join("testdata", dialect+".sql")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := readText(t, path); got != want {
			t.Errorf("%s is not as in testdata; run go test ./codegen -update and look at what changed", path)
		}
	}
}

// TestSQLValues: a length from the limits is in a column, and new limits need no new view. A number that multiplies a
// dimension is in a column only if the profiles have different ones; otherwise it is part of the view.
func TestSQLValues(t *testing.T) {
	const rules = `
version: 1
unit: mm
values: {crease: length, max_ratio: number}
constraint:
  - {code: SHOP_0001, when: depth < 3 * crease, message: too shallow}
  - {code: SHOP_0002, when: height > max_ratio * depth, message: too tall}
`
	view := func(crease, first, second string) (columns, text string) {
		sql := sqlOf(t, engine(t, rules, `
version: 1
unit: in
sheets: {s: {width: 40, height: 28}}
materials: {m: {caliper: 0.1, glue_flap: 1, sheet: s, values: {crease: `+crease+`}}}
articles:
  a: {width: {min: 1, max: 20}, depth: {min: 1, max: 20}, height: {min: 1, max: 20}, constraints: [SHOP_0001, SHOP_0002], values: {max_ratio: `+first+`}}
  b: {width: {min: 1, max: 20}, depth: {min: 1, max: 20}, height: {min: 1, max: 20}, constraints: [SHOP_0001, SHOP_0002], values: {max_ratio: `+second+`}}
`), codegen.SQLOptions{Dialect: "sqlite"})
		_, text, _ = strings.Cut(sql, "CREATE VIEW")
		columns, _, _ = strings.Cut(sql, "INSERT")
		return columns, text
	}
	columns, equal := view("0.125", "4", "4.0")
	if !strings.Contains(equal, "h > 4 * g.d + p.shop_0002_k1") || !strings.Contains(equal, "d < p.shop_0001_k1") || strings.Contains(columns, "shop_0002_d") {
		t.Errorf("with the same number in both articles:\n%s\n%s", columns, equal)
	}
	if _, other := view("0.25", "4", "4"); other != equal {
		t.Errorf("with another crease:\n%s", other)
	}
	if columns, text := view("0.125", "4", "2.5"); !strings.Contains(columns, "shop_0002_d1") || !strings.Contains(text, "p.shop_0002_d1 * g.d") {
		t.Errorf("with different numbers:\n%s\n%s", columns, text)
	}
}

// TestEveryDialectHasADatabase says that the SQL of every dialect is run by a database, in CI or in scripts/warehouses.
func TestEveryDialectHasADatabase(t *testing.T) {
	dialects, _ := codegen.SQLDialects()
	for _, dialect := range dialects {
		if !slices.ContainsFunc(databases, func(d database) bool { return d.dialect == dialect }) {
			t.Errorf("no database runs the dialect %s: add one to databases", dialect)
		}
	}
}

func TestSQLErrors(t *testing.T) {
	e := boxrules.Default()
	for _, test := range []struct {
		options     codegen.SQLOptions
		field, want string
	}{
		{codegen.SQLOptions{}, "dialect", "accepted: duckdb, postgres, sqlite, clickhouse, mariadb, spark, trino, ansi"},
		{codegen.SQLOptions{Dialect: "Oracle"}, "dialect", `"Oracle" is not known; accepted: duckdb,`},
		{codegen.SQLOptions{Dialect: "spark", Constraint: true}, "constraint", "spark does not support constraints; accepted: the dialects postgres, "},
		{codegen.SQLOptions{Dialect: "spark", LimitsOnly: true}, "limits-only", "spark cannot replace only the limits; load the whole file; accepted: the dialects duckdb, postgres, "},
		{codegen.SQLOptions{Dialect: "sqlite", LimitsOnly: true, Constraint: true}, "limits-only", "contains the limits; load the whole file"},
		{codegen.SQLOptions{Dialect: "ansi", Articles: []string{"lid"}}, "article", `unknown article "lid"`},
		{codegen.SQLOptions{Dialect: "ansi", Table: "."}, "table", `"." is not the name of a table; accepted: a name, or`},
		{codegen.SQLOptions{Dialect: "ansi", Table: "a."}, "table", "is not the name of a table"},
		{codegen.SQLOptions{Dialect: "ansi", Table: "a\nb"}, "table", "is not the name of a table"},
		{codegen.SQLOptions{Dialect: "ansi", Table: "a\x00"}, "table", "is not the name of a table"},
		{codegen.SQLOptions{Dialect: "ansi", Table: "a\xff"}, "table", "is not the name of a table"},
		{codegen.SQLOptions{Dialect: "ansi", Table: "shop.Box_Profiles"}, "table", "Box_Profiles is created by the file itself; accepted: the name of"},
	} {
		_, err := codegen.SQL(e, test.options)
		var input *boxrules.InputError
		var option *boxrules.OptionError
		isInput, isOption := errors.As(err, &input) && input.Field == test.field, errors.As(err, &option) && option.Option == test.field
		if isInput != (test.field == "article") || isInput == isOption || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("SQL(%+v): error %v, want one line about %s with %q", test.options, err, test.field, test.want)
		}
	}
}

func TestSQLTable(t *testing.T) {
	for _, test := range []struct{ dialect, table, want string }{
		{"ansi", "", `"boxes"`},
		{"ansi", "select", `"select"`},
		{"ansi", "shop.Boxes", `"shop"."Boxes"`},
		{"ansi", "a.b.c", `"a"."b"."c"`},
		{"ansi", `a"b`, `"a""b"`},
		{"ansi", "o'neil; --", `"o'neil; --"`},
		{"ansi", `a\b`, `"a\b"`},
		{"mariadb", "a\\b`\"", "`a\\b``\"`"},
		{"clickhouse", "a\\b`\"", "`a\\\\b``\"`"}, // where a backslash escapes even in a name
	} {
		after := " AS b\n"
		if test.dialect == "clickhouse" {
			after = "\n) AS b\n"
		}
		sql := sqlOf(t, small(t), codegen.SQLOptions{Dialect: test.dialect, Table: test.table})
		if !strings.Contains(sql, "FROM "+test.want+after) {
			t.Errorf("%s: the table %s is not called %s", test.dialect, test.table, test.want)
		}
	}
}

// withMaterial returns an engine with a single profile, whose material has the code.
func withMaterial(t *testing.T, code string) *boxrules.Engine {
	t.Helper()
	return engine(t, "version: 1\nboundary: [{code: A_0001, when: width < 10, message: m}]\n",
		"version: 1\nunit: mm\nsheets: {s: {width: 1, height: 1}}\nmaterials: {'"+strings.ReplaceAll(code, "'", "''")+
			"': {caliper: 1, glue_flap: 1, sheet: s}}\n"+
			"articles: {a: {width: {min: 1, max: 2}, depth: {min: 1, max: 2}, height: {min: 1, max: 2}, constraints: []}}\n")
}

// TestSQLLiterals has codes that need a special literal in some dialect, and one that does not.
func TestSQLLiterals(t *testing.T) {
	for _, test := range []struct{ dialect, code, want string }{
		{"ansi", `O'Neil\`, `'O''Neil\'`},
		{"postgres", `O'Neil\`, `E'O''Neil\\'`},
		{"clickhouse", `O'Neil\`, `'O\'Neil\\'`},
		{"spark", "${x}", `'\u0024{x}'`},
		// In MariaDB, a text in ASCII without a backslash means the same everywhere.
		{"mariadb", "O'Neil ~", `'O''Neil ~'`},
		{"mariadb", `a\`, `x'615c'`},
		{"mariadb", "ä", `x'c3a4'`},
	} {
		sql := sqlOf(t, withMaterial(t, test.code), codegen.SQLOptions{Dialect: test.dialect})
		if row := "('a', " + test.want; !strings.Contains(sql, row+",") && !strings.Contains(sql, row+")") {
			t.Errorf("%s: the material %s is not written as %s:\n%s", test.dialect, test.code, test.want, sql)
		}
	}
}

// TestSQLClickHouseDatabase: the file looks for a column called verdict in the database of the user's table, which is the
// current one if the table is named without a database.
func TestSQLClickHouseDatabase(t *testing.T) {
	for table, want := range map[string]string{"boxes": "currentDatabase()", "shop.boxes": "'shop'"} {
		sql := sqlOf(t, small(t), codegen.SQLOptions{Dialect: "clickhouse", Table: table})
		if !strings.Contains(sql, "FROM system.columns WHERE database = "+want+" AND table = 'boxes'") {
			t.Errorf("the columns of %s are not those in the database %s", table, want)
		}
	}
}

// nasty are codes that a limit file may have, and that mean something in some SQL.
var nasty = []string{
	`O'Neil "x"; --`, `back\slash`, `end\`, `\'`, "`tick`", "${x}", "${spark.app.name}", "$boxrules$", "%s", "%1$s",
	"ä", "A", "a", "/* x */", "*/", "''", `"`,
	":name", "?", "{{x}}", "é", "e\u0301", "日本", "x y", "-- x", ";", `\n`, `\u0041`, "NULL", "0", "00", "1e1", "10", "@a", "#", "\\N'",
}

// TestSQLNames has codes and tables that are called as if to break out of a statement.
func TestSQLNames(t *testing.T) {
	var catalogue strings.Builder
	catalogue.WriteString("version: 1\nunit: mm\nsheets: {s: {width: 1000, height: 700}}\nmaterials:\n")
	for _, code := range nasty {
		fmt.Fprintf(&catalogue, "  '%s': {caliper: 1, glue_flap: 1, sheet: s}\n", strings.ReplaceAll(code, "'", "''"))
	}
	catalogue.WriteString("articles:\n")
	for i, code := range nasty {
		fmt.Fprintf(&catalogue, "  '%s':\n    title: '%[1]s'\n    materials: ['%s']\n    width: {min: %d, max: 50}\n"+
			"    depth: {min: 1, max: 50}\n    height: {min: 1, max: 50}\n    constraints: []\n", strings.ReplaceAll(code, "'", "''"),
			strings.ReplaceAll(nasty[(i+1)%len(nasty)], "'", "''"), i+1)
	}
	e := engine(t, rulesText(t), catalogue.String())
	var rows []row
	for i := range nasty {
		for j := range nasty {
			width, other := float64(i), 20.0
			r := row{article: &nasty[i], material: &nasty[j], dims: [3]*float64{&width, &other, &other}}
			r.want = verdictOf(t, e, r)
			rows = append(rows, r)
			if j == (i+1)%len(nasty) {
				r.dims[0] = &other
				r.want = verdictOf(t, e, r)
				rows = append(rows, r)
			}
		}
	}
	each(t, func(t *testing.T, d database) {
		table, name := `my "boxes'; --`, `"my ""boxes'; --"`
		switch d.dialect {
		case "clickhouse", "mariadb":
			table, name = "my \"`\\boxes'; --", "`my \"``\\\\boxes'; --`"
			if d.dialect == "mariadb" {
				name = "`my \"``\\boxes'; --`"
			}
		case "spark": // which has no names but of letters, digits and _
			table, name = "select", "`select`"
		}
		rename := fmt.Sprintf("ALTER TABLE boxes RENAME TO %s;\n", name)
		if d.dialect == "clickhouse" {
			rename = fmt.Sprintf("RENAME TABLE boxes TO %s;\n", name)
		}
		sql := sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect, Table: table})
		script := d.fill(t, "DOUBLE PRECISION", texts(rows, shortest)) + rename + sql + askVerdicts
		differences(t, do(t, d.start(t), script), rows)
	})
}

// TestSQLExamples runs the examples as a reader does.
func TestSQLExamples(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		command, args, want := "../examples/spark/run", []string(nil), []string{"valid\t9\n", "== the filter: 29 rows, the same verdicts\n",
			"29 rows: 0 have a different verdict from the view\n", "BOX_4100\t3\nvalid\t9\n29 rows", "in Java\nBOX_2101\t1\nBOX_2102\t1\n"}
		switch d.dialect {
		case "spark":
			t.Setenv("JAVA_TOOL_OPTIONS", quickStart)
		case "clickhouse":
			command, args, want = "node", []string{"../examples/clickhouse/run.mjs"}, []string{"valid\t9\n", "\n29\t0\n"}
		case "postgres":
			command = "../examples/postgresql/run"
			want = []string{"valid|9\n", "not valid\n20\n== the constraint\n0\n", `violates check constraint "BOX_3100"`}
			d.start(t)
			folder, err := postgresFolder()
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("PGHOST", folder)
			t.Setenv("PGUSER", "postgres")
			t.Setenv("PGDATABASE", "postgres")
		}
		out, err := runs("", command, args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(out, text) {
				t.Errorf("%s says\n%swant %q", command, out, text)
			}
		}
	}, "postgres", "clickhouse", "spark")
}

// TestSparkTwice runs the example of Spark twice in the same folder, as one does with new limits.
func TestSparkTwice(t *testing.T) {
	paths := map[string]string{}
	for name, path := range map[string]string{
		"python": engineFolder + "venv/bin/python", "boxes.py": "../examples/spark/boxes.py", "boxes": "../examples/boxes.csv",
		"partition": "../examples/spark/partition", "limits": "../limits/illustrative.yaml", "command": "../cmd/boxrules",
	} {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		paths[name] = absolute
	}
	each(t, func(t *testing.T, _ database) {
		bin := t.TempDir()
		if out, err := exec.Command("go", "build", "-C", paths["command"], "-o", bin, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		t.Setenv("JAVA_TOOL_OPTIONS", quickStart)
		sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: "spark"})
		t.Chdir(t.TempDir())
		if err := os.WriteFile("boxrules.sql", []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			out, err := runs("", paths["python"], paths["boxes.py"], paths["boxes"], "boxrules.sql", paths["partition"], paths["limits"])
			if err != nil || !strings.Contains(out, "the same verdicts") {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}, "spark")
}

// TestDBT runs examples/dbt from a copy, as a new user does: the status is 0 only while every box is valid, and new
// limits judge all boxes again.
func TestDBT(t *testing.T) {
	command, err := filepath.Abs("../cmd/boxrules")
	if err != nil {
		t.Fatal(err)
	}
	illustrative := readText(t, "../limits/illustrative.yaml")
	each(t, func(t *testing.T, _ database) {
		bin, err := filepath.Abs(engineFolder + "venv/bin")
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := os.CopyFS(folder, os.DirFS("../examples/dbt")); err != nil {
			t.Fatal(err)
		}
		t.Chdir(folder)
		if out, err := exec.Command("go", "build", "-C", command, "-o", folder, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Setenv("PATH", strings.Join([]string{folder, bin, os.Getenv("PATH")}, string(os.PathListSeparator)))
		t.Setenv("DO_NOT_TRACK", "1")
		write := func(name, text string) {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		// stored runs a statement in the database of the project, and returns the rows that it has for one.
		stored := func(statement string) string {
			const script = "import duckdb, sys; print(*duckdb.connect('shop.db').execute(sys.argv[1]).fetchall())"
			out, err := runs("", "python", "-c", script, statement)
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(out)
		}
		const seed, boxes = "seeds/shop_boxes.csv", "models/boxes.sql"
		write(boxes, strings.Replace(readText(t, boxes), "height\nfrom", "height, 'a' as note\nfrom", 1))
		good := readText(t, seed)
		narrower := strings.Replace(illustrative, "{min: 60, max: 300}", "{min: 60, max: 199}", 1)
		if narrower == illustrative {
			t.Fatal("the illustrative limits of the mailer have changed")
		}
		for _, test := range []struct{ name, limits, seed, status, verdicts string }{
			{"a good seed", illustrative, good, "PASS=7 WARN=0 ERROR=0", "valid valid valid valid"},
			// Box 1 has become one that cannot be made, box 2 is gone, box 5 is not a box.
			{"bad rows", illustrative, strings.NewReplacer("1,tuck-end,carton-300,141,48", "1,tuck-end,carton-300,48,141",
				"2,tuck-end,carton-400,60,35.5,120\n", "").Replace(good) + "5,sleeve,carton-300,,40,120\n",
				"PASS=6 WARN=0 ERROR=1", "BOX_3100 valid valid error:width"},
			{"the good seed again", illustrative, good, "PASS=7 WARN=0 ERROR=0", "valid valid valid valid"},
			{"narrower limits", narrower, good, "PASS=6 WARN=0 ERROR=1", "valid valid BOX_2103 valid"},
		} {
			write("limits.yaml", test.limits)
			write(seed, test.seed)
			if _, err := runs("", "./macro", "--dialect", "duckdb", "--limits", "limits.yaml"); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("dbt", "--no-use-colors", "build", "--profiles-dir", ".").CombinedOutput()
			if (err == nil) != strings.Contains(test.status, "ERROR=0") || !strings.Contains(string(out), test.status) {
				t.Errorf("%s: dbt build says\n%s(%v), want %s", test.name, out, err, test.status)
			}
			if got := stored("SELECT string_agg(verdict, ' ' ORDER BY id) FROM verdicts"); got != "('"+test.verdicts+"',)" {
				t.Errorf("%s: the verdicts are %s, want %s", test.name, got, test.verdicts)
			}
		}
		// Other columns of the boxes are not copied, as they would become stale.
		want := "('id article material width depth height verdict limits_hash',)"
		if got := stored("SELECT string_agg(column_name, ' ') FROM (DESCRIBE verdicts)"); got != want {
			t.Errorf("the columns of verdicts are %s, want %s", got, want)
		}
		// After a mistake in the limits the macro is the old one.
		write("limits.yaml", "version: 1\nunit: furlong\n")
		if _, err := runs("", "./macro", "--dialect", "duckdb", "--limits", "limits.yaml"); err == nil {
			t.Error("the script accepts limits with a mistake")
		}
		// A run with the same limits judges no box again, so it keeps a verdict that was tampered with, and the test
		// that compares all of them with the view notices.
		stored("UPDATE verdicts SET verdict = 'valid' WHERE id = 3")
		out, err := exec.Command("dbt", "--no-use-colors", "build", "--profiles-dir", ".").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "PASS=6 WARN=0 ERROR=1") || !strings.Contains(string(out), "Failure in test verdicts_are_current") {
			t.Errorf("a run with the same limits judges all boxes again, or a test does not notice\n%s(%v)", out, err)
		}
	}, "spark") // whose folder of Python packages has dbt
}

// TestSQLParses lists the databases whose grammars, as sqlglot implements them, accept the dialect ansi.
func TestSQLParses(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		script := "import sys, sqlglot; text = sys.stdin.read()\n" +
			"for name in sys.argv[1:]: print(name, [type(s).__name__ for s in sqlglot.parse(text, dialect=name) if s])"
		sql := sqlOf(t, small(t), codegen.SQLOptions{Dialect: "ansi"})
		out, err := runs(sql, engineFolder+"venv/bin/python", "-c", script, "trino", "snowflake")
		if err != nil {
			t.Fatal(err)
		}
		want := "trino ['Drop', 'Drop', 'Create', 'Insert', 'Create']\nsnowflake ['Drop', 'Drop', 'Create', 'Insert', 'Create']\n"
		if out != want {
			t.Errorf("sqlglot reads\n%swant\n%s", out, want)
		}
	}, "spark") // whose folder of Python packages has sqlglot
}
