package learn

import (
	"math/big"
	"slices"

	"example.com/boxrules/exact"
)

// A corner is a sheet, or the least sheet of the grid that a blank fits: its longer and its shorter side.
type corner struct {
	long, short int64
	evidence
}

// within reports whether a sheet of the one size fits on a sheet of the other.
func (c corner) within(d corner) bool { return c.long <= d.long && c.short <= d.short }

// A sheet is what is known of a material's sheet: corners that it reaches, and corners that it does not. Of all facts it
// keeps those that no newer one implies.
type sheet struct {
	code          string
	materials     []string
	step          int64
	fits, exceeds []corner
	clashes
}

// reach is the corner that the sheet has at least: the longest side and the shortest that fit, with what they rest on.
func (s *sheet) reach() (long, short corner) {
	for _, c := range s.fits {
		if c.long > long.long {
			long = c
		}
		if c.short > short.short {
			short = c
		}
	}
	return long, short
}

func (s *sheet) corner() corner {
	long, short := s.reach()
	return corner{long: long.long, short: short.short}
}

// learn adds a blank that fits or does not. It returns the older answers that contradict it, one where one does, else two, and
// forgets as little as it must: the oldest answers.
func (s *sheet) learn(c corner, fits bool) (old []evidence, impossible bool) {
	if !fits && c.long <= s.step && c.short <= s.step {
		return nil, true
	}
	if !fits {
		return s.add(c, fits), false
	}
	return s.add(c, fits), false
}

func (s *sheet) add(c corner, fits bool) (old []evidence) {
	if fits {
		s.fits = append(slices.DeleteFunc(s.fits, func(o corner) bool { return o.within(c) }), c)
	} else {
		s.exceeds = append(slices.DeleteFunc(s.exceeds, func(o corner) bool { return c.within(o) }), c)
	}
	for {
		set := s.conflict()
		if set == nil {
			return old
		}
		oldest := set[0]
		var others []evidence
		for _, e := range set {
			if e.seq < oldest.seq {
				oldest = e
			}
			if e.seq != c.seq {
				others = append(others, e)
			}
		}
		if old == nil {
			slices.SortFunc(others, func(a, b evidence) int { return a.seq - b.seq })
			old = others
		}
		forgotten := func(o corner) bool { return o.seq <= oldest.seq }
		s.fits, s.exceeds = slices.DeleteFunc(s.fits, forgotten), slices.DeleteFunc(s.exceeds, forgotten)
	}
}

// conflict is a smallest set of answers that contradict each other, nil where there is none.
func (s *sheet) conflict() []evidence {
	reach := s.corner()
	var three []evidence
	for _, e := range s.exceeds {
		if !e.within(reach) {
			continue
		}
		var long, short *corner
		for i := len(s.fits) - 1; i >= 0; i-- { // newest first: less is forgotten
			f := &s.fits[i]
			if e.within(*f) {
				return []evidence{e.evidence, f.evidence}
			}
			if long == nil && f.long >= e.long {
				long = f
			}
			if short == nil && f.short >= e.short {
				short = f
			}
		}
		three = []evidence{e.evidence, long.evidence, short.evidence}
	}
	return three
}

// minimal are the corners that the sheet does not reach, without those that follow from another; by their longer side.
func (s *sheet) minimal() []corner {
	var kept []corner
	for i, c := range s.exceeds {
		implied := func(o corner) bool { return o.within(c) && (o.long != c.long || o.short != c.short || o.seq > c.seq) }
		if !slices.ContainsFunc(s.exceeds[:i], implied) && !slices.ContainsFunc(s.exceeds[i+1:], implied) {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b corner) int { return int(a.long - b.long) })
	return kept
}

// possible reports whether the sheet may reach the corner, as far as is known.
func (s *sheet) possible(c corner) bool {
	reach := s.corner()
	c.long, c.short = max(c.long, reach.long), max(c.short, reach.short)
	return c.long <= exact.MaxGrid && !slices.ContainsFunc(s.exceeds, func(e corner) bool { return e.within(c) })
}

// largest is a sheet that contains every one that is possible.
func (s *sheet) largest() corner {
	most := down(exact.MaxGrid, s.step)
	c := corner{long: most, short: most}
	reach := s.corner()
	for _, e := range s.exceeds {
		// Where the other side reaches that of e, this one must not.
		if e.short <= reach.short {
			c.long = min(c.long, e.long-s.step)
		}
		if e.long <= reach.long {
			c.short = min(c.short, e.short-s.step)
		}
	}
	c.short = min(c.short, c.long)
	return c
}

// A blank computes the sides of the flat blank in integers, rounded up to the grid of sheets: a sheet holds the blank where
// its own sides are not smaller.
type blank struct {
	width, height piece
	value         *exact.Blank
	step          int64
}

// A piece is a linear form a·p + k over integers, in units of 1/divisor of the step, or the greatest or least of parts.
type piece struct {
	a       [exact.Axes]int64
	k       int64
	divisor int64
	max     bool
	parts   []piece
}

