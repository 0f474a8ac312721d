package learn_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
)

// A scene is what is left of each unknown, at a moment of a trial.
type scene struct {
	*trial
	left map[*unknown][]bool
}

func (t *trial) scene() *scene {
	s := &scene{trial: t, left: make(map[*unknown][]bool)}
	for _, u := range t.unknowns {
		if u.values != nil {
			s.left[u] = u.left(t.world, u.kept)
		}
	}
	return s
}

// look compares all that the learner says with what is left.
func (t *trial) look() {
	s := t.scene()
	if t.joint != nil {
		for u, left := range s.left {
			if !slices.Equal(left, u.values(t.joint)) {
				t.Fatalf("%s %s: %v is left, and %v of whole files", u.article, u.what, left, u.values(t.joint))
			}
		}
	}
	for range 5 {
		r := drawRow(t.draws, t.world)
		got, err := t.learner.Possible(t.box(r.article, r.material, r.at))
		want := s.possible(r.article, r.material, r.at)
		if err != nil || !slices.Equal(got, want) || t.joint != nil && !slices.Equal(got, t.possible(t.joint, r.article, r.material, r.at)) {
			t.Fatalf("Possible(%v) = %q, %v, want %q", r, got, err, want)
		}
	}
	s.facts()
	s.catalogues()
	s.questions()
}

// find is the unknown of an article, or a sheet.
func (s *scene) find(article, what string) *unknown {
	return s.unknowns[slices.IndexFunc(s.unknowns, func(u *unknown) bool { return u.article == article && u.what == what })]
}

func (s *scene) sheet(material string) *unknown {
	return s.unknowns[slices.IndexFunc(s.unknowns, func(u *unknown) bool { return u.values != nil && slices.Contains(u.materials, material) })]
}

// possible are the codes that a box can get from files made of what is left of each unknown.
func (s *scene) possible(a, m int, at exact.Point) (codes []boxrules.Code) {
	article := s.Articles[a]
	for _, l := range s.Tests {
		keeps := false
		for i, left := range s.left[s.find(article.Code, limitNames[l.Axis][l.End])] {
			limit := int64(i+1) * s.Step
			if fails := l.End == 0 && at[l.Axis] < limit || l.End == 1 && at[l.Axis] > limit; left && !fails {
				keeps = true
			} else if left && !slices.Contains(codes, boxrules.Code(l.Code)) {
				codes = append(codes, boxrules.Code(l.Code))
			}
		}
		if !keeps {
			return codes
		}
	}
	about := s.SizeOf(a, m, at)
	for i, c := range s.Conditions[:s.BeforeSheet()] {
		if left := s.left[s.find(article.Code, string(s.constraint(i)))]; c.Holds(about) && left[1] {
			if codes = append(codes, s.constraint(i)); !left[0] {
				return codes
			}
		}
	}
	if exceeds, _ := s.fits(a, m, at, false); exceeds {
		codes = append(codes, boxrules.BOX_4100)
	}
	if fits, _ := s.fits(a, m, at, true); fits {
		codes = append(codes, s.codeAfterSheet(row{article: a, material: m, at: at}))
	}
	return codes
}

// fits reports whether the blank of a box may fit, or may not; told says that the blank is known.
func (s *scene) fits(a, m int, at exact.Point, yes bool) (may, told bool) {
	if !s.HasSizeRule {
		return yes, false
	}
	if !s.Articles[a].BlankInFrame {
		for _, u := range s.unknowns {
			if u.traced != nil && u.traced(traced{a, m, at, yes}) {
				return u.agree(s.world, append(slices.Clip(u.kept), known{tells: &space{fits: []traced{{a, m, at, yes}}}})), false
			}
		}
	}
	long, short := s.SheetOf(a, m, at)
	for i, left := range s.left[s.sheet(s.Materials[m].Code)] {
		if left && (long <= s.sizes[i][0] && short <= s.sizes[i][1]) == yes {
			return true, true
		}
	}
	return false, true
}

