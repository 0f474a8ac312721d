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
	"example.com/boxrules/cmd/boxrules/internal/interview"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// auditCommand compares the service's answers with a limit file.
type auditCommand struct {
	*sources
	answers answerFlags
	next    bool
	options learn.Options

	engine              *boxrules.Engine
	selection           selection
	learner             *learn.Learner
	proof               []learn.Answer        // boxes whose answers prove the limits; Next removes each box that it has looked at
	unanswered          map[boxrules.Box]bool // the boxes of the proof that have no answer yet
	compared, differing int                   // numbers of answers
	borderline          borderlineAnswers
}

func newAudit(s *sources) *cobra.Command {
	c := &auditCommand{sources: s, answers: newAnswerFlags(), unanswered: make(map[boxrules.Box]bool)}
	command := &cobra.Command{
		Use:   "audit --limits FILE [ANSWERS...]",
		Short: "Compare the service's answers with a limit file",
		Long: `audit compares the service's answers with the verdicts under a limit file, box by box. Then it reports which limits
the answers contradict, and which answers contradict each other. It reads files in the same formats as boxrules learn.
It shows the first 20 rows that differ, or all of them with --format json. Exact arithmetic and double precision
decide a borderline box differently. For such a box either answer counts as expected, and audit reports which of the
two the service gives.

--next writes a few boxes that prove the limits. The column expected has the code to expect, or valid; fill in the
service's answers in the column code, which is empty. If any limit, constraint or sheet of the file differed from that
of the service, the service would answer differently for at least one of these boxes. This assumes that an article has
the same limits in all its materials; if in doubt, prove one material at a time with --article and --material. If the
proof for a product (an article in a material) takes too much work, the product is named, and the exit status is 2.

--service asks the service about these boxes, one by one, except those that the files or --record already answer. It
first says how many questions there are, and asks for confirmation. The client ID and secret are read from
BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET.

Exit status: 0 all answers agree with the limits, 1 some differ, 2 the audit could not be completed.`,
		Example: `  boxrules audit --limits limits.yaml answers.csv
  boxrules audit --limits limits.yaml --next > to-ask.csv
  boxrules audit --limits limits.yaml --service https://api.example.com --record audit.ndjson`,
		RunE:              c.run,
		ValidArgsFunction: completeLists,
	}
	c.answers.add(command)
	addStep(command.Flags(), &c.options.Step,
		"assume that limits and sheet sizes are multiples of this `NUMBER`, or of a smaller number if the file needs one")
	command.Flags().BoolVar(&c.next, "next", false,
		"write the boxes that prove the limits, as CSV, with the expected codes and an empty column for the answers")
	c.answers.addService(command)
	return command
}

