package lint_test

import (
	"fmt"
	"log"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/lint"
)

func exampleEngine(width string) *boxrules.Engine {
	catalogue, err := limits.Load("limits.yaml", []byte(`
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {board: {caliper: 1, glue_flap: 15, sheet: s}}
articles:
  tray: {width: {min: 20, max: `+width+`}, depth: {min: 20, max: 450}, height: {min: 10, max: 100}, constraints: [BOX_3100]}
`))
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// What is odd about files, and what an edit of them changes.
func Example() {
	engine := exampleEngine("400")
	before, after := engine, exampleEngine("401")
	for finding := range lint.Lint(engine) {
		fmt.Println(finding)
	}
	for change := range lint.Diff(before, after) {
		fmt.Println(change)
	}
	// Output:
	// limits.yaml:7:60: tray in board: no valid box reaches max_depth 450: the nearest value is 400, at 400 x 400 x 100, because of BOX_3100
	// limits.yaml:7:3: note: tray in board: BOX_4100 is not checked: the article has no blank
	// tray in board: newly accepted, previously rejected with BOX_2101, such as 401 x 20 x 10
	// tray in board: BOX_2101 becomes BOX_2102, such as 401 x 1 x 1
	// tray in board: BOX_2101 becomes BOX_2103, such as 401 x 451 x 1
	// tray in board: BOX_2101 becomes BOX_2104, such as 401 x 20 x 1
	// tray in board: BOX_2101 becomes BOX_2105, such as 401 x 20 x 101
	// tray in board: BOX_2101 becomes BOX_3100, such as 401 x 402 x 10
}

// Only the findings that a healthy file must not have.
func ExampleLint() {
	for finding := range lint.Lint(exampleEngine("400")) {
		if !finding.Note {
			fmt.Println(finding.Kind, finding.Codes, "because of", finding.By)
		}
	}
	// Output: unreachable-limit [BOX_2103] because of [BOX_3100]
}

// A box that gets another code, for a test of the service.
func ExampleDiff() {
	for change := range lint.Diff(exampleEngine("400"), exampleEngine("401")) {
		if change.Kind == lint.NewlyAccepted {
			fmt.Printf("%+v is accepted\n", *change.Witness)
		}
	}
	// Output: {Width:401 Depth:20 Height:10} is accepted
}

// A box for each code that can be reported.
func ExampleWitnesses() {
	for finding := range lint.Witnesses(exampleEngine("400"), boxrules.BOX_2101, boxrules.BOX_3100) {
		fmt.Println(finding)
	}
	// Output:
	// tray in board: BOX_2101 is reported for 500 x 100 x 100
	// tray in board: BOX_3100 is reported for 100 x 200 x 100
}

func ExampleWitness() {
	profile, err := exampleEngine("400").Profile("tray", "board")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lint.Witness(profile, boxrules.BOX_3100))
	// Output: {100 200 100} true
}

// Two limit files of many articles are compared in little memory.
func ExampleDiffFiles() {
	before, after := exampleEngine("400"), exampleEngine("400.001")
	files := func(e *boxrules.Engine) lint.Files { return lint.Files{Rules: e.Rules(), Catalogue: e.Catalogue()} }
	for change, err := range lint.DiffFiles(files(before), files(after)) {
		if err != nil {
			log.Fatal(err)
		}
		if change.Kind == lint.NewlyAccepted {
			fmt.Println(change)
		}
	}
	// Output: tray in board: newly accepted, previously rejected with BOX_2101, such as 400.001 x 20 x 10
}