var limitNames = [exact.Axes][2]string{{"min_width", "max_width"}, {"min_depth", "max_depth"}, {"min_height", "max_height"}}

// boxes calls visit with boxes of an article, on fractions of the step, that may be within the
// limits and that no constraint before end which is known to be selected forbids.
func (s *scene) boxes(a, m, end int, fraction int64, visit func(at exact.Point, about gen.Size) bool) {
	var from, to exact.Point
	for axis := range from {
		from[axis] = int64(slices.Index(s.left[s.find(s.Articles[a].Code, limitNames[axis][0])], true)+1) * s.Step
		high := s.left[s.find(s.Articles[a].Code, limitNames[axis][1])]
		for i, left := range high {
			if left {
				to[axis] = int64(i+1) * s.Step
			}
		}
	}
	var selected []gen.Meant
	for i, c := range s.Conditions[:end] {
		if !s.left[s.find(s.Articles[a].Code, string(s.constraint(i)))][0] {
			selected = append(selected, c)
		}
	}
	by := s.Step / fraction
	if s.taken > 1 { // no other boxes are allowed
		by = s.taken
		for axis := range from {
			from[axis] += (by - from[axis]%by) % by
		}
	}
	for w := from[0]; w <= to[0]; w += by {
		for d := from[1]; d <= to[1]; d += by {
			for h := from[2]; h <= to[2]; h += by {
				about := s.SizeOf(a, m, exact.Point{w, d, h})
				if !slices.ContainsFunc(selected, func(c gen.Meant) bool { return c.Holds(about) }) && !visit(exact.Point{w, d, h}, about) {
					return
				}
			}
		}
	}
}

// tell reports whether a box tells if an article selects a constraint.
func (s *scene) tell(a, i int, state learn.State) (tells bool) {
	for _, fraction := range fractions[state] {
		for _, m := range s.Articles[a].Materials {
			s.boxes(a, m, i, fraction, func(_ exact.Point, about gen.Size) bool {
				tells = s.Conditions[i].Holds(about)
				return !tells
			})
			if tells {
				return true
			}
		}
	}
	return false
}

// fractions are the parts of the step at which the test looks for boxes that tell more. It looks more
// closely if the state says that there is one.
var fractions = map[learn.State][]int64{learn.Open: {1, 2, 4, 20, 100}, learn.Decided: {3}, learn.Unobservable: {4}}

// observe reports whether a box tells more of a sheet, and whether any article has a blank on it.
func (s *scene) observe(u *unknown, state learn.State) (tells, used bool) {
	for _, fraction := range fractions[state] {
		for a, article := range s.Articles {
			for _, m := range article.Materials {
				if !slices.Contains(u.materials, s.Materials[m].Code) || !article.BlankInFrame || !s.HasSizeRule {
					continue
				}
				used = true
				known := make([]bool, (s.MaxSide+1)*(s.MaxSide+1))
				s.boxes(a, m, s.BeforeSheet(), fraction, func(at exact.Point, _ gen.Size) bool {
					long, short := s.SheetOf(a, m, at)
					if seen := &known[long*s.MaxSide+short]; !*seen {
						*seen = true
						fits, _ := s.fits(a, m, at, true)
						exceeds, _ := s.fits(a, m, at, false)
						tells = fits && exceeds
					}
					return !tells
				})
				if tells {
					return true, true
				}
			}
		}
	}
	return false, used
}

