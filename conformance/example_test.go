package conformance_test

import (
	"fmt"
	"log"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
)

// An engine is compared with all cases. This is what a port does, too.
func Example() {
	files, err := conformance.Read("cases")
	if err != nil {
		log.Fatal(err)
	}
	wrong := 0
	for _, file := range files {
		if len(file.Cases) == 0 {
			continue // a file of texts
		}
		rules, catalogue, err := file.Load("..")
		if err != nil {
			log.Fatal(err)
		}
		engine, err := boxrules.New(rules, catalogue)
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range file.Cases {
			verdict, err := engine.Check(c.Box())
			if (err != nil) != (c.Error != nil) || err == nil && string(verdict.Code()) != c.Verdict.Code {
				wrong++
			}
		}
	}
	fmt.Println(wrong, "wrong")
	// Output: 0 wrong
}
