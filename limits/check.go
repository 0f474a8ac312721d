package limits

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/source"
)

// New makes a catalogue from plain structs, for example from the rows of a database. It checks them in the same
// way as [Load] checks a file. The error is a [source.Errors] that lists everything that is wrong. The errors
// have no positions. The Rule of each error is the path of the field, such as articles.tuck-end.width.max. The
// name is used only by [Catalogue.Name]. New copies f, so the caller may change it afterwards.
func New(name string, f File) (*Catalogue, error) {
	c := &checker{Catalogue: &Catalogue{name: name}}
	c.check(f)
	if err := c.errors.Err(); err != nil {
		return nil, err
	}
	return c.Catalogue, nil
}

// A checker makes a catalogue from a File, and reports what is wrong with the File.
type checker struct {
	*Catalogue
	errors     source.Errors // used if the catalogue has no nodes; otherwise errors are reported to the nodes
	sheets     codeTable
	materials  codeTable
	offerCount int // the number of materials of all articles so far
	formulas   map[string]*expression.Expression
	values     []string // the names of all user-defined values, sorted
}

// MaxOffers is the maximum number of offers in a catalogue. An offer is an article in one of its materials.
const MaxOffers = 12_000

const (
	notACode         = "%q is not a code; accepted: at most 64 printable characters, without a space at either end"
	notADecimalCount = "%v is not a number of decimals; accepted: 0, 1, 2 or 3"
	notASheetCount   = "%v is not a number of sheets; accepted: a whole number from 1 to 1000000000"
	maxSheets        = 1_000_000_000
	maxDecimalLength = 16
)

// fail reports an error in the value at the path. If the limits come from a file, the error has the position of the
// value's node. If the loader has already reported the value, the value has no node, and fail reports nothing.
func (c *checker) fail(path keyPath, format string, args ...any) {
	if c.nodes == nil {
		c.errors = append(c.errors, &source.Error{Rule: path.String(), Message: fmt.Sprintf(format, args...)})
		return
	}
	c.nodes[nodeKey(path)].Errorf(format, args...)
}

func (c *checker) check(f File) {
	// Work on a copy, because checking also fills in missing values, such as the sizes of sheets, and the
	// caller may change f afterwards.
	c.file, c.formulas = f, make(map[string]*expression.Expression)
	c.file.Values = maps.Clone(f.Values)
	c.file.Sheets = slices.Clone(f.Sheets)
	c.file.Materials = slices.Clone(f.Materials)
	for i := range c.file.Materials {
		c.file.Materials[i].Values = maps.Clone(c.file.Materials[i].Values)
	}
	c.file.Articles = slices.Clone(f.Articles)
	if fault := wording.UnitFault(f.Unit); fault != "" {
		c.fail(keyPath{"unit"}, "%s", fault)
	}
	if f.Decimals != nil {
		n := *f.Decimals
		if n < 0 || n > 3 {
			c.fail(keyPath{"decimals"}, notADecimalCount, n)
		}
		c.file.Decimals = &n
	}
	c.checkValues() // before the formulas, which mention them
	// Check the codes before anything else, because materials refer to sheets by code, and articles to materials.
	c.sheets = checkCodes(c, "sheets", f.Sheets, func(s Sheet) string { return s.Code })
	c.materials = checkCodes(c, "materials", f.Materials, func(m Material) string { return m.Code })
	checkCodes(c, "articles", f.Articles, func(a Article) string { return a.Code })
	for _, s := range f.Sheets {
		path := keyPath{"sheets", s.Code}
		c.checkLength(path.append("width"), s.Width, false)
		c.checkLength(path.append("height"), s.Height, false)
	}
	for i := range f.Materials {
		c.checkMaterial(&c.file.Materials[i])
	}
	for i, a := range f.Articles {
		c.file.Articles[i] = a.clone()
		c.checkArticle(&c.file.Articles[i])
	}
}

