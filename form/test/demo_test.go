package test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// typed replaces what a field of the form holds, key by key.
func typed(name, text string) chromedp.Action[chromedp.Void] {
	selector := chromedp.CSS("[name=" + name + "]")
	return chromedp.Steps(
		chromedp.Focus(selector),
		chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`),
		chromedp.KeyEvent(kb.Backspace),
		chromedp.SendKeys(selector, text),
	)
}

// A state is what assistive technology, the browser and a person are told of a dimension.
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

func dimension(t *testing.T, ctx context.Context, name string) state {
	t.Helper()
	return eval[state](t, ctx, fmt.Sprintf(`(() => {
  const control = document.querySelector("[name=%s]");
  const text = (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id).textContent).join(" ");
  return { value: control.value, valid: control.validity.valid, native: control.validationMessage,
    invalid: control.getAttribute("aria-invalid"),
    described: text.trim(), min: control.min, max: control.max, step: control.step };
})()`, name))
}

// TestDemo goes through the demo page as a customer does.
func TestDemo(t *testing.T) {
	ctx := browser(t)
	url := pages(t, nil)
	do(t, ctx, chromedp.Navigate(url+"/demo/?article=tuck-end&material=carton-300&width=143&depth=50&height=303&lang=en"),
		chromedp.WaitReady(chromedp.CSS("#box-drawing *")))
	if s := dimension(t, ctx, "depth"); !s.Valid || s.Invalid == "true" || s.Step != "any" || s.Min != "15" || s.Max != "143" {
		t.Errorf("a valid box: depth is %+v, want it valid from 15 to 143", s)
	}
	do(t, ctx, typed("depth", "200"))
	until(t, ctx, `document.querySelector("[name=depth]").getAttribute("aria-invalid") == "true"`)
	const message = "Depth must be at most 143 mm."
	s := dimension(t, ctx, "depth")
	if s.Valid || s.Native != message || !strings.Contains(s.Described, message) {
		t.Errorf("too deep: %+v, want the message %q in all places", s, message)
	}
	for _, other := range []string{"width", "height"} {
		if s := dimension(t, ctx, other); s.Invalid == "true" {
			t.Errorf("too deep: %s is %+v, want it not blamed", other, s)
		}
	}
	if eval[bool](t, ctx, `document.querySelector("form").checkValidity()`) {
		t.Error("the form can be submitted with a box that cannot be made")
	}
	until(t, ctx, `document.querySelector("[role=status]").textContent.includes("`+message+`")`)
	if text := eval[string](t, ctx, `document.querySelector(".verdict").innerText`); !strings.Contains(text, "BOX_3100") {
		t.Errorf("the verdict reads %q, want the code BOX_3100 in it", text)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS("[data-boxrules-suggestion]")))
	if s := dimension(t, ctx, "depth"); !s.Valid || s.Value != "143" || s.Invalid == "true" || strings.Contains(s.Described, message) {
		t.Errorf("after the suggestion depth is %+v, want 143 and no complaint", s)
	}
	if eval[bool](t, ctx, `document.activeElement == document.body`) {
		t.Error("the focus was lost with the button")
	}
	until(t, ctx, `document.querySelector("[role=status]").textContent.includes("can be made")`)

	// What is no number, and nothing at all.
	do(t, ctx, typed("width", "-"))
	const noNumber = "Width must be a plain number, such as 48 or 48.5."
	if s := dimension(t, ctx, "width"); s.Valid || s.Native != noNumber || s.Invalid != "true" || !strings.HasPrefix(s.Described, noNumber) {
		t.Errorf("no number: %+v, want the message %q", s, noNumber)
	}
	do(t, ctx, typed("width", "300.5"), typed("height", "1e2"))
	if s := dimension(t, ctx, "width"); !s.Valid {
		t.Errorf("300.5: %+v, want it valid", s)
	}
	if s := dimension(t, ctx, "height"); s.Valid {
		t.Errorf("1e2 is no plain decimal: %+v, want it not valid", s)
	}

	// Another language.
	do(t, ctx, typed("height", "303"), typed("depth", "400.25"), chromedp.Click(chromedp.CSS(`.languages [value=de]`)))
	until(t, ctx, `document.querySelector("[name=depth]").validationMessage.includes("Die Tiefe darf höchstens 183,5 mm betragen")`)
	if lang := eval[string](t, ctx, `document.documentElement.lang`); lang != "de" {
		t.Errorf("the page says its language is %q, want de", lang)
	}
}

// TestDemoNames says of a box that can be made, one that cannot and of none that every control and drawing has a name,
// that every id is there once, and that each drawing is there or a word in its place.
func TestDemoNames(t *testing.T) {
	ctx := browser(t)
	url := pages(t, nil) + "/demo/?article=tuck-end&material=carton-300&lang=en&height=184"
	for _, box := range []string{"&width=143&depth=50", "&width=48&depth=141", "&width=&depth=141"} {
		do(t, ctx, chromedp.Navigate(url+box))
		until(t, ctx, `document.querySelector("form").dataset.verdict && !document.querySelector("form").hidden`)
		for _, problem := range eval[[]string](t, ctx, `(() => {
  const problems = [];
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) != ids.lastIndexOf(id)) problems.push("id " + id + " is there twice");
  for (const attribute of ["aria-describedby", "aria-labelledby", "for"]) {
    for (const e of document.querySelectorAll("[" + attribute + "]")) {
      for (const id of e.getAttribute(attribute).split(" ")) if (!document.getElementById(id))
        problems.push(attribute + " leads to " + id + ", which is not there");
    }
  }
  for (const e of document.querySelectorAll("input, select, button")) {
    const name = e.getAttribute("aria-label") || (e.labels && [...e.labels].map((l) => l.textContent).join("")) || e.textContent;
    if (!name.trim() && !e.hidden) problems.push(e.outerHTML + " has no name");
  }
  for (const e of document.querySelectorAll("svg")) {
    if (!e.closest("[aria-hidden=true]") && !e.getAttribute("aria-label")) problems.push(e.id + " has no name");
  }
  for (const e of document.querySelectorAll(".figure")) {
    const heading = e.querySelector("h2").innerText;
    if (!e.innerText.replace(heading, "").trim() && !e.querySelector("text")) problems.push(heading + ": there is nothing to see");
  }
  for (const e of document.querySelectorAll("[type=range]")) if (!e.ariaValueText) problems.push(e.id + " has no value");
  if (document.querySelectorAll("h1").length != 1) problems.push("there is not one h1");
  return problems;
})()`) {
			t.Errorf("%s: %s", box, problem)
		}
	}

	// A drawing of what is not there any more is not called by its size.
	do(t, ctx, typed("width", "143"))
	const named = `document.getElementById("box-drawing").getAttribute("aria-label").includes("143")`
	until(t, ctx, named)
	do(t, ctx, chromedp.Focus(chromedp.CSS("[name=width]")), chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`),
		chromedp.KeyEvent(kb.Backspace))
	if eval[bool](t, ctx, named) {
		t.Error("without a width the drawing is still called by the one that it had")
	}
}

