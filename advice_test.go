package boxrules_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
)

// TestAdviceInLanguages compares the advice in German and French with the English one: the same numbers and
// dimensions in the same order, and no text of another language. The names of the dimensions are written out
// here by hand, because they are other words than a translator would expect.
func TestAdviceInLanguages(t *testing.T) {
	languages := map[string]*strings.Replacer{
		"de-AT": strings.NewReplacer("Länge", "width", "Breite", "depth", "Höhe", "height"),
		"fr_CA": strings.NewReplacer("longueur", "width", "largeur", "depth", "hauteur", "height"),
	}
	english := regexp.MustCompile(`\b(turn|set|or|less|more|between|with|step|valid|box|to|width|depth|height)\b`)
	seen := make(map[string]bool)
	compare := func(p *boxrules.Profile, d boxrules.Dims, step float64) {
		e, err := p.Explain(d, step)
		if err != nil {
			t.Fatal(err)
		}
		want := factsOf(e.Advice())
		for language, names := range languages {
			got, err := p.AdviceIn(d, step, boxrules.AdviceOptions{Language: language})
			if err != nil || got != e.AdviceIn(language) {
				t.Errorf("%+v: AdviceIn(%s) is %q, %v, of the explanation %q", d, language, got, err, e.AdviceIn(language))
			}
			if word := english.FindString(got); word != "" {
				t.Errorf("%+v, %s: %q has the English word %q", d, language, got, word)
			}
			facts := factsOf(strings.ReplaceAll(names.Replace(got), ",", "."))
			if !slices.Equal(facts, want) {
				t.Errorf("%+v, %s: %q says %q, and %q says %q", d, language, got, facts, e.Advice(), want)
			}
		}
		for _, part := range []string{"another side", "between", "or to", "and", "no box", "borderline", "turn it to", "or less", "or more"} {
			seen[part] = seen[part] || strings.Contains(e.Advice(), part)
		}
	}
	for seed := range lab.Draws(20, 200) {
		random := rand.New(rand.NewPCG(uint64(seed), 15)).IntN
		f := gen.Wide(random)
		for _, p := range profiles.Engine(t, f.Rules(), f.Catalogue()).Profiles() {
			boxes := gen.BoxesOf(p.Exact(), random)
			for range 10 {
				compare(p, boxrules.DimsAt(boxes.Next()), 1)
			}
		}
	}
	for _, p := range boxrules.Default().Profiles() {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(0, 16)).IntN)
		for range lab.Draws(20, 200) {
			compare(p, boxrules.DimsAt(boxes.Next()), 0.5)
		}
	}
	compare(edgeProfile(t, "min: 1, max: 90", "TIE_0001"), boxrules.Dims{Width: 60.3, Depth: 25, Height: 5}, 0.1)
	// A gap in the middle.
	gap := profiles.Engine(t, "version: 1\nsize: [{code: GAP_0001, when: width > 40 && width < 60.5, message: m}]\n", `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 1, max: 100}, depth: {min: 1, max: 45}, height: {min: 50, max: 60}, constraints: []}}
`).Profiles()[0]
	compare(gap, boxrules.Dims{Width: 50, Depth: 50, Height: 50}, 1)
	for part, ok := range seen {
		if !ok {
			t.Errorf("no advice has the words %q", part)
		}
	}
}

// TestAdviceInRounds: if several dimensions change, their numbers are rounded to a thousandth of an inch, unless the
// rounded box would be invalid or borderline.
func TestAdviceInRounds(t *testing.T) {
	const article = "  a: {width: {min: %d, max: 200}, depth: {min: 20.1, max: 90}, height: {min: 10, max: 200}, constraints: [BOX_3119]}\n"
	for _, test := range []struct {
		minWidth    int
		width, step float64
		mm, in      string
	}{
		// 2.402 in are 61.0108 mm. Without rounding it would be 2.40157 in.
		{1, 50, 1, "set width to 61 and height to 10", "set width to 2.402 and height to 0.394"},
		// 2.48 in are 62.992 mm, which is less than the minimum.
		{63, 50, 1, "set width to 63 and height to 10", "set width to 2.4803 and height to 0.3937"},
		// 2.374 in are rounded to 60.3 mm, which is three times the depth. In floating point it is less.
		{1, 60, 0.001, "set width to 60.301 and height to 10", "set width to 2.37406 and height to 0.3937"},
	} {
		p := profileOf(t, engineOf(t, "", fmt.Sprintf(article, test.minWidth)), "a")
		d := boxrules.Dims{Width: test.width, Depth: 20.1, Height: 5}
		for unit, want := range map[string]string{"mm": test.mm, "in": test.in} {
			if got, err := p.AdviceIn(d, test.step, boxrules.AdviceOptions{Unit: unit}); err != nil || got != want {
				t.Errorf("width from %d, %+v in %s: %q, %v, want %q", test.minWidth, d, unit, got, err, want)
			}
		}
	}
}

// factsOf returns the numbers and the names of dimensions in the text.
func factsOf(text string) []string {
	return regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?|width|depth|height`).FindAllString(text, -1)
}
