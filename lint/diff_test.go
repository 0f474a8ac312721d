package lint_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

// words returns the changes in short, such as "a m: newly-rejected >BOX_3100".
func words(changes []lint.Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, strings.TrimRight(c.Article+" "+c.Material+": "+string(c.Kind)+" "+string(c.From)+">"+string(c.To), " >"))
	}
	return strings.Join(all, "\n")
}

// confirmChanges checks with both engines that each witness gets the codes of its change.
func confirmChanges(t testing.TB, before, after *boxrules.Engine, changes []lint.Change) {
	t.Helper()
	for _, c := range changes {
		moved := c.Kind == lint.NewlyRejected || c.Kind == lint.NewlyAccepted || c.Kind == lint.CodeChanged
		if moved != (c.Witness != nil) {
			t.Errorf("Diff has %+v, want a witness: %v", c, moved)
		}
		if !moved || c.Witness == nil {
			continue
		}
		if (c.Kind == lint.NewlyRejected) != (c.From == "") || (c.Kind == lint.NewlyAccepted) != (c.To == "") || c.From == c.To {
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
		changes := slices.Collect(lint.Diff(boxrules.Default(), after))
		if len(changes) != len(profiles) {
			t.Fatalf("Diff of the same = %d changes, want %d", len(changes), len(profiles))
		}
		for i, p := range profiles {
			if want := (lint.Change{Article: p.Article(), Material: p.Material(), Kind: lint.Identical}); changes[i] != want {
				t.Errorf("Diff of the same: %+v, want %+v", changes[i], want)
			}
		}
	}
}

func TestDiff(t *testing.T) {
	const thousand = "min: 1, max: 1000"
	wide := func(codes string) string { return gen.WorldArticle("a", thousand, codes) }
	all := wide("BOX_3102, BOX_3107, BOX_3112, BOX_3121, BOX_3122")
	both := strings.NewReplacer("[m]", "[m, o]")
	for _, test := range []struct {
		name          string
		before, after string   // articles
		edit          []string // of the rules after
		want          []string
	}{
		{"articles", wide("") + gen.WorldArticle("b", thousand, "") + gen.WorldArticle("c", thousand, ""),
			gen.WorldArticle("d", thousand, "") + gen.WorldArticle("b", thousand, ""), nil,
			[]string{"a m: only-before", "b m: identical", "c m: only-before", "d m: only-after"}},
		{"materials", both.Replace(wide("")) + gen.WorldArticle("b", thousand, ""),
			wide("") + strings.ReplaceAll(gen.WorldArticle("b", thousand, ""), "[m]", "[m, o]"), nil,
			[]string{"a m: identical", "a o: only-before", "b m: identical", "b o: only-after"}},
		{"a lower limit", wide("BOX_3100"), gen.WorldArticle("a", "min: 1, max: 900; min: 1, max: 1000; min: 1, max: 1000", "BOX_3100"), nil,
			[]string{
				"a m: newly-rejected >BOX_2101", "a m: code-changed BOX_2102>BOX_2101", "a m: code-changed BOX_2103>BOX_2101",
				"a m: code-changed BOX_2104>BOX_2101", "a m: code-changed BOX_2105>BOX_2101", "a m: code-changed BOX_3100>BOX_2101",
			}},
		{"a limit moved by a thousandth", gen.WorldArticle("a", "min: 2, max: 9", ""),
			gen.WorldArticle("a", "min: 2, max: 9; min: 2, max: 9; min: 1.999, max: 9", ""), nil,
			[]string{"a m: newly-accepted BOX_2104"}},
		{"a constraint dropped", wide("BOX_3100, BOX_3105") + slottedBlank, wide("BOX_3100") + slottedBlank, nil,
			[]string{"a m: newly-accepted BOX_3105", "a m: code-changed BOX_3105>BOX_4100"}},
		{"two constraints dropped", wide("BOX_3100, BOX_3105") + slottedBlank, wide("") + slottedBlank, nil, []string{
			"a m: newly-accepted BOX_3100", "a m: newly-accepted BOX_3105",
			"a m: code-changed BOX_3100>BOX_4100", "a m: code-changed BOX_3105>BOX_4100",
		}},
		{"a constraint dropped that another implies", wide("BOX_3104, BOX_3117"), wide("BOX_3104"), nil, []string{"a m: identical"}},
		{"and the other one", wide("BOX_3104, BOX_3117"), wide("BOX_3117"), nil, []string{"a m: code-changed BOX_3104>BOX_3117"}},
		{"a tie", wide("BOX_3100, BOX_3105"), wide("BOX_3100, BOX_3105"), []string{"when: depth > width\n", "when: depth >= width\n"},
			[]string{"a m: newly-rejected >BOX_3100", "a m: code-changed BOX_3105>BOX_3100"}},
		{"the size", wide("") + slottedBlank, wide("") + strings.ReplaceAll(slottedBlank, "glue_flap", "glue_flap + 1"), nil,
			[]string{"a m: newly-rejected >BOX_4100"}},
		{"no blank any more", wide("") + slottedBlank, wide(""), nil, []string{"a m: newly-accepted BOX_4100"}},
		{"other codes throughout", wide("BOX_3105"), wide("X_3105"), []string{"code: BOX_", "code: X_"}, []string{
			"a m: code-changed BOX_2100>X_2100", "a m: code-changed BOX_2101>X_2101", "a m: code-changed BOX_2102>X_2102",
			"a m: code-changed BOX_2103>X_2103", "a m: code-changed BOX_2104>X_2104", "a m: code-changed BOX_2105>X_2105",
			"a m: code-changed BOX_3105>X_3105",
		}},
		{"order", wide("BOX_3109, BOX_3117"), wide("BOX_3117, BOX_3109"), nil, []string{"a m: identical"}},
		{"a message", all, all, []string{"the provided values do not allow creating a proper box", "not so"}, []string{"a m: identical"}},
		{"formulated in another way", all, all, []string{
			"height > depth && depth >= 60", "'!(height <= depth or depth < 60)'",
			"height > width && depth > width && depth > height", "min(depth, height) > width and max(height, depth) != height",
			"depth > height / 2.5", "min(5*depth - 2*height, 1) > 0",
			"(depth > width && depth >= height && height > width + 30)", "(depth >= height && height > width + 30)",
			"(depth <= width && width >= height && height > depth + 30 && depth + 30 >= 35)",
			"(height <= width && depth < height - 30 && depth >= 5)",
		}, []string{"a m: identical"}},
		{"and not quite", all, all, []string{"height > depth && depth >= 60", "'!(height <= depth or depth <= 60)'"}, []string{
			"a m: code-changed BOX_3102>BOX_3112", "a m: code-changed BOX_3102>BOX_3121", "a m: code-changed BOX_3102>BOX_3122",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after := engineOf(t, "", test.before), engineOf(t, lab.DocumentedRules(t, test.edit...), test.after)
			changes := slices.Collect(lint.Diff(before, after))
			if got, want := words(changes), strings.Join(test.want, "\n"); got != want {
				t.Errorf("Diff =\n%s\nwant\n%s", got, want)
			}
			confirmChanges(t, before, after, changes)
			// The sequence stops if the loop does.
			for c := range lint.Diff(before, after) {
				if first := words([]lint.Change{c}); first != test.want[0] {
					t.Errorf("Diff begins with %s, want %s", first, test.want[0])
				}
				break
			}
		})
	}
}

// TestDiffStopsWithTheLoop: a loop may end at each change, also among the articles that only the new file has.
func TestDiffStopsWithTheLoop(t *testing.T) {
	before := engineOf(t, "", gen.WorldArticle("a", "min: 1, max: 100", "")+gen.WorldArticle("b", "min: 1, max: 100", ""))
	after := engineOf(t, "", gen.WorldArticle("b", "min: 1, max: 100", "")+gen.WorldArticle("c", "min: 1, max: 100", "")+
		gen.WorldArticle("d", "min: 1, max: 100", ""))
	all := slices.Collect(lint.Diff(before, after))
	if got, want := words(all), "a m: only-before\nb m: identical\nc m: only-after\nd m: only-after"; got != want {
		t.Fatalf("Diff =\n%s\nwant\n%s", got, want)
	}
	for count := 1; count <= len(all); count++ {
		var some []lint.Change
		for c := range lint.Diff(before, after) {
			if some = append(some, c); len(some) == count {
				break
			}
		}
		if !slices.Equal(some, all[:count]) {
			t.Errorf("Diff =\n%s\nwant the first %d of\n%s", words(some), count, words(all))
		}
	}
}

// TestDiffFiles: in parts, two catalogues of several hundred pairs have the changes that they have as a whole.
func TestDiffFiles(t *testing.T) {
	materials := lab.Draws(1, 2)
	engine := func(change int, drop string) *boxrules.Engine {
		text := gen.Shop(230, materials, change)
		for _, article := range strings.Split(drop, " ") {
			text = strings.Replace(text, "  article-"+article+":\n", "  other-"+article+":\n", 1)
		}
		return compiled(t, "", text)
	}
	before, after := engine(0, "3"), engine(1, "101 229")
	whole := slices.Collect(lint.Diff(before, after))
	var parts []lint.Change
	for c, err := range lint.DiffFiles(
		lint.Files{Rules: before.Rules(), Catalogue: before.Catalogue()}, lint.Files{Rules: after.Rules(), Catalogue: after.Catalogue()},
	) {
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, c)
	}
	if words(parts) != words(whole) || len(whole) < 230*materials {
		t.Errorf("in parts:\n%s\nas a whole:\n%s", words(parts), words(whole))
	}
	confirmChanges(t, before, after, parts)
	// The error of New is that of the comparison.
	frame := lint.Files{Rules: before.Rules(), Catalogue: before.Catalogue()}
	frame.Rules = must(boxrules.LoadRules("rules.yaml", []byte("version: 1\nconstraint: [{code: A_0001, when: width > 5, message: m}]\n")))
	for _, err := range lint.DiffFiles(frame, frame) {
		if err == nil || !strings.Contains(err.Error(), "is not a rule of rules.yaml") {
			t.Errorf("with rules that do not have the codes of the limits: %v", err)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestDiffAllocatesLittle: one question settles that a code does not change. The number of
// allocations shows how many questions were asked, without a clock.
func TestDiffAllocatesLittle(t *testing.T) {
	const thousand = "min: 1, max: 1000"
	before := engineOf(t, "", gen.WorldArticle("a", thousand, "BOX_3100, BOX_3105")+slottedBlank)
	after := engineOf(t, lab.DocumentedRules(t, "code: BOX_3100", "code: X_3100"), gen.WorldArticle("a", thousand, "X_3100, BOX_3105")+slottedBlank)
	if got := testing.AllocsPerRun(1, func() { _ = slices.Collect(lint.Diff(before, after)) }); got > 35_000 {
		t.Errorf("Diff allocates %v times, want at most 35000", got)
	}
}

// ruleEdits are replacements in the shipped rule file. A random diff makes one of them or none.
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

var diffFiles = flag.Int("diff.files", 40, "pairs of random files that TestDiffRandom compares")

// TestDiffRandom compares the changes between random files with the verdicts of random boxes, many
// of them on limits.
func TestDiffRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := make(map[lint.ChangeKind]int)
	for range *diffFiles {
		ranges := fmt.Sprintf("min: %d, max: %d; min: 10, max: %d; min: 5.5, max: 400", 1+r.IntN(40), 300+r.IntN(300), 200+r.IntN(300))
		edit, rangesAfter := ruleEdits[r.IntN(len(ruleEdits))], ranges
		var codes []string
		for _, code := range constraints() {
			dropped := len(edit) > 0 && edit[1] == "" && strings.Contains(edit[0], code)
			if !dropped && r.IntN(6) == 0 {
				codes = append(codes, code)
			}
		}
		selected := strings.Join(codes, ", ")
		selectedAfter := selected
		switch r.IntN(4) {
		case 0:
			rangesAfter = strings.Replace(ranges, "max: 400", "max: 399.999", 1)
		case 1:
			selectedAfter = strings.Join(codes[min(1, len(codes)):], ", ")
		}
		before := engineOf(t, lab.DocumentedRules(t), gen.WorldArticle("a", ranges, selected)+slottedBlank)
		after := engineOf(t, lab.DocumentedRules(t, edit...), gen.WorldArticle("a", rangesAfter, selectedAfter)+slottedBlank)
		changes := slices.Collect(lint.Diff(before, after))
		confirmChanges(t, before, after, changes)
		known := make(map[[2]boxrules.Code]bool)
		for _, c := range changes {
			known[[2]boxrules.Code{c.From, c.To}] = true
			found[c.Kind]++
		}
		p, q := profileOf(t, before, "a"), profileOf(t, after, "a")
		boxes := gen.BoxesOf(p.Exact(), r.IntN)
		for range 400 {
			b := boxes.Next()
			if from, to := codeAt(t, p, b), codeAt(t, q, b); from != to && !known[[2]boxrules.Code{from, to}] {
				t.Fatalf("Diff of %s [%s] and %s [%s], rules %q =\n%s\nbut %+v changes from %q to %q",
					ranges, selected, rangesAfter, selectedAfter, edit, words(changes), boxrules.DimsAt(b), from, to)
			}
		}
	}
	t.Logf("changes found: %v", found)
	some := found[lint.Identical] > 0 && found[lint.NewlyAccepted] > 0 && found[lint.NewlyRejected] > 0 && found[lint.CodeChanged] > 0
	if !some || found[lint.UndecidedChange] > 0 {
		t.Errorf("changes found: %v, want some of each kind, and none undecided", found)
	}
}
