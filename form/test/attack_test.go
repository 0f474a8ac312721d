package test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
)

// scripts/attack runs these at length.
var (
	attackFiles = flag.Int("attack.files", lab.Draws(3, 8), "how many random rule files verdicts are compared on")
	attackSmall = flag.Int("attack.small", lab.Draws(6, 20), "how many random rule files of few boxes nearest boxes are compared on")
	attackSlow  = flag.Int("attack.slow", lab.Draws(1, 3), "how many files made to be slow nearest boxes are looked for in")
	attackSeed  = flag.Uint64("attack.seed", 1, "what the first random rule file is drawn from; each further one takes the next number")
)

// attack draws files from the seeds, in two tests at once. A failure is reported with its seed.
func attack(t *testing.T, files int, one func(*testing.T, *javaScript, *rand.Rand, uint64) (wrong string)) {
	t.Helper()
	var next, failures atomic.Int64
	t.Run("files", func(t *testing.T) {
		for worker := range 2 {
			t.Run(strconv.Itoa(worker), func(t *testing.T) {
				t.Parallel()
				in := newJavaScript(t)
				for i := next.Add(1) - 1; i < int64(files) && failures.Load() < 5; i = next.Add(1) - 1 {
					seed := *attackSeed + uint64(i)
					if wrong := one(t, in, rand.New(rand.NewPCG(seed, 12)), seed); wrong != "" {
						failures.Add(1)
						t.Errorf("seed %d: %s", seed, wrong)
					}
				}
			})
		}
	})
	t.Logf("%d files, seeds from %d", files, *attackSeed)
}

// A violated has the codes of a box: the first one, and all of them.
type violated struct {
	First string   `json:"first"`
	All   []string `json:"all"`
}

func (v violated) String() string { return fmt.Sprintf("%s of %v", v.First, v.All) }

// TestVerdictsOfRandomRuleFiles compares verdicts in Go and in JavaScript with what the rules mean.
func TestVerdictsOfRandomRuleFiles(t *testing.T) {
	const verdicts = `
const answer = ({ article, material, boxes }) => {
  const p = exports.profile(article, material);
  return boxes.map((dims) => {
    const first = p.check(dims);
    return { first: first.ok ? "" : first.code, all: p.checkAll(dims).map((v) => v.code) };
  });
};`
	type request struct {
		Article  string          `json:"article"`
		Material string          `json:"material"`
		Boxes    []boxrules.Dims `json:"boxes"`
	}
	var tested atomic.Int64
	attack(t, *attackFiles, func(t *testing.T, in *javaScript, r *rand.Rand, _ uint64) string {
		f := gen.New(r.IntN)
		e := engineOf(t, f.Rules(), f.Catalogue())
		answer := in.answers(t, scriptOf(t, e), verdicts)
		for i := range f.Profiles() {
			asked, want := request{}, []violated(nil)
			asked.Article, asked.Material = f.Name(i)
			profile, err := e.Profile(asked.Article, asked.Material)
			if err != nil {
				return err.Error()
			}
			boxes := gen.BoxesOf(profile.Exact(), r.IntN)
			for range 80 {
				p := boxes.Next()
				asked.Boxes = append(asked.Boxes, boxrules.DimsAt(p))
				v := violated{All: f.Violated(i, p)}
				if len(v.All) > 0 {
					v.First = v.All[0]
				}
				want = append(want, v)
			}
			tested.Add(80)
			var got []violated
			answer(asked, &got)
			for j, dims := range asked.Boxes {
				same := func(v violated) bool { return v.First == want[j].First && slices.Equal(v.All, want[j].All) }
				inGo := violated{}
				first, errFirst := profile.Check(dims)
				all, errAll := profile.CheckAll(dims)
				inGo.First = string(first.Code())
				for _, v := range all {
					inGo.All = append(inGo.All, string(v.Code))
				}
				if errFirst != nil || errAll != nil || !same(inGo) || !same(got[j]) {
					return fmt.Sprintf("%s in %s, %+v: %v in Go (%v, %v), %v in JavaScript, want %v\n%s\n%s", asked.Article, asked.Material,
						dims, inGo, errFirst, errAll, got[j], want[j], f.Rules(), f.Catalogue())
				}
			}
		}
		return ""
	})
	t.Logf("%d boxes", tested.Load())
}

// A tally counts the answers of one language to questions for the nearest box, and those that are
// wrong: boxes that are not valid or better than there can be, and unmarked ones, which say that
// there is no box or name a worse one.
type tally struct{ wrong, unmarked, unproved atomic.Int64 }

