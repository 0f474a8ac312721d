package main

import (
	"fmt"
	"math/big"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/limits"
)

const (
	documentedRules = "rules/box_rules.yaml"
	shippedLimits   = "limits/illustrative.yaml"
)

// illustrative are the documented rules with the shipped limits, a file for each stage.
func illustrative() (plans []plan) {
	for i, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
		count := []int{1, 3, 1}[i]
		plans = append(plans, plan{
			File: conformance.File{
				Name: fmt.Sprintf("illustrative-%s.json", stage),
				Description: "The documented rules with the shipped limits, which are illustrative: for every article in every " +
					"material, boxes around the border of every half-space of its " + stage.String() +
					" rules, on it and with a thousandth less and more.",
				Rules: documentedRules, Limits: shippedLimits,
			},
			boxes: func(s *suite) {
				for _, p := range s.engine.Profiles() {
					s.border(p, stage, count)
				}
				if stage == boxrules.Constraint {
					for _, box := range ordinary {
						s.ask(box.Article, box.Material, box.Dims)
					}
				}
			},
		})
	}
	return plans
}

// ordinary are boxes as customers ask for them.
var ordinary = []boxrules.Box{
	{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 143, Depth: 50, Height: 303}},
	{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}},
	{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 238, Depth: 138, Height: 398}},
	{Article: "slotted-case", Material: "b-flute", Dims: boxrules.Dims{Width: 228, Depth: 138, Height: 85}},
	{Article: "slotted-case", Material: "b-flute", Dims: boxrules.Dims{Width: 398, Depth: 307, Height: 99}},
	{Article: "slotted-case", Material: "b-flute", Dims: boxrules.Dims{Width: 450, Depth: 114, Height: 223}},
	{Article: "slotted-case", Material: "b-flute", Dims: boxrules.Dims{Width: 456, Depth: 259, Height: 450}},
	{Article: "handle-box", Material: "carton-400", Dims: boxrules.Dims{Width: 224, Depth: 172, Height: 134}},
	{Article: "handle-box", Material: "carton-400", Dims: boxrules.Dims{Width: 107, Depth: 170, Height: 186}},
	{Article: "handle-box", Material: "carton-400", Dims: boxrules.Dims{Width: 148, Depth: 107, Height: 176}},
	{Article: "counter-display", Material: "carton-400", Dims: boxrules.Dims{Width: 209, Depth: 287, Height: 239}},
	{Article: "counter-display", Material: "carton-400", Dims: boxrules.Dims{Width: 350, Depth: 312, Height: 212}},
	{Article: "counter-display", Material: "carton-400", Dims: boxrules.Dims{Width: 162, Depth: 266, Height: 67}},
}

// byHand has what the oracle says of the catalogue's articles in their materials: numbers are as
// the catalogue has them, and blanks by hand, either one for all or those of the shipped articles.
func byHand(catalogue *limits.Catalogue, one flat) (verdicts, error) {
	materials := make(map[string]limits.Material)
	for _, m := range catalogue.Materials() {
		materials[m.Code] = m
	}
	profiles := make(map[[2]string]*oracle.Profile)
	for _, a := range catalogue.Articles() {
		blank := blanks[a.Code]
		if one != nil {
			blank = one
		}
		if blank == nil {
			return nil, fmt.Errorf("article %s has no blank in tools/conformance/illustrative.go", a.Code)
		}
		for _, code := range a.Materials {
			m := materials[code]
			profiles[[2]string{a.Code, code}] = &oracle.Profile{
				MinWidth: a.Width.Min.Rat(), MaxWidth: a.Width.Max.Rat(),
				MinDepth: a.Depth.Min.Rat(), MaxDepth: a.Depth.Max.Rat(),
				MinHeight: a.Height.Min.Rat(), MaxHeight: a.Height.Max.Rat(),
				Constraints: selected(a.Constraints),
				SheetWidth:  m.Sheet.Width.Rat(), SheetHeight: m.Sheet.Height.Rat(),
				Blank: func(w, d, h *big.Rat) (width, height *big.Rat) {
					return blank(w, d, h, m.GlueFlap.Rat(), m.Caliper.Rat())
				},
			}
		}
	}
	return func(article, material string, w, d, h *big.Rat) []string {
		return profiles[[2]string{article, material}].All(w, d, h)
	}, nil
}

func selected(codes []string) map[string]bool {
	set := make(map[string]bool)
	for _, code := range codes {
		set[code] = true
	}
	return set
}

// A flat gives the blank of a box, with the material's glue flap g and caliper t.
type flat func(w, d, h, g, t *big.Rat) (width, height *big.Rat)

// blanks are the blank formulas of the shipped articles, by hand.
var blanks = map[string]flat{
	"tuck-end":        tuckEnd,
	"tuck-end-slim":   tuckEnd,
	"window-carton":   tuckEnd,
	"snap-lock":       snapLock,
	"shelf-carton":    snapLock,
	"auto-bottom":     autoBottom,
	"bottle-carton":   autoBottom,
	"handle-box":      autoBottom,
	"upright-carton":  autoBottom,
	"gable":           autoBottom, // 1.5 depths as well
	"slotted-case":    slotted,
	"transit-case":    slotted,
	"tray":            walled,
	"counter-display": walled,
	"telescope-lid":   walled,
	"insert-box":      walled,
	"sleeve":          func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return girth(w, d, g), h },
	"pillow-pack":     func(w, d, h, g, _ *big.Rat) (_, _ *big.Rat) { return sum(w, d), sum(times(h, 2, 1), g) },
	"roll-over-tray": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return sum(w, times(h, 4, 1), times(t, 43, 3)), sum(d, times(h, 2, 1))
	},
	"mailer": func(w, d, h, _, t *big.Rat) (_, _ *big.Rat) {
		return greatest(sum(w, times(h, 4, 1), times(t, 43, 3)), sum(w, d, times(t, 16, 3))),
			sum(times(d, 2, 1), times(h, 3, 1), times(t, 22, 3))
	},
}

func girth(w, d, g *big.Rat) *big.Rat { return sum(w, d, w, d, g) }

func tuckEnd(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	flap := least(greatest(times(d, 1, 2), whole(12)), whole(25))
	return girth(w, d, g), sum(h, d, d, flap, flap)
}

func snapLock(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return girth(w, d, g), sum(h, times(d, 3, 4), greatest(whole(14), times(d, 2, 5)), times(d, 13, 20))
}

func autoBottom(w, d, h, g, _ *big.Rat) (width, height *big.Rat) {
	return girth(w, d, g), sum(h, times(d, 3, 2))
}

func slotted(w, d, h, g, _ *big.Rat) (width, height *big.Rat) { return girth(w, d, g), sum(h, d) }

// walled has a wall on each of the four sides of the base.
func walled(w, d, h, _, _ *big.Rat) (width, height *big.Rat) { return sum(w, h, h), sum(d, h, h) }
