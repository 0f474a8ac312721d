package gen

import (
	"fmt"
	"math"
	"strings"

	"example.com/boxrules/exact"
)

// Slow holds a valid rule file and a valid limit file that should be slow to compile and to search. Both are nearly as
// large as the language allows. Kind says how the rules were drawn. The limit file has the article article-0 in the
// material m.
type Slow struct{ Kind, Rules, Catalogue string }

// NewSlow draws a rule file and a limit file. It chooses one of six ways to make the rules slow, such as thin bands or
// many faces.
func NewSlow(draw Draw) Slow {
	kinds := []struct {
		name string
		draw func(*slowFile)
	}{
		{"standard sizes", (*slowFile).addStandardSizes},
		{"clauses", (*slowFile).addClauses},
		{"thin bands askew", (*slowFile).addThinBands},
		{"minimums and maximums", (*slowFile).addMinimumsAndMaximums},
		{"tiles", (*slowFile).addTiles},
		{"many faces", (*slowFile).addManyFaces},
	}
	kind := kinds[draw(len(kinds))]
	s := &slowFile{draw: draw, maxDimension: []int{9, 100, 1000, 1000, 10_000}[draw(5)]}
	s.fraction = []string{"", "", ".5", ".001"}[draw(4)]
	kind.draw(s)
	if draw(2) == 0 {
		s.addRule("width < min_width || width > max_width || depth < min_depth || depth > max_depth" +
			" || height < min_height || height > max_height")
	}
	rules, catalogue := s.files()
	return Slow{kind.name, rules, catalogue}
}

type slowFile struct {
	draw         Draw
	conditions   []string
	maxDimension int    // the maximum of each dimension
	fraction     string // decimals that are appended to some lengths, such as .5
	blank        string // the lines with the blank in the limit file; may be empty
	halfSpaces   int    // an upper bound for the number of half-spaces in all conditions
}

func (s *slowFile) addRule(condition string) { s.conditions = append(s.conditions, condition) }

// drawMostlyLarge draws a number from 1 to n. Large numbers are more likely than small ones.
func (s *slowFile) drawMostlyLarge(n int) int { return max(1+s.draw(n), 1+s.draw(n)) }

func (s *slowFile) axis() string { return exact.AxisNames()[s.draw(exact.Axes)] }

// lengthText draws a length within the limits.
func (s *slowFile) lengthText() string { return fmt.Sprint(1+s.draw(s.maxDimension)) + s.fraction }

// sum draws a sum or difference of all three dimensions, with coefficients up to maxCoefficient.
func (s *slowFile) sum(maxCoefficient int) string {
	return fmt.Sprintf("%d*width %c %d*depth %c %d*height", 1+s.draw(maxCoefficient), "+-"[s.draw(2)], 1+s.draw(maxCoefficient), "+-"[s.draw(2)], 1+s.draw(maxCoefficient))
}

// comparison draws a comparison of a dimension or a sum with a number.
func (s *slowFile) comparison() string {
	sign := []string{"<", ">", "<=", ">=", "!=", "=="}[s.draw(6)]
	s.halfSpaces += 2
	if s.draw(3) == 0 {
		most := []int{3, 30, 300}[s.draw(3)]
		return fmt.Sprintf("%s %s %d", s.sum(most), sign, s.draw(most*s.maxDimension))
	}
	return s.axis() + " " + sign + " " + s.lengthText()
}

// joinSlow joins at most n parts with the word between them. It stops earlier if the condition would get too long.
func joinSlow(n int, word string, part func(i int) string) string {
	text := part(0)
	for i := 1; i < n; i++ {
		more := word + part(i)
		// A condition may have 4096 bytes, and the caller may add a few.
		if len(text)+len(more) > 4000 {
			break
		}
		text += more
	}
	return text
}

// addStandardSizes draws rules that accept at most 150 values of a dimension. A shop that makes only standard sizes
// writes such rules.
func (s *slowFile) addStandardSizes() {
	for _, axis := range exact.AxisNames() {
		if s.draw(4) > 0 {
			s.addRule(joinSlow(s.drawMostlyLarge(150), " && ", func(int) string { return axis + " != " + s.lengthText() }))
		}
	}
	for range s.draw(4) {
		s.addThinBand([]int{3, 30, 300}[s.draw(3)], s.draw(3))
	}
}

// addClauses draws rules in disjunctive or conjunctive normal form.
func (s *slowFile) addClauses() {
	inner, outer := " && ", " || "
	if s.draw(2) == 0 {
		inner, outer = outer, inner
	}
	each, wide := s.drawMostlyLarge(4), []int{4, 30, 100}[s.draw(3)]
	for n := s.drawMostlyLarge(60); n > 0 && s.halfSpaces < 900; n-- {
		s.addRule(joinSlow(s.drawMostlyLarge(wide), outer, func(int) string {
			return "(" + joinSlow(each, inner, func(int) string { return s.comparison() }) + ")"
		}))
	}
}

// addThinBands draws rules that accept only boxes in thin, oblique bands, so that hardly any grid point is valid.
func (s *slowFile) addThinBands() {
	most := []int{3, 30, 300, 3000}[s.draw(4)]
	for range 1 + s.draw(4) {
		s.addThinBand(most, []int{0, 1, 10, most}[s.draw(4)])
	}
	if s.draw(2) == 0 {
		for range s.draw(30) {
			s.addRule(joinSlow(s.drawMostlyLarge(4), " && ", func(int) string { return s.comparison() }))
		}
	}
}

// addThinBand adds a rule that accepts a box only if a random sum of its dimensions is between two numbers.
func (s *slowFile) addThinBand(maxCoefficient, width int) {
	sum, from := s.sum(maxCoefficient), s.draw(maxCoefficient*s.maxDimension)
	s.addRule(fmt.Sprintf("not (%d <= %s <= %d%s)", from, sum, from+width, s.fraction))
}