func (c *auditCommand) run(command *cobra.Command, args []string) error {
	if c.next && len(args) > 0 {
		return fmt.Errorf("--next is given with %s; in audit it takes neither a number nor files, because it writes all boxes that prove the limits",
			wording.Quote(args[0]))
	}
	files, err := c.answers.inputs(command, args, c.sources, "FILE, the limit file to audit")
	if err != nil {
		return err
	}
	if c.engine, err = c.sources.engine(); err != nil {
		return c.console.Fail(err)
	}
	catalogue := c.engine.Catalogue()
	if err := c.answers.list.loadCodes(files, catalogue); err != nil {
		return c.console.Fail(err)
	}
	c.selection, err = c.answers.selection(catalogue, func(b boxrules.Box) error {
		_, err := c.engine.Check(b)
		return err
	})
	if err != nil {
		return err
	}
	c.options.Step = stepFlagValue(command, c.options.Step, catalogue)
	if step := c.options.Step; !(step > 0 && step <= exact.MaxDimension) {
		return fmt.Errorf("--step %v is not valid; accepted: a number greater than 0", step)
	}
	c.options.Only = c.selection.includes
	if err := c.setStepAndMax(catalogue); err != nil {
		return c.console.Fail(err)
	}
	if c.next {
		return c.prove()
	}
	if c.learner, err = learn.New(c.engine.Rules(), catalogue, c.options); err != nil {
		return c.console.Fail(err)
	}
	sayLearnWarnings(c.console, c.learner)
	if c.answers.service != "" {
		if c.proof, err = learn.Proof(c.engine, c.options); err != nil {
			return c.console.Fail(err)
		}
	}
	for _, a := range c.proof {
		c.unanswered[a.Box] = true
	}
	interviewOptions, err := c.answers.interviewOptions(command, c.console, catalogue.Unit())
	if err != nil {
		return err
	}
	i := interview.New(c.console, c.engine.Rules(), interviewOptions)
	if err := i.Run(files, c); err != nil {
		return err
	}
	if rows := i.Rows(); rows > 0 && c.compared == 0 {
		return c.console.Fail(fmt.Errorf("no answer can be compared with the limits in %s", console.CountText(rows, "row", "rows")))
	}
	if err := c.report(catalogue, i.Locate); len(c.unanswered) == 0 {
		return err
	}
	return c.console.Fail(fmt.Errorf("there is no answer for %d of the boxes that prove the limits", len(c.unanswered)))
}

// Remaining implements interview.Questioner.
func (c *auditCommand) Remaining() (questions string, products int) {
	seen := make(map[interview.Product]bool)
	for b := range c.unanswered {
		seen[interview.Product{Article: b.Article, Material: b.Material}] = true
	}
	return console.CountText(len(c.unanswered), "question", "questions"), len(seen)
}

// Next implements interview.Questioner. It returns the next box of c.proof that has no answer yet.
func (c *auditCommand) Next() (box boxrules.Box, ok bool) {
	for len(c.proof) > 0 {
		box := c.proof[0].Box
		if c.proof = c.proof[1:]; c.unanswered[box] {
			return box, true
		}
	}
	return box, false
}

// setStepAndMax reduces the step, if necessary, so that every limit of the file and every side of a sheet is a
// multiple of it: if a limit is 400.25, a step of 1 becomes 0.25. It also sets Max to the largest limit that can be
// audited with this step.
func (c *auditCommand) setStepAndMax(catalogue *limits.Catalogue) error {
	o := &c.options
	step, largest := exact.Grid(o.Step), int64(0)
	for _, a := range catalogue.Articles() {
		for _, r := range a.Ranges() {
			for _, d := range []limits.Decimal{r.Min, r.Max} {
				x := exact.Grid(d.Float64())
				step, largest = exact.GCD(step, x), max(largest, x)
			}
		}
	}
	for _, s := range catalogue.Sheets() {
		step = exact.GCD(step, exact.GCD(exact.Grid(s.Width.Float64()), exact.Grid(s.Height.Float64())))
	}
	o.Step, o.Max = exact.Float64At(step), exact.Float64At(min(exact.MaxGrid, step*1_000_000))
	if exact.Float64At(largest) > o.Max {
		return fmt.Errorf("%s: a limit is above %s, the largest value that can be audited with a step of %s; use limits with fewer decimals",
			catalogue.Name(), console.NumberText(o.Max), console.NumberText(o.Step))
	}
	return nil
}

// prove writes the boxes whose answers prove the limits, together with the expected answers.
func (c *auditCommand) prove() error {
	proof, err := learn.Proof(c.engine, c.options) // may return boxes together with an error, which names the products that have no proof
	var lines []byte
	for _, a := range proof {
		lines = answers.AppendQuestion(lines, a.Box, string(cmp.Or(a.Code, lists.Valid)))
	}
	if writeErr := c.console.Write(lines); writeErr != nil || err == nil {
		return writeErr
	}
	return c.console.Fail(err)
}

// A difference is an answer from the service that differs from the answer expected from the limits.
type difference struct {
	Row int `json:"row"`
	boxrules.Box
	Expected string `json:"expected"`
	Answered string `json:"answered"`
}

