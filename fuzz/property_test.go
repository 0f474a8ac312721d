package fuzz

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// drawPoints draws boxes on the grid, most often at an edge of a documented constraint.
func drawPoints(t *rapid.T) []exact.Point {
	return rapid.SliceOfN(draw.Points(allConstraints().Exact()), 1, 30).Draw(t, "boxes")
}

func drawProfile(t *rapid.T) *boxrules.Profile {
	profiles := boxrules.Default().Profiles()
	return profiles[rapid.IntRange(0, len(profiles)-1).Draw(t, "profile")]
}

// shuffled is the file with the entries of every mapping and list in another order, or of the
// lists alone.
func shuffled(t *rapid.T, data []byte, mappings bool) []byte {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var shuffle func(n *yaml.Node)
	shuffle = func(n *yaml.Node) {
		size := 1
		if n.Kind == yaml.MappingNode {
			size = 2
		}
		if n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode && mappings {
			entries := slices.Collect(slices.Chunk(slices.Clone(n.Content), size))
			n.Content = nil
			for _, i := range rapid.Permutation(numbers(len(entries))).Draw(t, "order") {
				n.Content = append(n.Content, entries[i]...)
			}
		}
		for _, child := range n.Content {
			shuffle(child)
		}
	}
	shuffle(&root)
	return must(yaml.Marshal(&root))
}

// numbers are those from 0 to n-1.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestOrderOfTheFiles: the order of a limit file changes no verdict, and the order of the rules
// within a stage changes only the order of the violations.
func TestOrderOfTheFiles(t *testing.T) {
	ruleText := must(yaml.Marshal(ruleFileOf(boxrules.DefaultRules())))
	rapid.Check(t, func(t *rapid.T) {
		rules := must(boxrules.LoadRules("rules.yaml", shuffled(t, ruleText, false)))
		limitText := shuffled(t, limits.IllustrativeYAML(), true)
		catalogue := must(limits.Load("limits.yaml", limitText))
		relimited := must(boxrules.New(boxrules.DefaultRules(), catalogue))
		reordered := must(boxrules.New(rules, catalogue))
		order := profiles.Codes(rules.Rules())
		p := drawProfile(t)
		for _, at := range drawPoints(t) {
			dims := boxrules.DimsAt(at)
			box := boxOf(p, dims)
			want := must(p.AppendAll(nil, dims))
			if got := must(relimited.CheckAll(box)); !slices.Equal(got, want) {
				t.Fatalf("CheckAll(%+v) = %v, want %v\n%s", box, got, want, limitText)
			}
			slices.SortStableFunc(want, func(a, b boxrules.Violation) int {
				return slices.Index(order, string(a.Code)) - slices.Index(order, string(b.Code))
			})
			got, first := must(reordered.CheckAll(box)), must(reordered.Check(box))
			if !slices.Equal(got, want) || len(want) > 0 && first.Code() != want[0].Code {
				t.Fatalf("CheckAll(%+v) = %v, Check %v, want %v with the rules in the order %v", box, got, first, want, order)
			}
		}
	})
}

// ruleFileOf is a rule set as a file's content.
func ruleFileOf(rules *boxrules.RuleSet) map[string]any {
	file := map[string]any{"version": 1}
	for _, r := range rules.Rules() {
		stage, _ := file[r.Stage.String()].([]any)
		file[r.Stage.String()] = append(stage, map[string]string{"code": string(r.Code), "when": r.When, "message": r.Message})
	}
	return file
}

