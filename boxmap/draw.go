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
)

// Sizes of the picture, in its own units, which scale with it.
const (
	plotLeft   = 62
	plotTop    = 78
	plotWidth  = 460
	legendLeft = plotLeft + plotWidth + 28
	totalWidth = legendLeft + 306
	lineHeight = 22
)

// A style says how a code is filled: a tint and a hatch of its own. The colours come from Okabe
// and Ito, which people with any kind of colour vision can tell apart; the angles tell them apart
// in grey.
type style struct {
	colour  string
	angle   int
	spacing int
}

// styles lists those of the rules of each stage. The angles of neighbours differ by 30 degrees or
// more, so that the hatches can be told apart in grey.
var styles = map[boxrules.Stage][]style{
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

// A picture holds what is drawn so far, and how units become its own.
type picture struct {
	*slice
	out    bytes.Buffer
	scale  [2]float64
	height float64 // of the plot
	styles map[boxrules.Code]style
}

// draw returns the picture. What is painted later lies on top: the rules, then the axes, then the
// box and its ranges; the legend stands beside them.
func (m *slice) draw() []byte {
	p := &picture{slice: m, styles: make(map[boxrules.Code]style)}
	// Both axes have one scale as long as the picture does not become a strip.
	p.height = min(max(plotWidth*m.extent[1]/m.extent[0], 260), 560)
	p.scale = [2]float64{plotWidth / m.extent[0], p.height / m.extent[1]}
	count := make(map[boxrules.Stage]int)
	for _, l := range m.layers {
		set := styles[l.rule.Stage]
		p.styles[l.rule.Code] = set[count[l.rule.Stage]%len(set)]
		count[l.rule.Stage]++
	}
	p.open()
	p.plot()
	p.axes()
	if m.mark != nil {
		p.marks()
	}
	p.legend()
	p.printf("</svg>\n")
	return p.out.Bytes()
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// at returns a point in units as x,y of the picture.
func (p *picture) at(x, y float64) (float64, float64) {
	return plotLeft + x*p.scale[0], plotTop + p.height - y*p.scale[1]
}

// box returns where a box is in the picture.
func (p *picture) box(d boxrules.Dims) (x, y float64) {
	return p.at(*dimension(&d, p.x), *dimension(&d, p.y))
}

// number returns a length or coordinate as short as two decimals allow.
func number(x float64) string {
	return decimal(math.Round(x*100)/100 + 0) // -0 + 0 is 0
}

// decimal returns a dimension as it is.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (p *picture) bottom() float64 {
	return max(plotTop+p.height+58, float64(plotTop+lineHeight*(len(p.rows())+1)))
}

func (p *picture) open() {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" role="img" aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif" font-size="14">`+"\n",
		totalWidth, number(p.bottom()))
	article, material := html.EscapeString(p.form.Article), html.EscapeString(p.form.Material)
	fixed, value := axisNames[p.fixed], decimal(p.value)
	p.printf(`<title id="title">%s in %s, %s %s %s</title>`+"\n", article, material, fixed, value, p.form.Unit)
	p.printf(`<desc id="desc">Which boxes can be made, by %s and %s; each other region is marked with the code that is reported first.</desc>`+"\n",
		axisNames[p.x], axisNames[p.y])
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
	p.printf("<defs>\n")
	for _, l := range p.layers {
		s := p.styles[l.rule.Code]
		p.printf(`<pattern id="%s" width="%d" height="%d" patternUnits="userSpaceOnUse" patternTransform="rotate(%d)"><rect class="base" width="%d" height="%d"/><rect fill="%s" fill-opacity=".22" width="%d" height="%d"/><rect fill="%s" width="2" height="%d"/></pattern>`+"\n",
			l.rule.Code, s.spacing, s.spacing, s.angle,
			s.spacing, s.spacing, s.colour, s.spacing, s.spacing, s.colour, s.spacing)
	}
	p.printf(`<clipPath id="plot"><rect x="%d" y="%d" width="%d" height="%s"/></clipPath>`+"\n</defs>\n",
		plotLeft, plotTop, plotWidth, number(p.height))
	p.printf(`<rect class="ground" width="%d" height="%s"/>`+"\n", totalWidth, number(p.bottom()))
	name := cmp.Or(p.form.Title, p.form.Article)
	p.printf(`<text class="ink" x="%d" y="30" font-size="18" font-weight="700">%s</text>`+"\n",
		plotLeft, html.EscapeString(name))
	p.printf(`<text class="soft" x="%d" y="53">%s in %s, %s held at %s %s</text>`+"\n",
		plotLeft, article, material, fixed, value, p.form.Unit)
}

// plot paints the valid colour, then the rules from the last to the first, so that the first one
// that holds is on top. A wide edge drawn under all of them shows where they meet what is valid.
func (p *picture) plot() {
	p.printf(`<g clip-path="url(#plot)">` + "\n")
	p.printf(`<rect class="valid" x="%d" y="%d" width="%d" height="%s"/>`+"\n",
		plotLeft, plotTop, plotWidth, number(p.height))
	p.printf(`<path class="edge" d="`)
	for _, l := range p.layers {
		p.path(l)
	}
	p.printf(`"/>` + "\n")
	for _, l := range slices.Backward(p.layers) {
		if len(l.polygons) > 0 {
			p.printf(`<path fill="url(#%s)" d="`, l.rule.Code)
			p.path(l)
			p.printf(`"><title>%s</title></path>`+"\n", l.rule.Code)
		}
	}
	p.printf("</g>\n")
	for _, l := range append(p.layers, p.valid) {
		if l.label != nil {
			p.label(l)
		}
	}
}

func (p *picture) path(l layer) {
	for _, polygon := range l.polygons {
		for i, corner := range polygon {
			x, y := p.at(corner[0], corner[1])
			p.printf("%s%s %s", map[bool]string{true: "M", false: "L"}[i == 0], number(x), number(y))
		}
		p.printf("z")
	}
}

// Sizes of a label, a little more than its text takes.
const (
	labelWidth  = 88
	labelHeight = 18
)

// label writes the code into its region where there is room, upright where the region is narrow.
func (p *picture) label(l layer) {
	x, y := p.at(l.label[0], l.label[1])
	width, height := l.size[0]*p.scale[0], l.size[1]*p.scale[1]
	if p.mark != nil {
		// Not under the marked box.
		if mx, my := p.box(p.mark.Dims); math.Abs(mx-x) < labelWidth/2+8 && math.Abs(my-y) < 20 {
			y += 34
		}
	}
	turn := ""
	switch {
	case width >= labelWidth && height >= labelHeight:
	case height >= labelWidth && width >= labelHeight:
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, number(x), number(y))
	default:
		return
	}
	name := cmp.Or(l.rule.Code, "valid")
	p.printf(`<text class="label" x="%s" y="%s"%s font-size="13">%s</text>`+"\n", number(x), number(y+4), turn, name)
}

