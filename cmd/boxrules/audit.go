package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// audit compares recorded answers with a limit file.
type audit struct {
	learning
	next bool

	engine              *boxrules.Engine
	proof               []learn.Answer        // the boxes to ask about
	open                map[boxrules.Box]bool // boxes without a known answer
	compared, differing int
	borderline          borderlineAnswers
}

func newAudit(s *sources) *cobra.Command {
	k := &audit{learning: newLearning(s), open: make(map[boxrules.Box]bool)}
	command := &cobra.Command{
		Use:   "audit --limits FILE [ANSWERS...]",
		Short: "Say where recorded answers and a limit file differ, and what follows",
		Long: `audit compares what the service has answered with what the limits say, box by box, and then says which limits the
answers contradict, and which answers contradict each other. The answers are files as of boxrules learn. Of the rows that
differ it shows the first 20, with --format json all. On a borderline box, which exact arithmetic and double precision
decide differently, either answer is as expected; then audit says which of the two the answers fit.

--next writes the boxes that prove the limits instead: few of them, with the code to expect, or valid. Where the service gives
all these answers, no limit, constraint or sheet of the file can be another without that some answer would be, too. Articles and
materials for which that takes too much work are named, with status 2. --service asks these boxes itself, one after the other,
after it has said how many and was told yes; its client and secret are in BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET. Boxes
that the files or --record have answers to are not asked again.

Exit status: 0 all answers agree with the limits, 1 some differ, 2 the question could not be answered.`,
		Example: `  boxrules audit --limits limits.yaml answers.csv
  boxrules audit --limits limits.yaml --next > to-ask.csv
  boxrules audit --limits limits.yaml --service https://api.example.com --record audit.ndjson`,
		RunE:              k.run,
		ValidArgsFunction: completeLists,
	}
	k.addFlags(command)
	addDecimal(command.Flags(), &k.options.Step, "step", 1,
		"limits and sheets are multiples of this `NUMBER`, or a finer one that the file needs")
	command.Flags().BoolVar(&k.next, "next", false,
		"write the boxes that prove the limits, as CSV, with the codes to expect")
	k.addServiceFlags(command)
	return command
}

func (k *audit) run(command *cobra.Command, args []string) error {
	if k.next && len(args) > 0 {
		return fmt.Errorf("--next is given with %s; accepted: neither a number nor files, as it writes all boxes that prove the limits",
			wording.Quote(args[0]))
	}
	files, err := k.usage(command, args, "FILE, the limits to audit")
	if err != nil {
		return err
	}
	if k.engine, err = k.sources.engine(); err != nil {
		return k.console.Fail(err)
	}
	catalogue := k.engine.Catalogue()
	err = k.choose(catalogue, func(b boxrules.Box) error {
		_, err := k.engine.Check(b)
		return err
	})
	if err != nil {
		return err
	}
	if step := k.options.Step; !(step > 0 && step <= exact.MaxDimension) {
		return fmt.Errorf("--step %v; accepted: a number greater than 0", step)
	}
	k.options.Only = k.asks
	if err := k.widen(catalogue); err != nil {
		return k.console.Fail(err)
	}
	if k.next {
		return k.prove()
	}
	if k.learner, err = learn.New(k.engine.Rules(), catalogue, k.options); err != nil {
		return k.console.Fail(err)
	}
	if k.service != "" {
		if k.proof, err = learn.Proof(k.engine, k.options); err != nil {
			return k.console.Fail(err)
		}
	}
	for _, a := range k.proof {
		k.open[a.Box] = true
	}
	if err := k.interview(k, k.engine.Rules(), files); err != nil {
		return err
	}
	if rows := k.recorded.Rows; rows > 0 && k.compared == 0 {
		return k.console.Fail(fmt.Errorf("none of %s is an answer to compare", console.Count(rows, "row", "rows")))
	}
	if err := k.tell(catalogue); len(k.open) == 0 {
		return err
	}
	return k.console.Fail(fmt.Errorf("of the boxes that prove the limits %s no answer",
		console.Count(len(k.open), "has", "have")))
}

// left says how many of the boxes that prove the limits have no answer in the files or the record.
func (k *audit) left() (questions string, pairs int) {
	about := make(map[learnPair]bool)
	for b := range k.open {
		about[learnPair{b.Article, b.Material}] = true
	}
	return console.Count(len(k.open), "question", "questions"), len(about)
}

// question returns the next of them.
func (k *audit) question() []boxrules.Box {
	for len(k.proof) > 0 {
		b := k.proof[0].Box
		if k.proof = k.proof[1:]; k.open[b] {
			return []boxrules.Box{b}
		}
	}
	return nil
}

