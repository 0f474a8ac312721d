// This file compares the verdicts of databases, by the generated SQL, with those of the engine. This is a
// longer run, with a million boxes in each database:
//
//	go test ./codegen -run TestSQLVerdicts -sql.boxes=1000000 -timeout 0 -v

package codegen_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
)

var sqlBoxes = flag.Int("sql.boxes", 0, "boxes that TestSQLVerdicts puts to each database (default 3,000; 40,000 in CI)")

func boxesEach() int {
	if *sqlBoxes > 0 {
		return *sqlBoxes
	}
	return lab.Draws(3_000, 40_000)
}

// texts returns the rows as texts, with an id that counts from 0.
func texts(rows []row, number func(x float64) string) [][]string {
	all := make([][]string, len(rows))
	for i, r := range rows {
		all[i] = []string{strconv.Itoa(i)}
		for _, s := range []*string{r.article, r.material} {
			if s == nil {
				all[i] = append(all[i], null)
			} else {
				all[i] = append(all[i], *s)
			}
		}
		for _, x := range r.dims {
			if x == nil {
				all[i] = append(all[i], null)
			} else {
				all[i] = append(all[i], number(*x))
			}
		}
	}
	return all
}

func sqlOf(t *testing.T, e *boxrules.Engine, o codegen.SQLOptions) string {
	t.Helper()
	text, err := codegen.SQL(e, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func do(t *testing.T, run session, statements string) string {
	t.Helper()
	out, err := run(statements)
	if err != nil {
		t.Fatalf("%v\nafter %.500s", err, statements)
	}
	return out
}

const askVerdicts = "SELECT id, verdict FROM box_verdicts;\n"

// differences compares the rows of askVerdicts with the right ones, and reports the first few differences.
func differences(t *testing.T, out string, rows []row) (n int) {
	t.Helper()
	seen := make([]bool, len(rows))
	for line := range strings.Lines(out) {
		id, verdict, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		i, err := strconv.Atoi(id)
		if err != nil || i < 0 || i >= len(rows) || seen[i] {
			t.Fatalf("the view has the row %q", line)
		}
		seen[i] = true
		if r := rows[i]; verdict != r.want {
			if n++; n <= 5 {
				t.Errorf("%s: verdict %s, want %s", texts(rows[i:i+1], shortest)[0], verdict, r.want)
			}
		}
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		t.Errorf("the view does not have row %d", missing)
		n++
	}
	return n
}

func TestSQLVerdicts(t *testing.T) {
	e := boxrules.Default()
	codes := len(e.Rules().Rules())
	each(t, func(t *testing.T, d database) {
		rows := drawRows(t, e, boxesEach(), 1, d.special)
		sql := sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect})
		// Loaded a second time, it takes the place of the first.
		script := d.fill(t, "DOUBLE PRECISION", texts(rows, shortest)) + sql + sql + askVerdicts
		run := d.start(t)
		n := differences(t, do(t, run, script), rows)
		if *sqlRounds > 0 {
			logSpeed(t, d.dialect, sql, len(rows), run)
		}
		count := make(map[string]int)
		for _, r := range rows {
			count[r.want]++
		}
		if len(count) != codes+1+5 {
			t.Errorf("the boxes have %d different verdicts, want %d codes, valid and 5 errors: %v", len(count), codes, count)
		}
		t.Logf("%d boxes, %d differences", len(rows), n)
	})
}

// TestSQLTypes has columns of other types than doubles: what counts is the double nearest to a
// number.
func TestSQLTypes(t *testing.T) {
	e := boxrules.Default()
	each(t, func(t *testing.T, d database) {
		for _, number := range d.types {
			t.Run(number.name, func(t *testing.T) {
				rows := drawRows(t, e, lab.Draws(1_000, 8_000), 2, false)
				for i := range rows {
					for axis, x := range rows[i].dims {
						if x == nil {
							continue
						}
						if *x > 1e7 || *x < -1e7 {
							*x = 1_000_001
						}
						nearest, err := strconv.ParseFloat(number.text(*x), 64)
						if err != nil {
							t.Fatal(err)
						}
						rows[i].dims[axis] = &nearest
					}
					rows[i].want = verdictOf(t, e, rows[i])
				}
				script := d.fill(t, number.name, texts(rows, number.text)) + sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect}) + askVerdicts
				differences(t, do(t, d.start(t), script), rows)
			})
		}
	}, "sqlite", "duckdb", "clickhouse", "postgres", "mariadb", "trino")
}

