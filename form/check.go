package form

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/fraction"
	"example.com/boxrules/internal/locale"
)

// Typed is what a customer has typed or chosen in a form.
type Typed struct {
	Article, Material    string
	Width, Depth, Height string
}

// An Issue describes what is wrong with one field of a form.
type Issue struct {
	// Field is article, material, width, depth or height.
	Field string `json:"field"`
	// Kind is the name of the sentence in [Messages] that describes the issue. It is "choice" if the article or the
	// material is missing or unknown.
	Kind string `json:"kind"`
	// Code is the code of the violated rule. It is empty if the issue is not about a rule.
	Code boxrules.Code `json:"code,omitempty"`
	// Message is a sentence for the customer, such as "Depth must be at most 48 mm."
	Message string `json:"message"`
	// Min and Max are values to propose to the customer, as in a [boxrules.Bound]. If the number is out of range,
	// they are the ends of the range. They are nil if there is nothing to propose.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// Messages holds sentences in one language. The keys are the names of the sentences, which form/locales/en.js lists. If
// a sentence is missing, the English sentence is used. The key decimal is special: its value is the decimal separator.
// A key may also be the code of a rule. Its sentence then replaces the usual sentence for that rule.
type Messages map[string]string

// Language returns the messages for a BCP 47 language tag such as "de" or "de-AT". There are messages in English,
// German and French. For any other language, Language returns the English messages. The caller may change the map,
// for example to replace sentences.
func Language(tag string) Messages {
	l, _ := locale.Of(tag)
	messages := maps.Clone(Messages(l.Form))
	messages["decimal"] = l.Decimal
	return messages
}

// Check checks what a customer has typed. It returns either the box or a list of issues. If any fields are missing or
// invalid, there is an issue for each of these fields. Otherwise, if the box is not valid, there is an issue for each
// rule that it violates in the first stage with a violation (see [boxrules.Profile.Bounds]). In the browser, a module
// written by boxrules generate js reports the same issues.
//
// Check panics if e is nil.
func Check(e *boxrules.Engine, typed Typed, messages Messages) (boxrules.Box, []Issue) {
	c := &formChecker{messages: messages, unit: e.Catalogue().Unit(), decimals: e.Catalogue().Decimals()}
	var issues []Issue
	p, err := e.Profile(typed.Article, typed.Material)
	if err != nil {
		field := "article"
		if inputError, ok := err.(*boxrules.InputError); ok {
			field = inputError.Field
		}
		issues = append(issues, c.issue(Issue{Field: field, Kind: "choice"}, c.text(field+"Choice"), nil))
	}
	var dims [3]float64
	for i, text := range []string{typed.Width, typed.Depth, typed.Height} {
		x, issue := c.read(fields[i], text)
		if dims[i] = x; issue != nil {
			issues = append(issues, *issue)
		}
	}
	if len(issues) > 0 {
		return boxrules.Box{}, issues
	}
	box := boxrules.Box{Article: typed.Article, Material: typed.Material, Dims: boxrules.Dims{Width: dims[0], Depth: dims[1], Height: dims[2]}}
	bounds, err := p.Bounds(box.Dims)
	if err != nil { // read has checked the dimensions, so this would be a bug; report it, and do not accept the box
		return boxrules.Box{}, []Issue{{Field: fields[0], Kind: "number", Message: err.Error()}}
	}
	for _, b := range bounds {
		issues = append(issues, c.violation(p, b, dims[slices.Index(fields[:], b.Field)]))
	}
	if len(issues) > 0 {
		return boxrules.Box{}, issues
	}
	return box, nil
}

var fields = [...]string{"width", "depth", "height"}

// A formChecker checks the texts in a form. It reads and writes numbers as people do in the
// language of its messages.
type formChecker struct {
	messages Messages
	unit     string
	decimals int
}

var (
	plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	commaNumber = regexp.MustCompile(`^-?[0-9]+([.,][0-9]+)?$`)
	// ambiguousNumber matches numbers such as 1.234. In some languages, 1.234 means 1234, and in others it is a
	// little more than 1.
	ambiguousNumber = regexp.MustCompile(`^-?[1-9][0-9]{0,2}[.,][0-9]{3}$`)
)

// read returns the number that was typed for a field, or an issue if it is not a valid number.
func (c *formChecker) read(field, text string) (float64, *Issue) {
	problem := func(kind string, params map[string]any) (float64, *Issue) {
		i := c.issue(Issue{Field: field, Kind: kind}, c.text(kind), params)
		return 0, &i
	}
	if text == "" {
		return problem("required", nil)
	}
	x, ok := c.parse(text)
	if !ok && ambiguousNumber.MatchString(text) {
		point := strings.Replace(text, ",", ".", 1)
		whole, _ := strconv.ParseFloat(strings.Replace(point, ".", "", 1), 64)
		part, _ := strconv.ParseFloat(point, 64)
		return problem("unclear", map[string]any{"text": text, "whole": whole, "fraction": part})
	}
	if !ok {
		var example any = 48.5
		switch {
		case c.unit == "in" && c.decimals == 3:
			example = "12 3/8"
		case c.decimals == 0:
			example = 50.0
		}
		return problem("number", map[string]any{"example": example})
	}
	switch {
	case math.Abs(x) > maxDimension:
		return problem("range", map[string]any{"value": x, "min": -maxDimension, "max": maxDimension})
	case !exact.OnStep(x, exact.StepOf(c.decimals)):
		return problem("decimals", map[string]any{"value": x, "decimals": float64(c.decimals)})
	}
	return x, nil
}

const maxDimension = 1e6 // in units

// parse parses a decimal as people write it in the language of the messages. If the unit is inches, it also
// accepts a fraction such as 12 3/8.
func (c *formChecker) parse(text string) (x float64, ok bool) {
	if value, ok := fraction.Parse(text); ok && c.unit == "in" {
		x, _ = value.Float64()
		return x, true
	}
	number, hasComma := plainNumber, c.text("decimal") == ","
	if hasComma {
		number = commaNumber
	}
	isThousands := hasComma && strings.Contains(text, ".") && ambiguousNumber.MatchString(text)
	if len(text) > boxrules.MaxDimensionLength || !number.MatchString(text) || isThousands {
		return 0, false
	}
	x, _ = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64) // cannot fail: the text is not long enough for a number that is out of range
	return x, true
}

