package xlsx

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// cellColumn returns the number of the column, from 1, of a cell reference such as AB12, which is in column
// 1*26 + 2 = 28. It returns 0 for a text that is not a reference. A cell without a reference follows the
// previous one.
func cellColumn(reference string, previousColumn int) (column int) {
	if reference == "" {
		return previousColumn + 1
	}
	// A is 1 and Z is 26, with no letter for 0: after Z comes AA, which is 1*26 + 1.
	letters := strings.TrimRight(reference, "0123456789")
	for _, l := range letters {
		if l < 'A' || l > 'Z' || len(letters) > 3 || letters == reference {
			return 0
		}
		column = column*26 + int(l-'A') + 1
	}
	return column
}

// A cell holds the attributes of a c element.
type cell struct {
	reference string // such as AB12, or empty
	kind      string // n for a number; Sheet.cellText has the others
	style     string // the number of the style, from 0
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

// cellText returns the text of a cell with the given content, as the documentation of Sheet describes it.
func (s *Sheet) cellText(c cell, content string) string {
	formats := s.book.formats
	style, err := strconv.Atoi(c.style)
	if err != nil || style < 0 || style >= len(formats) {
		s.badCell("with the style %.20q, but there are %d, numbered from 0", c.style, len(formats))
		return ""
	}
	// Cells of these kinds contain their text, and white space at its ends is part of it.
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
		if len(content) > significantDigits { // a shorter content cannot have more digits
			x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', significantDigits, 64), 64)
		}
		return formats[style].text(x, s.book.date1904)
	case "s":
		n, err := strconv.Atoi(content)
		if err == nil && n >= 0 && n < len(s.book.sharedTexts) {
			return s.book.sharedTexts[n]
		}
		s.badCell("with the shared text %.20q, but there are %d, numbered from 0", content, len(s.book.sharedTexts))
	case "b":
		value, ok := parseXMLBool(content)
		if !ok {
			s.badCell("with the invalid boolean %.20q", content)
		}
		return strings.ToUpper(strconv.FormatBool(value))
	case "d":
		if strings.Trim(content, "-0123456789.") == "" && strings.Count(content, "-") != 2 {
			content += " as a date" // so that it is not taken for a number
		}
	default:
		s.badCell("of the unknown kind %.20q", c.kind)
	}
	return content
}

// A cellFormat says what the number in a cell means.
type cellFormat byte

const (
	number   cellFormat = iota
	dateTime            // a date, a time or both
	percentage
)

// builtInCellFormat returns the built-in format with the id, including those for East Asian languages. ECMA-376
// lists them under numFmt.
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
	// elapsedTimeCode matches the part of a code for hours over 24, such as [h].
	elapsedTimeCode = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	// formatLiteral matches the literal texts in a code, and its colors and languages, such as [Red].
	formatLiteral = regexp.MustCompile(`"[^"]*"?|[\\_*].|\[[^\]]*\]`)
)

// parseCellFormat returns the format for a code such as "d.m.yyyy", "0.0%" or "[h]:mm".
func parseCellFormat(code string) cellFormat {
	// Elapsed time is replaced first, because literal would remove its brackets. After that 0.0" mm" becomes 0.0,
	// a number; with the literal text in it, the m would make it a date.
	code = formatLiteral.ReplaceAllString(elapsedTimeCode.ReplaceAllString(code, "h"), "")
	switch {
	case strings.ContainsAny(code, "yYmMdDhHsS"):
		return dateTime
	case strings.Contains(code, "%"):
		return percentage
	}
	return number
}

// significantDigits is how many digits of a number Excel shows: for it, 71.500000000000014 is 71.5.
const significantDigits = 15

// text returns the number in the format, without an exponent.
func (f cellFormat) text(x float64, date1904 bool) string {
	switch f {
	case dateTime:
		return cellDateText(x, date1904)
	case percentage:
		return strconv.FormatFloat(x*100, 'f', 2, 64) + "%"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// lastDay is 9999-12-31, the last day in Excel.
const lastDay = 2958465

// cellDateText returns the date and time that is the given number of days after 1904-01-01, or, if from1904 is not
// set, after 1899-12-30. Excel counts 1900-01-01 as day 1, and takes 1900 for a leap year, which it was not. So
// counting from 1899-12-30 gives the right date from March 1900 on.
//
// If the number is not a date in Excel, cellDateText returns a text that cannot be mistaken for a number: for -1 that
// is "-1 as a date".
func cellDateText(days float64, from1904 bool) string {
	if !(days >= 0 && days < lastDay+1) {
		return strconv.FormatFloat(days, 'f', -1, 64) + " as a date"
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	// Half a day is 12 hours. Rounding corrects fractions such as 1/3, which a float64 does not hold exactly.
	whole, part := math.Modf(days)
	hours := time.Duration(part * float64(24*time.Hour)).Round(time.Minute)
	layout := "2006-01-02 15:04"
	if whole == 0 {
		layout = "15:04" // a time alone
	}
	return start.AddDate(0, 0, int(whole)).Add(hours).Format(layout)
}
