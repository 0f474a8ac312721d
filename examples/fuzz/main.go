// Command fuzz is a small service that embeds boxrules, to show how such a service is tested: see
// quote_test.go. It answers requests such as
//
//	GET /quote?article=tuck-end&material=carton-300&width=48&depth=141&height=184
//
// Copy the folder into your module to start from it.
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

// quote returns a handler that answers 200 for a box that can be made, 422 and the code for one that
// cannot, and 400 and a message for what is not a box.
func quote(engine *boxrules.Engine) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		box := boxrules.Box{Article: query.Get("article"), Material: query.Get("material")}
		// ParseDimension accepts what a person may type, and its errors are meant for that person.
		for field, to := range map[string]*float64{"width": &box.Width, "depth": &box.Depth, "height": &box.Height} {
			x, err := boxrules.ParseDimension(field, query.Get(field))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			*to = x
		}
		verdict, err := engine.Check(box)
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		// The box is valid input, but it cannot be made.
		case !verdict.OK():
			http.Error(w, string(verdict.Code()), http.StatusUnprocessableEntity)
		default:
			fmt.Fprintln(w, "ok")
		}
	}
}
