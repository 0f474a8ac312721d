// Package codegen writes the profiles of an engine for other languages and for databases. [JavaScript]
// returns a module for forms, [SQL] returns a view that checks a table of boxes, and [JSON] returns tables
// for a port to any other language. Most users run "boxrules generate", which calls these functions, and need
// not read on.
//
// The generated code checks boxes with the exact half-spaces of the rules, and not with their conditions as
// they are written. It rounds boxes to the same grid of thousandths as the engine, and checks the rules in
// the same order, so the verdicts are the same. The JavaScript module and the tables also contain the
// conditions as they are written. These serve only to avoid suggesting a borderline box (see
// [boxrules.Profile.Borderline]).
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
)

// Options selects what [JavaScript] writes.
type Options struct {
	// Articles are the codes of the articles to write. Empty means all articles of the catalogue.
	Articles []string

	// WithoutNearest makes the module smaller: it leaves out the search for the nearest valid box, turned
	// boxes, and suggestions.
	WithoutNearest bool

	// Imports makes the module import the evaluator, the search and the English texts from the files of
	// the npm package. These files must be in the folder of the module. If Imports is false, the module
	// contains their code.
	Imports bool
}

// Files holds an ES module and its TypeScript declarations.
type Files struct {
	Module       []byte // .js
	Declarations []byte // .d.ts
}

// JavaScript returns the profiles of the engine as an ES module without dependencies. The same input always
// produces the same bytes. If Options.Articles contains an unknown code, the error is a
// *[boxrules.InputError] for the field article. JavaScript panics if e is nil.
func JavaScript(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := chosenProfiles(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	m := &module{originOf(e), o.Imports, !o.WithoutNearest, newTables(e, chosen)}
	return Files{executeTemplate("module.js.tmpl", m), executeTemplate("module.d.ts.tmpl", m)}, nil
}

// JSON returns the profiles of the engine as tables for a port to another language. conformance/README.md
// describes them. The numbers that decide verdicts are whole numbers below 2^53, so a port that adds and
// compares them reaches the same verdicts as the engine. The same input always produces the same bytes.
//
// articles are the codes of the articles to write; if there are none, JSON writes all articles of the
// catalogue. If a code is unknown, the error is a *[boxrules.InputError] for the field article. JSON
// panics if e is nil.
func JSON(e *boxrules.Engine, articles []string) ([]byte, error) {
	chosen, err := chosenProfiles(e, articles)
	if err != nil {
		return nil, err
	}
	return executeTemplate("tables.json.tmpl", &module{origin: originOf(e), tables: newTables(e, chosen)}), nil
}

// A module is the data that the templates for JavaScript use.
type module struct {
	origin
	Imports, Nearest bool
	*tables
}

// chosenProfiles returns a list of profiles for each of the articles, in the order of the catalogue. If
// articles is empty, it returns the lists for all articles.
func chosenProfiles(e *boxrules.Engine, articles []string) (chosen [][]*boxrules.Profile, err error) {
	all := e.Catalogue().Articles()
	known, wanted := make(map[string]bool), make(map[string]bool)
	for _, a := range all {
		known[a.Code] = true
	}
	for _, code := range articles {
		if wanted[code] = true; !known[code] {
			_, err := e.Profile(code, "") // an error, because the article is unknown
			return nil, err
		}
	}
	// Iterate over the catalogue and not over the codes, so that the order and repetition of codes do not
	// change the output.
	for _, article := range all {
		if len(articles) > 0 && !wanted[article.Code] {
			continue
		}
		var ofArticle []*boxrules.Profile
		for _, material := range article.Materials {
			p, _ := e.Profile(article.Code, material) // no error, because the catalogue has both
			ofArticle = append(ofArticle, p)
		}
		chosen = append(chosen, ofArticle)
	}
	return chosen, nil
}

//go:embed templates
var templateFiles embed.FS

// templates returns the parsed templates. It parses them when it is called for the first time.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(templateFunctions).ParseFS(templateFiles, "templates/*.tmpl"))
})

