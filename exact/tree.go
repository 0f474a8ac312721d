package exact

import (
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"
)

// A HalfSpace holds the points p on one side of a plane, those with A·p > K. Where A is (-1, 1,
// 0) and K is 0, it holds every box that is deeper than wide; a square one is not in it, as >
// excludes the plane. For every point with no dimension beyond MaxGrid neither A·p nor any part
// of that sum passes 2^53.
type HalfSpace struct {
	A [Axes]int64
	K int64
}

// Contains reports whether p is in the half-space.
func (h HalfSpace) Contains(p Point) bool {
	return h.A[Width]*p[Width]+h.A[Depth]*p[Depth]+h.A[Height]*p[Height] > h.K
}

// Complement returns the half-space of the grid points that are not in h. Among integers A·p <= K
// says the same as -A·p > -K-1, so that the complement of w > 5 is -w > -6.
func (h HalfSpace) Complement() HalfSpace {
	return HalfSpace{A: [Axes]int64{-h.A[Width], -h.A[Depth], -h.A[Height]}, K: -h.K - 1}
}

// String returns the inequality, for tests and messages.
func (h HalfSpace) String() string {
	return fmt.Sprintf("%d·w%+d·d%+d·h > %d", h.A[Width], h.A[Depth], h.A[Height], h.K)
}

// Kind tells the forms of a [Tree] apart.
type Kind uint8

// The kinds of a Tree.
const (
	False Kind = iota // holds nowhere
	True              // holds everywhere
	Half              // holds in one half-space
	And               // holds where every part holds
	Or                // holds where some part holds
)

// A Tree holds for a set of grid points: it is a half-space, or joins Trees by and/or. The zero
// Tree is False.
type Tree struct {
	Kind  Kind
	Half  HalfSpace // of a Half
	Parts []Tree    // of And and Or, at least two
	// Edge says where floating point may decide a Half otherwise, or anywhere a True or False. It is
	// zero everywhere in a tree from Folded or Not.
	Edge Edge
	// Comparison is set where the tree is the whole of one comparison, and says what was written.
	// It is nil on a node that joins several, and everywhere in a tree from Folded or Not.
	Comparison *Comparison
}

// A Comparison stands for one relation of a condition, as in depth > 2 * width.
type Comparison struct {
	// From and To delimit its text in the condition, To being just behind it. Conditions are
	// ASCII, so that characters are bytes.
	From, To int
	// Operator makes the tree hold: it is the one written, or under a negation its opposite. In
	// !(depth > width) it is <=.
	Operator    string
	Left, Right Side
	// Axes lists the axes that the comparison depends on, in the order of the text. blank_width
	// stands for the axes in its formula.
	Axes []int
}

// A Side stands for one side of a comparison: what was written, and what it is worth in units.
type Side struct {
	*Phrase
	Value Value
}

// A Phrase keeps the text of a Side. Profiles share it.
type Phrase struct {
	Text  string // as written, in one line
	Names []Name // the variables in Text, in order, each as often as it stands there
}

// A Name marks a variable in a Phrase.
type Name struct {
	Name string
	End  int // the offset just behind it
}

// AboveZero returns the Tree of the boxes where v > 0, or v >= 0 where inclusive is set. A
// comparison left > right becomes AboveZero(left - right). It fails with ErrMagnitude.
func AboveZero(v Value, inclusive bool) (Tree, error) {
	return AboveZeroRounded(v, inclusive, Rounding{})
}

// AboveZeroRounded returns what AboveZero does, with the edges of a comparison left > right whose sides
// are rounded. v is left - right.
func AboveZeroRounded(v Value, inclusive bool, r Rounding) (Tree, error) {
	v = v.orZero()
	if v.form != nil {
		return v.form.positive(inclusive, r)
	}
	parts := make([]Tree, len(v.parts))
	for i, part := range v.parts {
		c, err := AboveZeroRounded(part, inclusive, r)
		if err != nil {
			return Tree{}, err
		}
		parts[i] = c
	}
	// A maximum is positive where some part is, a minimum where every part is.
	if v.max {
		return AnyOf(parts...), nil
	}
	return AllOf(parts...), nil
}

func (f *linear) positive(inclusive bool, r Rounding) (Tree, error) {
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
		return Tree{}, ErrMagnitude
	}
	return Tree{Kind: Half, Half: h, Edge: r.edge(h.K, bound, scale)}, nil
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

