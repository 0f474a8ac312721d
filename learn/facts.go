package learn

import (
	"slices"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// A State says how much is known of a Fact's unknown.
type State string

// The states.
const (
	Decided      State = "decided"      // all limit files that agree with the answers have the same value here, or the same verdicts
	Open         State = "open"         // some box would tell more
	Unobservable State = "unobservable" // it is proved that no box can tell
	Contradicted State = "contradiction"
)

// A Fact is what is known of one unknown: a limit or a constraint of an article, or the sheet of a material.
type Fact struct {
	Article  string `json:"article,omitempty"`
	Material string `json:"material,omitempty"`
	// What is the name of a limit such as max_depth, the code of a constraint, or "sheet".
	What  string `json:"what"`
	State State  `json:"state"`
	// Least and Greatest are the values that a limit may have, both included, in units.
	Least    float64 `json:"least,omitempty"`
	Greatest float64 `json:"greatest,omitempty"`
	// Selected says of a decided constraint whether the article selects it.
	Selected *bool `json:"selected,omitempty"`
	// By are, of an unobservable constraint, those that come first wherever it holds; none where it never does within the limits.
	By []boxrules.Code `json:"by,omitempty"`
	// Fits is the longer and the shorter side that a sheet is known to have at least, in units; Exceeds are those sizes that it does
	// not contain.
	Fits    *[2]float64  `json:"fits,omitempty"`
	Exceeds [][2]float64 `json:"exceeds,omitempty"`
	// Rows are the answers that it rests on; fewer than two for a limit of which one end is an assumption.
	Rows []int `json:"rows,omitempty"`
	// Since is the date of the answer from which on a contradicted fact is another, where it is known, and Note the
	// contradiction's.
	Since *time.Time `json:"since,omitempty"`
	Note  string     `json:"note,omitempty"`
}

// Facts are what is known, in the order of the frame: for each article its limits and its constraints in check order, then
// for each material its sheet. The proofs of one call are bounded by a count, some seconds of work; what is not settled then
// counts as open.
func (l *Learner) Facts() []Fact {
	l.work = maxWork
	var facts []Fact
	for _, a := range l.articles {
		for axis, name := range exact.AxisNames() {
			for end := range 2 {
				facts = append(facts, l.limitFact(a, &a.ends[axis][end], endNames[end]+name))
			}
		}
		for i := range l.codes {
			facts = append(facts, l.choiceFact(a, i))
		}
	}
	for _, m := range l.frame.Materials() {
		for _, s := range l.sheets {
			if slices.Contains(s.materials, m.Code) {
				facts = append(facts, l.sheetFact(s, m.Code))
			}
		}
	}
	return facts
}

// clash makes the fact a contradiction where there is one.
func (f Fact) clash(c *clashes) Fact {
	if c.last == nil {
		return f
	}
	f.State, f.Rows, f.Note = Contradicted, c.last.Rows, c.last.Note
	if !c.last.Since.IsZero() {
		f.Since = &c.last.Since
	}
	return f
}

func (l *Learner) limitFact(a *article, i *interval, what string) Fact {
	f := Fact{Article: a.Code, What: what, State: Open, Least: exact.Units(i.least()), Greatest: exact.Units(i.greatest())}
	if i.least() == i.greatest() {
		f.State = Decided
	}
	for side := range 2 {
		if row := i.bound(side).row; row != 0 {
			f.Rows = append(f.Rows, row)
		}
	}
	return f.clash(&i.clashes)
}

func (l *Learner) choiceFact(a *article, i int) Fact {
	c := &a.choices[i]
	f := Fact{Article: a.Code, What: string(l.codes[i]), State: Open}
	if c.state != open {
		yes := c.state == selected
		f.State, f.Selected, f.Rows = Decided, &yes, []int{c.row}
	} else if by, ok := l.hidden(a, i); ok {
		f.State = Unobservable
		for _, j := range by {
			f.By = append(f.By, l.codes[j])
		}
	}
	return f.clash(&c.clashes)
}

func (l *Learner) sheetFact(s *sheet, material string) Fact {
	f := Fact{Material: material, What: "sheet", State: Decided}
	long, short := s.reach()
	if long.seq != 0 {
		f.Fits, f.Rows = &[2]float64{exact.Units(long.long), exact.Units(short.short)}, []int{long.row}
		if short.row != long.row {
			f.Rows = append(f.Rows, short.row)
		}
	}
	for _, e := range s.minimal() {
		f.Exceeds, f.Rows = append(f.Exceeds, [2]float64{exact.Units(e.long), exact.Units(e.short)}), append(f.Rows, e.row)
	}
	last := s.clashes
	observable := false
	for _, p := range l.profiles {
		if p.sheet == s {
			observable = observable || p.blank != nil && l.size != ""
			if p.blank == nil && p.traces.last != nil {
				last = p.traces.clashes
			}
		}
	}
	if _, _, answer := l.sheetOpen(s, 1); answer != polytope.Nothing {
		f.State = Open
	} else if !observable {
		f.State = Unobservable
	}
	return f.clash(&last)
}
