package test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/lab"
)

// A state is what assistive technology, the browser and a person get to know about a dimension.
type state struct {
	Value     string `json:"value"`
	Valid     bool   `json:"valid"`
	Native    string `json:"native"`    // the browser's own message
	Invalid   string `json:"invalid"`   // aria-invalid
	Described string `json:"described"` // the text that aria-describedby leads to
	Min       string `json:"min"`
	Max       string `json:"max"`
	Step      string `json:"step"`
}

func dimension(b *tab, name string) state {
	b.t.Helper()
	return eval[state](b, fmt.Sprintf(`(() => {
  const control = document.querySelector("[name=%s]");
  const text = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id).textContent).join(" ");
  return { value: control.value, valid: control.validity.valid, native: control.validationMessage,
    invalid: control.getAttribute("aria-invalid"),
    described: text.trim(), min: control.min, max: control.max, step: control.step };
})()`, name))
}

// TestDemo goes through the demo page as a customer does. It is the one test in a browser that
// people run too.
func TestDemo(t *testing.T) {
	t.Run("chromium", func(t *testing.T) { demo(t, open(t, chromium, look{})) })
	t.Run("firefox", func(t *testing.T) {
		lab.OnlyCI(t, "in Firefox")
		demo(t, open(t, firefox, look{}))
	})
}

func demo(t *testing.T, b *tab) {
	url := pages(t, nil)
	b.visit(url + "/demo/?article=tuck-end&material=carton-300&width=143&depth=50&height=303&lang=en")
	b.ready("#box-drawing *")
	if s := dimension(b, "depth"); !s.Valid || s.Invalid == "true" || s.Step != "any" || s.Min != "15" || s.Max != "143" {
		t.Errorf("a valid box: depth is %+v, want it valid from 15 to 143", s)
	}
	for _, want := range []string{"The limits on this page are illustrative", "Put yours into a limit file", "mm"} {
		if !strings.Contains(eval[string](b, `document.body.innerText`), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	b.enter("depth", "200")
	b.until(`document.querySelector("[name=depth]").getAttribute("aria-invalid") == "true"`)
	const message = "Depth must be at most 143 mm."
	s := dimension(b, "depth")
	if s.Valid || s.Native != message || !strings.Contains(s.Described, message) {
		t.Errorf("too deep: %+v, want the message %q in all places", s, message)
	}
	for _, other := range []string{"width", "height"} {
		if s := dimension(b, other); s.Invalid == "true" {
			t.Errorf("too deep: %s is %+v, want it not blamed", other, s)
		}
	}
	if eval[bool](b, `document.querySelector("form").checkValidity()`) {
		t.Error("the form can be submitted with a box that cannot be made")
	}
	b.until(`document.querySelector("[role=status]").textContent.includes("` + message + `")`)
	if text := eval[string](b, `document.querySelector(".verdict").innerText`); !strings.Contains(text, "BOX_3100") {
		t.Errorf("the verdict reads %q, want the code BOX_3100 in it", text)
	}
	b.click("[data-boxrules-suggestion]")
	if s := dimension(b, "depth"); !s.Valid || s.Value != "143" || s.Invalid == "true" || strings.Contains(s.Described, message) {
		t.Errorf("after the suggestion depth is %+v, want 143 and no complaint", s)
	}
	if eval[bool](b, `document.activeElement == document.body`) {
		t.Error("the focus was lost with the button")
	}
	b.until(`document.querySelector("[role=status]").textContent.includes("can be made")`)

	// A field that is emptied leaves no box drawn.
	b.focus("[name=width]")
	eval[any](b, `document.activeElement.select()`)
	b.press(backspace)
	b.until(`document.querySelector(".missing").checkVisibility()`)
	if left := eval[string](b, `document.querySelector("#box-drawing").innerHTML`); left != "" {
		t.Errorf("without a width there is a drawing left: %s", left)
	}

	// What is no number.
	b.enter("width", "-")
	const noNumber = "Width must be a plain number, such as 48 or 48.5."
	if s := dimension(b, "width"); s.Valid || s.Native != noNumber || s.Invalid != "true" || !strings.HasPrefix(s.Described, noNumber) {
		t.Errorf("no number: %+v, want the message %q", s, noNumber)
	}
	b.enter("width", "300.5")
	b.enter("height", "1e2")
	if s := dimension(b, "width"); !s.Valid {
		t.Errorf("300.5: %+v, want it valid", s)
	}
	if s := dimension(b, "height"); s.Valid {
		t.Errorf("1e2 is no plain decimal: %+v, want it not valid", s)
	}

	// Another language.
	b.enter("height", "303")
	b.enter("depth", "400.25")
	b.click(`.languages [value=de]`)
	b.until(`document.querySelector("[name=depth]").validationMessage.includes("Die Breite darf höchstens 183,5 mm betragen")`)
	if lang := eval[string](b, `document.documentElement.lang`); lang != "de" {
		t.Errorf("the page says its language is %q, want de", lang)
	}
	// Numbers are written and read as there, and in the address as everywhere.
	b.enter("width", "183,5")
	b.until(`document.querySelector("#reasons").textContent.includes("183,5\u00a0×\u00a0400,25")`)
	b.until(`location.search.includes("width=183.5&depth=400.25")`)
	b.click(`.languages [value=en]`)
	if width, depth := dimension(b, "width").Value, dimension(b, "depth").Value; width != "183.5" || depth != "400.25" {
		t.Errorf("in English again the width is %s and the depth %s, want 183.5 and 400.25", width, depth)
	}
	untitled := eval[[]string](b, `(async () => {
  const { articles } = await import("/index.js");
  const { texts } = await import("/demo/texts.js");
  return ["de", "fr"].flatMap((lang) => Object.keys(articles).filter((code) => !texts[lang].titles[code]));
})()`)
	if len(untitled) > 0 {
		t.Errorf("there is no title of %q", untitled)
	}
}

// TestDemoWithoutScript says that a visitor without JavaScript gets a notice, and no form that does nothing.
func TestDemoWithoutScript(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.visit(pages(t, nil) + "/demo/?scriptless")
		b.ready("noscript")
		if text := eval[string](b, `document.querySelector("noscript").innerText`); !strings.Contains(text, "JavaScript") {
			t.Errorf("it says %q, want a word about JavaScript", text)
		}
		if seen := eval[int](b,
			`[...document.querySelectorAll("form, select, input, button, form svg, .skip")].filter((e) => e.checkVisibility()).length`); seen != 0 {
			t.Errorf("%d parts can be seen that do nothing", seen)
		}
	})
}

