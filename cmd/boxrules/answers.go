package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
)

// accepted is in the place of a code where the service has accepted a box.
const accepted = "ok"

// Answers reads what a service has answered, from one file or more. What was answered without a word about the box is
// counted by its kind.
type answers struct {
	*sources
	codes  map[boxrules.Code]bool // of the rules
	unit   string                 // of the limits
	rows   int                    // so far, in all files
	latest time.Time              // date so far
	wrong  int
	silent []silence
}

// A silence is a kind of row from which nothing is learned.
type silence struct {
	kind        string
	first, rows int
}

// The bounds on what is kept of files that are not what they should be.
const (
	maxWrong = 20 // rows that are told
	maxKinds = 50 // of silence
)

func newAnswers(s *sources, rules *boxrules.RuleSet) *answers {
	a := &answers{sources: s, codes: make(map[boxrules.Code]bool), unit: rules.Unit()}
	for _, r := range rules.Rules() {
		a.codes[r.Code] = true
	}
	return a
}

// Kinds of silence besides codes: a refusal that may be of another box than that of the row, and none at all.
const (
	several  = "refused quotations of several items"
	noAnswer = "no answer"
)

// read gives the answers of a file to take; those of which nothing can be learned, with the kind. An *InputError that take
// returns is told with the row. The error has been told.
func (a *answers) read(in input, take func(answer learn.Answer, silent string) error) error {
	in.answers, in.form.catalogue = true, a.unit
	before := a.rows
	_, err := in.each(a.console, func(r *row) error {
		a.rows = before + r.number
		answer, silent := a.parse(r)
		if r.problem() == nil {
			if silent != "" {
				a.count(silent)
			}
			r.blame(take(answer, silent))
		}
		if a.rows%50_000 == 0 {
			a.console.progress("%d rows of %s", r.number, in.shown())
		}
		if r.problem() == nil {
			return nil
		}
		if a.wrong++; a.wrong > maxWrong {
			return fmt.Errorf("more than %d rows are wrong", maxWrong)
		}
		a.console.say("boxrules: %s:%d: row %d: %s", in.shown(), r.line, a.rows, r.problemsText())
		return nil
	})
	a.console.progress("")
	if err != nil {
		return a.console.fail(err)
	}
	return nil
}

// readAll reads the files one after the other, and says what is not learned from.
func (a *answers) readAll(inputs []input, take func(answer learn.Answer, silent string) error) error {
	for _, in := range inputs {
		if err := a.read(in, take); err != nil {
			return err
		}
	}
	for _, s := range a.silent {
		what := s.kind
		if s.kind != several {
			what = wording.Cut(s.kind)
		}
		a.console.say("boxrules: nothing is learned from %s: %s, the first is row %d", what, count(s.rows, "row", "rows"), s.first)
	}
	a.silent = nil
	if a.wrong > 0 {
		return unanswered
	}
	return nil
}

// parse is what a row says.
func (a *answers) parse(r *row) (answer learn.Answer, silent string) {
	text := func(field int) string {
		if !r.known[field] {
			return ""
		}
		return r.answer[field-fieldCount]
	}
	answer = learn.Answer{Box: boxrules.Box{Article: string(r.names[article]), Material: string(r.names[material]), Dims: r.dims()}, Row: a.rows}
	code := text(answerCode)
	if r.known[answerOK] && text(answerOK) == "true" {
		if r.known[answerCode] && code != accepted {
			r.fail(answerCode, "%s of a box that is ok; accepted: none", wording.Quote(code))
		}
		code = accepted
	}
	items := 1
	if r.known[answerItems] {
		var err error
		if items, err = strconv.Atoi(text(answerItems)); err != nil || items < 1 {
			r.fail(answerItems, "%s is not a number of items; accepted: a whole number from 1 on", wording.Quote(text(answerItems)))
		}
	}
	switch {
	case code == "" && text(answerError) != "":
		silent = noAnswer
	case code == "":
		r.fail(answerCode, "missing; accepted: %s or a code such as BOX_2100", accepted)
	case code == accepted:
	case items > 1:
		silent = several
	case a.codes[boxrules.Code(code)]:
		answer.Code = boxrules.Code(code)
	default:
		silent = code
		plain := strings.TrimSpace(code)
		if strings.EqualFold(plain, accepted) {
			r.fail(answerCode, "%s; accepted: %s, written so", wording.Quote(code), accepted)
		} else if a.codes[boxrules.Code(strings.ToUpper(plain))] {
			r.fail(answerCode, "%s; accepted: %s, written so", wording.Quote(code), strings.ToUpper(plain))
		}
	}
	if r.known[answerDate] {
		var err error
		if answer.Date, err = parseDate(text(answerDate)); err != nil {
			r.fail(answerDate, "%v", err)
		} else if answer.Date.Before(a.latest) {
			r.fail(answerDate, "%s is before %s of a row above; accepted: rows in the order of their dates", text(answerDate),
				a.latest.Format(time.RFC3339Nano))
		} else {
			a.latest = answer.Date
		}
	}
	return answer, silent
}

func parseDate(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.IsZero() {
		return t, fmt.Errorf("%s is not a date; accepted: one with its time, such as 2026-03-01T12:00:00Z", wording.Quote(text))
	}
	return t, nil
}

// count counts a silence.
func (a *answers) count(kind string) {
	i := slices.IndexFunc(a.silent, func(s silence) bool { return s.kind == kind })
	if i < 0 && len(a.silent) >= maxKinds {
		kind = "other codes"
		i = slices.IndexFunc(a.silent, func(s silence) bool { return s.kind == kind })
	}
	if i < 0 {
		i = len(a.silent)
		a.silent = append(a.silent, silence{kind: strings.Clone(kind), first: a.rows})
	}
	a.silent[i].rows++
}
