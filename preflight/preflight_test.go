package preflight_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

const (
	dielinePath   = "/v1/reseller/dieline"
	quotationPath = "/v1/reseller/quotation"
)

// good is a box of the illustrative catalogue that can be made. 6 of it fit on a sheet; the minimum is 25 sheets.
var good = boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 100, Depth: 50, Height: 120}}

// bad is deeper than it is wide: BOX_3100.
var bad = boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}

const (
	goodQuery = "article=tuck-end&material=carton-300&width=100&depth=50&height=120"
	badQuery  = "article=tuck-end&material=carton-300&width=48&depth=141&height=184"
)

func newChecker(t testing.TB, o preflight.Options) *preflight.Checker {
	t.Helper()
	c, err := preflight.New(boxrules.Default(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// engineOf makes an engine of the documented rules and the given limits.
func engineOf(t testing.TB, text string) *boxrules.Engine {
	t.Helper()
	catalogue, err := limits.Load("limits.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// dielineQuery and quotationQuery write queries as a client does. They share no code with the parser.
func dielineQuery(b boxrules.Box) string {
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return url.Values{"article": {b.Article}, "material": {b.Material},
		"width": {f(b.Width)}, "depth": {f(b.Depth)}, "height": {f(b.Height)}}.Encode()
}

func quotationQuery(t testing.TB, boxes ...boxrules.Box) string {
	t.Helper()
	items := []map[string]any{}
	for _, b := range boxes {
		items = append(items, map[string]any{"article": b.Article, "material": b.Material, "width": b.Width, "depth": b.Depth,
			"height": b.Height})
	}
	text, err := json.Marshal(items)
	if err != nil {
		t.Fatal(err)
	}
	return itemsQuery(string(text))
}

func itemsQuery(items string) string { return url.Values{"items": {items}}.Encode() }

func checkDieline(c *preflight.Checker, query string) *preflight.Refusal {
	return c.Check(&http.Request{URL: &url.URL{Path: "/v1/reseller/dieline", RawQuery: query}})
}

func checkQuotation(c *preflight.Checker, query string) *preflight.Refusal {
	return c.Check(&http.Request{URL: &url.URL{Path: "/v1/reseller/quotation", RawQuery: query}})
}

func request(t testing.TB, method, target string) *http.Request {
	t.Helper()
	return httptest.NewRequest(method, target, nil)
}

// line returns a refusal as one line with its path, and "" for nil.
func line(r *preflight.Refusal) string {
	if r == nil {
		return ""
	}
	if r.Path != "" {
		return r.Error() + " [" + r.Path + "]"
	}
	return r.Error()
}

// TestLoopsEnd says that every loop of the package is over a range. A loop with a condition might never end for
// some request. Some ranges are over the iterators of strictjson, whose iterations are counted by
// FuzzQuotationQuery in package fuzz.
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
