package limits

import (
	"slices"
	"strings"

	"example.com/boxrules/internal/wording"
)

// A keyPath is the list of keys that lead to a value of the limits, such as articles, tuck-end, width, max.
type keyPath []string

func (k keyPath) append(names ...string) keyPath {
	// Clip makes append copy the path. Otherwise two paths with the same beginning could overwrite each
	// other's ends.
	return append(slices.Clip(k), names...)
}

// String returns the keys joined with dots. Keys that are not valid codes are in quotes.
func (k keyPath) String() string {
	names := slices.Clone(k)
	for i, name := range names {
		if !isCode(name) {
			names[i] = wording.Quote(name)
		}
	}
	return strings.Join(names, ".")
}

// nodeKey returns the key under which Catalogue.nodes holds the node at the path.
func nodeKey(path []string) string { return strings.Join(path, "\x00") }
