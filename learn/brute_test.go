package learn_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab/draw"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/learn"
)

// A row is an answer in a world.
type row struct {
	number, article, material int
	at                        exact.Point
	code                      boxrules.Code
	date                      time.Time
}

// A space is a set of limit files, by what they are made of: of each article the pairs of a minimum
// and a maximum and the selections, of each sheet the sizes. A code is one condition on each of
// these, so that the files that give an answer are all combinations; TestSpace compares with all
// files, one by one.
type space struct {
	pairs  [][exact.Axes]uint64 // a bit for each of world.pairs
	masks  []uint64             // a bit for each selection
	sheets [][]bool             // by world.sizes
	fits   []traced             // what boxes say whose blank the learner does not know
}

type traced struct {
	article, material int
	at                exact.Point
	yes               bool
}

// whole are all files.
func (w *world) whole() *space {
	s := &space{}
	for range w.Articles {
		all := uint64(1)<<len(w.pairs) - 1
		s.pairs = append(s.pairs, [exact.Axes]uint64{all, all, all})
		s.masks = append(s.masks, w.allMasks())
	}
	for range w.Sheets {
		s.sheets = append(s.sheets, slices.Repeat([]bool{true}, len(w.sizes)))
	}
	return s
}

// allMasks are the selections that have every rule that applies to all articles.
func (w *world) allMasks() (all uint64) {
	for mask := range 1 << len(w.Conditions) {
		valid := true
		for i := range w.Conditions {
			valid = valid && (!w.IsAlways(i) || mask&(1<<i) != 0)
		}
		if valid {
			all |= 1 << mask
		}
	}
	return all
}

// comesAfterConstraints reports whether the service compares the blank with the sheet before it gives the code.
func (w *world) comesAfterConstraints(code boxrules.Code) bool {
	for i := w.BeforeSheet(); i < len(w.Conditions); i++ {
		if code == w.constraint(i) {
			return true
		}
	}
	return code == boxrules.BOX_4100 || code == ""
}

// tells are the files that give the answer.
func (w *world) tells(r row) *space {
	s := w.whole()
	for _, t := range w.Tests {
		for i, pair := range w.pairs {
			limit, x := pair[t.End]*w.Step, r.at[t.Axis]
			fails := t.End == 0 && x < limit || t.End == 1 && x > limit
			if fails != (boxrules.Code(t.Code) == r.code) {
				s.pairs[r.article][t.Axis] &^= 1 << i
			}
		}
		if boxrules.Code(t.Code) == r.code {
			return s
		}
	}
	about := w.SizeOf(r.article, r.material, r.at)
	firstOf := func(from, to, mask int) boxrules.Code {
		for i := from; i < to; i++ {
			if mask&(1<<i) != 0 && w.Conditions[i].Holds(about) {
				return w.constraint(i)
			}
		}
		return ""
	}
	for mask := range 1 << len(w.Conditions) {
		first := firstOf(0, w.BeforeSheet(), mask)
		if w.comesAfterConstraints(r.code) {
			last := firstOf(w.BeforeSheet(), len(w.Conditions), mask)
			if first != "" || r.code != boxrules.BOX_4100 && r.code != last {
				s.masks[r.article] &^= 1 << mask
			}
		} else if first != r.code {
			s.masks[r.article] &^= 1 << mask
		}
	}
	if !w.comesAfterConstraints(r.code) || !w.HasSizeRule {
		return s
	}
	if !w.Articles[r.article].BlankInFrame {
		s.fits = []traced{{r.article, r.material, r.at, r.code != boxrules.BOX_4100}}
		return s
	}
	for i, size := range w.sizes {
		long, short := size[0]*w.Step*12, size[1]*w.Step*12
		p, q := max(about.BlankWidth, about.BlankHeight), min(about.BlankWidth, about.BlankHeight)
		if (p <= long && q <= short) != (r.code != boxrules.BOX_4100) {
			s.sheets[w.Materials[r.material].Sheet][i] = false
		}
	}
	return s
}

