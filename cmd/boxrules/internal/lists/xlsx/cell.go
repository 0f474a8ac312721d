package xlsx

import (
	"cmp"
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// cellColumn returns the number of the column that a place such as AB12 is in. It returns 0 for
// what is no place, and the column behind the one before where nothing says the place.
func cellColumn(place string, before int) (column int) {
	if place == "" {
		return before + 1
	}
	letters := strings.TrimRight(place, "0123456789")
	for _, l := range letters {
		if l < 'A' || l > 'Z' || len(letters) > 3 || letters == place {
			return 0
		}
		column = column*26 + int(l-'A') + 1
	}
	return column
}

// show returns what a cell of the tag shows, which has the content.
func (s *Sheet) show(tag xml.StartElement, content string) string {
	kind, formats := attribute(tag, "t"), s.book.formats
	style, err := strconv.Atoi(cmp.Or(attribute(tag, "s"), "0"))
	if err != nil || style < 0 || style >= len(formats) {
		s.wrong("of the style %.20q of %d, from 0", attribute(tag, "s"), len(formats))
		return ""
	}
	if kind == "str" || kind == "inlineStr" || kind == "e" {
		return content
	}
	content = strings.TrimSpace(content)
	if content == "" {
		return ""
	}
	switch kind {
	case "", "n":
		x, err := strconv.ParseFloat(content, 64)
		if err != nil || strings.Trim(content, "+-0123456789.eE") != "" {
			s.wrong("with the number %.20q", content)
		}
		return formats[style].show(x, s.book.date1904)
	case "s":
		n, err := strconv.Atoi(content)
		if err == nil && n >= 0 && n < len(s.book.texts) {
			return s.book.texts[n]
		}
		s.wrong("with the shared text %.20q of %d, from 0", content, len(s.book.texts))
	case "b":
		if content == "0" || content == "false" {
			return "FALSE"
		}
		return "TRUE"
	case "d":
		if strings.Trim(content, "-0123456789.") == "" && strings.Count(content, "-") != 2 {
			content += " as a date" // else it could be taken for a number
		}
	default:
		s.wrong("of the kind %.20q", kind)
	}
	return content
}

// A format says what a cell shows its number as.
type format byte

const (
	number format = iota
	moment        // a date, a time or both
	percentage
)

// builtInCellFormat returns the format that every workbook has under the number, those of East Asia
// among them.
func builtInCellFormat(id string) format {
	n, _ := strconv.Atoi(id)
	switch {
	case n == 9 || n == 10:
		return percentage
	case 14 <= n && n <= 22, 27 <= n && n <= 36, 45 <= n && n <= 47, 50 <= n && n <= 58:
		return moment
	}
	return number
}

var (
	elapsed = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	// literal matches what a code shows as it stands, and what it says of colours and countries.
	literal = regexp.MustCompile(`"[^"]*"?|[\\_*].|\[[^\]]*\]`)
)

// cellFormat returns what a code such as "d.m.yyyy", "0.0%" or "[h]:mm" shows.
func cellFormat(code string) format {
	code = literal.ReplaceAllString(elapsed.ReplaceAllString(code, "h"), "")
	switch {
	case strings.ContainsAny(code, "yYmMdDhHsS"):
		return moment
	case strings.Contains(code, "%"):
		return percentage
	}
	return number
}

// show returns the number as the format has it. It takes the 15 digits that count in Excel,
// and no exponent: 71.500000000000014 is 71.5.
func (f format) show(x float64, date1904 bool) string {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64)
	text := strconv.FormatFloat(x, 'f', -1, 64)
	switch f {
	case moment:
		return cellDate(x, text, date1904)
	case percentage:
		return strconv.FormatFloat(x*100, 'f', 2, 64) + "%"
	}
	return text
}

// lastDay is 9999-12-31, the last that Excel has.
const lastDay = 2958465

// cellDate returns the moment that is so many days after 1899-12-30, which is right from March
// 1900 on, or after the first of 1904. A number that is no such moment is not taken for a plain
// number either: -1 is "-1 as a date".
func cellDate(days float64, text string, from1904 bool) string {
	if !(days >= 0 && days < lastDay+1) {
		return text + " as a date"
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if from1904 {
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole, part := math.Modf(days)
	hours := time.Duration(part * float64(24*time.Hour)).Round(time.Minute)
	layout := "2006-01-02 15:04"
	if whole == 0 {
		layout = "15:04" // a time alone
	}
	return start.AddDate(0, 0, int(whole)).Add(hours).Format(layout)
}
