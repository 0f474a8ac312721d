package source_test

import (
	"errors"
	"fmt"

	"example.com/boxrules"
	"example.com/boxrules/source"
)

// LoadRules and limits.Load return all errors of a file as Errors. By its Unwrap, errors.As also finds the first of
// them alone.
func ExampleErrors() {
	_, err := boxrules.LoadRules("rules.yaml", []byte("version: 2\nunit: m m\nconstraint: []\n"))

	var all source.Errors
	if errors.As(err, &all) {
		fmt.Println(len(all), "errors")
	}
	var first *source.Error
	if errors.As(err, &first) {
		fmt.Println(first.Position, "line", first.Line)
		fmt.Println(first.Message)
	}
	// Output:
	// 2 errors
	// rules.yaml:1:10 line 1
	// version 2 is not known; accepted: 1
}
