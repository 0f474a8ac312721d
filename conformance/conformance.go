// Package conformance reads the files in cases/. They contain rules, limits and boxes with their correct verdicts, as
// JSON, so that a port in any language can run them as tests. [Read] reads the files, and [File.Load] loads the rules
// and limits of one file. README.md describes the format; if you port boxrules to another language, you need only
// README.md and the files.
//
// tools/conformance writes the cases. Every verdict comes from internal/lab/oracle, an independent
// implementation of the checks, or was written by hand. No verdict comes from the engine.
package conformance

//go:generate go run ../tools/conformance -o cases

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// A File is one file of cases. Either Rules, Limits and Cases are set, or Texts.
type File struct {
	Name        string `json:"-"` // the name of the file, without its folder
	Description string `json:"description"`
	// Rules and Limits are YAML text if they contain a line break. Otherwise each is the path of a YAML file.
	Rules  string `json:"rules,omitempty"`
	Limits string `json:"limits,omitempty"`
	Cases  []Case `json:"cases,omitempty"`
	Texts  []Text `json:"texts,omitempty"`
}

// A Case is a box with the correct answer. If the box can be checked, Verdict is set and Error is nil; otherwise, Error
// is set and Verdict is nil.
type Case struct {
	Article  string `json:"article"`
	Material string `json:"material"`
	Width    Number `json:"width"`
	Depth    Number `json:"depth"`
	Height   Number `json:"height"`
	*Verdict
	Error *InputError `json:"error,omitempty"`
}

// A Verdict is the correct verdict on a box. Code is the reported code, which is empty for a valid box. Codes lists the
// codes of all rules that the box violates, in check order.
type Verdict struct {
	Code  string   `json:"code"`
	Codes []string `json:"codes"`
	// Bounds says for each violated rule of the first stage, in check order, at which field of a form to show
	// it. It is nil for a valid box. It is also nil for the few boxes whose bounds depend on how wide an edge
	// is, which the cases leave open.
	Bounds []Bound `json:"bounds,omitempty"`
}

// A Bound names the field to blame for a violated rule. Max is the nearest smaller value of that field that
// makes the box valid, and Min is the nearest greater value that does so. Either is nil if there is no such
// value. See [boxrules.Bound].
type Bound struct {
	Field string  `json:"field"`
	Min   *Number `json:"min,omitempty"`
	Max   *Number `json:"max,omitempty"`
}

// An InputError names the field that makes the input invalid.
type InputError struct {
	Field string `json:"field"`
}

// A Text is the text that somebody typed for a dimension, such as "48.5", with the correct answer. If the text is a
// dimension, Number is its value and Error is nil; otherwise, Error is set and Number is nil.
type Text struct {
	Field  string      `json:"field"`
	Text   string      `json:"text"`
	Number *Number     `json:"number,omitempty"`
	Error  *InputError `json:"error,omitempty"`
}

// A Number is a float64. In JSON, the values that are not JSON numbers are written as the strings "NaN",
// "Infinity" and "-Infinity".
type Number float64

var nonJSONNumbers = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

// MarshalJSON returns the shortest JSON number that UnmarshalJSON reads as the same float64. For NaN and the
// infinities, it returns a string.
func (n Number) MarshalJSON() ([]byte, error) {
	for text, x := range nonJSONNumbers {
		// NaN is not equal to itself.
		if float64(n) == x || math.IsNaN(float64(n)) && math.IsNaN(x) {
			return json.Marshal(text)
		}
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON parses the JSON that MarshalJSON returns.
func (n *Number) UnmarshalJSON(data []byte) error {
	if x, ok := nonJSONNumbers[strings.Trim(string(data), `"`)]; ok {
		*n = Number(x)
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// Box returns the box of the case in the form that [boxrules.Engine.Check] accepts.
func (c Case) Box() boxrules.Box {
	return boxrules.Box{
		Article: c.Article, Material: c.Material,
		Dims: boxrules.Dims{Width: float64(c.Width), Depth: float64(c.Depth), Height: float64(c.Height)},
	}
}

// Read reads all JSON files in the folder, and returns them sorted by name. If a file is not in the right
// format, the error names the file.
func Read(folder string) ([]File, error) {
	// Glob returns the names sorted.
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no case files; their names end in .json", folder)
	}
	var files []File
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file := File{Name: filepath.Base(name)}
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		files = append(files, file)
	}
	return files, nil
}

// yaml returns the YAML text for value, which is Rules or Limits. If value is a path, yaml reads that file.
// The path is relative to the root.
func (f *File) yaml(root, value string) ([]byte, error) {
	if strings.Contains(value, "\n") { // this is YAML, because no path has a line break
		return []byte(value), nil
	}
	// The paths in case files have slashes on every system.
	path := filepath.FromSlash(value)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Name, err)
	}
	return text, err
}

// Load returns the rules and limits of the file. If Rules or Limits is a path, it is relative to root, the
// folder of this module.
func (f *File) Load(root string) (*boxrules.RuleSet, *limits.Catalogue, error) {
	text, err := f.yaml(root, f.Rules)
	if err != nil {
		return nil, nil, err
	}
	rules, err := boxrules.LoadRules(f.Name+" rules", text)
	if err != nil {
		return nil, nil, err
	}
	if text, err = f.yaml(root, f.Limits); err != nil {
		return nil, nil, err
	}
	catalogue, err := limits.Load(f.Name+" limits", text) // the names are used only in errors
	return rules, catalogue, err
}
