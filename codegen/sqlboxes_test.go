package codegen_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
)

// A row is a row of a table of boxes; nil is NULL.
type row struct {
	article, material *string
	dims              [exact.Axes]*float64
	want              string
}

// verdictOf returns the engine's verdict on a row, as box_verdicts writes it.
func verdictOf(t *testing.T, e *boxrules.Engine, r row) string {
	t.Helper()
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	number := func(x *float64) float64 {
		if x == nil {
			return math.NaN()
		}
		return *x
	}
	v, err := e.Check(boxrules.Box{Article: text(r.article), Material: text(r.material),
		Dims: boxrules.Dims{Width: number(r.dims[0]), Depth: number(r.dims[1]), Height: number(r.dims[2])}})
	var input *boxrules.InputError
	switch {
	case errors.As(err, &input):
		return "error:" + input.Field
	case err != nil:
		t.Fatal(err)
	case !v.OK():
		return string(v.Code())
	}
	return "valid"
}

// drawRows draws n rows: of three, two on a border of a rule or beside it, and of a hundred, one
// that is no box. special says that numbers may be NaN and infinite.
func drawRows(t *testing.T, e *boxrules.Engine, n int, seed uint64, special bool) []row {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 14))
	rules := byRule(e)
	rows := make([]row, n)
	for i := range rows {
		at := rules[r.IntN(len(rules))]
		a := at[r.IntN(len(at))]
		p := a.profile
		article, material := p.Article(), p.Material()
		rows[i] = row{article: &article, material: &material}
		for axis, x := range drawPoint(r, a) {
			length := exact.Float64At(x)
			switch r.IntN(8) {
			case 0: // halfway to the next grid point, or as near as it gets
				length += 0.0005
			case 1:
				length += (r.Float64() - 0.5) / 1000
			}
			rows[i].dims[axis] = &length
		}
		if r.IntN(100) == 0 {
			spoil(r, &rows[i], special)
		}
		rows[i].want = verdictOf(t, e, rows[i])
	}
	return rows
}

// An applied is a rule in a profile that it applies to.
type applied struct {
	profile *boxrules.Profile
	at      int // among its rules
}

// byRule are the profiles of each rule, so that one which few articles select is drawn as often
// as the others.
func byRule(e *boxrules.Engine) (rules [][]applied) {
	for _, rule := range e.Rules().Rules() {
		var in []applied
		for _, p := range e.Profiles() {
			if at := slices.Index(p.Rules(), rule); at >= 0 {
				in = append(in, applied{p, at})
			}
		}
		if len(in) > 0 {
			rules = append(rules, in)
		}
	}
	return rules
}

// drawPoint draws a box near the border of the rule. For most boxes no earlier rule decides.
func drawPoint(r *rand.Rand, a applied) (q exact.Point) {
	form := a.profile.Exact()
	boxes := gen.Boxes{Draw: r.IntN, Low: form.Low, High: form.High, Faces: slices.Collect(form.Conditions[a.at].HalfSpaces())}
	for range 12 {
		q = boxes.Next()
		if !slices.ContainsFunc(form.Conditions[:a.at], func(t exact.Condition) bool { return t.Holds(q) }) {
			break
		}
	}
	return q
}

// spoil makes one field of the row wrong.
func spoil(r *rand.Rand, b *row, special bool) {
	wrong := []float64{1_000_000.001, -1_000_000.001, 1e300, -1e9}
	if special {
		wrong = append(wrong, math.NaN(), math.Inf(1), math.Inf(-1))
	}
	for range 1 + r.IntN(2) {
		switch of := r.IntN(8); of {
		case 0, 1, 2:
			b.dims[of] = nil
		case 3, 4, 5:
			b.dims[of-3] = &wrong[r.IntN(len(wrong))]
		case 6:
			b.article = otherText(r, b.article)
		case 7:
			b.material = otherText(r, b.material)
		}
	}
}

// otherText returns a text that is not a code, or the code of another article or material.
func otherText(r *rand.Rand, code *string) *string {
	if code == nil || *code == "" {
		return nil
	}
	texts := []string{
		"", " ", *code + " ", " " + *code, strings.ToUpper(*code), strings.ToUpper((*code)[:1]) + (*code)[1:], *code + "\x01",
		strings.ReplaceAll(*code, "e", "é"), *code + "\u0301", "none", "carton-300", "b-flute", "tray",
	}
	if i := r.IntN(len(texts) + 1); i < len(texts) {
		return &texts[i]
	}
	return nil
}

// TestSQLRefuses loads the file for tables that have a column with the name of one that the view adds. If the
// view read such a column, it would show an old verdict, or take a number for a grid point that is not one.
func TestSQLRefuses(t *testing.T) {
	ours := []string{"already has a column verdict", "already has a column boxrules_w", "already has a column boxrules_d", "already has a column boxrules_h"}
	engines := map[string]struct {
		refused []string // parts of the errors for those of verdict, boxrules_w, boxrules_d and boxrules_h that are refused
		anyCase bool     // whether Verdict is the same name
	}{
		"sqlite":     {ours[:1], true},
		"duckdb":     {ours, true},
		"clickhouse": {ours, false},
		"postgres":   {[]string{`column "verdict" specified more than once`}, false},
		"ansi":       {[]string{`column "verdict" specified more than once`}, false},
		"mariadb":    {[]string{"Duplicate column name 'verdict'"}, true},
		"spark":      {[]string{"The column `verdict` already exists"}, true},
		"trino":      {[]string{"Column name 'verdict' specified more than once"}, true},
	}
	names := []string{"verdict", "boxrules_w", "boxrules_d", "boxrules_h"}
	each(t, func(t *testing.T, d database) {
		engine := engines[d.dialect]
		for i, want := range engine.refused {
			refusesColumn(t, d, names[i], want)
		}
		refusesColumn(t, d, "Verdict", map[bool]string{true: "erdict"}[engine.anyCase])
	})
}

// refusesColumn loads the SQL over a table with the column. With no error wanted, the view has to
// be right.
func refusesColumn(t *testing.T, d database, name, want string) {
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
	sql := sqlOf(t, boxrules.Default(), codegen.SQLOptions{Dialect: d.dialect, Articles: []string{"tuck-end"}})
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
	if out, err := run("SELECT verdict FROM box_verdicts;\n"); err == nil {
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
		if _, err := run(".bail off\n" + sql); err == nil || !strings.Contains(err.Error(), "already has a column verdict") {
			t.Errorf("error %v, want one with %q", err, "already has a column verdict")
		}
		if got := do(t, run, "SELECT name FROM sqlite_master;\n"); got != "boxes\n" {
			t.Errorf("after the error there are %q, want boxes alone", got)
		}
	}, "sqlite")
}
