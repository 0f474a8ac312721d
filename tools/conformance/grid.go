package main

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
)

// dimensions are numbers that are not on the grid, or that a careless way to it puts on another
// point: halves of a thousandth, which float64 holds a little less or more of, numbers beside them,
// and the ends of what is accepted.
func dimensions() []float64 {
	values := []float64{
		0, math.Copysign(0, -1), 48, 48.0004, 48.0006, 48.001, 47.9996, 0.3, 0.1 + 0.2, 1.0 / 3, 2.0 / 3, 498.25,
		math.SmallestNonzeroFloat64, 1e-300, 1e-7, -1e-7, 0.001, -0.001, 12345.6789, -12345.6789, 99999.9999,
		33.333, 33.3333333333, 66.6666666667, 249.125, 0.07, 0.57, 1.1, 1.15, 8.2, 9.95, 64.1, 4.35, 1.005, 2.675,
		1_000_000, -1_000_000, 999_999.999, -999_999.999, 524_288, 8_191.999,
	}
	halves := []float64{
		0.0005, 0.9995, 1.0005, 2.0005, 4.0005, 8.0005, 48.0005, 64.0005, 128.0005, 498.2505, 1024.0005, 4096.0015,
		33_333.3335, 65_536.0005, 123_456.7895, 524_288.0005, 999_999.9985, 999_999.9995,
	}
	for _, x := range halves {
		for _, y := range []float64{x, -x} {
			values = append(values, y, math.Nextafter(y, math.Inf(-1)), math.Nextafter(y, math.Inf(1)))
		}
	}
	for _, x := range []float64{0.00049999, 0.00049999999999999, 48.00049999, 0.99949999999} {
		values = append(values, x, -x)
	}
	return append(values, math.Nextafter(1_000_000, 0), -math.Nextafter(1_000_000, 0))
}

// grid says on which grid point every number lies. An article is valid on one point alone: two
// rules reject what is below it and what is above.
func grid() plan {
	points := make(map[string]*big.Rat) // by article
	name := func(point *big.Rat) string {
		return "at" + strings.NewReplacer("-", "-minus-", ".", "-").Replace(point.FloatString(3))
	}
	codes := func(i int) (below, above string) { return fmt.Sprintf("BELOW_%04d", i), fmt.Sprintf("ABOVE_%04d", i) }
	var order []string
	rules, catalogue := "version: 1\nconstraint:\n", openHead
	for _, x := range dimensions() {
		point := oracle.Grid(x)
		article := name(point)
		if points[article] != nil {
			continue
		}
		below, above := codes(len(order))
		order = append(order, article)
		points[article] = point
		limit := point.FloatString(3)
		rules += fmt.Sprintf("  - {code: %s, when: 'min(width, depth, height) < %s', message: below}\n", below, limit)
		rules += fmt.Sprintf("  - {code: %s, when: 'max(width, depth, height) > %s', message: above}\n", above, limit)
		catalogue += openArticle(article, below, above)
	}
	return plan{
		File: conformance.File{
			Name: "grid.json",
			Description: "Which thousandth a float64 stands for: floor(x*1000 + 0.5), product and sum each rounded to float64. " +
				"Every article is valid on one grid point alone; one dimension is the number in question, the others lie on that point, " +
				"and once each on another.",
			Rules: rules, Limits: catalogue,
		},
		right: func(article, _ string, w, d, h *big.Rat) (wrong []string) {
			below, above := codes(slices.Index(order, article))
			if least(w, d, h).Cmp(points[article]) < 0 {
				wrong = append(wrong, below)
			}
			if greatest(w, d, h).Cmp(points[article]) > 0 {
				wrong = append(wrong, above)
			}
			return wrong
		},
		boxes: func(s *suite) {
			for i, x := range dimensions() {
				article := name(oracle.Grid(x))
				at, _ := points[article].Float64()
				s.ask(article, "board", boxrules.Dims{Width: x, Depth: at, Height: at})
				s.ask(article, "board", boxrules.Dims{Width: at, Depth: x, Height: at})
				s.ask(article, "board", boxrules.Dims{Width: at, Depth: at, Height: x})
				other := order[(slices.Index(order, article)+1+i%2)%len(order)]
				s.ask(other, "board", boxrules.Dims{Width: x, Depth: x, Height: x})
			}
		},
	}
}
