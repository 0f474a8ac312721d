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
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// learning holds the flags that learn and audit share: how recorded answers are read, and about
// what.
type learning struct {
	*sources
	input     choice
	list      listFlags
	format    choice
	articles  []string // in pairs with the materials
	materials []string
	chosen    []learnPair
	service   inquiry
}

// A learnPair is an article in a material.
type learnPair struct{ article, material string }

func newLearning(s *sources) learning {
	return learning{sources: s, input: newListKind(), format: newFormatFlag(), service: inquiry{console: s.console}}
}

func (k *learning) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&k.articles, "article", nil, "article `CODE` to ask about alone, with its --material; may be repeated")
	flags.StringArrayVar(&k.materials, "material", nil, "material `CODE` to ask about; may be repeated")
	addChoice(command, &k.format, "format", "how facts are written")
	addChoice(command, &k.input, "input", "what the files are, whatever their names")
	k.list.add(command)
}

// inputs returns the files of the arguments.
func (k *learning) inputs(command *cobra.Command, args []string) ([]lists.Input, error) {
	if flags := k.list.changed(command, "input"); len(args) == 0 && len(flags) > 0 {
		return nil, fmt.Errorf("%s is given without a file of answers; accepted: together, or neither", flags[0])
	}
	form, err := k.list.form(command)
	if err != nil {
		return nil, err
	}
	return listInputs(command, args, &k.input, form, k.list.changed(command))
}

// pairs makes the chosen articles and materials of the flags, which the catalogue has to have.
func (k *learning) pairs(c *limits.Catalogue) error {
	if len(k.articles) != len(k.materials) {
		return fmt.Errorf("--article is given %s and --material %s; accepted: pairs of them",
			console.Count(len(k.articles), "time", "times"), console.Count(len(k.materials), "time", "times"))
	}
	for i, code := range k.articles {
		var offered, all []string
		for _, a := range c.Articles() {
			if all = append(all, a.Code); a.Code == code {
				offered = a.Materials
			}
		}
		switch {
		case offered == nil:
			return fmt.Errorf("--article %s is unknown; accepted: %s", wording.Quote(code), wording.Some(all))
		case !slices.Contains(offered, k.materials[i]):
			return fmt.Errorf("--material %s is unknown; accepted for %s: %s", wording.Quote(k.materials[i]), code, wording.Some(offered))
		}
		k.chosen = append(k.chosen, learnPair{code, k.materials[i]})
	}
	return nil
}

// asks reports whether the article in the material is asked about.
func (k *learning) asks(article, material string) bool {
	return k.chosen == nil || slices.Contains(k.chosen, learnPair{article, material})
}

// about reports whether the fact is about what is asked about.
func (k *learning) about(f learn.Fact) bool {
	return k.chosen == nil || slices.ContainsFunc(k.chosen, func(p learnPair) bool {
		return p.article == f.Article || p.material == f.Material
	})
}

// learnAnswer adds an answer to the Learner, and returns the error of its Add. A box that got no
// answer is not proposed again, unless another try may get one.
func learnAnswer(l *learn.Learner, a learn.Answer, silent string) error {
	switch {
	case silent == "":
		return l.Add(a)
	case silent == string(boxrules.DLN_1101):
		a.Dims = boxrules.Dims{} // for all of the article in the material
	case silent == answers.Several || silent == string(boxrules.QTT_1114) || silent == "401" || a.Dims == boxrules.Dims{}:
		return nil // alone, or another time, the box may get an answer
	}
	_ = l.Skip(a.Box) // what the frame does not have is not proposed anyway
	return nil
}

// learnCommand finds limits out.
type learnCommand struct {
	learning
	options learn.Options
	blanks  sourceFile
	output  string
	write   choice
	next    int

	learner *learn.Learner
	asked   map[learnPair]int // questions to the service
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
	flags.StringVarP(&k.output, "output", "o", "", "`FILE` to write the limits to, - for stdout instead of the facts")
	addChoice(command, &k.write, "write", "which limits are written")
	flags.Float64Var(&k.options.Step, "step", 1, "limits and sheets are multiples of this `NUMBER`")
	flags.Float64Var(&k.options.Max, "max", 2000, "greatest `NUMBER` that a limit can be")
	k.blanks.add(flags, "blanks", "limit file whose blanks are tried for articles of the frame that have none, or the word shipped")
	flags.TimeVar(&k.options.Since, "since", time.Time{}, []string{time.DateOnly, time.RFC3339}, "`DATE` before which an answer gives way to a later one that contradicts it")
	flags.IntVar(&k.next, "next", 0, "write the `NUMBER` of boxes to ask next, as CSV; nothing where none tells anything more")
	k.service.add(command)
	flags.IntVar(&k.service.most, "max-questions", 80, "greatest `NUMBER` of questions about an article in a material, in all runs with the same --record")
	return command
}

