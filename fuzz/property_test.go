package fuzz

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// drawPoint draws a box on the grid, most often at an edge of a documented constraint.
func drawPoint(t *rapid.T) exact.Point {
	return boxesAt(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "box"), 0)).IntN, flatten(edges)).Next()
}

func drawProfile(t *rapid.T) *boxrules.Profile {
	profiles := boxrules.Default().Profiles()
	return profiles[rapid.IntRange(0, len(profiles)-1).Draw(t, "profile")]
}

func TestFirstOfAllIsCheck(t *testing.T) {
	order := codesOf(boxrules.DefaultRules().Rules())
	rapid.Check(t, func(t *rapid.T) {
		p := drawProfile(t)
		for range 20 {
			dims := boxrules.DimsAt(drawPoint(t))
			box := boxOf(p, dims)
			verdict := must(boxrules.Default().Check(box))
			all := must(boxrules.Default().CheckAll(box))
			if len(all) == 0 && !verdict.OK() ||
				len(all) > 0 && (verdict.OK() || verdict.Code() != all[0].Code || verdict.Stage() != all[0].Stage || verdict.Err() == nil) {
				t.Fatalf("Check(%+v) = %v (%v), CheckAll %v", box, verdict, verdict.Stage(), all)
			}
			for i := 1; i < len(all); i++ {
				if all[i].Stage < all[i-1].Stage || slices.Index(order, string(all[i].Code)) <= slices.Index(order, string(all[i-1].Code)) {
					t.Fatalf("CheckAll(%+v) = %v: %s is not behind %s", box, all, all[i].Code, all[i-1].Code)
				}
			}
			kept := []boxrules.Violation{{Code: "KEPT_0000"}}
			appended := must(p.AppendAll(kept, dims))
			if again := must(p.Check(dims)); again != verdict || !slices.Equal(appended, append(kept, all...)) {
				t.Fatalf("Check(%+v) = %v, again %v; CheckAll %v, AppendAll %v", box, verdict, again, all, appended)
			}
		}
	})
}

// shuffled is the file with the entries of every mapping and list in another order, or of the
// lists alone.
func shuffled(t *rapid.T, data []byte, mappings bool) []byte {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
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
			rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
			n.Content = slices.Concat(entries...)
		}
		for _, child := range n.Content {
			shuffle(child)
		}
	}
	shuffle(&root)
	return must(yaml.Marshal(&root))
}

