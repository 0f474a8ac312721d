package main

import (
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// A jsonReport writes one JSON object a line, its keys always in the same order.
type jsonReport struct {
	all    bool
	keep   bool     // the keys of the rows that are not the box's
	advice *adviser // nil where there is none
	named  bool     // whether each line says which file it is about
	name   []byte
	names  map[*boxrules.Profile][]byte // article and material, as they are written

	violations []boxrules.Violation // reused
}

func newJSONReport(named, all, keep bool, advice *adviser) *jsonReport {
	return &jsonReport{named: named, all: all, keep: keep, advice: advice, names: make(map[*boxrules.Profile][]byte)}
}

func (j *jsonReport) begin(o *opened) ([]byte, error) {
	if j.named {
		j.name = append(appendString([]byte(`"file":`), o.name), ',')
	}
	if j.advice != nil {
		j.advice.begin(o)
	}
	return nil, nil
}

func (j *jsonReport) empty(dst []byte, _ *row) []byte { return dst }

func (j *jsonReport) box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	dst = j.start(dst, r)
	names, ok := j.names[p]
	if !ok {
		names = appendString([]byte(`,"article":`), p.Article())
		names = appendString(append(names, `,"material":`...), p.Material())
		j.names[p] = names
	}
	dst = append(dst, names...)
	for i, x := range r.dimensions {
		dst = appendNumber(append(dst, dimensionKeys[i]...), x)
	}
	if v.OK() {
		dst = append(dst, `,"ok":true`...)
	} else {
		dst = append(append(append(dst, `,"ok":false,"code":"`...), v.Code()...), '"')
	}
	if j.all {
		dst = append(dst, `,"codes":[`...)
		// The dimensions are known to be dimensions: there is a verdict.
		j.violations, _ = p.AppendAll(j.violations[:0], r.dims())
		for i, violation := range j.violations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '"'), violation.Code...), '"')
		}
		dst = append(dst, ']')
	}
	if j.advice != nil && !v.OK() {
		dst = appendString(append(dst, `,"advice":`...), j.advice.onBox(p, r.dims(), v))
	}
	return j.end(dst, r)
}

// dimensionKeys are the keys of the dimensions.
var dimensionKeys = [...]string{`,"width":`, `,"depth":`, `,"height":`}

func (j *jsonReport) noBox(dst []byte, r *row) []byte {
	dst = j.start(dst, r)
	for field, known := range r.known[:fieldCount] {
		switch {
		case !known:
		case field < firstDimension:
			dst = appendString(append(append(append(dst, `,"`...), fieldNames[field]...), `":`...), string(r.names[field]))
		default:
			dst = appendNumber(append(dst, dimensionKeys[field-firstDimension]...), r.dimensions[field-firstDimension])
		}
	}
	dst = appendString(append(dst, `,"ok":false,"error":`...), r.problemText())
	if field := r.problem().Field; field != "" {
		dst = append(append(append(dst, `,"field":"`...), field...), `","errors":[`...)
		for i, p := range r.problems {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, `{"field":"`...), p.Field...), `","error":`...)
			dst = append(appendString(dst, p.Message), '}')
		}
		dst = append(dst, ']')
	}
	return j.end(dst, r)
}

// start appends which row it is.
func (j *jsonReport) start(dst []byte, r *row) []byte {
	dst = append(append(dst, '{'), j.name...)
	dst = strconv.AppendInt(append(dst, `"row":`...), int64(r.number), 10)
	if r.line > 0 {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(r.line), 10)
	}
	return dst
}

// end appends the keys to keep. One that an answer has is the answer's.
func (j *jsonReport) end(dst []byte, r *row) []byte {
	if j.keep && r.object != nil {
		for key, value := range strictjson.Members(r.object) {
			if !slices.Contains(answerKeys, key) {
				dst = append(append(appendString(append(dst, ','), key), ':'), value...)
			}
		}
	}
	return append(dst, "}\n"...)
}

// answerKeys are the keys that answers have.
var answerKeys = append([]string{"file", "row", "line", "ok", "code", "codes", "advice", "error", "field", "errors"}, fieldNames...)

// appendString writes s as a JSON string that is safe to show on a terminal: more is escaped than JSON asks for.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case unprintable(r):
			dst = appendEscape(dst, r)
		default:
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return append(dst, '"')
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendEscape(appendEscape(dst, high), low)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
