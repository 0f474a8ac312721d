// Form writes the generated files of the npm package. It runs in the folder of the package.
package main

import (
	"fmt"
	"os"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "form:", err)
		os.Exit(1)
	}
}

func generate() error {
	index, err := codegen.JavaScript(boxrules.Default(), codegen.Options{Imports: true})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"index.js": index.Module, "index.d.ts": index.Declarations} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
