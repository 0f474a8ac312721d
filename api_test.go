package boxrules_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "example.com/boxrules"

// goFiles returns the Go files of the root module that are not tests, by folder (with slashes). It
// leaves out folders with their own go.mod.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := make(map[string][]string)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && name != ".":
			_, own := os.Stat(filepath.Join(name, "go.mod"))
			if own == nil || base == "testdata" || base == "node_modules" || base == "dist" || strings.HasPrefix(base, ".") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go"):
			folder := filepath.ToSlash(filepath.Dir(name))
			files[folder] = append(files[folder], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compiled returns an importer of the root module's packages and their imports, from the compiler's
// export data.
func compiled(t *testing.T, set *token.FileSet) types.Importer {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return importer.ForCompiler(set, "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

// publicPackages returns the packages of the root module that other modules can import.
func publicPackages(t *testing.T) map[string]*types.Package {
	t.Helper()
	from := compiled(t, token.NewFileSet())
	packages := make(map[string]*types.Package)
	for folder, files := range goFiles(t) {
		if strings.Contains("/"+folder+"/", "/internal/") {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), files[0], nil, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if syntax.Name.Name == "main" {
			continue
		}
		p, err := from.Import(path.Join(module, folder))
		if err != nil {
			t.Fatal(err)
		}
		packages[folder] = p
	}
	return packages
}

// A surface walks all types that users of a package can see through its exported names.
type surface struct {
	seen  map[types.Type]bool // named types of the module
	wrong []string            // the names that show a type of an internal package
}

// walk checks a type that users can see through the exported name: the type's own name, if it has one,
// and every type that they can reach from it.
func (s *surface) walk(name string, shown types.Type) {
	switch shown := shown.(type) {
	case *types.Alias:
		s.named(name, shown.Obj())
		s.walk(name, types.Unalias(shown))
	case *types.Named:
		s.named(name, shown.Obj())
		for argument := range shown.TypeArgs().Types() {
			s.walk(name, argument)
		}
		if s.seen[shown] || shown.Obj().Pkg() == nil || !ours(shown.Obj().Pkg()) {
			return
		}
		s.seen[shown] = true
		for method := range shown.Methods() {
			if method.Exported() {
				s.walk(name+"."+method.Name(), method.Signature())
			}
		}
		s.walk(name, shown.Underlying())
	case *types.Struct:
		for field := range shown.Fields() {
			// What is embedded shows its fields and methods, whatever its name.
			if field.Exported() || field.Embedded() {
				s.walk(name+"."+field.Name(), field.Type())
			}
		}
	case *types.Interface:
		for method := range shown.Methods() {
			s.walk(name+"."+method.Name(), method.Signature())
		}
		for embedded := range shown.EmbeddedTypes() {
			s.walk(name, embedded)
		}
	case *types.Signature:
		for parameter := range shown.TypeParams().TypeParams() {
			s.walk(name, parameter.Constraint())
		}
		for _, tuple := range []*types.Tuple{shown.Params(), shown.Results()} {
			for v := range tuple.Variables() {
				s.walk(name, v.Type())
			}
		}
	case *types.Map:
		s.walk(name, shown.Key())
		s.walk(name, shown.Elem())
	case *types.Union:
		for term := range shown.Terms() {
			s.walk(name, term.Type())
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		s.walk(name, shown.Elem())
	}
}

func (s *surface) named(name string, of *types.TypeName) {
	if of.Pkg() != nil && strings.Contains("/"+of.Pkg().Path()+"/", "/internal/") {
		s.wrong = append(s.wrong, name+" has the type "+of.Pkg().Path()+"."+of.Name())
	}
}

func ours(p *types.Package) bool {
	return p.Path() == module || strings.HasPrefix(p.Path(), module+"/")
}

// TestSurface: no exported name of a public package has a type that its user cannot name, and the
// root has few names.
func TestSurface(t *testing.T) {
	packages := publicPackages(t)
	for _, folder := range []string{
		".", "limits", "exact", "lint", "source", "codegen", "boxmap", "preflight", "sandbox", "conformance", "form",
		"boxtest",
	} {
		if packages[folder] == nil {
			t.Errorf("package %s is not found", folder)
		}
	}
	s := &surface{seen: make(map[types.Type]bool)}
	for _, p := range packages {
		for _, name := range p.Scope().Names() {
			if o := p.Scope().Lookup(name); o.Exported() {
				s.walk(p.Path()+"."+name, o.Type())
			}
		}
	}
	for _, wrong := range s.wrong {
		t.Errorf("%s, which its user cannot name", wrong)
	}
	var names []string
	root := packages["."].Scope()
	for _, name := range root.Names() {
		switch root.Lookup(name).(type) {
		case *types.Func, *types.TypeName:
			if token.IsExported(name) {
				names = append(names, name)
			}
		}
	}
	t.Logf("%d public packages, %d types; the root exports %d functions and types", len(packages), len(s.seen), len(names))
	if len(names) > 45 {
		t.Errorf("the root exports %d functions and types, want at most 45: %v", len(names), names)
	}
	if len(s.seen) < 60 {
		t.Errorf("the walk has seen %d types of the module: too few", len(s.seen))
	}
}

// TestSurfaceFinds: the walk finds a type that users cannot name, whichever way they can see it.
func TestSurfaceFinds(t *testing.T) {
	inner := types.NewPackage(module+"/internal/inner", "inner")
	hidden := types.NewNamed(types.NewTypeName(0, inner, "Hidden", nil), types.Typ[types.Int], nil)
	public := types.NewPackage(module+"/public", "public")
	shown := func(of types.Type) *types.Named {
		return types.NewNamed(types.NewTypeName(0, public, "Shown", nil), of, nil)
	}
	field := func(name string, embedded bool) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(0, public, name, hidden, embedded)}, nil)
	}
	result := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, public, "", types.NewPointer(hidden))), false)
	methods := shown(types.Typ[types.Int])
	methods.AddMethod(types.NewFunc(0, public, "Method", types.NewSignatureType(
		types.NewVar(0, public, "", methods), nil, nil, types.NewTuple(types.NewVar(0, public, "", types.NewSlice(hidden))), nil, false)))
	for name, test := range map[string]struct {
		shown types.Type
		found bool
	}{
		"itself":             {hidden, true},
		"a field":            {shown(field("Field", false)), true},
		"an embedded type":   {shown(field("hidden", true)), true},
		"a field of its own": {shown(field("field", false)), false},
		"a result":           {result, true},
		"a method":           {methods, true},
		"a map's key":        {types.NewMap(hidden, types.Typ[types.Int]), true},
		"an alias":           {types.NewAlias(types.NewTypeName(0, public, "Alias", nil), hidden), true},
		"an interface": {types.NewInterfaceType([]*types.Func{
			types.NewFunc(0, public, "Method", result)}, nil).Complete(), true},
		"nothing of the kind": {shown(types.NewSlice(types.Typ[types.Int])), false},
	} {
		s := &surface{seen: make(map[types.Type]bool)}
		if s.walk("Name", test.shown); len(s.wrong) > 0 != test.found {
			t.Errorf("%s: found %q, want some: %v", name, s.wrong, test.found)
		}
	}
}

