package oracle

import (
	"math/big"
	"slices"
)

func ratFromInt(n int64) *big.Rat { return big.NewRat(n, 1) }

func less(a, b *big.Rat) bool { return a.Cmp(b) < 0 }

func more(a, b *big.Rat) bool { return a.Cmp(b) > 0 }

func plus(terms ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, t := range terms {
		total.Add(total, t)
	}
	return total
}

func maxOf(terms ...*big.Rat) *big.Rat { return slices.MaxFunc(terms, (*big.Rat).Cmp) }

func minOf(terms ...*big.Rat) *big.Rat { return slices.MinFunc(terms, (*big.Rat).Cmp) }

func times(a *big.Rat, numerator, denominator int64) *big.Rat {
	return new(big.Rat).Mul(a, big.NewRat(numerator, denominator))
}
