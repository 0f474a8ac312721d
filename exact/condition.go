package exact

import (
	"iter"
	"math/big"
	"slices"
)

// A Kind is the form of a [Condition] or a [Region].
type Kind uint8

// The kinds of a Condition or a Region.
const (
	False Kind = iota // holds nowhere
	True              // holds everywhere
	Half              // holds in one half-space
	And               // holds if every part holds
	Or                // holds if some part holds
)

// A Condition is the condition of a rule as it was written: and/or over comparisons, each of which
// is a half-space or joins several. It may contain constants and repetitions; call
// [Condition.Region] for the set of boxes alone. The zero Condition is False.
type Condition struct {
	Kind  Kind
	Half  HalfSpace   // of a Half
	Parts []Condition // of And and Or, at least two
	// Edge says where floating point may decide a Half otherwise, or anywhere a True or False.
	Edge Edge
	// Comparison says what was written, if the condition is the whole of one comparison. It is nil
	// on a node that joins several comparisons, and within a comparison.
	Comparison *Comparison
}

// A Comparison is one relation of a condition, such as depth > 2 * width.
type Comparison struct {
	// From and To are the offsets of its text in the condition: of its first byte, and of the byte
	// after its last. Conditions are ASCII, so bytes are characters.
	From, To int
	// Operator is the one written, or under a negation its opposite: in !(depth > width) it is <=.
	Operator    string
	Left, Right Side
	// Axes lists the axes that the comparison depends on, in the order of the text. A variable such
	// as blank_width depends on the axes in its formula.
	Axes []int
}

// A Side is one side of a comparison: what was written, and its value in units.
type Side struct {
	*Phrase
	Value Value
}

// A Phrase is the text of a Side. All articles and materials share it.
type Phrase struct {
	Text  string // as written, in one line
	Names []Name // the variables in Text, in order, each as often as it occurs
}

// A Name marks a variable in a Phrase.
type Name struct {
	Name string
	End  int // the offset of the byte after it
}

// AboveZero returns the Region of the boxes for which v > 0, or v >= 0 if inclusive is set. It fails
// with ErrMagnitude.
func AboveZero(v Value, inclusive bool) (Region, error) {
	c, err := AboveZeroRounded(v, inclusive, Rounding{})
	return c.Region(), err
}

// AboveZeroRounded returns the Condition of a comparison left > right, or left >= right if inclusive
// is set, where v is left - right and r is how the two sides are rounded. It fails with ErrMagnitude.
func AboveZeroRounded(v Value, inclusive bool, r Rounding) (Condition, error) {
	v = v.orZero()
	if v.form != nil {
		return v.form.positive(inclusive, r)
	}
	parts := make([]Condition, len(v.parts))
	for i, part := range v.parts {
		c, err := AboveZeroRounded(part, inclusive, r)
		if err != nil {
			return Condition{}, err
		}
		parts[i] = c
	}
	// A maximum is positive if some part is, a minimum if every part is.
	if v.max {
		return anyOf(parts), nil
	}
	return allOf(parts), nil
}

func (f *linear) positive(inclusive bool, r Rounding) (Condition, error) {
	// Times the scale the coefficients are integers A without a common divisor, and over grid
	// points x = Scale·p the sum A·x is an integer too: A·x + Scale·scale·k > 0 is A·x >
	// floor(-Scale·scale·k), and >= is > ceil(…) - 1.
	divisor, multiple := new(big.Int), big.NewInt(1)
	for _, c := range f.coefficients {
		if sign(c) != 0 {
			divisor.GCD(nil, nil, divisor, new(big.Int).Abs(c.Num()))
		}
		if c != nil && !c.IsInt() {
			multiple = lcm(multiple, c.Denom())
		}
	}
	if divisor.Sign() == 0 {
		s := sign(f.constant)
		t := constant(s > 0 || s == 0 && inclusive)
		t.Edge = r.edgeOfConstant(orZero(f.constant))
		return t, nil
	}
	scale := new(big.Rat).SetFrac(multiple, divisor)
	bound := new(big.Rat).Mul(scale, big.NewRat(-Scale, 1))
	bound.Mul(bound, orZero(f.constant))
	k := floor(bound)
	if inclusive && bound.IsInt() {
		k.Sub(k, big.NewInt(1))
	}
	h := HalfSpace{K: k.Int64()}
	most := new(big.Int).Abs(k)
	for axis, c := range f.coefficients {
		if c != nil {
			a := product(c, scale).Num()
			h.A[axis] = a.Int64()
			most.Add(most, a.Mul(a.Abs(a), big.NewInt(MaxGrid)))
		}
	}
	// The complement's K has a magnitude of one more.
	if most.Cmp(big.NewInt(maxExact-1)) > 0 {
		return Condition{}, ErrMagnitude
	}
	return Condition{Kind: Half, Half: h, Edge: r.edge(h.K, bound, scale)}, nil
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(new(big.Int).Quo(a, g), b)
}

