package exact

import (
	"iter"
	"slices"
)

// A Kind says what a [Condition] or [Region] is: false everywhere, true everywhere, a single half-space, or a
// combination of parts.
type Kind uint8

// The possible kinds of a Condition or a Region.
const (
	False Kind = iota // holds nowhere
	True              // holds everywhere
	Half              // holds in one half-space
	And               // holds if every part holds
	Or                // holds if some part holds
)

// A Condition is the condition of a rule in the form in which it was written. It combines comparisons with
// And and Or. Each comparison is a half-space, or combines several half-spaces. A Condition is not
// simplified: it may contain True, False and repeated parts. For the set of boxes alone, without the text,
// call [Condition.Region]. The zero Condition is False.
type Condition struct {
	Kind  Kind
	Half  HalfSpace   // if Kind is Half
	Parts []Condition // if Kind is And or Or, at least two
	// If Kind is Half, Edge says at which points floating point may decide differently. If Kind is True or
	// False and Edge is not zero, floating point may decide differently at any point.
	Edge Edge
	// Comparison is the comparison that was written, if the condition is exactly one comparison. It is
	// nil if the condition joins several comparisons, or is only a part of one.
	Comparison *Comparison
}

// A Comparison is one comparison in the text of a condition, such as depth > 2 * width.
type Comparison struct {
	// From is the offset of the comparison's first byte in the text of the condition, and To is the offset
	// of the byte after its last. Conditions are ASCII, so each byte is a character.
	From, To int
	// Operator is the operator that was written, or its opposite if the comparison was negated: for
	// !(depth > width) it is <=.
	Operator    string
	Left, Right Side
	// Unit is the unit of the lengths in the text if it differs from the [Form]'s unit; otherwise it is
	// empty. If it is set, lengths in the text must be converted before they are compared with lengths of the
	// Form.
	Unit string
	// Axes lists the axes that the comparison depends on, in the order of the text. A variable such
	// as blank_width depends on the axes in its formula.
	Axes []int
}

// A Side is one side of a comparison: its text, and its exact value. The value is in the unit of the [Form].
// The exception is a text that adds lengths to areas, as "width + width * caliper" does. Such a value cannot
// be converted, so Value is in the unit of the rule.
type Side struct {
	*Phrase
	Value Value
}

// A Phrase is the text of a Side. Unlike the value, the text is the same for all articles and materials, so all
// of them share one Phrase.
type Phrase struct {
	Text  string // as written, on one line
	Names []Name // the variables in Text, in order; one that occurs twice is listed twice
	// Numbers are the numbers in Text that have a unit, in order. In "2 * width + 30" only 30 has one; it is a length,
	// while 2 is a factor.
	Numbers []Number
	// Mixed is true if the text adds lengths to areas or to numbers without a unit, or compares them.
	Mixed bool
}

// A Number marks a number in the text of a Phrase. Only numbers that have a unit, such as lengths, are marked.
type Number struct {
	End    int // the offset of the byte after the number
	Degree int // 1 for a length, 2 for an area
}

// A Name marks a variable in the text of a Phrase.
type Name struct {
	Name string
	End  int // the offset of the byte after the name
}

// AboveZero returns the Region of the boxes for which v > 0, or v >= 0 if inclusive is set. It returns
// ErrMagnitude if the numbers of a half-space would be too large.
func AboveZero(v Value, inclusive bool) (Region, error) {
	c, err := AboveZeroRounded(v, inclusive, Rounding{})
	return c.Region(), err
}

// AboveZeroRounded returns the Condition of the comparison left > right, or left >= right if inclusive is
// set. v is left - right, and r says how floating point rounds the two sides. AboveZeroRounded returns the
// same errors as AboveZero.
func AboveZeroRounded(v Value, inclusive bool, r Rounding) (Condition, error) {
	v = v.orZero()
	if v.linear != nil {
		return v.linear.aboveZeroCondition(inclusive, r)
	}
	parts := make([]Condition, len(v.parts))
	for i, part := range v.parts {
		c, err := AboveZeroRounded(part, inclusive, r)
		if err != nil {
			return Condition{}, err
		}
		parts[i] = c
	}
	// A maximum is positive if one of its parts is. A minimum is positive if all of its parts are.
	if v.isMaximum {
		return anyOf(parts), nil
	}
	return allOf(parts), nil
}

func constantCondition(holds bool) Condition {
	if holds {
		return Condition{Kind: True}
	}
	return Condition{}
}