// TestTextAndNumber: a decimal as text, with any number of zeros at its end, the same number as a
// float64, and the nearest thousandth are the same box.
func TestTextAndNumber(t *testing.T) {
	profile := allConstraints()
	rapid.Check(t, func(t *rapid.T) {
		p := draw.Points(profile.Exact()).Draw(t, "box")
		want := must(profile.AppendAll(nil, boxrules.DimsAt(p)))
		var read, shortest, off [3]float64
		for axis, k := range p {
			places := rapid.IntRange(3, 20).Draw(t, "places")
			text := big.NewRat(k, 1000).FloatString(places)
			read[axis] = must(boxrules.ParseDimension("width", text))
			if number := float64(k) / 1000; read[axis] != number {
				t.Fatalf("ParseDimension(%q) = %v, want %v", text, read[axis], number)
			}
			shortest[axis] = must(boxrules.ParseDimension("width", strconv.FormatFloat(read[axis], 'f', -1, 64)))
			off[axis] = read[axis]
			if k > -1_000_000_000 && k < 1_000_000_000 {
				off[axis] += rapid.Float64Range(-0.000_499, 0.000_499).Draw(t, "off")
			}
		}
		for _, d := range [][3]float64{read, shortest, off} {
			dims := boxrules.Dims{Width: d[0], Depth: d[1], Height: d[2]}
			if got := must(profile.AppendAll(nil, dims)); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v as for %s", exactly(dims), got, want, exactly(boxrules.DimsAt(p)))
			}
		}
	})
}

// TestHalfThousandths: a dimension halfway between two grid points is rounded up, also below zero.
func TestHalfThousandths(t *testing.T) {
	profile := allConstraints()
	for half, want := range map[float64]float64{
		0.0005: 0.001, -0.0005: 0, 0.0015: 0.002, -0.0015: -0.001, 2.0625: 2.063, -2.0625: -2.062, 48.1875: 48.188, -48.1875: -48.187,
		math.Nextafter(2.0625, 0): 2.062, math.Nextafter(-2.0625, -3): -2.063, math.Copysign(0, -1): 0,
	} {
		for _, v := range must(profile.AppendAll(nil, boxrules.Dims{Width: half, Depth: want, Height: 1})) {
			if v.Code == "BOX_3100" || v.Code == "BOX_3109" {
				t.Errorf("%v is not on the grid as %v: %s, the one is greater", half, want, v.Code)
			}
		}
	}
}

// TestConcurrentChecks checks from many goroutines, also for the race detector.
func TestConcurrentChecks(t *testing.T) {
	engine := must(boxrules.New(boxrules.DefaultRules(), limits.Illustrative()))
	drawn := boxesAt(rand.New(rand.NewPCG(*oracleSeed, 0)).IntN, allConstraints())
	var boxes []boxrules.Box
	var want [][]boxrules.Violation
	for i := range 2000 {
		p := engine.Profiles()[i%len(engine.Profiles())]
		boxes = append(boxes, boxOf(p, boxrules.DimsAt(drawn.Next())))
		want = append(want, must(boxrules.Default().CheckAll(boxes[i])))
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range boxes {
				i = (i + worker*len(boxes)/8) % len(boxes)
				verdict, err := engine.Check(boxes[i])
				all, errAll := engine.CheckAll(boxes[i])
				reasons, errReasons := must(engine.Profile(boxes[i].Article, boxes[i].Material)).Reasons(boxes[i].Dims)
				if errors.Join(err, errAll, errReasons) != nil ||
					!slices.Equal(all, want[i]) || verdict.OK() != (len(all) == 0) || len(reasons) != len(all) {
					t.Errorf("Check(%+v) = %v, all %v, want %v", boxes[i], verdict, all, want[i])
					return
				}
			}
		})
	}
	group.Wait()
}

func TestChecksDoNotAllocate(t *testing.T) {
	engine := boxrules.Default()
	boxes := boxesAt(rand.New(rand.NewPCG(*oracleSeed, 0)).IntN, allConstraints())
	buffer := make([]boxrules.Violation, 0, len(engine.Rules().Rules()))
	for _, p := range engine.Profiles() {
		box := boxOf(p, boxrules.DimsAt(boxes.Next()))
		var verdict boxrules.Verdict
		for what, check := range map[string]func(){
			"Engine.Check":      func() { verdict, _ = engine.Check(box) },
			"Profile.Check":     func() { verdict, _ = p.Check(box.Dims) },
			"Profile.AppendAll": func() { buffer, _ = p.AppendAll(buffer[:0], box.Dims) },
			"Verdict.Code":      func() { _, _, _ = verdict.OK(), verdict.Code(), verdict.Stage() },
		} {
			if n := testing.AllocsPerRun(20, check); n != 0 {
				t.Errorf("%s(%+v) allocates %v times", what, box, n)
			}
		}
	}
}
