// Package answers reads from files what the service has answered, writes the boxes to ask it about,
// and keeps the record of answers.
package answers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
)

// A Collector reads what a service has answered, from one file or more. What was answered without a
// word about the box is counted by its kind.
type Collector struct {
	Rows   int       // so far, in all files
	Latest time.Time // date so far

	console *console.Console
	rules   *boxrules.RuleSet
	wrong   int
	silent  []silence
}

// A silence is a kind of row from which nothing is learned, or little, as from a code that the rules do not
// have and from a borderline box.
type silence struct {
	kind        string
	first, rows int
}

// The bounds on what is kept of files that are not what they should be.
const (
	maxWrong = 20 // rows that are reported
	maxKinds = 50 // of silence
)

// New returns a collector of answers with the codes of the rules.
func New(c *console.Console, rules *boxrules.RuleSet) *Collector {
	return &Collector{console: c, rules: rules}
}

// Kinds of silence besides codes: a refusal that may be of another box than that of the row, an
// answer that may be about another box, such as 48 where 48.0004 was asked, and none at all.
const (
	Several  = "refused quotations of several items"
	offGrid  = "dimensions with too many decimals"
	NoAnswer = "no answer"
)

// Borderline is the kind of an answer from which little is learned, because double precision decides a
// condition otherwise than exact arithmetic does.
const Borderline = "borderline boxes"

// read calls take for each answer of a file. silent is empty, or the kind of an answer from which
// nothing can be learned. Such answers are counted, and so are those for which take returns
// [learn.ErrOffGrid], [learn.ErrBorderline] or [learn.ErrUnknownCode], and those with an unknown code
// whose article or material the limits do not have. Any other error of take is reported with the row.
// The error that read returns has already been reported.
func (a *Collector) read(in lists.Input, take func(answer learn.Answer, silent string) error) error {
	in.Answers, in.Options.Catalogue = true, a.rules.Unit()
	before := a.Rows
	err := in.Each(a.console, func(r *lists.Row) error {
		a.Rows = before + r.Number
		answer, silent := a.parse(r)
		if r.Problem() == nil {
			err := take(answer, silent)
			switch {
			case errors.Is(err, learn.ErrOffGrid):
				silent, err = offGrid, nil
			case errors.Is(err, learn.ErrBorderline):
				silent, err = Borderline, nil
			case errors.Is(err, learn.ErrUnknownCode), a.isUnknown(answer.Code) && errors.As(err, new(*boxrules.InputError)):
				silent, err = string(answer.Code), nil
			}
			if silent != "" {
				a.Count(silent)
			}
			r.AddProblem(err)
		}
		if a.Rows%50_000 == 0 {
			a.console.Progress("%d rows of %s", r.Number, in.DisplayName())
		}
		if r.Problem() == nil {
			return nil
		}
		if a.wrong++; a.wrong > maxWrong {
			return fmt.Errorf("more than %d rows are wrong", maxWrong)
		}
		a.console.Say("boxrules: %s:%d: row %d: %s", in.DisplayName(), r.Line, a.Rows, r.ProblemsText())
		return nil
	})
	a.console.Progress("")
	if err != nil {
		return a.console.Fail(err)
	}
	return nil
}

// ReadAll reads the files one after the other, and says what is not learned from.
func (a *Collector) ReadAll(inputs []lists.Input, take func(answer learn.Answer, silent string) error) error {
	for _, in := range inputs {
		if err := a.read(in, take); err != nil {
			return err
		}
	}
	a.Report()
	if a.wrong > 0 {
		return console.Unanswered
	}
	return nil
}

// Report prints what was counted since the last report.
func (a *Collector) Report() {
	for _, s := range a.silent {
		rows := console.Count(s.rows, "row", "rows")
		if s.kind == Borderline {
			a.console.Say("boxrules: less is learned from borderline boxes: %s, the first is row %d", rows, s.first)
		} else if a.isUnknown(boxrules.Code(s.kind)) {
			a.console.Say("boxrules: the rules do not have %s: %s, the first is row %d; pass rules that have it with --rules FILE",
				s.kind, rows, s.first)
		} else {
			a.console.Say("boxrules: nothing is learned from %s: %s, the first is row %d", wording.Cut(s.kind), rows, s.first)
		}
	}
	a.silent = nil
}

