package boxrules_test

import (
	"testing"

	"example.com/boxrules"
)

// TestMessageIn: the message of a rule by language, and the first for all other languages.
func TestMessageIn(t *testing.T) {
	set, err := boxrules.LoadRules("r.yaml", []byte(`version: 1
constraint:
  - {code: SHOP_0001, when: height > 61, message: {en: too tall, de: "zu   hoch", gsw: z hööch}}
  - {code: SHOP_0002, when: height > 62, message: too tall}
`))
	if err != nil {
		t.Fatal(err)
	}
	rules := set.Rules()
	for language, want := range map[string]string{
		"": "too tall", "en": "too tall", "en-GB": "too tall", "fr": "too tall", "d": "too tall",
		"de": "zu hoch", "de-AT": "zu hoch", "de_CH": "zu hoch", "DE": "zu hoch", "gsw": "z hööch",
	} {
		if got := rules[0].MessageIn(language); got != want {
			t.Errorf("%q: got %q, want %q", language, got, want)
		}
		if got := rules[1].MessageIn(language); got != "too tall" {
			t.Errorf("%q: got %q for a message without languages", language, got)
		}
	}
	if rules[0].Message != "too tall" || len(rules[0].Translations()) != 3 || rules[1].Translations() != nil {
		t.Errorf("%+v and %v", rules[0], rules[0].Translations())
	}
}
