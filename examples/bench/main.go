// Command bench is a small program that embeds boxrules. Its test file, answer_test.go, shows how to measure the
// speed of such a program. It reads boxes as JSON, one on each line, and writes the answer to each box.
//
// To start your own program, copy this folder into your module.
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
		// Stop when all boxes have been read.
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			log.Fatal(err)
		}
		fmt.Println(shop.answer(box))
	}
}

// A shop decides whether boxes can be made. It looks up every profile at startup, so an answer takes little longer
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

// answer returns "ok" if the box can be made, the code if it cannot, or "not a box".
func (s *shop) answer(box boxrules.Box) string {
	// The Check method of a profile is faster than that of the engine, because it need not look up the article and
	// the material.
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
