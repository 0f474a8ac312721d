package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/answers"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// learnCommand finds limits out.
type learnCommand struct {
	learning
	blanks sourceFile
	output string
	write  choice
	next   int
}

func newLearn(s *sources) *cobra.Command {
	k := &learnCommand{learning: newLearning(s), write: choice{value: "lenient", accepted: []string{"lenient", "strict"}}}
	command := &cobra.Command{
		Use:   "learn --limits FRAME [FILE...]",
		Short: "Find out the limits that the service does not publish from its answers",
		Long: `learn finds out minimums, maximums, selected constraints and sheets from what the service has answered. FRAME is a limit
file with what no answer tells: unit, caliper, glue flap, blanks, and the materials of each article. Its limits,
constraints and sheets are ignored and may be left out; for articles without a blank, --blanks has formulas tried.

The answers are lists as check reads them (.csv, .tsv, .xlsx) with the columns article, material, width, depth, height
and code, which is valid or the code of the refusal, and optionally date (in order, such as 2026-03-01T12:00:00Z) and items
(how many were in the quotation); or NDJSON (.ndjson, .jsonl) as check --format json writes it, with these keys. A box
with no word about it is counted, and nothing is learned from it. Rows count from 1 over all files. With -o the limits
are written as a file, once nothing contradicts itself: lenient ones refuse only what the service certainly refuses,
strict ones accept only what it certainly accepts. All of it holds for limits and sheets that are multiples of --step,
up to --max.

--next writes the boxes that are best asked next. --service asks them itself, one after the other, after it has said how
many and was told yes; its client and secret are in BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET. It goes on from
--record.

Exit status: 0 all that can be observed is decided, 1 something is open, 2 answers contradict each other, or the
question could not be answered; no limits are written then.`,
		Example: `  boxrules learn --limits frame.yaml answers.csv -o limits.yaml
  boxrules learn --limits frame.yaml --next 5 answers.csv
  boxrules learn --limits frame.yaml --service https://api.example.com --record answers.ndjson -o limits.yaml`,
		RunE:              k.run,
		ValidArgsFunction: completeLists,
	}
	flags := command.Flags()
	k.addFlags(command)
	addOutput(flags, &k.output, "", "`FILE` to write the limits to, - for stdout instead of the facts")
	addChoice(command, &k.write, "write", "which limits are written")
	addDecimal(flags, &k.options.Step, "step", 1, "limits and sheets are multiples of this `NUMBER`")
	addDecimal(flags, &k.options.Max, "max", 2000, "greatest `NUMBER` that a limit can be")
	k.blanks.add(flags, "blanks",
		"limit file whose blanks are tried for articles of the frame that have none, or the word shipped")
	flags.TimeVar(&k.options.Since, "since", time.Time{}, []string{time.DateOnly, time.RFC3339},
		"`DATE` before which an answer gives way to a later one that contradicts it")
	flags.IntVar(&k.next, "next", 0,
		"write the `NUMBER` of boxes to ask next, as CSV; nothing where none tells anything more")
	k.addServiceFlags(command)
	flags.IntVar(&k.most, "max-questions", 80,
		"greatest `NUMBER` of questions about an article in a material, in all runs with the same --record")
	return command
}

func (k *learnCommand) run(command *cobra.Command, args []string) error {
	if flagGiven(command, "next") && k.next < 1 {
		return fmt.Errorf("--next %d is not a number of boxes; accepted: 1 or more", k.next)
	}
	if k.most < 1 {
		return fmt.Errorf("--max-questions %d is not a number of questions; accepted: 1 or more", k.most)
	}
	inputs, err := k.usage(command, args, "FRAME, a limit file with what no answer tells: unit, materials and blanks")
	if err != nil {
		return err
	}
	if err := k.readToo(k.output, append(args, k.blanks.name, k.record)...); err != nil {
		return err
	}
	rules, rulesErr := k.ruleSet()
	frame, limitsErr := load(&k.limits, nil, limits.LoadFrame)
	blanks, blanksErr := limits.Illustrative(), error(nil)
	if k.blanks.name != "shipped" {
		blanks, blanksErr = load(&k.blanks, func() *limits.Catalogue { return nil }, limits.LoadFrame)
	}
	if err := errors.Join(rulesErr, limitsErr, blanksErr); err != nil {
		return k.console.Fail(err)
	}
	k.options.Blanks, k.options.Only = blanks, k.asksOn
	var wrong *boxrules.OptionError
	if k.learner, err = learn.New(rules, frame, k.options); errors.As(err, &wrong) { // --step or --max
		return fmt.Errorf("--%s %s; %s", wrong.Option, command.Flag(wrong.Option).Value, wrong.Message)
	} else if err != nil {
		return k.console.Fail(err)
	}
	err = k.choose(frame, func(b boxrules.Box) error {
		_, err := k.learner.Possible(b)
		return err
	})
	if err != nil {
		return err
	}
	err = k.interview(k, rules, inputs)
	switch {
	case err != nil:
		return err
	case !k.options.Since.IsZero() && k.recorded.Latest.IsZero():
		return k.console.Fail(errors.New("--since is given, and no answer has a date"))
	case k.next > 0:
		return k.propose()
	}
	return k.tell()
}

