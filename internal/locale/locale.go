// Package locale has the sentences that customers read, in English, German and French. There is one JSON
// file for each language. The locales of the npm package are generated from these files, the tables of
// codegen.JSON contain their sentences for PHP and Python, and Go reads them here.
//
// A sentence has placeholders such as {field}, which [Fill] replaces.
package locale

import (
	"bytes"
	"embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A Locale has the sentences of a language. It must not be changed.
type Locale struct {
	// Decimal is the character before the decimals of a number, a point or a comma.
	Decimal string `json:"decimal"`
	// Form holds the sentences of forms by the names in Keys.
	Form map[string]string `json:"form"`
}

// Lang returns the language tag, such as "en".
func (l *Locale) Lang() string { return l.Form["lang"] }

// Keys lists the names of the sentences of forms in the order of the files: first lang and the names of
// the dimensions, then the sentences about one field, then those of dom.js.
var Keys = slices.Concat(NameKeys, FieldKeys, PageKeys)

// The three groups of Keys.
var (
	NameKeys  = []string{"lang", "width", "depth", "height"}
	FieldKeys = []string{"required", "number", "unclear", "range", "decimals", "atLeast", "atMost", "either", "together"}
	PageKeys  = []string{"articleChoice", "materialChoice", "valid", "use", "turn", "turnOther"}
)

// Languages lists the languages that have a file. The first is the one to use if no other is known.
var Languages = []string{"en", "de", "fr"}

//go:embed *.json
var files embed.FS

var locales = load()

func load() map[string]*Locale {
	all := make(map[string]*Locale)
	for _, language := range Languages {
		data, err := files.ReadFile(language + ".json")
		if err != nil {
			panic(err) // all files are embedded
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.DisallowUnknownFields()
		l := new(Locale)
		if err := decoder.Decode(l); err != nil {
			panic(language + ".json: " + err.Error()) // a mistake in a file; no input can cause it
		}
		all[language] = l
	}
	return all
}

// Of returns the locale for a BCP 47 language tag. Only the language counts: "de-AT" is German. ok is false
// if there is no file for it; then l is English.
func Of(tag string) (l *Locale, ok bool) {
	l, ok = locales[Primary(tag)]
	if !ok {
		l = locales[Languages[0]]
	}
	return l, ok
}

// Primary returns the language of a language tag: "de" for "de-AT", and also for "de_AT", as many systems
// write it.
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

var placeholder = regexp.MustCompile(`{(\w+)}`)

// Fill replaces each placeholder by the text that value returns for its name. At the beginning of the
// sentence it makes a small letter from a to z a capital: "{field} must be …" becomes "Width must be …".
func Fill(sentence string, value func(name string) string) string {
	var b strings.Builder
	end := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(sentence, -1) {
		b.WriteString(sentence[end:m[0]])
		text := value(sentence[m[2]:m[3]])
		if m[0] == 0 && text != "" && 'a' <= text[0] && text[0] <= 'z' {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		b.WriteString(text)
		end = m[1]
	}
	return b.String() + sentence[end:]
}
