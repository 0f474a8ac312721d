// Package header finds the columns of a box in the header of a list, as people write headers: in
// any case, with a unit in parentheses, or under names that --rename gives. It guesses no
// synonyms.
package header

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
	"example.com/boxrules/internal/wording"
)

// Options say which fields to look for. A field such as width has a column of that name.
type Options struct {
	Required   []string // the list must have a column for each, in the order of messages
	Optional   []string
	Dimensions []string // those of them whose column may have a unit
	Above      int      // rows that stand above the header

	Flags []string // those that a flag of their name can give instead of a column
	Given []string // those that a flag gives, which must have no column

	Names map[string]string // what the column of a field is called, from [ParseColumns] or --expect
	Unit  string            // of the dimensions, one of [number.Units], from --unit; empty where that is not given
}

// Found says where the columns are.
type Found struct {
	Columns map[string]int    // of the fields, from 0; a field that the header does not have is missing
	Units   map[string]string // of the dimensions, from the header or --unit; empty where neither says one
	Note    string            // what was understood though it is not written as documented, in one line; empty for nothing
}

// A title holds a cell of the header: "Width (mm)" has the name Width and the unit mm.
type title struct {
	text string // without needless spaces
	name string // the text without what is in parentheses at its end
	unit string // what is in these parentheses, in lower case
}

func newTitle(cell string) title {
	text := plain(cell)
	for _, pair := range []string{"()", "[]"} {
		before, closed := strings.CutSuffix(text, pair[1:])
		if i := strings.LastIndex(before, pair[:1]); closed && i >= 0 {
			return title{text, strings.TrimSpace(before[:i]), strings.ToLower(strings.TrimSpace(before[i+1:]))}
		}
	}
	return title{text: text, name: text}
}

// plain takes off byte order marks and leaves one space where there are several, or line breaks.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\ufeff", " ")), " ")
}

// Find looks for the fields among the columns. Its errors are one line.
func Find(header []string, o Options) (Found, error) {
	f := finder{Options: o}
	for _, cell := range header {
		f.titles = append(f.titles, newTitle(cell))
	}
	found := Found{Columns: map[string]int{}, Units: map[string]string{}}
	known := slices.Concat(o.Required, o.Optional)
	for _, field := range slices.Sorted(maps.Keys(o.Names)) {
		if !slices.Contains(known, field) {
			return found, fmt.Errorf("--rename: there is no field %s; accepted: %s",
				wording.Quote(field), strings.Join(known, ", "))
		}
	}
	var missing, understood []string
	for _, field := range known {
		column, err := f.column(field)
		if err != nil {
			return found, err
		}
		if column < 0 {
			if slices.Contains(o.Required, field) && !slices.Contains(o.Given, field) {
				missing = append(missing, field)
			}
			continue
		}
		for other, taken := range found.Columns {
			if taken == column {
				return found, fmt.Errorf("%s is taken for both %s and %s; accepted: a column for each, as in --rename %s=NAME",
					f.cite(column), other, field, other)
			}
		}
		found.Columns[field] = column
		if found.Units[field], err = f.unit(field, column); err != nil {
			return found, err
		}
		if text := f.understood(field, column); text != "" {
			understood = append(understood, text)
		}
	}
	if len(missing) > 0 {
		return found, f.lacks(header, missing)
	}
	if len(understood) > 0 {
		found.Note = "taking " + strings.Join(understood, ", ")
	}
	return found, nil
}

// A finder looks for fields in a header.
type finder struct {
	Options
	titles []title
}

func (f *finder) cite(column int) string {
	return fmt.Sprintf("column %d %s", column+1, wording.Quote(f.titles[column].text))
}

// column returns the field's column, or -1 where there is none.
func (f *finder) column(field string) (int, error) {
	matches := f.matches(field)
	name, named := f.Names[field]
	given := slices.Contains(f.Given, field)
	switch {
	case given && named:
		return 0, fmt.Errorf("%s is given twice, by --%[1]s and --rename; accepted: one of them", field)
	case given && len(matches) > 0:
		return 0, fmt.Errorf("%s is given twice, by --%[1]s and by %s; accepted: one of them", field, f.cite(matches[0]))
	case len(matches) > 1:
		return 0, fmt.Errorf("%s and %s are both %s; accepted: one of them, as in --rename %[3]s=NAME",
			f.cite(matches[0]), f.cite(matches[1]), field)
	case len(matches) == 1:
		return matches[0], nil
	case named:
		return 0, fmt.Errorf("there is no column %s for %s; accepted: %s", wording.Quote(name), field, f.all())
	}
	return -1, nil
}

// matches returns the columns that could be the field's. The title of one is in any case the name
// that --rename gives, or the field's own. That of a dimension may have a unit behind it; beside
// the very name that --rename gives it does not count.
func (f *finder) matches(field string) []int {
	name, named := f.Names[field]
	name = plain(cmp.Or(name, field))
	if exact := f.where(func(t title) bool { return t.text == name }); named && len(exact) == 1 {
		return exact
	}
	matches := f.where(func(t title) bool { return strings.EqualFold(t.text, name) })
	if slices.Contains(f.Dimensions, field) && (matches == nil || !named) {
		matches = f.where(func(t title) bool { return strings.EqualFold(t.name, name) })
	}
	return matches
}

func (f *finder) where(is func(title) bool) (matches []int) {
	for i, t := range f.titles {
		if is(t) {
			matches = append(matches, i)
		}
	}
	return matches
}

