package answers

import (
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
)

// AppendQuestion appends a row of CSV, below a header where it is the first; with the code to
// expect where that is not empty.
func AppendQuestion(dst []byte, b boxrules.Box, code string) []byte {
	header, more := lists.FieldNames, ""
	if code != "" {
		header, more = lists.AnswerNames[:lists.AnswerDate], ","+code
	}
	if len(dst) == 0 {
		dst = append(dst, strings.Join(header, ",")+"\n"...)
	}
	dst = append(dst, csvText(b.Article)+","+csvText(b.Material)...)
	for _, x := range []float64{b.Width, b.Depth, b.Height} {
		dst = console.AppendNumber(append(dst, ','), x)
	}
	return append(dst, more+"\n"...)
}

// csvText returns a field of CSV, in quotes where it needs them.
func csvText(s string) string {
	if strings.ContainsAny(s, "\",\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