func constant(holds bool) Tree {
	if holds {
		return Tree{Kind: True}
	}
	return Tree{}
}

// AllOf returns the Tree that holds where every part holds; without parts, everywhere. Of folded
// parts it is folded.
func AllOf(parts ...Tree) Tree { return combine(And, True, False, parts) }

// AnyOf returns the Tree that holds where some part holds; without parts, nowhere. Of folded
// parts it is folded.
func AnyOf(parts ...Tree) Tree { return combine(Or, False, True, parts) }

// combine joins the parts by the kind. For And, True is neutral and left out, and False decides:
// it is returned alone; for Or the other way round. Parts of the same kind are flattened, as in a
// and (b and c), and a half-space that occurs twice is kept once. A constant that has an edge is kept,
// as in floating point it may be the other one.
func combine(kind, neutral, deciding Kind, parts []Tree) Tree {
	kept := make([]Tree, 0, len(parts))
	seen := make(map[HalfSpace]int) // where in kept
	for _, part := range parts {
		inner := []Tree{part}
		if part.Kind == kind {
			inner = part.Parts
		}
		for _, t := range inner {
			switch {
			case t.Kind == deciding && t.Edge == Edge{}:
				return Tree{Kind: deciding}
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
		return Tree{Kind: neutral}
	case 1:
		return kept[0]
	}
	return Tree{Kind: kind, Parts: kept}
}

// Holds reports whether t holds at p. It walks the tree; the engine runs a faster program made
// from it.
func (t Tree) Holds(p Point) bool {
	switch t.Kind {
	case Half:
		return t.Half.Contains(p)
	case And, Or:
		for _, part := range t.Parts {
			if part.Holds(p) != (t.Kind == And) {
				return t.Kind == Or
			}
		}
		return t.Kind == And
	}
	return t.Kind == True
}

// HalfSpaces yields the half-spaces of t from left to right, repeated ones each time.
func (t Tree) HalfSpaces() iter.Seq[HalfSpace] {
	return func(yield func(HalfSpace) bool) { t.eachHalf(yield) }
}

func (t Tree) eachHalf(yield func(HalfSpace) bool) bool {
	if t.Kind == Half {
		return yield(t.Half)
	}
	for _, part := range t.Parts {
		if !part.eachHalf(yield) {
			return false
		}
	}
	return true
}

// Size returns how many half-spaces t has, counting repeated ones each time.
func (t Tree) Size() int {
	n := 0
	for range t.HalfSpaces() {
		n++
	}
	return n
}

// Folded returns t without what changes nothing: constants, repeated half-spaces, an And within
// an And, and comparisons. Each And and Or of it has at least two parts, none of which is True,
// False or of the same kind. Code that takes trees apart to prove something asks for folded ones.
func (t Tree) Folded() Tree { return t.folded(true) }

// Not returns a folded Tree that holds where t does not.
func Not(t Tree) Tree { return t.folded(false) }

// folded returns t folded where want is true, and its negation where want is false. By De Morgan,
// the negation of an And is an Or of negations.
func (t Tree) folded(want bool) Tree {
	switch t.Kind {
	case True, False:
		return constant((t.Kind == True) == want)
	case Half:
		if !want {
			return Tree{Kind: Half, Half: t.Half.Complement()}
		}
		return Tree{Kind: Half, Half: t.Half}
	}
	parts := make([]Tree, len(t.Parts))
	for i, part := range t.Parts {
		parts[i] = part.folded(want)
	}
	if (t.Kind == And) == want {
		return AllOf(parts...)
	}
	return AnyOf(parts...)
}

// String returns the condition in one line, for tests and messages.
func (t Tree) String() string {
	switch t.Kind {
	case True:
		return "true"
	case False:
		return "false"
	case Half:
		return t.Half.String()
	}
	parts := make([]string, len(t.Parts))
	for i, part := range t.Parts {
		parts[i] = part.String()
	}
	word := " and "
	if t.Kind == Or {
		word = " or "
	}
	return "(" + strings.Join(parts, word) + ")"
}

// Equal reports whether t and u are built alike, whatever their comparisons say. Then they hold
// at the same points, but trees that hold at the same points need not be built alike.
func (t Tree) Equal(u Tree) bool {
	return t.Kind == u.Kind && t.Half == u.Half && t.Edge == u.Edge && slices.EqualFunc(t.Parts, u.Parts, Tree.Equal)
}
