package sandbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/sandbox"
)

func TestFixturesRefused(t *testing.T) {
	const layout = "not a fixture; accepted: dieline.json, dieline/<article>.json, quotation.json, orders/<order_id>.json, " +
		"orders/<order_id>/<product_id>.json"
	const order, product = "accepted: <year>-<number>-<number> such as 2026-123-1", "accepted: <order>.<two digits> such as 2026-123-1.01"
	for _, test := range []struct{ name, text, want string }{
		{"readme.md", "{}", layout},
		{"dieline.JSON", "{}", layout},
		{"orders.json", "{}", layout},
		{"quotation/x.json", "{}", layout},
		{"dieline/a/b.json", "{}", layout},
		{"dieline/50%.json", "{}", `invalid URL escape "%"; accepted: the article's code, with % written %25`},
		{"orders/1.json", "{}", `"1" is not an order; ` + order},
		{"orders/2026-123-1/01.json", "{}", `"01" is not a product; ` + product},
		{"orders/2026-123-1/2026-123-2.01.json", "{}",
			`2026-123-2.01 is of another order than "2026-123-1"`},
		{"dieline.json", "", "unexpected end of JSON input"},
		{"dieline.json", "{} {}", "invalid character '{' after top-level value"},
	} {
		files := fstest.MapFS{test.name: {Data: []byte(test.text)}, ".git/x": {}, "orders/.keep": {}}
		_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: files})
		if err == nil || err.Error() != "fixture "+test.name+": "+test.want {
			t.Errorf("error\n%v\nwant\n%s", err, test.want)
		}
	}
}

// TestFixturesFolder reads a real folder, once.
func TestFixturesFolder(t *testing.T) {
	folder := t.TempDir()
	if _, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: os.DirFS(filepath.Join(folder, "none"))}); err == nil ||
		!strings.HasPrefix(err.Error(), "fixtures: ") {
		t.Errorf("a folder that is not there: %v", err)
	}
	file := filepath.Join(folder, "dieline.json")
	if err := os.WriteFile(file, []byte(`{"recorded":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSandbox(t, sandbox.Options{Fixtures: os.DirFS(folder)})
	if err := os.WriteFile(file, []byte(`{"recorded":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := do(s, "GET", "/v1/reseller/dieline?"+goodQuery, "", "Authorization", bearer(t, s)); w.Body.String() != `{"recorded":true}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestIdentifiers asks for orders and products that are recorded under every name that is one.
func TestIdentifiers(t *testing.T) {
	for _, test := range []struct {
		text           string
		order, product bool
	}{
		{"2026-123-1", true, false},
		{"2026-12345678901234567890-01", true, false},
		{"2026-123-1.00", false, true},
		{"2026-123456789012345678901-1", false, false},
		{"2026-123", false, false},
		{"2026-123-1-1", false, false},
		{"02026-123-1", false, false},
		{"2026--1", false, false},
		{"2026-12a-1", false, false},
		{"２026-123-1", false, false},
		{"2026-123-1.001", false, false},
		{"2026-123-1.0a", false, false},
		{"2026-123.01", false, false},
		{"2026-123-1\n", false, false},
	} {
		for name, want := range map[string]bool{
			"orders/" + test.text + ".json":            test.order,
			"orders/2026-123-1/" + test.text + ".json": test.product,
		} {
			_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: fstest.MapFS{name: {Data: []byte("{}")}}})
			if (err == nil) != want {
				t.Errorf("%q: %v, want it accepted: %v", name, err, want)
			}
		}
	}
}
