package boxrules

import (
	"fmt"
	"testing"

	"example.com/boxrules/limits"
)

// TestFastPath: boxes of the illustrative articles are checked on the fast path, which has six limits and cells of valid
// boxes. It does not check the number of decimals, so it is not used if that number is limited.
func TestFastPath(t *testing.T) {
	for decimals, want := range map[int]bool{2: false, 3: true} {
		catalogue, err := limits.Load("limits.yaml", fmt.Appendf(limits.IllustrativeYAML(), "decimals: %d\n", decimals))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := New(DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range engine.Profiles() {
			f := &p.fastPath
			if hasCells := len(f.Cells) > 0; f.StartsWithLimits != want || hasCells != want {
				t.Errorf("%d decimals: %s in %s has the limits on the fast path: %v, and %d cells", decimals, p.Article(), p.Material(),
					f.StartsWithLimits, len(f.Cells))
			}
		}
	}
}
