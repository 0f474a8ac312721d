package boxrules_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/codegen"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/form"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
	"example.com/boxrules/source"
)

// nilCalls has calls of each exported function that takes a pointer, an interface or a function. In each
// call one of these arguments is nil, and the others are valid.
func nilCalls() map[string][]func() {
	e, rules, catalogue := boxrules.Default(), boxrules.DefaultRules(), limits.Illustrative()
	request := httptest.NewRequest(http.MethodGet, "/v1/reseller/dieline?article=tuck-end", nil)
	return map[string][]func(){
		"boxrules.New": {
			func() { _, _ = boxrules.New(nil, catalogue) }, func() { _, _ = boxrules.New(rules, nil) }},
		"boxmap.SVG":         {func() { _, _ = boxmap.SVG(nil, boxmap.Options{Fixed: "height", Value: 100}) }},
		"boxtest.LimitFiles": {func() { boxtest.LimitFiles(nil) }},
		"boxtest.NewReference": {
			func() { _, _ = boxtest.NewReference(nil, catalogue) }, func() { _, _ = boxtest.NewReference(rules, nil) }},
		"codegen.JavaScript":    {func() { _, _ = codegen.JavaScript(nil, codegen.Options{}) }},
		"form.Check":            {func() { form.Check(nil, form.Typed{}, nil) }},
		"form.Language":         {func() { form.Language("") }},
		"codegen.JSON":          {func() { _, _ = codegen.JSON(nil, nil) }},
		"codegen.SQL":           {func() { _, _ = codegen.SQL(nil, codegen.SQLOptions{Dialect: "sqlite"}) }},
		"codegen.SQLStatements": {func() { _, _ = codegen.SQLStatements(nil, codegen.SQLOptions{Dialect: "sqlite"}) }},
		"exact.Constant":        {func() { exact.Constant(nil) }},
		"learn.New": {
			func() { _, _ = learn.New(nil, catalogue, learn.Options{Step: 1, Max: 1000}) },
			func() { _, _ = learn.New(rules, nil, learn.Options{Step: 1, Max: 1000}) }},
		"learn.Proof": {func() { _, _ = learn.Proof(nil, learn.Options{Step: 1, Max: 1000}) }},
		"lint.Diff": {
			func() { drain(lint.Diff(nil, e)) }, func() { drain(lint.Diff(e, nil)) }},
		"lint.Lint":      {func() { drain(lint.Lint(nil)) }},
		"lint.Witness":   {func() { lint.Witness(nil, "BOX_3100") }},
		"lint.Witnesses": {func() { drain(lint.Witnesses(nil)) }},
		"preflight.New":  {func() { _, _ = preflight.New(nil, preflight.Options{}) }},
		"preflight.Ups":  {func() { _, _, _ = preflight.Ups(nil, boxrules.Dims{Width: 100, Depth: 50, Height: 100}, 0) }},
		"preflight.WriteError": {
			func() { preflight.WriteError(nil, request, "", 400, "m") },
			func() { preflight.WriteError(httptest.NewRecorder(), nil, "", 400, "m") }},
		"sandbox.New": {func() { _, _ = sandbox.New(nil, sandbox.Options{}) }},
	}
}

// drain runs a search to its end.
func drain[T any](found func(yield func(T) bool)) { found(func(T) bool { return true }) }

// zeros are pointers to the zero value of each exported type that has methods of its own.
var zeros = []any{
	new(boxrules.Box), new(boxrules.BoxError), new(boxrules.Code), new(boxrules.Dims), new(boxrules.Engine),
	new(boxrules.Explanation), new(boxrules.InputError), new(boxrules.OptionError), new(boxrules.Profile), new(boxrules.Ranges), new(boxrules.Reason), new(boxrules.Rule), new(boxrules.RuleSet),
	new(boxrules.Stage), new(boxrules.Suggestion), new(boxrules.Turn), new(boxrules.Verdict),
	new(boxtest.Files), new(boxtest.Reference),
	new(conformance.Case), new(conformance.File), new(conformance.Number),
	new(exact.HalfSpace), new(exact.Condition), new(exact.Ratio), new(exact.Region), new(exact.Value), new(exact.Variables),
	new(learn.Answer), new(learn.Contradiction), new(learn.Fact), new(learn.Learner), new(learn.UnprovedError),
	new(limits.Article), new(limits.Catalogue), new(limits.Decimal), new(limits.Formula),
	new(lint.Change), new(lint.Finding),
	new(preflight.Body), new(preflight.Checker), new(preflight.Disagreement), new(preflight.Refusal), new(preflight.Transport),
	new(sandbox.Sandbox),
	new(source.Error), new(source.Errors), new(source.Position),
}