// facts compares the facts, and that there are all of them.
func (s *scene) facts() {
	facts := s.learner.Facts()
	for a, article := range s.Articles {
		for axis := range exact.Axes {
			for end := range 2 {
				s.limit(facts[0], a, axis, end)
				facts = facts[1:]
			}
		}
		for i := range s.Conditions {
			f, u := facts[0], s.find(article.Code, string(s.constraint(i)))
			if s.IsAlways(i) && f.What != u.what {
				if u.contradicted {
					s.Fatalf("no fact about %s, which an answer contradicts", u.what)
				}
				continue // that it applies is known
			}
			facts = facts[1:]
			if s.IsAlways(i) {
				if f.Article != article.Code || f.State != learn.Contradicted || !u.contradicted && !u.perhaps {
					s.Fatalf("%+v about a rule that applies to all articles", f)
				}
				continue
			}
			want := learn.Fact{Article: article.Code, What: u.what, State: learn.Open, Selection: &learn.Selection{}}
			switch left := s.left[u]; {
			case !left[0] || !left[1]:
				want.State, want.Selected = learn.Decided, &left[1]
			case !s.tell(a, i, f.State):
				want.State = learn.Unobservable
				s.shadowed(f, a, i)
			}
			s.same(f, want, u)
			if f.Selection == nil || (f.Selected == nil) != (want.Selected == nil) || f.Selected != nil && *f.Selected != *want.Selected {
				s.Fatalf("%+v, want %+v", f, want)
			}
		}
		if s.HasSizeRule && !article.BlankInFrame {
			want := learn.Fact{Article: article.Code, What: "size", State: learn.NotLearned, Note: "the frame file defines no blank for the article"}
			if fmt.Sprint(facts[0]) != fmt.Sprint(want) {
				s.Fatalf("%+v, want %+v", facts[0], want)
			}
			facts = facts[1:]
		}
	}
	for _, m := range s.Materials {
		u := s.sheet(m.Code)
		want := learn.Fact{Material: m.Code, What: "sheet", State: learn.Decided}
		if tells, used := s.observe(u, facts[0].State); tells {
			want.State = learn.Open
		} else if !used || s.blankless(u) && !s.pinned(u) {
			want.State = learn.Unobservable
		}
		s.same(facts[0], want, u)
		s.size(facts[0], u)
		facts = facts[1:]
	}
	if len(facts) > 0 {
		s.Fatalf("facts %+v about nothing", facts)
	}
}

// blankless reports whether an article without a blank may be on the sheet.
func (s *scene) blankless(u *unknown) bool {
	return slices.ContainsFunc(s.Articles, func(a gen.DomainArticle) bool {
		return !a.BlankInFrame && slices.ContainsFunc(a.Materials, func(m int) bool { return slices.Contains(u.materials, s.Materials[m].Code) })
	})
}

// pinned reports whether a sheet can have one size alone: the world lists none that is longer than
// any blank.
func (s *scene) pinned(u *unknown) bool {
	only := -1
	for i, left := range s.left[u] {
		if left && only >= 0 {
			return false
		} else if left {
			only = i
		}
	}
	return only >= 0 && s.sizes[only][0] < s.MaxSide
}

// same compares what facts have in common.
func (s *scene) same(f, want learn.Fact, u *unknown) {
	if u.contradicted || u.perhaps && f.State == learn.Contradicted {
		want.State = learn.Contradicted
	}
	for _, other := range s.unknowns {
		if other.traced != nil && other.contradicted && slices.ContainsFunc(other.materials, func(m string) bool { return s.sheet(m) == u }) {
			want.State = learn.Contradicted
		}
	}
	if f.Article != want.Article || f.Material != want.Material || f.What != want.What || f.State != want.State {
		s.Fatalf("%+v, want %+v", f, want)
	}
	if f.State == learn.Contradicted {
		return
	}
	// What a fact rests on alone says as much.
	var rest []known
	for _, k := range u.kept {
		if slices.Contains(f.Rows, k.number) {
			rest = append(rest, k)
		}
	}
	if len(rest) != len(f.Rows) || !slices.Equal(u.left(s.world, rest), s.left[u]) {
		s.Fatalf("%+v: the rows do not say so", f)
	}
}

