package boxrules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

const valueRules = `version: 1
extends: documented
unit: mm
values: {girth: length, crease: length, max_ratio: number, unused: number}
boundary:
  - {code: SHOP_0001, when: width + 2 * depth + height > girth, message: too large for a parcel}
constraint:
  - {code: SHOP_0002, when: depth < 3 * crease, message: too shallow to fold}
  - {code: SHOP_0003, when: height > max_ratio * depth + 30, message: too tall}
  - {code: SHOP_0004, when: width / crease > max_ratio, message: too wide}
size:
  - {code: SHOP_0005, when: blank_width + crease > sheet_width, message: no gripper edge}
`

const valueLimits = `version: 1
unit: in
values: {girth: 100}
sheets: {b1: {width: 39, height: 27}}
materials:
  e-flute: {caliper: 0.0625, glue_flap: 1.25, sheet: b1, values: {crease: 0.125}}
  b-flute: {caliper: 0.125, glue_flap: 1.25, sheet: b1, values: {crease: 0.25}}
articles:
  mailer:
    width: {min: 1, max: 30}
    depth: {min: 0.25, max: 30}
    height: {min: 1, max: 30}
    constraints: [SHOP_0002, SHOP_0003]
    values: {max_ratio: 4}
    blank: {width: 2*width + 2*depth, height: height + depth + crease}
  tube:
    width: {min: 1, max: 30}
    depth: {min: 0.25, max: 30}
    height: {min: 1, max: 30}
    constraints: [SHOP_0003]
    values: {max_ratio: 10}
  plain:
    width: {min: 1, max: 30}
    depth: {min: 0.25, max: 30}
    height: {min: 1, max: 30}
    constraints: [SHOP_0002]
`

// newWithValues returns the engine of the rules and limits above, with parts of the limits replaced.
func newWithValues(t *testing.T, replacements ...string) (*boxrules.Engine, error) {
	t.Helper()
	rules := must(boxrules.LoadRules("rules.yaml", []byte(valueRules)))
	text := strings.NewReplacer(replacements...).Replace(valueLimits)
	if len(replacements) > 0 && text == valueLimits {
		t.Fatalf("the limits do not contain %s", replacements[0])
	}
	return boxrules.New(rules, must(limits.Load("limits.yaml", []byte(text))))
}

// TestValues checks boxes on both sides of each border. An article has its own values, and not those of the article before
// it.
func TestValues(t *testing.T) {
	e, err := newWithValues(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		article, material    string
		width, depth, height float64
		want                 string
	}{
		{"mailer", "e-flute", 3, 0.375, 1, ""},
		{"mailer", "e-flute", 3, 0.374, 1, "SHOP_0002"},
		{"mailer", "b-flute", 3, 0.75, 1, ""},
		{"mailer", "b-flute", 3, 0.749, 1, "SHOP_0002"},
		{"plain", "b-flute", 3, 0.749, 1, "SHOP_0002"},
		{"plain", "b-flute", 3, 0.75, 30, ""}, // it does not select SHOP_0003
		{"tube", "b-flute", 3, 0.25, 3.681, ""},
		// 30 mm are 1.1811... inches.
		{"mailer", "e-flute", 3, 1, 5.181, ""},
		{"mailer", "e-flute", 3, 1, 5.182, "SHOP_0003"},
		{"tube", "e-flute", 3, 1, 11.181, ""},
		{"tube", "e-flute", 3, 1, 11.182, "SHOP_0003"},
		{"tube", "e-flute", 30, 30, 10, ""},
		{"tube", "e-flute", 30, 30, 10.001, "SHOP_0001"},
		{"mailer", "e-flute", 18, 1.437, 2, ""},
		{"mailer", "e-flute", 18, 1.438, 2, "SHOP_0005"},
	} {
		v, err := e.Check(boxrules.Box{Article: test.article, Material: test.material,
			Dims: boxrules.Dims{Width: test.width, Depth: test.depth, Height: test.height}})
		if err != nil || string(v.Code()) != test.want {
			t.Errorf("%+v: %v, %v", test, v, err)
		}
	}
}