// IsCode reports whether the rules have the code.
func (a *Collector) IsCode(code string) bool { return a.rules.Position(boxrules.Code(code)).Line > 0 }

// isUnknown reports whether a code is one that refuses boxes and that the rules do not have.
func (a *Collector) isUnknown(code boxrules.Code) bool {
	return learn.RefusesBoxes(code) && !a.IsCode(string(code))
}

// Next returns an answer about the box that is given now, as of the row behind all that were read.
// A clock that was put back must not spoil a record: the date is not before one that was read.
func (a *Collector) Next(b boxrules.Box) learn.Answer {
	a.Rows++
	if now := a.console.Now().UTC().Truncate(time.Second); now.After(a.Latest) {
		a.Latest = now
	}
	return learn.Answer{Box: b, Row: a.Rows, Date: a.Latest}
}

// parse returns what a row says.
func (a *Collector) parse(r *lists.Row) (answer learn.Answer, silent string) {
	answer = learn.Answer{
		Box: boxrules.Box{Article: string(r.Names[lists.Article]), Material: string(r.Names[lists.Material]), Dims: r.Dims()},
		Row: a.Rows,
	}
	code := r.Answer.Text(lists.AnswerCode)
	if r.Answer.Text(lists.AnswerOK) == "true" {
		if r.Answer.IsGiven(lists.AnswerCode) && !lists.IsValid(code) {
			r.Fail(lists.AnswerCode, "%s of a box that is valid; accepted: none", wording.Quote(code))
		}
		code = lists.Valid
	}
	items := 1
	if r.Answer.IsGiven(lists.AnswerItems) {
		var err error
		if items, err = strconv.Atoi(r.Answer.Text(lists.AnswerItems)); err != nil || items < 1 {
			r.Fail(lists.AnswerItems, "%s is not a number of items; accepted: a whole number from 1 on",
				wording.Quote(r.Answer.Text(lists.AnswerItems)))
		}
	}
	switch {
	case code == "" && r.Answer.Text(lists.AnswerError) != "":
		silent = NoAnswer
	case code == "":
		r.Fail(lists.AnswerCode, "missing; accepted: %s or a code such as BOX_2100", lists.Valid)
	case lists.IsValid(code):
	case items > 1:
		silent = Several
	case a.IsCode(code), learn.RefusesBoxes(boxrules.Code(code)):
		answer.Code = boxrules.Code(code)
	default:
		silent = code
		plain := strings.TrimSpace(code)
		if upper := strings.ToUpper(plain); lists.IsValid(strings.ToLower(plain)) {
			r.Fail(lists.AnswerCode, "%s; accepted: %s, written so", wording.Quote(code), lists.Valid)
		} else if a.IsCode(upper) {
			r.Fail(lists.AnswerCode, "%s; accepted: %s, written so", wording.Quote(code), upper)
		}
	}
	if r.Answer.IsGiven(lists.AnswerDate) {
		var err error
		if answer.Date, err = ParseDate(r.Answer.Text(lists.AnswerDate)); err != nil {
			r.Fail(lists.AnswerDate, "%v", err)
		} else if answer.Date.Before(a.Latest) {
			r.Fail(lists.AnswerDate, "%s is before %s of a row above; accepted: rows in the order of their dates",
				r.Answer.Text(lists.AnswerDate), a.Latest.Format(time.RFC3339Nano))
		} else {
			a.Latest = answer.Date
		}
	}
	return answer, silent
}

// ParseDate reads a date with its time, such as 2026-03-01T12:00:00Z.
func ParseDate(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.IsZero() {
		return t, fmt.Errorf("%s is not a date; accepted: one with its time, such as 2026-03-01T12:00:00Z",
			wording.Quote(text))
	}
	return t, nil
}

// Count counts the newest row as one of a kind of silence, or as one with an unknown code.
func (a *Collector) Count(kind string) {
	i := slices.IndexFunc(a.silent, func(s silence) bool { return s.kind == kind })
	if i < 0 && len(a.silent) >= maxKinds {
		kind = "other codes"
		i = slices.IndexFunc(a.silent, func(s silence) bool { return s.kind == kind })
	}
	if i < 0 {
		i = len(a.silent)
		a.silent = append(a.silent, silence{kind: strings.Clone(kind), first: a.Rows})
	}
	a.silent[i].rows++
}
