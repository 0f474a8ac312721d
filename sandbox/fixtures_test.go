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
	const layout = "not a fixture; accepted: dieline.json, dieline/*.json, quotation.json, orders/*.json, orders/*/*.json"
	for _, test := range []struct{ name, text, want string }{
		{"readme.md", "{}", layout},
		{"dieline.JSON", "{}", layout},
		{"orders.json", "{}", layout},
		{"dieline/a/b.json", "{}", layout},
		{"dieline/50%.json", "{}", `invalid URL escape "%"; accepted: % written %25`},
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
