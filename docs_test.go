package boxrules_test

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

var fenced = regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```")

// blocks returns the fenced blocks of the kind in a document.
func blocks(t *testing.T, file, kind string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, match := range fenced.FindAllStringSubmatch(string(data), -1) {
		if match[1] == kind {
			found = append(found, match[2])
		}
	}
	return found
}

// TestDocumentedGo: every Go block of the documents is part of an example, which runs.
func TestDocumentedGo(t *testing.T) {
	for document, file := range map[string]string{
		"README.md": "example_test.go", "docs/preflight.md": "preflight/example_test.go", "docs/insight.md": "lint/example_test.go",
	} {
		examples, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code := strings.ReplaceAll(string(examples), "\n\t", "\n")
		goBlocks := blocks(t, document, "go")
		if len(goBlocks) == 0 {
			t.Errorf("%s has no Go block", document)
		}
		for _, block := range goBlocks {
			if !strings.Contains(code, "\n"+block) {
				t.Errorf("%s: no example has\n%s", document, block)
			}
		}
	}
}

// hasConstraints reports whether the rules have every constraint that an article of the catalogue selects.
func hasConstraints(rules *boxrules.RuleSet, catalogue *limits.Catalogue) bool {
	return !slices.ContainsFunc(catalogue.Articles(), func(a limits.Article) bool {
		return slices.ContainsFunc(a.Constraints, func(code string) bool {
			return !slices.ContainsFunc(rules.Rules(), func(r boxrules.Rule) bool {
				return string(r.Code) == code && r.Stage == boxrules.Constraint
			})
		})
	})
}

// TestDocumentedYAML loads every file that the documents show, and every rule file with every
// limit file whose constraints it has. Boxes far beyond the limits are rejected then, so that nobody who copies two examples gets
// a rule file that checks less than it seems to.
func TestDocumentedYAML(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	sets := []*boxrules.RuleSet{boxrules.DefaultRules()}
	var catalogues []*limits.Catalogue
	for _, file := range files {
		for _, block := range blocks(t, file, "yaml") {
			if strings.Contains(block, "when:") {
				rules, err := boxrules.LoadRules(file, []byte(block))
				if err != nil {
					t.Fatalf("%s: %v\n%s", file, err, block)
				}
				sets = append(sets, rules)
				continue
			}
			// What has no limits is a frame, to learn them.
			load := limits.Load
			if !strings.Contains(block, "constraints:") {
				load = limits.LoadFrame
			}
			catalogue, err := load(file, []byte(block))
			if err != nil {
				t.Fatalf("%s: %v\n%s", file, err, block)
			}
			if !catalogue.IsFrame() {
				catalogues = append(catalogues, catalogue)
			}
		}
	}
	if len(sets) < 2 || len(catalogues) == 0 {
		t.Errorf("the documents show %d rule files and %d limit files, want some of both", len(sets)-1, len(catalogues))
	}
	for _, rules := range sets {
		for _, catalogue := range catalogues {
			if !hasConstraints(rules, catalogue) {
				continue
			}
			engine, err := boxrules.New(rules, catalogue)
			if err != nil {
				t.Errorf("%s with %s: %v", rules.Name(), catalogue.Name(), err)
				continue
			}
			for d, want := range map[boxrules.Dims]boxrules.Code{
				{Width: 430, Depth: 5, Height: 6}: boxrules.BOX_2101, {Width: -5, Depth: 50, Height: 60}: boxrules.BOX_2100,
				{Width: 60, Depth: 50, Height: 1e6}: boxrules.BOX_2105, {Width: 300, Depth: 240, Height: 400}: boxrules.BOX_4100,
			} {
				for _, p := range engine.Profiles() {
					if v, err := p.Check(d); err != nil || v.Code() != want {
						t.Errorf("%s with %s: %s: Check(%+v) = %v, %v, want %s", rules.Name(), catalogue.Name(), p.Article(), d, v, err, want)
					}
				}
			}
		}
	}
}

// TestREADMEShowsShippedYAML: each YAML block of the README is part of a shipped file.
func TestREADMEShowsShippedYAML(t *testing.T) {
	var shipped string
	for _, file := range []string{"rules/box_rules.yaml", "limits/illustrative.yaml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shipped += string(data)
	}
	shown := blocks(t, "README.md", "yaml")
	if len(shown) != 2 {
		t.Errorf("the README has %d YAML blocks, want a rule and an article", len(shown))
	}
	for _, block := range shown {
		if !strings.Contains(shipped, block) {
			t.Errorf("no shipped file has\n%s", block)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// anchors returns the anchors of a document that links can use.
func anchors(t *testing.T, file string) map[string]bool {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{"": true}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)`).FindAllStringSubmatch(string(data), -1) {
		slug := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		found["#"+strings.ReplaceAll(slug, " ", "-")] = true
	}
	return found
}

