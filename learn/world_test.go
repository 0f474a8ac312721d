package learn_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// A world lists what limits and sheets there are in a domain.
type world struct {
	*gen.Domain
	finest int64      // of a dimension that is asked, in thousandths
	taken  int64      // of one that is learned from
	pairs  [][2]int64 // all minimums with all their maximums, in steps
	sizes  [][2]int64 // all sizes of a sheet, in steps, the longer side first

	rules *boxrules.RuleSet
	frame *limits.Catalogue
}

// worldOf has the module read a domain.
func worldOf(t rapid.TB, d *gen.Domain) *world {
	w := &world{Domain: d, finest: []int64{1000, 100, 10, 1}[d.Decimals]}
	w.taken = []int64{1000, 100, 1, 1}[d.Decimals] // 2 is not written down
	for low := int64(1); low <= w.LimitValues; low++ {
		for high := low; high <= w.LimitValues; high++ {
			w.pairs = append(w.pairs, [2]int64{low, high})
		}
	}
	for long := int64(1); long <= w.MaxSide; long++ {
		for short := int64(1); short <= long; short++ {
			w.sizes = append(w.sizes, [2]int64{long, short})
		}
	}
	var err error
	if w.rules, err = boxrules.LoadRules("rules.yaml", []byte(d.Rules())); err != nil {
		t.Fatal(err)
	}
	if w.frame, err = limits.LoadFrame("frame.yaml", []byte(d.Frame())); err != nil {
		t.Fatal(err)
	}
	t.Log(d.Rules() + d.Frame())
	return w
}

func drawWorld(t *rapid.T) *world { return worldOf(t, gen.NewDomain(draw.Choices(t))) }

func (w *world) constraint(i int) boxrules.Code { return boxrules.Code(w.Constraint(i)) }

func (w *world) options() learn.Options {
	return learn.Options{Step: exact.Float64At(w.Step), Max: w.Max}
}

func (w *world) box(a, m int, at exact.Point) boxrules.Box {
	return boxrules.Box{Article: w.Articles[a].Code, Material: w.Materials[m].Code, Dims: boxrules.DimsAt(at)}
}

// borderline reports whether double precision, with the texts as they are written, decides a condition or
// the size of a box's blank otherwise than the domain does.
func (w *world) borderline(a, m int, at exact.Point) bool {
	size := w.SizeOf(a, m, at)
	values := map[string]float64{"width": exact.Float64At(at[0]), "depth": exact.Float64At(at[1]), "height": exact.Float64At(at[2]),
		"caliper": exact.Float64At(size.Caliper), "glue_flap": exact.Float64At(size.Glue),
		"crease": exact.Float64At(size.Crease), "max_ratio": float64(size.Ratio)}
	value := func(name string) float64 { return values[name] }
	if blank := w.Articles[a].Blank; blank != nil {
		for name, side := range map[string]struct {
			text  string
			exact int64
		}{"blank_width": {blank.Width, size.BlankWidth}, "blank_height": {blank.Height, size.BlankHeight}} {
			formula, problems := expression.Formula(side.text)
			if problems != nil {
				panic(problems)
			}
			values[name] = formula.ValueInFloat64(value)
			up := exact.CeilDiv(side.exact, 12*w.Step) * w.Step
			if values[name] > exact.Float64At(up) || values[name] <= exact.Float64At(up-w.Step) {
				return true
			}
		}
	}
	return slices.ContainsFunc(w.Conditions, func(c gen.Meant) bool {
		condition, problems := expression.ConditionWith(expression.Degrees{"crease": expression.Length, "max_ratio": expression.Plain}, c.When)
		if problems != nil {
			panic(problems)
		}
		needsBlank := strings.Contains(c.When, "blank")
		lacksValue := strings.Contains(c.When, "max_ratio") && w.Articles[a].Ratio == 0
		return !lacksValue && (!needsBlank || w.Articles[a].Blank != nil) && condition.HoldsInFloat64(exact.Ratio{Num: 1, Den: 1}, value) != c.Holds(size)
	})
}

// code returns the answer of a limit file.
func (w *world) code(f *gen.DomainFile, a, m int, at exact.Point) boxrules.Code {
	return boxrules.Code(w.Code(f, a, m, at))
}
