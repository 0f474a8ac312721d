package boxtest_test

import (
	"errors"
	"fmt"
	"log"
	"testing"

	"pgregory.net/rapid"

	"example.com/boxrules"
	"example.com/boxrules/boxtest"
	"example.com/boxrules/limits"
)

// In a test rapid draws the boxes, and reports the smallest for which a property does not hold.
func ExampleBoxes() {
	engine := boxrules.Default() // or of your own rules and limits
	boxes := boxtest.Boxes(engine.Profiles()...)
	property := func(t *rapid.T) {
		box := boxes.Draw(t, "box")
		advice, err := engine.Explain(box, 1)
		if err != nil {
			t.Fatal(err)
		}
		if s := advice.Nearest; s != nil && s.Found() {
			box.Dims = s.Dims
			if verdict, err := engine.Check(box); err != nil || !verdict.OK() {
				t.Fatalf("%+v is suggested: %v, %v", box, verdict, err)
			}
		}
	}
	var t *testing.T // that of your test
	rapid.Check(t, property)
}

// Outside of a property, such as in a benchmark, boxes are drawn by their number.
func ExampleInside() {
	engine := boxrules.Default()
	inside := boxtest.Inside(engine.Profiles()...)
	for i := range 1000 {
		verdict, err := engine.Check(inside.Example(i))
		if err != nil || verdict.Stage() == boxrules.Boundary {
			log.Fatal(verdict, err)
		}
	}
	fmt.Println("no box is beyond a limit")
	// Output: no box is beyond a limit
}

// Boxes at borders show whether a program means > or >=.
func ExampleBorder() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300") // which selects depth > width
	if err != nil {
		log.Fatal(err)
	}
	verdicts := make(map[string]boxrules.Verdict)
	border := boxtest.Border(profile)
	for i := range 1000 {
		box := border.Example(i)
		at, _ := box.Grid() // in thousandths
		verdict, err := profile.Check(box.Dims)
		switch {
		case err != nil:
			log.Fatal(err)
		case verdict.Stage() == boxrules.Boundary || verdict.Stage() == boxrules.Size:
		case at[1] == at[0]:
			verdicts["as deep as wide"] = verdict
		case at[1] == at[0]+1:
			verdicts["a thousandth deeper"] = verdict
		}
	}
	fmt.Println(verdicts)
	// Output: map[a thousandth deeper:BOX_3100 as deep as wide:ok]
}

func ExampleBeyond() {
	engine := boxrules.Default()
	codes := make(map[boxrules.Code]bool)
	beyond := boxtest.Beyond(engine.Profiles()...)
	for i := range 1000 {
		verdict, err := engine.Check(beyond.Example(i))
		if err != nil {
			log.Fatal(err)
		}
		codes[verdict.Code()] = true
	}
	fmt.Println(codes)
	// Output: map[BOX_2100:true BOX_2101:true BOX_2102:true BOX_2103:true BOX_2104:true BOX_2105:true]
}

func ExampleMalformed() {
	engine := boxrules.Default()
	malformed := boxtest.Malformed(engine.Profiles()...)
	for i := range 1000 {
		var input *boxrules.InputError
		if _, err := engine.Check(malformed.Example(i)); !errors.As(err, &input) {
			log.Fatal(err)
		}
	}
	fmt.Println("no box gets a verdict")
	// Output: no box gets a verdict
}

func ExampleReference() {
	engine := boxrules.Default()
	reference, err := boxtest.NewReference(engine.Rules(), engine.Catalogue())
	if err != nil {
		log.Fatal(err)
	}
	// The depth is exactly a third of the width, and this article must not be deeper.
	box := boxrules.Box{Article: "tuck-end-slim", Material: "carton-300",
		Dims: boxrules.Dims{Width: 60.3, Depth: 20.1, Height: 120}}
	exact, err := reference.Exact(box)
	if err != nil {
		log.Fatal(err)
	}
	double, err := reference.Float64(box)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exactly:", exact)
	fmt.Println("in double precision:", double)
	// Output:
	// exactly: []
	// in double precision: [BOX_3119]
}

// A program that shows or translates rules has to cope with any that can be written.
func ExampleAnyFiles() {
	files := boxtest.AnyFiles()
	for i := range 10 {
		engine, err := files.Example(i).Engine()
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range engine.Rules().Rules() {
			_ = r.When // translate it
		}
	}
	fmt.Println("all files are loaded")
	// Output: all files are loaded
}

// A program that is given limits by its users has to cope with any.
func ExampleLimitFiles() {
	rules := boxrules.DefaultRules() // or of boxrules.LoadRules
	files := boxtest.LimitFiles(rules)
	for i := range 10 {
		catalogue, err := limits.Load("limits.yaml", []byte(files.Example(i)))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := boxrules.New(rules, catalogue); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("all files fit the rules")
	// Output: all files fit the rules
}
