package sheet

import (
	"encoding/xml"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// readDates says of each cell style whether it shows numbers as dates or times.
func (w *workbook) readDates() ([]bool, error) {
	if w.style == "" {
		return nil, nil
	}
	var read struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Styles []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.unmarshal(w.style, &read); err != nil {
		return nil, err
	}
	codes := map[int]bool{}
	for _, f := range read.Formats {
		codes[f.ID] = isDateFormat(f.Code)
	}
	var dates []bool
	for _, s := range read.Styles {
		date, own := codes[s.Format]
		dates = append(dates, own && date || !own && isDateID(s.Format))
	}
	return dates, nil
}

// isDateID knows the formats that are built in, those of East Asia included.
func isDateID(id int) bool {
	return 14 <= id && id <= 22 || 27 <= id && id <= 36 || 45 <= id && id <= 47 || 50 <= id && id <= 58
}

// literal is what in a number format is shown as it is, and what is in brackets but for elapsed times.
var literal = regexp.MustCompile(`"[^"]*"|[\\_*].|\[(?i:h+|m+|s+)\]|\[[^\]]*\]`)

func isDateFormat(code string) bool {
	code = literal.ReplaceAllStringFunc(code, func(part string) string {
		if part[0] == '[' && strings.Trim(strings.ToLower(part), "[hms]") == "" {
			return "h"
		}
		return ""
	})
	code, _, _ = strings.Cut(code, ";") // of negative numbers and texts
	return !strings.EqualFold(code, "General") && strings.ContainsAny(strings.ToLower(code), "ymdhs")
}

// dateText is the date or time that Excel shows for a number, so that none is taken for a dimension.
func dateText(number string, date1904 bool) string {
	days, err := strconv.ParseFloat(number, 64)
	if err != nil || !(0 <= days && days < 2_958_466) { // the year 10000
		return "#" + number
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60: // Excel has a 29 February 1900
		first = first.AddDate(0, 0, 1)
	}
	whole, part := math.Modf(days)
	moment := first.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*86400)) * time.Second)
	switch {
	case part == 0:
		return moment.Format(time.DateOnly)
	case whole == 0:
		return moment.Format(time.TimeOnly)
	}
	return moment.Format(time.DateTime)
}

// shownDigits is how many digits Excel shows of a number, whatever it stores.
const shownDigits = 15

// plainNumber is the stored number as Excel shows it at its most exact: a plain decimal of at most 15 digits that
// count. What is no number stays as it is.
func plainNumber(stored string) string {
	digits := strings.TrimPrefix(stored, "-")
	if len(digits) <= shownDigits && strings.Trim(digits, "0123456789.") == "" {
		return stored
	}
	if strings.Trim(stored, "+-0123456789.eE") != "" {
		return stored
	}
	x, err := strconv.ParseFloat(stored, 64)
	if err != nil {
		return stored
	}
	shown, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', shownDigits-1, 64), 64)
	return strconv.FormatFloat(shown, 'f', -1, 64)
}

// A cell is one as it is stored.
type cell struct {
	kind    string // its attribute t
	style   string // its attribute s
	value   []byte
	formula []byte

	valued, calculated bool // whether there is a value, a formula
}

// text is what the cell says. What is no number and no text is made such that it cannot be taken for a dimension: TRUE,
// 2026-01-31, and for a formula that has not been calculated the formula.
func (s *Sheet) text(c *cell) (string, error) {
	value := string(c.value)
	if c.kind != "inlineStr" && c.kind != "str" {
		value = strings.TrimSpace(value)
	}
	if c.calculated && (!c.valued || value == "" && c.kind != "str") {
		return "=" + string(c.formula), nil
	}
	switch c.kind {
	case "s":
		if !c.valued {
			return "", nil
		}
		text, err := s.texts.text(value)
		return string(text), err
	case "str", "inlineStr", "e", "d":
		return value, nil
	case "b":
		switch value {
		case "1", "true":
			return "TRUE", nil
		case "0", "false":
			return "FALSE", nil
		}
		return "", errors.New("is no truth value; accepted: a workbook saved anew")
	case "", "n":
		if style, err := strconv.Atoi(c.style); err == nil && 0 <= style && style < len(s.dates) && s.dates[style] && value != "" {
			return dateText(value, s.date1904), nil
		}
		return plainNumber(value), nil
	}
	return "", errors.New("has a kind of value that is not known; accepted: a workbook saved anew")
}

// take collects what is between the tags of the cell; the name is that of the tag around.
func (c *cell) take(name string, text xml.CharData) {
	switch name {
	case "v":
		c.value = append(c.value, text...)
	case "f":
		c.formula = append(c.formula, text...)
	}
}
