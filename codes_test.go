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

// TestDocumentedRules: the rules are exactly those of their file, in its order. TestInterfacePage
// compares their conditions with the interface document.
func TestDocumentedRules(t *testing.T) {
	rules := boxrules.DefaultRules().Rules()
	file, err := os.ReadFile("rules/box_rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.ReplaceAll(string(file), "\r\n", "\n")
	for _, r := range rules {
		if want := stages[r.Code[4]]; r.Stage != want {
			t.Errorf("%s is a rule of the stage %v, want %v", r.Code, r.Stage, want)
		}
		if r.Message == "" || r.Stage == boxrules.Constraint && r.Message != "the provided values do not allow creating a proper box" {
			t.Errorf("%s: message %q", r.Code, r.Message)
		}
		_, behind, found := strings.Cut(rest, "  - code: "+string(r.Code)+"\n    when: "+r.When+"\n    message: "+r.Message+"\n")
		if !found {
			t.Errorf("rules/box_rules.yaml does not have %s with %q, in its place", r.Code, r.When)
			continue
		}
		rest = behind
	}
	first := rules[0].When
	rules[0].When = "x"
	if again := boxrules.DefaultRules().Rules()[0].When; again != first {
		t.Errorf("a change of what Rules returned made the first condition %q", again)
	}
	if name := boxrules.DefaultRules().Name(); len(rules) != 30 || name != "rules/box_rules.yaml" {
		t.Errorf("%d rules are named %q", len(rules), name)
	}
}

// stages has the stage of a documented code by its first digit.
var stages = map[byte]boxrules.Stage{'2': boxrules.Boundary, '3': boxrules.Constraint, '4': boxrules.Size}

func TestCodes(t *testing.T) {
	// Sections 7.2 and 7.4 to 7.6.
	want := []boxrules.CodeInfo{{Code: "DLN_1101", Type: "VALIDATION_ERROR", Path: "material"}}
	for _, r := range boxrules.DefaultRules().Rules() {
		want = append(want, boxrules.CodeInfo{Code: r.Code, Type: "BOX_ERROR", Stage: r.Stage})
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

// TestMeanings has the meaning of each code translated back into a condition by hand, and compares that
// with the documented condition.
func TestMeanings(t *testing.T) {
	rational := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
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
			"width + depth and width + height are both greater than 498.25, and depth + height is smaller",
			func(w, d, h float64) bool { return w > d && min(w+d, w+h) > 498.25 && d+h < 498.25 }},
		{"BOX_3115", "the height is smaller than twice the depth", func(w, d, h float64) bool { return h < 2*d }},
		{"BOX_3116", "the height is greater than four fifths of the depth", func(w, d, h float64) bool { return 5*h > 4*d }},
		{"BOX_3117", "the width is smaller than the height", func(w, d, h float64) bool { return w < h }},
		{"BOX_3118", "the width is greater than twice the depth", func(w, d, h float64) bool { return w > 2*d }},
		{"BOX_3119", "the depth is greater than a third of the width", func(w, d, h float64) bool { return 3*d > w }},
		{"BOX_3120", "the height is smaller than half the width", func(w, d, h float64) bool { return 2*h < w }},
		{"BOX_3121", "the depth is greater than the width, and the height is greater than the depth or more than 30 greater than the width",
			func(w, d, h float64) bool { return d > w && (h > d || h > w+30) }},
		{"BOX_3122", "the depth is not greater than the width, and either the width is 35 or more and the height is greater than the width, " +
			"or the depth is 5 or more and the height is more than 30 greater than the depth but not greater than the width",
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
					want := oracle.Constraint(string(test.code), rational(w), rational(d), rational(h))
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

// TestStage writes every stage as a word and reads it back.
func TestStage(t *testing.T) {
	for stage, want := range []string{"none", "boundary", "constraint", "size", "none"} {
		stage := boxrules.Stage(stage)
		text, err := json.Marshal(stage)
		var back boxrules.Stage
		if stage.String() != want || err != nil || string(text) != `"`+want+`"` || json.Unmarshal(text, &back) != nil || back != stage%4 {
			t.Errorf("stage %d is %s, in JSON %s, %v, and back %v, want %s", uint8(stage), stage, text, err, back, want)
		}
	}
	if boxrules.Boundary != 1 || boxrules.Constraint != 2 || boxrules.Size != 3 {
		t.Error("the stages are not in the order in which they run")
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
