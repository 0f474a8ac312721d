package test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/codegen"
	"example.com/boxrules/form"
)

// inchRules are rules in another unit: none of the documented constraints with a length in it is
// among them.
const inchRules = `
version: 1
unit: in
boundary:
  - {code: BOX_2100, when: width < min_width, message: width is smaller than the minimum allowed}
  - {code: BOX_2101, when: width > max_width, message: width is greater than the maximum allowed}
  - {code: BOX_2102, when: depth < min_depth, message: depth is smaller than the minimum allowed}
  - {code: BOX_2103, when: depth > max_depth, message: depth is greater than the maximum allowed}
  - {code: BOX_2104, when: height < min_height, message: height is smaller than the minimum allowed}
  - {code: BOX_2105, when: height > max_height, message: height is greater than the maximum allowed}
constraint:
  - {code: BOX_3100, when: depth > width, message: the provided values do not allow creating a proper box}
size:
  - code: BOX_4100
    when: min(blank_width, blank_height) > sheet_height || max(blank_width, blank_height) > sheet_width
    message: the dieline does not fit the largest printing sheet
`

// inches are limits in inches. The articles have no titles, and one has no blank.
const inches = `
version: 1
unit: in
sheets: {large: {width: 40, height: 28}}
materials: {board: {caliper: 0.02, glue_flap: 0.625, sheet: large}}
articles:
  plain:
    width: {min: 1.25, max: 15}
    depth: {min: 0.75, max: 10}
    height: {min: 1.5, max: 18}
    constraints: [BOX_3100]
    blank:
      width: 2*width + 2*depth + glue_flap
      height: height + 2*depth
  lid:
    width: {min: 1.25, max: 15}
    depth: {min: 0.75, max: 10}
    height: {min: 0.5, max: 2}
    constraints: []
`