// TestDemoFocus says that on a phone the verdict, which lies over the end of the page, lies over no control that the
// Tab key leads to.
func TestDemoFocus(t *testing.T) {
	ctx := browser(t)
	url := pages(t, nil) + "/demo/?article=tuck-end&material=carton-300&height=184&lang=en"
	for _, box := range []string{"&width=48&depth=141", "&width=143&depth=50"} {
		do(t, ctx, chromedp.EmulateViewport(390, 664), chromedp.Navigate(url+box), chromedp.WaitReady(chromedp.CSS("#box-drawing *")))
		until(t, ctx, `getComputedStyle(document.querySelector(".verdict")).position == "sticky"`)
		reached := 0
		for range 30 {
			do(t, ctx, chromedp.KeyEvent(kb.Tab))
			covered := eval[string](t, ctx, `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const e = document.activeElement;
  if (e == document.body) return resolve("end");
  const { left, right, top, bottom } = e.getBoundingClientRect();
  const points = [[left + 2, top + 2], [right - 2, top + 2], [(left + right) / 2, (top + bottom) / 2],
    [left + 2, bottom - 2], [right - 2, bottom - 2]];
  const hidden = points.filter(([x, y]) => {
    const at = document.elementFromPoint(x, y);
    return !at || (at.closest(".verdict") && !e.closest(".verdict"));
  });
  resolve(hidden.length ? (e.id || e.outerHTML) + " from " + top + " to " + bottom +
    ", the verdict from " + document.querySelector(".verdict").getBoundingClientRect().top : "");
})))`)
			if covered == "end" {
				break
			}
			reached++
			if covered != "" {
				t.Errorf("%s: the focus is covered: %s", box, covered)
			}
		}
		if reached < 10 {
			t.Errorf("%s: the Tab key leads to %d controls, want all", box, reached)
		}
	}
}