// And returns the Condition that holds if both c and d hold.
func (c Condition) And(d Condition) Condition { return allOf([]Condition{c, d}) }

// Or returns the Condition that holds if c or d holds.
func (c Condition) Or(d Condition) Condition { return anyOf([]Condition{c, d}) }

func allOf(parts []Condition) Condition { return joinConditions(And, True, False, parts) }

func anyOf(parts []Condition) Condition { return joinConditions(Or, False, True, parts) }

// joinConditions joins the half-spaces of one comparison, and simplifies the result as [AllOf] and [AnyOf] do for
// Regions. Unlike them, it keeps the edges. If a half-space occurs twice, the result contains it once, with an Edge
// that contains the points of both edges. A constant that has an Edge is kept, because floating point may evaluate a
// True as false, or a False as true.
func joinConditions(kind, neutral, deciding Kind, parts []Condition) Condition {
	joined := make([]Condition, 0, len(parts))
	seen := make(map[HalfSpace]int) // the index in joined
	for _, part := range parts {
		// a and (b and c) has the three parts a, b and c.
		inner := []Condition{part}
		if part.Kind == kind {
			inner = part.Parts
		}
		for _, c := range inner {
			switch {
			case c.Kind == deciding && c.Edge == Edge{}: // a and false is false
				return Condition{Kind: deciding}
			case c.Kind == neutral && c.Edge == Edge{}: // a and true is a
			case c.Kind != Half:
				joined = append(joined, c)
			default:
				if first, ok := seen[c.Half]; ok {
					joined[first].Edge = joined[first].Edge.union(c.Edge)
					continue
				}
				seen[c.Half] = len(joined)
				joined = append(joined, c)
			}
		}
	}
	switch len(joined) {
	case 0:
		return Condition{Kind: neutral}
	case 1:
		return joined[0]
	}
	return Condition{Kind: kind, Parts: joined}
}

// Holds reports whether c holds at p. It evaluates the parts one by one, which is slower than a check by an
// engine.
func (c Condition) Holds(p Point) bool {
	switch c.Kind {
	case Half:
		return c.Half.Contains(p)
	case And, Or:
		// A part that does not hold decides an And, and one that holds decides an Or.
		for _, part := range c.Parts {
			if part.Holds(p) != (c.Kind == And) {
				return c.Kind == Or
			}
		}
		return c.Kind == And
	}
	return c.Kind == True
}

// HalfSpaces yields the half-spaces of c from left to right. If a half-space is repeated, it is yielded each
// time.
func (c Condition) HalfSpaces() iter.Seq[HalfSpace] {
	return func(yield func(HalfSpace) bool) { c.eachHalfSpace(yield) }
}

func (c Condition) eachHalfSpace(yield func(HalfSpace) bool) bool {
	if c.Kind == Half {
		return yield(c.Half)
	}
	for _, part := range c.Parts {
		if !part.eachHalfSpace(yield) {
			return false
		}
	}
	return true
}

// Size returns the number of half-spaces that HalfSpaces yields.
func (c Condition) Size() int {
	n := 0
	for range c.HalfSpaces() {
		n++
	}
	return n
}

// Region returns the Region of the boxes for which c holds in exact arithmetic. A Region has no text and no
// edges.
func (c Condition) Region() Region {
	switch c.Kind {
	case True:
		return Everywhere()
	case Half:
		return c.Half.Region()
	case And, Or:
		parts := make([]Region, len(c.Parts))
		for i, part := range c.Parts {
			parts[i] = part.Region()
		}
		return joinRegions(c.Kind, parts)
	}
	return Region{}
}

// String returns the condition on one line, for tests and messages.
func (c Condition) String() string {
	switch c.Kind {
	case True:
		return "true"
	case False:
		return "false"
	case Half:
		return c.Half.String()
	}
	parts := make([]string, len(c.Parts))
	for i, part := range c.Parts {
		parts[i] = part.String()
	}
	return joinRegionTexts(c.Kind, parts)
}

// Equal reports whether c and d have the same structure and numbers. It ignores the texts of their
// comparisons. Equal Conditions hold at the same points, but Conditions that hold at the same points need not
// be Equal.
func (c Condition) Equal(d Condition) bool {
	return c.Kind == d.Kind && c.Half == d.Half && c.Edge == d.Edge && slices.EqualFunc(c.Parts, d.Parts, Condition.Equal)
}
