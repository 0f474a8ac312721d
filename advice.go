package boxrules

import (
	"fmt"
	"strings"
)

// Advice says in one sentence what to change so that the box, of the dimensions d that were explained,
// becomes valid: each dimension whose change alone is enough, the one to blame first, else the nearest
// valid box. It is empty for a valid box.
func (e Explanation) Advice(d Dims) string {
	if e.OK {
		return ""
	}
	order := []string{"width", "depth", "height"}
	if blamed := e.Violations[0].Field; blamed != "" {
		order = append([]string{blamed}, order...)
	}
	var ways []string
	told := make(map[string]bool)
	for _, field := range order {
		if told[field] {
			continue
		}
		told[field] = true
		if way := oneWay(field, e.Ranges.of(field), d.of(field)); way != "" {
			ways = append(ways, way)
		}
	}
	switch {
	case len(ways) > 0:
		return "set " + strings.Join(ways, ", or ")
	case e.Nearest == nil:
		return "no valid box was found near this one"
	}
	var changes []string
	for _, field := range e.Nearest.Changed {
		changes = append(changes, fmt.Sprintf("%s to %s", field, gridText(toGrid(e.Nearest.Dims.of(field)))))
	}
	return "set " + strings.Join(changes, " and ")
}

// oneWay says how the field alone can be changed into the nearest of its ranges.
func oneWay(field string, ranges []Range, value float64) string {
	var below, above *Range
	for i := range ranges {
		switch r := &ranges[i]; {
		case r.Max < value:
			below = r
		case r.Min > value && above == nil:
			above = r
		}
	}
	var ways []string
	if below != nil {
		ways = append(ways, gridText(toGrid(below.Max))+" or less")
	}
	if above != nil {
		ways = append(ways, gridText(toGrid(above.Min))+" or more")
	}
	if len(ways) == 0 {
		return ""
	}
	return field + " to " + strings.Join(ways, ", or to ")
}

// of is the field named.
func (r Ranges) of(field string) []Range {
	return map[string][]Range{"width": r.Width, "depth": r.Depth, "height": r.Height}[field]
}

func (d Dims) of(field string) float64 {
	return map[string]float64{"width": d.Width, "depth": d.Depth, "height": d.Height}[field]
}
