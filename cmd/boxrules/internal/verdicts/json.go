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

// A jsonReport writes one JSON object per line, with its keys always in the same order.
type jsonReport struct {
	noReport
	all          bool     // whether to write all codes
	extraKeys    bool     // whether to copy further keys of an NDJSON row
	expect       bool     // whether to write the expected verdict
	adviser      *adviser // nil without --advice
	severalFiles bool     // whether there are several files, so that each object needs the name of its file
	fileMember   []byte   // "file":"boxes.csv", if there are several files

	// The JSON with the article and the material of each profile.
	profileMembers map[*boxrules.Profile][]byte

	violations []boxrules.Violation // a buffer that is reused
}

func (j *jsonReport) beginFile(file *lists.Reader) ([]byte, error) {
	if j.severalFiles {
		j.fileMember = append(console.AppendPrintableJSON([]byte(`"file":`), file.Name), ',')
	}
	if j.adviser != nil {
		j.adviser.beginFile(file)
	}
	return nil, nil
}

func (j *jsonReport) appendBox(dst []byte, row *lists.Row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	dst = j.appendStart(dst, row)
	// Most boxes of a list have the same few articles and materials, so keep their JSON.
	members, ok := j.profileMembers[p]
	if !ok {
		members = console.AppendPrintableJSON([]byte(`,"article":`), p.Article())
		members = console.AppendPrintableJSON(append(members, `,"material":`...), p.Material())
		j.profileMembers[p] = members
	}
	dst = append(dst, members...)
	for i, x := range row.Dimensions {
		dst = console.AppendNumberText(append(dst, dimensionKeys[i]...), x)
	}
	// Collect the violations whose messages belong in the object: the first one, or all if j.all is true.
	j.violations = j.violations[:0]
	if v.OK() {
		dst = append(dst, `,"ok":true`...)
	} else {
		dst = append(append(append(dst, `,"ok":false,"code":"`...), v.Code()...), '"')
		j.violations = append(j.violations, reportedViolation(v))
	}
	dst = j.appendExpected(dst, row)
	// Borderline cannot fail, because the box has a verdict.
	if double, borderline, _ := p.Borderline(row.Dims()); borderline {
		dst = append(append(append(dst, `,"borderline":"`...), reportedVerdict(double)...), '"')
	}
	if j.all {
		dst = append(dst, `,"codes":[`...)
		// This cannot fail either.
		j.violations, _ = p.AppendAll(j.violations[:0], row.Dims())
		for i, violation := range j.violations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '"'), violation.Code...), '"')
		}
		dst = append(dst, ']')
	}
	message := userMessages(j.violations)
	if message != "" {
		dst = console.AppendPrintableJSON(append(dst, `,"message":`...), message)
	}
	if j.adviser != nil && !v.OK() {
		dst = console.AppendPrintableJSON(append(dst, `,"advice":`...), j.adviser.advice(p, row.Dims(), v))
	}
	return j.appendEnd(dst, row, message != "")
}

// userMessages joins the messages of the user's own rules. It leaves out the documented rules, whose messages can
// be looked up by code.
func userMessages(violations []boxrules.Violation) string {
	var messages []string
	for _, v := range violations {
		if _, documented := v.Code.Info(); !documented {
			messages = append(messages, v.Message)
		}
	}
	return strings.Join(messages, "; ")
}

// dimensionKeys holds the JSON text that precedes the value of each dimension.
var dimensionKeys = [...]string{`,"width":`, `,"depth":`, `,"height":`}

func (j *jsonReport) appendProblems(dst []byte, row *lists.Row) []byte {
	dst = j.appendStart(dst, row)
	// Write the fields that could be read, so that the reader can recognize the row.
	for field, known := range row.Known[:lists.FieldCount] {
		switch {
		case !known:
		case field < lists.FirstDimension:
			dst = console.AppendPrintableJSON(append(append(append(dst, `,"`...), lists.FieldNames[field]...), `":`...),
				string(row.Names[field]))
		default:
			dst = console.AppendNumberText(append(dst, dimensionKeys[field-lists.FirstDimension]...),
				row.Dimensions[field-lists.FirstDimension])
		}
	}
	dst = append(dst, `,"ok":false`...)
	if row.Answer.IsGiven(lists.AnswerCode) { // otherwise the row could not be read
		dst = j.appendExpected(dst, row)
	}
	dst = console.AppendPrintableJSON(append(dst, `,"error":`...), row.LocatedProblemsText())
	// A problem with the whole row has no field. In that case there are no other problems.
	if field := row.Problem().Field; field != "" {
		dst = fmt.Appendf(dst, `,"field":"%s","errors":[`, field)
		for i, p := range row.Problems {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = fmt.Appendf(dst, `{"field":"%s","error":%s}`, p.Field, console.AppendPrintableJSON(nil, p.Message))
		}
		dst = append(dst, ']')
	}
	return j.appendEnd(dst, row, false)
}

// appendExpected appends the expected verdict if j.expect is set.
func (j *jsonReport) appendExpected(dst []byte, row *lists.Row) []byte {
	if !j.expect {
		return dst
	}
	return console.AppendPrintableJSON(append(dst, `,"expected":`...), expectedAnswer(row))
}

// appendStart appends the members that identify the row.
func (j *jsonReport) appendStart(dst []byte, row *lists.Row) []byte {
	dst = append(append(dst, '{'), j.fileMember...)
	dst = strconv.AppendInt(append(dst, `"row":`...), int64(row.Number), 10)
	if row.Line > 0 {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(row.Line), 10)
	}
	return dst
}

// appendEnd closes the object. If extraKeys is set, it first copies the keys of the input row that are not in the
// object yet. hasMessage says whether the object already has a "message" key.
func (j *jsonReport) appendEnd(dst []byte, row *lists.Row, hasMessage bool) []byte {
	if j.extraKeys && row.Object != nil {
		for key, value := range strictjson.Members(row.Object) {
			written := key == "message" && hasMessage || key == expectedField && j.expect
			if !written && !slices.Contains(reportKeys, key) {
				dst = append(append(console.AppendPrintableJSON(append(dst, ','), key), ':'), value...)
			}
		}
	}
	return append(dst, "}\n"...)
}

// reportKeys are the keys that appendEnd never copies from the input row, because the report uses them. The keys
// "message" and "expected" are not among them: appendEnd copies each of these two unless the object already has it.
var reportKeys = append([]string{"file", "row", "line", "ok", "code", "borderline", "codes", "advice", "error", "field", "errors"},
	lists.FieldNames...)
