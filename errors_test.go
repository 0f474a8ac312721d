package boxrules_test

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// load returns an engine for a rule file or a limit file. A rule file gets the illustrative catalogue
// if it has the documented codes, or else one that selects no constraint. A limit file gets the
// documented rules, with their unit changed to that of the file.
func load(name string, data []byte) (*boxrules.Engine, error) {
	if !strings.HasPrefix(name, "rules-") {
		catalogue, err := limits.Load(name, data)
		if err != nil {
			return nil, err
		}
		text := bytes.Replace(must(os.ReadFile("rules/box_rules.yaml")), []byte("unit: mm"), []byte("unit: "+catalogue.Unit()), 1)
		return boxrules.New(must(boxrules.LoadRules("rules/box_rules.yaml", text)), catalogue)
	}
	rules, err := boxrules.LoadRules(name, data)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(data, []byte("BOX_3122")) {
		return boxrules.New(rules, limits.Illustrative())
	}
	catalogue, err := limits.Load("plain.yaml", []byte(plain))
	if err != nil {
		return nil, err
	}
	return boxrules.New(rules, catalogue)
}

const plain = `version: 1
unit: mm
sheets: {s: {width: 1040, height: 720}}
materials: {m: {caliper: 0.4, glue_flap: 15, sheet: s}, k: {caliper: 0.5, glue_flap: 15, sheet: s}}
articles:
  a:
    width: {min: 20, max: 400}
    depth: {min: 15, max: 250}
    height: {min: 30, max: 450}
    constraints: []
    blank: {width: 2*width + 2*depth, height: height}
`

// files returns the rule and limit files of a folder under testdata.
func files(t *testing.T, folder string, least int) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		yaml, golden := strings.CutSuffix(path, ".want")
		return golden && slices.Contains(paths, yaml+".yaml")
	})
	for _, path := range paths {
		if ok, err := filepath.Match("*-*.yaml", filepath.Base(path)); !ok || err != nil {
			t.Errorf("%s is neither rules-….yaml nor limits-….yaml", path)
		}
	}
	if len(paths) < least {
		t.Fatalf("%d files in %s, want %d or more", len(paths), folder, least)
	}
	return paths
}

// A mark is a "# want line:column word" comment in a file: the place where an error is expected, and
// the beginning of the text there. The word $ means the end of the line, and U+200B that
// character.
type mark struct {
	place string // file:line:column
	word  string
}

var wantComment = regexp.MustCompile(`(?m)^# want ([0-9]+):([0-9]+) (.+?)\r?$`)

// marks reads these comments, and checks that the text at each place begins with the word.
func marks(t *testing.T, name string, data []byte) []mark {
	var found []mark
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	for _, match := range wantComment.FindAllStringSubmatch(string(data), -1) {
		line, _ := strconv.Atoi(match[1])
		column, _ := strconv.Atoi(match[2])
		word := match[3]
		var rest string
		if line <= len(lines) {
			runes := []rune(strings.TrimSuffix(lines[line-1], "\r"))
			rest = string(runes[min(column-1, len(runes)):])
		}
		if code, err := strconv.ParseUint(strings.TrimPrefix(word, "U+"), 16, 32); err == nil && strings.HasPrefix(word, "U+") {
			word = string(rune(code))
		}
		if word == "$" && strings.TrimSpace(rest) != "" || word != "$" && !strings.HasPrefix(rest, word) {
			t.Errorf("%s: %q, but the text there is %q", name, match[0], rest)
		}
		found = append(found, mark{fmt.Sprintf("%s:%d:%d", name, line, column), word})
	}
	return found
}

// TestGoldenErrors loads every file of testdata/err, which all have errors, and compares the errors with
// its golden file. Mistakes in YAML itself are tested in internal/strictyaml.
func TestGoldenErrors(t *testing.T) {
	for _, path := range files(t, "err", 60) {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			engine, err := load(name, data)
			if err == nil || engine != nil {
				t.Fatalf("it is accepted: engine %v, error %v", engine, err)
			}
			golden := strings.TrimSuffix(path, ".yaml") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, goldenErr := os.ReadFile(golden)
			if goldenErr != nil {
				t.Fatal(goldenErr)
			}
			if got := err.Error() + "\n"; got != string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
				t.Errorf("the error is\n%s\nwant\n%s", got, want)
			}
			checkErrors(t, err, marks(t, name, data))
		})
	}
}