// and is what both have.
func (s *space) and(t *space) *space {
	both := &space{masks: slices.Clone(s.masks), pairs: slices.Clone(s.pairs), fits: slices.Concat(s.fits, t.fits)}
	for a := range both.pairs {
		both.masks[a] &= t.masks[a]
		for axis := range exact.Axes {
			both.pairs[a][axis] &= t.pairs[a][axis]
		}
	}
	for i, sheet := range s.sheets {
		own := slices.Clone(sheet)
		for j := range own {
			own[j] = own[j] && t.sheets[i][j]
		}
		both.sheets = append(both.sheets, own)
	}
	return both
}

// empty reports whether there is no file.
func (s *space) empty() bool {
	for a, axes := range s.pairs {
		if s.masks[a] == 0 || axes[0] == 0 || axes[1] == 0 || axes[2] == 0 {
			return true
		}
	}
	for _, sheet := range s.sheets {
		if !slices.Contains(sheet, true) {
			return true
		}
	}
	for _, fits := range s.fits {
		for _, exceeds := range s.fits {
			if fits.yes && !exceeds.yes && fits.article == exceeds.article && fits.material == exceeds.material && smaller(exceeds.at, fits.at) {
				return true
			}
		}
	}
	return false
}

func smaller(p, q exact.Point) bool { return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] }

func (s *space) holds(w *world, f *gen.DomainFile) bool {
	for a, ranges := range f.Ranges {
		for axis, pair := range ranges {
			if s.pairs[a][axis]&(1<<slices.Index(w.pairs, pair)) == 0 {
				return false
			}
		}
		if s.masks[a]&(1<<f.Selected[a]) == 0 {
			return false
		}
	}
	for i, sheet := range f.Sheets {
		sides := [2]int64{max(sheet[0], sheet[1]), min(sheet[0], sheet[1])}
		if !s.sheets[i][slices.Index(w.sizes, sides)] {
			return false
		}
	}
	return true
}

// codes are all that a box can be answered, in check order, with "" last.
func (w *world) codes() []boxrules.Code {
	var codes []boxrules.Code
	for _, t := range w.Tests {
		codes = append(codes, boxrules.Code(t.Code))
	}
	for i := range w.Conditions[:w.BeforeSheet()] {
		codes = append(codes, w.constraint(i))
	}
	if w.HasSizeRule {
		codes = append(codes, boxrules.BOX_4100)
	}
	for i := w.BeforeSheet(); i < len(w.Conditions); i++ {
		codes = append(codes, w.constraint(i))
	}
	return append(codes, "")
}

// possible are the codes that files of the space give.
func (w *world) possible(s *space, a, m int, at exact.Point) []boxrules.Code {
	var codes []boxrules.Code
	for _, code := range w.codes() {
		if !s.and(w.tells(row{article: a, material: m, at: at, code: code})).empty() {
			codes = append(codes, code)
		}
	}
	return codes
}

// TestSpace compares the spaces with files, and of a very small world with all files.
func TestSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		s := w.whole()
		var rows []row
		for range 3 {
			r := drawRow(t, w)
			r.code = w.code(w.NewFile(draw.Choices(t)), r.article, r.material, r.at)
			rows, s = append(rows, r), s.and(w.tells(r))
		}
		for range 20 {
			f := w.NewFile(draw.Choices(t))
			if got, want := s.holds(w, f), w.agrees(f, rows); got != want {
				t.Fatalf("the space has %+v: %v, want %v", f, got, want)
			}
		}
	})
}

// agrees reports whether the file gives the answers, except those that depend on unknown blanks.
func (w *world) agrees(f *gen.DomainFile, rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool {
		code := w.code(f, r.article, r.material, r.at)
		if w.Articles[r.article].BlankInFrame || !w.comesAfterConstraints(code) {
			return code != r.code
		}
		// Whether the blank fits is not known. What comes after the sheet is.
		return r.code != boxrules.BOX_4100 && r.code != w.codeAfterSheet(r)
	})
}

