// Package answers reads the service's answers from files, writes the boxes to ask about next, and keeps a record of the
// answers.
//
// Some answers, such as a server error, say nothing about the box. Such an answer is called unusable. Its kind is the
// reason why it is unusable, such as a code or an HTTP status. Package answers counts the unusable answers of each
// kind.
package answers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
)

// A Collector reads answers from files, and counts the answers from which little or nothing can be learned.
type Collector struct {
	Rows   int       // the number of rows read so far, in all files
	Latest time.Time // the latest date so far

	console      *console.Console
	rules        *boxrules.RuleSet
	unit         string
	latestBefore time.Time // the latest date in the files before the current one
	badRows      int
	counts       []kindCount
	places       []place
	locatedRows  int // the number of rows that places covers
	unplacedFrom int // the first row that is not covered any more, because there are maxPlaces; 0 if there is none
}

// A place says where a row is. It also covers the rows after it, up to the next place in the list: in most files each
// row is on the line after the previous one, so the list has one place.
type place struct {
	row  int // counted across all files
	file string
	line int
}

// A kindCount counts the rows whose answers are of one kind.
type kindCount struct {
	kind           string // Several, offGrid, NoAnswer, Borderline, a code, or another text such as an HTTP status
	firstRow, rows int
}

// These limits bound the memory needed to read a file that turns out not to contain answers.
const (
	maxBadRows = 20 // the number of invalid rows after which reading stops
	maxKinds   = 50
)

// New returns a collector that knows the codes of the rules. unit is the unit of the limits. The dimensions in the
// answers are converted to it.
func New(c *console.Console, rules *boxrules.RuleSet, unit string) *Collector {
	return &Collector{console: c, rules: rules, unit: unit}
}

// These are some of the kinds of unusable answers. There are others: a code such as DLN_1101, which says nothing about
// the box, is itself a kind.
const (
	Several  = "refused quotations with several items" // another item may be the reason
	offGrid  = "dimensions with too many decimals"     // the service may have rounded 48.0004 to 48
	NoAnswer = "no answer"
)

// KindText formats the kind of an unusable answer, for use in a message such as "nothing can be learned from a missing
// answer".
func KindText(kind string) string {
	if kind == NoAnswer {
		return "a missing answer"
	}
	return wording.Cut(kind)
}

// Borderline is a kind of answer from which little can be learned, because exact arithmetic and double precision
// decide differently about the box.
const Borderline = "borderline boxes"

// read calls handle for each answer in a file. If the answer is unusable, unusableKind is the kind of the answer.
// Otherwise unusableKind is empty.
//
// read counts the unusable answers, and the answers for which handle returns [learn.ErrOffGrid], [learn.ErrBorderline]
// or [learn.ErrUnknownCode]. It reports any other error from handle together with the row, with one exception: if the
// rules do not define the code of the answer, and the limits do not contain its article or material, handle returns a
// [*boxrules.InputError]. In that case, read only counts the answer, because nothing could be learned from it anyway.
// Errors that read returns have already been reported.
func (c *Collector) read(in lists.Input, handle func(answer learn.Answer, unusableKind string) error) error {
	in.Answers, in.Options.Catalogue = true, c.unit
	before := c.Rows
	c.latestBefore = c.Latest
	err := in.Each(c.console, func(r *lists.Row) error {
		c.Rows = before + r.Number
		c.addPlace(place{c.Rows, in.DisplayName(), r.Line})
		answer, unusableKind := c.parse(r)
		if r.Problem() == nil {
			err := handle(answer, unusableKind)
			switch {
			case errors.Is(err, learn.ErrOffGrid):
				unusableKind, err = offGrid, nil
			case errors.Is(err, learn.ErrBorderline):
				unusableKind, err = Borderline, nil
			case errors.Is(err, learn.ErrUnknownCode), c.isUnknownRefusal(answer.Code) && errors.As(err, new(*boxrules.InputError)):
				unusableKind, err = string(answer.Code), nil
			}
			if unusableKind != "" {
				c.Count(unusableKind)
			}
			r.AddProblem(err)
		}
		if c.Rows%50_000 == 0 {
			c.console.Progress("%d rows of %s", r.Number, in.DisplayName())
		}
		if r.Problem() == nil {
			return nil
		}
		if c.badRows++; c.badRows > maxBadRows {
			return fmt.Errorf("more than %d rows have errors", maxBadRows)
		}
		c.console.Say("boxrules: %s:%d: row %d: %s", in.DisplayName(), r.Line, c.Rows, r.ProblemsText())
		return nil
	})
	c.console.Progress("")
	if err != nil {
		return c.console.Fail(err)
	}
	return nil
}

