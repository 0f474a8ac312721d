// Package locale holds the sentences that customers read, in English, German and French. The sentences of each language
// are in a JSON file that is embedded in the program. The locales of the npm package are generated from the same files,
// and the tables of codegen.JSON contain the sentences for the ports to PHP and Python.
//
// A sentence has placeholders such as {field}, which [Fill] and [FillSentence] replace.
package locale

import (
	"bytes"
	"embed"
	"encoding/json"
	"slices"
	"strings"
)

// A Locale holds the sentences in one language. Callers must not modify it.
type Locale struct {
	// Decimal is the decimal separator of the language: a point or a comma.
	Decimal string `json:"decimal"`
	// Form holds the sentences for forms, keyed by the strings in Keys.
	Form map[string]string `json:"form"`
	// Advice holds the phrases of the sentence that says how to change a box, keyed by the strings in AdviceKeys.
	Advice map[string]string `json:"advice"`
}

// Lang returns the language tag of the locale, such as "en".
func (l *Locale) Lang() string { return l.Form["lang"] }

// Keys lists the keys of [Locale.Form], in the order of the files.
var Keys = slices.Concat(NameKeys, FieldKeys, PageKeys)

// The three groups of Keys: names and the language tag, sentences about a field, and other sentences that
// dom.js shows.
var (
	NameKeys  = []string{"lang", "width", "depth", "height", "in"}
	FieldKeys = []string{"required", "number", "unclear", "range", "decimals", "atLeast", "atMost", "either", "together"}
	PageKeys  = []string{"articleChoice", "materialChoice", "valid", "use", "turn", "turnOther"}
)

// AdviceKeys lists the keys of [Locale.Advice], in the order of the files.
var AdviceKeys = []string{"turn", "turnOther", "set", "change", "or", "orValue", "and", "atMost", "atLeast", "between",
	"none", "borderline", "notFound", "inUnit", "inches"}

// Languages lists the languages that have a file. The first one is the default.
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
			panic(language + ".json: " + err.Error()) // a mistake in a file, which no input can cause
		}
		all[language] = l
	}
	return all
}

// Of returns the locale for a BCP 47 language tag. It looks only at the language, so "de-AT" is German. If
// there is no file for the language, ok is false and l is English.
func Of(tag string) (l *Locale, ok bool) {
	l, ok = locales[Primary(tag)]
	if !ok {
		l = locales[Languages[0]]
	}
	return l, ok
}

// Primary returns the language part of a language tag: "de" for "de-AT". It also accepts "de_AT", as many
// systems write it.
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// Fill replaces each placeholder in the sentence with the text that value returns for its name.
func Fill(sentence string, value func(name string) string) string {
	return fillMessage(sentence, false, value)
}

// FillSentence is like Fill, but if the sentence begins with a placeholder, it capitalizes the text that
// replaces it: "{field} must be …" becomes "Width must be …". It capitalizes only the letters a to z.
func FillSentence(sentence string, value func(name string) string) string {
	return fillMessage(sentence, true, value)
}

func fillMessage(sentence string, capitalize bool, value func(name string) string) string {
	var b strings.Builder
	for rest := sentence; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, following, found := strings.Cut(after, "}")
		if !found || !isPlaceholder(name) {
			b.WriteByte('{') // not a placeholder
			rest = after
			continue
		}
		text := value(name)
		if capitalize && len(rest) == len(sentence) && before == "" && text != "" && 'a' <= text[0] && text[0] <= 'z' {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		b.WriteString(text)
		rest = following
	}
}

// isPlaceholder reports whether the text has the form of a placeholder's name.
func isPlaceholder(text string) bool {
	for _, c := range []byte(text) {
		if !(c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return text != ""
}
