package main

import (
	"fmt"
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/oracle"
)

// An openArticle is one whose limits, blank and sheet are wide, so that its constraints decide, down to boxes of
// a millimetre.
type openArticle struct {
	name        string
	constraints []string
}

const openHead = `version: 1
unit: mm
sheets:
  large: {width: 2400.5, height: 1700}
materials:
  board: {caliper: 0.4, glue_flap: 15, sheet: large}
articles:
`

// openLimits is the limit file of open articles.
func openLimits(articles []openArticle) string {
	var b strings.Builder
	b.WriteString(openHead)
	for _, a := range articles {
		fmt.Fprintf(&b, "  %s: {width: {min: 1, max: 1000}, depth: {min: 2, max: 750.5}, height: {min: 3, max: 800.25}, constraints: [%s], blank: {width: width + 2*height, height: depth + 2*height}}\n",
			a.name, strings.Join(a.constraints, ", "))
	}
	return b.String()
}

// openOracle is the same for the oracle.
func openOracle(constraints []string) *oracle.Profile {
	selected := make(map[string]bool)
	for _, code := range constraints {
		selected[code] = true
	}
	return &oracle.Profile{
		MinWidth: rat(1, 1), MaxWidth: rat(1000, 1), MinDepth: rat(2, 1), MaxDepth: rat(1501, 2),
		MinHeight: rat(3, 1), MaxHeight: rat(3201, 4), SheetWidth: rat(4801, 2), SheetHeight: rat(1700, 1),
		Constraints: selected,
		Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
			return walled(w, d, h, nil, nil)
		},
	}
}

// openSuite is a suite of the documented rules for the articles.
func openSuite(root string, file conformance.File, articles []openArticle) (*suite, error) {
	file.Rules, file.Limits = documentedRules, openLimits(articles)
	s, err := newSuite(root, file)
	if err != nil {
		return nil, err
	}
	profiles := make(map[string]*oracle.Profile)
	for _, a := range articles {
		profiles[a.name] = openOracle(a.constraints)
	}
	s.right = func(article, _ string, w, d, h *big.Rat) []string { return profiles[article].All(w, d, h) }
	return s, nil
}

// single are articles for each constraint alone.
func single() []openArticle {
	var articles []openArticle
	for _, code := range oracle.Constraints {
		articles = append(articles, openArticle{alone(code), []string{code}})
	}
	return articles
}

// alone is the name of the article that selects the code and no other.
func alone(code string) string { return "only-" + strings.TrimPrefix(code, "BOX_") }

// constraints are the documented constraints, each in an article of its own, and all in one.
func constraints(root string) ([]conformance.File, error) {
	s, err := openSuite(root, conformance.File{
		Name:        "constraints.json",
		Description: "Each documented constraint in an article of its own with wide limits, and all of them in one: boxes around the border of every half-space, on it and with a thousandth less and more.",
	}, append(single(), openArticle{"every", oracle.Constraints}))
	if err != nil {
		return nil, err
	}
	for _, p := range s.engine.Profiles() {
		count := 6
		if p.Article() == "every" {
			count = 1
		}
		s.border(p, boxrules.Constraint, count)
		s.border(p, boxrules.Size, 1)
	}
	return s.done()
}