// axes draws ticks at round values, and the names of both axes with the unit.
func (p *picture) axes() {
	bottom := plotTop + p.height
	p.printf(`<rect class="line" x="%d" y="%d" width="%d" height="%s"/>`+"\n",
		plotLeft, plotTop, plotWidth, number(p.height))
	for x := 0.0; x <= p.extent[0]; x += tick(p.extent[0]) {
		at, _ := p.at(x, 0)
		p.printf(`<path class="line" d="M%s %sv5"/><text class="soft" text-anchor="middle" x="%s" y="%s" font-size="12">%s</text>`+"\n",
			number(at), number(bottom), number(at), number(bottom+19), number(x))
	}
	for y := 0.0; y <= p.extent[1]; y += tick(p.extent[1]) {
		_, at := p.at(0, y)
		p.printf(`<path class="line" d="M%d %sh-5"/><text class="soft" text-anchor="end" x="%d" y="%s" font-size="12">%s</text>`+"\n",
			plotLeft, number(at), plotLeft-9, number(at+4), number(y))
	}
	p.printf(`<text class="ink" text-anchor="middle" x="%d" y="%s">%s in %s</text>`+"\n",
		plotLeft+plotWidth/2, number(bottom+42), axisNames[p.x], p.form.Unit)
	middle := plotTop + p.height/2
	p.printf(`<text class="ink" text-anchor="middle" transform="translate(18 %s) rotate(-90)">%s in %s</text>`+"\n",
		number(middle), axisNames[p.y], p.form.Unit)
}

