package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pkg is the package whose code is changed.
type pkg struct {
	importPath, folder string
	fset               *token.FileSet
	imports            types.Importer
	types              *types.Package
	info               *types.Info
	files              []*file
	places             []*place
	count              int // of mutants
}

// A file is one of the files of the package, except for its tests.
type file struct {
	path, name string // name is relative to the folder in which gomutants runs, if it is below it
	source     string
	syntax     *ast.File
	places     []*place // in the order of their starts, outer ones first
}

// mutants returns all mutants of the package.
func (p *pkg) mutants() (all []*mutant) {
	for _, place := range p.places {
		all = append(all, place.mutants...)
	}
	return all
}

// load reads a package, checks its types, and finds its mutants.
func load(name string) (*pkg, error) {
	names, err := output("go", "list", name)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(names, []byte("\n")); n != 1 {
		return nil, fmt.Errorf("%s matches %d packages; name one", name, n)
	}
	list, err := output("go", "list", "-deps", "-export", "-json=ImportPath,Dir,GoFiles,Export", "os", "strconv", "sync", name)
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	var last listed // the package itself comes last, after what it and the selector import
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		last = l
	}
	p := &pkg{importPath: last.ImportPath, folder: last.Dir, fset: token.NewFileSet()}
	p.imports = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var syntax []*ast.File
	for _, base := range last.GoFiles {
		path := filepath.Join(last.Dir, base)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(p.fset, path, source, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		shown := path
		if relative, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(relative, "..") {
			shown = relative
		}
		p.files = append(p.files, &file{path: path, name: shown, source: string(source), syntax: parsed})
		syntax = append(syntax, parsed)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: p.imports}
	if p.types, err = config.Check(p.importPath, p.fset, syntax, p.info); err != nil {
		return nil, err
	}
	for _, f := range p.files {
		p.find(f)
	}
	return p, nil
}

// output runs a command and returns what it prints. Its error says what the command printed on standard error.
func output(name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	var message strings.Builder
	c.Stderr = &message
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", strings.Join(c.Args, " "), err, out, message.String())
	}
	return out, nil
}

// selector is the file that is added to the package. If a trace is wanted, it holds the number of each place that is
// reached, once.
const selector = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var (
	selectedMutant, _ = strconv.Atoi(os.Getenv("GOMUTANTS_NUMBER"))
	mutantTrace       = openMutantTrace()
	mutantPlaces      sync.Map
)

func openMutantTrace() *os.File {
	name := os.Getenv("GOMUTANTS_TRACE")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	return f
}

func mutantAt(place int) int {
	if mutantTrace != nil {
		traceMutant(place)
	}
	return selectedMutant
}

func traceMutant(place int) {
	if _, seen := mutantPlaces.LoadOrStore(place, true); !seen {
		mutantTrace.WriteString(strconv.Itoa(place) + "\n")
	}
}
`

// A writer writes the rewritten text of a file, and remembers where it wrote the places.
type writer struct {
	bytes.Buffer
	spans []span
}

// A span is the part of a rewritten file that was written for a place.
type span struct {
	place      *place
	start, end int
}

// write writes the bytes of a file from start to end, which have the given places.
func (w *writer) write(f *file, start, end int, places []*place) {
	for len(places) > 0 {
		first := places[0]
		inside := 1
		for inside < len(places) && places[inside].start < first.end {
			inside++
		}
		w.WriteString(f.source[start:first.start])
		w.place(first, places[1:inside])
		start, places = first.end, places[inside:]
	}
	w.WriteString(f.source[start:end])
}

// place writes a place, which contains other places. Only one mutant is selected at a time, so inside of its mutants the
// other places stay as they are.
func (w *writer) place(p *place, inside []*place) {
	if p.alone {
		w.write(p.file, p.start, p.end, inside)
		return
	}
	start, keyword := w.Len(), "return "
	if p.result == "" {
		keyword = ""
	}
	fmt.Fprintf(w, "func() %s { switch mutantAt(%d) {", p.result, p.number)
	for _, m := range p.mutants {
		fmt.Fprintf(w, " case %d: %s%s;", m.number, keyword, m.text())
	}
	w.WriteString(" default: " + keyword)
	w.write(p.file, p.start, p.end, inside)
	w.WriteString(" } }()")
	w.spans = append(w.spans, span{p, start, w.Len()})
}

// text is the source of the place of a mutant, with the operator of the mutant. Blanks keep it apart from a sign that
// follows, as in x - -y, which gofmt may write as x+-y with its own operator.
func (m *mutant) text() string {
	p := m.place
	return p.file.source[p.start:p.operatorAt] + " " + m.operator + " " + p.file.source[p.operatorAt+len(p.operator):p.end]
}

// source is the source of the file of a mutant, with the operator of the mutant.
func (m *mutant) source() string {
	p := m.place
	return p.file.source[:p.start] + m.text() + p.file.source[p.end:]
}

// check checks the types of the package with other sources of some files, or with further files, and passes the place of
// each error to report.
func (p *pkg) check(sources map[string]string, report func(token.Position)) error {
	all := maps.Clone(sources)
	for _, f := range p.files {
		if _, changed := all[f.path]; !changed {
			all[f.path] = f.source
		}
	}
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, path := range slices.Sorted(maps.Keys(all)) {
		parsed, err := parser.ParseFile(fset, path, all[path], 0)
		if err != nil {
			return err
		}
		syntax = append(syntax, parsed)
	}
	config := types.Config{Importer: p.imports, Error: func(err error) {
		report(fset.Position(err.(types.Error).Pos))
	}}
	_, err := config.Check(p.importPath, fset, syntax, nil)
	return err
}

// rewrite returns the sources of the package in which an environment variable selects the mutant, by path, and where in
// them the places are.
func (p *pkg) rewrite() (sources map[string]string, spans map[string][]span) {
	sources = map[string]string{filepath.Join(p.folder, "mutants_selector.go"): fmt.Sprintf(selector, p.types.Name())}
	spans = map[string][]span{}
	for _, f := range p.files {
		w := &writer{}
		w.write(f, 0, len(f.source), f.places)
		sources[f.path], spans[f.path] = w.String(), w.spans
	}
	return sources, spans
}

// isolate finds the places that cannot be written in such a way that an environment variable selects the mutant. It
// checks the types of the rewritten package until there is no error: the innermost place around an error is set apart.
func (p *pkg) isolate() error {
	for {
		sources, spans := p.rewrite()
		found := false
		err := p.check(sources, func(at token.Position) {
			for _, s := range spans[at.Filename] { // inner ones come first
				if s.start <= at.Offset && at.Offset < s.end {
					found, s.place.alone = true, true
					return
				}
			}
		})
		if err == nil || !found {
			return err
		}
	}
}
