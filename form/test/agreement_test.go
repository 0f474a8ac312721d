package test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
)

var (
	verdictBoxes = flag.Int("form.verdicts", lab.Draws(5_000, 150_000), "how many boxes the verdicts in Go and in JavaScript are compared on")
	insightBoxes = flag.Int("form.insights", lab.Draws(60, 250), "how many boxes ranges, nearest boxes and blame are compared on")
)

// TestVerdictsAgree compares the verdicts in Go and in JavaScript; two thirds of the boxes are on a border. For
// one box in eight it compares all violated rules.
func TestVerdictsAgree(t *testing.T) {
	count := *verdictBoxes
	profiles := boxrules.Default().Profiles()
	var workers sync.WaitGroup
	const at = 2
	for worker := range at {
		m := run(t, boxrules.Default(), `
const verdicts = (article, material, buffer) => {
  const p = exports.profile(article, material);
  const boxes = new Float64Array(buffer);
  const found = [];
  for (let i = 0; i < boxes.length; i += 3) {
    const dims = { width: boxes[i], depth: boxes[i + 1], height: boxes[i + 2] };
    const first = p.check(dims);
    found.push(first.ok ? "" : first.code);
    if (i % 8 == 0) found.push(p.checkAll(dims).map((v) => v.code).join());
  }
  return found;
};`)
		var verdicts func(article, material string, buffer any) []string
		m.function(t, "verdicts", &verdicts)
		workers.Go(func() {
			for i := worker; i < len(profiles); i += at {
				p := profiles[i]
				draw := newDrawer(p, uint64(i))
				dims := make([]boxrules.Dims, count/len(profiles)+1)
				var buffer []byte
				for j := range dims {
					dims[j] = draw.dims()
					for _, x := range dims[j].ByAxis() {
						buffer = binary.NativeEndian.AppendUint64(buffer, math.Float64bits(x))
					}
				}
				got := verdicts(p.Article(), p.Material(), m.runtime.ToValue(m.runtime.NewArrayBuffer(buffer)))
				for j, d := range dims {
					first, all := goVerdicts(t, p, d)
					want := []string{first}
					if j%8 == 0 {
						want = append(want, all)
					}
					if !slices.Equal(got[:len(want)], want) {
						t.Errorf("%s in %s, %+v: %q in JavaScript, %q in Go", p.Article(), p.Material(), d, got[:len(want)], want)
						return
					}
					got = got[len(want):]
				}
			}
		})
	}
	workers.Wait()
}

// goVerdicts are the first code and all codes, separated by commas.
func goVerdicts(t *testing.T, p *boxrules.Profile, d boxrules.Dims) (first, all string) {
	v, err := p.Check(d)
	if err != nil {
		t.Error(err)
	}
	violations, err := p.AppendAll(nil, d)
	if err != nil {
		t.Error(err)
	}
	for i, violation := range violations {
		if i > 0 {
			all += ","
		}
		all += string(violation.Code)
	}
	return string(v.Code()), all
}

// A question is a box, with the step of its nearest one.
type question struct {
	boxrules.Box
	Step float64 `json:"step"`
}

// An insight is what a profile tells of a box, in the form that both languages write it.
type insight struct {
	Ranges  boxrules.Ranges `json:"ranges"`
	Nearest json.RawMessage `json:"nearest"`
	Turned  []boxrules.Turn `json:"turned,omitempty"`
	Suggest json.RawMessage `json:"suggest"`
	Fields  []string        `json:"fields"` // to blame, for the violations of the first stage that fails
	// Borderline is the other verdict: a code, or "valid".
	Borderline string `json:"borderline"`
}

// TestInsightsAgree compares ranges, turned and nearest boxes, what is suggested, and the
// dimensions to blame. No nearest box is unproved.
func TestInsightsAgree(t *testing.T) {
	each := *insightBoxes/len(boxrules.Default().Profiles()) + 1
	in := newJavaScript(t)
	for i, p := range boxrules.Default().Profiles() {
		if i%lab.Draws(2, 1) > 0 {
			continue
		}
		if unproved := insightsAgree(t, in, boxrules.Default(), p, uint64(i), each); unproved > 0 {
			t.Errorf("%s in %s: %d nearest boxes are unproved", p.Article(), p.Material(), unproved)
		}
	}
}

