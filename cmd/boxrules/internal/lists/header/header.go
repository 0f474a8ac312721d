// Package header finds the columns of a box in the header of a list. It accepts the header as people write it: in
// upper or lower case, with units in parentheses, and with the titles that --rename gives. It does not guess
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

// Options say which fields to look for in the header. The title of a field's column is the name of the field, such as
// width, unless Names gives another title.
type Options struct {
	Required   []string // the fields that must have a column, in the order in which messages list them
	Optional   []string
	Dimensions []string // the fields whose columns may have a unit
	RowsAbove  int      // the number of rows above the header

	Flags []string // the fields for which there is a flag, with the same name, that can replace the column
	Given []string // the fields for which that flag is given; they must not have a column

	Names    map[string]string // the titles of columns from [ParseColumns] or --expect, keyed by field
	NoQuotes bool              // whether quotes are ordinary characters

	Unit       string // the unit that --unit gives for the dimensions, one of [number.Units]; empty without --unit
	LimitsUnit string // the unit of dimensions for which neither the header nor --unit gives one
}

// Found is the result of Find.
type Found struct {
	Columns map[string]int    // the indexes of columns, keyed by field; a field without a column has no entry
	Units   map[string]string // the units from the header or --unit, keyed by dimension; empty if neither gives a unit
	Note    string            // tells the user in one line about titles that were not matched exactly; empty if all were
}

// A title is a parsed cell of the header. The titles "Width (mm)" and "Width mm" both have the name Width and the
// unit mm.
type title struct {
	text string // the whole title, with each run of white space replaced with one space
	name string // the text without a final unit or text in parentheses
	unit string // that final unit or text, in lower case
}

func parseTitle(cell string) title {
	text := normalizeTitle(cell)
	for _, pair := range []string{"()", "[]"} {
		// The unit begins after the last opening parenthesis: in "Width (inner) (mm)" it is mm.
		before, closed := strings.CutSuffix(text, pair[1:])
		if i := strings.LastIndex(before, pair[:1]); closed && i >= 0 {
			return title{text, strings.TrimSpace(before[:i]), strings.ToLower(strings.TrimSpace(before[i+1:]))}
		}
	}
	// The last word may be a unit without parentheses, as in "Width in".
	if i := strings.LastIndexByte(text, ' '); i >= 0 && slices.Contains(number.Units, strings.ToLower(text[i+1:])) {
		return title{text, text[:i], strings.ToLower(text[i+1:])}
	}
	return title{text: text, name: text}
}

// normalizeTitle replaces each run of white space, such as a line break, with a single space, and trims both ends.
// It treats byte order marks as white space.
func normalizeTitle(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\ufeff", " ")), " ")
}

// Find looks for the column of each field. The text of every error is a single line.
func Find(header []string, o Options) (Found, error) {
	f := columnFinder{Options: o}
	for _, cell := range header {
		f.titles = append(f.titles, parseTitle(cell))
	}
	found := Found{Columns: map[string]int{}, Units: map[string]string{}}
	known := slices.Concat(o.Required, o.Optional)
	if err := CheckNames(o.Names, known); err != nil {
		return found, err
	}
	var missing, notes []string
	namesUnit := false // whether the header names the unit of some dimension
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
		// With --rename width=B,depth=B, one column would be read as two fields.
		for other, otherColumn := range found.Columns {
			if otherColumn == column {
				return found, fmt.Errorf("%s is used for both %s and %s; name a column for each, as in --rename %s=NAME",
					f.describe(column), other, field, other)
			}
		}
		found.Columns[field] = column
		if found.Units[field], err = f.unit(field, column); err != nil {
			return found, err
		}
		namesUnit = namesUnit || found.Units[field] != "" && o.Unit == ""
	}
	if len(missing) > 0 {
		return found, f.missingColumnsError(header, missing)
	}
	for _, field := range known {
		column, ok := found.Columns[field]
		if !ok {
			continue
		}
		note := f.note(field, column)
		if namesUnit && found.Units[field] == "" && slices.Contains(o.Dimensions, field) {
			// In "width (cm),depth,height", the other dimensions are probably in cm, too.
			note = wording.Quote(f.titles[column].text) + " as " + field + " in " + wording.UnitInWords(o.LimitsUnit)
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(notes) > 0 {
		found.Note = "taking " + strings.Join(notes, ", ")
	}
	return found, nil
}

// CheckNames checks the value of --rename: names maps fields to the titles of their columns. It returns an error if
// a field in names is not one of the known fields.
func CheckNames(names map[string]string, known []string) error {
	// Sort the fields, so that if several are unknown, every run reports the same one.
	for _, field := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(known, field) {
			return fmt.Errorf("--rename: there is no field %s; accepted: %s", wording.Quote(field), strings.Join(known, ", "))
		}
	}
	return nil
}

