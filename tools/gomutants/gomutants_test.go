package main

import (
	"fmt"
	"slices"
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
	tryAll(b, []*suite{s}, mutants, 1, false)
	var got []string
	for _, m := range mutants {
		got = append(got, fmt.Sprintf("%s: %s, %s becomes %s", strings.ReplaceAll(m.place.text(), `"`, ""), outcomeNames[m.outcome], m.place.operator, m.operator))
	}
	want := strings.Split(strings.TrimSpace(`
1 + 1: killed, + becomes -
i < len(all): killed, < becomes <=
i < len(all): killed, < becomes >=
i++: killed, ++ becomes --
all[i] > longest: lived, > becomes >=
all[i] > longest: killed, > becomes <=
sum++: killed, ++ becomes --
sum += x: killed, += becomes -=
sum += x: killed, += becomes =
low <= x && x <= high: killed, && becomes ||
low <= x: lived, <= becomes <
low <= x: killed, <= becomes >
x <= high: lived, <= becomes <
x <= high: killed, <= becomes >
5 - -x: killed, - becomes +
-x: killed, - becomes 
x < 0: no test, < becomes <=
x < 0: no test, < becomes >=`), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, place := range p.places {
		if isConstant := place.text() == `"1 + 1"`; place.alone != isConstant {
			t.Errorf("%s: alone is %t", place.text(), place.alone)
		}
	}
	if len(s.broken) != 0 {
		t.Errorf("%s: fails without a mutant", s.broken)
	}
}
