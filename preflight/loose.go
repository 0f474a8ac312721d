package preflight

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file reads as loosely as anybody does: whatever the case, with escapes undone however often they were made, and
// with characters outside ASCII taken for what they look like.

// anyLetter stands for what readers take for different things, or for nothing: a control character, or one outside
// ASCII.
const anyLetter = 0

// loose is the text in lower case, with no escapes left.
func loose(text string) []byte {
	var out []byte
	for _, r := range unescaped(text) {
		switch {
		case r < ' ' || r > '~':
			out = append(out, anyLetter)
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
			fallthrough
		default:
			out = append(out, byte(r))
		}
	}
	return out
}

// unescaped undoes %64 and %u0064, also where what they stand for makes another escape.
func unescaped(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out []byte
	escape := func(start string, digits int) (rune, bool) { // at the end of out
		at := len(out) - len(start) - digits
		if at < 0 || !strings.EqualFold(string(out[at:at+len(start)]), start) {
			return 0, false
		}
		n, err := strconv.ParseUint(string(out[at+len(start):]), 16, 32)
		if err == nil {
			out = out[:at]
		}
		return rune(n), err == nil
	}
	for i := range len(text) {
		out = append(out, text[i])
		for {
			if b, ok := escape("%", 2); ok {
				out = append(out, byte(b))
			} else if r, ok := escape("%u", 4); ok {
				out = utf8.AppendRune(out, r)
			} else {
				break
			}
		}
	}
	return string(out)
}

// reads reports whether the text can be read as the word, both loose, or where within is set some part of it.
func reads(text, word []byte, within bool) bool {
	reached := make([]bool, len(word)+1) // how much of the word may have been read
	reached[0] = true
	for i, alive := 0, true; i < len(text) && alive; i++ {
		c := text[i]
		alive = within
		for n := len(word); n > 0; n-- {
			next := reached[n-1] && (c == word[n-1] || c == anyLetter || word[n-1] == anyLetter)
			reached[n] = next || reached[n] && (c == anyLetter || within && n == len(word))
			alive = alive || reached[n]
		}
		reached[0] = within || reached[0] && c == anyLetter
	}
	return reached[len(word)]
}

// readAs is the word itself where the text is one of them, else one that it can be read as by those who trim it or end it
// at a bracket or a NUL; "" where there is none.
func readAs(text string, words ...string) string {
	if slices.Contains(words, text) {
		return text
	}
	all := loose(text)
	readings := [][]byte{all, nil}
	if parts := bytes.FieldsFunc(all, func(r rune) bool { return r == anyLetter || r == '[' || r == ']' }); len(parts) > 0 {
		readings[1] = parts[0]
	}
	for i, reading := range readings {
		readings[i] = bytes.TrimFunc(reading, func(r rune) bool {
			return r != anyLetter && (r < '0' || r > '9') && (r < 'a' || r > 'z')
		})
	}
	for _, word := range words {
		for _, reading := range readings {
			if reads(reading, loose(word), false) {
				return word
			}
		}
	}
	return ""
}