// A columnFinder looks for the columns of fields in a header.
type columnFinder struct {
	Options
	titles []title
}

// describe returns the text for a column in an error message, for example: column 2 "Breite (cm)".
func (f *columnFinder) describe(column int) string {
	return fmt.Sprintf("column %d %s", column+1, wording.Quote(f.titles[column].text))
}

// column returns the index of the field's column, or -1 if the header has no such column. It returns an error if
// --rename names a column that does not exist.
func (f *columnFinder) column(field string) (int, error) {
	matches := f.matches(field)
	name, renamed := f.Names[field]
	given := slices.Contains(f.Given, field)
	switch {
	case given && renamed:
		return 0, fmt.Errorf("%s is given twice, with --%[1]s and with --rename; use only one of them", field)
	case given && len(matches) > 0:
		return 0, fmt.Errorf("%s is given twice, with --%[1]s and in %s; use only one of them", field, f.describe(matches[0]))
	case len(matches) > 1:
		return 0, fmt.Errorf("%s and %s could both be %s; choose one of them, as in --rename %[3]s=NAME",
			f.describe(matches[0]), f.describe(matches[1]), field)
	case len(matches) == 1:
		return matches[0], nil
	case renamed:
		return 0, fmt.Errorf("there is no column %s for %s; accepted: %s", wording.Quote(name), field, f.quotedTitles())
	}
	return -1, nil
}

// matches returns the columns that may be the column of the field. Their title is the one that --rename gives for
// the field, or otherwise the name of the field. Upper and lower case do not matter. The title of a dimension's
// column may end in a unit.
//
// With --rename width=Breite, these are the matches, in brackets:
//
//	breite, [Breite]        an exact match comes first
//	[BREITE], Breite (cm)   then a title without a unit
//	[breite (cm)], Tiefe    then a title with a unit
//
// Without --rename, "width" and "Width (cm)" both match, and if a header has both, Find returns an error.
func (f *columnFinder) matches(field string) []int {
	name, renamed := f.Names[field]
	name = normalizeTitle(cmp.Or(name, field))
	// --rename may name one of two titles that differ only in case.
	if exact := f.columnsWhere(func(t title) bool { return t.text == name }); renamed && len(exact) == 1 {
		return exact
	}
	matches := f.columnsWhere(func(t title) bool { return strings.EqualFold(t.text, name) })
	if slices.Contains(f.Dimensions, field) && (matches == nil || !renamed) {
		matches = f.columnsWhere(func(t title) bool { return strings.EqualFold(t.name, name) })
	}
	return matches
}

func (f *columnFinder) columnsWhere(match func(title) bool) (matches []int) {
	for i, t := range f.titles {
		if match(t) {
			matches = append(matches, i)
		}
	}
	return matches
}

func (f *columnFinder) quotedTitles() string {
	var quoted []string
	for _, t := range f.titles {
		if t.text != "" {
			quoted = append(quoted, wording.Quote(t.text))
		}
	}
	return wording.List(quoted)
}

// unit returns the unit of a column: the unit in its title, or otherwise the unit that --unit gives.
func (f *columnFinder) unit(field string, column int) (string, error) {
	t := f.titles[column]
	_, renamed := f.Names[field]
	isUnit := slices.Contains(number.Units, t.unit)
	switch {
	case !slices.Contains(f.Dimensions, field):
		return "", nil
	case t.name == t.text, renamed && f.Unit != "" && !isUnit: // the title has no parentheses, or they contain a remark
		return f.Unit, nil
	case !isUnit:
		return "", fmt.Errorf("%s has parentheses without a unit; accepted: %s; if they contain a remark, use --rename %s and --unit",
			f.describe(column), strings.Join(number.Units, ", "), wording.Quote(field+"="+t.text))
	case f.Unit != "" && f.Unit != t.unit:
		return "", fmt.Errorf("%s is in %s, but --unit says %s; give the same unit, or leave out --unit",
			f.describe(column), t.unit, f.Unit)
	}
	return t.unit, nil
}

// note describes how a title was understood, for example: "Breite (cm)" as width in cm. It returns "" if the title
// is exactly the name of the field or the title that --rename gives.
func (f *columnFinder) note(field string, column int) string {
	t := f.titles[column]
	name, renamed := f.Names[field]
	switch {
	case slices.Contains(f.Dimensions, field) && slices.Contains(number.Units, t.unit):
		return wording.Quote(t.text) + " as " + field + " in " + wording.UnitInWords(t.unit)
	case renamed && t.text == normalizeTitle(name), !renamed && t.text == field:
		return ""
	}
	return wording.Quote(t.text) + " as " + field
}