// floor returns the greatest integer that is not greater than r.
func floor(r *big.Rat) *big.Int {
	// Div rounds so that the remainder is not negative, and a Rat's denominator is positive.
	return new(big.Int).Div(r.Num(), r.Denom())
}

func constant(holds bool) Condition {
	if holds {
		return Condition{Kind: True}
	}
	return Condition{}
}

// And returns the Condition that holds if c and d do.
func (c Condition) And(d Condition) Condition { return allOf([]Condition{c, d}) }

// Or returns the Condition that holds if c or d does.
func (c Condition) Or(d Condition) Condition { return anyOf([]Condition{c, d}) }

func allOf(parts []Condition) Condition { return combine(And, True, False, parts) }

func anyOf(parts []Condition) Condition { return combine(Or, False, True, parts) }

// combine joins the half-spaces of one comparison, as [AllOf] and [AnyOf] join Regions, but keeps
// their edges: of a half-space that occurs twice the Edge has the points of both, and a constant that
// has an Edge stays, because in floating point it may be the other one.
func combine(kind, neutral, deciding Kind, parts []Condition) Condition {
	kept := make([]Condition, 0, len(parts))
	seen := make(map[HalfSpace]int) // its index in kept
	for _, part := range parts {
		inner := []Condition{part}
		if part.Kind == kind {
			inner = part.Parts
		}
		for _, t := range inner {
			switch {
			case t.Kind == deciding && t.Edge == Edge{}:
				return Condition{Kind: deciding}
			case t.Kind == neutral && t.Edge == Edge{}:
			case t.Kind != Half:
				kept = append(kept, t)
			default:
				if first, ok := seen[t.Half]; ok {
					kept[first].Edge = kept[first].Edge.join(t.Edge)
					continue
				}
				seen[t.Half] = len(kept)
				kept = append(kept, t)
			}
		}
	}
	switch len(kept) {
	case 0:
		return Condition{Kind: neutral}
	case 1:
		return kept[0]
	}
	return Condition{Kind: kind, Parts: kept}
}

// Holds reports whether c holds at p. It walks the parts; the engine runs a faster program made
// from them.
func (c Condition) Holds(p Point) bool {
	switch c.Kind {
	case Half:
		return c.Half.Contains(p)
	case And, Or:
		for _, part := range c.Parts {
			if part.Holds(p) != (c.Kind == And) {
				return c.Kind == Or
			}
		}
		return c.Kind == And
	}
	return c.Kind == True
}

// HalfSpaces yields the half-spaces of c from left to right, repeated ones each time.
func (c Condition) HalfSpaces() iter.Seq[HalfSpace] {
	return func(yield func(HalfSpace) bool) { c.eachHalf(yield) }
}

func (c Condition) eachHalf(yield func(HalfSpace) bool) bool {
	if c.Kind == Half {
		return yield(c.Half)
	}
	for _, part := range c.Parts {
		if !part.eachHalf(yield) {
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

// Region returns the boxes for which c holds, exactly: without comparisons and edges.
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
		return join(c.Kind, parts)
	}
	return Region{}
}

// String returns the condition in one line, for tests and messages.
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
	return joinText(c.Kind, parts)
}

// Equal reports whether c and d are built alike, apart from their comparisons. Then they hold at the
// same points, but Conditions that hold at the same points need not be built alike.
func (c Condition) Equal(d Condition) bool {
	return c.Kind == d.Kind && c.Half == d.Half && c.Edge == d.Edge && slices.EqualFunc(c.Parts, d.Parts, Condition.Equal)
}
