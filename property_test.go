package boxrules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// drawProfile draws an article in a material of the engine.
func drawProfile(t *rapid.T, e *boxrules.Engine) *boxrules.Profile {
	byName := make(map[string]*boxrules.Profile)
	var names []string
	for _, p := range e.Profiles() {
		name := p.Article() + " in " + p.Material()
		names, byName[name] = append(names, name), p
	}
	return byName[rapid.SampledFrom(names).Draw(t, "profile")]
}

// drawBoxes draws dimensions, most of them on the border of a rule of the profile.
func drawBoxes(t *rapid.T, p *boxrules.Profile) []boxrules.Dims {
	return rapid.SliceOfN(rapid.Map(draw.Points(p.Exact()), boxrules.DimsAt), 1, 20).Draw(t, "boxes")
}

// withNeighbors adds the boxes that are a thousandth away along an axis.
func withNeighbors(drawn []boxrules.Dims) (boxes []boxrules.Dims) {
	for _, d := range drawn {
		at, _ := d.Grid()
		for _, at := range draw.Around(at, 1) {
			boxes = append(boxes, boxrules.DimsAt(at))
		}
	}
	return boxes
}

func codesOf(violations []boxrules.Violation) (codes []string) {
	for _, v := range violations {
		codes = append(codes, string(v.Code))
	}
	return codes
}

// TestOrder: the stages are checked in their order, and the rules of a stage in the order of the rule
// file, not in the order in which an article selects them. Check stops at the first violation, and
// CheckAll lists all.
func TestOrder(t *testing.T) {
	tb := t
	file := profiles.Codes(boxrules.DefaultRules().Rules())
	rapid.Check(t, func(t *rapid.T) {
		selected := rapid.SliceOfDistinct(rapid.SampledFrom(oracle.Constraints), rapid.ID).Draw(t, "constraints")
		article := articleOf("a", "min: 1, max: 1000", strings.Join(selected, ", "))
		article = strings.Replace(article, "}\n", ", blank: {width: width + depth, height: height}}\n", 1)
		p := profileOf(tb, engineOf(tb, "", article), "a")
		for _, d := range withNeighbors(drawBoxes(t, p)) {
			at, _ := d.Grid()
			byStage := make(map[boxrules.Stage][]string) // the violated rules, each decided alone
			for i, r := range p.Rules() {
				if p.Exact().Conditions[i].Holds(at) {
					byStage[r.Stage] = append(byStage[r.Stage], string(r.Code))
				}
			}
			var want []string
			var first boxrules.Stage
			for _, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
				slices.SortFunc(byStage[stage], func(a, b string) int { return slices.Index(file, a) - slices.Index(file, b) })
				want = append(want, byStage[stage]...)
				if len(want) > 0 && first == 0 {
					first = stage
				}
			}
			verdict, all := must(p.Check(d)), must(p.CheckAll(d))
			if verdict.Stage() != first {
				t.Fatalf("Check(%+v) = %v of stage %v, want the stage %v", d, verdict, verdict.Stage(), first)
			}
			if got := codesOf(all); !slices.Equal(got, want) {
				t.Fatalf("CheckAll(%+v) = %v, want %v", d, got, want)
			}
			if verdict.OK() != (len(all) == 0) || len(all) > 0 && verdict.Code() != all[0].Code {
				t.Fatalf("Check(%+v) = %v, and CheckAll lists %v", d, verdict, all)
			}
		}
	})
}

// TestExact: the verdicts are those of package oracle, which has the documented conditions written by
// hand and computes in exact fractions.
func TestExact(t *testing.T) {
	engine := boxrules.Default()
	catalogue := engine.Catalogue()
	rapid.Check(t, func(t *rapid.T) {
		p := drawProfile(t, engine)
		articles, materials := catalogue.Articles(), catalogue.Materials()
		article := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })]
		material := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == p.Material() })]
		exactly := oracle.New(article, material, oracle.Blanks[article.Code])
		for _, d := range withNeighbors(drawBoxes(t, p)) {
			want := exactly.All(oracle.Grid(d.Width), oracle.Grid(d.Depth), oracle.Grid(d.Height))
			if got := codesOf(must(p.CheckAll(d))); !slices.Equal(got, want) {
				t.Fatalf("CheckAll(%+v) = %v, want %v", d, got, want)
			}
			first := ""
			if len(want) > 0 {
				first = want[0]
			}
			if got := must(engine.Check(boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d})); string(got.Code()) != first {
				t.Fatalf("Check(%+v) = %v, want %q", d, got, first)
			}
		}
	})
}

// TestImmutable: an engine's answers stay the same if a caller changes what was passed to it or returned
// by it, also during concurrent use.
func TestImmutable(t *testing.T) {
	ruleText, limitText := must(os.ReadFile("rules/box_rules.yaml")), limits.IllustrativeYAML()
	engine := must(boxrules.New(must(boxrules.LoadRules("rules.yaml", ruleText)), must(limits.Load("limits.yaml", limitText))))
	clear(ruleText)
	clear(limitText)
	untouched := boxrules.Default()
	example := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	before := must(json.Marshal(answers(untouched, example)))
	rapid.Check(t, func(t *rapid.T) {
		p := drawProfile(t, untouched)
		boxes := drawBoxes(t, p)
		problems := make([]string, len(boxes))
		var group sync.WaitGroup
		for i, d := range boxes {
			box := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}
			group.Go(func() {
				for range 2 { // the second time after the answers to the first were overwritten
					got := answers(engine, box)
					for what, want := range answers(untouched, box) {
						if got, want := must(json.Marshal(got[what])), must(json.Marshal(want)); string(got) != string(want) {
							problems[i] = fmt.Sprintf("%s of %+v = %s, want %s", what, box, got, want)
						}
						overwrite(reflect.ValueOf(got[what]))
					}
				}
			})
		}
		group.Wait()
		for _, problem := range problems {
			if problem != "" {
				t.Fatal(problem)
			}
		}
		// What both engines share would be overwritten for both.
		if after := must(json.Marshal(answers(untouched, example))); string(after) != string(before) {
			t.Fatalf("%+v: %s\nbefore that %s", example, after, before)
		}
	})
}

// answers returns everything that an engine says about a box and about itself, by method.
func answers(e *boxrules.Engine, b boxrules.Box) map[string]any {
	p := must(e.Profile(b.Article, b.Material))
	var codes []string
	profiles := e.Profiles()
	for _, p := range profiles {
		codes = append(codes, p.Article(), p.Material())
	}
	clear(profiles)
	return map[string]any{
		"Check": must(e.Check(b)), "CheckAll": must(e.CheckAll(b)), "Explain": must(e.Explain(b, 1)), "Turned": must(p.Turned(b.Dims)),
		"Offers": must(e.Offers(b.Dims)), "Profile.Rules": p.Rules(), "RuleSet.Rules": e.Rules().Rules(), "Profiles": codes,
		"Articles": e.Catalogue().Articles(), "Materials": e.Catalogue().Materials(), "Sheets": e.Catalogue().Sheets(),
	}
}

// overwrite sets all that can be reached from a value through slices, maps and pointers to zero,
// except in a Suggestion, whose documentation says that it shares a slice.
func overwrite(v reflect.Value) {
	if !v.IsValid() || v.Type() == reflect.TypeFor[boxrules.Suggestion]() {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		v.Clear()
	case reflect.Pointer:
		overwrite(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				overwrite(v.Field(i))
			}
		}
	}
}
