package verdicts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// A rowChecker checks rows and reports the verdicts. Several goroutines share the rows of a file. Each goroutine has
// its own rowChecker, and uses it for one file after another.
type rowChecker struct {
	runTally
	Options
	engine          *boxrules.Engine
	report          report
	limitsByArticle map[string]*unitIntervals // the limits of each article
	counts          map[string]map[string]int // the number of rows in all files, by article and then by answer; unknown articles are counted under ""

	// For each field, a map from codes in lower case to the codes in the limits. It is nil until findCaseMismatch
	// needs it.
	codesByLowerCase [lists.FirstDimension]map[string]string

	// The remaining fields are for the current file.
	file           *lists.Reader // nil for the box that the flags describe
	isConverted    bool          // whether any dimension of the file has a different unit from the limits
	units          unitTally
	caseMismatches caseMismatchTally
	firstProblem   rowProblem
	products       map[productNames]*product
}

// A rowProblem is the reason why a row is not a box.
type rowProblem struct {
	line int    // the line on which the row begins
	text string // empty if there is no problem
}

// productNames are the names of the article and the material of a row, in the file's encoding.
type productNames [lists.FirstDimension]string

// A product is an article in a material.
type product struct {
	profile  *boxrules.Profile      // nil if the engine does not have this product
	limits   *unitIntervals         // the limits of the article; nil if there is no profile
	article  string                 // empty if the article is unknown
	counts   map[string]int         // the number of boxes by answer, for the article in all materials
	problems []*boxrules.InputError // why there is no profile

	caseMismatch codePair // the result of findCaseMismatch if there is no profile
}

// A codePair is a code in a list, together with the code in the limits that differs from it only in case.
type codePair struct{ list, limits string }

// A caseMismatchTally counts the rows with a case mismatch, and stores the first mismatch.
type caseMismatchTally struct {
	rows          int
	line          int // the line of the first of these rows
	firstMismatch codePair
}

func (c *caseMismatchTally) add(other caseMismatchTally) {
	if c.rows == 0 || other.rows > 0 && other.line < c.line {
		c.line, c.firstMismatch = other.line, other.firstMismatch
	}
	c.rows += other.rows
}

// beginFile prepares the checker for a file. It forgets the products of the previous file, because the same bytes may
// spell a different name in another encoding.
func (r *rowChecker) beginFile(file *lists.Reader) {
	r.file, r.firstProblem, r.caseMismatches = file, rowProblem{}, caseMismatchTally{}
	r.products = make(map[productNames]*product)
	r.units = newUnitTally(file)
	r.isConverted = file != nil && slices.ContainsFunc(file.Units[:], func(unit string) bool { return unit != file.Options.Catalogue })
}

// answer appends the answer for a row of a file. The row may be empty.
func (r *rowChecker) answer(dst []byte, row *lists.Row) []byte {
	if !row.Empty {
		return r.check(dst, row)
	}
	if len(r.Only) > 0 {
		return dst
	}
	return r.report.appendEmpty(dst, row)
}

// check appends the answer for a row that is not empty.
func (r *rowChecker) check(dst []byte, row *lists.Row) []byte {
	p := r.lookUpProduct(row.Names[lists.Article], row.Names[lists.Material])
	if r.Expect {
		r.checkExpected(row)
	}
	if len(row.Problems) == 0 && p.profile != nil {
		// Check returns an error for a dimension that is not accepted, for example because it has too many
		// decimals.
		verdict, err := p.profile.Check(row.Dims())
		if err == nil {
			return r.reportVerdict(dst, row, p, verdict)
		}
		row.AddProblem(err)
	}
	return r.reportProblems(dst, row, p)
}

