package verdicts

import (
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
)

// TestProducts: a rowChecker tells the names of rows apart, and remembers little of what there is
// not.
func TestProducts(t *testing.T) {
	engine := boxrules.Default()
	w := &rowChecker{engine: engine, counts: make(map[string]map[string]int)}
	w.begin(nil)
	for range 2 {
		for _, p := range engine.Profiles() {
			if got := w.product([]byte(p.Article()), []byte(p.Material())); got.profile != p {
				t.Fatalf("%s in %s is %+v", p.Article(), p.Material(), got)
			}
		}
	}
	known := len(w.products)
	for _, names := range [][2]string{{"tuck-end", "x\x00"}, {"tuck-end\x00x", ""}} {
		got := w.product([]byte(names[0]), []byte(names[1]))
		if got.profile != nil || (got.problems[0].Field == "article") != (names[1] == "") {
			t.Errorf("%q: %+v", names, got.problems)
		}
	}
	for i := range 2 * maxProducts {
		w.product([]byte(strconv.Itoa(i)), []byte("carton-300"))
		w.product([]byte(strings.Repeat("x", maxName)), []byte(strconv.Itoa(i)))
	}
	if len(w.products) > max(maxProducts, known) {
		t.Errorf("%d products are remembered, of which %d are known", len(w.products), known)
	}
	if got := w.product([]byte("tuck-end"), []byte("carton-300")); got.profile == nil {
		t.Error("a product is forgotten")
	}
}