// violation returns the issue for a violated rule. value is the number typed for b.Field.
func (c *formChecker) violation(p *boxrules.Profile, b boxrules.Bound, value float64) Issue {
	params := map[string]any{"value": value}
	kind := "together"
	switch {
	case b.Min != nil && b.Max != nil:
		kind = "either"
	case b.Min != nil:
		kind = "atLeast"
	case b.Max != nil:
		kind = "atMost"
	}
	if b.Min != nil {
		params["min"] = *b.Min
	}
	if b.Max != nil {
		params["max"] = *b.Max
	}
	i := Issue{Field: b.Field, Kind: kind, Code: b.Code, Min: b.Min, Max: b.Max}
	if text, ok := c.messages[string(b.Code)]; ok {
		return c.issue(i, text, params)
	}
	// A user-defined rule has its own message. For a documented rule, use the sentence for this kind, which names
	// the bound.
	if _, documented := b.Code.Info(); !documented {
		for _, r := range p.Rules() {
			if r.Code == b.Code {
				return c.issue(i, r.MessageIn(c.text("lang")), params)
			}
		}
	}
	return c.issue(i, c.text(kind), params)
}

// issue returns i with its Message set to text, after replacing the placeholders in the text with the params
// of the same names. A param is a number or a string.
func (c *formChecker) issue(i Issue, text string, params map[string]any) Issue {
	i.Message = locale.FillSentence(text, func(name string) string {
		switch x := params[name].(type) {
		case float64:
			return c.formatNumber(x)
		case string:
			return x
		}
		switch name {
		case "field":
			return c.text(i.Field)
		case "unit":
			if text, ok := c.messages[c.unit]; ok {
				return text // may be empty
			}
			return cmp.Or(c.text(c.unit), c.unit)
		}
		return ""
	})
	if x, ok := params["min"].(float64); ok && i.Min == nil {
		i.Min = &x
	}
	if x, ok := params["max"].(float64); ok && i.Max == nil {
		i.Max = &x
	}
	return i
}

// text returns the message with the given name. If the language has no such message, text returns the English one.
func (c *formChecker) text(name string) string {
	if text, ok := c.messages[name]; ok {
		return text
	}
	english, _ := locale.Of("en")
	if name == "decimal" {
		return english.Decimal
	}
	return english.Form[name]
}

// formatNumber formats a number with at most three decimals, as people write it in the language of the messages.
func (c *formChecker) formatNumber(x float64) string {
	text := strconv.FormatFloat(math.Floor(x*1000+0.5)/1000, 'f', -1, 64)
	return strings.Replace(text, ".", c.text("decimal"), 1)
}
