package boxrules_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestInOrderOfNeed: each thing that the package's page says one does, in the order of need, has an example that runs.
func TestInOrderOfNeed(t *testing.T) {
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
		if !ok || heading.Text[0] != comment.Plain("In the order of need") {
			t.Fatal("the list is not that of what one needs")
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
		t.Errorf("doc.go names %q, which is not what there is", wanted)
	}
}

// examplesIn are the names of the examples in the folder's tests that have an output.
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
