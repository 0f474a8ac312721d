package codegen_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/lab"
)

// A mutant is the SQL with one slip in it.
type mutant struct{ what, sql string }

// mutants are those of the rows' numbers and of the view: each comparison, each constant, each
// AND and OR, each dimension, each column and each line of the CASE.
func mutants(sql string) (all []mutant) {
	head, view, _ := strings.Cut(sql, "CREATE VIEW")
	view, tail, _ := strings.Cut(view, "CREATE TEMP TABLE") // of what refuses a table
	tail = "CREATE TEMP TABLE" + tail
	replace := func(pattern string, with func(string) []string) {
		for _, at := range regexp.MustCompile(pattern).FindAllStringSubmatchIndex(view, -1) {
			from, to := at[2], at[3]
			line := strings.Count(view[:from], "\n")
			for _, other := range with(view[from:to]) {
				what := fmt.Sprintf("line %d: %q to %q in %.60s", line, view[from:to], other, view[max(0, from-20):])
				all = append(all, mutant{what, head + "CREATE VIEW" + view[:from] + other + view[to:] + tail})
			}
		}
	}
	relations := map[string][]string{">": {">=", "<"}, ">=": {">", "<="}, "<": {"<=", ">"}, "<=": {"<", ">="}}
	replace(`[a-z0-9] (>=|<=|>|<) [a-z0-9(]`, func(s string) []string { return relations[s] })
	replace(`[ (](-?[0-9]+(?:\.[0-9]+)?)[ )\n]`, func(s string) []string {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err)
		}
		format := func(x float64) string {
			if strings.Contains(s, ".") { // an integer would be divided as one
				return fmt.Sprintf("%.1f", x)
			}
			return fmt.Sprintf("%.0f", x)
		}
		return []string{format(x + 1), format(x - 1)}
	})
	replace(` (AND|OR) [^1]`, func(s string) []string { return []string{map[string]string{"AND": "OR", "OR": "AND"}[s]} })
	next := map[string]string{"g.w": "g.d", "g.d": "g.h", "g.h": "g.w"}
	replace(`\b(g\.[wdh])\b`, func(s string) []string { return []string{next[s]} })
	replace(`(\n  WHEN [^\n]*)`, func(string) []string { return []string{""} })
	var columns []string
	for _, match := range regexp.MustCompile(`(?m)^  ([a-z]+_[0-9]{4}\S*) `).FindAllStringSubmatch(head, -1) {
		columns = append(columns, match[1])
	}
	replace(`p\.([a-z]+_[0-9]{4}\w*)`, func(s string) []string {
		return []string{columns[(slices.Index(columns, s)+1)%len(columns)]}
	})
	// In a row, a number that is not 0 is one that some condition asks for.
	for _, at := range regexp.MustCompile(`, (-?[1-9][0-9]*)`).FindAllStringSubmatchIndex(head, -1) {
		from, to := at[2], at[3]
		x, err := strconv.Atoi(head[from:to])
		if err != nil {
			panic(err)
		}
		others := []int{x - 1, x + 1}
		if x < 10 { // a flag or a coefficient: the next form may say the same, with a half-space of zeros more
			others = others[:1]
		}
		for _, other := range others {
			what := fmt.Sprintf("%d to %d in the row that has %.30s", x, other, head[from:])
			all = append(all, mutant{what, head[:from] + strconv.Itoa(other) + head[to:] + "CREATE VIEW" + view + tail})
		}
	}
	return all
}

// binding is an engine in whose rules and limits every comparison decides some box. The
// documented rules have some that follow from others, and the shipped limits leave some without
// effect. Negative dimensions come to the rules.
func binding(t *testing.T) *boxrules.Engine {
	return engine(t, `
version: 1
boundary:
  - {code: A_0001, when: width + min_width < 0, message: m}
  - {code: A_0002, when: height > max_height, message: m}
constraint:
  - {code: B_0001, when: depth > width && height >= 60, message: m}
  - {code: B_0002, when: width <= (depth * 3) / 4 || height < 2 * depth, message: m}
  - {code: B_0003, when: width + depth > 498.25 && width + height < 498.25, message: m}
  - {code: B_0004, when: "caliper > 1 && width < 100", message: m}
  - {code: B_0005, when: "max(width, depth) > 900 && min(depth, height) < -20", message: m}
size:
  - {code: BOX_4100, when: blank_width > sheet_width || blank_height > sheet_height, message: m}
`, `
version: 1
unit: mm
sheets: {s: {width: 700, height: 500}, l: {width: 900, height: 650}}
materials:
  thin: {caliper: 0.5, glue_flap: 15, sheet: s}
  thick: {caliper: 3, glue_flap: 20.5, sheet: l}
articles:
  a: {width: {min: 20, max: 900}, depth: {min: 20, max: 900}, height: {min: 10, max: 900}, constraints: [B_0001, B_0003],
    blank: {width: width + 2*height + glue_flap, height: depth + height}}
  b: {width: {min: 30, max: 900}, depth: {min: 20, max: 900}, height: {min: 10, max: 800}, constraints: [B_0002],
    blank: {width: 2*width + depth, height: "max(depth, 2*height) + width"}}
  c: {width: {min: 40, max: 900}, depth: {min: 20, max: 900}, height: {min: 10, max: 900}, constraints: [B_0004, B_0001],
    blank: {width: 3*depth + width + glue_flap, height: height}}
  d: {materials: [thin], width: {min: 40, max: 900}, depth: {min: 20, max: 900}, height: {min: 10, max: 900}, constraints: [B_0005]}
  e: {width: {min: 50, max: 900}, depth: {min: 20, max: 900}, height: {min: 10, max: 900}, constraints: [],
    blank: {width: width + 5*depth, height: "max(2*depth, height) + width"}}
`)
}

// TestSQLMutants makes slips in the SQL, and says that comparing verdicts notices each of them.
func TestSQLMutants(t *testing.T) {
	lab.OnlyCI(t, "100,000 boxes for each slip")
	each(t, func(t *testing.T, d database) {
		e := binding(t)
		sql := sqlOf(t, e, codegen.SQLOptions{Dialect: d.dialect})
		rows := drawRows(t, e, 100_000, 4, false)
		run := d.start(t)
		do(t, run, d.fill(t, "REAL", texts(rows, shortest))+sql+"CREATE TABLE wanted AS SELECT id, verdict FROM box_verdicts;\n"+
			"CREATE UNIQUE INDEX wanted_id ON wanted (id);\n")
		if n := differences(t, do(t, run, "SELECT id, verdict FROM wanted;\n"), rows); n > 0 {
			t.Fatal("the SQL itself is wrong")
		}
		all := mutants(sql)
		var script strings.Builder
		for i, m := range all {
			fmt.Fprintf(&script, "%s\nSELECT 'mutant %d', EXISTS (SELECT 1 FROM box_verdicts AS v JOIN wanted USING (id) "+
				"WHERE v.verdict IS NOT wanted.verdict);\n", m.sql, i)
		}
		answers := strings.Split(strings.TrimSpace(do(t, run, script.String())), "\n")
		if len(answers) != len(all) || len(all) < 150 {
			t.Fatalf("%d answers for %d mutants, want one for each of more than 150", len(answers), len(all))
		}
		for i, m := range all {
			if answers[i] != fmt.Sprintf("mutant %d\t1", i) {
				t.Errorf("no box tells the mutant %s", m.what)
			}
		}
		t.Logf("%d mutants", len(all))
	}, "sqlite")
}
