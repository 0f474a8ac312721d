package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// articles lists the articles of the limit file with their limits and materials, or says all of
// one.
type articles struct {
	*sources
	format choice
}

func newArticles(s *sources) *cobra.Command {
	k := &articles{sources: s, format: newFormatFlag()}
	command := &cobra.Command{
		Use:   "articles [CODE]",
		Short: "List the articles with their materials and limits, or say all there is to know of one",
		Long: `articles lists every article of the limit file with its title, its minimums and maximums and the materials that
it is offered in. Given the code of an article it also says which constraints apply to it, how large its
blank is, and what each material and its largest sheet measure. With --format json each line has all that.

Exit status: 0, or 2 where there is no such article or a file is wrong.`,
		Example: `  boxrules articles
  boxrules articles tuck-end
  boxrules articles --limits limits.yaml --format json`,
		Args: cobra.MaximumNArgs(1),
		RunE: k.run,
	}
	addChoice(command, &k.format, "format", "what is written")
	return command
}

// An articleEntry holds what the limit file says of an article, in its unit.
type articleEntry struct {
	Article     string          `json:"article"`
	Title       string          `json:"title,omitempty"`
	Unit        string          `json:"unit"`
	Decimals    int             `json:"decimals"` // that a dimension may have; where it is 3, more are rounded
	Width       boxrules.Range  `json:"width"`
	Depth       boxrules.Range  `json:"depth"`
	Height      boxrules.Range  `json:"height"`
	Constraints []string        `json:"constraints"`
	Blank       *blankEntry     `json:"blank,omitempty"` // nil where the file gives no formulas
	Materials   []materialEntry `json:"materials"`
}

type blankEntry struct {
	Width  string `json:"width"`
	Height string `json:"height"`
}

type materialEntry struct {
	Material  string     `json:"material"`
	Caliper   float64    `json:"caliper"`
	GlueFlap  float64    `json:"glue_flap"`
	MinSheets int        `json:"min_sheets,omitempty"`
	Sheet     sheetEntry `json:"sheet"`
}

type sheetEntry struct {
	Sheet  string  `json:"sheet"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (k *articles) run(command *cobra.Command, args []string) error {
	engine, err := k.engine()
	if err != nil {
		return k.console.Fail(err)
	}
	all := articleEntries(engine.Catalogue())
	if len(args) == 0 {
		return k.console.Write(k.list(all))
	}
	i := slices.IndexFunc(all, func(e articleEntry) bool { return e.Article == args[0] })
	if i < 0 {
		var codes []string
		for _, e := range all {
			codes = append(codes, e.Article)
		}
		return k.console.Fail(fmt.Errorf("there is no article %s; accepted: %s", wording.Quote(args[0]), wording.Accepted(args[0], codes)))
	}
	return k.console.Write(k.format.answer(all[i], aboutArticle(all[i], engine.Rules())))
}

// articleEntries returns the articles in the order of the limit file.
func articleEntries(c *limits.Catalogue) []articleEntry {
	materials := map[string]materialEntry{}
	for _, m := range c.Materials() {
		materials[m.Code] = materialEntry{
			Material: m.Code, Caliper: m.Caliper.Float64(), GlueFlap: m.GlueFlap.Float64(), MinSheets: m.MinSheets,
			Sheet: sheetEntry{m.Sheet.Code, m.Sheet.Width.Float64(), m.Sheet.Height.Float64()},
		}
	}
	span := func(r limits.Range) boxrules.Range { return boxrules.Range{Min: r.Min.Float64(), Max: r.Max.Float64()} }
	var all []articleEntry
	for _, a := range c.Articles() {
		e := articleEntry{
			Article: a.Code, Title: a.Title, Unit: c.Unit(), Decimals: c.Decimals(), Width: span(a.Width), Depth: span(a.Depth), Height: span(a.Height),
			Constraints: append([]string{}, a.Constraints...),
		}
		if a.Blank != nil {
			e.Blank = &blankEntry{a.Blank.Width.String(), a.Blank.Height.String()}
		}
		for _, code := range a.Materials {
			e.Materials = append(e.Materials, materials[code])
		}
		all = append(all, e)
	}
	return all
}

func (k *articles) list(all []articleEntry) []byte {
	var lines []byte
	var table [][]string
	for _, e := range all {
		lines = append(lines, k.format.answer(e, "")...)
		var materials []string
		for _, m := range e.Materials {
			materials = append(materials, console.Printable(m.Material))
		}
		table = append(table, []string{
			console.Printable(e.Article), console.OneLine(e.Title), "width " + rangeText(e.Width), "depth " + rangeText(e.Depth),
			"height " + rangeText(e.Height) + " " + e.Unit, strings.Join(materials, ", "),
		})
	}
	if k.format.value == verdicts.FormatJSON {
		return lines
	}
	return []byte(console.Aligned(table))
}

// aboutArticle returns a table of all there is to say of one article, with the conditions of its
// constraints.
func aboutArticle(e articleEntry, rules *boxrules.RuleSet) string {
	table := [][]string{
		{"article", console.Printable(e.Article)}, {"title", cmp.Or(console.OneLine(e.Title), "(none)")}, {"unit", e.Unit},
		{"decimals", strconv.Itoa(e.Decimals)},
		{"width", rangeText(e.Width)}, {"depth", rangeText(e.Depth)}, {"height", rangeText(e.Height)},
	}
	for _, rule := range rules.Rules() {
		if slices.Contains(e.Constraints, string(rule.Code)) {
			table = append(table, []string{"constraint", string(rule.Code) + ": " + console.OneLine(rule.When)})
		}
	}
	if len(e.Constraints) == 0 {
		table = append(table, []string{"constraint", "(none)"})
	}
	if e.Blank == nil {
		table = append(table, []string{"blank", "(no formulas: the size is not checked)"})
	} else {
		table = append(table, []string{"blank width", console.OneLine(e.Blank.Width)}, []string{"blank height", console.OneLine(e.Blank.Height)})
	}
	for _, m := range e.Materials {
		table = append(table, []string{"material", materialText(m)})
	}
	return console.Aligned(table)
}

func materialText(m materialEntry) string {
	text := fmt.Sprintf("%s: caliper %s, glue flap %s, sheet %s of %s x %s", console.Printable(m.Material), console.Number(m.Caliper),
		console.Number(m.GlueFlap), console.Printable(m.Sheet.Sheet), console.Number(m.Sheet.Width), console.Number(m.Sheet.Height))
	if m.MinSheets > 0 {
		text += fmt.Sprintf(", at least %s", console.Count(m.MinSheets, "sheet", "sheets"))
	}
	return text
}
