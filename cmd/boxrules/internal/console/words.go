package console

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
)

// ColumnGap is the space between two columns.
const ColumnGap = "  "

// WordList joins words as in a sentence: a, b and c.
func WordList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Count returns a number with its noun, such as "1 box" or "2 boxes".
func Count(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.Itoa(n) + " " + plural
}

// Number returns a number without an exponent.
func Number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Span returns a range of numbers, such as 252 to 298, or one number if both are the same.
func Span(low, high float64) string {
	if low == high {
		return Number(low)
	}
	return Number(low) + " to " + Number(high)
}

// Size returns the lengths of sides as a size, such as 48 x 141 x 184.
func Size(sides ...float64) string {
	var texts []string
	for _, x := range sides {
		texts = append(texts, Number(x))
	}
	return strings.Join(texts, " x ")
}

// AppendNumber appends the shortest decimal that is parsed as the same float64. It uses an exponent in the same
// cases as encoding/json, for numbers that are far from any dimension of a box.
func AppendNumber(dst []byte, x float64) []byte {
	if magnitude := max(x, -x); magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// Aligned returns the table with its columns aligned.
func Aligned(table [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, len(ColumnGap), ' ', 0)
	for _, row := range table {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a strings.Builder does not fail
	return b.String()
}

// Product returns an article in a material, such as tray in carton-300.
func Product(article, material string) string {
	return Printable(article) + " in " + Printable(material)
}