// checkErrors checks that err is a source.Errors with one error for each mark, and that each error is
// as documented.
func checkErrors(t *testing.T, err error, marks []mark) {
	t.Helper()
	var all source.Errors
	var first *source.Error
	wrapped := fmt.Errorf("loading: %w", err)
	if !errors.As(wrapped, &all) || !errors.As(wrapped, &first) {
		t.Fatalf("%T holds no source.Errors, or no *source.Error", err)
	}
	if first != all[0] {
		t.Errorf("errors.As finds %v, want the first of all, %v", first, all[0])
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(all) || len(all) != len(marks) {
		t.Errorf("%d lines for %d errors, want one for each of the %d marks", len(lines), len(all), len(marks))
	}
	seen := make(map[string]bool)
	for i, e := range all {
		if !errors.Is(wrapped, e) {
			t.Errorf("errors.Is does not find %v", e)
		}
		line := e.Error()
		place := fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
		if e.String() != place || !strings.HasPrefix(line, place+": ") || !strings.HasSuffix(line, e.Message) || e.Message == "" {
			t.Errorf("%+v reads %q", e, line)
		}
		if e.Rule != "" && line != place+": "+e.Rule+": "+e.Message {
			t.Errorf("%+v reads %q", e, line)
		}
		if i < len(lines) && line != lines[i] || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || len(line) > 500 {
			t.Errorf("%q is not one printable line of the whole", line)
		}
		if seen[line] {
			t.Errorf("%s comes twice", line)
		}
		seen[line] = true
		if i < len(marks) && place != marks[i].place && len(all) == len(marks) {
			t.Errorf("error %d is at %s, want %s where %q stands: %s", i+1, place, marks[i].place, marks[i].word, e.Message)
		}
	}
}

// TestGoldenOK loads unusual but valid files.
func TestGoldenOK(t *testing.T) {
	for _, path := range files(t, "ok", 8) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := load(filepath.Base(path), data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if len(engine.Rules().Rules()) == 0 || len(engine.Profiles()) == 0 {
			t.Errorf("%s: %d rules, %d profiles", path, len(engine.Rules().Rules()), len(engine.Profiles()))
		}
	}
}

// TestLongText: long texts are cut in messages, so that each error is one readable line.
func TestLongText(t *testing.T) {
	for _, test := range []struct{ name, data string }{
		{"rules-x.yaml", "version: ‹L\nboundary:\n- code: ‹L\n  when: ‹L > 1\n  message: ‹[L]\n  ‹L: 1\n"},
		{"limits-x.yaml", "version: ‹L\nunit: ‹L\nsheets: {s: {width: ‹9L, height: 1}, ‹L: {width: 1, height: 1}}\n" +
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: ‹yL , min_sheets: ‹9L}}\n" +
			"articles:\n  ‹L: {width: {min: ‹0, max: 1}, depth: ‹{min: 1}, height: {min: ‹2, max: 1}, " +
			"constraints: [‹L , A_0000, ‹A_0000], materials: [‹L ], blank: {width: ‹L , height: ‹L }}\n"},
	} {
		// The mark is in front of the place of an error, and L means a long text.
		var marks []mark
		var data strings.Builder
		for i, line := range strings.Split(test.data, "\n") {
			column := 0
			for j, piece := range strings.Split(line, "‹") {
				if piece = strings.ReplaceAll(piece, "9L", strings.Repeat("9", 600)); j > 0 {
					marks = append(marks, mark{fmt.Sprintf("%s:%d:%d", test.name, i+1, column+1), piece[:1]})
				}
				piece = strings.ReplaceAll(piece, "L", strings.Repeat("x", 600))
				column += len(piece)
				data.WriteString(piece)
			}
			data.WriteString("\n")
		}
		_, err := load(test.name, []byte(data.String()))
		checkErrors(t, err, marks)
	}
}

