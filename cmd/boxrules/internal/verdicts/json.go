package verdicts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/strictjson"
)

// A jsonReport writes one JSON object a line, its keys always in the same order.
type jsonReport struct {
	silent
	all    bool
	keep   bool     // the keys of the rows that are not the box's
	advice *adviser // nil where there is none
	named  bool     // whether each line says which file it is about
	name   []byte
	names  map[*boxrules.Profile][]byte // article and material, as they are written

	violations []boxrules.Violation // reused
}

func (j *jsonReport) begin(o *lists.Reader) ([]byte, error) {
	if j.named {
		j.name = append(console.AppendJSON([]byte(`"file":`), o.Name), ',')
	}
	if j.advice != nil {
		j.advice.begin(o)
	}
	return nil, nil
}

func (j *jsonReport) box(dst []byte, r *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	dst = j.start(dst, r)
	names, ok := j.names[p]
	if !ok {
		names = console.AppendJSON([]byte(`,"article":`), p.Article())
		names = console.AppendJSON(append(names, `,"material":`...), p.Material())
		j.names[p] = names
	}
	dst = append(dst, names...)
	for i, x := range r.Dimensions {
		dst = console.AppendNumber(append(dst, dimensionKeys[i]...), x)
	}
	j.violations = j.violations[:0]
	if v.OK() {
		dst = append(dst, `,"ok":true`...)
	} else {
		dst = append(append(append(dst, `,"ok":false,"code":"`...), v.Code()...), '"')
		j.violations = append(j.violations, violationOf(v))
	}
	if other, borderline, _ := p.Borderline(r.Dims()); borderline && other.OK() {
		dst = append(dst, `,"borderline":"valid"`...)
	} else if borderline {
		dst = append(append(append(dst, `,"borderline":"`...), other.Code()...), '"')
	}
	if j.all {
		dst = append(dst, `,"codes":[`...)
		// The dimensions are known to be dimensions: there is a verdict.
		j.violations, _ = p.AppendAll(j.violations[:0], r.Dims())
		for i, violation := range j.violations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '"'), violation.Code...), '"')
		}
		dst = append(dst, ']')
	}
	message := ownMessages(j.violations)
	if message != "" {
		dst = console.AppendJSON(append(dst, `,"message":`...), message)
	}
	if j.advice != nil && !v.OK() {
		dst = console.AppendJSON(append(dst, `,"advice":`...), j.advice.onBox(p, r.Dims(), v))
	}
	return j.end(dst, r, message != "")
}

// ownMessages returns the messages of the user's own rules; documented ones say nothing new.
func ownMessages(violations []boxrules.Violation) string {
	var own []string
	for _, v := range violations {
		if _, documented := v.Code.Info(); !documented {
			own = append(own, v.Message)
		}
	}
	return strings.Join(own, "; ")
}

// dimensionKeys are the keys of the dimensions.
var dimensionKeys = [...]string{`,"width":`, `,"depth":`, `,"height":`}

func (j *jsonReport) noBox(dst []byte, r *lists.Row) []byte {
	dst = j.start(dst, r)
	for field, known := range r.Known[:lists.FieldCount] {
		switch {
		case !known:
		case field < lists.FirstDimension:
			dst = console.AppendJSON(append(append(append(dst, `,"`...), lists.FieldNames[field]...), `":`...),
				string(r.Names[field]))
		default:
			dst = console.AppendNumber(append(dst, dimensionKeys[field-lists.FirstDimension]...),
				r.Dimensions[field-lists.FirstDimension])
		}
	}
	dst = console.AppendJSON(append(dst, `,"ok":false,"error":`...), r.ProblemText())
	if field := r.Problem().Field; field != "" {
		dst = fmt.Appendf(dst, `,"field":"%s","errors":[`, field)
		for i, p := range r.Problems {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = fmt.Appendf(dst, `{"field":"%s","error":%s}`, p.Field, console.AppendJSON(nil, p.Message))
		}
		dst = append(dst, ']')
	}
	return j.end(dst, r, false)
}

// start appends which row it is.
func (j *jsonReport) start(dst []byte, r *lists.Row) []byte {
	dst = append(append(dst, '{'), j.name...)
	dst = strconv.AppendInt(append(dst, `"row":`...), int64(r.Number), 10)
	if r.Line > 0 {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(r.Line), 10)
	}
	return dst
}

// end appends the keys to keep. One that an answer has is the answer's; a message has only some.
func (j *jsonReport) end(dst []byte, r *lists.Row, hasMessage bool) []byte {
	if j.keep && r.Object != nil {
		for key, value := range strictjson.Members(r.Object) {
			if !slices.Contains(answerKeys, key) && (key != "message" || !hasMessage) {
				dst = append(append(console.AppendJSON(append(dst, ','), key), ':'), value...)
			}
		}
	}
	return append(dst, "}\n"...)
}

// answerKeys are the keys that answers have.
var answerKeys = append([]string{"file", "row", "line", "ok", "code", "borderline", "codes", "advice", "error", "field", "errors"},
	lists.FieldNames...)
