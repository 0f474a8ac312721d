// Package codegen writes compiled profiles in other languages.
//
// [JavaScript] writes tables of half-spaces, with the evaluator of package form that reads them;
// [SQL] writes a table of their numbers, with a view that compares. Verdicts come from no translated
// condition, only from its exact form: so they are those of the engine by construction, on the same
// grid of thousandths and in the same order. A module in JavaScript also has the conditions as they
// are written, to propose no box that is borderline (see [boxrules.Profile.Borderline]).
package codegen

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"example.com/boxrules"
	"example.com/boxrules/form"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/limits"
)

// Options say what to write.
type Options struct {
	// Articles holds the codes of the articles to write; empty means all of the catalogue's.
	Articles []string
	// WithoutNearest leaves out the search for the nearest valid box, and with it turned boxes
	// and suggestions.
	WithoutNearest bool
	// Imports has a module import the evaluator, the search and the English texts from the files
	// of the npm package, which then have to lie next to it. Without it the module holds them
	// itself.
	Imports bool
}

// Files holds an ES module and the TypeScript declarations that belong to it.
type Files struct {
	Module       []byte // .js
	Declarations []byte // .d.ts
}

// JavaScript returns the profiles of the engine as an ES module without dependencies. The same
// input gives the same bytes. The error is a *[boxrules.InputError] for the field article where
// Options names an unknown one. JavaScript panics if e is nil.
func JavaScript(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := profiles(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	m := &module{originOf(e), o.Imports, !o.WithoutNearest, newTables(e, chosen)}
	return Files{execute("module.js.tmpl", m), execute("module.d.ts.tmpl", m)}, nil
}

// JSON writes the profiles of the engine as tables for a port to another language;
// conformance/README.md says what is in them. All numbers are whole thousandths below 2^53, so a
// port reaches the verdicts of the engine by comparing sums. The same input gives the same bytes.
// The error is a *[boxrules.InputError] for the field article where articles names an unknown one;
// all are written where it names none. JSON panics if e is nil.
func JSON(e *boxrules.Engine, articles []string) ([]byte, error) {
	chosen, err := profiles(e, articles)
	if err != nil {
		return nil, err
	}
	return execute("tables.json.tmpl", &module{origin: originOf(e), tables: newTables(e, chosen)}), nil
}

// A module holds what its templates need.
type module struct {
	origin
	Imports, Nearest bool
	*tables
}

// profiles returns the profiles of each article to write, in the order of the catalogue.
func profiles(e *boxrules.Engine, articles []string) (chosen [][]*boxrules.Profile, err error) {
	all := e.Catalogue().Articles()
	for _, code := range articles {
		if !slices.ContainsFunc(all, func(a limits.Article) bool { return a.Code == code }) {
			_, err := e.Profile(code, "")
			return nil, err
		}
	}
	for _, article := range all {
		if len(articles) > 0 && !slices.Contains(articles, article.Code) {
			continue
		}
		var own []*boxrules.Profile
		for _, material := range article.Materials {
			p, _ := e.Profile(article.Code, material) // which the engine has
			own = append(own, p)
		}
		chosen = append(chosen, own)
	}
	return chosen, nil
}

//go:embed templates
var templateFiles embed.FS

// templates reads the templates at its first call.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.tmpl"))
})

var functions = template.FuncMap{
	"quote":      func(x any) string { return quoted(fmt.Sprint(x)) },
	"key":        propertyName,
	"list":       numbers,
	"inKeyOrder": inKeyOrder,
	"include":    body,
	"after":      after,
	"together":   together,
	"isOwn":      isOwn,
	"asWritten":  asWritten,
}

// isOwn reports whether a code is the user's own. Forms show the message of its rule; for
// documented codes they have better ones, with the bound in them.
func isOwn(code boxrules.Code) bool {
	_, documented := code.Info()
	return !documented
}

// execute returns what the template makes of the data.
func execute(name string, data any) []byte {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // that depends on no input
	}
	return b.Bytes()
}

// An origin says what a file was made from, by the names of the files without their folders: the
// same files give the same bytes wherever they lie.
type origin struct {
	RuleFile, LimitFile string
	Illustrative        bool
}

func originOf(e *boxrules.Engine) origin {
	return origin{oneLine(filepath.Base(e.Rules().Name())), oneLine(filepath.Base(e.Catalogue().Name())),
		e.Catalogue().IsIllustrative()}
}

// oneLine keeps a file's name from ending the comment that it stands in.
func oneLine(name string) string {
	text := strconv.Quote(name)
	return text[1 : len(text)-1]
}

// source returns a file of the npm package.
func source(name string) string {
	text, err := form.Files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// body returns a module of the npm package without its imports and exports, to be part of
// another.
func body(name string) string {
	var b strings.Builder
	for line := range strings.Lines(source(name)) {
		if !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "export ") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// after returns the declarations of a file of the npm package that come after the line that ends
// so.
func after(name, end string) string {
	_, declarations, ok := strings.Cut(source(name), end+"\n\n")
	if !ok {
		panic(name + " has no line that ends in " + end)
	}
	return declarations
}

func numbers(list []int) string {
	return strings.ReplaceAll(fmt.Sprint(list), " ", ", ")
}

// propertyName returns a key of an object literal. Of all names only __proto__ means something
// else there, and is put into brackets.
func propertyName(name string) string {
	if name == "__proto__" {
		return `["__proto__"]`
	}
	return quoted(name)
}

// quoted returns text as a literal that is the same in JSON, JavaScript and TypeScript, and that
// ends no script element of HTML.
func quoted(text string) string {
	return strings.NewReplacer("</", `<\/`, "<!", `\u003c!`, "\n", "").Replace(string(strictjson.Marshal(text)))
}

// inKeyOrder returns the materials in the order that JavaScript gives the properties of an
// object: names that are array indices come first, by size. So of the materials "b", "10" and "2"
// it makes "2", "10", "b".
func inKeyOrder(materials []choice) []choice {
	index := func(c choice) uint64 {
		n, err := strconv.ParseUint(c.Code, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != c.Code || n == math.MaxUint32 {
			return math.MaxUint64
		}
		return n
	}
	ordered := slices.Clone(materials)
	slices.SortStableFunc(ordered, func(a, b choice) int { return cmp.Compare(index(a), index(b)) })
	return ordered
}

// together returns the numbers of all lists in ascending order, which of conditions is the order of
// checks.
func together(lists ...[]int) []int {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return all
}
