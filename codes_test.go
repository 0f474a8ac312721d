package boxrules_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/oracle"
)

// documentedConditions are the checks of the interface document, sections 7.4 to 7.6, in its
// order. Those of the constraints are its text; it has the others in words.
var documentedConditions = []struct {
	code  boxrules.Code
	stage string
	when  string
}{
	{"BOX_2100", "boundary", "width < min_width"},
	{"BOX_2101", "boundary", "width > max_width"},
	{"BOX_2102", "boundary", "depth < min_depth"},
	{"BOX_2103", "boundary", "depth > max_depth"},
	{"BOX_2104", "boundary", "height < min_height"},
	{"BOX_2105", "boundary", "height > max_height"},
	{"BOX_3100", "constraint", "depth > width"},
	{"BOX_3101", "constraint", "depth > width * 2"},
	{"BOX_3102", "constraint", "height > depth && depth >= 60"},
	{"BOX_3103", "constraint", "width <= (depth * 3) / 4"},
	{"BOX_3104", "constraint", "height > width"},
	{"BOX_3105", "constraint", "height > depth"},
	{"BOX_3106", "constraint", "height > width && depth > width"},
	{"BOX_3107", "constraint", "height > width && depth > width && depth > height"},
	{"BOX_3108", "constraint", "height > width && depth > width && depth < height"},
	{"BOX_3109", "constraint", "width > depth"},
	{"BOX_3110", "constraint", "width >= depth && depth < height && height > width"},
	{"BOX_3111", "constraint", "depth > height"},
	{"BOX_3112", "constraint", "depth > height / 2.5"},
	{"BOX_3113", "constraint", "width > depth && width + depth > 498.25 && width + height < 498.25"},
	{"BOX_3114", "constraint", "width > depth && width + depth > 498.25 && width + height > 498.25 && depth + height < 498.25"},
	{"BOX_3115", "constraint", "height < 2 * depth"},
	{"BOX_3116", "constraint", "height > (depth * 4) / 5"},
	{"BOX_3117", "constraint", "width < height"},
	{"BOX_3118", "constraint", "width > 2 * depth"},
	{"BOX_3119", "constraint", "depth > (1 / 3) * width"},
	{"BOX_3120", "constraint", "height < width / 2"},
	{"BOX_3121", "constraint", "(depth > width && depth >= height && height > width + 30) || (depth > width && depth < height)"},
	{"BOX_3122", "constraint", "(depth <= width && width >= height && height > depth + 30 && depth + 30 >= 35)" +
		" || (depth <= width && width < height && width >= 35)"},
	{"BOX_4100", "size", "(blank_width > sheet_width || blank_height > sheet_height)" +
		" && (blank_width > sheet_height || blank_height > sheet_width)"},
}

