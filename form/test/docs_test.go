package test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// TestDocs opens the pages of docs/forms.md: the whole one, and one whose form the two lines are
// added to. Their scripts go into files, because the policy allows no others.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/forms.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```html\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("docs/forms.md has %d blocks of HTML, want the two lines and the page", len(blocks))
	}
	inline := regexp.MustCompile(`(?s)<script type="module">\n(.*?)</script>`)
	lines, page := blocks[0][1], blocks[1][1]
	plain := inline.ReplaceAllString(page, "")
	files, err := codegen.JavaScript(boxrules.Default(), codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	module := files.Module
	for name, html := range map[string]string{"the two lines": plain + lines, "the page": page} {
		t.Run(name, func(t *testing.T) {
			script := inline.FindStringSubmatch(html)
			if script == nil {
				t.Fatal("there is no script")
			}
			url := pages(t, map[string]string{
				"/page.html":   strings.Replace(html, script[0], `<script type="module" src="page.js"></script>`, 1),
				"/page.js":     script[1],
				"/boxrules.js": string(module),
			})
			inBrowsers(t, func(t *testing.T, b *tab) {
				b.visit(url + "/page.html")
				b.ready("[data-boxrules-status]")
				b.enter("width", "48")
				b.enter("depth", "141")
				b.enter("height", "184")
				const message = "Depth must be at most 48 mm."
				if s := dimension(b, "depth"); s.Valid || s.Native != message || s.Invalid != "true" || s.Described != message {
					t.Errorf("48 x 141 x 184: depth is %+v, want %q", s, message)
				}
				b.click("form button:not([data-boxrules-suggestion])")
				if at := eval[string](b, `location.pathname`); at != "/page.html" {
					t.Errorf("the box was submitted: the browser is at %s", at)
				}
				b.click("[data-boxrules-suggestion]")
				if !eval[bool](b, `document.querySelector("form").checkValidity()`) {
					t.Error("the suggestion is not valid")
				}
			})
		})
	}
	t.Run("back to the page", func(t *testing.T) {
		script := inline.FindStringSubmatch(page)
		url := pages(t, map[string]string{
			"/page.html": strings.Replace(page, script[0], `<script type="module" src="page.js"></script>`, 1),
			// A page that hears of unload is not kept, but built again with what was typed.
			"/page.js":     script[1] + "addEventListener('unload', () => {});\n",
			"/boxrules.js": string(module),
			"/next.html":   "<title>next</title>",
		})
		inBrowsers(t, func(t *testing.T, b *tab) {
			b.visit(url + "/page.html")
			b.ready("[data-boxrules-status]")
			b.enter("width", "48")
			b.enter("depth", "40")
			b.enter("height", "184")
			eval[any](b, `globalThis.before = true`)
			b.visit(url + "/next.html")
			b.back()
			b.ready("[data-boxrules-status]")
			if eval[bool](b, `globalThis.before ?? false`) || eval[string](b, `document.querySelector("[name=depth]").value`) != "40" {
				t.Fatal("the page was kept, or is not filled in again")
			}
			b.until(`document.querySelector("form").checkValidity()`)
		})
	})
	t.Run("without script", func(t *testing.T) {
		inBrowsers(t, func(t *testing.T, b *tab) {
			b.visit(pages(t, map[string]string{"/page.html": plain}) + "/page.html")
			b.enter("width", "48")
			b.enter("depth", "141")
			b.enter("height", "184")
			if !eval[bool](b, `document.querySelector("form").checkValidity()`) {
				t.Error("without the script the form cannot be submitted")
			}
		})
	})
}
