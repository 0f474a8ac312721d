package limits_test

import (
	"errors"
	"fmt"

	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// Everything that is wrong with a file is said, each with its place.
func ExampleLoad() {
	_, err := limits.Load("limits.yaml", []byte(`
version: 1
unit: mm
sheets: {b1: {width: 1000, height: 700}}
materials: {board: {caliper: 0.4, glue_flap: 15, sheet: b2}}
articles:
  tray: {width: {min: 400, max: 60}, depth: {min: 20, max: 450}, height: {min: 10, max: 100}, constraints: []}
`))
	var all source.Errors
	if errors.As(err, &all) {
		for _, e := range all {
			fmt.Println(e)
		}
	}
	// Output:
	// limits.yaml:5:57: materials.board: unknown sheet "b2"; accepted: b1
	// limits.yaml:7:23: articles.tray: the minimum 400 is greater than the maximum 60
}
