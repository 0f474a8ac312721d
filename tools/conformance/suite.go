package main

import (
	"fmt"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/oracle"
)

// A suite is a file of cases in the making.
type suite struct {
	file   conformance.File
	engine *boxrules.Engine
	// right are the codes of a box in check order: the oracle's, or written by hand.
	right func(article, material string, w, d, h *big.Rat) []string
	asked map[boxrules.Box]bool
	err   error // the first
}

// newSuite starts a file with rules and limits, each as text or as a path below the root.
func newSuite(root string, file conformance.File) (*suite, error) {
	rules, catalogue, err := file.Load(root)
	if err != nil {
		return nil, err
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil {
		return nil, err
	}
	return &suite{file: file, engine: engine, asked: make(map[boxrules.Box]bool)}, nil
}

// ask adds a box with the codes that are right for it. A box asked before is not added again.
func (s *suite) ask(article, material string, d boxrules.Dims) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	if s.err != nil || s.asked[box] {
		return
	}
	s.asked[box] = true
	codes := s.right(article, material, oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
	verdict := conformance.Verdict{Codes: append([]string{}, codes...)}
	if len(codes) > 0 {
		verdict.Code = codes[0]
	}
	s.err = s.agrees(box, verdict)
	s.add(box, conformance.Case{Verdict: &verdict})
}

// askPoint is ask for a box on the grid.
func (s *suite) askPoint(article, material string, p exact.Point) { s.ask(article, material, dims(p)) }

// refuse adds what is no box, because of the field.
func (s *suite) refuse(box boxrules.Box, field string) {
	if s.err != nil {
		return
	}
	verdict, err := s.engine.Check(box)
	if input, ok := err.(*boxrules.InputError); !ok || input.Field != field {
		s.err = fmt.Errorf("%s: Check(%+v) = %v, %v, want an input error for %s", s.file.Name, box, verdict, err, field)
	}
	s.add(box, conformance.Case{Error: &conformance.InputError{Field: field}})
}

func (s *suite) add(box boxrules.Box, c conformance.Case) {
	c.Article, c.Material = box.Article, box.Material
	c.Width, c.Depth, c.Height = conformance.Number(box.Width), conformance.Number(box.Depth), conformance.Number(box.Height)
	s.file.Cases = append(s.file.Cases, c)
}

// agrees compares the engine with what is right.
func (s *suite) agrees(box boxrules.Box, want conformance.Verdict) error {
	first, err := s.engine.Check(box)
	if err != nil {
		return fmt.Errorf("%s: Check(%+v): %w", s.file.Name, box, err)
	}
	all, err := s.engine.CheckAll(box)
	if err != nil {
		return fmt.Errorf("%s: CheckAll(%+v): %w", s.file.Name, box, err)
	}
	same := slices.EqualFunc(all, want.Codes, func(v boxrules.Violation, code string) bool { return string(v.Code) == code })
	if !same || string(first.Code()) != want.Code || first.OK() != (want.Code == "") {
		return fmt.Errorf("%s: the engine says %v, %v of %+v, and right is %v", s.file.Name, first, all, box, want.Codes)
	}
	return nil
}

// done is the file, or the first error.
func (s *suite) done() ([]conformance.File, error) {
	if s.err == nil && len(s.file.Cases) == 0 {
		s.err = fmt.Errorf("%s: no cases", s.file.Name)
	}
	return []conformance.File{s.file}, s.err
}

// dims are a grid point's dimensions in units.
func dims(p exact.Point) boxrules.Dims {
	return boxrules.Dims{
		Width:  exact.Units(p[exact.Width]),
		Depth:  exact.Units(p[exact.Depth]),
		Height: exact.Units(p[exact.Height]),
	}
}

func rat(numerator, denominator int64) *big.Rat { return big.NewRat(numerator, denominator) }

func sum(terms ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, t := range terms {
		total.Add(total, t)
	}
	return total
}

func times(a *big.Rat, numerator, denominator int64) *big.Rat {
	return new(big.Rat).Mul(a, rat(numerator, denominator))
}

// floor is the greatest integer that is not greater than r.
func floor(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }

func greatest(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}
