package test

import (
	"fmt"
	"testing"

	"github.com/dop251/goja"
	"github.com/evanw/esbuild/pkg/api"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/lab/profiles"
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

var engineOf = profiles.Engine
