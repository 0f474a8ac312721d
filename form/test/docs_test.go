package test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/internal/lab"
)

// TestDocs opens the pages of docs/forms.md: the whole one, and one whose form the lines of the quick start are
// added to. Their scripts go into files, because the policy allows no others.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/forms.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```html\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("docs/forms.md has %d blocks of HTML, want the lines of the quick start and the page", len(blocks))
	}
	inline := regexp.MustCompile(`(?s)<script type="module">\n(.*?)</script>`)
	lines, page := blocks[0][1], blocks[1][1]
	plain := strings.NewReplacer(`name="article">`, `name="article"><option>tuck-end`, `name="material">`, `name="material"><option>carton-300`).
		Replace(inline.ReplaceAllString(page, ""))
	files, err := codegen.JavaScript(boxrules.Default(), codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	served := func(t *testing.T, html, more string) string {
		script := inline.FindStringSubmatch(html)
		if script == nil {
			t.Fatal("there is no script")
		}
		return pages(t, map[string]string{
			"/page.html":   strings.Replace(html, script[0], `<script type="module" src="page.js"></script>`, 1),
			"/page.js":     script[1] + more,
			"/boxrules.js": string(files.Module),
			"/next.html":   "<title>next</title>",
		})
	}
	for name, html := range map[string]string{"the quick start": plain + lines, "the page": page} {
		t.Run(name, func(t *testing.T) {
			url := served(t, html, "")
			inBrowsers(t, func(t *testing.T, b *tab) {
				b.visit(url + "/page.html")
				b.ready("[data-boxrules-status]")
				b.box("48", "141", "184")
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
	t.Run("the materials follow the article", func(t *testing.T) {
		url := served(t, page, "")
		inBrowsers(t, func(t *testing.T, b *tab) {
			b.visit(url + "/page.html")
			b.ready("[data-boxrules-status]")
			b.box("300", "200", "60")
			eval[any](b, `(() => {
  const article = document.querySelector("[name=article]");
  article.value = "mailer";
  for (const type of ["input", "change"]) article.dispatchEvent(new Event(type, { bubbles: true }));
})()`)
			const state = `[...document.querySelectorAll("[name=material] option")].map((o) => o.value) + " " + document.querySelector("form").checkValidity()`
			if got := eval[string](b, state); got != "e-flute,b-flute true" {
				t.Errorf("the materials of a mailer, and whether it is valid: %s", got)
			}
		})
	})
	t.Run("back to the page", func(t *testing.T) {
		// A page that hears of unload is not kept, but built again with what was typed.
		url := served(t, page, "addEventListener('unload', () => {});\n")
		inBrowsers(t, func(t *testing.T, b *tab) {
			b.visit(url + "/page.html")
			b.ready("[data-boxrules-status]")
			b.box("48", "40", "184")
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
}

// TestInches opens the page of examples/inches with the module of its shop, and types what a ruler shows. The steps of
// what it proposes are eighths of an inch.
func TestInches(t *testing.T) {
	const folder = "../../examples/inches/"
	page := readFile(t, folder+"quote.html")
	engine := engineOf(t, readFile(t, folder+"rules.yaml"), readFile(t, folder+"limits.yaml"))
	files, err := codegen.JavaScript(engine, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile(`(?s)<script type="module">\n(.*?)</script>`).FindStringSubmatch(page)
	page = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, "") // the policy allows none in the page
	url := pages(t, map[string]string{
		"/page.html":   strings.Replace(page, script[0], `<script type="module" src="page.js"></script>`, 1),
		"/page.js":     script[1],
		"/boxrules.js": string(files.Module),
	})
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.visit(url + "/page.html")
		b.ready("[data-boxrules-status]")
		b.box("12 3/8", "6 1/4", "3")
		if !eval[bool](b, `document.querySelector("form").checkValidity()`) {
			t.Errorf("12 3/8 x 6 1/4 x 3: width is %+v", dimension(b, "width"))
		}
		b.box("5 1/2", "4", "6 3/8")
		const message = "too tall for our gluer"
		if s := dimension(b, "height"); s.Valid || s.Described != message {
			t.Errorf("5 1/2 x 4 x 6 3/8: height is %+v, want %q", s, message)
		}
		b.box("16 1/8", "6 1/4", "3")
		const widest = "Width must be at most 12.687 inches."
		if s := dimension(b, "width"); s.Valid || s.Described != widest {
			t.Errorf("16 1/8 x 6 1/4 x 3: width is %+v, want %q", s, widest)
		}
		b.enter("depth", "9 1/2") // now two dimensions are too large, and a change of one is not enough
		const suggestion = "Use 9.5 × 9.375 × 3 inches (changes: width, depth)"
		if text := eval[string](b, `document.querySelector("[data-boxrules-suggestion]").textContent`); text != suggestion {
			t.Errorf("the suggestion is %q, want %q", text, suggestion)
		}
		b.click("[data-boxrules-suggestion]")
		if !eval[bool](b, `document.querySelector("form").checkValidity()`) {
			t.Error("the suggestion is not valid")
		}
	})
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocsReact opens the component of examples/libraries in a page.
func TestDocsReact(t *testing.T) {
	lab.OnlyCI(t, "in Chromium and Firefox")
	text, err := os.ReadFile("../../examples/libraries/README.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```tsx\n(.*?)```").FindSubmatch(text)[1]
	url := pages(t, map[string]string{"/page.html": `<!doctype html><main></main><script type="module" src="page.js"></script>`,
		"/page.js": reactPage(t, string(code))})
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.visit(url + "/page.html")
		b.ready("[name=width]")
		b.box("48", "141", "184")
		b.until(`document.querySelector("#depth-message").textContent == "Depth must be at most 48 mm."`)
		b.click("button[type=button]")
		b.until(`document.querySelector("[name=width]").value == "141" && !document.querySelector("button[type=button]")`)
		eval[any](b, `(() => {
  const article = document.querySelector("[name=article]");
  article.value = "mailer";
  article.dispatchEvent(new Event("change", { bubbles: true }));
})()`)
		b.until(`document.querySelector("[name=material]").value == "e-flute"`)
		b.until(`document.querySelector("#height-message").textContent`)
		b.box("300", "200", "60")
		b.enter("quantity", "500")
		b.enter("email", "a@example.com")
		b.click("button:not([type])")
		b.until(`document.title == '{"article":"mailer","material":"e-flute",` +
			`"quantity":500,"email":"a@example.com","width":300,"depth":200,"height":60}'`)
	})
}

// reactPage returns the component of the document with what shows it. zod would try out whether the
// policy lets it compile text.
func reactPage(t *testing.T, code string) string {
	t.Helper()
	installedPackage(t, "react-hook-form/package.json")
	code = strings.Replace(code, `"./boxrules.js"`, `"./index.js"`, 1)
	code = strings.Replace(code, "const fields", "z.config({ jitless: true });\nconst fields", 1)
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Loader: api.LoaderTSX, ResolveDir: "..", Contents: `import { createRoot } from "react-dom/client";` + code + `
const send = (values) => (document.title = JSON.stringify(values));
createRoot(document.querySelector("main")).render(<QuoteForm onQuote={send} />);`},
		Bundle: true, JSX: api.JSXAutomatic, Define: map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	if len(result.Errors) > 0 {
		t.Fatal(result.Errors[0].Text)
	}
	return string(result.OutputFiles[0].Contents)
}