// TestValueReasons: reasons show a value with its name and number, in the unit of the box.
func TestValueReasons(t *testing.T) {
	e, err := newWithValues(t, "[SHOP_0002, SHOP_0003]", "[SHOP_0002, SHOP_0003, SHOP_0004]")
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Profile("mailer", "b-flute")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	reasons, err := p.Reasons(boxrules.Dims{Width: 30, Depth: 0.5, Height: 30})
	for _, r := range reasons {
		got = append(got, string(r.Code)+": "+r.String())
	}
	const want = `SHOP_0002: too shallow to fold (depth 0.5 < 3 * crease 0.25 = 0.75)
SHOP_0003: too tall (height 30 > max_ratio 4 * depth 0.5 + 30 mm ≈ 3.181)
SHOP_0004: too wide (width 30 / crease 0.25 = 120 > max_ratio 4)
BOX_4100: blank_width 61 > sheet_width 39 and blank_width 61 > sheet_height 27
SHOP_0005: no gripper edge (blank_width 61 + crease 0.25 = 61.25 > sheet_width 39)`
	if text := strings.Join(got, "\n"); err != nil || text != want {
		t.Errorf("Reasons: %v\n%s\nwant\n%s", err, text, want)
	}
}

// TestMissingValues: each rule that an article needs a value for is an error, at the code that selects it or else at the
// article. A rule that does not apply to an article needs none.
func TestMissingValues(t *testing.T) {
	const everywhere = "at the top level, or to a material or an article"
	for _, test := range []struct{ from, to, want string }{
		{"[SHOP_0003]", "[]", ""},
		{"    values: {max_ratio: 10}\n", "", "limits.yaml:20:19: articles.tube: SHOP_0003: the value max_ratio is not set for this article; add values: {max_ratio: ...} to it"},
		{", values: {crease: 0.25}", "", "limits.yaml:15:64: articles.mailer: the value crease is not set for b-flute; add values: {crease: ...} to the material, or offer the article only in other materials"},
		{"constraints: [SHOP_0002]", "constraints: [BOX_3100, SHOP_0003]",
			"limits.yaml:26:29: articles.plain: SHOP_0003: the value max_ratio is not set for this article; add values: {max_ratio: ...} to it"},
		{"values: {girth: 100}\n", "", `limits.yaml:8:3: articles.mailer: SHOP_0001: the value girth is not set; add values: {girth: ...} ` + everywhere + `
limits.yaml:15:3: articles.tube: SHOP_0001: the value girth is not set; add values: {girth: ...} ` + everywhere + `
limits.yaml:21:3: articles.plain: SHOP_0001: the value girth is not set; add values: {girth: ...} ` + everywhere},
		{"constraints: [SHOP_0002]\n", "constraints: [SHOP_0004]\n    materials: [e-flute]\n    values: {unused: 1}\n",
			"limits.yaml:26:19: articles.plain: SHOP_0004: the value max_ratio is not set for this article; add values: {max_ratio: ...} to it"},
	} {
		got := ""
		rules := must(boxrules.LoadRules("rules.yaml", []byte(valueRules)))
		catalogue, err := limits.Load("limits.yaml", []byte(strings.Replace(valueLimits, test.from, test.to, 1)))
		if err == nil {
			_, err = boxrules.New(rules, catalogue)
		}
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q becomes %q: error\n%s\nwant\n%s", test.from, test.to, got, test.want)
		}
	}
	// The same by material, for a rule without a formula that is checked earlier.
	_, err := newWithValues(t, ", values: {crease: 0.25}", "", " + crease}", "}")
	const want = `limits.yaml:9:3: articles.mailer: SHOP_0005: the value crease is not set for b-flute; add values: {crease: ...} to the material, or offer the article only in other materials
limits.yaml:13:19: articles.mailer: SHOP_0002: the value crease is not set for b-flute; add values: {crease: ...} to the material, or offer the article only in other materials
limits.yaml:26:19: articles.plain: SHOP_0002: the value crease is not set for b-flute; add values: {crease: ...} to the material, or offer the article only in other materials`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
	// A value can be a divisor.
	const zero = "rules.yaml:10:35: SHOP_0004: division by zero (in article tube, material e-flute)"
	if _, err := newWithValues(t, "crease: 0.125", "crease: 0", "[SHOP_0003]", "[SHOP_0004]"); err == nil || err.Error() != zero {
		t.Errorf("with a crease of 0: %v, want %s", err, zero)
	}
}

