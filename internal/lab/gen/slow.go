package gen

import (
	"fmt"
	"math"
	"strings"

	"example.com/boxrules/exact"
)

// A Slow has a rule file and a limit file that are legal and made to be slow, as large as they may
// be or nearly so. Its article is article-0, its material m.
type Slow struct{ Kind, Rules, Catalogue string }

// NewSlow draws a file of some kind.
func NewSlow(draw Draw) Slow {
	kinds := []struct {
		name string
		draw func(*slow)
	}{
		{"standard sizes", (*slow).sizes},
		{"clauses", (*slow).clauses},
		{"thin bands askew", (*slow).bands},
		{"minimums and maximums", (*slow).extremes},
		{"tiles", (*slow).tiles},
		{"many faces", (*slow).faces},
	}
	kind := kinds[draw(len(kinds))]
	s := &slow{draw: draw, most: []int{9, 100, 1000, 1000, 10_000}[draw(5)]}
	s.step = []string{"", "", ".5", ".001"}[draw(4)]
	kind.draw(s)
	if draw(2) == 0 {
		s.rule("width < min_width || width > max_width || depth < min_depth || depth > max_depth" +
			" || height < min_height || height > max_height")
	}
	rules, catalogue := s.text()
	return Slow{kind.name, rules, catalogue}
}

type slow struct {
	draw       Draw
	conditions []string
	most       int    // the greatest dimension
	step       string // a fraction of places
	blank      string // of the limit file
	halves     int    // that comparisons take, at most
}

func (s *slow) rule(condition string) { s.conditions = append(s.conditions, condition) }

// some draws a number up to n, more often a large one.
func (s *slow) some(n int) int { return max(1+s.draw(n), 1+s.draw(n)) }

func (s *slow) axis() string { return exact.AxisNames()[s.draw(exact.Axes)] }

// place draws a number within the limits.
func (s *slow) place() string { return fmt.Sprint(1+s.draw(s.most)) + s.step }

// sum draws a sum of all dimensions with coefficients up to most.
func (s *slow) sum(most int) string {
	return fmt.Sprintf("%d*width %c %d*depth %c %d*height", 1+s.draw(most), "+-"[s.draw(2)], 1+s.draw(most), "+-"[s.draw(2)], 1+s.draw(most))
}

// comparison compares a dimension or a sum.
func (s *slow) comparison() string {
	sign := []string{"<", ">", "<=", ">=", "!=", "=="}[s.draw(6)]
	s.halves += 2
	if s.draw(3) == 0 {
		most := []int{3, 30, 300}[s.draw(3)]
		return fmt.Sprintf("%s %s %d", s.sum(most), sign, s.draw(most*s.most))
	}
	return s.axis() + " " + sign + " " + s.place()
}

// join joins as many parts as there is room for, at most n.
func join(n int, word string, part func(i int) string) string {
	text := part(0)
	for i := 1; i < n; i++ {
		more := word + part(i)
		if len(text)+len(more) > 4000 {
			break
		}
		text += more
	}
	return text
}

// sizes has standard sizes on each axis, and not many boxes on them.
func (s *slow) sizes() {
	for _, axis := range exact.AxisNames() {
		if s.draw(4) > 0 {
			s.rule(join(s.some(150), " && ", func(int) string { return axis + " != " + s.place() }))
		}
	}
	for range s.draw(4) {
		s.band([]int{3, 30, 300}[s.draw(3)], s.draw(3))
	}
}

// clauses has comparisons joined by one word, joined by the other: stairs, or few that leave much.
func (s *slow) clauses() {
	inner, outer := " && ", " || "
	if s.draw(2) == 0 {
		inner, outer = outer, inner
	}
	each, wide := s.some(4), []int{4, 30, 100}[s.draw(3)]
	for n := s.some(60); n > 0 && s.halves < 900; n-- {
		s.rule(join(s.some(wide), outer, func(int) string {
			return "(" + join(each, inner, func(int) string { return s.comparison() }) + ")"
		}))
	}
}

// bands leave little more than planes askew.
func (s *slow) bands() {
	most := []int{3, 30, 300, 3000}[s.draw(4)]
	for range 1 + s.draw(4) {
		s.band(most, []int{0, 1, 10, most}[s.draw(4)])
	}
	if s.draw(2) == 0 {
		for range s.draw(30) {
			s.rule(join(s.some(4), " && ", func(int) string { return s.comparison() }))
		}
	}
}

