package fuzz

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// A double says what double precision makes of a profile: expr's own machine runs the texts of its
// conditions and formulas. It shares nothing with the engine, which has its own use of expr.
type double struct {
	*boxrules.Profile
	rules         []boxrules.Rule
	conditions    []*vm.Program
	width, height *vm.Program        // of the blank, nil without one
	env           map[string]float64 // what no dimension changes
	machine       vm.VM
	byHand        *oracle.Float64 // nil for articles that are not shipped
	// safe has for each rule the boxes that keep it, whichever way it is computed.
	safe []exact.Region
}

// doubleOf returns the double of an article in a material of the engine.
func doubleOf(e *boxrules.Engine, p *boxrules.Profile) *double {
	articles, materials := e.Catalogue().Articles(), e.Catalogue().Materials()
	a := articles[slices.IndexFunc(articles, func(a limits.Article) bool { return a.Code == p.Article() })]
	m := materials[slices.IndexFunc(materials, func(m limits.Material) bool { return m.Code == p.Material() })]
	x := &double{Profile: p, rules: p.Rules(), env: map[string]float64{
		"min_width": a.Width.Min.Float64(), "max_width": a.Width.Max.Float64(), "min_depth": a.Depth.Min.Float64(),
		"max_depth": a.Depth.Max.Float64(), "min_height": a.Height.Min.Float64(), "max_height": a.Height.Max.Float64(),
		"caliper": m.Caliper.Float64(), "glue_flap": m.GlueFlap.Float64(),
		"sheet_width": m.Sheet.Width.Float64(), "sheet_height": m.Sheet.Height.Float64(),
		"width": 0, "depth": 0, "height": 0, "blank_width": 0, "blank_height": 0,
	}}
	for _, values := range []limits.Values{e.Catalogue().Values(), a.Values, m.Values} {
		for name, value := range values {
			x.env[name] = value.Float64()
		}
	}
	compile := func(text string, result expr.Option) *vm.Program {
		return must(expr.Compile(text, expr.Env(x.env), result, expr.Optimize(false), expr.Patch(toFloats{})))
	}
	for i, r := range x.rules {
		x.conditions = append(x.conditions, compile(r.When, expr.AsBool()))
		x.safe = append(x.safe, exact.Not(p.Exact().Conditions[i].WithEdge()))
	}
	if a.Blank != nil {
		x.width, x.height = compile(a.Blank.Width.Text, expr.AsFloat64()), compile(a.Blank.Height.Text, expr.AsFloat64())
	}
	if oracle.BlanksFloat64[a.Code] != nil && e == boxrules.Default() {
		x.byHand = oracle.NewFloat64(a, m)
	}
	return x
}

// code returns what double precision reports for a box, "" if it is valid. ok is false if expr and Go by
// hand differ.
func (x *double) code(d boxrules.Dims) (code boxrules.Code, ok bool) {
	x.env["width"], x.env["depth"], x.env["height"] = d.Width, d.Depth, d.Height
	if x.width != nil {
		x.env["blank_width"] = must(x.machine.Run(x.width, x.env)).(float64)
		x.env["blank_height"] = must(x.machine.Run(x.height, x.env)).(float64)
	}
	for i, condition := range x.conditions {
		if must(x.machine.Run(condition, x.env)).(bool) {
			code = x.rules[i].Code
			break
		}
	}
	return code, x.byHand == nil || x.byHand.First(d.Width, d.Depth, d.Height) == string(code)
}

// isSafe reports whether a box keeps every rule, whichever way it is computed.
func (x *double) isSafe(at exact.Point) bool {
	for _, kept := range x.safe {
		if !kept.Contains(at) {
			return false
		}
	}
	return true
}

// shipped has the doubles of the shipped profiles. One goroutine at a time may use them.
func shipped() (all []*double) {
	for _, p := range boxrules.Default().Profiles() {
		all = append(all, doubleOf(boxrules.Default(), p))
	}
	return all
}

// compare compares the engine's answers about a box with double precision.
func (x *double) compare(t rapid.TB, d boxrules.Dims) (borderline bool) {
	want, agree := x.code(d)
	if !agree {
		t.Fatalf("%s in %s, %s: expr's machine says %q, Go by hand %q", x.Article(), x.Material(), exactly(d), want, x.byHand.First(d.Width, d.Depth, d.Height))
	}
	v := must(x.Check(d))
	other, ok, err := x.Borderline(d)
	if err != nil || ok != (want != v.Code()) || ok && other.Code() != want {
		t.Fatalf("%s in %s, %s: %v, Borderline = %v, %v, %v, and double precision says %q", x.Article(), x.Material(), exactly(d), v, other, ok, err, want)
	}
	return ok
}

