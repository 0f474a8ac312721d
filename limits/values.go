package limits

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
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

// maxValues is the maximum number of different value names in a limit file. There is a limit because every
// pair of an article and a material has its own copy of the values of its material.
const maxValues = 32

func (c *checker) checkValuesOf(path keyPath, values Values, level valuesLevel) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		path := path.append(name)
		if fault := expression.ValueNameFault(name); fault != "" {
			c.failName(path, fault)
			continue // formulas cannot mention it
		}
		if first, ok := c.levels[name]; ok && first != level {
			c.failName(path, fmt.Sprintf("%s is also set %s; set it only at the top level, only in materials, or only in articles", name, first))
			continue
		}
		if _, ok := c.levels[name]; !ok && len(c.levels) == maxValues {
			c.failName(path, fmt.Sprintf("there are too many different names of values: at most %d", maxValues))
			return
		}
		c.levels[name] = level
		c.checkValue(path, values[name])
	}
}

// checkValue reports a value that is not a number, is too long or is too large. Zero and negative numbers are
// valid.
func (c *checker) checkValue(path keyPath, d Decimal) {
	if fault := strictyaml.DecimalFault(string(d)); fault != "" {
		c.fail(path, "%s", fault)
	} else if len(d) > maxDecimalLength {
		c.fail(path, "the number has %d characters; accepted: at most %d", len(d), maxDecimalLength)
	} else if value := d.Rat(); value.Abs(value).Cmp(big.NewRat(exact.MaxDimension, 1)) > 0 {
		c.fail(path, "%s is too large; accepted: from -%d to %[2]d", d, exact.MaxDimension)
	}
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