func newBlank(b *exact.Blank, step int64) (*blank, error) {
	width, err := newPiece(b.Width, step)
	if err != nil {
		return nil, err
	}
	height, err := newPiece(b.Height, step)
	if err != nil {
		return nil, err
	}
	made := &blank{width, height, b, step}
	// What is asked of the blank in proofs must have a form on the grid, too.
	for _, c := range []int64{0, exact.MaxGrid} {
		for _, side := range []bool{false, true} {
			if _, err := made.beyond(side, c); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
}

func newPiece(v exact.Value, step int64) (piece, error) {
	if max, parts := v.Parts(); len(parts) > 0 {
		p := piece{max: max}
		for _, part := range parts {
			made, err := newPiece(part, step)
			if err != nil {
				return piece{}, err
			}
			p.parts = append(p.parts, made)
		}
		return p, nil
	}
	coefficients, constant, _ := v.Linear()
	m := big.NewInt(1)
	for _, c := range coefficients {
		g := new(big.Int).GCD(nil, nil, m, c.Denom())
		m.Mul(m, new(big.Int).Quo(c.Denom(), g))
	}
	scaled := func(r *big.Rat, by int64) *big.Int { // rounded up
		r = new(big.Rat).Mul(r, new(big.Rat).SetInt(m))
		r.Mul(r, big.NewRat(by, 1))
		return new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(r.Num()), r.Denom()))
	}
	p := piece{}
	most := new(big.Int).Abs(scaled(constant, exact.Scale))
	for axis, c := range coefficients {
		a := scaled(c, 1)
		most.Add(most, new(big.Int).Mul(new(big.Int).Abs(a), big.NewInt(exact.MaxGrid)))
		p.a[axis] = a.Int64()
	}
	divisor := new(big.Int).Mul(m, big.NewInt(step))
	if !most.IsInt64() || !divisor.IsInt64() || most.BitLen() > 61 {
		return piece{}, exact.ErrMagnitude
	}
	p.k, p.divisor = scaled(constant, exact.Scale).Int64(), divisor.Int64()
	return p, nil
}

// steps is the value at a point in steps, rounded up.
func (p *piece) steps(at exact.Point) int64 {
	if p.parts == nil {
		return exact.CeilDiv(p.a[0]*at[0]+p.a[1]*at[1]+p.a[2]*at[2]+p.k, p.divisor)
	}
	best := p.parts[0].steps(at)
	for i := range p.parts[1:] {
		if x := p.parts[i+1].steps(at); p.max == (x > best) {
			best = x
		}
	}
	return best
}

// sides are the longer and the shorter side of the least sheet that the blank fits.
func (b *blank) sides(at exact.Point) (long, short int64) {
	long, short = b.width.steps(at)*b.step, b.height.steps(at)*b.step
	if long < short {
		long, short = short, long
	}
	return long, short
}

// beyond is where the longer side of the blank, or the shorter, is greater than a side of a sheet.
func (b *blank) beyond(short bool, side int64) (exact.Tree, error) {
	v, err := exact.Extreme(!short, b.value.Width, b.value.Height).Add(exact.Constant(big.NewRat(-side, exact.Scale)))
	if err != nil {
		return exact.Tree{}, err
	}
	t, err := exact.Positive(v, false)
	return t.Folded(), err
}

// tree is beyond, which newBlank has tried.
func (b *blank) tree(short bool, side int64) exact.Tree {
	t, err := b.beyond(short, side)
	if err != nil {
		panic(err)
	}
	return t
}

// Traces are what is known of an article whose blank is not: boxes that fit and boxes that do not. What is smaller than one that fits
// fits too, and what is larger than one that does not does not.
type traces struct {
	fits, exceeds []trace
	clashes
}

type trace struct {
	at exact.Point
	evidence
}

func inside(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

func (t *traces) learn(at exact.Point, fits bool, e evidence) (old evidence, contradicts bool) {
	same, other := &t.fits, &t.exceeds
	implies := func(p, q exact.Point) bool { return inside(q, p) } // that p has the answer says that q has
	if !fits {
		same, other, implies = other, same, inside
	}
	for _, o := range *other {
		if implies(at, o.at) && o.seq > old.seq {
			old, contradicts = o.evidence, true
		}
	}
	if contradicts {
		forgotten := func(o trace) bool { return o.seq <= old.seq }
		t.fits, t.exceeds = slices.DeleteFunc(t.fits, forgotten), slices.DeleteFunc(t.exceeds, forgotten)
	}
	*same = append(slices.DeleteFunc(*same, func(o trace) bool { return implies(at, o.at) }), trace{at, e})
	return old, contradicts
}

// possible says whether the blank of the box may fit, and whether it may not.
func (t *traces) possible(at exact.Point) (fits, exceeds bool) {
	fits = !slices.ContainsFunc(t.exceeds, func(o trace) bool { return inside(o.at, at) })
	exceeds = !slices.ContainsFunc(t.fits, func(o trace) bool { return inside(at, o.at) })
	return fits, exceeds
}

// limitOf is the greatest multiple of the step up to a side.
func limitOf(side *big.Rat, step int64) int64 {
	x := new(big.Rat).Mul(side, big.NewRat(exact.Scale, 1))
	return down(new(big.Int).Div(x.Num(), x.Denom()).Int64(), step)
}
