// Command bench is a small program that embeds boxrules, to show how the speed of such a program is
// measured: see answer_test.go. It reads boxes as JSON, one a line, and writes the answer to each.
//
// Copy the folder into your module to start from it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"example.com/boxrules"
)

func main() {
	shop := newShop(boxrules.Default())
	boxes := json.NewDecoder(os.Stdin)
	for {
		var box boxrules.Box
		switch err := boxes.Decode(&box); {
		// All boxes have been read.
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			log.Fatal(err)
		}
		fmt.Println(shop.answer(box))
	}
}

// A shop says whether boxes can be made. It looks up every profile at the start, so answering takes little longer
// than the check itself.
type shop struct {
	profiles map[[2]string]*boxrules.Profile
}

func newShop(engine *boxrules.Engine) *shop {
	s := &shop{make(map[[2]string]*boxrules.Profile)}
	for _, p := range engine.Profiles() {
		s.profiles[[2]string{p.Article(), p.Material()}] = p
	}
	return s
}

// answer returns "ok", the code for which the box cannot be made, or "not a box".
func (s *shop) answer(box boxrules.Box) string {
	// A profile has no article or material to look up, so its Check is faster than that of the engine.
	profile := s.profiles[[2]string{box.Article, box.Material}]
	if profile == nil {
		return "not a box"
	}
	verdict, err := profile.Check(box.Dims)
	if err != nil {
		return "not a box"
	}
	return verdict.String()
}
