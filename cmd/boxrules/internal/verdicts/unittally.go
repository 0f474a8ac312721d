package verdicts

import (
	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// A unitTally counts, for each unit other than a file's own, the boxes that are outside the limits of their article,
// but would be within them if the dimensions were in that unit. For example, if a list in mm is read as inches, all
// boxes are outside the limits, and most would be within them in mm. The dimensions of the file must all have the same
// unit.
type unitTally struct {
	within     []int // for each of otherUnits, the number of boxes that would be within the limits
	otherUnits []otherUnit
}

// An otherUnit is a unit other than the one in which the file is read.
type otherUnit struct {
	name  string
	ratio float64 // the length of this unit, in the unit in which the file is read
}

// newUnitTally returns an empty tally for a file. The tally stays empty if the dimensions have different units, or
// a unit that cannot be converted.
func newUnitTally(file *lists.Reader) unitTally {
	var t unitTally
	if file == nil {
		return t
	}
	unit := file.Units.Common()
	for _, name := range exact.ConvertibleUnits() {
		if ratio, ok := exact.UnitRatio(name, unit); ok && name != unit {
			t.otherUnits = append(t.otherUnits, otherUnit{name, float64(ratio.Num) / float64(ratio.Den)})
		}
	}
	t.within = make([]int, len(t.otherUnits))
	return t
}

// An interval is a range of values that includes both ends.
type interval struct{ min, max float64 }

// unitIntervals holds the limits of an article along each axis.
type unitIntervals [exact.Axes]interval

func unitIntervalsByArticle(c *limits.Catalogue) map[string]*unitIntervals {
	byArticle := make(map[string]*unitIntervals)
	for _, a := range c.Articles() {
		var all unitIntervals
		for axis, r := range a.Ranges() {
			all[axis] = interval{r.Min.Float64(), r.Max.Float64()}
		}
		byArticle[a.Code] = &all
	}
	return byArticle
}

// contain reports whether the dimensions, multiplied by the factor, are within the limits.
func (i *unitIntervals) contain(dims [exact.Axes]float64, factor float64) bool {
	for axis, x := range dims {
		if x *= factor; x < i[axis].min || x > i[axis].max {
			return false
		}
	}
	return true
}

// add counts a box that is not valid. limits are the limits of the box's article.
func (t *unitTally) add(limits *unitIntervals, d boxrules.Dims) {
	dims := d.ByAxis()
	for i, unit := range t.otherUnits {
		// Hardly any box is within the limits in another unit, so this is the faster order.
		if limits.contain(dims, unit.ratio) && !limits.contain(dims, 1) {
			t.within[i]++
		}
	}
}

// merge adds the counts from another part of the same file.
func (t *unitTally) merge(other unitTally) {
	for i, n := range other.within {
		t.within[i] += n
	}
}

// reportUnitTally warns that a file is probably in another unit if most of its boxes are outside the limits, but
// would be within the limits in that unit. boxes is the number of boxes in the file.
func (l *ListRun) reportUnitTally(in lists.Input, boxes int) {
	all := l.checkers[0].units
	for _, c := range l.checkers[1:] {
		all.merge(c.units)
	}
	best := -1
	for i, n := range all.within {
		if n > boxes/2 && (best < 0 || n > all.within[best]) {
			best = i
		}
	}
	if best < 0 || boxes < minRowsForWarning {
		return
	}
	file, unit := l.checkers[0].file, all.otherUnits[best].name
	fix := "pass --unit " + unit
	switch {
	case in.Kind == lists.NDJSON:
		fix = "write them in " + wording.UnitInWords(file.Options.Catalogue)
	case file.UnitInHeader:
		fix = "correct the unit in the header"
	}
	l.console.Say("boxrules: %s: with dimensions in %s, most boxes are outside the limits, but with dimensions in %s, %d of %d would be within them; "+
		"if the dimensions are in %s, %s",
		in.DisplayName(), wording.UnitInWords(file.Units.Common()), wording.UnitInWords(unit), all.within[best], boxes, unit, fix)
}
