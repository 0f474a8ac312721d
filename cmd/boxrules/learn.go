package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/interview"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// learnCommand infers the service's limits from its answers.
type learnCommand struct {
	*sources
	answers      answerFlags
	blanks       sourceFile
	output       string
	write        choice
	next         int
	maxQuestions int
	options      learn.Options

	selection selection
	learner   *learn.Learner
	interview *interview.Interview
}

func newLearn(s *sources) *cobra.Command {
	c := &learnCommand{sources: s, answers: newAnswerFlags(), write: choice{value: "lenient", accepted: []string{"lenient", "strict"}}}
	command := &cobra.Command{
		Use:   "learn --limits FRAME [FILE...]",
		Short: "Infer a service's unpublished limits from its answers",
		Long: `learn infers minimums, maximums, selected constraints and sheets from the service's answers. FRAME is a limit file
that contains what answers cannot show: the unit, calipers, glue flaps, blanks, and the materials of each article.
Limits, constraints and sheets in it are ignored and may be left out. For articles without a blank, learn tries the
formulas in the --blanks file.

The answers are read from lists like those of boxrules check (.csv, .tsv, .xlsx), with the columns article, material,
width, depth, height and code (valid, or the code with which the box was refused). Optional columns are date
(ascending, such as 2026-03-01 or 2026-03-01T12:00:00Z) and items (the number of items in the quotation). NDJSON files
(.ndjson, .jsonl) with the same names as keys, such as the output of check --format json, are accepted too. Answers that
show nothing about their box are only counted. Rows are numbered from 1 across all files, without the headers.

-o writes the limits to a file, unless answers contradict each other. Lenient limits refuse only what the service
certainly refuses; strict limits accept only what it certainly accepts, and leave out articles that have no box that is
certain to be accepted. Every check refuses articles and materials that are not in the file, unless you run boxrules
serve with --pass-unknown. The result is correct if the service's limits and sheets are multiples of --step and no
greater than --max, and if an article has the same limits in all its materials.

--next writes the boxes that are most useful to ask about next. --service asks the service about them, one by one. It
first says how many questions there are, and asks for confirmation. The client ID and secret are read from
BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET. With --record it continues where an earlier run stopped.

Exit status: 0 everything that answers can decide is decided, 1 something is still undecided, 2 answers contradict
each other or an error occurred, and no limits were written.`,
		Example: `  boxrules learn --limits frame.yaml answers.csv -o limits.yaml
  boxrules learn --limits frame.yaml --next 5 answers.csv
  boxrules learn --limits frame.yaml --service https://api.example.com --record answers.ndjson -o limits.yaml`,
		RunE:              c.run,
		ValidArgsFunction: completeLists,
	}
	flags := command.Flags()
	c.answers.add(command)
	addOutput(flags, &c.output, "", "`FILE` to write the limits to; - writes them to stdout instead of the summary of what was learned")
	command.Flags().Var(&c.write, "write", "which limits to write")
	addStep(flags, &c.options.Step, "assume that limits and sheet sizes are multiples of this `NUMBER`")
	addDecimal(flags, &c.options.Max, "max", 0,
		"largest value that a limit can have, a `NUMBER` (default 2000 mm, 200 cm, 2 m or 80 in)")
	c.blanks.add(flags, "blanks",
		"limit file whose blank formulas are tried for articles without a blank; shipped means the standard styles and the built-in limits")
	flags.TimeVar(&c.options.Since, "since", time.Time{}, []string{time.DateOnly, time.RFC3339},
		"drop answers from before this `DATE` that later ones contradict, and older answers about the same limit, constraint or sheet")
	flags.IntVar(&c.next, "next", 0,
		"write up to this `NUMBER` of boxes to ask about next, as CSV")
	c.answers.addService(command)
	flags.IntVar(&c.maxQuestions, "max-questions", 80,
		"ask at most this `NUMBER` of questions about each product (an article in a material), over all runs with the same --record")
	return command
}

