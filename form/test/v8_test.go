package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules"
)

// TestBrowserVerdicts runs the conformance cases of the shipped rules and limits in a browser.
func TestBrowserVerdicts(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		names, err := filepath.Glob("../../conformance/cases/illustrative-*.json")
		if err != nil || len(names) == 0 {
			t.Fatalf("no cases: %v", err)
		}
		more := map[string]string{"/blank.html": "<!doctype html><title>verdicts</title>"}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			more["/"+filepath.Base(name)] = string(text)
		}
		b.visit(pages(t, more) + "/blank.html")
		for _, name := range names {
			got := eval[struct {
				Cases int      `json:"cases"`
				Wrong []string `json:"wrong"`
			}](b, `(async () => {
  const { profile } = await import("/index.js");
  const { cases } = await (await fetch("/`+filepath.Base(name)+`")).json();
  const wrong = cases.filter((c) => {
    const p = profile(c.article, c.material);
    const first = p.check(c);
    return (first.ok ? "" : first.code) != c.code || p.checkAll(c).map((v) => v.code).join() != c.codes.join();
  });
  return { cases: cases.length, wrong: wrong.map((c) => JSON.stringify(c)) };
})()`)
			if len(got.Wrong) > 0 {
				t.Errorf("%s: %d of %d cases are wrong, the first %s", filepath.Base(name), len(got.Wrong), got.Cases, got.Wrong[0])
			}
			t.Logf("%s: %d cases", filepath.Base(name), got.Cases)
		}
	})
}

// TestBrowserInsights compares ranges, nearest and turned boxes and the dimensions to blame, bit
// for bit as they are written, in a browser and in Go.
func TestBrowserInsights(t *testing.T) {
	const each = 12
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.visit(pages(t, map[string]string{"/blank.html": "<!doctype html><title>insights</title>"}) + "/blank.html")
		for i, p := range boxrules.Default().Profiles() {
			draw := newDrawer(p, 1000+uint64(i))
			var asked []question
			for range each {
				asked = append(asked, question{boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: draw.dims()}, 0.5})
			}
			got := eval[[]insight](b, `(async () => {
  const exports = await import("/index.js");
  `+strings.TrimSpace(insights)+`
  return `+text(t, asked)+`.map(answer);
})()`)
			for j, q := range asked {
				if have, want := text(t, got[j]), text(t, goInsight(t, p, q.Dims, q.Step)); have != want {
					t.Errorf("%+v:\n%s in the browser,\n%s in Go", q, have, want)
				}
			}
		}
	})
}