// TestInsightsOfRulesAgree does the same with rules that are drawn, in any two units.
func TestInsightsOfRulesAgree(t *testing.T) {
	files := *insightBoxes / 30
	in := newJavaScript(t)
	unproved, none := 0, 0
	for i := range files {
		f := gen.Wide(rand.New(rand.NewPCG(uint64(i), 7)).IntN)
		units := exact.ConvertibleUnits()
		files := boxtest.Files{
			Rules:  strings.Replace(f.Rules(), "version: 1\n", "version: 1\nunit: "+units[i%4]+"\n", 1),
			Limits: strings.Replace(f.Catalogue(), "unit: mm\n", "unit: "+units[i/4%4]+"\n", 1),
		}
		e, err := files.Engine()
		if err != nil { // converted, the numbers are too large
			e = engineOf(t, f.Rules(), f.Catalogue())
		}
		p := e.Profiles()[0]
		if _, ok, err := p.Nearest(boxrules.Dims{}, 0.001); err != nil {
			t.Fatal(err)
		} else if !ok {
			none++
		}
		unproved += insightsAgree(t, in, e, p, uint64(i), 10)
		v := gen.NewValued(rand.New(rand.NewPCG(uint64(i), 8)).IntN)
		e = engineOf(t, v.Rules(), v.Catalogue())
		unproved += insightsAgree(t, in, e, e.Profiles()[i%6], uint64(i), 10)
	}
	t.Logf("%d files, %d without a valid box, and 10 boxes each, of which %d nearest ones are unproved", files, none, unproved)
	if unproved > files/10 {
		t.Errorf("%d of %d nearest boxes are unproved", unproved, files*10)
	}
}

// insights answers what a profile tells of a box, in JavaScript.
const insights = `
const answer = ({ article, material, width, depth, height, step }) => {
  const p = exports.profile(article, material);
  const dims = { width, depth, height };
  const fields = (p.validate(dims).issues || []).map((issue) => issue.path[0]);
  const proposals = { nearest: p.nearest(dims, step), turned: p.turned(dims), suggest: p.suggest(dims, step) };
  return { ranges: p.ranges(dims), ...proposals, fields, borderline: p.borderline(dims) };
};`

// insightsAgree compares boxes of one profile, and counts the nearest ones that one of the two
// leaves unproved.
func insightsAgree(t *testing.T, in *javaScript, e *boxrules.Engine, p *boxrules.Profile, seed uint64, boxes int) (unproved int) {
	t.Helper()
	answer := in.answers(t, scriptOf(t, e), insights)
	draw := newDrawer(p, seed)
	for range boxes {
		d := draw.dims()
		step := []float64{0.001, 0.1, 0.5, 1, 5, 12.5, 1000}[draw.Draw(7)]
		if draw.Draw(2) == 0 {
			d, step = draw.aside(p)
		}
		var got insight
		answer(question{boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: d}, step}, &got)
		want := goInsight(t, p, d, step)
		if bytes.Contains(got.Nearest, []byte("unproved")) || bytes.Contains(want.Nearest, []byte("unproved")) {
			unproved++
			got.Nearest, want.Nearest, got.Suggest, want.Suggest = nil, nil, nil, nil
		}
		if a, b := text(t, got), text(t, want); a != b {
			t.Errorf("%s in %s, %+v, step %v:\n%s in JavaScript,\n%s in Go", p.Article(), p.Material(), d, step, a, b)
			for _, r := range p.Rules() {
				t.Logf("%s: %s", r.Code, r.When)
			}
			break
		}
	}
	return unproved
}

