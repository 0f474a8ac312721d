package limits

import (
	"bytes"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/source"
)

// Load reads a limit file. The name is used in positions, most often the file's path. The error is a
// [source.Errors] with everything that is wrong with the file, each with file:line:column.
func Load(name string, data []byte) (*Catalogue, error) { return load(name, data, false) }

// LoadFrame reads a limit file for what no answer of a service tells: unit, caliper, glue flap, blanks and the materials
// that an article is offered in. Limits, constraints and sheets may be left out, and are not looked at beyond their form: materials
// that name the same sheet share it, and one that names none has its own. Package learn finds out what is missing. The
// error is that of [Load].
func LoadFrame(name string, data []byte) (*Catalogue, error) { return load(name, data, true) }

func load(name string, data []byte, frame bool) (*Catalogue, error) {
	doc := strictyaml.Parse(name, data)
	l := &loader{
		catalogue: &Catalogue{
			name: name, illustrative: !frame && bytes.Equal(data, illustrative), frame: frame, decimals: 3, positions: make(map[string]source.Position),
		},
	}
	l.load(doc.Root())
	if err := doc.Errors().Err(); err != nil {
		return nil, err
	}
	return l.catalogue, nil
}

type loader struct {
	catalogue *Catalogue
	sheets    []string // codes, as are the materials
	materials []string
	offers    int // articles times their materials, so far
}

// MaxOffers bounds the articles of a catalogue times the materials that each is offered in.
const MaxOffers = 5000

func (l *loader) load(root strictyaml.Node) {
	top := l.fields(root, []string{"version", "unit", "sheets", "materials", "articles"}, "decimals")
	if version, ok := top["version"].Decimal(); ok && version != "1" {
		top["version"].Errorf("version %s is not known; accepted: 1", wording.Cut(version))
	}
	l.catalogue.unit, _ = top["unit"].Unit()
	l.mark(top["unit"], "unit")
	if text, ok := top["decimals"].Decimal(); ok {
		if len(text) != 1 || text > "3" {
			top["decimals"].Errorf("%s is not a number of decimals; accepted: 0, 1, 2 or 3", wording.Cut(text))
		}
		l.catalogue.decimals = int(text[0] - '0')
		l.mark(top["decimals"], "decimals")
	}
	l.table(top["sheets"], "sheets", l.sheet)
	l.table(top["materials"], "materials", l.material)
	l.table(top["articles"], "articles", l.article)
}

// fields are the entry's, of which a frame may lack those that are learned.
func (l *loader) fields(n strictyaml.Node, required []string, optional ...string) map[string]strictyaml.Node {
	if l.catalogue.frame {
		learned := func(key string) bool {
			return slices.Contains([]string{"sheets", "sheet", "width", "depth", "height", "constraints"}, key)
		}
		optional = append(optional, slices.DeleteFunc(slices.Clone(required), func(key string) bool { return !learned(key) })...)
		required = slices.DeleteFunc(required, learned)
	}
	return n.Fields(required, optional)
}

// table reads one of the three tables, once all its keys are checked; reports carry the path of the entry.
func (l *loader) table(n strictyaml.Node, table string, read func(strictyaml.Entry)) {
	entries := n.Entries()
	if entries != nil && len(entries) == 0 {
		n.Errorf("%s: at least one is required", table)
	}
	for i := range entries {
		e := &entries[i]
		rule := table
		if codeText(e.Key) {
			rule += "." + e.Key
		}
		e.KeyNode, e.Value = e.KeyNode.In(rule), e.Value.In(rule)
		if !codeText(e.Key) {
			e.KeyNode.Errorf(noCode, wording.Cut(e.Key))
		}
		l.mark(e.KeyNode, table, e.Key)
	}
	for _, e := range entries {
		read(e)
	}
}

const noCode = "%q is not a code; accepted: at most 64 printable characters, none of them a space at an end"