// reportVerdict counts and reports the verdict about a box.
func (r *rowChecker) reportVerdict(dst []byte, row *lists.Row, p *product, v boxrules.Verdict) []byte {
	unexpected := r.Expect && expectedAnswer(row) != reportedVerdict(v)
	if !v.OK() {
		r.units.add(p.limits, row.Dims())
	}
	// With Expect, valid counts the boxes with the expected verdict, and invalid counts the others.
	if unexpected || !r.Expect && !v.OK() {
		r.invalid++
	} else {
		r.valid++
	}
	if r.Summary {
		p.counts[reportedVerdict(v)]++
	}
	if len(r.Only) > 0 && !r.isWanted(v.OK(), unexpected) {
		return dst
	}
	if r.isConverted {
		// Show the number that was checked: 314 mm is 12.36220… in, which the check rounds to 12.362.
		for axis, x := range row.Dimensions {
			row.Dimensions[axis] = exact.Float64At(exact.Grid(x))
		}
	}
	return r.report.appendBox(dst, row, p.profile, v)
}

// isWanted reports whether Options.Only includes boxes of this kind: valid or invalid, and unexpected or not.
func (r *rowChecker) isWanted(valid, unexpected bool) bool {
	kind := OnlyInvalid
	if valid {
		kind = OnlyValid
	}
	return slices.Contains(r.Only, kind) || unexpected && slices.Contains(r.Only, OnlyUnexpected)
}

// reportProblems counts and reports a row that is not a box. It first looks for further problems, so that all
// problems are reported at once.
func (r *rowChecker) reportProblems(dst []byte, row *lists.Row, p *product) []byte {
	r.checkDimensions(row)
	for _, problem := range p.problems {
		row.AddProblem(problem)
	}
	if r.Expect {
		r.nameExpectedField(row)
	}
	// Convert the names to UTF-8 for the report. A name that cannot be converted is not shown.
	for field, name := range row.Names {
		text := r.decoded(field, name)
		row.Names[field] = []byte(text)
		row.Known[field] = row.Known[field] && utf8.ValidString(text)
	}
	r.inputErrors++
	if r.firstProblem.text == "" {
		r.firstProblem = rowProblem{row.Line, row.ProblemsText()}
	}
	if p.caseMismatch != (codePair{}) {
		r.caseMismatches.add(caseMismatchTally{rows: 1, line: row.Line, firstMismatch: p.caseMismatch})
	}
	p.counts[reportedError(row)]++
	if len(r.Only) > 0 && !slices.Contains(r.Only, OnlyErrors) {
		return dst
	}
	return r.report.appendProblems(dst, row)
}

// checkDimensions adds a problem for each dimension that is a number but is an input error for every article and
// material, such as 48.125 if the limits have two decimals.
func (r *rowChecker) checkDimensions(row *lists.Row) {
	step := exact.StepOf(r.engine.Catalogue().Decimals())
	for axis, x := range row.Dimensions {
		if !row.Known[lists.FirstDimension+axis] {
			continue
		}
		// Validate reports only the first invalid dimension, so validate one dimension at a time.
		var single [lists.FieldCount - lists.FirstDimension]float64
		single[axis] = x
		row.AddProblem(boxrules.Dims{Width: single[0], Depth: single[1], Height: single[2]}.Validate(step))
	}
}

// These limits bound the memory used to cache products that the engine does not have. Products of the engine are always
// cached.
const (
	maxProducts = 4096
	maxNames    = 128 // bytes of an article and a material together
)

// lookUpProduct returns the product of a row, given its names in the encoding of the file.
func (r *rowChecker) lookUpProduct(article, material []byte) *product {
	// In an index expression, converting to string does not allocate.
	p := r.products[productNames{string(article), string(material)}]
	if p != nil {
		return p
	}
	p = r.newProduct([...][]byte{article, material})
	if r.counts[p.article] == nil {
		r.counts[p.article] = make(map[string]int)
	}
	p.counts = r.counts[p.article]
	// Cache every product that the engine has, because there are not many. Unknown names may be different in every
	// row, so cache only some of these products, and look up the others each time.
	isLong := len(article)+len(material) > maxNames
	if p.profile != nil || len(r.products) < maxProducts && !isLong {
		r.products[productNames{string(article), string(material)}] = p
	}
	return p
}