func (s *scene) limit(f learn.Fact, a, axis, end int) {
	u := s.find(s.Articles[a].Code, limitNames[axis][end])
	low := slices.Index(s.left[u], true)
	count := 0
	for _, left := range s.left[u] {
		if left {
			count++
		}
	}
	want := learn.Fact{
		Article: u.article, What: u.what, State: learn.Open,
		Limit: &learn.Limit{Least: exact.Float64At(int64(low+1) * s.Step), Greatest: exact.Float64At(int64(low+count) * s.Step)},
	}
	tells := s.taken < 1000
	beyond := s.Step*s.LimitValues + s.taken
	for w := s.taken; !tells && w <= beyond; w += s.taken {
		for d := s.taken; !tells && d <= beyond; d += s.taken {
			for h := s.taken; !tells && h <= beyond; h += s.taken {
				codes := s.possible(a, s.Articles[a].Materials[0], exact.Point{w, d, h})
				i := slices.IndexFunc(s.Tests, func(t gen.LimitTest) bool { return t.Axis == axis && t.End == end })
				i = slices.Index(codes, boxrules.Code(s.Tests[i].Code))
				tells = i >= 0 && i < len(codes)-1
			}
		}
	}
	if count == 1 {
		want.State = learn.Decided
	} else if !tells {
		want.State = learn.Unobservable
	}
	if !s.left[u][low+count-1] {
		s.Fatalf("%s: not an interval: %v", u.what, s.left[u])
	}
	s.same(f, want, u)
	if f.Limit == nil || *f.Limit != *want.Limit {
		s.Fatalf("%+v, want %+v", f, want)
	}
}

// shadowed confirms what comes first wherever an unobservable constraint holds, and that all of it
// is needed.
func (s *scene) shadowed(f learn.Fact, a, i int) {
	if f.State != learn.Unobservable {
		return
	}
	var by []gen.Meant
	for j, c := range s.Conditions[:i] {
		if slices.Contains(f.By, s.constraint(j)) {
			if s.left[s.find(s.Articles[a].Code, string(s.constraint(j)))][0] {
				s.Fatalf("%+v by what is not selected", f)
			}
			by = append(by, c)
		}
	}
	if len(by) != len(f.By) {
		s.Fatalf("%+v by what does not come first", f)
	}
	alone := make([]bool, len(by)) // whether it is the only one somewhere
	for _, m := range s.Articles[a].Materials {
		s.boxes(a, m, 0, 4, func(_ exact.Point, about gen.Size) bool {
			if !s.Conditions[i].Holds(about) {
				return true
			}
			first, count := 0, 0
			for j, c := range by {
				if c.Holds(about) {
					first, count = j, count+1
				}
			}
			if count == 0 {
				s.Fatalf("%+v: none holds for %+v", f, about)
			} else if count == 1 {
				alone[first] = true
			}
			return true
		})
	}
	if slices.Contains(alone, false) {
		s.Fatalf("%+v: not all are needed", f)
	}
}

// size compares the sizes that a sheet may have.
func (s *scene) size(f learn.Fact, u *unknown) {
	steps := func(x float64) int64 { return exact.Grid(x) / s.Step }
	for i, size := range s.sizes {
		may := f.Fits == nil || steps(f.Fits[0]) <= size[0] && steps(f.Fits[1]) <= size[1]
		for _, e := range f.Exceeds {
			may = may && !(steps(e[0]) <= size[0] && steps(e[1]) <= size[1])
		}
		if may != s.left[u][i] {
			s.Fatalf("%+v has the size %v: %v", f, size, may)
		}
	}
}

