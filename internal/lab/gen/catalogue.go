package gen

import (
	"fmt"
	"math"
	"slices"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

// Only returns a copy of the catalogue that has only the given articles and materials.
func Only(c *limits.Catalogue, articles, materials []string) *limits.Catalogue {
	remaining := slices.DeleteFunc(c.Articles(), func(a limits.Article) bool { return !slices.Contains(articles, a.Code) })
	for i := range remaining {
		remaining[i].Materials = slices.DeleteFunc(remaining[i].Materials, func(m string) bool { return !slices.Contains(materials, m) })
	}
	return c.Completed(remaining, slices.DeleteFunc(c.Materials(), func(m limits.Material) bool { return !slices.Contains(materials, m.Code) }))
}

// Decimal rounds x to three decimals.
func Decimal(x float64) limits.Decimal { return limits.DecimalAt(int64(math.Round(1000 * x))) }

// The kinds of unusual limit files that [Catalogue] draws. Kind 0 is an ordinary limit file.
const (
	TwoArticles = 1 + iota
	HalfSteps
	Narrow // the minimum and the maximum are close together or equal
	Unconstrained
	TinySheets // no blank fits
	HugeSheets // every blank fits
	Constrained
	Kinds // the number of kinds, including kind 0
)

// Catalogue draws new ranges, constraints and sheets for one or two of the shipped articles and materials. kind is 0 or
// one of the unusual kinds. The minimums and maximums are multiples of step, and at most maxLimit.
func Catalogue(draw Draw, kind int) (c *limits.Catalogue, step, maxLimit float64) {
	step, maxLimit = 1, 2000
	c = limits.Illustrative()
	var profiles [][2]string
	for _, a := range c.Articles() {
		for _, m := range a.Materials {
			profiles = append(profiles, [2]string{a.Code, m})
		}
	}
	count := 1
	if kind == TwoArticles {
		count = 2
	}
	var codes, boards []string
	for range count {
		p := profiles[draw(len(profiles))]
		codes, boards = append(codes, p[0]), append(boards, p[1])
	}
	if kind == HalfSteps {
		step, maxLimit = 0.5, 600
	}
	c = Only(c, codes, boards)
	articles := slices.DeleteFunc(c.Articles(), func(a limits.Article) bool { return len(a.Materials) == 0 })
	for i := range articles {
		a := &articles[i]
		for _, to := range []*limits.Range{&a.Width, &a.Depth, &a.Height} {
			*to = draw.catalogueRange(int(maxLimit/step), step, kind)
		}
		a.Constraints = []string{}
		// Select each constraint with a probability of 1/oneIn, or none if oneIn is 0. With too many constraints,
		// no box would be valid.
		oneIn := []int{12, 12, 12, 12, 0, 12, 8, 4}[kind]
		for _, code := range oracle.Constraints {
			if oneIn > 0 && draw(oneIn) == 0 {
				a.Constraints = append(a.Constraints, code)
			}
		}
	}
	materials := c.Materials()
	for i := range materials {
		s := limits.Sheet{Code: fmt.Sprintf("sheet-%d", i), Width: draw.catalogueSide(step, kind), Height: draw.catalogueSide(step, kind)}
		if i > 0 && draw(2) == 0 {
			// Let two materials share a sheet.
			s = materials[i-1].Sheet
		}
		materials[i].Sheet = s
	}
	return c.Completed(articles, materials), step, maxLimit
}

// catalogueRange returns a random range, in units. maxLimit is the greatest possible maximum, as a number of steps.
func (draw Draw) catalogueRange(maxLimit int, step float64, kind int) limits.Range {
	low := 1 + draw(maxLimit/6)
	high := low + draw(maxLimit/2)
	// A narrow range usually has only one or two values.
	if kind == Narrow {
		low = []int{1, low, maxLimit}[draw(3)]
		high = []int{low, min(maxLimit, low+1), maxLimit}[draw(3)]
	}
	return limits.Range{Min: Decimal(float64(low) * step), Max: Decimal(float64(high) * step)}
}

// catalogueSide returns a random length for a side of a sheet.
func (draw Draw) catalogueSide(step float64, kind int) limits.Decimal {
	switch kind {
	case TinySheets:
		return Decimal(step * float64(1+draw(3)))
	case HugeSheets:
		return Decimal(step * float64(50_000+draw(10)))
	}
	return Decimal(step * float64(400+draw(2000)))
}

// setLimits sets the limits along an axis: low[i] is the minimum and high[i] the maximum of article i. All limits must
// be on the grid.
func (f *File) setLimits(axis int, low, high []string) {
	name := exact.AxisNames()[axis]
	f.setVariable("min_"+name, low, f.articleOf)
	f.setVariable("max_"+name, high, f.articleOf)
	f.low[axis], f.high[axis] = mustThousandths(low[0]), mustThousandths(high[0])
}

// drawMaterialsAndBlanks draws the parts of the limit file other than the ranges and the constraints. It also draws
// f.acceptedBox, a box that most rules will accept.
func (f *File) drawMaterialsAndBlanks() {
	f.setVariable("glue_flap", f.drawDecimals(0, 6), f.materialOf)
	for _, name := range []string{"caliper", "sheet_width", "sheet_height"} {
		f.setVariable(name, f.drawDecimals(1, 6), f.materialOf)
	}
	f.setVariable(sharedValueName, slices.Repeat(f.drawDecimals(0, 6)[:1], maxProfiles), f.articleOf)
	f.setVariable(materialValueName, f.drawDecimals(0, 6), f.materialOf)
	f.setVariable(articleValueName, f.drawDecimals(1, 4), f.articleOf)
	f.setVariable(negativeValueName, []string{"-" + f.drawDecimal(1, 4), "-0"}, f.articleOf)
	f.acceptedBox = f.drawBox()
	f.mayUseValues = true
	defer func() { f.mayUseValues = false }()
	for article := range f.articles {
		if f.Draw(4) == 0 {
			continue
		}
		// All materials of an article share its formulas.
		blank := &[2]*number{f.drawNumber(3, false, false), f.drawNumber(3, false, false)}
		for i := range f.profilesOf(article) {
			f.profilesOf(article)[i].blankFormulas = blank
		}
	}
}

func (f *File) setVariable(name string, texts []string, index func(profile int) int) {
	// Each profile gets the value of its article or its material. index returns the number of the article or material.
	for i := range f.profiles {
		f.constantTexts[name] = append(f.constantTexts[name], texts[index(i)])
		f.constantValues[name] = append(f.constantValues[name], mustRat(texts[index(i)]))
	}
}

// selectConstraints selects some of the constraints for each article, in random order. Only an article with a blank
// can select a constraint that mentions the blank.
func (f *File) selectConstraints() {
	for article := range f.articles {
		p := f.profilesOf(article)[0]
		var codes []string
		for _, r := range f.rules {
			if r.stage == "constraint" && (p.blankFormulas != nil || !r.condition.mentionsBlank) && f.Draw(4) > 0 {
				// The order in which an article lists its constraints must not matter.
				codes = slices.Insert(codes, f.Draw(len(codes)+1), r.code)
			}
		}
		for i := range f.profilesOf(article) {
			f.profilesOf(article)[i].selected = codes
		}
	}
}
