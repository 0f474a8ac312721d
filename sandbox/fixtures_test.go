package sandbox_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/sandbox"
)

func TestFixturesRefused(t *testing.T) {
	const layout = "not a fixture; accepted: dieline.json, dieline/*.json, quotation.json, orders/*.json, orders/*/*.json"
	for _, test := range []struct{ name, text, want string }{
		{"readme.md", "{}", layout},
		{"dieline.JSON", "{}", layout},
		{"orders.json", "{}", layout},
		{"dieline/a/b.json", "{}", layout},
		{"dieline/50%.json", "{}", `invalid URL escape "%"; write % as %25`},
		{"dieline.json", "", "unexpected end of JSON input"},
		{"dieline.json", "{} {}", "invalid character '{' after top-level value"},
		{"dieline.json", strings.Repeat(" ", 16<<20) + "1", "the file has 16777217 bytes; accepted: at most 16777216"},
		{"orders/a%2fb.json", "{}", "another file has the same name, escaped differently; keep one of them"},
	} {
		files := fstest.MapFS{test.name: {Data: []byte(test.text)}, ".git/x": {}, "orders/.keep": {},
			"orders/a%2Fb.json": {Data: []byte("{}")}}
		_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: files})
		if err == nil || err.Error() != "fixture "+test.name+": "+test.want {
			t.Errorf("error\n%v\nwant\n%s", err, test.want)
		}
	}
}

// TestLargestFixture reads a fixture that is as large as accepted.
func TestLargestFixture(t *testing.T) {
	files := fstest.MapFS{"dieline.json": {Data: []byte(strings.Repeat(" ", 16<<20-1) + "1")}}
	if _, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: files}); err != nil {
		t.Error(err)
	}
}

// TestFixturesNowhere says that a missing folder is an error.
func TestFixturesNowhere(t *testing.T) {
	_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: os.DirFS(filepath.Join(t.TempDir(), "none"))})
	if err == nil || !strings.HasPrefix(err.Error(), "fixtures: ") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestFixturesNotRegular says that files that are not regular are not opened, because opening a pipe waits for a
// writer.
func TestFixturesNotRegular(t *testing.T) {
	for _, mode := range []fs.FileMode{fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice | fs.ModeCharDevice} {
		files := fstest.MapFS{"dieline.json": {Data: []byte("{}"), Mode: mode}}
		_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: files})
		if err == nil || err.Error() != "fixture dieline.json: not a regular file" {
			t.Errorf("%v: %v", mode, err)
		}
	}
}

// TestFixtureNames says which file answers for an order and a product whose identifiers have
// characters that a file name, or a segment of a path, cannot have.
func TestFixtureNames(t *testing.T) {
	s := newSandbox(t, sandbox.Options{Fixtures: fstest.MapFS{
		"orders/x%20y.json":                   {Data: []byte(`"x y"`)},
		"orders/50%25.json":                   {Data: []byte(`"50%"`)},
		"orders/\u00e9|.json":                 {Data: []byte(`"\u00e9|"`)},
		"orders/a%2Fb.json":                   {Data: []byte(`"order a/b"`)},
		"orders/a%2Fb/c.json":                 {Data: []byte(`"c of a/b"`)},
		"orders/a/b%2Fc.json":                 {Data: []byte(`"b/c of a"`)},
		"orders/%252F.json":                   {Data: []byte(`"%2F"`)},
		"orders/%2E.%2Fquotation/%2e%2e.json": {Data: []byte(`".. of ../quotation"`)},
		"quotation.json":                      {Data: []byte(`"quotation"`)},
	}})
	auth := bearer(t, s)
	for path, want := range map[string]string{
		"x%20y":          `"x y"`,
		"%78%20y":        `"x y"`,
		"50%25":          `"50%"`,
		"%C3%A9%7C":      `"\u00e9|"`,
		"%c3%a9|":        `"\u00e9|"`,
		"\u00e9|":        `"\u00e9|"`,
		"a%2Fb":          `"order a/b"`,
		"a%2fb":          `"order a/b"`,
		"%252F":          `"%2F"`,
		"%2F":            "ORDER_ERROR the order does not exist: %2F",
		"x+y":            "ORDER_ERROR the order does not exist: x+y",
		"a":              "ORDER_ERROR the order does not exist: a",
		"x%0Ay":          "ORDER_ERROR the order does not exist: x%0Ay",
		"..%2Fquotation": "ORDER_ERROR the order does not exist: ..%2Fquotation",
		"..":             "ORDER_ERROR the order does not exist: ..",

		"a%2Fb/products/c":           `"c of a/b"`,
		"a/products/b%2Fc":           `"b/c of a"`,
		"a/products/b":               "PRODUCT_ERROR the product does not exist: b",
		"a/products/b/c":             "NOT_FOUND the resource does not exist",
		"a/b/products/c":             "NOT_FOUND the resource does not exist",
		"..%2Fquotation/products/..": `".. of ../quotation"`,
	} {
		w := do(s, "GET", "/v1/reseller/orders/"+path, "", "Authorization", auth)
		got := w.Body.String()
		if w.Code != 200 {
			kind, message, _ := errorOf(t, w)
			got = string(kind) + " " + message
		}
		if got != want {
			t.Errorf("%s: %d %s, want %s", path, w.Code, got, want)
		}
	}
}
