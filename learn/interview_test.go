package learn_test

import (
	"testing"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
)

// TestInterview learns shipped profiles, each alone, on coarse and fine steps.
func TestInterview(t *testing.T) {
	t.Parallel()
	hidden := shipped(lab.Draws(2, 1))
	for _, bar := range []struct {
		step, mean float64
		most       int
	}{{1, 37, 54}, {0.5, 39, 54}, {0.1, 44, 54}} {
		total, most := 0, 0
		for _, c := range hidden {
			o := options()
			o.Step = bar.step
			e, l := engineOf(t, c), learnerOf(t, c, o)
			n := len(interview(t, l, e))
			identical(t, l, e)
			total, most = total+n, max(most, n)
		}
		mean := float64(total) / float64(len(hidden))
		t.Logf("%d profiles, step %v: %.1f questions on average, at most %d", len(hidden), bar.step, mean, most)
		if len(hidden) >= 5 && mean > bar.mean || most > bar.most {
			t.Errorf("step %v: %.1f questions on average and at most %d, want %v and %d", bar.step, mean, most, bar.mean, bar.most)
		}
	}
}

// TestInterviewTogether learns articles that share limits and sheets: with a flag all that are
// shipped.
func TestInterviewTogether(t *testing.T) {
	t.Parallel()
	c, want := limits.Illustrative(), 616
	if !*wholeToo {
		want = 130
		c = gen.Only(c, []string{"tuck-end", "sleeve", "mailer"}[:lab.Draws(2, 3)],
			[]string{"carton-300", "carton-400", "e-flute", "b-flute"})
	}
	e, l := engineOf(t, c), learnerOf(t, c, options())
	n := len(interview(t, l, e))
	identical(t, l, e)
	t.Logf("%d profiles, %d questions", len(e.Profiles()), n)
	if n > want {
		t.Errorf("%d questions, want at most %d", n, want)
	}
}

// TestInterviewDraws learns random profiles, each alone. Draw i is the same in every run.
func TestInterviewDraws(t *testing.T) {
	t.Parallel()
	// In these, valid boxes are on a diagonal, or the smallest blanks are.
	draws := []int{795, 311, 735, 1545, 1221}[:lab.Draws(1, 3)]
	for i := range *drawCount {
		draws = append(draws, *firstDraw+i)
	}
	total, most := 0, 0
	for _, i := range draws {
		c, o := randomProfile(i)
		e, l := engineOf(t, c), learnerOf(t, c, o)
		n := len(interview(t, l, e))
		identical(t, l, e)
		if n > 70 {
			t.Errorf("%d questions, want at most 70", n)
		}
		if t.Failed() {
			t.Fatalf("draw %d: %+v, %+v", i, c.Articles(), c.Materials())
		}
		if total, most = total+n, max(most, n); n > 60 {
			t.Logf("draw %d: %d questions", i, n)
		}
	}
	t.Logf("%d profiles: %.1f questions on average, at most %d", len(draws), float64(total)/float64(len(draws)), most)
}
