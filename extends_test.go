package boxrules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/internal/oracle"
	"example.com/boxrules/limits"
)

// TestExtends: each stage of a rule file that extends the documented rules comes after that stage of theirs.
func TestExtends(t *testing.T) {
	const added = `extends: documented
size: [{code: SHOP_0004, when: blank_width > 500, message: m}]
constraint: [{code: SHOP_0002, when: height > 3 * width, message: m}, {code: SHOP_0003, when: height > 2 * width, message: m}]
boundary: [{code: SHOP_0001, when: width > 300, message: m}]
`
	const blank = "{width: width + depth, height: height}}\n"
	const ranges = "min: 10, max: 400"
	engine := engineOf(t, added, articleOf("plain", ranges, "")+
		strings.Replace(articleOf("a", ranges, "SHOP_0003, BOX_3100, SHOP_0002"), "}\n", ", blank: "+blank, 1))
	want := strings.Replace(strings.Replace(strings.Join(codesOf(boxrules.DefaultRules().Rules()), " "),
		"BOX_2105", "BOX_2105 SHOP_0001", 1), "BOX_4100", "SHOP_0002 SHOP_0003 BOX_4100 SHOP_0004", 1)
	if got := strings.Join(codesOf(engine.Rules().Rules()), " "); got != want {
		t.Errorf("the rules are %s, want %s", got, want)
	}
	if rules := engine.Rules(); !rules.Extends() || rules.Unit() != "mm" || rules.Name() != "rules.yaml" || boxrules.DefaultRules().Extends() {
		t.Errorf("Extends() = %v, unit %s, name %s; of the documented rules %v", rules.Extends(), rules.Unit(), rules.Name(),
			boxrules.DefaultRules().Extends())
	}
	for _, test := range []struct {
		article              string
		width, depth, height float64
		want                 string
	}{
		{"a", 100, 100, 100, ""},
		{"a", 100, 90, 201, "SHOP_0003"},
		{"a", 100, 90, 301, "SHOP_0002 SHOP_0003"},
		{"a", 100, 110, 301, "BOX_3100 SHOP_0002 SHOP_0003"},
		{"a", 301, 301, 300, "SHOP_0001 SHOP_0004"},
		{"a", 401, 401, 5, "BOX_2101 BOX_2103 BOX_2104 SHOP_0001 SHOP_0004"},
		{"a", 301, 400, 1000, "BOX_2105 SHOP_0001 BOX_3100 SHOP_0002 SHOP_0003 BOX_4100 SHOP_0004"},
		{"plain", 100, 110, 301, ""},
		{"plain", 301, 10, 10, "SHOP_0001"},
		{"plain", -5, 10, 10, "BOX_2100"},
	} {
		all, err := engine.CheckAll(boxrules.Box{Article: test.article, Material: "m",
			Dims: boxrules.Dims{Width: test.width, Depth: test.depth, Height: test.height}})
		var codes []string
		for _, v := range all {
			codes = append(codes, string(v.Code))
		}
		if got := strings.Join(codes, " "); err != nil || got != test.want {
			t.Errorf("CheckAll of %+v = %s, %v, want %s", test, got, err, test.want)
		}
	}
}

// TestExtendsRandom has random rules on top of the documented ones. What a box violates is what it violates of the
// documented rules and of the others alone, stage by stage.
func TestExtendsRandom(t *testing.T) {
	violations := 0
	rapid.Check(t, func(t *rapid.T) {
		f := newRuleFile(t)
		text := f.rulesText()
		added := must(boxrules.LoadRules("rules.yaml", []byte(text)))
		extended := must(boxrules.LoadRules("rules.yaml", []byte("extends: documented\n"+text)))
		documented := rapid.SliceOfDistinct(rapid.SampledFrom(oracle.Constraints), rapid.ID[string]).Draw(t, "documented")
		engine := func(rules *boxrules.RuleSet, selected func(own []string) []string) *boxrules.Engine {
			g := *f
			g.profiles = slices.Clone(f.profiles)
			for i, p := range f.profiles {
				g.profiles[i].selected = selected(p.selected)
			}
			return must(boxrules.New(rules, must(limits.Load("limits.yaml", []byte(g.limitsText())))))
		}
		parts := []*boxrules.Engine{
			engine(boxrules.DefaultRules(), func([]string) []string { return documented }),
			engine(added, func(own []string) []string { return own }),
		}
		both := engine(extended, func(own []string) []string {
			return rapid.Permutation(slices.Concat(own, documented)).Draw(t, "order")
		})
		source := &boxSource{rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "boxes"), 0))}
		for i, p := range f.profiles {
			article, material := p.name()
			for range 8 {
				tested, _ := f.near(source, i)
				for _, point := range tested {
					box := boxrules.Box{Article: article, Material: material, Dims: dimsAt(point)}
					var want []boxrules.Violation
					for _, part := range parts {
						want = append(want, must(part.CheckAll(box))...)
					}
					slices.SortStableFunc(want, func(a, b boxrules.Violation) int { return int(a.Stage) - int(b.Stage) })
					got := must(both.CheckAll(box))
					if first := must(both.Check(box)); !slices.Equal(got, want) || len(want) > 0 && first.Code() != want[0].Code {
						t.Fatalf("%+v: Check = %v, all %v, want %v\n%s\n%s", box, first, got, want, text, f.limitsText())
					}
					violations += len(want)
				}
			}
		}
	})
	if t.Logf("%d violations", violations); !t.Failed() && violations == 0 {
		t.Error("no box violates anything")
	}
}