func TestDocumentedRules(t *testing.T) {
	rules := boxrules.DefaultRules().Rules()
	if len(rules) != len(documentedConditions) {
		t.Fatalf("%d rules, want %d", len(rules), len(documentedConditions))
	}
	file, err := os.ReadFile("rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.ReplaceAll(string(file), "\r\n", "\n")
	for i, want := range documentedConditions {
		r := rules[i]
		if r.Code != want.code || r.Stage.String() != want.stage || r.When != want.when {
			t.Errorf("rule %d: %s (%v) %q, want %s (%s) %q", i, r.Code, r.Stage, r.When, want.code, want.stage, want.when)
		}
		if r.Message == "" || want.stage == "constraint" && r.Message != "the provided values do not allow creating a proper box" {
			t.Errorf("%s: message %q", r.Code, r.Message)
		}
		// The file says the same, in this order, and nothing that is read otherwise than it is written.
		_, behind, found := strings.Cut(rest, "  - code: "+string(want.code)+"\n    when: "+want.when+"\n    message: "+r.Message+"\n")
		if !found {
			t.Errorf("rules/box_rules.yaml does not have %s with %q, in its place", want.code, want.when)
			continue
		}
		rest = behind
	}
	rules[0].When = "x"
	if again := boxrules.DefaultRules().Rules()[0].When; again != documentedConditions[0].when {
		t.Errorf("a change of what Rules returned made the first condition %q", again)
	}
	if name := boxrules.DefaultRules().Name(); name != "rules/box_rules.yaml" {
		t.Errorf("the rules are named %q", name)
	}
}

func TestCodes(t *testing.T) {
	// Sections 7.2 and 7.4 to 7.6.
	want := []boxrules.CodeInfo{{Code: "DLN_1101", Type: "VALIDATION_ERROR", Path: "material"}}
	for _, c := range documentedConditions {
		info := boxrules.CodeInfo{Code: c.code, Type: "BOX_ERROR"}
		info.Stage = map[string]boxrules.Stage{"boundary": boxrules.Boundary, "constraint": boxrules.Constraint, "size": boxrules.Size}[c.stage]
		want = append(want, info)
	}
	want = append(want, boxrules.CodeInfo{Code: "QTT_1114", Type: "QUANTITY_ERROR", Path: "products[<index>]"})
	codes := boxrules.Codes()
	if len(codes) != 32 || len(want) != 32 {
		t.Fatalf("%d codes, want %d", len(codes), len(want))
	}
	meanings := make(map[string]boxrules.Code)
	for i, got := range codes {
		if other, ok := meanings[got.Meaning]; ok || len(got.Meaning) < 20 || strings.HasSuffix(got.Meaning, ".") ||
			got.Meaning[0] < 'a' {
			t.Errorf("%s means %q, which is no half sentence of its own (%s)", got.Code, got.Meaning, other)
		}
		meanings[got.Meaning] = got.Code
		meaning := got.Meaning
		got.Meaning = ""
		want[i].Status = 400
		if got != want[i] {
			t.Errorf("Codes()[%d] = %+v, want %+v", i, got, want[i])
		}
		info, ok := got.Code.Info()
		if want[i].Meaning = meaning; !ok || info != want[i] {
			t.Errorf("%s.Info() = %+v, %v, want %+v", got.Code, info, ok, want[i])
		}
	}
	codes[0].Code = "X_0000"
	slices.Reverse(codes[1:])
	if again := boxrules.Codes(); again[0].Code != "DLN_1101" || again[1].Code != "BOX_2100" {
		t.Errorf("a change of what Codes returned made it begin with %v", again[:2])
	}
	for _, code := range []boxrules.Code{
		"", "BOX_2106", "BOX_3123", "BOX_3200", "box_3100", "BOX_3100 ", "DLN_1102", "BOX_ERROR", "SHOP_0001",
	} {
		if info, ok := code.Info(); ok || info != (boxrules.CodeInfo{}) {
			t.Errorf("%q.Info() = %+v, %v, want nothing", code, info, ok)
		}
	}
}

// TestConstants: every documented code has a constant, spelt as the code, and there is no other.
func TestConstants(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var constants, documented []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		for i, name := range spec.Names {
			value, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if err != nil || name.Name != value {
				t.Errorf("constant %s is %q, %v", name, value, err)
			}
			constants = append(constants, value)
		}
		return true
	})
	for _, info := range boxrules.Codes() {
		documented = append(documented, string(info.Code))
	}
	slices.Sort(constants)
	slices.Sort(documented)
	if !slices.Equal(constants, documented) {
		t.Errorf("the constants are %v, want one for each of %v", constants, documented)
	}
	if boxrules.BOX_2100 != "BOX_2100" || boxrules.BOX_3122 != "BOX_3122" || boxrules.BOX_4100 != "BOX_4100" {
		t.Error("a constant is not the code that it is named by")
	}
}