func (f *columnFinder) missingColumnsError(header, missing []string) error {
	var renames []string
	hint := ""
	for _, field := range missing {
		renames = append(renames, field+"=NAME")
		if slices.Contains(f.Flags, field) {
			hint += ", or --" + field
		}
	}
	switch {
	case len(missing)+len(f.Given) == len(f.Required): // no column was found at all
		hint += fmt.Sprintf("; if this is a title above the header, use --skip %d", f.RowsAbove+1)
	case slices.Contains(missing, "depth"):
		hint += "; a column called length usually holds what boxrules calls width, and the width next to it what boxrules calls depth"
	}
	return fmt.Errorf("the header %s (%s) lacks %s; name these columns in the first row, or use --rename %s%s",
		wording.Quote(strings.Join(header, ", ")), console.CountText(len(header), "column", "columns"),
		strings.Join(missing, ", "), strings.Join(renames, ","), hint)
}

// delimiters are the characters that Delimiter tries, with the names that messages use for them.
var delimiters = []struct {
	char rune
	name string
}{{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}

// Delimiters returns the characters that Delimiter tries, as one string.
func Delimiters() (all string) {
	for _, d := range delimiters {
		all += string(d.char)
	}
	return all
}

// Delimiter guesses the delimiter of the header: the character with which Find finds all required columns. If Find
// succeeds with several delimiters, it returns an error. If Find succeeds with none, it returns the delimiter that
// divides the header into the most cells, and Find will report the missing columns. The note tells the user about any
// delimiter other than a comma.
func Delimiter(header []byte, o Options) (delimiter byte, note string, err error) {
	// Until a delimiter with all required columns is found, chosen is the one that gives the most cells.
	found, mostCells := false, 0
	chosen := delimiters[0]
	for _, d := range delimiters {
		cells := splitHeader(string(header), d.char)
		if o.NoQuotes {
			cells = strings.Split(string(header), string(d.char))
		}
		_, err := Find(cells, o)
		switch {
		case err == nil && found:
			return 0, "", fmt.Errorf("the header %s has both %s and %s; use --delimiter with the character that separates the columns",
				wording.Quote(string(header)), chosen.name, d.name)
		case err == nil:
			found, chosen = true, d
		case !found && len(cells) > mostCells:
			mostCells, chosen = len(cells), d
		}
	}
	if chosen.char == ',' {
		return ',', "", nil
	}
	return byte(chosen.char), "the columns are separated by " + chosen.name, nil
}

// splitHeader returns the cells of a line. It accepts a quote within a cell, because the quote may be the sign for
// inches.
func splitHeader(line string, delimiter rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = delimiter, true
	cells, _ := r.Read() // there are no cells if the line is empty
	return cells
}

// SepLine parses a line such as "sep=;", which Excel writes above the header, and returns the delimiter.
func SepLine(line []byte) (delimiter byte, ok bool) {
	text := strings.TrimRight(strings.TrimPrefix(string(line), "\ufeff"), "\r\n")
	if len(text) != len("sep=;") || !strings.EqualFold(text[:4], "sep=") ||
		strings.Trim(text[4:], " ,;\t|:!#$%&*/\\^_~") != "" {
		return 0, false
	}
	return text[4], true
}

const acceptedRename = `; accepted: FIELD=NAME,…, such as width=Breite,depth=T; if NAME contains a comma, write "FIELD=NAME" in quotes`

// ParseColumns parses the value of --rename, and returns the titles of columns, keyed by field. Commas separate the
// entries as in CSV, so "width=B, innen",depth=T has two entries.
func ParseColumns(text string) (map[string]string, error) {
	entries := splitHeader(normalizeTitle(text), ',')
	if entries == nil {
		return nil, errors.New("--rename is empty" + acceptedRename)
	}
	names := map[string]string{}
	for _, entry := range entries {
		field, name, _ := strings.Cut(entry, "=")
		field, name = normalizeTitle(field), normalizeTitle(name)
		if field == "" || name == "" {
			return nil, fmt.Errorf("--rename: %s%s", wording.Quote(entry), acceptedRename)
		}
		if other, ok := names[field]; ok {
			return nil, fmt.Errorf("--rename gives %s twice, %s and %s; give each field one name",
				wording.Cut(field), wording.Quote(other), wording.Quote(name))
		}
		names[field] = name
	}
	return names, nil
}