func goInsight(t *testing.T, p *boxrules.Profile, d boxrules.Dims, step float64) (i insight) {
	var err error
	if i.Ranges, err = p.Ranges(d); err != nil {
		t.Fatal(err)
	}
	reasons, err := p.Reasons(d)
	if err != nil {
		t.Fatal(err)
	}
	i.Fields = []string{}
	for _, r := range reasons {
		if r.Stage == reasons[0].Stage {
			i.Fields = append(i.Fields, cmp.Or(r.Field, "width")) // every message needs a field
		}
	}
	nearest, ok, err := p.Nearest(d, step)
	if err != nil {
		t.Fatal(err)
	}
	if ok || nearest.Unproved || nearest.Borderline {
		i.Nearest = json.RawMessage(text(t, nearest))
	}
	if i.Turned, err = p.Turned(d); err != nil {
		t.Fatal(err)
	}
	if other, ok, err := p.Borderline(d); err != nil {
		t.Fatal(err)
	} else if ok {
		i.Borderline = cmp.Or(string(other.Code()), "valid")
	}
	i.Suggest = i.Nearest
	if len(i.Turned) > 0 {
		i.Suggest = json.RawMessage(text(t, i.Turned[0]))
	}
	return i
}

func text(t *testing.T, x any) string {
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestBoundsHold sets each dimension that is blamed to each bound that its message names: then
// the box is valid. Only a rule about one dimension names its bound whatever else is wrong. Where
// no bound is named there is none.
func TestBoundsHold(t *testing.T) {
	each := lab.Draws(3, 20)
	named := 0
	m := run(t, boxrules.Default(), `
const broken = (article, material, width, depth, height) => {
  const p = exports.profile(article, material);
  const dims = { width, depth, height };
  const wrong = [];
  let named = 0;
  for (const { code, kind, message, params, path: [field] } of p.validate(dims).issues || []) {
    const bounds = [params.min, params.max].filter((bound) => bound !== undefined);
    named += bounds.length;
    const reach = { together: 0, atLeast: 1, atMost: 1, either: 2 }[kind];
    if (bounds.length != reach || !bounds.every((bound) => message.includes(bound))) wrong.push(kind + ": " + message);
    const isProposed = ({ min_borderline, max_borderline, safe_min }) => !min_borderline || !max_borderline || safe_min !== undefined;
    if (kind == "together" && p.ranges(dims)[field].some(isProposed)) wrong.push(message);
    for (const bound of bounds) {
      if (!code.startsWith("BOX_2") && !p.check({ ...dims, [field]: bound }).ok) wrong.push(code + ": " + message);
      if (code.startsWith("BOX_2") && p.checkAll({ ...dims, [field]: bound }).some((v) => v.code == code))
        wrong.push(code + ": " + message);
    }
  }
  return { named, wrong };
};`)
	var broken func(article, material string, width, depth, height float64) struct {
		Named int
		Wrong []string
	}
	m.runtime.SetFieldNameMapper(goja.UncapFieldNameMapper())
	m.function(t, "broken", &broken)
	for i, p := range boxrules.Default().Profiles() {
		draw := newDrawer(p, uint64(i))
		for range each {
			d := draw.dims()
			got := broken(p.Article(), p.Material(), d.Width, d.Depth, d.Height)
			named += got.Named
			if len(got.Wrong) > 0 {
				t.Errorf("%s in %s, %+v: %q", p.Article(), p.Material(), d, got.Wrong)
				break
			}
		}
	}
	t.Logf("%d bounds", named)
	if named < each {
		t.Errorf("%d bounds were named in all, want more", named)
	}
}

// TestOneDimension has rules of several comparisons that are all about one dimension: its bound
// is named, though other rules object whatever it is.
func TestOneDimension(t *testing.T) {
	e := engineOf(t, `version: 1
size:
  - {code: E_0001, when: width == 50, message: m}
  - {code: E_0002, when: depth == 20, message: m}
  - {code: E_0003, when: height > 30 && height > 20, message: m}
  - {code: E_0004, when: width + depth > 60, message: m}
`, `version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 1, max: 100}, depth: {min: 1, max: 100}, height: {min: 1, max: 100}, constraints: []}}
`)
	m := run(t, e, `const kinds = (width, depth, height) =>
  exports.profile("a", "m").validate({ width, depth, height }).issues
    .map(({ code, path, kind, params }) => [code, path[0], kind, params.min, params.max].join(" "));`)
	var kinds func(width, depth, height float64) []string
	m.function(t, "kinds", &kinds)
	want := []string{"E_0001 width either 50.001 49.999", "E_0002 depth either 20.001 19.999", "E_0003 height atMost  30",
		"E_0004 width together  "}
	if got := kinds(50, 20, 40); !slices.Equal(got, want) {
		t.Errorf("issues are %q, want %q", got, want)
	}
}