// maxPlaces bounds the memory for a list in which many rows take several lines.
const maxPlaces = 100_000

func (c *Collector) addPlace(p place) {
	c.locatedRows = p.row
	n := len(c.places)
	switch {
	case n > 0 && c.places[n-1].file == p.file && c.places[n-1].line-c.places[n-1].row == p.line-p.row:
	case n == maxPlaces:
		c.unplacedFrom = cmp.Or(c.unplacedFrom, p.row)
	default:
		c.places = append(c.places, p)
	}
}

// Locate returns the file and the line of a row, such as answers.csv:44. For an answer that was not read from a file, it
// returns the text "the service". If there were more than maxPlaces places, it returns "place not kept" for the rows after them.
func (c *Collector) Locate(row int) string {
	i := sort.Search(len(c.places), func(i int) bool { return c.places[i].row > row }) - 1
	if i < 0 || row > c.locatedRows {
		return "the service"
	}
	p := c.places[i]
	if c.unplacedFrom > 0 && row >= c.unplacedFrom {
		return "place not kept"
	}
	return fmt.Sprintf("%s:%d", p.file, p.line+row-p.row)
}

// ReadAll reads the files one after the other, and then reports the counts. See Collector.read for how handle is
// called.
func (c *Collector) ReadAll(inputs []lists.Input, handle func(answer learn.Answer, unusableKind string) error) error {
	for _, in := range inputs {
		if err := c.read(in, handle); err != nil {
			return err
		}
	}
	c.Report()
	if c.badRows > 0 {
		return console.Unanswered
	}
	return nil
}

// Report prints the counts since the last call to Report.
func (c *Collector) Report() {
	for _, s := range c.counts {
		rows := console.CountText(s.rows, "row", "rows")
		if s.kind == Borderline {
			c.console.Say("boxrules: less can be learned from borderline boxes: %s, first seen in row %d", rows, s.firstRow)
		} else if c.isUnknownRefusal(boxrules.Code(s.kind)) {
			c.console.Say("boxrules: the rules do not define %s: %s, first seen in row %d; pass rules that define it with --rules FILE",
				s.kind, rows, s.firstRow)
		} else {
			c.console.Say("boxrules: nothing can be learned from %s: %s, first seen in row %d", KindText(s.kind), rows, s.firstRow)
		}
	}
	c.counts = nil
}

// IsCode reports whether the rules define the code.
func (c *Collector) IsCode(code string) bool { return c.rules.Position(boxrules.Code(code)).Line > 0 }

// isUnknownRefusal reports whether services use the code to refuse boxes, but the rules do not define it.
func (c *Collector) isUnknownRefusal(code boxrules.Code) bool {
	return learn.RefusesBoxes(code) && !c.IsCode(string(code))
}

// Next returns a new answer about the box, with the current time and the next row number. The caller sets the code. The
// dates in a record must be in order, so the date is never before the date of the previous answer, even if the clock
// was set back.
func (c *Collector) Next(b boxrules.Box) learn.Answer {
	c.Rows++
	if now := c.console.Now().UTC().Truncate(time.Second); now.After(c.Latest) {
		c.Latest = now
	}
	return learn.Answer{Box: b, Row: c.Rows, Date: c.Latest}
}

