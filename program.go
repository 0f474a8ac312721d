package boxrules

import (
	"slices"

	"example.com/boxrules/internal/linear"
)

// A program decides a sequence of conditions by a chain of half-space tests. A test leads to another test,
// further on, or to an outcome: a number from 0 up that says which condition holds first. All of it is
// laid out in one slice, in the order in which the tests are most likely to run.
type program struct {
	tests []test
	start int32
}

// A test leads to yes where the point is in the half-space, else to no. A target is the index of a
// test, or an outcome o as ^o, which is negative.
type test struct {
	a       linear.Point // the half-space a·p > k
	k       int64
	yes, no int32
}

// holds is the outcome of a program for a single condition where the condition holds.
const holds = 0

// run is the outcome at p.
func (p *program) run(at linear.Point) int {
	tests := p.tests
	i := p.start
	for uint(i) < uint(len(tests)) {
		t := &tests[i]
		if t.a[linear.Width]*at[linear.Width]+t.a[linear.Depth]*at[linear.Depth]+t.a[linear.Height]*at[linear.Height] > t.k {
			i = t.yes
		} else {
			i = t.no
		}
	}
	return int(^i)
}

// assemble makes the program whose outcome is the index of the first condition that holds, or their
// number where none does.
func assemble(conditions ...linear.Condition) program {
	// It is built from the end, where the targets are known, and turned round at last.
	var p program
	next := ^int32(len(conditions))
	for i := len(conditions) - 1; i >= 0; i-- {
		next = p.add(conditions[i], ^int32(i), next)
	}
	last := int32(len(p.tests)) - 1
	turned := func(target int32) int32 {
		if target < 0 {
			return target
		}
		return last - target
	}
	for i := range p.tests {
		p.tests[i].yes, p.tests[i].no = turned(p.tests[i].yes), turned(p.tests[i].no)
	}
	slices.Reverse(p.tests)
	p.start = turned(next)
	return p
}

// add puts the tests of c in front of what is there and returns where they begin.
func (p *program) add(c linear.Condition, yes, no int32) int32 {
	switch c.Kind {
	case linear.True:
		return yes
	case linear.False:
		return no
	case linear.Half:
		p.tests = append(p.tests, test{c.Half.A, c.Half.K, yes, no})
		return int32(len(p.tests)) - 1
	}
	for _, part := range slices.Backward(c.Parts) {
		// What the later parts decide is where this one leads to when it does not decide.
		if c.Kind == linear.And {
			yes = p.add(part, yes, no)
		} else {
			no = p.add(part, yes, no)
		}
	}
	if c.Kind == linear.And {
		return yes
	}
	return no
}