// TestOrderOfTheFiles: the order of a limit file decides nothing, that of the rules within a
// stage only the order of the violations.
func TestOrderOfTheFiles(t *testing.T) {
	ruleText := must(yaml.Marshal(ruleFileOf(boxrules.DefaultRules())))
	rapid.Check(t, func(t *rapid.T) {
		rules := must(boxrules.LoadRules("rules.yaml", shuffled(t, ruleText, false)))
		limitText := shuffled(t, limits.IllustrativeYAML(), true)
		catalogue := must(limits.Load("limits.yaml", limitText))
		relimited := must(boxrules.New(boxrules.DefaultRules(), catalogue))
		reordered := must(boxrules.New(rules, catalogue))
		order := codesOf(rules.Rules())
		for range 20 {
			p := drawProfile(t)
			dims := boxrules.DimsAt(drawPoint(t))
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

// TestTextAndNumber: a decimal as text, with any number of zeros behind it, and the float64 are
// one box, and the nearest thousandth to it too.
func TestTextAndNumber(t *testing.T) {
	profile := must(must(boxrules.New(boxrules.DefaultRules(), every())).Profile("all", "m"))
	rapid.Check(t, func(t *rapid.T) {
		p := drawPoint(t)
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

// TestHalfThousandths: a dimension right between two grid points belongs to the upper one, also
// below zero.
func TestHalfThousandths(t *testing.T) {
	profile := must(must(boxrules.New(boxrules.DefaultRules(), every())).Profile("all", "m"))
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

func TestInputErrorsCarryNoVerdict(t *testing.T) {
	engine := boxrules.Default()
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-2e6, 2e6), rapid.Float64Range(20, 400),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e6, -1e6,
			math.Nextafter(1e6, 2e6), math.Nextafter(-1e6, -2e6), math.MaxFloat64}))
	offered := rapid.SampledFrom([][2]string{{"tuck-end", "carton-300"}, {"mailer", "e-flute"}})
	asked := rapid.OneOf(offered, offered, rapid.Map(rapid.SliceOfN(rapid.OneOf(rapid.String(),
		rapid.SampledFrom([]string{"", "tuck-end", "Tuck-end", "mailer", "carton-300", "e-flute"})), 2, 2),
		func(s []string) [2]string { return [2]string(s) }))
	rapid.Check(t, func(t *rapid.T) {
		pair := asked.Draw(t, "article and material")
		box := boxrules.Box{Article: pair[0], Material: pair[1]}
		box.Width, box.Depth, box.Height = number.Draw(t, "width"), number.Draw(t, "depth"), number.Draw(t, "height")
		materials := map[string][]string{"tuck-end": {"carton-300"}, "mailer": {"e-flute"}}[box.Article]
		outside := func(x float64) bool { return math.IsNaN(x) || math.Abs(x) > 1e6 }
		want := ""
		switch {
		case materials == nil:
			want = "article"
		case !slices.Contains(materials, box.Material):
			want = "material"
		case outside(box.Width):
			want = "width"
		case outside(box.Depth):
			want = "depth"
		case outside(box.Height):
			want = "height"
		}
		verdict, err := engine.Check(box)
		all, errAll := engine.CheckAll(box)
		if want == "" {
			if err != nil || errAll != nil || verdict.OK() != (len(all) == 0) {
				t.Fatalf("Check(%+v) = %v, %v; all %v, %v, want no error", box, verdict, err, all, errAll)
			}
			return
		}
		for _, err := range []error{err, errAll} {
			var input *boxrules.InputError
			if !errors.As(err, &input) || input.Field != want || strings.Contains(err.Error(), "\n") {
				t.Fatalf("Check(%+v): error %v, want one for %s", box, err, want)
			}
		}
		none := verdict == (boxrules.Verdict{}) && !verdict.OK() && verdict.Code() == "" && verdict.Stage() == 0
		if !none || verdict.Err() == nil || len(all) != 0 {
			t.Fatalf("Check(%+v) = %v and %v beside an error, want the zero Verdict, which is not OK", box, verdict, all)
		}
	})
}

// TestConcurrentChecks is for the race detector too.
func TestConcurrentChecks(t *testing.T) {
	engine := must(boxrules.New(boxrules.DefaultRules(), limits.Illustrative()))
	drawn := boxesAt(rand.New(rand.NewPCG(*oracleSeed, 0)).IntN, flatten(edges))
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
	boxes := boxesAt(rand.New(rand.NewPCG(*oracleSeed, 0)).IntN, flatten(edges))
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

// TestEveryCodeCanBeFirst has for every documented code of a box one that it is reported for, and
// a valid one a thousandth beside it.
func TestEveryCodeCanBeFirst(t *testing.T) {
	dims := func(w, d, h float64) boxrules.Dims { return boxrules.Dims{Width: w, Depth: d, Height: h} }
	witnessed := make(map[boxrules.Code]bool)
	for _, w := range []struct {
		code              boxrules.Code
		article, material string
		violates, valid   boxrules.Dims
	}{
		{"BOX_2100", "mailer", "b-flute", dims(79.999, 60, 20), dims(80, 60, 20)},
		{"BOX_2101", "mailer", "b-flute", dims(400.001, 60, 20), dims(400, 60, 20)},
		{"BOX_2102", "mailer", "e-flute", dims(90, 59.999, 30), dims(90, 60, 30)},
		{"BOX_2103", "mailer", "b-flute", dims(360, 300.001, 40), dims(360, 300, 40)},
		{"BOX_2104", "mailer", "e-flute", dims(90, 70, 19.999), dims(90, 70, 20)},
		{"BOX_2105", "gable", "carton-400", dims(70, 40, 400.001), dims(70, 40, 400)},
		{"BOX_3100", "mailer", "b-flute", dims(89.999, 90, 70), dims(90, 90, 70)},
		{"BOX_3101", "snap-lock", "carton-300", dims(44.999, 90, 90), dims(45, 90, 90)},
		{"BOX_3102", "roll-over-tray", "e-flute", dims(90, 89.999, 90), dims(90, 90, 90)},
		{"BOX_3103", "auto-bottom", "carton-300", dims(60, 80, 90), dims(60.001, 80, 90)},
		{"BOX_3104", "telescope-lid", "b-flute", dims(70, 90, 70.001), dims(70, 90, 70)},
		{"BOX_3105", "tray", "carton-300", dims(90, 79.999, 80), dims(90, 80, 80)},
		{"BOX_3106", "window-carton", "carton-300", dims(49.999, 50, 70), dims(50, 50, 70)},
		{"BOX_3107", "transit-case", "b-flute", dims(69.999, 80, 70), dims(70, 80, 70)},
		{"BOX_3108", "transit-case", "b-flute", dims(69.999, 70, 80), dims(70, 70, 80)},
		{"BOX_3109", "counter-display", "carton-400", dims(160, 159.999, 80), dims(160, 160, 80)},
		{"BOX_3110", "shelf-carton", "carton-300", dims(50, 50, 90), dims(50, 50.001, 90)},
		{"BOX_3111", "upright-carton", "carton-300", dims(310, 170.001, 170), dims(310, 170, 170)},
		{"BOX_3112", "pillow-pack", "carton-300", dims(90, 20, 49.999), dims(90, 20, 50)},
		{"BOX_3113", "slotted-case", "b-flute", dims(340.001, 340, 80), dims(340, 340, 80)},
		{"BOX_3114", "slotted-case", "b-flute", dims(418.251, 80, 80), dims(418.25, 80, 80)},
		{"BOX_3115", "gable", "carton-400", dims(60, 90.001, 180), dims(60, 90, 180)},
		{"BOX_3116", "mailer", "e-flute", dims(90, 70, 56.001), dims(90, 70, 56)},
		{"BOX_3117", "insert-box", "carton-300", dims(69.999, 40, 70), dims(70, 40, 70)},
		{"BOX_3118", "gable", "carton-400", dims(80.001, 40, 250), dims(80, 40, 250)},
		{"BOX_3119", "pillow-pack", "carton-300", dims(89.999, 30, 90), dims(90, 30, 90)},
		{"BOX_3120", "counter-display", "carton-400", dims(90, 290, 44.999), dims(90, 290, 45)},
		{"BOX_3121", "handle-box", "carton-400", dims(60, 69.999, 70), dims(60, 70, 70)},
		{"BOX_3122", "handle-box", "carton-400", dims(80, 70, 80.001), dims(80, 70, 80)},
		{"BOX_4100", "mailer", "b-flute", dims(400, 269.001, 160), dims(400, 269, 160)},
	} {
		profile := must(boxrules.Default().Profile(w.article, w.material))
		if got := must(profile.Check(w.violates)); got.Code() != w.code {
			t.Errorf("%s: Check(%+v) = %v, want %s", w.article, w.violates, got, w.code)
		}
		if got := must(profile.Check(w.valid)); !got.OK() {
			t.Errorf("%s: Check(%+v) = %v, want ok", w.article, w.valid, got)
		}
		witnessed[w.code] = true
	}
	for _, info := range boxrules.Codes() {
		if info.Stage != 0 && !witnessed[info.Code] {
			t.Errorf("no box here is rejected with %s", info.Code)
		}
	}
}