// codeText reports whether s can be the code of an article, material or sheet.
func codeText(s string) bool {
	return len([]rune(s)) <= 64 && s == strings.TrimSpace(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func (l *loader) mark(n strictyaml.Node, path ...string) {
	l.catalogue.positions[strings.Join(path, "\x00")] = n.Position()
}

func (l *loader) sheet(e strictyaml.Entry) {
	fields := e.Value.Fields([]string{"width", "height"}, nil)
	l.catalogue.sheets = append(l.catalogue.sheets, Sheet{e.Key, length(fields["width"], false), length(fields["height"], false)})
	l.sheets = append(l.sheets, e.Key)
}

func (l *loader) material(e strictyaml.Entry) {
	fields := l.fields(e.Value, []string{"caliper", "glue_flap", "sheet"}, "min_sheets")
	material := Material{Code: e.Key, Caliper: length(fields["caliper"], false), GlueFlap: length(fields["glue_flap"], true)}
	if code, ok := fields["sheet"].Text(); ok {
		if i := slices.Index(l.sheets, code); i >= 0 {
			material.Sheet = l.catalogue.sheets[i]
		} else if l.catalogue.frame && codeText(code) {
			material.Sheet.Code = code
		} else if l.catalogue.frame {
			fields["sheet"].Errorf(noCode, wording.Cut(code))
		} else {
			fields["sheet"].Errorf("unknown sheet %q; accepted: %s", wording.Cut(code), accepted(l.sheets))
		}
	}
	if text, ok := fields["min_sheets"].Decimal(); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxSheets {
			fields["min_sheets"].Errorf("%s is not a number of sheets; accepted: a whole number from 1 to %d", wording.Cut(text), maxSheets)
		}
		material.MinSheets = n
	}
	l.catalogue.materials = append(l.catalogue.materials, material)
	l.materials = append(l.materials, e.Key)
}

const maxSheets = 1_000_000_000

func (l *loader) article(e strictyaml.Entry) {
	fields := l.fields(e.Value, []string{"width", "depth", "height", "constraints"}, "title", "materials", "blank")
	article := Article{
		Code:   e.Key,
		Width:  l.limits(fields["width"], e.Key, "width"),
		Depth:  l.limits(fields["depth"], e.Key, "depth"),
		Height: l.limits(fields["height"], e.Key, "height"),
	}
	title, _ := fields["title"].Text()
	article.Title = strings.Join(strings.Fields(title), " ")
	article.Materials = l.offered(fields["materials"])
	if l.offers > MaxOffers {
		article.Materials = nil // that has been reported, and the lists would only take room
	} else if l.offers += len(article.Materials); l.offers > MaxOffers {
		e.KeyNode.Errorf("the articles are offered in too many materials: at most %d in all", MaxOffers)
	}
	article.Constraints = l.constraints(fields["constraints"], e.Key)
	if blank := fields["blank"]; !blank.IsZero() {
		sides := blank.Fields([]string{"width", "height"}, nil)
		width, height := formula(sides["width"]), formula(sides["height"])
		article.Blank = &Blank{Width: width, Height: height}
	}
	l.catalogue.articles = append(l.catalogue.articles, article)
}

func (l *loader) limits(n strictyaml.Node, article, axis string) Range {
	fields := n.Fields([]string{"min", "max"}, nil)
	l.mark(fields["min"], "articles", article, axis, "min")
	l.mark(fields["max"], "articles", article, axis, "max")
	low, high := limit(fields["min"]), limit(fields["max"])
	if low.text != "" && high.text != "" && low.Rat().Cmp(high.Rat()) > 0 {
		fields["min"].Errorf("the minimum %s is greater than the maximum %s", low, high)
	}
	return Range{low, high}
}

// limit is a length that a dimension can have: a whole number of thousandths.
func limit(n strictyaml.Node) Decimal {
	d := length(n, false)
	if thousandths := d.Rat().Mul(d.Rat(), big.NewRat(exact.Scale, 1)); !thousandths.IsInt() {
		n.Errorf("%s is between two dimensions, which have three decimals; accepted: at most three decimals", d)
		return Decimal{}
	}
	return d
}

// offered are the codes of the materials, all of the catalogue's where n is absent.
func (l *loader) offered(n strictyaml.Node) []string {
	if n.IsZero() {
		return slices.Clone(l.materials)
	}
	items := n.Items()
	if items != nil && len(items) == 0 {
		n.Errorf("at least one material is required; without the key all are offered")
	}
	return distinct(items, func(item strictyaml.Node, code string) {
		if !slices.Contains(l.materials, code) {
			item.Errorf("unknown material %q; accepted: %s", wording.Cut(code), accepted(l.materials))
		}
	})
}

func (l *loader) constraints(n strictyaml.Node, article string) []string {
	return distinct(n.Items(), func(item strictyaml.Node, code string) {
		if !wording.IsCode(code) {
			item.Errorf("%q is not the code of a rule; accepted: %s", wording.Cut(code), wording.CodeForm)
		}
		l.mark(item, "articles", article, "constraints", code)
	})
}

// distinct are the texts of the items; each is checked, and one that comes twice is reported.
func distinct(items []strictyaml.Node, check func(item strictyaml.Node, text string)) []string {
	texts := make([]string, 0, len(items))
	seen := make(map[string]bool)
	for _, item := range items {
		switch text, ok := item.Text(); {
		case !ok:
		case seen[text]:
			item.Errorf("%q is listed twice", wording.Cut(text))
		default:
			seen[text] = true
			check(item, text)
			texts = append(texts, text)
		}
	}
	return texts
}

// length reads a length in the catalogue's unit: greater than zero, or zero too where that is allowed. It is the zero
// Decimal, without a text, where there is none.
func length(n strictyaml.Node, zero bool) Decimal {
	text, ok := n.Decimal()
	if !ok {
		return Decimal{}
	}
	if len(text) > maxDecimal {
		n.Errorf("the number has %d characters; accepted: at most %d", len(text), maxDecimal)
		return Decimal{}
	}
	d := Decimal{text}
	most := big.NewRat(exact.MaxDimension, 1)
	switch value := d.Rat(); {
	case value.Sign() < 0 || value.Sign() == 0 && !zero:
		n.Errorf("%s is not a length; accepted: greater than 0%s", text, map[bool]string{true: ", or 0"}[zero])
	case value.Cmp(most) > 0:
		n.Errorf("%s is too large; accepted: at most %d", text, exact.MaxDimension)
	default:
		return d
	}
	return Decimal{}
}

const maxDecimal = 16

func formula(n strictyaml.Node) Formula {
	text, ok := n.Text()
	if !ok {
		return Formula{}
	}
	e, problems := expression.Formula(text)
	for _, p := range problems {
		n.ErrorAt(p.Offset, "%s", p.Message)
	}
	return Formula{expression: e, position: n.PositionAt}
}

// accepted joins codes for a message, the first few where there are many.
func accepted(codes []string) string {
	// What is not a code has been reported.
	return wording.Some(slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return !codeText(code) }))
}