// codeAfterSheet is the code of a box that fits and that no constraint forbids.
func (w *world) codeAfterSheet(r row) boxrules.Code {
	about := w.SizeOf(r.article, r.material, r.at)
	for i := w.BeforeSheet(); i < len(w.Conditions); i++ {
		if w.Conditions[i].Holds(about) {
			return w.constraint(i)
		}
	}
	return ""
}

func drawRow(t *rapid.T, w *world) row {
	a := rapid.IntRange(0, len(w.Articles)-1).Draw(t, "article")
	r := row{article: a, material: rapid.SampledFrom(w.Articles[a].Materials).Draw(t, "material")}
	for axis := range r.at {
		r.at[axis] = rapid.Int64Range(1, 2*w.LimitValues+1).Draw(t, "halves") * w.Step / 2
		if odd := rapid.IntRange(-3, 9).Draw(t, "odd"); odd < 0 {
			r.at[axis] += int64(odd + 2)
			if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
				r.at[axis] = int64(odd+2) * w.Step
			}
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "off the grid") > 0 {
		for axis := range r.at {
			r.at[axis] -= r.at[axis] % w.taken
		}
	}
	for range 100 { // what is borderline teaches less: see TestFloat64
		if !w.borderline(r.article, r.material, r.at) {
			return r
		}
		r.at[0] += w.taken
	}
	t.Skip("every box is borderline")
	return r
}

// An unknown is what answers are facts about, one at a time: a limit or a constraint of an article,
// a sheet, or how large the boxes are that fit, where the blank is not known.
type unknown struct {
	article, what string
	materials     []string              // of a sheet
	values        func(s *space) []bool // that it has in the space; or else
	traced        func(f traced) bool   // whether a box is about it
	kept          []known               // the longest run of answers up to now that can all be true, of those that tell
	contradicted  bool
	perhaps       bool // it may be reported: an answer that nothing explains is about it
}

type known struct {
	row
	tells *space
}

// unknowns are those of the world.
func (w *world) unknowns() []*unknown {
	var all []*unknown
	for a, article := range w.Articles {
		for axis, name := range exact.AxisNames() {
			for end := range 2 {
				all = append(all, &unknown{article: article.Code, what: [2]string{"min_", "max_"}[end] + name, values: func(s *space) []bool {
					values := make([]bool, w.LimitValues)
					for i, pair := range w.pairs {
						if s.pairs[a][axis]&(1<<i) != 0 {
							values[pair[end]-1] = true
						}
					}
					return values
				}})
			}
		}
		for i := range w.Conditions {
			all = append(all, &unknown{article: article.Code, what: string(w.constraint(i)), values: func(s *space) []bool {
				values := make([]bool, 2)
				for mask := range 1 << len(w.Conditions) {
					if s.masks[a]&(1<<mask) != 0 {
						values[mask>>i&1] = true
					}
				}
				return values
			}})
		}
	}
	for i := range w.Sheets {
		u := &unknown{what: "sheet", values: func(s *space) []bool { return slices.Clone(s.sheets[i]) }}
		for _, m := range w.Materials {
			if m.Sheet == i {
				u.materials = append(u.materials, m.Code)
			}
		}
		all = append(all, u)
	}
	for a, article := range w.Articles {
		for _, m := range article.Materials {
			if !article.BlankInFrame {
				all = append(all, &unknown{what: "sheet", materials: []string{w.Materials[m].Code}, traced: func(f traced) bool {
					return f.article == a && f.material == m
				}})
			}
		}
	}
	return all
}

// left are the values that agree with all that is known.
func (u *unknown) left(w *world, all []known) []bool {
	left := u.values(w.whole())
	for _, k := range all {
		for i, value := range u.values(k.tells) {
			left[i] = left[i] && value
		}
	}
	return left
}

