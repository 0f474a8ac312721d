package limits

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
)

// A Style is a standard style of box, such as FEFCO 0201, with the formulas of its blank. A limit file can
// name a style instead of giving formulas: blank: {style: fefco-0201}.
type Style struct {
	Code string `json:"style"` // such as fefco-0201
	Name string `json:"name"`  // for people
	// Confidence is A if two independent sources give these formulas. It is B if only one source does, and the
	// formulas agree with the geometry of the box.
	Confidence string `json:"confidence"`
	Width      string `json:"width"` // the formulas, in mm
	Height     string `json:"height"`
	Unit       string `json:"unit,omitempty"` // mm if a formula contains a length such as 10; empty if none does
	// Values are the names of the user-defined values that the formulas mention. The limit file has to give
	// their numbers; see the type [Values].
	Values []string `json:"values,omitempty"`
	Varies string   `json:"varies,omitempty"` // what differs from shop to shop; may be empty
}

//go:embed styles.yaml
var stylesFile []byte

// A styleTable holds the styles in the order of styles.yaml. Lengths in their formulas are written with a
// unit, as in 10*mm.
type styleTable struct {
	styles []Style
	codes  []string
}

var loadStyles = sync.OnceValue(func() styleTable {
	doc := strictyaml.Parse("limits/styles.yaml", stylesFile, MaxBytes)
	top := doc.Root().Fields([]string{"version", "styles"}, nil)
	top["version"].CheckVersion("1")
	var table styleTable
	for _, e := range top["styles"].Entries() {
		fields := e.Value.Fields([]string{"name", "confidence", "width", "height"}, []string{"values", "varies"})
		text := func(key string) string { t, _ := fields[key].Text(); return t }
		s := Style{Code: e.Key, Name: text("name"), Confidence: text("confidence"), Width: text("width"), Height: text("height"), Varies: text("varies")}
		for _, v := range fields["values"].Entries() {
			s.Values = append(s.Values, v.Key)
		}
		table.styles, table.codes = append(table.styles, s), append(table.codes, s.Code)
	}
	if err := doc.Errors().Err(); err != nil {
		panic(err)
	}
	return table
})

// Styles returns the standard styles, with formulas for limits in mm. The caller may change the slice.
func Styles() []Style {
	styles := slices.Clone(loadStyles().styles)
	for i := range styles {
		s := &styles[i]
		s.Values = slices.Clone(s.Values)
		if millimetres.MatchString(s.Width + " " + s.Height) {
			s.Unit = "mm"
		}
		s.Width, s.Height, _ = s.formulasIn("mm")
	}
	return styles
}

// StyleBlanks returns the blanks of the standard styles for limits in the given unit. If the unit cannot be
// converted to mm, styles whose formulas contain lengths are left out. The caller may change the slice and
// the blanks.
func StyleBlanks(unit string) []*Blank {
	var blanks []*Blank
	for _, s := range loadStyles().styles {
		width, height, ok := s.formulasIn(unit)
		if !ok {
			continue
		}
		formula := func(text string) Formula {
			e, problems := expression.FormulaWith(s.Values, text)
			if len(problems) > 0 {
				panic("limits: style " + s.Code + ": " + problems[0].Message) // TestStyles tries all
			}
			return Formula{Text: text, expression: e, isStyled: true}
		}
		blanks = append(blanks, &Blank{Style: s.Code, Width: formula(width), Height: formula(height)})
	}
	return blanks
}

// millimetres matches a length in a formula of a styleTable, such as 10*mm.
var millimetres = regexp.MustCompile(`([0-9]+)\*mm`)

