package test

import (
	"bytes"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// TestSizes holds the modules to their budgets, minified and compressed as they are served. A budget begins as a tenth more
// than the module takes, so that nobody has to write a riddle to save a byte: raise it if a change is worth its size.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		file, what string
		most       int
		without    []string
	}{
		{"evaluator.js", "check, checkAll, ranges and Standard Schema", 2830, nil},
		{"nearest.js", "the nearest valid box, without the evaluator", 2080, []string{"./evaluator.js"}},
		{"suggest.js", "the box turned, without the evaluator and nearest", 415, []string{"./evaluator.js", "./nearest.js"}},
		{"dom.js", "the helper for forms", 2560, nil},
		{"index.js", "all articles of the illustrative catalogue, with evaluator, nearest and English", 7430, nil},
	} {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{"../" + test.file}, Bundle: true, Format: api.FormatESModule, External: test.without,
			MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LogLevel: api.LogLevelSilent,
		})
		if len(result.Errors) > 0 {
			t.Errorf("%s: %s", test.file, result.Errors[0].Text)
			continue
		}
		minified := result.OutputFiles[0].Contents
		size := compressed(t, minified)
		t.Logf("%-13s %6d bytes minified, %5d with brotli, of %d: %s", test.file, len(minified), size, test.most, test.what)
		if size > test.most {
			t.Errorf("%s takes %d bytes, want at most %d", test.file, size, test.most)
		}
	}
}

func compressed(t *testing.T, text []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