// own opens the demo as serve --demo has it for limits of one's own.
func own(t *testing.T, b *tab, rules, file, query string) {
	t.Helper()
	engine := engineOf(t, rules, file)
	index, err := codegen.JavaScript(engine, codegen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	url := pages(t, map[string]string{"/index.js": string(index.Module)})
	b.visit(url + "/demo/" + query)
	b.ready("#box-drawing *")
}

// TestDemoLimits opens the demo with limits in inches.
func TestDemoLimits(t *testing.T) {
	inBrowsers(t, func(t *testing.T, b *tab) {
		own(t, b, inchRules, inches, "?lang=en")
		text := func(selector string) string {
			t.Helper()
			return strings.ReplaceAll(eval[string](b, `document.querySelector("`+selector+`").innerText`), "\u00a0", " ")
		}

		if verdict := eval[string](b, `document.querySelector("form").dataset.verdict`); verdict != "good" {
			t.Errorf("the first box is %s, want one that can be made", verdict)
		}
		if said := text("#reasons"); !strings.HasPrefix(said, "plain, board: ") || !strings.HasSuffix(said, " in") {
			t.Errorf("the verdict reads %q, want the article's code, as it has no title, and inches", said)
		}
		if all := eval[string](b,
			`[...document.querySelectorAll(".unit, option")].map((e) => e.textContent).join()`); all != "plain,lid,board,in,in,in" {
			t.Errorf("choices and units are %s", all)
		}
		for _, none := range []string{" mm", "llustrative", "service", "limit file", "undefined"} {
			if strings.Contains(text("body"), none) {
				t.Errorf("the page speaks of %q:\n%s", none, text("body"))
			}
		}
		if lang := eval[string](b, `document.getElementById("article").closest("[lang]").tagName`); lang != "HTML" {
			t.Error("the articles are marked as English, although their language is not known")
		}
		// The slider is at the dimension, and moves in steps that suit inches.
		b.enter("width", "3.25")
		b.enter("depth", "2")
		slider := func() string {
			return strings.ReplaceAll(eval[string](b,
				`(() => { const s = document.getElementById("width-slider"); return s.value + "; " + s.ariaValueText; })()`), "\u00a0", " ")
		}
		if got := slider(); got != "3.25; 3.25 in" {
			t.Errorf("at 3.25 the slider says %q", got)
		}
		b.focus("#width-slider")
		b.press(arrowRight)
		if s := dimension(b, "width"); s.Value != "3.3" {
			t.Errorf("to the right of 3.25 is %s, want 3.3", s.Value)
		}
		b.press(arrowLeft)
		b.press(arrowLeft)
		if s := dimension(b, "width"); s.Value != "3.1" {
			t.Errorf("twice to the left of that is %s, want 3.1", s.Value)
		}
		if got := slider(); got != "3.1; 3.1 in" {
			t.Errorf("at 3.1 the slider says %q", got)
		}
		b.enter("width", "99")
		if got := slider(); got != "15; 99 in" {
			t.Errorf("at 99 the slider says %q, want the dimension", got)
		}

		// So do the suggestions.
		b.enter("width", "3.25")
		b.enter("depth", "99")
		if got := text("[data-boxrules-suggestion]"); !strings.HasPrefix(got, "Use 3.25 × 3.2 × ") {
			t.Errorf("it suggests %q, want a depth of 3.2", got)
		}
	})
}

// narrow are limits with few decimals and little room. Those of the article odd have too many decimals
// themselves.
const narrow = `
version: 1
unit: mm
sheets: {large: {width: 1040, height: 720}}
materials: {board: {caliper: 0.4, glue_flap: 15, sheet: large}}
articles:
  small: {width: {min: 20, max: 60}, depth: {min: 15, max: 50}, height: {min: 30, max: 80}, constraints: []}
  odd: {width: {min: 2.25, max: 7.75}, depth: {min: 2.25, max: 7.75}, height: {min: 2.25, max: 7.75}, constraints: []}
`

// TestDemoDecimals opens the demo with limits of few decimals, where a slider's own steps could
// be impossible values.
func TestDemoDecimals(t *testing.T) {
	ends := map[string][2][2]string{ // of the width, by article and decimals
		"small": {{"20", "60"}, {"20", "60"}}, "odd": {{"3", "7"}, {"2.3", "7.7"}},
	}
	inBrowsers(t, func(t *testing.T, b *tab) {
		for decimals, possible := range []string{`^\d+$`, `^\d+(\.\d)?$`} {
			for article, ends := range ends {
				name := fmt.Sprintf("%s of %d decimals", article, decimals)
				own(t, b, "", fmt.Sprintf("%sdecimals: %d\n", narrow, decimals), "?lang=en&article="+article)
				good := func(after string) string {
					t.Helper()
					width := dimension(b, "width").Value
					if verdict := eval[string](b, `document.querySelector("form").dataset.verdict`); verdict != "good" {
						t.Errorf("%s: %s the box is %s, with width %s", name, after, verdict, width)
					}
					if !regexp.MustCompile(possible).MatchString(width) {
						t.Errorf("%s: %s the width is %s", name, after, width)
					}
					return width
				}
				before := good("at first")
				b.focus("#width-slider")
				b.press(arrowRight)
				if good("a step to the right") == before {
					t.Errorf("%s: to the right of %s is nothing", name, before)
				}
				b.press(arrowLeft)
				if after := good("a step back"); after != before {
					t.Errorf("%s: a step to the right of %s and one back is %s", name, before, after)
				}
				for _, at := range []string{"3.3333", "5.55", "23.456", "41.01"} { // as it is dragged
					eval[any](b, `(() => { const s = document.getElementById("width-slider"); s.value = `+at+`;
  s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
					good("dragged to " + at)
				}
				for i, key := range []string{home, end} {
					b.press(key)
					if at := good("at an end"); at != ends[decimals][i] {
						t.Errorf("%s: an end of the slider is %s, want %s", name, at, ends[decimals][i])
					}
				}
				b.enter("depth", "90")
				b.until(`!document.querySelector("[data-boxrules-suggestion]").hidden`)
				b.click("[data-boxrules-suggestion]")
				good("after what is suggested")
			}
		}
	})
}

// TestDemoNothing checks the texts for rules without a valid box, and for a search that is given up.
func TestDemoNothing(t *testing.T) {
	rules := strings.Replace(inchRules, "size:", `  - {code: BOX_3109, when: "!(depth > width)", message: none}
size:`, 1)
	limits := strings.Replace(inches, "[BOX_3100]", "[BOX_3100, BOX_3109]", 1)
	search, err := form.Files.ReadFile("nearest.js")
	if err != nil {
		t.Fatal(err)
	}
	inBrowsers(t, func(t *testing.T, b *tab) {
		own(t, b, rules, limits, "?lang=en&article=plain&width=3&depth=2&height=4")
		offered(b)
		said := visible(b, "#reasons li:not(.what), .ways p, .ways button")
		if want := []string{"Changing the depth alone is not enough. BOX_3109",
			"No size of this article in this material can be made: its rules exclude one another.",
			"Nothing else here can be made in exactly this size."}; !slices.Equal(said, want) {
			t.Errorf("of rules that leave nothing it says\n%q, want\n%q", said, want)
		}

		b.visit(pages(t, map[string]string{"/nearest.js": string(with(t, search, "EFFORT", "1"))}) +
			"/demo/?lang=en&article=tuck-end&material=carton-300&width=500&depth=10&height=600")
		offered(b)
		if lead := visible(b, "#changes-lead"); !slices.Equal(lead, []string{
			"No size that can be made was found. There may be one; the search was given up."}) {
			t.Errorf("of a search that is given up it says %q", lead)
		}
	})
}

// TestDemoOffers has more articles than are checked at a time. Only the last one accepts the box.
func TestDemoOffers(t *testing.T) {
	article := func(code, width string) string {
		return "  " + code + ": {width: {min: 1, max: " + width + "}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n"
	}
	file := "version: 1\nunit: in\nsheets: {large: {width: 40, height: 28}}\n" +
		"materials: {board: {caliper: 0.02, glue_flap: 0.625, sheet: large}}\narticles:\n"
	for i := range 170 {
		file += article(fmt.Sprintf("narrow-%d", i), "2")
	}
	file += article("wide", "9")
	inBrowsers(t, func(t *testing.T, b *tab) {
		own(t, b, inchRules, file, "?lang=en&article=narrow-0&width=3&depth=2&height=4")
		offered(b)
		if got := visible(b, "#offers button"); !slices.Equal(got, []string{"wide"}) {
			t.Errorf("of 171 articles it offers %q, want the one that takes the box", got)
		}
		// What is offered for one box is not for the next.
		b.enter("width", "2")
		b.enter("width", "8.5")
		b.until(`document.querySelectorAll("#offers button").length == 1`)
		b.enter("width", "9.5")
		b.until(`document.querySelector("#offers-lead").textContent.startsWith("Nothing")`)
		if got := visible(b, "#offers button"); len(got) > 0 {
			t.Errorf("where nothing takes the box it offers %q", got)
		}
	})
}