// formulasIn returns the formulas of the style for limits in the given unit. The length 10*mm becomes 10 for
// mm, and 10/25.4 for inches, which is exact. ok is false if a formula contains a length and the unit cannot
// be converted to mm.
func (s Style) formulasIn(unit string) (width, height string, ok bool) {
	ok = true
	convert := func(formula string) string {
		return millimetres.ReplaceAllStringFunc(formula, func(length string) string {
			number := strings.TrimSuffix(length, "*mm")
			ratio, known := exact.UnitRatio(unit, "mm") // the length of the unit in mm
			ok = ok && known
			if ratio.Num == ratio.Den {
				return number
			}
			divisor := DecimalAt(ratio.Num * exact.Scale / ratio.Den) // 25.4, 10 or 1000
			return fmt.Sprintf("%s/%s", number, divisor)
		})
	}
	return convert(s.Width), convert(s.Height), ok
}

// applyStyle sets the formulas of the article's blank to the formulas of the style that the blank names. If
// there is no such style, or if its formulas cannot be used for the article, applyStyle reports an error and
// returns false.
func (c *checker) applyStyle(path keyPath, a *Article) bool {
	b, table := a.Blank, loadStyles()
	path = path.append("blank", "style")
	i := slices.Index(table.codes, b.Style)
	if i < 0 {
		c.fail(path, "unknown style %s; %s; boxrules articles --styles lists all of them", wording.Quote(b.Style), nearestStyles(b.Style, table))
		return false
	}
	s := table.styles[i]
	width, height, ok := s.formulasIn(c.file.Unit)
	if !ok {
		c.fail(path, "the formulas of style %s contain lengths in mm, and the unit %s cannot be converted; use one of %s, or write the formulas yourself",
			s.Code, wording.Quote(c.file.Unit), strings.Join(exact.ConvertibleUnits(), ", "))
		return false
	}
	// A Blank that comes from a Catalogue has formulas in addition to the style. Accept these if they are the
	// same.
	if w, h := b.Width.Text, b.Height.Text; w != "" && w != width || h != "" && h != height {
		c.fail(path, "the formulas differ from those of style %s; give only the style, or only formulas", s.Code)
		return false
	}
	b.Width.Text, b.Height.Text = width, height
	for _, name := range s.Values {
		missing := c.MissingValue(name, *a)
		if _, given := c.levels[name]; !given {
			missing = fmt.Sprintf("give it as values: {%s: ...}", name)
		}
		if missing != "" {
			about := ""
			if s.Varies != "" {
				about = " (" + s.Varies + ")"
			}
			c.fail(path, "style %s needs the value %s: %s%s", s.Code, name, missing, about)
			ok = false
		}
	}
	return ok
}

// nearestStyles suggests codes to use instead of an unknown code: codes with the same digits, such as
// fefco-0201 for 0201, or else a similar code.
func nearestStyles(code string, table styleTable) string {
	digits := func(s string) string { return strings.Trim(nonDigits.ReplaceAllString(s, "."), ".") }
	var sameDigits []string
	for _, known := range table.codes {
		if d := digits(code); d != "" && (digits(known) == d || digits(known) == "0"+d) {
			sameDigits = append(sameDigits, known)
		}
	}
	if len(sameDigits) > 0 {
		return "accepted: " + strings.Join(sameDigits, ", ")
	}
	return "accepted: " + wording.Accepted(code, table.codes)
}

var nonDigits = regexp.MustCompile(`[^0-9]+`)

// styledFormula parses a formula that comes from the style of the article's blank. path is the path of the
// article. Errors in the formula are reported at the place where the limit file names the style.
func (c *checker) styledFormula(path keyPath, side, text string) Formula {
	f := Formula{Text: text, node: c.nodes[nodeKey(path.append("blank", "style"))], isStyled: true}
	if c.nodes != nil {
		f.rule = path[:2].String()
	} else {
		f.rule = path.append("blank", side).String()
	}
	if f.expression = c.formulas[text]; f.expression == nil {
		e, problems := expression.FormulaWith(c.values, text)
		if len(problems) > 0 {
			panic("limits: a style has the formula " + text + ": " + problems[0].Message) // TestStyles checks every style
		}
		f.expression, c.formulas[text] = e, e
	}
	return f
}
