package boxrules_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// words are the changes in short: "a m: newly-rejected  BOX_3100".
func words(changes []boxrules.Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, strings.TrimRight(c.Article+" "+c.Material+": "+string(c.Kind)+" "+string(c.From)+">"+string(c.To), " >"))
	}
	return strings.Join(all, "\n")
}

// confirm has both engines say of each witness what the change says.
func confirm(t testing.TB, before, after *boxrules.Engine, changes []boxrules.Change) {
	t.Helper()
	for _, c := range changes {
		moved := c.Kind == boxrules.NewlyRejected || c.Kind == boxrules.NewlyAccepted || c.Kind == boxrules.CodeChanged
		if moved != (c.Witness != nil) {
			t.Errorf("Diff has %+v, want a witness: %v", c, moved)
		}
		if !moved || c.Witness == nil {
			continue
		}
		if (c.Kind == boxrules.NewlyRejected) != (c.From == "") || (c.Kind == boxrules.NewlyAccepted) != (c.To == "") || c.From == c.To {
			t.Errorf("Diff has %+v, a kind that does not go with the codes", c)
		}
		box := boxrules.Box{Article: c.Article, Material: c.Material, Dims: *c.Witness}
		from, errFrom := before.Check(box)
		to, errTo := after.Check(box)
		if errFrom != nil || errTo != nil || from.Code() != c.From || to.Code() != c.To {
			t.Errorf("Diff has %+v, but Check(%+v) = %v, %v before and %v, %v after", c, box, from, errFrom, to, errTo)
		}
	}
}

func TestDiffIdentical(t *testing.T) {
	catalogue, err := limits.Load("again.yaml", limits.IllustrativeYAML())
	if err != nil {
		t.Fatal(err)
	}
	again, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	profiles := boxrules.Default().Profiles()
	for _, after := range []*boxrules.Engine{boxrules.Default(), again} {
		changes := boxrules.Diff(boxrules.Default(), after)
		if len(changes) != len(profiles) {
			t.Fatalf("Diff of the same = %d changes, want %d", len(changes), len(profiles))
		}
		for i, p := range profiles {
			if want := (boxrules.Change{Article: p.Article(), Material: p.Material(), Kind: boxrules.Identical}); changes[i] != want {
				t.Errorf("Diff of the same: %+v, want %+v", changes[i], want)
			}
		}
	}
}