// asksOn reports whether there is a question left about the article in the material.
func (k *learnCommand) asksOn(article, material string) bool {
	return k.asks(article, material) && (k.service == "" || k.asked[learnPair{article, material}] < k.most)
}

// take learns from an answer. A box that got none is not proposed again, unless another try may get
// one.
func (k *learnCommand) take(a learn.Answer, silent string) (tells bool, err error) {
	switch {
	case silent == "":
		err := k.learner.Add(a)
		if errors.Is(err, learn.ErrUnknownCode) && (k.next > 0 || k.service != "") {
			_ = k.learner.Skip(a.Box) // the same box would get the same answer
		}
		return true, err
	case k.next == 0 && k.service == "":
		return false, nil // no box is going to be proposed, and there may be many
	case silent == string(boxrules.DLN_1101):
		a.Dims = boxrules.Dims{} // for all of the article in the material
	case silent == answers.Several || silent == string(boxrules.QTT_1114) || silent == "401" || a.Dims == boxrules.Dims{}:
		return false, nil // alone, or another time, the box may get an answer
	}
	_ = k.learner.Skip(a.Box) // what the frame does not have is not proposed anyway
	return false, nil
}

// left says how many questions there are at most: none where answers contradict each other.
func (k *learnCommand) left() (text string, pairs int) {
	if _, _, clashes := k.facts(); len(clashes) > 0 {
		k.console.Say("boxrules: the answers contradict each other: nothing is asked")
		return "", 0
	}
	if len(k.question()) == 0 {
		return "", 0
	}
	questions := 0
	for _, pair := range k.chosen {
		if left := k.most - k.asked[pair]; left > 0 {
			questions, pairs = questions+left, pairs+1
		}
	}
	return "at most " + console.Count(questions, "question", "questions"), pairs
}

func (k *learnCommand) question() []boxrules.Box { return k.learner.Next(1) }

// propose writes the boxes to ask next.
func (k *learnCommand) propose() error {
	_, open, clashes := k.facts()
	if len(clashes) > 0 {
		k.sayAll(clashes)
		return console.Unanswered
	}
	boxes := k.learner.Next(k.next)
	if len(boxes) == 0 && open > 0 {
		k.console.Say("boxrules: something is open, but no box that may be asked tells more")
	}
	var lines []byte
	for _, b := range boxes {
		lines = answers.AppendQuestion(lines, b, "")
	}
	return k.console.Answer(lines, open > 0)
}

// sayAll says the contradictions on stderr.
func (k *learnCommand) sayAll(clashes []learn.Fact) {
	for _, f := range clashes {
		k.console.Say("boxrules: %s", contradictionText(f))
	}
}

// facts returns what is known of the chosen articles and materials, how much of it is open, and
// the contradictions.
func (k *learnCommand) facts() (facts []learn.Fact, open int, clashes []learn.Fact) {
	for _, f := range k.learner.Facts() {
		about := func(p learnPair) bool { return p.article == f.Article || p.material == f.Material }
		if len(k.articles) > 0 && !slices.ContainsFunc(k.chosen, about) {
			continue
		}
		facts = append(facts, f)
		switch f.State {
		case learn.Open:
			open++
		case learn.Contradicted:
			clashes = append(clashes, f)
		}
	}
	return facts, open, clashes
}

// tell writes what was learned.
func (k *learnCommand) tell() error {
	for _, p := range k.chosen {
		if asked := k.asked[p]; asked >= k.most {
			k.console.Say("boxrules: %s: %s asked; --max-questions allows %d", boxPairText(p.article, p.material),
				console.Count(asked, "question was", "questions were"), k.most)
		}
	}
	facts, open, clashes := k.facts()
	var text []byte
	switch {
	case k.output == "-":
		k.sayAll(clashes)
	case k.format.value == verdicts.FormatJSON:
		for _, f := range facts {
			text = append(text, k.format.answer(f, "")...)
		}
	default:
		text = learnFactsText(facts)
	}
	if err := k.console.Write(text); err != nil {
		return err
	}
	if err := k.writeLimits(); err != nil {
		return err
	}
	last := fmt.Sprintf("%s: %s, %d open, %s",
		console.Count(k.recorded.Rows, "row", "rows"), console.Count(len(facts), "fact", "facts"), open,
		console.Count(len(clashes), "contradiction", "contradictions"))
	missing := slices.DeleteFunc(facts, func(f learn.Fact) bool { return f.State != learn.NotLearned })
	if len(missing) > 0 {
		last += fmt.Sprintf(", %d not learned", len(missing))
	}
	k.console.Say("%s", last)
	switch {
	case len(clashes) > 0:
		return console.Unanswered
	case open > 0:
		return console.SomeInvalid
	}
	return nil
}

// writeLimits writes the limit file where there is to be one.
func (k *learnCommand) writeLimits() error {
	if k.output == "" {
		return nil
	}
	var file bytes.Buffer
	if err := k.learner.WriteLimits(&file, k.write.value == "lenient"); err != nil {
		return k.console.Fail(fmt.Errorf("%s is not written: %w", k.output, err))
	}
	return k.console.Save(k.output, file.Bytes())
}
