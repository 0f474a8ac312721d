package strictyaml

import (
	"fmt"
	"strings"
)

// hint is the end of a message about a name that is not accepted.
type hint struct {
	name string
	free []string // accepted names that are not taken
}

func (h hint) String() string {
	if name := near(h.name, h.free); name != "" {
		return fmt.Sprintf(" (did you mean %q?)", name)
	}
	if strings.Trim(h.name, "0123456789") == "" {
		return " (a number has a point before the fraction, no comma)"
	}
	return ""
}

// near gives the accepted name that a misspelt one was most likely to be, or "".
func near(name string, accepted []string) string {
	limit := min(len(name)/3, 2)
	best := ""
	for _, candidate := range accepted {
		distance := edits(strings.ToLower(name), strings.ToLower(candidate), limit)
		if distance <= limit {
			best, limit = candidate, distance-1
		}
	}
	return best
}

// edits counts the characters to insert, delete, replace or swap with their neighbour to make b of a. It
// gives more than limit at once where the lengths are too far apart.
func edits(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(row[j]+1, next[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
