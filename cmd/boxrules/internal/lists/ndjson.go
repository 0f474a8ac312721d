package lists

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists/header"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/internal/wording"
)

// A jsonFormat reads rows that are JSON objects, one on each line.
type jsonFormat struct {
	keys      []string               // the key of each field; other keys are ignored
	mustExist []bool                 // for each field, whether every row must have its key, because --rename or --expect names it
	given     [FirstDimension][]byte // the article and the material if flags give them for all rows; otherwise nil
	rowEnds   string                 // the bytes that can end a row
}

// newJSONFormat returns the format of a file of boxes or, if answers is true, of a file of answers. It returns an
// error if --rename names a field that does not exist, or a field that is also given by a flag.
func newJSONFormat(answers bool, o Options) (*jsonFormat, error) {
	fields, rowEnds := FieldNames, boxEnds
	switch {
	case answers:
		fields, rowEnds = AnswerNames[:], recordEnds
	case o.Expect != "":
		fields = AnswerNames[:AnswerDate]
	}
	if err := header.CheckNames(o.Names, fields); err != nil {
		return nil, err
	}
	j := &jsonFormat{keys: slices.Clone(fields), mustExist: make([]bool, len(fields)), given: o.givenNames(), rowEnds: rowEnds}
	for field, name := range fields {
		key, renamed := o.Names[name]
		if !answers && field == AnswerCode {
			key, renamed = o.Expect, true
		}
		switch {
		case !renamed:
			continue
		case field < FirstDimension && j.given[field] != nil:
			return nil, fmt.Errorf("%s is given twice, with --%[1]s and with --rename; use only one of them", name)
		}
		// Fields that are about the answer may be missing: a success has no code, for example. So in a file of
		// answers, only the fields of the box must exist.
		j.keys[field], j.mustExist[field] = key, field < FieldCount || !answers
	}
	// With --rename width=depth, the key depth would be read as both fields, unless --rename also names another key
	// for depth.
	for field, key := range j.keys {
		if other := slices.Index(j.keys, key); other < field {
			return nil, fmt.Errorf("the key %s is used for both %s and %s; name a key for each, as in --rename %[3]s=NAME",
				wording.Quote(key), fields[other], fields[field])
		}
	}
	return j, nil
}

// boxEnds and recordEnds are the bytes that can end a row in a file of boxes and in a record of answers. After a crash,
// a record may have zero bytes in place of lost text. A zero byte ends a row, so that the answer after it can be read.
const (
	boxEnds    = "\n"
	recordEnds = boxEnds + "\x00"
)

func (j *jsonFormat) completeLength(text []byte, final bool) int {
	if final {
		return len(text)
	}
	return bytes.LastIndexAny(text, j.rowEnds) + 1
}

// rowLength returns the length of the first row, including the line end or the run of zero bytes that ends it.
func (j *jsonFormat) rowLength(text []byte) int {
	n := bytes.IndexAny(text, j.rowEnds) + 1
	switch {
	case n == 0:
		return len(text)
	case text[n-1] == 0:
		// A crash may leave thousands of zero bytes. All of them together end one row.
		return len(text) - len(bytes.TrimLeft(text[n:], "\x00"))
	}
	return n
}

// trim returns a row without the bytes that end it, and without the white space around it.
func (j *jsonFormat) trim(row []byte) []byte { return bytes.Trim(row, " \t\r"+j.rowEnds) }

func (j *jsonFormat) skipRow(text []byte) (n int, empty bool) {
	n = j.rowLength(text)
	return n, len(j.trim(text[:n])) == 0
}

func (j *jsonFormat) readRow(text []byte, row *Row) int {
	n := j.rowLength(text)
	line := j.trim(text[:n])
	if len(line) == 0 {
		row.Empty = true
		return n
	}
	j.readObject(line, row)
	if row.Object == nil {
		return n
	}
	for field, name := range j.given {
		switch {
		case name == nil:
		case row.Known[field]:
			row.Fail(field, "given twice, with --%s and in the row; use only one of them", FieldNames[field])
		default:
			row.Names[field], row.Known[field] = name, true
		}
	}
	return n
}

// readObject reads the fields of the row from a JSON object. If line is not a JSON object, row.Object stays nil.
func (j *jsonFormat) readObject(line []byte, row *Row) {
	switch {
	case !utf8.Valid(line):
		row.failRow("the line is not UTF-8; save the file as UTF-8")
		return
	case !json.Valid(line):
		row.failRow("not JSON: %v; write one JSON object per line", json.Unmarshal(line, new(json.RawMessage)))
		return
	case line[0] != '{':
		row.failRow("%s; write one JSON object per line", strictjson.Kind(line))
		return
	}
	row.Object = line
	// Collect the values first, so that problems are found in the order of the fields, and so that missing keys are
	// noticed.
	var values [answerCount]json.RawMessage
	for key, value := range strictjson.Members(line) {
		field := slices.Index(j.keys, key)
		if field < 0 {
			continue
		}
		if values[field] != nil {
			row.Fail(field, "given twice; give it once")
		}
		values[field] = value
	}
	for field, value := range values[:len(j.keys)] {
		if value == nil && j.mustExist[field] {
			row.Fail(field, "missing; the row has no key %s", wording.Quote(j.keys[field]))
			continue
		}
		readJSONField(row, field, value)
	}
}

// readJSONField reads a field from its JSON value. value is nil if the object does not have the field's key.
func readJSONField(row *Row, field int, value json.RawMessage) {
	switch {
	case field < FirstDimension:
		readJSONName(row, field, value)
	case field < FieldCount:
		readJSONDimension(row, field, value)
	case value == nil:
		// A field of an answer may be missing. Whether it is required is decided by the packages that interpret the
		// answer.
	case value[0] == '{' || value[0] == '[' || value[0] == 'n': // an object, an array or null
		row.Fail(field, "%s; accepted: a JSON string, number or boolean", strictjson.Kind(value))
	default:
		text, isText := strictjson.Text(value)
		if !isText {
			text = string(value)
		}
		row.Answer.set(field, text)
	}
}

func readJSONName(row *Row, field int, value json.RawMessage) {
	if value == nil {
		return // the engine will report that the name is missing, and list the accepted names
	}
	name, ok := strictjson.TextBytes(value)
	if !ok {
		row.Fail(field, "%s; accepted: a JSON string", strictjson.Kind(value))
		return
	}
	row.Known[field], row.Names[field] = true, name
}

func readJSONDimension(row *Row, field int, value json.RawMessage) {
	switch {
	case value == nil:
		_, err := boxrules.ParseDimension(FieldNames[field], "")
		row.AddProblem(err)
	case strictjson.Kind(value) != "a number":
		row.Fail(field, "%s; accepted: a JSON number", strictjson.Kind(value))
	case len(value) > boxrules.MaxDimensionLength:
		row.Fail(field, "the number is %d characters long; at most %d are accepted", len(value), boxrules.MaxDimensionLength)
	default:
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil { // the value is a valid JSON number, so it must be too large
			row.Fail(field, "%s is out of range; accepted: a number such as 48 or 48.5", wording.Cut(string(value)))
			return
		}
		// Set Known even if the number is out of range, so that the report can show the number.
		row.Known[field], row.Dimensions[field-FirstDimension] = true, x
		if !(x >= -exact.MaxDimension && x <= exact.MaxDimension) {
			row.Fail(field, "%v is not a dimension; accepted: a number from -%d to %[2]d", x, exact.MaxDimension)
		}
	}
}