func TestDiff(t *testing.T) {
	const thousand = "min: 1, max: 1000"
	all := articleOf("a", thousand, "BOX_3102, BOX_3107, BOX_3112, BOX_3121, BOX_3122")
	for _, test := range []struct {
		name          string
		before, after string   // articles
		edit          []string // of the rules after
		want          string
	}{
		{"articles", articleOf("a", thousand, "") + articleOf("b", thousand, "") + articleOf("c", thousand, ""),
			articleOf("d", thousand, "") + articleOf("b", thousand, ""), nil,
			"a m: only-before\nb m: identical\nc m: only-before\nd m: only-after"},
		{"materials", strings.ReplaceAll(articleOf("a", thousand, ""), "[m]", "[m, o]") + articleOf("b", thousand, ""),
			articleOf("a", thousand, "") + strings.ReplaceAll(articleOf("b", thousand, ""), "[m]", "[o, m]"), nil,
			"a m: identical\na o: only-before\nb m: identical\nb o: only-after"},
		{"a lower limit", articleOf("a", thousand, "BOX_3100"), articleOf("a", "min: 1, max: 900; min: 1, max: 1000; min: 1, max: 1000", "BOX_3100"), nil,
			"a m: newly-rejected >BOX_2101\na m: code-changed BOX_2102>BOX_2101\na m: code-changed BOX_2103>BOX_2101\n" +
				"a m: code-changed BOX_2104>BOX_2101\na m: code-changed BOX_2105>BOX_2101\na m: code-changed BOX_3100>BOX_2101"},
		{"a limit moved by less than the grid", articleOf("a", "min: 1, max: 999.5001", "BOX_3100"), articleOf("a", "min: 0.9995, max: 999.5009", "BOX_3100"), nil,
			"a m: identical"},
		{"a limit moved by a thousandth", articleOf("a", "min: 2, max: 9; min: 2, max: 9; min: 2, max: 9", ""), articleOf("a", "min: 2, max: 9; min: 2, max: 9; min: 1.999, max: 9", ""), nil,
			"a m: newly-accepted BOX_2104"},
		{"a constraint dropped", articleOf("a", thousand, "BOX_3100, BOX_3105") + slottedBlank, articleOf("a", thousand, "BOX_3100") + slottedBlank, nil,
			"a m: newly-accepted BOX_3105\na m: code-changed BOX_3105>BOX_4100"},
		{"two dropped", articleOf("a", thousand, "BOX_3100, BOX_3105") + slottedBlank, articleOf("a", thousand, "") + slottedBlank, nil,
			"a m: newly-accepted BOX_3100\na m: newly-accepted BOX_3105\na m: code-changed BOX_3100>BOX_4100\na m: code-changed BOX_3105>BOX_4100"},
		{"a constraint dropped that another implies", articleOf("a", thousand, "BOX_3104, BOX_3117"), articleOf("a", thousand, "BOX_3104"), nil, "a m: identical"},
		{"and the other one", articleOf("a", thousand, "BOX_3104, BOX_3117"), articleOf("a", thousand, "BOX_3117"), nil, "a m: code-changed BOX_3104>BOX_3117"},
		{"a tie", articleOf("a", thousand, "BOX_3100, BOX_3105"), articleOf("a", thousand, "BOX_3100, BOX_3105"), []string{"when: depth > width\n", "when: depth >= width\n"},
			"a m: newly-rejected >BOX_3100\na m: code-changed BOX_3105>BOX_3100"},
		{"half the girth", articleOf("a", thousand, "BOX_3113"), articleOf("a", thousand, "BOX_3113"), []string{"498.25", "498"},
			"a m: newly-rejected >BOX_3113\na m: newly-accepted BOX_3113"},
		{"the size", articleOf("a", thousand, "") + slottedBlank, articleOf("a", thousand, "") + strings.ReplaceAll(slottedBlank, "glue_flap", "glue_flap + 1"), nil,
			"a m: newly-rejected >BOX_4100"},
		{"no blank any more", articleOf("a", thousand, "") + slottedBlank, articleOf("a", thousand, ""), nil, "a m: newly-accepted BOX_4100"},
		{"another code", articleOf("a", thousand, "BOX_3105"), articleOf("a", thousand, "X_3105"), []string{"BOX_3105", "X_3105"}, "a m: code-changed BOX_3105>X_3105"},
		{"other codes throughout", articleOf("a", thousand, "BOX_3105"), articleOf("a", thousand, "X_3105"), []string{"code: BOX_", "code: X_"},
			"a m: code-changed BOX_2100>X_2100\na m: code-changed BOX_2101>X_2101\na m: code-changed BOX_2102>X_2102\na m: code-changed BOX_2103>X_2103\n" +
				"a m: code-changed BOX_2104>X_2104\na m: code-changed BOX_2105>X_2105\na m: code-changed BOX_3105>X_3105"},
		{"order", articleOf("a", thousand, "BOX_3109, BOX_3117"), articleOf("a", thousand, "BOX_3117, BOX_3109"), nil, "a m: identical"},
		{"a message", all, all, []string{"the provided values do not allow creating a proper box", "not so"}, "a m: identical"},
		{"formulated in another way", all, all, []string{
			"height > depth && depth >= 60", "'!(height <= depth or depth < 60)'",
			"height > width && depth > width && depth > height", "min(depth, height) > width and max(height, depth) != height",
			"depth > height / 2.5", "min(5*depth - 2*height, 1) > 0",
			"(depth > width && depth >= height && height > width + 30)", "(depth >= height && height > width + 30)",
			"(depth <= width && width >= height && height > depth + 30 && depth + 30 >= 35)", "(height <= width && depth < height - 30 && depth >= 5)",
		}, "a m: identical"},
		{"and not quite", all, all, []string{"height > depth && depth >= 60", "'!(height <= depth or depth <= 60)'"},
			"a m: code-changed BOX_3102>BOX_3112\na m: code-changed BOX_3102>BOX_3121\na m: code-changed BOX_3102>BOX_3122"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after := engineOf(t, "", test.before), engineOf(t, documentedYAML(t, test.edit...), test.after)
			changes := boxrules.Diff(before, after)
			if got := words(changes); got != test.want {
				t.Errorf("Diff =\n%s\nwant\n%s", got, test.want)
			}
			confirm(t, before, after, changes)
		})
	}
}