func (c *tally) String() string {
	return fmt.Sprintf("%d wrong, %d unmarked, %d unproved", c.wrong.Load(), c.unmarked.Load(), c.unproved.Load())
}

// bestOf returns the nearest valid box, or if that is borderline the nearest that is on no edge.
func bestOf(f *gen.File, profile *boxrules.Profile, p exact.Point, step int64) (want exact.Point, ok bool) {
	want, ok = f.Nearest(p, step)
	if _, borderline, _ := profile.Borderline(boxrules.DimsAt(want)); !ok || want == p || !borderline {
		return want, ok
	}
	return f.NearestOf(func(at exact.Point) bool {
		return !slices.ContainsFunc(profile.Exact().Conditions, func(t exact.Condition) bool { return t.WithEdge().Contains(at) })
	}, p, step)
}

// judge counts an answer, and returns false if it is wrong or unmarked. The best box is want, if there is one.
func (c *tally) judge(f *gen.File, p exact.Point, want exact.Point, ok bool, s boxrules.Suggestion) bool {
	at, _ := s.Grid()
	var changed []string
	for axis, x := range at {
		if x != p[axis] {
			changed = append(changed, exact.AxisNames()[axis])
		}
	}
	switch {
	case s.Found() && (!ok || !f.Valid(at) || !slices.Equal(changed, s.Changed) || gen.Better(p, at, want)):
		c.wrong.Add(1)
		return false
	case s.Unproved:
		c.unproved.Add(1)
	case s.Found() != ok || ok && at != want:
		c.unmarked.Add(1)
		return false
	}
	return true
}

// An ask is a question for the nearest box, which the code in nearest answers.
type ask struct {
	Article  string        `json:"article"`
	Material string        `json:"material"`
	Dims     boxrules.Dims `json:"dims"`
	Step     float64       `json:"step"`
}

const nearest = `
const answer = ({ article, material, dims, step }) => exports.profile(article, material).nearest(dims, step) ?? null;`

// with is a module in which a constant has another value.
func with(t *testing.T, module []byte, constant, value string) []byte {
	t.Helper()
	line := regexp.MustCompile(`\b` + constant + ` = [^;]+;`)
	if len(line.FindAll(module, -1)) != 1 {
		t.Fatalf("%s is not in the module, or twice", constant)
	}
	return line.ReplaceAll(module, []byte(constant+" = "+value+";"))
}

// TestNearestOfRandomRuleFiles compares the nearest boxes, in Go and in JavaScript, with the best
// of all boxes. Some modules give up so early that many answers are unproved.
func TestNearestOfRandomRuleFiles(t *testing.T) {
	var inGo, inJavaScript, hurried tally
	var boxes, none atomic.Int64
	attack(t, *attackSmall, func(t *testing.T, in *javaScript, r *rand.Rand, _ uint64) string {
		f, step := gen.Small(r.IntN)
		e := engineOf(t, f.Rules(), f.Catalogue())
		module, counted := scriptOf(t, e), &inJavaScript
		if r.IntN(3) == 0 {
			module, counted = with(t, module, "EFFORT", strconv.Itoa(40+r.IntN(2000))), &hurried
		}
		answer := in.answers(t, module, nearest)
		draw := gen.BoxesOf(e.Profiles()[0].Exact(), r.IntN)
		for range 10 {
			p := draw.Next()
			asked := ask{"article-0", "material-0", boxrules.DimsAt(p), exact.Float64At(step)}
			var second boxrules.Suggestion
			answer(asked, &second)
			first, _, err := e.Profiles()[0].Nearest(asked.Dims, asked.Step)
			boxes.Add(1)
			if !first.Found() {
				none.Add(1)
			}
			want, ok := bestOf(f, e.Profiles()[0], p, step)
			right := inGo.judge(f, p, want, ok, first)
			if !counted.judge(f, p, want, ok, second) || !right || err != nil {
				return fmt.Sprintf("%+v: %+v in Go (%v), %+v in JavaScript, want %+v, %v\n%s\n%s",
					asked, first, err, second, boxrules.DimsAt(want), ok, f.Rules(), f.Catalogue())
			}
		}
		return ""
	})
	t.Logf("%d boxes, %d of them without a nearest one", boxes.Load(), none.Load())
	t.Logf("Go: %v", &inGo)
	t.Logf("JavaScript: %v", &inJavaScript)
	t.Logf("JavaScript that gives up early: %v", &hurried)
	if boxes.Load() >= 500 && hurried.unproved.Load() == 0 {
		t.Error("no answer is unproved where the search gives up early")
	}
	if n := boxes.Load(); n >= 500 && (none.Load() > n/3 || inGo.unproved.Load()+inJavaScript.unproved.Load() > n/100) {
		t.Errorf("of %d boxes %d have no nearest one; unproved: %d in Go, %d in JavaScript: too many",
			n, none.Load(), inGo.unproved.Load(), inJavaScript.unproved.Load())
	}
}

