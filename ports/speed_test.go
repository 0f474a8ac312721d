package ports

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab/gen"
)

var speedBoxes = flag.Int("speed.boxes", 0, "boxes with which TestSpeed measures the ports (default 0: not at all)")

// TestSpeed measures how many boxes the port to Java, and the one to Python in columns, check in a second of processor
// time. It compares the verdicts with those of the engine, too. A third of the boxes are on a border or next to one.
func TestSpeed(t *testing.T) {
	if *speedBoxes == 0 {
		t.Skip("only with -speed.boxes")
	}
	folder := t.TempDir()
	writeTables(t, folder, boxrules.Default())
	tables, boxes := filepath.Join(folder, "boxrules.json"), filepath.Join(folder, "boxes.csv")
	writeVerdicts(t, boxes, boxrules.Default(), *speedBoxes)
	program := func(name string, command ...string) {
		t.Run(name, func(t *testing.T) {
			need(t, command[0])
			c := exec.Command(command[0], append(command[1:], tables, boxes)...)
			c.Stderr = os.Stderr
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s", out)
			if !strings.Contains(string(out), ", 0 differences,") {
				t.Error("the verdicts differ from those of the engine")
			}
		})
	}
	java := javaProgram(t, "boxrules.Speed")
	program("Java", "java", "-cp", java[len(java)-2], java[len(java)-1])
	program("Python", columnsPython, "testdata/speed.py")
}

// writeVerdicts writes a list of boxes with their verdicts.
func writeVerdicts(t *testing.T, path string, e *boxrules.Engine, count int) {
	t.Helper()
	var list strings.Builder
	list.WriteString("article,material,width,depth,height,verdict\n")
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	all := e.Profiles()
	for i, p := range all {
		draw := rand.New(rand.NewPCG(uint64(i), 36)).IntN
		boxes := gen.BoxesOf(p.Exact(), draw)
		for n := i; n < count; n += len(all) {
			d := boxrules.DimsAt(boxes.Next())
			if draw(3) > 0 { // anywhere within the limits, and a little beyond
				for axis, x := range []*float64{&d.Width, &d.Depth, &d.Height} {
					low, high := p.Exact().Low[axis], p.Exact().High[axis]
					*x = float64(low+int64(draw(int(high-low)*21/20))) / 1000
				}
			}
			v, err := p.Check(d)
			if err != nil {
				t.Fatal(err)
			}
			verdict := "valid"
			if !v.OK() {
				verdict = string(v.Code())
			}
			list.WriteString(strings.Join([]string{p.Article(), p.Material(), number(d.Width), number(d.Depth), number(d.Height), verdict}, ",") + "\n")
		}
	}
	if err := os.WriteFile(path, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
