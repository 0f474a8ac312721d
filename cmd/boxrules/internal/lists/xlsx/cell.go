package xlsx

import (
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// cellColumn returns the number of the column, counted from 1, in a cell reference: AB12 is in column 1*26 + 2 =
// 28. If the text is not a cell reference, cellColumn returns 0. A cell without a reference is in the column after
// the previous cell.
func cellColumn(reference string, previousColumn int) (column int) {
	if reference == "" {
		return previousColumn + 1
	}
	// The letters A to Z are the digits 1 to 26, and there is no digit 0. So the column after Z is AA, or 1*26 + 1.
	letters := strings.TrimRight(reference, "0123456789")
	for _, l := range letters {
		if l < 'A' || l > 'Z' || len(letters) > 3 || letters == reference {
			return 0
		}
		column = column*26 + int(l-'A') + 1
	}
	return column
}

// A cell holds the attributes of a c element, which is the XML element for a cell.
type cell struct {
	reference string // such as AB12, or empty
	kind      string // n for a number; see Sheet.cellText for the other kinds
	style     string // the index of the style
}

func newCell(tag xml.StartElement) cell {
	c := cell{kind: "n", style: "0"}
	for _, a := range tag.Attr {
		switch {
		case a.Value == "":
		case a.Name.Local == "r":
			c.reference = a.Value
		case a.Name.Local == "t":
			c.kind = a.Value
		case a.Name.Local == "s":
			c.style = a.Value
		}
	}
	return c
}

// cellText returns the text of a cell, in the form that the documentation of Sheet describes. content is the text
// within the XML element.
func (s *Sheet) cellText(c cell, content string) string {
	formats := s.book.formats
	style, err := strconv.Atoi(c.style)
	if err != nil || style < 0 || style >= len(formats) {
		s.badCell("with the undefined style %.20q", c.style)
		return ""
	}
	// The content of these kinds is the text itself, including white space at its ends.
	if c.kind == "str" || c.kind == "inlineStr" || c.kind == "e" {
		return content
	}
	content = strings.TrimSpace(content)
	if content == "" {
		return ""
	}
	switch c.kind {
	case "n":
		x, err := strconv.ParseFloat(content, 64)
		if err != nil || strings.Trim(content, "+-0123456789.eE") != "" {
			s.badCell("with the invalid number %.20q", content)
		}
		if len(content) > significantDigits { // a shorter text cannot have more digits
			x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', significantDigits, 64), 64)
		}
		return formats[style].text(x, s.book.date1904)
	case "s":
		n, err := strconv.Atoi(content)
		if err == nil && n >= 0 && n < len(s.book.sharedTexts) {
			return s.book.sharedTexts[n]
		}
		s.badCell("with the undefined shared text %.20q", content)
	case "b":
		value, ok := parseXMLBool(content)
		if !ok {
			s.badCell("with the invalid boolean %.20q", content)
		}
		return strings.ToUpper(strconv.FormatBool(value))
	case "d":
		if strings.Trim(content, "-0123456789.") == "" && strings.Count(content, "-") != 2 {
			content += " as a date" // so that it is not mistaken for a number
		}
	default:
		s.badCell("of the unknown kind %.20q", c.kind)
	}
	return content
}

// A cellFormat is the kind of number that a cell contains.
type cellFormat byte

const (
	number   cellFormat = iota
	dateTime            // a date, a time or both
	percentage
)

// builtInCellFormat returns the format with a built-in ID. ECMA-376 lists these IDs under numFmt, including the ones
// for East Asian languages.
func builtInCellFormat(id string) cellFormat {
	n, _ := strconv.Atoi(id)
	switch {
	case n == 9 || n == 10:
		return percentage
	case 14 <= n && n <= 22, 27 <= n && n <= 36, 45 <= n && n <= 47, 50 <= n && n <= 58:
		return dateTime
	}
	return number
}

var (
	// elapsedTimeCode matches the code for elapsed time in a format, such as [h]. Elapsed time may exceed 24 hours.
	elapsedTimeCode = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	// formatLiteral matches literal text in a format code, and also colors and languages, such as [Red].
	formatLiteral = regexp.MustCompile(`"[^"]*"?|[\\_*].|\[[^\]]*\]`)
)

// parseCellFormat returns the format for a format code such as "d.m.yyyy", "0.0%" or "[h]:mm".
func parseCellFormat(code string) cellFormat {
	// Replace elapsed time before literal text, because formatLiteral would match its brackets. Then remove literal
	// text: 0.0" mm" becomes 0.0, which is a number. Otherwise the m would make it a date.
	code = formatLiteral.ReplaceAllString(elapsedTimeCode.ReplaceAllString(code, "h"), "")
	switch {
	case strings.ContainsAny(code, "yYmMdDhHsS"):
		return dateTime
	case strings.Contains(code, "%"):
		return percentage
	}
	return number
}

// significantDigits is the number of significant digits that Excel shows: it shows 71.500000000000014 as 71.5.
const significantDigits = 15

// text formats the number x, without an exponent.
func (f cellFormat) text(x float64, date1904 bool) string {
	switch f {
	case dateTime:
		return cellDateText(x, date1904)
	case percentage:
		return strconv.FormatFloat(x*100, 'f', 2, 64) + "%"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// lastDay is the number of the day 9999-12-31, which is the last one in Excel.
const lastDay = 2958465

// cellDateText returns the date and the time that are the given number of days after 1899-12-30, or after 1904-01-01 if
// from1904 is true. In Excel, 1900-01-01 is day 1, and 1900 is a leap year, which it was not in reality. Therefore
// counting from 1899-12-30 gives the right date from March 1900 on.
//
// If the number is not a date in Excel, cellDateText returns a text that cannot be mistaken for a number, such as "-1
// as a date".
func cellDateText(days float64, from1904 bool) string {
	if !(days >= 0 && days < lastDay+1) {
		return strconv.FormatFloat(days, 'f', -1, 64) + " as a date"
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	// The fraction is the time of day: 0.5 is 12 hours. Round to minutes, because a float64 cannot represent a
	// fraction such as 1/3 exactly.
	whole, part := math.Modf(days)
	hours := time.Duration(part * float64(24*time.Hour)).Round(time.Minute)
	layout := "2006-01-02 15:04"
	if whole == 0 {
		layout = "15:04" // a time without a date
	}
	return start.AddDate(0, 0, int(whole)).Add(hours).Format(layout)
}

// badCell makes reading fail because of a cell in the current row. The error begins with "row 3 has a cell", and
// the formatted text continues that sentence.
func (s *Sheet) badCell(format string, args ...any) {
	s.part.fail(fmt.Errorf("row %d has a cell %s", s.row, fmt.Sprintf(format, args...)))
}
