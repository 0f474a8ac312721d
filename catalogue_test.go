package boxrules_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/gen"
	"example.com/boxrules/limits"
)

// TestLargeCatalogue: 1,000 articles (outside CI 200) in 10 materials load, and a pair takes little memory until it is used, also in
// another unit than the rules.
func TestLargeCatalogue(t *testing.T) {
	for _, unit := range []string{"mm", "in"} {
		t.Run(unit, func(t *testing.T) { testLargeCatalogue(t, unit) })
	}
}

func testLargeCatalogue(t *testing.T, unit string) {
	articles := lab.Draws(200, 1000)
	c, err := limits.Load("shop.yaml", []byte(strings.Replace(gen.Shop(articles, 10, 0), "unit: mm", "unit: "+unit, 1)))
	if err != nil {
		t.Fatal(err)
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	e, err := boxrules.New(boxrules.DefaultRules(), c)
	if err != nil {
		t.Fatal(err)
	}
	if pair := (int64(held()) - int64(before)) / int64(10*articles); pair > 9000 {
		t.Errorf("a pair takes %d bytes, want at most 9000", pair)
	}
	if unit != "mm" {
		return
	}
	d := boxrules.Dims{Width: 120, Depth: 100, Height: 80}
	if v, err := e.Check(boxrules.Box{Article: fmt.Sprintf("article-%d", articles-1), Material: "board-9", Dims: d}); err != nil || !v.OK() {
		t.Errorf("Check = %v, %v, want valid", v, err)
	}
}
