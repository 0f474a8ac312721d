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

// TestSize counts the bytes, which everybody downloads with the repository.
func TestSize(t *testing.T) {
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
		if total += info.Size(); info.Size() > 5<<18 {
			t.Errorf("%s has %d bytes, more than 1.25 megabytes", entry.Name(), info.Size())
		}
	}
	if total > 4<<20 {
		t.Errorf("%d bytes in all, more than 4 megabytes", total)
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
		if f.Rules != "rules/box_rules.yaml" || !strings.HasPrefix(f.Name, "illustrative") && f.Name != "constraints.json" {
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

// crossed looks among the boxes for three neighbours such that the half-space contains some of them but not all.
func crossed(boxes map[boxrules.Box]bool, p *boxrules.Profile, h exact.HalfSpace, axis int) bool {
	for box := range boxes {
		if box.Article != p.Article() || box.Material != p.Material() {
			continue
		}
		less, _ := box.Grid()
		more := less
		less[axis]--
		more[axis]++
		if h.Contains(less) != h.Contains(more) && boxes[boxAt(p, less)] && boxes[boxAt(p, more)] {
			return true
		}
	}
	return false
}

func boxAt(p *boxrules.Profile, at exact.Point) boxrules.Box {
	return boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.DimsAt(at)}
}

// TestPairs finds every pair of codes that one box can violate, in both orders, and proves that
// there is no such box for the other pairs.
func TestPairs(t *testing.T) {
	files := make(map[string]loaded)
	for _, f := range load(t) {
		files[f.Name] = f
	}
	p := files["pairs.json"].engine.Profiles()[0]
	rules, conditions := p.Rules(), p.Exact().Conditions
	if len(rules) != 30 {
		t.Errorf("%d rules, want 30", len(rules))
	}
	impossible := 0
	search := polytope.Search{Step: 1} // no budget: there is a bound for each search only
	for i, later := range rules {
		for j, earlier := range rules[:i] {
			if inOrder(files["pairs.json"], earlier.Code, later.Code) && inOrder(files["pairs-reversed.json"], later.Code, earlier.Code) {
				continue
			}
			impossible++
			if at, answer := search.Find(polytope.Sized, conditions[i].Region(), conditions[j].Region()); answer != polytope.Nothing {
				t.Errorf("%s and %s have no cases in both orders, and both hold at %v", earlier.Code, later.Code, at)
			}
		}
	}
	t.Logf("%d pairs exclude each other", impossible)
}

// inOrder reports whether a case has the one code before the other.
func inOrder(f loaded, first, second boxrules.Code) bool {
	return slices.ContainsFunc(f.Cases, func(c conformance.Case) bool {
		i, j := slices.Index(c.Codes, string(first)), slices.Index(c.Codes, string(second))
		return i >= 0 && i < j
	})
}

// TestErrors finds an input error for every field, for NaN and both infinities, and for texts.
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