// TestDiffEffort: what does not change is settled by one question, that the box is valid too. What is allocated tells.
func TestDiffEffort(t *testing.T) {
	const thousand = "min: 1, max: 1000"
	before := engineOf(t, "", articleOf("a", thousand, "BOX_3100, BOX_3105")+slottedBlank)
	after := engineOf(t, documentedYAML(t, "code: BOX_3100", "code: X_3100"), articleOf("a", thousand, "X_3100, BOX_3105")+slottedBlank)
	if got := testing.AllocsPerRun(1, func() { boxrules.Diff(before, after) }); got > 35_000 {
		t.Errorf("Diff allocates %v times, want at most 35000", got)
	}
}

// ruleEdits are replacements in the shipped rule file, of which a random diff makes one or none.
var ruleEdits = [][]string{
	nil, nil,
	{"when: depth > width\n", "when: depth >= width\n"},
	{"498.25", "498"},
	{"(depth * 3) / 4", "(depth * 3) / 4 - 1"},
	{"height / 2.5", "height / 2.499"},
	{"when: height < 2 * depth\n", "when: height <= 2 * depth\n"},
	{"&& depth >= 60", "&& depth > 60"},
	{"height > width + 30", "height >= width + 30.5"},
	{"width >= 35", "width >= 34.999"},
	{"when: width < height\n", "when: width < height && depth < 200\n"},
	{"(1 / 3) * width", "0.333 * width"},
	{"blank_width > sheet_width ||", "blank_width > sheet_width - 0.5 ||"},
	{"  - code: BOX_3109\n    when: width > depth\n    message: the provided values do not allow creating a proper box\n", ""},
}

// TestDiffRandom compares with what boxes say of which many lie on limits.
func TestDiffRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	codes := func(but string) string {
		var all []string
		for _, rule := range boxrules.DefaultRules().Rules() {
			if rule.Stage == boxrules.Constraint && string(rule.Code) != but && r.IntN(6) == 0 {
				all = append(all, string(rule.Code))
			}
		}
		return strings.Join(all, ", ")
	}
	found := make(map[boxrules.ChangeKind]int)
	for range *insightBoxes * 4 {
		ranges := fmt.Sprintf("min: %d, max: %d; min: 10, max: %d; min: 5.5, max: 400", 1+r.IntN(40), 300+r.IntN(300), 200+r.IntN(300))
		edit, rangesAfter := ruleEdits[r.IntN(len(ruleEdits))], ranges
		but := ""
		if len(edit) > 0 && edit[1] == "" {
			but = "BOX_3109"
		}
		selected := codes(but)
		selectedAfter := selected
		switch r.IntN(4) {
		case 0:
			rangesAfter = strings.Replace(ranges, "max: 400", "max: 399.999", 1)
		case 1:
			selectedAfter = strings.TrimPrefix(selected, strings.Split(selected, ", ")[0])
			selectedAfter = strings.TrimPrefix(selectedAfter, ", ")
		}
		before := engineOf(t, documentedYAML(t), articleOf("a", ranges, selected)+slottedBlank)
		after := engineOf(t, documentedYAML(t, edit...), articleOf("a", rangesAfter, selectedAfter)+slottedBlank)
		changes := boxrules.Diff(before, after)
		confirm(t, before, after, changes)
		known := make(map[[2]boxrules.Code]bool)
		for _, c := range changes {
			known[[2]boxrules.Code{c.From, c.To}] = true
			found[c.Kind]++
		}
		p, q := profileOf(t, before, "a"), profileOf(t, after, "a")
		low, high := limitsOf(p)
		for range 400 {
			b := drawBox(r, low, high)
			if from, to := codeAt(t, p, b), codeAt(t, q, b); from != to && !known[[2]boxrules.Code{from, to}] {
				t.Fatalf("Diff of %s [%s] and %s [%s], rules %q =\n%s\nbut %+v changes from %q to %q", ranges, selected, rangesAfter, selectedAfter, edit, words(changes), b.dims(), from, to)
			}
		}
	}
	t.Logf("changes found: %v", found)
	if found[boxrules.UndecidedChange] > 0 || found[boxrules.Identical] == 0 || found[boxrules.NewlyAccepted] == 0 || found[boxrules.CodeChanged] == 0 {
		t.Errorf("changes found: %v, want some of each kind, and none undecided", found)
	}
}