// band has a rule that a sum be within a distance of some place.
func (s *slow) band(most, wide int) {
	sum, from := s.sum(most), s.draw(most*s.most)
	s.rule(fmt.Sprintf("not (%d <= %s <= %d%s)", from, sum, from+wide, s.step))
}

// extremes has sums of minimums and maximums, in 256 pieces at most.
func (s *slow) extremes() {
	for left := 800; left > 0; {
		pieces, text, two := 1, "0", s.draw(2) == 0
		for limit := s.some(min(256, max(1, left/2))); pieces*2 <= limit; pieces *= 2 {
			name := "max"
			if two && s.draw(2) == 0 {
				name = "min"
			}
			text += fmt.Sprintf("+%s(%s, %s)", name, s.sum(9), s.sum(30))
		}
		sign := []string{"<", ">", "!=", "=="}[s.draw(4)]
		s.rule(fmt.Sprintf("%s %s %d", text, sign, s.draw(60*s.most)))
		if left -= pieces; len(sign) == 2 {
			left -= pieces
		}
		if s.draw(8) == 0 {
			left = 0
		}
	}
	if s.draw(2) == 0 {
		s.blank = "    blank: {width: 'max(width, depth, height) + min(2*width, 3*depth, height + 1)', height: 'max(width, 2*height) + depth'}\n"
		s.rule("blank_width > sheet_width && blank_height > sheet_height")
	}
}

// tiles cover all boxes, or all but a few, so that every one of them is needed to prove it.
func (s *slow) tiles() {
	dimensions := 1 + s.draw(3)
	each := s.some([]int{300, 15, 5}[dimensions-1])
	width := max(1, s.most/each)
	var tile func(text string, left int)
	tile = func(text string, left int) {
		if left == 0 {
			if s.draw(500) > 0 {
				s.rule(text)
			}
			return
		}
		for i := range each {
			part := fmt.Sprintf("%d <= %s <= %d", i*width, exact.AxisNames()[left-1], (i+1)*width)
			if i == each-1 {
				part = fmt.Sprintf("%s >= %d", exact.AxisNames()[left-1], i*width)
			}
			if text != "" {
				part = text + " && " + part
			}
			tile(part, left-1)
		}
	}
	tile("", dimensions)
	s.rule(fmt.Sprintf("width > 0 && %s > 0", s.sum(5)))
}

// faces cut a ball out of the boxes, or leave one: with the planes of many directions.
func (s *slow) faces() {
	word, sign := " || ", ">"
	if s.draw(2) == 0 {
		word, sign = " && ", "<"
	}
	for range 1 + s.draw(3) {
		s.rule(join(s.some(100), word, func(int) string {
			a, b, c := s.draw(2001)-1000, s.draw(2001)-1000, s.draw(2001)-1000
			radius := 0.45 * float64(s.most) * math.Sqrt(float64(a*a+b*b+c*c))
			return fmt.Sprintf("%d*width + %d*depth + %d*height %s %d", a, b, c, sign, (a+b+c)*s.most/2+int(radius))
		}))
	}
}

// text returns the rule file, and the limit file whose article selects all of its rules.
func (s *slow) text() (rules, catalogue string) {
	rules = "version: 1\nconstraint:\n"
	var codes []string
	for i, condition := range s.conditions {
		codes = append(codes, fmt.Sprintf("C_%04d", i))
		rules += Rule(codes[i], condition)
	}
	return rules, head + Article("article-0", fmt.Sprintf("min: 1, max: %d", s.most), strings.Join(codes, ", ")) + s.blank
}

// head begins a limit file, up to its articles.
const head = `version: 1
unit: mm
sheets: {s: {width: 700, height: 500}}
materials: {m: {caliper: 1, glue_flap: 20, sheet: s}}
articles:
`

// Hard returns a rule file that extends the documented rules, and a limit file of n articles whose
// constraints are planes that meet between boxes, and then of as many without such constraints. A
// search of the first takes long; most is the greatest dimension of a0, and one more of each that
// follows.
func Hard(n, most int) (rules, catalogue string) {
	rules, catalogue = "version: 1\nextends: documented\nconstraint:\n", head
	var codes []string
	for k := range 10 {
		codes = append(codes, fmt.Sprintf("C_%04d", k))
		rules += Rule(codes[k], fmt.Sprintf("depth == %[1]d*width && depth == %[1]d*height + 0.001", k+2))
	}
	for i := range 2 * n {
		selected := strings.Join(codes, ", ")
		if i >= n {
			selected = "BOX_3100"
		}
		catalogue += Article(fmt.Sprintf("a%d", i), fmt.Sprintf("min: 1, max: %d", most+i), selected)
	}
	return rules, catalogue
}
