package xlsx

import (
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

// A cell has the attributes of one.
type cell struct {
	place string // such as AB12, or empty
	kind  string // n for a number
	style string // a number from 0
}

// newCell returns the cell of the tag.
func newCell(tag xml.StartElement) cell {
	c := cell{kind: "n", style: "0"}
	for _, a := range tag.Attr {
		switch {
		case a.Value == "":
		case a.Name.Local == "r":
			c.place = a.Value
		case a.Name.Local == "t":
			c.kind = a.Value
		case a.Name.Local == "s":
			c.style = a.Value
		}
	}
	return c
}

// show returns what the cell shows if it has the content.
func (s *Sheet) show(c cell, content string) string {
	formats := s.book.formats
	style, err := strconv.Atoi(c.style)
	if err != nil || style < 0 || style >= len(formats) {
		s.wrong("of the style %.20q of %d, from 0", c.style, len(formats))
		return ""
	}
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
			s.wrong("with the number %.20q", content)
		}
		if len(content) > digits { // else it has no more of them
			x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
		}
		return formats[style].show(x, s.book.date1904)
	case "s":
		n, err := strconv.Atoi(content)
		if err == nil && n >= 0 && n < len(s.book.texts) {
			return s.book.texts[n]
		}
		s.wrong("with the shared text %.20q of %d, from 0", content, len(s.book.texts))
	case "b":
		value, ok := parseTruth(content)
		if !ok {
			s.wrong("with the truth value %.20q", content)
		}
		return strings.ToUpper(strconv.FormatBool(value))
	case "d":
		if strings.Trim(content, "-0123456789.") == "" && strings.Count(content, "-") != 2 {
			content += " as a date" // else it could be taken for a number
		}
	default:
		s.wrong("of the kind %.20q", c.kind)
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

// digits is how many of a number count in Excel: 71.500000000000014 is 71.5.
const digits = 15

// show returns the number as the format has it, without an exponent.
func (f format) show(x float64, date1904 bool) string {
	switch f {
	case moment:
		return cellDate(x, date1904)
	case percentage:
		return strconv.FormatFloat(x*100, 'f', 2, 64) + "%"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// lastDay is 9999-12-31, the last that Excel has.
const lastDay = 2958465

// cellDate returns the moment that is so many days after 1899-12-30, which is right from March
// 1900 on, or after the first of 1904. A number that is no such moment is not taken for a plain
// number either: -1 is "-1 as a date".
func cellDate(days float64, from1904 bool) string {
	if !(days >= 0 && days < lastDay+1) {
		return strconv.FormatFloat(days, 'f', -1, 64) + " as a date"
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
