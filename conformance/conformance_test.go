package conformance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

const (
	folder = "cases"
	root   = ".."
)

// A loaded is a file with its engine.
type loaded struct {
	conformance.File
	engine *boxrules.Engine // nil for texts
}

// load reads all files and compiles their rules and limits, once.
func load(t *testing.T) []loaded {
	t.Helper()
	files, err := loadAll()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var loadAll = sync.OnceValues(func() ([]loaded, error) {
	files, err := conformance.Read(folder)
	if err != nil {
		return nil, err
	}
	var all []loaded
	for _, f := range files {
		l := loaded{File: f}
		if len(f.Cases) > 0 {
			rules, catalogue, err := f.Load(root)
			if err != nil {
				return nil, err
			}
			if l.engine, err = boxrules.New(rules, catalogue); err != nil {
				return nil, err
			}
		}
		all = append(all, l)
	}
	return all, nil
})

// TestCases runs every case, as a port does.
func TestCases(t *testing.T) {
	for _, f := range load(t) {
		t.Run(f.Name, func(t *testing.T) {
			for i, c := range f.Cases {
				if message := run(f.engine, c); message != "" {
					t.Errorf("case %d: %s", i+1, message)
				}
			}
			for i, text := range f.Texts {
				if message := read(text); message != "" {
					t.Errorf("text %d: %s", i+1, message)
				}
			}
		})
	}
}

// run returns what is wrong with the engine's answers to the case, or "".
func run(engine *boxrules.Engine, c conformance.Case) string {
	verdict, err := engine.Check(c.Box())
	all, errAll := engine.CheckAll(c.Box())
	if c.Error != nil {
		for _, err := range []error{err, errAll} {
			var input *boxrules.InputError
			if !errors.As(err, &input) || input.Field != c.Error.Field || verdict.OK() || len(all) > 0 {
				return fmt.Sprintf("Check(%+v) = %v, %v, want an input error for %s", c.Box(), verdict, err, c.Error.Field)
			}
		}
		return ""
	}
	same := slices.EqualFunc(all, c.Codes, func(v boxrules.Violation, code string) bool { return string(v.Code) == code })
	if err != nil || errAll != nil || !same || string(verdict.Code()) != c.Code || verdict.OK() != (c.Code == "") {
		return fmt.Sprintf("Check(%+v) = %v, %v, all %v, %v, want %q, %q", c.Box(), verdict, err, all, errAll, c.Code, c.Codes)
	}
	if c.Code == "" || c.Bounds == nil {
		return ""
	}
	profile, err := engine.Profile(c.Article, c.Material)
	if err != nil {
		return err.Error()
	}
	bounds, err := profile.Bounds(c.Box().Dims)
	var got []conformance.Bound
	for _, b := range bounds {
		got = append(got, conformance.Bound{Field: b.Field, Min: (*conformance.Number)(b.Min), Max: (*conformance.Number)(b.Max)})
	}
	if err != nil || !reflect.DeepEqual(got, c.Bounds) {
		gotJSON, _ := json.Marshal(got) // for people
		want, _ := json.Marshal(c.Bounds)
		return fmt.Sprintf("Bounds(%+v) = %s, %v, want %s", c.Box(), gotJSON, err, want)
	}
	return ""
}

// read returns what is wrong with the engine's reading of the text, or "".
func read(text conformance.Text) string {
	number, err := boxrules.ParseDimension(text.Field, text.Text)
	if text.Error != nil {
		var input *boxrules.InputError
		if !errors.As(err, &input) || input.Field != text.Error.Field {
			return fmt.Sprintf("ParseDimension(%s, %q) = %v, %v, want an input error for %s", text.Field, text.Text, number, err, text.Error.Field)
		}
		return ""
	}
	if err != nil || math.Float64bits(number) != math.Float64bits(float64(*text.Number)) {
		return fmt.Sprintf("ParseDimension(%s, %q) = %v, %v, want %v", text.Field, text.Text, number, err, *text.Number)
	}
	return ""
}

// TestBounds says that almost every case of an invalid box has its bounds.
func TestBounds(t *testing.T) {
	invalid, open := 0, 0
	for _, f := range load(t) {
		for _, c := range f.Cases {
			if c.Verdict == nil || c.Code == "" {
				continue
			}
			invalid++
			if c.Bounds == nil {
				open++
			}
		}
	}
	if invalid < 12_000 || open > 10 {
		t.Errorf("%d of %d invalid boxes have no bounds", open, invalid)
	}
}

// TestNumber: a number is written as JSON and read again, and so are the three that JSON has no numbers for.
func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"48.5": 48.5, "-0.001": -0.001, "0.30000000000000004": 0.30000000000000004,
		`"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1),
	} {
		var n conformance.Number
		if err := json.Unmarshal([]byte(text), &n); err != nil || float64(n) != want && !(math.IsNaN(float64(n)) && math.IsNaN(want)) {
			t.Errorf("%s is read as %v, %v, want %v", text, n, err, want)
		}
		if written, err := json.Marshal(conformance.Number(want)); err != nil || string(written) != text {
			t.Errorf("%v is written as %s, %v, want %s", want, written, err, text)
		}
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := conformance.Read(t.TempDir()); err == nil {
		t.Error("Read of an empty folder is no error")
	}
	for _, missing := range []conformance.File{
		{Rules: "no/such.yaml", Limits: "limits/illustrative.yaml"},
		{Rules: "rules/box_rules.yaml", Limits: "no/such.yaml"},
	} {
		if _, _, err := missing.Load(root); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Load(%+v): %v", missing, err)
		}
	}
}
