package xlsx

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A format says what a cell shows its number as.
type format byte

const (
	number format = iota
	moment        // a date, a time or both
	percentage
)

// readFormats reads which style of cells shows what.
func (b *book) readFormats(name string) error {
	own := make(map[string]format) // by the number that styles name them by
	var formats []format
	err := b.each(name, func(p *part, token xml.Token) error {
		tag, _ := token.(xml.StartElement)
		switch {
		case tag.Name.Local == "numFmt":
			own[attribute(tag, "numFmtId")] = formatOf(attribute(tag, "formatCode"))
		case tag.Name.Local == "xf" && len(p.path) > 1 && p.path[len(p.path)-2] == "cellXfs":
			id := attribute(tag, "numFmtId")
			f, ok := own[id]
			if !ok {
				f = builtIn(id)
			}
			formats = append(formats, f)
		}
		if len(own) > maxStyles || len(formats) > maxStyles {
			return errStyles
		}
		return nil
	})
	if len(formats) > 0 {
		b.formats = formats
	}
	return err
}

// builtIn returns the format that every workbook has under the number, those of East Asia
// among them.
func builtIn(id string) format {
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

// formatOf returns what a code such as "d.m.yyyy", "0.0%" or "[h]:mm" shows.
func formatOf(code string) format {
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
		return date(x, text, date1904)
	case percentage:
		return strconv.FormatFloat(x*100, 'f', 2, 64) + "%"
	}
	return text
}

// lastDay is 9999-12-31, the last that Excel has.
const lastDay = 2958465

// date returns the moment that is so many days after 1899-12-30, which is right from March 1900 on,
// or after the first of 1904. A number that is no such moment is not taken for a plain number
// either: -1 is "-1 as a date".
func date(days float64, text string, from1904 bool) string {
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
