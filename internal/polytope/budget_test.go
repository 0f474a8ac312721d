package polytope

import (
	"testing"

	"example.com/boxrules/exact"
)

// TestShare checks the size of a share, and that spending from it spends from the whole.
func TestShare(t *testing.T) {
	for _, test := range []struct{ jobs, want int }{{1, 960}, {2, 480}, {7, 137}, {8, 120}, {9, 120}, {1000, 120}} {
		whole := NewBudget(960)
		share := whole.Share(test.jobs)
		if share.remaining != test.want {
			t.Errorf("the share for one of %d jobs is %d, want %d", test.jobs, share.remaining, test.want)
		}
		if !share.Spend(test.want-1) || share.Spend(1) || whole.remaining != 960-test.want {
			t.Errorf("after the share for one of %d jobs %d remains, want %d", test.jobs, whole.remaining, 960-test.want)
		}
	}
}

// TestSpent spends all work exactly, and less.
func TestSpent(t *testing.T) {
	for _, test := range []struct {
		work int
		want bool
	}{{9, false}, {10, true}, {11, true}} {
		b := NewBudget(10)
		if remains := b.Spend(test.work); remains == test.want || b.Spent() != test.want {
			t.Errorf("after %d of 10, Spend = %v and Spent = %v, want %v and %v", test.work, remains, b.Spent(), !test.want, test.want)
		}
		c := cellSearch{remaining: 10}
		if remains := c.spend(test.work); remains == test.want || c.spent() != test.want {
			t.Errorf("after %d of 10, spend = %v and spent = %v, want %v and %v", test.work, remains, c.spent(), !test.want, test.want)
		}
	}
	var unlimited *Budget
	if !unlimited.Spend(1<<30) || unlimited.Spent() {
		t.Error("the nil Budget is spent")
	}
}

// TestWorkOfParts checks the work that the parts of a search count. To classify the eight corners of a cube takes 3,
// and to cut it 2·8·8 + 128.
func TestWorkOfParts(t *testing.T) {
	const classify, cut = 3, 256
	cube := Cuboid(exact.Point{0, 0, 0}, exact.Point{9, 9, 9})
	everywhere := exact.HalfSpace{A: [...]int64{1, 0, 0}, K: -1}
	nowhere := exact.HalfSpace{A: [...]int64{1, 0, 0}, K: 9}
	some := exact.HalfSpace{A: [...]int64{0, 1, 0}, K: 4}
	for _, test := range []struct {
		name string
		run  func(*cellSearch)
		want int
	}{
		{"a clip that cuts nothing off", func(c *cellSearch) { c.clip(cube, everywhere) }, classify},
		{"a clip that cuts something off", func(c *cellSearch) { c.clip(cube, some) }, classify + cut},
		{"one condition", func(c *cellSearch) { c.visitCells(cube, []exact.Region{everywhere.Region()}, nil) }, 1 + classify},
		{"two disjunctions", func(c *cellSearch) {
			c.visitCells(cube, nil, [][]exact.Region{{everywhere.Region()}, {everywhere.Region()}})
		}, 2 + 2*classify},
		// The other half-space is not looked at after the first has left nothing.
		{"an impossible conjunction", func(c *cellSearch) {
			c.possibleParts(cube, []exact.Region{exact.AllOf(nowhere.Region(), some.Region())})
		}, classify + classify + cut},
	} {
		c := cellSearch{Search: Search{Step: 1}, visit: func(Polytope) bool { return true }, remaining: maxWork}
		if test.run(&c); maxWork-c.remaining != test.want {
			t.Errorf("%s takes %d, want %d", test.name, maxWork-c.remaining, test.want)
		}
	}
}

// TestWorkOfLines checks the work of looking for a grid point. A slice of a cube takes 256, and a line of a polytope
// with six faces 2.
func TestWorkOfLines(t *testing.T) {
	for _, test := range []struct {
		p    Polytope
		want int
	}{
		{Cuboid(exact.Point{0, 0, 0}, exact.Point{9, 9, 9}), 256 + 2},
		// Cut to 2·height = 2·depth + 1, it has eight faces and four corners. None of the two lines in each of its two
		// slices has a grid point.
		{Cuboid(exact.Point{0, 0, 0}, exact.Point{1, 1, 2}).
			Clip(exact.HalfSpace{A: [...]int64{0, -2, 2}, K: 0}).
			Clip(exact.HalfSpace{A: [...]int64{0, 2, -2}, K: -2}), 2*(2*4*4+128) + 4*3},
	} {
		b := NewBudget(maxWork)
		test.p.findFirstLatticePoint(&b, 1, maxQuickSlices, byWidthDepthHeight)
		if got := maxWork - b.remaining; got != test.want {
			t.Errorf("the search of %v takes %d, want %d", test.p.Vertices(), got, test.want)
		}
	}
}
