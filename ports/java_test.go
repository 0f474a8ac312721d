package ports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/profiles"
)

// javaProgram returns the command that runs a class of testdata/java with the port. If there is no Java, the test is skipped.
func javaProgram(t *testing.T, class string) []string {
	t.Helper()
	need(t, "javac")
	classes, err := javaClasses()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-cp", classes, class}
}

// javaClasses compiles the port and the programs of testdata/java for Java 11, once for all tests. Warnings are errors.
var javaClasses = sync.OnceValues(func() (string, error) {
	sources, err := filepath.Glob("testdata/java/*.java")
	if err != nil || len(sources) == 0 {
		return "", errors.Join(err, errors.New("testdata/java has no programs"))
	}
	args := append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "11", "-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d", classFolder, "java/Boxrules.java"}, sources...)
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, out)
	}
	return classFolder, nil
})

// classFolder is where the classes are while the tests run.
var classFolder string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "boxrules-java-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(folder) }()
		classFolder = folder
		return m.Run()
	}())
}

// TestJavaBehaviour runs what only Java promises: see testdata/java/Behaviour.java.
func TestJavaBehaviour(t *testing.T) {
	program := javaProgram(t, "boxrules.Behaviour")
	folder := t.TempDir()
	writeTables(t, folder, boxrules.Default())
	out, err := exec.Command(program[0], append(program[1:], filepath.Join(folder, "boxrules.json"))...).CombinedOutput()
	if err != nil || string(out) != "passed\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// smallTables returns the tables of two articles, without what Java does not read. They are one line.
func smallTables(t *testing.T) string {
	t.Helper()
	e := profiles.Engine(t, `version: 1
boundary: [{code: BOX_2100, when: width < min_width, message: "too small"}, {code: BOX_2105, when: height > max_height, message: "too high"}]
constraint:
  - {code: SHOP_0001, when: width > depth && (height > 2 * depth || width + depth > 60.5), message: "sch\u00f6n"}
size: [{code: BOX_4100, when: blank_width > sheet_width, message: "too large"}]
`, `version: 1
unit: mm
decimals: 2
sheets: {s: {width: 100, height: 70}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}, o: {caliper: 2, glue_flap: 1, sheet: s}}
articles:
  a: {width: {min: 20, max: 90}, depth: {min: 1, max: 90}, height: {min: 1, max: 90}, constraints: [SHOP_0001], blank: {width: 2 * width + 3 * caliper, height: height}}
  b: {width: {min: 10, max: 50}, depth: {min: 1, max: 90}, height: {min: 1, max: 40}, materials: [o], constraints: []}
`)
	text, err := codegen.JSON(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"texts", "materials", "illustrative"} {
		delete(all, key)
	}
	for _, rule := range all["rules"].([]any) {
		delete(rule.(map[string]any), "asWritten")
		delete(rule.(map[string]any), "when")
	}
	for _, article := range all["articles"].(map[string]any) {
		delete(article.(map[string]any), "blank")
	}
	small, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(small)
}

// A loading is a question to the program Load, which answers with a loaded.
type loading struct {
	Tables string     `json:"tables"`
	Boxes  []question `json:"boxes"`
}

type loaded struct {
	Verdicts []string `json:"verdicts"`
	Error    string   `json:"error"`
}

// load has Java load each of the tables and give the verdicts on the boxes.
func load(t *testing.T, questions []loading) []loaded {
	t.Helper()
	var answers []loaded
	run(t, javaProgram(t, "boxrules.Load"), questions, func(line []byte) {
		var a loaded
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		answers = append(answers, a)
	})
	return answers
}

// TestJavaRefuses has tables that are not as they should be, each with one mistake, and the line that says so.
func TestJavaRefuses(t *testing.T) {
	small := smallTables(t)
	edit := func(old, replacement string) string {
		if strings.Count(small, old) != 1 {
			t.Fatalf("%q is in the tables %d times:\n%s", old, strings.Count(small, old), small)
		}
		return strings.Replace(small, old, replacement, 1)
	}
	const notTables = "no tables of boxrules, version 1; accepted: what boxrules generate json writes"
	tests := []struct{ tables, want string }{
		{small, ""},
		{" \t\r\n" + small + "\n", ""},
		{edit(`"mm"`, `"\u006d\u006D"`), ""},
		{edit(`"unit"`, `"later":{"a":[1.5e3,true,false,null,"\ud83d\udce6"]},"unit"`), ""},

		// The text is not JSON.
		{"", "line 1, column 1: a value was expected"},
		{"\ufeff" + small, "line 1, column 1: a value was expected"},
		{small[:len(small)-1], fmt.Sprintf("line 1, column %d: '}' was expected", len([]rune(small)))},
		{"\n\n" + small + "\n}", "line 4, column 1: the text goes on after its end"},
		{small + small, fmt.Sprintf("line 1, column %d: the text goes on after its end", len([]rune(small))+1)},
		{`{"boxrules": 1, "boxrules": 1}`, `line 1, column 17: the key "boxrules" is repeated`},
		{`{"boxrules": 1,}`, `line 1, column 16: '"' was expected`},
		{`{boxrules: 1}`, `line 1, column 2: '"' was expected`},
		{`{"boxrules" 1}`, `line 1, column 13: ':' was expected`},
		{`{'boxrules': 1}`, `line 1, column 2: '"' was expected`},
		{`{"boxrules": 01}`, `line 1, column 15: '}' was expected`},
		{`{"boxrules": +1}`, `line 1, column 14: a value was expected`},
		{`{"boxrules": .1}`, `line 1, column 14: a value was expected`},
		{`{"boxrules": 1.}`, `line 1, column 15: '}' was expected`},
		{`{"boxrules": 1e}`, `line 1, column 15: '}' was expected`},
		{`{"boxrules": NaN}`, `line 1, column 14: a value was expected`},
		{`{"boxrules": nul}`, `line 1, column 14: a value was expected`},
		{`{"boxrules": 1} // end`, `line 1, column 17: the text goes on after its end`},
		{`[1,]`, `line 1, column 4: a value was expected`},
		{`[1 2]`, `line 1, column 4: ']' was expected`},
		{"[\u0661]", `line 1, column 2: a value was expected`},
		{"[\u00a01]", `line 1, column 2: a value was expected`},
		{`["a`, `line 1, column 4: the text ends within a string`},
		{`["a\`, `line 1, column 5: an unknown escape in a string`},
		{"[\"a\n\"]", `line 1, column 4: a control character in a string`},
		{`["\x41"]`, `line 1, column 4: an unknown escape in a string`},
		{`["\u00g1"]`, `line 1, column 4: an unknown escape in a string`},
		{`["\u-001"]`, `line 1, column 4: an unknown escape in a string`},
		{`["\u` + "\u0661\u0661\u0661\u0661" + `"]`, `line 1, column 4: an unknown escape in a string`},
		{`["\ud83d"]`, `line 1, column 10: a string with half a surrogate pair`},
		{`["\udce6\ud83d"]`, `line 1, column 16: a string with half a surrogate pair`},
		{strings.Repeat("[", 100_000), `line 1, column 501: lists and objects are nested deeper than 500`},
		{strings.Repeat(`{"a":`, 501) + "1" + strings.Repeat("}", 501), `line 1, column 2501: lists and objects are nested deeper than 500`},

		// It is JSON, but not such tables.
		{"[]", notTables},
		{"1", notTables},
		{"null", notTables},
		{"{}", notTables},
		{edit(`"boxrules":1`, `"boxrules":2`), notTables},
		{edit(`"boxrules":1`, `"boxrules":"1"`), notTables},
		{edit(`"boxrules":1`, `"boxrules":1.0`), notTables},
		{edit(`"boxrules":1`, `"boxrules":true`), notTables},
		{edit(`"unit":"mm"`, `"unit":1`), `unit: 1 is not a text`},
		{edit(`"unit":"mm"`, `"unit":null`), `the tables: has no "unit"`},
		{edit(`"decimals":2`, `"decimals":4`), `decimals: 4 is not a whole number from 0 to 3`},
		{edit(`"decimals":2`, `"decimals":2.0`), `decimals: 2.0 is not a whole number from 0 to 3`},
		{edit(`"decimals":2`, `"decimals":"2"`), `decimals: "2" is not a whole number from 0 to 3`},
		{edit(`"decimals":2`, `"decimals":-1`), `decimals: -1 is not a whole number from 0 to 3`},
		{edit(`"decimals":2`, `"decimals":18446744073709551618`), `decimals: 1.8446744073709552E19 is not a whole number from 0 to 3`},
		{edit(`"rules":[`, `"rules":[7,`), `rules[0]: 7 is not an object`},
		{edit(`"BOX_2100"`, `"valid"`), `rules[0].code: "valid" is not the code of a rule, such as BOX_3100`},
		{edit(`"BOX_2100"`, `"error:width"`), `rules[0].code: "error:width" is not the code of a rule, such as BOX_3100`},
		{edit(`"BOX_2100"`, `"BOX_2100\n"`), `rules[0].code: "BOX_2100\u000a" is not the code of a rule, such as BOX_3100`},
		{edit(`"stage":"constraint"`, `"stage":"last"`), `rules[2].stage: "last" is not one of boundary, constraint, size`},
		{edit(`"message":"too high"`, `"message":1`), `rules[1].message: 1 is not a text`},
		{edit(`"message":"too high",`, ``), `rules[1]: has no "message"`},
		{edit(`"planes":[[-1,0,0,`, `"planes":[[-1.0,0,0,`), `planes[0][0]: -1.0 is not a whole number from -9007199 to 9007199`},
		{edit(`"planes":[[-1,0,0,`, `"planes":[[-9007200,0,0,`), `planes[0][0]: -9007200 is not a whole number from -9007199 to 9007199`},
		{edit(`"planes":[[-1,0,0,`, `"planes":[[-4503600,0,4503600,`), `planes[0]: has factors that are too large: sums would pass 2^53`},
		{edit(`"planes":[[-1,0,0,`, `"planes":[[-1,0,`), `planes[0]: has 3 values; accepted: 4`},
		{edit(`"halves":[[`, `"halves":[[99,0],[`), `halves[0][0]: 99 is not a whole number from 0 to 8`},
		{edit(`"halves":[[`, `"halves":[[-1,0],[`), `halves[0][0]: -1 is not a whole number from 0 to 8`},
		{edit(`"halves":[[`, `"halves":[[4294967296,0],[`), `halves[0][0]: 4294967296 is not a whole number from 0 to 8`},
		{edit(`"halves":[[`, `"halves":[[0,9007199254740993],[`), `halves[0][1]: 9007199254740993 is not a whole number from -9007199254740992 to 9007199254740992`},
		{edit(`"halves":[[`, `"halves":[[0,0,"1"],[`), `halves[0][2]: "1" is not a whole number from 0 to 9223372036854775807`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[4,0]`), `conditions[0][0]: 4 is not a whole number from 0 to 3`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,99]`), `conditions[0][1]: 99 is not a whole number from 0 to 10`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,[]]`), `conditions[0][1]: has 0 values; accepted: at least 1`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,[[]]]`), `conditions[0][1][0]: has 0 values; accepted: at least 1`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,[0,"1"]]`), `conditions[0][1][1]: "1" is not a whole number from 0 to 10`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,null]`), `conditions[0][1]: is not a whole number from 0 to 10`},
		{edit(`"conditions":[[0,0]`, `"conditions":[[0,0,0]`), `conditions[0]: has 3 values; accepted: 2`},
		{edit(`[[20000,90000]`, `[[90001,90000]`), `articles["a"].limits[0][1]: 90000 is not a whole number from 90001 to 9007199254740992`},
		{edit(`[[20000,90000]`, `[[20000,9e4]`), `articles["a"].limits[0][1]: 90000.0 is not a whole number from 20000 to 9007199254740992`},
		{edit(`[[20000,90000]`, `[[20000]`), `articles["a"].limits[0]: has 1 values; accepted: 2`},
		{edit(`[[20000,90000],`, `[`), `articles["a"].limits: has 2 values; accepted: 3`},
		{edit(`"materials":{"m":[0,1,`, `"materials":{"m":[0,9,`), `articles["a"].materials["m"][1]: 9 is not a whole number from 0 to 4`},
		{edit(`"materials":{"m":[0,1,`, `"materials":{"m":[0,0,`), `articles["a"].materials["m"][0]: 0 is a condition of BOX_2100, which is not checked before BOX_2100`},
		{edit(`"materials":{"m":[0,1,`, `"materials":{"m":[0,0.5,`), `articles["a"].materials["m"][1]: 0.5 is not a whole number from 0 to 4`},
	}
	var questions []loading
	for _, test := range tests {
		questions = append(questions, loading{Tables: test.tables, Boxes: []question{}})
	}
	for i, got := range load(t, questions) {
		if got.Error != tests[i].want {
			t.Errorf("%.200s\n got %s\nwant %s", tests[i].tables, got.Error, tests[i].want)
		}
	}
}

// TestJavaMutants changes tables at random. Java must refuse them in one line, or give the verdicts that they say.
func TestJavaMutants(t *testing.T) {
	small := smallTables(t)
	random := rand.New(rand.NewPCG(1, 7))
	var boxes []question
	for _, article := range []string{"a", "b", "c"} {
		for _, material := range []string{"m", "o"} {
			for range 12 {
				dim := func() float64 {
					return []float64{1, 19.99, 20, 30.25, 40.01, 47, 48.5, 60, 90, 90.01, 30.255}[random.IntN(11)]
				}
				boxes = append(boxes, question{article, material, dim(), dim(), dim()})
			}
		}
	}
	pieces := []string{"", "0", "1", "-1", "5", "6", "9", "17", "1e1", "0.5", "[", "]", "[]", "[[0,1]]", "{", "}", ",", ":", `"`, `\`, `\u0061`, "null", "true",
		" ", "\n", "\x00", "99999999999999999999", `"a"`, `"m":[0]`, `"unit":"cm"`, "ä", "\u2028"}
	var questions []loading
	for range lab.Draws(600, 20_000) {
		text := small
		for range 1 + random.IntN(2) {
			at := random.IntN(len(text))
			piece := pieces[random.IntN(len(pieces))]
			switch random.IntN(4) {
			case 0: // a character is replaced
				text = text[:at] + piece + text[at+1:]
			case 1: // something is added
				text = text[:at] + piece + text[at:]
			case 2: // something is missing
				text = text[:at] + text[min(at+1+random.IntN(12), len(text)):]
			case 3: // a part is repeated somewhere else
				end := min(at+1+random.IntN(30), len(text))
				to := random.IntN(len(text))
				text = text[:to] + text[at:end] + text[to:]
			}
		}
		questions = append(questions, loading{strings.ToValidUTF8(text, "?"), boxes})
	}
	refused := 0
	for i, got := range load(t, questions) {
		text := questions[i].Tables
		if got.Verdicts == nil {
			refused++
			if got.Error == "" || strings.ContainsAny(got.Error, "\n\r\x00\u2028") {
				t.Errorf("%s\nis refused as %q, want one line", text, got.Error)
			}
			continue
		}
		want, err := verdictsOf(text, boxes)
		if err != nil {
			t.Errorf("%s\nis loaded, but: %v", text, err)
		} else if !slices.Equal(got.Verdicts, want) {
			t.Errorf("%s\n got %q\nwant %q", text, got.Verdicts, want)
		}
	}
	t.Logf("%d of %d tables were refused", refused, len(questions))
	if accepted := len(questions) - refused; refused < len(questions)/4 || accepted < len(questions)/50 {
		t.Errorf("%d tables were refused, and %d loaded: the mutations show little", refused, accepted)
	}
}

// verdictsOf returns the verdicts on the boxes by the tables, which it reads on its own.
func verdictsOf(text string, boxes []question) ([]string, error) {
	var tables struct {
		Boxrules, Decimals int
		Rules              []struct{ Code string }
		Planes, Halves     [][]any
		Conditions         [][]any
		Articles           map[string]struct {
			Limits    [][]int64
			Materials map[string][]int
		}
	}
	if err := json.Unmarshal([]byte(text), &tables); err != nil {
		return nil, err
	}
	whole := func(x any) *big.Int { return big.NewInt(int64(x.(float64))) } // numbers of JSON are float64s here, and below 2^53 exact
	var verdicts []string
	for _, box := range boxes {
		article, ok := tables.Articles[box.Article]
		if !ok {
			verdicts = append(verdicts, "error:article")
			continue
		}
		conditions, ok := article.Materials[box.Material]
		if !ok {
			verdicts = append(verdicts, "error:material")
			continue
		}
		point, field := [exact.Axes]int64{}, ""
		for axis, x := range []float64{box.Width, box.Depth, box.Height} {
			point[axis] = exact.Grid(x)
			if rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', tables.Decimals, 64), 64); field == "" && tables.Decimals < 3 && rounded != x {
				field = exact.AxisNames()[axis]
			}
		}
		if field != "" {
			verdicts = append(verdicts, "error:"+field)
			continue
		}
		isInside := func(half int) bool {
			if half < 6 {
				return half%2 == 0 && point[half/2] < article.Limits[half/2][0] || half%2 == 1 && point[half/2] > article.Limits[half/2][1]
			}
			entry := tables.Halves[half-6]
			sum := new(big.Int)
			for axis := range exact.Axes {
				sum.Add(sum, new(big.Int).Mul(whole(tables.Planes[int(entry[0].(float64))][axis]), big.NewInt(point[axis])))
			}
			return sum.Cmp(whole(entry[1])) > 0
		}
		var holds func(tree any, isAnd bool) bool
		holds = func(tree any, isAnd bool) bool {
			parts, ok := tree.([]any)
			if !ok {
				return isInside(int(tree.(float64)))
			}
			return slices.ContainsFunc(parts, func(part any) bool { return holds(part, !isAnd) != isAnd }) != isAnd
		}
		verdict := "valid"
		for _, number := range slices.Backward(conditions) {
			if condition := tables.Conditions[number]; holds(condition[1], false) {
				verdict = tables.Rules[int(condition[0].(float64))].Code
			}
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts, nil
}
