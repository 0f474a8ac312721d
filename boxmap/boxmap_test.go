package boxmap_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/profiles"
)

var update = flag.Bool("update", false, "write the golden files")

// plain is a catalogue of one article that selects no constraints.
const plain = `version: 1
unit: mm
sheets: {s: {width: 9, height: 9}}
materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}
articles:
  a: {width: {min: 1, max: 900}, depth: {min: 1, max: 900}, height: {min: 1, max: 900}, constraints: [], materials: [m]}
`

func profile(t *testing.T, article, material string) *boxrules.Profile {
	t.Helper()
	p, err := boxrules.Default().Profile(article, material)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, article, material string
		options                 boxmap.Options
		mark                    *boxrules.Dims
		step                    float64
	}{
		{"tuck-end-box", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 184},
			&boxrules.Dims{Width: 48, Depth: 141, Height: 184}, 1},
		{"slotted-case-height", "slotted-case", "b-flute", boxmap.Options{Fixed: "height", Value: 100}, nil, 0},
		{"handle-box-depth", "handle-box", "carton-400", boxmap.Options{Fixed: "depth", Value: 107},
			&boxrules.Dims{Width: 148, Depth: 107, Height: 176}, 0.5},
		{"mailer-width", "mailer", "e-flute", boxmap.Options{Fixed: "width", Value: 300}, nil, 0},
		{"outside", "tuck-end", "carton-300", boxmap.Options{Fixed: "height", Value: 500},
			&boxrules.Dims{Width: 700, Depth: 100, Height: 500}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := profile(t, test.article, test.material)
			if test.mark != nil {
				e, err := p.Explain(*test.mark, test.step)
				if err != nil {
					t.Fatal(err)
				}
				test.options.Mark = &e
			}
			got, err := boxmap.SVG(p, test.options)
			if err != nil {
				t.Fatal(err)
			}
			again, err := boxmap.SVG(p, test.options)
			if err != nil || !bytes.Equal(got, again) {
				t.Error("the same slice is drawn in two ways")
			}
			wellFormed(t, got)
			file := filepath.Join("testdata", test.name+".svg")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what is drawn (%v)", file, err)
			}
		})
	}
}

// wellFormed reads the picture as XML, and checks that it contains no scripts or images.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if element, ok := token.(xml.StartElement); ok && (element.Name.Local == "script" || element.Name.Local == "image") {
			t.Errorf("the picture has a <%s>", element.Name.Local)
		}
	}
}

// TestEveryProfile draws every profile through the middle of its limits, along each axis.
func TestEveryProfile(t *testing.T) {
	for _, p := range boxrules.Default().Profiles() {
		for axis, name := range exact.AxisNames() {
			svg, err := boxmap.SVG(p, boxmap.Options{Fixed: name, Value: exact.Float64At(p.Exact().High[axis]) / 2})
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, svg)
		}
	}
}

