// Conformance writes the conformance cases. Every verdict comes from package oracle, or was written by hand in this
// package. The oracle in bounds.go determines the fields to blame and their bounds. The engine is used only to find
// interesting boxes, which are near the half-spaces of its profiles. A test in package conformance compares the
// cases with the engine.
//
// The same source code gives the same files, byte for byte, on every machine.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/strictjson"
)

func main() {
	folder := flag.String("o", "cases", "folder to write the files to")
	root := flag.String("root", "..", "root of the repository")
	flag.Parse()
	for _, f := range generate(*root, 1) {
		if err := os.WriteFile(filepath.Join(*folder, f.Name), encode(f), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the files. If every is greater than 1, it makes only one of this number of suites, and each of them
// is as in the whole.
func generate(root string, every int) []conformance.File {
	files := []conformance.File{inputTexts()}
	one := func(make func(root string) *suite) func() []*suite {
		return func() []*suite { return []*suite{make(root)} }
	}
	illustrative := func(stage boxrules.Stage, n int) func() []*suite {
		return func() []*suite { return []*suite{illustrativeSuite(root, stage, n)} }
	}
	ruleValues := func(unit string) func() []*suite {
		return func() []*suite { return []*suite{ruleValuesSuite(root, unit)} }
	}
	documented := func() []*suite {
		inOrder, reversed := documentedSuites(root)
		return []*suite{inOrder, reversed}
	}
	for i, suites := range []func() []*suite{
		illustrative(boxrules.Boundary, 1), illustrative(boxrules.Constraint, 3), illustrative(boxrules.Size, 1),
		one(documentedConstraints), documented, one(documentedGrid), one(userRulesSuite), one(inputErrors), one(inputsWithTwoDecimals),
		one(valuesSuite), one(unitsSuite), ruleValues("in"), ruleValues("mm"),
	} {
		if i%every > 0 {
			continue
		}
		for _, s := range suites() {
			files = append(files, s.File)
		}
	}
	return files
}

// encode returns the file as JSON with one case on each line, so that a diff shows a changed case as one changed
// line.
func encode(f conformance.File) []byte {
	var lines [][]byte
	add := func(value any) { lines = append(lines, bytes.TrimSpace(strictjson.Marshal(value))) }
	key := "cases"
	for _, c := range f.Cases {
		add(c)
	}
	for _, t := range f.Texts {
		key = "texts"
		add(t)
	}
	f.Cases, f.Texts = nil, nil
	var b bytes.Buffer
	_ = json.Indent(&b, strictjson.Marshal(f), "", " ") // cannot fail, because Marshal returns valid JSON
	// The list of cases comes last. Remove the closing brace, and append the list with one case on each line.
	b.Truncate(b.Len() - len("\n}\n"))
	fmt.Fprintf(&b, ",\n %q: [\n  %s\n ]\n}\n", key, bytes.Join(lines, []byte(",\n  ")))
	return b.Bytes()
}

// A suite is a conformance file that is being written.
type suite struct {
	conformance.File
	engine   *boxrules.Engine
	profiles map[[2]string]*oracle.Profile // by article and material
	// amend returns the correct codes for a box, given its documented codes. It is nil if the file has exactly the
	// documented rules.
	amend func(box boxrules.Box, documented []string) []string
	added map[boxrules.Box]bool
	// boundFinders find the bounds. The keys are an article and a material.
	boundFinders map[[2]string]*boundFinder
}

// newSuite returns a suite without cases. The paths in f are relative to root. All articles have the given blank.
// If blank is nil, they have the blanks of the illustrative articles.
func newSuite(root string, f conformance.File, blank oracle.Flat) *suite {
	rules, catalogue, err := f.Load(root)
	if err != nil {
		log.Fatal(err)
	}
	s := &suite{File: f, profiles: make(map[[2]string]*oracle.Profile), added: make(map[boxrules.Box]bool),
		boundFinders: make(map[[2]string]*boundFinder)}
	if s.engine, err = boxrules.New(rules, catalogue); err != nil {
		log.Fatal(err)
	}
	reference, err := boxtest.NewReference(rules, catalogue)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range catalogue.Materials() {
		for _, a := range catalogue.Articles() {
			articleBlank := blank
			if articleBlank == nil {
				articleBlank = oracle.Blanks[a.Code]
			}
			p := oracle.New(a, m, articleBlank)
			p.Unit = catalogue.Unit()
			// oracle.New always sets a blank. Remove it if the article has none.
			if a.Blank == nil {
				p.Blank = nil
			}
			s.profiles[[2]string{a.Code, m.Code}] = p
			s.boundFinders[[2]string{a.Code, m.Code}] = newBoundFinder(rules, catalogue, a, m, reference)
		}
	}
	return s
}

// rightCodes returns the codes that are correct for the box, according to the oracle.
func (s *suite) rightCodes(box boxrules.Box) []string {
	p := s.profiles[[2]string{box.Article, box.Material}]
	codes := p.All(oracle.Grid(box.Width), oracle.Grid(box.Depth), oracle.Grid(box.Height))
	if s.amend != nil {
		codes = s.amend(box, codes)
	}
	return append([]string{}, codes...) // an empty slice becomes [] in JSON, and nil would become null
}

// addVerdict adds a case with the box and its correct codes, unless the suite already has a case with this box.
func (s *suite) addVerdict(article, material string, d boxrules.Dims) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	if s.added[box] {
		return
	}
	s.added[box] = true
	want := conformance.Verdict{Codes: s.rightCodes(box)}
	if len(want.Codes) > 0 {
		want.Code = want.Codes[0]
		want.Bounds = s.boundFinders[[2]string{article, material}].bounds(box, want.Codes)
	}
	s.add(box, conformance.Case{Verdict: &want})
}

// addVerdictAt is like addVerdict, for the box of the profile at a grid point.
func (s *suite) addVerdictAt(p *boxrules.Profile, at exact.Point) {
	s.addVerdict(p.Article(), p.Material(), boxrules.DimsAt(at))
}

// addInputError adds a case that expects an input error for the field.
func (s *suite) addInputError(article, material string, d boxrules.Dims, field string) {
	box := boxrules.Box{Article: article, Material: material, Dims: d}
	s.add(box, conformance.Case{Error: &conformance.InputError{Field: field}})
}

func (s *suite) add(box boxrules.Box, c conformance.Case) {
	c.Article, c.Material = box.Article, box.Material
	c.Width, c.Depth, c.Height = conformance.Number(box.Width), conformance.Number(box.Depth), conformance.Number(box.Height)
	s.Cases = append(s.Cases, c)
}

// newDraw returns a source of random numbers. It gives the same numbers in every run, so that the generated files are
// always the same.
func newDraw() gen.Draw { return rand.New(rand.NewPCG(17, 0)).IntN }
