package boxmap

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
)

// Sizes in the coordinates of the SVG. A viewer scales the whole picture to the size at which it is
// shown.
const (
	plotLeft   = 62
	plotTop    = 78
	plotWidth  = 460
	legendLeft = plotLeft + plotWidth + 28
	totalWidth = legendLeft + 306
	lineHeight = 22
)

// A fillStyle says how to fill the region of a code: its colour, and the angle and spacing of the hatching.
// The colours come from the palette of Okabe and Ito, which people with any kind of colour vision can tell
// apart.
type fillStyle struct {
	colour  string
	angle   int
	spacing int
}

// stageStyles lists the fill styles for the rules of each stage. The hatching angles of neighbours in a list
// differ by 30 degrees or more, so that the regions can be told apart even without colours.
var stageStyles = map[boxrules.Stage][]fillStyle{
	boxrules.Boundary: {
		{"#8a8f98", 0, 7}, {"#8a8f98", 90, 7}, {"#8a8f98", 30, 7}, {"#8a8f98", 120, 7},
		{"#8a8f98", 60, 7}, {"#8a8f98", 150, 7},
	},
	boxrules.Constraint: {
		{"#e69f00", 45, 8}, {"#cc79a7", 135, 8}, {"#0072b2", 0, 8}, {"#d55e00", 90, 8},
		{"#f0e442", 20, 8}, {"#56b4e9", 110, 8}, {"#7a5195", 70, 8}, {"#a05a2c", 160, 8},
	},
	boxrules.Size: {{"#d55e00", 135, 5}, {"#a05a2c", 45, 5}},
}

// A picture is an SVG that is being written.
type picture struct {
	*crossSection
	out    bytes.Buffer
	scale  [2]float64
	height float64 // the height of the plot
	styles map[boxrules.Code]fillStyle
}

