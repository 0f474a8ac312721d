package linear

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Scale is the number of grid points in a unit: dimensions are whole thousandths.
const Scale = 1000

// MaxDimension is the greatest magnitude of a dimension, in units; MaxGrid is the same on the grid.
const (
	MaxDimension = 1_000_000
	MaxGrid      = MaxDimension * Scale
)

// exact is where the integers end that a float64 holds without gaps.
const exact = 1 << 53

// Grid is the grid point of a length in units, floor(x*Scale + 0.5).
func Grid(x float64) int64 {
	// The conversion keeps a compiler from fusing the product and the sum into one rounding, which on some
	// machines would put a box on another grid point than JavaScript and SQL do.
	return int64(math.Floor(float64(x*Scale) + 0.5))
}

// A Point is a box on the grid: width, depth and height in thousandths of the unit.
type Point [Axes]int64

// A HalfSpace is the set of points p with A·p > K. All its numbers are on the grid: for every point with
// no dimension beyond MaxGrid neither A·p nor any part of the sum passes 2^53.
type HalfSpace struct {
	A [Axes]int64
	K int64
}

// Contains reports whether p is in the half-space.
func (h HalfSpace) Contains(p Point) bool {
	return h.A[Width]*p[Width]+h.A[Depth]*p[Depth]+h.A[Height]*p[Height] > h.K
}

// Complement is the set of grid points that are not in h: A·p <= K is -A·p > -K-1 among integers.
func (h HalfSpace) Complement() HalfSpace {
	return HalfSpace{A: [Axes]int64{-h.A[Width], -h.A[Depth], -h.A[Height]}, K: -h.K - 1}
}

// String is the inequality, for tests and messages.
func (h HalfSpace) String() string {
	return fmt.Sprintf("%d·w%+d·d%+d·h > %d", h.A[Width], h.A[Depth], h.A[Height], h.K)
}

// Kind says what a Condition is.
type Kind uint8

// The kinds of a Condition.
const (
	False Kind = iota // holds nowhere
	True              // holds everywhere
	Half              // holds in one half-space
	And               // holds where every part holds
	Or                // holds where some part holds
)

// A Condition is a set of grid points: a half-space, or an and/or combination of Conditions. And and Or
// have at least two parts, none of which is True, False or of the same kind. The zero Condition is False.
type Condition struct {
	Kind  Kind
	Half  HalfSpace
	Parts []Condition
}

// A Tree is a condition as it is written: comparisons under && and ||, with negations pushed down to them.
type Tree struct {
	Every     bool      // && rather than ||
	Parts     []Tree    // none for a comparison
	Condition Condition // where it holds
	Mentioned []int     // of a comparison: the axes, in the order of the text
}

// Positive is where v > 0, or v >= 0 where inclusive is set. It fails with ErrMagnitude.
func Positive(v Value, inclusive bool) (Condition, error) {
	if v.form != nil {
		return v.form.positive(inclusive)
	}
	parts := make([]Condition, len(v.parts))
	for i, part := range v.parts {
		c, err := Positive(part, inclusive)
		if err != nil {
			return Condition{}, err
		}
		parts[i] = c
	}
	// A maximum is positive where some part is, a minimum where every part is.
	if v.max {
		return AnyOf(parts...), nil
	}
	return AllOf(parts...), nil
}

func (f *Form) positive(inclusive bool) (Condition, error) {
	// Multiplied by the common denominator m, the coefficients are integers, and over grid points x = Scale·p
	// the sum A·x is an integer too: A·x + m·Scale·k > 0 is A·x > floor(-m·Scale·k), and >= is > ceil(…) - 1.
	m := big.NewInt(1)
	for _, c := range f.coefficients {
		if c != nil {
			m = lcm(m, c.Denom())
		}
	}
	var a [Axes]*big.Int
	g := new(big.Int)
	for axis, c := range f.coefficients {
		a[axis] = new(big.Int)
		if c != nil {
			a[axis].Mul(c.Num(), new(big.Int).Quo(m, c.Denom()))
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(a[axis]))
	}
	if g.Sign() == 0 {
		s := sign(f.constant)
		return constant(s > 0 || s == 0 && inclusive), nil
	}
	bound := new(big.Rat).SetFrac(new(big.Int).Mul(m, big.NewInt(-Scale)), g)
	bound.Mul(bound, orZero(f.constant))
	k := floor(bound)
	if inclusive && bound.IsInt() {
		k.Sub(k, big.NewInt(1))
	}
	return halfSpace(a, g, k)
}

