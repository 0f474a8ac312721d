package main

import (
	"bytes"
	"cmp"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// A worker answers rows. It shares nothing that changes with the others.
type worker struct {
	tally
	engine *boxrules.Engine
	report report
	codes  map[answered]int // nil where nobody asks for them

	r        row
	products map[string]*product
	key      []byte // of products, reused
	last     *product
}

// A product is an article in a material, as rows name them.
type product struct {
	key     []byte
	profile *boxrules.Profile
}

// An answered is what one line of the summary counts.
type answered struct {
	article string // empty where there is none such
	answer  string // valid, a code, or error: and the field
}

// answer answers for the rows of the chunk.
func (w *worker) answer(o *opened, c *chunk, numbered bool) {
	n := o.count(c.text, numbered)
	at := <-c.before
	c.after <- place{at.rows + n.rows, at.lines + n.lines}

	c.out = c.out[:0]
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
	if len(r.problems) == 0 {
		if p := w.product(r.names[article], r.names[material]); p != nil {
			verdict, err := p.Check(r.dims())
			if err == nil {
				if verdict.OK() {
					w.valid++
				} else {
					w.invalid++
				}
				if w.codes != nil {
					w.codes[answered{p.Article(), verdictText(verdict)}]++
				}
				return w.report.box(dst, r, p, verdict)
			}
			r.blame(err)
		}
	}
	w.blameNames(r)
	w.noBox++
	if w.codes != nil {
		known := slices.ContainsFunc(w.engine.Catalogue().Articles(), func(a limits.Article) bool { return a.Code == string(r.names[article]) })
		a := answered{answer: errorText(r)}
		if known {
			a.article = string(r.names[article])
		}
		w.codes[a]++
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

// product is the profile of the article in the material, nil where there is none.
func (w *worker) product(article, material []byte) *boxrules.Profile {
	w.key = append(append(append(w.key[:0], article...), 0), material...)
	if w.last != nil && bytes.Equal(w.last.key, w.key) {
		return w.last.profile
	}
	known, ok := w.products[string(w.key)]
	if !ok {
		profile, err := w.engine.Profile(string(article), string(material))
		if err != nil {
			return nil
		}
		known = &product{bytes.Clone(w.key), profile}
		w.products[string(w.key)] = known
	}
	w.last = known
	return known.profile
}

// blameNames says what is wrong with the article and the material of a row that is no box.
func (w *worker) blameNames(r *row) {
	if r.problem() != nil && r.problem().Field == "" {
		return // the row could not be read
	}
	_, err := w.engine.Profile(string(r.names[article]), string(r.names[material]))
	r.blame(err)
	if r.problem() == nil || r.problem().Field != fieldNames[article] {
		return
	}
	// Which materials there are depends on the article; that there is none at all, or no such one, does not.
	var codes []string
	for _, m := range w.engine.Catalogue().Materials() {
		codes = append(codes, m.Code)
	}
	switch name := string(r.names[material]); {
	case !r.known[material] && name != "":
	case name == "":
		r.fail(material, "missing; accepted: %s", wording.Some(codes))
	case !slices.Contains(codes, name):
		r.fail(material, "unknown material %s; accepted: %s", wording.Quote(name), wording.Some(codes))
	}
}