func (k *learnCommand) run(command *cobra.Command, args []string) error {
	inputs, err := k.usage(command, args)
	if err != nil {
		return err
	}
	rules, rulesErr := k.ruleSet()
	frame, limitsErr := load(&k.limits, nil, limits.LoadFrame)
	var blanks *limits.Catalogue
	var blanksErr error
	switch {
	case k.blanks.name == "shipped":
		blanks = limits.Illustrative()
	case k.blanks.given:
		blanks, blanksErr = load(&k.blanks, nil, limits.LoadFrame)
	}
	if err := errors.Join(rulesErr, limitsErr, blanksErr); err != nil {
		return k.console.Fail(err)
	}
	if err := k.pairs(frame); err != nil {
		return err
	}
	k.options.Blanks, k.options.Only = blanks, k.asksOn
	if k.learner, err = learn.New(rules, frame, k.options); err != nil {
		return k.console.Fail(err)
	}
	recorded := answers.New(k.console, rules)
	if k.service.given() {
		err = k.askService(recorded, inputs, frame)
	} else {
		err = recorded.ReadAll(inputs, k.take)
	}
	switch {
	case err != nil:
		return err
	case !k.options.Since.IsZero() && recorded.Latest.IsZero():
		return k.console.Fail(errors.New("--since is given, and no answer has a date"))
	case k.next > 0:
		return k.propose()
	}
	return k.tell(recorded.Rows)
}

// usage checks the flags together, and returns the files to read.
func (k *learnCommand) usage(command *cobra.Command, args []string) ([]lists.Input, error) {
	next := command.Flags().Changed("next")
	switch {
	case !k.limits.given:
		return nil, fmt.Errorf("--limits is missing; accepted: --limits FRAME, a limit file with what no answer tells: " +
			"unit, materials and blanks")
	case len(args) == 0 && !next && !k.service.given():
		return nil, errors.New("no answers are given; accepted: files, or - for stdin, or --next, or --service")
	case next && k.next < 1:
		return nil, fmt.Errorf("--next %d is not a number of boxes; accepted: 1 or more", k.next)
	}
	if err := checkFlagRelations(command); err != nil {
		return nil, err
	}
	if err := k.service.usage(command); err != nil {
		return nil, err
	}
	if err := k.readToo(k.output, append(args, k.blanks.name, k.service.record)...); err != nil {
		return nil, err
	}
	return k.inputs(command, args)
}

// asksOn reports whether there is a question left about the article in the material.
func (k *learnCommand) asksOn(article, material string) bool {
	return k.asks(article, material) && (!k.service.given() || k.asked[learnPair{article, material}] < k.service.most)
}

// take learns from a recorded answer. What contradicts itself is a fact, which is told in the end.
func (k *learnCommand) take(a learn.Answer, silent string) error {
	if silent != "" && k.next == 0 && !k.service.given() {
		return nil // no box is going to be proposed, and there may be many
	}
	err := learnAnswer(k.learner, a, silent)
	if errors.As(err, new(*learn.Contradiction)) {
		return nil
	}
	return err
}

// propose writes the boxes to ask next.
func (k *learnCommand) propose() error {
	_, open, clashes := k.facts()
	for _, f := range clashes {
		k.console.Say("boxrules: %s", contradictionText(f))
	}
	if len(clashes) > 0 {
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

// facts returns what is known of the chosen articles and materials, how much of it is open, and
// the contradictions.
func (k *learnCommand) facts() (facts []learn.Fact, open int, clashes []learn.Fact) {
	for _, f := range k.learner.Facts() {
		if !k.about(f) {
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
func (k *learnCommand) tell(rows int) error {
	facts, open, clashes := k.facts()
	text := learnFactsText(facts)
	if k.format.value == verdicts.FormatJSON {
		text = nil
		for _, f := range facts {
			text = append(text, k.format.answer(f, "")...)
		}
	}
	if k.output == "-" {
		text = nil
		for _, f := range clashes {
			k.console.Say("boxrules: %s", contradictionText(f))
		}
	}
	if err := k.console.Write(text); err != nil {
		return err
	}
	if err := k.writeLimits(); err != nil {
		return err
	}
	last := fmt.Sprintf("%s: %s, %d open, %s", console.Count(rows, "row", "rows"), console.Count(len(facts), "fact", "facts"), open,
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
