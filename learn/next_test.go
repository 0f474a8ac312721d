package learn_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/oracle"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// several are three articles that share limits and sheets.
func several() *limits.Catalogue {
	return gen.Only(limits.Illustrative(), []string{"tuck-end", "sleeve", "mailer"}, []string{"carton-300", "carton-400", "e-flute"})
}

// TestNextSame: the same answers give the same boxes, whatever was asked of the learner in between,
// so that a session goes on from its record.
func TestNextSame(t *testing.T) {
	t.Parallel()
	c := gen.Only(limits.Illustrative(), []string{"snap-lock"}, []string{"carton-300", "carton-400"}[:lab.Draws(1, 2)])
	e, l := engineOf(t, c), learnerOf(t, c, options())
	var answers []learn.Answer
	for i := 0; ; i++ {
		if i%9 == 5 {
			l.Facts()
			if _, err := l.Catalogue(true); err != nil {
				t.Fatal(err)
			}
		}
		next := l.Next(1)
		if again := l.Next(1); !slices.Equal(next, again) {
			t.Fatalf("after %d answers Next is %v, and then %v", i, next, again)
		}
		if i%lab.Draws(20, 7) == 0 || len(next) == 0 {
			other := learnerOf(t, c, options())
			for _, a := range answers {
				if err := other.Add(a); err != nil {
					t.Fatal(err)
				}
			}
			if again := other.Next(1); !slices.Equal(next, again) {
				t.Errorf("after %d answers Next is %v, and of another learner %v", i, next, again)
			}
			if five, again := l.Next(5), other.Next(5); !slices.Equal(five, again) || len(next) > 0 && five[0] != next[0] {
				t.Errorf("after %d answers Next(5) is %v, and of another learner %v, Next(1) %v", i, five, again, next)
			}
			if got, want := fmt.Sprintf("%+v", facts(l)), fmt.Sprintf("%+v", facts(other)); got != want {
				t.Errorf("after %d answers facts are %s, and of another learner %s", i, got, want)
			}
		}
		if len(next) == 0 {
			break
		}
		a := ask(t, e, next[0])
		if answers = append(answers, a); l.Add(a) != nil {
			t.Fatal(a)
		}
	}
}

// facts are those of a learner, as they print.
func facts(l *learn.Learner) []string {
	var all []string
	for _, f := range l.Facts() {
		text, _ := json.Marshal(f)
		all = append(all, string(text))
	}
	return all
}

// TestNextRounds asks five at a time.
func TestNextRounds(t *testing.T) {
	t.Parallel()
	rounds, questions, hidden := 0, 0, shipped(2)
	for _, c := range hidden {
		e, l := engineOf(t, c), learnerOf(t, c, options())
		asked := make(map[boxrules.Box]bool)
		for {
			next := l.Next(5)
			if len(next) == 0 {
				break
			}
			if rounds++; len(next) > 5 {
				t.Fatalf("Next(5) are %d boxes", len(next))
			}
			for _, b := range next {
				if asked[b] {
					t.Fatalf("%v is asked again", b)
				}
				asked[b] = true
				if err := l.Add(ask(t, e, b)); err != nil {
					t.Fatal(err)
				}
			}
		}
		questions += len(asked)
		identical(t, l, e)
	}
	mean := float64(rounds) / float64(len(hidden))
	t.Logf("%d profiles: %.1f rounds of five, %.1f questions", len(hidden), mean, float64(questions)/float64(len(hidden)))
	if mean > 12 {
		t.Errorf("%.1f rounds of five on average, want at most 12", mean)
	}
}

