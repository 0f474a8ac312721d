package codegen_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
)

// A module for a quote form that has one article.
func ExampleJavaScript() {
	files, err := codegen.JavaScript(boxrules.Default(), codegen.Options{Articles: []string{"tray"}})
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string][]byte{"index.js": files.Module, "index.d.ts": files.Declarations} {
		if err := os.WriteFile(os.DevNull, text, 0o644); err != nil { // the name here
			log.Fatal(name, err)
		}
	}
	fmt.Println(strings.Contains(string(files.Module), `"tray"`))
	// Output: true
}

// A table of limits and a view of verdicts, to be run in a database that has the boxes in a table
// quotes.
func ExampleSQL() {
	text, err := codegen.SQL(boxrules.Default(), codegen.SQLOptions{Dialect: "postgres", Table: "quotes", Articles: []string{"tray"}})
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "CREATE VIEW") {
			fmt.Print(line)
		}
	}
	// Output: CREATE VIEW box_verdicts AS
}