// widen makes the step so fine that every limit and sheet of the file is a multiple of it, and the
// maximum as great as that step allows. A limit of 400.25 makes a step of 1 one of 0.25.
func (k *audit) widen(c *limits.Catalogue) error {
	o := &k.options
	step, greatest := exact.Grid(o.Step), int64(0)
	for _, a := range c.Articles() {
		for _, r := range a.Ranges() {
			for _, d := range []limits.Decimal{r.Min, r.Max} {
				x := exact.Grid(d.Float64())
				step, greatest = exact.GCD(step, x), max(greatest, x)
			}
		}
	}
	for _, s := range c.Sheets() {
		step = exact.GCD(step, exact.GCD(exact.Grid(s.Width.Float64()), exact.Grid(s.Height.Float64())))
	}
	o.Step, o.Max = exact.Units(step), exact.Units(min(exact.MaxGrid, step*1_000_000))
	if exact.Units(greatest) > o.Max {
		return fmt.Errorf("%s: limits that are multiples of %s cannot be audited above %s",
			c.Name(), console.Number(o.Step), console.Number(o.Max))
	}
	return nil
}

// prove writes the boxes that prove the limits.
func (k *audit) prove() error {
	proof, err := learn.Proof(k.engine, k.options) // with an error for those that it does not prove
	var lines []byte
	for _, a := range proof {
		lines = answers.AppendQuestion(lines, a.Box, string(cmp.Or(a.Code, lists.Valid)))
	}
	if writing := k.console.Write(lines); writing != nil || err == nil {
		return writing
	}
	return k.console.Fail(err)
}

// A difference holds a row whose answer is not what the limits say.
type difference struct {
	Row int `json:"row"`
	boxrules.Box
	Expected string `json:"expected"`
	Answered string `json:"answered"`
}

// maxDifferences bounds the differences that are shown as text.
const maxDifferences = 20

// take compares an answer with what the limits say. A code that the rules do not have differs from
// whatever they say.
func (k *audit) take(a learn.Answer, silent string) (tells bool, err error) {
	if silent != "" {
		return false, nil
	}
	delete(k.open, a.Box)
	if !k.asks(a.Article, a.Material) {
		return true, nil
	}
	return true, k.compare(a)
}

// compare writes where an answer is not what the limits say. One about dimensions with too many
// decimals proves nothing, and on a borderline box the answer of double precision is as good.
func (k *audit) compare(a learn.Answer) error {
	added := k.learner.Add(a)
	if errors.As(added, new(*learn.Contradiction)) || errors.Is(added, learn.ErrBorderline) {
		added = nil // the one is a fact, which is reported at the end, and so are borderline boxes
	}
	if added != nil && !errors.Is(added, learn.ErrUnknownCode) {
		return added
	}
	p, err := k.engine.Profile(a.Article, a.Material)
	if err != nil {
		return err
	}
	verdict, err := p.Check(a.Dims)
	if err != nil {
		return err
	}
	other, borderline, err := p.Borderline(a.Dims)
	if err != nil {
		return err
	}
	if borderline {
		k.borderline.count(a, verdict.Code(), other.Code())
	}
	expected, answered := string(cmp.Or(verdict.Code(), lists.Valid)), string(cmp.Or(a.Code, lists.Valid))
	k.compared++
	if a.Code == verdict.Code() || borderline && a.Code == other.Code() {
		return added
	}
	k.differing++
	if k.differing > maxDifferences && k.format.value != verdicts.FormatJSON {
		return added
	}
	d := difference{a.Row, a.Box, expected, answered}
	text := fmt.Sprintf("row %d: %s: expected %s, answered %s\n", d.Row, boxText(d.Box), d.Expected, d.Answered)
	return cmp.Or(k.console.Write(k.format.answer(d, text)), added)
}

// A borderlineAnswers counts the answers about borderline boxes by the arithmetic that they fit.
type borderlineAnswers struct {
	What  string `json:"what"`  // "arithmetic", as in a fact
	State string `json:"state"` // which arithmetic all the answers fit: one of these names, or else "neither"

	Exact   fitting `json:"exact"`
	Double  fitting `json:"double_precision"`
	Neither fitting `json:"neither"`
}

// A fitting counts the answers that fit an arithmetic, and has the first of their rows.
type fitting struct {
	Answers int   `json:"answers"`
	Rows    []int `json:"rows,omitempty"`
}

// maxFitting bounds the rows of a fitting.
const maxFitting = 5

// count counts an answer about a box that has the one code exactly, and the other in double precision.
func (b *borderlineAnswers) count(a learn.Answer, exactly, inFloat64 boxrules.Code) {
	fits := &b.Neither
	switch a.Code {
	case exactly:
		fits = &b.Exact
	case inFloat64:
		fits = &b.Double
	}
	if fits.Answers++; len(fits.Rows) < maxFitting {
		fits.Rows = append(fits.Rows, a.Row)
	}
}