// TestDemoWithoutScript says that who has no JavaScript is told so, and sees no form that does nothing.
func TestDemoWithoutScript(t *testing.T) {
	ctx := browser(t)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate(pages(t, nil)+"/demo/"), chromedp.WaitReady(chromedp.CSS("noscript")))
	if text := eval[string](t, ctx, `document.querySelector("noscript").innerText`); !strings.Contains(text, "JavaScript") {
		t.Errorf("it says %q, want a word about JavaScript", text)
	}
	if seen := eval[int](t, ctx,
		`[...document.querySelectorAll("form, select, input, button, form svg, .skip")].filter((e) => e.checkVisibility()).length`); seen != 0 {
		t.Errorf("%d parts can be seen that do nothing", seen)
	}
}

// TestDemoKeys goes through the page with the keyboard alone.
func TestDemoKeys(t *testing.T) {
	ctx := browser(t)
	do(t, ctx, chromedp.Navigate(pages(t, nil)+"/demo/?article=tuck-end&material=carton-300&width=48&depth=141&height=184&lang=en"),
		chromedp.WaitReady(chromedp.CSS("#box-drawing *")))
	reached := map[string]bool{}
	for range 40 {
		do(t, ctx, chromedp.KeyEvent(kb.Tab))
		at := eval[string](t, ctx,
			`(() => { const e = document.activeElement; return e.name || e.id || (e.hasAttribute("data-boxrules-suggestion") ? `+
				`"suggestion" : e.className || e.tagName); })()`)
		reached[at] = true
		if at == "suggestion" {
			do(t, ctx, chromedp.KeyEvent(kb.Enter))
			break
		}
	}
	for _, name := range []string{"article", "material", "width", "width-slider", "depth", "depth-slider", "height", "height-slider",
		"suggestion"} {
		if !reached[name] {
			t.Errorf("the Tab key does not lead to %s; it leads to %v", name, reached)
		}
	}
	if s := dimension(t, ctx, "depth"); s.Value != "48" || !s.Valid {
		t.Errorf("after Enter on the suggestion depth is %+v, want 48", s)
	}
	// A slider moves its dimension.
	do(t, ctx, chromedp.Focus(chromedp.CSS("#depth-slider")), chromedp.KeyEvent(kb.Home))
	if s := dimension(t, ctx, "depth"); s.Value != "15" {
		t.Errorf("Home on the slider gives the depth %q, want 15", s.Value)
	}
}

// TestDemoLabels has boxes whose labels are long, or far to the side: all of them can be read whole.
func TestDemoLabels(t *testing.T) {
	ctx := browser(t)
	url := pages(t, nil)
	for query, screen := range map[string][2]int64{
		"lang=en&width=123.456&depth=98.765&height=87.654":                              {1280, 900},
		"lang=fr&width=400&depth=15&height=30":                                          {390, 844},
		"lang=de&width=20&depth=15.125&height=449.875":                                  {390, 844},
		"lang=fr&article=telescope-lid&material=b-flute&width=900&depth=600&height=300": {1280, 900},
	} {
		do(t, ctx, chromedp.EmulateViewport(screen[0], screen[1]), chromedp.Navigate(url+"/demo/?"+query),
			chromedp.WaitReady(chromedp.CSS("#box-drawing *")), chromedp.WaitReady(chromedp.CSS("#blank-drawing text")))
		cut := eval[[]string](t, ctx, `[...document.querySelectorAll("#box-drawing text, #blank-drawing text")].filter((text) => {
			const [inner, outer] = [text, text.closest("svg")].map((element) => element.getBoundingClientRect());
			return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom;
		}).map((text) => text.textContent)`)
		if len(cut) > 0 {
			t.Errorf("%s: cut off are %q", query, cut)
		}
	}
}
