// Package program runs conditions fast: it compiles them to a chain of half-space tests that
// takes nanoseconds, and finds exactly where the outcome changes along a line of boxes.
//
// A Program and a FastPath are immutable and safe for concurrent use.
package program

import (
	"slices"

	"example.com/boxrules/exact"
)

// A Program decides which of its conditions holds first, by a chain of half-space tests. For the
// two conditions "w > 9 and d > 9" and "h > 9" the chain is
//
//	0: -w > -10  go to 2     w > 9 fails, so the first condition cannot hold
//	1:  d > 9    outcome 0
//	2:  h > 9    outcome 1
//	             outcome 2: none holds
//
// A box for which nothing holds, as most boxes are, falls through from the first test to the
// last, which a processor does best. A test that says otherwise jumps forward, or ends the
// program.
type Program struct {
	tests      []test
	conditions int // how many: the outcome behind the last test
}

// A test jumps to the target where the point is in the half-space a·p > k; else the next test
// follows. A target is the index of a later test, or ^i (which is negative) for the outcome that
// condition i holds.
type test struct {
	a      exact.Point
	k      int64
	target int32
}

// First returns the index of the first condition that holds at the point, or how many there are
// where none does.
func (p *Program) First(at exact.Point) int {
	return p.FirstAt(at[exact.Width], at[exact.Depth], at[exact.Height])
}

// FirstAt does what First does, for coordinates that are not in an array: a compiler would keep
// an array in memory, and keeps these in registers.
func (p *Program) FirstAt(width, depth, height int64) int {
	tests := p.tests
	for i := 0; i < len(tests); i++ {
		t := &tests[i]
		if t.a[exact.Width]*width+t.a[exact.Depth]*depth+t.a[exact.Height]*height > t.k {
			if t.target < 0 {
				return int(^t.target)
			}
			i = int(t.target) - 1
		}
	}
	return p.conditions
}

// Holds reports whether the condition of a Program of one holds at the point.
func (p *Program) Holds(at exact.Point) bool { return p.First(at) == 0 }

// Assemble returns the Program of the conditions.
func Assemble(conditions ...exact.Region) Program {
	var a assembler
	for i, c := range conditions {
		next := a.label()
		a.add(c, ^int32(i), next, next)
		a.place(next)
	}
	for i := range a.tests {
		if t := &a.tests[i]; t.target >= 0 {
			t.target = a.places[t.target]
		}
	}
	return Program{slices.Clone(a.tests), len(conditions)} // without the room to append
}

// An assembler writes tests front to back. A test leads to a label, whose place is settled later,
// or to an outcome, which is negative.
type assembler struct {
	tests  []test
	places []int32 // of each label: the index of the test that it stands before
}

func (a *assembler) label() int32 {
	a.places = append(a.places, 0)
	return int32(len(a.places) - 1)
}

func (a *assembler) place(label int32) { a.places[label] = int32(len(a.tests)) }

func (a *assembler) jump(h exact.HalfSpace, target int32) {
	a.tests = append(a.tests, test{h.A, h.K, target})
}

// always contains every point: 0 > -1.
var always = exact.HalfSpace{K: -1}

// add writes tests that lead to yes where c holds and to no where it does not. next is the label
// that stands right behind them, where no jump is needed to get: mostly it is one of the two.
func (a *assembler) add(c exact.Region, yes, no, next int32) {
	switch c.Kind() {
	case exact.True:
		if next != yes {
			a.jump(always, yes)
		}
	case exact.False:
		if next != no {
			a.jump(always, no)
		}
	case exact.Half:
		if next == yes {
			a.jump(c.HalfSpace().Complement(), no)
			return
		}
		a.jump(c.HalfSpace(), yes)
		if next != no {
			a.jump(always, no)
		}
	default:
		last := len(c.Parts()) - 1
		for _, part := range c.Parts()[:last] {
			// In "a and b" a decides where it is false; else it leads on to b. In "a or b" it
			// decides where it is true.
			more := a.label()
			if c.Kind() == exact.And {
				a.add(part, more, no, more)
			} else {
				a.add(part, yes, more, more)
			}
			a.place(more)
		}
		a.add(c.Parts()[last], yes, no, next)
	}
}
