package preflight_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoopsEnd says that every loop of the package goes over what is there, by range: a loop that
// ends on a condition could stand still on what a client sends. The loops that range goes over,
// those of strictjson, have their turns counted by FuzzQuotationQuery in package fuzz.
func TestLoopsEnd(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	loops := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				loops++
			case *ast.ForStmt:
				t.Errorf("%v: a loop that is not over a range", positions.Position(n.Pos()))
			}
			return true
		})
	}
	if loops < 10 {
		t.Errorf("only %d loops are found", loops)
	}
}
