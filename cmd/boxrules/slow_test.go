package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
)

// scripts/attack runs them at length.
var (
	slowFileCount = flag.Int("slow.files", 1, "how many files made to be slow are checked, explained, drawn and generated from")
	slowProofs    = flag.Int("slow.proofs", 0, "how many of them are also linted and compared, for some seconds each")
	slowSeed      = flag.Uint64("slow.seed", 3, "what the first of them is drawn from; each further one takes the next number")
)

// slowFiles are rule files and limit files that are legal and made to be slow. Each run ends in
// time and with an answer.
func slowFiles() (cases []hostileCase) {
	n, proofs := *slowFileCount, *slowProofs
	if thorough {
		n, proofs = max(n, 4), max(proofs, 1)
	}
	for i := range n {
		seed := *slowSeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 12))
		s := gen.NewSlow(r.IntN)
		files := map[string]string{"rules.yaml": s.Rules, "limits.yaml": s.Catalogue}
		profile := []string{"--article", "article-0", "--material", "m"}
		height := []string{"--height", strconv.Itoa(r.IntN(1000))}
		dims := append(append(profile, "--width", strconv.Itoa(r.IntN(1000)), "--depth", strconv.Itoa(r.IntN(1000))), height...)
		files["edited.yaml"] = edit(s.Rules, r)
		commands := []struct {
			most time.Duration // of CPU time, with room for slower machines
			args []string
		}{
			{6 * time.Second, append([]string{"check", "--format", "json"}, dims...)},
			{6 * time.Second, append([]string{"explain", "--step", "0.001"}, dims...)},
			{12 * time.Second, append(append([]string{"map", "-o", "map.svg"}, height...), profile...)},
			{6 * time.Second, []string{"generate", "js", "-o", "module.js"}},
			{30 * time.Second, []string{"lint"}},
			{30 * time.Second, []string{"diff", "--new-rules", "edited.yaml"}},
			{30 * time.Second, []string{"lint", "--witness"}},
		}
		if i >= proofs {
			commands = commands[:4]
		}
		for _, c := range commands {
			cases = append(cases, hostileCase{name: fmt.Sprintf("seed %d, %s, %s", seed, s.Kind, c.args[0]), files: files,
				args: append(c.args, "--rules", "rules.yaml", "--limits", "limits.yaml"), answer: true, bound: took{c.most, 512 << 20}})
		}
	}
	return cases
}

// pairs returns a limit file with this number of articles and materials, each with its own sizes, and
// the codes as constraints.
func pairs(articles, materials, most int, codes []string) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  s%d: {width: %d, height: %d}\n", i, 1500+7*i, 1000+13*i)
	}
	b.WriteString("materials:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  m%d: {caliper: %d.%d, glue_flap: %d, sheet: s%[1]d}\n", i, 1+i/7, i%7, i)
	}
	b.WriteString("articles:\n")
	for i := range articles {
		between := fmt.Sprintf("{min: %d, max: %d}", 1+i, most+i)
		fmt.Fprintf(&b, "  a%d: {width: %[2]s, depth: %[2]s, height: %[2]s, constraints: [%[3]s]", i, between, strings.Join(codes, ","))
		b.WriteString(", blank: {width: 'max(2*width, depth + height) + glue_flap', height: depth + 2*height + caliper}}\n")
	}
	return b.String()
}

// own returns a rule file with count constraints besides the documented rules, and their codes.
func own(count int, condition func(i int) string) (text string, codes []string) {
	text = "version: 1\nextends: documented\nconstraint:\n"
	for i := range count {
		codes = append(codes, fmt.Sprintf("C_%04d", i))
		text += fmt.Sprintf("  - {code: C_%04d, message: m, when: '%s'}\n", i, condition(i))
	}
	return text, codes
}

