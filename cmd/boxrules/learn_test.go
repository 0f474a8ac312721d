package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/learn"
)

const (
	answerHeader = "article,material,width,depth,height,code\n"
	datedHeader  = "article,material,width,depth,height,code,date\n"
)

// Some answers of the limits of oneHidden, from which not everything follows.
const someAnswers = answerHeader +
	"tuck-end,carton-300,143,50,303,ok\n" +
	"tuck-end,carton-300,48,141,184,BOX_3100\n" +
	"tuck-end,carton-300,19,141,184,BOX_2100\n" +
	"tuck-end,carton-300,401,141,184,BOX_2101\n" +
	"tuck-end,carton-300,400,240,440,BOX_4100\n"

// TestLearnNext: asking about the boxes of --next, round by round, reveals everything, and then there is
// nothing more to ask.
func TestLearnNext(t *testing.T) {
	hidden, frame := write(t, "hidden.yaml", oneHidden), write(t, "frame.yaml", oneFrame)
	answers, known := write(t, "answers.ndjson", ""), ""
	for round := 0; ; round++ {
		next := ask(t, "", "learn", "--limits", frame, "--next", "5", answers)
		if next.status == 0 {
			if next != (answer{}) || round < 5 {
				t.Errorf("after %d rounds: %+v", round, next)
			}
			break
		}
		checked := ask(t, next.out, "check", "--limits", hidden, "--input", "csv", "--format", "json", "-")
		if next.status != 1 || next.err != "" || !strings.HasPrefix(next.out, titles) ||
			strings.Count(next.out, "\n") > 6 || checked.status > 1 || round > 30 {
			t.Fatalf("%+v, %+v", next, checked)
		}
		known += checked.out // which learn reads as it is
		noError(t, os.WriteFile(answers, []byte(known), 0o600))
	}
	for _, write := range []string{"lenient", "strict"} {
		output := filepath.Join(t.TempDir(), "limits.yaml")
		if got := ask(t, "", "learn", "--limits", frame, answers, "-o", output, "--write", write); got.status != 0 {
			t.Errorf("%s: %+v", write, got)
		}
		same(t, output, hidden)
	}
}

func init() { lab.Checks(10, 100) }

// TestLearnProperty: of any boxes, answered by the limits, all facts are true of the limits, and
// audit finds no fault.
func TestLearnProperty(t *testing.T) {
	hidden, frame := write(t, "hidden.yaml", oneHidden), write(t, "frame.yaml", oneFrame)
	truth := map[string]float64{"min_width": 20, "max_width": 400, "min_depth": 15, "max_depth": 250, "min_height": 30, "max_height": 450}
	size := rapid.OneOf(rapid.IntRange(1, 600), rapid.SampledFrom([]int{14, 15, 19, 20, 29, 30, 250, 251, 400, 401, 450, 451}))
	rapid.Check(t, func(rt *rapid.T) {
		boxes := titles
		for range rapid.IntRange(1, 40).Draw(rt, "boxes") {
			boxes += fmt.Sprintf("tuck-end,carton-300,%d,%d,%d\n", size.Draw(rt, "width"), size.Draw(rt, "depth"), size.Draw(rt, "height"))
		}
		checked := ask(t, boxes, "check", "--limits", hidden, "--input", "csv", "--format", "json", "-")
		got := ask(t, checked.out, "learn", "--limits", frame, "--input", "ndjson", "--format", "json", "-")
		if got.status > 1 {
			rt.Fatalf("%+v", got)
		}
		for line := range strings.Lines(got.out) {
			var f learn.Fact
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				rt.Fatal(err)
			}
			x, limit := truth[f.What]
			if limit && (f.Limit == nil || x < f.Least || x > f.Greatest) || f.Selection != nil && f.Selected != nil && *f.Selected != (f.What == "BOX_3100") {
				rt.Errorf("%s", line)
			}
			if f.Sheet != nil && (f.Fits != nil && (f.Fits[0] > 1040 || f.Fits[1] > 720) || slices.Contains(f.Exceeds, [2]float64{1040, 720})) {
				rt.Errorf("%s", line)
			}
		}
		if got := ask(t, checked.out, "audit", "--limits", hidden, "--input", "ndjson", "-"); got.status != 0 || got.out != "" {
			rt.Errorf("audit: %+v", got)
		}
	})
}
