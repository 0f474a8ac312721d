package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
)

// A worker answers rows. It shares nothing that changes with the others.
type worker struct {
	tally
	engine   *boxrules.Engine
	report   report
	file     *opened           // nil for flags
	articles map[string]string // those that there are, each by itself; shared
	counted  bool              // whether anybody asks for counts by article and answer
	noBoxes  map[[2]string]int // of rows that are no boxes, by article, if there is such a one, and answer

	r        row
	products map[string]*product
	recent   [256]*product // where the last rows' can be found without the map
	key      []byte        // of products, reused
}

// A product is an article in a material, as rows name them.
type product struct {
	names    [firstDimension][]byte
	profile  *boxrules.Profile      // nil where there is none
	problems []*boxrules.InputError // then
	verdicts []verdictCount
}

// named reports whether it is the article in the material.
func (p *product) named(article, material []byte) bool {
	return bytes.Equal(p.names[0], article) && bytes.Equal(p.names[1], material)
}

// A verdictCount is how many boxes have had a verdict.
type verdictCount struct {
	verdict boxrules.Verdict
	n       int
}

// count counts the verdict. Those that are frequent move to the front.
func (p *product) count(v boxrules.Verdict) {
	for i := range p.verdicts {
		if p.verdicts[i].verdict == v {
			p.verdicts[i].n++
			if i > 0 && p.verdicts[i].n > p.verdicts[i-1].n {
				p.verdicts[i], p.verdicts[i-1] = p.verdicts[i-1], p.verdicts[i]
			}
			return
		}
	}
	p.verdicts = append(p.verdicts, verdictCount{v, 1})
}

// answer answers for the rows of the chunk.
func (w *worker) answer(o *opened, c *chunk, numbered bool) {
	n := o.count(c.text, numbered)
	at := <-c.before
	c.after <- place{at.rows + n.rows, at.lines + n.lines}

	c.out, w.file = c.out[:0], o
	r := &w.r
	r.file, r.number, r.line = o.shown(), at.rows, at.lines+1
	for text := c.text; len(text) > 0; {
		r.reset()
		n := o.read(text, r)
		r.text, text = text[:n], text[n:]
		if r.empty {
			c.out = w.report.empty(c.out, r)
		} else {
			r.number++
			c.out = w.row(c.out, r)
		}
		if numbered {
			r.line += o.lines(r.text)
		}
	}
}

// row appends the answer for the row.
func (w *worker) row(dst []byte, r *row) []byte {
	p := w.product(r.names[article], r.names[material])
	if len(r.problems) == 0 && p.profile != nil {
		verdict, err := p.profile.Check(r.dims())
		if err == nil {
			if verdict.OK() {
				w.valid++
			} else {
				w.invalid++
			}
			if w.counted {
				p.count(verdict)
			}
			return w.report.box(dst, r, p.profile, verdict)
		}
		r.blame(err)
	}
	for _, problem := range p.problems {
		r.blame(problem)
	}
	for field, name := range r.names {
		if !utf8.Valid(name) {
			r.names[field] = []byte(w.file.decoded(name))
			r.known[field] = r.known[field] && utf8.Valid(r.names[field])
		}
	}
	w.noBox++
	if w.counted {
		w.noBoxes[[2]string{w.articles[string(r.names[article])], errorText(r)}]++
	}
	return w.report.noBox(dst, r)
}

// verdictText is the verdict in a word.
func verdictText(v boxrules.Verdict) string {
	if v.OK() {
		return "valid"
	}
	return string(v.Code())
}

// errorText is the first problem of a row that is no box, in a word.
func errorText(r *row) string { return "error:" + cmp.Or(r.problem().Field, "row") }

// What is remembered of articles and materials that there are not is bounded. Codes are shorter than maxName.
const (
	maxProducts = 4096
	maxName     = 128
)

// product is the article in the material.
func (w *worker) product(article, material []byte) *product {
	slot := byte((mix(article)*31 + mix(material)) >> 56)
	if p := w.recent[slot]; p != nil && p.named(article, material) {
		return p
	}
	// The length keeps the two names apart.
	w.key = append(append(binary.AppendUvarint(w.key[:0], uint64(len(article))), article...), material...)
	p, ok := w.products[string(w.key)]
	if !ok {
		p = w.newProduct(article, material)
		// What is no UTF-8 may be Windows-1252 in another file.
		if p.profile == nil && (len(w.products) >= maxProducts || len(w.key) > maxName || !utf8.Valid(w.key)) {
			return p
		}
		w.products[string(w.key)] = p
	}
	w.recent[slot] = p
	return p
}

// mix is a number that tells names apart by their length and their last letters.
func mix(name []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio
	if len(name) >= 8 {
		return (binary.LittleEndian.Uint64(name[len(name)-8:]) ^ uint64(len(name))) * odd
	}
	x := uint64(len(name))
	for _, c := range name {
		x = x<<8 | uint64(c)
	}
	return x * odd
}

func (w *worker) newProduct(article, material []byte) *product {
	p := &product{names: [firstDimension][]byte{bytes.Clone(article), bytes.Clone(material)}}
	var r row
	names := [firstDimension]string{string(article), string(material)}
	for field, name := range names {
		if !utf8.ValidString(name) {
			names[field] = w.file.decoded([]byte(name))
			r.checkName(field, []byte(names[field]))
		}
	}
	profile, err := w.engine.Profile(names[0], names[1])
	if err == nil {
		p.profile = profile
		return p
	}
	r.blame(err)
	if r.problem().Field == fieldNames[0] {
		w.blameMaterial(&r, names[1])
	}
	p.problems = r.problems
	return p
}

// blameMaterial says what is wrong with the material for any article. Which materials there are depends on the article; that
// there is none at all, or no such one, does not.
func (w *worker) blameMaterial(r *row, name string) {
	var codes []string
	for _, m := range w.engine.Catalogue().Materials() {
		codes = append(codes, m.Code)
	}
	switch {
	case name == "":
		r.fail(material, "missing; accepted: %s", wording.Some(codes))
	case !slices.Contains(codes, name):
		r.fail(material, "unknown material %s; accepted: %s", wording.Quote(name), wording.Some(codes))
	}
}
