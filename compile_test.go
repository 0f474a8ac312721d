package boxrules_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// boundaryRules returns a rule file with count rules of the stage, with codes from A_0000 on.
func boundaryRules(count int, condition func(i int) string) string {
	var b strings.Builder
	b.WriteString("version: 1\nboundary:\n")
	for i := range count {
		fmt.Fprintf(&b, "  - {code: A_%04d, message: m, when: \"%s\"}\n", i, condition(i))
	}
	return b.String()
}

func aboveThousand(i int) string { return fmt.Sprintf("width > %d", i+1000) }

// newError returns the error of limits.Load or New for the files. Without rules it uses the documented
// ones.
func newError(t *testing.T, rules, limitFile string) error {
	t.Helper()
	set := boxrules.DefaultRules()
	if rules != "" {
		var err error
		if set, err = boxrules.LoadRules("rules.yaml", []byte(rules)); err != nil {
			t.Fatal(err)
		}
	}
	catalogue, err := limits.Load("limits.yaml", []byte(limitFile))
	if err != nil {
		return err
	}
	engine, err := boxrules.New(set, catalogue)
	if (engine == nil) != (err != nil) {
		t.Fatalf("New returns the engine %v and the error %.200v", engine, err)
	}
	return err
}

const (
	tooManyTotalMessage    = "there are too many rules and comparisons in all articles and materials together: at most 1200000"
	tooManyDistinctMessage = "there are too many different comparisons in all articles and materials together: at most 150000"
)

// TestNewIsBounded: files that are small and legal, but would take too much time and memory, are
// refused.
func TestNewIsBounded(t *testing.T) {
	sum := "min(width,depth)" + strings.Repeat("+min(width,depth)", 7) // 256 combinations
	folded := func(int) string { return sum + " > caliper * 2" + strings.Repeat(" || "+sum+" > caliper * 3", 20) }
	askew := func(i int) string { return fmt.Sprintf("%d * width > %d * depth + %d", i+1, i+2, i) }
	for _, test := range []struct{ name, rules, limits, want string }{
		{"combinations", boundaryRules(40, folded), head(20) + cubes(1), tooManyDistinctMessage},
		{"half-spaces", boundaryRules(1001, askew), head(1) + cubes(1), "article a0 in material m0 has too many comparisons: at most 1000"},
		{"rules", boundaryRules(60, aboveThousand), head(100) + cubes(102), tooManyTotalMessage},
		{"offers", "", head(100) + cubes(121), "too many products (an article in a material): at most 12000 in total"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "combinations" {
				lab.OnlyCI(t, "many combinations; TestNewAtTheBounds has fewer")
			}
			err := newError(t, test.rules, test.limits)
			if err == nil || strings.Count(err.Error(), test.want) != 1 {
				t.Errorf("New: error %.400v, want %q once", err, test.want)
			}
		})
	}
}

// TestNewAtTheBounds: New accepts files that reach a bound, and refuses files that exceed it by one.
func TestNewAtTheBounds(t *testing.T) {
	// For each caliper this condition counts as 60 comparisons: 8 combinations and 52 times 64 characters. The 63
	// characters that remain do not count.
	calipers := func(int) string {
		const eight = "min(width, depth) + 2 * min(width, depth) + 4 * min(width, depth) > caliper"
		return strings.Replace(eight, ">", ">"+strings.Repeat(" ", 52*64+63-len(eight)), 1)
	}
	sum := "(depth" // 256 combinations
	for i := range 8 {
		sum += fmt.Sprintf(" + min(%d * width, depth)", 1<<i)
	}
	sum += ")"
	repeated := func(int) string { return sum + " > 1" + strings.Repeat(" || "+sum+" > 2 || "+sum+" > 3", 2) }
	everywhere := func(i int) string { // 4 comparisons
		return fmt.Sprintf("width > %d || depth > %[1]d || height > %[1]d || width + depth > %[1]d", i)
	}
	onceMore := func(i int) string { return everywhere(i) + strings.Repeat(" || width + height > 5", i/239) }
	// 25 of these conditions reach the bound with the calipers of a hundred materials. The article last adds one more
	// condition or a formula.
	comparisons := boundaryRules(25, calipers) + "constraint:\n  - {code: B_0000, message: m, when: depth > 5}\n"
	reached := head(100) + cubes(1)
	last := func(constraints string) string {
		return "  last: " + strings.Replace(nineCube, "constraints: []", "materials: [m0], constraints: "+constraints, 1)
	}
	blank := func(characters int) string { // the number of characters in the formula for its width
		return "[], blank: {height: height, width: width" + strings.Repeat(" ", characters-len("width+7")) + "+7}"
	}
	for _, test := range []struct{ name, rules, limits, want string }{
		{"rules", boundaryRules(60, aboveThousand), head(100) + cubes(100), ""},
		{"half-spaces", boundaryRules(1000, aboveThousand), head(1) + cubes(1), ""},
		{"half-spaces of one rule", boundaryRules(1, repeated), head(1) + cubes(1),
			"article a0 in material m0 has too many comparisons: at most 1000"},
		{"half-spaces of all", boundaryRules(240, everywhere), head(100) + cubes(10), ""},
		{"half-spaces of all, and one", boundaryRules(240, onceMore), head(100) + cubes(10), tooManyTotalMessage},
		{"comparisons", comparisons, reached, ""},
		{"comparisons, and one", comparisons, reached + last("[B_0000]"), tooManyDistinctMessage},
		{"comparisons, and a short formula", comparisons, reached + last(blank(63)), ""},
		{"comparisons, and a long formula", comparisons, reached + last(blank(64)), tooManyDistinctMessage},
		// What has the same values in several articles or materials is counted once.
		{"the same in articles alike", comparisons, head(100) + cubes(50), ""},
		{"the same in all materials", boundaryRules(1, func(int) string { return sum + " > max_width" }), head(100) + cubes(10), ""},
		{"the same in all articles", boundaryRules(1, func(int) string { return sum + " > 1" }), head(1) + cubes(1000), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := newError(t, test.rules, test.limits)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("New: error %.200v, want %q", err, test.want)
			}
		})
	}
}

