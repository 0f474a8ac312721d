package ports

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/internal/lab/profiles"
	"example.com/boxrules/limits"
)

// columnsPython is a Python with NumPy, pandas and Polars.
const columnsPython = "../codegen/testdata/engines/venv/bin/python"

// TestColumnsAgree compares check_columns with the engine on random boxes, most of them on a border: of the default
// files, of limits that allow fewer decimals, and of rule files that are drawn. testdata/columns.py also compares columns
// of all kinds, and values that are no dimensions, with check on each row.
func TestColumnsAgree(t *testing.T) {
	need(t, columnsPython)
	columnsAgree(t, boxrules.Default(), lab.Draws(500, 20_000))
	illustrative, err := os.ReadFile("../limits/illustrative.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for decimals := range lab.Draws(1, 3) {
		catalogue, err := limits.Load("limits.yaml", fmt.Appendf(illustrative, "decimals: %d\n", decimals))
		if err != nil {
			t.Fatal(err)
		}
		e, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		columnsAgree(t, e, lab.Draws(200, 5_000))
	}
	for seed := range lab.Draws(1, 5) {
		f := gen.Wide(rand.New(rand.NewPCG(uint64(seed), 9)).IntN)
		columnsAgree(t, profiles.Engine(t, f.Rules(), f.Catalogue()), 500)
	}
}

func columnsAgree(t *testing.T, e *boxrules.Engine, count int) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 8))
	var questions []map[string]any
	var wants []string
	all := e.Profiles()
	for i, p := range all {
		boxes := gen.BoxesOf(p.Exact(), rand.New(rand.NewPCG(uint64(i), 3)).IntN)
		for range count/len(all) + 1 {
			point := boxes.Next()
			x := [exact.Axes]float64{exact.Float64At(point[0]), exact.Float64At(point[1]), exact.Float64At(point[2])}
			if boxes.Draw(3) == 0 {
				x = boxes.HardToRound(point)
			}
			for axis := range x {
				if step := p.Exact().Step; step > 1 && random.IntN(8) > 0 {
					x[axis] = exact.Float64At(point[axis] / step * step)
				}
				if random.IntN(100) == 0 {
					x[axis] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e6, -1e6, 1e6 + 0.0004, 1e300}[random.IntN(7)]
				}
			}
			b := boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.Dims{Width: x[0], Depth: x[1], Height: x[2]}}
			switch random.IntN(50) {
			case 0:
				b.Article += "x"
			case 1:
				b.Material = all[random.IntN(len(all))].Material()
			}
			questions = append(questions, map[string]any{"article": b.Article, "material": b.Material,
				"width": fmt.Sprint(x[0]), "depth": fmt.Sprint(x[1]), "height": fmt.Sprint(x[2])})
			want := "valid"
			if got := engineAnswer(t, e, b); got.Error != nil {
				want = "error:" + got.Error.Field
			} else if got.Code != "" {
				want = got.Code
			}
			wants = append(wants, want)
		}
	}
	folder := t.TempDir()
	writeTables(t, folder, e)
	row := 0
	run(t, []string{columnsPython, "testdata/columns.py", filepath.Join(folder, "boxrules.json")}, questions, func(line []byte) {
		var got string
		if err := json.Unmarshal(line, &got); err != nil || got != wants[row] {
			t.Errorf("%v: %s, want %s", questions[row], line, wants[row])
		}
		row++
	})
}

// TestColumnsExamples runs the examples of docs/lists.md for pandas and Polars.
func TestColumnsExamples(t *testing.T) {
	need(t, columnsPython)
	page, err := os.ReadFile("../docs/lists.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("docs/lists.md has %d blocks of Python, want one for pandas and one for Polars", len(blocks))
	}
	python, err := filepath.Abs(columnsPython)
	if err != nil {
		t.Fatal(err)
	}
	folder := folderOf(t, "../examples/boxes.csv", "python/boxrules.py")
	for _, block := range blocks {
		// Both end with a column of the frame boxes.
		command := exec.Command(python, "-c", string(block[1])+"print(sorted(boxes['verdict'])[-9:], len(boxes))")
		command.Dir, command.Stderr = folder, os.Stderr
		out, err := command.Output()
		want := "[" + strings.Repeat("'valid', ", 8) + "'valid'] 29\n" // as check --summary counts them
		if err != nil || string(out) != want {
			t.Errorf("%s\nprints %s (%v), want %s", block[1], out, err, want)
		}
	}
}
