package verdicts

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/limits"
)

// TestProducts says that a rowChecker distinguishes the names of rows, and remembers only a bounded number of
// unknown ones.
func TestProducts(t *testing.T) {
	engine := boxrules.Default()
	c := &rowChecker{engine: engine, counts: make(map[string]map[string]int)}
	c.beginFile(nil)
	for range 2 {
		for _, p := range engine.Profiles() {
			if got := c.lookUpProduct([]byte(p.Article()), []byte(p.Material())); got.profile != p {
				t.Fatalf("%s in %s is %+v", p.Article(), p.Material(), got)
			}
		}
	}
	known := len(c.products)
	for _, names := range [][2]string{{"tuck-end", "x\x00"}, {"tuck-end\x00x", ""}} {
		got := c.lookUpProduct([]byte(names[0]), []byte(names[1]))
		if got.profile != nil || (got.problems[0].Field == "article") != (names[1] == "") {
			t.Errorf("%q: %+v", names, got.problems)
		}
	}
	for length, remembered := range map[int]bool{maxNames: true, maxNames + 1: false} {
		before := len(c.products)
		c.lookUpProduct([]byte(strings.Repeat("x", length-3)), []byte("xyz"))
		if got := len(c.products) > before; got != remembered {
			t.Errorf("names of %d bytes are remembered: %v", length, got)
		}
	}
	for i := range 2 * maxProducts {
		c.lookUpProduct([]byte(strconv.Itoa(i)), []byte("carton-300"))
		c.lookUpProduct([]byte(strings.Repeat("x", maxNames)), []byte(strconv.Itoa(i)))
	}
	if len(c.products) > max(maxProducts, known) {
		t.Errorf("%d products are remembered, of which %d are known", len(c.products), known)
	}
	if got := c.lookUpProduct([]byte("tuck-end"), []byte("carton-300")); got.profile == nil {
		t.Error("a product is forgotten")
	}
}

// TestNoBoxCost says that the memory for a row that is not a box does not grow with the catalogue.
func TestNoBoxCost(t *testing.T) {
	const articles, rows = 2000, 100
	file := "version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\nmaterials: {m: {caliper: 1, glue_flap: 0, sheet: s}}\narticles:\n"
	for i := range articles {
		file += fmt.Sprintf("  a%d: {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n", i)
	}
	catalogue, err := limits.Load("limits.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	c := &rowChecker{engine: engine, report: noReport{}, counts: make(map[string]map[string]int)}
	c.beginFile(nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rows {
		r := lists.Row{Names: [2][]byte{[]byte("a0"), []byte("m")}, Dimensions: [3]float64{5, 4, 3}}
		for field := range r.Known {
			r.Known[field] = true
		}
		r.Fail(lists.FirstDimension, "missing")
		c.check(nil, &r)
	}
	runtime.ReadMemStats(&after)
	if c.inputErrors != rows {
		t.Fatalf("%d rows are no boxes, want %d", c.inputErrors, rows)
	}
	if bytes := (after.TotalAlloc - before.TotalAlloc) / rows; bytes > 4*articles {
		t.Errorf("a row that is no box takes %d bytes with %d articles", bytes, articles)
	}
}
