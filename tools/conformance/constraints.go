package main

import (
	"fmt"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
)

// openHead begins a limit file of open articles: their limits, blank and sheet are wide, so that
// their constraints decide, down to boxes of a millimetre. Their blanks are walled.
const openHead = `version: 1
unit: mm
sheets:
  large: {width: 2400.5, height: 1700}
materials:
  board: {caliper: 0.4, glue_flap: 15, sheet: large}
articles:
`

const (
	openRanges  = "width: {min: 1, max: 1000}, depth: {min: 2, max: 750.5}, height: {min: 3, max: 800.25}"
	walledBlank = "blank: {width: width + 2*height, height: depth + 2*height}"
)

func openArticle(name string, constraints ...string) string {
	return fmt.Sprintf("  %s: {%s, constraints: [%s], %s}\n", name, openRanges, strings.Join(constraints, ", "), walledBlank)
}

// single is a limit file with an article for each constraint alone.
func single() string {
	text := openHead
	for _, code := range oracle.Constraints {
		text += openArticle(alone(code), code)
	}
	return text
}

// alone is the name of the article that selects the code and no other.
func alone(code string) string { return "only-" + strings.TrimPrefix(code, "BOX_") }

// constraints are the documented constraints, each in an article of its own, and all in one.
func constraints() plan {
	return plan{
		File: conformance.File{
			Name: "constraints.json",
			Description: "Each documented constraint in an article of its own with wide limits, and all of them in one: " +
				"boxes around the border of every half-space, on it and with a thousandth less and more.",
			Rules: documentedRules, Limits: single() + openArticle("every", oracle.Constraints...),
		},
		blank: walled,
		boxes: func(s *suite) {
			for _, p := range s.engine.Profiles() {
				count := 6
				if p.Article() == "every" {
					count = 1
				}
				s.border(p, boxrules.Constraint, count)
				s.border(p, boxrules.Size, 1)
			}
		},
	}
}
