package boxmap

import (
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

func TestContains(t *testing.T) {
	triangle := [][2]float64{{0, 0}, {6, 0}, {0, 3}}
	for _, test := range []struct {
		point [2]float64
		want  bool
	}{
		{[2]float64{1, 1}, true}, {[2]float64{0, 0}, true}, {[2]float64{6, 0}, true}, {[2]float64{3, 0}, true}, {[2]float64{4, 1}, true},
		{[2]float64{4, 1.1}, false}, {[2]float64{-0.1, 1}, false}, {[2]float64{1, -0.1}, false}, {[2]float64{7, 0}, false},
	} {
		if got := contains(triangle, test.point); got != test.want {
			t.Errorf("%v is in the triangle: %v, want %v", test.point, got, test.want)
		}
	}
}

// labelled returns the label that is written in a rectangle of the given size, in pixels, whose middle is at (500, 500) in
// the picture. If mark is not nil, a box is marked at that distance from the middle, to the right and down.
func labelled(width, height float64, mark *[2]float64) string {
	// One unit is two pixels across and half a pixel up.
	width, height = width/2, height*2
	middle := [2]float64{(500 - plotLeft) / 2, 800}
	p := &picture{
		crossSection: &crossSection{xAxis: exact.Width, yAxis: exact.Depth, fixedAxis: exact.Height},
		scale:        [2]float64{2, 0.5},
		height:       500 - plotTop + 800*0.5,
	}
	if mark != nil {
		p.markedBox = &boxrules.Explanation{Dims: boxrules.Dims{Width: middle[0] + mark[0]/2, Depth: middle[1] - mark[1]*2}}
	}
	left, right, low, high := middle[0]-width/2, middle[0]+width/2, middle[1]-height/2, middle[1]+height/2
	piece := [][2]float64{{left, low}, {right, low}, {right, high}, {left, high}}
	p.writeLabel(layer{labelPiece: piece, labelPosition: &middle, labelSpace: [2]float64{width, height}})
	return p.out.String()
}

// TestLabelBesideMark marks boxes in and around a label. A label moves only if the box would be too close to it. Then it
// is written beside the box, in the first of these places that is within its piece of the region: below, above, to the
// right, to the left. If none is, it is not written.
func TestLabelBesideMark(t *testing.T) {
	const closeX, closeY = labelWidth/2 + markDistance, labelHeight/2 + markDistance
	at := func(x, y float64) *[2]float64 { return &[2]float64{x, y} }
	for _, test := range []struct {
		name          string
		width, height float64
		box           [2]float64  // its distance from the middle of the piece, to the right and down
		want          *[2]float64 // that of the label, or nil if there is no label
	}{
		{"far away", 300, 300, [2]float64{140, 140}, at(0, 0)},
		{"just far enough to the right", 300, 300, [2]float64{closeX, 0}, at(0, 0)},
		{"just far enough to the left", 300, 300, [2]float64{-closeX, 0}, at(0, 0)},
		{"just far enough below", 300, 300, [2]float64{0, closeY}, at(0, 0)},
		{"just far enough above", 300, 300, [2]float64{0, -closeY}, at(0, 0)},
		{"at the right end", 300, 300, [2]float64{closeX - 1, 0}, at(0, closeY)},
		{"in the middle", 300, 300, [2]float64{0, 0}, at(0, closeY)},
		{"a little above the middle", 300, 300, [2]float64{0, -5}, at(0, closeY-5)},
		{"no room below", 300, 50, [2]float64{0, 5}, at(0, 5-closeY)},
		{"just enough room below", 300, 2*closeY + labelHeight, [2]float64{0, 0}, at(0, closeY)},
		{"too little room below and above", 300, 2*closeY + labelHeight - 1, [2]float64{0, 0}, at(closeX, 0)},
		{"a low piece", 250, 20, [2]float64{-10, 2}, at(closeX-10, 0)},
		{"a low piece without room to the right", 210, 20, [2]float64{20, 0}, at(20-closeX, 0)},
		{"a low and narrow piece", 150, 20, [2]float64{0, 0}, nil},
	} {
		var want string
		if test.want != nil {
			x, y := 500+test.want[0], 500+test.want[1]
			want = ` x="` + formatCoordinate(x) + `" y="` + formatCoordinate(y+4) + `"`
		}
		if got := labelled(test.width, test.height, &test.box); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: label %q, want%s", test.name, got, want)
		}
	}
	// A turned label is as high as a level one is wide.
	for _, test := range []struct {
		height float64
		box    [2]float64
		want   string
	}{
		{300, [2]float64{0, closeX}, "rotate(-90 500 500)"},
		{300, [2]float64{closeY, 0}, "rotate(-90 500 500)"},
		{200, [2]float64{0, closeX - 1}, "rotate(-90 500 " + formatCoordinate(500-1) + ")"},
		{200, [2]float64{0, 40}, "rotate(-90 500 " + formatCoordinate(540-closeX) + ")"},
		{200, [2]float64{0, -40}, "rotate(-90 500 " + formatCoordinate(460+closeX) + ")"},
	} {
		if got := labelled(20, test.height, &test.box); !strings.Contains(got, test.want) {
			t.Errorf("turned, box at %v: label %q, want %s", test.box, got, test.want)
		}
	}
}
