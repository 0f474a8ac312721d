package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/internal/locale"
)

// explainCommand says why a box is not valid and what to change.
type explainCommand struct {
	*sources
	box      boxFlags
	step     float64
	articles bool
	format   choice
}

func newExplain(s *sources) *cobra.Command {
	c := &explainCommand{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "explain",
		Short: "Explain why a box cannot be made, and what to change",
		Long: `explain prints every rule that a box violates, with the numbers of this box filled in. It also prints how far each
dimension can change while the others stay the same, how to turn the box so that it is valid, the nearest valid box,
and what to change. All results are computed exactly, without rounding errors. With --articles it also prints the
articles and materials in which the box can be made as it is.

With --lang de or fr, the text that customers read is in German or French: the advice, with decimal commas, and the
messages of your own rules that are translated into that language. Everything else stays in English, but also shows the
names that the advice uses for the dimensions.

Exit status: 0 the box is valid, 1 it is not, 2 the box could not be checked.`,
		Example: `  boxrules explain --article tuck-end --material carton-300 --box 48x141x184
  boxrules explain --article mailer --material e-flute --box 300x200x170 --step 0.5
  boxrules explain --article tray --material carton-400 --box 90x120x40 --format json
  boxrules explain --article tuck-end --material carton-300 --box 48x141x184 --lang de
  boxrules explain --article tuck-end --material carton-300 --box 48x141x184 --articles`,
		Args: flagsOnly("describe one box with --article, --material and --box, or check a file with boxrules check --advice --format csv FILE"),
		RunE: c.run,
	}
	command.Flags().SortFlags = false
	c.box.add(command, oneBoxHelp, false)
	c.box.addUnit(command)
	addStep(command.Flags(), &c.step, "in the nearest valid box, make the changed dimensions multiples of this `NUMBER`")
	command.Flags().BoolVar(&c.articles, "articles", false, "print the articles and materials in which the box can be made as it is")
	c.addLang(command)
	command.Flags().Var(&c.format, "format", "output format")
	return command
}

func (c *explainCommand) run(command *cobra.Command, _ []string) error {
	if err := checkFlagRelations(command); err != nil {
		return err
	}
	if err := c.box.checkComplete(command); err != nil {
		return err
	}
	engine, err := c.engine()
	if err != nil {
		return c.console.Fail(err)
	}
	b, err := c.box.parse(engine.Catalogue())
	if err != nil {
		return c.console.Fail(err)
	}
	p, err := engine.Profile(b.Article, b.Material)
	if err != nil {
		return c.console.Fail(err)
	}
	e, err := p.Explain(b.Dims, stepFlagValue(command, c.step, engine.Catalogue()))
	if err != nil {
		return c.console.Fail(err)
	}
	answer := struct {
		boxrules.Explanation
		Advice string           `json:"advice,omitempty"`
		Offers []boxrules.Offer `json:"offers,omitzero"` // only with --articles
	}{Explanation: e, Advice: e.AdviceIn(c.lang.value)}
	text := explainText(b, p.Unit(), e, c.lang.value)
	if c.articles {
		if answer.Offers, err = engine.Offers(b.Dims); err != nil {
			return c.console.Fail(err)
		}
		text += explainOffersText(answer.Offers)
	}
	return c.console.Answer(c.format.answer(answer, text), !e.OK)
}

// explainOffersText lists the articles that the box can be made as, one per line, each with its materials.
func explainOffersText(offers []boxrules.Offer) string {
	if len(offers) == 0 {
		return "\nas it is, the box cannot be made in any article\n"
	}
	table := [][]string{}
	for _, o := range offers {
		table = append(table,
			[]string{"  " + console.Printable(o.Article), console.Printable(strings.Join(o.Materials, ", "))})
	}
	return "\nwithout any change, the box can be made in:\n" + console.AlignedText(table)
}

// explainText returns the explanation of a box as text, with advice in the language lang.
func explainText(b boxrules.Box, unit string, e boxrules.Explanation, lang string) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s, %s %s: ", productText(b.Article, b.Material), boxDimsText(b.Dims), unit)
	if e.OK {
		t.WriteString("can be made\n")
	} else {
		fmt.Fprintf(&t, "cannot be made, %s\n", e.Code)
	}
	if note := e.EdgeNote(); note != "" {
		fmt.Fprintf(&t, "%s\n", note)
	}
	for _, r := range e.Violations {
		fmt.Fprintf(&t, "\n%s  %s\n", r.Code, console.PrintableLine(r.String()))
		for _, formula := range r.Formulas {
			fmt.Fprintf(&t, "          %s\n", formula)
		}
		const tie = "the box lies exactly on the limit"
		switch {
		case r.By > 0 && r.Tie:
			fmt.Fprintf(&t, "          %s is off by %s, and %s\n", r.Field, console.NumberText(r.By), tie)
		case r.By > 0:
			fmt.Fprintf(&t, "          %s is off by %s\n", r.Field, console.NumberText(r.By))
		case r.Tie:
			fmt.Fprintf(&t, "          %s\n", tie)
		}
	}
	t.WriteString("\nvalid ranges if the other two dimensions stay the same:\n")
	var table [][]string
	for axis, ranges := range e.Ranges.ByAxis() {
		field := lists.FieldNames[lists.FirstDimension+axis]
		// Rules use the English names of dimensions. In German and French, show both names.
		if words, _ := locale.Of(lang); words.Form[field] != field {
			field += " (" + words.Form[field] + ")"
		}
		table = append(table, []string{"  " + field, explainRangesText(ranges)})
	}
	t.WriteString(console.AlignedText(table))
	for i, turn := range e.Turned {
		if i == 0 {
			t.WriteString("\nif turned, the box can be made:\n")
		}
		fmt.Fprintf(&t, "  %s\n", turn)
	}
	if n := e.Nearest; n != nil && n.Found() {
		name := "nearest valid box"
		if n.Unproved {
			name = "a valid box, perhaps not the nearest"
		}
		fmt.Fprintf(&t, "\n%s: %s (%s changed)\n", name, boxDimsText(n.Dims), console.ListText(n.Changed))
	}
	if advice := e.AdviceIn(lang); advice != "" {
		fmt.Fprintf(&t, "\n%s\n", advice)
	}
	return t.String()
}

// explainRangesText formats ranges with the codes that apply below and above them, such as `15 to 48 (below it
// BOX_2102, above it BOX_3100)`. It also says which ends of a range are borderline.
func explainRangesText(ranges []boxrules.Range) string {
	if len(ranges) == 0 {
		return "none"
	}
	var all []string
	for _, r := range ranges {
		text := explainRangeText(r)
		var ends []string
		if r.MinCode != "" {
			ends = append(ends, "below it "+string(r.MinCode))
		}
		if r.MaxCode != "" {
			ends = append(ends, "above it "+string(r.MaxCode))
		}
		switch {
		case r.MinBorderline && r.MaxBorderline && r.Min < r.Max:
			ends = append(ends, "both ends are borderline")
		case r.MinBorderline:
			ends = append(ends, console.NumberText(r.Min)+" is borderline")
		case r.MaxBorderline:
			ends = append(ends, console.NumberText(r.Max)+" is borderline")
		}
		if len(ends) > 0 {
			text += " (" + strings.Join(ends, ", ") + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func explainRangeText(r boxrules.Range) string { return console.SpanText(r.Min, r.Max) }