// draw returns the picture. Later elements cover earlier ones, so the regions come first, then the axes, and
// then the marked box with its ranges. The legend is on the right.
func (c *crossSection) draw() []byte {
	p := &picture{crossSection: c, styles: make(map[boxrules.Code]fillStyle)}
	// Both axes have the same scale, unless the picture would be too flat or too tall.
	p.height = min(max(plotWidth*c.extent[1]/c.extent[0], 260), 560)
	p.scale = [2]float64{plotWidth / c.extent[0], p.height / c.extent[1]}
	// The rules of a stage get the styles of the stage in turn. After the last style, the first one is used
	// again.
	count := make(map[boxrules.Stage]int)
	for _, l := range c.layers {
		styles := stageStyles[l.rule.Stage]
		p.styles[l.rule.Code] = styles[count[l.rule.Stage]%len(styles)]
		count[l.rule.Stage]++
	}
	p.writeHeader()
	p.writeRegions()
	p.writeAxes()
	if c.markedBox != nil {
		p.writeMarkedBox()
	}
	p.writeLegend()
	p.printf("</svg>\n")
	return p.out.Bytes()
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// toPlot converts a point of the cross-section, in the catalogue's unit, to SVG coordinates.
func (p *picture) toPlot(x, y float64) (float64, float64) {
	return plotLeft + x*p.scale[0], plotTop + p.height - y*p.scale[1]
}

// boxToPlot returns the SVG coordinates of a box.
func (p *picture) boxToPlot(d boxrules.Dims) (x, y float64) {
	return p.toPlot(*dimensionField(&d, p.xAxis), *dimensionField(&d, p.yAxis))
}

// fromPlot is the inverse of toPlot: it converts SVG coordinates to a point of the cross-section.
func (p *picture) fromPlot(x, y float64) [2]float64 {
	return [2]float64{(x - plotLeft) / p.scale[0], (plotTop + p.height - y) / p.scale[1]}
}

// formatCoordinate formats an SVG coordinate with at most two decimals.
func formatCoordinate(x float64) string { return formatDimension(math.Round(x*100) / 100) }

// formatTick formats the dimension at a tick of an axis. It removes rounding errors, which are far below a millionth.
func formatTick(x float64) string { return formatDimension(math.Round(x*1e6) / 1e6) }

// formatDimension formats a dimension with all of its decimals.
func formatDimension(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (p *picture) bottom() float64 {
	return max(plotTop+p.height+58, float64(plotTop+lineHeight*(len(p.legendRows())+1)))
}

func (p *picture) writeHeader() {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" role="img" aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif" font-size="14">`+"\n",
		totalWidth, formatCoordinate(p.bottom()))
	article, material := html.EscapeString(p.form.Article), html.EscapeString(p.form.Material)
	fixed, value := axisNames[p.fixedAxis], formatDimension(p.fixedValue)
	p.printf(`<title id="title">%s in %s, %s %s %s</title>`+"\n", article, material, fixed, value, p.form.Unit)
	p.printf(`<desc id="desc">Which boxes can be made, by %s and %s; each other region is marked with the code that is reported first.</desc>`+"\n",
		axisNames[p.xAxis], axisNames[p.yAxis])
	p.printf(`<style>
.ground{fill:#fff}.ink{fill:#1b2430}.soft{fill:#566273}.line{stroke:#566273;fill:none}
.valid{fill:#009e73}.edge{stroke:#003d2c;stroke-width:3;stroke-linejoin:round}.base{fill:#fff}
.label{fill:#1b2430;font-weight:600;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:4;stroke-linejoin:round}
.box{fill:#111;stroke:#fff;stroke-width:2}.near{fill:#fff;stroke:#111;stroke-width:2.5}.range{stroke:#111;stroke-width:5;stroke-linecap:round}.go{stroke:#111;stroke-width:1.8;stroke-dasharray:4 3;fill:none}
@media (prefers-color-scheme:dark){.ground{fill:#14181f}.ink{fill:#eef2f7}.soft{fill:#aab4c2}.line{stroke:#aab4c2}
.base{fill:#252b35}.edge{stroke:#b9f5df}.label{fill:#f3f6fa;stroke:#14181f}
.box{fill:#fff;stroke:#14181f}.near{fill:#14181f;stroke:#fff}.range,.go{stroke:#fff}}
</style>
`)
	// Each rule has a pattern: an opaque background, the rule's colour over it, and a stripe for the
	// hatching.
	p.printf("<defs>\n")
	for _, l := range p.layers {
		s := p.styles[l.rule.Code]
		p.printf(`<pattern id="%s" width="%d" height="%d" patternUnits="userSpaceOnUse" patternTransform="rotate(%d)"><rect class="base" width="%d" height="%d"/><rect fill="%s" fill-opacity=".22" width="%d" height="%d"/><rect fill="%s" width="2" height="%d"/></pattern>`+"\n",
			l.rule.Code, s.spacing, s.spacing, s.angle,
			s.spacing, s.spacing, s.colour, s.spacing, s.spacing, s.colour, s.spacing)
	}
	p.printf(`<clipPath id="plot"><rect x="%d" y="%d" width="%d" height="%s"/></clipPath>`+"\n</defs>\n",
		plotLeft, plotTop, plotWidth, formatCoordinate(p.height))
	p.printf(`<rect class="ground" width="%d" height="%s"/>`+"\n", totalWidth, formatCoordinate(p.bottom()))
	name := cmp.Or(p.form.Title, p.form.Article)
	p.printf(`<text class="ink" x="%d" y="30" font-size="18" font-weight="700">%s</text>`+"\n",
		plotLeft, html.EscapeString(name))
	p.printf(`<text class="soft" x="%d" y="53">%s in %s, %s held at %s %s</text>`+"\n",
		plotLeft, article, material, fixed, value, p.form.Unit)
}

// writeRegions fills the plot with the colour of valid boxes, and then draws the rules from the last to the
// first, so that the first violated rule is on top everywhere. A wide outline of all rules lies below the
// regions. It remains visible where a region borders on valid boxes.
func (p *picture) writeRegions() {
	p.printf(`<g clip-path="url(#plot)">` + "\n")
	p.printf(`<rect class="valid" x="%d" y="%d" width="%d" height="%s"/>`+"\n",
		plotLeft, plotTop, plotWidth, formatCoordinate(p.height))
	// All rules together form a single path for the outline.
	p.printf(`<path class="edge" d="`)
	for _, l := range p.layers {
		p.writePath(l)
	}
	p.printf(`"/>` + "\n")
	for _, l := range slices.Backward(p.layers) {
		if len(l.polygons) > 0 {
			p.printf(`<path fill="url(#%s)" d="`, l.rule.Code)
			p.writePath(l)
			p.printf(`"><title>%s</title></path>`+"\n", l.rule.Code)
		}
	}
	p.printf("</g>\n")
	// Labels come last, so that no region covers them.
	for _, l := range append(p.layers, p.validLayer) {
		if l.labelPosition != nil {
			p.writeLabel(l)
		}
	}
}

func (p *picture) writePath(l layer) {
	for _, polygon := range l.polygons {
		for i, corner := range polygon {
			x, y := p.toPlot(corner[0], corner[1])
			p.printf("%s%s %s", map[bool]string{true: "M", false: "L"}[i == 0], formatCoordinate(x), formatCoordinate(y))
		}
		p.printf("z")
	}
}

// labelWidth and labelHeight are the size of a label, a little more than its text needs. markDistance is the least distance
// between a label and the middle of the marked box, a little more than the radius of the circle there.
const (
	labelWidth   = 88
	labelHeight  = 18
	markDistance = 8
)

// writeLabel writes the code into its region if there is room for it. If the region is narrow, the label
// is turned by 90 degrees.
func (p *picture) writeLabel(l layer) {
	x, y := p.toPlot(l.labelPosition[0], l.labelPosition[1])
	spaceX, spaceY := l.labelSpace[0]*p.scale[0], l.labelSpace[1]*p.scale[1]
	width, height := float64(labelWidth), float64(labelHeight)
	isTurned := spaceX < width || spaceY < height
	if isTurned {
		width, height = height, width
	}
	if spaceX < width || spaceY < height {
		return
	}
	if p.markedBox != nil {
		var ok bool
		if x, y, ok = p.avoidMarkedBox(l, x, y, width, height); !ok {
			return
		}
	}
	transform := ""
	if isTurned {
		transform = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, formatCoordinate(x), formatCoordinate(y))
	}
	name := cmp.Or(l.rule.Code, "valid")
	p.printf(`<text class="label" x="%s" y="%s"%s font-size="13">%s</text>`+"\n", formatCoordinate(x), formatCoordinate(y+4), transform, name)
}

// avoidMarkedBox returns a place for the middle of a label where the marked box does not cover it. That is (x, y) if the
// box is far enough away. Otherwise the label moves below the box, above it, or to its right or left. It stays
// within its piece of the region, because elsewhere it would name the wrong code. If there is no such place, ok is
// false.
func (p *picture) avoidMarkedBox(l layer, x, y, width, height float64) (clearX, clearY float64, ok bool) {
	boxX, boxY := p.boxToPlot(p.markedBox.Dims)
	dx, dy := width/2+markDistance, height/2+markDistance
	if math.Abs(boxX-x) >= dx || math.Abs(boxY-y) >= dy {
		return x, y, true
	}
	isOutside := func(corner [2]float64) bool { return !contains(l.labelPiece, p.fromPlot(corner[0], corner[1])) }
	for _, place := range [][2]float64{{x, boxY + dy}, {x, boxY - dy}, {boxX + dx, y}, {boxX - dx, y}} {
		left, right, top, bottom := place[0]-width/2, place[0]+width/2, place[1]-height/2, place[1]+height/2
		// The piece is convex, so it contains a rectangle if it contains the corners.
		if !slices.ContainsFunc([][2]float64{{left, top}, {right, top}, {left, bottom}, {right, bottom}}, isOutside) {
			return place[0], place[1], true
		}
	}
	return 0, 0, false
}

// writeAxes writes the name of each axis with the unit, and ticks at round values.
func (p *picture) writeAxes() {
	bottom := plotTop + p.height
	p.printf(`<rect class="line" x="%d" y="%d" width="%d" height="%s"/>`+"\n",
		plotLeft, plotTop, plotWidth, formatCoordinate(p.height))
	for x := 0.0; x <= p.extent[0]; x += tickDistance(p.extent[0]) {
		at, _ := p.toPlot(x, 0)
		p.printf(`<path class="line" d="M%s %sv5"/><text class="soft" text-anchor="middle" x="%s" y="%s" font-size="12">%s</text>`+"\n",
			formatCoordinate(at), formatCoordinate(bottom), formatCoordinate(at), formatCoordinate(bottom+19), formatTick(x))
	}
	for y := 0.0; y <= p.extent[1]; y += tickDistance(p.extent[1]) {
		_, at := p.toPlot(0, y)
		p.printf(`<path class="line" d="M%d %sh-5"/><text class="soft" text-anchor="end" x="%d" y="%s" font-size="12">%s</text>`+"\n",
			plotLeft, formatCoordinate(at), plotLeft-9, formatCoordinate(at+4), formatTick(y))
	}
	p.printf(`<text class="ink" text-anchor="middle" x="%d" y="%s">%s in %s</text>`+"\n",
		plotLeft+plotWidth/2, formatCoordinate(bottom+42), axisNames[p.xAxis], wording.UnitInWords(p.form.Unit))
	middle := plotTop + p.height/2
	p.printf(`<text class="ink" text-anchor="middle" transform="translate(18 %s) rotate(-90)">%s in %s</text>`+"\n",
		formatCoordinate(middle), axisNames[p.yAxis], wording.UnitInWords(p.form.Unit))
}

// tickDistance returns a round distance that divides the length into about six parts. For example, it is 50
// for a length of 330.
func tickDistance(length float64) float64 {
	// power is a sixth of the length, rounded down to a power of ten: 10 for 330. Of its multiples 10, 20
	// and 50, take the first that gives at most 7 parts, which is 50 here.
	power := math.Pow(10, math.Floor(math.Log10(length/6)))
	for _, factor := range []float64{1, 2, 5} {
		if length/(power*factor) <= 7 {
			return power * factor
		}
	}
	return power * 10
}

// writeMarkedBox shows the box, the valid ranges of its dimensions, and the nearest valid box.
func (p *picture) writeMarkedBox() {
	x, y := p.boxToPlot(p.markedBox.Dims)
	// The ranges are lines through the box, along both axes of the picture.
	ranges := p.markedBox.Ranges.ByAxis()
	for _, r := range ranges[p.xAxis] {
		if low, high, ok := visiblePart(r, p.extent[0]); ok {
			from, _ := p.toPlot(low, 0)
			to, _ := p.toPlot(high, 0)
			p.printf(`<path class="range" d="M%s %sH%s"/>`+"\n", formatCoordinate(from), formatCoordinate(y), formatCoordinate(to))
		}
	}
	for _, r := range ranges[p.yAxis] {
		if low, high, ok := visiblePart(r, p.extent[1]); ok {
			_, from := p.toPlot(0, low)
			_, to := p.toPlot(0, high)
			p.printf(`<path class="range" d="M%s %sV%s"/>`+"\n", formatCoordinate(x), formatCoordinate(from), formatCoordinate(to))
		}
	}
	if n := p.markedBox.Nearest; n != nil && n.Found() && p.whyNotVisible(n.Dims) == "" {
		nx, ny := p.boxToPlot(n.Dims)
		p.printf(`<path class="go" d="M%s %sL%s %s"/><circle class="near" cx="%s" cy="%s" r="6"/>`+"\n",
			formatCoordinate(x), formatCoordinate(y), formatCoordinate(nx), formatCoordinate(ny), formatCoordinate(nx), formatCoordinate(ny))
	}
	p.printf(`<circle class="box" cx="%s" cy="%s" r="6"/>`+"\n", formatCoordinate(x), formatCoordinate(y))
}

// visiblePart returns the part of a range that is in the plot, along an axis that ends at extent. If no rule limits a
// dimension, its range goes beyond the plot. ok is false if no part is in it.
func visiblePart(r boxrules.Range, extent float64) (low, high float64, ok bool) {
	low, high = max(r.Min, 0), min(r.Max, extent)
	return low, high, low <= high
}

// whyNotVisible says, for the legend, why a box is not in the plot. It returns "" if it is.
func (p *picture) whyNotVisible(d boxrules.Dims) string {
	switch x, y := *dimensionField(&d, p.xAxis), *dimensionField(&d, p.yAxis); {
	case *dimensionField(&d, p.fixedAxis) != p.fixedValue:
		return "(not in this slice: its " + axisNames[p.fixedAxis] + " differs)"
	case x < 0 || x > p.extent[0] || y < 0 || y > p.extent[1]:
		return "(beyond the edge of this picture)"
	}
	return ""
}

// A legendRow is a line of the legend: a sample of a colour or line, and the text that explains it.
type legendRow struct{ sample, text string }

func (p *picture) legendRows() []legendRow {
	sample := `<rect class="line" fill="url(#%s)" style="fill:url(#%s)" x="0" y="-13" width="24" height="16"/>`
	rows := []legendRow{{`<rect class="valid" x="0" y="-13" width="24" height="16"/>`, "valid"}}
	for _, l := range p.layers {
		if l.labelPosition != nil {
			sample := fmt.Sprintf(sample, l.rule.Code, l.rule.Code)
			for _, text := range ruleLegend(l.rule, p.form.Unit) {
				rows = append(rows, legendRow{sample, text})
				sample = "" // only the first line has a sample
			}
		}
	}
	if p.markedBox == nil {
		return rows
	}
	d, verdict := p.markedBox.Dims, cmp.Or(string(p.markedBox.Code), "ok")
	rows = append(rows, legendRow{}, legendRow{`<circle class="box" cx="12" cy="-5" r="6"/>`,
		fmt.Sprintf("%s × %s × %s: %s", formatDimension(d.Width), formatDimension(d.Depth), formatDimension(d.Height), verdict)},
		legendRow{`<path class="range" d="M3 -5H21"/>`, "valid if only this dimension changes"})
	if n := p.markedBox.Nearest; n != nil && n.Found() {
		text := fmt.Sprintf("nearest: %s × %s × %s", formatDimension(n.Width), formatDimension(n.Depth), formatDimension(n.Height))
		if why := p.whyNotVisible(n.Dims); why != "" {
			rows = append(rows, legendRow{"", text}, legendRow{"", why})
		} else {
			rows = append(rows, legendRow{`<circle class="near" cx="12" cy="-5" r="6"/>`, text})
		}
	}
	return rows
}

// ruleLegend returns the legend lines for a rule: its code and its condition. If the condition is too long for one
// line, the message is shown instead, on at most three lines.
func ruleLegend(r boxrules.Rule, unit string) []string {
	const maxRunes = 35 // in a line
	code := string(r.Code) + "  "
	if text := code + r.Condition(unit); len([]rune(text)) <= maxRunes {
		return []string{text}
	}
	lines := []string{code}
	// Break the message into lines. Words that are longer than half a line are shortened.
	for _, word := range strings.Fields(r.Message) {
		last := &lines[len(lines)-1]
		if runes := []rune(word); len(runes) > maxRunes/2 {
			word = string(runes[:maxRunes/2]) + "…"
		}
		switch {
		case *last == code:
			*last += word
		case len([]rune(*last+" "+word)) <= maxRunes:
			*last += " " + word
		case len(lines) == 3:
			*last += "…"
			return lines
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

func (p *picture) writeLegend() {
	for i, row := range p.legendRows() {
		if row.text == "" {
			continue
		}
		p.printf(`<g transform="translate(%d %d)">%s<text class="ink" x="34" y="0" font-size="13" xml:space="preserve">%s</text></g>`+"\n",
			legendLeft, plotTop+13+i*lineHeight, row.sample, html.EscapeString(row.text))
	}
}