// TestSQLDrawn has rules that are drawn at random, together with what they mean in exact fractions.
func TestSQLDrawn(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		files := map[string]int{"sqlite": lab.Draws(4, 20), "duckdb": 12}[d.dialect]
		for seed := range uint64(files) {
			f := gen.New(rand.New(rand.NewPCG(seed, 15)).IntN)
			e := engine(t, f.Rules(), f.Catalogue())
			compare := func(e *boxrules.Engine, rows []row, rules, limits string) {
				script := d.fill(t, "DOUBLE PRECISION", texts(rows, shortest)) + sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect}) + askVerdicts
				if differences(t, do(t, d.start(t), script), rows) > 0 {
					t.Fatalf("file %d:\n%s%s", seed, rules, limits)
				}
			}
			compare(e, drawnRows(e, f.Draw, 400, f.Violated), f.Rules(), f.Catalogue())
			// Limits and rules in any two units, with values.
			v := gen.NewValued(f.Draw)
			e = engine(t, v.Rules(), v.Catalogue())
			profiles := e.Profiles()
			compare(e, drawnRows(e, f.Draw, 400, func(i int, at exact.Point) []string {
				return v.Violated(profiles[i].Article(), profiles[i].Material(), at)
			}), v.Rules(), v.Catalogue())
		}
	}, "sqlite", "duckdb")
}

// drawnRows returns boxes of the profiles of a drawn file, mostly on a border, with the verdicts of the
// file itself. violated returns the codes that a box in a profile violates.
func drawnRows(e *boxrules.Engine, draw gen.Draw, n int, violated func(profile int, at exact.Point) []string) (rows []row) {
	for i, p := range e.Profiles() {
		article, material := p.Article(), p.Material()
		boxes := gen.BoxesOf(p.Exact(), draw)
		for range n / len(e.Profiles()) {
			at := boxes.Next()
			r := row{article: &article, material: &material, want: "valid"}
			for axis, x := range at {
				length := exact.Float64At(x)
				r.dims[axis] = &length
			}
			if codes := violated(i, at); len(codes) > 0 {
				r.want = codes[0]
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// TestSQLColumns says that the view has the columns of the table, in their order, and one more.
func TestSQLColumns(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		text := "VARCHAR(20)"
		create := fmt.Sprintf("CREATE TABLE boxes (w %s, article %[1]s, sku %[1]s, g %[1]s, material %[1]s, width REAL, depth REAL, "+
			"height REAL, p %[1]s, b %[1]s, box_3100 %[1]s);\n", text)
		if d.dialect == "clickhouse" {
			create = strings.ReplaceAll(strings.ReplaceAll(create, text, "String"), ");\n", ") ENGINE = Memory;\n")
		}
		insert := "INSERT INTO boxes VALUES ('W', 'tuck-end', 'a', 'G', 'carton-300', 100, 120, 200, 'P', 'B', 'X');\n"
		sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect})
		got := do(t, d.start(t), create+sql+insert+"SELECT * FROM box_verdicts;\n")
		fields := strings.Split(strings.TrimSuffix(got, "\n"), "\t")
		for i, field := range fields {
			if x, err := strconv.ParseFloat(field, 64); err == nil {
				fields[i] = shortest(x)
			}
		}
		want := []string{"W", "tuck-end", "a", "G", "carton-300", "100", "120", "200", "P", "B", "X", "BOX_3100"}
		if !slices.Equal(fields, want) {
			t.Errorf("the view has %q, want %q", fields, want)
		}
	})
}

