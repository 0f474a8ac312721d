package conformance_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/polytope"
)

// TestSize counts the cases, and the bytes, which everybody downloads with the repository.
func TestSize(t *testing.T) {
	cases, texts := 0, 0
	for _, f := range load(t) {
		t.Logf("%-28s %5d cases %4d texts", f.Name, len(f.Cases), len(f.Texts))
		cases, texts = cases+len(f.Cases), texts+len(f.Texts)
	}
	t.Logf("%d cases, %d texts", cases, texts)
	if cases < 5000 {
		t.Errorf("%d cases, want 5,000 or more", cases)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if total += info.Size(); info.Size() > 1<<20 {
			t.Errorf("%s has %d bytes, more than a megabyte", entry.Name(), info.Size())
		}
	}
	if total > 3<<20 {
		t.Errorf("%d bytes in all, more than three megabytes", total)
	}
}

// TestEveryCode finds every documented code of a box as the first one, and a valid box, in every
// file of the documented rules that is about all of them.
func TestEveryCode(t *testing.T) {
	first := make(map[string]int)
	for _, f := range load(t) {
		if f.Rules != "rules/box_rules.yaml" {
			continue
		}
		for _, c := range f.Cases {
			if c.Verdict != nil {
				first[c.Code]++
			}
		}
	}
	for _, info := range boxrules.Codes() {
		if info.Stage != 0 && first[string(info.Code)] == 0 {
			t.Errorf("no case reports %s first", info.Code)
		}
	}
	if first[""] == 0 {
		t.Error("no case is valid")
	}
}

// TestNeighbours finds, for every half-space of every rule, a box on its border, and the ones
// with a thousandth less and more of each dimension that it mentions; along each of them the
// half-space ends.
func TestNeighbours(t *testing.T) {
	asked := make(map[string]map[boxrules.Box]bool) // by the text of the limits
	engines := make(map[string]*boxrules.Engine)
	for _, f := range load(t) {
		if f.Rules != "rules/box_rules.yaml" || strings.HasPrefix(f.Name, "pairs") || strings.HasSuffix(f.Name, "decimals.json") {
			continue
		}
		if asked[f.Limits] == nil {
			asked[f.Limits], engines[f.Limits] = make(map[boxrules.Box]bool), f.engine
		}
		for _, c := range f.Cases {
			asked[f.Limits][c.Box()] = true
		}
	}
	borders := 0
	for limits, engine := range engines {
		for _, p := range engine.Profiles() {
			for i, rule := range p.Rules() {
				if rule.Stage == boxrules.Boundary && limits != "limits/illustrative.yaml" {
					continue // the wide articles have the same limits, all of them
				}
				for h := range p.Exact().Conditions[i].HalfSpaces() {
					borders++
					for axis, a := range h.A {
						if a != 0 && !crossed(asked[limits], p, h, axis) {
							t.Errorf("%s in %s: no three boxes along dimension %d across %s of %s", p.Article(), p.Material(), axis, h, rule.Code)
						}
					}
				}
			}
		}
	}
	t.Logf("%d half-spaces", borders)
}

// crossed looks for three neighbours among the boxes, of which the half-space has some and not all.
func crossed(boxes map[boxrules.Box]bool, p *boxrules.Profile, h exact.HalfSpace, axis int) bool {
	for box := range boxes {
		if box.Article != p.Article() || box.Material != p.Material() {
			continue
		}
		at := exact.Point{grid(box.Width), grid(box.Depth), grid(box.Height)}
		less, more := at, at
		less[axis]--
		more[axis]++
		if h.Contains(less) != h.Contains(more) && boxes[boxAt(p, less)] && boxes[boxAt(p, more)] {
			return true
		}
	}
	return false
}

// grid is the grid point of a box of the files on borders, which all lie on the grid.
func grid(x float64) int64 { return int64(x*exact.Scale + 0.5) }

func boxAt(p *boxrules.Profile, at exact.Point) boxrules.Box {
	return boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.Dims{
		Width: exact.Units(at[0]), Depth: exact.Units(at[1]), Height: exact.Units(at[2]),
	}}
}

func folded(p *boxrules.Profile) []exact.Tree {
	var trees []exact.Tree
	for _, c := range p.Exact().Conditions {
		trees = append(trees, c.Folded())
	}
	return trees
}

// TestPairs finds every pair of codes that one box can violate, in both orders, and proves that
// there is no such box for the other pairs.
func TestPairs(t *testing.T) {
	files := make(map[string]loaded)
	for _, f := range load(t) {
		files[f.Name] = f
	}
	documented, reversed := files["pairs.json"], files["pairs-reversed.json"]
	pairs, impossible := 0, 0
	var unbounded *polytope.Budget // but for each search alone
	for _, p := range reversed.engine.Profiles() {
		pairs++
		later, earlier := string(p.Rules()[0].Code), string(p.Rules()[1].Code)
		if slices.Contains(firsts(documented, p.Article(), earlier, later), earlier) &&
			slices.Contains(firsts(reversed, p.Article(), earlier, later), later) {
			continue
		}
		impossible++
		if at, answer := unbounded.Find(polytope.Sized, folded(p)...); answer != polytope.Nothing {
			t.Errorf("%s and %s have no cases in both orders, and both hold at %v", earlier, later, at)
		}
	}
	t.Logf("%d pairs, of which %d exclude each other", pairs, impossible)
	// The minimum and the maximum of one dimension have no article: they exclude each other.
	if want := 30*29/2 - 3; pairs != want {
		t.Errorf("%d pairs, want %d", pairs, want)
	}
}

// firsts are the first codes of the article's cases that have both codes.
func firsts(f loaded, article, a, b string) []string {
	var codes []string
	for _, c := range f.Cases {
		if c.Article == article && slices.Contains(c.Codes, a) && slices.Contains(c.Codes, b) {
			codes = append(codes, c.Code)
		}
	}
	return codes
}

// TestErrors finds an input error for every field, for every number that is none, and for texts.
func TestErrors(t *testing.T) {
	fields := make(map[string]int)
	numbers := make(map[string]bool)
	texts := 0
	for _, f := range load(t) {
		for _, c := range f.Cases {
			if c.Error != nil {
				fields[c.Error.Field]++
				for _, x := range []conformance.Number{c.Width, c.Depth, c.Height} {
					text, err := x.MarshalJSON()
					if err != nil {
						t.Fatal(err)
					}
					numbers[string(text)] = true
				}
			}
		}
		for _, text := range f.Texts {
			if text.Error != nil {
				texts++
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(fields)), []string{"article", "depth", "height", "material", "width"}; !slices.Equal(got, want) {
		t.Errorf("input errors for %v, want %v", got, want)
	}
	for _, number := range []string{`"NaN"`, `"Infinity"`, `"-Infinity"`, "1000000.0000000001", "-1000000.0000000001"} {
		if !numbers[number] {
			t.Errorf("no input error with %s", number)
		}
	}
	if texts == 0 {
		t.Error("no text is refused")
	}
}