func (c *learnCommand) run(command *cobra.Command, args []string) error {
	if flagGiven(command, "next") && c.next < 1 {
		return fmt.Errorf("--next %d is not a number of boxes; accepted: 1 or more", c.next)
	}
	if c.maxQuestions < 1 {
		return fmt.Errorf("--max-questions %d is not a number of questions; accepted: 1 or more", c.maxQuestions)
	}
	files, err := c.answers.inputs(command, args, c.sources, "FRAME, a limit file that contains what answers cannot show: unit, materials and blanks")
	if err != nil {
		return err
	}
	if err := c.checkOutput(c.output, append(args, c.blanks.name, c.answers.record, c.answers.list.codes)...); err != nil {
		return err
	}
	rules, rulesErr := c.ruleSet()
	frame, limitsErr := loadSourceFile(&c.limits, nil, limits.LoadFrame)
	blanks, blanksErr := limits.Illustrative(), error(nil)
	if c.blanks.name != "shipped" {
		blanks, blanksErr = loadSourceFile(&c.blanks, func() *limits.Catalogue { return nil }, limits.LoadFrame)
	}
	if err := errors.Join(rulesErr, limitsErr, blanksErr); err != nil {
		return c.console.Fail(err)
	}
	if err := c.answers.list.loadCodes(files, frame); err != nil {
		return c.console.Fail(err)
	}
	interviewOptions, err := c.answers.interviewOptions(command, c.console, frame.Unit())
	if err != nil {
		return err
	}
	c.interview = interview.New(c.console, rules, interviewOptions)
	c.options.Blanks, c.options.Styles, c.options.Only = blanks, c.blanks.name == "shipped", c.mayAsk
	c.options.Step = stepFlagValue(command, c.options.Step, frame)
	if !flagGiven(command, "max") {
		c.options.Max = cmp.Or(map[string]float64{"cm": 200, "m": 2, "in": 80}[frame.Unit()], 2000)
	}
	var wrong *boxrules.OptionError
	if c.learner, err = learn.New(rules, frame, c.options); errors.As(err, &wrong) { // --step or --max
		return fmt.Errorf("--%s %s; %s", wrong.Option, command.Flag(wrong.Option).Value, wrong.Message)
	} else if err != nil {
		return c.console.Fail(err)
	}
	sayLearnWarnings(c.console, c.learner)
	c.selection, err = c.answers.selection(frame, func(b boxrules.Box) error {
		_, err := c.learner.Possible(b)
		return err
	})
	if err != nil {
		return err
	}
	err = c.interview.Run(files, c)
	switch {
	case err != nil:
		return err
	case !c.options.Since.IsZero() && !c.interview.HasDates():
		return c.console.Fail(errors.New("--since is given, but no answer has a date"))
	case c.next > 0:
		return c.propose()
	}
	return c.report()
}

// mayAsk reports whether another box of the article in the material may be proposed. The product must be selected. If
// the command asks the service, it must also have asked fewer than --max-questions questions about the product.
func (c *learnCommand) mayAsk(article, material string) bool {
	asked := c.interview.Asked(interview.Product{Article: article, Material: material})
	return c.selection.includes(article, material) && (c.answers.service == "" || asked < c.maxQuestions)
}

// Learn implements interview.Questioner. If the answer about a box is unusable (see package answers), the box is
// not proposed again, unless the service may give a usable answer next time.
func (c *learnCommand) Learn(a learn.Answer, unusableKind string) (informative bool, err error) {
	proposes := c.next > 0 || c.answers.service != ""
	switch {
	case unusableKind == "":
		err := c.learner.Add(a)
		if errors.Is(err, learn.ErrUnknownCode) && proposes {
			_ = c.learner.Skip(a.Box) // the same box would get the same answer
		}
		return true, err
	case !proposes:
		return false, nil // no boxes are proposed, so none needs to be skipped
	case unusableKind == string(boxrules.DLN_1101):
		a.Dims = boxrules.Dims{} // the service does not make this product, so skip all of its boxes
	case unusableKind == answers.Several || unusableKind == string(boxrules.QTT_1114) || unusableKind == "401" || a.Dims == boxrules.Dims{}:
		return false, nil // asking again may help
	}
	// Skip fails if the frame does not have the article or the material. Such a box is not proposed anyway.
	_ = c.learner.Skip(a.Box)
	return false, nil
}

// Remaining implements interview.Questioner. If answers contradict each other, it returns 0 products, so that
// nothing more is asked.
func (c *learnCommand) Remaining() (text string, products int) {
	if _, _, contradictions := c.facts(); len(contradictions) > 0 {
		c.console.Say("boxrules: the answers contradict each other, so the service is not asked")
		return "", 0
	}
	if _, ok := c.Next(); !ok {
		return "", 0
	}
	questions := 0
	for _, p := range c.selection.products {
		if remaining := c.maxQuestions - c.interview.Asked(p); remaining > 0 {
			questions, products = questions+remaining, products+1
		}
	}
	return "at most " + console.CountText(questions, "question", "questions"), products
}

