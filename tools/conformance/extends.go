package main

import (
	"math/big"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

// extends is a user's rule file on top of the documented rules: in each stage a rule comes after
// theirs.
func extends() plan {
	return plan{
		File: conformance.File{
			Name: "extends.json",
			Description: "A user's rule file that extends the documented rules: it has a rule for each stage, which comes after the " +
				"documented ones of that stage.",
			Rules: `version: 1
extends: documented
size: [{code: SHOP_0003, when: blank_height > 1000, message: too high for our die cutter}]
constraint: [{code: SHOP_0002, when: height > 3 * width, message: too tall for our gluer}]
boundary: [{code: SHOP_0001, when: width > 900, message: too wide for our gluer}]
`,
			Limits: openHead + openArticle("both", "SHOP_0002", "BOX_3118") + openArticle("shadowed", "SHOP_0002", "BOX_3104") +
				openArticle("documented", "BOX_3118"),
		},
		blank: walled,
		boxes: func(s *suite) {
			documented := s.right
			s.right = func(article, material string, w, d, h *big.Rat) (codes []string) {
				of := documented(article, material, w, d, h)
				stage := func(prefix, added string, fails bool) {
					for _, code := range of {
						if strings.HasPrefix(code, prefix) {
							codes = append(codes, code)
						}
					}
					if fails {
						codes = append(codes, added)
					}
				}
				_, height := walled(w, d, h, nil, nil)
				stage("BOX_2", "SHOP_0001", w.Cmp(whole(900)) > 0)
				stage("BOX_3", "SHOP_0002", article != "documented" && h.Cmp(times(w, 3, 1)) > 0)
				stage("BOX_4", "SHOP_0003", height.Cmp(whole(1000)) > 0)
				return codes
			}
			for _, p := range s.engine.Profiles() {
				for _, stage := range []boxrules.Stage{boxrules.Boundary, boxrules.Constraint, boxrules.Size} {
					s.border(p, stage, 2)
				}
			}
		},
	}
}
