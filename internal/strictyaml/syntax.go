package strictyaml

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxIndicators bounds the list and key indicators that a line may begin with for yaml.v3 to see
// it. Each opens a block, and yaml.v3 takes a time that grows with open blocks times comments. What
// is deeper than maxDepth but within this limit is found in the tree.
const maxIndicators = 128

// parse returns the root that yaml.v3 reads, nil where there is none. It fails where the text is
// not YAML.
func (d *Document) parse() (root *yaml.Node, ok bool) {
	content := string(d.text.runes)
	line := 0
	for text := range strings.SplitSeq(content, "\n") {
		line++
		if indicators(text) > maxIndicators {
			d.report("", d.text.position(d.text.index(line, 1)), tooDeepMessage)
			return nil, false
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(content))
	documents, err := decode(decoder)
	if err != nil {
		problem := prefix.ReplaceAllString(err.Error(), "")
		at, message := d.explain(problem, d.marks(decoder, problem))
		d.report("", d.text.position(at), "%s", message)
	}
	if len(documents) > 1 {
		d.rejectf(documents[1], "a second document is not accepted: one file holds one document")
	}
	if len(documents) > 0 {
		root = documents[0].Content[0]
	}
	return root, err == nil
}

// indicators returns how many items, keys and values start one in another at the beginning of the
// line.
func indicators(line string) (count int) {
	for field := range strings.FieldsSeq(line) {
		if field != "-" && field != "?" && field != ":" {
			break
		}
		count++
	}
	return count
}

// decode reads the first two documents, if there are so many. It asks for yaml.Node, as yaml.v3
// compares every pair of keys for any other type. yaml.v3 reports most faults by a panic that it
// catches itself, and some that it does not.
func decode(decoder *yaml.Decoder) (documents []*yaml.Node, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("yaml: internal error: %v", bug)
		}
	}()
	// Only at the end of the input has yaml.v3 seen all of it: behind the first document text may
	// be left that belongs to none.
	for len(documents) < 2 {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case err == io.EOF:
			return documents, nil
		case err != nil:
			return nil, err
		}
		documents = append(documents, &document)
	}
	return documents, nil
}

// marks has the places that belong to one fault, as indexes into the text.
type marks struct {
	problem int // where yaml.v3 noticed it
	context int // where the scalar or collection starts that yaml.v3 was reading
	open    int // where the innermost open collection starts
}

// marks reads the places from the fields of yaml.v3's parser, as its message has only a line: that
// of the problem or that of the context, counted from 0 or from 1.
func (d *Document) marks(decoder *yaml.Decoder, problem string) marks {
	state := inside(reflect.ValueOf(decoder), "parser", "parser")
	at := inside(state, "problem_mark")
	if strings.HasPrefix(problem, unknownAlias) {
		at = inside(reflect.ValueOf(decoder), "parser", "event", "start_mark")
	}
	m := marks{problem: d.mark(at), context: d.mark(inside(state, "context_mark"))}
	m.open = m.problem
	if open := inside(state, "marks"); open.Len() > 0 {
		m.open = d.mark(open.Index(open.Len() - 1))
	}
	return m
}

// inside follows a path of fields.
func inside(v reflect.Value, path ...string) reflect.Value {
	for _, name := range path {
		v = reflect.Indirect(v).FieldByName(name)
	}
	return v
}

// mark returns the index of a mark of yaml.v3, which counts lines and columns from 0.
func (d *Document) mark(v reflect.Value) int {
	line, column := inside(v, "line").Int(), inside(v, "column").Int()
	return min(d.text.index(int(line)+1, int(column)+1), len(d.text.runes))
}