// TestMeanings has what the codes are said to mean, read once more as a condition, and compares
// with the documented one.
func TestMeanings(t *testing.T) {
	lengths := []float64{
		1, 4.75, 5, 10, 12.5, 20, 25, 34.75, 35, 36, 40, 50, 59.75, 60, 75, 80, 90, 100, 120, 198.25, 200, 248.25, 250, 298.25, 300,
	}
	for _, test := range []struct {
		code    boxrules.Code
		meaning string
		holds   func(w, d, h float64) bool
	}{
		{"BOX_3100", "the depth is greater than the width", func(w, d, h float64) bool { return d > w }},
		{"BOX_3101", "the depth is greater than twice the width", func(w, d, h float64) bool { return d > 2*w }},
		{"BOX_3102", "the height is greater than the depth, and the depth is 60 or more", func(w, d, h float64) bool { return h > d && d >= 60 }},
		{"BOX_3103", "the width is three quarters of the depth or less", func(w, d, h float64) bool { return 4*w <= 3*d }},
		{"BOX_3104", "the height is greater than the width", func(w, d, h float64) bool { return h > w }},
		{"BOX_3105", "the height is greater than the depth", func(w, d, h float64) bool { return h > d }},
		{"BOX_3106", "the height and the depth are both greater than the width", func(w, d, h float64) bool { return min(h, d) > w }},
		{"BOX_3107", "the depth is the greatest dimension and the width the smallest",
			func(w, d, h float64) bool { return d > max(w, h) && w < min(d, h) }},
		{"BOX_3108", "the height is the greatest dimension and the width the smallest",
			func(w, d, h float64) bool { return h > max(w, d) && w < min(d, h) }},
		{"BOX_3109", "the width is greater than the depth", func(w, d, h float64) bool { return w > d }},
		{"BOX_3110", "the height is greater than the width, and the width is not smaller than the depth",
			func(w, d, h float64) bool { return h > w && w >= d }},
		{"BOX_3111", "the depth is greater than the height", func(w, d, h float64) bool { return d > h }},
		{"BOX_3112", "the depth is greater than two fifths of the height", func(w, d, h float64) bool { return 5*d > 2*h }},
		{"BOX_3113", "the width is greater than the depth, and 498.25 lies between width + height and width + depth",
			func(w, d, h float64) bool { return w > d && w+h < 498.25 && 498.25 < w+d }},
		{"BOX_3114", "the width is greater than the depth, " +
			"width + depth and width + height are greater than 498.25 but depth + height is smaller",
			func(w, d, h float64) bool { return w > d && min(w+d, w+h) > 498.25 && d+h < 498.25 }},
		{"BOX_3115", "the height is smaller than twice the depth", func(w, d, h float64) bool { return h < 2*d }},
		{"BOX_3116", "the height is greater than four fifths of the depth", func(w, d, h float64) bool { return 5*h > 4*d }},
		{"BOX_3117", "the width is smaller than the height", func(w, d, h float64) bool { return w < h }},
		{"BOX_3118", "the width is greater than twice the depth", func(w, d, h float64) bool { return w > 2*d }},
		{"BOX_3119", "the depth is greater than a third of the width", func(w, d, h float64) bool { return 3*d > w }},
		{"BOX_3120", "the height is smaller than half the width", func(w, d, h float64) bool { return 2*h < w }},
		{"BOX_3121", "the depth is greater than the width, and the height is greater than the depth or more than 30 greater than the width",
			func(w, d, h float64) bool { return d > w && (h > d || h > w+30) }},
		{"BOX_3122", "the depth is not greater than the width, and the height is either greater than the width (of 35 or more), " +
			"or not greater than the width but more than 30 greater than the depth (of 5 or more)",
			func(w, d, h float64) bool { return d <= w && (h > w && w >= 35 || h <= w && h > d+30 && d >= 5) }},
	} {
		info, _ := test.code.Info()
		if meaning, _, _ := strings.Cut(info.Meaning, ": "); meaning != test.meaning {
			t.Errorf("%s means %q, want %q", test.code, meaning, test.meaning)
		}
		holds := 0
		for _, w := range lengths {
			for _, d := range lengths {
				for _, h := range lengths {
					want := oracle.Constraint(
						string(test.code),
						new(big.Rat).SetFloat64(w),
						new(big.Rat).SetFloat64(d),
						new(big.Rat).SetFloat64(h),
					)
					if want {
						holds++
					}
					if got := test.holds(w, d, h); got != want {
						t.Fatalf("%q at %v x %v x %v: %v, and %s is %v", test.meaning, w, d, h, got, test.code, want)
					}
				}
			}
		}
		if holds == 0 || holds == len(lengths)*len(lengths)*len(lengths) {
			t.Errorf("%s holds for %d boxes, for all or none", test.code, holds)
		}
	}
}