func TestNextNone(t *testing.T) {
	l := learnerOf(t, several(), options())
	for _, n := range []int{0, -1} {
		if next := l.Next(n); len(next) > 0 {
			t.Errorf("Next(%d) = %v", n, next)
		}
	}
	o := options()
	o.Only = func(article, material string) bool { return article == "sleeve" && material == "carton-400" }
	next := learnerOf(t, several(), o).Next(8)
	if len(next) != 8 {
		t.Errorf("Next(8) = %v, want 8 boxes", next)
	}
	for _, b := range next {
		if b.Article != "sleeve" || b.Material != "carton-400" {
			t.Errorf("%v is asked", b)
		}
	}
	o.Only = func(article, material string) bool { return false }
	if next := learnerOf(t, several(), o).Next(8); len(next) > 0 {
		t.Errorf("%v is asked", next)
	}
}

// TestSkip: a box without an answer is not asked again, and others are, until as much is known.
func TestSkip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range shipped(3) {
		e, l := engineOf(t, c), learnerOf(t, c, options())
		skipped := make(map[boxrules.Box]bool)
		for n := 0; ; n++ {
			next := l.Next(1)
			if len(next) == 0 {
				break
			}
			b := next[0]
			if skipped[b] || n > 300 {
				t.Fatalf("%d: %v is asked again: %v", n, b, skipped[b])
			}
			if r.IntN(4) == 0 {
				skipped[b] = true
				if err := l.Skip(b); err != nil {
					t.Fatal(err)
				}
			} else if err := l.Add(ask(t, e, b)); err != nil {
				t.Fatal(err)
			}
		}
		identical(t, l, e)
	}
}

// TestSkipEnds: an article and material that the service does not know is not asked about any more.
func TestSkipEnds(t *testing.T) {
	l := learnerOf(t, several(), options())
	first := l.Next(1)[0]
	if err := l.Skip(boxrules.Box{Article: first.Article, Material: first.Material}); err != nil {
		t.Fatal(err)
	}
	others := l.Next(8)
	if len(others) != 8 {
		t.Errorf("Next(8) = %v, want 8 boxes", others)
	}
	for _, b := range others {
		if b.Article == first.Article && b.Material == first.Material {
			t.Errorf("%v is asked", b)
		}
	}
	// The same place of the grid is the same box.
	next := l.Next(1)[0]
	b := next
	b.Width += 0.0001
	if err := l.Skip(b); err != nil {
		t.Fatal(err)
	}
	if again := l.Next(1)[0]; again == next {
		t.Errorf("%v is asked again", again)
	}
	var input *boxrules.InputError
	if err := l.Skip(boxrules.Box{Article: "nothing"}); !errors.As(err, &input) || input.Field != "article" {
		t.Errorf("Skip = %v", err)
	}
}

// tied reports whether a box is exactly on a limit of the constraint: a little beside it another
// verdict is given.
func tieNote(code string, d boxrules.Dims) bool {
	at := func(dw, dd, dh float64) bool {
		rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
		return oracle.Constraint(code, rat(d.Width+dw), rat(d.Depth+dd), rat(d.Height+dh))
	}
	const e = 1.0 / 1024
	holds := at(0, 0, 0)
	for _, by := range [][3]float64{{e}, {-e}, {0, e}, {0, -e}, {0, 0, e}, {0, 0, -e}} {
		if at(by[0], by[1], by[2]) != holds {
			return true
		}
	}
	return false
}

// TestNextTies: a question is not on the exact limit of a constraint that is open.
func TestNextTies(t *testing.T) {
	t.Parallel()
	questions, ties := 0, 0
	for _, c := range shipped(3) {
		e, l := engineOf(t, c), learnerOf(t, c, options())
		for {
			next := l.Next(1)
			if len(next) == 0 {
				break
			}
			questions++
			for _, f := range l.Facts() {
				if f.State == learn.Open && slices.Contains(oracle.Constraints, f.What) && tieNote(f.What, next[0].Dims) {
					ties++
				}
			}
			if err := l.Add(ask(t, e, next[0])); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d questions, %d of them on a tie of a constraint that is still open", questions, ties)
	if ties > questions/100 {
		t.Errorf("%d of %d questions are on the limit of an open constraint", ties, questions)
	}
}