// TestManyErrors: New stops at a hundred errors, and says so. The article after the one with the
// unknown codes causes one more error.
func TestManyErrors(t *testing.T) {
	for count, want := range map[int]int{98: 99, 99: 101, 100: 101, 500: 101} {
		var codes []string
		for i := range count {
			codes = append(codes, fmt.Sprintf("X_%04d", i))
		}
		text := head(1) + "  a: " + strings.Replace(nineCube, "[]", "["+strings.Join(codes, ", ")+"]", 1) +
			"  b: " + strings.Replace(nineCube, "[]}", "[], blank: {width: width / 0, height: height}}", 1)
		err := newError(t, "", text)
		var errs source.Errors
		if !errors.As(err, &errs) || len(errs) != want {
			t.Fatalf("%d unknown codes: %d errors, want %d: %.200v", count, len(errs), want, err)
		}
		stopped := errs[len(errs)-1].Message == "too many errors: further ones are not listed"
		if stopped != (want > 100) {
			t.Errorf("%d unknown codes: the last error is %v", count, errs[len(errs)-1])
		}
	}
}

// TestExtends: in each stage, the rules of a file that extends the documented rules come after the
// documented ones.
func TestExtends(t *testing.T) {
	const added = `extends: documented
size: [{code: SHOP_0004, when: blank_width > 500, message: m}]
constraint: [{code: SHOP_0002, when: height > 3 * width, message: m}, {code: SHOP_0003, when: height > 2 * width, message: m}]
boundary: [{code: SHOP_0001, when: width > 300, message: m}]
`
	const blank = "{width: width + depth, height: height}}\n"
	const ranges = "min: 10, max: 400"
	engine := engineOf(t, added, articleOf("plain", ranges, "")+
		strings.Replace(articleOf("a", ranges, "SHOP_0003, BOX_3100, SHOP_0002"), "}\n", ", blank: "+blank, 1))
	want := strings.Replace(strings.Replace(strings.Join(profiles.Codes(boxrules.DefaultRules().Rules()), " "),
		"BOX_2105", "BOX_2105 SHOP_0001", 1), "BOX_4100", "SHOP_0002 SHOP_0003 BOX_4100 SHOP_0004", 1)
	if got := strings.Join(profiles.Codes(engine.Rules().Rules()), " "); got != want {
		t.Errorf("the rules are %s, want %s", got, want)
	}
	if rules := engine.Rules(); !rules.Extends() || rules.Unit() != "mm" || rules.Name() != "rules.yaml" || boxrules.DefaultRules().Extends() {
		t.Errorf("Extends() = %v, unit %s, name %s; of the documented rules %v", rules.Extends(), rules.Unit(), rules.Name(),
			boxrules.DefaultRules().Extends())
	}
	for _, test := range []struct {
		article              string
		width, depth, height float64
		want                 string
	}{
		{"a", 100, 100, 100, ""},
		{"a", 100, 90, 201, "SHOP_0003"},
		{"a", 100, 90, 301, "SHOP_0002 SHOP_0003"},
		{"a", 100, 110, 301, "BOX_3100 SHOP_0002 SHOP_0003"},
		{"a", 301, 301, 300, "SHOP_0001 SHOP_0004"},
		{"a", 401, 401, 5, "BOX_2101 BOX_2103 BOX_2104 SHOP_0001 SHOP_0004"},
		{"a", 301, 400, 1000, "BOX_2105 SHOP_0001 BOX_3100 SHOP_0002 SHOP_0003 BOX_4100 SHOP_0004"},
		{"plain", 100, 110, 301, ""},
		{"plain", 301, 10, 10, "SHOP_0001"},
		{"plain", -5, 10, 10, "BOX_2100"},
	} {
		all, err := engine.CheckAll(boxrules.Box{Article: test.article, Material: "m",
			Dims: boxrules.Dims{Width: test.width, Depth: test.depth, Height: test.height}})
		var codes []string
		for _, v := range all {
			codes = append(codes, string(v.Code))
		}
		if got := strings.Join(codes, " "); err != nil || got != test.want {
			t.Errorf("CheckAll of %+v = %s, %v, want %s", test, got, err, test.want)
		}
	}
}