// grids are those of the boxes that people enter, in thousandths.
var grids = []int64{1000, 100, 10, 1}

// tie draws a box on the grid. One of its dimensions is chosen so that the box is on one of the faces, or
// some thousandths beside it.
func tie(draw gen.Draw, form exact.Form, faces []exact.HalfSpace, grid int64) (p exact.Point) {
	for axis := range p {
		low, high := form.Low[axis]/grid, form.High[axis]/grid
		p[axis] = grid * (low + int64(draw(int(high-low)+1)))
	}
	face, axis := faces[draw(len(faces))], draw(exact.Axes)
	if face.A[axis] == 0 {
		return p
	}
	a, rest := face.A[axis], face.K
	for i := range p {
		if i != axis {
			rest -= face.A[i] * p[i]
		}
	}
	if a < 0 {
		a, rest = -a, -rest
	}
	p[axis] = exact.FloorDiv(rest, a) + []int64{0, 0, 0, 0, 0, 0, 1, -1, 2, -2}[draw(10)]
	p[axis] = min(max(p[axis], -exact.MaxGrid), exact.MaxGrid)
	return p
}

// TestBorderline compares Borderline, in all shipped profiles, with expr's machine and with float64
// arithmetic written by hand. Most boxes are on a tie, and some have more decimals than the grid.
func TestBorderline(t *testing.T) {
	all, boxes, borderline := shipped(), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SampledFrom(all).Draw(t, "profile")
		form := x.Exact()
		faces := gen.Faces(form.Conditions...)
		for range 100 {
			d := boxrules.DimsAt(tie(draw.Choices(t), form, faces, rapid.SampledFrom(grids).Draw(t, "grid")))
			for _, side := range []*float64{&d.Width, &d.Depth, &d.Height} {
				if rapid.IntRange(0, 9).Draw(t, "decimals") == 9 {
					*side += rapid.Float64Range(-0.0004, 0.0004).Draw(t, "off")
				}
			}
			boxes++
			if x.compare(t, d) {
				borderline++
			}
		}
	})
	t.Logf("%d boxes, %d borderline", boxes, borderline)
}

var edgeTies = flag.Int("edge.ties", lab.Draws(20, 80), "ties of each rule in each profile on each grid that TestEdges looks at")

// An edgeCount counts boxes on ties of a rule, and what is proposed beside them.
type edgeCount struct{ ties, borderline, proposals, moved int }

func (c *edgeCount) add(d edgeCount) {
	c.ties, c.borderline, c.proposals, c.moved = c.ties+d.ties, c.borderline+d.borderline, c.proposals+d.proposals, c.moved+d.moved
}

// TestEdges draws boxes on ties of each rule that rounds, on grids of 1, 0.1 and 0.01 mm, and checks
// what is proposed for a box beside each. The boxes are the same in every run. It prints the table
// of docs/evidence.md.
func TestEdges(t *testing.T) {
	counts := make(map[boxrules.Code]*[3]edgeCount)
	var total [3]edgeCount
	for _, x := range shipped() {
		draw := rand.New(rand.NewPCG(uint64(len(counts)), 32)).IntN
		for rule, condition := range x.Exact().Conditions {
			if !condition.HasEdge() {
				continue
			}
			code := x.rules[rule].Code
			if counts[code] == nil {
				counts[code] = new([3]edgeCount)
			}
			for g, grid := range grids[:3] {
				c := x.ties(t, draw, condition, code, grid)
				counts[code][g].add(c)
				total[g].add(c)
			}
		}
	}
	t.Log("| Rule | 1 mm: ties | borderline | 0.1 mm: ties | borderline | 0.01 mm: ties | borderline |")
	t.Log("|---|--:|--:|--:|--:|--:|--:|")
	row := func(name string, c [3]edgeCount) {
		t.Logf("| %s | %d | %d | %d | %d | %d | %d |", name,
			c[0].ties, c[0].borderline, c[1].ties, c[1].borderline, c[2].ties, c[2].borderline)
	}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		row(string(code), *counts[code])
	}
	row("all", total)
	var sum edgeCount
	for _, c := range total {
		sum.add(c)
	}
	t.Logf("%d proposals, none of them borderline; %d ends of ranges are borderline", sum.proposals, sum.moved)
	if sum.borderline < 10 || sum.moved < 10 {
		t.Errorf("%+v: the boxes miss the edges", sum)
	}
}

