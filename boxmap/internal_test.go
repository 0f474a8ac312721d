package boxmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

func TestTickDistance(t *testing.T) {
	for _, test := range []struct{ length, want float64 }{
		{60, 10}, {70, 10}, {71, 20}, {140, 20}, {141, 50}, {330, 50}, {350, 50}, {351, 100}, {600, 100}, {0.7, 0.1},
	} {
		if got := tickDistance(test.length); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("tickDistance(%v) = %v, want %v", test.length, got, test.want)
		}
	}
}

// TestConvexHull has points inside the hull, on its edges and at its corners, in no order, and some of them twice.
func TestConvexHull(t *testing.T) {
	hull := convexHull([][2]float64{{4, 0}, {2, 1}, {0, 3}, {2, 0}, {4, 3}, {0, 0}, {4, 1}, {4, 3}, {0, 2}, {1, 3}, {0, 0}})
	if want := [][2]float64{{0, 0}, {4, 0}, {4, 3}, {0, 3}}; !slices.Equal(hull, want) {
		t.Errorf("hull of a rectangle: %v, want %v", hull, want)
	}
	hull = convexHull([][2]float64{{2, 2}, {0, 0}, {1, 1}})
	if want := [][2]float64{{0, 0}, {2, 2}}; !slices.Equal(hull, want) {
		t.Errorf("hull of points on a line: %v, want %v", hull, want)
	}
}

func TestCentroid(t *testing.T) {
	for _, test := range []struct {
		polygon [][2]float64
		middle  [2]float64
		area    float64
	}{
		{[][2]float64{{1, 1}, {5, 1}, {5, 4}, {1, 4}}, [2]float64{3, 2.5}, 12},
		{[][2]float64{{0, 0}, {6, 0}, {0, 3}}, [2]float64{2, 1}, 9},
		// A square of area 4 with the triangle above it, whose middles are at (1, 1) and (1, 3).
		{[][2]float64{{0, 0}, {2, 0}, {2, 2}, {1, 5}, {0, 2}}, [2]float64{1, (4*1 + 3*3) / 7.0}, 7},
	} {
		middle, area := centroid(test.polygon)
		if math.Hypot(middle[0]-test.middle[0], middle[1]-test.middle[1]) > 1e-9 || math.Abs(area-test.area) > 1e-9 {
			t.Errorf("centroid(%v) = %v, %v, want %v, %v", test.polygon, middle, area, test.middle, test.area)
		}
	}
}

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

// TestLabelSpace checks that a label is written if it just fits, turned if it must be, and left out if it does not fit.
func TestLabelSpace(t *testing.T) {
	for _, test := range []struct {
		width, height float64
		want          string
	}{
		{labelWidth, labelHeight, "level"},
		{labelWidth, labelWidth, "level"},
		{labelHeight, labelWidth, "turned"},
		{labelWidth - 1, labelWidth, "turned"},
		{labelWidth - 1, labelHeight, ""},
		{labelWidth, labelHeight - 1, ""},
		{labelHeight, labelWidth - 1, ""},
		{labelHeight - 1, labelWidth, ""},
	} {
		got, text := "", labelled(test.width, test.height, nil)
		if strings.Contains(text, "rotate(-90 500 500)") {
			got = "turned"
		} else if strings.Contains(text, `x="500"`) {
			got = "level"
		}
		if got != test.want {
			t.Errorf("in %v x %v pixels: %q, want the label %q", test.width, test.height, text, test.want)
		}
	}
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