// A gridBox is a box in thousandths, to compute with.
type gridBox [3]int64

var dimensions = []string{"width", "depth", "height"}

func (b gridBox) dims() boxrules.Dims {
	return boxrules.Dims{Width: float64(b[0]) / 1000, Depth: float64(b[1]) / 1000, Height: float64(b[2]) / 1000}
}

func (b gridBox) with(axis int, x int64) gridBox {
	b[axis] = x
	return b
}

func onGrid(x float64) int64 { return int64(math.Round(x * 1000)) }

// codeAt is the code that Check reports, empty for a valid box.
func codeAt(t testing.TB, p *boxrules.Profile, b gridBox) boxrules.Code {
	v, err := p.Check(b.dims())
	if err != nil || v.OK() != (v.Code() == "") {
		t.Fatalf("Check(%+v) = %v, %v", b.dims(), v, err)
	}
	return v.Code()
}

// limitsOf are the article's limits in thousandths.
func limitsOf(p *boxrules.Profile) (low, high gridBox) {
	article, _ := p.Entries()
	for axis, r := range []limits.Range{article.Width, article.Depth, article.Height} {
		low[axis], high[axis] = -wholeThousandths(r.Min, -1), wholeThousandths(r.Max, 1)
	}
	return low, high
}

// wholeThousandths is sign times the limit in thousandths, rounded down.
func wholeThousandths(limit limits.Decimal, sign int64) int64 {
	k := new(big.Rat).Mul(limit.Rat(), big.NewRat(1000*sign, 1))
	return new(big.Int).Div(k.Num(), k.Denom()).Int64()
}

// randomArticles are articles for engineOf, with any constraints and limits; some have a blank.
func randomArticles(r *rand.Rand, number int) string {
	var articles strings.Builder
	formulas := slices.Sorted(maps.Keys(smtFormulas))
	for i := range number {
		var codes []string
		for _, j := range r.Perm(len(smtRules))[:1+r.IntN([]int{2, 4, 23}[r.IntN(3)])] {
			codes = append(codes, string(smtRules[j].code))
		}
		ranges := randomLimits(r)
		if r.IntN(2) == 0 {
			ranges += "; " + randomLimits(r) + "; " + randomLimits(r)
		}
		articles.WriteString(articleOf(fmt.Sprintf("r%d", i), ranges, strings.Join(codes, ", ")))
		if r.IntN(3) == 0 {
			fmt.Fprintf(&articles, "    blank:\n      width: %s\n      height: %s\n", formulas[r.IntN(len(formulas))], formulas[r.IntN(len(formulas))])
		}
	}
	return articles.String()
}

// randomLimits are small, large or tight, with decimals or without, at times a single value.
func randomLimits(r *rand.Rand) string {
	decimals := []int64{1, 1, 10, 1000, 10_000}[r.IntN(5)]
	least := 1 + r.Int64N([]int64{50, 500, 200_000}[r.IntN(3)]*decimals)
	side := r.Int64N([]int64{1, 3, 100, 1000, 700_000}[r.IntN(5)] * decimals)
	return "min: " + big.NewRat(least, decimals).FloatString(4) + ", max: " + big.NewRat(least+side, decimals).FloatString(4)
}

