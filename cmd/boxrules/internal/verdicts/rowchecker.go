package verdicts

import (
	"slices"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A rowChecker answers for rows. It shares nothing that changes with the others.
type rowChecker struct {
	tally
	Options
	engine *boxrules.Engine
	report report
	counts map[string]map[string]int // of all files, by article, empty where there is no such one, then by answer

	// Of the file, which is nil for flags.
	file     *lists.Reader
	first    problem
	products map[[lists.FirstDimension]string]*product // by what its rows say
}

// A problem is what keeps a row from being a box, with the line from which on the row was read.
type problem struct {
	line int
	text string
}

// A product is an article in a material, as the rows of a file name them.
type product struct {
	profile  *boxrules.Profile // nil where there is none
	article  string            // empty where there is no such one
	counts   map[string]int    // of answers about the article
	problems []*boxrules.InputError
}

// begin forgets the file before. The same bytes may say something else in this one, whose encoding
// may be another.
func (w *rowChecker) begin(o *lists.Reader) {
	w.file, w.first = o, problem{}
	w.products = make(map[[lists.FirstDimension]string]*product)
}

// answer appends the answer for a row.
func (w *rowChecker) answer(dst []byte, r *lists.Row) []byte {
	if r.Empty {
		if w.Only != "" {
			return dst
		}
		return w.report.empty(dst, r)
	}
	return w.row(dst, r)
}

// row appends the answer for the row.
func (w *rowChecker) row(dst []byte, r *lists.Row) []byte {
	p := w.product(r.Names[lists.Article], r.Names[lists.Material])
	if w.Expect {
		w.blameExpected(r)
	}
	if len(r.Problems) == 0 && p.profile != nil {
		verdict, err := p.profile.Check(r.Dims())
		if err == nil {
			return w.box(dst, r, p, verdict)
		}
		r.Blame(err)
	}
	w.blameDimensions(r)
	for _, problem := range p.problems {
		r.Blame(problem)
	}
	for field, name := range r.Names {
		text := w.decoded(field, name)
		r.Names[field] = []byte(text)
		r.Known[field] = r.Known[field] && utf8.ValidString(text)
	}
	w.noBox++
	if w.first.text == "" {
		w.first = problem{r.Line, r.ProblemsText()}
	}
	p.counts[errorText(r)]++
	if w.Only != "" && w.Only != OnlyErrors {
		return dst
	}
	return w.report.noBox(dst, r)
}

// box appends the verdict on a box.
func (w *rowChecker) box(dst []byte, r *lists.Row, p *product, v boxrules.Verdict) []byte {
	kind := OnlyInvalid
	if v.OK() && !w.Expect || w.Expect && expected(r) == verdictText(v) {
		kind = OnlyValid
		w.valid++
	} else {
		w.invalid++
	}
	if w.Summary {
		p.counts[verdictText(v)]++
	}
	if w.Only != "" && w.Only != kind {
		return dst
	}
	return w.report.box(dst, r, p.profile, v)
}

// blameDimensions blames each dimension that could be read and is none, such as 48.125 where the
// limits take two decimals. All profiles take the same.
func (w *rowChecker) blameDimensions(r *lists.Row) {
	step := exact.StepOf(w.engine.Catalogue().Decimals())
	for axis, x := range r.Dimensions {
		if !r.Known[lists.FirstDimension+axis] {
			continue
		}
		var alone [lists.FieldCount - lists.FirstDimension]float64
		alone[axis] = x
		r.Blame(boxrules.Dims{Width: alone[0], Depth: alone[1], Height: alone[2]}.Validate(step))
	}
}

// What is remembered of articles and materials that there are not is bounded. Codes are shorter
// than maxName.
const (
	maxProducts = 4096
	maxName     = 128
)

// product returns the article in the material, by what a row says.
func (w *rowChecker) product(article, material []byte) *product {
	p := w.products[[lists.FirstDimension]string{string(article), string(material)}]
	if p != nil {
		return p
	}
	p = w.newProduct([...][]byte{article, material})
	if w.counts[p.article] == nil {
		w.counts[p.article] = make(map[string]int)
	}
	p.counts = w.counts[p.article]
	long := len(article)+len(material) > maxName
	if p.profile != nil || len(w.products) < maxProducts && !long {
		w.products[[lists.FirstDimension]string{string(article), string(material)}] = p
	}
	return p
}

// decoded returns the name that a row has, or a flag, which is UTF-8 whatever the file is.
func (w *rowChecker) decoded(field int, name []byte) string {
	if w.file == nil || w.file.Options.Given[field] != "" {
		return string(name)
	}
	return w.file.Decoded(name)
}

func (w *rowChecker) newProduct(said [lists.FirstDimension][]byte) *product {
	var r lists.Row
	var names [lists.FirstDimension]string
	for field, name := range said {
		names[field] = w.decoded(field, name)
		r.CheckName(field, []byte(names[field]))
	}
	profile, err := w.engine.Profile(names[0], names[1])
	if err == nil {
		return &product{profile: profile, article: names[0]}
	}
	r.Blame(err)
	if r.Problem().Field != lists.FieldNames[0] {
		return &product{article: names[0], problems: r.Problems}
	}
	w.blameMaterial(&r, names[1])
	return &product{problems: r.Problems}
}

// blameMaterial says what is wrong with the material for any article. Which materials there are
// depends on the article; that there is none at all, or no such one, does not.
func (w *rowChecker) blameMaterial(r *lists.Row, name string) {
	var codes []string
	for _, m := range w.engine.Catalogue().Materials() {
		codes = append(codes, m.Code)
	}
	switch {
	case name == "":
		r.Fail(lists.Material, "missing; accepted: %s", wording.List(codes))
	case !slices.Contains(codes, name):
		r.Fail(lists.Material, "unknown material %s; accepted: %s", wording.Quote(name), wording.List(codes))
	}
}
