// Package ports has the ports to PHP, Python and Java, which read the tables of codegen.JSON. Its tests compare them
// with the conformance cases and with the engine.
package ports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// drivers returns the command that runs each port, by the port's folder. If its language is not installed, the test is skipped.
var drivers = map[string]func(t *testing.T) []string{
	"php": func(t *testing.T) []string { need(t, "php"); return []string{"php", "testdata/driver.php"} },
	"python": func(t *testing.T) []string {
		need(t, "python3")
		return []string{"python3", "-S", "testdata/driver.py"}
	},
	"java": func(t *testing.T) []string { return javaProgram(t, "boxrules.Driver") },
}

// verdictsOnly has the ports that say nothing about fields of forms.
var verdictsOnly = map[string]bool{"java": true}

// eachPort runs the test for each port whose language is installed.
func eachPort(t *testing.T, test func(t *testing.T, port []string)) {
	for folder, driver := range drivers {
		t.Run(folder, func(t *testing.T) { test(t, driver(t)) })
	}
}

// eachFormPort runs the test for each port that checks forms.
func eachFormPort(t *testing.T, test func(t *testing.T, port []string)) {
	for folder, driver := range drivers {
		if !verdictsOnly[folder] {
			t.Run(folder, func(t *testing.T) { test(t, driver(t)) })
		}
	}
}

// TestEveryPortIsTested says that the conformance cases are run in every port.
func TestEveryPortIsTested(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && name != "testdata" && drivers[name] == nil {
			t.Errorf("the port %s has no driver: add one to testdata, and its command to drivers", name)
		}
	}
}

// need skips a test if a command is not installed. With CI=true the test fails instead.
func need(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: %v", err)
	}
}

// ask returns what the port answers to each question about the rules and limits of the engine.
func ask[T any](t *testing.T, port []string, e *boxrules.Engine, questions []T) []answer {
	t.Helper()
	folder := t.TempDir()
	writeTables(t, folder, e)
	var answers []answer
	run(t, append(port, filepath.Join(folder, "boxrules.json")), questions, func(line []byte) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		answers = append(answers, a)
	})
	return answers
}

