package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn"
)

// learnFactsText returns the facts as text. For each article and each material, it writes one line with the decided
// facts, one line for each open limit, one line with all open constraints, one line with the unobservable facts, and
// one line for each contradiction. Facts that cannot be learned come at the end. locate returns the place of a row.
func learnFactsText(facts []learn.Fact, locate func(row int) string) []byte {
	var text, missing []byte
	facts = slices.DeleteFunc(slices.Clone(facts), func(f learn.Fact) bool {
		if f.State == learn.NotLearned {
			missing = fmt.Appendf(missing, "%s: %s of %s (%s)\n", f.State, f.What, console.Printable(f.Article), f.Note)
		}
		return f.State == learn.NotLearned
	})
	for len(facts) > 0 {
		n := 1
		for n < len(facts) && facts[n].Article == facts[0].Article && facts[n].Material == facts[0].Material {
			n++
		}
		text = appendLearnSubject(text, facts[:n], locate)
		facts = facts[n:]
	}
	return append(text, missing...)
}

// appendLearnSubject appends the text of facts that are all about the same article or the same material.
func appendLearnSubject(dst []byte, facts []learn.Fact, locate func(row int) string) []byte {
	if facts[0].Article != "" {
		dst = append(dst, console.Printable(facts[0].Article)+"\n"...)
	} else {
		dst = append(dst, "sheet of "+console.Printable(facts[0].Material)+"\n"...)
	}
	if !slices.ContainsFunc(facts, func(f learn.Fact) bool { return f.State != learn.Open || len(f.Rows) > 0 }) {
		return appendLearnFact(dst, learn.Open, "everything")
	}
	var lines, contradictions []byte // lines that describe a single fact each
	var open, unobservable []string
	for _, f := range facts {
		text, known := f.What, learnOpenText(f)
		if f.Note != "" {
			text += ": " + console.PrintableLine(f.Note)
		}
		switch {
		case f.State == learn.Unobservable && len(f.Rows) > 0:
			unobservable = append(unobservable, known)
		case f.State == learn.Unobservable:
			unobservable = append(unobservable, text)
		case f.State == learn.Open && known == "":
			open = append(open, text)
		case f.State == learn.Open:
			lines = appendLearnFact(lines, f.State, known)
		case f.State == learn.Decided && f.Note != "":
			lines = appendLearnFact(lines, f.State, text)
		case f.State == learn.Contradicted:
			f.Article, f.Material = "", ""
			contradictions = appendLearnFact(contradictions, f.State, learnContradictionText(f, locate))
		}
	}
	dst = append(appendLearnFact(dst, learn.Decided, learnDecidedText(facts)), lines...)
	dst = appendLearnFact(dst, learn.Open, strings.Join(open, ", "))
	dst = appendLearnFact(dst, learn.Unobservable, strings.Join(unobservable, ", "))
	return append(dst, contradictions...)
}

// appendLearnFact appends a line with the state and the text, unless the text is empty.
func appendLearnFact(dst []byte, state learn.State, text string) []byte {
	if text == "" {
		return dst
	}
	return fmt.Appendf(dst, "  %-13s  %s\n", state, text)
}

// learnDecidedText returns the decided facts as one line: the limits of each dimension, the selected constraints,
// and the number of constraints that are not selected, such as `width 20 to 400, BOX_3100, 16 not selected`.
func learnDecidedText(facts []learn.Fact) string {
	values := make(map[string]string)
	var parts, selected []string
	notSelected := 0
	for _, f := range facts {
		switch {
		case f.State != learn.Decided:
		case f.Sheet != nil:
			return f.Value() + learnRowsText(f)
		case f.Blank != nil:
			parts = append(parts, "blank "+console.PrintableLine(f.Value()))
		case f.Limit != nil:
			values[f.What] = console.NumberText(f.Least)
		case *f.Selected:
			selected = append(selected, f.What)
		default:
			notSelected++
		}
	}
	for _, name := range exact.AxisNames() {
		switch low, high := values["min_"+name], values["max_"+name]; {
		case low != "" && high != "":
			parts = append(parts, name+" "+low+" to "+high)
		case low != "":
			parts = append(parts, name+" from "+low)
		case high != "":
			parts = append(parts, name+" to "+high)
		}
	}
	parts = append(parts, selected...)
	if notSelected > 0 {
		parts = append(parts, fmt.Sprintf("%d not selected", notSelected))
	}
	return strings.Join(parts, ", ")
}

// learnOpenText returns what is known about an open limit, blank or sheet. It returns "" for a constraint.
func learnOpenText(f learn.Fact) string {
	switch value := f.Value(); {
	case value == "" || f.Selection != nil:
		return ""
	case f.Sheet != nil:
		return value + learnRowsText(f)
	default:
		return f.What + ": " + console.PrintableLine(value) + learnRowsText(f)
	}
}

// learnRowsText returns the rows of a fact in parentheses, such as ` (rows 3, 4)`, or "" if the fact has no rows.
func learnRowsText(f learn.Fact) string {
	if len(f.Rows) == 0 {
		return ""
	}
	return " (" + f.Evidence() + ")"
}

// learnContradictionText returns a contradiction as text, with the places of its rows.
func learnContradictionText(f learn.Fact, locate func(row int) string) string {
	var places []string
	for _, row := range f.Rows {
		places = append(places, locate(row))
	}
	rows := f.Evidence()
	text := strings.Replace(f.String(), rows+" cannot", rows+" ("+strings.Join(places, ", ")+") cannot", 1)
	return console.PrintableLine(text)
}