// templateFunctions are the functions that templates call.
var templateFunctions = template.FuncMap{
	"quote":         func(x any) string { return quoted(fmt.Sprint(x)) },
	"key":           propertyName,
	"list":          joinNumbers,
	"inKeyOrder":    inKeyOrder,
	"include":       moduleBody,
	"after":         declarationsAfter,
	"together":      sortedUnion,
	"isUserDefined": isUserDefined,
	"hasOtherUnit":  hasOtherUnit,
}

// isUserDefined reports whether the code belongs to a user-defined rule. For such a rule, a form shows the
// message from the rule file. For the documented codes, the form has its own messages, which also mention the
// bound.
func isUserDefined(code boxrules.Code) bool {
	_, documented := code.Info()
	return !documented
}

func executeTemplate(name string, data any) []byte {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // a mistake in a template, which no input can cause
	}
	return b.Bytes()
}

// An origin says what a generated file was made from. The file names do not include folders, so the
// generated bytes do not depend on the folder of the files.
type origin struct {
	RuleFile, LimitFile string
	Illustrative        bool
}

func originOf(e *boxrules.Engine) origin {
	return origin{commentSafeName(filepath.Base(e.Rules().Name())), commentSafeName(filepath.Base(e.Catalogue().Name())),
		e.Catalogue().IsIllustrative()}
}

// commentSafeName escapes the name of a file, so that it cannot end the comment that contains it.
func commentSafeName(name string) string {
	text := strconv.Quote(name)
	return text[1 : len(text)-1]
}

// npmFile returns the text of the named file of the npm package.
func npmFile(name string) string {
	text, err := form.Files.ReadFile(name)
	if err != nil {
		panic(err) // all files are embedded
	}
	return string(text)
}

// moduleBody returns the code of a module of the npm package without its imports and exports, for inclusion
// in another module.
func moduleBody(name string) string {
	var b strings.Builder
	for line := range strings.Lines(npmFile(name)) {
		if !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "export ") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// declarationsAfter returns the rest of the named file of the npm package, after the line that ends with the
// given text.
func declarationsAfter(name, end string) string {
	_, declarations, ok := strings.Cut(npmFile(name), end+"\n\n")
	if !ok {
		panic(name + " has no line that ends in " + end)
	}
	return declarations
}

func joinNumbers(numbers []int) string {
	return strings.ReplaceAll(fmt.Sprint(numbers), " ", ", ")
}

// propertyName returns the name as a key for an object literal. Only __proto__ would have a special meaning
// there, so it is written in brackets, which make it an ordinary key.
func propertyName(name string) string {
	if name == "__proto__" {
		return `["__proto__"]`
	}
	return quoted(name)
}

// quoted returns text as a string literal for JSON, JavaScript and TypeScript. The generated file may be placed
// in a script element of an HTML page, so quoted escapes </ and <!. Otherwise, text such as </script> could end
// the element.
func quoted(text string) string {
	return strings.NewReplacer("</", `<\/`, "<!", `\u003c!`, "\n", "").Replace(string(strictjson.Marshal(text)))
}

// inKeyOrder returns the materials in the order in which JavaScript lists the keys of an object. Keys that
// are array indices come first, sorted as numbers: "b", "10", "2" becomes "2", "10", "b".
func inKeyOrder(materials []articleMaterial) []articleMaterial {
	// An array index is a whole number below 2^32 - 1 without leading zeros: "07" is an ordinary key.
	arrayIndex := func(m articleMaterial) uint64 {
		n, err := strconv.ParseUint(m.Code, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != m.Code || n == math.MaxUint32 {
			return math.MaxUint64 // not an array index
		}
		return n
	}
	ordered := slices.Clone(materials)
	slices.SortStableFunc(ordered, func(a, b articleMaterial) int { return cmp.Compare(arrayIndex(a), arrayIndex(b)) })
	return ordered
}

// sortedUnion merges lists of condition indices into one ascending list, because conditions are checked in
// ascending order of their indices.
func sortedUnion(lists ...[]int) []int {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return all
}
