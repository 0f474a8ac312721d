package boxrules

import (
	"fmt"
	"strings"
)

// Advice says in one sentence what to change so that the box becomes valid: each dimension whose change
// alone is enough, the one to blame first, else the nearest valid box. It is empty for a valid box.
func (e Explanation) Advice() string {
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
		if way := oneWay(field, e.Ranges.of(field), e.box.of(field)); way != "" {
			ways = append(ways, way)
		}
	}
	switch {
	case len(ways) > 0:
		return "set " + strings.Join(ways, ", or ")
	case e.Nearest == nil && e.searched:
		return "no box of this article is valid on that step"
	case e.Nearest == nil:
		return "no valid box was found; the search was given up"
	}
	var changes []string
	for _, field := range e.Nearest.Changed {
		changes = append(changes, fmt.Sprintf("%s to %s", field, gridText(toGrid(e.Nearest.Dims.of(field)))))
	}
	return "set " + strings.Join(changes, " and ")
}

// oneWay says how the field alone can be changed into the nearest of its ranges on either side.
func oneWay(field string, ranges []Range, value float64) string {
	var ways []string
	for i := len(ranges) - 1; i >= 0; i-- {
		if r := ranges[i]; r.Max < value {
			ways = append(ways, reach(r, "less", r.Max, i == 0))
			break
		}
	}
	for i, r := range ranges {
		if r.Min > value {
			ways = append(ways, reach(r, "more", r.Min, i == len(ranges)-1))
			break
		}
	}
	if len(ways) == 0 {
		return ""
	}
	return field + " to " + strings.Join(ways, ", or to ")
}

// reach names the values of a range from its near end on. Only of the outermost range the far end goes
// without saying: it is a limit of the article.
func reach(r Range, direction string, near float64, outermost bool) string {
	switch {
	case r.Min == r.Max:
		return gridText(toGrid(near))
	case outermost:
		return gridText(toGrid(near)) + " or " + direction
	}
	return fmt.Sprintf("between %s and %s", gridText(toGrid(r.Min)), gridText(toGrid(r.Max)))
}

// of is the field named.
func (r Ranges) of(field string) []Range {
	return map[string][]Range{"width": r.Width, "depth": r.Depth, "height": r.Height}[field]
}

func (d Dims) of(field string) float64 {
	return map[string]float64{"width": d.Width, "depth": d.Depth, "height": d.Height}[field]
}