// TestDemoKeys goes through the page with the keyboard alone.
func TestDemoKeys(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.visit(pages(t, nil) + "/demo/?article=tuck-end&material=carton-300&width=48&depth=141&height=184&lang=en")
		b.ready("#box-drawing *")
		reached := map[string]bool{}
		for range 40 {
			b.press(tabKey)
			at := eval[string](b,
				`(() => { const e = document.activeElement; return e.name || e.id || (e.hasAttribute("data-boxrules-suggestion") ? `+
					`"suggestion" : e.className || e.tagName); })()`)
			reached[at] = true
			if at == "suggestion" {
				b.press(enter)
				break
			}
		}
		for _, name := range []string{"article", "material", "width", "width-slider", "depth", "depth-slider", "height", "height-slider",
			"suggestion"} {
			if !reached[name] {
				t.Errorf("the Tab key does not lead to %s; it leads to %v", name, reached)
			}
		}
		b.until(`document.querySelector("[name=depth]").value == "48"`)
		if s := dimension(b, "depth"); s.Value != "48" || !s.Valid {
			t.Errorf("after Enter on the suggestion depth is %+v, want 48", s)
		}
		// A slider moves its dimension.
		b.focus("#depth-slider")
		b.press(home)
		if s := dimension(b, "depth"); s.Value != "15" {
			t.Errorf("Home on the slider gives the depth %q, want 15", s.Value)
		}
	})
}