// addMinimumsAndMaximums draws rules about sums of minimums and maximums. Each sum has at most 256 linear forms.
func (s *slowFile) addMinimumsAndMaximums() {
	for remaining := 800; remaining > 0; {
		pieces, text, mixed := 1, "0", s.draw(2) == 0
		// Each min or max doubles the number of linear forms of the sum.
		for limit := s.drawMostlyLarge(min(256, max(1, remaining/2))); pieces*2 <= limit; pieces *= 2 {
			name := "max"
			if mixed && s.draw(2) == 0 {
				name = "min"
			}
			text += fmt.Sprintf("+%s(%s, %s)", name, s.sum(9), s.sum(30))
		}
		sign := []string{"<", ">", "!=", "=="}[s.draw(4)]
		s.addRule(fmt.Sprintf("%s %s %d", text, sign, s.draw(60*s.maxDimension)))
		if remaining -= pieces; len(sign) == 2 {
			remaining -= pieces
		}
		if s.draw(8) == 0 {
			remaining = 0
		}
	}
	if s.draw(2) == 0 {
		s.blank = "    blank: {width: 'max(width, depth, height) + min(2*width, 3*depth, height + 1)', height: 'max(width, 2*height) + depth'}\n"
		s.addRule("blank_width > sheet_width && blank_height > sheet_height")
	}
}

// addTiles draws rules that each reject one cuboid. Together they reject all boxes, or all but a few. So a proof that
// no box is valid needs every rule.
func (s *slowFile) addTiles() {
	dimensions := 1 + s.draw(3)
	// There are at most 300 rules: up to 300 tiles along one axis, 15 x 15 along two, or 5 x 5 x 5.
	each := s.drawMostlyLarge([]int{300, 15, 5}[dimensions-1])
	width := max(1, s.maxDimension/each)
	var tile func(text string, axes int)
	tile = func(text string, axes int) {
		if axes == 0 {
			// Leave out one of 500 tiles, so that a few boxes may be valid.
			if s.draw(500) > 0 {
				s.addRule(text)
			}
			return
		}
		for i := range each {
			// Each part is an interval along one axis. The last interval is unbounded, so that the tiles cover
			// everything.
			part := fmt.Sprintf("%d <= %s <= %d", i*width, exact.AxisNames()[axes-1], (i+1)*width)
			if i == each-1 {
				part = fmt.Sprintf("%s >= %d", exact.AxisNames()[axes-1], i*width)
			}
			if text != "" {
				part = text + " && " + part
			}
			tile(part, axes-1)
		}
	}
	tile("", dimensions)
	s.addRule(fmt.Sprintf("width > 0 && %s > 0", s.sum(5)))
}

// addManyFaces draws rules that each have up to 100 planes around a ball. In half of the files, a rule rejects the
// boxes that are outside at least one of its planes. In the other half, it rejects the boxes that are inside all of
// them.
func (s *slowFile) addManyFaces() {
	word, sign := " || ", ">"
	if s.draw(2) == 0 {
		word, sign = " && ", "<"
	}
	for range 1 + s.draw(3) {
		s.addRule(joinSlow(s.drawMostlyLarge(100), word, func(int) string {
			a, b, c := s.draw(2001)-1000, s.draw(2001)-1000, s.draw(2001)-1000
			// The plane is 0.45*maxDimension away from the middle of the limits. So its constant is the value of
			// the sum in the middle, plus that distance times the length of the vector (a, b, c).
			radius := 0.45 * float64(s.maxDimension) * math.Sqrt(float64(a*a+b*b+c*c))
			return fmt.Sprintf("%d*width + %d*depth + %d*height %s %d", a, b, c, sign, (a+b+c)*s.maxDimension/2+int(radius))
		}))
	}
}

// files returns the rule file, and a limit file with an article that selects all of the rules.
func (s *slowFile) files() (rules, catalogue string) {
	rules = "version: 1\nconstraint:\n"
	var codes []string
	for i, condition := range s.conditions {
		codes = append(codes, fmt.Sprintf("C_%04d", i))
		rules += WorldRule(codes[i], condition)
	}
	return rules, limitFileHead + WorldArticle("article-0", fmt.Sprintf("min: 1, max: %d", s.maxDimension), strings.Join(codes, ", ")) + s.blank
}

// limitFileHead is the beginning of a limit file, up to its articles.
const limitFileHead = `version: 1
unit: mm
sheets: {s: {width: 700, height: 500}}
materials: {m: {caliper: 1, glue_flap: 20, sheet: s}}
articles:
`

// SlowPlanes returns a rule file that extends the documented rules, and a limit file with 2n articles. Each constraint
// of the first n articles holds only on the line in which two planes meet. No grid point is on this line, but a search
// takes a long time to find that out. The other n articles have only the constraint BOX_3100. The maximum of each
// dimension is maxDimension for article a0, and increases by one with each further article.
func SlowPlanes(n, maxDimension int) (rules, catalogue string) {
	rules, catalogue = "version: 1\nextends: documented\nconstraint:\n", limitFileHead
	var codes []string
	for k := range 10 {
		codes = append(codes, fmt.Sprintf("C_%04d", k))
		rules += WorldRule(codes[k], fmt.Sprintf("depth == %[1]d*width && depth == %[1]d*height + 0.001", k+2))
	}
	for i := range 2 * n {
		selected := strings.Join(codes, ", ")
		if i >= n {
			selected = "BOX_3100"
		}
		catalogue += WorldArticle(fmt.Sprintf("a%d", i), fmt.Sprintf("min: 1, max: %d", maxDimension+i), selected)
	}
	return rules, catalogue
}
