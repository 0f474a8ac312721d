package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
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
	h := newHostile(t, hangs, size)
	worst, of := make(map[string]took), make(map[string]string)
	for i := range *slowFiles {
		seed := *slowSeed + uint64(i)
		r := rand.New(rand.NewPCG(seed, 12))
		s := drawn.NewSlow(r.IntN)
		profile := []string{"--article", "article-0", "--material", "material-0"}
		files := []string{"--rules", h.write(t, "rules.yaml", s.Rules), "--limits", h.write(t, "limits.yaml", s.Catalogue)}
		height := []string{"--height", strconv.Itoa(r.IntN(1000))}
		dims := append(append(profile, "--width", strconv.Itoa(r.IntN(1000)), "--depth", strconv.Itoa(r.IntN(1000))), height...)
		commands := []struct {
			name string
			most time.Duration // of CPU time, with room for slower machines
			args []string
		}{
			{"check", 6 * time.Second, append([]string{"check", "--format", "json"}, dims...)},
			{"explain", 6 * time.Second, append([]string{"explain", "--step", "0.001"}, dims...)},
			{"map", 12 * time.Second, append(append([]string{"map", "-o", "map.svg"}, height...), profile...)},
			{"generate", 6 * time.Second, []string{"generate", "js", "-o", "module.js"}},
			{"lint", 30 * time.Second, []string{"lint"}},
			{"diff", 30 * time.Second, []string{"diff", "--new-rules", h.write(t, "edited.yaml", edit(s.Rules, r))}},
			{"lint --witness", hangs, []string{"lint", "--witness"}}, // each question has a bound, all of them have none
		}
		if i >= *slowProofs {
			commands = commands[:4]
		}
		for _, command := range commands {
			h.bound.CPU = command.most
			got := h.run(t, append(command.args, files...)...)
			undrawn := command.name == "map" && got.status == 2 && strings.Contains(strings.Join(got.complaints, ""), "to draw")
			if !undrawn && got.status > 1 || t.Failed() {
				t.Fatalf("seed %d, %s: %s: status %d, %q", seed, s.Kind, command.name, got.status, got.complaints)
			}
			most := worst[command.name]
			if h.last.CPU > most.CPU {
				of[command.name] = fmt.Sprintf("seed %d, %s", seed, s.Kind)
			}
			worst[command.name] = took{max(most.CPU, h.last.CPU), max(most.Memory, h.last.Memory)}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		most := worst[name]
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