// decoded converts a name to UTF-8. A name that was given with a flag is already UTF-8, regardless of the file's
// encoding.
func (r *rowChecker) decoded(field int, name []byte) string {
	if r.file == nil || r.file.Options.Given[field] != "" {
		return string(name)
	}
	return r.file.Decoded(name)
}

func (r *rowChecker) newProduct(encoded [lists.FirstDimension][]byte) *product {
	var problems lists.Row // a row sorts its problems
	var names productNames
	for field, name := range encoded {
		names[field] = r.codes().Code(field, r.decoded(field, name))
		problems.CheckName(field, []byte(names[field]))
	}
	article, material := names[lists.Article], names[lists.Material]
	profile, err := r.engine.Profile(article, material)
	if err == nil {
		return &product{profile: profile, article: article, limits: r.limitsByArticle[article]}
	}
	problems.AddProblem(err)
	p := &product{}
	if problems.Problem().Field == lists.FieldNames[lists.Article] {
		// The engine has reported only the article, so check the material here.
		r.checkMaterial(&problems, material)
	} else {
		// The article is known, so count the row under its name.
		p.article = article
	}
	p.problems = r.addHints(problems.Problems, names)
	p.caseMismatch = r.findCaseMismatch(names)
	return p
}

// codes returns the codes in the file that --codes names, or nil if --codes is not given.
func (r *rowChecker) codes() *lists.Codes {
	if r.file == nil {
		return nil
	}
	return r.file.Options.Codes
}

// addHints adds a hint to each problem with an unknown code if --codes is given. The hint suggests adding the code to
// the file that --codes names.
func (r *rowChecker) addHints(problems []*boxrules.InputError, names productNames) []*boxrules.InputError {
	for i, p := range problems {
		if field := slices.Index(lists.FieldNames[:lists.FirstDimension], p.Field); field >= 0 && names[field] != "" {
			problems[i] = &boxrules.InputError{Field: p.Field, Message: p.Message + r.codes().Hint()}
		}
	}
	return problems
}

// findCaseMismatch returns the first name that differs from a code in the limits only in case, together with that
// code. If there is none, it returns an empty pair.
func (r *rowChecker) findCaseMismatch(names productNames) codePair {
	if r.codesByLowerCase[lists.Article] == nil {
		r.indexCodes()
	}
	for field, name := range names {
		if code, ok := r.codesByLowerCase[field][strings.ToLower(name)]; ok && code != name {
			return codePair{name, code}
		}
	}
	return codePair{}
}

// indexCodes sets r.codesByLowerCase. It is called only if a code is unknown, because in most lists all codes are
// known.
func (r *rowChecker) indexCodes() {
	r.codesByLowerCase = [lists.FirstDimension]map[string]string{make(map[string]string), make(map[string]string)}
	for _, a := range r.engine.Catalogue().Articles() {
		r.codesByLowerCase[lists.Article][strings.ToLower(a.Code)] = a.Code
	}
	for _, m := range r.engine.Catalogue().Materials() {
		r.codesByLowerCase[lists.Material][strings.ToLower(m.Code)] = m.Code
	}
}

// checkMaterial adds a problem to the row if the limits have no material with the name.
func (r *rowChecker) checkMaterial(row *lists.Row, name string) {
	var codes []string
	for _, m := range r.engine.Catalogue().Materials() {
		codes = append(codes, m.Code)
	}
	switch {
	case name == "":
		row.Fail(lists.Material, "missing; accepted: %s", wording.List(codes))
	case !slices.Contains(codes, name):
		row.Fail(lists.Material, "unknown material %s; accepted: %s", wording.Quote(name), wording.List(codes))
	}
}
