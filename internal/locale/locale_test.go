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
		for key, sentence := range l.Form {
			if got, want := placeholders(sentence), placeholders(english.Form[key]); strings.TrimSpace(sentence) == "" || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q has the placeholders %v, want %v", language, key, sentence, got, want)
			}
		}
	}
}

func placeholders(sentence string) (names []string) {
	for _, m := range placeholder.FindAllStringSubmatch(sentence, -1) {
		names = append(names, m[1])
	}
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
		return map[string]string{"field": "width", "own": "été", "max": "48"}[name]
	}
	for sentence, want := range map[string]string{
		"{field} must be at most {max}.": "Width must be at most 48.",
		"Enter a {field}.":               "Enter a width.",
		"{own}: {nothing}{field}":        "été: width",
		"{max}{max}":                     "4848",
		"{nothing}{field}":               "width",
		"{not a name}":                   "{not a name}",
		"":                               "",
	} {
		if got := Fill(sentence, value); got != want {
			t.Errorf("%q: got %q, want %q", sentence, got, want)
		}
	}
}
