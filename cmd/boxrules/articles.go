package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// articlesCommand lists the articles of the limit file with their limits and materials, or describes a single
// article.
type articlesCommand struct {
	*sources
	format choice
	styles bool
}

func newArticles(s *sources) *cobra.Command {
	c := &articlesCommand{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "articles [CODE]",
		Short: "List the articles with their materials and limits, or describe one",
		Long: `articles lists every article of the limit file with its title, its minimums and maximums, and its materials. If you
name an article, it also prints the constraints that apply to it, the formulas of its blank, and the sizes of each
material and of its largest sheet. With --format json each line has all of this.

With --styles it lists the standard styles: their codes, names and formulas in mm, and the values that the formulas
need. In a limit file, an article can name a style instead of giving the formulas of its blank.

Exit status: 0, or 2 if there is no such article or a file has an error.`,
		Example: `  boxrules articles
  boxrules articles tuck-end
  boxrules articles --limits limits.yaml --format json
  boxrules articles --styles`,
		Args: atMostOne("article"),
		RunE: c.run,
	}
	command.Flags().Var(&c.format, "format", "output format")
	command.Flags().BoolVar(&c.styles, "styles", false, "list the standard styles of blanks, or describe one")
	return command
}

// An articleEntry describes an article of the limit file. All lengths are in the unit that the field Unit names.
type articleEntry struct {
	limits.Article
	Unit      string            `json:"unit"`
	Decimals  int               `json:"decimals"` // the number of decimals that a dimension may have; if it is 3, further decimals are rounded
	Materials []limits.Material `json:"materials"`
	// SharedValues are the user-defined values that are the same for every article and material.
	SharedValues limits.Values `json:"shared_values,omitempty"`
}

func (c *articlesCommand) run(command *cobra.Command, args []string) error {
	if c.styles {
		return c.listStyles(args)
	}
	engine, err := c.engine()
	if err != nil {
		return c.console.Fail(err)
	}
	all := articleEntries(engine.Catalogue())
	if len(args) == 0 {
		return c.console.Write(listingText(&c.format, all, articleRow))
	}
	i := slices.IndexFunc(all, func(e articleEntry) bool { return e.Code == args[0] })
	if i < 0 {
		var codes []string
		for _, e := range all {
			codes = append(codes, e.Code)
		}
		return c.console.Fail(fmt.Errorf("there is no article %s; accepted: %s",
			wording.Quote(args[0]), wording.Accepted(args[0], codes)))
	}
	return c.console.Write(c.format.answer(all[i], articleText(all[i], engine.Rules())))
}

// listStyles lists the standard styles. If args contains a code, it describes only the style with that code.
func (c *articlesCommand) listStyles(args []string) error {
	styles := limits.Styles()
	if len(args) == 0 {
		return c.console.Write(listingText(&c.format, styles, styleRow))
	}
	i := slices.IndexFunc(styles, func(s limits.Style) bool { return s.Code == args[0] })
	if i < 0 {
		var codes []string
		for _, s := range styles {
			codes = append(codes, s.Code)
		}
		// A style has several codes if its box has several parts: for fefco-0300, offer fefco-0300-base and fefco-0300-lid.
		longer := slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return !strings.HasPrefix(code, strings.ToLower(args[0])) })
		if len(longer) > 0 {
			return c.console.Fail(fmt.Errorf("there is no style %s; did you mean %s?", wording.Quote(args[0]), strings.Join(longer, ", ")))
		}
		return c.console.Fail(fmt.Errorf("there is no style %s; accepted: %s",
			wording.Quote(args[0]), wording.Accepted(args[0], codes)))
	}
	s := styles[i]
	return c.console.Write(c.format.answer(s, console.AlignedText([][]string{
		{"style", s.Code}, {"name", s.Name}, {"confidence", s.Confidence},
		{"blank width", styleFormulaText(s, s.Width)}, {"blank height", styleFormulaText(s, s.Height)},
		{"values", cmp.Or(strings.Join(s.Values, ", "), "(none)")}, {"varies", cmp.Or(s.Varies, "(nothing known)")},
	})))
}

