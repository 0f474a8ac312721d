package boxrules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// squeezedPhrases are ways of saying things that one has to read twice, each with what to say
// instead. Most are correct English; they read like a translation.
var squeezedPhrases = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{phrase(`stands?|stood`), "is, is written, appears"},
	{phrase(`behind`), "after; backed by"},
	{phrase(`of which|of whom`), "a second sentence, or whose"},
	{phrase(`so many|so much`), "n, that number, that much"},
	{phrase(`as far as`), "within, up to, if"},
	{phrase(`(?:is|are|be|been|was|were) told`), "is reported, is printed"},
	{phrase(`at hand`), "current"},
	{phrase(`mend|mends|mended|mending`), "fix"},
	{phrase(`anew`), "again"},
	{phrase(`letter by letter`), "exactly"},
	{phrase(`there twice|there more than once`), "is repeated"},
	{phrase(`(?:that|which) (?:is|are) none`), "is not a …"},
	{phrase(`who (?:asks?|calls?|reads?|wants?|gets?|has)|whoever`), "callers that, users that, the reader"},
	{phrase(`lest`), "so that … not"},
	{phrase(`(?:says?|said) of`), "says about"},
	{phrase(`(?:is|are|was|were) said|there is to say|in the words of`), "is reported, is called, as … writes it"},
	{phrase(`(?:held|hold|holds) against`), "compare"},
	{phrase(`but for`), "except for"},
	{phrase(`(?:nil|none|empty|0|zero|false|true|nothing|only|also|except|even|not) where`), "if"},
	{phrase(`where (?:there|nothing|none|nobody|neither) (?:is|are|was|were|has|have)`), "if"},
	{phrase(`where (?:it|that|this|they|one) (?:is|are|has|have|does|do) (?:nil|empty|not|no|none|nothing|zero|0|false|true)`), "if"},
	{regexp.MustCompile(`(?:^|[.;:] )Where (?:it|there|that|this|they|an?|the|no|nothing|none|one|both|all|two|only|either|neither) `), "If, When"},
}

// naturalPhrases are exceptions, which are removed from a text before it is checked.
var naturalPhrases = phrase(`(?:all|most|some|none|many|each|both|either|half|one|two|three) of (?:which|whom)|` +
	`behind (?:a|the|your) (?:reverse )?proxy|stand-ins?|(?:be|is|are) told apart`)

// phrase returns a pattern for the words, in any case and across a line break.
func phrase(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(words, " ", `\s+`) + `)\b`)
}

// TestProse reads all comments, documents, and the texts of the programs, for phrases that stop a
// reader. It checks our own English, so test inputs and the changelog are left out.
func TestProse(t *testing.T) {
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == "testdata" || base == "node_modules" || base == "dist" || strings.HasPrefix(base, ".")):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		case strings.HasSuffix(base, ".go"):
			checkGoProse(t, name)
		case strings.HasSuffix(base, ".md") && base != "CHANGELOG.md":
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			checkProse(t, name, 1, string(text))
		case slices.Contains([]string{"", ".js", ".mjs", ".ts", ".php", ".py", ".java", ".yaml", ".css"}, filepath.Ext(base)):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				if comment := commentLine.FindStringSubmatch(line); comment != nil {
					checkProse(t, name, i+1, comment[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// commentLine matches a line of a comment in JavaScript, PHP, Python, YAML or a shell script.
var commentLine = regexp.MustCompile(`^\s*(?:/?\*\*?|//|#|""")\s(.*)`)

// checkGoProse checks the comments of a Go file, and its texts unless it is a test.
func checkGoProse(t *testing.T, name string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Comments {
		checkProse(t, name, set.Position(c.Pos()).Line, c.Text())
	}
	if strings.HasSuffix(name, "_test.go") {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			value, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			checkProse(t, name, set.Position(text.Pos()).Line, value)
		}
		return true
	})
}

func checkProse(t *testing.T, name string, line int, text string) {
	t.Helper()
	text = naturalPhrases.ReplaceAllStringFunc(text, func(natural string) string {
		return strings.Repeat("\n", strings.Count(natural, "\n")) // to keep the line numbers
	})
	for _, p := range squeezedPhrases {
		for _, at := range p.pattern.FindAllStringIndex(text, -1) {
			t.Errorf("%s:%d: %q; say: %s", name, line+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], p.instead)
		}
	}
}
