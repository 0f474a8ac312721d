package main

import (
	"fmt"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/learn"
)

// borderlineAnswers counts the answers about borderline boxes: how many match exact arithmetic, how many match
// double precision, and how many match neither.
type borderlineAnswers struct {
	What  string `json:"what"`  // "arithmetic", as in a fact
	State string `json:"state"` // "exact" or "double_precision" if all answers match it, otherwise "neither"

	Exact   matchCount `json:"exact"`
	Double  matchCount `json:"double_precision"`
	Neither matchCount `json:"neither"`
}

// A matchCount counts answers, and lists the rows of the first few.
type matchCount struct {
	Answers int   `json:"answers"`
	Rows    []int `json:"rows,omitempty"` // the rows of the first few of these answers
}

// maxMatchRows is the maximum number of rows that a matchCount lists.
const maxMatchRows = 5

// count adds an answer to the counts. exactCode and float64Code are the codes of its box in exact arithmetic and in
// double precision.
func (b *borderlineAnswers) count(a learn.Answer, exactCode, float64Code boxrules.Code) {
	match := &b.Neither
	switch a.Code {
	case exactCode:
		match = &b.Exact
	case float64Code:
		match = &b.Double
	}
	if match.Answers++; len(match.Rows) < maxMatchRows {
		match.Rows = append(match.Rows, a.Row)
	}
}

// fact returns the counts as a fact for the report: a copy of b with What and State set, and a line of text that
// describes it. The text is empty if there are no answers.
func (b *borderlineAnswers) fact() (fact borderlineAnswers, text string) {
	fact = *b
	fact.What, fact.State = "arithmetic", "neither"
	var parts []string
	for _, arithmetic := range []struct {
		name string
		matchCount
	}{{"exact arithmetic", b.Exact}, {"double precision", b.Double}, {"neither", b.Neither}} {
		if arithmetic.Answers == 0 {
			continue
		}
		rows := learn.Fact{Rows: arithmetic.Rows}.Evidence()
		if arithmetic.Answers > maxMatchRows {
			rows += ", …"
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)",
			console.CountText(arithmetic.Answers, "answer fits", "answers fit"), arithmetic.name, rows))
	}
	switch {
	case len(parts) == 0:
		return fact, ""
	case b.Double.Answers+b.Neither.Answers == 0:
		fact.State = "exact"
	case b.Exact.Answers+b.Neither.Answers == 0:
		fact.State = "double_precision"
	}
	return fact, "borderline boxes: " + strings.Join(parts, ", ")
}
