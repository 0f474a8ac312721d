package main

import (
	"fmt"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
)

// A plan is a file without its cases, and how to come by them.
type plan struct {
	conformance.File
	// right are the codes of a box in check order, by hand; nil where the oracle has them.
	right verdicts
	blank flat // for the oracle, of every article; nil for those of the shipped articles
	boxes func(*suite)
}

type verdicts func(article, material string, w, d, h *big.Rat) []string

// A suite is a file of cases in the making.
type suite struct {
	conformance.File
	engine *boxrules.Engine
	right  verdicts
	asked  map[boxrules.Box]bool
	err    error // the first
}

// file is the file with its cases. Rules and limits that are paths are below the root.
func (p plan) file(root string) (conformance.File, error) {
	rules, catalogue, err := p.Load(root)
	if err != nil {
		return p.File, err
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		return p.File, err
	}
	s := &suite{File: p.File, engine: engine, right: p.right, asked: make(map[boxrules.Box]bool)}
	if s.right == nil {
		if s.right, err = byHand(catalogue, p.blank); err != nil {
			return p.File, err
		}
	}
	p.boxes(s)
	if s.err == nil && len(s.Cases) == 0 {
		s.err = fmt.Errorf("%s: no cases", s.Name)
	}
	return s.File, s.err
}

// codes are those that are right.
func (s *suite) codes(article, material string, d boxrules.Dims) []string {
	return s.right(article, material, oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
}

// ask adds a box with the codes that are right for it. A box asked before is not added again.
func (s *suite) ask(article, material string, d boxrules.Dims) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	if s.err != nil || s.asked[box] {
		return
	}
	s.asked[box] = true
	verdict := conformance.Verdict{Codes: append([]string{}, s.codes(article, material, d)...)}
	if len(verdict.Codes) > 0 {
		verdict.Code = verdict.Codes[0]
	}
	s.err = s.agrees(box, verdict)
	s.add(box, conformance.Case{Verdict: &verdict})
}

// askPoint is ask for a box on the grid.
func (s *suite) askPoint(article, material string, p exact.Point) {
	s.ask(article, material, boxrules.DimsAt(p))
}

// refuse adds what is no box, because of the field.
func (s *suite) refuse(article, material string, d boxrules.Dims, field string) {
	if s.err != nil {
		return
	}
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	verdict, err := s.engine.Check(box)
	if input, ok := err.(*boxrules.InputError); !ok || input.Field != field {
		s.err = fmt.Errorf("%s: Check(%+v) = %v, %v, want an input error for %s", s.Name, box, verdict, err, field)
	}
	s.add(box, conformance.Case{Error: &conformance.InputError{Field: field}})
}

func (s *suite) add(box boxrules.Box, c conformance.Case) {
	c.Article, c.Material = box.Article, box.Material
	c.Width, c.Depth, c.Height = conformance.Number(box.Width), conformance.Number(box.Depth), conformance.Number(box.Height)
	s.Cases = append(s.Cases, c)
}

// agrees compares the engine with what is right.
func (s *suite) agrees(box boxrules.Box, want conformance.Verdict) error {
	first, err := s.engine.Check(box)
	if err != nil {
		return fmt.Errorf("%s: Check(%+v): %w", s.Name, box, err)
	}
	all, err := s.engine.CheckAll(box)
	if err != nil {
		return fmt.Errorf("%s: CheckAll(%+v): %w", s.Name, box, err)
	}
	same := slices.EqualFunc(all, want.Codes, func(v boxrules.Violation, code string) bool { return string(v.Code) == code })
	if !same || string(first.Code()) != want.Code || first.OK() != (want.Code == "") {
		return fmt.Errorf("%s: the engine says %v, %v of %+v, and right is %v", s.Name, first, all, box, want.Codes)
	}
	return nil
}

func sum(terms ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, t := range terms {
		total.Add(total, t)
	}
	return total
}

func times(a *big.Rat, numerator, denominator int64) *big.Rat {
	return new(big.Rat).Mul(a, big.NewRat(numerator, denominator))
}

func whole(n int64) *big.Rat { return big.NewRat(n, 1) }

func greatest(all ...*big.Rat) *big.Rat { return slices.MaxFunc(all, (*big.Rat).Cmp) }

func least(all ...*big.Rat) *big.Rat { return slices.MinFunc(all, (*big.Rat).Cmp) }
