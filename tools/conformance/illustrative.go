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

// illustrative returns the files of the documented rules with the shipped limits, one for each
// stage.
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

// ordinary lists boxes as customers ask for them.
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

// byHand returns what the oracle says of the catalogue's articles in their materials, with the
// blank one for all of them, or where that is nil with the blanks of the shipped articles.
func byHand(catalogue *limits.Catalogue, one flat) (verdicts, error) {
	materials := make(map[string]limits.Material)
	for _, m := range catalogue.Materials() {
		materials[m.Code] = m
	}
	profiles := make(map[[2]string]*oracle.Profile)
	for _, a := range catalogue.Articles() {
		blank := oracle.Blanks[a.Code]
		if one != nil {
			blank = one
		}
		if blank == nil {
			return nil, fmt.Errorf("article %s has no blank in package oracle", a.Code)
		}
		for _, code := range a.Materials {
			profiles[[2]string{a.Code, code}] = oracle.New(a, materials[code], blank)
		}
	}
	return func(article, material string, w, d, h *big.Rat) []string {
		return profiles[[2]string{article, material}].All(w, d, h)
	}, nil
}

type flat = oracle.Flat

var walled, selected = oracle.Walled, oracle.Selected
