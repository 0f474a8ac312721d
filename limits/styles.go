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

// A Style is a standard style of box with the formulas of its blank, such as FEFCO 0201. A limit file names it in
// place of formulas: blank: {style: fefco-0201}.
type Style struct {
	Code string `json:"style"` // such as fefco-0201
	Name string `json:"name"`  // for people
	// Confidence is A if two independent sources have the formulas, and B if one source agrees with the geometry.
	Confidence string `json:"confidence"`
	Width      string `json:"width"` // the formulas, in mm
	Height     string `json:"height"`
	// Values are the names of the values that the formulas need. The limit file gives them, as [Values].
	Values []string `json:"values,omitempty"`
	Varies string   `json:"varies,omitempty"` // what differs between shops; may be empty
}

//go:embed styles.yaml
var stylesFile []byte

// A styleTable has the styles in their order. Their formulas contain lengths such as 10*mm.
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

// Styles returns the standard styles, with formulas for limits in mm. The slice is the caller's.
func Styles() []Style {
	styles := slices.Clone(loadStyles().styles)
	for i := range styles {
		s := &styles[i]
		s.Values = slices.Clone(s.Values)
		s.Width, s.Height, _ = s.formulasIn("mm")
	}
	return styles
}

// StyleBlanks returns the blanks of the standard styles for limits in a unit. Styles whose formulas contain lengths are
// left out if the unit is none that can be converted. The slice and the blanks are the caller's.
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
			return Formula{Text: text, expression: e, styled: true}
		}
		blanks = append(blanks, &Blank{Style: s.Code, Width: formula(width), Height: formula(height)})
	}
	return blanks
}

// millimetres matches a length in a formula of the table, such as 10*mm.
var millimetres = regexp.MustCompile(`([0-9]+)\*mm`)

// formulasIn returns the formulas of the style for limits in a unit. A length of 10*mm becomes 10 in mm, and 10/25.4
// in inches, which is exact. ok is false if a formula contains such a length, and the unit is not a known one.
func (s Style) formulasIn(unit string) (width, height string, ok bool) {
	ok = true
	convert := func(formula string) string {
		return millimetres.ReplaceAllStringFunc(formula, func(length string) string {
			number := strings.TrimSuffix(length, "*mm")
			ratio, known := exact.UnitRatio(unit, "mm") // how many mm the unit is long
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

// applyStyle sets the formulas of the article's blank to those of its style. If the limit file does not give the
// values that they need, or there is no such style, applyStyle reports it and returns false.
func (c *checker) applyStyle(path keyPath, a *Article) bool {
	b, table := a.Blank, loadStyles()
	path = path.append("blank", "style")
	i := slices.Index(table.codes, b.Style)
	if i < 0 {
		c.fail(path, "unknown style %s; %s; boxrules articles --styles lists all", wording.Quote(b.Style), nearestStyles(b.Style, table))
		return false
	}
	s := table.styles[i]
	width, height, ok := s.formulasIn(c.file.Unit)
	if !ok {
		c.fail(path, "the formulas of style %s contain lengths in mm, and the unit %s cannot be converted; accepted: %s, or formulas",
			s.Code, wording.Quote(c.file.Unit), strings.Join(exact.ConvertibleUnits(), ", "))
		return false
	}
	// A Blank of another catalogue has the formulas, too.
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

// nearestStyles proposes codes for one that is not known: those with the same digits, such as fefco-0201 for 0201, or
// a similar one.
func nearestStyles(code string, table styleTable) string {
	digits := func(s string) string { return strings.Trim(nonDigits.ReplaceAllString(s, "."), ".") }
	var same []string
	for _, known := range table.codes {
		if d := digits(code); d != "" && (digits(known) == d || digits(known) == "0"+d) {
			same = append(same, known)
		}
	}
	if len(same) > 0 {
		return "accepted: " + strings.Join(same, ", ")
	}
	return "accepted: " + wording.Accepted(code, table.codes)
}

var nonDigits = regexp.MustCompile(`[^0-9]+`)

// styledFormula returns a formula of the style of the article's blank. Its errors are at the style.
func (c *checker) styledFormula(path keyPath, side, text string) Formula {
	at := path.append("blank", "style")
	f := Formula{Text: text, node: c.nodes[pathKey(at)], rule: at.String(), styled: true}
	if c.nodes != nil {
		f.rule = path[:2].String()
	} else {
		f.rule = path.append("blank", side).String()
	}
	if f.expression = c.formulas[text]; f.expression == nil {
		e, problems := expression.FormulaWith(c.values, text)
		if len(problems) > 0 {
			panic("limits: a style has the formula " + text + ": " + problems[0].Message) // TestStyles tries all
		}
		f.expression, c.formulas[text] = e, e
	}
	return f
}