// agree reports whether all that is known can be true.
func (u *unknown) agree(w *world, all []known) bool {
	if u.values != nil {
		return slices.Contains(u.left(w, all), true)
	}
	s := &space{}
	for _, k := range all {
		for _, f := range k.tells.fits {
			if u.traced(f) {
				s.fits = append(s.fits, f)
			}
		}
	}
	return !s.empty()
}

// about reports whether an answer tells of the unknown.
func (u *unknown) about(w *world, tells *space) bool {
	if u.values == nil {
		return slices.ContainsFunc(tells.fits, u.traced)
	}
	return !slices.Equal(u.values(tells), u.values(w.whole()))
}

// fewest is the size of the smallest set of the known answers that contradicts the new one: one or
// two, else 3.
func (u *unknown) fewest(w *world, old []known, new known) int {
	for _, k := range old {
		if !u.agree(w, []known{k, new}) {
			return 1
		}
	}
	return 2
}

// A trial is a learner beside all files.
type trial struct {
	rapid.TB
	draws *rapid.T // what look draws from
	*world
	learner  *learn.Learner
	unknowns []*unknown
	since    time.Time
	joint    *space // of all answers, until they contradict each other
	rows     int
}

func newTrial(t rapid.TB, w *world, since time.Time) *trial {
	o := w.options()
	o.Since = since
	l, err := learn.New(w.rules, w.frame, o)
	if err != nil {
		t.Fatal(err)
	}
	draws, _ := t.(*rapid.T)
	return &trial{TB: t, draws: draws, world: w, learner: l, unknowns: w.unknowns(), since: since, joint: w.whole()}
}

// add has the learner learn, and compares what it says with all files.
func (t *trial) add(r row) *learn.Contradiction {
	t.Logf("row %d: %v %s: %q", t.rows+1, t.box(r.article, r.material, r.at), r.date.Format(time.DateOnly), r.code)
	if slices.ContainsFunc(r.at[:], func(x int64) bool { return x%t.taken != 0 }) {
		a := learn.Answer{Box: t.box(r.article, r.material, r.at), Code: r.code, Date: r.date}
		if err := t.learner.Add(a); err != learn.ErrOffGrid {
			t.Fatalf("Add of what is not on the grid = %v", err)
		}
		return nil
	}
	t.rows++
	r.number = t.rows
	new := known{r, t.tells(r)}
	err := t.learner.Add(learn.Answer{Box: t.box(r.article, r.material, r.at), Code: r.code, Date: r.date})
	var c *learn.Contradiction
	if err != nil && !errors.As(err, &c) {
		t.Fatal(err)
	}
	if new.tells.empty() {
		if c == nil || !slices.Equal(c.Rows, []int{r.number}) {
			t.Fatalf("%v alone is impossible, and Add says %v", r, err)
		}
		for _, u := range t.unknowns {
			u.contradicted = u.contradicted || u.is(c)
			u.perhaps = u.perhaps || u.article == t.Articles[r.article].Code ||
				u.values != nil && slices.Contains(u.materials, t.Materials[r.material].Code)
		}
		return c
	}
	if t.joint != nil {
		t.joint = t.joint.and(new.tells)
		if t.since.IsZero() && t.joint.empty() != (c != nil) {
			t.Fatalf("%v: files are left: %v, and Add says %v", r, !t.joint.empty(), err)
		}
		if t.joint.empty() {
			t.joint = nil
		}
	}
	fewest, named := 3, (*unknown)(nil)
	for _, u := range t.unknowns {
		if !u.about(t.world, new.tells) {
			continue
		}
		if together := append(slices.Clip(u.kept), new); u.agree(t.world, together) {
			u.kept = together
			continue
		}
		// Those before Since give way without a word.
		recent := slices.DeleteFunc(slices.Clone(u.kept), func(k known) bool { return k.date.Before(t.since) })
		if !u.agree(t.world, append(slices.Clip(recent), new)) {
			u.contradicted = true
			fewest = min(fewest, u.fewest(t.world, recent, new))
			if c != nil && u.is(c) {
				named = u
			}
			if c == nil {
				t.Fatalf("%v contradicts what is known of %s %s, and Add says nothing", r, u.article, u.what)
			}
			if named == u {
				t.confirm(c, u, recent, new)
			}
		}
		for !u.agree(t.world, append(slices.Clip(u.kept), new)) {
			u.kept = u.kept[1:]
		}
		u.kept = append(u.kept, new)
	}
	if c != nil && (named == nil || len(c.Rows) != fewest+1) {
		t.Fatalf("%v: Add says %v, but the fewest rows that contradict each other are %d", r, c, fewest+1)
	}
	return c
}

