package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// addServer adds the names in the metrics and in the log of serve: all those that a refused request and a forwarded
// one leave there.
func addServer(t *testing.T, text *bytes.Buffer) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "of-the-service")
	}))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--metrics", "127.0.0.1:0", "--log", "json")
	s.get(t, strings.Replace(dieline, "width=143", "width=48", 1))
	s.get(t, dieline)
	exposed, _ := s.scrape(t)
	metrics := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (boxrules_.*)`).FindAllStringSubmatch(exposed, -1) {
		metrics[found[1]] = true
	}
	for _, found := range regexp.MustCompile(`(?m)^(boxrules_\w+)\{(.*)\}`).FindAllStringSubmatch(exposed, -1) {
		for _, label := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(found[2], -1) {
			switch name, value := label[1], label[2]; name {
			case "le": // the bounds of a histogram
			case "outcome", "path":
				metrics[found[1]+" "+name+"="+value] = true
			default:
				metrics[found[1]+" "+name] = true
			}
		}
	}
	addPart(text, "metrics of boxrules serve", slices.Sorted(maps.Keys(metrics)))

	_, said := s.end(t)
	fields := map[string]bool{}
	for line := range strings.Lines(said) {
		var object map[string]any
		noError(t, json.Unmarshal([]byte(line), &object))
		if object["msg"] == "request" {
			addKeys(fields, "", object)
		}
	}
	addPart(text, "fields of the line that boxrules serve --log json writes about a request", slices.Sorted(maps.Keys(fields)))
}

// addDeclared adds what the files of the project declare.
func addDeclared(t *testing.T, text *bytes.Buffer) {
	commandKeys, variables := map[string]bool{}, map[string]bool{}
	forEachGoFile(t, "cmd/boxrules", func(folder string, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			if structure, ok := node.(*ast.StructType); ok {
				for _, field := range structure.Fields.List {
					if key := jsonKey(field); key != "" {
						commandKeys[filepath.ToSlash(folder)+": "+key] = true
					}
				}
			}
			if call, ok := node.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if called, ok := call.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Getenv" {
					if name, ok := call.Args[0].(*ast.BasicLit); ok {
						variables[strings.Trim(name.Value, `"`)] = true
					}
				}
			}
			return true
		})
	})
	addPart(text, "JSON keys in the source of the command", slices.Sorted(maps.Keys(commandKeys)))
	addPart(text, "environment variables", slices.Sorted(maps.Keys(variables)))
	for _, schema := range []string{"limits/limits.schema.json", "limits/frame.schema.json", "rules/rules.schema.json"} {
		var value any
		noError(t, json.Unmarshal(readFile(t, schema), &value))
		keys := map[string]bool{}
		addProperties(keys, "", value)
		addPart(text, "keys of a file, from "+schema, slices.Sorted(maps.Keys(keys)))
	}
	addSQL(t, text)
	addExports(t, text)
	// An addition may change a line of the parts from here on.
	addTypes(t, text)
	addPorts(t, text)

	exported := map[string][]string{}
	forEachGoFile(t, ".", func(folder string, file *ast.File) {
		for _, declaration := range file.Decls {
			exported[folder] = append(exported[folder], exportedNames(t, declaration)...)
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(exported)) {
		if names := exported[folder]; len(names) > 0 {
			slices.Sort(names)
			addPart(text, "Go package "+filepath.ToSlash(filepath.Join("example.com/boxrules", folder)), names)
		}
	}
}

// forEachGoFile calls visit for each Go file in the folder and in the folders below it that is no test. In the root, it leaves out
// what docs/compatibility.md promises nothing about, and other modules.
func forEachGoFile(t *testing.T, root string, visit func(folder string, file *ast.File)) {
	noError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, missing := os.Stat(filepath.Join(path, "go.mod"))
			leaveOut := []string{"tools", "bench", "fuzz", "examples", "internal", "testdata", "node_modules", ".git"}
			if path != root && (missing == nil || root == "." && slices.Contains(leaveOut, entry.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			visit(filepath.Dir(path), file)
		}
		return err
	}))
}

