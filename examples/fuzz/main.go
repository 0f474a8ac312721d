// Command fuzz is a small service that embeds boxrules. Its test file, quote_test.go, shows how to test such a
// service. It answers requests such as
//
//	GET /quote?article=tuck-end&material=carton-300&width=48&depth=141&height=184
//
// To start your own service, copy this folder into your module.
package main

import (
	"fmt"
	"log"
	"net/http"

	"example.com/boxrules"
)

func main() {
	http.Handle("GET /quote", quote(boxrules.Default()))
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}

// quote returns a handler that answers 200 for a box that can be made. For a box that cannot be made, it answers
// 422 with the code. For anything that is not a box, it answers 400 with a message.
func quote(engine *boxrules.Engine) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		box := boxrules.Box{Article: query.Get("article"), Material: query.Get("material")}
		// ParseDimension is for text that a person has typed. Its errors can be shown to that person.
		for _, dimension := range []struct {
			field string
			to    *float64
		}{{"width", &box.Width}, {"depth", &box.Depth}, {"height", &box.Height}} {
			x, err := boxrules.ParseDimension(dimension.field, query.Get(dimension.field))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			*dimension.to = x
		}
		verdict, err := engine.Check(box)
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		// The input is valid, but the box cannot be made.
		case !verdict.OK():
			http.Error(w, string(verdict.Code()), http.StatusUnprocessableEntity)
		default:
			fmt.Fprintln(w, "ok")
		}
	}
}