// writeTables writes boxrules.json into the folder.
func writeTables(t *testing.T, folder string, e *boxrules.Engine) {
	t.Helper()
	tables, err := codegen.JSON(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "boxrules.json"), tables, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run gives the script each question as a line of JSON, and calls take for each line that it
// answers.
func run[T any](t *testing.T, script []string, questions []T, take func(line []byte)) {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(script[0], script[1:]...)
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for line := range bytes.Lines(out) {
		take(bytes.TrimSpace(line))
		answers++
	}
	if answers != len(questions) {
		t.Fatalf("%d answers to %d questions", answers, len(questions))
	}
}

// An answer is the answer of a port to a question about a box or a text.
type answer struct {
	*conformance.Verdict
	Number *conformance.Number     `json:"number,omitempty"`
	Error  *conformance.InputError `json:"error,omitempty"`
}

// TestCases runs the conformance cases in every port: all in CI, and elsewhere one in 47 of a third of the files.
func TestCases(t *testing.T) {
	files, err := conformance.Read("../conformance/cases")
	if err != nil {
		t.Fatal(err)
	}
	eachPort(t, func(t *testing.T, port []string) {
		// Outside CI each file is run in one of the three ports.
		number := slices.Index(slices.Sorted(maps.Keys(drivers)), path.Base(t.Name()))
		for i := number % lab.Draws(3, 1); i < len(files); i += lab.Draws(3, 1) {
			f := files[i]
			if len(f.Texts) > 0 {
				answers := ask(t, port, boxrules.Default(), f.Texts)
				for i, want := range f.Texts {
					if got := answers[i]; !reflect.DeepEqual(got.Number, want.Number) || (got.Error == nil) != (want.Error == nil) {
						t.Errorf("%s, text %d, %q: got %+v, want %+v", f.Name, i+1, want.Text, got, want)
					}
				}
				continue
			}
			rules, catalogue, err := f.Load("..")
			if err != nil {
				t.Fatal(err)
			}
			e, err := boxrules.New(rules, catalogue)
			if err != nil {
				t.Fatal(err)
			}
			var cases []conformance.Case
			for i := 0; i < len(f.Cases); i += lab.Draws(47, 1) {
				cases = append(cases, f.Cases[i])
			}
			answers := ask(t, port, e, cases)
			for i, c := range cases {
				want := answer{c.Verdict, nil, c.Error}
				if want.Verdict != nil && verdictsOnly[path.Base(t.Name())] {
					verdict := *want.Verdict
					want.Verdict, verdict.Bounds = &verdict, nil
				}
				if !reflect.DeepEqual(answers[i], want) {
					t.Errorf("%s, case %d: got %+v, want %+v", f.Name, i*lab.Draws(47, 1)+1, answers[i], want)
				}
			}
		}
	})
}

// TestComma reads numbers of languages with a decimal comma. A number that could also mean a thousand times as
// much is refused.
func TestComma(t *testing.T) {
	type typed struct {
		Field   string `json:"field"`
		Text    string `json:"text"`
		Decimal string `json:"decimal"`
	}
	var questions []typed
	wants := []any{"48,5", 48.5, "48.5", 48.5, "0.234", 0.234, "1234.5", 1234.5, "12.34", 12.34, "-1,125", -1.125,
		"1.234", nil, "12.345", nil, "999.999", nil, "1.234,5", nil, "1,2,3", nil, "48,", nil, ",5", nil, "", nil, "48,5\n", nil, "٤٨", nil}
	for i := 0; i < len(wants); i += 2 {
		questions = append(questions, typed{"depth", wants[i].(string), ","})
	}
	// Any other decimal is refused, and not taken for a comma.
	for _, decimal := range []string{"", "·", "٫", ",.", "'"} {
		questions = append(questions, typed{"depth", "48,5", decimal})
	}
	eachPort(t, func(t *testing.T, port []string) {
		for i, got := range ask(t, port, boxrules.Default(), questions) {
			if questions[i].Decimal != "," {
				if got.Error == nil || got.Error.Field != "decimal" {
					t.Errorf("the decimal %q: got %+v, want an error", questions[i].Decimal, got)
				}
				continue
			}
			if want, ok := wants[2*i+1].(float64); ok != (got.Error == nil) || ok && float64(*got.Number) != want {
				t.Errorf("%q: got %+v, want %v", questions[i].Text, got, wants[2*i+1])
			}
		}
	})
}

// TestEmptyField compares the sentence of every port about an empty field with that of the library.
func TestEmptyField(t *testing.T) {
	_, want := boxrules.ParseDimension("depth", "")
	const sentence = "depth: missing; enter a depth"
	if want.Error() != sentence {
		t.Errorf("the library says %q, want %q", want, sentence)
	}
	type typed struct {
		Field string `json:"field"`
		Text  string `json:"text"`
	}
	eachFormPort(t, func(t *testing.T, port []string) {
		folder := t.TempDir()
		writeTables(t, folder, boxrules.Default())
		run(t, append(port, filepath.Join(folder, "boxrules.json")), []typed{{"depth", ""}}, func(line []byte) {
			var got struct{ Error struct{ Message string } }
			if err := json.Unmarshal(line, &got); err != nil || got.Error.Message != sentence {
				t.Errorf("%s, %v, want %q", line, err, sentence)
			}
		})
	})
}

// TestWholeNumberCodes has codes that PHP turns into integers when they are keys of an array.
func TestWholeNumberCodes(t *testing.T) {
	e := profiles.Engine(t, "version: 1\nsize: [{code: E_0001, when: width > 9, message: m}]\n", `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {"7": {caliper: 1, glue_flap: 1, sheet: s}}
articles: {"123": {width: {min: 1, max: 100}, depth: {min: 1, max: 100}, height: {min: 1, max: 100}, materials: ["7"], constraints: []}}
`)
	questions := []question{{"123", "7", 10, 5, 5}, {"123", "7", 9, 5, 5}, {"0123", "7", 9, 5, 5}, {"123", "8", 9, 5, 5}}
	eachPort(t, func(t *testing.T, port []string) {
		for i, got := range ask(t, port, e, questions) {
			q := questions[i]
			want := engineAnswer(t, e, q.box())
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: got %+v, want %+v", q, got, want)
			}
		}
	})
}

