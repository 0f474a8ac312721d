// Form writes the generated files of the npm package into the current folder, which is that of the package.
package main

import (
	"log"
	"os"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

func main() {
	index, err := codegen.JavaScript(boxrules.Default(), codegen.Options{Imports: true})
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string][]byte{"index.js": index.Module, "index.d.ts": index.Declarations} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