// TestLinks follows every link of the documents to a file of the project, and to the heading in it.
func TestLinks(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "conformance/README.md", "form/README.md")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), match[1])); err != nil {
				t.Errorf("%s links to %s: %v", file, match[1], err)
			} else if target := filepath.Join(filepath.Dir(file), match[1]); strings.HasSuffix(target, ".md") && !anchors(t, target)[match[2]] {
				t.Errorf("%s links to %s, where there is no heading %s", file, match[1], match[2])
			}
		}
	}
}

// TestWhereThingsAre: CONTRIBUTING.md mentions every file of the root and every folder with Go, and
// README.md every folder of the top level.
func TestWhereThingsAre(t *testing.T) {
	data, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, places, _ := strings.Cut(string(data), "\n## Where things are\n")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(string(readme), "\nThe folders:\n")
	tree, _, _ = strings.Cut(tree, "\nAll tests:\n")
	found := 0
	for _, pattern := range []string{"*.go", "*/*.go", "internal/*/*.go", "tools/*/main.go", "tools/*/go.mod"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := "`" + file + "`"
			switch folder := filepath.Dir(file); {
			case folder == "." && (file == "doc.go" || strings.HasSuffix(file, "_test.go")):
				continue
			case strings.HasPrefix(folder, "tools/"):
				name = "`" + filepath.Base(folder) + "`:"
			case strings.HasPrefix(folder, "internal/"):
				name = "`" + folder + "`"
			case folder != ".":
				name = "`" + folder + "/`"
			}
			if found++; !strings.Contains(places, name) {
				t.Errorf("CONTRIBUTING.md does not say what %s is", name)
			}
			if top, _, _ := strings.Cut(filepath.ToSlash(file), "/"); top != file && !slices.Contains(strings.Fields(tree), top) {
				t.Errorf("the folders in README.md lack %s", top)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d files, want more than 100", found)
	}
}

var (
	testCommand = regexp.MustCompile("(?:\\(cd (\\w+) && .*?)?\\bgo test ([^`\n)]+)")
	testFlag    = regexp.MustCompile(`-(run|bench) ('[^']*'|\S+)`)
	testFunc    = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w*)\(`)
)

// TestDocumentedTests: the tests and benchmarks in the documents' commands exist. Without them go test
// would succeed, too.
func TestDocumentedTests(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "README.md", "CONTRIBUTING.md", "conformance/README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range testCommand.FindAllStringSubmatch(string(text), -1) {
			var names []string
			packages := slices.DeleteFunc(strings.Fields(testFlag.ReplaceAllString(command[2], "")), func(argument string) bool {
				return !strings.HasPrefix(argument, ".") // a flag, or work
			})
			if len(packages) == 0 {
				packages = []string{"."}
			}
			for _, argument := range packages {
				folders := []string{argument}
				if head, rest, ok := strings.Cut(argument, "{"); ok {
					folders = nil
					for _, name := range strings.Split(strings.TrimSuffix(rest, "}"), ",") {
						folders = append(folders, head+name)
					}
				}
				for _, folder := range folders {
					tests, err := filepath.Glob(filepath.Join(command[1], folder, "*_test.go"))
					if err != nil || len(tests) == 0 {
						t.Errorf("%s: %q: %s has no tests", file, command[0], folder)
					}
					for _, name := range tests {
						code, err := os.ReadFile(name)
						if err != nil {
							t.Fatal(err)
						}
						for _, match := range testFunc.FindAllStringSubmatch(string(code), -1) {
							names = append(names, match[1])
						}
					}
				}
			}
			for _, flag := range testFlag.FindAllStringSubmatch(command[2], -1) {
				for _, pattern := range strings.Split(strings.Trim(flag[2], "'"), "|") {
					pattern, _, _ = strings.Cut(pattern, "/")
					matches := regexp.MustCompile(pattern).MatchString
					if found++; pattern != "^$" && !slices.ContainsFunc(names, matches) {
						t.Errorf("%s: %q: no test matches %s", file, command[0], pattern)
					}
				}
			}
		}
	}
	if found < 15 {
		t.Errorf("%d patterns of tests found, want more", found)
	}
}

// TestSecurityTests: the tests that SECURITY.md names for the bounds exist.
func TestSecurityTests(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Errorf("SECURITY.md names %d tests, want more", len(named))
	}
	exists := map[string]bool{}
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		code, err := os.ReadFile(name)
		for _, match := range testFunc.FindAllStringSubmatch(string(code), -1) {
			exists[match[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range named {
		if !exists[match[1]] {
			t.Errorf("SECURITY.md names %s, which does not exist", match[1])
		}
	}
}

// TestFourByteColumns computes what docs/lists.md says about columns of four bytes.
func TestFourByteColumns(t *testing.T) {
	page, err := os.ReadFile("docs/lists.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ") // wherever its lines break
	thousandths := 1.0
	for math.Floor(float64(float32((thousandths+1)/1000))*1000+0.5) == thousandths+1 {
		thousandths++
	}
	want := fmt.Sprintf("good only up to %d,%03d,", int(thousandths)/1e6, int(thousandths)/1000%1000)
	if !strings.Contains(text, want) {
		t.Errorf("docs/lists.md does not say %q", want)
	}
	shipped, err := os.ReadFile("limits/illustrative.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		width            float64
		more             string // added to the limits
		asDouble, asREAL string
		says             string
	}{
		{400.0005, "", "BOX_2101", "valid", "stores %.5f, which rounds to 400 and is `valid`"},
		{48.01, "decimals: 2\n", "valid", "error:width", "48.01 is held as %.6f, which is `error:width`"},
	} {
		catalogue, err := limits.Load("limits.yaml", append(shipped, test.more...))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		held := float64(float32(test.width))
		for x, want := range map[float64]string{test.width: test.asDouble, held: test.asREAL} {
			dims := boxrules.Dims{Width: x, Depth: 40, Height: 100}
			verdict, err := engine.Check(boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: dims})
			got := cmp.Or(string(verdict.Code()), "valid")
			if input := (*boxrules.InputError)(nil); errors.As(err, &input) {
				got = "error:" + input.Field
			}
			if got != want {
				t.Errorf("the width %v is %s, want %s", x, got, want)
			}
		}
		if want := fmt.Sprintf(test.says, held); !strings.Contains(text, want) {
			t.Errorf("docs/lists.md does not say %q", want)
		}
	}
}

// TestInterfacePage compares docs/interface.md with the rule file, the error types and the element
// codes.
func TestInterfacePage(t *testing.T) {
	data, err := os.ReadFile("docs/interface.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	var shown, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (BOX_[0-9]{4}) \\| `(.*?)` \\|").FindAllStringSubmatch(page, -1) {
		shown = append(shown, row[1]+": "+strings.ReplaceAll(row[2], `\|`, "|"))
	}
	for _, rule := range boxrules.DefaultRules().Rules() {
		if _, documented := rule.Code.Info(); documented {
			want = append(want, string(rule.Code)+": "+rule.When)
		}
	}
	if !slices.Equal(shown, want) {
		t.Errorf("the page has the conditions\n%s\nthe rule file\n%s", strings.Join(shown, "\n"), strings.Join(want, "\n"))
	}
	for _, info := range boxrules.ErrorTypes() {
		statuses := strings.Trim(strings.ReplaceAll(fmt.Sprint(info.Statuses), " ", ", "), "[]")
		if row := fmt.Sprintf("\n| %s | %s |", info.Type, statuses); !strings.Contains(page, row) {
			t.Errorf("the page has no row%s", row)
		}
	}
	for _, info := range boxrules.Codes() {
		if row := fmt.Sprintf("\n| %s | %s | `%s` |", info.Code, info.Type, info.Path); info.Stage == 0 && !strings.Contains(page, row) {
			t.Errorf("the page has no row%s", row)
		}
	}
}

var (
	cited = regexp.MustCompile(`(RFC [0-9]+, )?[Ss]ections? ([0-9](?:\.[0-9])?)`)
	cites = []string{".go", ".yaml", ".md", ".js"}
)

// TestCitedSections: docs/interface.md has each section of the interface document that is cited
// anywhere.
func TestCitedSections(t *testing.T) {
	page, err := os.ReadFile("docs/interface.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{".git", "node_modules", "dist"}, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || !slices.Contains(cites, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		for _, match := range cited.FindAllStringSubmatch(string(data), -1) {
			if match[1] != "" {
				continue
			}
			found++
			heading := regexp.MustCompile(`(?m)^(#+ |\*\*)` + regexp.QuoteMeta(match[2]) + `[ .]`)
			if !heading.Match(page) {
				t.Errorf("%s cites section %s, which docs/interface.md does not have", path, match[2])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d citations found, %v", found, err)
	}
}

// TestWhichCallToUse: each call in the list of the package's page has an example that runs.
func TestWhichCallToUse(t *testing.T) {
	const module = "example.com/boxrules"
	page, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	// So that names of this package and of those that it imports are links.
	reader := comment.Parser{
		LookupPackage: func(name string) (string, bool) { return module + "/" + name, name == "limits" || name == "source" },
		LookupSym:     func(string, string) bool { return true },
	}
	examples := map[string]map[string]bool{} // by folder, their names
	var wanted []string
	for i, block := range reader.Parse(page.Doc.Text()).Content {
		list, ok := block.(*comment.List)
		if !ok {
			continue
		}
		heading, ok := reader.Parse(page.Doc.Text()).Content[i-2].(*comment.Heading)
		if !ok || heading.Text[0] != comment.Plain("Which call to use") {
			t.Fatal("the list is not under its heading")
		}
		for _, item := range list.Items {
			links := 0
			for _, text := range item.Content[0].(*comment.Paragraph).Text {
				link, ok := text.(*comment.DocLink)
				if !ok {
					continue
				}
				links++
				folder := filepath.Join(".", strings.TrimPrefix(strings.TrimPrefix(link.ImportPath, module), "/"))
				if examples[folder] == nil {
					examples[folder] = examplesIn(t, folder)
				}
				name := strings.Trim(link.Recv+"_"+link.Name, "_")
				wanted = append(wanted, name)
				if !examples[folder][name] {
					t.Errorf("doc.go names %s of %s, which has no example that runs", name, folder)
				}
			}
			if links == 0 {
				t.Errorf("doc.go has a line without a link: %v", item)
			}
		}
	}
	if len(wanted) < 20 {
		t.Errorf("doc.go names %q, want more", wanted)
	}
}

// examplesIn returns the names of the folder's examples that have an output.
func examplesIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	found := map[string]bool{}
	for _, example := range doc.Examples(files...) {
		found[example.Name] = example.Output != "" || example.EmptyOutput
	}
	return found
}
