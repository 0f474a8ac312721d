// Package wording helps messages: it quotes what users typed, knows the forms of codes and units,
// and finds the word that a misspelt one was most likely to be.
package wording

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Accepted lists the words for a message about one that is none of them, as Some does, and names
// the one of several that was most likely meant: tray, tuck-end (did you mean "tuck-end"?).
func Accepted(word string, words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return Some(words) + Meant(word, words)
}

// TypographicQuotes are the quotes that word processors write. They mean nothing to YAML or a shell.
const TypographicQuotes = "“”„‟‘’‚‛«»‹›"

// Meant ends such a message: (did you mean "tuck-end"?). It returns "" where no word, or none of
// the first 100, is near. A list may have a name that is none in each of a million rows.
func Meant(word string, words []string) string {
	word = strings.Trim(word, TypographicQuotes)
	most := min(len(word)/3, 2)
	near, edits, lower := "", most+1, strings.ToLower(word)
	for _, other := range words[:min(len(words), 100)] {
		longer := len(other) - len(word)
		if longer < -most || longer > most {
			continue
		}
		if d := distance(lower, strings.ToLower(other), edits-1); d < edits {
			near, edits = other, d
		}
	}
	if near == "" {
		return ""
	}
	return " (did you mean " + Quote(near) + "?)"
}

// distance returns how many bytes are to be put in, taken out, replaced or exchanged with the next
// to make b of a. It gives up where that is more than most.
func distance(a, b string, most int) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case a == b:
		return 0
	case most < 1:
		return 1
	case a == "" || b == "":
		return len(a) + len(b)
	}
	rest := min(distance(a[1:], b, most-1), distance(a, b[1:], most-1), distance(a[1:], b[1:], most-1))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		rest = min(rest, distance(a[2:], b[2:], most-1))
	}
	return 1 + rest
}

// IsCode reports whether text has the form of a rule's code, which CodeForm says in words.
func IsCode(text string) bool {
	letters, digits, _ := strings.Cut(text, "_")
	return only(capitals, letters, 32) && only("0123456789", digits, 4) && len(digits) == 4
}

// CodeForm describes a rule's code.
const CodeForm = "at most 32 capital letters, then one _, then four digits, such as BOX_3100"

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// only reports whether the text has nothing but the characters: at least one, and not too many.
func only(characters, text string, most int) bool {
	return text != "" && len(text) <= most && strings.Trim(text, characters) == ""
}

// UnitFault says what is wrong with the unit of a file. It returns "" for one that is accepted:
// none is converted, so that any word will do.
func UnitFault(text string) string {
	if only(capitals+strings.ToLower(capitals), text, 8) {
		return ""
	}
	return Quote(text) + " is not a unit; accepted: a word of at most 8 letters, such as mm"
}

// Quote returns the text cut and in quotes, with what is not printable escaped.
func Quote(text string) string { return strconv.Quote(Cut(text)) }

// Cut shortens a text from a file or a user, so that a message about it stays one readable line. It
// does not quote: use it with %q.
func Cut(text string) string {
	const most = 40
	for i, n := 0, 0; i < len(text); n++ {
		if n == most {
			return text[:i] + "…"
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text
}

// Some joins words for a message, the first few where there are many.
func Some(words []string) string {
	const most = 16
	if len(words) > most {
		words = append(slices.Clip(words[:most]), "…")
	}
	return strings.Join(words, ", ")
}
