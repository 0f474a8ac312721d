package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/lint"
)

// decimalsOf does what engineOf does, with limits that allow this number of decimals.
func decimalsOf(t rapid.TB, decimals int, rules, articles string) *boxrules.Engine {
	t.Helper()
	return engineOf(t, rules, fmt.Sprintf("%sdecimals: %d\n", articles, decimals))
}

// TestLintWorldWithTwoDecimals does what TestLintWorld does in worlds that are ten times as large and
// whose boxes have two decimals. Lint may leave something undecided in some of them.
func TestLintWorldWithTwoDecimals(t *testing.T) {
	worlds, undecided := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := gen.NewWorld(draw.Choices(t))
		larger := strings.NewReplacer("/1000", "/100", "0.00", "0.0")
		e := decimalsOf(t, 2, larger.Replace(w.Rules), larger.Replace(w.Article))
		isUndecided := func(f lint.Finding) bool { return f.Kind == lint.Undecided }
		if worlds++; slices.ContainsFunc(lintOf(e), isUndecided) {
			undecided++
			return
		}
		compareWorld(t, e, 10)
	})
	if undecided > worlds/4 {
		t.Errorf("%d of %d worlds leave something undecided, want at most a quarter", undecided, worlds)
	}
}

// TestLintBetweenDecimals: a condition that holds only between two neighbouring boxes with the
// allowed decimals holds for no box.
func TestLintBetweenDecimals(t *testing.T) {
	stage, codes := constraintsOf("width > 100.001 && width < 100.009", "width + depth > 150.011 && width + depth <= 150.02",
		"height > 60.015")
	rules := "boundary:\n" + gen.WorldRule("X_1000", "width < min_width || depth < min_depth || height < min_height") +
		gen.WorldRule("X_1001", "width > max_width || depth > max_depth || height > max_height") + stage
	for decimals, want := range []string{
		"unreportable X_0001", // the boundary of X_0001 has three decimals
		"unreportable X_0001", "unreportable X_0001", "",
	} {
		e := decimalsOf(t, decimals, rules, gen.WorldArticle("a", "min: 20.005, max: 200; min: 20, max: 80; min: 30.5, max: 90", codes))
		var got []string
		for f := range lint.Lint(e) {
			if f.Kind == lint.Unreportable || f.Kind == lint.Undecided {
				got = append(got, fmt.Sprint(f.Kind, " ", f.Codes[0]))
			}
			if f.Witness != nil {
				if _, err := e.Profiles()[0].Check(*f.Witness); err != nil {
					t.Errorf("%d decimals: %+v: %v", decimals, f, err)
				}
			}
		}
		if decimals < 2 {
			want += ", unreportable X_0002"
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%d decimals: %s, want %s", decimals, text, want)
		}
		p := e.Profiles()[0]
		for _, r := range p.Rules() {
			d, ok := lint.Witness(p, r.Code)
			v, err := p.Check(d)
			if ok == strings.Contains(want, string(r.Code)) || ok && (err != nil || v.Code() != r.Code) {
				t.Errorf("%d decimals: Witness(%s) = %+v, %v, which is %v, %v", decimals, r.Code, d, ok, v, err)
			}
		}
	}
}

// TestDiffDecimals: limits are identical if no box with the allowed decimals lies between them. If
// one file allows fewer decimals, only the boxes that both allow count.
func TestDiffDecimals(t *testing.T) {
	with := func(decimals int, width string) *boxrules.Engine {
		return decimalsOf(t, decimals, "", gen.WorldArticle("a", width+"; min: 20, max: 80; min: 30, max: 90", "BOX_3100"))
	}
	for _, test := range []struct {
		before, after         int
		minimum, otherMinimum string
		want                  lint.ChangeKind
	}{
		{2, 2, "min: 20.005, max: 200", "min: 20.01, max: 200", lint.Identical},
		{2, 2, "min: 20.005, max: 200", "min: 20.011, max: 200", lint.NewlyRejected},
		{3, 3, "min: 20.005, max: 200", "min: 20.01, max: 200", lint.NewlyRejected},
		{3, 2, "min: 20.005, max: 200", "min: 20.01, max: 200", lint.Identical},
		{2, 3, "min: 20.005, max: 200", "min: 20.01, max: 200", lint.Identical},
		{3, 0, "min: 20.5, max: 200", "min: 21, max: 200", lint.Identical},
		{0, 1, "min: 20.5, max: 200", "min: 22, max: 200", lint.NewlyRejected},
	} {
		changes := slices.Collect(lint.Diff(with(test.before, test.minimum), with(test.after, test.otherMinimum)))
		if changes[0].Kind != test.want || slices.ContainsFunc(changes, func(c lint.Change) bool { return c.Kind == lint.UndecidedChange }) {
			t.Errorf("%+v: %+v", test, changes)
		}
	}
}

// TestLintDecimalsOfCodes: the code of a limit that no box reaches is that of the next box beyond the limit, which is
// farther away if there are fewer decimals.
func TestLintDecimalsOfCodes(t *testing.T) {
	stage, codes := constraintsOf("width < 20 || width > 90")
	rules := "boundary:\n" + gen.WorldRule("B_0001", "width < min_width") + gen.WorldRule("B_0002", "width > max_width") + stage
	for decimals := range 4 {
		var got []string
		for _, f := range lintOf(decimalsOf(t, decimals, rules, gen.WorldArticle("a", "min: 10, max: 100", codes))) {
			if f.Kind == lint.UnreachableLimit {
				got = append(got, fmt.Sprint(f.Limit, " ", join(f.Codes), " by ", join(f.By)))
			}
		}
		if want := []string{"min_width B_0001 by X_0001", "max_width B_0002 by X_0001"}; !slices.Equal(got, want) {
			t.Errorf("%d decimals: Lint has %q, want %q", decimals, got, want)
		}
	}
}