// TestNotTogether has rules and limits that are valid by themselves, but do not fit together.
func TestNotTogether(t *testing.T) {
	const rules = `version: 1
boundary:
  - code: EDGE_0001
    when: %s
    message: m
constraint:
  - code: SHOP_0001
    when: height > 3 * blank_width
    message: m
  - code: SHOP_0002
    when: height > width
    message: m
size:
  - code: SIZE_0001
    when: blank_width > sheet_width
    message: m
  - code: SIZE_0002
    when: width > sheet_width
    message: m
`
	const catalogue = `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials:
  m: {caliper: 0.5, glue_flap: 0, sheet: s}
  k: {caliper: 1, glue_flap: 0.25, sheet: s}
articles:
  flat:
    width: {min: 1, max: 1500}
    depth: {min: 1, max: 9}
    height: {min: 1, max: 9}
    constraints: [%s]
  cut:
    width: {min: 2, max: 1500}
    depth: {min: 1, max: 9}
    height: {min: 1, max: 9}
    constraints: [SHOP_0001]
    blank:
      width: %s
      height: height
`
	const (
		noBlank   = "limits.yaml:12:19: articles.flat: SHOP_0001 needs the blank, but the article has none\n"
		magnitude = "the numbers are too large or have too many digits: sums would exceed 2^53"
		tooLarge  = "rules.yaml:8:18: SHOP_0001: " + magnitude + " (in article cut, material m)\n" +
			"rules.yaml:15:23: SIZE_0001: " + magnitude + " (in article cut, material m)\n"
	)
	for _, test := range []struct{ edge, constraints, blank, want string }{
		{"depth > 9", "SHOP_0002", "2*width", ""},
		{"depth > 9", "SHOP_0001", "2*width", noBlank},
		{"depth > 9", "SIZE_0002, SHOP_0002, BOX_3100, EDGE_0001", "2*width", "" +
			"limits.yaml:12:19: articles.flat: SIZE_0002 is a size rule, which applies to every article; select only constraint rules\n" +
			"limits.yaml:12:41: articles.flat: BOX_3100 is not a rule of rules.yaml; accepted: SHOP_0001, SHOP_0002\n" +
			"limits.yaml:12:51: articles.flat: EDGE_0001 is a boundary rule, which applies to every article; select only constraint rules\n"},
		{"1 < blank_width", "", "2*width", "rules.yaml:4:11: EDGE_0001: the condition needs the blank, but article flat has none\n"},
		{"1 / glue_flap > 1", "", "2*width", "rules.yaml:4:13: EDGE_0001: division by zero (in article flat, material m)\n"},
		{"1 / (min_width - 2) > depth", "", "2*width", "rules.yaml:4:13: EDGE_0001: division by zero (in article cut, material m)\n"},
		{"1 / min(caliper - 1, glue_flap) > depth", "SHOP_0002", "2*width/(caliper - 1)", "" +
			"limits.yaml:19:21: articles.cut: division by zero (in material k)\n" +
			"rules.yaml:4:13: EDGE_0001: division by zero (in article flat, material k)\n"},
		{"depth > 9", "SHOP_0001", "9007200 * width + depth", noBlank + tooLarge},
		{"depth > 9", "", "width / 3 * 0.0000001 + depth", tooLarge},
	} {
		ruleSet, err := boxrules.LoadRules("rules.yaml", fmt.Appendf(nil, rules, test.edge))
		if err != nil {
			t.Fatal(err)
		}
		limitSet, err := limits.Load("limits.yaml", fmt.Appendf(nil, catalogue, test.constraints, test.blank))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(ruleSet, limitSet)
		got := ""
		if err != nil {
			got = err.Error() + "\n"
		}
		if got != test.want || (engine == nil) != (test.want != "") {
			t.Errorf("New(%+v) = %v, error\n%s\nwant\n%s", test, engine, got, test.want)
		}
		if engine == nil {
			continue
		}
		// Without a blank only the rules that need none are left.
		p, err := engine.Profile("flat", "m")
		if err != nil {
			t.Fatal(err)
		}
		var codes []boxrules.Code
		for _, r := range p.Rules() {
			codes = append(codes, r.Code)
		}
		if want := []boxrules.Code{"EDGE_0001", "SHOP_0002", "SIZE_0002"}; !slices.Equal(codes, want) {
			t.Errorf("rules of an article without a blank: %v, want %v", codes, want)
		}
	}
}

