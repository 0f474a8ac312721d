package limits

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/boxrules/exact"
)

// Append appends the catalogue to dst as a limit file, which [Load] reads as the same catalogue.
// The same catalogue is always the same text. A comment, where it is not nil, returns what is said
// behind the entry at a path, such as "articles", "tuck-end", "width": one line without its #, or
// nothing. What a frame lacks is written as 0, which [Load] refuses.
func (c *Catalogue) Append(dst []byte, comment func(path ...string) string) []byte {
	w := writer{dst, comment}
	w.line("1", "version")
	w.line(scalar(c.file.Unit), "unit")
	if c.file.Decimals != nil {
		w.line(strconv.Itoa(*c.file.Decimals), "decimals")
	}
	w.table("sheets")
	for _, s := range c.file.Sheets {
		w.line(fmt.Sprintf("{width: %s, height: %s}", s.Width, s.Height), "sheets", s.Code)
	}
	w.table("materials")
	for _, m := range c.file.Materials {
		text := fmt.Sprintf("caliper: %s, glue_flap: %s, sheet: %s", m.Caliper, m.GlueFlap, scalar(m.Sheet.Code))
		if m.MinSheets > 0 {
			text += fmt.Sprintf(", min_sheets: %d", m.MinSheets)
		}
		w.line("{"+text+"}", "materials", m.Code)
	}
	w.table("articles")
	for _, a := range c.file.Articles {
		w.article(a)
	}
	return w.text
}

type writer struct {
	text    []byte
	comment func(path ...string) string
}

// line writes the entry at the path, indented as deep as it lies.
func (w *writer) line(value string, at ...string) {
	last := len(at) - 1
	w.text = append(w.text, strings.Repeat("  ", last)+scalar(at[last])+":"...)
	if value != "" {
		w.text = append(w.text, " "+value...)
	}
	if w.comment != nil {
		if text := w.comment(at...); text != "" {
			w.text = append(w.text, "  # "+text...)
		}
	}
	w.text = append(w.text, '\n')
}

func (w *writer) table(name string) {
	w.text = append(w.text, '\n')
	w.line("", name)
}

func (w *writer) article(a Article) {
	field := func(value string, names ...string) {
		w.line(value, append([]string{"articles", a.Code}, names...)...)
	}
	field("")
	if a.Title != "" {
		field(scalar(a.Title), "title")
	}
	field(list(a.Materials), "materials")
	for axis, r := range []Range{a.Width, a.Depth, a.Height} {
		field(fmt.Sprintf("{min: %s, max: %s}", r.Min, r.Max), exact.AxisNames()[axis])
	}
	field(list(a.Constraints), "constraints")
	if a.Blank != nil {
		field("", "blank")
		field(scalar(a.Blank.Width.Text), "blank", "width")
		field(scalar(a.Blank.Height.Text), "blank", "height")
	}
}

// plain matches what YAML reads as text without quotes, also in brackets, but for words: it begins
// with a letter, a parenthesis or a product such as 2*, and has no colon, comma or #.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\pL|\(|[0-9.]+ ?\*)([\pL\pN()*+./_ -]*[\pL\pN()*+./_-])?$`)
})

// words mean something else in some version of YAML.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// scalar returns the text as YAML that is one line, in quotes where it needs them.
func scalar(text string) string {
	if plain().MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

// list returns the texts as a YAML list in one line.
func list(texts []string) string {
	items := make([]string, len(texts))
	for i, text := range texts {
		items[i] = scalar(text)
	}
	return "[" + strings.Join(items, ", ") + "]"
}
