package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/boxrules/exact"
	"example.com/boxrules/learn/internal/plan"
	"example.com/boxrules/learn/internal/state"
)

// weight is the weight of a limit of x thousandths: values are spread evenly on a logarithmic scale, and each of these
// numbers that divides a value makes it three times as likely.
func weight(x int64) float64 {
	w := 1 / float64(x)
	for _, round := range []int64{1_000, 5_000, 10_000, 50_000, 100_000} {
		if x%round == 0 {
			w *= 3
		}
	}
	return w
}

func equal(got, want float64) bool { return math.Abs(got-want) < 1e-9 }

// TestBisect: Bisect finds the greatest multiple of the step for which ok is true, wherever that is.
func TestBisect(t *testing.T) {
	for _, step := range []int64{1, 5} {
		for high := int64(0); high <= 9; high++ {
			for want := int64(0); want <= high; want++ {
				got := plan.Bisect(0, high*step, step, func(x int64) bool {
					if x%step != 0 || x <= 0 || x > high*step {
						t.Fatalf("step %d: asks about %d of (0, %d]", step, x, high*step) // it might never end
					}
					return x <= want*step
				})
				if got != want*step {
					t.Errorf("step %d: %d from 0 to %d, want %d", step, got, high*step, want*step)
				}
			}
		}
	}
}

// limitBetween returns a limit that can be any multiple of step from low to high.
func limitBetween(low, high, step int64) *state.Limit {
	return state.NewLimit("max_width", low, high, step)
}

// TestAtLeast compares the probability of each value with a sum over all values.
func TestAtLeast(t *testing.T) {
	for _, step := range []int64{500, 1000} {
		prior := plan.NewPrior(step, 400_000)
		for _, bounds := range [][2]int64{{step, 400_000}, {40_000, 400_000}, {99_000, 101_000}, {400_000, 400_000}} {
			total := 0.0
			for x := bounds[0]; x <= bounds[1]; x += step {
				total += weight(x)
			}
			atLeast := total
			for x := bounds[0]; x <= bounds[1]; x += step {
				if got := prior.AtLeast(limitBetween(bounds[0], bounds[1], step), x); !equal(got, atLeast/total) {
					t.Fatalf("a limit from %d to %d is at least %d with probability %v, want %v", bounds[0], bounds[1], x, got, atLeast/total)
				}
				atLeast -= weight(x)
			}
			l := limitBetween(bounds[0], bounds[1], step)
			if below, above := prior.AtLeast(l, bounds[0]-step), prior.AtLeast(l, bounds[1]+step); below != 1 || above != 0 {
				t.Errorf("a limit from %d to %d is at least a step less with probability %v, and at least a step more with %v", bounds[0], bounds[1], below, above)
			}
		}
	}
	// This is the example in the comment of the type.
	if got := weight(400_000) / weight(399_000); got < 80 || got > 82 {
		t.Errorf("400 mm is %v times as likely as 399 mm", got)
	}
}

// TestQuantile: up to the quantile there is at least the share q, and up to the value before it there is less.
func TestQuantile(t *testing.T) {
	const step = 1000
	prior := plan.NewPrior(step, 400_000)
	for _, bounds := range [][2]int64{{step, 400_000}, {40_000, 400_000}, {97_000, 103_000}, {7_000, 8_000}, {50_000, 50_000}} {
		// A share that a value reaches exactly has this value as its quantile, in spite of rounding errors.
		l := limitBetween(bounds[0], bounds[1], step)
		for x := bounds[0]; x <= bounds[1]; x += step {
			if got := prior.Quantile(bounds[0], bounds[1], 1-prior.AtLeast(l, x+step)); got != x {
				t.Errorf("the quantile of %d to %d that %d reaches exactly is %d", bounds[0], bounds[1], x, got)
			}
		}
		for _, q := range []float64{0.05, 0.35, 0.5, 0.75, 0.98} {
			total, upTo := 0.0, 0.0
			for x := bounds[0]; x <= bounds[1]; x += step {
				total += weight(x)
			}
			want := bounds[0]
			for x := bounds[0]; x <= bounds[1]; x += step {
				if upTo += weight(x); upTo >= q*total {
					want = x
					break
				}
			}
			if got := prior.Quantile(bounds[0], bounds[1], q); got != want {
				t.Errorf("the %v-quantile of %d to %d is %d, want %d", q, bounds[0], bounds[1], got, want)
			}
		}
	}
}

// TestEntropy: what is certain gives no information, and an even chance gives the most.
func TestEntropy(t *testing.T) {
	for p, want := range map[float64]float64{0: 0, 1: 0, -1e-12: 0, 1 + 1e-12: 0, 0.5: 1, 0.25: 2 - 0.75*math.Log2(3), 0.75: 2 - 0.75*math.Log2(3)} {
		if got := plan.Entropy(p); !equal(got, want) {
			t.Errorf("an answer with probability %v gives %v bits, want %v", p, got, want)
		}
	}
	if got := plan.Entropy(0.9); math.Abs(got-0.47) > 0.005 {
		t.Errorf("an answer with probability 0.9 gives %v bits, want about 0.47", got)
	}
}

