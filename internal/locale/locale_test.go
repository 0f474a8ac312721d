package locale

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestLanguagesSayTheSame compares the keys and the placeholders of the languages.
func TestLanguagesSayTheSame(t *testing.T) {
	names, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != len(Languages) {
		t.Errorf("%d files, and %d languages", len(names), len(Languages))
	}
	english, _ := Of("en")
	for _, language := range Languages {
		l, ok := Of(language)
		if !ok || l.Lang() != language || l.Decimal != "." && l.Decimal != "," {
			t.Errorf("%s: lang %q, decimal %q", language, l.Lang(), l.Decimal)
		}
		if got, want := slices.Sorted(maps.Keys(l.Form)), slices.Sorted(slices.Values(Keys)); !slices.Equal(got, want) {
			t.Errorf("%s: the keys are %v, want %v", language, got, want)
		}
		if got, want := slices.Sorted(maps.Keys(l.Advice)), slices.Sorted(slices.Values(AdviceKeys)); !slices.Equal(got, want) {
			t.Errorf("%s: the keys of advice are %v, want %v", language, got, want)
		}
		for _, group := range [][2]map[string]string{{l.Form, english.Form}, {l.Advice, english.Advice}} {
			for key, sentence := range group[0] {
				if got, want := placeholders(sentence), placeholders(group[1][key]); strings.TrimSpace(sentence) == "" || !slices.Equal(got, want) {
					t.Errorf("%s, %s: %q has the placeholders %v, want %v", language, key, sentence, got, want)
				}
			}
		}
	}
}

func placeholders(sentence string) (names []string) {
	Fill(sentence, func(name string) string {
		names = append(names, name)
		return ""
	})
	slices.Sort(names)
	return names
}

func TestOf(t *testing.T) {
	for tag, want := range map[string]string{"de": "de", "de-AT": "de", "de_CH": "de", "FR": "fr", "en-GB": "en", "es": "", "": "", "deu": ""} {
		l, ok := Of(tag)
		if ok != (want != "") || ok && l.Lang() != want || !ok && l.Lang() != "en" {
			t.Errorf("%q: %s, %v", tag, l.Lang(), ok)
		}
	}
}

func TestFill(t *testing.T) {
	value := func(name string) string {
		return map[string]string{"field": "width", "own": "été", "max": "48", "_09azAZ": "zero", "azure": "azure", "zinc": "zinc"}[name]
	}
	for sentence, want := range map[string]string{
		"{field} must be at most {max}.": "Width must be at most 48.",
		"Enter a {field}.":               "Enter a width.",
		"{own}: {nothing}{field}":        "été: width",
		"{max}{max}":                     "4848",
		"{nothing}{field}":               "width",
		"{not a name}":                   "{not a name}",
		"{not a name}{field}":            "{not a name}width",
		"{{field}}{":                     "{width}{",
		"{}{field":                       "{}{field",
		"{_09azAZ}":                      "Zero",
		"{azure} {field}":                "Azure width",
		"{zinc}{own}":                    "Zincété",
		"":                               "",
	} {
		if got := FillSentence(sentence, value); got != want {
			t.Errorf("%q: got %q, want %q", sentence, got, want)
		}
	}
	// None of these characters, which come just before and after the digits and letters, can be in a name.
	for _, c := range "/:@[`{" {
		sentence := "{" + string(c) + "}"
		if got := Fill(sentence, func(string) string { return "a value" }); got != sentence {
			t.Errorf("%q: got %q", sentence, got)
		}
	}
	if got := Fill("{field} to {max}", value); got != "width to 48" {
		t.Errorf("Fill makes a capital: %q", got)
	}
}
