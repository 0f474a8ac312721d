package boxmap_test

import (
	"log"
	"os"

	"example.com/boxrules"
	"example.com/boxrules/boxmap"
)

// The boxes of height 184, with what is wrong with one of them.
func ExampleSVG() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	explanation, err := profile.Explain(boxrules.Dims{Width: 48, Depth: 141, Height: 184}, 1)
	if err != nil {
		log.Fatal(err)
	}
	picture, err := boxmap.SVG(profile, boxmap.Options{Fixed: "height", Value: 184, Mark: &explanation})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.DevNull, picture, 0o644); err != nil { // a name such as map.svg here
		log.Fatal(err)
	}
	// Output:
}
