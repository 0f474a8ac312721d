package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestSample checks the outcome of every mutant of a small package.
func TestSample(t *testing.T) {
	p, err := load("./testdata/sample")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.isolate(); err != nil {
		t.Fatal(err)
	}
	b := builder{folder: t.TempDir(), pkg: p}
	s := &suite{name: "./testdata/sample"}
	if err := b.build(s); err != nil {
		t.Fatal(err)
	}
	if err := s.survey(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	mutants := p.mutants()
	if err := tryAll(b, []*suite{s}, mutants, 2, false); err != nil {
		t.Fatal(err)
	}
	s.broken = []string{"TestX"}
	var got strings.Builder
	if report(&got, "./sample", []*suite{s}, mutants, 3) {
		t.Error("the report says that enough mutants were killed")
	}
	want := `
./sample               killed 13, lived 3, no test 2, timed out 0, no mutant 1, efficacy 72.2 % (1 of 3)
    lived     testdata/sample/sample.go:16:13: > to >= in "all[i] > longest"
    lived     testdata/sample/sample.go:33:50: <= to < in "low <= x"
    lived     testdata/sample/sample.go:33:60: <= to < in "x <= high"
    no test   testdata/sample/sample.go:42:38: < to <= in "x < 0"
    no test   testdata/sample/sample.go:42:38: < to >= in "x < 0"
    left out, fails without a mutant: TestX in ./testdata/sample
`
	if got.String() != want[1:] {
		t.Errorf("got\n%s\nwant%s", got.String(), want)
	}
	var killedOnes []string
	for _, m := range mutants {
		if m.outcome == killed {
			killedOnes = append(killedOnes, fmt.Sprintf("%s to %s in %s", m.place.operator, m.operator, m.place.excerpt()))
		}
		if isConstant := m.place.line == 5 || m.place.line == 8; m.place.alone != isConstant {
			t.Errorf("%v is compiled for itself: %t", m, m.place.alone)
		}
	}
	if got := strings.Join(killedOnes, "\n"); got != wantKilled {
		t.Errorf("got killed\n%s\nwant\n%s", got, wantKilled)
	}
}

const wantKilled = `+ to - in 1 + 1
< to <= in i < len(all)
< to >= in i < len(all)
++ to -- in i++
> to <= in all[i] > longest
++ to -- in sum++
+= to -= in sum += x
+= to = in sum += x
&& to || in low <= x && x <= high
<= to > in low <= x
<= to > in x <= high
+ to - in 5+-x
- to  in -x`