func (c *checker) checkMaterial(m *Material) {
	path := keyPath{"materials", m.Code}
	c.checkLength(path.append("caliper"), m.Caliper, false)
	c.checkLength(path.append("glue_flap"), m.GlueFlap, true)
	switch i, known := c.sheets.index[m.Sheet.Code]; {
	case known:
		// A Material may repeat the size of its sheet, as in a File that was made from a Catalogue.
		if given := m.Sheet; given != (Sheet{Code: given.Code}) && given != c.file.Sheets[i] {
			c.fail(path.append("sheet"), "the size differs from that of sheet %s; give only the code of the sheet", given.Code)
		}
		m.Sheet = c.file.Sheets[i]
	case !c.frame: // in a frame, a sheet's code only says which materials share it
		c.failUnknown(path.append("sheet"), "sheet", m.Sheet.Code, c.sheets)
	case !isCode(m.Sheet.Code):
		c.fail(path.append("sheet"), notACode, wording.Cut(m.Sheet.Code))
	}
	if m.MinSheets < 0 || m.MinSheets > maxSheets {
		c.fail(path.append("min_sheets"), notASheetCount, m.MinSheets)
	}
}

func (c *checker) checkArticle(a *Article) {
	path := keyPath{"articles", a.Code}
	a.Title = strings.Join(strings.Fields(a.Title), " ") // on one line
	if _, fault := strictyaml.TextFault(a.Title); a.Title != "" && fault != "" {
		c.fail(path.append("title"), "%s", fault)
	}
	c.checkRange(path.append("width"), a.Width)
	c.checkRange(path.append("depth"), a.Depth)
	c.checkRange(path.append("height"), a.Height)
	c.checkMaterialList(path, a)
	if a.Constraints == nil {
		c.fail(path.append("constraints"), "missing; accepted: codes of constraint rules, or an empty list for none")
	}
	c.checkDistinct(path.append("constraints"), a.Constraints, func(path keyPath, code string) {
		if !wording.IsCode(code) {
			c.fail(path, "%q is not the code of a rule; accepted: %s", wording.Cut(code), wording.CodeForm)
		}
	})
	switch {
	case a.Blank == nil:
	case a.Blank.Style != "":
		if c.applyStyle(path, a) {
			a.Blank.Width = c.styledFormula(path, "width", a.Blank.Width.Text)
			a.Blank.Height = c.styledFormula(path, "height", a.Blank.Height.Text)
		}
	default:
		a.Blank.Width = c.parseFormula(path.append("blank", "width"), a.Blank.Width.Text)
		a.Blank.Height = c.parseFormula(path.append("blank", "height"), a.Blank.Height.Text)
		c.checkValuesGiven(path.append("blank", "width"), a, a.Blank.Width)
		c.checkValuesGiven(path.append("blank", "height"), a, a.Blank.Height)
	}
}

// checkMaterialList checks the list of the article's materials. It replaces a nil list with a list of
// all materials.
func (c *checker) checkMaterialList(path keyPath, a *Article) {
	if a.Materials == nil { // the key is missing
		a.Materials = slices.Clone(c.materials.all)
	} else if len(a.Materials) == 0 {
		c.fail(path.append("materials"), "at least one material is required; to offer all, leave out the key")
	} else {
		c.checkDistinct(path.append("materials"), a.Materials, func(path keyPath, code string) {
			if !c.materials.has(code) {
				c.failUnknown(path, "material", code, c.materials)
			}
		})
	}
	// A file with 5,000 materials, and 5,000 articles without the key materials, would have 25 million
	// offers. So stop making lists as soon as there are too many offers.
	if c.offerCount > MaxOffers {
		a.Materials = nil // this error has been reported
	} else if c.offerCount += len(a.Materials); c.offerCount > MaxOffers {
		c.fail(path, "too many products (an article in a material): at most %d in total", MaxOffers)
	}
}

// checkDistinct calls check for each text. If a text repeats an earlier one, checkDistinct reports an
// error instead of calling check.
func (c *checker) checkDistinct(path keyPath, texts []string, check func(path keyPath, text string)) {
	seen := make(map[string]bool)
	for i, text := range texts {
		path := path.append(strconv.Itoa(i))
		if seen[text] {
			c.fail(path, "%q is listed twice", wording.Cut(text))
			continue
		}
		seen[text] = true
		check(path, text)
	}
}

