// Package test checks the JSON Schemas with somebody else's validator, in a module of its own.
package test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"example.com/boxrules/limits"
)

const root = "../../../"

// validate checks a YAML file with the schema.
func validate(t *testing.T, schema, file string) error {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(root + schema)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&value); err != nil {
		return err
	}
	return s.Validate(asJSON(value))
}

// asJSON returns a value of YAML with texts for keys that are numbers, say, as editors take them.
func asJSON(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = asJSON(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = asJSON(value[key])
		}
	case map[any]any:
		texts := make(map[string]any)
		for key := range value {
			texts[fmt.Sprint(key)] = asJSON(value[key])
		}
		return texts
	}
	return value
}

// schemaOf returns the schema for a file of testdata, by its name.
func schemaOf(file string) string {
	if strings.HasPrefix(filepath.Base(file), "rules-") {
		return "rules/rules.schema.json"
	}
	return "limits/limits.schema.json"
}

// TestGoodFiles says that no file that loads is refused.
func TestGoodFiles(t *testing.T) {
	files, err := filepath.Glob(root + "testdata/ok/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := validate(t, schemaOf(file), file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestShippedFiles says that each shipped file begins with the line by which editors find its
// schema, which takes it.
func TestShippedFiles(t *testing.T) {
	for _, file := range []string{"rules/box_rules.yaml", "limits/illustrative.yaml", "examples/shop/rules.yaml",
		"examples/shop/edited-rules.yaml", "examples/shop/limits.yaml", "examples/inches/rules.yaml", "examples/inches/limits.yaml", "examples/values/rules.yaml", "examples/values/limits.yaml", "examples/frame.yaml"} {
		text, err := os.ReadFile(root + file)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		relative, ok := strings.CutPrefix(line, "# yaml-language-server: $schema=")
		if !ok {
			t.Errorf("%s begins %q", file, line)
			continue
		}
		if err := validate(t, filepath.Join(filepath.Dir(file), relative), root+file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// judged are the wrong files of testdata/err that the schemas take: what is wrong is the text, a
// condition, or how names and numbers go together.
var judged = []string{
	"limits-anchors", "limits-complex", "limits-constraints", "limits-crlf", "limits-divides-by-zero", "limits-magnitude", "limits-non-ascii",
	"limits-off-grid", "limits-second-document", "limits-typographic-quotes", "limits-unknown-codes", "rules-characters", "rules-complex", "rules-crlf",
	"rules-divides-by-zero", "rules-double-quoted", "rules-duplicate-codes", "rules-escaped-token", "rules-extends-codes",
	"rules-extends-unknown-unit", "rules-flow-non-ascii", "rules-folded", "rules-habits", "rules-illustrative", "rules-incomplete", "rules-language",
	"rules-literal", "rules-magnitude", "rules-multi-line", "rules-not-linear", "rules-numbers", "rules-plain",
	"rules-single-quoted", "rules-tabs", "rules-too-long", "rules-version-fraction",
}

// TestWrongFiles says which wrong files the schemas refuse: all with a fault of structure.
func TestWrongFiles(t *testing.T) {
	files, err := filepath.Glob(root + "testdata/err/*.yaml")
	if err != nil || len(files) < 50 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if taken := validate(t, schemaOf(file), file) == nil; taken != slices.Contains(judged, name) {
			t.Errorf("%s: taken %v", name, taken)
		}
	}
}

// TestFrame lists the keys that are optional in a frame and required in a limit file. The schema and the loader
// have to agree about each.
func TestFrame(t *testing.T) {
	const frame = root + "examples/frame.yaml"
	text, err := os.ReadFile(frame)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := limits.LoadFrame(frame, text); err != nil || validate(t, "limits/frame.schema.json", frame) != nil {
		t.Error("the frame is refused", err)
	}
	if _, err := limits.Load(frame, text); err == nil || validate(t, "limits/limits.schema.json", frame) == nil {
		t.Error("the frame is taken for a limit file")
	}
}