// ties draws ties of a rule.
func (x *double) ties(t *testing.T, draw gen.Draw, condition exact.Condition, code boxrules.Code, grid int64) (c edgeCount) {
	form := x.Exact()
	faces := gen.Faces(condition)
	for tries := 0; c.ties < *edgeTies && tries < 200**edgeTies; tries++ {
		p := tie(draw, form, faces, grid)
		if !condition.OnEdge(p) || !slices.Equal(clamped(form, p, grid), p[:]) {
			continue
		}
		// The verdict has to be about this rule.
		if exactly := profiles.Code(t, x.Profile, p); exactly != "" && exactly != code {
			continue
		}
		d := boxrules.DimsAt(p)
		c.ties++
		if x.compare(t, d) {
			c.borderline++
		}
		// A box that breaks the rule, from which the tie is near.
		axis := draw(exact.Axes)
		p[axis] += grid * int64(draw(41)-20)
		proposals, moved := x.proposals(t, boxrules.Default(), boxrules.DimsAt(p), grid)
		c.proposals, c.moved = c.proposals+proposals, c.moved+moved
	}
	return c
}

// clamped returns the point within the limits of the form and on the grid.
func clamped(form exact.Form, p exact.Point, grid int64) []int64 {
	for axis := range p {
		p[axis] = min(max(p[axis], form.Low[axis]), form.High[axis]) / grid * grid
	}
	return p[:]
}

// proposals looks at all that is proposed for a box on the step, and returns how many boxes that are, and
// how many ends of ranges are borderline.
func (x *double) proposals(t rapid.TB, e *boxrules.Engine, d boxrules.Dims, step int64) (proposals, moved int) {
	at, _ := d.Grid()
	explanation := must(x.Explain(d, exact.Float64At(step)))
	name := fmt.Sprintf("%s in %s, %s, step %v", x.Article(), x.Material(), exactly(d), exact.Float64At(step))
	check := func(what string, proposed boxrules.Dims) {
		proposals++
		if code, _ := x.code(proposed); code != "" || !must(x.Check(proposed)).OK() {
			t.Fatalf("%s: %s proposes %s, and double precision says %q\n%+v", name, what, exactly(proposed), code, explanation)
		}
	}
	if n := explanation.Nearest; n != nil && n.Found() {
		check("Nearest", n.Dims)
	}
	for _, turn := range explanation.Turned {
		check("Turned", turn.Dims)
		on, _ := turn.Grid()
		check("Turned in words", boxrules.DimsAt(on))
	}
	if !explanation.OK {
		if said := must(x.Advice(d, exact.Float64At(step))); said != explanation.Advice() {
			t.Fatalf("%s: Advice says %q, Explanation.Advice %q", name, said, explanation.Advice())
		}
		for _, proposed := range advised(at, explanation.Advice()) {
			check(strconv.Quote(explanation.Advice()), proposed)
		}
	}
	read := must(readBack(explanation))
	if !reflect.DeepEqual(read.Ranges, explanation.Ranges) || read.Advice() != explanation.Advice() || read.EdgeNote() != explanation.EdgeNote() {
		t.Fatalf("%s: %+v is read back from JSON as %+v", name, explanation, read)
	}
	for axis, ranges := range [][]boxrules.Range{explanation.Ranges.Width, explanation.Ranges.Depth, explanation.Ranges.Height} {
		for _, r := range ranges {
			moved += x.checkEnds(t, name, check, at, axis, r, step)
		}
	}
	offers := must(e.Offers(d))
	if code, _ := x.code(d); explanation.OK && offered(offers, x.Profile) != (code == "") {
		t.Fatalf("%s: offered as %+v, and double precision says %q", name, offers, code)
	}
	return proposals, moved
}

