package verdicts

import (
	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// A unitTally counts, for a list whose dimensions are all in one unit, how many boxes are outside the limits of
// their article, and how many of these would be within the limits if their dimensions were in another unit. If a
// list in mm is read as inches, for example, no box is within the limits.
type unitTally struct {
	outside    int
	within     []int // for each of otherUnits, the number of boxes that are within the limits in that unit only
	otherUnits []otherUnit
}

// An otherUnit is a unit other than that in which a list is read.
type otherUnit struct {
	name  string
	ratio float64 // the length of this unit, in the unit in which the list is read
}

// newUnitTally returns the tally for a file. It counts nothing if the dimensions are in different units, or in a
// unit that cannot be converted.
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

// An interval is a range of allowed values. Both ends are allowed.
type interval struct{ min, max float64 }

// unitIntervals are the limits of an article, by axis.
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

// add counts a box that is not valid, with the limits of its article.
func (t *unitTally) add(limits *unitIntervals, d boxrules.Dims) {
	if len(t.otherUnits) == 0 || limits.contain(d.ByAxis(), 1) {
		return
	}
	t.outside++
	for i, unit := range t.otherUnits {
		if limits.contain(d.ByAxis(), unit.ratio) {
			t.within[i]++
		}
	}
}

// merge adds the counts of another part of the same file.
func (t *unitTally) merge(other unitTally) {
	t.outside += other.outside
	for i, n := range other.within {
		t.within[i] += n
	}
}

// reportUnitTally reports that a file is probably in another unit, if most of its boxes are outside the limits
// but would be within them in that unit. boxes is the number of boxes in the file.
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
	if best < 0 || boxes < minBadRows {
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
	l.console.Say("boxrules: %s: most boxes are outside the limits in %s, and %d of %d would be within them in %s; if the dimensions are in %s, %s",
		in.DisplayName(), wording.UnitInWords(file.Units.Common()), all.within[best], boxes, wording.UnitInWords(unit), unit, fix)
}
