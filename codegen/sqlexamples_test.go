package codegen_test

import (
	"strings"
	"testing"

	"example.com/boxrules/codegen"
)

// TestSQLExamples runs the examples as a reader does.
func TestSQLExamples(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		command, args, want := "../examples/spark/run", []string(nil), []string{"valid\t9\n", "== the filter: 29 rows, the same verdicts\n"}
		switch d.dialect {
		case "clickhouse":
			command, args, want = "node", []string{"../examples/clickhouse/run.mjs"}, []string{"valid\t9\n", "\n29\t0\n"}
		case "postgres":
			command = "../examples/postgresql/run"
			want = []string{"valid|9\n", "a row\n20\n== the constraint\n0\n", `violates check constraint "BOX_3100"`}
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

// TestSQLParses says which databases' grammars take the dialect ansi, as far as sqlglot knows them.
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