// exportedNames returns a line for each exported function, method, type, field, constant and variable of a declaration.
func exportedNames(t *testing.T, declaration ast.Decl) []string {
	onOneLine := func(node any) string {
		var source bytes.Buffer
		noError(t, format.Node(&source, token.NewFileSet(), node))
		return strings.Join(strings.Fields(source.String()), " ")
	}
	var names []string
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(strings.TrimPrefix(onOneLine(d.Recv.List[0].Type), "*"))) {
			names = append(names, onOneLine(&ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type}))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for i, name := range spec.Names {
					if name.IsExported() {
						line := d.Tok.String() + " " + name.Name
						if d.Tok == token.CONST && i < len(spec.Values) {
							line += " = " + onOneLine(spec.Values[i])
						}
						names = append(names, line)
					}
				}
			case *ast.TypeSpec:
				if !spec.Name.IsExported() {
					continue
				}
				structure, ok := spec.Type.(*ast.StructType)
				if !ok {
					names = append(names, "type "+onOneLine(spec))
					continue
				}
				names = append(names, "type "+spec.Name.Name+" struct")
				for _, field := range structure.Fields.List {
					kind := onOneLine(field.Type)
					if field.Tag != nil {
						kind += " " + field.Tag.Value
					}
					for _, name := range field.Names {
						if name.IsExported() {
							names = append(names, "field "+spec.Name.Name+"."+name.Name+" "+kind)
						}
					}
					if field.Names == nil && ast.IsExported(kind[strings.LastIndexAny(kind, "*.")+1:]) { // embedded
						names = append(names, "field "+spec.Name.Name+": embedded "+kind)
					}
				}
			}
		}
	}
	return names
}

// jsonKey returns the key of a struct's field in JSON, or "" if its tag names none.
func jsonKey(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(field.Tag.Value)
	key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return key
}

// addProperties adds the paths of all properties in a JSON schema. CODE is a key that the author of the file chooses.
func addProperties(keys map[string]bool, path string, schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		for keyword, below := range schema {
			properties, ok := below.(map[string]any)
			switch {
			case keyword == "properties" && ok:
				for name, property := range properties {
					p := strings.TrimPrefix(path+"."+name, ".")
					keys[p] = true
					addProperties(keys, p, property)
				}
			case keyword == "additionalProperties" || keyword == "patternProperties":
				addProperties(keys, path+".CODE", below)
			case keyword == "items":
				addProperties(keys, path+"[]", below)
			default:
				addProperties(keys, path, below)
			}
		}
	case []any:
		for _, part := range schema {
			addProperties(keys, path, part)
		}
	}
}

// addSQL adds the promised names in the SQL of each dialect. The files are those that TestSQLGolden of codegen compares.
func addSQL(t *testing.T, text *bytes.Buffer) {
	files, err := filepath.Glob("codegen/testdata/*.sql")
	noError(t, err)
	promised := regexp.MustCompile(`(?m)^CREATE .*\bbox_(?:profiles|verdicts)\b|\bADD CONSTRAINT \S+|^  (?:article|material)\b|\bAS verdict\b`)
	for _, file := range files {
		names := map[string]bool{}
		for _, name := range promised.FindAllString(string(readFile(t, file)), -1) {
			names[strings.TrimSpace(name)] = true
		}
		addPart(text, "SQL, from "+filepath.ToSlash(file), slices.Sorted(maps.Keys(names)))
	}
}

