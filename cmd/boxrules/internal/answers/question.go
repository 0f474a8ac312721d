package answers

import (
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/lists/csvrows"
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
	dst = csvrows.AppendCell(dst, b.Article, ',')
	dst = csvrows.AppendCell(append(dst, ','), b.Material, ',')
	for _, x := range []float64{b.Width, b.Depth, b.Height} {
		dst = console.AppendNumber(append(dst, ','), x)
	}
	return append(dst, more+"\n"...)
}
