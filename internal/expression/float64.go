package expression

import (
	"example.com/boxrules/exact"
)

// HoldsInFloat64 reports whether the condition holds in double precision, evaluated as described at Machine.
// value returns the value of each variable. Lengths are converted by ratio, as in ConditionIn. Unlike Holds,
// HoldsInFloat64 may be called by several goroutines at once.
func (e *Expression) HoldsInFloat64(ratio exact.Ratio, value func(name string) float64) bool {
	m := e.machineFor(ratio, value)
	defer machinePool.Put(m)
	return e.Holds(m)
}

// ValueInFloat64 returns the value of the formula in double precision. value returns the value of each
// variable. Unlike Float64, ValueInFloat64 may be called by several goroutines at once.
func (e *Expression) ValueInFloat64(value func(name string) float64) float64 {
	m := e.machineFor(exact.Ratio{Num: 1, Den: 1}, value)
	defer machinePool.Put(m)
	return e.Float64(m)
}
