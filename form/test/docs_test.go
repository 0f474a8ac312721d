package test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// TestDocs opens the pages of docs/forms.md: the whole one, and one whose form the two lines are added to. Their
// scripts go into files, because the policy allows no others.
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
			ctx := browser(t)
			do(t, ctx, chromedp.Navigate(url+"/page.html"), chromedp.WaitReady(chromedp.CSS("[data-boxrules-status]")),
				typed("width", "48"), typed("depth", "141"), typed("height", "184"))
			const message = "Depth must be at most 48 mm."
			if s := dimension(t, ctx, "depth"); s.Valid || s.Native != message || s.Invalid != "true" || s.Described != message {
				t.Errorf("48 x 141 x 184: depth is %+v, want %q", s, message)
			}
			do(t, ctx, chromedp.Click(chromedp.CSS("form button:not([data-boxrules-suggestion])")))
			if at := eval[string](t, ctx, `location.pathname`); at != "/page.html" {
				t.Errorf("the box was submitted: the browser is at %s", at)
			}
			do(t, ctx, chromedp.Click(chromedp.CSS("[data-boxrules-suggestion]")))
			if !eval[bool](t, ctx, `document.querySelector("form").checkValidity()`) {
				t.Error("the suggestion is not valid")
			}
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
		ctx := browser(t)
		do(t, ctx, chromedp.Navigate(url+"/page.html"), chromedp.WaitReady(chromedp.CSS("[data-boxrules-status]")),
			typed("width", "48"), typed("depth", "40"), typed("height", "184"),
			chromedp.Evaluate[chromedp.Void](`globalThis.before = true`),
			chromedp.Navigate(url+"/next.html"), chromedp.NavigateBack(), chromedp.WaitReady(chromedp.CSS("[data-boxrules-status]")))
		if eval[bool](t, ctx, `globalThis.before ?? false`) || eval[string](t, ctx, `document.querySelector("[name=depth]").value`) != "40" {
			t.Fatal("the page was kept, or is not filled in again")
		}
		until(t, ctx, `document.querySelector("form").checkValidity()`)
	})
	t.Run("without script", func(t *testing.T) {
		ctx := browser(t)
		do(t, ctx, chromedp.Navigate(pages(t, map[string]string{"/page.html": plain})+"/page.html"),
			typed("width", "48"), typed("depth", "141"), typed("height", "184"))
		if !eval[bool](t, ctx, `document.querySelector("form").checkValidity()`) {
			t.Error("without the script the form cannot be submitted")
		}
	})
}