// is reports whether the contradiction is about the unknown.
func (u *unknown) is(c *learn.Contradiction) bool {
	return u.article == c.Article && u.what == c.What && (u.what != "sheet" || slices.Contains(u.materials, c.Material))
}

// confirm has all files say that the rows cannot all be true.
func (t *trial) confirm(c *learn.Contradiction, u *unknown, recent []known, new known) {
	var told []known
	for _, k := range append(slices.Clip(recent), new) {
		if slices.Contains(c.Rows, k.number) {
			told = append(told, k)
		}
	}
	if len(told) != len(c.Rows) || !slices.IsSorted(c.Rows) || c.Rows[len(c.Rows)-1] != new.number || !c.Since.Equal(new.date) {
		t.Fatalf("%v since %v: not rows that are kept up to %v", c, c.Since, new.row)
	}
	all := t.whole()
	for _, k := range told {
		all = all.and(k.tells)
	}
	if u.agree(t.world, told) || !all.empty() {
		t.Fatalf("%v: these rows can all be true", c)
	}
}

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// TestBrute adds answers of one service, of one that changes, with errors, and random ones.
func TestBrute(t *testing.T) {
	t.Parallel()
	told, answers := make(map[int]int), 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		before, after := w.NewFile(draw.Choices(t)), w.NewFile(draw.Choices(t))
		mode := rapid.SampledFrom([]string{"one", "drift", "wrong", "random", "sizes"}).Draw(t, "mode")
		rows := rapid.IntRange(1, 25).Draw(t, "rows")
		turn := rapid.IntRange(0, rows).Draw(t, "turn")
		var since time.Time
		if rapid.IntRange(0, 3).Draw(t, "with since") == 0 {
			since = day(rapid.IntRange(2, rows+1).Draw(t, "since"))
		}
		b := newTrial(t, w, since)
		for i := range rows {
			r := drawRow(t, w)
			if r.date = day(1 + i); mode == "drift" && i >= turn {
				before = after
			}
			r.code = w.code(before, r.article, r.material, r.at)
			if left := b.joint; mode == "sizes" {
				// Whatever can be true, about sheets above all, and now and then whatever could.
				if left == nil || rapid.IntRange(0, 5).Draw(t, "wrong") == 0 {
					left = w.whole()
				}
				codes := w.possible(left, r.article, r.material, r.at)
				r.code = rapid.SampledFrom(codes[max(0, len(codes)-2):]).Draw(t, "code")
			}
			if mode == "random" || mode == "wrong" && i == turn {
				codes := w.codes()
				if rapid.IntRange(0, 9).Draw(t, "any") > 0 {
					codes = w.possible(w.whole(), r.article, r.material, r.at)
				}
				r.code = rapid.SampledFrom(codes[max(0, len(codes)-rapid.IntRange(1, 20).Draw(t, "last")):]).Draw(t, "code")
			}
			if c := b.add(r); c != nil {
				told[len(c.Rows)]++
			}
			answers++
			if i == rows-1 || rapid.IntRange(0, 9).Draw(t, "look") == 0 {
				b.look()
			}
		}
	})
	t.Logf("whole limit files: among %d random answers, learn finds %d contradictions in one row, %d between two rows and %d between three, as brute force does", answers, told[1], told[2], told[3])
}

