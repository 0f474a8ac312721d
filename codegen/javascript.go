package codegen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// JavaScript returns the profiles of the engine as an ES module without dependencies. The same
// input gives the same bytes. The error is a *[boxrules.InputError] for the field article where
// Options names an unknown one.
func JavaScript(e *boxrules.Engine, o Options) (Files, error) {
	chosen, err := offers(e, o.Articles)
	if err != nil {
		return Files{}, err
	}
	return files("module", newModule(e, newTables(e, chosen), o)), nil
}

// A module holds what its templates need: the tables as text.
type module struct {
	origin
	Imports, Nearest bool

	Unit       string
	Decimals   int
	Rules      []boxrules.Rule
	Planes     []planeText
	Halves     []string
	Conditions []string
	All        []int
	Articles   []article
}

type article struct {
	Code, Title string
	Limits      []interval
	All         []int
	Materials   []choice
}

// A planeText writes a plane as a list without its brackets: "1, 0, -2" are the factors of width -
// 2*height, and "0, 2" says that its comparison mentions width and height.
type planeText struct{ Factors, Axes string }

// An interval holds what an article's limits leave of a dimension, in thousandths.
type interval struct {
	Field     string
	Low, High int64
}

// Min and Max return the ends of the interval in units.
func (i interval) Min() float64 { return exact.Units(i.Low) }
func (i interval) Max() float64 { return exact.Units(i.High) }

// A choice holds a material of an article, with its own conditions.
type choice struct {
	Code       string
	Conditions []int
}

func newModule(e *boxrules.Engine, t *tables, o Options) *module {
	m := &module{origin: originOf(e), Imports: o.Imports, Nearest: !o.WithoutNearest, Unit: t.unit, Decimals: e.Catalogue().Decimals(), Rules: t.rules, All: t.all}
	for _, p := range t.planes {
		factors := fmt.Sprintf("%d, %d, %d", p.a[exact.Width], p.a[exact.Depth], p.a[exact.Height])
		m.Planes = append(m.Planes, planeText{factors, p.axes})
	}
	for _, h := range t.halves {
		m.Halves = append(m.Halves, fmt.Sprintf("%d, %d", h.plane, h.k))
	}
	for _, c := range t.conditions {
		m.Conditions = append(m.Conditions, fmt.Sprintf("%d, %s", c.rule, c.tree))
	}
	for _, entry := range t.articles {
		a := article{Code: entry.code, Title: entry.title, All: entry.all}
		for axis, field := range exact.AxisNames() {
			a.Limits = append(a.Limits, interval{field, entry.low[axis], entry.high[axis]})
		}
		for _, material := range entry.materials {
			a.Materials = append(a.Materials, choice{material.code, material.conditions})
		}
		m.Articles = append(m.Articles, a)
	}
	return m
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