// TestOnlyExpressionKnowsExpr: only one package of the root module imports expr, so that another parser
// could replace it. That package imports only the parts of expr that expr's documentation is about,
// because its parser, checker and conf change more often.
func TestOnlyExpressionKnowsExpr(t *testing.T) {
	const library = "github.com/expr-lang/expr"
	var importers, packages []string
	for folder, files := range goFiles(t) {
		for _, file := range files {
			syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range syntax.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if imported == library || strings.HasPrefix(imported, library+"/") {
					importers, packages = append(importers, folder), append(packages, imported)
				}
			}
		}
	}
	slices.Sort(importers)
	if importers = slices.Compact(importers); !slices.Equal(importers, []string{"internal/expression"}) {
		t.Errorf("expr is imported by %v, want internal/expression alone", importers)
	}
	slices.Sort(packages)
	public := []string{library, library + "/ast", library + "/file", library + "/vm"}
	if packages = slices.Compact(packages); !slices.Equal(packages, public) {
		t.Errorf("packages of expr that are imported: %v, want %v", packages, public)
	}
}

// TestExactIsEnough: our own drawings, generators, servers and mutants use only those parts of a Profile
// that any port or generator can use: its exact form, its rules and the verdicts.
func TestExactIsEnough(t *testing.T) {
	files := goFiles(t)
	set := token.NewFileSet()
	config := types.Config{Importer: compiled(t, set)}
	calls := 0
	for _, folder := range []string{"codegen", "boxmap", "preflight", "tools/mutate"} {
		var parsed []*ast.File
		for _, name := range files[folder] {
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		info := types.Info{Selections: make(map[*ast.SelectorExpr]*types.Selection)}
		if _, err := config.Check(path.Join(module, folder), set, parsed, &info); err != nil {
			t.Fatal(err)
		}
		for at, selection := range info.Selections {
			if selection.Recv().String() != "*"+module+".Profile" {
				continue
			}
			calls++
			if name := selection.Obj().Name(); !slices.Contains([]string{"Exact", "Check", "Borderline", "Rules"}, name) {
				t.Errorf("%v: Profile.%s is used", set.Position(at.Pos()), name)
			}
		}
	}
	if calls < 10 {
		t.Errorf("only %d uses of a Profile were found", calls)
	}
}
