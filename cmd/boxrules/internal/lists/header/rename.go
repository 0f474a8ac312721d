package header

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"example.com/boxrules/internal/wording"
)

// acceptedNames says what --rename takes.
const acceptedNames = `; accepted: FIELD=NAME,…, such as width=Breite,depth=T; with a comma in NAME "FIELD=NAME"`

// ParseColumns reads the text of --rename, and returns what the columns are called by field.
// Commas separate entries as they do the fields of CSV: "width=B, innen",depth=T has two.
func ParseColumns(text string) (map[string]string, error) {
	r := csv.NewReader(strings.NewReader(plain(text)))
	r.LazyQuotes = true // a quote in a name may stand for inches
	entries, err := r.Read()
	if err != nil {
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