// tick returns a round distance that divides the length into about six: 50 for 330.
func tick(length float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(length/6)))
	for _, factor := range []float64{1, 2, 5} {
		if length/(power*factor) <= 7 {
			return power * factor
		}
	}
	return power * 10
}

// marks shows the box, its valid ranges through it, and the nearest valid box.
func (p *picture) marks() {
	x, y := p.box(p.mark.Dims)
	ranges := p.mark.Ranges.ByAxis()
	for _, r := range ranges[p.x] {
		from, _ := p.at(r.Min, 0)
		to, _ := p.at(r.Max, 0)
		p.printf(`<path class="range" d="M%s %sH%s"/>`+"\n", number(from), number(y), number(to))
	}
	for _, r := range ranges[p.y] {
		_, from := p.at(0, r.Min)
		_, to := p.at(0, r.Max)
		p.printf(`<path class="range" d="M%s %sV%s"/>`+"\n", number(x), number(from), number(to))
	}
	if n := p.mark.Nearest; n != nil && n.Found() && *dimension(&n.Dims, p.fixed) == p.value {
		nx, ny := p.box(n.Dims)
		p.printf(`<path class="go" d="M%s %sL%s %s"/><circle class="near" cx="%s" cy="%s" r="6"/>`+"\n",
			number(x), number(y), number(nx), number(ny), number(nx), number(ny))
	}
	p.printf(`<circle class="box" cx="%s" cy="%s" r="6"/>`+"\n", number(x), number(y))
}

// A row of the legend shows a sample and its text.
type row struct{ sample, text string }

func (p *picture) rows() []row {
	sample := `<rect class="line" fill="url(#%s)" style="fill:url(#%s)" x="0" y="-13" width="24" height="16"/>`
	rows := []row{{`<rect class="valid" x="0" y="-13" width="24" height="16"/>`, "valid"}}
	for _, l := range p.layers {
		if l.label != nil {
			sample := fmt.Sprintf(sample, l.rule.Code, l.rule.Code)
			for _, text := range described(l.rule) {
				rows = append(rows, row{sample, text})
				sample = "" // only the first line has it
			}
		}
	}
	if p.mark == nil {
		return rows
	}
	d, verdict := p.mark.Dims, cmp.Or(string(p.mark.Code), "ok")
	rows = append(rows, row{}, row{`<circle class="box" cx="12" cy="-5" r="6"/>`,
		fmt.Sprintf("%s × %s × %s: %s", decimal(d.Width), decimal(d.Depth), decimal(d.Height), verdict)},
		row{`<path class="range" d="M3 -5H21"/>`, "valid, this dimension alone"})
	if n := p.mark.Nearest; n != nil && n.Found() {
		text := fmt.Sprintf("nearest: %s × %s × %s", decimal(n.Width), decimal(n.Depth), decimal(n.Height))
		if *dimension(&n.Dims, p.fixed) != p.value {
			rows = append(rows, row{"", text}, row{"", "(not in this slice: another " + axisNames[p.fixed] + ")"})
		} else {
			rows = append(rows, row{`<circle class="near" cx="12" cy="-5" r="6"/>`, text})
		}
	}
	return rows
}

// described returns the code of a rule with its condition, in at most three lines; where the
// condition is too long for a line of the legend it takes the message.
func described(r boxrules.Rule) []string {
	const most = 35 // runes of a line
	code := string(r.Code) + "  "
	if len([]rune(code+r.When)) <= most {
		return []string{code + r.When}
	}
	lines := []string{code}
	for _, word := range strings.Fields(r.Message) {
		last := &lines[len(lines)-1]
		if runes := []rune(word); len(runes) > most/2 {
			word = string(runes[:most/2]) + "…"
		}
		switch {
		case *last == code:
			*last += word
		case len([]rune(*last+" "+word)) <= most:
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

func (p *picture) legend() {
	for i, row := range p.rows() {
		if row.text == "" {
			continue
		}
		p.printf(`<g transform="translate(%d %d)">%s<text class="ink" x="34" y="0" font-size="13" xml:space="preserve">%s</text></g>`+"\n",
			legendLeft, plotTop+13+i*lineHeight, row.sample, html.EscapeString(row.text))
	}
}