// TestNil: a constructor returns an error for nil. Any other function that panics for nil, and any method
// that panics for a zero value, says so in its documentation.
func TestNil(t *testing.T) {
	listed := make(map[string]bool)
	check := func(name, text string, call func()) {
		t.Helper()
		listed[name] = true
		panicked := panics(call)
		_, short, _ := strings.Cut(name, ".")
		if panicked != nil && (strings.HasPrefix(short, "New") || !strings.Contains(text, "panic")) {
			t.Errorf("%s panics, and does not say so: %v", name, panicked)
		}
	}
	docs := documentation(t)
	for name, calls := range nilCalls() {
		for _, call := range calls {
			check(name, docs[name], call)
		}
	}
	for _, zero := range zeros {
		v := reflect.ValueOf(zero)
		name := v.Type().Elem().String()
		listed[name] = true
		for i := range v.NumMethod() {
			method := name + "." + v.Type().Method(i).Name
			check(method, docs[name]+docs[method], func() { zeroCall(v.Method(i)) })
		}
	}
	for _, name := range nilable(t) {
		if !listed[name] {
			t.Errorf("%s is not tried with nil", name)
		}
	}
}

// panics returns the value that the call panics with, or nil if it does not panic.
func panics(call func()) (with any) {
	defer func() { with = recover() }()
	call()
	return nil
}

// zeroCall calls the function with zero values.
func zeroCall(f reflect.Value) {
	var arguments []reflect.Value
	for i := range f.Type().NumIn() {
		arguments = append(arguments, reflect.Zero(f.Type().In(i)))
	}
	if f.Type().IsVariadic() {
		f.CallSlice(arguments)
		return
	}
	f.Call(arguments)
}

// documentation returns the doc comments of the functions, types and methods of the public packages,
// by names such as lint.Lint and learn.Learner.Add.
func documentation(t *testing.T) map[string]string {
	t.Helper()
	docs := make(map[string]string)
	files := goFiles(t)
	for folder, p := range publicPackages(t) {
		set := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range files[folder] {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		d, err := doc.NewFromFiles(set, parsed, p.Path())
		if err != nil {
			t.Fatal(err)
		}
		functions := d.Funcs
		for _, of := range d.Types {
			docs[p.Name()+"."+of.Name] = of.Doc
			functions = append(functions, of.Funcs...)
			for _, m := range of.Methods {
				docs[p.Name()+"."+of.Name+"."+m.Name] = m.Doc
			}
		}
		for _, f := range functions {
			docs[p.Name()+"."+f.Name] = f.Doc
		}
	}
	return docs
}

// nilable returns the names of the exported functions that take something that can be nil, and of the
// exported types that have methods.
func nilable(t *testing.T) (names []string) {
	t.Helper()
	for _, p := range publicPackages(t) {
		for _, name := range p.Scope().Names() {
			switch o := p.Scope().Lookup(name).(type) {
			case *types.Func:
				for v := range o.Signature().Params().Variables() {
					switch v.Type().Underlying().(type) {
					case *types.Pointer, *types.Interface, *types.Signature:
						if o.Exported() {
							names = append(names, p.Name()+"."+name)
						}
					}
				}
			case *types.TypeName:
				if !o.Exported() || types.IsInterface(o.Type()) {
					continue
				}
				for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
					if m.Obj().Exported() && !slices.Contains(names, p.Name()+"."+name) {
						names = append(names, p.Name()+"."+name)
					}
				}
			}
		}
	}
	return names
}
