package limits

import (
	"bytes"
	"slices"
	"strconv"

	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
)

// MaxBytes is the maximum size of a limit file, in bytes.
const MaxBytes = 4 << 20

// Load reads a limit file. The name, usually the file's path, appears in the positions of errors. The error
// is a [source.Errors] that lists everything that is wrong with the file, with file, line and column.
func Load(name string, data []byte) (*Catalogue, error) { return load(name, data, false) }

// LoadFrame reads a frame. A frame is a limit file without limits, constraints and sheets, which package
// learn infers from the answers of a service. It contains everything that answers do not show: unit, caliper,
// glue flap, blanks, and the materials in which an article is offered. Limits, constraints and sheets may be
// present, but LoadFrame checks only that they are well formed. Materials that name the same sheet share it.
// A material that names no sheet has a sheet of its own. LoadFrame returns the same errors as [Load].
func LoadFrame(name string, data []byte) (*Catalogue, error) { return load(name, data, true) }

func load(name string, data []byte, isFrame bool) (*Catalogue, error) {
	doc := strictyaml.Parse(name, data, MaxBytes)
	nodes := make(map[string]strictyaml.Node)
	c := &Catalogue{name: name, isIllustrative: !isFrame && bytes.Equal(data, illustrative), frame: isFrame, nodes: nodes}
	// First read the file into plain structs, and then check them in the same way as New does. Both steps report
	// errors to the nodes of the document, so that all errors are in the order of the file.
	l := &loader{isFrame: isFrame, nodes: nodes}
	check := &checker{Catalogue: c}
	check.check(l.readFile(doc.Root()))
	if err := doc.Errors().Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// A loader turns the YAML of a limit file into plain structs. If a value is missing or of the wrong kind, the
// loader reports it, and leaves it out of nodes. The checker reports errors only about values in nodes, so it
// does not report this value a second time.
type loader struct {
	isFrame bool
	nodes   map[string]strictyaml.Node // the values that could be read, by nodeKey
}

func (l *loader) readFile(root strictyaml.Node) File {
	var f File
	top := l.readFields(root, []string{"version", "unit", "sheets", "materials", "articles"}, "decimals", "values")
	top["version"].CheckVersion("1")
	f.Unit = l.readText(top["unit"], keyPath{"unit"})
	if n, ok := l.readWholeNumber(top["decimals"], keyPath{"decimals"}, notADecimalCount); ok {
		f.Decimals = &n
	}
	f.Values = l.readValues(top["values"], keyPath{"values"})
	// The path of an entry is the name of the table, and the entry's code.
	l.readTable(top["sheets"], "sheets", func(path keyPath, n strictyaml.Node) {
		fields := n.Fields([]string{"width", "height"}, nil)
		f.Sheets = append(f.Sheets, Sheet{path[1], l.readDecimal(fields, path, "width"), l.readDecimal(fields, path, "height")})
	})
	l.readTable(top["materials"], "materials", func(path keyPath, n strictyaml.Node) {
		f.Materials = append(f.Materials, l.readMaterial(n, path))
	})
	l.readTable(top["articles"], "articles", func(path keyPath, n strictyaml.Node) {
		f.Articles = append(f.Articles, l.readArticle(n, path))
	})
	return f
}

// constraintsWithHint is the key constraints, followed by a hint that is shown if the key is missing.
const constraintsWithHint = "constraints ([] for none)"

// readFields returns the fields of an entry. In a frame, the fields whose values package learn infers are
// optional.
func (l *loader) readFields(n strictyaml.Node, required []string, optional ...string) map[string]strictyaml.Node {
	if l.isFrame {
		// The fields whose values package learn infers are not required. Move them to the optional fields.
		learned := func(key string) bool {
			return slices.Contains([]string{"sheets", "sheet", "width", "depth", "height", constraintsWithHint}, key)
		}
		optional = append(optional, slices.DeleteFunc(slices.Clone(required),
			func(key string) bool { return !learned(key) })...)
		required = slices.DeleteFunc(required, learned)
	}
	return n.Fields(required, optional)
}

// readTable reads one of the tables: sheets, materials or articles. Errors in an entry get the path of the entry as
// their Rule.
func (l *loader) readTable(n strictyaml.Node, table string, read func(keyPath, strictyaml.Node)) {
	entries := n.Entries()
	if entries == nil {
		return
	}
	l.nodes[table] = n.WithRule(table)
	for _, e := range entries {
		path, rule := keyPath{table, e.Key}, table
		if isCode(e.Key) { // otherwise errors in the entry do not repeat the key
			rule = path.String()
		}
		l.nodes[nodeKey(path)] = e.KeyNode.WithRule(rule)
		read(path, e.Value.WithRule(rule))
	}
}

func (l *loader) readMaterial(n strictyaml.Node, path keyPath) Material {
	fields := l.readFields(n, []string{"caliper", "glue_flap", "sheet"}, "min_sheets", "values")
	m := Material{Code: path[1], Caliper: l.readDecimal(fields, path, "caliper"), GlueFlap: l.readDecimal(fields, path, "glue_flap")}
	m.Sheet.Code = l.readText(fields["sheet"], path.append("sheet"))
	least, ok := l.readWholeNumber(fields["min_sheets"], path.append("min_sheets"), notASheetCount)
	if ok && least == 0 { // in a Material, 0 means that there is no minimum
		fields["min_sheets"].Errorf(notASheetCount, "0")
	}
	m.MinSheets, m.Values = least, l.readValues(fields["values"], path.append("values"))
	return m
}

func (l *loader) readArticle(n strictyaml.Node, path keyPath) Article {
	fields := l.readFields(n, []string{"width", "depth", "height", constraintsWithHint}, "title", "materials", "blank", "values")
	// If a field is missing, its value is empty here. Either that has been reported, or the field is
	// optional.
	a := Article{
		Code:        path[1],
		Width:       l.readRange(fields["width"], path.append("width")),
		Depth:       l.readRange(fields["depth"], path.append("depth")),
		Height:      l.readRange(fields["height"], path.append("height")),
		Title:       l.readText(fields["title"], path.append("title")),
		Materials:   l.readList(fields["materials"], path.append("materials")),
		Constraints: l.readList(fields["constraints"], path.append("constraints")),
		Values:      l.readValues(fields["values"], path.append("values")),
	}
	switch blank := fields["blank"]; {
	case blank.IsZero():
	case blank.Has("style"):
		style := blank.Fields([]string{"style"}, nil)["style"]
		// If the style cannot be read, that has been reported, and the article gets no blank.
		if text := l.readText(style, path.append("blank", "style")); text != "" {
			a.Blank = &Blank{Style: text}
		}
	default:
		sides := blank.Fields([]string{"width", "height"}, nil)
		width := l.readText(sides["width"], path.append("blank", "width"))
		a.Blank = &Blank{Width: Formula{Text: width}, Height: Formula{Text: l.readText(sides["height"], path.append("blank", "height"))}}
	}
	return a
}

func (l *loader) readRange(n strictyaml.Node, path keyPath) Range {
	fields := n.Fields([]string{"min", "max"}, nil)
	return Range{l.readDecimal(fields, path, "min"), l.readDecimal(fields, path, "max")}
}

// readValues reads user-defined values. It stores separate nodes for the name and the number of a value,
// because either may be wrong. If there are no values, it returns nil.
func (l *loader) readValues(n strictyaml.Node, path keyPath) Values {
	var values Values
	for _, e := range n.Entries() {
		if values == nil {
			values = make(Values)
		}
		l.nodes[nodeKey(path.append(e.Key, valueNameKey))] = e.KeyNode
		// If the number cannot be read, an error has been reported. Keep the name, so that formulas that
		// mention it do not cause further errors.
		text, ok := e.Value.Decimal()
		if ok {
			l.nodes[nodeKey(path.append(e.Key))] = e.Value
		}
		values[e.Key] = Decimal(text)
	}
	return values
}

// valueNameKey is the last element of the path to the name of a user-defined value.
const valueNameKey = "name"

func (l *loader) readDecimal(fields map[string]strictyaml.Node, path keyPath, name string) Decimal {
	text, ok := fields[name].Decimal()
	if ok {
		l.nodes[nodeKey(path.append(name))] = fields[name]
	}
	return Decimal(text)
}

// readWholeNumber reads a whole number. format is the error message for any other number, with one
// formatting verb for the number.
func (l *loader) readWholeNumber(n strictyaml.Node, path keyPath, format string) (value int, ok bool) {
	text, ok := n.Decimal()
	if !ok {
		return 0, false // not a number, or not in the file
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		n.Errorf(format, wording.Cut(text))
		return 0, false
	}
	l.nodes[nodeKey(path)] = n
	return value, true
}

func (l *loader) readText(n strictyaml.Node, path keyPath) string {
	text, ok := n.Text()
	if ok {
		l.nodes[nodeKey(path)] = n
	}
	return text
}

// readList reads a list of texts. It stores the node of each item in l.nodes under two paths: one with the index
// of the item, such as constraints.0, and one with its text, such as constraints.BOX_3100. If several items have
// the same text, the node of the first is stored under the path with the text.
func (l *loader) readList(n strictyaml.Node, path keyPath) []string {
	items := n.Items()
	if items == nil {
		return nil
	}
	// The result for an empty list is not nil, so that it differs from a missing list.
	l.nodes[nodeKey(path)] = n
	texts := make([]string, 0, len(items))
	for i, item := range items {
		text := l.readText(item, path.append(strconv.Itoa(i)))
		if byText := nodeKey(path.append(text)); l.nodes[byText].IsZero() {
			l.nodes[byText] = item
		}
		texts = append(texts, text)
	}
	return texts
}