func (c *checker) checkRange(path keyPath, r Range) {
	low, high := c.checkLimit(path.append("min"), r.Min), c.checkLimit(path.append("max"), r.Max)
	if low != nil && high != nil && low.Cmp(high) > 0 { // if one is nil, an error has been reported
		c.fail(path.append("min"), "the minimum %s is greater than the maximum %s", r.Min, r.Max)
	}
}

// checkLimit returns the value of a minimum or maximum. If it is not a positive whole number of thousandths,
// checkLimit reports an error and returns nil.
func (c *checker) checkLimit(path keyPath, d Decimal) *big.Rat {
	value := c.checkLength(path, d, false)
	if value == nil {
		return nil
	}
	scaled := new(big.Rat).Mul(value, big.NewRat(exact.Scale, 1))
	if !scaled.IsInt() {
		// Suggest the multiples of a thousandth below and above the limit, but not 0, which is not accepted
		// as a limit.
		below := new(big.Int).Quo(scaled.Num(), scaled.Denom()).Int64()
		accepted := strconv.FormatFloat(exact.Float64At(below+1), 'f', -1, 64)
		if below > 0 {
			accepted = strconv.FormatFloat(exact.Float64At(below), 'f', -1, 64) + " or " + accepted
		}
		c.fail(path, "%s has more than three decimals; accepted: %s", d, accepted)
		return nil
	}
	return value
}

// checkLength returns the value of a length, which must be greater than zero. Zero is accepted if acceptZero
// is true. If the length is not accepted, checkLength reports an error and returns nil.
func (c *checker) checkLength(path keyPath, d Decimal, acceptZero bool) *big.Rat {
	if fault := strictyaml.DecimalFault(string(d)); fault != "" {
		c.fail(path, "%s", fault)
		return nil
	}
	if len(d) > maxDecimalLength {
		c.fail(path, "the number has %d characters; accepted: at most %d", len(d), maxDecimalLength)
		return nil
	}
	switch value := d.Rat(); {
	case value.Sign() < 0 || value.Sign() == 0 && !acceptZero:
		c.fail(path, "%s is not a length; accepted: greater than 0%s", d, map[bool]string{true: ", or 0"}[acceptZero])
	case value.Cmp(big.NewRat(exact.MaxDimension, 1)) > 0:
		c.fail(path, "%s is too large; accepted: at most %d", d, exact.MaxDimension)
	default:
		return value
	}
	return nil
}

func (c *checker) parseFormula(path keyPath, text string) Formula {
	f := Formula{Text: text, node: c.nodes[nodeKey(path)], rule: path.String()}
	if c.nodes != nil {
		f.rule = path[:2].String() // only the article, because the position shows the rest of the path
	}
	if _, fault := strictyaml.TextFault(text); fault != "" {
		c.fail(path, "%s", fault)
		return f
	}
	// Many articles have the same formula. Parsing it takes much longer than the rest of the article.
	f.expression = c.formulas[text]
	if f.expression != nil {
		return f
	}
	e, problems := expression.FormulaWith(c.values, text)
	for _, p := range problems {
		c.failAt(f, path, p.Offset, p.Message)
	}
	f.expression, c.formulas[text] = e, e // nil after an error, so that every formula with this text is reported
	return f
}

// failAt reports an error at a character of a formula. If the limits do not come from a file, the error names
// only the path of the formula.
func (c *checker) failAt(f Formula, path keyPath, offset int, message string) {
	if c.nodes == nil {
		c.fail(path, "%s", message)
		return
	}
	f.node.ErrorAt(offset, "%s", message)
}

// failUnknown reports the code of a sheet or material that is not in the table, and lists the valid codes. If
// the table has no valid code, failUnknown reports nothing: the codes of the table have already been reported
// as wrong, and the unknown code may be right.
func (c *checker) failUnknown(path keyPath, kind, code string, table codeTable) {
	if len(table.valid) > 0 {
		c.fail(path, "unknown %s %q; accepted: %s", kind, wording.Cut(code), wording.Accepted(code, table.valid))
	}
}

