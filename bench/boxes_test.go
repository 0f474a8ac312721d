package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// sets are the boxes of every benchmark, always the same and in no order.
type sets struct {
	valid   []boxrules.Dims
	invalid []boxrules.Dims // of each code as many
	mixed   []boxrules.Dims // from both, as many
}

const (
	// Enough boxes that a processor cannot learn the outcome of every branch. With 10,000 it still
	// can.
	boxes = 32_000
	codes = 8 // that the article reports
)

var makeBoxes = sync.OnceValue(func() sets {
	random := rand.New(rand.NewPCG(1, 2))
	p := profile()
	var s sets
	of := make(map[boxrules.Code]int)
	for tries := 0; len(s.valid) < boxes || len(s.invalid) < boxes; tries++ {
		if tries == 10_000_000 {
			panic(fmt.Sprintf("after %d boxes: %d valid, and of each code %v", tries, len(s.valid), of))
		}
		d := anyBox(p, random)
		switch v, err := p.Check(d); {
		case err != nil:
			panic(err)
		case v.OK():
			if len(s.valid) < boxes {
				s.valid = append(s.valid, d)
			}
		case of[v.Code()] < boxes/codes:
			of[v.Code()]++
			s.invalid = append(s.invalid, d)
		}
	}
	// Without shuffling, the rarest codes would all be at the end.
	shuffle := func(set []boxrules.Dims) {
		random.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	}
	shuffle(s.invalid)
	s.mixed = append(append(s.mixed, s.valid[:boxes/2]...), s.invalid[:boxes/2]...)
	shuffle(s.mixed)
	return s
})

// anyBox is a box from half the article's minimums to a quarter above its maximums: most are
// whole or half millimetres, some are to the thousandth.
func anyBox(p *boxrules.Profile, random *rand.Rand) boxrules.Dims {
	form := p.Exact()
	step := []float64{1, 2, 1000}[random.IntN(3)]
	dimension := func(axis int) float64 {
		low, high := exact.Float64At(form.Low[axis])/2, exact.Float64At(form.High[axis])*1.25
		return math.Round((low+random.Float64()*(high-low))*step) / step
	}
	return boxrules.Dims{
		Width:  dimension(exact.Width),
		Depth:  dimension(exact.Depth),
		Height: dimension(exact.Height),
	}
}