// Next implements interview.Questioner.
func (c *learnCommand) Next() (box boxrules.Box, ok bool) {
	if boxes := c.learner.Next(1); len(boxes) > 0 {
		return boxes[0], true
	}
	return box, false
}

// propose writes the boxes to ask about next.
func (c *learnCommand) propose() error {
	_, open, contradictions := c.facts()
	if len(contradictions) > 0 {
		c.sayAll(contradictions)
		return console.Unanswered
	}
	boxes := c.learner.Next(c.next)
	if len(boxes) == 0 && open > 0 {
		c.console.Say("boxrules: something is still undecided, but asking about another box would not decide it")
	}
	var lines []byte
	for _, b := range boxes {
		lines = answers.AppendQuestion(lines, b, "")
	}
	return c.console.Answer(lines, open > 0)
}

func (c *learnCommand) sayAll(contradictions []learn.Fact) {
	for _, f := range contradictions {
		c.console.Say("boxrules: %s", learnContradictionText(f, c.interview.Locate))
	}
}

// facts returns the facts about the selected products, the number of open facts, and the contradictions.
func (c *learnCommand) facts() (facts []learn.Fact, open int, contradictions []learn.Fact) {
	for _, f := range c.learner.Facts() {
		// A fact is about an article in all materials, or about a material.
		isAbout := func(p interview.Product) bool { return p.Article == f.Article || p.Material == f.Material }
		if !c.selection.includesAll && !slices.ContainsFunc(c.selection.products, isAbout) {
			continue
		}
		facts = append(facts, f)
		switch f.State {
		case learn.Open:
			open++
		case learn.Contradicted:
			contradictions = append(contradictions, f)
		}
	}
	return facts, open, contradictions
}

// report prints what was learned. If --output is given, it also writes the limit file.
func (c *learnCommand) report() error {
	for _, p := range c.selection.products {
		if asked := c.interview.Asked(p); asked >= c.maxQuestions {
			c.console.Say("boxrules: %s: %s asked; --max-questions allows %d", p,
				console.CountText(asked, "question was", "questions were"), c.maxQuestions)
		}
	}
	facts, open, contradictions := c.facts()
	var text []byte
	switch {
	case c.output == "-":
		c.sayAll(contradictions)
	case c.answers.format.value == verdicts.FormatJSON:
		for _, f := range facts {
			text = append(text, c.answers.format.answer(f, "")...)
		}
	default:
		text = learnFactsText(facts, c.interview.Locate)
	}
	if err := c.console.Write(text); err != nil {
		return err
	}
	if err := c.writeLimits(); err != nil {
		return err
	}
	summary := fmt.Sprintf("%s: %s, %d open, %s",
		console.CountText(c.interview.Rows(), "row", "rows"), console.CountText(len(facts), "fact", "facts"), open,
		console.CountText(len(contradictions), "contradiction", "contradictions"))
	missing := slices.DeleteFunc(facts, func(f learn.Fact) bool { return f.State != learn.NotLearned })
	if len(missing) > 0 {
		summary += fmt.Sprintf(", %d not learned", len(missing))
	}
	if outdated := c.learner.Outdated(); outdated > 0 {
		summary += ", " + console.CountText(outdated, "answer", "answers") + " dropped as outdated"
	}
	c.console.Say("%s", summary)
	switch {
	case len(contradictions) > 0:
		return console.Unanswered
	case open > 0:
		return console.SomeInvalid
	}
	return nil
}

// writeLimits writes what was learned to the limit file that --output names.
func (c *learnCommand) writeLimits() error {
	if c.output == "" {
		return nil
	}
	var file bytes.Buffer
	if err := c.learner.WriteLimits(&file, c.write.value == "lenient"); err != nil {
		return c.console.Fail(fmt.Errorf("%s was not written: %w", c.output, err))
	}
	return c.console.Save(c.output, file.Bytes())
}

// sayLearnWarnings prints the learner's warnings about rules that it can learn little about.
func sayLearnWarnings(c *console.Console, l *learn.Learner) {
	for _, warning := range l.Warnings() {
		c.Say("boxrules: %v", warning)
	}
}