// randomFor is a generator that gives an article in a material the same boxes in every run.
func randomFor(p *boxrules.Profile) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(p.Article() + " " + p.Material()))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// drawBox is a box in or near the limits: on halves or on thousandths, on the limits themselves and of
// proportions that the conditions mention, and now and then one that is far away.
func drawBox(r *rand.Rand, low, high gridBox) gridBox {
	var b gridBox
	for axis := range b {
		side := high[axis] - low[axis]
		b[axis] = low[axis] - side/8 + r.Int64N(side+side/4+1)
	}
	if r.IntN(3) > 0 {
		for axis := range b {
			b[axis] -= b[axis] % 500
		}
	}
	switch r.IntN(7) {
	case 0:
		axis := r.IntN(3)
		b[axis] = []int64{low[axis], high[axis], low[axis] - 1, high[axis] + 1, 0, -b[axis]}[r.IntN(6)]
	case 1, 2:
		axis, other := r.IntN(3), r.IntN(3)
		ratio := [][2]int64{{1, 1}, {2, 1}, {1, 2}, {3, 4}, {4, 3}, {4, 5}, {2, 5}, {5, 2}, {1, 3}, {3, 1}}[r.IntN(10)]
		b[axis] = b[other]*ratio[0]/ratio[1] + r.Int64N(3) - 1
	case 3:
		if axis := r.IntN(3); r.IntN(4) == 0 {
			b[axis] = (r.Int64N(1_800_001) - 900_000) * 1000
		} else {
			b[axis] = 498_250 - b[(axis+1)%3]
		}
	case 4:
		for axis, side := range high {
			if r.IntN(4) > 0 {
				b[axis] = []int64{low[axis] - r.Int64N(20_000), side + r.Int64N(side)}[r.IntN(2)]
			}
		}
	}
	return b
}

// forProfiles runs the test for every article and material of the illustrative catalogue.
func forProfiles(t *testing.T, test func(*testing.T, *boxrules.Profile)) {
	for _, p := range boxrules.Default().Profiles() {
		t.Run(p.Article()+" "+p.Material(), func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

func fromGrid(x int64) float64 { return float64(x) / 1000 }

// A move is a value for a dimension, and how far it is from the one asked about.
type move struct{ to, change int64 }

// moves are the multiples of step in the limits, the nearest first.
func moves(at, low, high, step int64) []move {
	var all []move
	for x := (low + step - 1) / step * step; x <= high; x += step {
		all = append(all, move{x, max(x-at, at-x)})
	}
	slices.SortFunc(all, func(a, b move) int { return int(a.change - b.change) })
	return all
}

// nearestByHand tries every box on the step: those that change one dimension, then two, then three, and no
// box farther away than the best so far. Beyond the limits no box is valid. total is negative for none.
func nearestByHand(p *boxrules.Profile, at gridBox, step int64) (best gridBox, changed int, total int64) {
	low, high := limitsOf(p)
	var all [3][]move
	for axis := range all {
		all[axis] = moves(at[axis], low[axis], high[axis], step)
	}
	total = -1
	var try func(b gridBox, axes []int, so, rest int64)
	try = func(b gridBox, axes []int, so, rest int64) {
		if len(axes) == 0 {
			if v, err := p.Check(b.dims()); err == nil && v.OK() && (total < 0 || so < total || smaller(b, best)) {
				best, total = b, so
			}
			return
		}
		axis := axes[0]
		rest -= all[axis][0].change
		for _, m := range all[axis] {
			if total >= 0 && so+m.change+rest > total {
				return
			}
			try(b.with(axis, m.to), axes[1:], so+m.change, rest)
		}
	}
	for changed, choices := range [][][]int{1: {{0}, {1}, {2}}, 2: {{0, 1}, {0, 2}, {1, 2}}, 3: {{0, 1, 2}}} {
		for _, axes := range choices {
			rest, possible := int64(0), true
			for axis, x := range at {
				if slices.Contains(axes, axis) {
					if possible = possible && len(all[axis]) > 0; possible {
						rest += all[axis][0].change
					}
				} else {
					possible = possible && x >= low[axis] && x <= high[axis]
				}
			}
			if possible {
				try(at, axes, 0, rest)
			}
		}
		if total >= 0 {
			return best, changed, total
		}
	}
	return gridBox{}, 0, -1
}

// smaller is the order of boxes that are equally near: by the sum of the dimensions, then one by one.
func smaller(a, b gridBox) bool {
	if x, y := a[0]+a[1]+a[2], b[0]+b[1]+b[2]; x != y {
		return x < y
	}
	return slices.Compare(a[:], b[:]) < 0
}
