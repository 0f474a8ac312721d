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

// TestFixturesNowhere has a folder that is not there.
func TestFixturesNowhere(t *testing.T) {
	_, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: os.DirFS(filepath.Join(t.TempDir(), "none"))})
	if err == nil || !strings.HasPrefix(err.Error(), "fixtures: ") {
		t.Errorf("a folder that is not there: %v", err)
	}
}
