package learn_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// fuzzFrame has materials that share a sheet and one of its own, and an article without a blank.
const fuzzFrame = `version: 1
unit: mm
materials:
  board: {caliper: 1, glue_flap: 20, sheet: big}
  card: {caliper: 0.5, glue_flap: 15, sheet: big}
  cork: {caliper: 3.125, glue_flap: 0}
articles:
  case: {blank: {width: 2*width + 2*depth + glue_flap, height: height + depth}}
  tray: {materials: [board, cork], blank: {width: width + 2*height, height: depth - caliper}}
  plain: {materials: [card]}
`

// FuzzLearner gives a learner any answers, and has it say what it knows in between.
func FuzzLearner(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x000000000000 1111111"))
	f.Add([]byte{0, 0, 100, 0, 90, 0, 80, 255, 1, 0, 0, 0, 100, 0, 90, 0, 80, 0, 2, 3, 0, 1, 1, 44, 0, 50, 0, 20, 28, 3, 3, 3})
	frame, err := limits.LoadFrame("frame.yaml", []byte(fuzzFrame))
	if err != nil {
		f.Fatal(err)
	}
	rules := boxrules.DefaultRules().Rules()
	var profiles []boxrules.Box
	for _, a := range frame.Articles() {
		for _, m := range a.Materials {
			profiles = append(profiles, boxrules.Box{Article: a.Code, Material: m})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() (b byte) {
			if len(data) > 0 {
				b, data = data[0], data[1:]
			}
			return b
		}
		o := learn.Options{Step: []float64{1, 0.5, 7, 0.125}[next()%4], Max: 400}
		if next()%4 == 0 {
			o.Since = day(20)
		}
		if next()%4 == 0 {
			o.Blanks = several()
		}
		l := learnerOf(t, frame, o)
		for n := 0; len(data) > 0 && n < 40; n++ {
			b := profiles[int(next())%len(profiles)]
			size := func() float64 { return exact.Float64At((int64(next())<<8|int64(next()))*10 - 1000) }
			b.Dims = boxrules.Dims{Width: size(), Depth: size(), Height: size()}
			switch op := next(); {
			case op < 200:
				a := learn.Answer{Box: b}
				if i := int(next()); i < len(rules) {
					a.Code = rules[i].Code
				}
				if d := next(); d > 0 {
					a.Date = day(int(d))
				}
				err := l.Add(a)
				var c *learn.Contradiction
				if err != nil && err != learn.ErrBorderline && !errors.As(err, &c) || err != nil && strings.Contains(err.Error(), "\n") {
					t.Fatalf("Add(%+v) = %v", a, err)
				}
				if possible, err := l.Possible(b); err != nil || !slices.Contains(possible, a.Code) && (c == nil || len(c.Rows) > 1) {
					t.Fatalf("Possible(%+v) = %q, %v, and it was answered %q", b, possible, err, a.Code)
				}
			case op < 220:
				if err := l.Skip(b); err != nil {
					t.Fatal(err)
				}
			case op < 230:
				for _, b := range l.Next(int(next())%4 + 1) {
					if at := grid(t, b); at[0]%10+at[1]%10+at[2]%10 > 0 || slices.Min(at[:]) <= 0 {
						t.Fatalf("%+v is asked", b)
					}
				}
			default:
				certain(t, l, b)
			}
		}
		certain(t, l, profiles[0])
	})
}

// certain lets a learner write its files, and compares their answers about a box.
func certain(t *testing.T, l *learn.Learner, b boxrules.Box) {
	t.Helper()
	for _, f := range l.Facts() {
		if f.Limit != nil && f.Least > f.Greatest || f.State == learn.Contradicted && len(f.Rows) == 0 {
			t.Fatalf("%+v", f)
		}
	}
	possible, err := l.Possible(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, lenient := range []bool{true, false} {
		var text bytes.Buffer
		if err := l.WriteLimits(&text, lenient); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			continue
		}
		c, err := limits.Load("learned.yaml", text.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		e := engineOf(t, c)
		v, err := e.Check(b)
		if p, missing := e.Profile(b.Article, b.Material); missing == nil {
			if _, borderline, _ := p.Borderline(b.Dims); borderline {
				continue // files say what is exact
			}
		}
		wrong := lenient && !v.OK() && slices.Contains(possible, "") || !lenient && v.OK() && !slices.Equal(possible, []boxrules.Code{""})
		if err == nil && wrong {
			t.Fatalf("lenient %v: %v of %+v, for which %q is possible", lenient, v, b, possible)
		}
	}
}