// A worst is what took longest.
type worst struct {
	sync.Mutex
	seconds float64
	of      string
}

func (w *worst) take(seconds float64, format string, args ...any) {
	w.Lock()
	defer w.Unlock()
	if seconds > w.seconds {
		w.seconds, w.of = seconds, fmt.Sprintf(format, args...)
	}
}

func (w *worst) String() string { return fmt.Sprintf("%.3f s, %s", w.seconds, w.of) }

// counting is a module that counts the sums that a search makes.
func counting(t *testing.T, module []byte) []byte {
	t.Helper()
	sums := regexp.MustCompile(`const (dot|smallestSum) = \(.*\) => `)
	if n := len(sums.FindAll(module, -1)); n != 2 {
		t.Fatalf("the module has %d functions that make sums, want 2", n)
	}
	return sums.ReplaceAll(module, []byte("${0}++counted && "))
}

// TestNearestOfSlowRuleFiles looks for nearest boxes in files made to be slow, in Go and in
// JavaScript: where both are proved they are the same. Without node the search in JavaScript
// gives up early, and its work is counted.
func TestNearestOfSlowRuleFiles(t *testing.T) {
	const effort = 10_000
	var inGo, inJavaScript worst
	var boxes, unprovedInGo, unprovedInJavaScript atomic.Int64
	attack(t, *attackSlow, func(t *testing.T, in *javaScript, r *rand.Rand, seed uint64) string {
		s := gen.NewSlow(r.IntN)
		e := engineOf(t, s.Rules, s.Catalogue)
		p := e.Profiles()[r.IntN(len(e.Profiles()))]
		module := scriptOf(t, e)
		module = append([]byte("var counted = 0;"), module...)
		if !*inNode {
			module = counting(t, with(t, module, "EFFORT", strconv.Itoa(effort)))
		}
		answer := in.answers(t, module, `
const answer = ({ article, material, dims, step }) => {
  counted = 0;
  return { found: exports.profile(article, material).nearest(dims, step) ?? null, counted };
};`)
		draw := newDrawer(p, r.Uint64())
		for range 6 {
			asked := ask{p.Article(), p.Material(), draw.dims(), []float64{0.001, 0.001, 0.5, 1, 5, 100}[r.IntN(6)]}
			var reply struct {
				Found   boxrules.Suggestion
				Counted int
			}
			inJavaScript.take(answer(asked, &reply), "seed %d, %s, %+v", seed, s.Kind, asked)
			started := time.Now()
			first, _, err := p.Nearest(asked.Dims, asked.Step)
			took := time.Since(started)
			for n := 0; n < 4 && took > 50*time.Millisecond; n++ { // whatever else the machine does
				started = time.Now()
				_, _, _ = p.Nearest(asked.Dims, asked.Step)
				took = min(took, time.Since(started))
			}
			inGo.take(took.Seconds(), "seed %d, %s, %+v", seed, s.Kind, asked)
			second := reply.Found
			if reply.Counted > 10*effort {
				return fmt.Sprintf("%s, %+v: %d sums in JavaScript, where %d half-spaces may be counted", s.Kind, asked, reply.Counted, effort)
			}
			boxes.Add(1)
			if first.Unproved {
				unprovedInGo.Add(1)
			}
			if second.Unproved {
				unprovedInJavaScript.Add(1)
			}
			if err != nil || !first.Unproved && !second.Unproved && (first.Dims != second.Dims || first.Found() != second.Found()) {
				return fmt.Sprintf("%s, %+v: %+v in Go (%v), %+v in JavaScript", s.Kind, asked, first, err, second)
			}
		}
		return ""
	})
	t.Logf("%d boxes, %d unproved in Go and %d in JavaScript", boxes.Load(), unprovedInGo.Load(), unprovedInJavaScript.Load())
	t.Logf("longest in Go: %v", &inGo)
	if *inNode {
		t.Logf("longest in JavaScript: %v", &inJavaScript)
	}
}
