package main

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/boxrules"
)

// A jsonReport writes one JSON object a line, its keys always in the same order.
type jsonReport struct {
	all   bool
	named bool // whether each line says which file it is about
	name  []byte

	violations []boxrules.Violation // reused
}

func (j *jsonReport) file(in input) {
	if j.named {
		j.name = append(appendString([]byte(`"file":`), in.name), ',')
	}
}

func (j *jsonReport) box(dst []byte, r *row, p *boxrules.Profile, v boxrules.Verdict) []byte {
	dst = j.start(dst, r)
	if v.OK() {
		dst = append(dst, `"ok":true`...)
	} else {
		dst = append(dst, `"ok":false,"code":"`...)
		dst = append(append(dst, v.Code()...), '"')
	}
	if j.all {
		dst = append(dst, `,"codes":[`...)
		// The dimensions are known to be dimensions: there is a verdict.
		j.violations, _ = p.AppendAll(j.violations[:0], r.dims())
		for i, violation := range j.violations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '"')
			dst = append(append(dst, violation.Code...), '"')
		}
		dst = append(dst, ']')
	}
	return append(dst, "}\n"...)
}

func (j *jsonReport) noBox(dst []byte, r *row) []byte {
	dst = appendString(append(j.start(dst, r), `"ok":false,"error":`...), r.problemText())
	if field := r.problem.Field; field != "" {
		dst = append(dst, `,"field":"`...)
		dst = append(append(dst, field...), '"')
	}
	return append(dst, "}\n"...)
}

// start appends what could be read, up to the comma before the answer.
func (j *jsonReport) start(dst []byte, r *row) []byte {
	dst = append(append(dst, '{'), j.name...)
	dst = strconv.AppendInt(append(dst, `"row":`...), int64(r.number), 10)
	for field, known := range r.known[:fieldCount] {
		if !known {
			continue
		}
		dst = append(dst, ',', '"')
		dst = append(append(dst, fieldNames[field]...), '"', ':')
		if field < firstDimension {
			dst = appendString(dst, r.texts[field])
		} else {
			dst = appendNumber(dst, r.dimensions[field-firstDimension])
		}
	}
	return append(dst, ',')
}

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