func TestErrorTypes(t *testing.T) {
	// Section 7.2.
	want := []struct {
		kind     boxrules.ErrorType
		statuses []int
	}{
		{"VALIDATION_ERROR", []int{400}},
		{"BOX_ERROR", []int{400}},
		{"QUANTITY_ERROR", []int{400}},
		{"ORDER_ERROR", []int{400, 404}},
		{"PRODUCT_ERROR", []int{400, 404}},
		{"INTERNAL_SERVER_ERROR", []int{500}},
		{"NOT_FOUND", []int{404}},
	}
	constants := []boxrules.ErrorType{
		boxrules.TypeValidationError, boxrules.TypeBoxError, boxrules.TypeQuantityError, boxrules.TypeOrderError, boxrules.TypeProductError,
		boxrules.TypeInternalServerError, boxrules.TypeNotFound,
	}
	types := boxrules.ErrorTypes()
	if len(types) != len(want) {
		t.Fatalf("%d error types, want %d", len(types), len(want))
	}
	for i, got := range types {
		if got.Type != want[i].kind || !slices.Equal(got.Statuses, want[i].statuses) || got.Meaning == "" ||
			constants[i] != want[i].kind {
			t.Errorf("ErrorTypes()[%d] = %+v (constant %s), want %+v", i, got, constants[i], want[i])
		}
	}
	types[0].Type = "X"
	types[0].Statuses[0] = 0
	if again := boxrules.ErrorTypes()[0]; again.Type != "VALIDATION_ERROR" || again.Statuses[0] != 400 {
		t.Errorf("a change of what ErrorTypes returned made it begin with %+v", again)
	}
}

func TestStage(t *testing.T) {
	for _, test := range []struct {
		stage boxrules.Stage
		want  string
	}{
		{boxrules.Boundary, "boundary"}, {boxrules.Constraint, "constraint"}, {boxrules.Size, "size"}, {0, "none"}, {boxrules.Size + 1, "none"},
	} {
		text, err := json.Marshal(test.stage)
		if test.stage.String() != test.want || err != nil || string(text) != `"`+test.want+`"` {
			t.Errorf("stage %d is %s, in JSON %s, %v, want %s", uint8(test.stage), test.stage, text, err, test.want)
		}
	}
	if boxrules.Boundary >= boxrules.Constraint || boxrules.Constraint >= boxrules.Size {
		t.Error("the stages are not in the order in which they run")
	}
}

func TestCodeInfoJSON(t *testing.T) {
	for code, want := range map[boxrules.Code]string{
		"BOX_3105": `{"code":"BOX_3105","type":"BOX_ERROR","status":400,"stage":"constraint","path":"",` +
			`"meaning":"the height is greater than the depth"}`,
		"QTT_1114": `{"code":"QTT_1114","type":"QUANTITY_ERROR","status":400,"path":"products[\u003cindex\u003e]",` +
			`"meaning":"the number of sheets does not reach the minimum required quantity"}`,
	} {
		info, _ := code.Info()
		if text, err := json.Marshal(info); err != nil || string(text) != want {
			t.Errorf("%s in JSON is %s, %v, want %s", code, text, err, want)
		}
	}
}

func TestStageIsAWordInJSON(t *testing.T) {
	for _, stage := range []boxrules.Stage{0, boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
		text, err := json.Marshal(stage)
		var back boxrules.Stage
		if err != nil || json.Unmarshal(text, &back) != nil || back != stage || string(text) != `"`+stage.String()+`"` {
			t.Errorf("%v is %s in JSON (%v), and back %v", stage, text, err, back)
		}
	}
	var stage boxrules.Stage
	if err := json.Unmarshal([]byte(`"middle"`), &stage); err == nil || stage != 0 {
		t.Errorf(`"middle" is read as stage %v`, stage)
	}
}

// TestVerdictJSON writes a verdict of each kind and reads it back.
func TestVerdictJSON(t *testing.T) {
	e := boxrules.Default()
	check := func(width float64) boxrules.Verdict {
		d := boxrules.Dims{Width: width, Depth: 60, Height: 180}
		return must(e.Check(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: d}))
	}
	for _, test := range []struct {
		verdict boxrules.Verdict
		want    string
	}{
		{boxrules.Verdict{}, "null"},
		{check(120), `{"ok":true}`},
		{check(50), `{"ok":false,"code":"BOX_3100","stage":"constraint","message":"the provided values do not allow creating a proper box"}`},
	} {
		text, err := json.Marshal(test.verdict)
		if err != nil || string(text) != test.want {
			t.Errorf("%v is %s in JSON (%v), want %s", test.verdict, text, err, test.want)
		}
		var back boxrules.Verdict
		err = json.Unmarshal(text, &back)
		if err != nil || back.OK() != test.verdict.OK() || back.String() != test.verdict.String() ||
			fmt.Sprint(back.Err()) != fmt.Sprint(test.verdict.Err()) {
			t.Errorf("%s is read back as %v, %v", text, back, err)
		}
	}
	if err := json.Unmarshal([]byte(`"ok"`), new(boxrules.Verdict)); err == nil {
		t.Error("a word is read as a verdict")
	}
}
