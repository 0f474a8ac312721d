package learn

import (
	"cmp"
	"math/big"
	"slices"

	"example.com/boxrules/exact"
)

// A corner is a size, of a sheet or of the least sheet that holds a blank: its longer and its
// shorter side.
type corner struct {
	long, short int64
	evidence
}

// within reports whether a sheet of the one size fits on a sheet of the other.
func (c corner) within(d corner) bool { return c.long <= d.long && c.short <= d.short }

// A sheet keeps what is known of a material's sheet: corners that it reaches, and corners that it
// does not. Of all facts it keeps those that no newer one implies.
type sheet struct {
	code          string
	materials     []string
	step          int64
	fits, exceeds []corner
	clashes
}

// clone returns a copy that learns alone.
func (s *sheet) clone() sheet {
	own := *s
	own.fits, own.exceeds = slices.Clone(s.fits), slices.Clone(s.exceeds)
	return own
}

// reach returns the longest side and the shortest that fit, with what they rest on: the sheet has a
// corner at least there.
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

// corner returns the least size that the sheet may have.
func (s *sheet) corner() corner {
	long, short := s.reach()
	return corner{long: max(long.long, s.step), short: max(short.short, s.step)}
}

// impossible reports whether no sheet explains that a blank fits or does not.
func (s *sheet) impossible(c corner, fits bool) bool {
	return fits && c.long > exact.MaxGrid || !fits && c.long <= s.step
}

// learn adds a blank that fits, or does not. It returns the sets of older answers that contradict
// it, each of one answer or, where one alone does not, two; those with the fewest first. It forgets
// as little as it must: the oldest answers. A blank that every sheet holds is not added.
func (s *sheet) learn(c corner, fits bool) (sets [][]evidence) {
	if c.long <= s.step {
		return nil
	}
	reach := s.corner()
	if fits {
		s.fits = append(slices.DeleteFunc(s.fits, func(o corner) bool { return o.within(c) }), c)
	} else {
		s.exceeds = append(slices.DeleteFunc(s.exceeds, func(o corner) bool { return c.within(o) }), c)
	}
	if c.within(reach) == fits {
		return nil // nothing that is known says otherwise
	}
	for {
		set := s.conflict()
		if set == nil {
			slices.SortStableFunc(sets, func(a, b []evidence) int { return len(a) - len(b) })
			return sets
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
		slices.SortFunc(others, func(a, b evidence) int { return a.seq - b.seq })
		sets = append(sets, others)
		forgotten := func(o corner) bool { return o.seq <= oldest.seq }
		s.fits, s.exceeds = slices.DeleteFunc(s.fits, forgotten), slices.DeleteFunc(s.exceeds, forgotten)
	}
}

// conflict returns a smallest set of answers that contradict each other, and nil where there is
// none.
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

// minimal returns the corners that the sheet does not reach, by their longer side, without those
// that follow from another.
func (s *sheet) minimal() []corner {
	var kept []corner
	for i, c := range s.exceeds {
		implied := func(o corner) bool { return o.within(c) && (o.long != c.long || o.short != c.short || o.seq > c.seq) }
		if !slices.ContainsFunc(s.exceeds[:i], implied) && !slices.ContainsFunc(s.exceeds[i+1:], implied) {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b corner) int { return cmp.Compare(a.long, b.long) })
	return kept
}

// possible reports whether the sheet may reach the corner, as far as is known.
func (s *sheet) possible(c corner) bool {
	reach := s.corner()
	c.long, c.short = max(c.long, reach.long), max(c.short, reach.short)
	return c.long <= exact.MaxGrid && !slices.ContainsFunc(s.exceeds, func(e corner) bool { return e.within(c) })
}

// largest returns a sheet that contains every one that is possible.
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

// limitOf returns the greatest multiple of the step up to a side.
func limitOf(side *big.Rat, step int64) int64 {
	x := new(big.Rat).Mul(side, big.NewRat(exact.Scale, 1))
	return down(new(big.Int).Div(x.Num(), x.Denom()).Int64(), step)
}
