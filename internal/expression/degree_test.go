package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules/internal/expression"
)

// TestPowers: a quotient of many lengths has a degree far below zero, which differs from that of a length.
func TestPowers(t *testing.T) {
	for _, divisors := range []int{2, 100, 101, 102, 300} {
		text := "crease" + strings.Repeat(" / caliper", divisors) + " > width"
		_, problems := expression.ConditionWith(degrees, text)
		want := fmt.Sprintf("is a length to the power of %d and \"width\" a length: they cannot be compared", 1-divisors)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("crease divided by %d lengths: problems %v, want one that says it %s", divisors, problems, want)
		}
	}
}
