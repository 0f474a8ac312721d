package sandbox_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/boxrules"
	"example.com/boxrules/sandbox"
)

const layout = "; accepted: dieline.json, dieline/<article>.json, quotation.json, orders/<order_id>.json, " +
	"orders/<order_id>/<product_id>.json"

func TestFixturesRefused(t *testing.T) {
	good := &fstest.MapFile{Data: []byte(`{}`)}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const order, product = "accepted: <year>-<number>-<number> such as 2026-123-1", "accepted: <order>.<two digits> such as 2026-123-1.01"
	for _, test := range []struct {
		files fstest.MapFS
		want  []string
	}{
		{fstest.MapFS{"readme.md": good}, []string{"fixture readme.md: not a fixture" + layout}},
		{fstest.MapFS{"dielines.json": good}, []string{"fixture dielines.json: not a fixture" + layout}},
		{fstest.MapFS{"dieline.JSON": good}, []string{"fixture dieline.JSON: not a fixture" + layout}},
		{fstest.MapFS{"dieline/sleeve": good}, []string{"fixture dieline/sleeve: not a fixture" + layout}},
		{fstest.MapFS{"orders.json": good}, []string{"fixture orders.json: not a fixture" + layout}},
		{fstest.MapFS{"quotation/x.json": good}, []string{"fixture quotation: not a folder of fixtures" + layout}},
		{fstest.MapFS{"dieline/a/b.json": good}, []string{"fixture dieline/a: not a folder of fixtures" + layout}},
		{fstest.MapFS{"dieline/50%.json": good},
			[]string{`fixture dieline/50%.json: invalid URL escape "%"; accepted: the article's code, with % written %25`}},
		{fstest.MapFS{"dieline/a.json": good, "dieline/%61.json": good},
			[]string{"fixture dieline/a.json: stands for the same as dieline/%61.json"}},
		{fstest.MapFS{"orders/1.json": good}, []string{`fixture orders/1.json: "1" is not an order; ` + order}},
		{fstest.MapFS{"orders/2026-123-1.01.json": good},
			[]string{`fixture orders/2026-123-1.01.json: "2026-123-1.01" is not an order; ` + order}},
		{fstest.MapFS{"orders/x/2026-123-1.01.json": good}, []string{`fixture orders/x: "x" is not an order; ` + order}},
		{fstest.MapFS{"orders/2026-123-1/01.json": good}, []string{`fixture orders/2026-123-1/01.json: "01" is not a product; ` + product}},
		{fstest.MapFS{"orders/2026-123-1/2026-123-2.01.json": good},
			[]string{"fixture orders/2026-123-1/2026-123-2.01.json: the product is of order 2026-123-2; " +
				"accepted: a file in the folder orders/2026-123-2"}},
		{fstest.MapFS{"orders/2026-123-1/products/2026-123-1.01.json": good},
			[]string{`fixture orders/2026-123-1/products: "2026-123-1/products" is not an order; ` + order}},
		{fstest.MapFS{"dieline.json": file("")}, []string{"fixture dieline.json: not JSON: unexpected end of JSON input"}},
		{fstest.MapFS{"dieline.json": file("{} {}")}, []string{"fixture dieline.json: not JSON: invalid character '{' after top-level value"}},
		{fstest.MapFS{"dieline.json": file("\ufeff{}")},
			[]string{"fixture dieline.json: not JSON: invalid character 'ï' looking for beginning of value"}},
		{fstest.MapFS{"dieline.json": file("\"\xff\"")}, []string{"fixture dieline.json: not UTF-8; accepted: JSON, which is UTF-8"}},
		{fstest.MapFS{"dieline.json": file(`"` + strings.Repeat("x", 1<<20) + `"`)},
			[]string{"fixture dieline.json: more than 1048576 bytes; accepted: at most that"}},
		{fstest.MapFS{"dieline.json": &fstest.MapFile{Mode: fs.ModeNamedPipe}},
			[]string{"fixture dieline.json: not a regular file; accepted: a file of JSON"}},
		// All of them, in the order of the folder.
		{fstest.MapFS{"x.json": good, "dieline.json": file("x"), "orders/y.json": good, "quotation.json": good}, []string{
			"fixture dieline.json: not JSON: invalid character 'x' looking for beginning of value",
			`fixture orders/y.json: "y" is not an order; ` + order, "fixture x.json: not a fixture" + layout}},
	} {
		s, err := sandbox.New(boxrules.Default(), sandbox.Options{Fixtures: test.files})
		if want := strings.Join(test.want, "\n"); s != nil || err == nil || err.Error() != want {
			t.Errorf("error\n%v\nwant\n%s", err, want)
		}
	}
}

// TestFixturesPassedOver has files that are no fixtures and no mistakes.
func TestFixturesPassedOver(t *testing.T) {
	newSandbox(t, sandbox.Options{Fixtures: fstest.MapFS{
		".gitignore": {}, ".git/config": {}, "dieline/.keep": {}, "orders/.x/y": {}, "dieline.json": {Data: []byte(" null\n")},
	}})
	newSandbox(t, sandbox.Options{Fixtures: fstest.MapFS{}})
}

// A brokenFS has a file that cannot be opened and one that cannot be read to its end.
type brokenFS struct{ fstest.MapFS }

func (b brokenFS) Open(name string) (fs.File, error) {
	file, err := b.MapFS.Open(name)
	switch name {
	case "dieline.json":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	case "quotation.json":
		return brokenFile{file}, err
	}
	return file, err
}

// Stat is for the file that cannot be opened.
func (b brokenFS) Stat(name string) (fs.FileInfo, error) {
	if name == "orders/2026-1-1.json" {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return b.MapFS.Stat(name)
}

type brokenFile struct{ fs.File }

func (brokenFile) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestFixturesUnreadable(t *testing.T) {
	good := &fstest.MapFile{Data: []byte(`{}`)}
	_, err := sandbox.New(boxrules.Default(),
		sandbox.Options{Fixtures: brokenFS{fstest.MapFS{"dieline.json": good, "quotation.json": good, "orders/2026-1-1.json": good}}})
	const want = "fixture dieline.json: open dieline.json: permission denied\n" +
		"fixture orders/2026-1-1.json: stat orders/2026-1-1.json: file does not exist\n" +
		"fixture quotation.json: unexpected EOF"
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
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
