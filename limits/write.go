package limits

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/boxrules/exact"
)

// Append appends the catalogue to dst in the format of a limit file. If [Load] reads the text, it returns an
// equal catalogue. For equal catalogues, Append writes the same text. If comment is not nil, Append calls it
// with the path of each entry, such as "articles", "tuck-end", "width", and writes the result as a comment
// after the entry. The result must be one line without the #, or "" for no comment. If the catalogue is a
// frame, the values that it leaves out are written as 0, which [Load] refuses.
func (c *Catalogue) Append(dst []byte, comment func(path ...string) string) []byte {
	// An entry without a value, such as an article, starts a block. Its fields follow, one level deeper.
	w := writer{dst, comment}
	w.writeEntry("1", "version")
	w.writeEntry(yamlScalar(c.file.Unit), "unit")
	if c.file.Decimals != nil {
		w.writeEntry(strconv.Itoa(*c.file.Decimals), "decimals")
	}
	if len(c.file.Values) > 0 {
		w.text = append(w.text, '\n')
		w.writeEntry("", "values")
		for _, name := range slices.Sorted(maps.Keys(c.file.Values)) {
			w.writeEntry(c.file.Values[name].String(), "values", name)
		}
	}
	w.startTable("sheets")
	for _, s := range c.file.Sheets {
		w.writeEntry(fmt.Sprintf("{width: %s, height: %s}", s.Width, s.Height), "sheets", s.Code)
	}
	w.startTable("materials")
	for _, m := range c.file.Materials {
		text := fmt.Sprintf("caliper: %s, glue_flap: %s, sheet: %s", m.Caliper, m.GlueFlap, yamlScalar(m.Sheet.Code))
		if m.MinSheets > 0 {
			text += fmt.Sprintf(", min_sheets: %d", m.MinSheets)
		}
		if len(m.Values) > 0 {
			text += ", values: " + yamlValues(m.Values)
		}
		w.writeEntry("{"+text+"}", "materials", m.Code)
	}
	w.startTable("articles")
	for _, a := range c.file.Articles {
		w.writeArticle(a)
	}
	return w.text
}

type writer struct {
	text    []byte
	comment func(path ...string) string
}

// writeEntry writes the entry at the path on a line of its own, indented by two spaces for each level.
func (w *writer) writeEntry(value string, path ...string) {
	last := len(path) - 1
	w.text = append(w.text, strings.Repeat("  ", last)+yamlScalar(path[last])+":"...)
	if value != "" {
		w.text = append(w.text, " "+value...)
	}
	if w.comment != nil {
		if text := w.comment(path...); text != "" {
			w.text = append(w.text, "  # "+text...)
		}
	}
	w.text = append(w.text, '\n')
}

func (w *writer) startTable(name string) {
	w.text = append(w.text, '\n')
	w.writeEntry("", name)
}

func (w *writer) writeArticle(a Article) {
	// The path of a field begins with the table and the code of the article.
	writeField := func(value string, names ...string) {
		w.writeEntry(value, append([]string{"articles", a.Code}, names...)...)
	}
	writeField("")
	if a.Title != "" {
		writeField(yamlScalar(a.Title), "title")
	}
	writeField(yamlList(a.Materials), "materials")
	for axis, r := range a.Ranges() {
		writeField(fmt.Sprintf("{min: %s, max: %s}", r.Min, r.Max), exact.AxisNames()[axis])
	}
	writeField(yamlList(a.Constraints), "constraints")
	if len(a.Values) > 0 {
		writeField(yamlValues(a.Values), "values")
	}
	if a.Blank != nil && a.Blank.Style != "" {
		writeField("", "blank")
		writeField(yamlScalar(a.Blank.Style), "blank", "style")
	} else if a.Blank != nil {
		writeField("", "blank")
		writeField(yamlScalar(a.Blank.Width.Text), "blank", "width")
		writeField(yamlScalar(a.Blank.Height.Text), "blank", "height")
	}
}

// plainScalar matches texts that need no quotes in YAML, even inside brackets. Such a text begins with a
// letter, a parenthesis, or a number and an asterisk, as in 2*width. It contains no colon, comma or #.
// plainScalar also matches the reservedWords, although they need quotes.
var plainScalar = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\pL|\(|[0-9.]+ ?\*)([\pL\pN()*+./_ -]*[\pL\pN()*+./_-])?$`)
})

// reservedWords are words that some versions of YAML do not read as text.
var reservedWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// yamlScalar returns the text as YAML on one line, in quotes if it needs them.
func yamlScalar(text string) string {
	if plainScalar().MatchString(text) && !slices.Contains(reservedWords, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

// yamlValues returns the values as a YAML mapping on one line, sorted by name.
func yamlValues(values Values) string {
	var items []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		items = append(items, yamlScalar(name)+": "+values[name].String())
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// yamlList returns the texts as a YAML list on one line.
func yamlList(texts []string) string {
	items := make([]string, len(texts))
	for i, text := range texts {
		items[i] = yamlScalar(text)
	}
	return "[" + strings.Join(items, ", ") + "]"
}
