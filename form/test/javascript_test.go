package test

import (
	"fmt"
	"testing"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/limits"
)

// A module is a generated module as it runs in an interpreter of JavaScript written in Go, so
// that these tests need no other. One goroutine at a time may use it.
type module struct {
	runtime *goja.Runtime
	exports *goja.Object
}

// script is an ES module as a script that sets the variable exports.
func script(source []byte) ([]byte, error) {
	result := api.Transform(string(source), api.TransformOptions{
		Format: api.FormatIIFE, GlobalName: "exports", Target: api.ES2019, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("esbuild: %s", result.Errors[0].Text)
	}
	return result.Code, nil
}

// scriptOf is the module of the engine as a script.
func scriptOf(t testing.TB, e *boxrules.Engine) []byte {
	t.Helper()
	files, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	code, err := script(files.Module)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// run runs the module of the engine and then more code, which sees its exports as exports.
func run(t testing.TB, e *boxrules.Engine, more string) *module {
	t.Helper()
	return runScript(t, scriptOf(t, e), more)
}

func runScript(t testing.TB, code []byte, more string) *module {
	t.Helper()
	m := &module{runtime: goja.New()}
	// The interpreter has no languages: it takes the first argument for the radix.
	const numbers = "Number.prototype.toLocaleString = function () { return String(this); };"
	for _, text := range []string{numbers, string(code), more} {
		if _, err := m.runtime.RunString(text); err != nil {
			t.Fatal(err)
		}
	}
	m.exports = m.runtime.Get("exports").ToObject(m.runtime)
	return m
}

// function is a function of the code given to run.
func (m *module) function(t testing.TB, name string, to any) {
	t.Helper()
	if err := m.runtime.ExportTo(m.runtime.Get(name), to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// engineOf is the engine of a rule file, the documented one where it is empty, and a limit file.
func engineOf(t testing.TB, rules, catalogue string) *boxrules.Engine {
	t.Helper()
	set := boxrules.DefaultRules()
	if rules != "" {
		var err error
		if set, err = boxrules.LoadRules("rules.yaml", []byte(rules)); err != nil {
			t.Fatalf("%v in\n%s", err, rules)
		}
	}
	c, err := limits.Load("limits.yaml", []byte(catalogue))
	if err != nil {
		t.Fatal(err)
	}
	e, err := boxrules.New(set, c)
	if err != nil {
		t.Fatalf("%v in\n%s", err, rules)
	}
	return e
}
