package boxrules

import (
	"slices"

	"example.com/boxrules/exact"
)

// A Turn is the box in another orientation: the same three dimensions in a different order.
type Turn struct {
	Dims
	Opening Opening `json:"opening"`
}

// String returns the dimensions of the turned box, such as "141 x 48 x 184". For [OtherOpening] it adds
// "(another side opens)".
func (t Turn) String() string {
	text := dimensionText(exact.Grid(t.Width)) + " x " + dimensionText(exact.Grid(t.Depth)) + " x " + dimensionText(exact.Grid(t.Height))
	if t.Opening == OtherOpening {
		text += " (another side opens)"
	}
	return text
}

// An Opening says which side of a turned box opens.
type Opening string

// If only width and depth are exchanged, the same side opens, and the box is the same. If the height
// becomes the width or the depth, another side opens.
const (
	SameOpening  Opening = "same"
	OtherOpening Opening = "other"
)

// turns lists the ways to turn a box, the best way first. from[Width] is the axis of the original box whose
// dimension becomes the width, and so on.
var turns = [...]struct {
	from    [exact.Axes]int
	opening Opening
}{
	{[exact.Axes]int{exact.Depth, exact.Width, exact.Height}, SameOpening},
	{[exact.Axes]int{exact.Width, exact.Height, exact.Depth}, OtherOpening},
	{[exact.Axes]int{exact.Height, exact.Depth, exact.Width}, OtherOpening},
	{[exact.Axes]int{exact.Depth, exact.Height, exact.Width}, OtherOpening},
	{[exact.Axes]int{exact.Height, exact.Width, exact.Depth}, OtherOpening},
}

// Turned returns the ways to turn the box so that it is valid, the best way first. If the box with width and
// depth exchanged is valid, it comes first, because it is the same box. Then come the turns that make another
// side open: first the turns that exchange two dimensions, then the turns that move all three. Turned leaves
// out a turned box that is borderline (see [Profile.Borderline]). It returns nil if no turn remains, or if the
// box is valid already. It returns the same errors as [Profile.Check].
func (p *Profile) Turned(d Dims) ([]Turn, error) {
	if p.valid == nil {
		return nil, errZeroProfile
	}
	if v, err := p.Check(d); err != nil || v.OK() {
		return nil, err // a valid box need not be turned
	}
	sides := [exact.Axes]float64{d.Width + 0, d.Depth + 0, d.Height + 0} // adding 0 turns -0 into 0
	var turned []Turn
	seen := make([]exact.Point, 0, len(turns)) // a cube, for example, is the same in every turn
	for _, t := range turns {
		// Take the dimensions as they were given, not as they are rounded to the grid: turning changes no size.
		other := Dims{sides[t.from[exact.Width]], sides[t.from[exact.Depth]], sides[t.from[exact.Height]]}
		at, _ := other.Grid()
		// Do not propose a box that is borderline, before or after rounding.
		v, err := p.Check(other)
		if err != nil {
			return nil, err
		}
		if v.OK() && !slices.Contains(seen, at) && !p.isBorderline(other) && !p.isBorderline(DimsAt(at)) {
			seen = append(seen, at)
			turned = append(turned, Turn{other, t.opening})
		}
	}
	return turned, nil
}