// maxDifferences is the maximum number of differences that are printed as text.
const maxDifferences = 20

// Learn implements interview.Questioner. It compares the service's answer with the answer expected from the limits. It
// ignores unusable answers.
func (c *auditCommand) Learn(a learn.Answer, unusableKind string) (informative bool, err error) {
	if unusableKind != "" {
		return false, nil
	}
	delete(c.unanswered, a.Box)
	if !c.selection.includes(a.Article, a.Material) {
		return true, nil
	}
	return true, c.compare(a)
}

// compare compares an answer with the answer expected from the limits. If the two differ, it writes the difference. A
// code that the rules do not define always counts as a difference. For a borderline box, compare accepts both the code
// in exact arithmetic and the code in double precision. It does not compare an answer about dimensions with too many
// decimals.
func (c *auditCommand) compare(a learn.Answer) error {
	addErr := c.learner.Add(a)
	if errors.As(addErr, new(*learn.Contradiction)) || errors.Is(addErr, learn.ErrBorderline) {
		addErr = nil // both are reported at the end
	}
	if addErr != nil && !errors.Is(addErr, learn.ErrUnknownCode) {
		return addErr
	}
	expectedCode, float64Code, err := c.expected(a.Box)
	if err != nil {
		return err
	}
	borderline := expectedCode != float64Code
	if borderline {
		c.borderline.count(a, expectedCode, float64Code)
	}
	expected, answered := string(cmp.Or(expectedCode, lists.Valid)), string(cmp.Or(a.Code, lists.Valid))
	c.compared++
	if a.Code == expectedCode || borderline && a.Code == float64Code {
		return addErr
	}
	c.differing++
	if c.differing > maxDifferences && c.answers.format.value != verdicts.FormatJSON {
		return addErr
	}
	d := difference{a.Row, a.Box, expected, answered}
	text := fmt.Sprintf("row %d: %s: expected %s, answered %s\n", d.Row, boxText(d.Box), d.Expected, d.Answered)
	return cmp.Or(c.console.Write(c.answers.format.answer(d, text)), addErr)
}

// expected returns the code of a box in exact arithmetic and its code in double precision. The two can differ only for
// a box on the edge of a condition. For any other box, expected does not compile a profile, because the tables of
// 10,000 profiles would take 100 MB.
func (c *auditCommand) expected(b boxrules.Box) (exactCode, float64Code boxrules.Code, err error) {
	form, rules, err := c.engine.Exact(b.Article, b.Material)
	at, ok := b.Grid()
	if err != nil || !ok {
		_, err := c.engine.Check(b)
		return "", "", err
	}
	onEdge := false
	for i, condition := range form.Conditions {
		onEdge = onEdge || condition.OnEdge(at)
		if exactCode == "" && condition.Holds(at) {
			exactCode = rules[i].Code
		}
	}
	if !onEdge {
		return exactCode, exactCode, nil
	}
	p, err := c.engine.Profile(b.Article, b.Material)
	if err != nil {
		return "", "", err
	}
	double, borderline, err := p.Borderline(b.Dims)
	if borderline {
		return exactCode, double.Code(), err
	}
	return exactCode, exactCode, err
}

// A refutation is a fact that contradicts a limit, a constraint or a sheet of the limit file.
type refutation struct {
	learn.Fact
	Value    any              `json:"value,omitempty"` // the value in the file
	Position *source.Position `json:"position,omitempty"`
}