// addExports adds the paths that boxrules-form exports, and the names that its files export and declare. form/index.js is a
// generated module.
func addExports(t *testing.T, text *bytes.Buffer) {
	var manifest struct{ Exports map[string]any }
	noError(t, json.Unmarshal(readFile(t, "form/package.json"), &manifest))
	addPart(text, "exports of boxrules-form", slices.Sorted(maps.Keys(manifest.Exports)))
	exported := regexp.MustCompile(`(?m)^export (?:\{(.*)\}|(?:async )?(?:function|class|const|let) (\w+)|(default))`)
	for _, file := range declarationFiles(t) {
		declared := string(readFile(t, file))
		var names []string
		for _, statement := range exported.FindAllStringSubmatch(string(readFile(t, strings.TrimSuffix(file, ".d.ts")+".js")), -1) {
			for name := range strings.SplitSeq(statement[1]+statement[2]+statement[3], ",") {
				name = strings.TrimSpace(name)
				// What is exported and not declared is for the other files of the package.
				if regexp.MustCompile(`(?m)^export .*\b` + name + `\b`).MatchString(declared) {
					names = append(names, name)
				}
			}
		}
		addPart(text, "exports of "+strings.TrimSuffix(file, ".d.ts")+".js", names)
	}
}

// declarationFiles returns the .d.ts files of boxrules-form.
func declarationFiles(t *testing.T) []string {
	files, err := filepath.Glob("form/*.d.ts")
	noError(t, err)
	locales, err := filepath.Glob("form/locales/*.d.ts")
	noError(t, err)
	return append(files, locales...)
}

// addTypes adds the declarations of boxrules-form without their comments, each line after the name that it declares.
func addTypes(t *testing.T, text *bytes.Buffer) {
	comments := regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	name := regexp.MustCompile(`^(?:export )?(?:declare )?\w+ \w*`)
	shipped := regexp.MustCompile(`^  (?:\| "BOX_|readonly ".*title|"[^"]*": ")`) // depends on the shipped limits, which may change
	for _, file := range declarationFiles(t) {
		var lines []string
		current := ""
		for line := range strings.Lines(comments.ReplaceAllString(string(readFile(t, file)), "")) {
			switch words := strings.TrimSpace(line); {
			case strings.Trim(words, "{}()<>;") == "" || strings.HasPrefix(line, "import") || shipped.MatchString(line):
			case strings.HasPrefix(line, " "):
				lines = append(lines, current+": "+words)
			default:
				current = name.FindString(line)
				lines = append(lines, words)
			}
		}
		addPart(text, "declarations of "+filepath.ToSlash(file), lines)
	}
}

// addPorts adds the public declarations of the ports to Java, PHP and Python.
func addPorts(t *testing.T, text *bytes.Buffer) {
	for _, port := range []struct{ file, public, rest string }{ // rest begins the part of the file that is not public
		{"ports/java/Boxrules.java", `^ *public .*`, "\x00"},
		{"ports/php/Boxrules.php", `^final class .*|^ +public .*|^function parse.*`, "final class Words"},
		{"ports/python/boxrules.py", `^__all__.*|^COLUMNS = [^#]*|.*namedtuple\(.*|^class .*|^def [a-z].*|^    def (?:__init__|[a-z]\w*)\(.*|^ +self\.[a-z]\w*`, "class _Words"},
	} {
		public, class := regexp.MustCompile(port.public), regexp.MustCompile(`^( *).*class (\w+)`)
		source, _, _ := strings.Cut(string(readFile(t, port.file)), port.rest)
		var lines []string
		current, indent := "", 0 // the last class, and the spaces before it
		for line := range strings.Lines(source) {
			found := public.FindString(strings.TrimRight(line, "\n"))
			if found == "" {
				continue
			}
			words := strings.Trim(found, "{:, ")
			if in := len(line) - len(strings.TrimLeft(line, " ")); in > indent && current != "" {
				words = current + ": " + words
			}
			lines = append(lines, words)
			if found := class.FindStringSubmatch(line); found != nil {
				indent, current = len(found[1]), found[2]
			}
		}
		addPart(text, "declarations of "+port.file, lines)
	}
}