// baseWorld returns articles of two materials that share a sheet; the base of a box is its blank.
func baseWorld(t rapid.TB, articles, decimals int) *world {
	base := &gen.Flat{Width: "width", Height: "depth", Sides: func(s gen.Size) (int64, int64) { return 12 * s.W, 12 * s.D }}
	d := &gen.Domain{Step: 1000, LimitValues: 8, Max: 8, Decimals: decimals, HasSizeRule: true, Sheets: []string{"s0"}, MaxSide: 10}
	d.Tests = gen.LimitTests()
	for i := range articles {
		d.Articles = append(d.Articles, gen.DomainArticle{Code: fmt.Sprintf("a%d", i), Blank: base, BlankInFrame: true, Materials: []int{0, 1}})
	}
	for i := range 2 {
		d.Materials = append(d.Materials, gen.DomainMaterial{Code: fmt.Sprintf("m%d", i), Caliper: 1000})
	}
	return worldOf(t, d)
}

// onBase returns an answer about a box that is a step high.
func onBase(article, material, width, depth int, fits bool) row {
	r := row{article: article, material: material, at: exact.Point{int64(width) * 1000, int64(depth) * 1000, 1000}}
	if !fits {
		r.code = boxrules.BOX_4100
	}
	return r
}

// TestBruteSheet is about a sheet alone, for which three answers can contradict each other.
func TestBruteSheet(t *testing.T) {
	told := make(map[int]int)
	rapid.Check(t, func(t *rapid.T) {
		n := func(what string, from, to int) int { return rapid.IntRange(from, to).Draw(t, what) }
		w := baseWorld(t, n("articles", 1, 2), n("decimals", 0, 3))
		var since time.Time
		rows := n("rows", 6, 16)
		if n("with since", 0, 2) == 0 {
			since = day(n("since", 2, rows+1))
		}
		b := newTrial(t, w, since)
		for i := range rows {
			article, material := n("article", 0, len(w.Articles)-1), n("material", 0, 1)
			width, depth := n("width", 1, 8), n("depth", 1, 8)
			// What is long fits, and what is wide; what is something of both mostly does not.
			fits := min(width, depth) <= 2 || max(width, depth) <= 4
			if n("odd", 0, 5) == 0 {
				fits = !fits
			}
			r := onBase(article, material, width, depth, fits)
			r.date = day(1 + i)
			if c := b.add(r); c != nil {
				told[len(c.Rows)]++
			}
		}
		b.look()
	})
	t.Logf("a sheet alone: among random answers, learn finds %d contradictions in one row, %d between two rows and %d between three, as brute force does", told[1], told[2], told[3])
}

// TestBruteInterview asks until nothing is left to ask: then all files that agree give the same
// answers, wherever boxes can be asked.
func TestBruteInterview(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		hidden := w.NewFile(draw.Choices(t))
		b := newTrial(t, w, time.Time{})
		for range 200 {
			next := b.learner.Next(1)
			if len(next) == 0 {
				b.settled()
				return
			}
			at, _ := next[0].Grid()
			r := row{at: at}
			r.article = slices.IndexFunc(w.Articles, func(a gen.DomainArticle) bool { return a.Code == next[0].Article })
			r.material = slices.IndexFunc(w.Materials, func(m gen.DomainMaterial) bool { return m.Code == next[0].Material })
			if w.borderline(r.article, r.material, r.at) {
				t.Skip("a borderline box is asked, whose answer says less than the domain")
			}
			r.code = w.code(hidden, r.article, r.material, r.at)
			if codes := w.possible(b.joint, r.article, r.material, r.at); len(codes) < 2 {
				t.Fatalf("%v is asked, whose answer is %q", next[0], codes)
			}
			b.add(r)
		}
		t.Fatal("200 questions")
	})
}