func styleRow(s limits.Style) []string {
	needs := "needs no values"
	if len(s.Values) > 0 {
		needs = "needs " + strings.Join(s.Values, ", ")
	}
	return []string{s.Code, s.Name, s.Confidence, styleFormulaText(s, s.Width), styleFormulaText(s, s.Height), needs}
}

// styleFormulaText returns a formula of the style, with the unit of its lengths if the style has one.
func styleFormulaText(s limits.Style, formula string) string {
	if s.Unit == "" {
		return formula
	}
	return formula + " (in " + s.Unit + ")"
}

func articleEntries(c *limits.Catalogue) (all []articleEntry) {
	materials := make(map[string]limits.Material)
	for _, m := range c.Materials() {
		materials[m.Code] = m
	}
	for _, a := range c.Articles() {
		e := articleEntry{Article: a, Unit: c.Unit(), Decimals: c.Decimals(), SharedValues: c.Values()}
		for _, code := range a.Materials {
			e.Materials = append(e.Materials, materials[code])
		}
		all = append(all, e)
	}
	return all
}

func articleRow(e articleEntry) []string {
	var materials []string
	for _, m := range e.Materials {
		materials = append(materials, console.Printable(m.Code))
	}
	return []string{
		console.Printable(e.Code), console.PrintableLine(e.Title), "width " + articleLimitsText(e.Width), "depth " + articleLimitsText(e.Depth),
		"height " + articleLimitsText(e.Height) + " " + e.Unit, strings.Join(materials, ", "),
	}
}

// articleText returns a table that describes one article. The table includes the conditions of the article's
// constraints, which it takes from the rules.
func articleText(e articleEntry, rules *boxrules.RuleSet) string {
	table := [][]string{
		{"article", console.Printable(e.Code)}, {"title", cmp.Or(console.PrintableLine(e.Title), "(none)")}, {"unit", e.Unit},
		{"decimals", strconv.Itoa(e.Decimals)},
		{"width", articleLimitsText(e.Width)}, {"depth", articleLimitsText(e.Depth)}, {"height", articleLimitsText(e.Height)},
	}
	for _, rule := range rules.Rules() {
		if slices.Contains(e.Constraints, string(rule.Code)) {
			table = append(table, []string{"constraint", string(rule.Code) + ": " + console.PrintableLine(rule.Condition(e.Unit))})
		}
	}
	if len(e.Constraints) == 0 {
		table = append(table, []string{"constraint", "(none)"})
	}
	if e.Blank == nil {
		table = append(table, []string{"blank", "(no formulas: the size is not checked)"})
	} else {
		if e.Blank.Style != "" {
			table = append(table, []string{"blank style", e.Blank.Style})
		}
		table = append(table, []string{"blank width", console.PrintableLine(e.Blank.Width.Text)},
			[]string{"blank height", console.PrintableLine(e.Blank.Height.Text)})
	}
	if text := articleValuesText(e.SharedValues); text != "" {
		table = append(table, []string{"values", text + " (for everything)"})
	}
	if text := articleValuesText(e.Values); text != "" {
		table = append(table, []string{"values", text + " (for this article)"})
	}
	for _, m := range e.Materials {
		table = append(table, []string{"material", articleMaterialText(m)})
	}
	return console.AlignedText(table)
}

// articleValuesText lists user-defined values, sorted by name.
func articleValuesText(values limits.Values) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		texts = append(texts, name+" "+values[name].String())
	}
	return strings.Join(texts, ", ")
}

func articleLimitsText(r limits.Range) string {
	return console.SpanText(r.Min.Float64(), r.Max.Float64())
}

func articleMaterialText(m limits.Material) string {
	sheet := console.SizeText(m.Sheet.Width.Float64(), m.Sheet.Height.Float64())
	text := fmt.Sprintf("%s: caliper %s, glue flap %s, sheet %s of %s", console.Printable(m.Code),
		console.NumberText(m.Caliper.Float64()), console.NumberText(m.GlueFlap.Float64()), console.Printable(m.Sheet.Code), sheet)
	if values := articleValuesText(m.Values); values != "" {
		text += ", " + values
	}
	if m.MinSheets > 0 {
		text += fmt.Sprintf(", at least %s", console.CountText(m.MinSheets, "sheet", "sheets"))
	}
	return text
}