// catalogues compares the lenient and the strict limits with what is certain.
func (s *scene) catalogues() {
	engines := make(map[bool]*boxrules.Engine)
	contradicted := slices.ContainsFunc(s.unknowns, func(u *unknown) bool { return u.contradicted })
	for _, lenient := range []bool{true, false} {
		c, err := s.learner.Catalogue(lenient)
		if contradicted != (err != nil) && lenient {
			s.Fatalf("Catalogue = %v, contradicted: %v", err, contradicted)
		}
		if err != nil {
			continue
		}
		if engines[lenient], err = boxrules.New(s.rules, c); err != nil {
			s.Fatal(err)
		}
	}
	if contradicted {
		return
	}
	for range 30 {
		r := drawRow(s.draws, s.world)
		// A material is left out as long as no box in it is known to fit.
		known := slices.ContainsFunc(s.sheet(s.Materials[r.material].Code).kept, func(k known) bool { return k.code != boxrules.BOX_4100 })
		want := s.possible(r.article, r.material, r.at)
		certain := len(want) == 1
		box := s.box(r.article, r.material, r.at)
		v, err := engines[true].Check(box)
		if said := s.frame.Position("decimals").Line > 0; said && slices.ContainsFunc(r.at[:], func(x int64) bool { return x%s.finest != 0 }) {
			var input *boxrules.InputError
			if !errors.As(err, &input) || !strings.Contains(input.Message, "too many decimals") {
				s.Fatalf("%+v: the lenient limits say %v, %v of a box with too many decimals", box, v, err)
			}
			continue
		}
		if err != nil || !v.OK() && slices.Contains(want, "") || certain && want[0] != "" && want[0] != boxrules.BOX_4100 && v.Code() != want[0] {
			s.Fatalf("%+v: the lenient limits say %v, %v, possible is %q", box, v, err, want)
		}
		if engines[false] != nil {
			v, err = engines[false].Check(box)
		}
		if accepted := engines[false] != nil && err == nil && v.OK(); accepted && (!certain || want[0] != "") {
			s.Fatalf("%+v: the strict limits accept it, possible is %q", box, want)
		} else if !accepted && certain && want[0] == "" && (s.Articles[r.article].BlankInFrame && known || !s.HasSizeRule) {
			s.Fatalf("%+v: the strict limits say %v, %v of what is certain to be accepted", box, v, err)
		}
	}
}

// questions confirms that each tells something.
func (s *scene) questions() {
	seen := make(map[boxrules.Box]bool)
	for i, b := range s.learner.Next(3) {
		a := slices.IndexFunc(s.Articles, func(a gen.DomainArticle) bool { return a.Code == b.Article })
		m := slices.IndexFunc(s.Materials, func(m gen.DomainMaterial) bool { return m.Code == b.Material })
		at, _ := b.Grid()
		if seen[b] || boxrules.DimsAt(at) != b.Dims || min(at[0], at[1], at[2]) <= 0 || at[0]%s.finest+at[1]%s.finest+at[2]%s.finest > 0 {
			s.Fatalf("%+v is not to be asked", b)
		}
		seen[b] = true
		if codes := s.possible(a, m, at); i == 0 && len(codes) < 2 {
			s.Fatalf("%+v tells nothing: %q", b, codes)
		}
	}
}

// settled confirms that no box that may be asked tells anything.
func (t *trial) settled() {
	t.look()
	s := t.scene()
	by := s.Step / 4
	for by%s.finest != 0 {
		by += s.Step / 4
	}
	for _, f := range t.learner.Facts() {
		if f.State == learn.Open && s.taken == s.finest && (f.What != "sheet" || !s.blankless(s.sheet(f.Material))) {
			s.Fatalf("nothing is left to ask, and %+v", f)
		}
	}
	for a, article := range s.Articles {
		for _, m := range article.Materials {
			from := max(by, s.finest)
			for w := from; w <= s.Step*(s.LimitValues+1); w += by {
				for d := from; d <= s.Step*(s.LimitValues+1); d += by {
					for h := from; h <= s.Step*(s.LimitValues+1); h += by {
						codes := s.possible(a, m, exact.Point{w, d, h})
						if len(codes) > 1 && (article.BlankInFrame || len(codes) > 2 || codes[0] != boxrules.BOX_4100) {
							s.Fatalf("nothing is left to ask, and %v is answered with one of %q", s.box(a, m, exact.Point{w, d, h}), codes)
						}
					}
				}
			}
		}
	}
}
