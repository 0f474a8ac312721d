package main

import (
	"log"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/oracle"
)

// A suite is a file of cases in the making.
type suite struct {
	conformance.File
	engine   *boxrules.Engine
	profiles map[[2]string]*oracle.Profile // by article and material
	// amend turns the documented codes of a box into those that are right under rules of one's own;
	// nil changes nothing.
	amend func(box boxrules.Box, documented []string) []string
	asked map[boxrules.Box]bool
}

// newSuite returns a file without cases yet. Its rules and limits may be paths below the root. All
// articles have the same blank, or where that is nil those of the shipped articles.
func newSuite(root string, f conformance.File, blank oracle.Flat) *suite {
	rules, catalogue, err := f.Load(root)
	if err != nil {
		log.Fatal(err)
	}
	s := &suite{File: f, profiles: make(map[[2]string]*oracle.Profile), asked: make(map[boxrules.Box]bool)}
	if s.engine, err = boxrules.New(rules, catalogue); err != nil {
		log.Fatal(err)
	}
	for _, m := range catalogue.Materials() {
		for _, a := range catalogue.Articles() {
			of := blank
			if of == nil {
				of = oracle.Blanks[a.Code]
			}
			p := oracle.New(a, m, of)
			if a.Blank == nil {
				p.Blank = nil
			}
			s.profiles[[2]string{a.Code, m.Code}] = p
		}
	}
	return s
}

// right returns the codes of the box as the oracle has them.
func (s *suite) right(box boxrules.Box) []string {
	p := s.profiles[[2]string{box.Article, box.Material}]
	codes := p.All(oracle.Grid(box.Width), oracle.Grid(box.Depth), oracle.Grid(box.Height))
	if s.amend != nil {
		codes = s.amend(box, codes)
	}
	return append([]string{}, codes...) // [] in JSON, and not null
}

// ask adds a box with the codes that are right for it, unless it was asked before.
func (s *suite) ask(article, material string, d boxrules.Dims) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	if s.asked[box] {
		return
	}
	s.asked[box] = true
	want := conformance.Verdict{Codes: s.right(box)}
	if len(want.Codes) > 0 {
		want.Code = want.Codes[0]
	}
	s.add(box, conformance.Case{Verdict: &want})
}

// askPoint is ask for a box on the grid.
func (s *suite) askPoint(p *boxrules.Profile, at exact.Point) {
	s.ask(p.Article(), p.Material(), boxrules.DimsAt(at))
}

// refuse adds what is no box, because of the field.
func (s *suite) refuse(article, material string, d boxrules.Dims, field string) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	s.add(box, conformance.Case{Error: &conformance.InputError{Field: field}})
}

func (s *suite) add(box boxrules.Box, c conformance.Case) {
	c.Article, c.Material = box.Article, box.Material
	c.Width, c.Depth, c.Height = conformance.Number(box.Width), conformance.Number(box.Depth), conformance.Number(box.Height)
	s.Cases = append(s.Cases, c)
}
