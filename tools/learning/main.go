// Command learning draws how what is certain grows with the questions that package learn asks: docs/learning.svg. It asks the
// shipped engine about each of its articles in each material, as if it knew none of the limits, and after each answer counts for how many of
// some boxes Possible has one code left.
package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/learn"
)

const (
	questions = 42  // drawn
	boxes     = 500 // of which some are certain, for each profile
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: learning FILE.svg")
	}
	var curves [][]float64
	for _, p := range boxrules.Default().Profiles() {
		curve, err := certain(p)
		if err != nil {
			log.Fatal(err)
		}
		curves = append(curves, curve)
	}
	if err := os.WriteFile(os.Args[1], []byte(draw(curves)), 0o644); err != nil {
		log.Fatal(err)
	}
}

// certain is the share of boxes whose verdict is certain before the first question, after it, and so on.
func certain(p *boxrules.Profile) ([]float64, error) {
	e := boxrules.Default()
	only := func(article, material string) bool { return article == p.Article() && material == p.Material() }
	l, err := learn.New(e.Rules(), e.Catalogue(), learn.Options{Step: 1, Max: 2000, Only: only})
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	sample := make([]boxrules.Box, boxes)
	for i := range sample {
		size := func() float64 { return math.Round(math.Exp(math.Log(10) + r.Float64()*math.Log(60))) } // 10 to 600
		sample[i] = boxrules.Box{Article: p.Article(), Material: p.Material(), Dims: boxrules.Dims{Width: size(), Depth: size(), Height: size()}}
	}
	var curve []float64
	for range questions + 1 {
		n := 0
		for _, b := range sample {
			codes, err := l.Possible(b)
			if err != nil {
				return nil, err
			}
			if len(codes) == 1 {
				n++
			}
		}
		curve = append(curve, float64(n)/boxes)
		for _, b := range l.Next(1) {
			v, err := e.Check(b)
			if err != nil {
				return nil, err
			}
			if err := l.Add(learn.Answer{Box: b, Code: v.Code()}); err != nil {
				return nil, err
			}
		}
	}
	return curve, nil
}

// draw has the mean over the curves as a line, and the range between the worst and the best behind it.
func draw(curves [][]float64) string {
	const left, top, width, height = 56, 34, 560, 250
	at := func(question int, share float64) string {
		return fmt.Sprintf("%.1f,%.1f", left+float64(question)*width/questions, top+height*(1-share))
	}
	var mean, best, worst []string
	var said []string
	for q := range questions + 1 {
		sum, low, high := 0.0, 1.0, 0.0
		for _, c := range curves {
			sum, low, high = sum+c[q], min(low, c[q]), max(high, c[q])
		}
		sum /= float64(len(curves))
		mean, best, worst = append(mean, at(q, sum)), append(best, at(q, high)), append([]string{at(q, low)}, worst...)
		if q%10 == 0 && q > 0 {
			said = append(said, fmt.Sprintf("%.0f %% after %d", 100*sum, q))
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 340" role="img" aria-labelledby="t" font-family="sans-serif" font-size="12" fill="#222">`)
	line(`<title id="t">Boxes whose verdict is certain, by questions asked: %s</title>`, strings.Join(said, ", "))
	line(`<rect width="640" height="340" fill="#fff"/>`)
	line(`<text x="%d" y="20" font-size="14">Boxes whose verdict is certain, by questions asked</text>`, left)
	for share := 0; share <= 100; share += 25 {
		y := top + height*(100-share)/100
		line(`<path d="M%d %dh%d" stroke="#ddd"/><text x="%d" y="%d" text-anchor="end">%d %%</text>`, left, y, width, left-8, y+4, share)
	}
	for q := 0; q <= questions; q += 10 {
		line(`<text x="%d" y="%d" text-anchor="middle">%d</text>`, left+q*width/questions, top+height+18, q)
	}
	line(`<path d="M%sL%sZ" fill="#0a6" fill-opacity=".18"/>`, strings.Join(best, "L"), strings.Join(worst, "L"))
	line(`<path d="M%s" fill="none" stroke="#074" stroke-width="2"/>`, strings.Join(mean, "L"))
	line(`<text x="%d" y="%d">questions to the service; line: mean of %d articles and materials, band: the worst and the best</text>`,
		left, top+height+40, len(curves))
	line(`</svg>`)
	return b.String()
}
