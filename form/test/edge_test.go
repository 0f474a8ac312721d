package test

import (
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/limits"
)

// withEdge appends the half-spaces of the trees that have an edge.
func withEdge(trees []exact.Condition, halves []exact.HalfSpace) []exact.HalfSpace {
	for _, tree := range trees {
		if tree.Kind == exact.Half && tree.Edge != (exact.Edge{}) {
			halves = append(halves, tree.Half)
		}
		halves = withEdge(tree.Parts, halves)
	}
	return halves
}

// tie returns a box whose dimensions are multiples of the step and that is on the edge of a half-space of
// the profile: a valid one that is borderline, if it finds one.
func (d *drawer) tie(p *boxrules.Profile, step int64) exact.Point {
	f := p.Exact()
	halves := withEdge(f.Conditions, nil)
	var at exact.Point
	for range 100 {
		for axis := range at {
			low, high := f.Low[axis]/step, f.High[axis]/step
			at[axis] = (low + int64(d.Draw(int(high-low)+1))) * step
		}
		if len(halves) == 0 {
			break
		}
		h := halves[d.Draw(len(halves))]
		axis := d.Draw(exact.Axes)
		if h.A[axis] == 0 {
			continue
		}
		rest := h.K
		for other := range at {
			if other != axis {
				rest -= h.A[other] * at[other]
			}
		}
		x := rest / h.A[axis]
		if rest%(h.A[axis]*step) != 0 || max(x, -x) > exact.MaxGrid {
			continue
		}
		at[axis] = x
		if other, ok, _ := p.Borderline(boxrules.DimsAt(at)); ok && !other.OK() {
			break
		}
	}
	return at
}

// steps are the grids that ties are drawn on: 1, 0.1 and 0.01.
var steps = [...]int64{1000, 100, 10}

// aside returns the box of a tie, most often with one dimension moved or with its dimensions exchanged: from such a box
// a proposal may lead to the tie.
func (d *drawer) aside(p *boxrules.Profile) (boxrules.Dims, float64) {
	step := max(steps[d.Draw(len(steps))], p.Exact().Step)
	at := d.tie(p, step)
	switch axis := d.Draw(exact.Axes); d.Draw(4) {
	case 0:
	case 1:
		at[axis], at[(axis+1)%exact.Axes] = at[(axis+1)%exact.Axes], at[axis]
	default:
		moved := at[axis] + int64(d.Draw(101)-50)*step
		at[axis] = max(min(moved, exact.MaxGrid), -exact.MaxGrid)
	}
	return boxrules.DimsAt(at), exact.Float64At(step)
}

// asWritten is the check in double precision in JavaScript, of the texts of the conditions and
// formulas and of nothing that is generated.
const asWritten = `
const { min, max } = Math;
const functions = {};
const compute = (text, values) => {
  functions[text] = functions[text] || new Function("min", "max", ...Object.keys(values), "return " + text);
  return functions[text](min, max, ...Object.values(values));
};
const firstAsWritten = ({ rules, blank, values }, { width, depth, height }) => {
  const all = { ...values, width, depth, height };
  const sides = blank ? { blank_width: compute(blank[0], all), blank_height: compute(blank[1], all) } : {};
  return rules.find(([, when]) => compute(when, { ...all, ...sides }))?.[0];
};`