// all returns the titles of the header, in quotes.
func (f *finder) all() string {
	var quoted []string
	for _, t := range f.titles {
		if t.text != "" {
			quoted = append(quoted, wording.Quote(t.text))
		}
	}
	return wording.List(quoted)
}

// unit returns the unit of the field's column: that of its title, otherwise --unit.
func (f *finder) unit(field string, column int) (string, error) {
	t := f.titles[column]
	_, named := f.Names[field]
	known := slices.Contains(number.Units, t.unit)
	switch {
	case !slices.Contains(f.Dimensions, field):
		return "", nil
	case t.name == t.text, named && f.Unit != "" && !known:
		return f.Unit, nil
	case !known:
		return "", fmt.Errorf("%s has no unit in its parentheses; accepted: %s; where they hold a remark, --rename %s and --unit",
			f.cite(column), strings.Join(number.Units, ", "), wording.Quote(field+"="+t.text))
	case f.Unit != "" && f.Unit != t.unit:
		return "", fmt.Errorf("%s is in %s, and --unit says %s; accepted: the same unit, or no --unit",
			f.cite(column), t.unit, f.Unit)
	}
	return t.unit, nil
}

// understood returns how the column was taken, such as "Breite (cm)" as width in cm. It returns
// nothing for a title that is the field's name or that of --rename.
func (f *finder) understood(field string, column int) string {
	t := f.titles[column]
	name, named := f.Names[field]
	switch {
	case slices.Contains(f.Dimensions, field) && slices.Contains(number.Units, t.unit):
		return wording.Quote(t.text) + " as " + field + " in " + t.unit
	case named && t.text == plain(name), !named && t.text == field:
		return ""
	}
	return wording.Quote(t.text) + " as " + field
}

func (f *finder) lacks(header, missing []string) error {
	var names []string
	more := ""
	for _, field := range missing {
		names = append(names, field+"=NAME")
		if slices.Contains(f.Flags, field) {
			more += ", or --" + field
		}
	}
	switch {
	case len(missing)+len(f.Given) == len(f.Required):
		more += fmt.Sprintf("; where this is a title above the header, --skip %d", f.Above+1)
	case slices.Contains(missing, "depth"):
		more += "; a length is most often our width, and the width beside it our depth"
	}
	return fmt.Errorf("the header %s, %s, lacks %s; accepted: columns of these names in the first row, or --rename %s%s",
		wording.Quote(strings.Join(header, ", ")), console.Count(len(header), "column", "columns"),
		strings.Join(missing, ", "), strings.Join(names, ","), more)
}

// delimiters lists what Delimiter finds out.
var delimiters = []struct {
	char rune
	name string
}{{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}

// Delimiter returns what separates the cells of the header: of comma, semicolon, tab and bar the
// only one that Find finds all columns with, or where it does with none, the one that makes most
// cells. The note says what was found, and is empty for a comma.
func Delimiter(header []byte, o Options) (delimiter byte, note string, err error) {
	found, most := false, 0
	chosen := delimiters[0]
	for _, d := range delimiters {
		cells := split(string(header), d.char)
		_, err := Find(cells, o)
		switch {
		case err == nil && found:
			return 0, "", fmt.Errorf("the header %s has both %s and %s; accepted: --delimiter with what separates the columns",
				wording.Quote(string(header)), chosen.name, d.name)
		case err == nil:
			found, chosen = true, d
		case !found && len(cells) > most:
			most, chosen = len(cells), d
		}
	}
	if chosen.char == ',' {
		return ',', "", nil
	}
	return byte(chosen.char), "the columns are separated by " + chosen.name, nil
}

// split returns the cells of a line, in which a quote may stand for inches.
func split(line string, delimiter rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = delimiter, true
	cells, _ := r.Read() // none of a line that is empty
	return cells
}

// Sep returns the delimiter that a first line such as sep=; names. Excel writes such a line, with
// the header below it.
func Sep(line []byte) (delimiter byte, ok bool) {
	text := strings.TrimRight(strings.TrimPrefix(string(line), "\ufeff"), "\r\n")
	if len(text) != len("sep=;") || !strings.EqualFold(text[:4], "sep=") ||
		strings.Trim(text[4:], " ,;\t|:!#$%&*/\\^_~") != "" {
		return 0, false
	}
	return text[4], true
}

// acceptedNames says what --rename takes.
const acceptedNames = `; accepted: FIELD=NAME,…, such as width=Breite,depth=T; with a comma in NAME "FIELD=NAME"`

// ParseColumns reads the text of --rename, and returns what the columns are called by field.
// Commas separate entries as they do the fields of CSV: "width=B, innen",depth=T has two.
func ParseColumns(text string) (map[string]string, error) {
	entries := split(plain(text), ',')
	if entries == nil {
		return nil, errors.New("--rename is empty" + acceptedNames)
	}
	names := map[string]string{}
	for _, entry := range entries {
		field, name, _ := strings.Cut(entry, "=")
		field, name = plain(field), plain(name)
		if field == "" || name == "" {
			return nil, fmt.Errorf("--rename: %s%s", wording.Quote(entry), acceptedNames)
		}
		if other, twice := names[field]; twice {
			return nil, fmt.Errorf("--rename gives %s twice, %s and %s; accepted: one name for a field",
				wording.Cut(field), wording.Quote(other), wording.Quote(name))
		}
		names[field] = name
	}
	return names, nil
}