// TestStaircase compares the probability that a blank fits with a sum over all sheets that agree with the answers. The
// sizes at a level are the largest that have at least this probability.
func TestStaircase(t *testing.T) {
	const step, longest = 1000, 24_000
	prior := plan.NewPrior(step, longest)
	r := rand.New(rand.NewPCG(11, 12))
	for range 40 {
		sheet := state.NewSheet("s", longest, step)
		truth := exact.Point{(1 + r.Int64N(24)) * step, (1 + r.Int64N(24)) * step}
		for seq := range r.IntN(6) {
			at := exact.Point{(1 + r.Int64N(24)) * step, (1 + r.Int64N(24)) * step}
			sheet.Observe(state.Observation{At: at, Evidence: state.Evidence{Seq: seq + 1}}, state.Inside(at, truth))
		}
		// possible returns the weight of the possible sheets that hold a blank of the given size.
		possible := func(size exact.Point) (sum float64) {
			for long := max(size[0], step); long <= longest; long += step {
				for short := max(size[1], step); short <= longest; short += step {
					s := exact.Point{long, short}
					agrees := state.Inside(sheet.Corner(), s)
					for _, excluded := range sheet.Excluded {
						agrees = agrees && !state.Inside(excluded.At, s)
					}
					if agrees {
						sum += weight(long) * weight(short)
					}
				}
			}
			return sum
		}
		stairs, total := plan.NewStaircase(prior, sheet), possible(exact.Point{})
		probability := func(size exact.Point) float64 { return possible(size) / total }
		for range 20 {
			size := exact.Point{r.Int64N(26) * step, r.Int64N(26) * step}
			if got, want := stairs.Fits(size), probability(size); !equal(got, want) {
				t.Fatalf("%v fits with probability %v, want %v; it holds %v and does not hold %v", size, got, want, sheet.Contained, sheet.Excluded)
			}
		}
		const q = 0.35
		level := stairs.Level(q)
		for i, size := range level {
			if i > 0 && size[state.Long] < level[i-1][state.Long] {
				t.Errorf("the sizes are not in the order of the longer side: %v", level)
			}
			longer, wider := size, size
			longer[state.Long] += step
			wider[state.Short] += step
			if probability(size) < q || probability(wider) >= q {
				t.Errorf("size %v at level %v fits with probability %v, and %v with %v", size, q, probability(size), wider, probability(wider))
			}
			// The longer side has its part of the probability: none for the first size, and all for the last one.
			one := math.Pow(q, float64(i)/float64(len(level)-1))
			alone := sheet.Corner()
			alone[state.Long] = size[state.Long]
			if probability(alone) < one-1e-9 || probability(exact.Point{longer[state.Long], alone[state.Short]}) >= one {
				t.Errorf("the longer side of size %d of level %v is %v; it has probability %v, want at least %v", i, q, size[state.Long], probability(alone), one)
			}
		}
	}
}

// TestLevelOfNoProbability: every size fits with a probability of at least 0, so the last size is the longest and the
// widest that the sheet can still have.
func TestLevelOfNoProbability(t *testing.T) {
	const step, longest = 1000, 24_000
	stairs := plan.NewStaircase(plan.NewPrior(step, longest), state.NewSheet("s", longest, step))
	level := stairs.Level(0)
	if got := level[len(level)-1]; got != (exact.Point{longest, longest}) {
		t.Errorf("the last size of level 0 is %v", got)
	}
}

// TestTinySheet: if even a blank of one step does not fit, no larger blank does.
func TestTinySheet(t *testing.T) {
	const step = 1000
	sheet := state.NewSheet("s", 100_000, step)
	sheet.Observe(state.Observation{At: exact.Point{step, step}, Evidence: state.Evidence{Seq: 1}}, false)
	stairs := plan.NewStaircase(plan.NewPrior(step, 100_000), sheet)
	for _, size := range []exact.Point{{2 * step, step}, {100_000, 100_000}} {
		if got := stairs.Fits(size); got != 0 {
			t.Errorf("a blank of %v fits with probability %v", size, got)
		}
	}
}

// TestLongSheets: a sheet can be longer than all limits. There its mass grows with the logarithm of the length, so
// it is equally likely to be 1 to 2, and 2 to 4 times as long as the greatest limit.
func TestLongSheets(t *testing.T) {
	const step, maxLimit = 1000, 100_000
	prior := plan.NewPrior(step, maxLimit)
	sheet := state.NewSheet("s", 4*maxLimit, step)
	for seq, at := range []exact.Point{{maxLimit + step, step}, {step, 2 * step}} {
		sheet.Observe(state.Observation{At: at, Evidence: state.Evidence{Seq: seq + 1}}, seq == 0)
	}
	// The sheet is a step wide, and from maxLimit + step to 4*maxLimit long.
	stairs := plan.NewStaircase(prior, sheet)
	for _, test := range []struct {
		long int64
		want float64
	}{
		{maxLimit + step, 1}, {2*maxLimit + step, 0.5}, {4 * maxLimit, math.Log2(400.0/399) / 2}, {4*maxLimit + step, 0},
	} {
		if got := stairs.Fits(exact.Point{test.long, step}); !equal(got, test.want) {
			t.Errorf("a blank of length %d fits with probability %v, want %v", test.long, got, test.want)
		}
	}
	// A sheet about which nothing is known may be longer than all limits, but the longer, the less likely.
	stairs = plan.NewStaircase(prior, state.NewSheet("s", 4*maxLimit, step))
	atMost := 1.0
	for _, long := range []int64{maxLimit, maxLimit + step, 2 * maxLimit, 4 * maxLimit} {
		got := stairs.Fits(exact.Point{long, step})
		if got <= 0 || got >= atMost {
			t.Errorf("a blank of length %d fits with probability %v, want more than 0 and less than %v", long, got, atMost)
		}
		atMost = got
	}
}