// TestSQLTraps has what databases read otherwise than one thinks: each row with what is wanted of
// it.
func TestSQLTraps(t *testing.T) {
	traps := map[string][]struct{ setup, values, want string }{
		"sqlite": { // columns hold what they are given, whatever their type
			{"", "'tuck-end', 'carton-300', 'NaN', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', '120 mm', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', '', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', '120', 60, 180", "valid"}, // REAL makes a number of it
			{"", "'tuck-end', 'carton-300', x'31', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', 120, 9e999, 180", "error:depth"},
			{"", "x'7475636b2d656e64', 'carton-300', 120, 60, 180", "error:article"},
			{"", "'TUCK-END', 'carton-300', 120, 60, 180", "error:article"}, // although the column says NOCASE
		},
		"mariadb": { // whose comparisons pass over case, accents and trailing blanks
			{"", "'Tuck-End', 'carton-300', 120, 60, 180", "error:article"},
			{"", "'tuck-end ', 'carton-300', 120, 60, 180", "error:article"},
			{"", "'tuck-end', 'cárton-300', 120, 60, 180", "error:material"},
			{"", "'tuck-end', 'carton-300', 120, 60, 180", "valid"},
			{"SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT';", "'tuck-end', 'carton-300', 48, 141, 184", "BOX_3100"},
		},
		"clickhouse": { // where a join that finds nothing gives '', or NULL under join_use_nulls
			{"", "'', '', 120, 60, 180", "error:article"},
			{"SET join_use_nulls = 1;\n", "'none', 'carton-300', 120, 60, 180", "error:article"},
			{"SET join_use_nulls = 1;\n", "'tuck-end', 'none', 120, 60, 180", "error:material"},
			{"SET join_use_nulls = 1;\n", "'tuck-end', 'carton-300', 120, 60, 180", "valid"},
		},
		"postgres": {
			{"SET standard_conforming_strings = off;", "'Tuck-End', 'carton-300', 120, 60, 180", "error:article"},
			{"SET jit = on; SET jit_above_cost = 0;", "'tuck-end', 'carton-300', 48, 141, 184", "BOX_3100"},
			{"", "'tuck-end', 'carton-300', 'NaN', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', 120, '-Infinity', 180", "error:depth"},
		},
		"duckdb": {
			{"SET default_collation = 'NOCASE';", "'Tuck-End', 'carton-300', 120, 60, 180", "error:article"},
			{"", "'tuck-end', 'carton-300', 'NaN', 60, 180", "error:width"},
			{"", "'tuck-end', 'carton-300', 120, 'inf', 180", "error:depth"},
		},
	}
	create := map[string]string{
		"sqlite":     "CREATE TABLE boxes (article TEXT COLLATE NOCASE, material TEXT COLLATE RTRIM, width REAL, depth REAL, height REAL);\n",
		"clickhouse": "CREATE TABLE boxes (article String, material String, width Float64, depth Float64, height Float64) ENGINE = Memory;\n",
		"postgres": "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);\nCREATE TABLE boxes " +
			"(article varchar COLLATE nocase, material char(12), width double precision, depth real, height numeric);\n",
	}
	each(t, func(t *testing.T, d database) {
		table, ok := create[d.dialect]
		if !ok {
			table = "CREATE TABLE boxes (article VARCHAR(40), material VARCHAR(40), width DOUBLE, depth DOUBLE, height DOUBLE);\n"
		}
		run := d.start(t)
		sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect})
		do(t, run, table+sql)
		for _, trap := range traps[d.dialect] {
			clear := "DELETE FROM boxes;\n"
			if d.dialect == "clickhouse" {
				clear = "TRUNCATE TABLE boxes;\n"
			}
			statements := trap.setup + "\n" + clear + "INSERT INTO boxes VALUES (" + trap.values + ");\nSELECT verdict FROM box_verdicts;\n"
			if got := strings.TrimSpace(do(t, run, statements)); got != trap.want {
				t.Errorf("%s %s: verdict %s, want %s", trap.setup, trap.values, got, trap.want)
			}
		}
	}, "sqlite", "mariadb", "clickhouse", "postgres", "duckdb")
}

// TestSQLDecimals has limits that take few decimals: what has more is no box, whatever the type
// of the column. Of the rows half have as few in every dimension, and some are next to such.
func TestSQLDecimals(t *testing.T) {
	each(t, func(t *testing.T, d database) {
		for decimals := range 3 {
			e := engine(t, rulesText(t), fmt.Sprintf("%sdecimals: %d\n", limitsText(t), decimals))
			sql := sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect})
			for i, number := range append([]numberType{{"DOUBLE PRECISION", shortest}}, d.types...) {
				if i > 0 && i%3 != decimals { // the other types take turns
					continue
				}
				rows := drawRows(t, e, lab.Draws(500, 4_000), uint64(decimals), d.special && number.name == "DOUBLE PRECISION")
				for i := range rows {
					for axis, x := range rows[i].dims {
						if x != nil && (math.Abs(*x) < 1e7 || number.name != "DOUBLE PRECISION") {
							rows[i].dims[axis] = withDecimals(*x, decimals, i+axis, number)
						}
					}
					rows[i].want = verdictOf(t, e, rows[i])
				}
				script := d.fill(t, number.name, texts(rows, number.text)) + sql + askVerdicts
				if n := differences(t, do(t, d.start(t), script), rows); n > 0 {
					t.Errorf("%d decimals, %s: %d differences", decimals, number.name, n)
				}
				bad, valid := 0, 0
				for _, r := range rows {
					if strings.HasPrefix(r.want, "error:") {
						bad++
					} else if r.want == "valid" {
						valid++
					}
				}
				// Whole numbers have no decimals, and those of a type of 32 bits nearly all too
				// many.
				name := strings.ToUpper(number.name)
				whole, short := strings.HasPrefix(name, "INT"), name == "REAL" || strings.HasPrefix(name, "FLOAT")
				if !short && valid < len(rows)/20 || !whole && bad < len(rows)/20 {
					t.Errorf("%d decimals, %s: of %d rows %d are no boxes, and %d valid", decimals, number.name, len(rows), bad, valid)
				}
			}
		}
	})
}

// withDecimals returns x rounded to the decimals, or in some rows a neighbour of that which the number type
// can represent.
func withDecimals(x float64, decimals, row int, number numberType) *float64 {
	if math.Abs(x) > 1e7 {
		x = 1_000_001
	}
	if row%9 > 0 {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	}
	if row%9 == 1 && x != 0 { // that next to zero is no fraction that SQLite can write
		x = math.Nextafter(x, math.Inf(row%2*2-1))
	}
	nearest, err := strconv.ParseFloat(number.text(x), 64)
	if err != nil {
		panic(err)
	}
	return &nearest
}