// checkValues checks the names and numbers of all user-defined values. It also checks that each name is used
// at only one level, and collects the names, which are needed to check formulas.
func (c *checker) checkValues() {
	c.levels, c.byMaterial = make(map[string]valuesLevel), make(map[string]Values)
	c.checkValuesOf(keyPath{"values"}, c.file.Values, forEverything)
	for _, m := range c.file.Materials {
		c.checkValuesOf(keyPath{"materials", m.Code, "values"}, m.Values, byMaterial)
		c.byMaterial[m.Code] = m.Values
	}
	for _, a := range c.file.Articles {
		c.checkValuesOf(keyPath{"articles", a.Code, "values"}, a.Values, byArticle)
	}
	c.values = slices.Sorted(maps.Keys(c.levels))
}

// failName reports an error in the name of a user-defined value.
func (c *checker) failName(path keyPath, message string) {
	if c.nodes != nil {
		path = path.append(valueNameKey)
	}
	c.fail(path, "%s", message)
}

// checkValuesGiven reports each user-defined value that the formula mentions, but that is missing for the article or
// for any of its materials. It does not check a formula with a value that is not set anywhere in the file, because the
// parser of the formula has already reported that.
func (c *checker) checkValuesGiven(path keyPath, a *Article, f Formula) {
	if f.expression == nil {
		return // the formula has been reported
	}
	for _, name := range f.expression.Values() {
		if missing := c.MissingValue(name, *a); missing != "" {
			c.failAt(f, path, f.expression.Offset(name), missing)
		}
	}
}

// maxValues is the maximum number of different value names in a limit file. There is a limit because every
// pair of an article and a material has its own copy of the values of its material.
const maxValues = 32

func (c *checker) checkValuesOf(path keyPath, values Values, level valuesLevel) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		path := path.append(name)
		if fault := expression.ValueNameFault(name); fault != "" {
			c.failName(path, fault)
			continue // formulas cannot mention it
		}
		if first, ok := c.levels[name]; ok && first != level {
			c.failName(path, fmt.Sprintf("%s is also set %s; set it only at the top level, only in materials, or only in articles", name, first))
			continue
		}
		if _, ok := c.levels[name]; !ok && len(c.levels) == maxValues {
			c.failName(path, fmt.Sprintf("there are too many different names of values: at most %d", maxValues))
			return
		}
		c.levels[name] = level
		c.checkValue(path, values[name])
	}
}

// checkValue reports a value that is not a number, is too long or is too large. Zero and negative numbers are
// valid.
func (c *checker) checkValue(path keyPath, d Decimal) {
	if fault := strictyaml.DecimalFault(string(d)); fault != "" {
		c.fail(path, "%s", fault)
	} else if len(d) > maxDecimalLength {
		c.fail(path, "the number has %d characters; accepted: at most %d", len(d), maxDecimalLength)
	} else if value := d.Rat(); value.Abs(value).Cmp(big.NewRat(exact.MaxDimension, 1)) > 0 {
		c.fail(path, "%s is too large; accepted: from -%d to %[2]d", d, exact.MaxDimension)
	}
}

// checkCodes reports codes in a table that are invalid or repeated, and returns all codes of the
// table.
func checkCodes[T any](c *checker, table string, rows []T, code func(T) string) codeTable {
	if len(rows) == 0 {
		c.fail(keyPath{table}, "at least one is required")
	}
	// The result includes invalid codes, so that rows that refer to them are not reported as well.
	t := codeTable{index: make(map[string]int)}
	for i, row := range rows {
		code := code(row)
		isValid := isCode(code)
		if !isValid {
			c.fail(keyPath{table, code}, notACode, wording.Cut(code))
		} else if inTypographicQuotes(code) {
			c.fail(keyPath{table, code}, "%q has typographic quotes, which are part of the code: write plain ones, or none", wording.Cut(code))
		} else if t.has(code) {
			c.fail(keyPath{table, code}, "the code is used twice")
		}
		t.all = append(t.all, code)
		if !t.has(code) {
			t.index[code] = i
		}
		if isValid {
			t.valid = append(t.valid, code)
		}
	}
	return t
}
