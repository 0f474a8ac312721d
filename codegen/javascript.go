package codegen

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"example.com/boxrules"
)

// JavaScript returns the profiles of the engine as an ES module without dependencies. The same
// input gives the same bytes. The error is a *[boxrules.InputError] for the field article where
// Options names an unknown one.
func JavaScript(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := offers(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	m := &module{originOf(e), o.Imports, !o.WithoutNearest, newTables(e, chosen)}
	return Files{execute("module.js.tmpl", m), execute("module.d.ts.tmpl", m)}, nil
}

// A module holds what its templates need.
type module struct {
	origin
	Imports, Nearest bool
	*tables
}

// inKeyOrder returns the materials in the order that JavaScript gives the properties of an
// object: names that are array indices come first, by size. So of the materials "b", "10" and "2"
// it makes "2", "10", "b".
func inKeyOrder(materials []choice) []choice {
	index := func(c choice) uint64 {
		n, err := strconv.ParseUint(c.Code, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != c.Code || n == math.MaxUint32 {
			return math.MaxUint64
		}
		return n
	}
	ordered := slices.Clone(materials)
	slices.SortStableFunc(ordered, func(a, b choice) int { return cmp.Compare(index(a), index(b)) })
	return ordered
}
