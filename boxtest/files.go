package boxtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
)

// Files holds the text of a rule file, and of a limit file that fits its rules.
type Files struct{ Rules, Limits string }

// Engine loads the files and returns the engine that [boxrules.New] makes from them. It returns the errors of
// [boxrules.LoadRules], [limits.Load] and [boxrules.New]. It never returns an error for files that [AnyFiles] has
// drawn.
func (f Files) Engine() (*boxrules.Engine, error) {
	rules, err := boxrules.LoadRules("rules.yaml", []byte(f.Rules))
	if err != nil {
		return nil, err
	}
	catalogue, err := limits.Load("limits.yaml", []byte(f.Limits))
	if err != nil {
		return nil, err
	}
	return boxrules.New(rules, catalogue)
}

// AnyFiles draws rule files whose conditions may have any form that is allowed. For each rule file it draws a limit
// file with two articles in two materials. The rules define their own codes, and not the documented ones. Rules and
// limits often have different units. Use it to test code that shows or translates rules. To test a program for your own
// rules, use [LimitFiles].
func AnyFiles() *rapid.Generator[Files] {
	return rapid.Custom(func(t *rapid.T) Files {
		f := gen.New(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") })
		units := rapid.SampledFrom(exact.ConvertibleUnits())
		rulesUnit, limitsUnit := units.Draw(t, "unit of the rules"), units.Draw(t, "unit of the limits")
		return Files{
			strings.Replace(f.Rules(), "version: 1\n", "version: 1\nunit: "+rulesUnit+"\n", 1),
			strings.Replace(f.Catalogue(), "unit: mm\n", "unit: "+limitsUnit+"\n", 1),
		}
	}).Filter(func(f Files) bool {
		// The engine refuses a file if the numbers of a condition become too large when they are converted to
		// another unit.
		_, err := f.Engine()
		return err == nil
	})
}

// LimitFiles draws limit files for the rules. [limits.Load] reads them, and [boxrules.New] accepts them with the rules.
// They are in the unit of the rules, and have one to three articles in one to three materials. Limits are from 1 to
// 3,000 units, with up to three decimals. Each article selects some of the constraints, and may have the same blank as
// an article in [limits.Illustrative]. The files also contain a number for each user-defined value that the rules
// declare: one for the whole file, one for each material, or one for each article. Many articles have no valid box.
// LimitFiles panics if rules is nil.
func LimitFiles(rules *boxrules.RuleSet) *rapid.Generator[string] {
	var constraints []string
	for _, r := range rules.Rules() {
		if r.Stage == boxrules.Constraint {
			constraints = append(constraints, string(r.Code))
		}
	}
	catalogues := rapid.Custom(func(t *rapid.T) *limits.Catalogue {
		c, err := limits.New("limits.yaml", drawLimitFile(t, rules, constraints))
		if err != nil {
			t.Fatalf("boxtest: %v", err)
		}
		return c
	}).Filter(func(c *limits.Catalogue) bool {
		// Leave out files that New rejects: a selected constraint may need a blank that the article does not
		// have, or divide by a limit that is zero.
		_, err := boxrules.New(rules, c)
		return err == nil
	})
	return rapid.Map(catalogues, func(c *limits.Catalogue) string { return string(c.Append(nil, nil)) })
}

func drawLimitFile(t *rapid.T, rules *boxrules.RuleSet, constraints []string) limits.File {
	f := limits.File{Unit: rules.Unit()}
	if decimals := rapid.IntRange(0, 3).Draw(t, "fewer decimals"); decimals > 0 {
		// rapid shrinks the number to 0, so 0 means the usual file, which does not have the key.
		decimals = 3 - decimals
		f.Decimals = &decimals
	}
	var blanks []*limits.Blank
	for _, a := range limits.Illustrative().Articles() {
		blanks = append(blanks, a.Blank)
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "materials") {
		sheet := limits.Sheet{Code: fmt.Sprintf("sheet-%d", i), Width: drawLength(t), Height: drawLength(t)}
		f.Sheets = append(f.Sheets, sheet)
		f.Materials = append(f.Materials, limits.Material{Code: fmt.Sprintf("material-%d", i),
			Caliper: drawLength(t), GlueFlap: drawLength(t), Sheet: sheet})
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "articles") {
		a := limits.Article{Code: fmt.Sprintf("article-%d", i), Constraints: []string{}}
		for _, r := range []*limits.Range{&a.Width, &a.Depth, &a.Height} {
			*r = drawLimitRange(t)
		}
		for _, code := range constraints {
			// Select only one constraint in ten, because with many of them no box would be valid.
			if rapid.IntRange(0, 9).Draw(t, code) == 9 {
				a.Constraints = append(a.Constraints, code)
			}
		}
		if rapid.Bool().Draw(t, "blank") {
			a.Blank = rapid.SampledFrom(blanks).Draw(t, "formulas")
		}
		f.Articles = append(f.Articles, a)
	}
	for _, v := range rules.Values() {
		drawValue(t, v, &f)
	}
	return f
}

// drawValue adds the user-defined value to the file: one number for the whole file, or one for each
// material or article.
func drawValue(t *rapid.T, v boxrules.DeclaredValue, f *limits.File) {
	give := func(values *limits.Values) {
		if *values == nil {
			*values = make(limits.Values)
		}
		// A number without a unit, such as a ratio, is from 0.25 to 10. A length is drawn like all other
		// lengths.
		x := drawLength(t)
		if v.Kind == boxrules.NumberValue {
			x = limits.DecimalAt(rapid.Int64Range(1, 40).Draw(t, v.Name) * 250)
		}
		(*values)[v.Name] = x
	}
	switch rapid.IntRange(0, 2).Draw(t, "level") {
	case 0:
		give(&f.Values)
	case 1:
		for i := range f.Materials {
			give(&f.Materials[i].Values)
		}
	default:
		for i := range f.Articles {
			give(&f.Articles[i].Values)
		}
	}
}

func drawLimitRange(t *rapid.T) limits.Range {
	r := limits.Range{Min: drawLength(t), Max: drawLength(t)}
	if r.Min.Rat().Cmp(r.Max.Rat()) > 0 {
		r.Min, r.Max = r.Max, r.Min
	}
	return r
}

// drawLength draws a length from 1 to 3,000 units, usually in whole or half units.
func drawLength(t *rapid.T) limits.Decimal {
	whole := rapid.Int64Range(1, 3000).Draw(t, "units")
	rest := rapid.OneOf(rapid.SampledFrom([]int64{0, 500}), rapid.Int64Range(0, 999)).Draw(t, "thousandths")
	return limits.DecimalAt(min(1000*whole+rest, 3_000_000))
}