// TestAcceptedConstraints: the error for an unknown code names the codes that are accepted. Three or more documented codes
// are shortened to the first and the last.
func TestAcceptedConstraints(t *testing.T) {
	for codes, want := range map[string]string{
		"":                            "none, as it has no constraint rules",
		"SHOP_0001":                   "SHOP_0001",
		"BOX_3100":                    "BOX_3100",
		"BOX_3100 BOX_3104":           "BOX_3100, BOX_3104",
		"BOX_3100 BOX_3104 BOX_3105":  "BOX_3100 to BOX_3105",
		"BOX_3100 SHOP_0001 BOX_3104": "BOX_3100, BOX_3104, SHOP_0001",
		"SHOP_0001 BOX_3100 BOX_3104 BOX_3105 SHOP_0002": "BOX_3100 to BOX_3105, SHOP_0001, SHOP_0002",
	} {
		rules := "version: 1\nboundary: [{code: X_0001, when: width > max_width, message: m}]\nconstraint:\n"
		if codes == "" {
			rules = strings.TrimSuffix(rules, "constraint:\n")
		}
		for _, code := range strings.Fields(codes) {
			rules += "  - {code: " + code + ", when: height > width, message: m}\n"
		}
		err := newError(t, rules, head(1)+"  a: "+strings.Replace(nineCube, "[]", "[NO_0001]", 1))
		if err == nil || !strings.HasSuffix(err.Error(), "NO_0001 is not a rule of rules.yaml; accepted: "+want) {
			t.Errorf("%q: error %v, want %q", codes, err, want)
		}
	}
}