// TestLegend has messages that fit the legend, whose lines have at most 35 characters, and some that do not. Conditions
// are shown if they fit.
func TestLegend(t *testing.T) {
	const long = "width > 500 || width > 600 || width > 700"
	for _, test := range []struct {
		when, message string
		want          []string
	}{
		{"width > 50", "m", []string{"L_0001  width > 50"}},
		{"width > 50 || depth > 50000", "m", []string{"L_0001  width > 50 || depth > 50000"}}, // 35 characters
		{"width > 50 || depth > 500000", "m", []string{"L_0001  m"}},
		{long, "m", []string{"L_0001  m"}},
		{long, "too wide for the machine, which is what it is", []string{"L_0001  too wide for the machine,", "which is what it is"}},
		{long, strings.Repeat("x", 17) + " " + strings.Repeat("y", 9), []string{"L_0001  xxxxxxxxxxxxxxxxx yyyyyyyyy"}},
		{long, strings.Repeat("x", 17) + " " + strings.Repeat("y", 10), []string{"L_0001  xxxxxxxxxxxxxxxxx", "yyyyyyyyyy"}},
		{long, strings.Repeat("x", 18), []string{"L_0001  xxxxxxxxxxxxxxxxx…"}},
		{long, strings.Repeat("word ", 40), []string{"L_0001  word word word word word",
			"word word word word word word word", "word word word word word word word…"}},
		{long, strings.Repeat("Ü", 300) + " or so", []string{"L_0001  " + strings.Repeat("Ü", 17) + "… or so"}},
	} {
		e := profiles.Engine(t,
			fmt.Sprintf("version: 1\nboundary:\n  - {code: L_0001, when: %q, message: %q}\n", test.when, test.message), plain)
		svg, err := boxmap.SVG(e.Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
		if err != nil {
			t.Fatal(err)
		}
		_, legend, _ := strings.Cut(string(svg), `xml:space="preserve">valid</text>`)
		var got []string
		for _, line := range regexp.MustCompile(`>([^<>]+)</text>`).FindAllStringSubmatch(legend, -1) {
			got = append(got, html.UnescapeString(line[1]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("the legend of %s, %.60s has %q, want %q", test.when, test.message, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	p := profile(t, "tuck-end", "carton-300")
	mark := func(width, depth float64) *boxrules.Explanation {
		return &boxrules.Explanation{Dims: boxrules.Dims{Width: width, Depth: depth, Height: 100}}
	}
	for _, test := range []struct {
		options boxmap.Options
		field   string
	}{
		{boxmap.Options{Fixed: "length", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "", Value: 100}, "fixed"},
		{boxmap.Options{Fixed: "width", Value: math.NaN()}, "width"},
		{boxmap.Options{Fixed: "height", Value: 101, Mark: mark(100, 50)}, "height"},
		{boxmap.Options{Fixed: "height", Value: 100, Mark: mark(math.NaN(), 50)}, "width"},
		{boxmap.Options{Fixed: "height", Value: 100, Mark: mark(math.Inf(1), 50)}, "width"},
		{boxmap.Options{Fixed: "height", Value: 100, Mark: mark(100, -0.001)}, "depth"}, // below the picture
	} {
		_, err := boxmap.SVG(p, test.options)
		var input *boxrules.InputError
		var option *boxrules.OptionError
		isInput, isOption := errors.As(err, &input) && input.Field == test.field, errors.As(err, &option) && option.Option == test.field
		if isOption != (test.field == "fixed") || isInput == isOption {
			t.Errorf("SVG(%+v): error %v, want one for %s", test.options, err, test.field)
		}
	}
}

// TestMarkAtZero marks a box in the corner where the axes begin.
func TestMarkAtZero(t *testing.T) {
	e := boxrules.Explanation{Dims: boxrules.Dims{Height: 100}}
	svg := draw(t, profile(t, "tuck-end", "carton-300"), boxmap.Options{Fixed: "height", Value: 100, Mark: &e})
	x, y := readTicks(t, svg, `v5`), readTicks(t, svg, `h-5`)
	if want := fmt.Sprintf(`<circle class="box" cx="%v" cy="%v"`, x[0].x, y[0].y); !strings.Contains(svg, want) {
		t.Errorf("the picture does not contain %s", want)
	}
}

// draw returns the picture as a text.
func draw(t *testing.T, p *boxrules.Profile, o boxmap.Options) string {
	t.Helper()
	svg, err := boxmap.SVG(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(svg)
}

// A tick is a mark on an axis: its place in the picture, and the number that is written beside it.
type tick struct{ x, y, value float64 }

// readTicks returns the ticks that are drawn as the given line: v5 for the axis at the bottom, h-5 for the one on the
// left.
func readTicks(t *testing.T, svg, line string) (ticks []tick) {
	t.Helper()
	for _, m := range regexp.MustCompile(`d="M(\S+) (\S+)`+line+`"/><text [^>]*>([^<]*)<`).FindAllStringSubmatch(svg, -1) {
		ticks = append(ticks, tick{number(t, m[1]), number(t, m[2]), number(t, m[3])})
	}
	if len(ticks) < 2 {
		t.Fatalf("the picture has %d ticks %s", len(ticks), line)
	}
	return ticks
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestTicks checks that the ticks of both axes begin at 0, that each number is greater than the one before by the same
// round amount, and that there are ticks up to the edge of the plot. The plot of a maximum of 125 ends at 140, which is
// a tick.
func TestTicks(t *testing.T) {
	for _, test := range []struct {
		unit, width, depth string // the maximums
		wantX, wantY       []float64
	}{
		{"mm", "125", "125", []float64{0, 20, 40, 60, 80, 100, 120, 140}, []float64{0, 20, 40, 60, 80, 100, 120, 140}},
		{"mm", "900", "7", []float64{0, 200, 400, 600, 800, 1000}, []float64{0, 2, 4, 6}},
		{"in", "0.6", "30", []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, []float64{0, 5, 10, 15, 20, 25, 30}},
		{"m", "0.02", "0.001", []float64{0, 0.005, 0.01, 0.015, 0.02}, []float64{0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001}},
	} {
		e := profiles.Engine(t, "", fmt.Sprintf(`version: 1
unit: %s
sheets: {s: {width: 9, height: 9}}
materials: {m: {caliper: 0.1, glue_flap: 0.1, sheet: s}}
articles:
  a: {width: {min: 0.001, max: %s}, depth: {min: 0.001, max: %s}, height: {min: 1, max: 2}, constraints: [], materials: [m]}
`, test.unit, test.width, test.depth))
		svg := draw(t, e.Profiles()[0], boxmap.Options{Fixed: "height", Value: 1})
		for line, want := range map[string][]float64{`v5`: test.wantX, `h-5`: test.wantY} {
			ticks := readTicks(t, svg, line)
			var got []float64
			for i, tick := range ticks {
				got = append(got, tick.value)
				x, y := ticks[0].x+(ticks[1].x-ticks[0].x)*float64(i), ticks[0].y+(ticks[1].y-ticks[0].y)*float64(i)
				if math.Abs(tick.x-x) > 0.1 || math.Abs(tick.y-y) > 0.1 {
					t.Errorf("%+v: the tick %+v is not at %v, %v", test, tick, x, y)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: the ticks %s are %v, want %v", test, line, got, want)
			}
		}
	}
}

// TestLongLegend checks that a legend that is longer than the plot is high is not cut off: the picture ends below the
// last line.
func TestLongLegend(t *testing.T) {
	rules := "version: 1\nboundary:\n"
	for i := 1; i <= 40; i++ {
		rules += fmt.Sprintf("  - {code: L_%04d, when: width < %d, message: m}\n", i, 20*i)
	}
	svg := draw(t, profiles.Engine(t, rules, plain).Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
	bottom := number(t, regexp.MustCompile(`viewBox="0 0 \S+ (\S+)"`).FindStringSubmatch(svg)[1])
	rows := regexp.MustCompile(`translate\(550 (\S+)\)">.*>([^<]+)</text>`).FindAllStringSubmatch(svg, -1)
	if len(rows) != 41 {
		t.Fatalf("the legend has %d lines, want one for valid boxes and one for each rule", len(rows))
	}
	previous := 0.0
	for _, row := range rows {
		y := number(t, row[1])
		if y < previous+15 || y > bottom-5 {
			t.Errorf("the line %q is at %v, after one at %v in a picture that ends at %v", row[2], y, previous, bottom)
		}
		previous = y
	}
}

// TestRanges draws the ranges of a box. They end at the edge of the plot, at 1008, if the valid ones go on beyond it. A
// range of one value is a dot.
func TestRanges(t *testing.T) {
	p := profiles.Engine(t, "version: 1\nboundary:\n  - {code: L_0001, when: width > 5000, message: m}\n", plain).Profiles()[0]
	ranges := []boxrules.Range{{Min: -1e6, Max: -1}, {Min: -1e6, Max: 50}, {Min: 100, Max: 100}, {Min: 300, Max: 400}, {Min: 600, Max: 1e6}, {Min: 2000, Max: 1e6}}
	e := boxrules.Explanation{Dims: boxrules.Dims{Width: 100, Depth: 200, Height: 100}, Ranges: boxrules.Ranges{Width: ranges, Depth: ranges}}
	svg := draw(t, p, boxmap.Options{Fixed: "height", Value: 100, Mark: &e})
	want := [][2]float64{{0, 50}, {100, 100}, {300, 400}, {600, 1008}}
	x, y := readTicks(t, svg, `v5`), readTicks(t, svg, `h-5`)
	var across, up [][2]float64
	for _, m := range regexp.MustCompile(`<path class="range" d="M(\S+) (\S+)([HV])(\S+)"/>\n`).FindAllStringSubmatch(svg, -1) {
		if m[3] == "H" {
			across = append(across, [2]float64{valueAt(x, number(t, m[1])-x[0].x), valueAt(x, number(t, m[4])-x[0].x)})
		} else {
			up = append(up, [2]float64{valueAt(y, y[0].y-number(t, m[2])), valueAt(y, y[0].y-number(t, m[4]))})
		}
	}
	if !slices.Equal(across, want) || !slices.Equal(up, want) {
		t.Errorf("the ranges are %v across and %v up, want %v", across, up, want)
	}
}

// valueAt returns the whole number that is nearest to the value at a distance from the first of the ticks.
func valueAt(ticks []tick, distance float64) float64 {
	first, last := ticks[0], ticks[len(ticks)-1]
	return math.Round(distance * (last.value - first.value) / math.Hypot(last.x-first.x, last.y-first.y))
}

// TestNearest checks that the nearest valid box is drawn if one was found and it is in the cross-section, and that the
// legend says so if it is elsewhere.
func TestNearest(t *testing.T) {
	p := profile(t, "tuck-end", "carton-300")
	box := boxrules.Dims{Width: 48, Depth: 141, Height: 184}
	at := func(d boxrules.Dims) *boxrules.Suggestion {
		return &boxrules.Suggestion{Dims: d, Changed: []string{"depth"}}
	}
	for _, test := range []struct {
		nearest *boxrules.Suggestion
		drawn   bool
		legend  []string
	}{
		{nil, false, nil},
		{&boxrules.Suggestion{Borderline: true}, false, nil},
		{at(boxrules.Dims{Width: 48, Depth: 48, Height: 184}), true, []string{"nearest: 48 × 48 × 184"}},
		{at(boxrules.Dims{Width: 48, Depth: 48, Height: 180}), false, []string{"nearest: 48 × 48 × 180", "(not in this slice: its height differs)"}},
		{at(boxrules.Dims{Width: 48, Depth: 5000, Height: 184}), false, []string{"nearest: 48 × 5000 × 184", "(beyond the edge of this picture)"}},
	} {
		e := boxrules.Explanation{Dims: box, Code: "BOX_3100", Nearest: test.nearest}
		svg := draw(t, p, boxmap.Options{Fixed: "height", Value: 184, Mark: &e})
		plot, legend, _ := strings.Cut(svg, `<g transform="translate(550`)
		if strings.Contains(plot, `class="near"`) != test.drawn {
			t.Errorf("%+v: drawn %v, want %v", test.nearest, !test.drawn, test.drawn)
		}
		_, legend, _ = strings.Cut(legend, "valid if only this dimension changes</text>")
		var got []string
		for _, line := range regexp.MustCompile(`>([^<>]+)</text>`).FindAllStringSubmatch(legend, -1) {
			got = append(got, line[1])
		}
		if !slices.Equal(got, test.legend) {
			t.Errorf("%+v: the legend ends with %q, want %q", test.nearest, got, test.legend)
		}
	}
}

// TestLargestPiece checks that a region is labelled in its largest piece, and in the first one if they are equally large up
// to rounding errors. The plot ends at 1008.
func TestLargestPiece(t *testing.T) {
	for _, test := range []struct {
		when string
		want float64 // the middle of the piece
	}{
		{"width < 100 || width > 908", 50},
		{"width > 908 || width < 100", 958},
		{"width < 100 || width > 907.999", 50},
		{"width < 100 || width > 907", 957.5},
		{"width < 101 || width > 908", 50.5},
	} {
		e := profiles.Engine(t, fmt.Sprintf("version: 1\nboundary:\n  - {code: L_0001, when: %q, message: m}\n", test.when), plain)
		svg := draw(t, e.Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
		labels := readLabels(t, svg)
		if i := slices.IndexFunc(labels, func(l label) bool { return l.code == "L_0001" }); i < 0 || math.Abs(labels[i].across-test.want) > 0.1 {
			t.Errorf("the labels of %s are %+v, want one at %v", test.when, labels, test.want)
		}
	}
}

// A label is the name of a region, as it is written in the plot.
type label struct {
	code               string
	x, y               float64 // its middle in the picture
	halfX, halfY       float64 // half of the space that a text of eight letters takes
	across, up         float64 // the dimensions of the box at its middle
	unitAcross, unitUp float64 // the length of a pixel along both axes, in the catalogue's unit
}

var labelPattern = regexp.MustCompile(`<text class="label" x="(\S+)" y="(\S+)"( transform="rotate\(-90 (\S+) (\S+)\)")? font-size="13">([^<]+)<`)

// readLabels returns the labels. It converts their places to dimensions with the help of the ticks.
func readLabels(t *testing.T, svg string) (labels []label) {
	t.Helper()
	xTicks, yTicks := readTicks(t, svg, `v5`), readTicks(t, svg, `h-5`)
	x0, x1, y0, y1 := xTicks[0], xTicks[len(xTicks)-1], yTicks[0], yTicks[len(yTicks)-1]
	for _, m := range labelPattern.FindAllStringSubmatch(svg, -1) {
		// A letter is about 7 pixels wide and 10 high. The y of a text is that of the foot of its letters.
		l := label{code: m[6], x: number(t, m[1]), y: number(t, m[2]) - 4, halfX: 28, halfY: 5}
		if m[3] != "" {
			l.x, l.y, l.halfX, l.halfY = number(t, m[4]), number(t, m[5]), l.halfY, l.halfX
		}
		l.unitAcross, l.unitUp = (x1.value-x0.value)/(x1.x-x0.x), (y1.value-y0.value)/(y0.y-y1.y)
		l.across, l.up = (l.x-x0.x)*l.unitAcross, (y0.y-l.y)*l.unitUp
		labels = append(labels, l)
	}
	return labels
}

// TestLabels checks that each label is in the region whose code it says. It marks boxes near the labels: the
// circle of a box is never on a label, a label that it does not reach stays where it is without the box, and one that moves
// is within its region as a whole.
func TestLabels(t *testing.T) {
	const radius = 6 // of the circle
	moves, removals := 0, 0
	for _, p := range boxrules.Default().Profiles() {
		random, high, step := profiles.Random(p), p.Exact().High, p.Exact().Step
		for fixed, name := range exact.AxisNames() {
			across, up := min((fixed+1)%exact.Axes, (fixed+2)%exact.Axes), max((fixed+1)%exact.Axes, (fixed+2)%exact.Axes)
			value := high[fixed] / 2 / step * step
			// boxNear returns the box at the given distance from the middle of a label, in pixels.
			boxNear := func(l label, right, down float64) (at exact.Point) {
				at[fixed] = value
				at[across] = exact.Grid(l.across+right*l.unitAcross) / step * step
				at[up] = exact.Grid(l.up-down*l.unitUp) / step * step
				return at
			}
			isReported := func(l label, right, down float64) bool {
				return cmp.Or(string(profiles.Code(t, p, boxNear(l, right, down))), "valid") == l.code
			}
			options := boxmap.Options{Fixed: name, Value: exact.Float64At(value)}
			labels := readLabels(t, draw(t, p, options))
			for _, l := range labels {
				if !isReported(l, 0, 0) {
					t.Errorf("%s %s, %s: without a box, %+v is elsewhere", p.Article(), p.Material(), name, l)
				}
			}
			l := labels[random.IntN(len(labels))]
			box := boxNear(l, 60*(2*random.Float64()-1), 60*(2*random.Float64()-1))
			if min(box[across], box[up]) < 0 || box[across] > high[across] || box[up] > high[up] {
				continue // the picture would be larger
			}
			options.Mark = &boxrules.Explanation{Dims: boxrules.DimsAt(box)}
			svg := draw(t, p, options)
			circle := regexp.MustCompile(`<circle class="box" cx="(\S+)" cy="(\S+)"`).FindStringSubmatch(svg)
			moved := readLabels(t, svg)
			removals += len(labels) - len(moved)
			for _, l := range labels {
				distanceX, distanceY := math.Abs(number(t, circle[1])-l.x), math.Abs(number(t, circle[2])-l.y)
				isNear := distanceX < l.halfX+radius+20 && distanceY < l.halfY+radius+20
				if !isNear && !slices.Contains(moved, l) {
					t.Errorf("%s %s, %s, box %v: %+v is not where it is without the box", p.Article(), p.Material(), name, box, l)
				}
			}
			for _, l := range moved {
				distanceX, distanceY := math.Abs(number(t, circle[1])-l.x), math.Abs(number(t, circle[2])-l.y)
				if distanceX < l.halfX+radius && distanceY < l.halfY+radius {
					t.Errorf("%s %s, %s: the box %v is on %+v", p.Article(), p.Material(), name, box, l)
				}
				if slices.Contains(labels, l) {
					continue
				}
				moves++
				if !(isReported(l, -l.halfX, -l.halfY) && isReported(l, l.halfX, -l.halfY) &&
					isReported(l, -l.halfX, l.halfY) && isReported(l, l.halfX, l.halfY)) {
					t.Errorf("%s %s, %s, box %v: %+v leaves its region", p.Article(), p.Material(), name, box, l)
				}
			}
		}
	}
	if moves == 0 || removals == 0 {
		t.Errorf("%d labels moved and %d were left out, want some of both", moves, removals)
	}
}

// TestManyPieces draws rules that would have a million pieces if they were multiplied out. A rule that really
// has too many is an error.
func TestManyPieces(t *testing.T) {
	draw := func(clauses int, clause func(i int) string) ([]byte, error) {
		var when []string
		for i := range clauses {
			when = append(when, clause(i))
		}
		engine := profiles.Engine(t,
			fmt.Sprintf("version: 1\nboundary:\n  - {code: L_0001, when: %q, message: m}\n", strings.Join(when, " && ")), plain)
		return boxmap.SVG(engine.Profiles()[0], boxmap.Options{Fixed: "height", Value: 100})
	}
	svg, err := draw(20, func(i int) string { return fmt.Sprintf("(width > %d || depth > %d)", i+1, i+1) })
	if err != nil || bytes.Count(svg, []byte("z")) > 200 {
		t.Errorf("20 clauses: %v, %d pieces", err, bytes.Count(svg, []byte("z")))
	}
	wellFormed(t, svg)
	// Strips both ways leave a field of small squares.
	_, err = draw(100, func(i int) string { return fmt.Sprintf("width != %d && depth != %d", 2*i, 2*i) })
	if err == nil || err.Error() != "L_0001 has too many corners and pieces to draw" {
		t.Errorf("100 strips each way: %v, want that there are too many", err)
	}
}