// halfSpace is (a/g)·p > k, with the magnitudes checked.
func halfSpace(a [Axes]*big.Int, g, k *big.Int) (Condition, error) {
	h := HalfSpace{}
	most := new(big.Int).Abs(k)
	for axis := range a {
		a[axis].Quo(a[axis], g)
		most.Add(most, new(big.Int).Mul(new(big.Int).Abs(a[axis]), big.NewInt(MaxGrid)))
	}
	// The complement's K has a magnitude of one more.
	if most.Cmp(big.NewInt(exact-1)) > 0 {
		return Condition{}, ErrMagnitude
	}
	for axis := range a {
		h.A[axis] = a[axis].Int64()
	}
	h.K = k.Int64()
	return Condition{Kind: Half, Half: h}, nil
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(new(big.Int).Quo(a, g), b)
}

// floor is the greatest integer that is not greater than r.
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

// AllOf holds where every part holds; without parts, everywhere.
func AllOf(parts ...Condition) Condition { return combine(And, True, False, parts) }

// AnyOf holds where some part holds; without parts, nowhere.
func AnyOf(parts ...Condition) Condition { return combine(Or, False, True, parts) }

// combine joins the parts: neutral ones are left out, a deciding one decides, nested ones of the kind are
// flattened and repeated half-spaces dropped.
func combine(kind, neutral, deciding Kind, parts []Condition) Condition {
	var kept []Condition
	seen := make(map[HalfSpace]bool)
	var add func(parts []Condition) bool
	add = func(parts []Condition) bool {
		for _, part := range parts {
			switch part.Kind {
			case neutral:
			case deciding:
				return false
			case kind:
				if !add(part.Parts) {
					return false
				}
			case Half:
				if !seen[part.Half] {
					seen[part.Half] = true
					kept = append(kept, part)
				}
			default:
				kept = append(kept, part)
			}
		}
		return true
	}
	if !add(parts) {
		return Condition{Kind: deciding}
	}
	switch len(kept) {
	case 0:
		return Condition{Kind: neutral}
	case 1:
		return kept[0]
	}
	return Condition{Kind: kind, Parts: kept}
}

// Not holds where c does not.
func Not(c Condition) Condition {
	switch c.Kind {
	case True:
		return Condition{Kind: False}
	case False:
		return Condition{Kind: True}
	case Half:
		return Condition{Kind: Half, Half: c.Half.Complement()}
	}
	parts := make([]Condition, len(c.Parts))
	for i, part := range c.Parts {
		parts[i] = Not(part)
	}
	if c.Kind == And {
		return AnyOf(parts...)
	}
	return AllOf(parts...)
}

// Holds reports whether the condition holds at p. It is the plain reading of the tree, for analyses and
// tests; the engine runs a program made from it.
func (c Condition) Holds(p Point) bool {
	switch c.Kind {
	case True:
		return true
	case Half:
		return c.Half.Contains(p)
	case And:
		for _, part := range c.Parts {
			if !part.Holds(p) {
				return false
			}
		}
		return true
	case Or:
		for _, part := range c.Parts {
			if part.Holds(p) {
				return true
			}
		}
	}
	return false
}

// Halves counts the half-spaces of c, repeated ones each time.
func (c Condition) Halves() int {
	if c.Kind == Half {
		return 1
	}
	n := 0
	for _, part := range c.Parts {
		n += part.Halves()
	}
	return n
}

// String is the condition in words of one line, for tests and messages.
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
	word := " and "
	if c.Kind == Or {
		word = " or "
	}
	return "(" + strings.Join(parts, word) + ")"
}

// Equal reports whether c and d are built the same, which makes them hold at the same points; conditions
// built differently may do so too.
func (c Condition) Equal(d Condition) bool {
	return c.Kind == d.Kind && c.Half == d.Half && slices.EqualFunc(c.Parts, d.Parts, Condition.Equal)
}
