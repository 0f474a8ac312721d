package console

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
)

// ColumnGap separates the columns of a table.
const ColumnGap = "  "

// ListText joins words as in an English sentence: a, b and c.
func ListText(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// CountText returns a number with its noun, such as "1 box" or "2 boxes".
func CountText(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.Itoa(n) + " " + plural
}

// NumberText formats x as a decimal, without an exponent.
func NumberText(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// SpanText formats a range of numbers, such as 252 to 298. If both ends are equal, it returns a single number.
func SpanText(low, high float64) string {
	if low == high {
		return NumberText(low)
	}
	return NumberText(low) + " to " + NumberText(high)
}

// SizeText formats the lengths of sides, such as 48 x 141 x 184.
func SizeText(sides ...float64) string {
	var texts []string
	for _, x := range sides {
		texts = append(texts, NumberText(x))
	}
	return strings.Join(texts, " x ")
}

// AppendNumberText appends the shortest decimal that parses to x. Like encoding/json, it uses an exponent for very
// small and very large numbers, which never occur as dimensions of a box.
func AppendNumberText(dst []byte, x float64) []byte {
	if magnitude := max(x, -x); magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// AlignedText formats the rows of a table as text with aligned columns.
func AlignedText(table [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, len(ColumnGap), ' ', 0)
	for _, row := range table {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	return b.String()
}

// ProductText formats an article and a material, such as tray in carton-300.
func ProductText(article, material string) string {
	return Printable(article) + " in " + Printable(material)
}