// proposals answers with the boxes that are proposed for each box of a request and that the check as
// it is written refuses, and with the numbers of proposals and of ends of ranges that are borderline.
const proposals = asWritten + `
const answer = ({ article, material, texts, boxes }) => {
  const p = exports.profile(article, material);
  const counts = { made: 0, edges: 0 };
  const wrong = [];
  for (const { step, ...dims } of boxes) {
    const propose = (kind, box) => {
      counts.made++;
      const code = firstAsWritten(texts, box);
      if (code) wrong.push([kind, code, JSON.stringify(dims), JSON.stringify(box)].join(" "));
    };
    const verdict = p.check(dims);
    const other = firstAsWritten(texts, dims);
    const borderline = verdict.code == other ? undefined : other || "valid";
    if (p.borderline(dims) != borderline) wrong.push("borderline " + p.borderline(dims) + ", not " + borderline + ": " + JSON.stringify(dims));
    if (!verdict.ok) {
      const near = p.nearest(dims, step);
      if (near && near.changed) propose("nearest", near);
      for (const box of p.turned(dims)) propose("turned", box);
      const best = p.suggest(dims, step);
      if (best && !best.unproved && !best.borderline) propose("suggest", best);
    }
    // Ranges and messages are those of the box on the grid.
    if (Object.values(dims).some((x) => Math.floor(x * 1000 + 0.5) / 1000 != x)) continue;
    const ranges = p.ranges(dims);
    for (const field of ["width", "depth", "height"]) {
      for (const { min, max, min_borderline, max_borderline, safe_min, safe_max } of ranges[field]) {
        for (const [end, isBorderline, safe] of [[min, min_borderline, safe_min], [max, max_borderline, safe_max]]) {
          if (isBorderline) counts.edges++;
          if (!!isBorderline != !!firstAsWritten(texts, { ...dims, [field]: end })) wrong.push("end " + end + " of " + field + ": " + JSON.stringify(dims));
          const proposed = isBorderline ? safe : end;
          if (proposed !== undefined) propose("range", { ...dims, [field]: proposed });
        }
      }
    }
    for (const { path: [field], params, kind } of p.validate(dims).issues || []) {
      // Only one that makes the box valid is proposed: a rule about one dimension names its bound even if other rules object.
      for (const end of [params.min, params.max]) {
        if (end !== undefined && p.check({ ...dims, [field]: end }).ok) propose("message", { ...dims, [field]: end });
      }
    }
  }
  return { ...counts, wrong };
};`

// texts holds what the conditions and formulas of a profile are in its files, and the values of their
// variables: only the dimensions are missing.
type texts struct {
	Rules  [][2]string        `json:"rules"`
	Blank  []string           `json:"blank"`
	Values map[string]float64 `json:"values"`
}

func textsOf(e *boxrules.Engine, p *boxrules.Profile) texts {
	var all texts
	for _, r := range p.Rules() {
		all.Rules = append(all.Rules, [2]string{string(r.Code), strings.Join(strings.Fields(r.When), " ")})
	}
	all.Values = make(map[string]float64)
	addOwn := func(values limits.Values) {
		for name, x := range values {
			all.Values[name] = x.Float64()
		}
	}
	addOwn(e.Catalogue().Values())
	for _, a := range e.Catalogue().Articles() {
		if a.Code != p.Article() {
			continue
		}
		if a.Blank != nil {
			all.Blank = []string{a.Blank.Width.Text, a.Blank.Height.Text}
		}
		addOwn(a.Values)
		all.Values["min_width"], all.Values["max_width"] = a.Width.Min.Float64(), a.Width.Max.Float64()
		all.Values["min_depth"], all.Values["max_depth"] = a.Depth.Min.Float64(), a.Depth.Max.Float64()
		all.Values["min_height"], all.Values["max_height"] = a.Height.Min.Float64(), a.Height.Max.Float64()
	}
	for _, m := range e.Catalogue().Materials() {
		if m.Code == p.Material() {
			addOwn(m.Values)
			all.Values["caliper"], all.Values["glue_flap"] = m.Caliper.Float64(), m.GlueFlap.Float64()
			all.Values["sheet_width"], all.Values["sheet_height"] = m.Sheet.Width.Float64(), m.Sheet.Height.Float64()
		}
	}
	return all
}

// A stepped is a box with the step of its proposals.
type stepped struct {
	boxrules.Dims
	Step float64 `json:"step"`
}

