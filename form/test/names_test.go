package test

import (
	"slices"
	"testing"
)

// TestNames says that articles and materials may be called anything that a limit file accepts,
// and that nothing else is taken for one.
func TestNames(t *testing.T) {
	codes := []string{"__proto__", "constructor", "42", "007", "7", "4294967295", "4294967294", "-1", "1.5", "</script>", `a"b\c`,
		"${x}`", "café", "a b"}
	yaml := "version: 1\nunit: mm\nsheets: {s: {width: 1000, height: 700}}\nmaterials:\n"
	for _, code := range codes {
		yaml += "  '" + code + "': {caliper: 1, glue_flap: 10, sheet: s}\n"
	}
	yaml += "articles:\n"
	for _, code := range codes {
		yaml += "  '" + code + "': {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"
	}
	engine := engineOf(t, "", yaml)
	m := run(t, engine, `
const code = (article, material, width) => {
  try {
    const verdict = exports.profile(article, material).check({ width, depth: 5, height: 5 });
    return verdict.ok ? "ok" : verdict.code;
  } catch (e) {
    return e.field;
  }
};
const listed = () => Object.entries(exports.articles).flatMap(([article, { materials }]) => [article, ...materials]);`)
	var code func(article, material string, width float64) string
	m.function(t, "code", &code)
	for _, article := range codes {
		for _, material := range codes {
			if got := code(article, material, 5); got != "ok" {
				t.Errorf("%q in %q: %s, want ok", article, material, got)
			}
		}
		if got := code(article, article, 10); got != "BOX_2101" {
			t.Errorf("%q, too wide: %s, want BOX_2101", article, got)
		}
	}
	for _, none := range []string{"", "toString", "hasOwnProperty", "prototype", "length", "0", "nope"} {
		if got := code(none, "42", 5); got != "article" {
			t.Errorf("article %q: %s, want an error", none, got)
		}
		if got := code("42", none, 5); got != "material" {
			t.Errorf("material %q: %s, want an error", none, got)
		}
	}
	var listed func() []string
	m.function(t, "listed", &listed)
	if got := listed(); len(got) != len(codes)*(len(codes)+1) || !slices.Contains(got, "__proto__") {
		t.Errorf("articles lists %d articles and materials, want %d: %q", len(got), len(codes)*(len(codes)+1), got)
	}
}
