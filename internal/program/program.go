// Package program evaluates conditions fast. It compiles them to a chain of half-space tests, which takes
// nanoseconds to run, and finds the exact places along a line of boxes where the outcome changes.
//
// A Program and a FastPath are immutable and safe for concurrent use.
package program

import (
	"slices"

	"example.com/boxrules/exact"
)

// A Program finds the first of its conditions that holds. It is a chain of half-space tests. For the two
// conditions "w > 9 and d > 9" and "h > 9" the chain is
//
//	0: -w > -10  go to 2     w > 9 fails, so the first condition cannot hold
//	1:  d > 9    outcome 0
//	2:  h > 9    outcome 1
//	             outcome 2: none holds
//
// A condition that is a single half-space causes no jump if it does not hold. So for most boxes, the program
// runs straight on from one test to the next, which is what processors do best. A jump goes forward, or ends
// the program.
type Program struct {
	tests      []test
	conditions int // the number of conditions, which is the outcome after the last test
}

// A test jumps to its target if the point p is in the half-space coefficients·p > bound. Otherwise the program goes on
// with the next test. A target is the index of a later test, or a negative number ^i. If it is ^i, the program ends
// with the outcome that condition i holds.
type test struct {
	coefficients [exact.Axes]int64
	bound        int64
	target       int32
}

// First returns the index of the first condition that holds at the point, or the number of conditions if
// none holds.
func (p *Program) First(at exact.Point) int {
	return p.FirstAt(at[exact.Width], at[exact.Depth], at[exact.Height])
}

// FirstAt is like First, but takes the coordinates as separate parameters, so that the compiler can keep them in
// registers.
func (p *Program) FirstAt(width, depth, height int64) int {
	tests := p.tests
	for i := 0; i < len(tests); i++ {
		t := &tests[i]
		if t.coefficients[exact.Width]*width+t.coefficients[exact.Depth]*depth+t.coefficients[exact.Height]*height > t.bound {
			if t.target < 0 {
				return int(^t.target)
			}
			i = int(t.target) - 1 // the loop adds 1
		}
	}
	return p.conditions
}

// Holds reports whether the condition holds at the point. The Program must have a single condition.
func (p *Program) Holds(at exact.Point) bool { return p.First(at) == 0 }

// Assemble returns a Program for the conditions.
func Assemble(conditions ...exact.Region) Program {
	var a assembler
	for i, c := range conditions {
		// If condition i holds, the program ends with the outcome i. If not, it goes on to the next
		// condition. After the last condition, next is the end of the program.
		next := a.newLabel()
		a.addCondition(c, ^int32(i), next, next)
		a.placeLabel(next)
	}
	// Every label has its place now, so replace the labels in the tests with indexes.
	for i := range a.tests {
		if t := &a.tests[i]; t.target >= 0 {
			t.target = a.positions[t.target]
		}
	}
	return Program{slices.Clone(a.tests), len(conditions)} // a copy without spare capacity
}

// An assembler writes the tests of a program from the first to the last. While it does so, the target of a
// test is a negative outcome or a label. A label is a place in the program that may not be known yet when a
// test jumps to it.
type assembler struct {
	tests     []test
	positions []int32 // for each label, the index of the test that follows it
}

func (a *assembler) newLabel() int32 {
	a.positions = append(a.positions, 0)
	return int32(len(a.positions) - 1)
}

func (a *assembler) placeLabel(label int32) { a.positions[label] = int32(len(a.tests)) }

func (a *assembler) addTest(h exact.HalfSpace, target int32) {
	a.tests = append(a.tests, test{h.A, h.K, target})
}

// everywhere contains every point, because its coefficients are 0 and 0 > -1.
var everywhere = exact.HalfSpace{K: -1}

// addCondition writes tests that lead to yes if c holds, and to no if it does not. The label next is the
// place directly after these tests. It must be the same label as yes or no. The tests do not end with a jump
// to next, because the program runs on into it if the last test does not jump.
//
// Take "(w > 9 or d > 9) and h > 9", with the outcome 0 as yes, and the label N as both no and next. The
// first part of an "and" leads to the second part if it holds, so for "w > 9 or d > 9" yes is a new label H,
// which is also next, and no is N:
//
//	   w > 9    go to H
//	  -d > -10  go to N     d > 9 does not hold; if it does, the program runs on into H
//	H: h > 9    outcome 0
//	N:
func (a *assembler) addCondition(c exact.Region, yes, no, next int32) {
	switch c.Kind() {
	case exact.True:
		if next != yes {
			a.addTest(everywhere, yes)
		}
	case exact.False:
		if next != no {
			a.addTest(everywhere, no)
		}
	case exact.Half:
		if next == yes {
			a.addTest(c.HalfSpace().Complement(), no)
		} else {
			a.addTest(c.HalfSpace(), yes)
		}
	default:
		last := len(c.Parts()) - 1
		for _, part := range c.Parts()[:last] {
			// In "a and b", a decides if it is false, and otherwise leads on to b. In "a or b", a decides
			// if it is true.
			nextPart := a.newLabel()
			if c.Kind() == exact.And {
				a.addCondition(part, nextPart, no, nextPart)
			} else {
				a.addCondition(part, yes, nextPart, nextPart)
			}
			a.placeLabel(nextPart)
		}
		// All parts before the last one have left the outcome open, so the last part decides.
		a.addCondition(c.Parts()[last], yes, no, next)
	}
}