// TestDemoLabels has boxes whose labels are long, or far to the side: all of them can be read
// whole.
func TestDemoLabels(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		url := pages(t, nil)
		for query, screen := range map[string][2]int{
			"lang=en&width=123.456&depth=98.765&height=87.654":                              {1280, 900},
			"lang=fr&width=400&depth=15&height=30":                                          {390, 844},
			"lang=de&width=20&depth=15.125&height=449.875":                                  {390, 844},
			"lang=fr&article=telescope-lid&material=b-flute&width=900&depth=600&height=300": {1280, 900},
		} {
			b.size(screen[0], screen[1])
			b.visit(url + "/demo/?" + query)
			b.ready("#box-drawing *")
			cut := eval[[]string](b, `[...document.querySelectorAll("#box-drawing text")].filter((text) => {
			const [inner, outer] = [text, text.closest("svg")].map((element) => element.getBoundingClientRect());
			return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom;
		}).map((text) => text.textContent)`)
			if len(cut) > 0 {
				t.Errorf("%s: cut off are %q", query, cut)
			}
		}
	})
}

// visible is the text of all elements that a selector finds and that can be seen, with usual
// spaces.
func visible(b *tab, selector string) []string {
	b.t.Helper()
	return eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility())
		.map((e) => e.innerText.replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim())`, selector))
}

const tuckEnd = "/demo/?article=tuck-end&material=carton-300"

// offered waits until the page has looked for other articles.
func offered(b *tab) { b.until(`document.querySelector("#offers-lead").textContent`) }

// TestDemoWays says what is offered for a box that cannot be made: it turned, others, and itself
// as another article.
func TestDemoWays(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.size(1280, 900)
		url := pages(t, nil) + tuckEnd + "&width=48&depth=141&height=184"
		for lang, want := range map[string][]string{
			"en": {
				"Tuck-end carton (ECMA A20.20.03.01), carton-300: 48 × 141 × 184 mm",
				"Depth must be at most 48 mm. BOX_3100", "Any one of these changes makes it possible:",
				"Turn the box: 141 × 48 × 184 mm", "Use 48 × 48 × 184 mm (changes: depth)", "The same box can be made as:",
				"Sleeve", "Shelf carton",
			},
			"de": nil, "fr": nil, // their texts are listed in demo/texts.js, and no box is without one
		} {
			b.visit(url + "&lang=" + lang)
			offered(b)
			got := append(visible(b, "#reasons li"), visible(b, ".ways p, .ways button")...)
			if lang == "en" && !slices.Equal(got, want) || len(got) != 8 {
				t.Errorf("in %s it says\n%q, want\n%q", lang, got, want)
			}
			for _, said := range visible(b, "body") {
				if strings.Contains(said, "undefined") || strings.Contains(said, "NaN") || strings.Contains(said, "{") {
					t.Errorf("in %s the page says %q", lang, said)
				}
			}
		}

		b.visit(url + "&lang=en")
		offered(b)
		b.click("#changes button")
		if depth := dimension(b, "depth"); depth.Value != "48" || !depth.Valid {
			t.Errorf("after the second button depth is %+v, want 48", depth)
		}
		if at := eval[string](b, `document.activeElement.name`); at != "width" {
			t.Errorf("the focus is at %q after the second button", at)
		}

		b.visit(pages(t, nil) + "/demo/?article=slotted-case&material=b-flute&width=450&depth=114&height=223&lang=en")
		if got, want := visible(b, "[data-boxrules-suggestion], #changes button"), []string{
			"Turn the box: 223 × 114 × 450 mm (another side opens)", "Use 384 × 114 × 223 mm (changes: width)",
		}; !slices.Equal(got, want) {
			t.Errorf("of a box that can be turned on another side it offers %q, want %q", got, want)
		}

		b.visit(url + "&lang=en")
		offered(b)
		b.click("#offers button")
		if got := eval[string](b, `document.activeElement.id + " " + new URLSearchParams(new FormData(document.forms[0]))`); got !=
			"article article=sleeve&material=carton-300&width=48&depth=141&height=184" {
			t.Errorf("after the first article offered the form has %s", got)
		}
		if verdict := visible(b, "#headline"); !slices.Equal(verdict, []string{"Can be made"}) {
			t.Errorf("the very box as another article: %q", verdict)
		}
		offered(b)
		if lead := visible(b, "#offers-lead"); !slices.Equal(lead, []string{"The same box can also be made as:"}) {
			t.Errorf("of what can be made it says %q", lead)
		}
	})
}

// TestDemoPhone says that on a phone the inputs come before the drawing, and that no title is cut
// off.
func TestDemoPhone(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		b.size(390, 844)
		for _, lang := range []string{"en", "de", "fr"} {
			b.visit(pages(t, nil) + tuckEnd + "&width=48&depth=141&height=184&lang=" + lang)
			offered(b)
			if order := eval[string](b, `(() => {
  const top = (id) => document.getElementById(id).getBoundingClientRect().top;
  return ["box-drawing", "offers", "height", "depth", "width", "article"].sort((a, b) => top(a) - top(b)).join(" ");
})()`); order != "article width depth height offers box-drawing" {
				t.Errorf("in %s the order is %s", lang, order)
			}
			if wide := eval[float64](b, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("in %s the page is %g pixels too wide", lang, wide)
			}
			if cut := eval[[]string](b, `(() => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(article);
  const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  const room = article.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 22; // for the arrow
  return [...article.options].map((o) => o.text).filter((text) => pen.measureText(text).width > room);
})()`); len(cut) > 0 {
				t.Errorf("in %s there is no room for %q", lang, cut)
			}
		}
	})
}

// axe looks for what is not accessible.
func axe(t *testing.T) string { return installedPackage(t, "axe-core/axe.min.js") }

// installedPackage returns a file of the package's development dependencies.
func installedPackage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../node_modules/" + path)
	if err == nil {
		return string(text)
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%v; in CI this test must run", err)
	}
	t.Skipf("SKIPPED: %v; run npm ci in form/ to run this test", err)
	return ""
}

// TestDemoAccessible has every state of the page looked at by axe: in Chromium at both widths,
// light and dark, and in Firefox once.
func TestDemoAccessible(t *testing.T) {
	lab.OnlyCI(t, "axe in Chromium and Firefox")
	script := axe(t)
	light, dark := look{still: true}, look{dark: true, still: true}
	for _, at := range []struct {
		program program
		look    look
		widths  []int
	}{
		{chromium, light, []int{1280, 390}}, {chromium, dark, []int{1280}}, {firefox, light, []int{1280}},
	} {
		t.Run(fmt.Sprintf("%s/dark=%t", at.program, at.look.dark), func(t *testing.T) {
			b := open(t, at.program, at.look)
			url := pages(t, nil)
			for state, query := range map[string]string{
				"good":     "&width=143&depth=50&height=303&lang=en",
				"bad":      "&width=48&depth=141&height=184&lang=de",
				"boundary": "&width=500&depth=10&height=600&lang=fr",
				"size":     "&width=238&depth=138&height=398&lang=en",
				"empty":    "&width=&depth=&height=&lang=de",
				"no box":   "&width=9999999&depth=50&height=303&lang=fr",
			} {
				for _, width := range at.widths {
					b.size(width, 844)
					b.visit(url + tuckEnd + query)
					b.ready("form:not([hidden])")
					if is := eval[[2]bool](b, `["(prefers-color-scheme: dark)", "(prefers-reduced-motion)"].map((q) => matchMedia(q).matches)`); is !=
						[2]bool{at.look.dark, at.look.still} {
						t.Fatalf("dark and still are %v, want %v", is, at.look)
					}
					if !strings.Contains(query, "=&") && !strings.Contains(query, "9999999") {
						offered(b)
					}
					eval[any](b, `document.querySelector("#meaning").open = true`)
					b.must("script.evaluate", object{"expression": script, "target": object{"context": b.context}, "awaitPromise": false})
					for _, found := range eval[[]string](b, `axe.run().then(({ violations }) =>
						violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.failureSummary)))`) {
						t.Errorf("%s, %d wide: %s", state, width, found)
					}
				}
			}
		})
	}
}