// report writes the conclusions drawn from all answers. locate returns the place of a row.
func (c *auditCommand) report(catalogue *limits.Catalogue, locate func(row int) string) error {
	if c.answers.format.value != verdicts.FormatJSON && c.differing > maxDifferences {
		if err := c.console.Write(fmt.Appendf(nil, "and %s more\n",
			console.CountText(c.differing-maxDifferences, "row", "rows"))); err != nil {
			return err
		}
	}
	contradictions := 0
	// Index the articles and materials by code. Searching the catalogue for each fact would take minutes if there
	// are 1,000 articles.
	articles, materials := make(map[string]limits.Article), make(map[string]limits.Material)
	for _, a := range catalogue.Articles() {
		articles[a.Code] = a
	}
	for _, m := range catalogue.Materials() {
		materials[m.Code] = m
	}
	for _, f := range c.learner.Facts() {
		r, text := c.refute(f, catalogue, articles[f.Article], materials[f.Material].Sheet)
		if f.State == learn.Contradicted {
			contradictions++
			r, text = refutation{Fact: f}, learnContradictionText(f, locate)
		}
		if text == "" {
			continue
		}
		if err := c.console.Write(c.answers.format.answer(r, text+"\n")); err != nil {
			return err
		}
	}
	if fact, text := c.borderline.fact(); text != "" {
		if err := c.console.Write(c.answers.format.answer(fact, text+"\n")); err != nil {
			return err
		}
	}
	c.console.Say("%s: %d as expected, %d not", console.CountText(c.compared, "answer", "answers"),
		c.compared-c.differing, c.differing)
	if c.differing > 0 || contradictions > 0 {
		return console.SomeInvalid
	}
	return nil
}

// refute compares a fact with the limit file. If the fact contradicts the file, refute returns a refutation and a
// line of text that describes it. Otherwise the text is empty. a is the article that the fact is about. If the fact
// is about a sheet instead, sheet is that sheet.
func (c *auditCommand) refute(f learn.Fact, catalogue *limits.Catalogue, a limits.Article, sheet limits.Sheet) (r refutation, text string) {
	contradict := func(value any, valueText, answersText string, path ...string) (refutation, string) {
		position := catalogue.Position(path...)
		text := fmt.Sprintf("%s %s is %s in %s; the answers say %s",
			console.Printable(f.Article+f.Material), f.What, valueText, position, answersText)
		if len(f.Rows) > 0 {
			text += ", " + f.Evidence()
		}
		return refutation{f, value, &position}, text
	}
	if f.Sheet != nil {
		width, height := sheet.Width.Float64(), sheet.Height.Float64()
		size := [2]float64{max(width, height), min(width, height)} // as in a Fact
		holds := func(other [2]float64) bool { return other[0] <= size[0] && other[1] <= size[1] }
		if f.Fits != nil && !holds(*f.Fits) || slices.ContainsFunc(f.Exceeds, holds) {
			answersText := "that it " + f.Value()
			if f.Fits == nil {
				answersText = "only that it " + f.Value()
			}
			return contradict(size, console.NumberText(size[0])+" x "+console.NumberText(size[1]), answersText, "sheets", sheet.Code)
		}
		return r, ""
	}
	end, axis, _ := strings.Cut(f.What, "_") // max_depth becomes max and depth
	if i := slices.Index(lists.FieldNames[lists.FirstDimension:], axis); f.Limit != nil && i >= 0 {
		span := a.Ranges()[i]
		limit := map[string]limits.Decimal{"min": span.Min, "max": span.Max}[end]
		answersText := f.Value()
		if f.Greatest >= c.options.Max { // the answers give no upper bound
			answersText = "at least " + console.NumberText(f.Least)
		}
		if x := limit.Float64(); x < f.Least || x > f.Greatest {
			return contradict(x, limit.String(), answersText, "articles", a.Code, axis, end)
		}
		return r, ""
	}
	selectedInFile := slices.Contains(a.Constraints, f.What)
	switch {
	case f.Selection == nil || f.Selected == nil || *f.Selected == selectedInFile:
		return r, ""
	case selectedInFile:
		return contradict(true, "selected", "that it is not", "articles", a.Code, "constraints", f.What)
	}
	return contradict(false, "not selected", "that it is", "articles", a.Code)
}