// TestUnits: a condition is evaluated in the unit of its rule, whatever unit the limits have. A box of 20 x 9 x 15 is
// valid in millimetres, and BOX_3102 in centimetres. Only units that cannot be converted are an error.
func TestUnits(t *testing.T) {
	const condition = "constraint: [{code: BOX_3102, when: height > depth && depth >= %s, message: m}]\n"
	const mismatch = "limits.yaml:2:7: the unit of the limits is %s, but the unit of the rules in rules.yaml is %s; " +
		"%s cannot be converted: use the same unit in both files, or give each file one of mm, cm, m, in"
	for _, test := range []struct{ rules, edge, limits, want string }{ // a mismatch is the only error that is reported
		{"", "60", "mm", ""},
		{"unit: mm\n", "60", "mm", ""},
		{"unit: cm\n", "6", "cm", "BOX_3102"},
		{"unit: in\n", "2.362", "in", "BOX_3102"},
		{"", "60", "cm", "BOX_3102"},
		{"unit: mm\n", "90", "cm", "BOX_3102"},
		{"unit: mm\n", "90.001", "cm", ""},
		{"unit: mm\n", "228.6", "in", "BOX_3102"},
		{"unit: mm\n", "228.601", "in", ""},
		{"unit: cm\n", "6", "mm", ""},
		{"unit: cm\n", "0.9", "mm", "BOX_3102"},
		{"unit: in\n", "9 / 25.4", "mm", "BOX_3102"},
		{"unit: in\n", "0.35434", "mm", ""},
		{"unit: m\n", "0.2286", "in", "BOX_3102"},
		{"unit: Zoll\n", "9", "Zoll", "BOX_3102"},
		{"unit: MM\n", "60", "mm", fmt.Sprintf(mismatch, "mm", "MM", "MM") + ` (did you mean "mm"?)`},
		{"", "60", "inches", fmt.Sprintf(mismatch, "inches", "mm", "inches") + ` (did you mean "in"?)`},
		{"unit: in\n", "60", "mil", fmt.Sprintf(mismatch, "mil", "in", "mil")},
	} {
		rules, err := boxrules.LoadRules("rules.yaml", []byte("version: 1\n"+test.rules+fmt.Sprintf(condition, test.edge)))
		if err != nil {
			t.Fatal(err)
		}
		if want := cmp.Or(strings.TrimSpace(strings.TrimPrefix(test.rules, "unit: ")), "mm"); rules.Unit() != want {
			t.Errorf("%q: Unit() = %s, want %s", test.rules, rules.Unit(), want)
		}
		selected := "BOX_3102"
		if strings.Contains(test.want, "cannot be converted") {
			selected += ", UNKNOWN_0001"
		}
		catalogue, err := limits.Load("limits.yaml", []byte("version: 1\nunit: "+test.limits+"\nsheets: {s: {width: 900, height: 900}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles:\n"+articleOf("a", "min: 1, max: 900", selected)))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil || engine == nil {
			if err == nil || err.Error() != test.want {
				t.Errorf("New with rules %q and limits in %s: %v, want %s", test.rules, test.limits, err, test.want)
			}
			continue
		}
		box := boxrules.Box{Article: "a", Material: "m", Dims: boxrules.Dims{Width: 20, Depth: 9, Height: 15}}
		if v, err := engine.Check(box); err != nil || string(v.Code()) != test.want {
			t.Errorf("rules %q and limits in %s: Check = %v, %v, want %q", test.rules, test.limits, v, err, test.want)
		}
	}
	extended, err := boxrules.LoadRules("shop.yaml", []byte("version: 1\nextends: documented\nunit: in\n"+
		"constraint: [{code: SHOP_0001, when: height > 60, message: m}]\n"))
	if err != nil || extended.Unit() != "in" {
		t.Fatalf("a file in inches that extends the documented rules: %v", err)
	}
	for _, r := range extended.Rules() {
		if want := map[bool]string{true: "in", false: "mm"}[r.Code == "SHOP_0001"]; r.Unit != want {
			t.Errorf("%s has the unit %s, want %s", r.Code, r.Unit, want)
		}
	}
	if unit := boxrules.DefaultRules().Unit(); unit != "mm" {
		t.Errorf("the documented rules are in %s, want mm", unit)
	}
}

// TestUnknownConstraint: the message lists the codes that an article may select, as many as fit in a
// line.
func TestUnknownConstraint(t *testing.T) {
	for count, want := range map[int]string{
		0: "none, as it has no constraint rules",
		1: "C_0000",
		8: "C_0000, C_0001, C_0002, C_0003, C_0004, C_0005, C_0006, C_0007",
		17: "C_0000, C_0001, C_0002, C_0003, C_0004, C_0005, C_0006, C_0007, C_0008, C_0009, " +
			"C_0010, C_0011, C_0012, C_0013, C_0014, C_0015, …",
	} {
		rules := "version: 1\nboundary:\n  - {code: B_0001, when: width < 1, message: m}\n"
		for i := range count {
			if i == 0 {
				rules += "constraint:\n"
			}
			rules += fmt.Sprintf("  - {code: C_%04d, when: depth > width, message: m}\n", i)
		}
		ruleSet, err := boxrules.LoadRules("rules.yaml", []byte(rules))
		if err != nil {
			t.Fatal(err)
		}
		limitSet, err := limits.Load("limits.yaml", []byte("version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles:\n"+articleOf("a", "min: 1, max: 9", "X_0001")))
		if err != nil {
			t.Fatal(err)
		}
		want = "limits.yaml:6:97: articles.a: X_0001 is not a rule of rules.yaml; accepted: " + want
		if _, err := boxrules.New(ruleSet, limitSet); err == nil || err.Error() != want {
			t.Errorf("New with %d constraint rules: error %v, want %s", count, err, want)
		}
	}
}
