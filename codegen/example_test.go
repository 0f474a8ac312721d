package codegen_test

import (
	"encoding/json"
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

// Tables for a port to another language.
func ExampleJSON() {
	text, err := codegen.JSON(boxrules.Default(), []string{"tray"})
	if err != nil {
		log.Fatal(err)
	}
	var tables struct {
		Unit     string
		Articles map[string]struct{ Limits [][2]int64 }
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		log.Fatal(err)
	}
	fmt.Println("width in thousandths of", tables.Unit, tables.Articles["tray"].Limits[0])
	// Output: width in thousandths of mm [60000 500000]
}

func ExampleSQLDialects() {
	all, withConstraint := codegen.SQLDialects()
	fmt.Println(all)
	fmt.Println(withConstraint)
	// Output:
	// [duckdb postgres sqlite clickhouse mariadb spark trino ansi]
	// [postgres sqlite mariadb]
}

func ExampleSQLDialectsWithLimitsOnly() {
	fmt.Println(codegen.SQLDialectsWithLimitsOnly())
	// Output: [duckdb postgres sqlite clickhouse mariadb]
}

// The statements that replace the limits in a database, for a program that runs them one by one.
func ExampleSQLStatements() {
	statements, err := codegen.SQLStatements(boxrules.Default(), codegen.SQLOptions{Dialect: "sqlite", LimitsOnly: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(statements[0])
	fmt.Println(statements[len(statements)-1])
	// Output:
	// BEGIN IMMEDIATE
	// COMMIT
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