// wholeFiles asks what goes through whole files, of files as large as they may be, or whose every
// question takes long. Each run ends within what docs/insight.md says, with room for slower
// machines.
func wholeFiles() (cases []hostileCase) {
	if !thorough {
		return nil
	}
	var documented []string
	for _, rule := range boxrules.DefaultRules().Rules() {
		if rule.Stage == boxrules.Constraint {
			documented = append(documented, string(rule.Code))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	between, betweenCodes := own(200, func(i int) string {
		return fmt.Sprintf("depth == %d*width && depth == %[1]d*height + 0.001", i+2)
	})
	askew, askewCodes := own(600, func(i int) string {
		return fmt.Sprintf("%d*width + %d*depth > %d", i, 600-i, 3000+r.IntN(90_000))
	})
	turned, _ := own(600, func(i int) string {
		return fmt.Sprintf("%d*width + %d*depth > %d", 600-i, i, 3000+r.IntN(90_000))
	})
	thin, thinCodes := own(60, func(i int) string {
		return fmt.Sprintf("%d*width + %d*depth - %d*height == %d.5", 100+r.IntN(2900), 100+r.IntN(2900), 100+r.IntN(2900), r.IntN(100_000))
	})
	stairs, stairsCodes := own(3, func(int) string {
		steps := make([]string, 60)
		for i := range steps {
			steps[i] = fmt.Sprintf("width < %d && depth > %d && height < %d", r.IntN(1000), r.IntN(1000), r.IntN(1000))
		}
		return strings.Join(steps, " || ")
	})
	long, longCodes := own(9, func(int) string { // about 800 characters long
		steps := make([]string, 16)
		for i := range steps {
			steps[i] = fmt.Sprintf("blank_width < %d && depth > %d && height < %d", r.IntN(1000), r.IntN(100), r.IntN(100))
		}
		return strings.Join(steps, " || ")
	})
	thick, thickCodes := own(3, func(int) string {
		steps := make([]string, 35)
		for i := range steps {
			steps[i] = fmt.Sprintf("width < %d*caliper", 1+r.IntN(99))
		}
		return strings.Join(steps, " || ")
	})
	// The limits of a large shop, in another unit than the rules. Of audit the document says that it takes longer.
	const inches = "10,000 pairs in inches"
	shop := func(change int) string { return strings.Replace(gen.Shop(1000, 10, change), "unit: mm", "unit: in", 1) }
	for _, test := range []struct{ name, rules, limits, newRules, newLimits string }{
		{inches, "", shop(0), "", shop(1)},
		{"4,800 pairs", "", pairs(48, 100, 1000, documented[:13]), "", pairs(48, 100, 1001, documented[:13])},
		{"3,000 pairs", "", pairs(30, 100, 1000, documented), "", ""},
		{"planes that meet between boxes", between, pairs(1, 1, 1000, betweenCodes), "", ""},
		{"half-spaces in each other's way", askew, pairs(1, 1, 300, askewCodes), turned, ""},
		{"thin planes in 300 pairs", thin, pairs(30, 10, 1000, thinCodes), "", ""},
		{"stairs in 400 pairs", stairs, pairs(20, 20, 1000, stairsCodes), "", ""},
		{"long rules over blanks in 500 pairs", long, pairs(25, 20, 1000, longCodes), "", pairs(25, 20, 1001, longCodes)},
		{"rules that 250 materials change", thick, pairs(12, 250, 1000, thickCodes), "", pairs(12, 250, 1001, thickCodes)},
	} {
		files, args := map[string]string{"limits.yaml": test.limits}, []string{"--limits", "limits.yaml"}
		diff := []string{"diff"}
		for _, file := range []struct{ flag, text string }{
			{"rules", test.rules}, {"new-rules", test.newRules}, {"new-limits", test.newLimits},
		} {
			if file.text == "" {
				continue
			}
			files[file.flag+".yaml"] = file.text
			if file.flag == "rules" {
				args = append(args, "--rules", "rules.yaml")
			} else {
				diff = append(diff, "--"+file.flag, file.flag+".yaml")
			}
		}
		commands := [][]string{{"lint", "--witness"}, {"codes", "BOX_4100"}, {"audit", "--next"}}
		if test.name == inches {
			commands = commands[:2]
		}
		if len(diff) > 1 {
			commands = append(commands, diff)
		}
		for _, command := range commands {
			cases = append(cases, hostileCase{name: test.name + ", " + command[0], files: files,
				args: append(command, args...), answer: true, bound: took{20 * time.Second, 300 << 20}})
		}
	}
	return cases
}

// edit changes one number of a rule file, or a dimension if it has no number.
func edit(rules string, r *rand.Rand) string {
	numbers := regexp.MustCompile(`\b[1-9]\d*\b`).FindAllStringIndex(rules, -1)[1:] // the first is the version
	if len(numbers) == 0 {
		return strings.Replace(rules, "depth", "height", 1)
	}
	behind := numbers[r.IntN(len(numbers))][0] + 1
	return rules[:behind] + "1" + rules[behind:]
}