// TestDecimals has limits that allow 0 to 3 decimals, and dimensions with more and with fewer.
func TestDecimals(t *testing.T) {
	values := []float64{48, 48.5, -48.5, 48.25, 48.01, 48.125, 48.001, 48.0625, 0.3, 0.1 + 0.2, 0, 1_000_000, 999_999.9}
	var questions []question
	for i, x := range values {
		questions = append(questions, question{"a", "m", x, 5, 5}, question{"a", "m", 5, x, 5}, question{"a", "m", 5, 5, x},
			question{"a", "m", x, values[(i+1)%len(values)], values[(i+5)%len(values)]})
	}
	eachPort(t, func(t *testing.T, port []string) {
		for decimals := 0; decimals <= 3; decimals += lab.Draws(2, 1) {
			e := profiles.Engine(t, "version: 1\nsize: [{code: E_0001, when: width > 9, message: m}]\n", `version: 1
unit: mm
decimals: `+fmt.Sprint(decimals)+`
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 1, max: 100}, depth: {min: 1, max: 100}, height: {min: 1, max: 100}, constraints: []}}
`)
			for i, got := range ask(t, port, e, questions) {
				if want := engineAnswer(t, e, questions[i].box()); !reflect.DeepEqual(got, want) {
					t.Errorf("decimals: %d: %+v: got %+v, want %+v", decimals, questions[i], got, want)
				}
			}
		}
	})
}

// A question is a box as the drivers read it.
type question struct {
	Article  string  `json:"article"`
	Material string  `json:"material"`
	Width    float64 `json:"width"`
	Depth    float64 `json:"depth"`
	Height   float64 `json:"height"`
}

func (q question) box() boxrules.Box {
	return boxrules.Box{Article: q.Article, Material: q.Material, Dims: boxrules.Dims{Width: q.Width, Depth: q.Depth, Height: q.Height}}
}

// TestWorkedBox says that the tables have the numbers of the example in conformance/README.md.
func TestWorkedBox(t *testing.T) {
	text, err := codegen.JSON(boxrules.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tables struct {
		Rules              []boxrules.Rule
		Halves             [][]int64
		Planes, Conditions [][]any
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(tables.Rules[6].Code, tables.Conditions[6], tables.Halves[0], tables.Planes[6])
	if want := "BOX_3100[6 6] [6 0] [-1 1 0 [1 0]]"; got != want {
		t.Errorf("the tables have %s, the README %s", got, want)
	}
}

// TestBoxesAgree compares random boxes with the engine, most of them on a border: of the default
// files, and of rule files that are drawn.
func TestBoxesAgree(t *testing.T) {
	count := lab.Draws(600, 40_000)
	eachPort(t, func(t *testing.T, port []string) {
		agree(t, port, boxrules.Default(), count)
		for seed := range lab.Draws(1, 20) {
			f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 9)).IntN)
			agree(t, port, profiles.Engine(t, f.Rules(), f.Catalogue()), lab.Draws(200, 500))
		}
	})
}

func agree(t *testing.T, port []string, e *boxrules.Engine, count int) {
	t.Helper()
	var questions []question
	all := e.Profiles()
	for i, p := range all {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 3)).IntN)
		for range count/len(all) + 1 {
			point := boxes.Next()
			x := [exact.Axes]float64{exact.Float64At(point[0]), exact.Float64At(point[1]), exact.Float64At(point[2])}
			if boxes.Draw(3) == 0 {
				x = boxes.HardToRound(point)
			}
			questions = append(questions, question{p.Article(), p.Material(), x[0], x[1], x[2]})
		}
	}
	for i, got := range ask(t, port, e, questions) {
		q := questions[i]
		if want := engineAnswer(t, e, q.box()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v: %+v %+v, want %+v %+v", q, got.Verdict, got.Error, want.Verdict, want.Error)
		}
	}
}

// engineAnswer returns the engine's answer about a box.
func engineAnswer(t *testing.T, e *boxrules.Engine, box boxrules.Box) answer {
	t.Helper()
	verdict, err := e.Check(box)
	if input := (*boxrules.InputError)(nil); errors.As(err, &input) {
		return answer{Error: &conformance.InputError{Field: input.Field}}
	}
	all, errAll := e.CheckAll(box)
	if err != nil || errAll != nil {
		t.Fatal(err, errAll)
	}
	codes := []string{}
	for _, v := range all {
		codes = append(codes, string(v.Code))
	}
	return answer{Verdict: &conformance.Verdict{Code: string(verdict.Code()), Codes: codes}}
}
