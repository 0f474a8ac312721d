package learn_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"strings"

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
	// sleeve min_width is decided: 30 (rows 3, 26)
	// sleeve max_width is decided: 400 (rows 16, 8)
	// sleeve min_depth is decided: 10 (rows 20, 15)
	// sleeve max_depth is decided: 200 (rows 25, 11)
	// sleeve min_height is decided: 20 (rows 15, 25)
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
	// sleeve max_width: rows 1, 3 cannot both be true
}

// Does a service still use the limits of a file? Ask it about the boxes of a proof, and compare the answers.
func ExampleProof() {
	engine := boxrules.Default()
	proof, err := learn.Proof(engine, learn.Options{
		Step: 1, Max: 2000,
		Only: func(article, material string) bool { return article == "sleeve" && material == "carton-300" },
	})
	var unproved *learn.UnprovedError
	if errors.As(err, &unproved) {
		fmt.Println("more boxes may be needed:", unproved)
	} else if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(proof), "boxes prove the limits")
	service := boxrules.Default() // the illustrative limits answer for it
	for _, answer := range proof {
		verdict, err := service.Check(answer.Box)
		if err != nil {
			log.Fatal(err)
		}
		if verdict.Code() != answer.Code {
			fmt.Println("the limits have changed:", answer.Box, verdict)
		}
	}
	// Output: 11 boxes prove the limits
}

// Ask the service only about boxes whose answer does not follow from earlier answers.
func ExampleLearner_Possible() {
	l, err := learn.New(boxrules.DefaultRules(), limits.Illustrative(), learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	box := boxrules.Box{Article: "sleeve", Material: "carton-300", Dims: boxrules.Dims{Width: 410, Depth: 40, Height: 60}}
	if err := l.Add(learn.Answer{Box: box, Code: boxrules.BOX_2101}); err != nil {
		log.Fatal(err)
	}
	for _, width := range []float64{420, 405} {
		box.Width = width
		codes, err := l.Possible(box)
		if err != nil {
			log.Fatal(err)
		}
		if len(codes) == 1 {
			fmt.Println("width", width, "certainly gets", codes[0])
		} else {
			fmt.Println("width", width, "must be asked: it can get", len(codes), "answers")
		}
	}
	// Output:
	// width 420 certainly gets BOX_2101
	// width 405 must be asked: it can get 15 answers
}

// A box that the service does not answer with a verdict must not be proposed again.
func ExampleLearner_Skip() {
	l, err := learn.New(boxrules.DefaultRules(), limits.Illustrative(), learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	box := l.Next(1)[0]
	code := boxrules.DLN_1101 // the service does not know the material
	if learn.RefusesBoxes(code) {
		err = l.Add(learn.Answer{Box: box, Code: code})
	} else {
		// The code is not about the box. Skip every box of this article in this material.
		err = l.Skip(boxrules.Box{Article: box.Article, Material: box.Material})
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("instead of", box.Article, box.Material)
	box = l.Next(1)[0]
	fmt.Println("next asks", box.Article, box.Material)
	// Output:
	// instead of tuck-end carton-300
	// next asks tuck-end carton-400
}

// A table of what is known about an article, with the answers that show it.
func ExampleFact() {
	l, err := learn.New(boxrules.DefaultRules(), limits.Illustrative(), learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	for _, answer := range []struct {
		width float64
		code  boxrules.Code
	}{{390, ""}, {410, boxrules.BOX_2101}} {
		box := boxrules.Box{Article: "sleeve", Material: "carton-300", Dims: boxrules.Dims{Width: answer.width, Depth: 40, Height: 60}}
		if err := l.Add(learn.Answer{Box: box, Code: answer.code}); err != nil {
			log.Fatal(err)
		}
	}
	for _, f := range l.Facts() {
		if f.Article == "sleeve" && f.Limit != nil {
			fmt.Printf("%-10s  %-12s %s\n", f.What, f.Value(), f.Evidence())
		}
	}
	// Output:
	// min_width   1 to 390     row 1
	// max_width   390 to 409   rows 1, 2
	// min_depth   1 to 40      row 1
	// max_depth   40 to 2000   row 1
	// min_height  1 to 60      row 1
	// max_height  60 to 2000   row 1
}

// Write a limit file as soon as something is known, and check boxes with it. Lenient limits refuse only what the
// service certainly refuses. Comments in the file say from which answers each entry follows.
func ExampleLearner_WriteLimits() {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`
version: 1
unit: mm
materials: {board: {caliper: 0.4, glue_flap: 15}}
articles:
  sleeve: {blank: {width: 2*width + 2*depth + glue_flap, height: height}}
`))
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.New(boxrules.DefaultRules(), frame, learn.Options{Step: 1, Max: 2000})
	if err != nil {
		log.Fatal(err)
	}
	box := boxrules.Box{Article: "sleeve", Material: "board", Dims: boxrules.Dims{Width: 410, Depth: 40, Height: 60}}
	if err := l.Add(learn.Answer{Box: box, Code: boxrules.BOX_2101}); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := l.WriteLimits(&file, true); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(file.String()) {
		if strings.Contains(line, "max: 409") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	catalogue, err := limits.Load("learned.yaml", file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	for _, box.Width = range []float64{409, 410} {
		verdict, err := engine.Check(box)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("width", box.Width, verdict)
	}
	// Output:
	// width: {min: 1, max: 409}  # min is open: 1 to 409, row 1; max is open: 1 to 409, row 1
	// width 409 ok
	// width 410 BOX_2101
}
