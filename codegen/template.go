package codegen

import (
	"bytes"
	"embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"example.com/boxrules"
	"example.com/boxrules/form"
	"example.com/boxrules/internal/strictjson"
)

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
	return origin{oneLine(filepath.Base(e.Rules().Name())), oneLine(filepath.Base(e.Catalogue().Name())), e.Catalogue().IsIllustrative()}
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