// parse returns the answer in a row. If the answer is unusable, unusableKind is the kind of the answer. Otherwise
// unusableKind is empty. If the row is invalid, parse adds a problem to it.
func (c *Collector) parse(r *lists.Row) (answer learn.Answer, unusableKind string) {
	answer = learn.Answer{
		Box: boxrules.Box{Article: string(r.Names[lists.Article]), Material: string(r.Names[lists.Material]), Dims: r.Dims()},
		Row: c.Rows,
	}
	code := r.Answer.Text(lists.AnswerCode)
	if r.Answer.Text(lists.AnswerOK) == "true" {
		if r.Answer.IsGiven(lists.AnswerCode) && !lists.IsValid(code) {
			r.Fail(lists.AnswerCode, "%s is given although ok is true; leave out one of the two", wording.Quote(code))
		}
		code = lists.Valid
	}
	items := 1
	if r.Answer.IsGiven(lists.AnswerItems) {
		var err error
		if items, err = strconv.Atoi(r.Answer.Text(lists.AnswerItems)); err != nil || items < 1 {
			r.Fail(lists.AnswerItems, "%s is not a number of items; accepted: a whole number, 1 or more",
				wording.Quote(r.Answer.Text(lists.AnswerItems)))
		}
	}
	switch {
	case code == "" && r.Answer.Text(lists.AnswerError) != "":
		unusableKind = NoAnswer
	case code == "":
		r.Fail(lists.AnswerCode, "missing; accepted: %s or a code such as BOX_2100", lists.Valid)
	case lists.IsValid(code):
	case items > 1:
		unusableKind = Several
	case c.IsCode(code), learn.RefusesBoxes(boxrules.Code(code)):
		answer.Code = boxrules.Code(code)
	default:
		unusableKind = code
		// If the code would be known in upper case or without white space, it is a typo.
		plain := strings.TrimSpace(code)
		if upper := strings.ToUpper(plain); lists.IsValid(strings.ToLower(plain)) {
			r.Fail(lists.AnswerCode, "%s is not an answer; write %s", wording.Quote(code), lists.Valid)
		} else if c.IsCode(upper) {
			r.Fail(lists.AnswerCode, "%s is not an answer; write %s", wording.Quote(code), upper)
		} else if r.Object == nil && !isAnswerText(code) {
			r.Fail(lists.AnswerCode, "%s is not an answer; accepted: %s, a code such as BOX_2100, an error type such as %s, or an HTTP status such as 500",
				wording.Quote(code), lists.Valid, boxrules.TypeValidationError)
		}
	}
	if r.Answer.IsGiven(lists.AnswerDate) {
		var err error
		if answer.Date, err = ParseDate(r.Answer.Text(lists.AnswerDate)); err != nil {
			r.Fail(lists.AnswerDate, "%v", err)
		} else if answer.Date.Before(c.latestBefore) {
			r.Fail(lists.AnswerDate, "%s is before %s in an earlier file; give the older file first",
				r.Answer.Text(lists.AnswerDate), c.latestBefore.Format(time.RFC3339Nano))
		} else if answer.Date.Before(c.Latest) {
			r.Fail(lists.AnswerDate, "%s is before %s in an earlier row; sort the rows by date",
				r.Answer.Text(lists.AnswerDate), c.Latest.Format(time.RFC3339Nano))
		} else {
			c.Latest = answer.Date
		}
	}
	return answer, unusableKind
}

// isAnswerText reports whether a cell of a list may be an answer that says nothing about the box. Any other text is
// probably a typo, such as vaild or BOX-2100. NDJSON is not checked, because records may contain anything that a service
// reports.
func isAnswerText(text string) bool {
	status, _, _ := strings.Cut(text, " ") // "200 without a dieline" is an answer, too
	isErrorType := strings.Contains(text, "_") && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	isStatus := len(status) == 3 && strings.Trim(status, "0123456789") == ""
	isCheckError := strings.HasPrefix(text, "error:") // written by boxrules check --format csv
	return wording.IsCode(text) || isErrorType || isStatus || isCheckError || text == NoAnswer
}

// ParseDate parses a date, such as 2026-03-01, or a date with a time, such as 2026-03-01T12:00:00Z.
func ParseDate(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse(time.DateOnly, text)
	}
	if err != nil || t.IsZero() {
		return t, fmt.Errorf("%s is not a date, such as 2026-03-01 or 2026-03-01T12:00:00Z", wording.Quote(text))
	}
	return t, nil
}

// Count adds 1 to the count of the given kind. If the kind is new, the current row becomes its first row. If there are
// already maxKinds kinds, Count counts a new kind as "other codes".
func (c *Collector) Count(kind string) {
	i := slices.IndexFunc(c.counts, func(s kindCount) bool { return s.kind == kind })
	if i < 0 && len(c.counts) >= maxKinds {
		kind = "other codes"
		i = slices.IndexFunc(c.counts, func(s kindCount) bool { return s.kind == kind })
	}
	if i < 0 {
		i = len(c.counts)
		c.counts = append(c.counts, kindCount{kind: strings.Clone(kind), firstRow: c.Rows})
	}
	c.counts[i].rows++
}
