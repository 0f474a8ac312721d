// Package wording helps to write messages. It quotes what a user typed, lists what is accepted, suggests the
// right spelling of a word, and checks and describes codes and units.
package wording

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/exact"
)

// Accepted lists the accepted words, for a message about a word that is not one of them. It adds a suggestion
// if an accepted word is similar to the word: tray, tuck-end (did you mean "tuck-end"?). If only one word is
// accepted, there is no suggestion.
func Accepted(word string, accepted []string) string {
	if len(accepted) == 1 {
		return accepted[0]
	}
	return List(accepted) + DidYouMean(word, accepted)
}

// TypographicQuotes are the quotation marks that word processors insert in place of straight ones. They have no meaning
// in YAML or in a shell.
const TypographicQuotes = "“”„‟‘’‚‛«»‹›"

// maxCandidates is the maximum number of accepted words that DidYouMean looks at. The number is limited because a list
// of boxes may have a wrong name in each of a million rows, and each row gets a message.
const maxCandidates = 100

// DidYouMean returns the end of a message about a word that is not one of the accepted ones, such as
// ` (did you mean "tuck-end"?)`. It returns "" if no accepted word is similar.
//
// Words are similar if few edits turn one into the other: one edit for every three letters of the word, but at most
// two. An edit adds, removes or replaces a letter, or swaps two adjacent letters. DidYouMean ignores case, as well as
// typographic quotes around the word. It suggests the most similar word. If several are equally similar, it suggests
// the first of them.
func DidYouMean(word string, accepted []string) string {
	word = strings.ToLower(strings.Trim(word, TypographicQuotes))
	// Begin with few edits, so that the most similar word is found first.
	for edits := range min(len(word)/3, 2) + 1 {
		for _, candidate := range accepted[:min(len(accepted), maxCandidates)] {
			if similar(word, strings.ToLower(candidate), edits) {
				return " (did you mean " + Quote(candidate) + "?)"
			}
		}
	}
	return ""
}

// similar reports whether a can be turned into b with at most the given number of edits. The edits are the same as for
// DidYouMean, except that they apply to bytes and not to letters. For example, one edit turns "wdith" into "width": it
// swaps two adjacent letters. similar tries each kind of edit at the first byte that differs, so its time grows as
// 4^edits.
func similar(a, b string, edits int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case a == b:
		return true
	case edits == 0 || max(len(a), len(b))-min(len(a), len(b)) > edits: // an edit changes the length by at most one
		return false
	case a == "" || b == "":
		return true
	}
	return similar(a[1:], b, edits-1) || // remove the byte of a
		similar(a, b[1:], edits-1) || // add the byte of b
		similar(a[1:], b[1:], edits-1) || // replace the byte of a with the byte of b
		len(a) > 1 && strings.HasPrefix(b, a[1:2]+a[:1]) && similar(a[2:], b[2:], edits-1) // swap two adjacent bytes
}

// IsCode reports whether text has the form of a rule's code; see CodeForm.
func IsCode(text string) bool {
	letters, number, _ := strings.Cut(text, "_")
	return consistsOf(capitals, letters, 32) && consistsOf(digits, number, 4) && len(number) == 4
}

// CodeForm describes the form of a rule's code in messages.
const CodeForm = "at most 32 capital letters, then one _, then four digits, such as BOX_3100"

const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
)

// consistsOf reports whether text has from 1 to maxLength characters, all of them from the alphabet.
func consistsOf(alphabet, text string, maxLength int) bool {
	return text != "" && len(text) <= maxLength && strings.Trim(text, alphabet) == ""
}

// UnitFault says what is wrong with the text of a unit. It returns "" if the unit is accepted. Any word of at
// most 8 letters is accepted, but only lengths in mm, cm, m and in can be converted.
func UnitFault(text string) string {
	if consistsOf(capitals+strings.ToLower(capitals), text, 8) {
		return ""
	}
	return Quote(text) + " is not a unit; accepted: " + Units(text) + ", or another word of at most 8 letters"
}

// UnitInWords returns a unit for use in a sentence. It replaces "in", which would be read as a preposition.
func UnitInWords(unit string) string {
	if unit == "in" {
		return "inches (in)"
	}
	return unit
}

// Units lists the units that can be converted, for a message about a text that is not one of them. It adds a
// suggestion if it can guess which unit is meant: mm, cm, m, in (did you mean "in"?).
func Units(text string) string {
	list := List(exact.ConvertibleUnits())
	if unit := guessUnit(text); unit != "" {
		return list + " (did you mean " + Quote(unit) + "?)"
	}
	return list
}

// guessUnit returns the convertible unit that the text probably means, such as mm for "millimeter". It
// returns "" if it has no guess.
func guessUnit(text string) string {
	word := strings.TrimRight(strings.ToLower(text), ". ")
	for _, unit := range exact.ConvertibleUnits() {
		if word == unit {
			return unit
		}
	}
	switch word = strings.TrimSuffix(word, "s"); word {
	case "inch", "inche", "zoll", "pouce", "\"", "''", "″":
		return "in"
	case "millimeter", "millimetre", "millimètre":
		return "mm"
	case "centimeter", "centimetre", "centimètre":
		return "cm"
	case "meter", "metre", "mètre", "mtr":
		return "m"
	}
	return ""
}

// Quote shortens the text as Cut does, and puts it in quotes, with escapes for characters that are not
// printable.
func Quote(text string) string { return strconv.Quote(Cut(text)) }

// Cut shortens a text from a file or a user to 40 characters and an ellipsis, so that a message that contains
// it stays readable. It does not quote the text: use it with %q.
func Cut(text string) string {
	const maxRunes = 40
	for i, n := 0, 0; i < len(text); n++ {
		if n == maxRunes {
			return text[:i] + "…"
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text
}

// List joins words with commas, for a message. If there are more than 16 words, it returns the first 16 and
// an ellipsis.
func List(words []string) string {
	const maxWords = 16
	if len(words) > maxWords {
		// Clip makes append copy the words, so that it does not overwrite the caller's 17th word.
		words = append(slices.Clip(words[:maxWords]), "…")
	}
	return strings.Join(words, ", ")
}
