package gen

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules/exact"
)

// A World is the text of a rule file, and the text of an article in a limit file. The rule WORLD_0001 rejects all but a
// few thousand boxes, so that a test can try all the others.
type World struct{ Rules, Article string }

// WorldLow and WorldHigh are the limits that the rule WORLD_0001 of a [World] sets for each dimension, in thousandths.
const WorldLow, WorldHigh = -4, 9

// WorldBounds returns the beginning of the rules of a [World]: a boundary stage with the rule WORLD_0001.
func WorldBounds() string {
	var outside []string
	for _, name := range exact.AxisNames() {
		outside = append(outside, fmt.Sprintf("%s < -0.004 || %[1]s > 0.009", name))
	}
	return "boundary:\n" + WorldRule("WORLD_0001", strings.Join(outside, " || "))
}

// NewWorld draws a World. It has limits, up to three constraints, and often a blank and a rule about its size.
// There may be limits that no rule enforces.
func NewWorld(draw Draw) World {
	rules, ranges := WorldBounds(), []string{}
	for axis, name := range exact.AxisNames() {
		low := 1 + draw(6)
		high := low + draw(8-low)
		ranges = append(ranges, fmt.Sprintf("min: 0.00%d, max: 0.00%d", low, high))
		for i, when := range []string{name + " < min_" + name, name + " > max_" + name} {
			switch draw(6) {
			case 0: // no rule
			case 1: // the rule compares with a number that is a thousandth greater than the limit
				when += " + 0.001"
				fallthrough
			default:
				rules += WorldRule(fmt.Sprintf("B_%d%03d", axis, i), when)
			}
		}
	}
	var codes []string
	for i := range draw(4) {
		if i == 0 {
			rules += "constraint:\n"
		}
		codes = append(codes, fmt.Sprintf("C_%04d", i))
		rules += WorldRule(codes[i], draw.worldCondition())
	}
	article := WorldArticle("a", strings.Join(ranges, "; "), strings.Join(codes, ", "))
	if draw(4) > 0 {
		article += "    blank: {width: '" + draw.worldFormula() + "', height: '" + draw.worldFormula() + "'}\n"
	}
	if draw(2) == 0 {
		rules += "size:\n" + WorldRule("S_0001", "blank_width > 0.008 || blank_height > 0.008")
	}
	return World{rules, article}
}

// WorldRule returns the text of a rule with the given code and condition, for use in a rule file.
func WorldRule(code, conditionText string) string {
	return "  - {code: " + code + ", when: \"" + conditionText + "\", message: m}\n"
}

func (draw Draw) worldAxis() string { return exact.AxisNames()[draw(exact.Axes)] }

// worldCondition draws a condition that usually holds for some boxes of a World, and not for others.
func (draw Draw) worldCondition() string {
	comparison := func() string {
		text := fmt.Sprintf("%d*width + %d*depth + %d*height", draw(5)-2, draw(5)-2, draw(5)-2)
		return fmt.Sprintf("%s %s %d/1000", text, []string{"<", "<=", ">", ">=", "=="}[draw(5)], draw(21)-5)
	}
	switch draw(4) {
	case 0:
		return comparison() + " && " + comparison()
	case 1:
		return comparison() + " || " + comparison()
	case 2:
		return fmt.Sprintf("min(%s, %s) < %s", draw.worldAxis(), draw.worldAxis(), []string{"min_width", "0.002", "max_height"}[draw(3)])
	}
	return comparison()
}

// worldFormula draws a formula for a side of a blank. For some boxes of a World, its value is zero or negative.
func (draw Draw) worldFormula() string {
	a := fmt.Sprintf("%d*%s - %d*%s", 1+draw(3), draw.worldAxis(), draw(3), draw.worldAxis())
	b := fmt.Sprintf("%d/1000", draw(7)-2)
	return []string{a + " + " + b, "max(" + a + ", " + b + ")", "min(" + a + ", " + b + ")"}[draw(3)]
}

// WorldArticle returns the text of an article in a limit file. The article comes in the material m. ranges is a single
// range for all dimensions, such as "min: 1, max: 1000", or three ranges separated by semicolons.
func WorldArticle(name, ranges, codes string) string {
	r := strings.Split(ranges, "; ")
	if len(r) == 1 {
		r = []string{ranges, ranges, ranges}
	}
	return fmt.Sprintf("  %s:\n    materials: [m]\n    width: {%s}\n    depth: {%s}\n    height: {%s}\n    constraints: [%s]\n",
		name, r[0], r[1], r[2], codes)
}

// WorldLimits returns a limit file with the given articles, in mm. Its materials are m, and those of other, which may be
// empty, each on a line of its own. All are printed on one sheet.
func WorldLimits(other, articles string) string {
	return "version: 1\nunit: mm\nsheets:\n  s: {width: 1000, height: 700}\n" +
		"materials:\n  m: {caliper: 1, glue_flap: 20, sheet: s}\n" + other + "articles:\n" + articles
}

// WorldArticles draws articles named r0, r1 and so on, with random limits and some of the codes. About two out of three
// articles have a blank, whose sides are two of the formulas.
func WorldArticles(draw Draw, number int, codes, formulas []string) string {
	var articles strings.Builder
	for i := range number {
		var selected []string
		for range 1 + draw([]int{2, 4, len(codes)}[draw(3)]) {
			selected = append(selected, codes[draw(len(codes))])
		}
		ranges := draw.worldLimits()
		if draw(2) == 0 {
			ranges += "; " + draw.worldLimits() + "; " + draw.worldLimits()
		}
		slices.Sort(selected)
		articles.WriteString(WorldArticle(fmt.Sprintf("r%d", i), ranges, strings.Join(slices.Compact(selected), ", ")))
		if draw(3) > 0 {
			width, height := formulas[draw(len(formulas))], formulas[draw(len(formulas))]
			fmt.Fprintf(&articles, "    blank:\n      width: %s\n      height: %s\n", width, height)
		}
	}
	return articles.String()
}

// worldLimits draws a minimum and a maximum, with or without decimals. Some ranges have only a single value.
func (draw Draw) worldLimits() string {
	decimals := []int64{1, 1, 10, 100, 1000}[draw(5)]
	least := 1 + int64(draw([]int{50, 500, 200_000}[draw(3)]*int(decimals)))
	side := int64(draw([]int{1, 3, 100, 1000, 700_000}[draw(5)] * int(decimals)))
	return "min: " + big.NewRat(least, decimals).FloatString(4) + ", max: " + big.NewRat(least+side, decimals).FloatString(4)
}
