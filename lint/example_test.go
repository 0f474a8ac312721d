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
		fmt.Println(finding.Article, finding.Kind, finding.Codes)
	}
	for change := range lint.Diff(before, after) {
		fmt.Println(change.Article, change.Kind, change.Witness)
	}
	// Output:
	// tray unreachable-limit [BOX_2103]
	// tray size-unchecked [BOX_4100]
	// tray newly-accepted &{401 20 10}
	// tray code-changed &{401 1 1}
	// tray code-changed &{401 451 1}
	// tray code-changed &{401 20 1}
	// tray code-changed &{401 20 101}
	// tray code-changed &{401 402 10}
}

func ExampleWitness() {
	profile, err := exampleEngine("400").Profile("tray", "board")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lint.Witness(profile, boxrules.BOX_3100))
	// Output: {100 200 100} true
}
