package limits

import (
	"fmt"
	"slices"

	"example.com/boxrules/internal/wording"
)

// A valuesLevel is one of the three levels at which a limit file can set user-defined values.
type valuesLevel uint8

const (
	forEverything valuesLevel = iota
	byMaterial
	byArticle
)

// String returns the level in words, such as "in a material", for error messages.
func (l valuesLevel) String() string {
	return [...]string{"at the top level", "in a material", "in an article"}[l]
}

// MissingValue returns a message that says why a rule or formula for the article cannot use a user-defined
// value, and what to add. It returns "" if the value is set for everything, for the article, or for each
// of the article's materials.
func (c *Catalogue) MissingValue(name string, a Article) string {
	level, ok := c.levels[name]
	if !ok {
		return fmt.Sprintf("the value %s is not set; add values: {%[1]s: ...} at the top level, or to a material or an article", name)
	}
	switch level {
	case byMaterial:
		lacking := slices.DeleteFunc(slices.Clone(a.Materials), func(code string) bool {
			values, known := c.byMaterial[code]
			_, ok := values[name]
			return ok || !known // an unknown material has been reported
		})
		if len(lacking) > 0 {
			return fmt.Sprintf("the value %s is not set for %s; add values: {%[1]s: ...} to the material, or offer the article only in other materials",
				name, wording.List(lacking))
		}
	case byArticle:
		if _, ok := a.Values[name]; !ok {
			return fmt.Sprintf("the value %s is not set for this article; add values: {%[1]s: ...} to it", name)
		}
	}
	return ""
}
