package learn_test

import (
	"errors"
	"fmt"
	"log"

	"example.com/boxrules"
	"example.com/boxrules/learn"
	"example.com/boxrules/limits"
)

// A service is asked until nothing is left to ask; here the illustrative limits answer for it.
func Example() {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`
version: 1
unit: mm
materials:
  carton-300: {caliper: 0.4, glue_flap: 15}
articles:
  sleeve:
    blank: {width: 2*width + 2*depth + glue_flap, height: height}
`))
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.New(boxrules.DefaultRules(), frame, learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	service := boxrules.Default()
	for {
		boxes := l.Next(1)
		if len(boxes) == 0 {
			break
		}
		verdict, err := service.Check(boxes[0])
		if err != nil {
			log.Fatal(err)
		}
		if err := l.Add(learn.Answer{Box: boxes[0], Code: verdict.Code()}); err != nil {
			log.Fatal(err)
		}
	}
	for _, f := range l.Facts()[:6] {
		fmt.Println(f)
	}
	// Output:
	// sleeve min_width is decided: 30 (rows 3, 25)
	// sleeve max_width is decided: 400 (rows 16, 8)
	// sleeve min_depth is decided: 10 (rows 20, 15)
	// sleeve max_depth is decided: 200 (rows 24, 11)
	// sleeve min_height is decided: 20 (rows 15, 24)
	// sleeve max_height is decided: 400 (rows 21, 18)
}

// Answers that cannot all be true are reported with the fewest rows that show it.
func ExampleLearner_Add() {
	l, err := learn.New(boxrules.DefaultRules(), limits.Illustrative(), learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	for _, answer := range []struct {
		width float64
		code  boxrules.Code
	}{{390, ""}, {410, boxrules.BOX_2101}, {380, boxrules.BOX_2101}} {
		box := boxrules.Box{Article: "sleeve", Material: "carton-300", Dims: boxrules.Dims{Width: answer.width, Depth: 40, Height: 60}}
		err := l.Add(learn.Answer{Box: box, Code: answer.code})
		var c *learn.Contradiction
		if errors.As(err, &c) {
			fmt.Println(c)
		}
	}
	// Output:
	// sleeve max_width: rows 1, 3 cannot all be true
}