// checkEnds looks at the ends of a range along the axis through the point.
func (x *double) checkEnds(t rapid.TB, name string, check func(string, boxrules.Dims), at exact.Point, axis int, r boxrules.Range, step int64) (moved int) {
	low, high := exact.Grid(r.Min), exact.Grid(r.Max)
	for _, end := range []struct {
		value, inside int64
		borderline    bool
		safe          *float64
	}{{low, 1, r.MinBorderline, r.SafeMin}, {high, -1, r.MaxBorderline, r.SafeMax}} {
		code, _ := x.code(boxrules.DimsAt(profiles.Moved(at, axis, end.value)))
		if end.borderline != (code != "") || end.safe != nil && !end.borderline {
			t.Fatalf("%s: range %+v, and double precision says %q at %v", name, r, code, exact.Float64At(end.value))
		}
		if !end.borderline {
			continue
		}
		moved++
		// The safe end is the next multiple of the step if double precision accepts it. Otherwise it is the first
		// multiple that is safe, or the first value at all. In a long range only some values are looked at.
		const long = 2000
		if high-low > long {
			for value := low; end.safe == nil && value <= high; value += (high - low) / 50 {
				if x.isSafe(profiles.Moved(at, axis, value)) {
					t.Fatalf("%s: range %+v of %s has no safe end, and %v is safe", name, r, exact.AxisNames()[axis], exact.Float64At(value))
				}
			}
			if end.safe == nil || max(exact.Grid(*end.safe)-end.value, end.value-exact.Grid(*end.safe)) > long {
				continue
			}
		}
		want, found := int64(0), false
		for _, step := range []int64{step, x.Exact().Step} {
			from := exact.CeilDiv(end.value, step) * step
			next := exact.FloorDiv(end.value, step)*step + step
			if end.inside < 0 {
				from = exact.FloorDiv(end.value, step) * step
				next = exact.CeilDiv(end.value, step)*step - step
			}
			if code, _ := x.code(boxrules.DimsAt(profiles.Moved(at, axis, next))); !found && low <= next && next <= high && code == "" {
				want, found = next, true
			}
			for value := from; value >= low && value <= high && !found; value += step * end.inside {
				want, found = value, x.isSafe(profiles.Moved(at, axis, value))
			}
		}
		if (end.safe != nil) != found || found && *end.safe != exact.Float64At(want) {
			t.Fatalf("%s: range %+v of %s, want the safe end %v, %v", name, r, exact.AxisNames()[axis], exact.Float64At(want), found)
		}
	}
	for _, safe := range []*float64{r.SafeMin, r.SafeMax} {
		if safe != nil {
			check("a safe end", boxrules.DimsAt(profiles.Moved(at, axis, exact.Grid(*safe))))
		}
	}
	return moved
}

func offered(offers []boxrules.Offer, p *boxrules.Profile) bool {
	return slices.ContainsFunc(offers, func(o boxrules.Offer) bool {
		return o.Article == p.Article() && slices.Contains(o.Materials, p.Material())
	})
}

func readBack(e boxrules.Explanation) (read boxrules.Explanation, err error) {
	data, err := json.Marshal(e)
	if err != nil {
		return read, err
	}
	return read, json.Unmarshal(data, &read)
}

var (
	turnInWords   = regexp.MustCompile(`turn it to (\S+) x (\S+) x (\S+?)(?:,| |$)`)
	fieldInWords  = regexp.MustCompile(`(width|depth|height) to `)
	numberInWords = regexp.MustCompile(`-?[\d.]*\d`)
)

// advised returns every box that an advice names, for the box at the point.
func advised(at exact.Point, advice string) (all []boxrules.Dims) {
	number := func(text string) int64 { return exact.Grid(must(strconv.ParseFloat(text, 64))) }
	if turn := turnInWords.FindStringSubmatch(advice); turn != nil {
		all = append(all, boxrules.DimsAt(exact.Point{number(turn[1]), number(turn[2]), number(turn[3])}))
	}
	names := exact.AxisNames()
	_, advice, _ = strings.Cut(advice, "set ")
	fields := fieldInWords.FindAllStringSubmatchIndex(advice, -1)
	together := regexp.MustCompile(` and (width|depth|height) to `).MatchString(advice)
	box := at
	for i, field := range fields {
		end := len(advice)
		if i+1 < len(fields) {
			end = fields[i+1][0]
		}
		axis := slices.Index(names[:], advice[field[2]:field[3]])
		for _, text := range numberInWords.FindAllString(advice[field[1]:end], -1) {
			box[axis] = number(text)
			if !together {
				all = append(all, boxrules.DimsAt(profiles.Moved(at, axis, number(text))))
			}
		}
	}
	if together {
		all = append(all, boxrules.DimsAt(box))
	}
	return all
}

// TestProposalsOfRandomRuleFiles: with random rule files, no proposal is borderline.
func TestProposalsOfRandomRuleFiles(t *testing.T) {
	proposals, moved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := gen.New(draw.Choices(t))
		engine := engineOfFile(t, f)
		x := doubleOf(engine, rapid.SampledFrom(engine.Profiles()).Draw(t, "profile"))
		faces := gen.Faces(x.Exact().Conditions...)
		if len(faces) == 0 {
			t.Skip("no dimension decides")
		}
		for range 10 {
			grid := rapid.SampledFrom(grids).Draw(t, "grid")
			d := boxrules.DimsAt(tie(draw.Choices(t), x.Exact(), faces, grid))
			x.compare(t, d)
			p, m := x.proposals(t, engine, d, grid)
			proposals, moved = proposals+p, moved+m
		}
	})
	t.Logf("%d proposals; %d ends of ranges are borderline", proposals, moved)
}