// TestProposalsAreOffTheEdge: on no box that is proposed, and at no bound that a message names, is the verdict
// in double precision another than the exact one.
func TestProposalsAreOffTheEdge(t *testing.T) {
	e := boxrules.Default()
	module := scriptOf(t, e)
	in := newJavaScript(t)
	made, edges := 0, 0
	for i, p := range e.Profiles() {
		if i%lab.Draws(3, 1) > 0 {
			continue
		}
		answer := in.answers(t, module, proposals)
		draw := newDrawer(p, uint64(i))
		var boxes []stepped
		for range lab.Draws(4, 40) {
			d, step := draw.aside(p)
			boxes = append(boxes, stepped{d, step})
			// 48.0004 is rounded to the grid, but not in double precision.
			if draw.Draw(10) == 0 {
				d.Width, d.Depth = d.Width+0.0004, d.Depth-0.0003
				boxes = append(boxes, stepped{d, step})
			}
		}
		var got struct {
			Made, Edges int
			Wrong       []string
		}
		answer(map[string]any{"article": p.Article(), "material": p.Material(), "texts": textsOf(e, p), "boxes": boxes}, &got)
		for _, wrong := range got.Wrong[:min(len(got.Wrong), 3)] {
			t.Errorf("%s in %s: %s", p.Article(), p.Material(), wrong)
		}
		made += got.Made
		edges += got.Edges
	}
	t.Logf("%d proposals; %d ends of ranges are borderline", made, edges)
	if edges < lab.Draws(3, 30) {
		t.Errorf("only %d ends of ranges are borderline", edges)
	}
}

// TestLongLimits: a module that rounds limits to the decimals of a dimension still computes with the
// limits as they are written. 0.56 * 112.5 is 63, and in float64 a little more.
func TestLongLimits(t *testing.T) {
	e := engineOf(t, `version: 1
size:
  - {code: E_0001, when: depth >= 0.56 * max_width, message: m}
`, `version: 1
unit: mm
decimals: 0
sheets: {s: {width: 1000, height: 700}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles: {a: {width: {min: 1, max: 112.5}, depth: {min: 1, max: 100}, height: {min: 1, max: 100}, constraints: []}}
`)
	other, ok, err := e.Profiles()[0].Borderline(boxrules.Dims{Width: 50, Depth: 63, Height: 50})
	if err != nil || !ok || !other.OK() {
		t.Fatalf("Borderline is %v, %v, %v", other, ok, err)
	}
	m := run(t, e, `const other = (depth) => exports.profile("a", "m").borderline({ width: 50, depth, height: 50 }) || "";`)
	var inJavaScript func(depth float64) string
	m.function(t, "other", &inJavaScript)
	for depth, want := range map[float64]string{62: "", 63: "valid", 64: ""} {
		if got := inJavaScript(depth); got != want {
			t.Errorf("depth %v: %q in JavaScript, want %q", depth, got, want)
		}
	}
}

// TestOwnValues: formulas in double precision use the values of the shop at all three levels, even if one of
// them has the name of a reserved word. 0.56 * 112.5 is 63, and in float64 a little more.
func TestOwnValues(t *testing.T) {
	e := engineOf(t, `version: 1
size:
  - {code: E_0001, when: blank_width > sheet_width, message: m}
`, `version: 1
unit: mm
values: {class: 0.56, unused: 3}
sheets: {s: {width: 63, height: 700}}
materials:
  m: {caliper: 1, glue_flap: 1, sheet: s, values: {new: 112.5}}
  n: {caliper: 1, glue_flap: 1, sheet: s, values: {new: 112}}
articles:
  a:
    width: {min: 1, max: 100}
    depth: {min: 1, max: 100}
    height: {min: 1, max: 100}
    constraints: []
    values: {min_this: 10}
    blank: {width: class * new + (width - min_this), height: height}
  b:
    materials: [m]
    width: {min: 1, max: 100}
    depth: {min: 1, max: 100}
    height: {min: 1, max: 100}
    constraints: []
    blank: {width: width, height: height}
`)
	m := run(t, e, `const other = (material) => exports.profile("a", material).borderline({ width: 10, depth: 50, height: 50 }) || "";`)
	var inJavaScript func(material string) string
	m.function(t, "other", &inJavaScript)
	for material, want := range map[string]string{"m": "E_0001", "n": ""} {
		p, err := e.Profile("a", material)
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := p.Borderline(boxrules.Dims{Width: 10, Depth: 50, Height: 50})
		if got := inJavaScript(material); err != nil || got != want || string(other.Code()) != want {
			t.Errorf("%s: %q in JavaScript, %v and %v in Go, want %q", material, got, other, err, want)
		}
	}
}
