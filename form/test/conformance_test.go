package test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab"
)

// TestConformance runs the cases of the conformance suite with a module generated from their
// rules and limits. Without CI they are some 20 of each file; the tests of the npm package run
// all of the illustrative limits in Node.
func TestConformance(t *testing.T) {
	files, err := conformance.Read("../../conformance/cases")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, f := range files {
		t.Run(f.Name, func(t *testing.T) {
			engine := boxrules.Default()
			if len(f.Cases) > 0 {
				rules, catalogue, err := f.Load("../..")
				if err != nil {
					t.Fatal(err)
				}
				if engine, err = boxrules.New(rules, catalogue); err != nil {
					t.Fatal(err)
				}
			}
			m := run(t, engine, `
const made = {};
let bounds;
const boundsOfLast = () => bounds;
const profile = (article, material) => (made[article + "\n" + material] ??= exports.profile(article, material));
const field = (f) => { try { f(); return ""; } catch (e) { if (!(e instanceof exports.InputError)) throw e; return e.field; } };
const codes = (article, material, width, depth, height) => {
  const dims = { width, depth, height };
  let first, all, p;
  const failed = field(() => { p = profile(article, material); first = p.check(dims); all = p.checkAll(dims); });
  if (failed) {
    const same = !p || [field(() => p.checkAll(dims)), field(() => p.ranges(dims)), field(() => p.nearest(dims))].every((f) => f == failed);
    return ["error", same ? failed : "not the same everywhere"];
  }
  if (first.ok != !all.length || first.code != all[0]?.code || first.stage != all[0]?.stage) return ["error", "check and checkAll differ"];
  const { value, issues } = p.validate(dims);
  if (first.ok ? issues || !value : issues[0].code != first.code) return ["error", "check and validate differ"];
  bounds = JSON.stringify((issues ?? []).map(({ path, params: { min, max } }) => ({ field: path[0], min, max })));
  return ["verdict", ...all.map((v) => v.code)];
};
const parse = (text) => exports.parse(text);`)
			var codes func(article, material string, width, depth, height float64) []string
			m.function(t, "codes", &codes)
			var boundsOfLast func() string
			m.function(t, "boundsOfLast", &boundsOfLast)
			var parse func(string) float64
			m.function(t, "parse", &parse)
			for i, c := range f.Cases {
				if i%(len(f.Cases)/lab.Draws(7, 250)+1) > 0 {
					continue
				}
				want := []string{"error"}
				if c.Error != nil {
					want = append(want, c.Error.Field)
				} else {
					want = append([]string{"verdict"}, c.Codes...)
				}
				got := codes(c.Article, c.Material, float64(c.Width), float64(c.Depth), float64(c.Height))
				if !slices.Equal(got, want) {
					t.Errorf("case %d: %+v: %q, want %q", i+1, c.Box(), got, want)
				}
				if c.Verdict != nil && c.Bounds != nil {
					wantBounds, err := json.Marshal(c.Bounds)
					if err != nil {
						t.Fatal(err)
					}
					if got := boundsOfLast(); got != string(wantBounds) {
						t.Errorf("case %d: %+v: bounds %s, want %s", i+1, c.Box(), got, wantBounds)
					}
				}
				ran++
			}
			for i, text := range f.Texts {
				got := parse(text.Text)
				if text.Error == nil && got != float64(*text.Number) || text.Error != nil && math.Abs(got) <= 1e6 {
					t.Errorf("text %d: %q is %v, want %v, error %v", i+1, text.Text, got, text.Number, text.Error)
				}
				ran++
			}
		})
	}
	t.Logf("%d cases", ran)
}
