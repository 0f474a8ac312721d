package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/boxrules/internal/drawn"
)

// scripts/attack runs it at length.
var (
	slowFiles  = flag.Int("slow.files", 4, "how many files made to be slow are checked, explained, drawn and generated from")
	slowProofs = flag.Int("slow.proofs", 1, "how many of them are also linted and compared, for some seconds each")
	slowSeed   = flag.Uint64("slow.seed", 3, "what the first of them is drawn from; each further one takes the next number")
)

// TestSlow gives the command rule files and limit files that are legal and made to be slow. Each run ends in time and
// with an answer; a picture may have too many pieces to draw.
func TestSlow(t *testing.T) {
	const size = 512 << 20
	h := newHostile(t, 25*time.Second, size) // a half of what the documents state, for machines that are slower
	worst, of := make(map[string]took), make(map[string]string)
	for i := range *slowFiles {
		seed := *slowSeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 12))
		s := drawn.NewSlow(r.IntN)
		profile := []string{"--article", "article-0", "--material", "material-0"}
		files := []string{"--rules", h.write(t, "rules.yaml", s.Rules), "--limits", h.write(t, "limits.yaml", s.Catalogue)}
		dims := append(profile, "--width", strconv.Itoa(r.IntN(1000)), "--depth", strconv.Itoa(r.IntN(1000)), "--height", strconv.Itoa(r.IntN(1000)))
		commands := []struct {
			name string
			args []string
		}{
			{"check", append([]string{"check", "--format", "json"}, dims...)},
			{"explain", append([]string{"explain", "--step", "0.001"}, dims...)},
			{"map", append([]string{"map", "--height", strconv.Itoa(r.IntN(1000)), "-o", "map.svg"}, profile...)},
			{"generate", []string{"generate", "js", "-o", "module.js"}},
			{"lint", []string{"lint"}},
			{"lint --witness", []string{"lint", "--witness"}},
			{"diff", []string{"diff", "--new-rules", h.write(t, "edited.yaml", edit(s.Rules, r))}},
		}
		if i >= *slowProofs {
			commands = commands[:4]
		}
		for _, command := range commands {
			got := h.run(t, append(command.args, files...)...)
			undrawn := command.name == "map" && got.status == 2 && strings.Contains(strings.Join(got.complaints, ""), "to draw")
			if !undrawn && got.status > 1 || t.Failed() {
				t.Fatalf("seed %d, %s: %s: status %d, %q\n%s\n%s", seed, s.Kind, command.name, got.status, got.complaints, s.Rules, s.Catalogue)
			}
			most := worst[command.name]
			if h.last.CPU > most.CPU {
				of[command.name] = fmt.Sprintf("seed %d, %s", seed, s.Kind)
			}
			worst[command.name] = took{max(most.CPU, h.last.CPU), max(most.Memory, h.last.Memory)}
		}
	}
	for name, most := range worst {
		t.Logf("%s: %.2f s, %d MiB (%s)", name, most.CPU.Seconds(), most.Memory>>20, of[name])
	}
}

// edit changes one number of a rule file, or a dimension where it has none.
func edit(rules string, r *rand.Rand) string {
	numbers := regexp.MustCompile(`\b[1-9]\d*\b`).FindAllStringIndex(rules, -1)[1:] // the first is the version
	if len(numbers) == 0 {
		return strings.Replace(rules, "depth", "height", 1)
	}
	behind := numbers[r.IntN(len(numbers))][0] + 1
	return rules[:behind] + "1" + rules[behind:]
}