// fact returns what the answers say, and a line about it, which is empty if there are none.
func (b *borderlineAnswers) fact() (fact borderlineAnswers, text string) {
	fact = *b
	fact.What, fact.State = "arithmetic", "neither"
	var parts []string
	for _, arithmetic := range []struct {
		name string
		fitting
	}{{"exact arithmetic", b.Exact}, {"double precision", b.Double}, {"neither", b.Neither}} {
		if arithmetic.Answers == 0 {
			continue
		}
		rows := learn.Fact{Rows: arithmetic.Rows}.Evidence()
		if arithmetic.Answers > maxFitting {
			rows += ", …"
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)",
			console.Count(arithmetic.Answers, "answer fits", "answers fit"), arithmetic.name, rows))
	}
	switch {
	case len(parts) == 0:
		return fact, ""
	case b.Double.Answers+b.Neither.Answers == 0:
		fact.State = "exact"
	case b.Exact.Answers+b.Neither.Answers == 0:
		fact.State = "double_precision"
	}
	return fact, "borderline boxes: " + strings.Join(parts, ", ")
}

// A refuted holds a limit, a constraint or a sheet of the file that the answers contradict.
type refuted struct {
	learn.Fact
	Value    any              `json:"value,omitempty"` // in the file
	Position *source.Position `json:"position,omitempty"`
}

// tell writes what follows from the answers.
func (k *audit) tell(c *limits.Catalogue) error {
	if k.format.value != verdicts.FormatJSON && k.differing > maxDifferences {
		if err := k.console.Write(fmt.Appendf(nil, "and %s more\n",
			console.Count(k.differing-maxDifferences, "row", "rows"))); err != nil {
			return err
		}
	}
	clashes := 0
	for _, f := range k.learner.Facts() {
		r, text := k.refute(f, c)
		if f.State == learn.Contradicted {
			clashes++
			r, text = refuted{Fact: f}, contradictionText(f)
		}
		if text == "" {
			continue
		}
		if err := k.console.Write(k.format.answer(r, text+"\n")); err != nil {
			return err
		}
	}
	if fact, text := k.borderline.fact(); text != "" {
		if err := k.console.Write(k.format.answer(fact, text+"\n")); err != nil {
			return err
		}
	}
	k.console.Say("%s: %d as expected, %d not", console.Count(k.compared, "answer", "answers"),
		k.compared-k.differing, k.differing)
	if k.differing > 0 || clashes > 0 {
		return console.SomeInvalid
	}
	return nil
}

// refute returns what the file says where it contradicts a fact, and a line about that. The line
// is empty where both agree.
func (k *audit) refute(f learn.Fact, c *limits.Catalogue) (r refuted, text string) {
	says := func(value any, shown, said string, path ...string) (refuted, string) {
		at := c.Position(path...)
		text := fmt.Sprintf("%s %s is %s in %s; the answers say %s",
			console.Printable(f.Article+f.Material), f.What, shown, at, said)
		if len(f.Rows) > 0 {
			text += ", " + f.Evidence()
		}
		return refuted{f, value, &at}, text
	}
	if f.Sheet != nil {
		materials := c.Materials()
		sheet := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == f.Material })].Sheet
		width, height := sheet.Width.Float64(), sheet.Height.Float64()
		size := [2]float64{max(width, height), min(width, height)} // as in a Fact
		holds := func(other [2]float64) bool { return other[0] <= size[0] && other[1] <= size[1] }
		if f.Fits != nil && !holds(*f.Fits) || slices.ContainsFunc(f.Exceeds, holds) {
			return says(size, console.Number(size[0])+" x "+console.Number(size[1]), f.Value(), "sheets", sheet.Code)
		}
		return r, ""
	}
	articles := c.Articles()
	a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == f.Article })]
	end, axis, _ := strings.Cut(f.What, "_") // of max_depth
	if i := slices.Index(lists.FieldNames[lists.FirstDimension:], axis); f.Limit != nil && i >= 0 {
		span := a.Ranges()[i]
		limit := map[string]limits.Decimal{"min": span.Min, "max": span.Max}[end]
		said := f.Value()
		if f.Greatest >= k.options.Max { // nothing is known to be beyond
			said = "at least " + console.Number(f.Least)
		}
		if x := limit.Float64(); x < f.Least || x > f.Greatest {
			return says(x, limit.String(), said, "articles", a.Code, axis, end)
		}
		return r, ""
	}
	chosen := slices.Contains(a.Constraints, f.What)
	switch {
	case f.Selection == nil || f.Selected == nil || *f.Selected == chosen:
		return r, ""
	case chosen:
		return says(true, "selected", "that it is not", "articles", a.Code, "constraints", f.What)
	}
	return says(false, "not selected", "that it is", "articles", a.Code)
}