// TestMissingValuesOfRule: a rule set says which values a rule lacks in an article, whether the article selects the rule
// or not.
func TestMissingValuesOfRule(t *testing.T) {
	rules := must(boxrules.LoadRules("rules.yaml", []byte(valueRules)))
	withoutCrease := strings.NewReplacer(", values: {crease: 0.25}", "", " + crease}", "}").Replace(valueLimits)
	catalogue := must(limits.Load("limits.yaml", []byte(withoutCrease)))
	const (
		noRatio  = "the value max_ratio is not set for this article; add values: {max_ratio: ...} to it"
		noCrease = "the value crease is not set for b-flute; add values: {crease: ...} to the material, or offer the article only in other materials"
	)
	for _, test := range []struct {
		code    boxrules.Code
		article int // the index in the catalogue
		want    []string
	}{
		{"SHOP_0001", 0, nil},
		{"SHOP_0002", 0, []string{noCrease}},
		{"SHOP_0003", 0, nil},
		{"SHOP_0003", 2, []string{noRatio}},
		{"SHOP_0004", 2, []string{noCrease, noRatio}},
		{"BOX_3100", 0, nil},
		{"SHOP_0009", 0, nil}, // there is no such rule
	} {
		article := catalogue.Articles()[test.article]
		got := rules.MissingValues(test.code, catalogue, article)
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s in %s lacks %q, want %q", test.code, article.Code, got, test.want)
		}
	}
}

// TestValuesFromStructs: limits from a database may have values, too. Errors name the path.
func TestValuesFromStructs(t *testing.T) {
	e, err := newWithValues(t)
	if err != nil {
		t.Fatal(err)
	}
	var f limits.File
	c := e.Catalogue()
	data := must(json.Marshal(limits.File{Unit: c.Unit(), Values: c.Values(), Sheets: c.Sheets(), Materials: c.Materials(), Articles: c.Articles()}))
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	again, err := boxrules.New(e.Rules(), must(limits.New("database", f)))
	if err != nil {
		t.Fatal(err)
	}
	box := boxrules.Box{Article: "mailer", Material: "b-flute", Dims: boxrules.Dims{Width: 3, Depth: 0.749, Height: 1}}
	if v, err := again.Check(box); err != nil || v.Code() != "SHOP_0002" {
		t.Errorf("Check(%+v) = %v, %v", box, v, err)
	}
	f.Articles[1].Values = nil
	_, err = boxrules.New(e.Rules(), must(limits.New("database", f)))
	const want = "articles.tube: SHOP_0003: the value max_ratio is not set for this article; add values: {max_ratio: ...} to it"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestDeclaredValues: a rule set has the declarations of its file, with their places. The documented rules have none.
func TestDeclaredValues(t *testing.T) {
	rules := must(boxrules.LoadRules("rules.yaml", []byte(valueRules)))
	got := string(must(json.Marshal(rules.Values())))
	const want = `[{"name":"girth","kind":"length"},{"name":"crease","kind":"length"},{"name":"max_ratio","kind":"number"},{"name":"unused","kind":"number"}]`
	if got != want {
		t.Errorf("Values() = %s", got)
	}
	if at := rules.ValuePosition("crease"); at != (source.Position{File: "rules.yaml", Line: 4, Column: 25}) {
		t.Errorf("crease is at %v", at)
	}
	if at := rules.ValuePosition("caliper"); at != (source.Position{}) || len(boxrules.DefaultRules().Values()) != 0 {
		t.Errorf("caliper is at %v, and the documented rules have the values %v", at, boxrules.DefaultRules().Values())
	}
	// A file that only declares and extends has no rules of its own.
	many := "version: 1\nextends: documented\nvalues:\n" + strings.Repeat("  vN: length\n", 33)
	for i := range 33 {
		many = strings.Replace(many, "vN", "v"+string(rune('a'+i/26))+string(rune('a'+i%26)), 1)
	}
	_, err := boxrules.LoadRules("many.yaml", []byte(many))
	if err == nil || err.Error() != "many.yaml:36:3: there are too many values: at most 32" {
		t.Errorf("33 values: %v", err)
	}
}
